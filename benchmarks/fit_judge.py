"""Fits the llm judge's line for one model: python -m benchmarks.fit_judge [--model embedded] [--write]

Asks the model what the judge asks, on two sets of `data/evaluation/`: exchanges whose proposal was read out (slope and intercept) and
exchanges whose proposal the model has to state itself (the other intercept). Prints what the line gives on topics it was not fitted on.
Replies are kept, so a second run is quick.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import asdict
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from benchmarks.tables import Item, labelled
from conference.domain.transcript import Dialogue
from conference.importers.transcripts import read_dialogues
from conference.judges.decide import THRESHOLD, WEIGHTS, Line
from conference.judges.llm import hear_all
from conference.judging import bench
from conference.library import ROOT

SETS = [ROOT / "data" / "evaluation" / f"{name}.jsonl" for name in ("agreement_calibration", "conference_dev")]
FOLDS = 8


def main() -> None:
    """Ask, fit, print; write with --write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--write", action="store_true", help=f"keep the line in {WEIGHTS.name}")
    options = parser.parse_args()
    items = [item for path in SETS for item in labelled(path)]
    heard = asyncio.run(_heard([dialogue for path in SETS for dialogue in read_dialogues(path)], options.model))
    print(_table(items, heard))
    line = fit(items, heard)
    print(line)
    if options.write:
        known = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        known[options.model] = {key: round(value, 4) for key, value in asdict(line).items()}
        WEIGHTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


async def _heard(dialogues: list[Dialogue], model: str) -> list[dict[str, float]]:
    asked = bench("llm", model).model
    found = []
    for dialogue in dialogues:
        got = await hear_all(dialogue, asked)
        if got is None:
            raise SystemExit(f"{model} gives no probabilities; there is nothing to fit")
        found.append(got[1])
    return found


def fit(items: list[Item], heard: list[dict[str, float]]) -> Line:
    """Logistic regression of *agreement* on the least log-odds, one slope, an intercept a set; classes weigh the same within each set."""
    least, labels, read_out = _arrays(items, heard)
    weights = np.zeros(len(labels))
    for group in (read_out, ~read_out):
        for label in (True, False):
            chosen = group & (labels == label)
            weights[chosen] = 1 / max(1, chosen.sum())
    weights *= len(labels) / weights.sum()

    def loss(parameters: Any) -> float:
        slope, there, stated = parameters
        score = np.where(read_out, there, stated) + slope * least
        return float(weights @ np.logaddexp(0, np.where(labels, -score, score)) + 0.5 * slope**2 / len(labels))

    slope, there, stated = minimize(loss, (1.0, 0.0, 0.0)).x
    return Line(slope=float(slope), read_out=float(there), stated=float(stated))


def _arrays(items: list[Item], heard: list[dict[str, float]]) -> tuple[Any, Any, Any]:
    """Least log-odds, whether the label is agreement, whether the proposal was read out: shape (items,) each."""
    return (
        np.array([min(each.values()) for each in heard]),
        np.array([item["label"] == "agreement" for item in items]),
        np.array([bool(item.get("proposal")) for item in items]),
    )


def _table(items: list[Item], heard: list[dict[str, float]]) -> str:
    """What the line gives on topics it wasn't fitted on."""
    least, labels, read_out = _arrays(items, heard)
    topics = np.array([item["topic"] for item in items])
    chance = np.zeros(len(items))
    for train, test in GroupKFold(FOLDS).split(labels, labels, topics):
        line = fit([items[at] for at in train], [heard[at] for at in train])
        for at in test:
            chance[at] = line.agree([least[at]], bool(read_out[at]))
    kinds = np.array([item.get("group", "proposal stated by the model") for item in items])
    rows = ["| unseen topics | n | AUROC | macro-F1 | false agreement |", "|---|---|---|---|---|"]
    for name, chosen in [("proposal read out", read_out), *((kind, kinds == kind) for kind in sorted(set(kinds)))]:
        truth, called = labels[chosen], chance[chosen] >= THRESHOLD
        auroc, macro = roc_auc_score(truth, chance[chosen]), f1_score(truth, called, average="macro")
        rows.append(f"| {name} | {chosen.sum()} | {auroc:.3f} | {macro:.3f} | {called[~truth].mean():.3f} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
