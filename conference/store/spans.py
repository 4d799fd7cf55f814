"""Whose events a log is made of: a fork's begins with those of its parent, by reference."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from conference.store.database import Database
from conference.store.tables import runs


@dataclass(frozen=True, slots=True)
class Span:
    """Events `first` to `last` of a log, as they stand under `run`; `last` None where the log goes on."""

    run: str
    first: int
    last: int | None


def spans(connection: Connection, _database: Database, run: str) -> tuple[Span, ...]:
    """The pieces of a run's log, in order; one, unless it is a fork. A run that isn't there is one empty piece."""
    found: list[Span] = []
    last: int | None = None
    while True:
        row = connection.execute(select(runs.c.parent, runs.c.parent_events).where(runs.c.run == run)).first()
        parent, begin = (row[0], row[1]) if row is not None and row[0] is not None else (None, 0)
        if last is None or begin <= last:  # a fork made within its parent's own prefix takes nothing of the parent's
            found.insert(0, Span(run, begin, last))
            last = begin - 1
        if parent is None:
            return tuple(found)
        run = parent
