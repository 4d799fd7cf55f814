"""The room: a conference as it is held, or as it was. The address holds the run (`?run=…`)."""

from __future__ import annotations

import streamlit as st

from conference.errors import PlenaryError
from conference.following import Followed
from conference.live import RESUMABLE, LiveRuns, RunState
from conference.watching import Seen
from pages.components.drawing import draw_room, draw_voice, notice
from pages.components.shared import STATES, heading, plain, runs_or_stop

LIVE_SECONDS, WAITING_SECONDS = 0.5, 3.0
MOVING: tuple[RunState, ...] = ("running", "pausing", "elsewhere")


def page() -> None:
    """Draw the run the address names; without one, the run this tab looked at last."""
    run = st.query_params.get("run", "") or st.session_state.get("last_run", "")
    if not run:
        _nothing_open()
        return
    runs = runs_or_stop()
    try:
        state = runs.state(run)
        title = runs.store.run(run).title
        followed = _read(runs, run)[1]
    except PlenaryError as error:
        st.session_state.pop("last_run", None)
        _not_there(str(error))
        return
    st.session_state["last_run"] = st.query_params["run"] = run
    _controls(runs, run, title, state)
    _live_part(runs, run, state, followed)


def _nothing_open() -> None:
    heading("Room")
    st.write("Here a conference is shown as it is held: who speaks, each agreement call, positions and coverage. None is open.")
    st.page_link("pages/home.py", label="Start or open one on Home")


def _not_there(problem: str) -> None:
    heading("Room")
    st.error(plain(problem))
    st.page_link("pages/home.py", label="Choose a run on Home")


def _controls(runs: LiveRuns, run: str, title: str, state: RunState) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        heading(title)
        if state in ("running", "pausing") or state in RESUMABLE:
            going = state in ("running", "pausing")
            label = {"running": "Pause", "pausing": "Pausing …"}.get(state, "Resume")
            st.button(label, key="pause", on_click=runs.pause if going else runs.resume, args=(run,), width=120)


def _live_part(runs: LiveRuns, run: str, drawn: RunState, known: Followed) -> None:
    """The part that is drawn again and again while there is something to wait for; a change of state draws the whole page."""
    every = LIVE_SECONDS if drawn in MOVING else WAITING_SECONDS
    waits = drawn != "finished" or not known.current

    @st.fragment(run_every=every if waits else None, key="live")
    def live_part() -> None:
        try:
            state = runs.state(run)
            seen, followed = _read(runs, run)
        except PlenaryError as error:
            st.error(plain(str(error)))
            return
        if seen is None:
            st.info("The conference is about to begin.")
        else:
            shown = (state, " ".join(STATES[state]))
            draw_room(run, seen.view, shown, notice(state, seen.view, runs.problem(run)), followed)
            draw_voice(run, seen.view, runs.speaking(run), state in MOVING)
        if state != drawn or (state == "finished" and waits and followed.current):
            st.rerun()

    live_part()


def _read(runs: LiveRuns, run: str) -> tuple[Seen | None, Followed]:
    seen = runs.watch.look(run)
    reference = seen.view.spec.reference if seen else None
    return seen, runs.coverage.latest(run, reference, seen.events) if seen and reference else Followed(current=True)


page()
