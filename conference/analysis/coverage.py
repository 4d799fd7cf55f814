"""Which clusters and criteria of a reference a talk raised, line by line and as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from conference.analysis.clauses import clauses
from conference.analysis.coverage_cache import NO_SHELF, Shelf
from conference.analysis.coverage_classifier import Matcher, Vectors, learnt_key, matcher_for
from conference.analysis.coverage_null import Null, null_for
from conference.analysis.coverage_rule import Raised, Scores
from conference.domain.chat import Embedder
from conference.domain.coverage import ByChance, ClusterCoverage, Coverage, CriterionCoverage, Quote, UtteranceCoverage
from conference.domain.events import Event, Utterance
from conference.domain.reference import Criterion, Reference
from conference.domain.transcript import Turn


@dataclass(frozen=True)
class Line:
    """One turn as it is read: `seq` is its number in the log, or its place in the transcript."""

    seq: int
    speaker: str
    text: str
    stage: str | int | None = None


def lines_of(turns: Iterable[Turn | Event], without: Collection[str] = ()) -> list[Line]:
    """What was said, from turns or from the events of a log; passes are left out, and so is who stands in `without`.

    `without` holds roles (`moderator`) or names of speakers. By default every turn counts, the moderator's too: a criterion the
    moderator names has been raised.
    """
    said = [(place, turn) for place, turn in enumerate(turns) if isinstance(turn, Turn | Utterance)]
    return [
        Line(place if turn.seq is None else turn.seq, turn.speaker, turn.text, turn.stage)
        for place, turn in said
        if turn.text.strip() and turn.speaker not in without and turn.role not in without
    ]


class CoverageReader:
    """Reads lines against one reference."""

    def __init__(self, reference: Reference, embedder: Embedder, shelf: Shelf = NO_SHELF, unrelated: Sequence[Line] = ()) -> None:
        """Learns the reference's examples, or fetches what was learnt from `shelf`.

        `unrelated` is talk about something else: what it raises is what chance raises.
        """
        self.reference = reference
        self.matcher: Matcher = matcher_for(reference, embedder, shelf)
        self._embedder = embedder
        self._clusters = np.repeat(np.arange(len(reference.clusters)), [len(c.criteria) for c in reference.clusters])
        self._null = self._null_of(unrelated, shelf) if unrelated else None

    def rows(self, lines: Sequence[Line]) -> list[UtteranceCoverage]:
        """What each line raises, in order. Embeds all lines in one call, and then the clauses that are worth reading."""
        if not lines:
            return []
        scores = self.matcher.scores(self._embed([line.text for line in lines]))
        raised, shown = self.matcher.rule.of_lines(scores), scores[:, :-1].copy()
        self._read_clauses(lines, scores, raised, shown)
        return [self._row(line, *found) for line, *found in zip(lines, raised, shown, strict=True)]

    def coverage(self, lines: Sequence[Line], rows: Sequence[UtteranceCoverage] | None = None) -> Coverage:
        """What the talk covers as a whole; `rows`, when they are there already, are those of the same lines."""
        found = self.rows(lines) if rows is None else rows
        quotes: dict[str, list[Quote]] = {}
        for line, row in zip(lines, found, strict=True):
            for name in row.criteria:
                quotes.setdefault(name, []).append(Quote(seq=line.seq, speaker=line.speaker, text=line.text))
        clusters = tuple(
            _cluster(cluster.name, [_criterion(item, quotes, found) for item in cluster.criteria])
            for cluster in self.reference.clusters
        )
        return Coverage(
            reference=self.reference.id,
            clusters=clusters,
            covered_clusters=sum(cluster.covered for cluster in clusters),
            covered_criteria=sum(item.covered for cluster in clusters for item in cluster.criteria),
            utterances=len(lines),
            method=self.matcher.method,
            weak=self.matcher.weak,
            by_chance=self.by_chance(len(lines)),
        )

    def by_chance(self, utterances: int) -> ByChance | None:
        """What so many utterances about something else would cover; None when no unrelated talk is known."""
        return self._null.expected(utterances) if self._null else None

    def _null_of(self, unrelated: Sequence[Line], shelf: Shelf) -> Null:
        texts, learnt = [line.text for line in unrelated], learnt_key(self.reference, self._embedder)
        return null_for(self.reference, learnt, texts, shelf, lambda: self.rows(unrelated))

    def _read_clauses(self, lines: Sequence[Line], scores: Scores, raised: Raised, shown: Scores) -> None:
        """Add to `raised` and `shown` what the clauses of unsettled lines say."""
        words = np.array([len(line.text.split()) for line in lines])
        unsettled = np.flatnonzero(self.matcher.rule.unsettled(scores, words)).tolist()
        parts = [(at, part) for at in unsettled if len(cut := clauses(lines[at].text)) > 1 for part in cut]
        if not parts:
            return
        owners = np.array([at for at, _ in parts])
        of_parts = self.matcher.scores(self._embed([part for _, part in parts]))
        np.logical_or.at(raised, owners, self.matcher.rule.of_clauses(of_parts))
        np.maximum.at(shown, owners, of_parts[:, :-1])

    def _embed(self, texts: list[str]) -> Vectors:
        return np.asarray(self._embedder.embed(texts), dtype=np.float32)

    def _row(self, line: Line, raised: Raised, shown: Scores) -> UtteranceCoverage:
        criteria = self.reference.criteria
        touched = dict.fromkeys(int(cluster) for cluster in self._clusters[raised])
        return UtteranceCoverage(
            seq=line.seq,
            criteria=tuple(criteria[at].name for at in np.flatnonzero(raised)),
            clusters=tuple(self.reference.clusters[at].name for at in touched),
            scores={item.name: round(float(score), 4) for item, score in zip(criteria, shown, strict=True)},
        )


class CoverageTracker:
    """Coverage of a talk that is still going on: one line at a time, nothing is read twice."""

    def __init__(self, reader: CoverageReader) -> None:
        self._reader = reader
        self._lines: list[Line] = []
        self._rows: list[UtteranceCoverage] = []

    def add(self, line: Line) -> UtteranceCoverage:
        """Read one more line and say what it raises."""
        row = self._reader.rows([line])[0]
        self._lines.append(line)
        self._rows.append(row)
        return row

    @property
    def rows(self) -> tuple[UtteranceCoverage, ...]:
        """What each line raised, in order."""
        return tuple(self._rows)

    def coverage(self) -> Coverage:
        """What is covered so far."""
        return self._reader.coverage(self._lines, self._rows)


def _criterion(item: Criterion, quotes: dict[str, list[Quote]], rows: Sequence[UtteranceCoverage]) -> CriterionCoverage:
    score = max((row.scores[item.name] for row in rows), default=0.0)
    found = tuple(quotes.get(item.name, ()))
    return CriterionCoverage(name=item.name, covered=bool(found), score=score, quotes=found)


def _cluster(name: str, criteria: list[CriterionCoverage]) -> ClusterCoverage:
    return ClusterCoverage(
        name=name,
        covered=any(item.covered for item in criteria),
        score=max(item.score for item in criteria),
        criteria=tuple(criteria),
    )
