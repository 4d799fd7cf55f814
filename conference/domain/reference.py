"""A real conference's published outcome."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from conference.domain.record import Name, Record, Words

Confidence = Literal["verified_text", "verified_data", "derived", "recalled_unverified", "low_confidence_recall"]

CHECKED: tuple[Confidence, ...] = ("verified_text", "verified_data", "derived")
"""Confidences of words that somebody compared with the publication."""
CONFIDENCE_IN_WORDS: dict[Confidence, str] = {
    "verified_text": "seen in the publication's text",
    "verified_data": "read from published data",
    "derived": "computed from published values",
    "recalled_unverified": "recalled, not checked against the publication",
    "low_confidence_recall": "recalled with little certainty, not checked",
}


class Option(Record):
    """One of the alternatives that were compared."""

    name: Name
    confidence: Confidence = "recalled_unverified"
    note: str | None = None
    scores: dict[str, float | None] = Field(default_factory=dict)


class Criterion(Record):
    """Something options were judged on; `examples` are utterances that raise it."""

    name: Name
    definition: Words
    weight: float | None = None
    confidence: Confidence = "recalled_unverified"
    note: str | None = None
    examples: tuple[Words, ...] = ()


class Cluster(Record):
    """Criteria that belong together."""

    name: Name
    confidence: Confidence = "recalled_unverified"
    note: str | None = None
    criteria: tuple[Criterion, ...] = Field(min_length=1)


class Reference(Record):
    """A real, published conference. What nobody verified is null or says so."""

    id: Name
    title: Words
    citation: str = ""
    year: int | None = None
    decision_question: str = ""
    licence: str | None = None
    options: tuple[Option, ...] = ()
    outcome: dict[str, Any] = Field(default_factory=dict)
    clusters: tuple[Cluster, ...] = Field(min_length=1)
    none_examples: tuple[Words, ...] = ()
    participants: dict[str, Any] = Field(default_factory=dict)
    facts: dict[str, Any] = Field(default_factory=dict)
    provenance: dict[str, Any] = Field(default_factory=dict)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """All criteria, in the order of their clusters."""
        return tuple(criterion for cluster in self.clusters for criterion in cluster.criteria)

    def cluster_of(self, criterion: str) -> str:
        """The name of the cluster a criterion belongs to."""
        return next(c.name for c in self.clusters if any(item.name == criterion for item in c.criteria))
