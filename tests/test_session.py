"""One conference under way: AutoGen or a plain loop, paused, cancelled, failing or crowded: the log is the same."""

from __future__ import annotations

import asyncio
import json
import traceback
from typing import Any

import pytest
from autogen_core import CancellationToken

import conference.session
from conference.domain.chat import ChatModel, OnText, Reply, Request
from conference.domain.events import Event, Fault, Intervention, Paused, Resumed, Utterance
from conference.domain.log import MemoryLog
from conference.domain.spec import Moves, Spec, Stage
from conference.errors import BudgetSpent, LogError, ModelBusy, ModelError, ModelRefused, ModelReplyError
from conference.floor import fold
from conference.models.budget import Budget
from conference.models.scripted import ScriptedModel
from conference.models.wrappers import Budgeted, Retrying
from conference.seats.desk import Desk
from conference.session import Session, run, run_plainly
from tests.conferences import SHIPPED, Says, again, comparable, session_of, shipped, small_spec

PAUSES = ("paused", "resumed")


def log_of(session: Session, without: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return comparable(session.log.events(), without=without)


async def whole(spec: Spec, condition: Any = "with_judge") -> list[dict[str, Any]]:
    """The log of a conference that nothing disturbs."""
    session = session_of(spec, condition=condition)
    await run_plainly(session)
    return log_of(session)


@pytest.mark.parametrize("moves", [None, "planned", "free"])
@pytest.mark.parametrize("name", SHIPPED)
async def test_autogen_and_a_plain_loop_give_the_same_log(name: str, moves: Moves | None) -> None:
    spec = shipped(name).model_copy(update={"moves": moves})
    by_autogen = session_of(spec)
    await run(by_autogen)
    assert by_autogen.floor.closed
    assert log_of(by_autogen) == await whole(spec)


@pytest.mark.parametrize("condition", ["with_judge", "without_judge", "matched_budget"])
async def test_in_every_condition(condition: Any) -> None:
    spec = shipped("office-move").model_copy(update={"judge": small_spec().judge})
    session = session_of(spec, condition=condition)
    await run(session)
    assert log_of(session) == await whole(spec, condition)
    ballots = [e for e in session.log.events() if e.kind == "ballot"]
    assert bool(ballots) == (condition == "with_judge")


class PausesAt:
    """Pauses its session after so many events."""

    def __init__(self, *numbers: int) -> None:
        self.numbers, self.session = set(numbers), None

    def __call__(self, event: Event) -> None:
        if event.seq in self.numbers and isinstance(self.session, Session):
            self.session.pause("step")


@pytest.mark.parametrize("runner", [run, run_plainly])
@pytest.mark.parametrize("moves", [None, "planned"])
@pytest.mark.parametrize("name", SHIPPED)
async def test_paused_and_resumed_it_says_the_same(name: str, moves: Moves | None, runner: Any) -> None:
    """Found: seeds were drawn from the sequence number, so that a pause changed what was said after it."""
    spec = shipped(name).model_copy(update={"moves": moves})
    pauses = PausesAt(1, 5, 6, 30, 47)
    session = pauses.session = session_of(spec, on_event=pauses)  # type: ignore[assignment]
    segments = 0
    while not session.floor.closed:
        await runner(session)
        session.resume()
        segments += 1
    assert segments > 3
    assert log_of(session, without=PAUSES) == await whole(spec)


async def test_another_process_goes_on_where_the_log_ends() -> None:
    spec = shipped("cannabis-regulation")
    expected = await whole(spec)
    session = session_of(spec)
    for acts in (1, 7, 20, 3):
        for _ in range(acts):
            await session.act_once()
        session = again(session)
    await run(session)
    assert log_of(session) == expected


async def test_a_paused_or_closed_session_does_nothing() -> None:
    session = session_of(small_spec())
    session.pause()
    await run(session)
    before = session.log.events()
    assert [e.kind for e in before] == ["conference_opened", "paused"]
    await run(session)
    await session.act_once()
    assert session.log.events() == before
    session.resume()
    await run(session)
    ended = session.log.events()
    session.resume()
    session.pause()
    session.intervene(Intervention(seq=0, at="", action="say", text="Too late."))
    await session.act_once()
    await run(session)
    assert session.log.events() == ended
    assert ended[-1].kind == "conference_closed"


async def test_interventions_are_on_the_log_before_the_next_act_and_heard_by_the_next_speaker() -> None:
    model = Says(otherwise=lambda request: "Well.")
    session = session_of(small_spec(judge="none"), model)
    for _ in range(3):
        await session.act_once()
    session.intervene(Intervention(seq=0, at="", action="say", text="Mind the seals."))
    await session.act_once()
    assert [e.kind for e in session.log.events()[-2:]] == ["intervention", "utterance"]
    assert "Mo Chair: Mind the seals." in model.requests[-1].messages[-1].content


async def test_closing_and_extending_a_stage() -> None:
    spec = small_spec(2, judge="none", agenda=(Stage(name="A", max_rounds=1), Stage(name="B", max_rounds=3)))
    session = session_of(spec)
    session.intervene(Intervention(seq=0, at="", action="extend_stage"))  # no stage is open: nothing to extend
    await session.act_once()
    session.intervene(Intervention(seq=0, at="", action="extend_stage"))
    while session.floor.stage < 1:
        await session.act_once()
    session.intervene(Intervention(seq=0, at="", action="close_stage"))
    await run(session)
    assert [(o.because, o.rounds) for o in session.floor.outcomes] == [("max_rounds", 2), ("facilitator", 1)]


class Gate:
    """A model that stops at its n-th call until it is let go."""

    name, small, gives_probabilities = "scripted", False, False

    def __init__(self, at: int) -> None:
        self.at, self.calls, self.reached = at, 0, asyncio.Event()
        self.inner = ScriptedModel()

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.calls += 1
        if self.calls == self.at:
            self.reached.set()
            await asyncio.Event().wait()
        return await self.inner.complete(request, on_text)


@pytest.mark.parametrize("at", [1, 4, 9, 13, 25])
async def test_cancelled_in_a_call_the_log_is_whole_and_the_turn_is_made_again(at: int, caplog: pytest.LogCaptureFixture) -> None:
    spec = shipped("nicotine-products")
    expected = await whole(spec)
    gate = Gate(at)
    session, token = session_of(spec, gate), CancellationToken()
    task = asyncio.create_task(run(session, token))
    await gate.reached.wait()
    token.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 10)
    cut = log_of(session)
    assert cut == expected[: len(cut)]
    assert fold(session.log.events()) == session.floor
    resumed = again(session)
    await run(resumed)
    assert log_of(resumed) == expected
    assert [r.message for r in caplog.records] == [], "a stop is no error to be printed"


