"""Who spoke how much, and who answered whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.people import Person, stranger
from conference.analysis.wording import words
from conference.domain.events import Event, Intervention, Utterance


@dataclass(frozen=True)
class Airtime:
    """What one person said. `share` is of all words, 0 to 1; None when nobody said a word."""

    person: Person
    words: int
    turns: int
    passes: int
    share: float | None


@dataclass(frozen=True)
class Answers:
    """How often one person spoke to another, and in which lines."""

    who: Person
    to: Person
    lines: tuple[int, ...]

    @property
    def times(self) -> int:
        """How many turns."""
        return len(self.lines)


def airtime_of(events: Sequence[Event], people: Sequence[Person]) -> tuple[Airtime, ...]:
    """One for each person of the table, in its order, then for anybody else who spoke."""
    said = [found for event in events if (found := _said(event)) is not None]
    known = _known([speaker for speaker, _ in said], people)
    counts = {name: [0, 0, 0] for name in known}
    for speaker, text in said:
        count = counts[speaker]
        count[0] += len(words(text))
        count[1] += bool(text)
        count[2] += not text
    total = sum(spoken for spoken, _, _ in counts.values())
    return tuple(
        Airtime(person, spoken, turns, passes, spoken / total if total else None)
        for person, (spoken, turns, passes) in zip(known.values(), counts.values(), strict=True)
    )


def answers_of(events: Sequence[Event], people: Sequence[Person]) -> tuple[Answers, ...]:
    """Every pair of which one spoke to the other: named in its move, else the speaker of the line it answers. Most often first."""
    said = [event for event in events if isinstance(event, Utterance)]
    known, by_seq = _known([turn.speaker for turn in said], people), {turn.seq: turn.speaker for turn in said}
    lines: dict[tuple[str, str], list[int]] = {}
    for turn in said:
        if turn.text and turn.move is not None:
            to = turn.move.to or by_seq.get(-1 if turn.move.answers is None else turn.move.answers, "")
            if to and to != turn.speaker:
                lines.setdefault((turn.speaker, to), []).append(turn.seq)
    found = [Answers(known[who], known.get(to) or stranger(to), tuple(at)) for (who, to), at in lines.items()]
    return tuple(sorted(found, key=lambda each: -each.times))


def _said(event: Event) -> tuple[str, str] | None:
    """Who said what: a turn, or what a facilitator said in between."""
    if isinstance(event, Utterance):
        return event.speaker, event.text
    return (event.by, event.text) if isinstance(event, Intervention) and event.action in ("say", "ask") else None


def _known(speakers: Sequence[str], people: Sequence[Person]) -> dict[str, Person]:
    known = {person.name: person for person in people}
    return known | {name: stranger(name) for name in speakers if name not in known}
