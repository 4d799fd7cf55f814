"""A fork's past, which is fixed, and the moderator's next line (`?fork=RUN&at=SEQ`)."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from conference.domain.events import Intervention, Utterance
from conference.domain.spec import Spec
from conference.errors import UserError
from conference.floor import fold
from conference.live import LiveRuns
from pages.components.language import t
from pages.components.shared import plain


@dataclass(frozen=True)
class Past:
    """What a fork begins with: the run's events up to `at`."""

    run: str
    at: int
    spec: Spec
    """What was being held then."""
    last: str
    """The last words said."""


def past_named(runs: LiveRuns) -> Past | None:
    """The past the address names; None when it names none. Raises UserError or UnknownName when there is none such."""
    run, at = st.query_params.get("fork", ""), st.query_params.get("at", "")
    if not run:
        return None
    if not (at.isascii() and at.isdecimal() and len(at) < 10):
        raise UserError(f"the turn to fork at is '{at}'; choose one on the Transcript page")
    seen = runs.watch.look(run)
    events = [event for event in seen.events if event.seq <= int(at)] if seen else []
    if not events or events[-1].seq != int(at):
        raise UserError(f"run {run} has no event {at}; choose a turn on the Transcript page")
    said = [event for event in events if isinstance(event, Utterance | Intervention) and event.text]
    name = getattr(said[-1], "speaker", "") or getattr(said[-1], "by", "") if said else ""
    return Past(run, int(at), fold(events).spec, f"{name}: {said[-1].text}" if said else "")


def past_shown(past: Past) -> None:
    """What is fixed, and what the moderator says first."""
    with st.container(border=True, key="past"):
        st.markdown(t("**Fork of {run}**: everything up to event {at} stays as it was.", run=plain(past.run), at=past.at))
        if past.last:
            st.caption(t("Said last: {words}", words=plain(past.last, 300)))
        st.caption(
            t("Stages that were begun keep their names. All else below may be changed: people, judge, models, what is to come.")
        )
        st.text_input(t("The moderator's next line (may stay empty)"), key="fork_line", max_chars=2000)


def begin_fork(runs: LiveRuns, past: Past, spec: Spec) -> str:
    """The fork, under way. Raises UserError when past and spec don't go together."""
    run = runs.fork(past.run, past.at, spec, str(st.session_state.get("fork_line", "")))
    runs.resume(run)
    return run
