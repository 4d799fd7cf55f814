"""Who sits at the table: a persona and the brief it speaks from."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from conference.domain.record import Name, Record, Words


class Note(Record):
    """One thing a persona brings. `gist` names it in two to five words."""

    text: Words
    gist: Name


class Point(Note):
    """An argument of the persona's own side."""

    speaks_for: tuple[Name, ...] = ()
    """Options this point is an argument for."""
    speaks_against: tuple[Name, ...] = ()
    """Options this point is an argument against."""
    source: str | None = None
    """Where the figures in the text come from, or the word `invented`."""


class Concession(Note):
    """What the persona gives way on: it would accept `option`, if `condition` holds."""

    option: Name
    condition: Words
    """A clause that fits after *if*; its short name is `gist`."""


class Proposal(Note):
    """Something several could accept. `meets` names the conditions (by gist) it already contains."""

    option: Name
    meets: tuple[Name, ...] = ()


class Brief(Record):
    """What a persona has to say."""

    points: tuple[Point, ...] = ()
    concessions: tuple[Concession, ...] = ()
    questions: tuple[Note, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    red_lines: tuple[Note, ...] = ()
    """Conditions of others (by gist) this persona would refuse to see in a proposal, and what it says then."""

    @model_validator(mode="after")
    def _gists_are_unique(self) -> Self:
        gists = [note.gist for note in (*self.points, *self.concessions, *self.questions, *self.proposals)]
        double = next((gist for gist in gists if gists.count(gist) > 1), None)
        if double is not None:
            raise ValueError(f"two notes of the brief share the gist '{double}'; give each its own")
        return self


class Persona(Record):
    """A person of the table, as played by a model."""

    id: Name
    name: Name
    role: Words
    expertise: tuple[Words, ...] = ()
    interests: tuple[Words, ...] = ()
    voice: str = ""
    aim: str = ""
    favours: tuple[Name, ...] = ()
    rejects: tuple[Name, ...] = ()
    brief: Brief = Brief()
