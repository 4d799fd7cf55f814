"""The dashboard end to end: the real server, a real browser, a model that answers over HTTP word by word."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from conference.store import Store
from tests.conferences import shipped
from tests.models.fault_server import Answer, FaultServer, said
from tests.pages.scenes import held, hostile_events, kept
from tests.pages.served import Served
from tests.pages.tab import Visit, seen, sideways, violations

pytestmark = pytest.mark.browser
SPOKEN = '<img src=x onerror="window.hit=1"> I can live with that, if the desks are <b>ours</b> and the helpline keeps its own quiet room.'
WIDTHS = (1280, 768, 390)
# two looks at one turn, the later longer (found: a turn first seen near its end is never outgrown by those after it)
GROWN = """() => {
    const room = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.row.speaking .words'))
    const now = room?.shadowRoot.querySelector('.row.speaking .words').textContent ?? '', before = window.spoken ?? ''
    window.spoken = now
    return before !== '' && now.length > before.length && now.startsWith(before)
}"""


def answer(body: dict[str, Any]) -> Answer:
    """Hostile words, slowly; and a verdict where one is asked for."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if schema is None:
        return said(SPOKEN, pace=0.06)
    names = schema["properties"]["positions"]["properties"]
    verdict = {
        "proposal": "the smaller office", "positions": dict.fromkeys(names, "support"), "conditions": [], "open_points": [],
        "evidence": [{"turn": 2, "quote": "I can live with that"}], "reason": SPOKEN, "verdict": "agreement", "confidence": 0.8,
    }  # fmt: skip
    return said(json.dumps(verdict))


@pytest.fixture(scope="module")
def model() -> Iterator[FaultServer]:
    with FaultServer() as server:
        server.otherwise = answer
        yield server


def start_on_home(page: Page, model_name: str) -> str:
    """From Home into the room of a conference that begins; the run's id."""
    expect(page.get_by_text("Recent runs")).to_be_visible()
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.get_by_text("Start another conference").click()
    page.wait_for_timeout(600)  # while the box unfolds, a list that opens is closed again
    page.get_by_role("combobox", name="Conference").click()
    page.get_by_role("option", name="Office move").click()
    box = page.get_by_role("combobox", name="Model")
    box.click()
    box.fill(model_name)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/room?run=*")
    return page.url.partition("run=")[2]


def test_a_conference_is_watched_from_home_to_its_pause_and_taken_up_after_a_kill(
    home: Path, model: FaultServer, visit: Callable[..., Visit], browser: Browser
) -> None:
    with Served(home) as first:
        page = visit(first.url).page
        run = start_on_home(page, f"compatible:m@{model.url}")
        expect(page.locator(".row.speaking .words")).to_contain_text("I can live")
        page.wait_for_function(GROWN)
        expect(page.locator(".where")).to_contain_text("Stage 1 of 3 · Concerns · round 1")
        expect(page.locator(".now")).to_contain_text("is speaking")
        expect(page.locator(".row.said:not(.speaking)").nth(1)).to_be_visible()
        assert page.locator(".row.said img, .row.said b").count() == 0
        assert page.evaluate("window.hit") is None

        said_before = seen(page)
        page.reload()
        expect(page.locator(".row.said:not(.speaking)").nth(1)).to_be_visible()
        assert seen(page)[: len(said_before)] == said_before

        other = visit(f"{first.url}/room?run={run}").page
        expect(other.locator(".row.said:not(.speaking)").nth(2)).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        expect(other.locator(".state")).to_contain_text("Paused")
        expect(other.get_by_role("button", name="Resume")).to_be_visible()
        at_pause = seen(other)
        other.get_by_role("button", name="Resume").click()
        expect(page.locator(".state")).to_contain_text("Live")
        for tab in (page, other):
            tab.context.close()
        first.stop(signal.SIGKILL)

    with Served(home) as second:
        page = visit(second.url).page
        expect(page.locator(f".st-key-run-{run}")).to_contain_text("Broke off")
        page.locator(f".st-key-resume-{run} button").click()
        page.wait_for_url("**/room?run=*")
        expect(page.locator(".state")).to_contain_text("Live")
        expect(page.locator(".row.said:not(.speaking)").nth(len(at_pause))).to_be_visible()
        assert seen(page)[: len(at_pause)] == at_pause
        second.stop()  # what runs is paused
    with Store.open(f"sqlite:///{home / 'plenary.db'}") as store:
        assert (store.run(run).status, store.run(run).owner) == ("paused", None)


