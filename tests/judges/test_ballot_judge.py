"""The ballot judge: what is read from a reply, and when a round agrees."""

from __future__ import annotations

import math
from typing import Any

import pytest

from conference.domain.chat import Reply, TokenChoice
from conference.domain.events import Ballot
from conference.domain.position import Judgement
from conference.domain.transcript import Dialogue, Turn
from conference.errors import ModelBusy, ModelReplyError, UnknownName
from conference.judges.ballot import BallotJudge, judged, read_ballot, stance_of
from conference.judges.hearing import Hearing
from conference.judges.registry import judge, judge_named
from conference.models.scripted import ScriptedModel
from tests.conferences import NAMES, Says, person

ADA, BEN = NAMES[:2]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"gradient": 6, "condition": "low fares"}', (6, "low fares")),
        ('{"gradient": 8, "condition": null}', (8, "")),
        ('{"gradient": "7"}', (7, "")),
        ("6", (6, "")),
        (" 6. ", (6, "")),
        ('{"gradient": 9}', (None, "")),
        ('{"gradient": 0, "condition": "x"}', (None, "x")),
        ('{"gradient": 6.9}', (None, "")),
        ('{"gradient": true}', (None, "")),
        ('{"gradient": Infinity}', (None, "")),
        ('{"gradient": NaN}', (None, "")),
        ('{"gradient": null}', (None, "")),
        ('{"gradient": [6]}', (None, "")),
        ('{"condition": "x"}', (None, "x")),
        ("[6]", (None, "")),
        ("null", (None, "")),
        ("67", (None, "")),
        ("٦", (None, "")),
        ("I agree", (None, "")),
        ('{"gradient": 6', (None, "")),
        ("[" * 100_000, (None, "")),
        ("", (None, "")),
    ],
)
def test_a_ballot_is_read_or_unread_never_guessed(text: str, read: tuple[int | None, str]) -> None:
    """Found: an infinite gradient and deep nesting broke the conference off; `true` was a veto, 6.9 a six."""
    assert read_ballot(Reply(text=text, model="m")) == (*read, {})


def choices(**weights: float) -> tuple[TokenChoice, ...]:
    return tuple(TokenChoice(token=token.replace("_", " "), logprob=math.log(p)) for token, p in weights.items())


def test_probabilities_give_the_expected_gradient() -> None:
    reply = Reply(text="7", model="m", first_token=choices(**{"7": 0.5, "_5": 0.25, "5": 0.05, "no": 0.2}))
    # of 0.8 that are digits: 7 has 0.5/0.8 = 0.625, 5 has 0.3/0.8 = 0.375; 7·0.625 + 5·0.375 = 6.25, rounded 6
    assert read_ballot(reply) == (6, "", {"5": 0.375, "7": 0.625})


def test_digits_that_hardly_occur_decide_nothing() -> None:
    reply = Reply(text="no", model="m", first_token=choices(**{"7": 0.04, "no": 0.96}))
    assert read_ballot(reply) == (None, "", {})


@pytest.mark.parametrize(
    ("gradient", "stance"), [(8, "support"), (6, "support"), (5, "undecided"), (4, "undecided"), (3, "oppose"), (1, "oppose")]
)
def test_stances(gradient: int, stance: str) -> None:
    assert stance_of(gradient, 6) == stance


def ballot(name: str, gradient: int | None, condition: str = "") -> Ballot:
    return Ballot(seq=0, at="", stage=0, round=1, participant=name, proposal="Two boats.", gradient=gradient, condition=condition)


@pytest.mark.parametrize(
    ("gradients", "verdict", "confidence", "reason"),
    [
        # the lowest, 6, is 0 above 6, and one step from failing: 1/2 + 1/8
        ([6, 8], "agreement", 0.625, "nobody is below 6; lowest 6"),
        ([8, 8], "agreement", 0.875, "nobody is below 6; lowest 8"),
        ([5, 8], "continue", 0.625, "below 6: Ada Voss"),
        ([1, 2], "continue", 1.0, "below 6: Ada Voss, Ben Ito"),
        ([8, None], "unreadable", None, "no readable ballot from Ben Ito"),
        ([5, None], "continue", 0.625, "below 6: Ada Voss"),  # one no is enough, whatever the other says
        ([None, None], "unreadable", None, "no readable ballot from Ada Voss, Ben Ito"),
        ([], "unreadable", None, "no readable ballot from anybody"),
    ],
)
def test_verdicts(gradients: list[int | None], verdict: str, confidence: float | None, reason: str) -> None:
    found = judged([ballot(n, g) for n, g in zip(NAMES, gradients, strict=False)], 6, "Two boats.")
    assert (found.verdict, found.confidence, found.reason) == (verdict, confidence, reason)


