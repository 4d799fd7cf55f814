"""Runs under way in one process: started, watched, paused, taken up again; what a page sees of them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conference.domain.events import Utterance
from conference.domain.spec import Stage
from conference.errors import UnknownName
from conference.live import LiveRuns, RunState
from conference.store import Store
from tests.conferences import small_spec

SPEC = small_spec(2, models="scripted", agenda=(Stage(name="A", max_rounds=2), Stage(name="B", max_rounds=1)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as opened:
        yield opened


@pytest.fixture
def runs(store: Store) -> Iterator[LiveRuns]:
    live = LiveRuns(store)
    yield live
    live.close()


def until(reached: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, f"not within {seconds:g} s: {what}"
        time.sleep(0.01)


def until_state(runs: LiveRuns, run: str, state: RunState) -> None:
    until(lambda: runs.state(run) == state, f"{state}; it is {runs.state(run)}: {runs.problem(run)}")


def spoken(store: Store, run: str) -> list[str]:
    return [event.text for event in store.log(run).events() if isinstance(event, Utterance)]


def test_a_conference_goes_to_its_end_whoever_looks(runs: LiveRuns, store: Store) -> None:
    run = runs.start(SPEC)
    until_state(runs, run, "finished")
    assert runs.problem(run) == ""
    seen = runs.watch.look(run)
    assert seen is not None
    assert seen.view.closed
    assert [event.seq for event in seen.events] == list(range(len(seen.events)))
    assert runs.recent(5)[0].progress == f"2 stages, {len(spoken(store, run))} utterances"


def test_two_at_once_say_what_they_would_say_alone(runs: LiveRuns, store: Store) -> None:
    alone = runs.start(SPEC)
    until_state(runs, alone, "finished")
    pair = [runs.start(SPEC), runs.start(SPEC)]
    for run in pair:
        until_state(runs, run, "finished")
    assert [spoken(store, run) for run in pair] == [spoken(store, alone)] * 2


def test_a_pause_holds_before_the_next_act_and_resume_goes_on(runs: LiveRuns, store: Store) -> None:
    run = runs.start(SPEC)
    runs.pause(run)
    until(lambda: not runs.is_live(run), "the pause")
    before = spoken(store, run)
    if runs.state(run) == "paused":  # it may have been over before the pause came
        runs.resume(run)
    until_state(runs, run, "finished")
    assert spoken(store, run)[: len(before)] == before


def test_resumed_twice_it_runs_once(runs: LiveRuns, store: Store) -> None:
    run = runs.start(SPEC)
    runs.resume(run)
    runs.resume(run)
    until_state(runs, run, "finished")
    assert [event.seq for event in store.log(run).events()] == list(range(store.run(run).events))


def test_what_a_dead_process_left_is_interrupted_and_goes_on(store: Store, tmp_path: Path) -> None:
    first = LiveRuns(store)
    run = first.start(SPEC)
    first.pause(run)
    until(lambda: not first.is_live(run), "the pause")
    first.close()
    store.set_status(run, "running")  # as a kill leaves it: running, held by a process that is gone
    assert store.acquire(run, f"{socket.gethostname()}/999999999/x", 60)
    again = LiveRuns(store)
    try:
        assert again.state(run) == "interrupted"
        again.resume(run)
        until_state(again, run, "finished")
    finally:
        again.close()


def test_a_model_that_cant_be_used_fails_with_its_reason(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = runs.start(SPEC.model_copy(update={"models": SPEC.models.model_copy(update={"default": "openai:gpt-x"})}))
    until_state(runs, run, "failed")
    assert "OPENAI_API_KEY" in runs.problem(run)


def test_unknown_runs(runs: LiveRuns) -> None:
    for ask in (runs.state, runs.resume, runs.watch.look):
        with pytest.raises(UnknownName, match="nobody"):
            ask("nobody")
    assert runs.speaking("nobody") is None
    runs.pause("nobody")  # nothing to pause is no fault


def test_closing_pauses_what_runs(store: Store) -> None:
    live = LiveRuns(store)
    run = live.start(SPEC)
    live.close()
    live.close()
    assert store.run(run).status in ("paused", "finished", "interrupted")
    assert store.run(run).owner is None
