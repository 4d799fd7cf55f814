"""What a facilitator can do to a run: pause, step, stop, speak, ask, close or extend the stage, change the judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from conference.domain.events import Intervention
from conference.domain.spec import JudgeSpec, Spec
from conference.errors import PlenaryError
from conference.live import RESUMABLE, LiveRuns, RunState
from pages.components.language import t
from pages.components.shared import plain

GOING: tuple[RunState, ...] = ("running", "pausing")
JUDGES = {
    "llm": "llm: reads what is said",
    "ballot": "ballot: everybody votes in private",
    "none": "none: nobody calls agreement",
}
SAID = "said_problem"


def can_be_steered(state: RunState) -> bool:
    """Whether anything can be done to a run from here."""
    return state in GOING or state in RESUMABLE


def run_buttons(runs: LiveRuns, run: str, state: RunState) -> None:
    """Pause or resume, step and stop; nothing for a run that is over or runs elsewhere."""
    if not can_be_steered(state):
        return
    label = {"running": t("Pause"), "pausing": t("Pausing …")}.get(state, t("Resume"))
    st.button(label, key="pause", on_click=runs.pause if state in GOING else runs.resume, args=(run,), width=120)
    with st.popover(t("Step")):
        st.button(t("One turn"), key="step_turn", on_click=runs.step, args=(run, "turn"), width="stretch")
        st.button(t("One round"), key="step_round", on_click=runs.step, args=(run, "round"), width="stretch")
    with st.popover(t("Stop")):
        st.write(t("The moderator sums up the open stage, and the conference ends. What was said stays."))
        st.button(t("Stop the conference"), key="stop", on_click=_stop, args=(runs, run), type="primary", width="stretch")


def steering(runs: LiveRuns, run: str, state: RunState, spec: Spec, judged: bool) -> None:
    """Speak as moderator, ask one participant, close or extend the stage, change the judge."""
    if not can_be_steered(state):
        return
    if problem := st.session_state.pop(SAID, ""):
        st.error(plain(problem))
    with st.container(key="steering"):
        with st.form("say", clear_on_submit=True, border=False, enter_to_submit=True):
            words, whom, send = st.columns([6, 3, 1.2], vertical_alignment="bottom")
            text = words.text_input(t("Say something as moderator"), max_chars=2000)
            names = [person.name for person in spec.participants]
            to = whom.selectbox(t("To"), ["", *names], format_func=lambda name: name or t("everybody"))
            if send.form_submit_button(t("Say it"), width="stretch") and text.strip():
                _did(runs, run, action="ask" if to else "say", text=text.strip(), to=to)
                st.rerun()
        with st.container(horizontal=True):
            _button(t("Close this stage"), "close_stage", runs, run)
            _button(t("One more round"), "extend_stage", runs, run)
            with st.popover(t("Change the judge")):
                _judge(runs, run, spec, judged)
    if state in RESUMABLE:
        st.caption(t("The conference waits: what you do here takes effect when it goes on."))


def _judge(runs: LiveRuns, run: str, spec: Spec, judged: bool) -> None:
    now = spec.judge.kind if spec.judge and judged else "none"
    with st.form("judge", border=False):
        kind = st.radio(
            t("Judge from the next call on"),
            list(JUDGES),
            index=list(JUDGES).index(now),
            format_func=lambda name: t(JUDGES[name]),
        )
        given = st.text_input(
            t("Threshold (empty: as usual)"), value="" if not spec.judge or spec.judge.threshold is None else f"{spec.judge.threshold:g}",
            help=t("llm: least probability of agreement, 0 to 1. ballot: least gradient anybody may give, 1 to 8."),
        )  # fmt: skip
        if st.form_submit_button(t("Change the judge")):
            try:
                judge = None if kind == "none" else JudgeSpec(kind=kind, threshold=float(given) if given.strip() else None)
            except ValueError:
                least = "0 to 1" if kind == "llm" else "1 to 8"
                st.error(t("The threshold is '{given}'; the judge takes a number from {least}.", given=plain(given), least=least))
                return
            _did(runs, run, action="change_judge", judge=judge)
            st.rerun()


def _button(label: str, action: str, runs: LiveRuns, run: str) -> None:
    does: Callable[..., None] = _did
    st.button(label, key=action, on_click=does, args=(runs, run), kwargs={"action": action})


def _stop(runs: LiveRuns, run: str) -> None:
    _did(runs, run, action="stop")
    if not runs.is_live(run) and not st.session_state.get(SAID):
        runs.resume(run)


def _did(runs: LiveRuns, run: str, **what: Any) -> None:
    try:
        runs.intervene(run, Intervention(seq=0, at="", **what))
    except PlenaryError as error:
        st.session_state[SAID] = str(error)
