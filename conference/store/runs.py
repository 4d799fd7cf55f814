"""Runs: their names, what a list of them shows, and how they go and come back."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Connection, RowMapping, Select, cast, delete, func, literal_column, select, update

from conference.domain.record import Record
from conference.domain.spec import Condition
from conference.errors import UnknownName, UserError, did_you_mean
from conference.store.body import plain
from conference.store.database import Database
from conference.store.tables import Status, calls, events, runs

GRACE_SECONDS = 60.0
"""How long a run may be `running` before the process that means to run it takes its lease."""

_LONGEST_SLUG = 32
_CREATE = """
INSERT INTO runs (run, title, status, condition, models, seed, created_at, updated_at, parent, parent_events, parent_utterances,
    lease_until)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {lease}) ON CONFLICT (run) DO NOTHING"""


class Prefix(Record):
    """What a fork's log begins with: so many events of another run, with so many utterances among them."""

    run: str
    events: int
    utterances: int


class RunSummary(Record):
    """A run as a list shows it.

    `tokens` were newly read or written in all its calls; `stage` (0-based) and `round` are the last ones it came to.
    """

    run: str
    status: Status
    title: str
    condition: Condition
    models: tuple[str, ...]
    seed: int
    created_at: str
    updated_at: str
    """When its status changed or its last event came, whichever was later."""
    events: int
    utterances: int
    tokens: int
    stage: int | None
    round: int | None
    owner: str | None
    """The process that holds its lease now."""
    deleted_at: str | None = None
    parent: str | None = None
    """The run this one was forked from."""
    parent_events: int = 0
    """How many of the parent's events its log begins with."""


def new_run_id(title: str) -> str:
    """`20261130-cannabis-regulation-7f3a`: sorts by day, says what it is, and four digits of chance."""
    folded = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    if len(slug) > _LONGEST_SLUG:
        slug = slug[: _LONGEST_SLUG + 1].rpartition("-")[0] or slug[:_LONGEST_SLUG]
    return f"{datetime.now(UTC):%Y%m%d}-{slug or 'conference'}-{secrets.token_hex(2)}"


def timestamp(ago: timedelta = timedelta()) -> str:
    """Now (or `ago`), ISO 8601, UTC; such texts sort by time."""
    return (datetime.now(UTC) - ago).isoformat(timespec="microseconds")


def create(
    connection: Connection, database: Database, title: str, condition: Condition, models: Sequence[str], seed: int, status: Status,
    prefix: Prefix | None = None,
) -> str:  # fmt: skip
    """A new run; its id. Raises UserError for a seed no database column holds."""
    if not -(2**63) <= seed < 2**63:
        raise UserError(f"the seed {seed} is too large; choose one below 2^63")
    now = timestamp()
    begins = (prefix.run, prefix.events, prefix.utterances) if prefix else (None, None, None)
    row = (plain(title), status, condition, json.dumps(list(dict.fromkeys(models))), seed, now, now, *begins)
    lease = f"{database.now} + {GRACE_SECONDS}" if status == "running" else "NULL"
    insert = database.sql(_CREATE.format(lease=lease))
    while connection.exec_driver_sql(insert, (run := new_run_id(title), *row)).rowcount == 0:
        pass  # the id was taken: the four digits are drawn again
    return run


def summaries(connection: Connection, database: Database, limit: int | None, deleted: bool) -> list[RunSummary]:
    """Newest first, at most `limit`; the deleted ones instead when asked for."""
    there = runs.c.deleted_at.is_not(None) if deleted else runs.c.deleted_at.is_(None)
    newest = (runs.c.created_at.desc(), runs.c.run.desc())
    # chosen first, counted then: SQLite would count for every run before it sorts them
    chosen = select(runs.c.run).where(there).order_by(*newest).limit(limit)
    query = _summary(database).where(runs.c.run.in_(chosen)).order_by(*newest)
    return [_read(row) for row in connection.execute(query).mappings()]


def summary(connection: Connection, database: Database, run: str) -> RunSummary:
    """One run, deleted or not. Raises UnknownName."""
    row = connection.execute(_summary(database).where(runs.c.run == run)).mappings().first()
    if row is None:
        raise unknown(connection, run)
    return _read(row)


