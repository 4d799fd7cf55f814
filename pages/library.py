"""Library: personas, references and conferences, those that come with Plenary and one's own."""

from __future__ import annotations

import streamlit as st

from conference.domain.persona import Persona
from conference.errors import PlenaryError
from conference.library import Kind
from conference.shelf import KINDS, Item, items, put_back
from pages.components.language import t, tn
from pages.components.library.arrivals import arrivals
from pages.components.library.detail import detail
from pages.components.shared import heading, plain


def page() -> None:
    """Draw the page."""
    heading(t("Library"))
    words: dict[Kind, str] = {"persona": t("Personas"), "reference": t("References"), "conference": t("Conferences")}
    asked = st.query_params.get("kind", "persona")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind: Kind = st.segmented_control(
            t("Shelf"), list(KINDS), default=asked if asked in KINDS else "persona", format_func=words.__getitem__, key="library_kind",
            label_visibility="collapsed", required=True,
        ) or "persona"  # fmt: skip
        with st.popover(t("Import"), key="import"):
            arrivals(kind)
    if kind != asked:
        st.query_params["kind"] = kind
        st.query_params.pop("item", None)
    _notices()
    try:
        found = items(kind)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    left, right = st.columns([4, 7], gap="large")
    with left:
        chosen = _browse(kind, found)
    with right:
        if chosen is None:
            st.caption(t("Choose one on the left to see its card. A copy of it, or a file you import, is yours to change."))
        else:
            detail(chosen)


def _notices() -> None:
    said = st.session_state.pop("library_notice", "")
    if said:
        st.success(plain(said))
    opened = st.session_state.pop("library_open", "")
    if opened:
        st.query_params["item"] = opened
    removed = st.session_state.get("library_removed")
    if removed is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="removed"):
        st.markdown(t("Deleted {name}.", name=plain(removed[1])))
        if st.button(t("Undo"), key="undo"):
            try:
                put_back(*removed)
            except PlenaryError as error:
                st.error(plain(str(error)))
                return
            st.session_state.pop("library_removed")
            st.session_state["library_open"] = removed[1]
            st.rerun()


def _browse(kind: Kind, found: list[Item]) -> Item | None:
    words = (
        (st.text_input(t("Search"), key=f"search-{kind}", placeholder=t("A name, a role, a word of the text")) or "")
        .casefold()
        .split()
    )
    shown = [item for item in found if all(word in f"{item.id} {item.text}".casefold() for word in words)]
    st.caption(tn("{n} found", "{n} found", n=len(shown)))
    if not shown:
        st.caption(t("Nothing here has these words. Search for others, or import a file."))
    opened = st.query_params.get("item", "")
    with st.container(height=620 if len(shown) > 9 else "content", border=False, key="shelf", gap="small"):
        for item in shown:
            label = f"{'▸ ' if item.id == opened else ''}{'✕ ' if item.record is None else ''}{plain(_label(item), 90)}"
            if st.button(label + (f" · {t('yours')}" if item.own else ""), key=f"open-{kind}-{item.id}", type="tertiary"):
                st.query_params["item"] = item.id
                st.rerun()
    return next((item for item in found if item.id == opened), None)


def _label(item: Item) -> str:
    if isinstance(item.record, Persona):
        return f"{item.record.name}, {item.record.role}"
    return item.record.title if item.record is not None else item.id


page()
