"""What was said, folded, to search in: FTS5 by trigrams on SQLite; on PostgreSQL the run's texts, which its key keeps together.

A search brings the table up to date first, in batches: an index kept at every append would cost the append more than the rest of it.
A word matches anywhere, within a longer word too, in any script. The index only narrows; the text itself decides.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, literal_column, select, table, text
from sqlalchemy import column as named

from conference.domain.search import folded
from conference.store.body import plain
from conference.store.database import Database
from conference.store.spans import Span
from conference.store.tables import SAID_INDEX, events, said

BATCH = 500
_MOST_TRIGRAMS = 24
_INDEX = table(SAID_INDEX, named("rowid"))
_KEEP = "INSERT INTO said (run, seq, text) VALUES (:run, :seq, :text) ON CONFLICT (run, seq) DO NOTHING"
_INDEX_NEW = f"INSERT INTO {SAID_INDEX} (rowid, text) SELECT id, text FROM said WHERE id > ? ORDER BY id"


def catch_up(connection: Connection, database: Database, spans: Sequence[Span]) -> None:
    """Take in what was said since the last time; a batch a transaction, so that nobody waits long."""
    for span in spans:
        after = connection.execute(select(func.coalesce(func.max(said.c.seq), -1)).where(said.c.run == span.run)).scalar_one()
        while (after := _take_in(connection, database, span.run, after)) is not None:
            pass


def _take_in(connection: Connection, database: Database, run: str, after: int) -> int | None:
    """The number of the last event looked at; None when there was none after `after`."""
    of_run = (events.c.run == run, events.c.seq > after, events.c.kind.in_(("utterance", "intervention")))
    rows = connection.execute(select(events.c.seq, events.c.body).where(*of_run).order_by(events.c.seq).limit(BATCH)).all()
    texts = [{"run": run, "seq": seq, "text": plain(folded(json.loads(body).get("text", "")))} for seq, body in rows]
    texts = [row for row in texts if row["text"]]
    if texts:
        with database.transaction(connection):
            newest = connection.execute(select(func.coalesce(func.max(said.c.id), 0))).scalar_one()
            connection.execute(text(_KEEP), texts)
            if database.sqlite:  # in one go: by a trigger, row after row, it takes five times as long
                connection.exec_driver_sql(_INDEX_NEW, (newest,))
    return rows[-1][0] if len(rows) else None


def saying(database: Database, run: str, words: Sequence[str]) -> Select[int]:
    """The numbers of the run's events in which all these words (folded) occur."""
    find = func.instr if database.sqlite else func.strpos
    found: list[ColumnElement[bool]] = [find(said.c.text, word) > 0 for word in words]
    grams = list(dict.fromkeys(word[at : at + 3] for word in words for at in range(len(word) - 2)))[:_MOST_TRIGRAMS]
    if database.sqlite and grams:
        found.append(said.c.id.in_(_narrowed(run, grams)))
    return select(said.c.seq).where(said.c.run == run, *found)


def _narrowed(run: str, grams: Sequence[str]) -> Select[int]:
    """Rows of the index with all these trigrams, within the stretch of it where the run lies."""
    quoted = " ".join('"' + gram.replace('"', '""') + '"' for gram in grams)
    ends = [
        select(said.c.id).where(said.c.run == run).order_by(order).limit(1).scalar_subquery()
        for order in (said.c.seq, said.c.seq.desc())
    ]
    matches = literal_column(SAID_INDEX).op("MATCH")(bindparam(None, quoted))
    return select(_INDEX.c.rowid).where(matches, _INDEX.c.rowid.between(ends[0], ends[1]))
