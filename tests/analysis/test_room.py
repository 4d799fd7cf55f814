"""What a room shows of a log: where it stands, who is due, lines, calls, positions, what was spent."""

from __future__ import annotations

import pytest

from conference.analysis.calls import Held, Words
from conference.analysis.people import MODERATOR_COLOUR, PALETTE, Person, initials_of, people_of
from conference.analysis.room import Due, Where, room_view, seconds_between
from conference.domain.chat import Usage
from conference.domain.events import (
    AgreementCall,
    ConferenceClosed,
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
from conference.domain.move import Move
from conference.domain.persona import Persona
from conference.domain.position import Evidence, Judgement
from conference.domain.spec import EvaluatorSpec, Limits, Spec
from conference.errors import LogError
from tests.conferences import opened, small_spec

SPEC = small_spec(2, evaluator=EvaluatorSpec(), limits=Limits(tokens=1000, minutes=10))
CHAIR = Person("Mo Chair", "moderator", "MC", MODERATOR_COLOUR)
ADA, BEN = Person("Ada Voss", "expert", "AV", PALETTE[0]), Person("Ben Ito", "expert", "BI", PALETTE[1])


def at(second: float) -> str:
    return f"2026-12-01T12:00:{second:06.3f}+00:00"


def said(seq: int, who: str, text: str, number: int = 1, **more: object) -> Utterance:
    role = "moderator" if who == "Mo Chair" else "participant"
    given = {"seq": seq, "at": at(seq), "stage": 0, "round": number, "speaker": who, "role": role, "text": text, **more}
    return Utterance.model_validate(given)


JUDGEMENT = Judgement(
    verdict="continue", confidence=0.81, positions={"Ada Voss": "support", "Ben Ito": "oppose"}, judge="llm", reason="Ben doesn't",
    proposal="Two boats", probabilities={"Ben Ito": 0.12}, gradients={"Ada Voss": 7}, conditions={"Ben Ito": "a cheaper fare"},
    evidence=(Evidence(turn=4, speaker="Ben Ito", quote="Not at that fare"),),
)  # fmt: skip
USED = Usage(prompt_tokens=100, cached_tokens=80, completion_tokens=10, seconds=2)
LOG: list[Event] = [
    opened(SPEC).model_copy(update={"at": at(0)}),
    StageOpened(seq=1, at=at(1), stage=0, name="Talk"),
    said(2, "Mo Chair", "Shall we begin?", 0, move=Move(kind="open"), usage=USED),
    said(3, "Ada Voss", "Two boats will do.", usage=USED),
    said(4, "Ben Ito", "Not at that fare.", usage=USED, worded_by="brief", rejected=("too long",)),
    AgreementCall(seq=5, at=at(5), stage=0, round=1, judgement=JUDGEMENT, usage=USED),
]


def after(*events: Event) -> list[Event]:
    """The log, and these events numbered and a second apart."""
    return [*LOG, *(event.model_copy(update={"seq": n, "at": at(n)}) for n, event in enumerate(events, len(LOG)))]


class TestWhere:
    @pytest.mark.parametrize(
        ("events", "where", "due"),
        [
            (1, Where(0, 1, "", 0, 0, "About to begin"), Due(CHAIR, "opens the next stage")),
            (2, Where(1, 1, "Talk", 1, 2, "Stage 1 of 1 · Talk · round 1 of at most 2"), Due(CHAIR, "is about to open the stage")),
            (5, Where(1, 1, "Talk", 1, 2, "Stage 1 of 1 · Talk · round 1 of at most 2"),
             Due(Person("The judge", "", "J", MODERATOR_COLOUR), "weighs the round")),
            (6, Where(1, 1, "Talk", 1, 2, "Stage 1 of 1 · Talk · round 1 of at most 2"), Due(CHAIR, "is about to open the next round")),
        ],
    )  # fmt: skip
    def test_as_it_goes_on(self, events: int, where: Where, due: Due) -> None:
        view = room_view(LOG[:events])
        assert (view.where, view.due) == (where, due)

    def test_a_participant_is_due_in_the_order_of_the_floor(self) -> None:
        due = room_view(LOG[:3]).due
        assert due is not None
        assert (due.person in (ADA, BEN), due.doing) == (True, "is about to speak")

    def test_an_extension_counts(self) -> None:
        view = room_view(after(Intervention(seq=0, at="", action="extend_stage")))
        assert view.where.text == "Stage 1 of 1 · Talk · round 1 of at most 3"

    def test_between_stages_and_at_the_end(self) -> None:
        closed = StageClosed(seq=0, at="", stage=0, rounds=1, because="max_rounds")
        assert room_view(after(closed)).where.text == "Stage 1 of 1 · Talk · closed"
        over = room_view(after(closed, ConferenceClosed(seq=0, at="", agreed="Two boats")))
        assert (over.where.text, over.closed, over.agreed, over.due) == ("Over: 1 stage, 1 round", True, "Two boats", None)

    def test_a_pause_says_why_and_nobody_is_due(self) -> None:
        paused = Paused(seq=0, at="", because="tokens", detail="1000 of 1000 tokens are spent")
        view = room_view(after(paused))
        assert (view.paused, view.due) == ("Paused because the token limit is reached (1000 of 1000 tokens are spent)", None)
        assert room_view(after(paused, Resumed(seq=0, at=""))).paused == ""

    @pytest.mark.parametrize("events", [[], LOG[1:]])
    def test_a_log_without_its_beginning(self, events: list[Event]) -> None:
        with pytest.raises(LogError, match="doesn't begin with conference_opened"):
            room_view(events)


class TestCalls:
    def test_positions_with_the_judges_quotes_or_what_was_said_last(self) -> None:
        (call,) = room_view(LOG).calls
        assert (call.mark, call.verdict, call.confidence, call.accepting) == ("○", "continue", 0.81, 1)
        assert (call.stage, call.stage_name, call.round, call.proposal, call.judge) == (0, "Talk", 1, "Two boats", "llm")
        assert call.held == (
            Held(ADA, "▲", "accepts", None, 7, "", (Words(3, "Two boats will do."),), False),
            Held(BEN, "▼", "does not accept", 0.12, None, "a cheaper fare", (Words(4, "Not at that fare"),), True),
        )

    def test_who_was_not_read_is_not_guessed(self) -> None:
        judgement = Judgement(verdict="unreadable", judge="llm")
        (call,) = room_view([*LOG[:3], AgreementCall(seq=3, at=at(3), stage=0, round=1, judgement=judgement)]).calls
        assert (call.mark, call.confidence, call.accepting) == ("?", None, 0)
        assert [(one.mark, one.stance, one.quotes) for one in call.held] == [("?", "not read", ())] * 2


class TestRows:
    def test_what_is_said(self) -> None:
        rows = room_view(after(said(0, "Ada Voss", "", 2))).rows
        assert [(row.seq, row.kind, row.text, row.note) for row in rows] == [
            (1, "stage", "Stage 1 of 1 · Talk", ""),
            (2, "said", "Shall we begin?", ""),
            (3, "said", "Two boats will do.", ""),
            (4, "said", "Not at that fare.", "Read from the brief: no wording of the model passed the checks."),
            (5, "call", "", ""),
            (6, "passed", "passes", ""),
        ]
        assert rows[1].person == CHAIR

    @pytest.mark.parametrize(
        ("event", "kind", "text", "note"),
        [
            (Fault(seq=0, at="", where="judge", error="HTTP 500", recovered=True), "fault",
             "An agreement call failed and was made again", "HTTP 500"),
            (Fault(seq=0, at="", where="turn", error="HTTP 500", attempt=2), "fault", "A turn failed (attempt 2)", "HTTP 500"),
            (Fault(seq=0, at="", where="odd", error="x"), "fault", "odd failed (attempt 1)", "x"),
            (Paused(seq=0, at="", because="facilitator"), "pause", "Paused by the facilitator", ""),
            (Intervention(seq=0, at="", action="say", text="One more."), "said", "One more.", ""),
            (Intervention(seq=0, at="", action="close_stage"), "pause", "The facilitator closed this stage", ""),
            (StageClosed(seq=0, at="", stage=0, rounds=2, because="agreement"), "closed", "Stage closed: agreed, 2 rounds", ""),
        ],
    )  # fmt: skip
    def test_what_happens(self, event: Event, kind: str, text: str, note: str) -> None:
        row = room_view(after(event)).rows[-1]
        assert (row.seq, row.kind, row.text, row.note) == (6, kind, text, note)

    def test_scores_and_ballots_are_no_lines(self) -> None:
        assert len(room_view(after(QualityScored(seq=0, at="", stage=0, scores={}))).rows) == len(room_view(LOG).rows)


class TestSpent:
    def test_tokens_time_and_what_is_left(self) -> None:
        spent = room_view(LOG).spent
        # four events with 100 read (80 of them cached) and 10 written: 4·(100 − 80 + 10) = 120; five seconds; three turns
        assert (spent.read_anew, spent.usage.cached_tokens, spent.usage.completion_tokens) == (80, 320, 40)
        assert (spent.since_start_tokens, spent.tokens_left) == (120, 880)
        assert (spent.minutes, spent.minutes_left) == (pytest.approx(5 / 60), pytest.approx(10 - 5 / 60))
        assert spent.seconds_a_turn == pytest.approx(5 / 3)

    def test_limits_hold_anew_after_a_pause_and_the_pause_is_no_time(self) -> None:
        events = after(Paused(seq=0, at="", because="step"), Resumed(seq=0, at=""), said(0, "Ada Voss", "Well.", 2, usage=USED))
        events[-2:] = [event.model_copy(update={"at": at(40 + n)}) for n, event in enumerate(events[-2:])]
        spent = room_view(events).spent
        # 6 s to the pause, 1 s after it
        assert spent.minutes == pytest.approx(7 / 60)
        assert (spent.since_start_tokens, spent.since_start_minutes) == (30, pytest.approx(1 / 60))

    def test_without_limits_nothing_is_left_to_say(self) -> None:
        spent = room_view([opened(small_spec(2))]).spent
        assert (spent.tokens_left, spent.minutes_left, spent.seconds_a_turn, spent.minutes) == (None, None, None, 0)

    @pytest.mark.parametrize(("first", "second"), [("", at(1)), (at(1), "soon"), (at(2), at(1)), (at(1), "2026-12-01T12:00:02")])
    def test_times_that_cant_be_read_take_none(self, first: str, second: str) -> None:
        assert seconds_between(first, second) == 0


class TestQuality:
    def test_the_mean_leaves_out_what_couldnt_be_read(self) -> None:
        quality = room_view(after(QualityScored(seq=0, at="", stage=0, scores={"clarity": 8, "flow": 5, "tone": None}))).quality
        assert quality is not None
        assert (quality.stage, quality.mean, quality.read) == ("Talk", (8 + 5) / 2, 2)

    def test_nothing_read_is_no_zero(self) -> None:
        quality = room_view(after(QualityScored(seq=0, at="", stage=0, scores={"clarity": None}))).quality
        assert quality is not None
        assert (quality.mean, quality.read) == (None, 0)
        assert room_view(LOG).quality is None


class TestPeople:
    @pytest.mark.parametrize(
        ("name", "initials"),
        [
            ("Dr Maren Lindqvist", "ML"),
            ("Ada Voss", "AV"),
            ("Madonna", "M"),
            ("🧑", "?"),
            ("__", "?"),
            ("שלום עולם", "שע"),
            ("x" * 120, "X"),
        ],
    )
    def test_initials(self, name: str, initials: str) -> None:
        assert initials_of(name) == initials

    def test_no_two_share_their_initials(self) -> None:
        names = ("Ada Voss", "Abe Vale", "Amy Vine", "Al Vu")
        seated = tuple(Persona(id=name, name=name, role="expert") for name in names)
        people = people_of(spec := small_spec(2, participants=seated))
        assert [person.initials for person in people] == ["MC", "AV", "Aa", "Ai", "Au"]
        assert isinstance(spec, Spec)

    def test_white_text_can_be_read_on_every_colour(self) -> None:
        for colour in (*PALETTE, MODERATOR_COLOUR):
            channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
            luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
            assert 1.05 / (luminance + 0.05) >= 4.5, colour
