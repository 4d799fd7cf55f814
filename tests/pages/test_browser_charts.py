"""Agreement and Coverage in a real browser: a click opens a cell, a quote leads to its line, nobody is shut out, nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from conference.store import Store
from tests.pages.scenes import hostile_events, kept
from tests.pages.served import Served
from tests.pages.tab import Visit, sideways, violations
from tests.pages.test_agreement_page import recorded

pytestmark = pytest.mark.browser
SLOW = 20_000
"""Milliseconds: a browser that was never here reads Plotly first."""


def test_a_click_on_a_mark_and_on_a_cell_opens_its_round(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    page = visit(f"{served.url}/agreement?run={run}").page
    box = page.get_by_role("combobox", name="Round shown here")
    expect(box).to_have_value(re.compile("Way forward, round 4"), timeout=SLOW)
    page.locator(".st-key-calls_chart .point").nth(3).click(force=True)
    expect(box).to_have_value(re.compile("Options, round 1"), timeout=SLOW)
    page.wait_for_url("**call=33*")
    page.locator(".st-key-positions_chart .point").nth(10).click(force=True)
    expect(box).to_have_value(re.compile("Concerns, round 3"), timeout=SLOW)
    page.wait_for_url("**call=22*")
    assert violations(page) == []
    page.locator(".st-key-held-0").get_by_role("link", name="line 17").press("Enter")
    page.wait_for_url("**/transcript?*seq=17*")


def test_a_click_on_a_cell_opens_its_quotes(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded()[:16], "paused")
    page = visit(f"{served.url}/coverage?run={run}").page
    page.locator(".st-key-stages_chart .point").first.wait_for(
        state="attached", timeout=8 * SLOW
    )  # the embedding model is loaded
    page.locator(".st-key-stages_chart .point").nth(1).click(force=True)
    expect(page.get_by_role("combobox", name="Cluster or criterion")).to_have_value("Social", timeout=SLOW)
    expect(page.locator(".st-key-stages_chart[data-stale=false]")).to_contain_text("Promotes family cohesion", timeout=SLOW)
    page.wait_for_url("**about=Social**")
    expect(page.get_by_role("heading", name="Beyond the reference")).to_be_visible()
    assert violations(page) == []


def test_hostile_text_stays_text_in_figures(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, hostile_events())
    asked: list[str] = []
    for width in (1280, 390):
        page = visit("about:blank", width).page
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{served.url}/agreement?run={run}")
        expect(page.locator(".st-key-positions_chart")).to_contain_text("<img src=", timeout=SLOW)
        expect(page.locator(".st-key-airtime_chart .main-svg").first).to_be_attached(timeout=SLOW)
        assert page.locator(".js-plotly-plot a, .js-plotly-plot img").count() == 0
        assert page.evaluate("window.hit") is None
        assert sideways(page) <= 0
    assert [url for url in asked if not url.startswith((served.url, "data:", "blob:"))] == []


def test_a_live_run_is_not_redrawn_until_asked_for(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    events = recorded()
    run = kept(store, events[:16], "running")
    assert store.acquire(run, "elsewhere/1/abc", 300)
    page = visit(f"{served.url}/agreement?run={run}").page
    marks = page.locator(".st-key-calls_chart[data-stale=false] .point")
    expect(marks).to_have_count(2, timeout=SLOW)
    expect(page.get_by_text("nothing new since this was drawn")).to_be_visible()
    log = store.log(run)
    for event in events[16:24]:
        log.append(event)
    expect(page.get_by_text("6 new turns, 1 new call since this was drawn")).to_be_visible(timeout=SLOW)
    expect(marks).to_have_count(2)
    page.get_by_role("button", name="Refresh").click()
    expect(marks).to_have_count(3, timeout=SLOW)
    store.release(run, "elsewhere/1/abc")
    store.set_status(run, "paused")
