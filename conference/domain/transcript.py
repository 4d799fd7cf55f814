"""What was said, without how it came about: turns, and dialogues for judging."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from conference.domain.record import Name, Record


class Turn(Record):
    """One turn of a transcript (docs/formats.md, *Transcript, minimal*)."""

    speaker: Name
    text: str
    stage: str | int | None = None
    round: int | None = None
    role: str | None = None
    seq: Annotated[int, Field(ge=0)] | None = None


class Dialogue(Record):
    """An exchange a judge is asked about (docs/formats.md, *Dialogues for judging*)."""

    id: str
    topic: str = ""
    question: str = ""
    participants: tuple[Name, ...]
    turns: tuple[Turn, ...]
    proposal: str = ""
    """The proposal on the table, where it is known."""
    label: Literal["agreement", "continue"] | None = None

    def last_turns(self) -> dict[str, int]:
        """Who said something, to the 0-based place of its last turn with words."""
        return {turn.speaker: place for place, turn in enumerate(self.turns) if turn.text.strip()}
