"""How near personas are to each other and to a question, by the cosine of their embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

TWINS = 0.75
"""Cosine (all-MiniLM-L6-v2, of `casting.sheet`) from which two personas count as nearly one. No two of the 28 shipped reach it (the
nearest participants .69, moderators .72); a shipped persona with other points of its own does in 13 of 25."""


@dataclass(frozen=True)
class Near:
    """Two that are near each other."""

    one: str
    other: str
    cosine: float


def twins(names: Sequence[str], vectors: Vectors, threshold: float = TWINS) -> list[Near]:
    """The pairs with at least this cosine, the nearest first. `vectors`: shape (len(names), dimension), rows of unit length."""
    cosines = vectors @ vectors.T
    found = [
        Near(names[one], names[other], float(cosines[one, other]))
        for one, other in combinations(range(len(names)), 2)
        if cosines[one, other] >= threshold
    ]
    return sorted(found, key=lambda near: -near.cosine)


def nearest(question: Vectors, people: Vectors, number: int, threshold: float = TWINS) -> list[int]:
    """The places of the `number` nearest to the question, the nearest first, leaving out who is a twin of a nearer one."""
    order = np.argsort(-(people @ question), kind="stable")
    chosen: list[int] = []
    for place in order.tolist():
        if len(chosen) < number and all(float(people[place] @ people[other]) < threshold for other in chosen):
            chosen.append(place)
    return chosen
