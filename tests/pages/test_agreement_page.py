"""The Agreement page in each state, through `app.py`, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from conference.domain.events import AgreementCall, Event, event_reader
from conference.library import RECORDINGS
from conference.live import LiveRuns
from pages.components.charts import label
from tests.pages.scenes import HOSTILE, held, hostile_events, kept
from tests.pages.test_pages import labels, opened, words


def recorded() -> list[Event]:
    """The shipped recording."""
    text = (RECORDINGS / "cannabis-regulation.jsonl").read_text(encoding="utf-8")
    return [event_reader.validate_json(line) for line in text.splitlines()]


def figures(test: AppTest) -> dict[str, dict[str, Any]]:
    """What each chart was given, by its key."""
    return {chart.proto.id.rpartition("-")[2]: json.loads(chart.proto.spec) for chart in test.get("plotly_chart")}


def texts(figure: dict[str, Any]) -> list[str]:
    """Everything a figure shows as text; Plotly would take markup in it for markup."""
    axes = [text for axis in ("xaxis", "yaxis") for text in figure["layout"][axis].get("ticktext") or []]
    notes = [note["text"] for note in figure["layout"].get("annotations", [])]
    traces = [text for trace in figure["data"] for key in ("text", "hovertext") for text in trace.get(key) or []]
    return [*axes, *notes, *traces]


def test_without_a_run(runs: LiveRuns) -> None:
    assert "No conference is open" in words(opened("agreement"))


def test_a_finished_conference_opens_at_its_last_call(runs: LiveRuns) -> None:
    events = recorded()
    page = opened("agreement", run=kept(runs.store, events))
    calls = [event for event in events if isinstance(event, AgreementCall)]
    box = page.selectbox(key="call")
    assert (len(box.options), box.value) == (len(calls), str(calls[-1].seq))
    assert "call" not in page.query_params, "the newest needs no name"
    assert [each.value for each in page.header] == [
        "Agreement calls", "Where each participant stood", "Who moved", "Ledger", "Airtime", "Who answers whom",
    ]  # fmt: skip
    found = figures(page)
    assert set(found) == {"calls_chart", "positions_chart", "airtime_chart", "network_chart"}
    marks = found["calls_chart"]["data"][-1]
    assert [each[0] for each in marks["customdata"]] == [str(call.seq) for call in calls]
    assert marks["marker"]["symbol"][-1] == "circle"
    assert set(marks["marker"]["symbol"][:-1]) == {"circle-open"}
    assert "everybody's own words accept the proposal".replace("'", "\\'") in words(page)


def test_the_address_opens_a_round_and_what_is_not_there_opens_the_last(runs: LiveRuns) -> None:
    run = kept(runs.store, recorded())
    page = opened("agreement", run=run, call="33")
    assert page.selectbox(key="call").value == "33"
    assert "**○ continue** · confidence .96" in words(page)
    page.selectbox(key="call").select("22").run()
    assert page.query_params["call"] in ("22", ["22"])
    assert opened("agreement", run=run, call="<b>").selectbox(key="call").value == "79"


def test_every_quote_leads_to_its_line(runs: LiveRuns) -> None:
    page = opened("agreement", run=kept(runs.store, recorded()), call="33", who="Tobias Wren")
    links = {link.proto.query_string for link in page.get("page_link") if link.proto.query_string.count("seq=")}
    assert {f"seq={seq}" for seq in (28, 29, 30, 31, 32)} <= {link.partition("&")[2] for link in links}


def test_who_moved_can_be_one_participant(runs: LiveRuns) -> None:
    page = opened("agreement", run=kept(runs.store, recorded()), who="Nadia Belhadj")
    moves = [str(each.value) for each in page.markdown if "→" in str(each.value)]
    assert len(moves) == 5
    assert all("Nadia Belhadj" in move for move in moves)
    assert "the order of things, not their cause" in words(page)


def test_the_ledger_is_there_as_a_table(runs: LiveRuns) -> None:
    page = opened("agreement", run=kept(runs.store, recorded()))
    ledger = next(each.value for each in page.dataframe if "polarity" in each.value)
    assert len(ledger) == 10 * 5
    assert ledger["seq"][0].startswith("transcript?run=")


def test_before_the_first_call_and_without_a_judge(runs: LiveRuns) -> None:
    begun = opened("agreement", run=kept(runs.store, held()[:5], "paused"))
    assert "every call appears here" in words(begun)
    assert [each.value for each in begun.header] == ["Airtime", "Who answers whom"]
    events = held()
    first = events[0].model_copy(update={"condition": "without_judge"})
    bare = opened("agreement", run=kept(runs.store, [first, *events[1:4]], "paused"))
    assert "without a judge" in words(bare)
    empty = opened("agreement", run=runs.store.create_run("Empty", status="paused"))
    assert "every call appears here" in words(empty)


def test_a_live_run_stands_still_and_says_what_is_new(runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    events = recorded()
    run = kept(runs.store, events[:30], "running")
    assert runs.store.acquire(run, "elsewhere/1/abc", 60)
    page = opened("agreement", run=run)
    assert "nothing new since this was drawn" in words(page)
    assert page.button(key="refresh").disabled


def test_hostile_text_is_text(runs: LiveRuns) -> None:
    page = opened("agreement", run=kept(runs.store, hostile_events()))
    for each in [*page.title, *page.markdown, *page.caption]:
        assert "<script>" not in str(each.value)
        assert "![" not in str(each.value)
        assert not getattr(each, "allow_html", False)
    shown = [text for figure in figures(page).values() for text in texts(figure)]
    allowed = ("<b>", "</b>", "<br>", "</span>", '<span style="color:#')
    for text in shown:
        for markup in allowed:
            text = text.replace(markup, "")
        assert "<" not in text, text
        assert "\u202e" not in text
    assert labels(page) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<a href='x'>b</a> & <b>", "&lt;a href='x'&gt;b&lt;/a&gt; &amp; &lt;b&gt;"),
        ("two\n\nlines", "two lines"),
        ("a\u202eb\x00c", "a b c"),
        ("w" * 40, "w" * 25 + "…"),
    ],
)
def test_a_label_is_no_markup(text: str, shown: str) -> None:
    assert label(text) == shown


def test_a_label_of_hostile_text_is_short() -> None:
    assert "<" not in label(HOSTILE, 1000)
