"""Events as a table for a spreadsheet (CSV), in which no cell can be a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from conference.analysis.cells import harmless
from conference.domain.events import AgreementCall, Ballot, ConferenceClosed, Event, Fault, Intervention, StageClosed, Utterance

COLUMNS = ("seq", "at", "kind", "stage", "round", "speaker", "text", "verdict", "confidence", "gradient", "tokens", "seconds")


def sheet_of(events: Iterable[Event]) -> str:
    """The events as CSV, a line each. `stage` is 1-based; tokens were newly read or written."""
    into = io.StringIO()
    writer = csv.writer(into)
    writer.writerow(COLUMNS)
    writer.writerows([cell(value) for value in _values(event)] for event in events)
    return into.getvalue()


def cell(value: object) -> str:
    """A value as text that no spreadsheet takes for a formula."""
    return "" if value is None else str(harmless(value))


def _values(event: Event) -> Iterator[object]:
    stage, usage = getattr(event, "stage", None), getattr(event, "usage", None)
    yield from (event.seq, event.at, event.kind, None if stage is None else stage + 1, getattr(event, "round", None))
    yield from _words(event)
    judgement = event.judgement if isinstance(event, AgreementCall) else None
    yield from (judgement.verdict, judgement.confidence) if judgement else (None, None)
    yield event.gradient if isinstance(event, Ballot) else None
    yield from (usage.total_tokens, usage.seconds) if usage else (None, None)


def _words(event: Event) -> tuple[str, str]:
    """Who, and what."""
    match event:
        case Utterance():
            return event.speaker, event.text
        case Intervention():
            return event.by, event.text or event.action
        case Ballot():
            return event.participant, event.condition
        case Fault():
            return event.speaker, event.error
        case AgreementCall():
            return event.judgement.judge, event.judgement.reason
        case StageClosed() | ConferenceClosed():
            return "", event.agreed
        case _:
            return "", ""
