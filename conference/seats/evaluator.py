"""The evaluator: ten dimensions of a finished stage, 1 to 10 each; None where the reply couldn't be read."""

from __future__ import annotations

import math
import re

from conference.domain.chat import Reply
from conference.domain.events import QualityScored
from conference.errors import ModelReplyError
from conference.floor import Floor
from conference.prompts.scoring import DIMENSIONS, VERSION, score_request
from conference.seats.desk import Desk, Tally
from conference.seats.spoken import turns_said


async def score(floor: Floor, desk: Desk) -> QualityScored:
    """The scores of the stage that just ended."""
    model = desk.model(floor.spec, "evaluator")
    tally = Tally()
    scores: dict[str, float | None] = {}
    for dimension in DIMENSIONS:
        request = score_request(floor.agenda_item.question or floor.spec.question, turns_said(floor), dimension)
        try:
            scores[dimension] = read_score(await tally.ask(model, request))
        except ModelReplyError:
            scores[dimension] = None
    return QualityScored(
        seq=0, at="", stage=floor.stage, scores=scores, model=model.name, prompt_version=VERSION, usage=tally.usage
    )


def read_score(reply: Reply) -> float | None:
    """The probability-weighted mean of the digits 1 to 9 (10 is more than one token: taken as written), else the number."""
    written = re.match(r"\s*(10|[1-9])(?!\d)", reply.text)
    weights: dict[int, float] = {}
    for choice in reply.first_token:
        digit = choice.token.strip()
        if digit in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"):
            weights[int(digit)] = weights.get(int(digit), 0.0) + math.exp(choice.logprob)
    total = sum(weights.values())
    if total > 0.5 and not (written and written.group(1) == "10"):
        return round(sum(value * weight for value, weight in weights.items()) / total, 3)
    return float(written.group(1)) if written else None
