"""The log of one run in the database: one transaction an event, and every model call beside it."""

from __future__ import annotations

from threading import Lock
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection

from conference.domain.chat import ModelCall
from conference.domain.events import Event, event_reader, events_reader
from conference.errors import LogError
from conference.store.body import body_of, keys_in_environment, plain, whole
from conference.store.calls import call_reader, call_row
from conference.store.database import Database
from conference.store.paging import found_by
from conference.store.spans import Span, spans

# The key keeps a number from being given twice, the WHERE keeps a gap from arising: one statement, safe among processes.
_APPEND = """
INSERT INTO events (run, seq, at, kind, stage, round, speaker, verdict, body)
SELECT ?, ?, ?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS TEXT), ?
WHERE ? = ? OR EXISTS (SELECT 1 FROM events WHERE run = ? AND seq = ?)
ON CONFLICT (run, seq) DO NOTHING"""
_LINK = "UPDATE calls SET seq = ? WHERE run = ? AND call BETWEEN ? AND ? AND seq IS NULL"
# PostgreSQL does both in one statement: one way there and back to the server instead of four.
_APPEND_AND_LINK = f"""
WITH kept AS ({_APPEND} RETURNING run, seq), linked AS (
    UPDATE calls SET seq = kept.seq FROM kept WHERE calls.run = kept.run AND calls.call BETWEEN ? AND ? AND calls.seq IS NULL)
SELECT count(*) FROM kept"""
_BODY = "SELECT body FROM events WHERE run = ? AND seq = ?"
_PLACE = "SELECT stage, round FROM events WHERE run = ? AND seq = ?"
_LAST = "SELECT max(seq) FROM events WHERE run = ?"
_AFTER = "SELECT body FROM events WHERE run = ? AND seq > ? ORDER BY seq"
_BETWEEN = "SELECT body FROM events WHERE run = ? AND seq BETWEEN ? AND ? ORDER BY seq"
_FREE_CALL = "SELECT coalesce(max(call) + 1, 0) FROM calls WHERE run = ?"
_RECORD = """
INSERT INTO calls (run, call, at, role, speaker, model, purpose, prompt_version, outcome, attempt, tokens, cached, seconds, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run, call) DO NOTHING"""


