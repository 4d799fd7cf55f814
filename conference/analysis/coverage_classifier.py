"""Which criterion of a reference a sentence raises, learnt from the reference's own examples.

Softmax logistic regression with a *none* class over unit sentence embeddings. The constants below were chosen by
cross-validation on examples (docs/evidence.md), not on labelled talk.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from conference.analysis.coverage_cache import NO_SHELF, Shelf
from conference.analysis.coverage_rule import Rule, Scores
from conference.analysis.off_topic import OFF_TOPIC_LINES
from conference.analysis.procedural import PROCEDURAL_LINES
from conference.domain.chat import Embedder
from conference.domain.reference import Criterion, Reference

VERSION = "2"
"""Raise it when anything changes what is learnt: classifiers kept under the old number are then learnt again."""
FEWEST_EXAMPLES = 3
"""Examples every criterion needs before the classifier is trusted; with fewer, texts are matched one by one."""
PENALTY = 10.0
"""scikit-learn's C; vectors of unit length want little shrinking."""
ON_TOPIC = 0.5
"""A line about something else that is this near to an example (cosine) is on the subject of this reference, and isn't used."""

NEVER = 2.0

Vectors = npt.NDArray[np.float32]


class Matcher(Protocol):
    """Scores sentence vectors against the criteria of a reference and *none*."""

    @property
    def rule(self) -> Rule:
        """When a score means raised."""
        ...

    @property
    def method(self) -> str:
        """How it decides, for people."""
        ...

    @property
    def weak(self) -> bool:
        """Whether its word is a first impression only."""
        ...

    def scores(self, vectors: Vectors) -> Scores:
        """Array of shape (texts, criteria + 1), the last column *none*, from vectors of shape (texts, dimension)."""
        ...


@dataclass(frozen=True, eq=False)
class Classifier:
    """A learnt softmax: `coefficients` of shape (criteria + 1, dimension), `intercepts` of shape (criteria + 1,)."""

    coefficients: Vectors
    intercepts: Vectors
    method: str
    weak: bool = False
    rule: Rule = Rule(also=0.2, clause=0.2, settled=0.7)

    def scores(self, vectors: Vectors) -> Scores:
        """Probabilities; each row sums to 1."""
        logits = vectors @ self.coefficients.T + self.intercepts
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class NearestText:
    """For references without enough examples: the nearest definition or example, against the nearest line that raises nothing.

    `vectors` has shape (texts, dimension), sorted by `owners`: the criterion's number, or the number of criteria for *none*.
    """

    vectors: Vectors
    owners: npt.NDArray[np.int_]
    method: str
    weak: bool = True
    rule: Rule = Rule(
        also=NEVER, clause=0.0, settled=0.0
    )  # cosines aren't shares: only the best counts, clauses only of long lines

    def scores(self, vectors: Vectors) -> Scores:
        """Cosines, 0 where negative."""
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        return np.asarray(np.maximum.reduceat((vectors @ self.vectors.T).clip(0, 1), starts, axis=1), dtype=np.float32)


def matcher_for(reference: Reference, embedder: Embedder, shelf: Shelf = NO_SHELF) -> Matcher:
    """Learn how to recognise the criteria of a reference, or fetch what was learnt before from `shelf`."""
    if not can_learn(reference):
        return _nearest(reference, embedder)
    count, key = len(reference.criteria) + 1, learnt_key(reference, embedder)
    found = shelf.get(key, {"coefficients": (count, None), "intercepts": (count,)})
    if found is None:
        found = _learnt(reference, embedder)
        shelf.put(key, found)
    return Classifier(found["coefficients"], found["intercepts"], _described(reference, embedder))


def can_learn(reference: Reference) -> bool:
    """Whether every criterion has examples enough."""
    return all(len(criterion.examples) >= FEWEST_EXAMPLES for criterion in reference.criteria)


def nothing_lines(reference: Reference) -> tuple[str, ...]:
    """Lines that raise nothing whatever the talk is about: the reference's own, or the general ones."""
    return reference.none_examples or PROCEDURAL_LINES


def _learnt(reference: Reference, embedder: Embedder) -> dict[str, Vectors]:
    from sklearn.linear_model import LogisticRegression  # heavy: only when something is learnt

    texts, owners = _lessons(reference)
    vectors, owner = np.asarray(embedder.embed(texts), dtype=np.float64), np.array(owners)
    taught = _about_something_else(texts, vectors, owner, len(reference.criteria))
    model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=5_000)
    model.fit(vectors[taught], owner[taught])
    coefficients, intercepts = model.coef_, model.intercept_
    if len(coefficients) == 1:  # one criterion: scikit-learn keeps only the second class's odds
        coefficients, intercepts = np.vstack([0 * coefficients, coefficients]), np.append(0.0, intercepts)
    return {"coefficients": coefficients.astype(np.float32), "intercepts": intercepts.astype(np.float32)}


def _lessons(reference: Reference) -> tuple[list[str], list[int]]:
    """Texts and the number of the criterion each belongs to; names and definitions count as examples of theirs."""
    lessons = [(text, number) for number, item in enumerate(reference.criteria) for text in _texts(item)]
    lessons += [(text, len(reference.criteria)) for text in (*nothing_lines(reference), *OFF_TOPIC_LINES)]
    return [text for text, _ in lessons], [number for _, number in lessons]


def _about_something_else(
    texts: list[str], vectors: npt.NDArray[np.float64], owners: npt.NDArray[np.int_], nothing: int
) -> npt.NDArray[np.bool_]:
    """Which lessons to learn: all but the lines about something else that are on this reference's subject after all."""
    nearest = (vectors @ vectors[owners < nothing].T).max(axis=1)
    return np.asarray(np.array([text not in OFF_TOPIC_LINES for text in texts]) | (nearest < ON_TOPIC))


def _texts(criterion: Criterion) -> tuple[str, ...]:
    return (*criterion.examples, criterion.definition, criterion.name)


def _nearest(reference: Reference, embedder: Embedder) -> NearestText:
    groups = [(f"{item.name}: {item.definition}", *item.examples) for item in reference.criteria]
    groups.append(nothing_lines(reference))  # not OFF_TOPIC_LINES: beside bare definitions they are nearest to everything
    owners = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    vectors = np.asarray(embedder.embed([text for group in groups for text in group]), dtype=np.float32)
    method = f"nearest definition against lines that raise nothing, version {VERSION}, {embedder.name}"
    return NearestText(vectors, owners, method)


def _described(reference: Reference, embedder: Embedder) -> str:
    counts = [len(criterion.examples) for criterion in reference.criteria]
    examples = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    return f"classifier on {examples} examples a criterion, version {VERSION}, {embedder.name}"


def learnt_key(reference: Reference, embedder: Embedder) -> str:
    """A hash of all that is learnt from: examples, definitions, lines that raise nothing, the embedder's name, VERSION."""
    taught = [[_texts(criterion) for criterion in reference.criteria], nothing_lines(reference), OFF_TOPIC_LINES]
    return hashlib.sha256(json.dumps([VERSION, embedder.name, taught]).encode()).hexdigest()
