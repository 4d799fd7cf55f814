"""What a talk was about that its reference lacks: lines that raise nothing of it, put into groups that are named by their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from conference.analysis.coverage import Line
from conference.analysis.procedural import PROCEDURAL_LINES
from conference.analysis.wording import words
from conference.domain.chat import Embedder
from conference.domain.coverage import UtteranceCoverage

LEAST_LINES = 8
"""Fewer lines than this are no ground for groups."""
LEAST_GROUP = 3
MOST_LINES = 2_000
"""More are thinned out evenly: the work grows with their square."""
LEAST_WORDS = 6
PROCEDURAL_FROM = 0.55
"""Cosine to a procedural line from which a line counts as one."""
APART = 0.62
"""Mean cosine distance at which two groups stay two (average linkage)."""
LABEL_WORDS = 4
MEETING_WORDS = frozenset("accept agree answer condition list like offer option point proposal question sign stand support word".split())
"""What every conference says whatever it is about: no label."""


@dataclass(frozen=True)
class Topic:
    """A group of lines. `label` are its most distinctive words, `lines` the most typical first."""

    label: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Topics:
    """The groups, the largest first. `too_few`: the lines are no ground for any; `alone` lines are like no other."""

    found: tuple[Topic, ...]
    lines: int
    """How many lines raise nothing and aren't procedural."""
    alone: int = 0
    read: int = 0
    """How many of them were grouped: all, unless there are more than 2,000."""

    @property
    def too_few(self) -> bool:
        """Whether there are fewer lines than groups need."""
        return self.lines < LEAST_LINES


def topics_of(
    lines: Sequence[Line], rows: Sequence[UtteranceCoverage], embedder: Embedder, without: Collection[str] = ()
) -> Topics:
    """Group the lines that raise nothing. `without` holds speakers who chair; names in it are no label either.

    Average linkage over cosine distance of sentence embeddings; labels by c-TF-IDF (Grootendorst 2022, arXiv:2203.05794), with the
    lines that do raise something as one more class, so that what the whole talk is about names no group.
    """
    paired = [(line, row) for line, row in zip(lines, rows, strict=False) if line.speaker not in without]
    left = [line for line, row in paired if not row.criteria and len(words(line.text)) >= LEAST_WORDS]
    if len(left) < LEAST_LINES:
        return Topics((), len(left))
    vectors = np.asarray(embedder.embed([line.text for line in left]), dtype=np.float32)
    asides = np.asarray(embedder.embed(list(PROCEDURAL_LINES)), dtype=np.float32)
    kept = np.flatnonzero((vectors @ asides.T).max(axis=1) < PROCEDURAL_FROM)
    if len(kept) < LEAST_LINES:
        return Topics((), len(kept))
    chosen = kept[np.linspace(0, len(kept) - 1, min(len(kept), MOST_LINES)).astype(int)]
    groups = [chosen[part] for part in _groups(vectors[chosen])]
    rest = [line.text for line, row in paired if row.criteria]
    names = frozenset(word for line in lines for word in words(line.speaker))
    labels = _labels([[left[at].text for at in group] for group in groups], rest, names)
    found = tuple(
        Topic(label, tuple(left[at] for at in _typical_first(group, vectors))) for group, label in zip(groups, labels, strict=True)
    )
    return Topics(found, len(kept), alone=len(chosen) - sum(len(group) for group in groups), read=len(chosen))


def _groups(vectors: npt.NDArray[np.float32]) -> list[npt.NDArray[np.intp]]:
    """Places of each group's members, the largest group first."""
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=APART)
    of_line = model.fit_predict(vectors)
    sizes = Counter(of_line.tolist())
    return [np.flatnonzero(of_line == group) for group, size in sizes.most_common() if size >= LEAST_GROUP]


def _typical_first(group: npt.NDArray[np.intp], vectors: npt.NDArray[np.float32]) -> list[int]:
    centre = vectors[group].mean(axis=0)
    return [int(group[at]) for at in np.argsort(-(vectors[group] @ centre), kind="stable")]


def _labels(groups: Sequence[Sequence[str]], rest: Sequence[str], names: frozenset[str]) -> list[tuple[str, ...]]:
    """Words of each group by tf · log(1 + A / f): A is the mean number of words a class has, f how often a word stands in all."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    unsaid = names | ENGLISH_STOP_WORDS | MEETING_WORDS

    def content(texts: Sequence[str]) -> Counter[str]:
        said = (word for text in texts for word in words(text))
        return Counter(word for word in said if len(word) > 1 and word.isalpha() and word not in unsaid)

    classes = [content(texts) for texts in (*groups, rest)]
    everywhere: Counter[str] = sum(classes, Counter())
    mean = sum(everywhere.values()) / len(classes)

    def weight(count: Counter[str], word: str) -> Any:
        return count[word] / sum(count.values()) * np.log(1 + mean / everywhere[word])

    labels = []
    for texts, count in zip(groups, classes, strict=False):
        in_lines = Counter(word for text in texts for word in set(words(text)))
        shared = [word for word in count if in_lines[word] > 1] or list(count)
        labels.append(tuple(sorted(shared, key=lambda word: (-weight(count, word), word))[:LABEL_WORDS]))
    return labels
