"""What a reference lacks: examples to read talk by, and what nobody has checked."""

from __future__ import annotations

from dataclasses import dataclass

from conference.analysis.coverage_classifier import FEWEST_EXAMPLES
from conference.domain.reference import CHECKED, Cluster, Criterion, Option, Reference


@dataclass(frozen=True)
class Gap:
    """Criteria with fewer than `least` examples; `none` when not one criterion has any."""

    few: tuple[str, ...]
    none: bool
    least: int = FEWEST_EXAMPLES


def gaps_of(reference: Reference) -> Gap:
    """Which criteria talk can't well be read by."""
    few = tuple(item.name for item in reference.criteria if len(item.examples) < FEWEST_EXAMPLES)
    return Gap(few, not any(item.examples for item in reference.criteria))


def unchecked(reference: Reference) -> tuple[str, ...]:
    """Names of options, clusters and criteria that were recalled and not checked, each once."""
    named: list[Option | Cluster | Criterion] = [*reference.options, *reference.clusters, *reference.criteria]
    return tuple(dict.fromkeys(item.name for item in named if item.confidence not in CHECKED))
