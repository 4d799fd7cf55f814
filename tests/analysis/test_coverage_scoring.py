from __future__ import annotations

import pytest

from conference.analysis.coverage_scoring import Labelled, Talk, score_transcripts, score_utterances


def _item(criteria: str, found: str, clusters: str = "", found_clusters: str = "", group: str = "g") -> Labelled:
    return Labelled(set(criteria), set(found), set(clusters), set(found_clusters), group)


def test_utterances_are_counted_together() -> None:
    score = score_utterances(
        [
            _item("ab", "a", "X", "X", "1"),
            _item("c", "cd", "Y", "YZ", "2"),
            _item("", "e", "", "X", "3"),
            _item("", "", "", "", "4"),
        ]
    )
    # Criteria: both 1 + 1, labelled 2 + 1, found 1 + 2 + 1: P = 2/4, R = 2/3, F1 = 2·2 / (3 + 4).
    assert (score.criteria.precision, score.criteria.recall) == (2 / 4, 2 / 3)
    assert score.criteria.f1.estimate == pytest.approx(4 / 7)
    # Clusters: both 1 + 1, labelled 2, found 1 + 2 + 1: F1 = 4 / 6.
    assert score.clusters.f1.estimate == pytest.approx(4 / 6)
    assert (score.falsely_labelled.count, score.falsely_labelled.of) == (1, 2)
    assert score.recall_of_several == 1 / 2
    assert (score.items, score.criteria.f1.groups) == (4, 4)
    assert score.criteria.f1.low <= 4 / 7 <= score.criteria.f1.high


def test_utterances_where_nothing_is_raised_or_found_have_no_f1() -> None:
    score = score_utterances([_item("", "")])
    assert (score.criteria.f1.estimate, score.criteria.precision, score.criteria.recall) == (None, None, None)
    assert score.recall_of_several is None
    assert score.falsely_labelled.value == 0


def test_transcripts_are_scored_by_their_clusters() -> None:
    score = score_transcripts([Talk(set("ab"), set("ab"), set("abcd")), Talk(set("abc"), set("abd"), set("abcd"))])
    # Covered cells 2 + 3, of which found 2 + 2: 4/5. Missed cells 2 + 1, of which left alone 2 + 0: 2/3.
    assert (score.covered_found.count, score.covered_found.of) == (4, 5)
    assert (score.missed_found.count, score.missed_found.of) == (2, 3)
    assert score.balanced_accuracy.estimate == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert score.balanced_accuracy.groups == 2
    assert (score.exact.count, score.exact.of) == (1, 2)


def test_calling_everything_covered_is_worth_a_half() -> None:
    score = score_transcripts([Talk(set("ab"), set("abcd"), set("abcd"))])
    assert score.balanced_accuracy.estimate == 0.5


def test_transcripts_that_miss_nothing_have_no_balanced_accuracy() -> None:
    score = score_transcripts([Talk(set("ab"), set("ab"), set("ab"))])
    assert score.balanced_accuracy.estimate is None
    assert score.exact.value == 1


def test_the_tables_lead_with_what_counts() -> None:
    utterances = score_utterances([_item("a", "a", "X", "X")]).rows
    assert [row.what for row in utterances][:4] == ["criterion F1", "criterion precision", "criterion recall", "cluster F1"]
    transcripts = score_transcripts([Talk(set("a"), set("a"), set("ab"))]).rows
    assert [row.what for row in transcripts][0] == "balanced accuracy over clusters"
