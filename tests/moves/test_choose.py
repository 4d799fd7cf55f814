"""A participant's next move, one situation each."""

from __future__ import annotations

from typing import Any

import pytest

from conference.domain.move import Move, OnTheTable
from conference.domain.persona import Brief, Concession, Note, Persona, Point, Proposal
from conference.domain.spec import Spec, Stage
from conference.moves.choose import choose_move
from tests.conferences import NAMES, chair, floor_of, person, says, small_spec

ADA, BEN, CLEO = NAMES[:3]
FARES = Concession(text="Two boats I could take.", gist="low fares", option="Two", condition="fares stay low")
POINTS = (
    Point(text="Boats wake the seals.", gist="seals", speaks_against=("Two",)),
    Point(text="Visitors spend money here.", gist="visitors", speaks_for=("One",)),
)
ONE = Proposal(text="Let us run one boat.", gist="one boat", option="One")
TWO = Proposal(text="Let us run two boats.", gist="two boats", option="Two")


def spec_of(*stages: str, **brief: Any) -> Spec:
    ada = person(0, favours=("One",), rejects=("Two",), brief=Brief(**brief))
    agenda = tuple(Stage(name=f"S{n}", settles=settles, max_rounds=4) for n, settles in enumerate(stages or ("proposal",)))
    return small_spec(3, participants=(ada, person(1, favours=("Two",)), person(2, favours=("One",))), agenda=agenda)


def on_table(option: str = "Two", by: str = BEN, *items: str) -> OnTheTable:
    return OnTheTable(text=f"{option} boats.", option=option, by=by, items=items)


def kind_and(move: Move, *fields: str) -> tuple[Any, ...]:
    return (move.kind, *(getattr(move, field) for field in fields))


def test_says_a_condition_of_its_own() -> None:
    move = choose_move(floor_of(spec_of(concessions=(FARES,)), table=on_table()), "p0")
    assert move == Move(
        kind="concede", to=BEN, gist="low fares", note="Two boats I could take.", stance="undecided", condition="fares stay low",
        reason="gives way on a condition",
    )  # fmt: skip


def test_opposes_first_while_the_talk_is_young() -> None:
    spec = spec_of("proposal", "proposal", concessions=(FARES,), points=POINTS)
    assert kind_and(choose_move(floor_of(spec, table=on_table()), "p0"), "stance", "gist") == ("object", "oppose", "seals")
    later = floor_of(spec, table=on_table(), stage=1)
    assert kind_and(choose_move(later, "p0"), "gist") == ("concede", "low fares")


def test_insists_once_the_condition_was_named_in_this_stage() -> None:
    spec = spec_of(concessions=(FARES,))
    floor = floor_of(
        spec,
        says(ADA, "concede", gist="low fares", condition="fares stay low", stance="undecided"),
        chair(spec),
        table=on_table(),
    )
    assert choose_move(floor, "p0") == Move(
        kind="object", to=BEN, about="low fares", stance="oppose", condition="fares stay low",
        reason="its condition isn't in it: low fares",
    )  # fmt: skip


def test_a_condition_named_in_an_earlier_stage_is_insisted_on_and_not_told_again() -> None:
    """Found: the same note, word for word, in two stages."""
    spec = spec_of("proposal", "proposal", concessions=(FARES,))
    floor = floor_of(spec, table=on_table(), stage=1)
    floor = floor.__class__(**{**{n: getattr(floor, n) for n in floor.__slots__}, "used": frozenset({(ADA, "low fares")})})
    assert kind_and(choose_move(floor, "p0"), "about", "gist", "condition") == ("object", "low fares", "", "fares stay low")


def test_a_condition_that_is_met_turns_into_support() -> None:
    move = choose_move(floor_of(spec_of(concessions=(FARES,)), table=on_table("Two", BEN, "low fares")), "p0")
    assert kind_and(move, "stance", "about", "reason") == ("support", "support", "low fares", "its condition is in it: low fares")


def test_a_red_line_is_said_once_and_then_argued() -> None:
    line = Note(text="No toll, ever.", gist="toll")
    spec = spec_of(red_lines=(line,), points=POINTS)
    table = on_table("One", CLEO, "toll")
    first = choose_move(floor_of(spec, table=table), "p0")
    assert kind_and(first, "to", "note", "stance", "reason") == ("object", CLEO, "No toll, ever.", "oppose", "red line: toll")
    again = choose_move(floor_of(spec, says(ADA, "object", gist="toll", stance="oppose"), chair(spec), table=table), "p0")
    assert kind_and(again, "stance") == ("object", "oppose")
    assert again.gist != "toll"


