"""Home: what this is; one click starts the demo or plays a recording; the ready conferences; recent runs."""

from __future__ import annotations

import streamlit as st

from conference.errors import PlenaryError
from conference.exporters.jsonl import log_lines
from conference.library import CONFERENCES, ids_in, load_spec
from conference.live import MOVING, RESUMABLE, LiveRuns, Recent
from conference.models.known import embedded_model
from conference.playing import recordings
from conference.running import Overrides, check_models, with_overrides
from pages.components.language import choose_language, t
from pages.components.shared import STATES, heading, plain, runs_or_stop

DEMO = "cannabis-regulation"
MODELS = {
    "embedded": "embedded: comes with Plenary, no key needed",
    "scripted": "scripted: no model, answers by rule, to try things out",
}
SHOWN_RUNS = 12
REFRESH_SECONDS = 2.0


def page() -> None:
    """Draw the page."""
    runs = runs_or_stop()
    with st.container(key="home"):
        _home(runs)


def _home(runs: LiveRuns) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        heading("Plenary")
        with st.container(width="content"):
            choose_language()
    st.markdown(
        t(
            "Rehearse a decision conference. A moderator, a table of experts and a judge debate a real question in stages; after every "
            "round the judge calls ● *agreement* or ○ *continue*, and what was talked about is laid beside a real, published conference."
        )
    )
    st.caption(t("Everything said here is simulated. It is a rehearsal, not evidence of what real experts think."))
    demo, recording, own = st.columns(3, gap="medium")
    with demo.container(border=True, height="stretch", key="demo"):
        _demo(runs)
    with recording.container(border=True, height="stretch", key="recordings"):
        _recordings()
    with own.container(border=True, height="stretch", key="own"):
        _own()
    _other(runs)
    _recent(runs)


def _demo(runs: LiveRuns) -> None:
    st.header(t("Run the demo"), anchor=False)
    st.markdown(
        t("Five experts on cannabis regulation, live, on the model that comes with Plenary. About ten minutes on two cores.")
    )
    model = embedded_model()
    if st.button(t("Run the demo"), type="primary", disabled=not model.ready, key="run_demo"):
        _start(runs, DEMO, "embedded")
    if not model.ready:
        st.caption(plain(model.detail))


def _recordings() -> None:
    st.header(t("Watch a recording"), anchor=False)
    st.markdown(t("A conference that was held before, played at 1×, 4×, 16× or at once. It needs no model and no network."))
    found = recordings()
    good = {item.name: item for item in found if not item.problem}
    name = next(iter(good), None)
    if len(good) > 1:
        name = st.selectbox(t("Recording"), list(good), format_func=lambda key: f"{good[key].title} ({key})")
    if st.button(t("Watch a recording"), disabled=name is None, key="watch") and name is not None:
        st.session_state.pop("playback", None)
        st.switch_page("pages/watch.py", query_params={"recording": name})
    if not good:
        st.caption(t("There is none yet. A log exported into data/recordings appears here."))
    for item in found:
        if item.problem:
            st.caption(plain(item.problem))


def _own() -> None:
    st.header(t("Set up your own"), anchor=False)
    st.markdown(t("A question, a table of experts, an agenda: from nothing to a running conference, step by step."))
    if st.button(t("Set up your own"), key="set_up"):
        st.switch_page("pages/set_up.py")


def _other(runs: LiveRuns) -> None:
    with st.expander(t("Start another conference")), st.form("start", border=False):
        left, right = st.columns(2)
        name = left.selectbox(t("Conference"), ids_in(CONFERENCES), format_func=lambda item: item.replace("-", " ").capitalize())
        model = right.selectbox(
            t("Model"), list(MODELS), format_func=lambda item: t(MODELS[item]) if item in MODELS else item, accept_new_options=True,
            help=t("Choose one, or type another: openai:MODEL, anthropic:MODEL, ollama:MODEL, compatible:MODEL@https://HOST/v1"),
        )  # fmt: skip
        if st.form_submit_button(t("Start")) and name and model:
            _start(runs, name, model)


def _start(runs: LiveRuns, name: str, model: str) -> None:
    try:
        spec = with_overrides(load_spec(CONFERENCES / f"{name}.yaml"), Overrides(model=model.strip()))
        check_models(spec)
        run = runs.start(spec)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    st.switch_page("pages/room.py", query_params={"run": run})


def _recent(runs: LiveRuns) -> None:
    st.header(t("Recent runs"), anchor=False)
    _deleted(runs)
    moving = any(item.state in MOVING for item in runs.recent(SHOWN_RUNS))

    @st.fragment(run_every=REFRESH_SECONDS if moving else None, key="recent")
    def listed() -> None:
        found = runs.recent(SHOWN_RUNS)
        if not found:
            st.caption(
                t(
                    "Conferences you run appear here, with how far they are. Each can be opened again, and resumed when it stopped."
                )
            )
        for item in found:
            _run(runs, item)

    listed()


def _run(runs: LiveRuns, item: Recent) -> None:
    summary, (mark, word) = item.summary, STATES[item.state]
    with st.container(border=True, key=f"run-{summary.run}"):
        what, how, do = st.columns([5, 4, 4], vertical_alignment="center")
        origin = t(" · forked from {run}", run=plain(summary.parent)) if summary.parent else ""
        what.markdown(f"**{plain(summary.title, 120)}**  \n:small[{plain(summary.run)}{origin}]")
        cost = t("{tokens} tokens", tokens=f"{summary.tokens:,}")
        how.markdown(f"**{mark} {t(word)}** · {t(item.progress)}  \n:small[{plain(', '.join(summary.models), 120)} · {cost}]")
        with do.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
            if item.state in RESUMABLE and st.button(t("Resume"), key=f"resume-{summary.run}"):
                runs.resume(summary.run)
                st.switch_page("pages/room.py", query_params={"run": summary.run})
            if st.button(t("Open"), key=f"open-{summary.run}"):
                st.switch_page("pages/room.py", query_params={"run": summary.run})
            with st.popover(t("More"), key=f"more-{summary.run}"):
                _more(runs, item)


def _more(runs: LiveRuns, item: Recent) -> None:
    run = item.summary.run
    st.page_link("pages/watch.py", label=t("Play it again"), query_params={"run": run})
    st.page_link("pages/transcript.py", label=t("Fork from one of its turns"), query_params={"run": run})
    st.download_button(
        t("Export the log (JSONL)"), lambda: log_lines(runs.store.log(run).events()), f"{run}.jsonl", "application/jsonl",
        key=f"export-{run}", on_click="ignore",
    )  # fmt: skip
    if item.state not in MOVING:
        sure = st.checkbox(t("I want to delete this run"), key=f"sure-{run}")
        st.button(t("Delete"), key=f"delete-{run}", disabled=not sure, on_click=_delete, args=(runs, run))


def _delete(runs: LiveRuns, run: str) -> None:
    try:
        runs.store.delete_run(run)
        st.session_state["deleted"] = run
    except PlenaryError as error:
        st.session_state["not_deleted"] = str(error)


def _deleted(runs: LiveRuns) -> None:
    """What was just deleted, with the way back."""
    if problem := st.session_state.pop("not_deleted", ""):
        st.error(plain(problem))
    if run := st.session_state.get("deleted", ""):
        with st.container(horizontal=True, vertical_alignment="center", key="undo"):
            st.write(t("Deleted: {run}.", run=plain(run)))
            st.button(t("Undo"), key="undelete", on_click=_undelete, args=(runs, run))


def _undelete(runs: LiveRuns, run: str) -> None:
    runs.store.undelete(run)
    del st.session_state["deleted"]


page()
