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
from conference.domain.phrase import Phrase
from conference.domain.spec import JudgeSpec, Spec

CLOSED_BECAUSE: dict[Because, str] = {
    "agreement": Phrase("agreed"),
    "max_rounds": Phrase("no agreement"),
    "facilitator": Phrase("closed by the facilitator"),
    "budget": Phrase("the limit was reached"),
}
PAUSED_BECAUSE = {
    "facilitator": Phrase("Paused by the facilitator"),
    "tokens": Phrase("Paused because the token limit is reached"),
    "minutes": Phrase("Paused because the time limit is reached"),
    "faults": Phrase("Paused because the model keeps failing"),
    "step": Phrase("Paused after one step"),
}
_DID = {
    "close_stage": Phrase("The facilitator closed this stage"), "extend_stage": Phrase("The facilitator gave this stage another round"),
    "stop": Phrase("The facilitator stopped the conference"), "fork": Phrase("Forked here: what follows is held anew"),
}  # fmt: skip
_ACTS = {
    "turn": Phrase("A turn"),
    "frame": Phrase("The framing of a round"),
    "summary": Phrase("A summary"),
    "judge": Phrase("An agreement call"),
    "ballot": Phrase("A ballot"),
    "score": Phrase("A score"),
    "open": Phrase("An opening"),
    "close": Phrase("A summary"),
}


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
            return Row(event.seq, "said" if event.text else "passed", event.text or Phrase("passes"), person, _as_said(event))
        case Intervention(action="say" | "ask"):
            to = Phrase("Asks {name}.", name=event.to) if event.to else ""
            return Row(event.seq, "said", event.text, Person(event.by, Phrase("facilitator"), "FA", MODERATOR_COLOUR), to)
        case Intervention(action="change_judge"):
            return Row(event.seq, "pause", Phrase("The facilitator changed the judge: {judge}", judge=_judge(event.judge)))
        case Intervention():
            return Row(event.seq, "pause", _DID[event.action])
        case StageOpened():
            begun = Phrase("Stage {stage} of {stages} · {name}", stage=event.stage + 1, stages=len(spec.agenda), name=event.name)
            return Row(event.seq, "stage", begun)
        case StageClosed():
            because = CLOSED_BECAUSE[event.because]
            ended = Phrase("Stage closed: {because}, {rounds}", because=because, rounds=rounds(event.rounds))
            return Row(event.seq, "closed", ended)
        case Paused():
            return Row(event.seq, "pause", PAUSED_BECAUSE[event.because], note=event.detail)
        case Resumed():
            return Row(event.seq, "pause", Phrase("Resumed"))
        case Fault():
            return Row(event.seq, "fault", _failed(event), people.get(event.speaker), event.error)
        case ConferenceClosed():
            return Row(event.seq, "closed", Phrase("The conference is over"))
        case _:
            return Row(event.seq, "call", "", call=calls[event.seq]) if event.seq in calls else None


def _judge(judge: JudgeSpec | None) -> str:
    if judge is None:
        return Phrase("none from now on")
    if judge.threshold is None:
        return judge.kind
    return Phrase("{kind}, threshold {threshold}", kind=judge.kind, threshold=f"{judge.threshold:g}")


def rounds(n: int) -> Phrase:
    """`1 round`, `2 rounds`."""
    return Phrase("1 round") if n == 1 else Phrase("{n} rounds", n=n)


def stages(n: int) -> Phrase:
    """`1 stage`, `2 stages`."""
    return Phrase("1 stage") if n == 1 else Phrase("{n} stages", n=n)


def utterances(n: int) -> Phrase:
    """`1 utterance`, `2 utterances`."""
    return Phrase("1 utterance") if n == 1 else Phrase("{n} utterances", n=n)


def _as_said(event: Utterance) -> str:
    if event.worded_by == "brief" and event.rejected:
        return Phrase("Read from the brief: no wording of the model passed the checks.")
    return Phrase("Said by a human.") if event.role == "human" else ""


def _failed(event: Fault) -> str:
    act = _ACTS.get(event.where, event.where)
    if event.recovered:
        return Phrase("{act} failed and was made again", act=act)
    return Phrase("{act} failed (attempt {attempt})", act=act, attempt=event.attempt)
