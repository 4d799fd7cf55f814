"""Coverage over time and by stage, ready to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from conference.analysis.coverage import Line
from conference.domain.coverage import GrowthPoint, StageCount, UtteranceCoverage
from conference.domain.reference import Reference


def growth(rows: Sequence[UtteranceCoverage]) -> list[GrowthPoint]:
    """After each utterance, how many clusters and criteria had been raised: two step curves."""
    clusters: set[str] = set()
    criteria: set[str] = set()
    points = []
    for row in rows:
        clusters.update(row.clusters)
        criteria.update(row.criteria)
        points.append(GrowthPoint(seq=row.seq, clusters=len(clusters), criteria=len(criteria)))
    return points


def by_stage(reference: Reference, lines: Sequence[Line], rows: Sequence[UtteranceCoverage]) -> list[StageCount]:
    """For every cluster and every stage, how many utterances raised it; zeros included, stages in order of appearance."""
    counts = Counter((cluster, line.stage) for line, row in zip(lines, rows, strict=True) for cluster in row.clusters)
    stages = list(dict.fromkeys(line.stage for line in lines))
    return [
        StageCount(cluster=cluster.name, stage=stage, utterances=counts[cluster.name, stage])
        for cluster in reference.clusters
        for stage in stages
    ]


def stage_starts(lines: Sequence[Line]) -> list[tuple[int, str | int | None]]:
    """Where each stage begins: how many lines stand before its first one, and the stage."""
    return [(at, line.stage) for at, line in enumerate(lines) if at == 0 or line.stage != lines[at - 1].stage]


def steps_to(lines: int, most: int = 60) -> list[int]:
    """Numbers of lines from 0 to `lines`, evenly spread, at which a smooth curve is worth a point."""
    return sorted({round(lines * step / (most - 1)) for step in range(most)})


def steps_up(points: Sequence[GrowthPoint]) -> list[tuple[int, GrowthPoint]]:
    """The points at which something new was raised, each with its place, 1-based."""
    before = [GrowthPoint(seq=0, clusters=0, criteria=0), *points]
    return [(at, point) for at, point in enumerate(points, 1) if point.criteria > before[at - 1].criteria]
