from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, roc_auc_score

from conference.analysis.scoring import classification, probability_of
from conference.domain.scores import ClassScore

A, C, U = "agreement", "continue", "unreadable"
LABELS = [A, A, A, C, C, C, C, C]
VERDICTS = [A, A, C, A, C, C, C, U]


def test_every_figure_of_a_small_table() -> None:
    score = classification(LABELS, VERDICTS)
    # agreement: found 2 of 3 labelled, 3 called: P = 2/3, R = 2/3, F1 = 2·2/(3 + 3) = 2/3
    # continue: found 3 of 5 labelled, 4 called: P = 3/4, R = 3/5, F1 = 2·3/(5 + 4) = 2/3
    assert score.classes == (
        ClassScore(label=A, precision=2 / 3, recall=2 / 3, f1=2 / 3, support=3, predicted=3),
        ClassScore(label=C, precision=3 / 4, recall=3 / 5, f1=2 / 3, support=5, predicted=4),
    )
    assert score.macro_f1.estimate == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert score.accuracy.estimate == pytest.approx(5 / 8)  # the unreadable one is wrong
    assert score.balanced_accuracy == pytest.approx((2 / 3 + 3 / 5) / 2)
    assert (score.labels, score.columns) == ((A, C), (A, C, U))
    assert score.confusion == ((2, 1, 0), (1, 3, 1))
    assert (score.unreadable.count, score.unreadable.of) == (1, 8)
    assert score.false_agreement is not None
    assert (score.false_agreement.count, score.false_agreement.of) == (1, 5)
    assert score.auroc is None


def test_intervals_are_over_groups() -> None:
    score = classification(LABELS, VERDICTS, groups=["x", "x", "x", "x", "y", "y", "z", "z"])
    assert (score.items, score.groups, score.macro_f1.groups, score.macro_f1.resamples) == (8, 3, 3, 2_000)
    assert score.macro_f1.low <= score.macro_f1.estimate <= score.macro_f1.high


def test_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    # Positives .9, .6, .4; negatives .6, .3: of 6 pairs, .9 wins 2, .6 ties once and wins once, .4 wins one: 4.5 / 6.
    score = classification([A, A, A, C, C], [A, A, C, A, C], probabilities=[0.9, 0.6, 0.4, 0.6, 0.3])
    assert score.auroc is not None
    assert score.auroc.estimate == pytest.approx(4.5 / 6)
    assert score.auroc_items == 5


def test_items_without_a_probability_leave_the_auroc_and_are_counted() -> None:
    score = classification([A, A, C, C], [A, U, A, C], probabilities=[0.9, None, 0.8, 0.1])
    assert score.auroc is not None
    assert (score.auroc.estimate, score.auroc_items) == (1.0, 3)


@pytest.mark.parametrize(
    ("labels", "probabilities"),
    [([A, A], [0.4, 0.5]), ([A, C], [0.4, None]), ([A, C], [None, None])],
)
def test_auroc_needs_both_classes(labels: list[str], probabilities: list[float | None]) -> None:
    assert classification(labels, labels, probabilities=probabilities).auroc is None


@pytest.mark.parametrize(
    ("verdict", "confidence", "probability"),
    [(A, 0.8, 0.8), (C, 0.8, pytest.approx(0.2)), (U, 0.8, None), (A, None, None)],
)
def test_confidence_becomes_a_probability_of_agreement(verdict: str, confidence: float | None, probability: float | None) -> None:
    assert probability_of(A, verdict, confidence) == probability


def test_a_class_that_is_never_labelled_is_shown_but_leaves_the_mean() -> None:
    # A neutral answer on claims that are pro or con is wrong: pro 2·1/(2 + 1) = 2/3, con 2·1/(1 + 1) = 1.
    score = classification(["pro", "pro", "con"], ["pro", "neutral", "con"], classes=("pro", "con", "neutral"))
    assert score.macro_f1.estimate == pytest.approx((2 / 3 + 1) / 2)
    assert score.accuracy.estimate == pytest.approx(2 / 3)
    neutral = score.classes[2]
    assert (neutral.precision, neutral.recall, neutral.support, neutral.predicted) == (0.0, None, 0, 1)
    assert score.false_agreement is None


def test_a_class_that_is_never_called_has_no_precision() -> None:
    score = classification([A, C], [C, C])
    assert (score.classes[0].precision, score.classes[0].recall, score.classes[0].f1) == (None, 0.0, 0.0)
    assert score.macro_f1.estimate == pytest.approx((0 + 2 / 3) / 2)


def test_nothing_to_score() -> None:
    score = classification([], [], classes=(A, C))
    assert (score.items, score.macro_f1.estimate, score.unreadable.value) == (0, None, None)
    assert score.confusion == ((0, 0, 0), (0, 0, 0))


@pytest.mark.parametrize(
    ("labels", "verdicts", "says"),
    [
        ([A], [A, C], "1 labels but 2 values"),
        ([A, C], [A, "perhaps"], "'perhaps' is not one of the classes agreement, continue"),
        ([A, U], [A, A], "'unreadable' is not one of the classes"),
    ],
)
def test_mistakes_are_named(labels: list[str], verdicts: list[str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        classification(labels, verdicts, classes=(A, C))


def test_the_table_starts_with_macro_f1_and_ends_with_unreadable() -> None:
    rows = classification(LABELS, VERDICTS).rows
    assert [row.what for row in rows[:3]] == ["macro-F1", "accuracy", "balanced accuracy"]
    assert [row.what for row in rows[-2:]] == ["false agreement", "unreadable"]
    assert rows[-1].value == pytest.approx(1 / 8)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_macro_f1_is_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    labels, verdicts = (list(side) for side in zip(*pairs, strict=True))
    present = sorted(set(labels))
    expected = f1_score(labels, verdicts, labels=present, average="macro", zero_division=0)
    assert classification(labels, verdicts, classes="abc").macro_f1.estimate == pytest.approx(expected)


def test_auroc_is_scikit_learns_for_weights_too() -> None:
    rng = np.random.default_rng(3)
    labels = rng.choice([A, C], 60).tolist()
    chances = rng.random(60).round(1).tolist()
    score = classification(labels, labels, probabilities=chances)
    assert score.auroc is not None
    assert score.auroc.estimate == pytest.approx(roc_auc_score([label == A for label in labels], chances))
