"""One page of a log as minutes: every event a line, with who, where and when, and what was looked for told apart. Ready to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.calls import CallView, calls_of
from conference.analysis.people import Person, people_of, stranger
from conference.analysis.rows import Row, rows_of
from conference.domain.events import AgreementCall, Ballot, ConferenceOpened, Event, Intervention, QualityScored, Utterance
from conference.domain.phrase import Phrase
from conference.domain.search import Piece, marked
from conference.domain.spec import Spec

KINDS: dict[str, str] = {
    "utterance": Phrase("Utterance"), "agreement_call": Phrase("Agreement call"), "ballot": Phrase("Ballot"),
    "intervention": Phrase("Intervention"), "fault": Phrase("Fault"), "paused": Phrase("Pause"), "resumed": Phrase("Resumption"),
    "stage_opened": Phrase("Stage opened"), "stage_closed": Phrase("Stage closed"), "quality_scored": Phrase("Quality scored"),
    "conference_opened": Phrase("Conference opened"), "conference_closed": Phrase("Conference closed"),
}  # fmt: skip
"""Names of the kinds of events, in the order in which they are offered."""
MADE_BY_MODELS = ("utterance", "agreement_call", "ballot", "quality_scored", "stage_closed", "fault")
"""Kinds of events that model calls may have led to."""


@dataclass(frozen=True)
class Line:
    """One line. `kind` is that of a `Row`, or `ballot`, `scored`, `opened`."""

    seq: int
    kind: str
    text: tuple[Piece, ...]
    person: Person | None
    where: str
    """Stage and round, in words."""
    time: str
    """Of day, UTC."""
    note: str
    call: CallView | None
    opens: bool
    """Whether there may be more to see: the prompt, the move, the evidence."""


def minutes_of(events: Sequence[Event], spec: Spec, words: Sequence[str] = (), people: Sequence[Person] = ()) -> tuple[Line, ...]:
    """The events as lines, in order, whichever they are. `words` (folded) are marked in what was said.

    `people` are those of the table, the moderator first; by default those of the spec.
    """
    people = people or people_of(spec)
    by_name = {person.name: person for person in people}
    known = tuple(event for event in events if not isinstance(event, AgreementCall) or event.stage < len(spec.agenda))
    rows = {row.seq: row for row in rows_of(known, spec, people, calls_of(known, spec, people))}
    return tuple(_line(event, rows.get(event.seq) or _other(event, by_name), spec, words) for event in events)


def _line(event: Event, row: Row, spec: Spec, words: Sequence[str]) -> Line:
    spoken = isinstance(event, Utterance | Intervention) and row.kind == "said"
    return Line(
        seq=event.seq, kind=row.kind, text=marked(row.text, words) if spoken else (Piece(row.text),), person=row.person,
        where=place_of(event, spec), time=event.at[11:19], note=row.note, call=row.call, opens=event.kind in MADE_BY_MODELS,
    )  # fmt: skip


def place_of(event: Event, spec: Spec) -> str:
    """Stage and round of an event, in words; empty when it has none of its own."""
    stage, number = getattr(event, "stage", None), getattr(event, "round", None)
    if stage is None:
        return ""
    name = spec.agenda[stage].name if 0 <= stage < len(spec.agenda) else str(stage + 1)
    return Phrase("{stage}, round {round}", stage=name, round=number) if number else name


def _other(event: Event, people: dict[str, Person]) -> Row:
    """What a room doesn't show."""
    match event:
        case Ballot():
            person = people.get(event.participant) or stranger(event.participant)
            needs = Phrase("Would need: {condition}", condition=event.condition) if event.condition else ""
            return Row(event.seq, "ballot", _voted(event), person, needs)
        case QualityScored():
            return Row(event.seq, "scored", _scored(event))
        case ConferenceOpened():
            return Row(event.seq, "opened", Phrase("The conference was opened: {question}", question=event.spec.question))
        case _:
            return Row(event.seq, "pause", KINDS[event.kind])


def _voted(event: Ballot) -> str:
    if event.gradient is None:
        return Phrase("Ballot, unreadable")
    return Phrase("Ballot: {gradient} of 8", gradient=event.gradient)


def _scored(event: QualityScored) -> str:
    read = [score for score in event.scores.values() if score is not None]
    if not read:
        return Phrase("Quality of the stage: unreadable")
    mean = f"{sum(read) / len(read):.1f}"
    return Phrase("Quality of the stage: {mean} of 10, mean of {n} scores", mean=mean, n=len(read))
