"""Coverage against labels: F1 on utterances; balanced accuracy and exact sets on transcripts, never transcript F1 alone.

(Calling everything covered has a high F1 on transcripts, and a balanced accuracy of .5.)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from collections.abc import Set as AnySet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from conference.analysis.intervals import Statistic, Weights, bootstrap, ratio, share
from conference.domain.scores import LabelScore, TranscriptCoverageScore, UtteranceCoverageScore

Names = AnySet[str]


@dataclass(frozen=True)
class Labelled:
    """What one item raises according to its labels, and what was found."""

    criteria: Names
    found_criteria: Names
    clusters: Names
    found_clusters: Names
    group: Hashable


@dataclass(frozen=True)
class Talk:
    """The clusters a transcript covers, those that were found, and all there are."""

    clusters: Names
    found: Names
    all_clusters: Names


def score_utterances(items: Sequence[Labelled]) -> UtteranceCoverageScore:
    """Micro F1 over criteria and over clusters, with intervals over the items' groups."""
    groups = [item.group for item in items]
    nothing = [item for item in items if not item.criteria]
    several = [item for item in items if len(item.criteria) > 1]
    found = sum(len(item.criteria & item.found_criteria) for item in several)
    return UtteranceCoverageScore(
        items=len(items),
        criteria=_labels([(item.criteria, item.found_criteria) for item in items], groups),
        clusters=_labels([(item.clusters, item.found_clusters) for item in items], groups),
        falsely_labelled=share(sum(bool(item.found_criteria) for item in nothing), len(nothing)),
        recall_of_several=found / sum(len(item.criteria) for item in several) if several else None,
    )


def score_transcripts(talks: Sequence[Talk]) -> TranscriptCoverageScore:
    """Balanced accuracy over the clusters of all transcripts, resampling transcripts, and the rate of exact sets."""
    cells = [
        (at, cluster in talk.clusters, cluster in talk.found)
        for at, talk in enumerate(talks)
        for cluster in sorted(talk.all_clusters)
    ]
    covered = [found for _, is_covered, found in cells if is_covered]
    missed = [not found for _, is_covered, found in cells if not is_covered]
    return TranscriptCoverageScore(
        items=len(talks),
        balanced_accuracy=bootstrap(_balanced([c for _, c, _ in cells], [f for _, _, f in cells]), [at for at, _, _ in cells]),
        covered_found=share(sum(covered), len(covered)),
        missed_found=share(sum(missed), len(missed)),
        exact=share(sum(talk.clusters == talk.found for talk in talks), len(talks)),
    )


def _labels(pairs: Sequence[tuple[Names, Names]], groups: Sequence[Hashable]) -> LabelScore:
    both, labelled, found = (
        np.array(counts, dtype=float)
        for counts in (
            [len(truth & guess) for truth, guess in pairs],
            [len(truth) for truth, _ in pairs],
            [len(guess) for _, guess in pairs],
        )
    )

    def f1(weights: Weights) -> npt.NDArray[np.float64]:
        """2·both / (labelled + found), counted over all items."""
        return ratio(2 * weights @ both, weights @ (labelled + found))

    return LabelScore(
        f1=bootstrap(f1, groups),
        precision=float(both.sum() / found.sum()) if found.sum() else None,
        recall=float(both.sum() / labelled.sum()) if labelled.sum() else None,
    )


def _balanced(covered: Sequence[bool], found: Sequence[bool]) -> Statistic:
    """Mean of the share of covered cells found covered and of missed cells found missed; a missing kind has no value."""
    is_covered, is_found = np.array(covered, dtype=float), np.array(found, dtype=float)

    def of(weights: Weights) -> npt.NDArray[np.float64]:
        sensitivity = ratio(weights @ (is_covered * is_found), weights @ is_covered)
        specificity = ratio(weights @ ((1 - is_covered) * (1 - is_found)), weights @ (1 - is_covered))
        return (sensitivity + specificity) / 2

    return of
