"""Coverage of a transcript file by a reference, with the embedder this machine has and what was learnt before."""

from __future__ import annotations

from collections.abc import Iterable

from conference.analysis.coverage import CoverageReader, lines_of
from conference.domain.reference import Reference
from conference.domain.transcript import Turn
from conference.home import home


def reader_for(reference: Reference) -> CoverageReader:
    """The reader of a reference, fitted once and kept. Raises SetupError when no embedding model is installed."""
    from conference.models.embeddings import best_embedder

    folder = home() / "coverage"
    folder.mkdir(exist_ok=True)
    return CoverageReader(reference, best_embedder(), folder)


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
    return [found.model_dump_json(indent=2)], f"{clusters} and {criteria} covered{weak}"
