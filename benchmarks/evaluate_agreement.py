"""Agreement calls against labels, by the fixed rules: python -m benchmarks.evaluate_agreement FILE... [--judge llm] [--model embedded]

Each FILE holds dialogues with a `label`, one JSON object a line. Prints one Markdown table a file. `--sample N` takes N dialogues,
drawn with a fixed seed. Replies are kept: a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import spearmanr

from benchmarks.tables import Item, labelled, table
from conference.analysis.scoring import classification, probability_of
from conference.domain.position import Judgement
from conference.domain.scores import ClassificationScore, Row
from conference.importers.transcripts import read_dialogues
from conference.judging import Bench, bench


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--judge", default="llm")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--sample", type=int)
    options = parser.parse_args()
    judge = bench(options.judge, options.model)
    for path in options.files:
        chosen = list(zip(labelled(path), read_dialogues(path), strict=True))
        if options.sample and options.sample < len(chosen):
            chosen = random.Random(1).sample(chosen, options.sample)
        started = time.monotonic()
        items, calls = [item for item, _ in chosen], [judge.call(dialogue) for _, dialogue in chosen]
        print(report(path.stem, items, calls, time.monotonic() - started, judge), flush=True)


def report(name: str, items: Sequence[Item], calls: Sequence[Judgement], seconds: float, judge: Bench) -> str:
    """The table of one file, and where there are participants' stances or shares of opinion, those beside it."""
    score = classification(
        [item["label"] for item in items],
        [call.verdict for call in calls],
        groups=[item.get("meeting") or item.get("dialogue") or item["id"] for item in items],
        probabilities=[probability_of("agreement", call.verdict, call.confidence) for call in calls],
    )
    lines = [
        f"\n### {name}: {judge.judge.name} judge, {judge.model.name}, {len(items)} dialogues, {seconds / len(items):.1f} s each\n",
        *table([*score.rows, *_of_participants(items, calls)]),
    ]  # fmt: skip
    shares = [item.get("modal_share") for item in items]
    if all(share is not None for share in shares):
        agreeing = [probability_of("agreement", call.verdict, call.confidence) or 0.5 for call in calls]
        lines.append(
            f"| Spearman of P(agreement) with modal share | {spearmanr(agreeing, shares).statistic:.3f} | | {len(items)} |"
        )
    return "\n".join([*lines, "", *_confusion(score)])


def _of_participants(items: Sequence[Item], calls: Sequence[Judgement]) -> list[Row]:
    """Who supports, where that is labelled."""
    pairs = [
        ("support" if stance == "support" else "not", "support" if call.positions.get(name) == "support" else "not")
        for item, call in zip(items, calls, strict=True)
        for name, stance in item.get("stances", {}).items()
    ]
    if not pairs:
        return []
    labels, found = zip(*pairs, strict=True)
    score = classification(labels, found, positive="support")
    return [score.macro_f1.row("macro-F1 of who supports"), score.accuracy.row("accuracy of who supports")]


def _confusion(score: ClassificationScore) -> list[str]:
    head = f"| labelled \\ called | {' | '.join(score.columns)} |"
    rows = [f"| {label} | {' | '.join(map(str, row))} |" for label, row in zip(score.labels, score.confusion, strict=True)]
    return [head, "|---" * (len(score.columns) + 1) + "|", *rows]


if __name__ == "__main__":
    main()
