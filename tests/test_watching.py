"""Logs that grow, read once for all who watch; and the coverage of what is said, read beside."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conference import covering
from conference.analysis.coverage import CoverageReader
from conference.domain.chat import Embedder
from conference.domain.events import Event, Utterance
from conference.errors import SetupError, UnknownName
from conference.following import CoverageFollower, Followed
from conference.library import load_reference
from conference.store import Store
from conference.store.run_log import RunLog
from conference.watching import KEPT, Watch
from tests.analysis.word_embedder import WordEmbedder
from tests.pages.scenes import held, kept

REFERENCE = "rogeberg2018_drug_policy"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as opened:
        yield opened


class TestWatch:
    def test_only_what_is_new_is_read(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        events = held()
        run = kept(store, events[:4], "paused")
        watch, asked = Watch(store), list[int]()
        read = RunLog.events

        def counted(log: RunLog, after: int = -1) -> list[Event]:
            asked.append(after)
            return read(log, after)

        monkeypatch.setattr(RunLog, "events", counted)
        first = watch.look(run)
        assert first is not None
        assert watch.look(run) is first, "nothing came: the same object, nothing is made anew"
        for event in events[4:6]:
            store.log(run).append(event)
        second = watch.look(run)
        assert second is not None
        assert second.events == tuple(events[:6])
        assert second.view.rows[: len(first.view.rows)] == first.view.rows
        assert asked == [-1, 3, 3]

    def test_the_first_event_alone(self, store: Store) -> None:
        events = held()
        assert store.log(kept(store, events[:3], "paused")).first() == events[0]
        assert store.log(store.create_run("Empty", status="paused")).first() is None

    def test_empty_and_unknown(self, store: Store) -> None:
        watch = Watch(store)
        assert watch.look(store.create_run("Empty", status="paused")) is None
        with pytest.raises(UnknownName):
            watch.look("nobody")

    def test_it_forgets_those_looked_at_longest_ago(self, store: Store) -> None:
        watch = Watch(store)
        for _ in range(KEPT + 3):
            watch.look(store.create_run("Empty", status="paused"))
        assert len(watch._logs) == KEPT


class WideEmbedder(WordEmbedder):
    """With room for every word of a real reference."""

    dimension = 4096


def spoken(*texts: str) -> list[Event]:
    return [
        Utterance(seq=seq, at="", stage=0, round=1, speaker="Ada", role="participant", text=text)
        for seq, text in enumerate(texts, 1)
    ]


def until(found: Callable[[], Followed], seconds: float = 20) -> Followed:
    end = time.monotonic() + seconds
    while not (latest := found()).current:
        assert time.monotonic() < end
        time.sleep(0.01)
    return latest


class TestCoverage:
    @pytest.fixture
    def follower(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CoverageFollower]:
        monkeypatch.setattr(covering, "reader_for", lambda reference: CoverageReader(reference, self.embedder))
        made = CoverageFollower()
        yield made
        made.close()

    embedder: Embedder = WideEmbedder()

    def test_it_is_what_reading_the_whole_talk_gives(self, follower: CoverageFollower, tmp_path: Path) -> None:
        reference = load_reference(REFERENCE)
        texts = [reference.criteria[place].examples[0] for place in (0, 3, 5)]
        assert follower.latest("a", REFERENCE, spoken(texts[0])) == Followed()
        until(lambda: follower.latest("a", REFERENCE, spoken(*texts[:2])))
        view = until(lambda: follower.latest("a", REFERENCE, spoken(*texts))).view
        assert view is not None
        whole = CoverageReader(reference, self.embedder).coverage(covering.lines_of(spoken(*texts)))
        assert (view.raised, view.raised_clusters, view.utterances) == (whole.covered_criteria, whole.covered_clusters, 3)
        names = {item.name for cluster in view.clusters for item in cluster.criteria if not item.raised}
        assert names == set(whole.never_raised)

    def test_a_recording_that_is_played_again_has_its_earlier_coverage(self, follower: CoverageFollower) -> None:
        texts = [item.examples[0] for item in load_reference(REFERENCE).criteria[:2]]
        until(lambda: follower.latest("a", REFERENCE, spoken(*texts)))
        view = until(lambda: follower.latest("a", REFERENCE, spoken(texts[0]))).view
        assert view is not None
        assert view.utterances == 1

    def test_an_unknown_reference_is_one_line(self, follower: CoverageFollower) -> None:
        latest = until(lambda: follower.latest("a", "rogeberg", spoken("x")))
        assert latest.view is None
        assert latest.problem.startswith("unknown reference 'rogeberg'; did you mean")

    def test_without_a_model_and_with_a_bug_the_conference_isnt_touched(
        self, follower: CoverageFollower, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fails(error: Exception) -> Callable[[Any], Any]:
            def reader_for(reference: Any) -> Any:
                raise error

            return reader_for

        monkeypatch.setattr(covering, "reader_for", fails(SetupError("no embedding model; install one")))
        assert until(lambda: follower.latest("a", REFERENCE, spoken("x"))).problem == "no embedding model; install one"
        monkeypatch.setattr(covering, "reader_for", fails(KeyError("a bug")))
        assert "(KeyError: 'a bug')" in until(lambda: follower.latest("b", REFERENCE, spoken("x"))).problem
        assert "coverage broke off" in caplog.text
