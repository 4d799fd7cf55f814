"""Judging dialogues that are no conference of ours: from a file of dialogues to a file of calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from conference.domain.chat import ChatModel
from conference.domain.persona import Persona
from conference.domain.position import Judgement
from conference.domain.transcript import Dialogue
from conference.errors import ModelReplyError
from conference.home import home
from conference.judges.hearing import Hearing, Judge
from conference.judges.registry import judge_named
from conference.models.kept import KeptBytes
from conference.models.registry import chat_model
from conference.models.wrappers import Cached, Deadline, Retrying
from conference.running import deadline_of


@dataclass(frozen=True)
class Bench:
    """A judge with its model, ready to hear dialogues."""

    judge: Judge
    model: ChatModel

    def call(self, dialogue: Dialogue) -> Judgement:
        """The judge's verdict; `unreadable` when the model's replies can't be read. Raises ModelError when it can't be asked."""
        try:
            return asyncio.run(self._heard(dialogue))
        except ModelReplyError as error:
            return Judgement(verdict="unreadable", reason=str(error), judge=self.judge.name, model=self.model.name)

    async def _heard(self, dialogue: Dialogue) -> Judgement:
        hearing = Hearing(
            dialogue=dialogue, personas=_personas(dialogue), judge_model=lambda: self.model, own_model=lambda person: self.model
        )  # fmt: skip
        found = [item async for item in self.judge.hear(hearing)]
        assert isinstance(found[-1], Judgement)
        return found[-1]


def bench(judge: str, model: str) -> Bench:
    """Raises UnknownName or SetupError. Replies at temperature 0 are kept, so that a broken-off file goes on where it stopped."""
    bare = chat_model(model)
    wrapped = Retrying(Cached(Deadline(bare, deadline_of(model)), KeptBytes(home() / "replies.db")))
    return Bench(judge_named(judge), wrapped)


def _personas(dialogue: Dialogue) -> tuple[Persona, ...]:
    """Participants of whom only what they said is known."""
    return tuple(
        Persona(id=f"p{i}", name=name, role="participant", aim="You hold what you said in the transcript, and nothing else.")
        for i, name in enumerate(dialogue.participants)
    )  # fmt: skip


def calls(dialogues: list[Dialogue], at: Bench, on_done: Callable[[int], None] = lambda n: None) -> Iterator[dict[str, Any]]:
    """One call a dialogue, as it is written to a file (docs/formats.md, *Calls*)."""
    for number, dialogue in enumerate(dialogues, 1):
        yield as_call(dialogue.id, at.call(dialogue))
        on_done(number)


def as_call(dialogue_id: str, judgement: Judgement) -> dict[str, Any]:
    """The keys of a call line; the proposal judged and the probabilities come along."""
    value = judgement.model_dump(mode="json", exclude={"gradients", "conditions", "evidence"})
    evidence = [{"turn": item.turn, "quote": item.quote} for item in judgement.evidence]
    return {"id": dialogue_id, **value, "evidence": evidence}


def call_line(call: dict[str, Any]) -> str:
    """One line of a calls file."""
    return json.dumps(call, ensure_ascii=False)
