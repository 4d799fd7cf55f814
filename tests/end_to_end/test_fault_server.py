"""A whole conference over a server that fails in every way it can: it ends, and every fault is on the log."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from conference import running
from conference.domain.events import Event, Fault, Utterance
from conference.domain.spec import EvaluatorSpec, Spec, Stage
from conference.models.wrappers import Retrying
from conference.running import hold, open_run, session_of
from conference.store import Store
from tests.conferences import small_spec
from tests.models.fault_server import Answer, FaultServer, broken, busy, cut, empty, said, slow


def good(body: dict[str, Any]) -> Answer:
    """A reply of the kind that was asked for."""
    system, asked = body["messages"][0]["content"], body["messages"][-1]["content"]
    if "private ballot" in system:
        return said("7" if "one digit" in asked else '{"gradient": 7, "condition": ""}')
    return said("8") if "Score from 1 to 10" in asked else said("I can live with two boats.")


class Misbehaves:
    """Every third answer is a fault, each kind in its turn; a fault is never followed by another."""

    FAULTS = (busy(after=0.01), broken(), empty(), cut(), slow(3.0), said("Half of", breaks_off=True), broken(503), busy())

    def __init__(self) -> None:
        self.asked, self.given = 0, list[Answer]()

    def __call__(self, body: dict[str, Any]) -> Answer:
        self.asked += 1
        if self.asked % 3:
            return good(body)
        self.given.append(self.FAULTS[len(self.given) % len(self.FAULTS)])
        return self.given[-1]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    monkeypatch.setenv("PLENARY_DEADLINE", "0.5")
    monkeypatch.setattr(running, "Retrying", partial(Retrying, backoff=0.01))
    with FaultServer() as running_server:
        yield running_server


def held(tmp_path: Path, spec: Spec, plainly: bool = False) -> tuple[list[Event], str, list[Any]]:
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as store:
        run = open_run(store, spec)
        asyncio.run(hold(store, run, session_of(store, run), plainly=plainly))
        return store.log(run).events(), store.run(run).status, store.calls(run, limit=1000)


def spec_at(server: FaultServer, **more: Any) -> Spec:
    agenda = (Stage(name="Options", max_rounds=2), Stage(name="Terms", max_rounds=2, min_rounds=2))
    return small_spec(4, models=f"compatible:m@{server.url}", agenda=agenda, evaluator=EvaluatorSpec(), **more)


def test_every_kind_of_fault_is_on_the_log_and_the_conference_ends(server: FaultServer, tmp_path: Path) -> None:
    answers = server.otherwise = Misbehaves()
    events, status, calls = held(tmp_path, spec_at(server))
    assert status == "finished"
    faults = [event for event in events if isinstance(event, Fault)]
    assert all(fault.recovered for fault in faults)
    assert len(answers.given) >= 2 * len(Misbehaves.FAULTS)
    failed = [call.call for call in calls if call.call.outcome == "failed"]
    # a cut text is still a reply where no JSON was asked for: such an answer is no fault
    assert [fault.error for fault in faults] == [call.error for call in failed]
    assert len(faults) >= len(answers.given) - sum(answer.finish == "length" for answer in answers.given)
    kinds = Counter(_kind(fault.error) for fault in faults)
    assert {"HTTP 429", "HTTP 500", "HTTP 503", "broke off", "in time", "nothing said"} <= set(kinds), kinds
    said_by_all = Counter(e.speaker for e in events if isinstance(e, Utterance) and e.role == "participant")
    assert set(said_by_all.values()) == {events[-1].stages[0].rounds + events[-1].stages[1].rounds}  # type: ignore[union-attr]


def _kind(error: str) -> str:
    for words, kind in (
        ("HTTP 429", ""),
        ("HTTP 500", ""),
        ("HTTP 503", ""),
        ("broke off", ""),
        ("did not answer within", "in time"),
    ):
        if words in error:
            return kind or words
    return "nothing said" if error.startswith("ModelReplyError") else error


def test_a_server_that_never_recovers_pauses_the_conference_and_a_better_one_ends_it(server: FaultServer, tmp_path: Path) -> None:
    server.otherwise = lambda body: broken()
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as store:
        run = open_run(store, spec_at(server))
        asyncio.run(hold(store, run, session_of(store, run)))
        events = store.log(run).events()
        assert store.run(run).status == "paused"
        assert [e.kind for e in events] == ["conference_opened", "stage_opened", *["fault"] * 6, "paused"]
        assert all(isinstance(e, Fault) and not e.recovered for e in events[2:8])
        server.otherwise = good
        asyncio.run(hold(store, run, session_of(store, run)))
        assert store.run(run).status == "finished"


def test_a_server_that_isnt_there_pauses_the_conference(server: FaultServer, tmp_path: Path) -> None:
    spec = small_spec(2, models="compatible:m@http://127.0.0.1:9/v1")
    events, status, _ = held(tmp_path, spec)
    assert (status, events[-1].kind) == ("paused", "paused")
    assert "can't be reached at http://127.0.0.1:9/v1" in events[-2].error  # type: ignore[union-attr]


def test_a_key_the_server_repeats_is_on_no_disk(server: FaultServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "planted-key-0123456789"
    monkeypatch.setenv("PLENARY_COMPATIBLE_KEY", key)
    server.otherwise = lambda body: Answer(status=500, body={"error": {"message": f"your key {key} is odd"}})
    held(tmp_path, spec_at(server))
    assert server.headers[0]["authorization"] == f"Bearer {key}"
    assert all(key.encode() not in file.read_bytes() for file in tmp_path.iterdir())
