"""Fits the llm judge's weights for one model: python -m benchmarks.fit_judge [--model embedded] [--write]

Reads `data/evaluation/agreement_calibration.jsonl`, asks the model what the judge asks, fits the two logistic steps of
`conference/judges/decide.py`, and prints what they give on topics they were not fitted on. Replies are kept, so a second run is quick.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from conference.domain.transcript import Dialogue, Turn
from conference.judges.decide import FEATURES, WEIGHTS, Heard, Weights
from conference.judges.llm import hear_all
from conference.judging import bench
from conference.library import ROOT

CALIBRATION = ROOT / "data" / "evaluation" / "agreement_calibration.jsonl"
FOLDS = 6
Item = dict[str, Any]


def main() -> None:
    """Ask, fit, print; write with --write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--write", action="store_true", help=f"keep the weights in {WEIGHTS.name}")
    options = parser.parse_args()
    items = [json.loads(line) for line in CALIBRATION.read_text(encoding="utf-8").splitlines()]
    heard = asyncio.run(_heard(items, options.model))
    print(_table(items, heard))
    weights = fit(items, heard)
    print(weights)
    if options.write:
        known = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        known["models"][options.model] = {
            "participant": [round(w, 4) for w in weights.participant],
            **{key: round(getattr(weights, key), 4) for key in ("intercept", "least", "agreement")},
        }
        WEIGHTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def dialogue_of(item: Item) -> Dialogue:
    """An item of the set as a judge hears it."""
    turns = tuple(Turn(speaker=t["speaker"], text=t["text"]) for t in item["turns"] if t["text"].strip())
    return Dialogue(
        id=item["id"], topic=item["topic"], question=item["question"], participants=tuple(item["participants"]), turns=turns,
        proposal=item.get("proposal", ""),
    )  # fmt: skip


async def _heard(items: list[Item], model: str) -> list[dict[str, Heard]]:
    asked = bench("llm", model).model
    found = []
    for item in items:
        got = await hear_all(dialogue_of(item), asked)
        if got is None:
            raise SystemExit(f"{model} gives no probabilities; there is nothing to fit")
        found.append(got[1])
    return found


def fit(items: list[Item], heard: list[dict[str, Heard]], folds: int = FOLDS) -> Weights:
    """Participants first; then the table, on log-odds of participants from folds that didn't see their topic."""
    x, y, owner = _participants(items, heard)
    topics = np.array([items[at]["topic"] for at in owner])
    unseen = np.zeros(len(y))
    for train, test in GroupKFold(folds).split(x, y, topics):
        unseen[test] = _logistic(x[train], y[train]).decision_function(x[test])
    least = np.array([unseen[owner == at].min() for at in range(len(items))])
    labels = np.array([item["label"] == "agreement" for item in items])
    person, table = _logistic(x, y), _logistic(least[:, None], labels)
    return Weights(
        tuple(map(float, person.coef_[0])), float(person.intercept_[0]), float(table.coef_[0][0]), float(table.intercept_[0])
    )


def _logistic(x: Any, y: Any) -> LogisticRegression:
    return LogisticRegression(C=1.0, class_weight="balanced", max_iter=1000).fit(x, y)


def _participants(items: list[Item], heard: list[dict[str, Heard]]) -> tuple[Any, Any, Any]:
    """Features (participants, 6), whether each supports, and the item each belongs to."""
    rows = [
        (each.features(), item["stances"][name] == "support", at)
        for at, (item, people) in enumerate(zip(items, heard, strict=True))
        for name, each in people.items()
    ]
    x, y, owner = zip(*rows, strict=True)
    return np.array(x), np.array(y), np.array(owner)


def _table(items: list[Item], heard: list[dict[str, Heard]]) -> str:
    """What the weights give on topics they weren't fitted on."""
    labels = np.array([item["label"] == "agreement" for item in items])
    topics = np.array([item["topic"] for item in items])
    chance = np.zeros(len(items))
    for train, test in GroupKFold(FOLDS).split(labels, labels, topics):
        weights = fit([items[at] for at in train], [heard[at] for at in train], folds=FOLDS - 1)
        for at in test:
            chance[at] = weights.agree([weights.accepts(each) for each in heard[at].values()])
    x, y, _ = _participants(items, heard)
    called = chance >= 0.5
    lines = [f"| {name} alone, participants | AUROC {roc_auc_score(y, x[:, at]):.3f} |" for at, name in enumerate(FEATURES)]
    lines.append(f"| dialogues, unseen topics | AUROC {roc_auc_score(labels, chance):.3f} |")
    lines.append(f"| dialogues, unseen topics | macro-F1 {f1_score(labels, called, average='macro'):.3f} |")
    lines.append(f"| false agreement | {called[~labels].mean():.3f} |")
    for group in sorted({item["group"] for item in items}):
        mine = np.array([item["group"] == group for item in items])
        lines.append(f"| {group} ({mine.sum()}) | macro-F1 {f1_score(labels[mine], called[mine], average='macro'):.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
