"""The ledger: positions call by call, where ballot and words part, and cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from conference.analysis.calls import Words
from conference.analysis.ledger import COLUMNS, Entry, harmless, ledger_csv, ledger_of
from conference.analysis.people import people_of
from conference.domain.events import AgreementCall, Ballot, Event, Intervention, Utterance
from conference.domain.move import Move
from conference.domain.position import Evidence, Judgement, Stance
from conference.domain.spec import JudgeSpec
from tests.conferences import opened, small_spec

SPEC = small_spec(2)
PEOPLE = people_of(SPEC)
ADA, BEN = PEOPLE[1], PEOPLE[2]


def said(seq: int, who: str, text: str, stance: Stance | None = None, number: int = 1) -> Utterance:
    move = Move(kind="support", stance=stance)
    return Utterance(seq=seq, at="", stage=0, round=number, speaker=who, role="participant", text=text, move=move)


def ballot(seq: int, who: str, gradient: int | None, number: int = 1, condition: str = "") -> Ballot:
    return Ballot(seq=seq, at="", stage=0, round=number, participant=who, proposal="", gradient=gradient, condition=condition)


def call(seq: int, number: int = 1, **judgement: Any) -> AgreementCall:
    given = {"verdict": "continue", "judge": "llm", **judgement}
    return AgreementCall(seq=seq, at="", stage=0, round=number, judgement=Judgement(**given))


def entries(*events: Event) -> tuple[Entry, ...]:
    return ledger_of((opened(SPEC), *events), SPEC, PEOPLE)


def test_an_entry_holds_the_call_the_position_and_the_words() -> None:
    evidence = (Evidence(turn=2, speaker="Ada Voss", quote="Two boats"),)
    found = entries(
        said(2, "Ada Voss", "Two boats are enough.", "support"),
        said(3, "Ben Ito", "I don't know.", "undecided"),
        call(
            4, confidence=0.81, positions={"Ada Voss": "support"}, gradients={"Ada Voss": 7}, probabilities={"Ada Voss": 0.9},
            evidence=evidence, conditions={"Ben Ito": "a cheaper fare"},
        ),
    )  # fmt: skip
    common: dict[str, Any] = {
        "call": 4, "verdict": "continue", "stage": 0, "stage_name": "Talk", "round": 1, "confidence": 0.81, "parts": False,
    }  # fmt: skip
    assert found == (
        Entry(
            person=ADA, position="support", gradient=7, accepts=0.9, voiced="support", quote=Words(2, "Two boats"), quoted=True,
            condition="", **common,
        ),
        Entry(
            person=BEN, position=None, gradient=None, accepts=None, voiced="undecided", quote=Words(3, "I don't know."), quoted=False,
            condition="a cheaper fare", **common,
        ),
    )  # fmt: skip
    assert [entry.polarity for entry in found] == [1, None], "missing is not zero"


@pytest.mark.parametrize(
    ("gradient", "voiced", "parts"),
    [
        (7, "support", False),
        (7, "oppose", True),
        (6, "support", False),  # the threshold itself accepts
        (5, "support", True),  # 4 ≤ 5 < 6: undecided
        (5, "undecided", False),
        (3, "undecided", True),  # 3 < 4: opposes
        (7, None, False),  # silence parts from nothing
        (None, "support", False),  # nor does a ballot that can't be read
    ],
)
def test_where_ballot_and_words_part(gradient: int | None, voiced: Stance | None, parts: bool) -> None:
    (ada, _) = entries(said(2, "Ada Voss", "Well.", voiced), ballot(3, "Ada Voss", gradient), call(4))
    assert (ada.gradient, ada.voiced, ada.parts) == (gradient, voiced, parts)


def test_a_new_judge_brings_its_threshold() -> None:
    stricter = Intervention(seq=3, at="", action="change_judge", judge=JudgeSpec(kind="ballot", threshold=8))
    (ada, _) = entries(said(2, "Ada Voss", "Fine.", "support"), stricter, ballot(4, "Ada Voss", 7), call(5))
    assert ada.parts, "7 < 8: undecided in private"


def test_what_was_voiced_or_cast_in_an_earlier_round_is_not_of_this_one() -> None:
    found = entries(
        said(2, "Ada Voss", "Yes.", "support"), ballot(3, "Ada Voss", 8, condition="soon"), call(4),
        said(5, "Ben Ito", "No.", "oppose", 2), call(6, 2),
    )  # fmt: skip
    assert [(entry.voiced, entry.gradient, entry.condition) for entry in found if entry.person == ADA] == [
        ("support", 8, "soon"),
        (None, None, ""),
    ]


def test_the_table_has_the_columns_and_runs_nothing() -> None:
    found = entries(
        said(2, "Ada Voss", "=HYPERLINK(1)"), said(3, "Ben Ito", "@SUM(1)"), call(4, positions={"Ada Voss": "oppose"})
    )
    head, ada, ben = csv.reader(io.StringIO(ledger_csv(found)))
    assert tuple(head) == COLUMNS
    row = dict(zip(head, ada, strict=True))
    assert (row["quote"], row["polarity"], row["position"], row["stage"]) == ("'=HYPERLINK(1)", "-1", "oppose", "1")
    row = dict(zip(head, ben, strict=True))
    assert (row["quote"], row["polarity"], row["position"]) == ("'@SUM(1)", "", "unreadable")


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_formula_is_text(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("value", ["1=1", "", " =1", -1, 0.5, None, True])
def test_everything_else_stays(value: Any) -> None:
    assert harmless(value) == value
