"""The tables as they are now. `conference/migrations` says how a database gets there, and a test that both agree."""

from __future__ import annotations

from typing import Literal, get_args

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

HEAD = "0003"
"""The newest revision under migrations/versions; a database that is there already needs no Alembic at all."""
VERSION_TABLE = "plenary_version"

Status = Literal["running", "paused", "interrupted", "finished", "failed"]
STATUSES: tuple[Status, ...] = get_args(Status)

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("run", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("condition", Text, nullable=False),
    Column("models", Text, nullable=False),  # a JSON array of names
    Column("seed", BigInteger, nullable=False),
    Column("created_at", Text, nullable=False),  # ISO 8601, UTC, like every `…_at` and `at`
    Column("updated_at", Text, nullable=False),
    Column("deleted_at", Text),
    Column("owner", Text),  # the process that runs it …
    Column("lease_until", Double),  # … until then (seconds since 1970, the database's clock)
    Column("parent", Text),  # of a fork: the run whose log its own begins with …
    Column("parent_events", Integer),  # … so many events of it …
    Column("parent_utterances", Integer),  # … and so many utterances among them
    CheckConstraint("status IN ('running', 'paused', 'interrupted', 'finished', 'failed')", name="runs_status"),
)
Index("runs_by_parent", runs.c.parent)

events = Table(
    "events",
    metadata,
    Column("run", Text, ForeignKey("runs.run", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("stage", Integer),  # an event without a place of its own has that of the event before it
    Column("round", Integer),
    Column("body", Text, nullable=False),  # the whole event as JSON; the other columns only help to find it
    Column("speaker", Text),  # who spoke, voted, intervened, or failed to speak
    Column("verdict", Text),  # of an agreement call
    PrimaryKeyConstraint("run", "seq"),
)
Index("events_places", *(events.c[name] for name in ("run", "seq", "kind", "stage", "round", "speaker", "verdict")))
Index(
    "events_utterances",
    events.c.run,
    events.c.seq,
    sqlite_where=text("kind = 'utterance'"),
    postgresql_where=text("kind = 'utterance'"),
)

said = Table(
    "said",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),  # grows with `seq` within a run
    Column("run", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("text", Text, nullable=False),  # folded: as it is compared
    ForeignKeyConstraint(["run", "seq"], ["events.run", "events.seq"], ondelete="CASCADE"),
    UniqueConstraint("run", "seq", name="said_once"),
)
SAID_INDEX = "said_index"
"""SQLite's full-text index of `said` (FTS5, by trigrams); a trigger takes out what goes."""

calls = Table(
    "calls",
    metadata,
    Column("run", Text, ForeignKey("runs.run", ondelete="CASCADE"), nullable=False),
    Column("call", Integer, nullable=False),
    Column("seq", Integer),  # of the event it led to
    Column("at", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("prompt_version", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("tokens", BigInteger),  # newly read or written; null when no reply came
    Column("cached", BigInteger),  # read again from the model's cache
    Column("seconds", Double),
    Column("body", Text, nullable=False),  # the whole call as JSON
    PrimaryKeyConstraint("run", "call"),
)
Index("calls_by_event", calls.c.run, calls.c.seq, calls.c.tokens, calls.c.cached)
