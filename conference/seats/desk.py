"""What a seat works with: models by role, the embedder, and whom to tell what is being said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from conference.domain.chat import ChatModel, Embedder, Reply, Request, Usage
from conference.domain.events import Fault
from conference.domain.human import Asked, HumanTurn
from conference.domain.persona import Persona
from conference.domain.spec import Moves, Spec
from conference.errors import ModelError
from conference.moves.affinity import Affinity, shared_words
from conference.prompts.roleplay import DEFAULT_LAYOUT, Layout

SeatRole = Literal["moderator", "participant", "judge", "evaluator"]
OnFault = Callable[[int, ModelError, bool], None]
ModelFor = Callable[[SeatRole, str, str, OnFault], ChatModel]
"""Role, speaker's name, model's name, whom to tell of failed attempts; gives a model with deadline, retry, budget and record."""
Whisper = Callable[[str, str], None]
"""Called with the speaker's name and the words so far, while a turn is being written."""

AskHuman = Callable[[Asked], Awaitable[HumanTurn]]
"""Waits for the human whose turn it is."""


async def _nobody(asked: Asked) -> HumanTurn:
    raise ModelError(f"{asked.name} is played by a human, and none is here; hold the conference in the dashboard")


@dataclass
class Desk:
    """The tools of all seats of one conference. Nothing here is state of the conference: that is the log."""

    model_for: ModelFor
    near: Affinity = shared_words
    embedder: Embedder | None = None
    whisper: Whisper = lambda speaker, text: None
    layout: Layout = DEFAULT_LAYOUT
    human: AskHuman = _nobody
    faults: list[Fault] = field(default_factory=list)
    """Failed attempts of the act under way, not yet on the log."""
    _models: dict[tuple[str, str], ChatModel] = field(default_factory=dict)

    def model(self, spec: Spec, role: SeatRole, person: Persona | None = None) -> ChatModel:
        """The model that plays this role (for a participant: this persona)."""
        speaker = person.name if person else role
        key = (role, speaker)
        if key not in self._models:
            name = spec.models.of(role, person.id if person else "")
            self._models[key] = self.model_for(role, speaker, name, self._failed(role, speaker))
        return self._models[key]

    def _failed(self, role: SeatRole, speaker: str) -> OnFault:
        def keep(attempt: int, error: ModelError, again: bool) -> None:
            where = {"moderator": "frame", "participant": "turn", "judge": "judge", "evaluator": "score"}[role]
            self.faults.append(
                Fault(seq=0, at="", where=where, speaker=speaker, error=f"{type(error).__name__}: {error}", attempt=attempt)
            )

        return keep

    def moves_of(self, spec: Spec, model: ChatModel) -> Moves:
        """How far this model's turns are planned."""
        return spec.moves or ("planned" if model.small else "guided")


@dataclass
class Tally:
    """Adds up what the calls of one act used."""

    usage: Usage = field(default_factory=Usage)

    async def ask(self, model: ChatModel, request: Request, on_text: Callable[[str], None] | None = None) -> Reply:
        """One call, counted."""
        reply = await model.complete(request, on_text)
        self.usage = self.usage + reply.usage
        return reply
