from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from conference.domain.chat import Message, ModelCall, OnText, Reply, Request, Usage
from conference.errors import BudgetSpent, ModelBusy, ModelError, ModelRefused, ModelReplyError
from conference.models.budget import Budget
from conference.models.wrappers import Budgeted, Cached, Deadline, Recorded, Retrying, request_key

ASK = Request(messages=(Message(role="user", content="Well?"),))
USAGE = Usage(prompt_tokens=100, cached_tokens=80, completion_tokens=10, seconds=0.5)
GOOD = Reply(text="Yes.", model="fake", usage=USAGE)

Step = Reply | BaseException | Callable[[], Awaitable[Reply]]


class Fake:
    """Answers from a script, and fails loudly when it runs out."""

    name = "fake"
    small = True
    gives_probabilities = True

    def __init__(self, *script: Step) -> None:
        self.script = list(script)
        self.asked: list[Request] = []

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.asked.append(request)
        step = self.script.pop(0)
        if isinstance(step, BaseException):
            raise step
        reply = step if isinstance(step, Reply) else await step()
        if on_text is not None:
            on_text(reply.text)
        return reply


class Kept:
    """A recorder, and a cache."""

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self.values: dict[str, bytes] = {}

    def record(self, call: ModelCall) -> None:
        self.calls.append(call)

    def get(self, key: str) -> bytes | None:
        return self.values.get(key)

    def put(self, key: str, value: bytes) -> None:
        self.values[key] = value


async def late() -> Reply:
    await asyncio.sleep(5)
    return GOOD


def test_a_wrapper_is_what_it_wraps() -> None:
    fake = Fake()
    wrapped = Retrying(Deadline(fake, 1))
    assert (wrapped.name, wrapped.small, wrapped.gives_probabilities) == ("fake", True, True)
    fake.gives_probabilities = False
    assert not wrapped.gives_probabilities


async def test_text_is_heard_through_every_wrapper() -> None:
    heard: list[str] = []
    wrapped = Budgeted(Retrying(Cached(Recorded(Deadline(Fake(GOOD), 1), Kept(), "participant"), Kept())), Budget())
    assert await wrapped.complete(ASK, heard.append) == GOOD
    assert heard == ["Yes."]


async def test_a_deadline_makes_a_late_model_busy() -> None:
    with pytest.raises(ModelBusy, match=r"fake did not answer within 0\.01 s"):
        await Deadline(Fake(late), 0.01).complete(ASK)


async def test_a_deadline_leaves_other_time_outs_alone() -> None:
    with pytest.raises(TimeoutError):
        await Deadline(Fake(TimeoutError()), 5).complete(ASK)


def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited, without waiting them."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("conference.models.wrappers.asyncio.sleep", sleep)
    return waited


async def test_retrying_waits_longer_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    faults: list[tuple[int, str, bool]] = []
    fake = Fake(ModelBusy("one"), ModelBusy("two"), ModelBusy("three"), GOOD)
    retrying = Retrying(
        fake, 4, backoff=2, draw=lambda: 0.5, on_fault=lambda *fault: faults.append((fault[0], str(fault[1]), fault[2]))
    )
    assert await retrying.complete(ASK) == GOOD
    assert waited == [1.5, 3.0, 6.0]  # 2, 4, 8, three quarters of each
    assert faults == [(1, "one", True), (2, "two", True), (3, "three", True)]


async def test_retrying_gives_up_with_the_last_error(monkeypatch: pytest.MonkeyPatch) -> None:
    waits(monkeypatch)
    faults: list[tuple[int, bool]] = []
    retrying = Retrying(Fake(ModelBusy("one"), ModelBusy("two")), 2, on_fault=lambda n, error, again: faults.append((n, again)))
    with pytest.raises(ModelBusy, match="two"):
        await retrying.complete(ASK)
    assert faults == [(1, True), (2, False)]


async def test_retrying_waits_as_long_as_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    await Retrying(Fake(ModelBusy("busy", after=9.0), GOOD)).complete(ASK)
    assert waited == [9.0]


async def test_retrying_does_not_wait_for_hours() -> None:
    fake = Fake(ModelBusy("tomorrow", after=3600))
    with pytest.raises(ModelBusy, match="tomorrow"):
        await Retrying(fake, longest=60).complete(ASK)


async def test_an_unusable_reply_is_asked_for_again_at_once_with_another_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = waits(monkeypatch)
    fake = Fake(ModelReplyError("cut"), ModelReplyError("cut"), GOOD)
    assert await Retrying(fake).complete(ASK.model_copy(update={"seed": 7})) == GOOD
    assert waited == [0.0, 0.0]
    assert [request.seed for request in fake.asked] == [7, 8, 9]


