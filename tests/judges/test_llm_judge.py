"""The llm judge: by probabilities, by structured output, its evidence; what can't be read is unreadable."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from conference.domain.chat import Reply, Request, TokenChoice
from conference.domain.position import Evidence, Judgement
from conference.domain.transcript import Dialogue, Turn
from conference.errors import ModelBusy, ModelReplyError
from conference.judges.decide import MOST, REFUSAL, UNFITTED, acceptance, line_of, log_odds, positions, sigmoid
from conference.judges.evidence import quotes
from conference.judges.hearing import Hearing
from conference.judges.llm import LlmJudge, read_verdict, verbatim, yes_probability
from tests.conferences import NAMES, Says

ADA, BEN = NAMES[:2]
TURNS = (
    Turn(speaker=ADA, text="Two boats are too loud. I am against it."),
    Turn(speaker="Mo Chair", text="On the table is: one boat."),
    Turn(speaker=BEN, text="I can live with that, it keeps the fares low."),
    Turn(speaker=ADA, text="Yes, I accept that. The seals sleep."),
)


class Leans:
    """Gives P(Yes) by whose words it is shown; other requests get `text`."""

    name, small, gives_probabilities = "leans", True, True

    def __init__(self, yes: dict[str, float], text: str = "The proposal is that one boat sails.") -> None:
        self.yes, self.text, self.requests = yes, text, list[Request]()

    async def complete(self, request: Request, on_text: Any = None) -> Reply:
        self.requests.append(request)
        shown = request.messages[-1].content
        if not request.top_logprobs:
            return Reply(text=self.text, model=self.name)
        p = next(p for name, p in self.yes.items() if f"Does {name} accept" in shown)
        first = (TokenChoice(token="Yes", logprob=math.log(p)), TokenChoice(token=" no", logprob=math.log(1 - p)))
        return Reply(text="Yes", model=self.name, first_token=first)


def dialogue(proposal: str = "One boat.", turns: tuple[Turn, ...] = TURNS, people: tuple[str, ...] = (ADA, BEN)) -> Dialogue:
    return Dialogue(id="d", topic="ferry", question="Which timetable?", participants=people, turns=turns, proposal=proposal)


async def judged(heard: Dialogue, model: Any, threshold: float | None = None) -> Judgement:
    hearing = Hearing(dialogue=heard, personas=(), judge_model=lambda: model, own_model=lambda p: model, threshold=threshold)
    found = [item async for item in LlmJudge().hear(hearing)]
    assert len(found) == 1
    assert isinstance(found[0], Judgement)
    return found[0]


class TestByProbabilities:
    async def test_agreement_when_all_accept(self) -> None:
        found = await judged(dialogue(), Leans({ADA: 0.9, BEN: 0.8}))
        # nobody fitted a line for this model: slope 1, intercept 0, so P is the model's own
        assert found.verdict == "agreement"
        assert found.confidence == pytest.approx(0.8)
        assert found.positions == {ADA: "support", BEN: "support"}
        assert found.probabilities == {ADA: 0.9, BEN: 0.8, "overall": 0.8}
        assert found.proposal == "One boat."
        assert found.evidence == (
            Evidence(turn=2, speaker=BEN, quote="I can live with that, it keeps the fares low."),
            Evidence(turn=3, speaker=ADA, quote="Yes, I accept that."),
        )

    async def test_one_no_keeps_it_open(self) -> None:
        found = await judged(dialogue(), Leans({ADA: 0.9, BEN: 0.1}))
        assert (found.verdict, found.confidence) == ("continue", pytest.approx(0.9))
        assert found.positions == {ADA: "support", BEN: "oppose"}
        assert found.reason == f"not accepted by {BEN}"

    @pytest.mark.parametrize(
        ("threshold", "verdict"), [(0.0, "agreement"), (0.79, "agreement"), (0.81, "continue"), (None, "agreement")]
    )
    async def test_the_threshold_is_a_probability(self, threshold: float | None, verdict: str) -> None:
        """Found: a threshold of 0 was read as none."""
        assert (await judged(dialogue(), Leans({ADA: 0.9, BEN: 0.8}), threshold)).verdict == verdict

    async def test_who_says_nothing_keeps_it_open(self) -> None:
        found = await judged(dialogue(people=(ADA, BEN, "Cleo Marsh")), Leans({ADA: 0.9, BEN: 0.9}))
        assert (found.verdict, found.positions["Cleo Marsh"]) == ("continue", "undecided")
        assert found.confidence == 1.0

    async def test_each_is_asked_about_its_own_last_words_only(self) -> None:
        model = Leans({ADA: 0.9, BEN: 0.8})
        await judged(dialogue(), model)
        shown = [request.messages[-1].content for request in model.requests]
        assert ["too loud" in text for text in shown] == [False, False]  # Ada's first turn is no longer what she says
        assert ["keeps the fares low" in text for text in shown] == [False, True]
        assert all(ADA not in text for text in shown if f"Does {BEN}" in text)

    async def test_a_proposal_nobody_read_out_is_stated_first(self) -> None:
        model = Leans({ADA: 0.9, BEN: 0.8})
        found = await judged(dialogue(proposal=""), model)
        assert found.proposal == "The proposal is that one boat sails."
        assert "Proposal: The proposal is that one boat sails." in model.requests[1].messages[-1].content

    async def test_without_probabilities_in_the_reply_it_asks_for_a_verdict(self) -> None:
        class Silent(Leans):
            async def complete(self, request: Request, on_text: Any = None) -> Reply:
                return Reply(text=verdict() if request.json_schema else "Yes", model=self.name)

        assert (await judged(dialogue(), Silent({}))).verdict == "agreement"

    async def test_a_model_that_cant_be_asked_is_not_a_verdict(self) -> None:
        class Busy(Leans):
            async def complete(self, request: Request, on_text: Any = None) -> Reply:
                raise ModelBusy("busy")

        with pytest.raises(ModelBusy):
            await judged(dialogue(), Busy({}))


@pytest.mark.parametrize(
    ("choices", "p"),
    [
        ([("Yes", 0.6), ("No", 0.2)], 0.75),
        ([("Yes", 0.3), (" yes", 0.3), ("NO", 0.2)], 0.75),
        ([("Maybe", 1.0)], 0.5),
        ([], 0.5),
    ],
)
def test_yes_probability(choices: list[tuple[str, float]], p: float) -> None:
    assert yes_probability([TokenChoice(token=t, logprob=math.log(w)) for t, w in choices]) == pytest.approx(p)


def verdict(**more: Any) -> str:
    value = {
        "proposal": "One boat.", "positions": {ADA: "support", BEN: "support"}, "conditions": [], "open_points": [],
        "evidence": [{"turn": 3, "quote": "Yes, I accept that."}], "reason": "both say so", "verdict": "agreement", "confidence": 0.9,
    }  # fmt: skip
    return json.dumps(value | more)


class TestByVerdict:
    async def test_is_read(self) -> None:
        found = await judged(dialogue(), Says(verdict()))
        assert (found.verdict, found.confidence, found.proposal, found.reason) == ("agreement", 0.9, "One boat.", "both say so")
        assert found.evidence == (Evidence(turn=3, speaker=ADA, quote="Yes, I accept that."),)

    async def test_is_asked_again_once(self) -> None:
        model = Says("I think they agree", verdict(verdict="continue"))
        assert (await judged(dialogue(), model)).verdict == "continue"
        assert len(model.requests) == 2

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", "null", '{"verdict": "maybe", "positions": {}}', verdict(confidence="high")]
    )
    async def test_what_cant_be_read_is_unreadable(self, text: str) -> None:
        found = await judged(dialogue(), Says(text, text))
        assert (found.verdict, found.confidence) == ("unreadable", None)
        assert "can't be read" in found.reason

    async def test_agreement_with_somebody_against_is_none(self) -> None:
        found = await judged(dialogue(), Says(verdict(positions={ADA: "support", BEN: "oppose"})))
        assert found.verdict == "continue"

    def test_raises_with_the_reason(self) -> None:
        with pytest.raises(ModelReplyError, match="the verdict of m can't be read: KeyError"):
            read_verdict(Reply(text="{}", model="m"), dialogue())


def test_only_words_that_were_said_are_evidence() -> None:
    said = [{"quote": "“I can live with that”"}, {"quote": "I never said this"}, {"quote": ""}, {}]
    assert verbatim(said, dialogue()) == (Evidence(turn=2, speaker=BEN, quote="I can live with that"),)


class TestEvidence:
    def test_shows_the_stance_in_the_latest_words(self) -> None:
        found = quotes(dialogue(), {ADA: "support", BEN: "support", "Cleo Marsh": "undecided"})
        assert [(q.turn, q.quote) for q in found] == [
            (2, "I can live with that, it keeps the fares low."),
            (3, "Yes, I accept that."),
        ]

    def test_is_of_the_last_turn_even_where_an_earlier_one_shows_it_better(self) -> None:
        """Found: a stance read from the last turn was shown with a quote of an earlier one, about another proposal."""
        assert [q.turn for q in quotes(dialogue(), {ADA: "oppose"})] == [3]
        turns = (Turn(speaker=ADA, text="Boats are loud. I can't accept it. Never."),)
        assert quotes(dialogue(turns=turns), {ADA: "oppose"})[0].quote == "I can't accept it."

    def test_without_a_telling_phrase_the_last_turn_speaks(self) -> None:
        turns = (Turn(speaker=ADA, text="Boats are boats. They sail."),)
        assert quotes(dialogue(turns=turns), {ADA: "support"})[0].quote == "Boats are boats."

    def test_is_verbatim(self) -> None:
        for quote in quotes(dialogue(), {ADA: "support", BEN: "undecided"}):
            assert quote.quote in TURNS[quote.turn].text


class TestDeciding:
    def test_log_odds(self) -> None:
        assert log_odds(0.5) == 0
        assert log_odds(0.8) == pytest.approx(math.log(4))  # .8/.2
        assert (log_odds(1.0), log_odds(0.0)) == (MOST, -MOST)

    def test_sigmoid_is_its_inverse_and_never_overflows(self) -> None:
        assert sigmoid(log_odds(0.8)) == pytest.approx(0.8)
        assert (sigmoid(-1e6), sigmoid(1e6)) == (0.0, 1.0)

    def test_a_model_nobody_measured_is_taken_at_its_word(self) -> None:
        assert line_of("openai:unknown") is UNFITTED
        assert line_of("embedded:/models/other.gguf") is UNFITTED
        assert UNFITTED.agree([2.0, log_odds(0.8)], read_out=True) == pytest.approx(0.8)  # the least one decides

    def test_the_embedded_models_line_is_fitted(self) -> None:
        line = line_of("embedded")
        assert line is not UNFITTED
        assert line.agree([3.0, 4.0], read_out=True) > 0.9
        assert line.agree([3.0, -3.0], read_out=True) < 0.1
        assert (
            line.agree([-0.6], read_out=True) < 0.5 < line.agree([-0.6], read_out=False)
        )  # own words are farther from a stated proposal

    def test_a_plain_refusal_weighs_against_an_eager_probability(self) -> None:
        """Found: *no to that proposal; here is another* was read as a yes."""
        assert acceptance(0.5, "Here is mine: one boat.") == 0.0
        assert acceptance(0.5, "No to that proposal; here is another: one boat.") == -REFUSAL

    def test_positions(self) -> None:
        last = {ADA: "Boats are boats.", BEN: "If the fares stay low."}
        found = positions({ADA: 0.5, BEN: 0.2}, last, (ADA, BEN, "Cleo Marsh"), 0.5)
        assert found == {ADA: "support", BEN: "undecided", "Cleo Marsh": "undecided"}
        assert positions({ADA: 0.1}, last, (ADA,), 0.5) == {ADA: "oppose"}
        # found: *my answer is no* at .39 was shown as undecided
        assert positions({ADA: 0.39}, {ADA: "I can't accept it."}, (ADA,), 0.5) == {ADA: "oppose"}
