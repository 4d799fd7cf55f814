from __future__ import annotations

from conference.analysis.coverage import Line
from conference.analysis.coverage_growth import by_stage, growth
from conference.domain.coverage import GrowthPoint, StageCount, UtteranceCoverage
from conference.domain.reference import Reference

ROWS = [
    UtteranceCoverage(seq=1, criteria=("Crime",), clusters=("Society",)),
    UtteranceCoverage(seq=2),
    UtteranceCoverage(seq=5, criteria=("Jobs", "Nature"), clusters=("Society", "Land")),
]


def test_growth_counts_each_cluster_and_criterion_once() -> None:
    assert growth(ROWS) == [
        GrowthPoint(seq=1, clusters=1, criteria=1),
        GrowthPoint(seq=2, clusters=1, criteria=1),
        GrowthPoint(seq=5, clusters=2, criteria=3),
    ]
    assert growth([]) == []


def test_every_cluster_is_counted_in_every_stage(reference: Reference) -> None:
    lines = [Line(1, "A", "…", "Criteria"), Line(2, "B", "…", "Criteria"), Line(5, "A", "…", "Options")]
    counts = by_stage(reference, lines, ROWS)
    assert counts == [
        StageCount(cluster="Society", stage="Criteria", utterances=1),
        StageCount(cluster="Society", stage="Options", utterances=1),
        StageCount(cluster="Land", stage="Criteria", utterances=0),
        StageCount(cluster="Land", stage="Options", utterances=1),
    ]
