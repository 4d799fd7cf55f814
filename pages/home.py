"""Home: what this is, one click to start the demo, the ready conferences, recent runs."""

from __future__ import annotations

import streamlit as st

from conference.errors import PlenaryError
from conference.library import CONFERENCES, ids_in, load_spec
from conference.live import LiveRuns
from conference.running import Overrides, with_overrides
from pages.components.shared import live_runs, plain

DEMO = "cannabis-regulation"
MODELS = {"embedded": "the model that comes with Plenary", "scripted": "no model: rules only, for trying things out"}


def page() -> None:
    """Draw the page."""
    st.title("Plenary")
    st.markdown(
        "Rehearse a decision conference: a moderator, a table of experts and a judge debate a real question in stages. "
        "After every round the judge calls ● *agreement* or ○ *continue*. What was talked about is laid beside a real, published conference."
    )
    st.caption("Everything said here is simulated. It is a rehearsal, not evidence of what real experts think.")
    runs = live_runs()
    if st.button(
        "Run the demo", type="primary", help="Five experts on cannabis regulation, on the model that comes with Plenary"
    ):
        _start(runs, DEMO, "embedded")
    with st.form("start", border=True):
        st.markdown("**Start a conference**")
        left, right = st.columns(2)
        name = left.selectbox("Conference", ids_in(CONFERENCES), format_func=lambda item: item.replace("-", " ").capitalize())
        model = right.selectbox("Model", list(MODELS), format_func=lambda item: f"{item}: {MODELS[item]}")
        if st.form_submit_button("Start"):
            _start(runs, name, model)
    _recent(runs)


def _start(runs: LiveRuns, name: str, model: str) -> None:
    try:
        run = runs.start(with_overrides(load_spec(CONFERENCES / f"{name}.yaml"), Overrides(model=model)))
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    st.switch_page("pages/room.py", query_params={"run": run})


def _recent(runs: LiveRuns) -> None:
    st.subheader("Recent runs")
    found = runs.store.runs(limit=12)
    if not found:
        st.caption(
            "Conferences you run appear here, with their status; each can be opened again, and resumed when it was paused."
        )
    for item in found:
        what, how, go = st.columns([4, 3, 1], vertical_alignment="center")
        what.markdown(f"**{plain(item.title)}**  \n{plain(item.run)}")
        how.caption(f"{item.status} · {item.utterances} utterances · {plain(', '.join(item.models))}")
        if go.button("Open", key=f"open-{item.run}"):
            st.switch_page("pages/room.py", query_params={"run": item.run})


page()