def _summary(database: Database) -> Select[Any]:
    """Every count comes from an index alone."""
    of_run = events.c.run == runs.c.run
    last = select(events.c.at).where(of_run).order_by(events.c.seq.desc()).limit(1)
    utterances = select(func.count()).select_from(events).where(of_run, literal_column("kind = 'utterance'"))
    held = (runs.c.owner.is_not(None)) & (runs.c.lease_until >= literal_column(database.now))
    return select(
        runs,
        select(func.coalesce(func.max(events.c.seq) + 1, runs.c.parent_events, 0))
        .where(of_run)
        .scalar_subquery()
        .label("events"),
        (utterances.scalar_subquery() + func.coalesce(runs.c.parent_utterances, 0)).label("utterances"),
        cast(
            select(func.coalesce(func.sum(calls.c.tokens), 0)).where(calls.c.run == runs.c.run).scalar_subquery(), BigInteger
        ).label("tokens"),
        _last_of("stage").label("last_stage"),
        _last_of("round").label("last_round"),
        last.scalar_subquery().label("last_at"),
        held.label("held"),
    )


def _last_of(column: str) -> Any:
    where = (events.c.run == runs.c.run, events.c[column].is_not(None))
    return select(events.c[column]).where(*where).order_by(events.c.seq.desc()).limit(1).scalar_subquery()


def _read(row: RowMapping) -> RunSummary:
    return RunSummary(
        run=row["run"],
        status=row["status"],
        title=row["title"],
        condition=row["condition"],
        models=tuple(json.loads(row["models"])),
        seed=row["seed"],
        created_at=row["created_at"],
        updated_at=max(row["updated_at"], row["last_at"] or ""),
        events=row["events"],
        utterances=row["utterances"],
        tokens=row["tokens"],
        stage=row["last_stage"],
        round=row["last_round"],
        owner=row["owner"] if row["held"] else None,
        deleted_at=row["deleted_at"],
        parent=row["parent"],
        parent_events=row["parent_events"] or 0,
    )


def find_run(connection: Connection, _database: Database, prefix: str) -> str:
    """The id that is, or alone begins with, `prefix` (the date may be left out). Raises UnknownName with the nearest ids."""
    wanted = prefix.strip().casefold()
    known = _known(connection)
    if wanted in known:
        return wanted
    found = [run for run in known if wanted and (run.startswith(wanted) or run.partition("-")[2].startswith(wanted))]
    if not found:
        raise UnknownName(f"unknown run '{prefix}'" + (did_you_mean(wanted, known) or "; there are no runs yet: start one"))
    if len(found) > 1:
        shown = ", ".join(found[:5]) + (" …" if len(found) > 5 else "")
        raise UnknownName(f"'{prefix}' begins {len(found)} runs; write more of the one you mean: {shown}")
    return found[0]


def check(connection: Connection, _database: Database, run: str) -> None:
    """Raises UnknownName for a run that isn't there."""
    if connection.execute(select(runs.c.run).where(runs.c.run == run)).first() is None:
        raise unknown(connection, run)


def unknown(connection: Connection, run: str) -> UnknownName:
    """The error for a run that isn't there."""
    return UnknownName(f"unknown run '{run}'" + (did_you_mean(run, _known(connection)) or "; there are no runs yet: start one"))


def _known(connection: Connection) -> Sequence[str]:
    """Ids, newest first."""
    return (
        connection.execute(select(runs.c.run).where(runs.c.deleted_at.is_(None)).order_by(runs.c.created_at.desc()))
        .scalars()
        .all()
    )


def mark_deleted(connection: Connection, database: Database, run: str) -> None:
    """Take a run out of every list. Raises UserError while a process runs it."""
    held = summary(connection, database, run).owner
    if held is not None:
        raise UserError(f"run {run} is being run by {held}; stop it first, then delete it")
    connection.execute(update(runs).where(runs.c.run == run, runs.c.deleted_at.is_(None)).values(deleted_at=timestamp()))


def mark_undeleted(connection: Connection, _database: Database, run: str) -> None:
    """Bring a deleted run back. Raises UnknownName when it was purged or never was."""
    if connection.execute(update(runs).where(runs.c.run == run).values(deleted_at=None)).rowcount == 0:
        raise unknown(connection, run)


def purge(connection: Connection, _database: Database, days: float) -> list[str]:
    """Remove for good, with events and calls, what was deleted more than `days` ago; the ids removed.

    A run that a fork begins with stays, out of every list, as long as the fork.
    """
    child = runs.alias()
    long_ago = runs.c.deleted_at < timestamp(timedelta(days=days))
    needed = select(child.c.run).where(child.c.parent == runs.c.run).exists()
    gone: list[str] = []
    while found := connection.execute(delete(runs).where(long_ago, ~needed).returning(runs.c.run)).scalars().all():
        gone += found
    return sorted(gone)