@pytest.mark.parametrize(
    ("brief", "table", "kind"),
    [
        ({"concessions": (FARES,)}, on_table("Two", ADA), "concede"),
        ({"red_lines": (Note(text="No.", gist="toll"),)}, on_table("One", ADA, "toll"), "object"),
        ({"points": POINTS}, on_table("One", ADA), "support"),
        ({}, on_table("One", ADA), "support"),
    ],
)
def test_nobody_addresses_itself(brief: dict[str, Any], table: OnTheTable, kind: str) -> None:
    """Found: whose own proposal lay on the table addressed itself."""
    assert kind_and(choose_move(floor_of(spec_of(**brief), table=table), "p0"), "to") == (kind, "")


def test_defends_its_proposal_against_who_opposes_it() -> None:
    spec = spec_of(points=POINTS)
    floor = floor_of(spec, says(BEN, "object", stance="oppose", gist="jobs"), table=on_table("One", ADA))
    move = choose_move(floor, "p0")
    assert kind_and(move, "to", "stance", "gist") == ("object", BEN, "support", "visitors")


def test_answers_whoever_asked_with_a_point_of_its_own() -> None:
    floor = floor_of(spec_of(points=POINTS), says(BEN, "ask", text="Who spends money here?", to=ADA, gist="money"))
    move = choose_move(floor, "p0")
    assert kind_and(move, "to", "answers", "gist", "about") == ("answer", BEN, floor.said[-1].seq, "visitors", "money")


def test_makes_a_proposal_when_somebody_has_spoken_and_none_is_there() -> None:
    spec = spec_of(proposals=(ONE,))
    assert choose_move(floor_of(spec), "p0").kind == "pass"
    move = choose_move(floor_of(spec, says(BEN)), "p0")
    assert kind_and(move, "gist", "note", "stance") == ("propose", "one boat", "Let us run one boat.", "support")


def test_puts_a_rival_beside_what_it_rejects_and_says_no_to_that() -> None:
    spec = spec_of(proposals=(TWO, ONE))
    rounds = (chair(spec), chair(spec))
    found = [choose_move(floor_of(spec, *rounds, table=on_table(), seed=seed), "p0") for seed in range(30)]
    assert {kind_and(m, "gist", "stance") for m in found} == {("propose", "one boat", "oppose"), ("object", "", "oppose")}


class TestConcerns:
    LIST = OnTheTable(text="seals", items=("seals",), by="Mo Chair")

    def test_accepts_a_list_with_its_concern(self) -> None:
        spec = spec_of("concerns", points=POINTS[1:])
        floor = floor_of(spec, says(ADA, gist="seals"), chair(spec), table=self.LIST)
        assert kind_and(choose_move(floor, "p0"), "stance", "to", "about") == ("support", "support", "Mo Chair", "the list")

    def test_asks_for_what_is_missing(self) -> None:
        spec = spec_of("concerns", points=POINTS[1:])
        floor = floor_of(spec, says(ADA, gist="noise"), chair(spec), table=self.LIST)
        assert kind_and(choose_move(floor, "p0"), "stance", "condition") == ("concede", "undecided", "visitors goes on it")


def test_passes_when_nothing_is_left() -> None:
    assert choose_move(floor_of(spec_of("concerns")), "p0") == Move(kind="pass", reason="nothing new to say")


def test_the_same_floor_and_seed_give_the_same_move_and_another_seed_another() -> None:
    spec = spec_of("concerns", points=POINTS, questions=(Note(text="How many seals?", gist="count"),))
    said = (says(BEN, gist="jobs"), says(CLEO, gist="noise"))
    found = [choose_move(floor_of(spec, *said, seed=seed), "p0") for seed in range(40)]
    assert found == [choose_move(floor_of(spec, *said, seed=seed), "p0") for seed in range(40)]
    assert {"ask", "state"} <= {move.kind for move in found}


@pytest.mark.parametrize("stage", ["concerns", "proposal"])
@pytest.mark.parametrize("table", [None, on_table(), on_table("One", "")])
def test_people_without_a_brief_always_have_a_move(stage: str, table: OnTheTable | None) -> None:
    nobody = Persona(id="x", name="X Y", role="guest")
    spec = small_spec(2, participants=(nobody, person(1)), agenda=(Stage(name="S", settles=stage, max_rounds=3),))  # type: ignore[arg-type]
    floor = floor_of(spec, says(NAMES[1]), chair(spec), table=table)
    assert choose_move(floor, "x").kind in ("pass", "support", "concede")
