"""Verdicts against labels, by rules fixed beforehand: one place, so that every judge is measured alike.

An unreadable verdict is wrong and is counted. Macro-F1 first, accuracy beside it, every class shown, intervals by
bootstrap over groups (dialogues, topics, documents), and the false-agreement rate on its own: stopping too early is the costly error.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from conference.analysis.intervals import Statistic, Weights, bootstrap, ratio, share
from conference.domain.scores import ClassificationScore, ClassScore, Interval, Share

UNREADABLE = "unreadable"


def classification(
    labels: Sequence[str],
    verdicts: Sequence[str],
    *,
    groups: Sequence[Hashable] | None = None,
    probabilities: Sequence[float | None] | None = None,
    positive: str = "agreement",
    classes: Sequence[str] | None = None,
) -> ClassificationScore:
    """Score verdicts against labels.

    `groups`: what is resampled (default: every item by itself). `probabilities`: of the positive class, None where it isn't
    known (see `probability_of`). `classes`: in the order of the tables, by default those of the labels, sorted.
    Raises ValueError when the lengths differ, or a verdict is neither a class nor `unreadable`.
    """
    _same_length(labels, verdicts, groups, probabilities)
    known = tuple(classes or sorted(set(labels)))
    stray = (set(verdicts) - {UNREADABLE} | set(labels)) - set(known)
    if stray:
        raise ValueError(
            f"{sorted(stray)[0]!r} is not one of the classes {', '.join(known)}; map it first, or name it in classes"
        )
    groups = range(len(labels)) if groups is None else groups
    per_class = _per_class(labels, verdicts, known)
    auroc, auroc_items = _auroc(labels, probabilities, groups, positive, known)
    return ClassificationScore(
        items=len(labels),
        groups=len(set(groups)),
        macro_f1=bootstrap(_macro_f1(labels, verdicts, known), groups),
        accuracy=bootstrap(_accuracy(labels, verdicts), groups),
        balanced_accuracy=_mean([item.recall for item in per_class]),
        classes=per_class,
        labels=known,
        columns=(*known, UNREADABLE),
        confusion=_confusion(labels, verdicts, known),
        unreadable=share(sum(verdict == UNREADABLE for verdict in verdicts), len(verdicts)),
        false_agreement=_false_agreement(labels, verdicts),
        auroc=auroc,
        auroc_items=auroc_items,
    )


def probability_of(positive: str, verdict: str, confidence: float | None) -> float | None:
    """P(positive) from a verdict of two classes and its confidence; None when unreadable or no confidence was given."""
    if confidence is None or verdict == UNREADABLE:
        return None
    return confidence if verdict == positive else 1 - confidence


def _macro_f1(labels: Sequence[str], verdicts: Sequence[str], classes: Sequence[str]) -> Statistic:
    """Mean over the classes of 2·TP / (labelled + predicted); a class that a resample doesn't hold leaves its mean."""
    labelled = np.array([[label == one for one in classes] for label in labels], dtype=float)
    predicted = np.array([[verdict == one for one in classes] for verdict in verdicts], dtype=float)

    def of(weights: Weights) -> npt.NDArray[np.float64]:
        found, held, called = (weights @ part for part in (labelled * predicted, labelled, predicted))
        scores = ratio(2 * found, np.where(held > 0, held + called, 0))
        return np.asarray(np.nanmean(scores, axis=1))

    return of


def _accuracy(labels: Sequence[str], verdicts: Sequence[str]) -> Statistic:
    right = np.array([label == verdict for label, verdict in zip(labels, verdicts, strict=True)], dtype=float)
    return lambda weights: weights @ right / weights.sum(axis=1)


def _per_class(labels: Sequence[str], verdicts: Sequence[str], classes: Sequence[str]) -> tuple[ClassScore, ...]:
    from sklearn.metrics import precision_recall_fscore_support

    if not labels:
        return ()
    columns = precision_recall_fscore_support(labels, verdicts, labels=list(classes), zero_division=np.nan)
    return tuple(
        ClassScore(
            label=label,
            precision=_or_none(precision),
            recall=_or_none(recall),
            f1=_or_none(f1),
            support=int(support),
            predicted=sum(verdict == label for verdict in verdicts),
        )
        for label, precision, recall, f1, support in zip(classes, *columns, strict=True)
    )


def _confusion(labels: Sequence[str], verdicts: Sequence[str], classes: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    from sklearn.metrics import confusion_matrix

    if not labels:
        return tuple((0,) * (len(classes) + 1) for _ in classes)
    counts = confusion_matrix(labels, verdicts, labels=[*classes, UNREADABLE])[:-1]
    return tuple(tuple(int(count) for count in row) for row in counts)


def _false_agreement(labels: Sequence[str], verdicts: Sequence[str]) -> Share | None:
    if not set(labels) <= {"agreement", "continue"}:
        return None
    open_ones = [verdict for label, verdict in zip(labels, verdicts, strict=True) if label == "continue"]
    return share(open_ones.count("agreement"), len(open_ones))


def _auroc(
    labels: Sequence[str],
    probabilities: Sequence[float | None] | None,
    groups: Sequence[Hashable],
    positive: str,
    classes: Sequence[str],
) -> tuple[Interval | None, int]:
    rated = [
        (label == positive, probability, group)
        for label, probability, group in zip(labels, probabilities or (), groups, strict=False)
        if probability is not None
    ]
    if len(classes) != 2 or positive not in classes or len({is_positive for is_positive, _, _ in rated}) != 2:
        return None, len(rated)
    positives, scores, of_groups = zip(*rated, strict=True)
    return bootstrap(_rank_statistic(np.array(positives), np.array(scores)), of_groups), len(rated)


def _rank_statistic(positives: npt.NDArray[np.bool_], scores: npt.NDArray[np.float64]) -> Statistic:
    """AUROC = P(a positive scores above a negative), ties half: the Mann–Whitney statistic, for all resamples at once."""
    above = scores[positives][:, None] - scores[~positives][None, :]
    wins = (above > 0) + 0.5 * (above == 0)

    def of(weights: Weights) -> npt.NDArray[np.float64]:
        plus, minus = weights[:, positives], weights[:, ~positives]
        return ratio(((plus @ wins) * minus).sum(axis=1), plus.sum(axis=1) * minus.sum(axis=1))

    return of


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _same_length(labels: Sequence[str], *others: Sequence[object] | None) -> None:
    for other in others:
        if other is not None and len(other) != len(labels):
            raise ValueError(f"{len(labels)} labels but {len(other)} values beside them; give one for each item")
