"""What each seat does with a reply: said, scored, put on the table, counted."""

from __future__ import annotations

import math
from typing import Any

import pytest

from conference.domain.chat import Reply, TokenChoice, Usage
from conference.domain.events import ConferenceClosed, QualityScored, StageClosed, Utterance
from conference.domain.move import Move, OnTheTable
from conference.domain.persona import Brief, Point, Proposal
from conference.domain.spec import Spec, Stage
from conference.errors import LogError, ModelReplyError
from conference.floor import Act, Floor, advance
from conference.models.scripted import ScriptedModel
from conference.prompts.scoring import DIMENSIONS
from conference.seats.acting import perform
from conference.seats.counted import Counted
from conference.seats.evaluator import read_score
from conference.seats.spoken import spoken_text, turns_said
from tests.conferences import NAMES, Says, desk_of, floor_of, person, says, small_spec

ADA, BEN = NAMES[:2]
POINT = Point(text="Boats wake the seals.", gist="seals")
ONE = Proposal(text="Let us run one boat.", gist="one boat", option="One")


async def done(floor: Floor, kind: Any, seat: str, model: Any) -> Any:
    """The single event of one act."""
    (event,) = [event async for event in perform(floor, Act(kind, seat), desk_of(model))]
    return event


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I agree.", "I agree."),
        (" Ada Voss: I agree.", "I agree."),
        ("**Ada Voss**: I agree.", "I agree."),
        ("ADA VOSS:I\nagree.", "I agree."),
        ('"I agree."', "I agree."),
        ("Ben Ito: I agree.", "Ben Ito: I agree."),
    ],
)
def test_spoken_text(text: str, said: str) -> None:
    assert spoken_text(text, ADA) == said


@pytest.mark.parametrize("text", ["", "Ada Voss:", '""', " \n "])
def test_nothing_said_is_no_turn(text: str) -> None:
    with pytest.raises(ModelReplyError, match="Ada Voss said nothing"):
        spoken_text(text, ADA)


def test_names_with_marks_of_patterns_are_names() -> None:
    assert spoken_text("A.B (C)+: yes", "A.B (C)+") == "yes"


def test_turns_said_leave_passes_out() -> None:
    floor = floor_of(small_spec(2), says(ADA, text="Well."), says(BEN, "pass").model_copy(update={"text": ""}))
    assert [(t.speaker, t.text) for t in turns_said(floor)] == [("Mo Chair", "(open)"), (ADA, "Well.")]


def choices(**weights: float) -> tuple[TokenChoice, ...]:
    return tuple(TokenChoice(token=token, logprob=math.log(p)) for token, p in weights.items())


@pytest.mark.parametrize(
    ("text", "first", "score"),
    [
        ("7", (), 7.0),
        (" 10", (), 10.0),
        ("8 of 10", (), 8.0),
        ("70", (), None),
        ("0", (), None),
        ("good", (), None),
        ("7", choices(**{"7": 0.6, "9": 0.2, "x": 0.2}), 7.5),  # (7·0.6 + 9·0.2) / 0.8
        ("10", choices(**{"1": 0.9}), 10.0),  # the first token of 10 is no 1
        ("7", choices(**{"7": 0.3, "x": 0.7}), 7.0),
        ("good", choices(**{"7": 0.3, "x": 0.7}), None),
    ],
)
def test_scores(text: str, first: tuple[TokenChoice, ...], score: float | None) -> None:
    assert read_score(Reply(text=text, model="m", first_token=first)) == score


def spec_of(**more: Any) -> Spec:
    people = (person(0, favours=("One",), brief=Brief(points=(POINT,), proposals=(ONE,))), person(1))
    return small_spec(2, participants=people, agenda=(Stage(name="Talk", max_rounds=1),), **more)


async def test_a_participant_says_its_move() -> None:
    model = Says("Ada Voss: Boats do wake the seals.")
    event = await done(floor_of(spec_of(), table=OnTheTable(text="One.", option="One", by=BEN)), "turn", "p0", model)
    assert isinstance(event, Utterance)
    assert (event.speaker, event.role, event.text, event.worded_by) == (ADA, "participant", "Boats do wake the seals.", "says")
    assert event.move == Move(
        kind="support", to=BEN, stance="support", reason="favours the option", gist="seals", note=POINT.text
    )
    assert event.usage == Usage(prompt_tokens=10, completion_tokens=2)


