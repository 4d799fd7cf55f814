"""A page of a log as lines, and what stands behind one of them."""

from __future__ import annotations

from conference.analysis.minutes import MADE_BY_MODELS, minutes_of, place_of
from conference.analysis.turn import Fact, Quoted, Raised, move_facts, quoted_by, raised_by, tries_of
from conference.domain.chat import Message, ModelCall, Reply, Request, Usage
from conference.domain.coverage import UtteranceCoverage
from conference.domain.events import AgreementCall, Ballot, Fault, Paused, QualityScored, Utterance
from conference.domain.move import Move
from conference.domain.position import Evidence, Judgement
from conference.domain.search import Piece
from tests.conferences import opened, shipped, small_spec
from tests.pages.scenes import at, held, hostile_events

SPEC = small_spec(2)


def said(seq: int, text: str = "I object.", **more: object) -> Utterance:
    return Utterance(seq=seq, at=at(6), stage=0, round=1, speaker="Ada Voss", role="participant", text=text, **more)  # type: ignore[arg-type]


def called(seq: int, *turns: int, stage: int = 0) -> AgreementCall:
    evidence = tuple(Evidence(turn=turn, speaker="Ada Voss", quote=f"quote {turn}") for turn in turns)
    judgement = Judgement(verdict="continue", confidence=0.8, judge="llm", evidence=evidence)
    return AgreementCall(seq=seq, at=at(9), stage=stage, round=1, judgement=judgement)


def test_every_event_is_a_line() -> None:
    for events in (held(shipped("office-move")), hostile_events()):
        lines = minutes_of(events, events[0].spec)  # type: ignore[union-attr]
        assert [line.seq for line in lines] == [event.seq for event in events]
        assert [line.opens for line in lines] == [event.kind in MADE_BY_MODELS for event in events]
        assert all(line.text or line.call for line in lines)


def test_a_page_from_the_middle_says_who_where_and_when() -> None:
    line, ballot, unread, fault, pause, scored = minutes_of(
        [
            said(7, "Costs, costs."),
            Ballot(seq=8, at=at(7), stage=0, round=1, participant="Ben Ito", proposal="P", gradient=6, condition="it is cheaper"),
            Ballot(seq=9, at=at(7), stage=0, round=1, participant="Nobody", proposal="P", gradient=None),
            Fault(seq=10, at=at(8), where="turn", speaker="Ben Ito", error="busy"),
            Paused(seq=11, at=at(9), because="facilitator"),
            QualityScored(seq=12, at=at(9), stage=0, scores={"a": 6.0, "b": 7.0, "c": None}),
        ],
        SPEC,
        ("costs",),
    )
    assert line.person is not None
    assert (line.person.initials, line.where, line.time) == ("AV", "Talk, round 1", "12:00:06")
    assert line.text == (Piece("Costs", True), Piece(", "), Piece("costs", True), Piece("."))
    assert (ballot.kind, ballot.text[0].text, ballot.note) == ("ballot", "Ballot: 6 of 8", "Would need: it is cheaper")
    assert unread.text[0].text == "Ballot, unreadable"
    assert (fault.kind, fault.note, fault.where) == ("fault", "busy", "")
    assert (pause.kind, pause.opens) == ("pause", False)
    assert (
        scored.text[0].text == "Quality of the stage: 6.5 of 10, mean of 2 scores"
    )  # (6 + 7) / 2; what can't be read is left out


def test_a_stage_the_agenda_lacks() -> None:
    assert place_of(called(3, stage=9), SPEC) == "10, round 1"
    assert minutes_of([called(3, stage=9)], SPEC)[0].text == (Piece("Agreement call"),)


def test_what_a_turn_was_for() -> None:
    move = Move(
        kind="object", to="Ben Ito", answers=4, gist="costs", note="It costs too much.", stance="oppose", reason="at odds"
    )
    facts = move_facts(said(7, move=move, worded_by="brief"))
    assert [(fact.name, fact.value) for fact in facts] == [
        ("Move", "objects"), ("To", "Ben Ito"), ("Point of the brief", "costs"), ("As the brief has it", "It costs too much."),
        ("Stance on what is on the table", "against it"), ("Why this move", "at odds"), ("Answers", "#4"),
        ("Worded by", "the brief, as it stands"),
    ]  # fmt: skip
    assert Fact("Answers", "#4", 4) in facts
    assert move_facts(said(7)) == ()
    assert move_facts(called(3)) == ()


def test_the_calls_of_a_turn() -> None:
    request = Request(
        messages=(Message(role="system", content="S"), Message(role="user", content="U")), prompt_version="3", seed=5
    )
    usage = Usage(prompt_tokens=1240, cached_tokens=200, completion_tokens=70, seconds=2.8)
    first = ModelCall(role="participant", request=request, error="429", outcome="failed", model="m")
    second = ModelCall(role="participant", request=request, reply=Reply(text="No.", model="m", usage=usage), attempt=2)
    failed, used = tries_of([first, second])
    assert (failed.number, failed.outcome, failed.error, failed.reply) == (1, "failed", "429", "")
    assert "Tokens written" not in [fact.name for fact in failed.facts]  # no reply: missing, not zero
    figures = {fact.name: fact.value for fact in used.facts}
    assert figures["Tokens read anew"] == "1,040"  # 1,240 - 200
    assert (figures["Tokens from the cache"], figures["Tokens written"], figures["Seconds"]) == ("200", "70", "2.80")
    assert (figures["Attempt"], figures["Settings"]) == ("2", "temperature 0, at most 256 tokens, seed 5")
    assert (used.messages, used.reply, used.model) == ((("system", "S"), ("user", "U")), "No.", "m")


def test_which_calls_rest_on_a_turn() -> None:
    assert quoted_by(4, [opened(SPEC), called(8, 4, 5, 4), called(9, 5)], SPEC) == (
        Quoted(8, "○", "continue", "Talk, round 1", ("quote 4", "quote 4")),
    )


def test_what_a_turn_raises() -> None:
    rows = [UtteranceCoverage(seq=4, criteria=("b",), clusters=("B",), scores={"a": 0.6, "b": 0.5, "c": 0.1})]
    assert raised_by(4, rows, most=2) == (Raised("b", 0.5, True), Raised("a", 0.6, False))
    assert raised_by(5, rows) is None
