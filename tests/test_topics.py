"""Topics are grouped once, in a thread beside; what goes wrong is one line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conference import topics
from conference.analysis.beyond import Topics
from conference.analysis.coverage import Line
from conference.domain.coverage import UtteranceCoverage
from conference.errors import SetupError
from conference.topics import Grouped, TopicFinder

LINES = [Line(1, "Ada", "one"), Line(2, "Ben", "two")]
ROWS = [UtteranceCoverage(seq=1), UtteranceCoverage(seq=2)]


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> Iterator[TopicFinder]:
    monkeypatch.setattr("conference.models.embeddings.best_embedder", lambda: None)
    made = TopicFinder()
    yield made
    made.close()


def done(ask: Callable[[], Grouped]) -> Grouped:
    end = time.monotonic() + 10
    while not ask().done:
        assert time.monotonic() < end
        time.sleep(0.005)
    return ask()


def test_grouped_once_without_making_anybody_wait(finder: TopicFinder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    go_on = threading.Event()

    def slowly(*given: Any) -> Topics:
        go_on.wait(10)
        asked.append(given)
        return Topics((), len(given[0]))

    monkeypatch.setattr(topics, "topics_of", slowly)
    assert finder.latest("run", LINES, ROWS, {"Mo"}) == Grouped()
    assert finder.latest("run", LINES, ROWS, {"Mo"}) == Grouped()
    go_on.set()
    assert done(lambda: finder.latest("run", LINES, ROWS, {"Mo"})) == Grouped(Topics((), 2))
    assert asked == [(tuple(LINES), tuple(ROWS), None, frozenset({"Mo"}))]
    assert done(lambda: finder.latest("run", LINES, ROWS[:1], {"Mo"})) == Grouped(Topics((), 1)), "only what was read"
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SetupError("the embedding model isn't installed"), "the embedding model isn't installed"),
        (ValueError("odd"), "grouping broke off (ValueError: odd); the conference itself is not touched by it"),
    ],
)
def test_what_goes_wrong_is_one_line(finder: TopicFinder, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str) -> None:
    def fails(*_: Any) -> Topics:
        raise error

    monkeypatch.setattr(topics, "topics_of", fails)
    assert done(lambda: finder.latest("run", LINES, ROWS, ())) == Grouped(problem=said)


def test_only_so_many_are_kept(finder: TopicFinder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "topics_of", lambda *_: Topics((), 0))
    monkeypatch.setattr(topics, "KEPT", 2)
    for talk in ("a", "b", "c"):
        done(lambda talk=talk: finder.latest(talk, LINES, ROWS, ()))  # type: ignore[misc]
    assert [talk for talk, _ in finder._known] == ["b", "c"]
