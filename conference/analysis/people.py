"""How somebody is shown on every page: the same initials and the same colour, never the colour alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from conference.domain.events import ConferenceOpened, Event, Intervention
from conference.domain.persona import Persona
from conference.domain.spec import Spec

PALETTE = ("#1f5f8b", "#a23b2a", "#2a7549", "#7a4fa3", "#86600a", "#a8336f", "#2f6670", "#56671b")
"""White text stands on each with a contrast of at least 4.5 (WCAG AA); a ninth participant has the first one's colour again."""
MODERATOR_COLOUR = "#4a5560"


@dataclass(frozen=True)
class Person:
    """Somebody at the table, as drawn."""

    name: str
    role: str
    initials: str
    colour: str


def people_of(spec: Spec, *later: Spec) -> tuple[Person, ...]:
    """The moderator, then the participants in the order of the spec; no two share their initials while letters last.

    Who came with a `later` spec (a fork's) follows; who is known already keeps colour and initials.
    """
    taken: set[str] = set()
    known = {person.name: person for each in (spec, *later) for person in each.participants}
    seated = [(spec.moderator, MODERATOR_COLOUR)]
    seated += [(person, PALETTE[place % len(PALETTE)]) for place, person in enumerate(known.values())]
    return tuple(_drawn(person, colour, taken) for person, colour in seated)


def people_in(events: Sequence[Event]) -> tuple[Person, ...]:
    """Everybody who sat at the table in a log that begins with `conference_opened`."""
    specs = [e.spec for e in events if isinstance(e, ConferenceOpened | Intervention) and e.spec is not None]
    return people_of(specs[0], *specs[1:])


def stranger(name: str) -> Person:
    """Somebody who isn't at the table."""
    return Person(name, "", initials_of(name), MODERATOR_COLOUR)


def initials_of(name: str) -> str:
    """Two letters: of the first and the last word, without a title in front of two others; `?` when there is no letter."""
    return _choices(name)[0]


def _drawn(person: Persona, colour: str, taken: set[str]) -> Person:
    choices = _choices(person.name)
    initials = next((found for found in choices if found not in taken), choices[0])
    taken.add(initials)
    return Person(person.name, person.role, initials, colour)


def _choices(name: str) -> list[str]:
    """Initials, the usual ones first, then with later letters of the last word."""
    words = re.findall(r"[^\W_]+", name[:400])
    if len(words) > 2:
        words = words[1:]
    if not words:
        return ["?"]
    first, last = words[0][0].upper(), words[-1]
    if len(words) == 1:
        return [first, *(first + letter.lower() for letter in last[1:8])]
    return [first + last[0].upper(), *(first + letter.lower() for letter in last[1:8])]
