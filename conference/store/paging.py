"""A log by pages: the events that are wanted, found by an index, without reading the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, tuple_

from conference.domain.events import AgreementCall, Ballot, Event, Fault, Intervention, Utterance, events_reader
from conference.domain.position import Verdict
from conference.domain.record import Record
from conference.errors import LogError
from conference.store.body import plain
from conference.store.database import Database
from conference.store.searching import saying
from conference.store.spans import Span
from conference.store.tables import events

PAGE = 50
_AT_ONCE = 500
_LONGEST_SPEAKER = 200


class Wanted(Record):
    """Which events are wanted: those that meet every condition given. An empty condition is none."""

    stages: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    speakers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """Of the call on the round an event belongs to."""
    words: tuple[str, ...] = ()
    """Folded (`domain.search.words_of`): all must occur in what was said."""
    seqs: frozenset[int] | None = None
    """Numbers, found elsewhere; None is no condition, an empty set lets nothing through."""


EVERYTHING = Wanted()


class EventPage(Record):
    """One page of the events that are wanted. `number` is 0-based; there is one page even of nothing."""

    events: tuple[Event, ...]
    number: int
    pages: int
    total: int


class Contents(Record):
    """What a log can be filtered by; each with how many events it has, in the order in which they came first."""

    events: int
    stages: dict[int, int]
    rounds: dict[int, int]
    speakers: dict[str, int]
    kinds: dict[str, int]
    verdicts: dict[str, int]


def found_by(event: Event) -> tuple[str | None, str | None]:
    """The columns `speaker` and `verdict` of an event."""
    match event:
        case Utterance() | Fault():
            speaker = event.speaker
        case Ballot():
            speaker = event.participant
        case Intervention():
            speaker = event.by
        case AgreementCall():
            return None, event.judgement.verdict
        case _:
            return None, None
    return plain(speaker)[:_LONGEST_SPEAKER] or None, None


def page(connection: Connection, database: Database, spans: Sequence[Span], wanted: Wanted, number: int, size: int) -> EventPage:
    """Page `number`, or the last one."""
    condition = _wanted(database, spans, wanted)
    total = connection.execute(select(func.count()).select_from(events).where(condition)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(max(0, number), pages - 1)
    # chosen first, by the index alone, and read then
    chosen = select(events.c.run, events.c.seq).where(condition).order_by(events.c.seq).offset(number * size).limit(size)
    found = _read(connection, connection.execute(chosen).all())
    return EventPage.model_construct(events=tuple(found), number=number, pages=pages, total=total)


def page_of(connection: Connection, database: Database, spans: Sequence[Span], wanted: Wanted, seq: int, size: int) -> int | None:
    """The page that holds event `seq`; None when it isn't wanted."""
    condition = _wanted(database, spans, wanted)
    to_there = (
        select(func.count(), func.max(events.c.seq)).select_from(events).where(condition, events.c.seq <= min(seq, 2**31 - 1))
    )
    count, last = connection.execute(to_there).one()
    return (count - 1) // size if last == seq else None


def after(connection: Connection, database: Database, spans: Sequence[Span], wanted: Wanted, seq: int) -> list[Event]:
    """The next events that are wanted, some hundreds."""
    condition = and_(_wanted(database, spans, wanted), events.c.seq > seq)
    chosen = select(events.c.run, events.c.seq).where(condition).order_by(events.c.seq).limit(_AT_ONCE)
    return _read(connection, connection.execute(chosen).all())


def contents(connection: Connection, _database: Database, spans: Sequence[Span]) -> Contents:
    """What the log can be filtered by, from the index alone."""
    columns = (events.c.stage, events.c.round, events.c.kind, events.c.speaker, events.c.verdict)
    grouped = select(*columns, func.count(), func.min(events.c.seq)).where(_within(spans)).group_by(*columns)
    rows = sorted(connection.execute(grouped).all(), key=lambda row: row[6])
    kinds, by_name, stages, rounds = (_counts((row[at], row[5]) for row in rows) for at in (2, 3, 0, 1))
    return Contents(
        events=sum(kinds.values()), stages=dict(sorted(stages.items())), rounds=dict(sorted(rounds.items())), speakers=by_name,
        kinds=kinds, verdicts=_counts((row[4], row[5]) for row in rows),
    )  # fmt: skip


def _counts(pairs: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    found: dict[Any, int] = {}
    for value, count in pairs:
        if value is not None:
            found[value] = found.get(value, 0) + count
    return found


def _within(spans: Sequence[Span]) -> ColumnElement[bool]:
    return or_(*(_piece(span) for span in spans))


def _piece(span: Span) -> ColumnElement[bool]:
    upper = () if span.last is None else (events.c.seq <= span.last,)
    return and_(events.c.run == span.run, events.c.seq >= span.first, *upper)


def _wanted(database: Database, spans: Sequence[Span], wanted: Wanted) -> ColumnElement[bool]:
    pieces = [
        and_(_piece(span), events.c.seq.in_(saying(database, span.run, wanted.words))) if wanted.words else _piece(span)
        for span in spans
    ]
    given: list[ColumnElement[bool]] = [
        column.in_(values)
        for column, values in (
            (events.c.stage, wanted.stages), (events.c.round, wanted.rounds), (events.c.kind, wanted.kinds),
            (events.c.speaker, [plain(name)[:_LONGEST_SPEAKER] for name in wanted.speakers]),
        )
        if values
    ]  # fmt: skip
    if wanted.verdicts:
        judged = select(events.c.stage, events.c.round).where(_within(spans), events.c.verdict.in_(wanted.verdicts))
        given.append(tuple_(events.c.stage, events.c.round).in_(judged.correlate(None)))
    if wanted.seqs is not None:
        given.append(events.c.seq.in_(sorted(wanted.seqs)))
    return and_(or_(*pieces), *given)


def _read(connection: Connection, chosen: Sequence[Any]) -> list[Event]:
    if not chosen:
        return []
    by_run: dict[str, list[int]] = {}
    for run, seq in chosen:
        by_run.setdefault(run, []).append(seq)
    these = or_(*(and_(events.c.run == run, events.c.seq.in_(seqs)) for run, seqs in by_run.items()))
    bodies = connection.execute(select(events.c.body).where(these).order_by(events.c.seq)).scalars().all()
    try:
        return events_reader.validate_json(f"[{','.join(bodies)}]")
    except ValidationError as error:
        which = error.errors(include_url=False)[0]["loc"]
        seq = chosen[int(which[0])][1] if which else "?"
        raise LogError(f"event {seq} of run {chosen[0][0]} can't be read by this version of Plenary; update it") from error
