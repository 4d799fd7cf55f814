"""References and coverage: what is found in them."""

from __future__ import annotations

from conference.domain.coverage import ClusterCoverage, Coverage, CriterionCoverage
from conference.domain.reference import Cluster, Criterion, Reference

BOATS = Criterion(name="Boats", definition="How many sail")
FARES = Criterion(name="Fares", definition="What they cost")
SEALS = Criterion(name="Seals", definition="How they sleep")
FERRY = Reference(
    id="f", title="Ferry", clusters=(Cluster(name="Service", criteria=(BOATS, FARES)), Cluster(name="Nature", criteria=(SEALS,)))
)


def test_criteria_in_the_order_of_their_clusters() -> None:
    assert FERRY.criteria == (BOATS, FARES, SEALS)
    assert [FERRY.cluster_of(c.name) for c in FERRY.criteria] == ["Service", "Service", "Nature"]


def test_what_was_never_raised() -> None:
    clusters = (
        ClusterCoverage(
            name="Service", covered=True, score=0.9,
            criteria=(CriterionCoverage(name="Boats", covered=True, score=0.9), CriterionCoverage(name="Fares", covered=False, score=0.1)),
        ),
        ClusterCoverage(name="Nature", covered=False, score=0, criteria=(CriterionCoverage(name="Seals", covered=False, score=0),)),
    )  # fmt: skip
    assert Coverage(reference="f", clusters=clusters, covered_clusters=1, covered_criteria=1).never_raised == ("Fares", "Seals")
