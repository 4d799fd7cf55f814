"""The question, the options, the published conference beside it."""

from __future__ import annotations

import streamlit as st

from conference.errors import PlenaryError
from conference.library import known_ids, load_reference
from pages.components.language import t
from pages.components.set_up.desk import Desk
from pages.components.shared import plain

TITLE_WORDS = 60


def question(desk: Desk) -> None:
    """Draw the section and take what is typed."""
    draft = desk.draft
    st.header(t("Question"), anchor=False)
    asked = st.text_area(
        t("What is to be decided?"), value=draft.get("question") or "", key=desk.key("question"), height=90,
        placeholder=t("Should we close our smallest branch, and if so, how?"),
    )  # fmt: skip
    before = draft.get("question") or ""
    draft["question"] = (asked or "").strip()
    if draft.get("title") in ("", None, short(before)):
        draft["title"] = short(draft["question"])
        title_key = desk.key("title")
        if draft["question"] != before:
            st.session_state.pop(title_key, None)
    left, right = st.columns([3, 2])
    draft["title"] = (left.text_input(t("Title"), value=draft["title"], key=desk.key("title"), max_chars=200) or "").strip()
    _reference(desk, right)
    typed = st.text_area(
        t("Options, one a line"), value="\n".join(draft.get("options") or []), key=desk.key("options"), height=110,
        help=t("Leave it empty when the table is to find them itself."), placeholder=t("Close it\nShorten its hours\nKeep it as it is"),
    )  # fmt: skip
    draft["options"] = [line.strip() for line in (typed or "").splitlines() if line.strip()]


def short(question: str) -> str:
    """A title made of a question."""
    flat = " ".join(question.split()).rstrip("?. ")
    return flat if len(flat) <= TITLE_WORDS else flat[:TITLE_WORDS].rpartition(" ")[0] + " …"


def _reference(desk: Desk, place: st.delta_generator.DeltaGenerator) -> None:
    draft = desk.draft
    known = known_ids("reference")
    now = draft.get("reference")
    offered = [*known, *([now] if now and now not in known else [])]
    chosen = place.selectbox(
        t("Published conference to compare with"), offered, index=offered.index(now) if now else None, key=desk.key("reference"),
        format_func=_title, placeholder=t("None"), help=t("What was raised here is laid beside what was raised there."),
    )  # fmt: skip
    draft["reference"] = chosen
    if chosen is None:
        draft.pop("reference", None)


def _title(name: str) -> str:
    try:
        return plain(load_reference(name).title, 90).replace("\\", "")
    except PlenaryError:
        return name
