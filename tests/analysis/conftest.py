from __future__ import annotations

import sys
from pathlib import Path

import pytest

from conference.domain.reference import Cluster, Criterion, Reference

sys.path.insert(0, str(Path(__file__).parent))

EXAMPLES = {
    "Crime": ("gangs sell it", "police chase gangs", "gangs and police fight"),
    "Jobs": ("workers lose wages", "wages pay workers", "factory wages fall"),
    "Nature": ("rivers and birds die", "birds need rivers", "rivers turn brown"),
}
NOTHING = ("shall we begin", "thank you", "let us vote", "coffee is ready", "time is up")


def criterion(name: str, examples: tuple[str, ...]) -> Criterion:
    return Criterion(name=name, definition=f"about {name.lower()}", examples=examples)


@pytest.fixture(autouse=True)
def no_lines_about_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny reference is learnt from its own few lines, so that scores can be told beforehand."""
    monkeypatch.setattr("conference.analysis.coverage_classifier.OFF_TOPIC_LINES", ())


@pytest.fixture
def reference() -> Reference:
    """Two clusters: Society (Crime, Jobs) and Land (Nature)."""
    return Reference(
        id="tiny",
        title="A tiny conference",
        clusters=(
            Cluster(name="Society", criteria=(criterion("Crime", EXAMPLES["Crime"]), criterion("Jobs", EXAMPLES["Jobs"]))),
            Cluster(name="Land", criteria=(criterion("Nature", EXAMPLES["Nature"]),)),
        ),
        none_examples=NOTHING,
    )
