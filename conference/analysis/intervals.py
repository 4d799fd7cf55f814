"""How sure a figure is: bootstrap over groups, and Wilson's interval for a share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from conference.domain.scores import Interval, Share

RESAMPLES = 2_000
LEVEL = 0.95
SEED = 20_060

Weights = npt.NDArray[np.float64]
"""Array of shape (resamples, items): how often each item was drawn."""

Statistic = Callable[[Weights], npt.NDArray[np.float64]]
"""Weights of shape (resamples, items) to one value a resample; NaN where it has none."""


def bootstrap(
    statistic: Statistic,
    groups: Sequence[Hashable],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Interval:
    """Percentile interval of a statistic when whole groups (dialogues, topics, documents) are drawn with replacement.

    `groups` names the group of each item. The statistic sees all resamples at once, as weights: the mean of x is
    `weights @ x / weights.sum(axis=1)`. Items of one group always come together, since they aren't independent.
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, chapter 13.
    """
    if not groups:
        return Interval(estimate=None, low=None, high=None, level=level)
    number = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    belongs = np.array([number[group] for group in groups])
    draws = np.random.default_rng(seed).multinomial(len(number), np.full(len(number), 1 / len(number)), size=resamples)
    values = statistic(draws[:, belongs].astype(np.float64))
    defined = values[~np.isnan(values)]
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]) if len(defined) else (None, None)
    estimate = float(statistic(np.ones((1, len(groups))))[0])
    return Interval(
        estimate=None if np.isnan(estimate) else estimate,
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        level=level,
        groups=len(number),
        resamples=resamples,
        undefined=resamples - len(defined),
    )


def share(count: int, of: int, level: float = LEVEL) -> Share:
    """`count` out of `of`, with Wilson's interval (Wilson 1927), which stays inside 0 to 1 and holds for few cases."""
    if of == 0:
        return Share(count=count, of=0, value=None, low=None, high=None)
    from statsmodels.stats.proportion import proportion_confint  # heavy: only when an interval is asked for

    low, high = proportion_confint(count, of, alpha=1 - level, method="wilson")
    return Share(count=count, of=of, value=count / of, low=float(low), high=float(high))


def ratio(numerator: Weights, denominator: Weights) -> npt.NDArray[np.float64]:
    """numerator / denominator, NaN where the denominator is 0: a resample without cases has no value."""
    empty = np.full(np.shape(denominator), np.nan)
    return np.asarray(np.divide(numerator, denominator, out=empty, where=denominator != 0))
