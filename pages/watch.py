"""Watch a recording: a finished conference played as if it happened now, without a model (`?recording=…&speed=…&at=…`)."""

from __future__ import annotations

import time

import streamlit as st

from conference.errors import PlenaryError
from conference.following import Followed
from conference.live import LiveRuns
from conference.playing import SPEEDS, Moment, Playback, Timeline, second_named, timeline_of, view_at
from pages.components.drawing import draw_room, draw_voice
from pages.components.shared import heading, plain, runs_or_stop

POLL_SECONDS = 0.5
START = "4×"


def page() -> None:
    """Play the recording the address names."""
    name = st.query_params.get("recording", "") or st.session_state.get("playback", ("",))[0]
    runs = runs_or_stop()
    try:
        timeline = timeline_of(name)
    except PlenaryError as error:
        heading("Watch a recording")
        st.error(plain(str(error)))
        st.page_link("pages/home.py", label="Choose a recording on Home")
        return
    st.query_params["recording"] = name
    _controls(name, timeline)
    _playing_part(runs, name, timeline)


def _controls(name: str, timeline: Timeline) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="head"):
        heading(timeline.title)
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="player"):
            st.session_state.setdefault("speed", _named_speed())
            st.segmented_control(
                "Speed",
                list(SPEEDS),
                required=True,
                key="speed",
                label_visibility="collapsed",
                on_change=_go_on,
                args=(name, timeline),
            )
            st.query_params["speed"] = st.session_state["speed"]
            play = _playback(name)
            if not timeline.at(play.seconds(time.time())).over:
                label, does = ("Pause", _stop) if play.speed else ("Play", _go_on)
                st.button(label, key="pause", on_click=does, args=(name, timeline), width=90)
            st.button("Start again", key="again", on_click=_again, args=(name,), width=120)


def _playing_part(runs: LiveRuns, name: str, timeline: Timeline) -> None:
    going = _going(name, *_now(runs, name, timeline))

    @st.fragment(run_every=POLL_SECONDS if going else None, key="live")
    def playing_part() -> None:
        moment, followed = _now(runs, name, timeline)
        view, stands = view_at(timeline, moment.events), _playback(name).speed == 0
        state = ("paused", "❚❚ Recording, paused") if stands else ("running", "▶ Recording")
        if moment.over:
            state = ("finished", "✓ Recording, at its end")
        run = f"{name} {st.session_state.get('times_played', 0)}"
        draw_room(run, view, state, None, followed)
        draw_voice(run, view, moment.speaking, not moment.over)
        st.query_params["at"] = f"{timeline.times[moment.events - 1]:.0f}"
        if going and not _going(name, moment, followed):
            st.rerun()

    playing_part()


def _now(runs: LiveRuns, name: str, timeline: Timeline) -> tuple[Moment, Followed]:
    moment = timeline.at(_playback(name).seconds(time.time()))
    reference, events = timeline.spec.reference, timeline.events[: moment.events]
    return moment, runs.coverage.latest(f"recording {name}", reference, events) if reference else Followed(current=True)


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


def _again(name: str) -> None:
    st.session_state["times_played"] = st.session_state.get("times_played", 0) + 1
    st.session_state["playback"] = (name, Playback(0.0, time.time(), SPEEDS[st.session_state["speed"]]))


page()
