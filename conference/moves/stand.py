"""Where a persona stands on what is on the table, by its brief; and what the table has heard so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conference.domain.events import Utterance
from conference.domain.move import OnTheTable
from conference.domain.persona import Concession, Note, Persona
from conference.floor import Floor

Ground = Literal["favours", "met", "conditional", "red_line", "rejects", "open"]


@dataclass(frozen=True, slots=True)
class Stand:
    """Why a persona would or wouldn't accept a proposal. `unmet` are its conditions that aren't in it."""

    ground: Ground
    unmet: tuple[Concession, ...] = ()
    met: tuple[Concession, ...] = ()
    red_line: Note | None = None


def stand_on(person: Persona, table: OnTheTable) -> Stand:
    """By the brief alone: a red line first, then conditions, then what the persona favours or rejects."""
    line = next((note for note in person.brief.red_lines if note.gist in table.items), None)
    if line is not None:
        return Stand("red_line", red_line=line)
    mine = [c for c in person.brief.concessions if c.option == table.option]
    unmet = tuple(c for c in mine if c.gist not in table.items)
    met = tuple(c for c in mine if c.gist in table.items)
    if unmet:
        return Stand("conditional", unmet, met)
    if mine:
        return Stand("met", (), met)
    if table.option in person.favours:
        return Stand("favours")
    return Stand("rejects" if table.option in person.rejects else "open")


def person_named(floor: Floor, name: str) -> Persona | None:
    """The participant with this name."""
    return next((person for person in floor.spec.participants if person.name == name), None)


def turns_of_others(floor: Floor, name: str, rounds: int = 2) -> list[Utterance]:
    """What other participants said in this round and the one before, oldest first."""
    return [
        u for u in floor.said
        if u.by_participant and u.speaker != name and u.round > floor.round - rounds and u.text and u.move is not None
    ]  # fmt: skip


def pending_question(floor: Floor, name: str) -> Utterance | None:
    """A question put to this participant in this stage that it hasn't answered."""
    answered = {u.move.answers for u in floor.said if u.speaker == name and u.move}
    asked = [u for u in floor.said if u.move and u.move.kind == "ask" and u.move.to == name and u.seq not in answered]
    return asked[-1] if asked else None


def at_odds(one: Persona, two: Persona) -> bool:
    """Whether what one favours the other rejects, or they favour nothing in common."""
    if set(one.favours) & set(two.rejects) or set(two.favours) & set(one.rejects):
        return True
    return bool(one.favours and two.favours) and not set(one.favours) & set(two.favours)


def voiced_conditions(floor: Floor) -> dict[str, tuple[str, str]]:
    """Gist of each condition named in this stage for what is on the table, to (speaker, the condition itself).

    A concession bears its condition's gist; an objection that insists on one bears it as what it is about.
    """
    found: dict[str, tuple[str, str]] = {}
    for u in floor.said:
        if u.move and u.move.condition and u.move.kind in ("concede", "object"):
            gist = u.move.gist if u.move.kind == "concede" else u.move.about
            found[gist] = (u.speaker, u.move.condition)
    return found


def voiced_stances(floor: Floor) -> dict[str, Utterance]:
    """Each participant's last turn of this stage that said something of what is on the table."""
    return {u.speaker: u for u in floor.said if u.by_participant and u.move and u.move.stance is not None}