class RunLog:
    """The log of one run (`ConferenceLog`, `Recorder`), for any thread.

    Calls recorded since the last append are linked to the next event appended through this object.
    """

    def __init__(self, database: Database, run: str) -> None:
        self.run = run
        self._database = database
        self._keys = keys_in_environment()
        self._lock = Lock()
        self._spans: list[tuple[int, int]] = []
        """First and last numbers of the calls that wait for their event; nearly always one span."""
        self._next_call: int | None = None
        self._pieces: tuple[Span, ...] = ()
        self._append_sql, self._link_sql, self._after_sql, self._record_sql = map(database.sql, (_APPEND, _LINK, _AFTER, _RECORD))

    @property
    def pieces(self) -> tuple[Span, ...]:
        """Whose events the log is made of; the last piece is the run's own. They never change."""
        if not self._pieces:
            self._pieces = self._database.run(f"reading run {self.run}", lambda c: spans(c, self._database, self.run))
        return self._pieces

    def append(self, event: Event) -> None:
        """Keep one event. Raises LogError unless its `seq` is the next one (a doubled delivery of the same event is harmless)."""
        what = f"event {event.seq} ({event.kind})"
        body = body_of(event, event_reader, what, self._keys)
        seq = event.seq
        if whole(seq) is None:
            raise LogError(f"{what} of run {self.run} has a number beyond any log; reload the log and fold it again")
        columns = (self.run, seq, plain(event.at), event.kind, *self._place(event), *found_by(event), body)
        row = (*columns, seq, self.pieces[-1].first, self.run, seq - 1)
        with self._lock:
            if self._database.run(f"keeping {what} of run {self.run}", lambda connection: self._insert(connection, seq, row)):
                self._spans.clear()
                return
        self._refuse_unless_kept(what, seq, body)

    def _place(self, event: Event) -> tuple[int | None, int | None]:
        """Stage and round; of an event that has none, those of the event before it."""
        if "stage" in type(event).model_fields:
            return whole(getattr(event, "stage", None)), whole(getattr(event, "round", None))
        before = event.seq - 1
        run = next((piece.run for piece in self.pieces if piece.last is None or before <= piece.last), self.run)
        sql = self._database.sql(_PLACE)
        row = self._database.run(f"reading run {self.run}", lambda c: c.exec_driver_sql(sql, (run, before)).first())
        return (row[0], row[1]) if row else (None, None)

    def _insert(self, connection: Connection, seq: int, row: tuple[Any, ...]) -> bool:
        """Whether the event is new; its calls are linked in the same transaction."""
        if not self._spans:
            return connection.exec_driver_sql(self._append_sql, row).rowcount == 1
        if len(self._spans) == 1 and not self._database.sqlite:
            return bool(connection.exec_driver_sql(self._database.sql(_APPEND_AND_LINK), (*row, *self._spans[0])).scalar_one())
        with self._database.transaction(connection):
            if connection.exec_driver_sql(self._append_sql, row).rowcount != 1:
                return False
            for first, last in self._spans:
                connection.exec_driver_sql(self._link_sql, (seq, self.run, first, last))
        return True

    def _refuse_unless_kept(self, what: str, seq: int, body: str) -> None:
        stored, last = self._database.run(f"reading run {self.run}", lambda connection: self._found(connection, seq))
        if stored is None:
            begin = f"follow event {last}" if last is not None else f"begin a log ({self.pieces[-1].first} does)"
            raise LogError(f"{what} of run {self.run} doesn't {begin}; reload the log and fold it again")
        if stored != body and event_reader.validate_json(stored) != event_reader.validate_json(body):
            raise LogError(f"{what} of run {self.run} would replace another event {seq}; reload the log and fold it again")

    def _found(self, connection: Connection, seq: int) -> tuple[str | None, int | None]:
        stored = connection.exec_driver_sql(self._database.sql(_BODY), (self.run, seq)).scalar()
        last = connection.exec_driver_sql(self._database.sql(_LAST), (self.run,)).scalar()
        return stored, last

    def events(self, after: int = -1) -> list[Event]:
        """Events with `seq` > `after`, in order; cheap when there are none, so it can be polled."""
        pieces = self.pieces
        bodies = self._database.run(f"reading run {self.run}", lambda connection: self._bodies(connection, pieces, after))
        if not bodies:
            return []
        try:
            return events_reader.validate_json(f"[{','.join(bodies)}]")
        except ValidationError as error:
            place = error.errors(include_url=False)[0]["loc"]
            which = after + 1 + int(place[0]) if place else "?"
            raise LogError(f"event {which} of run {self.run} can't be read by this version of Plenary; update it") from error

    def first(self) -> Event | None:
        """The first event, `conference_opened`, without reading the others; None while there is none."""
        begin = self.pieces[0].run
        body = self._database.run(
            f"reading run {self.run}", lambda c: c.exec_driver_sql(self._database.sql(_BODY), (begin, 0)).scalar()
        )
        try:
            return None if body is None else event_reader.validate_json(body)
        except ValidationError as error:
            raise LogError(f"event 0 of run {self.run} can't be read by this version of Plenary; update it") from error

    def _bodies(self, connection: Connection, pieces: tuple[Span, ...], after: int) -> list[str]:
        bodies: list[str] = []
        for piece in pieces[:-1]:
            if piece.last is not None and after < piece.last:
                bounds = (piece.run, max(piece.first, after + 1), piece.last)
                bodies += connection.exec_driver_sql(self._database.sql(_BETWEEN), bounds).scalars()
        bodies += connection.exec_driver_sql(self._after_sql, (self.run, max(after, pieces[-1].first - 1))).scalars()
        return bodies

    def record(self, call: ModelCall) -> None:
        """Keep one model call, whole, at once: what was paid for is not lost with the process."""
        body = body_of(call, call_reader, f"a call of {call.role}", self._keys)
        with self._lock:
            number = self._database.run(
                f"keeping a call of run {self.run}", lambda connection: self._insert_call(connection, call_row(call), body)
            )
            self._next_call = number + 1
            if self._spans and self._spans[-1][1] == number - 1:
                self._spans[-1] = (self._spans[-1][0], number)
            else:
                self._spans.append((number, number))

    def _insert_call(self, connection: Connection, row: tuple[Any, ...], body: str) -> int:
        """The number the call was given: the next free one, even if another process records here too."""
        number = self._next_call
        while number is None or connection.exec_driver_sql(self._record_sql, (self.run, number, *row, body)).rowcount == 0:
            number = int(connection.exec_driver_sql(self._database.sql(_FREE_CALL), (self.run,)).scalar_one())
        return number
