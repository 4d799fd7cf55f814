"""What is odd about a spec without being wrong: it runs, but perhaps not as it was meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from conference.domain.persona import Persona
from conference.domain.phrase import Phrase
from conference.domain.spec import Spec, Stage
from conference.errors import did_you_mean


def oddities(spec: Spec) -> list[str]:
    """One line each, in the order of the spec: what, which value, what to do. Empty when nothing is odd."""
    found: list[str] = []
    for person in spec.participants:
        if spec.options:
            found.extend(_unknown_options(person, spec.options))
        if not person.brief.points and person.id not in spec.humans:
            found.append(
                Phrase(
                    "'{name}' brings no points; without points of their own, they speak from their role alone", name=person.name
                )
            )
    found.extend(_twins(spec.participants))
    found.extend(_humans(spec))
    if spec.judge is not None:
        found.extend(_never_judged(spec.agenda))
    return found


def _unknown_options(person: Persona, options: tuple[str, ...]) -> Iterator[str]:
    for where, name in _named_options(person):
        if name not in options:
            yield Phrase(
                "'{name}' names the option '{option}' ({where}), which the conference doesn't have{hint}",
                name=person.name, option=name, where=where, hint=did_you_mean(name, options),
            )  # fmt: skip


def _named_options(person: Persona) -> Iterator[tuple[str, str]]:
    """(where it stands, the option) of every option a persona names."""
    yield from (("favours", name) for name in person.favours)
    yield from (("rejects", name) for name in person.rejects)
    for point in person.brief.points:
        yield from ((f"point '{point.gist}' speaks_for", name) for name in point.speaks_for)
        yield from ((f"point '{point.gist}' speaks_against", name) for name in point.speaks_against)
    yield from ((f"concession '{note.gist}'", note.option) for note in person.brief.concessions)
    yield from ((f"proposal '{note.gist}'", note.option) for note in person.brief.proposals)


def _twins(table: tuple[Persona, ...]) -> Iterator[str]:
    for one, other in combinations(table, 2):
        if one.brief.points and one.brief == other.brief:
            yield Phrase(
                "'{one}' and '{other}' have one and the same brief; they will say the same things", one=one.name, other=other.name
            )


def _humans(spec: Spec) -> Iterator[str]:
    if spec.participants and all(person.id in spec.humans for person in spec.participants):
        yield Phrase("humans take all seats; nothing is simulated but what the moderator and the judge do")
    names = [person.name for person in (spec.moderator, *spec.participants) if person.id in spec.humans]
    if names:
        yield Phrase("a human plays {names}; the conference waits whenever it is their turn", names=", ".join(names))


def _never_judged(agenda: tuple[Stage, ...]) -> Iterator[str]:
    for stage in agenda:
        if stage.min_rounds == stage.max_rounds:
            yield Phrase(
                "stage '{name}' takes {number} {rounds} at least and at most, so a call of agreement can't shorten it; "
                "lower min_rounds or raise max_rounds",
                name=stage.name, number=stage.max_rounds, rounds=Phrase("round") if stage.max_rounds == 1 else Phrase("rounds"),
            )  # fmt: skip
