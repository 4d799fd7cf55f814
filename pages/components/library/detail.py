"""One thing of the library: its card, and what can be done with it."""

from __future__ import annotations

import streamlit as st

from conference.domain.persona import Persona
from conference.domain.reference import Reference
from conference.domain.spec import Spec
from conference.drafts import as_written, keep_draft, new_id, yaml_text
from conference.errors import PlenaryError
from conference.shelf import Item, check, free_id, id_of, keep, remove, with_id
from pages.components.cards import conference_card, persona_card, reference_card
from pages.components.language import t
from pages.components.mistakes import show_mistakes
from pages.components.persona_form import persona_fields
from pages.components.shared import plain


def detail(item: Item) -> None:
    """Draw it, with the ways to copy, change, take along and remove."""
    st.header(plain(item.id), anchor=False)
    st.caption(t("Yours") if item.own else t("Comes with Plenary: it stays as it is; a copy can be changed."))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            t("Export"), item.text, file_name=f"{item.id}.yaml", mime="application/yaml", key="export", on_click="ignore"
        )
        with st.popover(t("Duplicate"), key="duplicate"):
            _duplicate(item)
        if item.kind == "conference" and st.button(t("Set up from this"), type="primary", key="use"):
            _set_up(item)
        if item.own and st.button(t("Delete"), key="delete", help=t("It can be brought back at once.")):
            _delete(item)
    if item.mistakes:
        show_mistakes(item.mistakes)
    match item.record:
        case Persona() as persona:
            st.markdown(persona_card(persona))
        case Reference() as reference:
            reference_card(reference)
        case Spec() as spec:
            conference_card(spec)
        case None:
            pass
    if item.own:
        _edit(item)
    else:
        with st.expander(t("As YAML"), key="source"):
            st.code(item.text, language="yaml")


def _duplicate(item: Item) -> None:
    wish = st.text_input(t("Id of the copy"), value=free_id(item.kind, item.id), key=f"copy-{item.kind}-{item.id}") or ""
    if st.button(t("Make a copy"), key="copy"):
        text = item.text if item.kind == "conference" else with_id(item.text, wish.strip())
        _keep(item, wish.strip(), text, replace=False)


def _edit(item: Item) -> None:
    st.header(t("Edit"), anchor=False)
    key = f"edit-{item.kind}-{item.id}-{hash(item.text)}"
    views = {"form": t("Form"), "yaml": t("YAML")}
    view = "yaml"
    if isinstance(item.record, Persona):
        view = st.segmented_control(
            t("Edit as"), list(views), default="form", format_func=views.__getitem__, key=f"{key}-view", label_visibility="collapsed",
            required=True,
        ) or "form"  # fmt: skip
    if view == "form" and isinstance(item.record, Persona):
        changed = persona_fields(item.record, key, [])
        text = item.text if changed == as_written(item.record) else yaml_text(changed)
    else:
        text = st.text_area(t("The file"), value=item.text, key=f"{key}-text", height=420) or ""
    record, mistakes = check(item.kind, text)
    show_mistakes(mistakes)
    wrong_id = record is not None and item.kind != "conference" and id_of(record) != item.id
    if wrong_id:
        st.markdown(f"✕ {t('The id is the name of the file and stays {id}; duplicate it for another id.', id=plain(item.id))}")
    if st.button(t("Save"), key="save", type="primary", disabled=record is None or wrong_id or text == item.text):
        _keep(item, item.id, text, replace=True)


def _keep(item: Item, name: str, text: str, *, replace: bool) -> None:
    try:
        keep(item.kind, name, text, replace=replace)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    st.session_state["library_notice"] = t("Saved {name}.", name=name)
    st.session_state["library_open"] = name
    st.rerun()


def _delete(item: Item) -> None:
    try:
        remove(item.kind, item.id)
    except PlenaryError as error:
        st.error(plain(str(error)))
        return
    st.session_state["library_removed"] = (item.kind, item.id)
    st.query_params.pop("item", None)
    st.rerun()


def _set_up(item: Item) -> None:
    draft = new_id()
    keep_draft(draft, item.text)
    st.session_state.pop("desk", None)
    st.switch_page("pages/set_up.py", query_params={"draft": draft})
