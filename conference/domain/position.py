"""What participants hold, and what a judge says of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from conference.domain.record import Name, Record, Words

Stance = Literal["support", "oppose", "undecided"]
Verdict = Literal["agreement", "continue", "unreadable"]
Gradient = Annotated[int, Field(ge=1, le=8)]
"""Gradient of agreement: 1 veto … 8 wholehearted."""
Probability = Annotated[float, Field(ge=0, le=1)]


class Evidence(Record):
    """Verbatim words a call rests on. `turn` is the 0-based turn of the dialogue that was judged."""

    turn: Annotated[int, Field(ge=0)]
    speaker: Name
    quote: Words


class Judgement(Record):
    """A judge's verdict on a dialogue, with its reasons.

    `confidence` is how sure the judge is of its verdict (0 to 1); None when it is unreadable.
    `probabilities` keeps what it was derived from: participant name (or `overall`) to P(accepts).
    """

    verdict: Verdict
    confidence: Probability | None = None
    positions: dict[str, Stance] = Field(default_factory=dict)
    gradients: dict[str, Gradient] = Field(default_factory=dict)
    conditions: dict[str, str] = Field(default_factory=dict)
    """Participant to what would have to change, in its own words."""
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    proposal: str = ""
    """The proposal that was judged, as the judge states it."""
    probabilities: dict[str, Probability] = Field(default_factory=dict)
    judge: Name
    model: str = ""
    prompt_version: str = ""
