"""What of a reference a talk raised, and where."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from conference.domain.record import Record

Count = Annotated[int, Field(ge=0)]


class Quote(Record):
    """An utterance that raised a criterion, as said."""

    seq: Count
    speaker: str
    text: str


class CriterionCoverage(Record):
    """Whether a criterion was raised. `score` is the highest any utterance reached, 0 when nobody spoke."""

    name: str
    covered: bool
    score: float
    quotes: tuple[Quote, ...] = ()


class ClusterCoverage(Record):
    """A cluster is covered when one of its criteria is; `score` is the highest of theirs."""

    name: str
    covered: bool
    score: float
    criteria: tuple[CriterionCoverage, ...]


class ByChance(Record):
    """What as many utterances of talk about something else would cover: the null beside every figure of coverage.

    `clusters` and `criteria` are expected counts, from the share of `read` unrelated utterances that raise each.
    """

    clusters: float
    criteria: float
    read: Count


class Coverage(Record):
    """What a whole talk covers (docs/formats.md, *Coverage*). Dumps to the JSON people exchange."""

    reference: str
    clusters: tuple[ClusterCoverage, ...]
    covered_clusters: Count
    covered_criteria: Count
    utterances: Count = 0
    """How many utterances were read."""
    method: str = ""
    """How it was decided, with the version and the embedding model."""
    weak: bool = False
    """True when the reference has too few examples: a first impression, not a measurement."""
    by_chance: ByChance | None = None

    @property
    def never_raised(self) -> tuple[str, ...]:
        """Names of the criteria nobody raised, in the reference's order."""
        return tuple(item.name for cluster in self.clusters for item in cluster.criteria if not item.covered)


class UtteranceCoverage(Record):
    """What one utterance raises: nothing, one criterion or several (a row of `--by-utterance`).

    `scores` gives every criterion's score, 0 to 1. A raised one isn't always above the others of another line:
    it is raised because it beats *nothing of the list* in its own line or clause.
    """

    seq: Count
    criteria: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    scores: dict[str, float] = Field(default_factory=dict)


class GrowthPoint(Record):
    """How much was covered once the utterance `seq` had been said."""

    seq: Count
    clusters: Count
    criteria: Count


class StageCount(Record):
    """How many utterances of a stage raised a criterion of a cluster."""

    cluster: str
    stage: str | int | None
    utterances: Count
