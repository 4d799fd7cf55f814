"""The llm judge (provisional)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from conference.domain.events import Ballot
from conference.domain.position import Judgement
from conference.judges.hearing import Hearing
from conference.judges.registry import judge
from conference.prompts.verdicts import PROMPT_VERSION, verdict_request


@judge("llm")
class LlmJudge:
    name = "llm"
    version = "0"

    async def hear(self, hearing: Hearing) -> AsyncIterator[Ballot | Judgement]:
        model = hearing.judge_model()
        reply = await model.complete(verdict_request(hearing.dialogue))
        value = json.loads(reply.text)
        yield Judgement(verdict=value["verdict"], confidence=value["confidence"], positions=value["positions"], proposal=hearing.dialogue.proposal,
                        reason=value["reason"], judge="llm", model=model.name, prompt_version=PROMPT_VERSION)
