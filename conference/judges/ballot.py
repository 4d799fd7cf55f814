"""The ballot judge: each participant's own model votes in private; agreement when nobody is below the threshold."""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator, Collection

from conference.domain.chat import ChatModel, Reply
from conference.domain.events import Ballot
from conference.domain.persona import Persona
from conference.domain.position import Judgement, Stance
from conference.errors import ModelReplyError
from conference.judges.hearing import Hearing
from conference.judges.registry import judge
from conference.prompts.balloting import VERSION, ballot_request, gradient_request

THRESHOLD = 6.0
"""Least gradient with which a participant counts as accepting: *I can live with it*."""
OPPOSES_BELOW = 4.0
_BARE_DIGIT = re.compile(r"\s*([1-8])\.?\s*", re.ASCII)


@judge("ballot")
class BallotJudge:
    """Reads gradients 1 to 8; where the model gives probabilities, their expected value, rounded."""

    name = "ballot"
    version = "1"

    async def hear(self, hearing: Hearing) -> AsyncIterator[Ballot | Judgement]:
        """A ballot for each participant that hasn't cast one, then the judgement."""
        cast = dict(hearing.cast)
        for person in hearing.personas:
            if person.name not in cast:
                cast[person.name] = await self._vote(person, hearing)
                yield cast[person.name]
        yield judged(cast.values(), hearing.threshold or THRESHOLD, hearing.dialogue.proposal)

    async def _vote(self, person: Persona, hearing: Hearing) -> Ballot:
        model = hearing.own_model(person)
        proposal, said = hearing.dialogue.proposal, list(hearing.dialogue.turns)
        ask = gradient_request if model.gives_probabilities else ballot_request
        try:
            reply = await model.complete(ask(person, proposal or hearing.dialogue.question, said))
        except ModelReplyError:
            return _ballot(person, hearing, None, "", {}, model, Reply(text="", model=model.name))
        gradient, condition, probabilities = read_ballot(reply)
        return _ballot(person, hearing, gradient, condition or _unmet(person, proposal), probabilities, model, reply)


def _ballot(
    person: Persona,
    hearing: Hearing,
    gradient: int | None,
    condition: str,
    probabilities: dict[str, float],
    model: ChatModel,
    reply: Reply,
) -> Ballot:
    last = hearing.dialogue.turns[-1] if hearing.dialogue.turns else None
    return Ballot(
        seq=0, at="", stage=0, round=(last.round or 0) if last else 0, participant=person.name, proposal=hearing.dialogue.proposal,
        gradient=gradient, condition=condition, probabilities=probabilities, model=model.name, prompt_version=VERSION, usage=reply.usage,
    )  # fmt: skip


def _unmet(person: Persona, proposal: str) -> str:
    """The first condition of the brief whose words the proposal doesn't contain."""
    return next((c.condition for c in person.brief.concessions if c.condition.rstrip(".") not in proposal), "")


def read_ballot(reply: Reply) -> tuple[int | None, str, dict[str, float]]:
    """Gradient, condition, and P(digit) for each digit 1 to 8; the gradient is None when it can't be read."""
    weights: dict[str, float] = {}
    for choice in reply.first_token:
        digit = choice.token.strip()
        if digit in "12345678" and len(digit) == 1:
            weights[digit] = weights.get(digit, 0.0) + math.exp(choice.logprob)
    total = sum(weights.values())
    if total > 0.05:
        shares = {digit: round(weight / total, 4) for digit, weight in sorted(weights.items())}
        return round(sum(int(d) * p for d, p in shares.items())), "", shares
    if bare := _BARE_DIGIT.fullmatch(reply.text):
        return int(bare[1]), "", {}
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        return None, "", {}
    if not isinstance(value, dict):
        return None, "", {}
    condition = str(value.get("condition") or "")[:500]
    return _whole_gradient(value.get("gradient")), condition, {}


def _whole_gradient(value: object) -> int | None:
    """1 to 8, also written as text; never a rounded or guessed one."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    found = _BARE_DIGIT.fullmatch(text)
    return int(found[1]) if found else None


def stance_of(gradient: int, threshold: float) -> Stance:
    """Support at or above the threshold, oppose below 4, undecided between."""
    if gradient >= threshold:
        return "support"
    return "oppose" if gradient < OPPOSES_BELOW else "undecided"


def judged(ballots: Collection[Ballot], threshold: float, proposal: str) -> Judgement:
    """Agreement when nobody is below the threshold; unreadable when a ballot is missing and none decides it.

    Confidence grows with the distance of the lowest gradient from the threshold: 1/2 at it, 1 four steps away.
    """
    read = {b.participant: b.gradient for b in ballots if b.gradient is not None}
    unread = [b.participant for b in ballots if b.gradient is None]
    conditions = {b.participant: b.condition for b in ballots if b.condition and (b.gradient or 0) < 8}
    common = {
        "positions": {name: stance_of(value, threshold) for name, value in read.items()} | dict.fromkeys(unread, "undecided"),
        "gradients": read, "conditions": conditions, "proposal": proposal, "judge": "ballot", "prompt_version": VERSION,
        "model": ", ".join(sorted({b.model for b in ballots if b.model})),
    }  # fmt: skip
    below = sorted(name for name, value in read.items() if value < threshold)
    if not below and (unread or not read):
        return Judgement(verdict="unreadable", reason=f"no readable ballot from {', '.join(unread) or 'anybody'}", **common)
    lowest = min(read.values())
    confidence = min(1.0, 0.5 + abs(lowest - threshold + (0 if below else 1)) / 8)
    if below:
        return Judgement(verdict="continue", confidence=confidence, reason=f"below {threshold:g}: {', '.join(below)}", **common)
    return Judgement(
        verdict="agreement", confidence=confidence, reason=f"nobody is below {threshold:g}; lowest {lowest}", **common
    )
