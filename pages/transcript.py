"""Transcript: a run's log as minutes, page by page, filtered and searched; every line opens to the prompt behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from conference.analysis.minutes import minutes_of
from conference.analysis.people import Person, people_in
from conference.domain.events import ConferenceOpened, Intervention
from conference.domain.spec import Spec
from conference.errors import PlenaryError
from conference.exporters.jsonl import log_lines
from conference.exporters.sheet import sheet_of
from conference.library import load_reference
from conference.live import MOVING, LiveRuns
from conference.store import Contents, EventPage, Wanted
from pages.components.filters import Asked, asked_for, note_address, page_turned
from pages.components.language import t, tn
from pages.components.minutes import draw_minutes
from pages.components.run import Chosen, chosen_run, views
from pages.components.shared import heading, plain
from pages.components.turn import show_turn

NEW_SECONDS = 2.0


def page() -> None:
    """Draw the page of the log that the address asks for."""
    found = chosen_run(
        "transcript",
        t(
            "Here every turn of a conference can be found: by words, speaker, stage or call, with the prompt behind it. None is open."
        ),
        look=False,
    )
    heading(found.title)
    views("transcript", found.run)
    try:
        _transcript(found)
    except PlenaryError as error:
        st.error(plain(str(error)))


def _transcript(found: Chosen) -> None:
    store, run = found.runs.store, found.run
    contents = store.contents(run)
    table = _table(found, contents)
    if table is None:
        st.info(t("The conference is about to begin. What is said will stand here, a page for each fifty events."))
        _new_lines(found, 0)
        return
    spec, people = table
    beside, main = st.columns([1, 3.4], gap="large")
    with beside.container(key="filters"):
        asked = asked_for(contents, spec, _criteria(spec.reference))
        wanted = _with_criteria(found, asked, spec)
        _downloads(found, wanted)
    with main:
        drawn, shown = _page(found, asked, wanted)
        note_address(drawn.number)
        _count(drawn, contents)
        _new_lines(found, contents.events)
        opened = draw_minutes(run, minutes_of(drawn.events, spec, wanted.words, people), shown)
        if not drawn.events:
            st.info(t("No event meets all these conditions. Take one away, or clear all filters."))
        if drawn.pages > 1:
            _page_numbers(drawn)
    event = next((event for event in drawn.events if event.seq == opened), None)
    if event is not None:
        show_turn(found.runs, run, event, spec)
    store.make_searchable(run)  # now that everything is drawn: the first search needn't wait


def _table(found: Chosen, contents: Contents) -> tuple[Spec, Sequence[Person]] | None:
    """What the conference is held from (a fork's own, after its past), and everybody who ever sat at its table."""
    store, run = found.runs.store, found.run
    opened = store.log(run).first()
    if not isinstance(opened, ConferenceOpened):
        return None
    did = store.matching(run, Wanted(kinds=("intervention",))) if "intervention" in contents.kinds else ()
    named = [opened, *(event for event in did if isinstance(event, Intervention) and event.spec is not None)]
    return named[-1].spec or opened.spec, people_in(named)


@st.cache_data(ttl=60, show_spinner=False)
def _criteria(reference: str | None) -> Sequence[str]:
    try:
        return [item.name for item in load_reference(reference).criteria] if reference else []
    except PlenaryError:  # the library changed since: the talk can still be read
        return []


def _with_criteria(found: Chosen, asked: Asked, spec: Spec) -> Wanted:
    """The conditions, with the numbers of the lines that raise the criteria asked for, as far as the talk was read."""
    if not asked.criteria or spec.reference is None:
        return asked.wanted
    seen = found.runs.watch.look(found.run)
    followed = found.runs.coverage.latest(found.run, spec.reference, seen.events if seen else ())
    if followed.problem:
        st.caption(plain(followed.problem))
    elif not followed.current:
        st.caption(t("Still reading what was said against the published conference: {n} lines so far.", n=len(followed.rows)))
        _wait_for_coverage(found.runs, found.run, spec.reference)
    raising = frozenset(row.seq for row in followed.rows if set(row.criteria) & set(asked.criteria))
    return asked.wanted.model_copy(update={"seqs": raising})


def _wait_for_coverage(runs: LiveRuns, run: str, reference: str) -> None:
    @st.fragment(run_every=NEW_SECONDS, key="reading")
    def reading() -> None:
        seen = runs.watch.look(run)
        if seen is not None and runs.coverage.latest(run, reference, seen.events).current:
            st.rerun()

    reading()


def _page(found: Chosen, asked: Asked, wanted: Wanted) -> tuple[EventPage, int | None]:
    """The page asked for, or the one that holds the line asked for; and that line, when it is there."""
    store, run, number = found.runs.store, found.run, asked.page
    if asked.seq is not None:
        holding = store.page_of(run, asked.seq, wanted)
        if holding is None:
            _missing(found, asked)
            asked = replace(asked, seq=None)
        number = holding or 0
    return store.page(run, number, wanted), asked.seq


def _missing(found: Chosen, asked: Asked) -> None:
    if asked.seq is not None and found.runs.store.page_of(found.run, asked.seq) is not None:
        st.warning(t("Line {seq} doesn't meet these conditions; clear the filters to see it.", seq=asked.seq))
    else:
        st.warning(t("There is no line {seq} in this run.", seq=asked.seq))


def _page_numbers(drawn: EventPage) -> None:
    """Numbers to turn by. A click keeps them, and the focus on them; a page come to otherwise draws them anew."""
    state, number = st.session_state, drawn.number + 1
    made = state.setdefault("t_numbers", 0)
    if state.get(f"t_numbers_{made}", number) != number:
        made = state["t_numbers"] = made + 1
    st.pagination(drawn.pages, default=number, key=f"t_numbers_{made}", on_change=page_turned, args=(f"t_numbers_{made}",))


def _count(drawn: EventPage, contents: Contents) -> None:
    if drawn.total == contents.events:
        shown = tn("{n} event", "{n} events", n=drawn.total)
    else:
        shown = t("{n} of {all} events", n=drawn.total, all=contents.events)
    st.caption(t("{shown} · page {page} of {pages}", shown=shown, page=drawn.number + 1, pages=drawn.pages))


def _new_lines(found: Chosen, drawn: int) -> None:
    """While the run goes on: how much came since, and a way to it. Nothing moves by itself."""
    if found.state not in MOVING:
        return

    @st.fragment(run_every=NEW_SECONDS, key="new")
    def new() -> None:
        more = found.runs.store.run(found.run).events - drawn
        asked = more > 0 and st.button(tn("{n} new event: show", "{n} new events: show", n=more), key="show_new")
        if asked or (more <= 0 and found.runs.state(found.run) not in MOVING):
            st.rerun()

    new()


def _downloads(found: Chosen, wanted: Wanted) -> None:
    store, run = found.runs.store, found.run
    st.caption(t("Download what is found"))
    with st.container(horizontal=True):
        st.download_button(
            "CSV", lambda: sheet_of(store.matching(run, wanted)), f"{run}.csv", "text/csv", key="csv", on_click="ignore"
        )
        st.download_button(
            "JSONL", lambda: log_lines(store.matching(run, wanted)), f"{run}.jsonl", "application/x-ndjson", key="jsonl", on_click="ignore"
        )  # fmt: skip


page()
