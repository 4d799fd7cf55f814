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
