"""Watch a recording, or a run again: played as if it happened now, without a model (`?recording=…&speed=…&at=…`, `?run=…&at=…`)."""

from __future__ import annotations

import math
import time

import streamlit as st

from conference.errors import PlenaryError
from conference.following import Followed
from conference.live import LiveRuns
from conference.playing import SPEEDS, Moment, Playback, Timeline, second_named, timeline_of, view_at
from pages.components.drawing import draw_room, draw_voice
from pages.components.language import t
from pages.components.run import views
from pages.components.shared import heading, plain, runs_or_stop

POLL_SECONDS = 0.5
START = "4×"
SEEK_BAR = 130  # pixels below the room


def page() -> None:
    """Play the recording or the run the address names."""
    run, name = st.query_params.get("run", ""), st.query_params.get("recording", "")
    if not run and not name:
        run, name = st.session_state.get("played", ("", ""))
    runs = runs_or_stop()
    try:
        timeline = runs.timeline(run) if run else timeline_of(name)
    except PlenaryError as error:
        heading(t("Watch a recording"))
        st.error(plain(str(error)))
        st.page_link("pages/home.py", label=t("Choose a recording on Home"))
        return
    st.session_state["played"] = (run, name)
    st.query_params["run" if run else "recording"] = run or name
    talk = run or f"recording {name}"
    _controls(talk, timeline)
    if run:
        views("", run)
    _playing_part(runs, talk, timeline)
    _seek_bar(talk, timeline)


def _controls(name: str, timeline: Timeline) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        heading(timeline.title)
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="player"):
            st.session_state.setdefault("speed", _named_speed())
            st.segmented_control(
                t("Speed"), list(SPEEDS), required=True, key="speed", label_visibility="collapsed", on_change=_go_on, args=(name, timeline),
                format_func=lambda speed: t(speed),
            )  # fmt: skip
            st.query_params["speed"] = st.session_state["speed"]
            play = _playback(name)
            if not timeline.at(play.seconds(time.time())).over:
                label, does = (t("Pause"), _stop) if play.speed else (t("Play"), _go_on)
                st.button(label, key="pause", on_click=does, args=(name, timeline), width=90)
            st.button(t("Start again"), key="again", on_click=_seek, args=(name, 0.0), width=120)


def _seek_bar(name: str, timeline: Timeline) -> None:
    """Jump to a moment; the address then opens there."""
    last = max(1, math.ceil(timeline.seconds))
    st.session_state["seek"] = min(last, int(_playback(name).seconds(time.time()))) if timeline.seconds else 0
    st.slider(
        t("Jump to second"), 0, last, key="seek", on_change=lambda: _seek(name, float(st.session_state["seek"])),
        help=t("The address of this page opens at the moment shown."),
    )  # fmt: skip


def _playing_part(runs: LiveRuns, name: str, timeline: Timeline) -> None:
    going = _going(name, *_now(runs, name, timeline))

    @st.fragment(run_every=POLL_SECONDS if going else None, key="live")
    def playing_part() -> None:
        moment, followed = _now(runs, name, timeline)
        view, stands = view_at(timeline, moment.events), _playback(name).speed == 0
        state = ("paused", t("❚❚ Recording, paused")) if stands else ("running", t("▶ Recording"))
        if moment.over:
            state = ("finished", t("✓ Recording, at its end"))
        run = f"{name} {st.session_state.get('times_played', 0)}"
        draw_room(run, view, state, None, followed, below=SEEK_BAR)
        draw_voice(run, view, moment.speaking, not moment.over)
        st.query_params["at"] = f"{timeline.times[moment.events - 1]:.0f}"
        if going and not _going(name, moment, followed):
            st.rerun()

    playing_part()


def _now(runs: LiveRuns, name: str, timeline: Timeline) -> tuple[Moment, Followed]:
    moment = timeline.at(_playback(name).seconds(time.time()))
    reference, events = timeline.spec.reference, timeline.events[: moment.events]
    return moment, runs.coverage.latest(name, reference, events) if reference else Followed(current=True)


def _going(name: str, moment: Moment, followed: Followed) -> bool:
    """Whether there is something left to draw; the coverage may come a little after the words."""
    return not followed.current or not (moment.over or _playback(name).speed == 0)


def _named_speed() -> str:
    named = st.query_params.get("speed", START)
    return named if named in SPEEDS else START


def _playback(name: str) -> Playback:
    """Where this tab is in the recording; after a reload, where the address says."""
    kept = st.session_state.get("playback")
    if kept is None or kept[0] != name:
        begin = second_named(st.query_params.get("at", ""))
        kept = st.session_state["playback"] = (name, Playback(begin, time.time(), SPEEDS[_named_speed()]))
    return kept[1]


def _go_on(name: str, timeline: Timeline) -> None:
    speed = SPEEDS[st.session_state["speed"]]
    st.session_state["playback"] = (name, _playback(name).at_speed(speed, time.time(), timeline.seconds))


def _stop(name: str, timeline: Timeline) -> None:
    st.session_state["playback"] = (name, _playback(name).at_speed(0.0, time.time(), timeline.seconds))


def _seek(name: str, second: float) -> None:
    """Another moment, from which it goes on as it did; the room is drawn anew, as lines may go."""
    stood = _playback(name).speed == 0
    st.session_state["times_played"] = st.session_state.get("times_played", 0) + 1
    speed = 0.0 if stood or (second and st.session_state["speed"] == "At once") else SPEEDS[st.session_state["speed"]]
    st.session_state["playback"] = (name, Playback(second, time.time(), speed))


page()
