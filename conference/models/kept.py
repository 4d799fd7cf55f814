"""A small SQLite file of bytes by key: for what can be made again, but not quickly."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

CHUNK = 500
"""Keys asked for in one query; older SQLite builds take at most 999 values."""


class KeptBytes:
    """Bytes by key, in a file that several processes may use at once. A connection is opened for each use, so threads may too."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        with closing(self._open()) as file, file:
            file.execute("PRAGMA journal_mode=WAL")
            file.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")

    def get(self, key: str) -> bytes | None:
        """What is kept under `key`, or None."""
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Those of `keys` that are kept."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, bytes] = {}
        with closing(self._open()) as file:
            for start in range(0, len(wanted), CHUNK):
                chunk = wanted[start : start + CHUNK]
                marks = ",".join("?" * len(chunk))
                found.update(file.execute(f"SELECT key, value FROM kept WHERE key IN ({marks})", chunk))
        return found

    def put(self, key: str, value: bytes) -> None:
        """Keep one value."""
        self.put_many({key: value})

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Keep values; the same key again replaces."""
        with closing(self._open()) as file, file:
            file.executemany("INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)", values.items())

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=30)
