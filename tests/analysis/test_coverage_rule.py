from __future__ import annotations

import numpy as np
import pytest

from conference.analysis.coverage_rule import Rule

RULE = Rule(also=0.2, clause=0.3, settled=0.7, long=10)


@pytest.mark.parametrize(
    ("scores", "raised"),
    [
        ([0.5, 0.1, 0.4], [True, False]),  # the best, and it beats none
        ([0.4, 0.1, 0.5], [False, False]),  # none is best
        ([0.15, 0.14, 0.1], [True, False]),  # the best needs no threshold; the second does
        ([0.4, 0.35, 0.25], [True, True]),  # a second with at least .2
        ([0.5, 0.22, 0.28], [True, False]),  # … that has to beat none too
        ([0.4, 0.4, 0.4], [False, False]),  # a tie with none isn't a win
    ],
)
def test_what_a_line_raises(scores: list[float], raised: list[bool]) -> None:
    assert RULE.of_lines(np.array([scores], dtype=np.float32)).tolist() == [raised]


@pytest.mark.parametrize(
    ("scores", "raised"),
    [
        ([0.5, 0.4, 0.1], [True, False]),  # of a clause, the best only
        ([0.29, 0.1, 0.1], [False, False]),  # and only from .3
        ([0.4, 0.1, 0.5], [False, False]),
    ],
)
def test_what_a_clause_raises(scores: list[float], raised: list[bool]) -> None:
    assert RULE.of_clauses(np.array([scores], dtype=np.float32)).tolist() == [raised]


def test_clauses_are_read_where_nothing_is_settled_or_the_line_is_long() -> None:
    scores = np.array([[0.6, 0.2, 0.2], [0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.9, 0.0, 0.1]], dtype=np.float32)
    assert RULE.unsettled(scores, np.array([5, 5, 5, 11])).tolist() == [True, False, False, True]
