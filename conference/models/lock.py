"""Locks between processes, on files. The kernel frees them when their holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class FileLock:
    """One hold on a file, shared or exclusive, from the moment it is made until `release()` (or the end of the process)."""

    def __init__(self, path: Path, *, shared: bool = False, wait: bool = True) -> None:
        """Take the lock. Raises BlockingIOError when `wait` is False and another process holds it."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._file, kind if wait else kind | fcntl.LOCK_NB)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let go; again does nothing."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Only one process at a time gets past this; the others wait."""
    lock = FileLock(path)
    try:
        yield
    finally:
        lock.release()


def is_free(path: Path) -> bool:
    """Whether nobody holds `path` at this moment."""
    with suppress(BlockingIOError):
        FileLock(path, wait=False).release()
        return True
    return False