async def test_a_bug_in_a_seat_keeps_its_own_traceback() -> None:
    class Broken(ScriptedModel):
        async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            raise ZeroDivisionError("a bug of mine")

    for runner in (run, run_plainly):
        session = session_of(small_spec(), Broken())
        with pytest.raises(ZeroDivisionError, match="a bug of mine") as caught:
            await runner(session)
        frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert frames[-1] == "complete"
        assert "act_once" in frames
        assert [e.kind for e in session.log.events()] == ["conference_opened", "stage_opened"]


async def test_a_bug_in_a_listener_is_raised_too() -> None:
    def listen(event: Event) -> None:
        if event.seq == 4:
            raise KeyError("page gone")

    session = session_of(small_spec(), on_event=listen)
    with pytest.raises(KeyError, match="page gone"):
        await run(session)
    assert len(session.log.events()) == 5


def wrapped_desk(model: ChatModel, budget: Budget | None = None, attempts: int = 2) -> Desk:
    """Models as they are run: with retries that don't wait, and a budget."""
    return Desk(
        lambda role, speaker, name, on_fault: Budgeted(
            Retrying(model, attempts, backoff=0.0, on_fault=on_fault), budget or Budget()
        )
    )


def with_desk(spec: Spec, desk: Desk) -> Session:
    session = session_of(spec)
    session.desk = desk
    return session


def busy_at(*calls: int, error: ModelError | None = None) -> Says:
    """Scripted replies, but these calls (from 1) fail."""
    model = Says()
    model.name = "scripted"
    inner, count = ScriptedModel(), 0

    async def complete(request: Request, on_text: OnText | None = None) -> Reply:
        nonlocal count
        count += 1
        if count in calls:
            raise error or ModelBusy("busy")
        return await inner.complete(request, on_text)

    model.complete = complete  # type: ignore[method-assign]
    return model


