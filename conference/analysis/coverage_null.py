"""What talk about something else would cover: over a long talk a few false positives fill every cluster."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from conference.analysis.coverage_cache import Shelf
from conference.domain.coverage import ByChance, UtteranceCoverage
from conference.domain.reference import Reference

Counts = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Null:
    """Of `read` unrelated utterances, how many raised each criterion and each cluster, in the reference's order."""

    criteria: Counts
    clusters: Counts
    read: int

    def expected(self, utterances: int) -> ByChance:
        """How many clusters and criteria at least one of so many unrelated utterances would raise: the sum of 1 - (1 - share)^n."""
        missed = [(1 - counts / self.read) ** utterances for counts in (self.clusters, self.criteria)]
        clusters, criteria = (round(float((1 - part).sum()), 2) for part in missed)
        return ByChance(clusters=clusters, criteria=criteria, read=self.read)


def null_for(
    reference: Reference, learnt: str, texts: Sequence[str], shelf: Shelf, rows: Callable[[], Sequence[UtteranceCoverage]]
) -> Null:
    """Count what `rows` (of these unrelated `texts`, read by what is `learnt`) raise, or fetch what was counted before."""
    key = hashlib.sha256(json.dumps(["null", learnt, list(texts)]).encode()).hexdigest()
    shapes = {"criteria": (len(reference.criteria),), "clusters": (len(reference.clusters),)}
    found = shelf.get(key, shapes)
    if found is None:
        read = rows()
        found = {
            "criteria": _counts([item.name for item in reference.criteria], [row.criteria for row in read]),
            "clusters": _counts([item.name for item in reference.clusters], [row.clusters for row in read]),
        }
        shelf.put(key, found)
    return Null(found["criteria"], found["clusters"], len(texts))


def _counts(names: Sequence[str], raised: Sequence[Sequence[str]]) -> Counts:
    return np.array([sum(name in row for row in raised) for name in names], dtype=np.float32)
