"""From scores to what is raised: the decision, apart from where the scores come from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]
"""Array of shape (texts, criteria + 1): how much each criterion claims a text; the last column is *none of the list*."""

Raised = npt.NDArray[np.bool_]
"""Array of shape (texts, criteria)."""


@dataclass(frozen=True)
class Rule:
    """When a line raises a criterion. Whatever is raised beats *none* where it is raised.

    Of a whole line: the best criterion, and every further one with at least `also`. Of a clause of it: the best one, with at
    least `clause`. Clauses are read only where no column holds `settled` of the line, or the line is longer than `long` words:
    cross-validated, that loses nothing and saves most of the embedding.
    """

    also: float
    clause: float
    settled: float
    long: int = 60

    def of_lines(self, scores: Scores) -> Raised:
        """What whole lines raise."""
        criteria = scores[:, :-1]
        return _beats_none(scores) & (_best(scores) | (criteria >= self.also))

    def of_clauses(self, scores: Scores) -> Raised:
        """What clauses raise."""
        return _beats_none(scores) & _best(scores) & (scores[:, :-1] >= self.clause)

    def unsettled(self, scores: Scores, words: npt.NDArray[np.int_]) -> npt.NDArray[np.bool_]:
        """Lines whose clauses are worth reading; `words` counts those of each line."""
        return np.asarray((scores.max(axis=1) < self.settled) | (words > self.long))


def _beats_none(scores: Scores) -> Raised:
    return np.asarray(scores[:, :-1] > scores[:, -1:])


def _best(scores: Scores) -> Raised:
    criteria = scores[:, :-1]
    return np.asarray(criteria == criteria.max(axis=1, keepdims=True))
