"""A fork beside its parent: where they part, and what became different. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conference.analysis.calls import VERDICT_MARKS
from conference.domain.events import (
    AgreementCall,
    ConferenceClosed,
    Event,
    Intervention,
    StageClosed,
    Utterance,
)
from conference.domain.phrase import Phrase
from conference.domain.spec import Spec
from conference.floor import fold

Said = tuple[Utterance | Intervention, ...]


@dataclass(frozen=True)
class Beside:
    """One round of both. Either side is empty where it didn't come to this round."""

    stage: int
    """0-based."""
    name: str
    round: int
    parent: Said
    fork: Said
    parent_call: AgreementCall | None
    fork_call: AgreementCall | None


@dataclass(frozen=True)
class Difference:
    """One line of what came of each."""

    what: str
    parent: str
    fork: str

    @property
    def same(self) -> bool:
        """Whether both came to the same."""
        return self.parent == self.fork


@dataclass(frozen=True)
class Parting:
    """Where a fork leaves its parent and what each side did from there."""

    at: int
    """Sequence number of the last event they share."""
    changed: tuple[str, ...]
    """Names of the fields of the spec that the fork changed."""
    rounds: tuple[Beside, ...]
    """From the round in which they part."""
    differences: tuple[Difference, ...]


def parting(parent: Sequence[Event], fork: Sequence[Event], at: int) -> Parting:
    """The two beside each other; `at` is the last event they share."""
    were, are = fold(parent[: at + 1]).spec, fold(fork[: at + 2]).spec  # the fork's first own event says what it is held from
    changed = tuple(name for name in Spec.model_fields if getattr(were, name) != getattr(are, name))
    return Parting(at, changed, _rounds(parent, fork, at, are), _differences(parent, fork))


def _rounds(parent: Sequence[Event], fork: Sequence[Event], at: int, spec: Spec) -> tuple[Beside, ...]:
    sides = [_by_round([event for event in events if event.seq > at]) for events in (parent, fork)]
    places = sorted({place for side in sides for place in side})
    empty: tuple[Said, AgreementCall | None] = ((), None)
    found = []
    for stage, number in places:
        (said, call), (other, other_call) = (side.get((stage, number), empty) for side in sides)
        name = spec.agenda[stage].name if 0 <= stage < len(spec.agenda) else f"stage {stage + 1}"
        found.append(Beside(stage, name, number, said, other, call, other_call))
    return tuple(found)


def _by_round(events: Sequence[Event]) -> dict[tuple[int, int], tuple[Said, AgreementCall | None]]:
    """What was said and called in each round, a stage's opening in its first; what a human said stands with the round it came into."""
    found: dict[tuple[int, int], tuple[Said, AgreementCall | None]] = {}
    place = (0, 0)
    waiting: list[Intervention] = []
    for event in events:
        if isinstance(event, Intervention) and event.action in ("say", "ask"):
            waiting.append(event)
        elif isinstance(event, Utterance):
            place = (event.stage, max(1, event.round))
            said, call = found.get(place, ((), None))
            found[place] = ((*said, *waiting, event), call)
            waiting.clear()
        elif isinstance(event, AgreementCall):
            place = (event.stage, max(1, event.round))
            found[place] = (found.get(place, ((), None))[0], event)
    return found


def _differences(parent: Sequence[Event], fork: Sequence[Event]) -> tuple[Difference, ...]:
    pairs = (
        (Phrase("Outcome"), _outcome), (Phrase("Stages agreed"), _agreed), (Phrase("Rounds"), _rounds_held), (Phrase("Calls"), _calls),
        (Phrase("Turns"), _turns),
    )  # fmt: skip
    return tuple(Difference(what, tell(parent), tell(fork)) for what, tell in pairs)


def _outcome(events: Sequence[Event]) -> str:
    closed = next((event for event in events if isinstance(event, ConferenceClosed)), None)
    if closed is None:
        return Phrase("not over yet")
    return Phrase("agreed: {text}", text=closed.agreed) if closed.agreed else Phrase("no agreement")


def _agreed(events: Sequence[Event]) -> str:
    closed = [event for event in events if isinstance(event, StageClosed)]
    return Phrase("{n} of {of}", n=sum(event.because == "agreement" for event in closed), of=len(closed))


def _rounds_held(events: Sequence[Event]) -> str:
    return " + ".join(str(event.rounds) for event in events if isinstance(event, StageClosed)) or "0"


def _calls(events: Sequence[Event]) -> str:
    return " ".join(VERDICT_MARKS[event.judgement.verdict] for event in events if isinstance(event, AgreementCall)) or Phrase(
        "none"
    )


def _turns(events: Sequence[Event]) -> str:
    return str(sum(isinstance(event, Utterance) for event in events))