@pytest.mark.parametrize("error", [ModelRefused("wrong key"), ModelError("odd")])
async def test_a_refusal_is_not_tried_again(error: ModelError) -> None:
    faults: list[bool] = []
    fake = Fake(error)
    with pytest.raises(type(error)):
        await Retrying(fake, on_fault=lambda n, error, again: faults.append(again)).complete(ASK)
    assert faults == [False]


@pytest.mark.parametrize("error", [BudgetSpent("spent"), ValueError("a bug")])
async def test_other_errors_pass_through_without_a_fault(error: Exception) -> None:
    retrying = Retrying(Fake(error), on_fault=lambda *_: pytest.fail("no fault of the model's"))
    with pytest.raises(type(error)):
        await retrying.complete(ASK)


async def test_a_budget_of_tokens_stops_before_the_call_that_has_nothing_left() -> None:
    budget = Budget(tokens=60, spent_tokens=10)
    fake = Fake(GOOD, GOOD, GOOD)
    first, second = Budgeted(fake, budget), Budgeted(fake, budget)
    await first.complete(ASK)  # 100 - 80 + 10 = 30 new tokens: 40
    await second.complete(ASK)  # 70
    with pytest.raises(BudgetSpent, match=r"70 of 60 tokens of this start are spent; resume with --tokens N"):
        await first.complete(ASK)
    assert len(fake.asked) == 2


async def test_a_budget_of_minutes() -> None:
    now = [1000.0]
    budget = Budget(minutes=2, clock=lambda: now[0], spent_seconds=60)
    fake = Fake(GOOD)
    await Budgeted(fake, budget).complete(ASK)
    now[0] += 60
    with pytest.raises(
        BudgetSpent, match=r"2\.0 of 2 minutes of this start are spent; resume with --minutes N, or from the dashboard"
    ):
        await Budgeted(fake, budget).complete(ASK)


async def test_no_limits() -> None:
    budget = Budget()
    await Budgeted(Fake(GOOD), budget).complete(ASK)
    assert budget.spent_tokens == 30


async def test_every_attempt_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    waits(monkeypatch)
    kept = Kept()
    fake = Fake(ModelBusy("later"), ModelReplyError("cut"), GOOD)
    await Retrying(Recorded(fake, kept, "participant", "Dr M.")).complete(ASK)
    assert [(call.attempt, call.outcome, call.error, call.reply) for call in kept.calls] == [
        (1, "failed", "ModelBusy: later", None),
        (2, "failed", "ModelReplyError: cut", None),
        (3, "used", "", GOOD),
    ]
    first = kept.calls[0]
    assert (first.role, first.speaker, first.model, first.request) == ("participant", "Dr M.", "fake", ASK)
    assert first.at.endswith("+00:00")


async def test_a_call_cut_short_is_recorded() -> None:
    kept = Kept()
    with pytest.raises(ModelBusy):
        await Deadline(Recorded(Fake(late), kept, "judge"), 0.01).complete(ASK)
    assert [(call.outcome, call.error) for call in kept.calls] == [("failed", "CancelledError")]


async def test_a_call_that_was_never_made_is_not_recorded() -> None:
    kept = Kept()
    with pytest.raises(BudgetSpent):
        await Recorded(Budgeted(Fake(), Budget(tokens=0)), kept, "judge").complete(ASK)
    assert kept.calls == []


async def test_the_same_request_is_answered_once() -> None:
    fake, cache = Fake(GOOD), Kept()
    assert await Cached(fake, cache).complete(ASK) == GOOD
    assert await Cached(fake, cache).complete(ASK) == GOOD.model_copy(update={"usage": Usage()})
    assert len(fake.asked) == 1


async def test_failures_are_not_kept() -> None:
    fake, cache = Fake(ModelReplyError("cut"), GOOD), Kept()
    with pytest.raises(ModelReplyError):
        await Cached(fake, cache).complete(ASK)
    assert cache.values == {}
    assert await Cached(fake, cache).complete(ASK) == GOOD


async def test_what_chance_shapes_is_not_kept() -> None:
    fake, cache = Fake(GOOD, GOOD), Kept()
    for _ in range(2):
        await Cached(fake, cache).complete(ASK.model_copy(update={"temperature": 0.7}))
    assert (len(fake.asked), cache.values) == (2, {})


@pytest.mark.parametrize(
    "change",
    [
        {"messages": (Message(role="user", content="Well!"),)},
        {"purpose": "judge"},
        {"prompt_version": "2"},
        {"max_tokens": 1},
        {"top_p": 0.9},
        {"seed": 1},
        {"stop": ("\n",)},
        {"top_logprobs": 20},
        {"json_schema": {"type": "object"}},
    ],
)
def test_everything_that_shapes_a_reply_is_in_its_key(change: dict[str, object]) -> None:
    assert request_key("fake", ASK.model_copy(update=change)) != request_key("fake", ASK)


def test_the_model_is_in_the_key() -> None:
    assert request_key("fake", ASK) == request_key("fake", ASK.model_copy())
    assert request_key("other", ASK) != request_key("fake", ASK)
