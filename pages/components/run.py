"""The run a page is about: named by the address (`?run=…`), with the ways to its other views."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from conference.errors import PlenaryError
from conference.live import LiveRuns, RunState
from conference.watching import Seen
from pages.components.language import t
from pages.components.shared import heading, plain, runs_or_stop

VIEWS = {
    "room": ("pages/room.py", "Room"), "transcript": ("pages/transcript.py", "Transcript"),
    "agreement": ("pages/agreement.py", "Agreement"), "coverage": ("pages/coverage.py", "Coverage"),
    "forked": ("pages/forked.py", "Beside its parent"),
}  # fmt: skip


@dataclass(frozen=True)
class Chosen:
    """The run a page shows."""

    runs: LiveRuns
    run: str
    title: str
    state: RunState
    seen: Seen | None
    """None while its log is empty, and when it wasn't looked at."""


def chosen_run(page: str, nothing: str, *, look: bool = True) -> Chosen:
    """The run the address names, or the one this tab looked at last; without one the page says `nothing` and ends.

    `page` is a key of VIEWS. Without `look` the log isn't read: a page that pages through it has no need of the whole.
    """
    run = st.query_params.get("run", "") or st.session_state.get("last_run", "")
    if not run:
        _end(page, nothing, t("Start or open one on Home"))
    runs = runs_or_stop()
    try:
        found = Chosen(runs, run, runs.store.run(run).title, runs.state(run), runs.watch.look(run) if look else None)
    except PlenaryError as error:
        st.session_state.pop("last_run", None)
        _end(page, str(error), t("Choose a run on Home"), wrong=True)
    st.session_state["last_run"] = st.query_params["run"] = run
    return found


def views(page: str, run: str) -> None:
    """Links to the other views of this run; a fork can also be laid beside its parent."""
    fork = runs_or_stop().store.run(run).parent is not None
    with st.container(horizontal=True, key="views"):
        for name, (path, label) in VIEWS.items():
            if name != page and (fork or name != "forked"):
                st.page_link(path, label=t(label), query_params={"run": run})


def fork_link(run: str, seq: int) -> None:
    """A way to another future of this run after event `seq`."""
    st.page_link("pages/set_up.py", label=t("Fork here"), query_params={"fork": run, "at": str(seq)})


def turn_link(run: str, seq: int, label: str) -> None:
    """A way to event `seq` in the transcript. `label` is drawn as markdown: hostile text goes through `plain` first."""
    st.page_link("pages/transcript.py", label=label, query_params={"run": run, "seq": str(seq)})


def _end(page: str, text: str, way_on: str, *, wrong: bool = False) -> None:
    heading(t(VIEWS[page][1]))
    if wrong:
        st.error(plain(text))
    else:
        st.write(text)
    st.page_link("pages/home.py", label=way_on)
    st.stop()
