from __future__ import annotations

import pytest

from conference.analysis.association import nominal_alpha, spearman


def test_spearman_is_the_correlation_of_ranks() -> None:
    # Ranks 1 2 3 4 and 2 1 4 3: 1 − 6·(1 + 1 + 1 + 1) / (4·15) = 1 − 24/60 = .6
    assert spearman([10, 20, 30, 40], [5, 1, 90, 7]).estimate == pytest.approx(0.6)


def test_spearman_with_ties_uses_mean_ranks() -> None:
    # Ranks 1.5 1.5 3 and 1 2 3: covariance ((−.5)(−1) + (−.5)(0) + (1)(1)) / 3 = .5, spreads √(.5·2/3): .5 / √(1/3) = .866
    assert spearman([1, 1, 2], [1, 2, 3]).estimate == pytest.approx(0.8660, abs=1e-4)


def test_spearman_of_a_constant_has_no_value() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]).estimate is None
    assert spearman([], []).estimate is None


def test_spearman_wants_pairs() -> None:
    with pytest.raises(ValueError, match="2 values against 1"):
        spearman([1, 2], [1])


def test_spearmans_interval_is_over_groups() -> None:
    assert spearman([1, 2, 3, 4], [1, 2, 4, 3], ["x", "x", "y", "y"]).groups == 2


def test_alpha_compares_disagreement_with_chance() -> None:
    # y y n n against y n n n. Observed: 1 of 4 items differ, D_o = 1/4. 8 readings, 3 y and 5 n:
    # D_e = 2·3·5 / (8·7) = 30/56. α = 1 − (1/4) / (30/56) = 1 − 14/30 = .5333
    assert nominal_alpha(["y", "y", "n", "n"], ["y", "n", "n", "n"]) == pytest.approx(16 / 30)


def test_alpha_leaves_out_items_read_once() -> None:
    assert nominal_alpha(["y", "y", "n", "n", "y"], ["y", "n", "n", "n", None]) == pytest.approx(16 / 30)


@pytest.mark.parametrize(("first", "second"), [(["y", "y"], ["y", "y"]), (["y", None], [None, "n"]), ([], [])])
def test_alpha_needs_two_names_to_disagree_about(first: list[str | None], second: list[str | None]) -> None:
    assert nominal_alpha(first, second) is None
