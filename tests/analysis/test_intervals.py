from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conference.analysis.intervals import Weights, bootstrap, ratio, share
from conference.domain.scores import Interval, Row, Share


def _mean_of(values: list[float]):
    numbers = np.array(values)
    return lambda weights: weights @ numbers / weights.sum(axis=1)


def test_the_estimate_is_the_statistic_of_the_items_themselves() -> None:
    # (1 + 2 + 6) / 3 = 3
    interval = bootstrap(_mean_of([1, 2, 6]), ["a", "b", "c"])
    assert interval.estimate == pytest.approx(3)
    assert (interval.groups, interval.resamples, interval.undefined) == (3, 2_000, 0)
    assert 1 <= interval.low <= 3 <= interval.high <= 6


def test_the_interval_of_a_mean_is_that_of_the_normal_theory() -> None:
    # 400 items, half 0 and half 1: standard error √(.25 / 400) = .025, so .5 ± 1.96 · .025 = .451 to .549.
    interval = bootstrap(_mean_of([0.0, 1.0] * 200), range(400))
    assert interval.low == pytest.approx(0.451, abs=0.005)
    assert interval.high == pytest.approx(0.549, abs=0.005)


def test_items_of_a_group_are_drawn_together() -> None:
    # 400 items in 4 groups that are all 0 or all 1: as good as 4 items, standard error √(.25 / 4) = .25.
    values, groups = [0.0] * 200 + [1.0] * 200, [at // 100 for at in range(400)]
    interval = bootstrap(_mean_of(values), groups)
    assert interval.groups == 4
    assert (interval.low, interval.high) == (0.0, 1.0)  # P(all four alike) = 1/16 a side, more than 2.5 %


def test_a_group_need_not_be_in_one_piece() -> None:
    weights: list[Weights] = []
    bootstrap(lambda drawn: weights.append(drawn) or drawn[:, 0], ["a", "b", "a"], resamples=50)
    assert all(np.array_equal(drawn[:, 0], drawn[:, 2]) for drawn in weights)
    assert (weights[0][:, 0] + weights[0][:, 1] == 2).all()


def test_the_same_seed_gives_the_same_interval() -> None:
    values, groups = [1.0, 4.0, 2.0, 9.0], list("abcd")
    assert bootstrap(_mean_of(values), groups) == bootstrap(_mean_of(values), groups)
    assert bootstrap(_mean_of(values), groups, seed=1).resamples == 2_000


def test_resamples_without_a_value_are_counted_and_left_out() -> None:
    # Of two groups, a quarter of the draws hold only the second, where the statistic has no value.
    interval = bootstrap(lambda weights: ratio(weights[:, 0], weights[:, 0]), ["a", "b"])
    assert interval.undefined == pytest.approx(500, abs=80)
    assert (interval.estimate, interval.low, interval.high) == (1, 1, 1)


def test_nothing_to_measure_has_no_value() -> None:
    assert bootstrap(_mean_of([]), []) == Interval(estimate=None, low=None, high=None)
    never = bootstrap(lambda weights: np.full(len(weights), np.nan), ["a"])
    assert (never.estimate, never.low, never.high, never.undefined) == (None, None, None, 2_000)


def test_wilson() -> None:
    # 8 of 10, z = 1.96: centre (.8 + 3.84/20) / (1 + 3.84/10) = .717; half width 1.96·√(.8·.2/10 + 3.84/400) / 1.384 = .227
    found = share(8, 10)
    assert (found.count, found.of, found.value) == (8, 10, 0.8)
    assert (found.low, found.high) == (pytest.approx(0.490, abs=5e-4), pytest.approx(0.943, abs=5e-4))


def test_a_share_of_nothing_is_not_zero() -> None:
    assert share(0, 0) == Share(count=0, of=0, value=None, low=None, high=None)


@given(st.integers(1, 200).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_stays_between_0_and_1_around_the_share(pair: tuple[int, int]) -> None:
    found = share(*pair)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


def test_as_lines_of_a_table() -> None:
    assert share(0, 0).row("unreadable") == Row(what="unreadable", value=None, n=0)
    interval = Interval(estimate=0.5, low=0.4, high=0.6, groups=12)
    assert interval.row("accuracy") == Row(what="accuracy", value=0.5, low=0.4, high=0.6, n=12)
