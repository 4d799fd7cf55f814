"""Agreement calls as a room shows them: verdict, confidence, where each participant stands, and the words it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.people import Person
from conference.domain.events import AgreementCall, Event, Utterance
from conference.domain.phrase import Phrase
from conference.domain.position import Judgement, Stance
from conference.domain.spec import Spec

VERDICT_MARKS = {"agreement": "●", "continue": "○", "unreadable": "?"}
VERDICT_WORDS = {"agreement": Phrase("agreement"), "continue": Phrase("continue"), "unreadable": Phrase("unreadable")}
STANCE_MARKS: dict[Stance, str] = {"support": "▲", "oppose": "▼", "undecided": "◆"}
STANCE_WORDS: dict[Stance, str] = {
    "support": Phrase("accepts"),
    "oppose": Phrase("does not accept"),
    "undecided": Phrase("undecided"),
}
QUOTED = 3
"""Quotes of one participant a card shows."""


@dataclass(frozen=True)
class Words:
    """Words of the transcript, with the number of their line."""

    seq: int
    text: str


@dataclass(frozen=True)
class Held:
    """Where one participant stands, as a call has it."""

    person: Person
    mark: str
    stance: str
    """In words."""
    accepts: float | None
    """The probability that the participant accepts, where the judge gives one."""
    gradient: int | None
    """1 veto … 8 wholehearted, where ballots were cast."""
    condition: str
    quotes: tuple[Words, ...]
    quoted: bool
    """True when the judge quotes them; else they are what the participant said last before the call."""


@dataclass(frozen=True)
class CallView:
    """A call, ready for a card."""

    seq: int
    stage: int
    """0-based."""
    stage_name: str
    round: int
    mark: str
    verdict: str
    confidence: float | None
    reason: str
    proposal: str
    judge: str
    accepting: int
    """How many participants support."""
    held: tuple[Held, ...]


def calls_of(events: Sequence[Event], spec: Spec, people: Sequence[Person]) -> dict[int, CallView]:
    """Every call by its number in the log. `people` begins with the moderator."""
    found: dict[int, CallView] = {}
    last: dict[str, Words] = {}
    for event in events:
        if isinstance(event, Utterance) and event.text:
            last[event.speaker] = Words(event.seq, event.text)
        elif isinstance(event, AgreementCall):
            found[event.seq] = _call(event, spec, people[1:], last)
    return found


def _call(event: AgreementCall, spec: Spec, table: Sequence[Person], last: dict[str, Words]) -> CallView:
    judgement = event.judgement
    return CallView(
        seq=event.seq, stage=event.stage, stage_name=spec.agenda[event.stage].name, round=event.round,
        mark=VERDICT_MARKS[judgement.verdict], verdict=judgement.verdict, confidence=judgement.confidence, reason=judgement.reason,
        proposal=judgement.proposal, judge=judgement.judge,
        accepting=sum(judgement.positions.get(person.name) == "support" for person in table),
        held=tuple(_held(person, judgement, last) for person in table),
    )  # fmt: skip


def _held(person: Person, judgement: Judgement, last: dict[str, Words]) -> Held:
    name = person.name
    stance = judgement.positions.get(name)
    quotes = tuple(Words(e.turn, e.quote) for e in judgement.evidence if e.speaker == name)[:QUOTED]
    said = (last[name],) if name in last else ()
    return Held(
        person=person, mark=STANCE_MARKS[stance] if stance else "?", stance=STANCE_WORDS[stance] if stance else Phrase("not read"),
        accepts=judgement.probabilities.get(name), gradient=judgement.gradients.get(name),
        condition=judgement.conditions.get(name, ""), quotes=quotes or said, quoted=bool(quotes),
    )  # fmt: skip
