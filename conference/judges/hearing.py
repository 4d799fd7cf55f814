"""What a judge hears, and the contract of a judge."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from conference.domain.chat import ChatModel
from conference.domain.events import Ballot
from conference.domain.persona import Persona
from conference.domain.position import Judgement
from conference.domain.transcript import Dialogue


@dataclass(frozen=True)
class Hearing:
    """One round to be judged: what was said in the stage so far, who sits there, and the models to ask."""

    dialogue: Dialogue
    personas: tuple[Persona, ...]
    judge_model: Callable[[], ChatModel]
    own_model: Callable[[Persona], ChatModel]
    """The model that plays a participant."""
    threshold: float | None = None
    cast: Mapping[str, Ballot] = field(default_factory=dict)
    """Ballots of this round that are on the log already, by participant."""


class Judge(Protocol):
    """Calls agreement or continue. Never debates."""

    name: str
    version: str

    def hear(self, hearing: Hearing) -> AsyncIterator[Ballot | Judgement]:
        """Ballots as they are cast, then the judgement. Raises ModelError when a model can't be asked."""
        ...
