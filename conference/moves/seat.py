"""A participant about to speak, and the notes it still has."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conference.domain.persona import Note, Persona, Point
from conference.floor import Floor
from conference.moves.affinity import Affinity


@dataclass(frozen=True, slots=True)
class Seat:
    """A participant about to speak."""

    floor: Floor
    me: Persona
    near: Affinity
    dice: random.Random

    def other(self, name: str) -> str:
        """The name, unless it is its own: nobody addresses itself."""
        return "" if name == self.me.name else name

    def unused(self, notes: Sequence[Note]) -> list[Note]:
        """Those of the notes it hasn't made yet."""
        return [note for note in notes if (self.me.name, note.gist) not in self.floor.used]

    def points(self, speaks_for: str = "", speaks_against: str = "") -> list[Note]:
        """Points not made yet; those about the option first in kind, any that don't contradict it otherwise."""
        left = [note for note in self.unused(self.me.brief.points) if isinstance(note, Point)]
        if speaks_for:
            return _first_kind(left, lambda p: speaks_for in p.speaks_for, lambda p: speaks_for not in p.speaks_against)
        if speaks_against:
            return _first_kind(left, lambda p: speaks_against in p.speaks_against, lambda p: speaks_against not in p.speaks_for)
        return list(left)


def _first_kind(points: list[Point], *tests: Callable[[Point], bool]) -> list[Note]:
    for test in tests:
        found: list[Note] = [point for point in points if test(point)]
        if found:
            return found
    return []


def nearest(seat: Seat, notes: Sequence[Note], text: str) -> Note | None:
    """The note nearest to a text; the dice break ties."""
    scored = [(seat.near(note.text, text) + 0.05 * seat.dice.random(), note) for note in notes]
    return max(scored, key=lambda item: item[0])[1] if scored else None
