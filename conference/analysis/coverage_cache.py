"""Keeps what was learnt from a reference: arrays only, never pickled objects, so that a changed file can't run code."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[np.float32]]
Shapes = Mapping[str, tuple[int | None, ...]]
"""The arrays a file must hold and the length of each of their axes; None: any."""


@dataclass(frozen=True)
class Shelf:
    """Where learnt arrays lie: in `folder`, which is written to, and in `shipped`, which came with Plenary and is only read.

    Files are named by a hash of what they were learnt from; one that can't be read, or has other shapes, counts as missing.
    """

    folder: Path | None = None
    shipped: Path | None = None

    def get(self, key: str, shapes: Shapes) -> Arrays | None:
        """The arrays of this key, or None when there are none to trust."""
        places = [place for place in (self.shipped, self.folder) if place is not None]
        return next((found for place in places if (found := _read(place / f"{key}.npz", shapes)) is not None), None)

    def put(self, key: str, arrays: Arrays) -> None:
        """Write at once or not at all: two processes may learn the same reference. A folder that can't be written keeps nothing."""
        if self.folder is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as file:
                np.savez(file, allow_pickle=False, **arrays)
            os.replace(file.name, self.folder / f"{key}.npz")
        except OSError:
            return


NO_SHELF = Shelf()
"""Keeps nothing."""


def _read(path: Path, shapes: Shapes) -> Arrays | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = {name: np.asarray(found[name], dtype=np.float32) for name in shapes}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return arrays if all(_fits(arrays[name], shape) for name, shape in shapes.items()) else None


def _fits(array: npt.NDArray[np.float32], shape: tuple[int | None, ...]) -> bool:
    same = len(array.shape) == len(shape) and all(wanted in (None, axis) for axis, wanted in zip(array.shape, shape, strict=True))
    return same and bool(np.isfinite(array).all())