def faults(session: Session) -> list[tuple[str, str, int, bool]]:
    return [(e.where, e.speaker, e.attempt, e.recovered) for e in session.log.events() if isinstance(e, Fault)]


class TestFailures:
    SPEC = small_spec(2, judge="none", agenda=(Stage(name="A", max_rounds=1),), evaluator=None)

    async def test_a_second_attempt_is_a_fault_that_recovered(self) -> None:
        session = with_desk(self.SPEC, wrapped_desk(busy_at(2)))
        await run(session)
        speaker = next(e for e in session.log.events() if isinstance(e, Utterance) and e.role == "participant").speaker
        assert faults(session) == [("turn", speaker, 1, True)]
        assert session.floor.closed
        assert log_of(session, without=("fault",)) == await whole(self.SPEC)

    async def test_an_act_that_fails_is_made_again(self) -> None:
        session = with_desk(self.SPEC, wrapped_desk(busy_at(1, 2)))
        await run(session)
        assert faults(session) == [("frame", "Mo Chair", 1, False), ("frame", "Mo Chair", 2, False)]
        assert log_of(session, without=("fault",)) == await whole(self.SPEC)

    @pytest.mark.parametrize(
        ("error", "detail"),
        [
            (ModelBusy("busy"), "open of moderator failed 4 times: busy"),
            (ModelReplyError("cut"), "open of moderator failed 4 times: cut"),
            (ModelRefused("no key"), "open of moderator failed 4 times: no key"),
        ],
    )
    async def test_it_waits_for_a_human_when_nothing_helps(self, error: ModelError, detail: str) -> None:
        model = busy_at(*range(1, 50), error=error)
        session = with_desk(self.SPEC, wrapped_desk(model))
        await run(session)
        assert session.floor.paused == session.log.events()[-1]
        assert isinstance(session.floor.paused, Paused)
        assert (session.floor.paused.because, session.floor.paused.detail) == ("faults", detail)
        assert len(faults(session)) == 4

    async def test_and_goes_on_when_it_is_resumed(self) -> None:
        session = with_desk(self.SPEC, wrapped_desk(busy_at(1, 2, 3, 4)))
        await run(session)
        assert not session.floor.closed
        session.resume()
        await run(session)
        assert log_of(session, without=("fault", *PAUSES)) == await whole(self.SPEC)

    async def test_the_limit_is_the_specs(self) -> None:
        spec = self.SPEC.model_copy(update={"limits": self.SPEC.limits.model_copy(update={"faults_in_a_row": 1})})
        session = with_desk(spec, wrapped_desk(busy_at(1), attempts=1))
        await run(session)
        assert [e.kind for e in session.log.events()] == ["conference_opened", "stage_opened", "fault", "paused"]

    async def test_faults_name_the_act(self) -> None:
        """Found: a ballot that failed was called a turn, and a summary a frame."""
        spec = small_spec(2, agenda=(Stage(name="A", max_rounds=1),), evaluator="llm")
        # calls, failed ones in brackets: opening (1) 2, turns (3) 4 5, ballots (6) 7 (8) 9, scores (10) 11 to 20, summary (21) 22
        session = with_desk(spec, wrapped_desk(busy_at(1, 3, 6, 8, 10, 21)))
        await run(session)
        assert [where for where, *_ in faults(session)] == ["frame", "turn", "ballot", "ballot", "score", "summary"]
        assert all(recovered for *_, recovered in faults(session))


