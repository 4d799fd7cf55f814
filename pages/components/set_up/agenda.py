"""The agenda, as a table that is filled from a template."""

from __future__ import annotations

from typing import Any

import streamlit as st

from conference.drafts import agendas
from pages.components.language import t
from pages.components.set_up.desk import Desk

COLUMNS = ("name", "question", "min_rounds", "max_rounds", "settles", "turns", "purpose", "rounds_without_judge")
NUMBERS = ("min_rounds", "max_rounds", "rounds_without_judge")


def template_name(name: str) -> str:
    """A template, in words."""
    return {
        "three-stages": t("Three stages: concerns, options, way forward"),
        "decision-conference": t("Decision conference: issues, model, exploration, way forward"),
        "criteria-workshop": t("Criteria workshop: collect, sort, weigh"),
    }.get(name, name)


def agenda(desk: Desk, *, fixed: bool = False) -> None:
    """Draw the section and take what is edited. `fixed`: no template is offered."""
    st.header(t("Agenda"), anchor=False)
    if not fixed:
        _templates(desk)
    # what the editor returns is never given back to it: it begins from the same rows until the draft changes elsewhere
    key = desk.key("agenda")
    if key not in st.session_state or f"{key}-rows" not in st.session_state:
        st.session_state[f"{key}-rows"] = _rows(desk.draft.get("agenda") or [])
    edited = st.data_editor(
        st.session_state[f"{key}-rows"], key=key, num_rows="dynamic", hide_index=True, width="stretch", column_config=_columns(),
        alt=t("The stages of the agenda, one a row"),
    )  # fmt: skip
    desk.draft["agenda"] = _stages(edited, desk.draft.get("agenda") or [])
    st.caption(
        t("A stage ends when the judge calls agreement, not before its least rounds, and at the latest after its most rounds.")
    )


def _templates(desk: Desk) -> None:
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    known = agendas()
    chosen = left.selectbox(t("Template"), list(known), key=desk.key("template"), format_func=template_name)
    now = desk.draft.get("agenda") or []
    if right.button(
        t("Use this template"), key="use_template", disabled=chosen is None or now == known.get(chosen), width="stretch"
    ):
        desk.draft["agenda"] = known[chosen]
        desk.revision += 1
        st.rerun()


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "name": column.TextColumn(t("Stage"), required=True, width=110, max_chars=120),
        "question": column.TextColumn(t("Question put to the table"), width=270),
        "purpose": column.TextColumn(t("Purpose"), width="medium"),
        "settles": column.SelectboxColumn(t("Settles"), options=["proposal", "concerns"], default="proposal", width=85,
                                          help=t("A list of concerns, or one proposal.")),
        "turns": column.SelectboxColumn(t("Turns"), options=["round_robin", "moderated", "sparse"], default="round_robin", width=105,
            help=t("round_robin: everybody in drawn order; moderated: who was addressed first; sparse: who has nothing new passes.")),
        "min_rounds": column.NumberColumn(t("Least rounds"), min_value=1, step=1, default=1, width=85),
        "max_rounds": column.NumberColumn(t("Most rounds"), min_value=1, step=1, default=3, width=85),
        "rounds_without_judge": column.NumberColumn(t("Rounds if nobody judges"), min_value=1, step=1, width="small"),
    }  # fmt: skip


def _rows(stages: list[dict[str, Any]]) -> Any:
    import pandas as pd

    frame = pd.DataFrame([{name: stage.get(name) for name in COLUMNS} for stage in stages], columns=list(COLUMNS))
    for name in NUMBERS:
        frame[name] = pd.to_numeric(frame[name], errors="coerce").astype("Int64")
    defaults = {
        "settles": "proposal",
        "turns": "round_robin",
        "min_rounds": 1,
        "max_rounds": 3,
        "question": "",
        "purpose": "",
        "name": "",
    }
    return frame.astype({name: "object" for name in COLUMNS if name not in NUMBERS}).fillna(defaults)


def _stages(frame: Any, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows as stages; what a stage said that is no default stays said."""
    found = []
    for place, row in enumerate(frame.to_dict("records")):
        stage = {
            name: value for name, value in row.items() if value is not None and value == value and str(value) not in ("", "<NA>")
        }
        stage |= {name: int(stage[name]) for name in NUMBERS if name in stage}
        if stage.get("name") or stage.get("question"):
            old = before[place] if place < len(before) else {}
            defaults = {"settles": "proposal", "turns": "round_robin", "min_rounds": 1, "max_rounds": 3}
            told = {name: value for name, value in stage.items() if name in old or defaults.get(name) != value}
            others = {name: value for name, value in old.items() if name not in COLUMNS}
            found.append({**told, **others})
    return found
