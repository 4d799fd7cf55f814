"""Work on the database: one connection from the pool, failures in one line, a second try when the connection had gone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError, TimeoutError

from conference.errors import LogError
from conference.store.address import engine_for

T = TypeVar("T")


class Database:
    """The engine behind a store, for many threads. Statements with `?` are written once and turned by `sql`."""

    def __init__(self, address: str) -> None:
        self.engine = engine_for(address)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._process = os.getpid()

    @property
    def shown(self) -> str:
        """The address without its password, for messages."""
        return self.engine.url.render_as_string(hide_password=True)

    @property
    def now(self) -> str:
        """SQL for the seconds since 1970 by the database's own clock: workers on several machines share that one."""
        return "(julianday('now') - 2440587.5) * 86400.0" if self.sqlite else "extract(epoch from clock_timestamp())::float8"

    def sql(self, text: str) -> str:
        """A statement with the driver's own mark for `?`."""
        return text if self.sqlite else text.replace("?", "%s")

    def run(self, doing: str, work: Callable[[Connection], T]) -> T:
        """The result of `work`. Raises LogError, in one line that begins with `doing`, when the database fails.

        A connection that turns out to be gone (the server was restarted) is replaced and the work done again:
        everything the store does may be done twice.
        """
        self._leave_the_parent_its_connections()
        try:
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
            with self.engine.connect() as connection:
                return work(connection)
        except (DBAPIError, TimeoutError) as error:
            raise LogError(f"{doing} failed: {reason(error)}; {_advice(error)}") from error

    def _leave_the_parent_its_connections(self) -> None:
        """A forked process must not talk on connections it shares with its parent."""
        if os.getpid() != self._process:
            self.engine.dispose(close=False)
            self._process = os.getpid()

    @contextmanager
    def transaction(self, connection: Connection) -> Iterator[None]:
        """All statements within, or none. SQLite takes the write lock at once, so that no later statement can lose it."""
        connection.exec_driver_sql("BEGIN IMMEDIATE" if self.sqlite else "BEGIN")
        try:
            yield
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            with suppress(SQLAlchemyError):  # a lost connection or a full disk has rolled it back already
                connection.exec_driver_sql("ROLLBACK")
            raise


def reason(error: Exception) -> str:
    """What the database said, on one line, without the statement and its values."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return " ".join(said.split())[:300] or type(error).__name__


def _advice(error: Exception) -> str:
    said = reason(error)
    if isinstance(error, IntegrityError):
        return "look with `runs` whether the run is still there"
    if "locked" in said or isinstance(error, TimeoutError):
        return "another process kept the database busy; try again"
    if "full" in said or "readonly" in said or "disk" in said:
        return "check the space on the disk and who may write there"
    return "check that the database is there and try again"
