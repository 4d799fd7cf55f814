"""Who moved between two calls, and who spoke in between."""

from __future__ import annotations

from typing import Any

from conference.analysis.calls import Words
from conference.analysis.ledger import ledger_of
from conference.analysis.movement import Shift, shifts_of
from conference.analysis.people import people_of
from conference.domain.events import AgreementCall, Event, Utterance
from conference.domain.move import Move, OnTheTable
from conference.domain.position import Judgement, Stance
from conference.domain.spec import Stage
from tests.conferences import opened, small_spec

SPEC = small_spec(3, agenda=(Stage(name="Talk", max_rounds=3), Stage(name="End", max_rounds=3)))
PEOPLE = people_of(SPEC)
ADA, BEN, CLEO = (person.name for person in PEOPLE[1:])


def said(seq: int, who: str, stage: int = 0, table: OnTheTable | None = None, **move: Any) -> Utterance:
    given = Move(**{"kind": "state", **move})
    return Utterance(
        seq=seq, at="", stage=stage, round=1, speaker=who, role="participant", text=f"words {seq}", move=given, table=table
    )


def call(seq: int, stage: int = 0, gradients: dict[str, int] | None = None, **positions: Stance) -> AgreementCall:
    names = {person.initials[0]: person.name for person in PEOPLE[1:]}
    held = {names[key]: stance for key, stance in positions.items()}
    judgement = Judgement(verdict="continue", judge="llm", positions=held, gradients=gradients or {})
    return AgreementCall(seq=seq, at="", stage=stage, round=1, judgement=judgement)


def shifts(*events: Event) -> tuple[Shift, ...]:
    log = (opened(SPEC), *events)
    return shifts_of(log, ledger_of(log, SPEC, PEOPLE), PEOPLE)


def told(shift: Shift) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(each.person.name, each.words.seq, each.ties) for each in shift.between]


def test_between_the_two_utterances_with_what_links_them() -> None:
    first, second = OnTheTable(text="one boat", by=CLEO), OnTheTable(text="two boats", by=BEN)
    (shift,) = shifts(
        said(1, CLEO, table=first),
        said(2, ADA),
        said(3, BEN, to=ADA),
        call(4, A="oppose", B="oppose"),
        said(5, CLEO),
        said(6, BEN, table=second),
        said(7, ADA, to=BEN),
        said(8, CLEO),
        call(9, A="support", B="oppose"),
    )
    assert (shift.person.name, shift.before.call, shift.after.call, shift.nearer, shift.proposal) == (ADA, 4, 9, True, "other")
    assert shift.said == Words(7, "words 7")
    # between lines 2 and 7: Ben in 3 and 6, Cleo in 5; what Cleo said in 8 came after Ada had moved
    assert told(shift) == [
        (BEN, 6, ("was addressed in those words", "had spoken to them", "had put the proposal on the table")),
        (CLEO, 5, ()),
    ]


def test_an_answer_without_a_name_counts_as_addressed() -> None:
    (shift,) = shifts(said(1, ADA), call(2, A="oppose"), said(3, BEN), said(4, ADA, answers=3), call(5, A="undecided"))
    assert told(shift) == [(BEN, 3, ("was addressed in those words",))]
    assert shift.proposal == "same", "nothing lay on the table at either call"


def test_who_said_nothing_since_moved_silently() -> None:
    (shift,) = shifts(said(1, ADA), call(2, A="support"), said(3, BEN), call(4, A="undecided"))
    assert (shift.said, shift.nearer, told(shift)) == (None, False, [(BEN, 3, ())])


def test_terms_written_in_are_an_amendment() -> None:
    base = OnTheTable(text="two boats", base="two boats", by=CLEO)
    amended = OnTheTable(text="two boats. It is agreed that fares stay", base="two boats", by=CLEO)
    (shift,) = shifts(said(1, CLEO, table=base), call(2, A="oppose"), said(3, BEN, table=amended), call(4, A="support"))
    assert shift.proposal == "amended"


def test_not_across_stages_nor_over_what_cant_be_read() -> None:
    assert shifts(call(1, A="oppose"), call(2, stage=1, A="support")) == ()
    (shift,) = shifts(call(1, A="oppose"), call(2), call(3, A="support"))
    assert (shift.before.call, shift.after.call) == (1, 3)


def test_a_gradient_that_moves_two_steps_is_a_move() -> None:
    one, two, three = ({ADA: gradient} for gradient in (1, 2, 4))
    assert shifts(call(1, gradients=one, A="oppose"), call(2, gradients=two, A="oppose")) == ()
    (shift,) = shifts(call(1, gradients=two, A="oppose"), call(2, gradients=three, A="oppose"))
    assert shift.nearer