async def test_the_first_proposal_lies_on_the_table_at_once_and_a_rival_doesnt() -> None:
    plan = OnTheTable(text=ONE.text, base=ONE.text, option="One", by=ADA)
    first = await done(floor_of(spec_of(), says(BEN)), "turn", "p0", Says("One boat it is."))
    assert (first.move.kind, first.table) == ("propose", plan)
    later = await done(floor_of(spec_of(), says(BEN), table=plan), "turn", "p1", Says("Hm."))
    assert later.table is None


async def test_a_pass_asks_no_model_where_turns_are_planned_or_sparse() -> None:
    for spec in (small_spec(2, moves="planned"), small_spec(2, agenda=(Stage(name="Talk", turns="sparse"),))):
        event = await done(floor_of(spec), "turn", "p0", Says())
        assert (event.text, event.move.kind, event.worded_by) == ("", "pass", "")


async def test_free_turns_have_no_move() -> None:
    model = Says("I see.")
    event = await done(floor_of(spec_of(moves="free")), "turn", "p0", model)
    assert (event.move, event.text) == (None, "I see.")
    assert "Suggested" not in model.requests[0].messages[-1].content


async def test_the_moderator_reads_the_words_that_count_whatever_the_model_says() -> None:
    plan = OnTheTable(text="Two boats.", base="Two boats.", option="Two", by=BEN)
    read = "On the table is: Two boats. Who can accept it as it stands, and who can't?"
    floor = floor_of(small_spec(2), says(ADA), says(BEN), table=plan)
    for said, whole in (
        ("Thank you", f"Thank you. {read}"),
        ("Thank you!", f"Thank you! {read}"),
        (f"Well: {read}", f"Well: {read}"),
    ):
        event = await done(floor, "frame", "moderator", Says(said))
        assert (event.text, event.table, event.role) == (whole, plan, "moderator")


async def test_with_planned_turns_the_moderator_asks_no_model_and_begins_once() -> None:
    """Found: a small model gave people words that weren't theirs; and every first-stage turn began with the opening of the day."""
    floor = floor_of(small_spec(2, moves="planned"))
    opened = await done(floor, "open", "moderator", Says())
    assert opened.text == "Good, let us begin. The question for today: Which timetable? Which timetable?"
    framed = await done(floor_of(small_spec(2, moves="planned"), says(ADA, gist="seals")), "frame", "moderator", Says())
    assert framed.worded_by == "brief"
    assert not framed.text.startswith("Good, let us begin.")
    assert framed.move.note in framed.text


async def test_the_evaluator_asks_for_ten_dimensions_and_leaves_open_what_it_cant_read() -> None:
    model = Says("8", "good", ModelReplyError("empty"), otherwise=lambda request: "6")
    event = await done(floor_of(small_spec(2)), "score", "evaluator", model)
    assert isinstance(event, QualityScored)
    assert list(event.scores) == list(DIMENSIONS)
    assert list(event.scores.values()) == [8.0, None, None, *[6.0] * 7]


async def test_a_stage_that_cant_close_yet_says_so() -> None:
    floor = floor_of(small_spec(2, judge="none"))
    with pytest.raises(LogError, match="can't close in round 1"):
        await done(floor, "close_stage", "moderator", Says())


async def test_the_end_names_the_last_agreed_proposal_and_where_everybody_stood() -> None:
    agenda = (Stage(name="List", settles="concerns"), Stage(name="Plan"), Stage(name="More"))
    floor = floor_of(small_spec(2, agenda=agenda), says(ADA, "object", stance="oppose"), table=OnTheTable(text="T"), stage=2)
    for stage, agreed in enumerate(("that we judge on seals", "Two boats.", "")):
        because: Any = "agreement" if agreed else "max_rounds"
        floor = advance(floor, StageClosed(seq=floor.next_seq, at="", stage=stage, rounds=1, because=because, agreed=agreed))
    event = await done(floor, "close_conference", "moderator", Says())
    assert event == ConferenceClosed(seq=0, at="", stages=floor.outcomes, agreed="Two boats.", positions={ADA: "oppose"})


async def test_usage_is_counted_over_models() -> None:
    counter = Counted()
    request = (await _one_request())[0]
    for _ in range(2):
        await counter.around(Says("x")).complete(request)
    assert counter.usage == Usage(prompt_tokens=20, completion_tokens=4)
    assert counter.around(ScriptedModel()).name == "scripted"


async def _one_request() -> list[Any]:
    model = Says("x")
    await done(floor_of(small_spec(2)), "turn", "p0", model)
    return model.requests
