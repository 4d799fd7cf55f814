"""What a facilitator does in the room, through `app.py`: steps, words, questions, a stop, another judge; and a human at the table."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from conference.domain.events import AgreementCall, ConferenceClosed, Event, Intervention, Paused, Utterance
from conference.domain.spec import Spec, Stage
from conference.live import LiveRuns
from tests.conferences import small_spec
from tests.pages.scenes import HOSTILE, held, kept
from tests.pages.test_pages import opened, until, words

SPEC = small_spec(3, agenda=(Stage(name="Talk", max_rounds=2),))


@pytest.fixture
def waiting(runs: LiveRuns) -> str:
    """A paused run in its first round: opened, its stage opened, the opening, one turn."""
    return kept(runs.store, held(SPEC)[:4], "paused")


def log(runs: LiveRuns, run: str) -> list[Event]:
    return runs.store.log(run).events()


def click(room: AppTest, label: str) -> AppTest:
    return next(button for button in room.button if button.label == label).click().run()


def test_one_turn_then_it_waits_again(runs: LiveRuns, waiting: str) -> None:
    click(opened("room", run=waiting), "One turn")
    until(lambda: runs.state(waiting) == "paused" and isinstance(log(runs, waiting)[-1], Paused))
    assert [event.kind for event in log(runs, waiting)[4:]] == ["utterance", "paused"]
    assert "after one step" in str(runs.watch.look(waiting).view.paused)  # type: ignore[union-attr]


def test_one_round_ends_with_its_call(runs: LiveRuns, waiting: str) -> None:
    click(opened("room", run=waiting), "One round")
    until(lambda: isinstance(log(runs, waiting)[-1], Paused))
    assert isinstance(log(runs, waiting)[-2], AgreementCall)


def test_said_asked_and_extended_while_it_waits(runs: LiveRuns, waiting: str) -> None:
    room = opened("room", run=waiting)
    room.text_input[0].set_value(HOSTILE)
    click(room, "Say it")
    room = opened("room", run=waiting)
    room.text_input[0].set_value("What of the seals?")
    room.selectbox[0].set_value("Cleo Marsh")
    click(room, "Say it")
    click(opened("room", run=waiting), "One more round")
    found = [event for event in log(runs, waiting) if isinstance(event, Intervention)]
    assert [(e.action, e.text, e.to) for e in found] == [
        ("say", HOSTILE, ""),
        ("ask", "What of the seals?", "Cleo Marsh"),
        ("extend_stage", "", ""),
    ]
    room = opened("room", run=waiting)
    click(room, "One turn")
    until(lambda: isinstance(log(runs, waiting)[-1], Paused))
    said = [event for event in log(runs, waiting) if isinstance(event, Utterance)]
    assert said[-1].speaker == "Cleo Marsh"


def test_nothing_said_is_no_intervention(runs: LiveRuns, waiting: str) -> None:
    room = opened("room", run=waiting)
    room.text_input[0].set_value("   ")
    click(room, "Say it")
    assert len(log(runs, waiting)) == 4


def test_stopped_it_is_summed_up_and_over(runs: LiveRuns, waiting: str) -> None:
    click(opened("room", run=waiting), "Stop the conference")
    until(lambda: runs.state(waiting) == "finished")
    assert isinstance(log(runs, waiting)[-1], ConferenceClosed)
    assert [s.because for s in log(runs, waiting)[-1].stages] == ["facilitator"]  # type: ignore[union-attr]


@pytest.mark.parametrize(("given", "kept_as"), [("", None), ("7", 7.0)])
def test_another_judge(runs: LiveRuns, waiting: str, given: str, kept_as: float | None) -> None:
    room = opened("room", run=waiting)
    room.radio[0].set_value("ballot")
    next(each for each in room.text_input if each.label.startswith("Threshold")).set_value(given)
    next(button for button in room.button if button.label == "Change the judge").click().run()
    (change,) = [event for event in log(runs, waiting) if isinstance(event, Intervention)]
    assert change.judge is not None
    assert (change.judge.kind, change.judge.threshold) == ("ballot", kept_as)


@pytest.mark.parametrize("given", ["nine", "9", "nan"])
def test_a_threshold_that_cant_be(runs: LiveRuns, waiting: str, given: str) -> None:
    room = opened("room", run=waiting)
    room.radio[0].set_value("ballot")
    next(each for each in room.text_input if each.label.startswith("Threshold")).set_value(given)
    room = next(button for button in room.button if button.label == "Change the judge").click().run()
    assert f"The threshold is '{given}'; the judge takes a number from 1 to 8." in room.error[0].value
    assert len(log(runs, waiting)) == 4


def test_a_human_participant_takes_every_turn_of_a_conference(runs: LiveRuns) -> None:
    spec = Spec.model_validate({**SPEC.model_dump(mode="json"), "humans": ["p1"]})
    run = runs.start(spec)
    turns = 0
    while runs.state(run) != "finished":
        until(lambda: runs.asked(run) is not None or runs.state(run) == "finished")
        asked = runs.asked(run)
        if asked is None:
            continue
        room = opened("room", run=run)
        assert any("Ben Ito" in each.value for each in room.subheader)
        if asked.act == "ballot":
            room.select_slider[0].set_value(8)
            click(room, "Cast the ballot")
        else:
            turns += 1
            room.text_area[0].set_value(f"Boats, I say: {turns}.")
            room = next(b for b in room.button if b.label == "Say it" and "human" in str(b.form_id)).click().run()
        until(lambda seq=asked.seq: runs.asked(run) is None or runs.asked(run).seq != seq)  # type: ignore[misc, union-attr]
    mine = [event.text for event in log(runs, run) if isinstance(event, Utterance) and event.speaker == "Ben Ito"]
    assert mine == [f"Boats, I say: {number}." for number in range(1, turns + 1)]
    assert turns >= 1


def test_a_turn_that_was_taken_elsewhere_says_so(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runs.start(Spec.model_validate({**SPEC.model_dump(mode="json"), "humans": ["p0", "p1", "p2"]}))
    until(lambda: runs.asked(run) is not None)
    room = opened("room", run=run)
    monkeypatch.setattr(runs, "answer", lambda *given: False)
    room.text_area[0].set_value("Mine.")
    room = next(b for b in room.button if b.label == "Say it" and "human" in str(b.form_id)).click().run()
    assert "This turn was taken already" in "\n".join(each.value for each in room.warning)
    assert words(room)


def test_a_fork_stands_beside_its_parent(runs: LiveRuns) -> None:
    events = held(SPEC)
    run = kept(runs.store, events)
    at = next(event.seq for event in events if isinstance(event, Utterance) and event.by_participant)
    fork = runs.fork(run, at, SPEC.model_copy(update={"seed": 5}), HOSTILE)
    runs.resume(fork)
    until(lambda: runs.state(fork) == "finished")
    page = opened("forked", run=fork)
    assert f"Both share everything up to event {at}." in words(page)
    assert "Changed in the fork: `seed`." in words(page)
    assert "<script>" not in words(page)
    assert "is no fork" in words(opened("forked", run=run))


def test_a_fork_is_listed_with_its_parent(runs: LiveRuns) -> None:
    run = kept(runs.store, held(SPEC))
    fork = runs.fork(run, 3, SPEC)
    home = opened()
    assert f"forked from {run}".replace("-", "\\-") in words(home)
    assert runs.recent(5)[0].summary.run == fork
    assert runs.recent(5)[0].summary.utterances == 2


def test_a_run_is_forked_on_set_up(runs: LiveRuns) -> None:
    events = held(SPEC)
    run = kept(runs.store, events)
    at = next(event.seq for event in events if isinstance(event, Utterance) and event.by_participant)
    page = opened("set_up", fork=run, at=str(at))
    assert f"everything up to event {at} stays as it was" in words(page)
    page.text_input(key="fork_line").set_value("Let us begin again.")
    page.button(key="start").click().run()
    until(lambda: runs.recent(1)[0].summary.parent == run)
    fork = runs.recent(1)[0].summary.run
    until(lambda: runs.state(fork) == "finished")
    after = log(runs, fork)
    assert after[: at + 1] == log(runs, run)[: at + 1]
    assert [e.action for e in after if isinstance(e, Intervention)] == ["fork", "say"]


@pytest.mark.parametrize(("at", "said"), [("x", "the turn to fork at is 'x'"), ("999", "has no event 999")])
def test_a_turn_that_isnt_there_cant_be_forked_at(runs: LiveRuns, at: str, said: str) -> None:
    page = opened("set_up", fork=kept(runs.store, held(SPEC)), at=at)
    assert said in "\n".join(each.value for each in page.warning).replace("\\", "")
