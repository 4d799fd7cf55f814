"""Agreement and Coverage in a real browser: a click opens a cell, a quote leads to its line, nobody is shut out, nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from conference.store import Store
from tests.pages.scenes import hostile_events, kept
from tests.pages.served import Served
from tests.pages.tab import Visit, sideways, violations
from tests.pages.test_agreement_page import recorded

pytestmark = pytest.mark.browser


def test_a_click_on_a_mark_and_on_a_cell_opens_its_round(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    page = visit(f"{served.url}/agreement?run={run}").page
    box = page.locator(".st-key-call")
    expect(box).to_contain_text("Way forward, round 4")
    page.locator(".st-key-calls_chart .point").nth(3).click(force=True)
    expect(box).to_contain_text("Options, round 1")
    page.wait_for_url("**call=33*")
    page.locator(".st-key-positions_chart .point").nth(2).click(force=True)
    expect(box).to_contain_text("Concerns, round 3")
    page.wait_for_url("**call=22*")
    assert violations(page) == []
    page.locator(".st-key-held-0").get_by_role("link", name="line 17").press("Enter")
    page.wait_for_url("**/transcript?*seq=17*")


def test_a_click_on_a_cell_opens_its_quotes(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    page = visit(f"{served.url}/coverage?run={run}").page
    page.set_default_timeout(120_000)  # the embedding model is loaded first
    page.locator(".st-key-stages_chart .point").first.wait_for(state="attached")
    page.set_default_timeout(15_000)
    page.locator(".st-key-stages_chart .point").nth(1).click(force=True)
    expect(page.locator(".st-key-about")).to_contain_text("Social")
    expect(page.locator(".st-key-stages_chart")).to_contain_text("Promotes family cohesion")
    page.wait_for_url("**about=Social**")
    expect(page.get_by_text("Beyond the reference")).to_be_visible()
    assert violations(page) == []


def test_hostile_text_stays_text_in_figures(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, hostile_events())
    asked: list[str] = []
    for width in (1280, 390):
        page = visit("about:blank", width).page
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{served.url}/agreement?run={run}")
        expect(page.locator(".st-key-positions_chart")).to_contain_text("<img src=")
        expect(page.locator(".st-key-airtime_chart .main-svg").first).to_be_attached()
        assert page.locator(".js-plotly-plot a, .js-plotly-plot img").count() == 0
        assert page.evaluate("window.hit") is None
        assert sideways(page) <= 0
    assert [url for url in asked if not url.startswith((served.url, "data:", "blob:"))] == []
