"""A human at the table, and what a facilitator does to a conference that runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from conference.domain.events import AgreementCall, Ballot, ConferenceClosed, Event, Intervention, Paused, StageClosed, Utterance
from conference.domain.human import Asked, HumanTurn
from conference.domain.spec import JudgeSpec, Spec, Stage
from conference.session import Session, run, run_plainly
from tests.conferences import Says, session_of, small_spec

ADA, BEN, CLEO = "Ada Voss", "Ben Ito", "Cleo Marsh"
ONE_STAGE = (Stage(name="Talk", max_rounds=2),)


def says_all() -> Says:
    return Says(otherwise=lambda request: "7")


async def held(session: Session, answer: Callable[[Asked], HumanTurn], runner: Any = run) -> list[Event]:
    """The whole log, a human answering whatever is asked."""
    task = asyncio.ensure_future(runner(session))
    while not task.done():
        await asyncio.sleep(0)
        if session.asked is not None:
            session.answer(session.asked.seq, answer(session.asked))
    await task
    return session.log.events()


def utterances(events: list[Event], speaker: str) -> list[Utterance]:
    return [event for event in events if isinstance(event, Utterance) and event.speaker == speaker]


def do(action: Any, **more: Any) -> Intervention:
    return Intervention(seq=0, at="", action=action, **more)


@pytest.mark.parametrize("runner", [run, run_plainly])
async def test_a_human_participant_is_waited_for_and_heard(runner: Any) -> None:
    session = session_of(small_spec(humans=("p0",), agenda=ONE_STAGE), says_all())
    asked: list[str] = []

    def answer(question: Asked) -> HumanTurn:
        asked.append(question.act)
        return HumanTurn(gradient=8) if question.act == "ballot" else HumanTurn(text="  I like\nboats. ")

    events = await held(session, answer, runner)
    mine = utterances(events, ADA)
    assert [(u.text, u.role, u.worded_by, u.move and u.move.kind) for u in mine] == [("I like boats.", "human", "", "state")]
    assert asked == ["turn", "ballot"]  # all ballots are 7 or 8, so the first round is agreed
    ballot = next(event for event in events if isinstance(event, Ballot) and event.participant == ADA)
    assert (ballot.gradient, ballot.model) == (8, "human")


async def test_a_humans_empty_ballot_is_unreadable_and_never_a_guess() -> None:
    session = session_of(small_spec(humans=("p0",), agenda=ONE_STAGE), says_all())
    events = await held(session, lambda asked: HumanTurn(text="" if asked.act == "ballot" else "Hm."))
    assert [event.judgement.verdict for event in events if isinstance(event, AgreementCall)] == ["unreadable", "unreadable"]


async def test_a_human_without_words_passes() -> None:
    session = session_of(small_spec(humans=("p1",), judge="none", agenda=(Stage(name="Talk", max_rounds=1),)), says_all())
    events = await held(session, lambda asked: HumanTurn(text=" "))
    (turn,) = utterances(events, BEN)
    assert (turn.text, turn.move and turn.move.kind) == ("", "pass")


async def test_a_humans_proposal_lies_on_the_table_and_its_condition_is_written_into_another() -> None:
    """The human proposes first (the others only talk), then names a condition on its own proposal: the moderator writes it in."""
    turns = iter(
        [HumanTurn(proposal="One boat an hour.", stance="support"), HumanTurn(condition="it runs on Sundays", text="If so.")]
    )
    agenda = (Stage(name="Talk", max_rounds=3),)
    session = session_of(small_spec(humans=("p0",), judge="none", moves="planned", agenda=agenda), says_all())
    events = await held(session, lambda asked: next(turns, HumanTurn(text="Yes.", stance="support")))
    first, second, _ = utterances(events, ADA)
    assert first.table is not None
    assert first.table.text == "One boat an hour."
    assert first.move is not None
    assert (first.move.kind, first.text) == ("propose", "One boat an hour.")
    assert second.move is not None
    assert (second.move.kind, second.move.condition) == ("concede", "it runs on Sundays")
    tables = [u.table.text for u in utterances(events, "Mo Chair") if u.table]
    assert tables[-1] == "One boat an hour. It is agreed that it runs on Sundays."


async def test_a_human_moderator_holds_the_whole_conference() -> None:
    session = session_of(small_spec(humans=("mo",), judge="none", agenda=(Stage(name="Talk", max_rounds=2),)), says_all())
    seen: list[Asked] = []

    def answer(asked: Asked) -> HumanTurn:
        seen.append(asked)
        return HumanTurn(
            text="" if asked.act == "close" else f"My {asked.act}.", proposal="Two boats." if asked.act == "frame" else ""
        )

    events = await held(session, answer)
    mine = utterances(events, "Mo Chair")
    assert [asked.act for asked in seen] == ["open", "frame", "close"]
    assert [u.text for u in mine[:2]] == ["My open.", "My frame."]
    assert mine[2].text == seen[2].suggestion != ""  # without words of its own the suggestion is read out
    assert mine[1].table is not None
    assert mine[1].table.text == "Two boats."
    assert isinstance(events[-1], ConferenceClosed)


async def test_a_pause_while_a_human_is_waited_for_takes_hold_at_once_and_the_turn_is_asked_for_again() -> None:
    session = session_of(small_spec(humans=("p0", "p1", "p2"), judge="none"), says_all())
    task = asyncio.ensure_future(run(session))
    while session.asked is None:
        await asyncio.sleep(0)
    waited_for = session.asked.seat
    session.pause()
    await task
    assert isinstance(session.log.events()[-1], Paused)
    session.resume()
    task = asyncio.ensure_future(run(session))
    while session.asked is None:
        await asyncio.sleep(0)
    assert session.asked.seat == waited_for
    session.abandon()
    await task


async def test_an_answer_that_comes_too_late_is_refused() -> None:
    session = session_of(small_spec(humans=("p0", "p1", "p2"), judge="none"), says_all())
    task = asyncio.ensure_future(run(session))
    while session.asked is None:
        await asyncio.sleep(0)
    seq = session.asked.seq
    assert session.answer(seq, HumanTurn(text="Mine."))
    assert not session.answer(seq, HumanTurn(text="Mine too."))
    while session.asked is None or session.asked.seq == seq:
        await asyncio.sleep(0)
    assert not session.answer(seq, HumanTurn(text="Late."))
    session.abandon()
    await task
    assert [u.text for u in session.log.events() if isinstance(u, Utterance) and u.role == "human"] == ["Mine."]


async def test_what_a_facilitator_says_while_a_human_is_waited_for_is_on_the_log_first() -> None:
    session = session_of(small_spec(humans=("p0", "p1", "p2"), judge="none"), says_all())
    task = asyncio.ensure_future(run(session))
    while session.asked is None:
        await asyncio.sleep(0)
    session.intervene(do("say", text="Mind the clock."))
    before = session.asked.seq
    while session.asked is None or session.asked.seq == before:
        await asyncio.sleep(0)
    assert session.log.events()[before] == do("say", text="Mind the clock.").model_copy(update={"seq": before})
    session.abandon()
    await task


def test_a_human_seat_is_at_the_table() -> None:
    with pytest.raises(ValueError, match="humans names 'p7', who isn't at the table"):
        small_spec(humans=("p7",))


async def test_who_is_asked_answers_next_and_has_its_turn_in_the_round_all_the_same() -> None:
    """Three participants, one round: asked before it spoke, that is its turn; asked after, it is one more."""
    session = session_of(small_spec(judge="none", agenda=(Stage(name="Talk", max_rounds=1),)), says_all())
    while not session.floor.order:
        await session.act_once()
    first, second, third = (next(p.name for p in session.floor.spec.participants if p.id == seat) for seat in session.floor.order)
    session.intervene(do("ask", to=third, text="What of the seals?"))
    await session.act_once()
    session.intervene(do("ask", to=third, text="And the boats?"))
    await run_plainly(session)
    spoke = [u.speaker for u in session.log.events() if isinstance(u, Utterance) and u.role == "participant"]
    assert spoke == [third, third, first, second]


async def test_asked_between_two_stages_it_answers_in_the_next() -> None:
    stages = tuple(Stage(name=name, max_rounds=1) for name in ("One", "Two"))
    session = session_of(small_spec(judge="none", agenda=stages), says_all())
    while not session.floor.outcomes:
        await session.act_once()
    session.intervene(do("ask", to=CLEO, text="Well?"))
    session.intervene(do("say", text="Short, please."))
    await run_plainly(session)
    second = [u for u in session.log.events() if isinstance(u, Utterance) and u.stage == 1]
    assert [u.role for u in second[:2]] == ["moderator", "participant"]
    assert second[1].speaker == CLEO
    assert len([u for u in second if u.speaker == CLEO]) == 1


@pytest.mark.parametrize(("step", "utterances_made"), [("turn", 1), ("round", 4)])
async def test_a_step_pauses_after_a_turn_or_a_round(step: Any, utterances_made: int) -> None:
    """Three participants and a ballot judge: a round is the opening, three turns and the call."""
    session = session_of(small_spec(), Says(otherwise=lambda request: "1"))
    session.step = step
    await run(session)
    events = session.log.events()
    assert len([e for e in events if isinstance(e, Utterance)]) == utterances_made
    assert isinstance(events[-1], Paused)
    assert events[-1].because == "step"
    assert isinstance(events[-2], AgreementCall if step == "round" else Utterance)
    session.step = step
    session.resume()
    await run(session)
    assert len([e for e in session.log.events() if isinstance(e, Utterance)]) == 2 * utterances_made  # frame and three turns


async def test_a_step_of_a_round_without_a_judge_ends_with_its_last_turn() -> None:
    session = session_of(small_spec(judge="none"), says_all())
    session.step = "round"
    await run(session)
    assert len([e for e in session.log.events() if isinstance(e, Utterance)]) == 4


@pytest.mark.parametrize("acts", range(12))
async def test_stop_closes_stage_and_conference_wherever_it_comes(acts: int) -> None:
    stages = tuple(Stage(name=name, max_rounds=1) for name in ("One", "Two", "Three"))
    session = session_of(small_spec(judge="none", evaluator="llm", agenda=stages), says_all())
    for _ in range(acts):
        await session.act_once()
    session.intervene(do("stop"))
    await run_plainly(session)
    closed = session.log.events()[-1]
    assert isinstance(closed, ConferenceClosed)
    assert len(closed.stages) == len([e for e in session.log.events() if isinstance(e, StageClosed)]) < 3


async def test_the_judge_is_changed_from_the_next_call_on() -> None:
    session = session_of(small_spec(agenda=(Stage(name="Talk", max_rounds=3),)), Says(otherwise=lambda request: "6"))
    session.intervene(do("change_judge", judge=JudgeSpec(kind="ballot", threshold=7)))
    await run(session)
    calls = [e.judgement for e in session.log.events() if isinstance(e, AgreementCall)]
    assert [call.verdict for call in calls] == ["continue"] * 3  # 6 is enough by default, not for 7


async def test_a_judge_may_be_called_in_and_sent_away() -> None:
    agenda = (Stage(name="Talk", max_rounds=3),)
    session = session_of(small_spec(judge="none", agenda=agenda), Says(otherwise=lambda request: "1"))
    session.step = "round"
    await run(session)
    session.intervene(do("change_judge", judge=JudgeSpec(kind="ballot")))
    session.resume()
    session.step = "round"
    await run(session)
    session.intervene(do("change_judge", judge=None))
    session.resume()
    await run(session)
    assert [e.round for e in session.log.events() if isinstance(e, AgreementCall)] == [1]
    assert session.floor.closed


def test_a_spec_with_humans_can_be_written_and_read(tmp_path: Any) -> None:
    spec = small_spec(humans=("p0",))
    assert Spec.model_validate(spec.model_dump(mode="json")) == spec
