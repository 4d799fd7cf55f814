"""Keeps what was learnt from a reference: arrays only, never pickled objects, so that a changed file can't run code."""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[np.float32]]


def kept(folder: Path, key: str, rows: int) -> Arrays | None:
    """Coefficients of shape (rows, dimension) and intercepts of shape (rows,), or None when there are none to trust."""
    try:
        with _path(folder, key).open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = {name: np.asarray(found[name], dtype=np.float32) for name in ("coefficients", "intercepts")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    fits = arrays["coefficients"].ndim == 2 and len(arrays["coefficients"]) == rows and arrays["intercepts"].shape == (rows,)
    return arrays if fits and all(np.isfinite(array).all() for array in arrays.values()) else None


def keep(folder: Path, key: str, arrays: Arrays) -> None:
    """Write at once or not at all: two processes may learn the same reference. A folder that can't be written keeps nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
            np.savez(file, allow_pickle=False, **arrays)
        os.replace(file.name, _path(folder, key))
    except OSError:
        return


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key}.npz"
