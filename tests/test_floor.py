"""The floor: whatever legally happens, a conference keeps its order and ends; and the same log gives the same floor."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conference.domain.events import (
    AgreementCall,
    Ballot,
    ConferenceClosed,
    ConferenceOpened,
    Event,
    Fault,
    Intervention,
    Paused,
    QualityScored,
    Resumed,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.move import Move, OnTheTable
from conference.domain.position import Judgement
from conference.domain.spec import Condition, EvaluatorSpec, Spec, Stage
from conference.errors import LogError
from conference.floor import Act, Floor, advance, closes_because, fold, next_act, next_speaker, start
from tests.conferences import NAMES, chair, floor_of, opened, says, small_spec

CONDITIONS: tuple[Condition, ...] = ("with_judge", "without_judge", "matched_budget")


@st.composite
def stages(draw: st.DrawFn) -> tuple[Stage, ...]:
    rounds = st.integers(1, 4)
    found = []
    for number in range(draw(st.integers(1, 4))):
        least = draw(rounds)
        found.append(
            Stage(
                name=f"S{number}", min_rounds=least, max_rounds=draw(st.integers(least, 5)),
                rounds_without_judge=draw(st.none() | rounds), turns=draw(st.sampled_from(["round_robin", "moderated", "sparse"])),
                settles=draw(st.sampled_from(["concerns", "proposal"])),
            )
        )  # fmt: skip
    return tuple(found)


@st.composite
def openings(draw: st.DrawFn) -> ConferenceOpened:
    spec = small_spec(
        draw(st.integers(2, 8)), agenda=draw(stages()), judge=draw(st.sampled_from(["llm", "ballot", "none"])),
        evaluator=draw(st.sampled_from([None, EvaluatorSpec()])),
    )  # fmt: skip
    return opened(spec, draw(st.sampled_from(CONDITIONS)), draw(st.integers(-5, 10**9)))


class Play:
    """Any legal course of a conference: replies and disturbances are drawn, disturbances only so many."""

    def __init__(self, first: ConferenceOpened, dice: random.Random, disturbances: int) -> None:
        self.events: list[Event] = [first]
        self.floor, self.dice, self.left = start(first), dice, disturbances
        self.extended: Counter[int] = Counter()
        self.cut_short: set[int] = set()

    def on(self, event: Any) -> None:
        self.events.append(event.model_copy(update={"seq": self.floor.next_seq}))
        self.floor = advance(self.floor, self.events[-1])

    def to_the_end(self, most: int) -> None:
        for _ in range(most):
            assert (next_act(self.floor) is None) == self.floor.closed
            act = next_act(self.floor)
            if act is None:
                return
            self.disturb()
            if (act := next_act(self.floor)) is not None:
                self.do(act)
        raise AssertionError(f"no end after {most} acts: {self.floor}")

    def disturb(self) -> None:
        while self.left and self.dice.random() < 0.3:
            self.left -= 1
            open_still = self.floor.stage_open and self.floor.summary is None
            match self.dice.randrange(6):
                case 0:
                    self.on(Intervention(seq=0, at="", action="say", text="Go on."))
                case 1:
                    self.cut_short |= {self.floor.stage} if open_still else set()
                    self.on(Intervention(seq=0, at="", action="close_stage"))
                case 2:
                    self.extended[self.floor.stage] += open_still
                    self.on(Intervention(seq=0, at="", action="extend_stage"))
                case 3:
                    self.on(Paused(seq=0, at="", because="facilitator"))
                    assert next_act(self.floor) is not None
                    self.on(Resumed(seq=0, at=""))
                case _:
                    self.on(Fault(seq=0, at="", where="turn", error="busy", recovered=self.dice.random() < 0.5))

    def do(self, act: Act) -> None:
        floor = self.floor
        match act.kind:
            case "open_stage":
                number = floor.stage + 1
                self.on(StageOpened(seq=0, at="", stage=number, name=floor.spec.agenda[number].name))
            case "open" | "frame" | "close":
                self.on(self.placed(chair(floor.spec, act.kind)))
            case "turn":
                self.turn(act.seat)
            case "judge":
                self.judge()
            case "score":
                self.on(QualityScored(seq=0, at="", stage=floor.stage, scores={"clarity": 7.0}))
            case "close_stage":
                because = closes_because(floor)
                assert because is not None
                self.on(StageClosed(seq=0, at="", stage=floor.stage, rounds=floor.round, because=because))
            case "close_conference":
                self.on(ConferenceClosed(seq=0, at=""))

    def placed(self, said: Utterance) -> Utterance:
        return said.model_copy(update={"stage": self.floor.stage, "round": self.floor.round})

    def turn(self, seat: str) -> None:
        people = self.floor.spec.participants
        name = next(p.name for p in people if p.id == seat)
        kind = self.dice.choice(["state", "ask", "object", "support", "pass"])
        said = says(name, kind, to=self.dice.choice([p.name for p in people if p.name != name]))
        changes = self.dice.choice([{}, {"move": None}, {"role": "human"}])
        self.on(self.placed(said.model_copy(update=changes)))

    def judge(self) -> None:
        floor = self.floor
        for p in floor.spec.participants if self.dice.random() < 0.5 else ():
            self.on(Ballot(seq=0, at="", stage=floor.stage, round=floor.round, participant=p.name, proposal="", gradient=None))
        verdict: Any = self.dice.choice(["agreement", "continue", "unreadable"])
        self.on(
            AgreementCall(seq=0, at="", stage=floor.stage, round=floor.round, judgement=Judgement(verdict=verdict, judge="x"))
        )


@settings(max_examples=150, deadline=None)
@given(openings(), st.randoms(use_true_random=False), st.integers(0, 12), st.floats(0, 1))
def test_a_conference_keeps_its_order_and_ends(
    first: ConferenceOpened, dice: random.Random, disturbances: int, cut: float
) -> None:
    play = Play(first, dice, disturbances)
    people = len(first.spec.participants)
    rounds = sum(first.spec.rounds_allowed(first.condition, n) for n in range(len(first.spec.agenda))) + disturbances
    # a round is the turns, a call and a frame (or the opening); a stage opens, is scored, summed up and closed
    play.to_the_end(most=rounds * (people + 3) + 5 * len(first.spec.agenda) + 2)
    for number in range(len(first.spec.agenda)):
        check_stage(play, number)
    here = int(cut * len(play.events))
    assert fold(play.events[here:], fold(play.events[:here]) if here else None) == play.floor == fold(play.events)
    assert [o.stage for o in play.floor.outcomes] == [s.name for s in first.spec.agenda]


def check_stage(play: Play, number: int) -> None:
    """Everybody once a round, the judge after them, the rounds within their bounds, scores of the whole stage."""
    spec, events = play.floor.spec, [e for e in play.events if getattr(e, "stage", None) == number]
    judged, evaluated = play.floor.judged, spec.evaluator is not None
    closed = events[-1]
    assert isinstance(closed, StageClosed)
    for number_of_round in range(1, closed.rounds + 1):
        check_round(play, number, number_of_round, judged)
    most = spec.rounds_allowed(play.floor.condition, number) + play.extended[number]
    assert closed.rounds <= most
    match closed.because:
        case "agreement":
            assert judged
            assert closed.rounds >= spec.agenda[number].min_rounds
        case "max_rounds":
            assert closed.rounds == most
        case _:
            assert (closed.because, number in play.cut_short) == ("facilitator", True)
    kinds = [e.kind if not isinstance(e, Utterance) else e.role for e in events]
    assert kinds.count("stage_opened") == kinds.count("stage_closed") == 1
    assert kinds[-2:] == ["moderator", "stage_closed"]
    scored = [i for i, kind in enumerate(kinds) if kind == "quality_scored"]
    assert bool(scored) == evaluated
    assert not scored or kinds[scored[-1] :] == ["quality_scored", "moderator", "stage_closed"]


def check_round(play: Play, stage: int, number: int, judged: bool) -> None:
    of_round = [e for e in play.events if getattr(e, "stage", None) == stage and getattr(e, "round", None) == number]
    turns = [e for e in of_round if isinstance(e, Utterance) and e.role != "moderator"]
    calls = [e for e in of_round if isinstance(e, AgreementCall)]
    spoke = Counter(turn.speaker for turn in turns)
    everybody = Counter(p.name for p in play.floor.spec.participants)
    if stage in play.cut_short:
        assert spoke <= everybody
        assert len(calls) <= judged
        return
    assert spoke == everybody
    assert len(calls) == judged
    assert all(call.seq > turn.seq for call in calls for turn in turns)


def acts_of(spec: Spec, condition: Condition = "with_judge", verdict: Any = "continue") -> list[str]:
    play = Play(opened(spec, condition), random.Random(1), 0)
    play.dice.choice = lambda options: verdict if verdict in options else options[0]  # type: ignore[method-assign]
    found = []
    while (act := next_act(play.floor)) is not None:
        found.append(act.kind if act.kind != "turn" else act.seat)
        play.do(act)
    return found


TWO = small_spec(2, agenda=(Stage(name="A", min_rounds=1, max_rounds=2),), evaluator="llm")
ORDERS = {
    "two rounds without agreement": (
        TWO, "with_judge", "continue", "open_stage open . . judge frame . . judge score close close_stage close_conference"),
    "agreement in the first": (
        TWO, "with_judge", "agreement", "open_stage open . . judge score close close_stage close_conference"),
    "an unreadable call is no agreement": (
        TWO, "with_judge", "unreadable", "open_stage open . . judge frame . . judge score close close_stage close_conference"),
    "no agreement before min_rounds": (
        small_spec(2, agenda=(Stage(name="A", min_rounds=2, max_rounds=3),)), "with_judge", "agreement",
        "open_stage open . . judge frame . . judge close close_stage close_conference"),
    "nobody judges": (
        TWO, "without_judge", "agreement", "open_stage open . . frame . . score close close_stage close_conference"),
    "rounds_without_judge": (
        small_spec(2, agenda=(Stage(name="A", max_rounds=3, rounds_without_judge=1),)), "without_judge", "agreement",
        "open_stage open . . close close_stage close_conference"),
    "no judge in the spec": (
        small_spec(2, judge="none", agenda=(Stage(name="A", max_rounds=3, rounds_without_judge=1),)), "with_judge", "agreement",
        "open_stage open . . close close_stage close_conference"),
    "two stages": (
        small_spec(2, agenda=(Stage(name="A", max_rounds=1), Stage(name="B", max_rounds=1))), "with_judge", "continue",
        "open_stage open . . judge close close_stage open_stage open . . judge close close_stage close_conference"),
}  # fmt: skip


@pytest.mark.parametrize(("spec", "condition", "verdict", "order"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_acts(spec: Spec, condition: Condition, verdict: str, order: str) -> None:
    assert " ".join("." if act in ("p0", "p1") else act for act in acts_of(spec, condition, verdict)) == order


class TestSpeakingOrder:
    def test_is_seeded_and_changes_from_round_to_round(self) -> None:
        spec = small_spec(6, agenda=(Stage(name="A", max_rounds=5),))
        first = [floor_of(spec, *[chair(spec)] * n, seed=3).order for n in range(4)]
        assert first == [floor_of(spec, *[chair(spec)] * n, seed=3).order for n in range(4)]
        assert all(sorted(order) == [f"p{n}" for n in range(6)] for order in first)
        assert len(set(first)) > 1
        assert len({floor_of(spec, seed=seed).order for seed in range(8)}) > 1

    @pytest.mark.parametrize("kind", ["ask", "object"])
    def test_moderated_lets_who_was_addressed_go_first(self, kind: str) -> None:
        spec = small_spec(6, agenda=(Stage(name="A", max_rounds=5, turns="moderated"),))
        for seed in range(6):
            floor = floor_of(spec, says(NAMES[0], kind, to=NAMES[4]), says(NAMES[1], kind, to=NAMES[2]), chair(spec), seed=seed)
            assert set(floor.order[:2]) == {"p4", "p2"}

    def test_round_robin_doesnt(self) -> None:
        spec = small_spec(6, agenda=(Stage(name="A", max_rounds=5),))
        with_ask, without = (floor_of(spec, says(NAMES[0], kind, to=NAMES[4]), chair(spec)) for kind in ("ask", "support"))
        assert with_ask.order == without.order


def intervene(floor: Floor, action: Any, text: str = "") -> Floor:
    return advance(floor, Intervention(seq=floor.next_seq, at="t", action=action, text=text))


class TestInterventions:
    SPEC = small_spec(2, agenda=(Stage(name="A", max_rounds=1), Stage(name="B")), evaluator="llm")

    def played_to(self, kind: str) -> Play:
        play = Play(opened(self.SPEC), random.Random(1), 0)
        while (act := next_act(play.floor)) is not None and act.kind != kind:
            play.do(act)
        return play

    def test_what_a_human_says_is_heard_in_the_moderators_name_and_takes_no_turn(self) -> None:
        before = floor_of(self.SPEC)
        after = intervene(before, "say", "Mind the clock.")
        assert after.said[-1] == Utterance(
            seq=before.next_seq, at="t", stage=0, round=1, speaker="Mo Chair", role="human", text="Mind the clock."
        )
        assert (next_act(after), after.spoke, after.turns) == (next_act(before), before.spoke, before.turns)

    def test_closing_skips_whoever_is_left(self) -> None:
        floor = intervene(floor_of(self.SPEC), "close_stage")
        assert (next_act(floor), closes_because(floor)) == (Act("score", "evaluator"), "facilitator")

    def test_a_stage_asked_to_close_before_it_was_opened_is_still_opened(self) -> None:
        play = self.played_to("open")
        assert next_act(intervene(play.floor, "close_stage")) == Act("open", "moderator")

    def test_an_extension_after_the_scores_gives_a_round_that_is_scored_again(self) -> None:
        play = self.played_to("close")
        play.on(Intervention(seq=0, at="", action="extend_stage"))
        kinds = []
        while (act := next_act(play.floor)) is not None and act.kind != "close":
            kinds.append(act.kind)
            play.dice.choice = lambda options: "continue" if "continue" in options else options[0]  # type: ignore[method-assign]
            play.do(act)
        assert kinds == ["frame", "turn", "turn", "judge", "score"]

    @pytest.mark.parametrize("action", ["close_stage", "extend_stage"])
    def test_a_stage_that_is_summed_up_is_over(self, action: str) -> None:
        """Found: an extension let the next round begin without its participants; a close turned the reason round."""
        floor = self.played_to("close_stage").floor
        after = intervene(floor, action)
        assert (next_act(after), closes_because(after)) == (Act("close_stage", "moderator"), closes_because(floor))

    def test_agreement_counts_even_when_the_facilitator_closes_at_the_same_moment(self) -> None:
        """Found: the summary said *we have agreed* and the stage closed because of the facilitator."""
        floor = self.played_to("judge").floor
        call = AgreementCall(seq=floor.next_seq, at="", stage=0, round=1, judgement=Judgement(verdict="agreement", judge="x"))
        assert closes_because(intervene(advance(floor, call), "close_stage")) == "agreement"


class TestTheTable:
    PLAN = OnTheTable(text="Two boats.", option="Two")
    SPEC = small_spec(2, agenda=(Stage(name="A", settles="concerns"), Stage(name="B"), Stage(name="C")))

    @pytest.mark.parametrize(("stage", "carried"), [(0, None), (1, PLAN)])
    def test_a_proposal_stays_on_the_table_and_a_list_doesnt(self, stage: int, carried: OnTheTable | None) -> None:
        floor = floor_of(self.SPEC, table=self.PLAN, stage=stage)
        floor = advance(floor, StageClosed(seq=floor.next_seq, at="", stage=stage, rounds=1, because="max_rounds"))
        floor = advance(floor, StageOpened(seq=floor.next_seq, at="", stage=stage + 1, name="next"))
        assert floor.table == carried

    def test_stances_and_notes_are_remembered_over_stages(self) -> None:
        floor = floor_of(self.SPEC, says(NAMES[0], "object", stance="oppose", gist="noise"), table=self.PLAN, stage=1)
        assert [(h.table, h.speaker, h.stance) for h in floor.heard] == [(self.PLAN, NAMES[0], "oppose")]
        floor = advance(floor, StageOpened(seq=floor.next_seq, at="", stage=2, name="C"))
        assert (len(floor.heard), floor.used, floor.said) == (1, {(NAMES[0], "noise")}, ())


class TestFaults:
    @pytest.mark.parametrize(
        ("events", "in_a_row"),
        [
            ([Fault(seq=0, at="", where="turn", error="x")] * 3, 3),
            ([Fault(seq=0, at="", where="turn", error="x"), Fault(seq=0, at="", where="turn", error="x", recovered=True)], 0),
            ([Fault(seq=0, at="", where="turn", error="x"), says(NAMES[0])], 0),
            ([Fault(seq=0, at="", where="turn", error="x"), Paused(seq=0, at="", because="faults"), Resumed(seq=0, at="")], 0),
            ([Fault(seq=0, at="", where="score", error="x"), QualityScored(seq=0, at="", stage=0, scores={})], 0),
        ],
    )
    def test_are_counted_until_something_succeeds(self, events: list[Event], in_a_row: int) -> None:
        floor = floor_of(small_spec(2))
        for event in events:
            floor = advance(floor, event.model_copy(update={"seq": floor.next_seq}))
        assert floor.faults_in_a_row == in_a_row


FIRST = opened(small_spec(2))
BROKEN = {
    "empty": ([], "the log is empty; a conference begins with conference_opened"),
    "cut at the front": (
        [StageOpened(seq=0, at="", stage=0, name="A")], "the log begins with stage_opened, not conference_opened; is the file cut?"),
    "a gap": (
        [FIRST, StageOpened(seq=2, at="", stage=0, name="A")],
        "event 2 (stage_opened) came where 1 was due; the log has a gap or a double"),
    "a double": ([FIRST, FIRST], "event 0 (conference_opened) came where 1 was due; the log has a gap or a double"),
    "two conferences": (
        [FIRST, FIRST.model_copy(update={"seq": 1})], "a second conference_opened at 1; one log holds one conference"),
    "a stranger": (
        [FIRST, StageOpened(seq=1, at="", stage=0, name="A"), says("Zoe").model_copy(update={"seq": 2})],
        "'Zoe' spoke but isn't at the table; the log and its spec don't belong together"),
}  # fmt: skip


@pytest.mark.parametrize(("events", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_log_is_refused(events: list[Event], said: str) -> None:
    with pytest.raises(LogError) as caught:
        fold(events)
    assert str(caught.value) == said


def test_nobody_speaks_after_the_end() -> None:
    floor = fold([FIRST, ConferenceClosed(seq=1, at="")])
    assert next_act(floor) is None
    with pytest.raises(LogError, match="nobody speaks next"):
        next_speaker(floor)


def test_the_next_speaker_is_whose_act_is_due() -> None:
    floor = floor_of(small_spec(3))
    assert next_speaker(floor) == floor.order[0]
    human = says(next(p.name for p in floor.spec.participants if p.id == floor.order[0])).model_copy(
        update={"seq": floor.next_seq, "role": "human", "move": Move(kind="state")}
    )
    assert next_speaker(advance(floor, human)) == floor.order[1]
