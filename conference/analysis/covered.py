"""Coverage as a room shows it: clusters that open into criteria, what raised them, and how sure the reference's words are."""

from __future__ import annotations

from dataclasses import dataclass

from conference.domain.coverage import Coverage, CriterionCoverage
from conference.domain.phrase import Phrase
from conference.domain.reference import CHECKED, CONFIDENCE_IN_WORDS, Criterion, Reference

SHOWN_QUOTES = 3


@dataclass(frozen=True)
class CriterionView:
    """A criterion: whether it was raised, how often, and the numbers of the first lines that did."""

    name: str
    definition: str
    raised: int
    lines: tuple[int, ...]
    doubt: str
    """Why its words may not be the publication's; empty when they were checked."""


@dataclass(frozen=True)
class ClusterView:
    """A cluster with its criteria. `raised` of them were."""

    name: str
    raised: int
    criteria: tuple[CriterionView, ...]


@dataclass(frozen=True)
class CoveredView:
    """What a talk covers of a published conference."""

    title: str
    citation: str
    clusters: tuple[ClusterView, ...]
    raised_clusters: int
    raised: int
    of: int
    unchecked: int
    """Criteria whose words nobody checked against the publication."""
    weak: bool
    utterances: int
    by_chance: str
    """What talk about something else, as long as this one, would cover; empty when nobody knows."""


def covered_view(found: Coverage, reference: Reference) -> CoveredView:
    """Both must be of the same reference."""
    clusters = tuple(
        ClusterView(
            cluster.name,
            sum(item.covered for item in counted.criteria),
            tuple(map(_criterion, cluster.criteria, counted.criteria)),
        )
        for cluster, counted in zip(reference.clusters, found.clusters, strict=True)
    )
    return CoveredView(
        title=reference.title, citation=reference.citation, clusters=clusters, raised_clusters=found.covered_clusters,
        raised=found.covered_criteria, of=len(reference.criteria), weak=found.weak, utterances=found.utterances,
        unchecked=sum(item.confidence not in CHECKED for item in reference.criteria), by_chance=chance_in_words(found),
    )  # fmt: skip


def chance_in_words(found: Coverage) -> str:
    """What talk about something else, as long as this one, would cover; empty when nobody knows."""
    if found.by_chance is None:
        return ""
    clusters, criteria = f"{found.by_chance.clusters:.1f}", f"{found.by_chance.criteria:.1f}"
    return Phrase("{clusters} clusters and {criteria} criteria", clusters=clusters, criteria=criteria)


def _criterion(item: Criterion, found: CriterionCoverage) -> CriterionView:
    lines = tuple(dict.fromkeys(quote.seq for quote in found.quotes))
    doubt = "" if item.confidence in CHECKED else CONFIDENCE_IN_WORDS[item.confidence]
    return CriterionView(item.name, item.definition, len(lines), lines[:SHOWN_QUOTES], doubt)
