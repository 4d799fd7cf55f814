"""The moderator: what goes on the table, what is read out, what stays open."""

from __future__ import annotations

from typing import Any

import pytest

from conference.domain.events import AgreementCall, Intervention, Utterance
from conference.domain.move import OnTheTable, Term
from conference.domain.persona import Brief, Proposal
from conference.domain.position import Judgement
from conference.domain.spec import Stage
from conference.floor import Floor, advance
from conference.moves.chair import agreed_text, best_heard, closing, framing, open_points, opening, proposal_on_table
from tests.conferences import NAMES, chair, floor_of, person, says, small_spec

ADA, BEN, CLEO = NAMES[:3]
ONE = Proposal(text="Let us run one boat.", gist="one boat", option="One", meets=("quiet",))
PLAN = OnTheTable(text="Let us run two boats.", base="Let us run two boats.", option="Two", by=BEN)


def spec_of(*stages: Any, **more: Any) -> Any:
    people = (person(0, brief=Brief(proposals=(ONE,))), person(1), person(2))
    agenda = stages or (Stage(name="Talk", max_rounds=4),)
    return small_spec(3, participants=people, agenda=agenda, **more)


def conceded(name: str, gist: str, condition: str) -> Utterance:
    return says(name, "concede", gist=gist, condition=condition, stance="undecided")


class TestTerms:
    def test_are_written_into_the_proposal(self) -> None:
        terms = (Term(gist="low fares", condition="fares stay low."), Term(gist="night", condition="one sails at night"))
        assert PLAN.with_terms(terms) == OnTheTable(
            text="Let us run two boats. It is agreed that fares stay low; one sails at night.", base=PLAN.base, option="Two", by=BEN,
            terms=terms, items=("low fares", "night"),
        )  # fmt: skip

    def test_replace_the_earlier_ones(self) -> None:
        first = PLAN.with_terms((Term(gist="low fares", condition="fares stay low"),))
        assert first.with_terms(()) == PLAN

    def test_what_the_proposal_meets_by_itself_stays(self) -> None:
        table = proposal_on_table(ONE, ADA)
        assert table == OnTheTable(text=ONE.text, base=ONE.text, option="One", items=("quiet",), by=ADA)
        assert table.with_terms((Term(gist="x", condition="y"),)).items == ("quiet", "x")


class TestOpening:
    def test_the_first_stage_asks_the_question_of_the_day(self) -> None:
        spec = spec_of(Stage(name="Talk", question="What counts?", settles="concerns"))
        assert opening(floor_of(spec)).said == "The question for today: Which timetable? What counts?"

    def test_a_later_stage_reads_out_what_found_most_favour(self) -> None:
        spec = spec_of(Stage(name="A"), Stage(name="B", question="Under which terms?"))
        floor = floor_of(spec, says(CLEO, "support", stance="support"), table=PLAN, stage=1)
        assert (opening(floor).said, opening(floor).table) == ("On the table is: Let us run two boats. Under which terms?", PLAN)


class TestBestHeard:
    RIVAL = OnTheTable(text="Three.", base="Three.", option="Three", by=CLEO)

    @pytest.mark.parametrize(
        ("two", "three", "best"),
        [
            (["oppose", "support"], ["undecided", "support"], "Three"),  # fewest against
            (["support", "support"], ["undecided", "support"], "Two"),  # then most for
            (["support", "support"], ["support", "support"], "Three"),  # then the latest
        ],
    )
    def test_ranks(self, two: list[Any], three: list[Any], best: str) -> None:
        floor = floor_of(spec_of(), *(says(n, "state", stance=s) for n, s in zip((ADA, BEN), two, strict=True)), table=PLAN)
        for name, stance in zip((ADA, BEN), three, strict=True):
            turn = says(name, "state", stance=stance).model_copy(update={"seq": floor.next_seq, "table": self.RIVAL, "round": 1})
            floor = advance(floor, turn)
        found = best_heard(floor)
        assert found is not None
        assert found.option == best

    def test_amended_versions_are_one_proposal_and_the_last_word_counts(self) -> None:
        amended = PLAN.with_terms((Term(gist="low fares", condition="fares stay low"),))
        floor = floor_of(spec_of(), says(ADA, "object", stance="oppose"), table=PLAN)
        floor = advance(
            floor, says(ADA, "support", stance="support").model_copy(update={"seq": floor.next_seq, "table": amended, "round": 1})
        )
        assert best_heard(floor) == amended

    def test_none(self) -> None:
        assert best_heard(floor_of(spec_of())) is None


