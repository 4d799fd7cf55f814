"""Whether a model can be used: it is asked one small thing, and what came of it is told in one line."""

from __future__ import annotations

import time
from dataclasses import dataclass

from conference.domain.chat import ChatModel, Message, Request
from conference.domain.phrase import Phrase
from conference.errors import PlenaryError
from conference.models.registry import chat_model
from conference.models.wrappers import Deadline

SECONDS = 90.0
"""Long enough for the embedded model to be started."""

_ASKED = Request(
    messages=(
        Message(role="system", content="You answer in plain prose."),
        Message(role="user", content="Say in three sentences what a good meeting needs."),
    ),
    max_tokens=96, temperature=0.0, top_logprobs=5,
)  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """What a trial found. `tokens_a_second` were written, once the model was up; `probabilities` are there when asked for."""

    model: str
    works: bool
    said: Phrase
    tokens_a_second: float | None = None
    probabilities: bool = False


async def tried(name: str, model: ChatModel | None = None) -> Trial:
    """Ask the model of this name. Never raises a PlenaryError: what fails is what it says."""
    try:
        found = Deadline(model or chat_model(name), SECONDS)
        begun = time.monotonic()
        reply = await found.complete(_ASKED)
        if time.monotonic() - begun > 5.0 and not reply.usage.decode_seconds:  # it was being started
            begun = time.monotonic()
            reply = await found.complete(_ASKED.model_copy(update={"seed": 2}))
    except PlenaryError as error:
        return Trial(name, False, Phrase("doesn't work: {error}", error=str(error)))
    seconds = reply.usage.decode_seconds or reply.usage.seconds or time.monotonic() - begun
    speed = reply.usage.completion_tokens / seconds if seconds > 0.001 else None
    judged = bool(reply.first_token)
    if speed is None:
        return Trial(name, True, Phrase("works, answers at once; {chances}", chances=_chances(judged)), None, judged)
    told = Phrase("works, writes {speed} tokens a second; {chances}", speed=f"{speed:.0f}", chances=_chances(judged))
    return Trial(name, True, told, speed, judged)


def _chances(there: bool) -> Phrase:
    if there:
        return Phrase("gives probabilities, so the llm judge reads them")
    return Phrase("gives no probabilities, so the llm judge asks for a written verdict")
