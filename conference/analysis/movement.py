"""Who moved between two calls, and what was said in between: a sequence, never a cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.calls import Words
from conference.analysis.ledger import Entry
from conference.analysis.people import Person, stranger
from conference.domain.events import AgreementCall, Event, Utterance
from conference.domain.phrase import Phrase

STEPS = 2
"""Least change of a gradient that counts as a move while the position stays the same."""


@dataclass(frozen=True)
class Between:
    """Somebody who spoke between two utterances of the participant who moved. `ties` say what links the two; often nothing does."""

    person: Person
    words: Words
    ties: tuple[str, ...]


@dataclass(frozen=True)
class Shift:
    """A participant whose position differs at two consecutive calls of one stage."""

    before: Entry
    after: Entry
    other_proposal: bool
    """Whether the second call judged another proposal than the first: then the position may be of something else."""
    said: Words | None
    """What the participant said last before the second call, when that was after the first one."""
    between: tuple[Between, ...]
    """Who spoke since the participant's utterance before, those with ties first."""

    @property
    def person(self) -> Person:
        """Who moved."""
        return self.after.person

    @property
    def nearer(self) -> bool:
        """Whether the participant moved towards support."""
        return _height(self.after) > _height(self.before)


def shifts_of(events: Sequence[Event], entries: Sequence[Entry], people: Sequence[Person]) -> tuple[Shift, ...]:
    """Every move, in the order of the log."""
    calls = {event.seq: event for event in events if isinstance(event, AgreementCall)}
    said = [event for event in events if isinstance(event, Utterance)]
    known = {person.name: person for person in people}
    last: dict[tuple[int, str], Entry] = {}
    found: list[Shift] = []
    for entry in entries:
        before = last.get((entry.stage, entry.person.name))
        if before is not None and _moved(before, entry):
            found.append(_shift(before, entry, calls, said, known))
        if entry.position is not None:
            last[entry.stage, entry.person.name] = entry
    return tuple(found)


def _moved(before: Entry, after: Entry) -> bool:
    if None in (before.position, after.position):
        return False
    if before.position != after.position:
        return True
    return before.gradient is not None and after.gradient is not None and abs(after.gradient - before.gradient) >= STEPS


def _height(entry: Entry) -> tuple[int, int]:
    return (entry.polarity or 0, entry.gradient or 0)


def _shift(
    before: Entry, after: Entry, calls: dict[int, AgreementCall], said: Sequence[Utterance], known: dict[str, Person]
) -> Shift:
    name = after.person.name
    mine = [turn for turn in said if turn.speaker == name and turn.text and turn.seq < after.call]
    earlier = [turn for turn in mine if turn.seq < before.call]
    now = mine[-1] if mine and mine[-1].seq > before.call else None
    begin, end = earlier[-1].seq if earlier else before.call, now.seq if now else after.call
    judged = calls[after.call].judgement.proposal
    author = _author(said, end)
    heard = [turn for turn in said if begin < turn.seq < end and turn.speaker != name and turn.text]
    last_of = {turn.speaker: turn for turn in heard}
    between = [
        Between(known.get(who) or stranger(who), Words(turn.seq, turn.text), _ties(who, name, now, author, heard))
        for who, turn in last_of.items()
    ]
    return Shift(
        before=before, after=after, other_proposal=calls[before.call].judgement.proposal != judged,
        said=Words(now.seq, now.text) if now else None, between=tuple(sorted(between, key=lambda each: not each.ties)),
    )  # fmt: skip


def _author(said: Sequence[Utterance], end: int) -> str:
    """Who put on the table what lay there before this line."""
    tables = [turn.table.by for turn in said if turn.table is not None and turn.seq < end]
    return tables[-1] if tables else ""


def _ties(who: str, name: str, now: Utterance | None, author: str, heard: Sequence[Utterance]) -> tuple[str, ...]:
    ties = []
    answered = next((turn for turn in heard if now and now.move and turn.seq == now.move.answers), None)
    if now and now.move and (now.move.to == who or (answered is not None and answered.speaker == who)):
        ties.append(Phrase("was addressed in those words"))
    if any(turn.speaker == who and turn.move and turn.move.to == name for turn in heard):
        ties.append(Phrase("had spoken to them"))
    if author and author == who:
        ties.append(Phrase("had put the proposal on the table"))
    return tuple(ties)