def test_a_judgement_keeps_every_gradient_and_condition() -> None:
    found = judged([ballot(ADA, 8, "none"), ballot(BEN, 3, "low fares"), ballot("Cleo", None)], 6, "Two boats.")
    assert found.positions == {ADA: "support", BEN: "oppose", "Cleo": "undecided"}
    assert (found.gradients, found.conditions) == ({ADA: 8, BEN: 3}, {BEN: "low fares"})
    assert (found.judge, found.prompt_version, found.proposal) == ("ballot", "balloting/1", "Two boats.")


def test_a_judgement_names_the_models_that_voted() -> None:
    """Found: the calls of the ballot judge named no model."""
    voted = [ballot(ADA, 7).model_copy(update={"model": m}) for m in ("b", "a", "b", "")]
    assert judged(voted, 6, "").model == "a, b"


def hearing(model: Any, **more: Any) -> Hearing:
    dialogue = Dialogue(id="d", participants=(ADA, BEN), turns=(Turn(speaker=ADA, text="Well.", round=2),), proposal="Two boats.")
    return Hearing(
        dialogue=dialogue, personas=(person(0), person(1)), judge_model=lambda: model, own_model=lambda p: model, **more
    )  # fmt: skip


async def heard(of: Hearing) -> list[Ballot | Judgement]:
    return [item async for item in BallotJudge().hear(of)]


async def test_everybody_votes_once_and_then_it_is_judged() -> None:
    model = Says('{"gradient": 7, "condition": ""}', '{"gradient": 5, "condition": "low fares"}')
    one, two, call = await heard(hearing(model))
    assert isinstance(one, Ballot)
    assert isinstance(two, Ballot)
    assert isinstance(call, Judgement)
    assert [(b.participant, b.gradient, b.condition, b.round) for b in (one, two)] == [(ADA, 7, "", 2), (BEN, 5, "low fares", 2)]
    assert call.verdict == "continue"
    assert len(model.requests) == 2
    assert "private ballot" in model.requests[0].messages[0].content


async def test_a_ballot_that_is_on_the_log_is_not_asked_for_again() -> None:
    model = Says('{"gradient": 7, "condition": ""}')
    found = await heard(hearing(model, cast={ADA: ballot(ADA, 8)}))
    assert [item.participant for item in found if isinstance(item, Ballot)] == [BEN]


async def test_a_reply_that_cant_be_used_is_an_unread_ballot_and_a_busy_model_is_raised() -> None:
    found = await heard(hearing(Says(ModelReplyError("empty"), '{"gradient": 7}')))
    assert isinstance(found[0], Ballot)
    assert (found[0].gradient, found[-1].verdict) == (None, "unreadable")  # type: ignore[union-attr]
    with pytest.raises(ModelBusy):
        await heard(hearing(Says(ModelBusy("busy"))))


async def test_a_model_that_gives_probabilities_is_asked_for_a_digit() -> None:
    model = Says("7", "8", gives_probabilities=True)
    found = await heard(hearing(model))
    assert [(r.max_tokens, r.top_logprobs) for r in model.requests] == [(1, 20)] * 2
    assert [b.gradient for b in found if isinstance(b, Ballot)] == [7, 8]


async def test_the_threshold_is_the_specs() -> None:
    found = await heard(hearing(Says(otherwise=lambda r: '{"gradient": 7, "condition": ""}'), threshold=8))
    assert isinstance(found[-1], Judgement)
    assert found[-1].verdict == "continue"


async def test_the_same_dialogue_gets_the_same_ballots() -> None:
    assert await heard(hearing(ScriptedModel())) == await heard(hearing(ScriptedModel()))


class TestRegistry:
    @pytest.mark.parametrize("name", ["llm", "ballot"])
    def test_judges_by_name(self, name: str) -> None:
        assert judge_named(name).name == name

    def test_an_unknown_one(self) -> None:
        with pytest.raises(UnknownName, match="unknown judge 'balott'; did you mean 'ballot'"):
            judge_named("balott")

    def test_a_name_given_twice_fails_at_import(self) -> None:
        judge_named("ballot")
        with pytest.raises(ValueError, match="two judges are called 'ballot'"):
            judge("ballot")(BallotJudge)
