"""The room: a conference as it is held, or as it was. The address holds the run."""

from __future__ import annotations

import streamlit as st

from conference.analysis.room import RoomView, Row, room_view
from conference.errors import PlenaryError
from conference.library import load_reference
from conference.live import LiveRuns
from pages.components import panels
from pages.components.shared import live_runs, plain
from pages.components.transcript import transcript


def page() -> None:
    """Draw the run the address names."""
    run = st.query_params.get("run", "")
    if not run:
        st.title("Room")
        st.info("No conference is open. Choose or start one on Home.")
        st.page_link("pages/home.py", label="Go to Home")
        return
    runs = live_runs()
    try:
        runs.store.run(run)
    except PlenaryError as error:
        st.title("Room")
        st.error(plain(str(error)))
        return
    _controls(runs, run)
    _room(runs, run)


def _controls(runs: LiveRuns, run: str) -> None:
    summary = runs.store.run(run)
    title, button = st.columns([5, 1], vertical_alignment="center")
    title.title(plain(summary.title))
    live = runs.is_live(run)
    if summary.status == "finished":
        return
    if button.button("Pause" if live else "Resume", key="pause", width="stretch"):
        (runs.pause if live else runs.resume)(run)
        st.rerun()


def _room(runs: LiveRuns, run: str) -> None:
    live = runs.is_live(run) or runs.store.run(run).status == "running"

    @st.fragment(run_every=0.5 if live else None)
    def feed() -> None:
        events = runs.store.log(run).events()
        if not events:
            st.info("The conference is about to begin.")
            return
        view = room_view(events)
        _status(runs, run, view)
        left, right = st.columns([3, 2], gap="large")
        people = {p.name: Row(0, "", "", p.name, p.initials, p.colour) for p in view.people}
        with left:
            transcript(run, view.rows, runs.speaking(run), people, st.session_state.get("show"), key=f"log-{run}")
        with right:
            _beside(runs, run, view)
        if live and not (runs.is_live(run) or runs.store.run(run).status == "running"):
            st.rerun()

    feed()


def _status(runs: LiveRuns, run: str, view: RoomView) -> None:
    summary = runs.store.run(run)
    state = "live" if runs.is_live(run) else summary.status
    st.caption(f"{plain(view.spec.question)} · **{plain(view.where)}** · {state}")
    problem = runs.problem(run)
    if problem:
        st.error(plain(problem))
    elif view.paused:
        st.warning(f"Paused ({plain(view.paused)}). Resume goes on where it stopped; the limits hold anew.")
    elif summary.status == "interrupted":
        st.warning("This run broke off. Resume goes on where its log ends; nothing is lost.")
    if view.closed:
        st.success(f"Agreed: {plain(view.agreed)}" if view.agreed else "The conference ended without an agreed proposal.")


def _beside(runs: LiveRuns, run: str, view: RoomView) -> None:
    panels.calls(view)
    panels.positions(view)
    reference = load_reference(view.spec.reference) if view.spec.reference else None
    found = runs.coverage(run, view.spec.reference) if view.spec.reference else None
    panels.coverage(found, reference, runs.coverage_problem(run))
    panels.monitor(view)


page()
