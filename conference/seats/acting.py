"""Performs the act that is due, and yields the events it makes, one by one, so that each is on the log before the next is begun."""

from __future__ import annotations

from collections.abc import AsyncIterator

from conference.domain.events import ConferenceClosed, Event, StageClosed, StageOpened
from conference.domain.position import Stance
from conference.errors import LogError
from conference.floor import Act, Floor, closes_because
from conference.moves.chair import agreed_text, closing, open_points
from conference.moves.stand import voiced_stances
from conference.seats import evaluator, judge, moderator, participant
from conference.seats.desk import Desk


async def perform(floor: Floor, act: Act, desk: Desk) -> AsyncIterator[Event]:
    """The events of one act; `seq` and `at` are given by whoever appends them. Raises ModelError, BudgetSpent."""
    match act.kind:
        case "open_stage":
            number = floor.stage + 1
            yield StageOpened(seq=0, at="", stage=number, name=floor.spec.agenda[number].name)
        case "turn":
            yield await participant.speak(floor, act, desk)
        case "judge":
            async for event in judge.call(floor, desk):
                yield event
        case "score":
            yield await evaluator.score(floor, desk)
        case "open" | "frame" | "close":
            yield await moderator.chair(floor, act, desk)
        case "close_stage":
            yield _stage_closed(floor)
        case "close_conference":
            yield _conference_closed(floor)


def _stage_closed(floor: Floor) -> StageClosed:
    because = closes_because(floor)
    if because is None:
        raise LogError(f"stage {floor.stage} can't close in round {floor.round}; the floor asked for it too early")
    agreed = agreed_text(floor) if because == "agreement" else ""
    return StageClosed(
        seq=0, at="", stage=floor.stage, rounds=floor.round, because=because, agreed=agreed, summary=closing(floor).said,
        open_points=() if because == "agreement" else open_points(floor),
    )  # fmt: skip


def _conference_closed(floor: Floor) -> ConferenceClosed:
    """A conference that was stopped has fewer outcomes than its agenda has items."""
    agreed = [o.agreed for o, s in zip(floor.outcomes, floor.spec.agenda, strict=False) if o.agreed and s.settles == "proposal"]
    return ConferenceClosed(
        seq=0, at="", stages=floor.outcomes, agreed=agreed[-1] if agreed else "", positions=_last_positions(floor)
    )


def _last_positions(floor: Floor) -> dict[str, Stance]:
    """As the judge last read them; as they were voiced where nobody judged."""
    if floor.call is not None and floor.call.positions:
        return floor.call.positions
    return {name: u.move.stance for name, u in voiced_stances(floor).items() if u.move and u.move.stance}
