"""Who moved between two calls, and what was said in between: a sequence, never a cause."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from conference.analysis.calls import Words
from conference.analysis.ledger import Entry
from conference.analysis.people import Person, stranger
from conference.domain.events import Event, Utterance
from conference.domain.move import OnTheTable
from conference.domain.phrase import Phrase

Proposal = Literal["same", "amended", "other"]
STEPS = 2
"""Least change of a gradient that counts as a move while the position stays the same."""


@dataclass(frozen=True)
class Between:
    """Somebody who spoke between two utterances of the participant who moved. `ties` say what links the two; often nothing does."""

    person: Person
    words: Words
    ties: tuple[Phrase, ...]


@dataclass(frozen=True)
class Shift:
    """A participant whose position differs at two consecutive calls of one stage."""

    before: Entry
    after: Entry
    proposal: Proposal
    """What lay on the table at the second call, against the first: if another one, the position is of something else."""
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
    """Every move, in the order of the log; a call at which somebody couldn't be read is passed over for them."""
    talk = _Talk([event for event in events if isinstance(event, Utterance)], {person.name: person for person in people})
    last: dict[tuple[int, str], Entry] = {}
    found: list[Shift] = []
    for entry in entries:
        before = last.get((entry.stage, entry.person.name))
        if before is not None and _moved(before, entry):
            found.append(talk.shift(before, entry))
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


class _Talk:
    """What was said, so that the turns between two lines are found without reading all."""

    def __init__(self, said: Sequence[Utterance], people: dict[str, Person]) -> None:
        self._people = people
        self._said = [turn for turn in said if turn.text]
        self._lines = [turn.seq for turn in self._said]
        self._tables = [(turn.seq, turn.table) for turn in said if turn.table is not None]
        self._own: dict[str, list[Utterance]] = {}
        for turn in self._said:
            self._own.setdefault(turn.speaker, []).append(turn)

    def shift(self, before: Entry, after: Entry) -> Shift:
        """The move between two calls, with who spoke between the two utterances of who moved."""
        name = after.person.name
        now = self._last_of(name, after.call)
        if now is not None and now.seq < before.call:
            now = None
        earlier = self._last_of(name, before.call)
        begin, end = earlier.seq if earlier else before.call, now.seq if now else after.call
        part = self._said[bisect_right(self._lines, begin) : bisect_left(self._lines, end)]
        heard = [turn for turn in part if turn.speaker != name]
        author = getattr(self._table(end), "by", "")
        between = [
            Between(self._person(who), Words(turn.seq, turn.text), _ties(who, name, now, author, heard))
            for who, turn in {turn.speaker: turn for turn in heard}.items()
        ]
        return Shift(
            before=before, after=after, proposal=_compared(self._table(before.call), self._table(after.call)),
            said=Words(now.seq, now.text) if now else None, between=tuple(sorted(between, key=lambda each: not each.ties)),
        )  # fmt: skip

    def _last_of(self, name: str, before: int) -> Utterance | None:
        own = self._own.get(name, [])
        at = bisect_left(own, before, key=lambda turn: turn.seq)
        return own[at - 1] if at else None

    def _table(self, before: int) -> OnTheTable | None:
        at = bisect_left(self._tables, before, key=lambda each: each[0])
        return self._tables[at - 1][1] if at else None

    def _person(self, name: str) -> Person:
        return self._people.get(name) or stranger(name)


def _compared(one: OnTheTable | None, two: OnTheTable | None) -> Proposal:
    if one is None or two is None:
        return "same" if one is two else "other"
    if one.text == two.text:
        return "same"
    return "amended" if (one.base or one.text) == (two.base or two.text) else "other"


def _ties(who: str, name: str, now: Utterance | None, author: str, heard: Sequence[Utterance]) -> tuple[Phrase, ...]:
    ties = []
    answered = next((turn for turn in heard if now and now.move and turn.seq == now.move.answers), None)
    if now and now.move and (now.move.to == who or (answered is not None and answered.speaker == who)):
        ties.append(Phrase("was addressed in those words"))
    if any(turn.speaker == who and turn.move and turn.move.to == name for turn in heard):
        ties.append(Phrase("had spoken to them"))
    if author and author == who:
        ties.append(Phrase("had put the proposal on the table"))
    return tuple(ties)
