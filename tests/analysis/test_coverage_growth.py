from __future__ import annotations

import pytest

from conference.analysis.coverage import Line
from conference.analysis.coverage_growth import by_stage, growth, stage_starts, steps_to, steps_up
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


def test_where_stages_begin() -> None:
    lines = [Line(seq, "Ann", "x", stage) for seq, stage in ((2, 0), (3, 0), (7, 1), (9, 2))]
    assert stage_starts(lines) == [(0, 0), (2, 1), (3, 2)]
    assert stage_starts([]) == []


@pytest.mark.parametrize(
    ("lines", "most", "steps"), [(0, 60, [0]), (3, 60, [0, 1, 2, 3]), (100, 3, [0, 50, 100]), (10, 5, [0, 2, 5, 8, 10])]
)
def test_where_a_smooth_curve_gets_its_points(lines: int, most: int, steps: list[int]) -> None:
    assert steps_to(lines, most) == steps


def test_only_the_points_that_rise() -> None:
    points = [
        GrowthPoint(seq=seq, clusters=min(criteria, 1), criteria=criteria) for seq, criteria in ((2, 0), (5, 2), (6, 2), (9, 3))
    ]
    assert [(at, point.seq) for at, point in steps_up(points)] == [(2, 5), (4, 9)]
