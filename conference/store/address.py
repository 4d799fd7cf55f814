"""The address of a database becomes an engine: SQLite in write-ahead mode, or PostgreSQL through psycopg 3."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from conference.errors import SetupError

BUSY_SECONDS = 10
"""How long a writer waits for another process to finish its own transaction."""

DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
FORMS = "write sqlite:////folder/plenary.db or postgresql://user@host/name in PLENARY_DATABASE"


def engine_for(address: str) -> Engine:
    """An engine for `sqlite:///…`, `postgres://…` or `postgresql://…`; nothing is opened yet.

    Every statement is a transaction of its own (AUTOCOMMIT) unless `transaction` puts several into one.
    Raises SetupError for an address that can't be used; a password is never shown.
    """
    url = _read(address)
    return _sqlite(url) if url.drivername == "sqlite" else _postgresql(url)


def _read(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # the address may hold a password, so the message doesn't repeat it
        raise SetupError(f"the database address can't be read; {FORMS}") from None
    if url.drivername not in DRIVERS:
        raise SetupError(f"the database kind '{url.drivername}' isn't supported; {FORMS}")
    return url.set(drivername=DRIVERS[url.drivername])


def _sqlite(url: URL) -> Engine:
    name = url.database or ":memory:"
    if name == ":memory:" or name.startswith("file:"):
        raise SetupError(f"the database '{name}' is not a file that lasts; {FORMS}")
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(f"the folder {Path(name).parent} can't be made ({error.strerror}); {FORMS}") from None
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    event.listen(engine, "connect", _settings)
    return engine


def _settings(connection: Any, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _write_ahead(connection: Any) -> None:
    """The first process to come turns a new file to WAL; SQLite doesn't make the others wait for it, so we do."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _postgresql(url: URL) -> Engine:
    defaults = {"application_name": "plenary", "connect_timeout": 10}
    given = {key: value for key, value in defaults.items() if key not in url.query}
    return create_engine(url, isolation_level="AUTOCOMMIT", connect_args=given)
