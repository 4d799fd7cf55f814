"""Coverage of a transcript file by a reference, with the embedder this machine has and what was learnt before."""

from __future__ import annotations

from collections.abc import Iterable

from conference.analysis.coverage import CoverageReader, Line, lines_of
from conference.analysis.coverage_cache import Shelf
from conference.analysis.covered import chance_in_words
from conference.domain.reference import Reference
from conference.domain.transcript import Turn
from conference.home import home
from conference.importers.transcripts import read_transcript
from conference.library import ROOT

UNRELATED = ROOT / "data" / "evaluation" / "unrelated_talk.jsonl"
LEARNT = ROOT / "data" / "learnt"
"""What was learnt from the shipped references (`python -m benchmarks.learn_references --write`), so that nobody waits for it."""


def reader_for(reference: Reference) -> CoverageReader:
    """The reader of a reference, fitted once and kept. Raises SetupError when no embedding model is installed."""
    from conference.models.embeddings import best_embedder

    return CoverageReader(reference, best_embedder(), Shelf(home() / "coverage", LEARNT), unrelated_lines())


def unrelated_lines() -> list[Line]:
    """Two rehearsed conferences about moving an office, which no shipped reference is about."""
    return lines_of(read_transcript(UNRELATED))


def cover(turns: list[Turn], reference: Reference, *, by_utterance: bool) -> tuple[Iterable[str], str]:
    """The lines of the result file, and what it says in one clause."""
    reader, lines = reader_for(reference), lines_of(turns)
    rows = reader.rows(lines)
    if by_utterance:
        return [
            row.model_dump_json() for row in rows
        ], f"{len(rows)} utterances, {sum(bool(row.criteria) for row in rows)} of them raise something"
    found = reader.coverage(lines, rows)
    weak = "; weak: the reference has too few example utterances" if found.weak else ""
    clusters = f"{found.covered_clusters} of {len(found.clusters)} clusters"
    criteria = f"{found.covered_criteria} of {len(reference.criteria)} criteria"
    chance = f" (as much talk about something else: {chance_in_words(found)})" if found.by_chance else ""
    return [found.model_dump_json(indent=2)], f"{clusters} and {criteria} covered{chance}{weak}"