def test_hostile_text_is_text_and_nothing_runs_sideways(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, hostile_events())
    asked: list[str] = []
    for width in WIDTHS:
        page = visit("about:blank", width).page
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{served.url}/room?run={run}")
        if width == WIDTHS[0]:  # found: a link straight to a page, before anybody saw Home, ran the page's file without app.py
            expect(page.get_by_role("link", name="Home", exact=True)).to_be_visible()
        expect(page.locator(".card")).to_contain_text("confidence 0.74")
        page.locator(".card summary").click()
        expect(page.locator(".room")).to_contain_text('<img src=x onerror="window.hit=1"><script>window.hit=1</script> **bold**')
        expect(page.get_by_role("heading", level=1)).to_contain_text("<script>window.hit=1</script> **bold** [a](javascript:")
        inside = page.locator(".room img, .room script, .room a, h1 a, h1 img, h1 strong, h1 code, h1 .katex")
        assert inside.count() == 0
        assert page.evaluate("window.hit") is None
        assert sideways(page) <= 0
        page.goto(served.url)
        expect(page.locator(f".st-key-run-{run}")).to_contain_text("<script>window.hit=1</script>")
        assert sideways(page) <= 0
    assert [url for url in asked if not url.startswith((served.url, "data:", "blob:"))] == []


def test_no_page_shuts_anybody_out(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run, paused = kept(store, held()), kept(store, held()[:9], "paused")
    page = visit(served.url).page
    expect(page.get_by_text("Recent runs")).to_be_visible()
    found = {"home": violations(page)}
    for name, address in {"finished": f"room?run={run}", "paused": f"room?run={paused}", "no run": "room?run=nobody"}.items():
        page.goto(f"{served.url}/{address}")
        expect(page.locator(".room .log, [data-testid=stAlert]").first).to_be_visible()
        if name == "finished":
            page.locator(".card summary").first.click()
        found[name] = violations(page)
    assert found == dict.fromkeys(found, [])


def test_a_quote_leads_to_its_line_and_the_keyboard_reaches_it(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, held(shipped("office-move")))
    page = visit(f"{served.url}/room?run={run}").page
    page.locator(".callrow").first.click()
    card = page.locator(".card.found")
    expect(card).to_have_attribute("open", "")
    link = card.locator(".held .link").first
    line = (link.text_content() or "").removeprefix("line ")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".row.found")).to_have_attribute("data-seq", line)


def test_the_last_run_is_there_again_after_going_to_home_and_back(
    served: Served, store: Store, visit: Callable[..., Visit]
) -> None:
    run = kept(store, held())
    page = visit(f"{served.url}/room?run={run}").page
    expect(page.locator(".log")).to_contain_text("The conference is over")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_text("Recent runs")).to_be_visible()
    page.get_by_role("link", name="Room").click()
    expect(page.locator(".log")).to_contain_text("The conference is over")
    page.wait_for_url(f"**/room?run={run}")


def test_watching_costs_little(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    """The room is sent when the log grows, not at every look."""
    run = kept(store, held()[:9], "running")
    assert store.acquire(run, "elsewhere/1/abc", 60)
    page = visit("about:blank").page
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(len(frame))))
    page.goto(f"{served.url}/room?run={run}")
    expect(page.locator(".notice")).to_contain_text("Another process runs this conference.")
    page.wait_for_timeout(500)
    before, begun = sum(sent), time.monotonic()
    page.wait_for_timeout(3000)
    rate = (sum(sent) - before) / (time.monotonic() - begun)
    assert rate < 20_000, f"{rate:.0f} bytes a second while nothing happens"
    store.release(run, "elsewhere/1/abc")
    store.set_status(run, "paused")
