"""Coverage against labelled talk, by the fixed rules: python -m benchmarks.evaluate_coverage FOLDER

FOLDER holds `*_utterances.jsonl` and `*_transcripts.jsonl` (see docs/evidence.md). Prints Markdown tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tables import Item, labelled, table
from conference.analysis.coverage import CoverageReader, Line
from conference.analysis.coverage_scoring import Labelled, Talk, score_transcripts, score_utterances
from conference.domain.chat import Embedder
from conference.domain.reference import Reference
from conference.domain.scores import Row
from conference.library import load_reference
from conference.models.embeddings import CachedEmbedder, MiniLM, Mpnet


class Both:
    """The vectors of two models, one after the other, of unit length again."""

    def __init__(self, first: Embedder, second: Embedder) -> None:
        self.name = f"{first.name} + {second.name}"
        self._parts = (first, second)

    def embed(self, texts: list[str]) -> Any:
        return np.hstack([part.embed(texts) for part in self._parts]) / np.sqrt(2)


EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "mpnet": lambda: CachedEmbedder(Mpnet()),
    "minilm": lambda: CachedEmbedder(MiniLM()),
    "both": lambda: Both(CachedEmbedder(Mpnet()), CachedEmbedder(MiniLM())),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", choices=sorted(EMBEDDERS), default="mpnet")
    parser.add_argument("--definitions-only", action="store_true", help="forget the examples: what a reference without them gets")
    parser.add_argument("--without-lookalikes", type=float, metavar="COSINE", help="forget examples this near to a labelled line")
    options = parser.parse_args()
    embedder = EMBEDDERS[options.embedder]()
    utterances = _read(options.folder, "*_utterances.jsonl")
    transcripts = _read(options.folder, "*_transcripts.jsonl")
    readers = {}
    for name in sorted({item["reference"] for item in (*utterances, *transcripts)}):
        reference = load_reference(name)
        if options.definitions_only:
            reference = _without_examples(reference)
        if options.without_lookalikes:
            lines = [line for item in (*utterances, *transcripts) if item["reference"] == name for line in _texts(item)]
            reference = _without_lookalikes(reference, lines, embedder, options.without_lookalikes)
        readers[name] = CoverageReader(reference, embedder)
        print(f"{name}: {readers[name].matcher.method}\n")
    for names in _groups(utterances):
        chosen = [item for item in utterances if item["reference"] in names]
        _print(f"Utterances, {' and '.join(names)}", score_utterances(_labelled(chosen, readers)).rows)
    for names in _groups(transcripts):
        chosen = [item for item in transcripts if item["reference"] in names]
        _print(f"Transcripts, {' and '.join(names)}", score_transcripts(_talks(chosen, readers)).rows)


def _read(folder: Path, pattern: str) -> list[Item]:
    return [item for path in sorted(folder.glob(pattern)) for item in labelled(path)]


def _groups(items: Sequence[Item]) -> list[list[str]]:
    names = sorted({item["reference"] for item in items})
    return [[name] for name in names] + ([names] if len(names) > 1 else [])


def _texts(item: Item) -> list[str]:
    return [turn["text"] for turn in item["turns"]] if "turns" in item else [item["text"]]


def _labelled(items: Sequence[Item], readers: dict[str, CoverageReader]) -> list[Labelled]:
    found = []
    for item in items:
        [row] = readers[item["reference"]].rows([Line(0, item["speaker"], item["text"])])
        sets = (set(item["criteria"]), set(row.criteria), set(item["clusters"]), set(row.clusters))
        found.append(Labelled(*sets, group=item["id"]))
    return found


def _talks(items: Sequence[Item], readers: dict[str, CoverageReader]) -> list[Talk]:
    talks = []
    for item in items:
        reader = readers[item["reference"]]
        coverage = reader.coverage([Line(at, turn["speaker"], turn["text"]) for at, turn in enumerate(item["turns"])])
        covered = {cluster.name for cluster in coverage.clusters if cluster.covered}
        talks.append(Talk(set(item["covered_clusters"]), covered, {cluster.name for cluster in coverage.clusters}))
    return talks


def _without_examples(reference: Reference) -> Reference:
    return _keeping(reference, lambda _: False)


def _without_lookalikes(reference: Reference, lines: list[str], embedder: Embedder, limit: float) -> Reference:
    labelled = embedder.embed(lines)

    def keeps(text: str) -> bool:
        return bool((labelled @ embedder.embed([text])[0]).max() < limit)

    kept = _keeping(reference, keeps)
    before, after = (sum(len(item.examples) for item in one.criteria) + len(one.none_examples) for one in (reference, kept))
    print(f"{reference.id}: {before - after} of {before} examples forgotten, each within {limit} of a labelled line\n")
    return kept


def _keeping(reference: Reference, keeps: Any) -> Reference:
    clusters = [
        cluster.model_copy(
            update={
                "criteria": tuple(
                    item.model_copy(update={"examples": tuple(filter(keeps, item.examples))}) for item in cluster.criteria
                )
            }
        )
        for cluster in reference.clusters
    ]
    return reference.model_copy(
        update={"clusters": tuple(clusters), "none_examples": tuple(filter(keeps, reference.none_examples))}
    )


def _print(title: str, rows: Sequence[Row]) -> None:
    print("\n".join([f"{title}\n", *table(rows), ""]))


if __name__ == "__main__":
    main()
