"""The ledger: where every participant stood at every call, with the words it rests on; and as a table that a spreadsheet may open."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conference.analysis.calls import Words
from conference.analysis.cells import harmless
from conference.analysis.people import Person
from conference.domain.events import AgreementCall, Ballot, Event, Intervention, Utterance
from conference.domain.position import Stance
from conference.domain.spec import Spec
from conference.judges.ballot import THRESHOLD, stance_of

POLARITY: dict[Stance, int] = {"support": 1, "undecided": 0, "oppose": -1}
COLUMNS = (
    "stage", "stage_name", "round", "participant", "position", "polarity", "gradient", "accepts", "voiced", "call", "confidence",
    "quote", "quoted", "seq", "condition",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """Where one participant stood when a round was judged. `call` is the number of the call in the log, `stage` is 0-based."""

    call: int
    verdict: str
    stage: int
    stage_name: str
    round: int
    person: Person
    position: Stance | None
    """None when it couldn't be read."""
    gradient: int | None
    """1 veto … 8 wholehearted, where a ballot was cast."""
    accepts: float | None
    """The probability that the participant accepts, where the judge gives one."""
    confidence: float | None
    """How sure the judge is of its verdict on the round."""
    voiced: Stance | None
    """What the participant said of the proposal in this round; None when it said nothing of it."""
    parts: bool
    """Whether the private ballot and the public words are of different positions."""
    quote: Words | None
    quoted: bool
    """True when the judge quotes them; else they are what the participant said last before the call."""
    condition: str

    @property
    def polarity(self) -> int | None:
        """1 for support, 0 for undecided, -1 for oppose."""
        return POLARITY[self.position] if self.position else None


def ledger_of(events: Sequence[Event], spec: Spec, people: Sequence[Person]) -> tuple[Entry, ...]:
    """An entry for each call and participant, in the order of the log. `people` begins with the moderator."""
    entries: list[Entry] = []
    ballots: dict[str, Ballot] = {}
    voiced: dict[str, Stance] = {}
    last: dict[str, Words] = {}
    place: tuple[int, int] | None = None
    judge = spec.judge
    for event in events:
        if isinstance(event, Utterance | Ballot) and (event.stage, event.round) != place:
            place = (event.stage, event.round)
            ballots, voiced = {}, {}
        if isinstance(event, Utterance) and event.text:
            last[event.speaker] = Words(event.seq, event.text)
            if event.move and event.move.stance:
                voiced[event.speaker] = event.move.stance
        elif isinstance(event, Ballot):
            ballots[event.participant] = event
        elif isinstance(event, Intervention) and event.action == "change_judge":
            judge = event.judge
        elif isinstance(event, AgreementCall):
            threshold = (judge.threshold if judge else None) or THRESHOLD
            for person in people[1:]:
                private = _private(ballots.get(person.name), threshold)
                entries.append(_entry(event, spec, person, ballots.get(person.name), private, voiced.get(person.name), last))
    return tuple(entries)


def _entry(
    call: AgreementCall, spec: Spec, person: Person, ballot: Ballot | None, private: Stance | None, voiced: Stance | None,
    last: dict[str, Words],
) -> Entry:  # fmt: skip
    judgement, name = call.judgement, person.name
    quote = next((Words(item.turn, item.quote) for item in judgement.evidence if item.speaker == name), None)
    return Entry(
        call=call.seq, verdict=judgement.verdict, stage=call.stage, stage_name=spec.agenda[call.stage].name, round=call.round,
        person=person, position=judgement.positions.get(name),
        gradient=judgement.gradients.get(name, ballot.gradient if ballot else None), accepts=judgement.probabilities.get(name),
        confidence=judgement.confidence, voiced=voiced, parts=None not in (private, voiced) and private != voiced,
        quote=quote or last.get(name), quoted=quote is not None,
        condition=judgement.conditions.get(name, "") or (ballot.condition if ballot else ""),
    )  # fmt: skip


def _private(ballot: Ballot | None, threshold: float) -> Stance | None:
    return None if ballot is None or ballot.gradient is None else stance_of(ballot.gradient, threshold)


def ledger_rows(entries: Iterable[Entry]) -> list[dict[str, str | int | float | bool | None]]:
    """One mapping an entry, its keys COLUMNS in that order; `stage` 1-based, as people count."""
    return [dict(zip(COLUMNS, _values(entry), strict=True)) for entry in entries]


def _values(entry: Entry) -> tuple[str | int | float | bool | None, ...]:
    return (
        entry.stage + 1, entry.stage_name, entry.round, entry.person.name, entry.position or "unreadable", entry.polarity,
        entry.gradient, entry.accepts, entry.voiced, entry.verdict, entry.confidence, entry.quote.text if entry.quote else "",
        entry.quoted, entry.quote.seq if entry.quote else None, entry.condition,
    )  # fmt: skip


def ledger_csv(entries: Iterable[Entry]) -> str:
    """The ledger as CSV. A text that a spreadsheet would take for a formula begins with `'`."""
    made = io.StringIO()
    table = csv.writer(made)
    table.writerow(COLUMNS)
    table.writerows([harmless(value) for value in row.values()] for row in ledger_rows(entries))
    return made.getvalue()