class TestBudget:
    SPEC = small_spec(2, judge="none", agenda=(Stage(name="A", max_rounds=2),))

    @pytest.mark.parametrize(
        ("budget", "because", "said"),
        [
            (Budget(tokens=200), "tokens", "of 200 tokens of this start are spent; resume with --tokens N"),
            (Budget(minutes=1, spent_seconds=90, clock=lambda: 0.0), "minutes", "1.5 of 1 minutes of this start are spent; resume with"),
        ],
    )  # fmt: skip
    async def test_pauses_when_it_is_spent_and_goes_on_with_more(self, budget: Budget, because: str, said: str) -> None:
        session = with_desk(self.SPEC, wrapped_desk(ScriptedModel(), budget))
        await run(session)
        pause = session.floor.paused
        assert pause is not None
        assert (pause.because, said in pause.detail) == (because, True)
        session.desk = wrapped_desk(ScriptedModel())
        session.resume()
        await run(session)
        assert log_of(session, without=PAUSES) == await whole(self.SPEC)

    async def test_spent_between_two_ballots_no_ballot_is_lost_or_doubled(self) -> None:
        spec = small_spec(3, agenda=(Stage(name="A", max_rounds=1),))
        expected = await whole(spec)
        spends = busy_at(6, error=BudgetSpent("9 of 9 tokens are spent"))  # type: ignore[arg-type]
        session = with_desk(spec, wrapped_desk(spends))
        await run(session)
        assert [e.kind for e in session.log.events()].count("ballot") == 1
        session.resume()
        await run(session)
        assert log_of(session, without=PAUSES) == expected


async def test_seats_are_not_told_what_others_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """They read the log; delivering every message to every seat cost half of a turn's CPU time."""
    heard: list[int] = []
    plain = conference.session._Seat.on_messages

    async def listening(seat: Any, messages: Any, token: Any) -> Any:
        heard.append(len(messages))
        return await plain(seat, messages, token)

    monkeypatch.setattr(conference.session._Seat, "on_messages", listening)
    session = session_of(shipped("office-move"))
    await run(session)
    assert session.floor.closed
    assert len(heard) > 10
    assert set(heard) == {0}


async def test_fifty_conferences_in_one_loop_stay_apart() -> None:
    class Yields(ScriptedModel):
        async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            await asyncio.sleep(0)
            return await super().complete(request, on_text)

    specs = [small_spec(2 + n % 4, title=f"Ferry {n}", seed=n, question=f"Which timetable, {n}?") for n in range(50)]
    sessions = [session_of(spec, Yields()) for spec in specs]
    await asyncio.gather(*(run(session) for session in sessions))
    assert [log_of(session) for session in sessions] == [await whole(spec) for spec in specs]


async def test_an_empty_log_cant_be_run() -> None:
    with pytest.raises(LogError, match="the log is empty"):
        Session(MemoryLog(), Desk(lambda *_: ScriptedModel()))


async def test_somebody_elses_event_stops_a_session_instead_of_being_overwritten() -> None:
    session = session_of(small_spec())
    await session.act_once()
    other = again(session)
    other.log = session.log
    await other.act_once()
    with pytest.raises(LogError, match="reload the log"):
        session.append(Resumed(seq=0, at=""))


async def test_an_abandoned_session_appends_nothing_more() -> None:
    session = session_of(small_spec())
    await session.act_once()
    session.intervene(Intervention(seq=0, at="", action="say", text="Lost."))
    session.abandon()
    before = session.log.events()
    await run(session)
    await session.act_once()
    assert session.log.events() == before


async def test_whispers_say_who_speaks() -> None:
    heard: list[tuple[str, str]] = []
    session = session_of(small_spec(2, judge="none", agenda=(Stage(name="A", max_rounds=1),)))
    session.desk.whisper = lambda speaker, text: heard.append((speaker, text))
    await run(session)
    said = [(e.speaker, e.text) for e in session.log.events() if isinstance(e, Utterance)]
    assert [speaker for speaker, _ in heard] == [speaker for speaker, _ in said]
    assert all(text.startswith(part) for (_, part), (_, text) in zip(heard, said, strict=True))


async def test_every_event_of_a_model_carries_its_usage() -> None:
    spec = small_spec(2, agenda=(Stage(name="A", max_rounds=1),), evaluator="llm")
    session = session_of(spec)
    await run(session)
    used = {e.kind: e.usage.total_tokens for e in session.log.events() if hasattr(e, "usage")}
    assert set(used) == {"utterance", "ballot", "agreement_call", "quality_scored"}
    assert used["agreement_call"] == 0  # its ballots carry theirs
    assert min(used["utterance"], used["ballot"], used["quality_scored"]) > 0
    assert json.loads(session.log.events()[0].model_dump_json())["spec"]["title"] == "Ferry"
