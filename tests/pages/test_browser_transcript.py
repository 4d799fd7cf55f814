"""The Transcript in a real browser: links, marks, the prompt behind a turn by the keyboard alone, lines that come while one reads."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from conference.domain.events import Event, Utterance, event_reader
from conference.library import ROOT
from conference.store import Store
from tests.conferences import shipped
from tests.pages.scenes import held, hostile_events, kept
from tests.pages.served import Served
from tests.pages.tab import Visit, sideways, violations
from tests.store_workers import model_call

pytestmark = pytest.mark.browser
IN_VIEW = "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight }"


def recorded() -> list[Event]:
    path = ROOT / "data" / "recordings" / "cannabis-regulation.jsonl"
    return [event_reader.validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def numbers(page: Page) -> list[int]:
    return [int(line.get_attribute("data-seq") or -1) for line in page.locator(".minutes .line").all()]


def test_a_link_leads_to_its_turn_and_can_be_copied(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    page = visit(f"{served.url}/transcript?run={run}&seq=60").page
    found = page.locator(".line.found")
    expect(found).to_have_attribute("data-seq", "60")
    page.wait_for_timeout(800)
    assert found.evaluate(IN_VIEW)
    assert (numbers(page)[0], numbers(page)[-1]) == (50, 83)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    line = page.locator(".line[data-seq='57']")
    line.get_by_role("button", name="Copy a link to line 57").click()
    expect(line).to_contain_text("Link copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{served.url}/transcript?run={run}&seq=57"
    page.goto(copied)
    expect(page.locator(".line.found")).to_have_attribute("data-seq", "57")


def test_pages_turn_and_words_are_found(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    page = visit(f"{served.url}/transcript?run={run}").page
    expect(page.locator(".line").first).to_have_attribute("data-seq", "0")
    page.locator("[class*=st-key-t_numbers]").get_by_role("button", name="2").last.click()
    expect(page.locator(".line").first).to_have_attribute("data-seq", "50")
    page.wait_for_url("**page=2*")
    page.get_by_role("searchbox", name="Search in what was said").fill("psychosis")
    page.keyboard.press("Enter")
    expect(page.locator("mark")).to_have_text(["psychosis", "psychosis"])
    page.wait_for_url("**q=psychosis*")
    page.get_by_role("button", name="Clear all filters").click()
    expect(page.locator(".line")).to_have_count(50)


def test_the_prompt_opens_and_closes_by_the_keyboard(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    events = held(shipped("office-move"))
    run = store.create_run("Office move", status="paused")
    log = store.log(run)
    for event in events:
        if event.seq == 3:
            log.record(model_call("Say what you <b>think</b>, {name}.", outcome="rejected"))
            log.record(model_call("Say it again."))
        log.append(event)
    page = visit(f"{served.url}/transcript?run={run}").page
    button = page.locator(".line[data-seq='3']").get_by_role("button", name="Details of line 3")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Prompt and reply")
    dialog.get_by_text("Call 1 of 2").click()
    expect(dialog).to_contain_text("Say what you <b>think</b>, {name}.")
    expect(dialog.get_by_role("link", name="Fork here")).to_have_attribute("href", f"set_up?fork={run}&at=3")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    answer = next(event for event in events if isinstance(event, Utterance) and event.move and event.move.answers)
    page.locator(f".line[data-seq='{answer.seq}'] .open").click()
    answered = answer.move.answers if answer.move else None
    page.get_by_role("dialog").get_by_role("link", name=f"Go to line {answered}").click()
    expect(page.locator(".line.found")).to_have_attribute("data-seq", str(answered))
    expect(dialog).to_have_count(0)


def test_lines_that_come_are_offered_and_nothing_jumps(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    events = held(shipped("office-move"))
    run = kept(store, events[:30], "running")
    assert store.acquire(run, "elsewhere/1/abc", 60)
    page = visit(f"{served.url}/transcript?run={run}").page
    expect(page.locator(".line")).to_have_count(30)
    card = page.locator(".card summary").first
    card.click()
    for event in events[30:33]:
        store.log(run).append(event)
    more = page.get_by_role("button", name="3 new events: show")
    expect(more).to_be_visible()
    assert len(numbers(page)) == 30
    more.click()
    expect(page.locator(".line")).to_have_count(33)
    expect(page.locator(".card").first).to_have_attribute("open", "")
    store.release(run, "elsewhere/1/abc")
    store.set_status(run, "paused")


def test_hostile_text_is_text(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, hostile_events())
    asked: list[str] = []
    for width in (1280, 390):
        page = visit("about:blank", width).page
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{served.url}/transcript?run={run}&seq=3")
        expect(page.locator(".line.found")).to_contain_text("<script>window.hit=1</script> **bold**")
        page.locator(".line.found").get_by_role("button", name="Details of line 3").click()
        expect(page.get_by_role("dialog")).to_contain_text("<script>window.hit=1</script> **bold**")
        assert (
            page.locator(".minutes img, .minutes script, [role=dialog] img, [role=dialog] script, [role=dialog] .katex").count()
            == 0
        )
        assert page.evaluate("window.hit") is None
        assert sideways(page) <= 0
    assert [url for url in asked if not url.startswith((served.url, "data:", "blob:"))] == []


def test_it_shuts_nobody_out(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = kept(store, recorded())
    found = {}
    for scheme in ("light", "dark"):
        page = visit("about:blank").page
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for name, query in {"first page": "", "searched": "&q=psychosis", "led to": "&seq=60", "nothing": "&q=zzz"}.items():
            page.goto(f"{served.url}/transcript?run={run}{query}")
            expect(page.locator(".minutes .line, [data-testid=stAlert]").first).to_be_visible(timeout=15_000)
            if name == "first page":
                page.locator(".card summary").first.click()
            found[f"{name}, {scheme}"] = violations(page)
    assert found == dict.fromkeys(found, [])
