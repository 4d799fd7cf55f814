"""Which criterion of a reference a sentence raises, learnt from the reference's own examples.

Softmax logistic regression with a *none* class over unit sentence embeddings. The constants below were chosen by
cross-validation on examples (docs/evidence.md), not on labelled talk.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from conference.analysis.coverage_cache import keep, kept
from conference.analysis.coverage_rule import Rule, Scores
from conference.analysis.procedural import PROCEDURAL_LINES
from conference.domain.chat import Embedder
from conference.domain.reference import Criterion, Reference

VERSION = "1"
"""Raise it when anything changes what is learnt: classifiers kept under the old number are then learnt again."""
FEWEST_EXAMPLES = 3
"""Examples every criterion needs before the classifier is trusted; with fewer, texts are matched one by one."""
PENALTY = 10.0
"""scikit-learn's C; vectors of unit length want little shrinking."""

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


def matcher_for(reference: Reference, embedder: Embedder, folder: Path | None = None) -> Matcher:
    """Learn how to recognise the criteria of a reference, or fetch what was learnt before from `folder`.

    Kept files are named by a hash of the examples, the definitions, the embedder's name and VERSION, and hold numbers only;
    one that can't be read, or has other shapes, is learnt and written again.
    """
    if any(len(criterion.examples) < FEWEST_EXAMPLES for criterion in reference.criteria):
        return _nearest(reference, embedder)
    count = len(reference.criteria) + 1
    key = _key(reference, embedder)
    found = kept(folder, key, rows=count) if folder else None
    if found is None:
        found = _learnt(reference, embedder)
        if folder:
            keep(folder, key, found)
    return Classifier(found["coefficients"], found["intercepts"], _described(reference, embedder))


def nothing_lines(reference: Reference) -> tuple[str, ...]:
    """Lines that raise nothing: the reference's own, or the general ones."""
    return reference.none_examples or PROCEDURAL_LINES


def _learnt(reference: Reference, embedder: Embedder) -> dict[str, Vectors]:
    from sklearn.linear_model import LogisticRegression  # heavy: only when something is learnt

    texts, owners = _lessons(reference)
    model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=5_000)
    model.fit(np.asarray(embedder.embed(texts), dtype=np.float64), owners)
    coefficients, intercepts = model.coef_, model.intercept_
    if len(coefficients) == 1:  # one criterion: scikit-learn keeps only the second class's odds
        coefficients, intercepts = np.vstack([0 * coefficients, coefficients]), np.append(0.0, intercepts)
    return {"coefficients": coefficients.astype(np.float32), "intercepts": intercepts.astype(np.float32)}


def _lessons(reference: Reference) -> tuple[list[str], list[int]]:
    """Texts and the number of the criterion each belongs to; names and definitions count as examples of theirs."""
    lessons = [(text, number) for number, item in enumerate(reference.criteria) for text in _texts(item)]
    lessons += [(text, len(reference.criteria)) for text in nothing_lines(reference)]
    return [text for text, _ in lessons], [number for _, number in lessons]


def _texts(criterion: Criterion) -> tuple[str, ...]:
    return (*criterion.examples, criterion.definition, criterion.name)


def _nearest(reference: Reference, embedder: Embedder) -> NearestText:
    groups = [(f"{item.name}: {item.definition}", *item.examples) for item in reference.criteria]
    groups.append(nothing_lines(reference))
    owners = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    vectors = np.asarray(embedder.embed([text for group in groups for text in group]), dtype=np.float32)
    method = f"nearest definition against lines that raise nothing, version {VERSION}, {embedder.name}"
    return NearestText(vectors, owners, method)


def _described(reference: Reference, embedder: Embedder) -> str:
    counts = [len(criterion.examples) for criterion in reference.criteria]
    examples = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    return f"classifier on {examples} examples a criterion, version {VERSION}, {embedder.name}"


def _key(reference: Reference, embedder: Embedder) -> str:
    taught = [[_texts(criterion) for criterion in reference.criteria], nothing_lines(reference)]
    return hashlib.sha256(json.dumps([VERSION, embedder.name, taught]).encode()).hexdigest()
