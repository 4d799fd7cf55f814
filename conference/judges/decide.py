"""From what a model says of each participant to a verdict: fitted weights, a probability of agreement, a threshold.

The weights are fitted by `benchmarks/fit_judge.py` and kept in `weights.json`, one set for each model measured. A model nobody
measured is read as it is: a participant accepts with the probability the model gives.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conference.domain.position import Stance
from conference.judges.signals import accepts, conditions, counters, refuses

WEIGHTS = Path(__file__).with_name("weights.json")
THRESHOLD = 0.5
"""Least probability of agreement at which agreement is called, when the spec gives none."""
UNDECIDED = 0.15
"""Least probability of acceptance with which a participant that doesn't accept counts as undecided instead of opposed."""
MOST = 9.0
"""Log-odds are cut here: beyond it a probability says only that the other word wasn't among the choices."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was asked and read about one participant. `last` and `all` are log-odds that it accepts, read from its last turn and from all."""

    last: float
    all: float
    words: Sequence[str]
    """Its own turns, oldest first."""

    def features(self) -> list[float]:
        """The six numbers the weights are for, in the order of FEATURES."""
        end = self.words[-1] if self.words else ""
        return [
            _cut(self.last), _cut(self.all), float(accepts(end) > 0), float(refuses(end) > 0), float(conditions(end) > 0),
            float(counters(end) > 0),
        ]  # fmt: skip


FEATURES = ("last", "all", "accepts", "refuses", "conditions", "counters")


@dataclass(frozen=True, slots=True)
class Weights:
    """Two logistic steps: a participant's acceptance from FEATURES, the table's agreement from the least accepting participant's log-odds."""

    participant: tuple[float, ...]
    intercept: float
    least: float
    agreement: float

    def accepts(self, heard: Heard) -> float:
        """Log-odds that the participant accepts."""
        return self.intercept + math.fsum(w * x for w, x in zip(self.participant, heard.features(), strict=True))

    def agree(self, log_odds: Sequence[float]) -> float:
        """Probability that all accept."""
        return sigmoid(self.agreement + self.least * min(log_odds))


UNFITTED = Weights(participant=(0.5, 0.5, 0.0, 0.0, 0.0, 0.0), intercept=0.0, least=1.0, agreement=0.0)


@cache
def weights_of(model: str) -> Weights:
    """The weights fitted for a model, else UNFITTED."""
    known = json.loads(WEIGHTS.read_text(encoding="utf-8"))["models"]
    found = known.get(model)
    if found is None:
        return UNFITTED
    return Weights(tuple(found["participant"]), found["intercept"], found["least"], found["agreement"])


def sigmoid(x: float) -> float:
    """1 / (1 + e⁻ˣ), for any x."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def log_odds(probability: float) -> float:
    """ln(p / (1 - p)), cut at MOST."""
    if probability <= 0 or probability >= 1:
        return math.copysign(MOST, probability - 0.5)
    return _cut(math.log(probability / (1 - probability)))


def positions(accepting: Mapping[str, float], participants: Sequence[str], cut: float) -> dict[str, Stance]:
    """Stances from probabilities of acceptance; who wasn't heard is undecided."""

    def stance(name: str) -> Stance:
        if name not in accepting:
            return "undecided"
        if accepting[name] >= cut:
            return "support"
        return "undecided" if accepting[name] >= UNDECIDED else "oppose"

    return {name: stance(name) for name in participants}


def _cut(value: float) -> float:
    return max(-MOST, min(MOST, value))
