"""How two readings of the same items go together."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from conference.analysis.intervals import Weights, bootstrap, ratio
from conference.domain.scores import Interval


def spearman(first: Sequence[float], second: Sequence[float], groups: Sequence[Hashable] | None = None) -> Interval:
    """Spearman's rank correlation (ties share their mean rank), with the interval over groups; ranks are those of the whole set.

    None when either side doesn't vary. Raises ValueError when the lengths differ.
    """
    from scipy.stats import rankdata

    if len(first) != len(second):
        raise ValueError(f"{len(first)} values against {len(second)}; give pairs")
    one, two = rankdata(first), rankdata(second)

    def correlation(weights: Weights) -> npt.NDArray[np.float64]:
        """Pearson's correlation of the ranks, weighted."""
        total = weights.sum(axis=1)
        mean_one, mean_two = weights @ one / total, weights @ two / total
        together = weights @ (one * two) / total - mean_one * mean_two
        spread = (weights @ one**2 / total - mean_one**2) * (weights @ two**2 / total - mean_two**2)
        return ratio(together, np.sqrt(np.where(spread > 1e-12, spread, 0)))

    return bootstrap(correlation, range(len(one)) if groups is None else groups)


def nominal_alpha(first: Sequence[str | None], second: Sequence[str | None]) -> float | None:
    """Krippendorff's α of two readings into names, 1 − D_observed / D_expected; None marks a missing reading.

    None when no item has both, or all readings are the same name (nothing to disagree about).
    """
    import krippendorff

    names = sorted({name for name in (*first, *second) if name is not None})
    number = {name: float(at) for at, name in enumerate(names)}
    readings = [[np.nan if name is None else number[name] for name in reading] for reading in (first, second)]
    paired = [name for pair in zip(first, second, strict=True) for name in pair if None not in pair]
    if len(set(paired)) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(krippendorff.alpha(reliability_data=readings, level_of_measurement="nominal"))
