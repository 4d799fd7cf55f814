"""Learn the shipped references beforehand: python -m benchmarks.learn_references [--write]

Prints what of the unrelated talk raises something; with --write, keeps everything in data/learnt/ and removes what is out of date.
"""

from __future__ import annotations

import argparse
import shutil

from conference.analysis.coverage import CoverageReader
from conference.analysis.coverage_cache import NO_SHELF, Shelf
from conference.analysis.coverage_classifier import can_learn
from conference.covering import LEARNT, unrelated_lines
from conference.library import REFERENCES, ids_in, load_reference
from conference.models.embeddings import CachedEmbedder, Mpnet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="keep what was learnt in data/learnt")
    shelf = NO_SHELF
    if parser.parse_args().write:
        shutil.rmtree(LEARNT, ignore_errors=True)
        shelf = Shelf(LEARNT)
    embedder, unrelated = CachedEmbedder(Mpnet()), unrelated_lines()
    print("| reference | unrelated utterances that raise something | expected of 10 | of 60 |\n|---|---|---|---|")
    for name in ids_in(REFERENCES):
        reference = load_reference(name)
        if not can_learn(reference):
            continue
        reader = CoverageReader(reference, embedder, shelf, unrelated)
        raising = sum(bool(row.criteria) for row in reader.rows(unrelated))
        chances = [reader.by_chance(count) for count in (10, 60)]
        whole = f"{len(reference.clusters)} clusters, {len(reference.criteria)} criteria"
        told = [f"{chance.clusters} clusters, {chance.criteria} criteria" for chance in chances if chance]
        print(f"| {name} ({whole}) | {raising} of {len(unrelated)} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main()
