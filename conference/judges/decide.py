"""From what a model says of each participant to a verdict: a fitted line, a probability of agreement, a threshold.

The lines are fitted by `benchmarks/fit_judge.py` and kept in `weights.json`, one for each model measured. A model nobody measured is
taken at its word: a participant accepts with the probability the model gives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conference.domain.position import Stance
from conference.judges.signals import refuses

WEIGHTS = Path(__file__).with_name("weights.json")
THRESHOLD = 0.5
"""Least probability of agreement at which agreement is called, when the spec gives none."""
UNDECIDED = 0.15
"""Least probability of acceptance with which a participant who neither accepts nor refuses counts as undecided instead of opposed."""
REFUSAL = 0.2
"""Taken from the log-odds where the words themselves refuse (*I can't accept*): the model takes an eager counter-proposal for a yes.
Of 0, .2, .4, .6, 1 and 2 the one that does best on unseen topics of the sets the line is fitted on."""
MOST = 9.0
"""Log-odds are cut here: beyond it a probability says only that the other word wasn't among the choices."""


@dataclass(frozen=True, slots=True)
class Line:
    """Probability that all accept, from the least accepting participant's log-odds. A proposal that the model had to state itself is
    farther from the speakers' words than one that was read out, so its line lies elsewhere."""

    slope: float
    read_out: float
    """Intercept where the proposal was read out at the table."""
    stated: float
    """Intercept where the judge's model stated it."""

    def agree(self, log_odds: Sequence[float], read_out: bool) -> float:
        """Probability that all of these accept."""
        return sigmoid((self.read_out if read_out else self.stated) + self.slope * min(log_odds))


UNFITTED = Line(slope=1.0, read_out=0.0, stated=0.0)


@cache
def line_of(model: str) -> Line:
    """The line fitted for a model, else UNFITTED."""
    found = json.loads(WEIGHTS.read_text(encoding="utf-8")).get(model)
    return UNFITTED if found is None else Line(**found)


def sigmoid(x: float) -> float:
    """1 / (1 + e⁻ˣ), for any x."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def acceptance(probability: float, words: str) -> float:
    """Log-odds that somebody accepts who said these words, of which the model gives this probability."""
    return log_odds(probability) - (REFUSAL if refuses(words) else 0.0)


def log_odds(probability: float) -> float:
    """ln(p / (1 - p)), cut at MOST."""
    if probability <= 0 or probability >= 1:
        return math.copysign(MOST, probability - 0.5)
    return max(-MOST, min(MOST, math.log(probability / (1 - probability))))


def positions(
    accepting: Mapping[str, float], last: Mapping[str, str], participants: Sequence[str], cut: float
) -> dict[str, Stance]:
    """Stances from probabilities of acceptance and last words; who said nothing is undecided.

    Who doesn't accept opposes when the words refuse or acceptance is improbable, and is undecided otherwise.
    """

    def stance(name: str) -> Stance:
        if name not in accepting:
            return "undecided"
        if accepting[name] >= cut:
            return "support"
        return "oppose" if refuses(last[name]) or accepting[name] < UNDECIDED else "undecided"

    return {name: stance(name) for name in participants}
