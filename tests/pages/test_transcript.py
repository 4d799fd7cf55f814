"""The Transcript page without a browser: what it draws, what a link says, what a filter does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from conference.domain.events import event_reader
from conference.library import ROOT
from conference.live import LiveRuns
from conference.store import Store
from pages.components.shared import plain
from tests.conferences import person, shipped, small_spec
from tests.pages.scenes import HOSTILE, held, hostile_events, kept
from tests.store_workers import model_call

RECORDING = ROOT / "data" / "recordings" / "cannabis-regulation.jsonl"


@pytest.fixture
def recorded(runs: LiveRuns) -> str:
    """The shipped recording, as a run: 84 events, 63 utterances, 10 calls."""
    return kept(runs.store, [event_reader.validate_json(line) for line in RECORDING.read_text().splitlines()])


def transcript(**query: Any) -> AppTest:
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for key, value in query.items():
        test.query_params[key] = value
    test.switch_page("pages/transcript.py").run()
    assert not test.exception, test.exception
    return test


def lines(test: AppTest) -> list[dict[str, Any]]:
    return list(sent(test)["lines"])


def sent(test: AppTest) -> dict[str, Any]:
    found = [json.loads(each.proto.json) for each in test.get("bidi_component") if each.proto.component_name == "plenary_minutes"]
    assert len(found) == 1
    return dict(found[0])


def caption(test: AppTest) -> str:
    return next(str(each.value) for each in test.caption if "page" in str(each.value))


def address(test: AppTest) -> dict[str, list[str]]:
    found = {name: values if isinstance(values, list) else [values] for name, values in test.query_params.items()}
    return {name: values for name, values in found.items() if name != "run"}


def test_without_a_run_and_before_the_first_event(runs: LiveRuns) -> None:
    assert "None is open" in transcript().markdown[0].value
    empty = runs.store.create_run("Empty", status="paused")
    assert "about to begin" in transcript(run=empty).info[0].value
    assert "unknown run" in transcript(run="nobody").error[0].value


def test_fifty_events_a_page_and_the_log_is_never_read_whole(
    runs: LiveRuns, recorded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs.watch, "look", lambda run: pytest.fail("the whole log was read"))
    first = transcript(run=recorded)
    assert [line["seq"] for line in lines(first)] == list(range(50))
    assert caption(first) == "84 events · page 1 of 2"
    assert address(first) == {}
    second = transcript(run=recorded, page="2")
    assert [line["seq"] for line in lines(second)] == list(range(50, 84))
    assert address(second) == {"page": ["2"]}
    assert caption(transcript(run=recorded, page="99")) == "84 events · page 2 of 2"
    assert caption(transcript(run=recorded, page="x")) == "84 events · page 1 of 2"


def test_a_link_to_a_turn_opens_its_page(runs: LiveRuns, recorded: str) -> None:
    linked = transcript(run=recorded, seq="60")
    assert sent(linked)["shown"] == 60
    assert 60 in [line["seq"] for line in lines(linked)]
    assert address(linked) == {"seq": ["60"]}
    filtered = transcript(run=recorded, seq="60", who="Nadia Belhadj")
    assert sent(filtered)["shown"] == 60
    lost = transcript(run=recorded, seq="60", who="Anna Verhoeven")
    assert "Line 60 doesn't meet these conditions" in lost.warning[0].value
    assert sent(lost)["shown"] is None
    assert "There is no line 999" in transcript(run=recorded, seq="999").warning[0].value


def test_filters_come_from_the_address_and_go_into_it(runs: LiveRuns, recorded: str) -> None:
    page = transcript(run=recorded, who="Nadia Belhadj", stage="2", kind=["utterance", "ballot"], call="agreement")
    assert {line["person"]["name"] for line in lines(page)} == {"Nadia Belhadj"}
    assert [line["where"] for line in lines(page)] == ["Way forward, round 4"]
    page.multiselect(key="t_call").set_value([]).run()
    assert [line["where"] for line in lines(page)] == [f"Way forward, round {number}" for number in (1, 2, 3, 4)]
    assert address(page) == {"who": ["Nadia Belhadj"], "stage": ["2"], "kind": ["utterance"]}  # no ballots here to choose
    page.button(key="t_clear").click().run()
    assert (caption(page), address(page)) == ("84 events · page 1 of 2", {})


def test_searching_marks_what_was_found(runs: LiveRuns, recorded: str) -> None:
    page = transcript(run=recorded, page="2")
    page.text_input(key="t_q").set_value("PSYCHOSIS").run()
    assert caption(page) == "2 of 84 events · page 1 of 1"
    assert [piece["text"] for line in lines(page) for piece in line["text"] if piece["hit"]] == ["psychosis", "psychosis"]
    assert address(page) == {"q": ["PSYCHOSIS"]}
    page.text_input(key="t_q").set_value("zzz").run()
    assert "No event meets all these conditions" in page.info[0].value
    assert lines(page) == []


def test_calls_are_cards_with_their_words(runs: LiveRuns, recorded: str) -> None:
    cards = [line for line in lines(transcript(run=recorded, kind="agreement_call")) if line["call"]]
    assert len(cards) == 10
    assert {(card["call"]["mark"], card["call"]["verdict_text"]) for card in cards} == {("●", "agreement"), ("○", "continue")}
    assert all(quote["seq"] < card["seq"] for card in cards for one in card["call"]["held"] for quote in one["quotes"])


def test_criteria_are_found_by_what_was_read(runs: LiveRuns, recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from conference.domain.coverage import UtteranceCoverage
    from conference.following import Followed
    from conference.library import load_reference

    name = load_reference("rogeberg2018_drug_policy").criteria[0].name
    rows = tuple(UtteranceCoverage(seq=seq, criteria=(name,) if seq in (3, 7) else ()) for seq in range(2, 60))
    monkeypatch.setattr(runs.coverage, "latest", lambda *given: Followed(rows=rows, current=True))
    page = transcript(run=recorded, criterion=name)
    assert [line["seq"] for line in lines(page)] == [3, 7]
    assert address(page) == {"criterion": [name]}


def test_while_it_runs_new_lines_are_offered(runs: LiveRuns) -> None:
    events = held(shipped("office-move"))
    run = kept(runs.store, events[:20], "running")
    assert runs.store.acquire(run, "elsewhere/1/abc", 60)
    page = transcript(run=run)
    assert caption(page) == "20 events · page 1 of 1"
    assert "show_new" not in [button.key for button in page.button]


def test_hostile_text_is_data_only(runs: LiveRuns) -> None:
    run = kept(runs.store, hostile_events())
    page = transcript(run=run, q="window.hit")
    assert page.title[0].value == plain(HOSTILE, 160)
    for each in [*page.markdown, *page.caption, *page.error, *page.info]:
        assert "<script>" not in str(each.value)
        assert not getattr(each, "allow_html", False)
    said = ["".join(piece["text"] for piece in line["text"]) for line in lines(page)]
    assert HOSTILE in said


def turn_of(store: Store, run: str, seq: int) -> AppTest:
    """The dialog of one event, alone: clicks within a component can't be made without a browser."""

    def script(run: str, seq: int) -> None:
        from conference.store import Wanted
        from pages.components.shared import live_runs
        from pages.components.turn import show_turn

        runs = live_runs()
        event = next(runs.store.matching(run, Wanted(seqs=frozenset({seq}))))
        show_turn(runs, run, event, runs.store.log(run).first().spec)

    test = AppTest.from_function(script, kwargs={"run": run, "seq": seq}, default_timeout=30)
    test.run()
    return test


