"""What a room shows, from the events of a log: rows, calls, positions, stage and round, what was spent. Data ready to draw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from conference.domain.chat import Usage
from conference.domain.events import (
    AgreementCall,
    ConferenceClosed,
    ConferenceOpened,
    Event,
    Fault,
    Paused,
    QualityScored,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.position import Stance
from conference.domain.spec import Spec
from conference.floor import rounds_allowed

PALETTE = ("#1f5f8b", "#a23b2a", "#2f7d4f", "#7a4fa3", "#96690a", "#a8336f", "#35707a", "#5a6b1c")
MODERATOR_COLOUR = "#4a5560"
VERDICT_MARKS = {"agreement": "●", "continue": "○", "unreadable": "?"}


@dataclass(frozen=True)
class Person:
    """How somebody is shown on every page: the same initials and colour."""

    name: str
    role: str
    initials: str
    colour: str


@dataclass(frozen=True)
class Row:
    """One line of the transcript: something said, a call, a stage's beginning or end, a fault."""

    seq: int
    kind: str
    text: str
    speaker: str = ""
    initials: str = ""
    colour: str = ""
    role: str = ""
    note: str = ""


@dataclass(frozen=True)
class CallView:
    """A call, ready for a card."""

    seq: int
    stage: str
    round: int
    mark: str
    verdict: str
    confidence: float | None
    reason: str
    proposal: str
    positions: dict[str, Stance]
    quotes: tuple[tuple[int, str, str], ...]
    """(sequence number, speaker, words)."""


@dataclass(frozen=True)
class RoomView:
    """Everything a room shows but the words being spoken and the coverage."""

    spec: Spec
    condition: str
    people: tuple[Person, ...]
    rows: tuple[Row, ...]
    calls: tuple[CallView, ...]
    where: str
    """Stage and round in words."""
    closed: bool
    paused: str
    usage: Usage
    minutes: float
    seconds_a_turn: float | None
    quality: dict[str, float | None] = field(default_factory=dict)
    """Scores of the last stage scored."""
    agreed: str = ""


def people_of(spec: Spec) -> tuple[Person, ...]:
    """The moderator, then the participants in the order of the spec."""
    chair = Person(spec.moderator.name, spec.moderator.role, initials_of(spec.moderator.name), MODERATOR_COLOUR)
    table = [Person(p.name, p.role, initials_of(p.name), PALETTE[i % len(PALETTE)]) for i, p in enumerate(spec.participants)]
    return (chair, *table)


def initials_of(name: str) -> str:
    """Two letters: of the first and the last word that isn't a title in front of two others."""
    words = re.findall(r"\w+", name)
    if len(words) > 2:
        words = words[1:]
    letters = [word[0].upper() for word in (words[:1] + words[-1:] if len(words) > 1 else words)]
    return "".join(letters) or "?"


def room_view(events: Sequence[Event]) -> RoomView:
    """The room after these events; the first is `conference_opened`."""
    opened = events[0]
    assert isinstance(opened, ConferenceOpened)
    people = people_of(opened.spec)
    by_name = {person.name: person for person in people}
    calls = [_call(event, opened.spec) for event in events if isinstance(event, AgreementCall)]
    spoken = [event for event in events if isinstance(event, Utterance) and event.text]
    closed = next((event for event in events if isinstance(event, ConferenceClosed)), None)
    minutes = _minutes(events)
    return RoomView(
        spec=opened.spec, condition=opened.condition, people=people,
        rows=tuple(row for event in events if (row := _row(event, by_name, opened.spec)) is not None), calls=tuple(calls),
        where=_where(events, opened), closed=closed is not None, paused=_paused(events), usage=_usage(events), minutes=minutes,
        seconds_a_turn=minutes * 60 / len(spoken) if spoken else None, quality=_quality(events), agreed=closed.agreed if closed else "",
    )  # fmt: skip


def _row(event: Event, people: dict[str, Person], spec: Spec) -> Row | None:
    match event:
        case Utterance() if event.text:
            person = people.get(event.speaker, Person(event.speaker, "", initials_of(event.speaker), MODERATOR_COLOUR))
            return Row(event.seq, "said", event.text, person.name, person.initials, person.colour, person.role, _as_said(event))
        case AgreementCall():
            view = _call(event, spec)
            sure = "" if view.confidence is None else f" {view.confidence:.2f}"
            return Row(event.seq, f"call {view.verdict}", f"{view.mark} {view.verdict}{sure}", note=view.reason)
        case StageOpened():
            return Row(event.seq, "stage", f"Stage {event.stage + 1} of {len(spec.agenda)} · {event.name}")
        case StageClosed():
            return Row(event.seq, "stage", f"Closed: {event.because.replace('_', ' ')}, after {event.rounds} rounds")
        case Fault():
            state = "recovered" if event.recovered else "not recovered"
            return Row(event.seq, "fault", f"A call failed ({state}): {event.error}", note=event.speaker)
        case Paused():
            return Row(event.seq, "stage", f"Paused ({event.because})", note=event.detail)
        case _:
            return None


def _as_said(event: Utterance) -> str:
    if event.worded_by == "brief" and event.rejected:
        return "read from the brief: no wording of the model passed"
    return ""


def _call(event: AgreementCall, spec: Spec) -> CallView:
    judgement = event.judgement
    return CallView(
        event.seq, spec.agenda[event.stage].name, event.round, VERDICT_MARKS[judgement.verdict], judgement.verdict, judgement.confidence,
        judgement.reason, judgement.proposal, judgement.positions, tuple((e.turn, e.speaker, e.quote) for e in judgement.evidence),
    )  # fmt: skip


def _where(events: Sequence[Event], opened: ConferenceOpened) -> str:
    if any(isinstance(event, ConferenceClosed) for event in events):
        return "closed"
    stage, number = -1, 0
    for event in events:
        if isinstance(event, StageOpened):
            stage, number = event.stage, 0
        elif isinstance(event, Utterance):
            number = event.round + 1 if event.move and event.move.kind in ("open", "frame") else event.round
    if stage < 0:
        return "about to begin"
    most = rounds_allowed(opened.spec, opened.condition, stage)
    item = opened.spec.agenda[stage]
    return f"stage {stage + 1} of {len(opened.spec.agenda)} · {item.name} · round {max(1, number)} of at most {most}"


def _paused(events: Sequence[Event]) -> str:
    last = events[-1]
    return f"{last.because}: {last.detail}".rstrip(": ") if isinstance(last, Paused) else ""


def _usage(events: Sequence[Event]) -> Usage:
    total = Usage()
    for event in events:
        used = getattr(event, "usage", None)
        if isinstance(used, Usage):
            total = total + used
    return total


def _minutes(events: Sequence[Event]) -> float:
    """Minutes under way, pauses left out."""
    total, before = 0.0, events[0]
    for event in events[1:]:
        if not isinstance(before, Paused):
            total += (datetime.fromisoformat(event.at) - datetime.fromisoformat(before.at)).total_seconds()
        before = event
    return total / 60


def _quality(events: Sequence[Event]) -> dict[str, float | None]:
    scored = [event.scores for event in events if isinstance(event, QualityScored)]
    return scored[-1] if scored else {}
