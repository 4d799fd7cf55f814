"""What a turn is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conference.domain.position import Stance
from conference.domain.record import Record

MoveKind = Literal["state", "object", "support", "concede", "propose", "ask", "answer", "pass", "open", "frame", "close"]
"""Participants state, object, support, concede, propose, ask, answer or pass; the moderator opens, frames and closes."""


class Term(Record):
    """A condition somebody named that was written into the proposal. `gist` is its short name."""

    gist: str
    condition: str


class OnTheTable(Record):
    """What the participants are asked to agree on: an option with terms, or a list of concerns."""

    text: str
    """As it is read out, terms included."""
    option: str = ""
    items: tuple[str, ...] = ()
    """Gists of the conditions it contains (a proposal), or of the concerns listed."""
    base: str = ""
    """The proposal before any term was written in."""
    terms: tuple[Term, ...] = ()
    by: str = ""
    """Who put it there."""

    def with_terms(self, terms: tuple[Term, ...]) -> OnTheTable:
        """The same proposal with exactly these terms written in."""
        kept = [item for item in self.items if item not in {term.gist for term in self.terms}]
        written = "; ".join(term.condition.rstrip(".; ") for term in terms)
        text = f"{self.base.rstrip('. ')}. It is agreed that {written}." if terms else self.base
        return self.model_copy(update={"text": text, "terms": terms, "items": (*kept, *(term.gist for term in terms))})


@dataclass(frozen=True, slots=True)
class Heard:
    """That somebody took a stance on a proposal."""

    table: OnTheTable
    speaker: str
    stance: Stance


class Move(Record):
    """What a turn does, chosen before a word is said."""

    kind: MoveKind
    to: str = ""
    """Name of the person addressed."""
    about: str = ""
    """In a few words, what it is about (the gist of what is answered)."""
    answers: int | None = None
    """Sequence number of the utterance it answers."""
    gist: str = ""
    """The note of the brief it makes, by its short name."""
    note: str = ""
    """The note itself, as it stands in the brief (or as the floor put it together)."""
    stance: Stance | None = None
    """What the turn means to say of what is on the table; None when it says nothing of it."""
    condition: str = ""
    """The condition it names, as a clause after *if*; `gist` is its short name."""
    reason: str = ""
    """Why this move: one clause, for researchers."""

    @property
    def adds_to_list(self) -> bool:
        """Whether it asks for a concern to be put on the list: its condition is that, and its note the concern."""
        return self.kind == "concede" and self.condition == onto_the_list(self.gist)


def onto_the_list(gist: str) -> str:
    """The condition of whoever wants a concern listed."""
    return f"{gist} goes on it"
