"""The room: a conference as it is held, or as it was. The address holds the run (`?run=…`)."""

from __future__ import annotations

import streamlit as st

from conference.domain.human import Asked
from conference.errors import PlenaryError
from conference.following import Followed
from conference.live import MOVING, LiveRuns, RunState
from conference.watching import Seen
from pages.components.controls import can_be_steered, run_buttons, steering
from pages.components.drawing import draw_room, draw_voice, notice
from pages.components.human_seat import human_seat
from pages.components.language import t
from pages.components.run import chosen_run, views
from pages.components.shared import STATES, heading, plain

STEERING = 215  # pixels below the room for what a facilitator can do
LIVE_SECONDS, WAITING_SECONDS = 0.5, 3.0


def page() -> None:
    """Draw the run the address names; without one, the run this tab looked at last."""
    found = chosen_run(
        "room",
        t("Here a conference is shown as it is held: who speaks, each agreement call, positions and coverage. None is open."),
    )
    runs, run, state = found.runs, found.run, found.state
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        heading(found.title)
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="controls"):
            run_buttons(runs, run, state)
            if state == "finished" and st.button(t("Play it again"), key="replay"):
                st.session_state.pop("playback", None)
                st.switch_page("pages/watch.py", query_params={"run": run})
    views("room", run)
    asked = runs.asked(run)
    with st.container():  # always there: the room below must stay where it is, or it would be built anew
        if asked is not None and found.seen is not None:
            human_seat(runs, run, found.seen.view.spec, asked)
    _live_part(runs, run, state, _covered(runs, run, found.seen), asked)
    if found.seen is not None:
        steering(runs, run, state, found.seen.view.spec, found.seen.view.judged)


def _live_part(runs: LiveRuns, run: str, drawn: RunState, known: Followed, asked: Asked | None) -> None:
    """The part that is drawn again and again while there is something to wait for; a change of state draws the whole page."""
    every = LIVE_SECONDS if drawn in MOVING else WAITING_SECONDS
    waits = drawn != "finished" or not known.current

    @st.fragment(run_every=every if waits else None, key="live")
    def live_part() -> None:
        try:
            state = runs.state(run)
            seen = runs.watch.look(run)
            followed = _covered(runs, run, seen)
        except PlenaryError as error:
            st.error(plain(str(error)))
            return
        if seen is None:
            st.info("The conference is about to begin.")
        else:
            shown = (state, f"{STATES[state][0]} {t(STATES[state][1])}")
            draw_room(
                run,
                seen.view,
                shown,
                notice(state, seen.view, runs.problem(run)),
                followed,
                STEERING if can_be_steered(drawn) else 44,
            )
            draw_voice(run, seen.view, runs.speaking(run), state in MOVING)
        if state != drawn or runs.asked(run) != asked or (state == "finished" and waits and followed.current):
            st.rerun()

    live_part()


def _covered(runs: LiveRuns, run: str, seen: Seen | None) -> Followed:
    reference = seen.view.spec.reference if seen else None
    return runs.coverage.latest(run, reference, seen.events) if seen and reference else Followed(current=True)


page()
