"""The form of a human whose turn it is."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from conference.domain.human import Asked, HumanTurn
from conference.domain.position import Stance
from conference.domain.spec import Spec
from conference.live import LiveRuns
from pages.components.language import t
from pages.components.shared import plain

GRADIENTS = {
    8: "8 wholehearted", 7: "7 good", 6: "6 I can live with it", 5: "5 mixed", 4: "4 doubtful", 3: "3 against", 2: "2 strongly against",
    1: "1 veto",
}  # fmt: skip
STANCES: dict[Stance, str] = {"support": "I accept it", "undecided": "I am undecided", "oppose": "I don't accept it"}
assert set(STANCES) == set(get_args(Stance))


def human_seat(runs: LiveRuns, run: str, spec: Spec, asked: Asked) -> None:
    """Say whose turn it is, and take it. A form that comes too late says so and loses no words."""
    with st.container(border=True, key="human_seat"):
        what = (
            t("Your ballot, {name}", name=plain(asked.name))
            if asked.act == "ballot"
            else t("Your turn, {name}", name=plain(asked.name))
        )
        st.subheader(what, anchor=False)
        if asked.proposal:
            st.markdown(t("**On the table:** {proposal}", proposal=plain(asked.proposal, 2000)))
        with st.form(f"human-{asked.seq}", border=False, enter_to_submit=False):
            turn, sent = (
                _ballot() if asked.act == "ballot" else _participant(spec, asked) if asked.act == "turn" else _moderator(asked)
            )
        if sent:
            if runs.answer(run, asked.seq, turn):
                st.rerun()
            st.warning(t("This turn was taken already, perhaps in another window. Your words are still here to copy."))


def _ballot() -> tuple[HumanTurn, bool]:
    gradient = st.select_slider(
        t("How far do you agree?"),
        [None, *sorted(GRADIENTS)],
        format_func=lambda value: t(GRADIENTS[value]) if value else t("no answer"),
    )
    condition = st.text_input(t("What would have to change? (may stay empty)"))
    return HumanTurn(gradient=gradient, condition=condition), st.form_submit_button(t("Cast the ballot"), type="primary")


def _participant(spec: Spec, asked: Asked) -> tuple[HumanTurn, bool]:
    text = st.text_area(t("What do you say?"), height=110, placeholder=t("Leave it empty to pass."))
    stance: Stance | None = None
    if asked.proposal:
        stance = st.segmented_control(t("What is on the table"), list(STANCES), format_func=lambda value: t(STANCES[value]))
    condition = st.text_input(t("I could accept it if … (may stay empty)"))
    with st.expander(t("Propose something else")):
        proposal = st.text_area(t("Your proposal"), height=80)
        option = st.selectbox(
            t("It is a form of the option"), ["", *spec.options], format_func=lambda value: value or t("none of them")
        )
    turn = HumanTurn(text=text, stance=stance, condition=condition, proposal=proposal, option=option)
    return turn, st.form_submit_button(t("Say it"), type="primary")


def _moderator(asked: Asked) -> tuple[HumanTurn, bool]:
    text = st.text_area(
        t("What do you say?"), value=asked.suggestion, height=150, help=t("A suggestion stands here; change it as you like.")
    )
    proposal = asked.proposal
    if asked.act != "close":
        proposal = st.text_area(
            t("On the table from now on"), value=asked.proposal, height=80, help=t("What the participants are asked to agree on.")
        )
    return HumanTurn(text=text, proposal=proposal), st.form_submit_button(t("Say it"), type="primary")
