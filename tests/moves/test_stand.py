"""Where a persona stands on what is on the table, and what the table has heard."""

from __future__ import annotations

from typing import Any

import pytest

from conference.domain.move import OnTheTable
from conference.domain.persona import Brief, Concession, Note, Persona
from conference.moves.stand import Stand, at_odds, pending_question, stand_on, turns_of_others, voiced_conditions, voiced_stances
from tests.conferences import NAMES, chair, floor_of, person, says, small_spec

FARES = Concession(text="Two I could take.", gist="low fares", option="Two", condition="fares stay low")
NIGHT = Concession(text="Two I could take.", gist="night boat", option="Two", condition="one sails at night")
LINE = Note(text="No bridge toll, ever.", gist="bridge toll")
ADA = person(0, favours=("One",), rejects=("Three",), brief=Brief(concessions=(FARES, NIGHT), red_lines=(LINE,)))


@pytest.mark.parametrize(
    ("option", "items", "stand"),
    [
        ("One", (), Stand("favours")),
        ("Three", (), Stand("rejects")),
        ("Four", (), Stand("open")),
        ("Two", (), Stand("conditional", (FARES, NIGHT))),
        ("Two", ("low fares",), Stand("conditional", (NIGHT,), (FARES,))),
        ("Two", ("night boat", "low fares"), Stand("met", (), (FARES, NIGHT))),
        ("One", ("bridge toll",), Stand("red_line", red_line=LINE)),
        ("Two", ("night boat", "low fares", "bridge toll"), Stand("red_line", red_line=LINE)),
    ],
)
def test_stand(option: str, items: tuple[str, ...], stand: Stand) -> None:
    assert stand_on(ADA, OnTheTable(text="…", option=option, items=items)) == stand


@pytest.mark.parametrize(
    ("one", "two", "against"),
    [
        ({"favours": ("One",)}, {"rejects": ("One",)}, True),
        ({"rejects": ("One",)}, {"favours": ("One",)}, True),
        ({"favours": ("One",)}, {"favours": ("Two",)}, True),
        ({"favours": ("One", "Two")}, {"favours": ("Two",)}, False),
        ({"favours": ("One",)}, {}, False),
        ({"rejects": ("One",)}, {"rejects": ("One",)}, False),
    ],
)
def test_at_odds(one: dict[str, Any], two: dict[str, Any], against: bool) -> None:
    first, second = person(0, **one), person(1, **two)
    assert at_odds(first, second) is against is at_odds(second, first)


SPEC = small_spec(3)
ADA_N, BEN, CLEO = NAMES[:3]


def test_a_question_is_pending_until_it_is_answered() -> None:
    asked = (says(ADA_N, "ask", to=BEN), says(CLEO, "ask", to=ADA_N))
    floor = floor_of(SPEC, *asked)
    question = pending_question(floor, BEN)
    assert question is not None
    assert question.speaker == ADA_N
    assert pending_question(floor, CLEO) is None
    answered = floor_of(SPEC, *asked, says(BEN, "answer", to=ADA_N, answers=question.seq))
    assert pending_question(answered, BEN) is None


def test_turns_of_others_are_of_two_rounds_and_without_passes() -> None:
    floor = floor_of(
        SPEC, says(BEN, text="long ago"), chair(SPEC), says(ADA_N, text="mine"), says(CLEO, text="lately"), chair(SPEC),
        says(BEN, text="just now"), says(CLEO, "pass").model_copy(update={"text": ""}),
    )  # fmt: skip
    assert [u.text for u in turns_of_others(floor, ADA_N)] == ["lately", "just now"]


def test_conditions_are_voiced_by_conceding_and_by_insisting() -> None:
    floor = floor_of(
        SPEC, says(ADA_N, "concede", gist="low fares", condition="fares stay low", stance="undecided"),
        says(BEN, "object", about="night boat", gist="sleep", condition="one sails at night", stance="oppose"),
        says(CLEO, "object", about="Two", gist="cost", stance="oppose"),
    )  # fmt: skip
    assert voiced_conditions(floor) == {"low fares": (ADA_N, "fares stay low"), "night boat": (BEN, "one sails at night")}


def test_the_last_stance_counts() -> None:
    floor = floor_of(
        SPEC, says(ADA_N, "object", stance="oppose"), says(BEN, "state"), chair(SPEC), says(ADA_N, "support", stance="support")
    )
    assert {name: u.move.stance for name, u in voiced_stances(floor).items() if u.move} == {ADA_N: "support"}


def test_people_without_a_brief_are_open() -> None:
    assert stand_on(Persona(id="x", name="X", role="y"), OnTheTable(text="…", option="One")) == Stand("open")
