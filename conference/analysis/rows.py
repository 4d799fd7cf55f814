"""The lines of a room's transcript: what was said, calls, how stages begin and end, what failed, what a human did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.calls import CallView
from conference.analysis.people import MODERATOR_COLOUR, Person, stranger
from conference.domain.events import (
    Because,
    ConferenceClosed,
    Event,
    Fault,
    Intervention,
    Paused,
    Resumed,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.spec import JudgeSpec, Spec

CLOSED_BECAUSE: dict[Because, str] = {
    "agreement": "agreed",
    "max_rounds": "no agreement",
    "facilitator": "closed by the facilitator",
    "budget": "the limit was reached",
}
PAUSED_BECAUSE = {
    "facilitator": "by the facilitator",
    "tokens": "because the token limit is reached",
    "minutes": "because the time limit is reached",
    "faults": "because the model keeps failing",
    "step": "after one step",
}
_DID = {
    "close_stage": "The facilitator closed this stage", "extend_stage": "The facilitator gave this stage another round",
    "stop": "The facilitator stopped the conference", "fork": "Forked here: what follows is held anew",
}  # fmt: skip
_ACTS = {
    "turn": "A turn", "frame": "The framing of a round", "summary": "A summary", "judge": "An agreement call", "ballot": "A ballot",
    "score": "A score", "open": "An opening", "close": "A summary",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One line. `kind` is `said`, `passed`, `call`, `stage`, `closed`, `pause` or `fault`."""

    seq: int
    kind: str
    text: str
    person: Person | None = None
    note: str = ""
    call: CallView | None = None


def rows_of(events: Sequence[Event], spec: Spec, people: Sequence[Person], calls: dict[int, CallView]) -> tuple[Row, ...]:
    """The lines of a log, in order."""
    by_name = {person.name: person for person in people}
    return tuple(row for event in events if (row := _row(event, spec, by_name, calls)) is not None)


def _row(event: Event, spec: Spec, people: dict[str, Person], calls: dict[int, CallView]) -> Row | None:  # noqa: C901 - one branch a kind
    match event:
        case Utterance():
            person = people.get(event.speaker) or stranger(event.speaker)
            return Row(event.seq, "said" if event.text else "passed", event.text or "passes", person, _as_said(event))
        case Intervention(action="say" | "ask"):
            to = f"Asks {event.to}." if event.to else ""
            return Row(event.seq, "said", event.text, Person(event.by, "facilitator", "FA", MODERATOR_COLOUR), to)
        case Intervention(action="change_judge"):
            judge = f"{event.judge.kind}, threshold {_threshold(event.judge)}" if event.judge else "none from now on"
            return Row(event.seq, "pause", f"The facilitator changed the judge: {judge}")
        case Intervention():
            return Row(event.seq, "pause", _DID[event.action])
        case StageOpened():
            return Row(event.seq, "stage", f"Stage {event.stage + 1} of {len(spec.agenda)} · {event.name}")
        case StageClosed():
            return Row(event.seq, "closed", f"Stage closed: {CLOSED_BECAUSE[event.because]}, {counted(event.rounds, 'round')}")
        case Paused():
            return Row(event.seq, "pause", f"Paused {PAUSED_BECAUSE[event.because]}", note=event.detail)
        case Resumed():
            return Row(event.seq, "pause", "Resumed")
        case Fault():
            return Row(event.seq, "fault", _failed(event), people.get(event.speaker), event.error)
        case ConferenceClosed():
            return Row(event.seq, "closed", "The conference is over")
        case _:
            return Row(event.seq, "call", "", call=calls[event.seq]) if event.seq in calls else None


def _threshold(judge: JudgeSpec) -> str:
    return "as usual" if judge.threshold is None else f"{judge.threshold:g}"


def counted(number: int, noun: str) -> str:
    """`1 round`, `2 rounds`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _as_said(event: Utterance) -> str:
    if event.worded_by == "brief" and event.rejected:
        return "Read from the brief: no wording of the model passed the checks."
    return "Said by a human." if event.role == "human" else ""


def _failed(event: Fault) -> str:
    act = _ACTS.get(event.where, event.where)
    return f"{act} failed and was made again" if event.recovered else f"{act} failed (attempt {event.attempt})"