def test_a_turn_opens_to_its_prompt_and_its_evidence(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.components.turn.fork_link", lambda run, seq: None)  # links need the app around them
    monkeypatch.setattr("pages.components.turn.turn_link", lambda run, seq, label: None)
    events = hostile_events()
    run = runs.store.create_run("Ferry", status="paused")
    log = runs.store.log(run)
    for event in events:
        if event.seq == 3:
            log.record(model_call(HOSTILE, outcome="rejected"))
            log.record(model_call(HOSTILE))
        log.append(event)
    test = turn_of(runs.store, run, 3)
    assert not test.exception, test.exception
    assert [expander.label.replace("\\", "").replace("\u2060", "") for expander in test.expander] == [
        "Call 1 of 2: rejected, m", "Call 2 of 2: used, m",
    ]  # fmt: skip
    assert HOSTILE in [code.value for code in test.code]
    words = "\n".join(str(each.value) for each in [*test.markdown, *test.subheader])
    assert "1 agreement call rests on it" in words
    assert "<script>" not in words


def test_a_fork_shows_everybody_in_the_rooms_colours(runs: LiveRuns) -> None:
    """Found: who left the table with the fork was grey, and the newcomer had the colour of who sat there before."""
    spec = small_spec(3)
    events = held(spec)
    run = kept(runs.store, events)
    at = [event.seq for event in events if event.kind == "utterance" and event.by_participant][2]
    left = spec.participants[0].name
    fork = runs.fork(run, at, spec.model_copy(update={"participants": (*spec.participants[1:], person(5))}))
    shown = {line["person"]["name"]: line["person"]["colour"] for line in lines(transcript(run=fork)) if line["person"]}
    room = runs.watch.look(fork)
    assert room is not None
    assert left in shown
    assert shown == {each.name: each.colour for each in room.view.people if each.name in shown}
