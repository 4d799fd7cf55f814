"""The Transcript page in a real browser at 100, 1,000 and 5,000 utterances, side by side in one run.

    python -m benchmarks.transcript_page [--times 5]

The logs are the shipped recording's turns said again and again, with the calls they came from left out. *First paint*: from going to the
address, the browser having been there before, to the first line of the transcript. *Filter*, *search* and *page turn*: from the
click or the key to the lines it leads to. *First search*: of a run nobody looked at before, its index not yet made. The budget: 1.5 s
and 0.5 s, and no growth with the transcript.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.tables import table
from conference.domain.events import Event, Utterance, event_reader
from conference.domain.scores import Row
from conference.library import ROOT
from conference.store import Store
from tests.pages.served import CHROMIUM, FLAGS, Served

SIZES = (100, 1_000, 5_000)
RECORDING = ROOT / "data" / "recordings" / "cannabis-regulation.jsonl"
SPEAKER = "Nadia Belhadj"
SHOWN = """want => {
    const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
    const lists = [document, ...roots].flatMap(root => [...root.querySelectorAll('ol.minutes')]);
    const list = lists[0]; if (!list) return false;
    const lines = [...list.querySelectorAll('li.line')]; if (!lines.length) return false;
    if (want.first !== undefined) return Number(lines[0].dataset.seq) >= want.first;
    if (want.hit) return list.querySelector('mark') !== null;
    if (want.speaker) return lines.every(line => line.querySelector('.name')?.textContent === want.speaker);
    return true;
}"""


def events(utterances: int) -> Iterator[Event]:
    """A log of so many utterances of some 500 characters."""
    recorded = [event_reader.validate_json(line) for line in RECORDING.read_text(encoding="utf-8").splitlines()]
    yield recorded[0]
    turns = [event for event in recorded[1:] if event.kind != "conference_closed"]
    sentences = [part for event in turns if isinstance(event, Utterance) for part in event.text.split(". ")]
    chance, seq, said = random.Random(1), 1, 0
    while said < utterances:
        for event in turns:
            changed: dict[str, object] = {"seq": seq}
            if isinstance(event, Utterance):
                changed["text"] = ". ".join(chance.choice(sentences) for _ in range(6))
                said += 1
            yield event.model_copy(update=changed)
            seq += 1
            if said == utterances:
                return


def keep(store: Store, utterances: int) -> str:
    """A run with such a log; its id."""
    run = store.create_run(f"{utterances} utterances", status="paused")
    log = store.log(run)
    for event in events(utterances):
        log.append(event)
    store.set_status(run, "finished")
    return run


def seconds(page: Page, does: Callable[[], object], **want: object) -> float:
    """From doing something to seeing it."""
    begun = time.perf_counter()
    does()
    page.wait_for_function(SHOWN, arg=want, polling="raf")
    return time.perf_counter() - begun


def settle(page: Page) -> None:
    """Wait until nothing is under way."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    page.wait_for_timeout(400)


def measure(page: Page, url: str, run: str) -> dict[str, float]:
    """One visit: every figure once, in seconds."""
    there = f"{url}/transcript?run={run}"
    found = {"first paint": seconds(page, lambda: page.goto(there, wait_until="commit"))}
    settle(page)
    box = page.get_by_role("combobox", name="Speaker")
    box.click()
    choice = page.get_by_role("option", name=SPEAKER)
    choice.wait_for()
    found["filter"] = seconds(page, choice.click, speaker=SPEAKER)
    page.keyboard.press("Escape")
    settle(page)
    page.goto(there, wait_until="commit")
    seconds(page, lambda: None)
    settle(page)
    search = page.get_by_role("searchbox").or_(page.get_by_role("textbox", name="Search in what was said")).first
    search.fill("psychosis")
    found["search"] = seconds(page, lambda: search.press("Enter"), hit=True)
    settle(page)
    page.goto(there, wait_until="commit")
    seconds(page, lambda: None)
    settle(page)
    second = page.locator(".st-key-t_numbers_0, [class*=st-key-t_numbers]").get_by_role("button", name="2", exact=False).first
    second.scroll_into_view_if_needed()
    found["page turn"] = seconds(page, second.click, first=50)
    return found


def first_search(store: Store, run: str) -> float:
    """The store's part of a first search, its index made with it."""
    from conference.domain.search import words_of
    from conference.store import Wanted

    begun = time.perf_counter()
    store.page(run, 0, Wanted(words=words_of("psychosis")))
    return time.perf_counter() - begun


def rows(name: str, sizes: Sequence[int], found: dict[int, list[float]]) -> Iterator[Row]:
    """The median a size, between the fastest and the slowest."""
    for size in sizes:
        values = sorted(found[size])
        yield Row(
            what=f"{name}, {size:,} utterances, s", value=statistics.median(values), low=values[0], high=values[-1], n=len(values)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    found: dict[str, dict[int, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{folder}/plenary.db") as store:
        runs = {size: keep(store, size) for size in SIZES}
        for size in SIZES:
            found.setdefault("first search, store alone", {})[size] = [first_search(store, keep(store, size))]
        with Served(Path(folder)) as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.goto(f"{served.url}/transcript?run={runs[SIZES[0]]}")  # not counted: the server and the browser are new
            seconds(page, lambda: None)
            for _ in range(times):
                for size in SIZES:
                    for name, value in measure(page, served.url, runs[size]).items():
                        found.setdefault(name, {}).setdefault(size, []).append(value)
            browser.close()
    print("(between the fastest and the slowest)")
    print("\n".join(table([row for name in found for row in rows(name, SIZES, found[name])])))


if __name__ == "__main__":
    main()
