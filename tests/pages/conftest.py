"""The runs all pages see; and a real browser on the real server for the tests that need one, which share a server per module."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from conference.live import LiveRuns
from conference.store import Store
from pages.components.shared import live_runs
from tests.pages.served import CHROMIUM, FLAGS, Served
from tests.pages.tab import Visit


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """`AppTest` leaves the page's script as `__main__`; a process that a later test spawns would run it first (found: and die)."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveRuns]:
    """The runs all pages see, in a home of their own."""
    monkeypatch.setenv("PLENARY_HOME", str(tmp_path))
    monkeypatch.delenv("PLENARY_DATABASE", raising=False)
    live_runs.clear()
    yield live_runs()
    live_runs.clear()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}; install Debian's package chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[Served]:
    with Served(home) as server:
        yield server


@pytest.fixture(scope="module")
def store(home: Path) -> Iterator[Store]:
    with Store.open(f"sqlite:///{home / 'plenary.db'}") as opened:
        yield opened


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Opens a tab in a browser of its own; at the end nothing may have gone wrong in any."""
    visits: list[Visit] = []

    def go(url: str, width: int = 1280) -> Visit:
        context = browser.new_context(viewport={"width": width, "height": 800})
        context.set_default_timeout(15_000)
        visits.append(Visit(context))
        visits[-1].page.goto(url)
        return visits[-1]

    yield go
    wrong = [line for each in visits for line in each.wrong]
    for each in visits:
        each.page.context.close()
    assert wrong == []
