"""Set up: from a blank question to a conference that can start; form and YAML are two views of one draft."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from conference.domain.spec import Spec
from conference.drafts import draft_from
from conference.errors import PlenaryError
from conference.live import LiveRuns
from pages.components.language import t
from pages.components.set_up.agenda import agenda
from pages.components.set_up.casting import collect
from pages.components.set_up.desk import Desk, desk
from pages.components.set_up.past import Past, begin_fork, past_named, past_shown
from pages.components.set_up.question import question
from pages.components.set_up.ready import ready
from pages.components.set_up.seats import seats
from pages.components.set_up.settings import judge, limits, models
from pages.components.set_up.sheet import broken, files, sheet
from pages.components.shared import heading, plain, runs_or_stop

STYLE = Path(__file__).parent / "components" / "set_up" / "set_up.css"


def page() -> None:
    """Draw the page."""
    runs = runs_or_stop()
    work = desk()
    past = _past(runs, work)
    collect(work)
    heading(t("Set up"))
    st.html(STYLE)
    _notices(work)
    if past is not None:
        past_shown(past)
    views = {"form": t("Form"), "yaml": t("YAML")}
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="setup-bar"):
        # what a button asked for comes first: once the control is drawn, its value can't be set
        st.session_state["setup_view"] = st.session_state.pop("setup_view_next", st.session_state.get("setup_view", "form"))
        view = st.segmented_control(
            t("View"), list(views), format_func=views.__getitem__, key="setup_view", label_visibility="collapsed", required=True
        )
        files(work)
    left, right = st.columns([7, 3], gap="large")
    with left:
        if view == "yaml":
            sheet(work)
        elif work.broken:
            broken(work)
        else:
            _form(work, fixed=past is not None)
    with right.container(key="ready"):
        ready(work, runs, lambda spec: _start(runs, spec, past))
    try:
        work.save()
    except PlenaryError as error:
        st.error(plain(str(error)))


def _form(work: Desk, *, fixed: bool) -> None:
    question(work)
    seats(work, fixed=fixed)
    agenda(work, fixed=fixed)
    judge(work)
    models(work)
    limits(work)


def _notices(work: Desk) -> None:
    for kind, text in work.notices:
        (st.success if kind == "good" else st.warning)(plain(text))
    work.notices.clear()


def _past(runs: LiveRuns, work: Desk) -> Past | None:
    """What is fixed when a run is forked; its spec fills the draft once."""
    try:
        past = past_named(runs)
        if past is not None and st.session_state.get("forked") != (past.run, past.at, work.id):
            work.take(draft_from(past.spec))
            st.session_state["forked"] = (past.run, past.at, work.id)
    except PlenaryError as error:
        work.notices.append(("bad", str(error)))
        return None
    return past


def _start(runs: LiveRuns, spec: Spec, past: Past | None) -> None:
    run = runs.start(spec) if past is None else begin_fork(runs, past, spec)
    st.switch_page("pages/room.py", query_params={"run": run})


page()
