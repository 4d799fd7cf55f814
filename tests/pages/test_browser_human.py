"""A human at the table, in a real browser: a whole conference chaired by hand, over a reload, from two windows; and what follows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from conference.domain.events import ConferenceClosed, Intervention, Utterance
from conference.domain.spec import Spec, Stage
from conference.running import open_run
from conference.store import Store
from tests.conferences import small_spec
from tests.pages.served import Served
from tests.pages.tab import Visit, seen, violations

pytestmark = pytest.mark.browser
AGENDA = (Stage(name="Talk", max_rounds=2),)
EVIL = "<b>Mine</b> ![x](https://out.invalid/x.png) $1$"


def waiting(store: Store, spec: Spec) -> str:
    run = open_run(store, spec)
    store.set_status(run, "paused")
    return run


def take_turn(page: Page, words: str) -> None:
    form = page.locator(".st-key-human_seat")
    box = form.get_by_role("textbox", name="What do you say?")
    expect(box).to_be_visible()
    box.fill(words)
    box.press("Tab")
    form.get_by_role("button", name="Say it").click()


def test_a_human_moderator_holds_a_whole_conference(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = waiting(store, small_spec(humans=("mo",), judge="none", agenda=AGENDA))
    page = visit(f"{served.url}/room?run={run}").page
    page.get_by_role("button", name="Resume").click()
    form = page.locator(".st-key-human_seat")
    expect(form).to_contain_text("Your turn, Mo Chair")
    assert "Which timetable?" in form.get_by_role("textbox", name="What do you say?").input_value()
    assert violations(page) == []
    page.reload()
    other = visit(f"{served.url}/room?run={run}").page
    expect(other.locator(".st-key-human_seat")).to_contain_text("Your turn, Mo Chair")
    take_turn(page, EVIL)
    expect(other.locator(".row.said .words").first).to_have_text(EVIL)
    expect(other.locator(".row.said")).to_have_count(4)  # the opening and three turns
    take_turn(other, "Once more, please.")
    expect(page.locator(".row.said")).to_have_count(8)
    take_turn(page, "Thank you all.")
    expect(page.locator(".state")).to_contain_text("Finished")
    events = store.log(run).events()
    assert isinstance(events[-1], ConferenceClosed)
    mine = [event.text for event in events if isinstance(event, Utterance) and event.role == "human"]
    assert mine == [EVIL, "Once more, please.", "Thank you all."]
    assert seen(page)[0] == EVIL


def test_a_question_a_step_and_a_stop_from_another_window(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    run = waiting(store, small_spec(judge="none", agenda=AGENDA))
    page, other = visit(f"{served.url}/room?run={run}").page, visit(f"{served.url}/room?run={run}").page
    page.get_by_role("button", name="Step").click()
    page.get_by_role("button", name="One round").click()
    expect(other.locator(".row.said")).to_have_count(4)
    expect(other.locator(".notice")).to_contain_text("Paused after one step")
    box = other.get_by_label("Say something as moderator")
    box.fill("What of the seals?")
    other.get_by_role("combobox", name="To").click()
    other.get_by_role("option", name="Cleo Marsh").click()
    other.locator(".st-key-steering").get_by_role("button", name="Say it").click()
    expect(page.locator(".row.said").nth(4)).to_contain_text("What of the seals?")
    page.get_by_role("button", name="One turn").click()  # the steps stay open, so that one can go on
    expect(other.locator(".row.said").nth(5)).to_contain_text("Cleo Marsh")
    other.get_by_role("button", name="Stop").click()
    other.get_by_role("button", name="Stop the conference").click()
    expect(page.locator(".state")).to_contain_text("Finished")
    actions = [event.action for event in store.log(run).events() if isinstance(event, Intervention)]
    assert actions == ["ask", "stop"]


def test_a_run_is_played_again_at_the_moment_its_address_names(served: Served, store: Store, visit: Callable[..., Visit]) -> None:
    from tests.pages.scenes import at, held, kept

    run = kept(store, [event.model_copy(update={"at": at(20 * event.seq)}) for event in held()])
    page = visit(f"{served.url}/watch?run={run}&at=41&speed=1×").page
    expect(page.locator(".row.said:not(.speaking)")).to_have_count(1)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".state")).to_contain_text("paused")
    page.get_by_role("slider", name="Jump to second").press("Home")
    expect(page.locator(".row.said:not(.speaking)")).to_have_count(0)
    expect(page).to_have_url(f"{served.url}/watch?run={run}&at=0&speed=1%C3%97")