class TestFraming:
    def test_takes_in_two_conditions_at_a_time_and_all_before_the_last_round(self) -> None:
        said = [conceded(n, f"g{i}", f"c{i}") for i, n in enumerate((ADA, BEN, CLEO))]
        early = framing(floor_of(spec_of(), *said, table=PLAN)).table
        late = framing(floor_of(spec_of(Stage(name="Talk", max_rounds=2)), *said, table=PLAN)).table
        assert early is not None
        assert late is not None
        assert (early.items, late.items) == (("g0", "g1"), ("g0", "g1", "g2"))

    def test_takes_a_condition_out_that_is_somebodys_red_line(self) -> None:
        table = PLAN.with_terms((Term(gist="toll", condition="a toll is paid"),))
        refusal = says(CLEO, "object", about="toll", gist="toll", stance="oppose", reason="red line: toll")
        found = framing(floor_of(spec_of(), refusal, conceded(ADA, "low fares", "fares stay low"), table=table)).table
        assert found is not None
        assert found.items == ("low fares",)

    def test_a_rival_takes_the_place_of_what_others_oppose(self) -> None:
        spec = spec_of()
        rival = says(ADA, "propose", gist="one boat", stance="oppose")
        lone = framing(floor_of(spec, rival, table=PLAN))
        two = framing(floor_of(spec, rival, says(CLEO, "object", stance="oppose"), table=PLAN))
        assert lone.table == PLAN
        assert two.table == proposal_on_table(ONE, ADA)

    def test_asks_for_a_proposal_when_there_is_none(self) -> None:
        found = framing(floor_of(spec_of(), says(ADA, gist="seals")))
        assert (found.table, found.said) == (
            None,
            "Nothing is on the table yet. Who makes a proposal that others here could accept?",
        )
        assert found.move.note in {"From Ada we heard about seals.", "Ada brought up seals.", "Ada spoke of seals."}

    def test_asks_whoever_is_against(self) -> None:
        found = framing(floor_of(spec_of(), says(CLEO, "object", stance="oppose"), table=PLAN))
        assert found.said.endswith("Cleo Marsh, what would have to change for you? And who can accept it as it stands?")

    def test_lists_three_concerns_and_then_what_was_asked_for(self) -> None:
        spec = spec_of(Stage(name="Talk", settles="concerns", max_rounds=4))
        said = [says(n, gist=g) for n, g in ((ADA, "seals"), (BEN, "jobs"), (CLEO, "noise"))]
        first = framing(floor_of(spec, *said, says(ADA, gist="fares")))
        assert first.table == OnTheTable(
            text="that we judge the options first of all on seals, jobs and noise.",
            items=("seals", "jobs", "noise"),
            by="Mo Chair",
        )
        asked = says(ADA, "concede", gist="fares", condition="fares goes on it", stance="undecided")
        second = framing(floor_of(spec, asked, table=first.table)).table
        assert second is not None
        assert second.items == ("seals", "jobs", "noise", "fares")

    def test_nothing_raised_nothing_listed(self) -> None:
        found = framing(floor_of(spec_of(Stage(name="Talk", settles="concerns", max_rounds=4))))
        assert (found.table, found.said) == (None, "What else must we take into account?")


def judged(floor: Floor, verdict: Any, proposal: str = "") -> Floor:
    call = Judgement(verdict=verdict, judge="x", proposal=proposal)
    return advance(floor, AgreementCall(seq=floor.next_seq, at="", stage=0, round=floor.round, judgement=call))


class TestClosing:
    SPEC = spec_of(Stage(name="Talk", max_rounds=1))

    def test_reads_out_what_was_agreed(self) -> None:
        floor = judged(floor_of(self.SPEC, table=PLAN), "agreement")
        assert closing(floor).said == "We have agreed: Let us run two boats."

    @pytest.mark.parametrize(
        ("stated", "said"),
        [("Run two.", "We have agreed: Run two."), ("", "We have an agreement, as the last speakers put it.")],
    )
    def test_without_anything_on_the_table_the_judges_words_count(self, stated: str, said: str) -> None:
        floor = judged(floor_of(self.SPEC), "agreement", stated)
        assert (closing(floor).said, agreed_text(floor)) == (said, stated)

    def test_says_for_whom_it_stays_open(self) -> None:
        turns = [
            says(ADA, "support", stance="support"), conceded(BEN, "low fares", "fares stay low"),
            says(CLEO, "object", about="Two", stance="oppose"),
        ]  # fmt: skip
        floor = judged(floor_of(self.SPEC, *turns, table=PLAN), "continue")
        points = ("Ben Ito asks that fares stay low", "Cleo Marsh is against (Two)")
        assert open_points(floor) == points
        assert closing(floor).said == f"We have no agreement on this. Still open: {'; '.join(points)}."

    def test_what_was_taken_in_is_not_open(self) -> None:
        spec = spec_of(Stage(name="Talk", max_rounds=1))
        table = PLAN.with_terms((Term(gist="low fares", condition="fares stay low"),))
        floor = floor_of(spec, conceded(BEN, "low fares", "fares stay low"), chair(spec, "frame", table=table), table=PLAN)
        assert open_points(floor) == ()

    def test_a_facilitators_end_is_no_agreement(self) -> None:
        floor = floor_of(self.SPEC, table=PLAN)
        floor = advance(floor, Intervention(seq=floor.next_seq, at="", action="close_stage"))
        assert closing(floor).said == "We have no agreement on this."
