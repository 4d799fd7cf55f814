"""From a spec and a store to a conference that runs: overrides, leases, statuses."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conference import running
from conference.domain.events import ConferenceOpened, Event
from conference.domain.spec import JudgeSpec, ModelsSpec, Stage
from conference.errors import LogError, SetupError, SpecError, UnknownName, UserError
from conference.running import Overrides, deadline_of, hold, near_by, open_run, session_of, spec_of, with_overrides
from conference.store import Store
from tests.conferences import small_spec

SPEC = small_spec(2, agenda=(Stage(name="A", max_rounds=1),))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/plenary.db") as opened:
        yield opened


class TestOverrides:
    SPEC = small_spec(
        2, judge={"kind": "ballot", "threshold": 7}, models={"default": "embedded", "by_participant": {"p0": "openai:x"}}
    )

    @pytest.mark.parametrize(
        ("overrides", "changed"),
        [
            (Overrides(), {}),
            (Overrides(model="scripted"), {"models": ModelsSpec(default="scripted")}),
            (Overrides(judge="llm"), {"judge": JudgeSpec(kind="llm")}),
            (Overrides(judge="none"), {"judge": None}),
            (Overrides(seed=0), {"seed": 0}),
            (Overrides(condition="without_judge"), {}),
        ],
    )
    def test_change_what_they_name(self, overrides: Overrides, changed: dict[str, Any]) -> None:
        assert with_overrides(self.SPEC, overrides) == self.SPEC.model_copy(update=changed)

    def test_an_unknown_judge_is_said_before_anybody_speaks(self) -> None:
        """Found: it was only noticed when the first round was to be judged."""
        with pytest.raises(UnknownName) as caught:
            with_overrides(self.SPEC, Overrides(judge="balot"))
        assert str(caught.value) == "unknown judge 'balot'; did you mean 'ballot'?"

    def test_an_empty_model_is_one_line(self) -> None:
        """Found: a ValidationError of pydantic."""
        with pytest.raises(SpecError, match=r"^the spec as changed: models.default is ''"):
            with_overrides(self.SPEC, Overrides(model=""))


def test_opening_puts_everything_on_the_log(store: Store) -> None:
    run = open_run(store, SPEC, "without_judge")
    (event,) = store.log(run).events()
    assert isinstance(event, ConferenceOpened)
    assert (event.seq, event.spec, event.condition, event.seed) == (0, SPEC, "without_judge", SPEC.seed)
    assert {"speaking", "openers", "roleplay", "judging", "balloting", "scoring"} == set(event.prompts)
    assert {"plenary", "autogen-agentchat", "pydantic"} <= set(event.packages)
    assert spec_of(store, run) == SPEC
    summary = store.run(run)
    assert (summary.title, summary.models, summary.condition) == ("Ferry", ("scripted",), "without_judge")


def test_a_run_without_a_beginning_cant_be_run(store: Store) -> None:
    run = store.create_run("Ferry")
    with pytest.raises(LogError, match="has no conference_opened"):
        session_of(store, run)


@pytest.mark.parametrize("plainly", [True, False])
async def test_holding_runs_to_the_end_and_keeps_the_calls(store: Store, plainly: bool) -> None:
    run = open_run(store, SPEC)
    heard: list[Event] = []
    await hold(store, run, session_of(store, run, on_event=heard.append), plainly=plainly)
    events = store.log(run).events()
    assert events[1:] == heard
    assert events[-1].kind == "conference_closed"
    summary = store.run(run)
    assert (summary.status, summary.owner, summary.events) == ("finished", None, len(events))
    assert [call.call.outcome for call in store.calls(run)] == ["used"] * 6  # opening, 2 turns, 2 ballots, summary


async def test_paused_and_taken_up_again(store: Store) -> None:
    run = open_run(store, SPEC)
    session = session_of(store, run)
    session.pause()
    await hold(store, run, session)
    assert store.run(run).status == "paused"
    await hold(store, run, session_of(store, run))
    assert store.run(run).status == "finished"
    assert [e.kind for e in store.log(run).events()[:4]] == ["conference_opened", "paused", "resumed", "stage_opened"]


async def test_a_bug_marks_the_run_as_failed_and_gives_it_back(store: Store) -> None:
    run = open_run(store, SPEC)

    def listen(event: Event) -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError, match="a bug"):
        await hold(store, run, session_of(store, run, on_event=listen))
    assert (store.run(run).status, store.run(run).owner) == ("failed", None)


class TestLeases:
    async def test_a_run_is_held_by_one_process(self, store: Store) -> None:
        run = open_run(store, SPEC)
        assert store.acquire(run, "elsewhere/1/abc", 60)
        with pytest.raises(UserError, match=f"^run {run} is being run by another process"):
            await hold(store, run, session_of(store, run))

    async def test_not_even_this_process_twice(self, store: Store) -> None:
        run = open_run(store, SPEC)
        assert store.acquire(run, running.owner_name(), 60)
        with pytest.raises(UserError, match="is being run by another process"):
            await hold(store, run, session_of(store, run))

    async def test_what_a_killed_process_held_is_free_at_once(self, store: Store) -> None:
        """Found: after a kill -9, `resume` said for a minute that another process runs it."""
        run = open_run(store, SPEC)
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        assert store.acquire(run, f"{socket.gethostname()}/{dead.pid}/abc", 60)
        await hold(store, run, session_of(store, run))
        assert store.run(run).status == "finished"

    @pytest.mark.parametrize(
        "owner", ["page", f"{socket.gethostname()}/x/y", f"elsewhere/{os.getpid()}/y", f"{socket.gethostname()}/1/y"]
    )
    async def test_only_a_process_known_to_be_gone_loses_it(self, store: Store, owner: str) -> None:
        run = open_run(store, SPEC)
        assert store.acquire(run, owner, 60)
        with pytest.raises(UserError):
            await hold(store, run, session_of(store, run))
        assert store.run(run).owner == owner

    async def test_losing_the_lease_stops_the_session(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Found: the answer of `renew` was thrown away, so that two processes could run one conference."""
        monkeypatch.setattr(running, "LEASE_SECONDS", 0.03)
        run = open_run(store, SPEC)
        session = session_of(store, run)

        async def act_once() -> None:
            await asyncio.sleep(0.01)
            holder = store.run(run).owner
            if holder is not None and holder != "elsewhere/1/abc":
                store.release(run, holder)
                assert store.acquire(run, "elsewhere/1/abc", 60)

        monkeypatch.setattr(session, "act_once", act_once)
        with pytest.raises(LogError) as caught:
            await asyncio.wait_for(hold(store, run, session, plainly=True), 10)
        assert str(caught.value) == f"run {run} was taken over by another process; it goes on there"
        assert store.run(run).status == "running", "it is the other's to say how it ends"

    async def test_a_lease_that_ran_out_unnoticed_is_taken_again(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """After a sleep of the machine another command may have marked the run as interrupted."""
        monkeypatch.setattr(running, "LEASE_SECONDS", 0.1)
        run = open_run(store, SPEC)
        session = session_of(store, run)
        act_once = session.act_once

        async def slowly() -> None:
            if session.floor.next_seq == 3:
                store.release(run, str(store.run(run).owner))
                store.set_status(run, "interrupted")
            await asyncio.sleep(0.06)
            await act_once()

        monkeypatch.setattr(session, "act_once", slowly)
        await hold(store, run, session, plainly=True)
        assert (store.run(run).status, store.run(run).owner) == ("finished", None)

    async def test_a_database_that_is_busy_for_a_moment_loses_nothing(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Found: the keeper died of it, and its error came up after the conference had ended well."""
        monkeypatch.setattr(running, "LEASE_SECONDS", 0.3)
        renewed: list[bool] = []
        renew = Store.renew

        def busy_first(store: Store, *given: Any) -> bool:
            renewed.append(len(renewed) > 0)
            if len(renewed) == 1:
                raise LogError("locking failed: database is locked; try again")
            return renew(store, *given)

        monkeypatch.setattr(Store, "renew", busy_first)
        run = open_run(store, SPEC)
        session = session_of(store, run)
        act_once = session.act_once

        async def slowly() -> None:
            await asyncio.sleep(0.05)
            await act_once()

        monkeypatch.setattr(session, "act_once", slowly)
        await hold(store, run, session, plainly=True)
        assert renewed[:2] == [False, True]
        assert store.run(run).status == "finished"


class TestModels:
    def test_only_those_that_are_needed_are_made(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Found: a key was asked for a judge that didn't sit at the conference."""
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        models = {"default": "scripted", "judge": "openai:x", "evaluator": "openai:x"}
        session_of(store, open_run(store, small_spec(2, judge="none", models=models)))
        session_of(store, open_run(store, small_spec(2, models=models), "without_judge"))
        with pytest.raises(SetupError, match="OPENAI_API_KEY"):
            session_of(store, open_run(store, small_spec(2, models=models)))

    def test_what_cant_be_used_is_said_before_anything_starts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        running.check_models(small_spec(2, judge="none", models={"default": "scripted", "judge": "openai:x"}))
        with pytest.raises(SetupError, match="OPENAI_API_KEY"):
            running.check_models(small_spec(2, models={"default": "scripted", "judge": "openai:x"}))
        with pytest.raises(UserError, match="unknown model 'embeded'; did you mean 'embedded'"):
            running.check_models(small_spec(2, models="embeded"))

    @pytest.mark.parametrize(
        ("named", "model", "seconds"),
        [(None, "embedded", 300), (None, "ollama:x", 300), (None, "openai:x", 120), ("7.5", "embedded", 7.5)],
    )
    def test_deadlines(self, monkeypatch: pytest.MonkeyPatch, named: str | None, model: str, seconds: float) -> None:
        monkeypatch.delenv("PLENARY_DEADLINE", raising=False)
        if named:
            monkeypatch.setenv("PLENARY_DEADLINE", named)
        assert deadline_of(model) == seconds

    @pytest.mark.parametrize("named", ["soon", "0", "-3", "nan"])
    def test_a_deadline_that_is_none(self, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
        monkeypatch.setenv("PLENARY_DEADLINE", named)
        with pytest.raises(UserError) as caught:
            deadline_of("embedded")
        assert str(caught.value) == f"PLENARY_DEADLINE is '{named}'; give seconds, such as 120"

    def test_nearness_by_embeddings_embeds_each_text_once(self) -> None:
        asked: list[str] = []

        class Letters:
            name = "letters"

            def embed(self, texts: list[str]) -> Any:
                asked.extend(texts)
                return np.array([[t.count("a"), t.count("b")] / np.linalg.norm([t.count("a"), t.count("b")]) for t in texts])

        near = near_by(Letters())
        # (1, 0)·(0, 1) = 0; (1, 0)·(1, 1)/√2 = 0.7071; a text with itself 1
        assert [near("a", "b"), near("a", "ab"), near("ab", "ab")] == pytest.approx([0, 0.5**0.5, 1])
        assert asked == ["a", "b", "ab"]
