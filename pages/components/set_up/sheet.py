"""The draft as YAML, and as files: load, save, take up another draft."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from conference.domain.reading import MAX_BYTES
from conference.drafts import drop_draft, kept_drafts
from conference.errors import PlenaryError
from conference.library import known_ids
from conference.shelf import free_id, item, keep, slug
from pages.components.language import t
from pages.components.mistakes import show_mistakes
from pages.components.set_up.desk import Desk, new_desk
from pages.components.shared import plain

SHOWN_DRAFTS = 8


def sheet(desk: Desk) -> None:
    """Draw the YAML and take what is typed. What is wrong stands in the check list beside it, by line."""
    typed = st.text_area(
        t("The spec as YAML"), value=desk.yaml(), key=desk.key("yaml"), height=640,
        help=t("The same conference as in the form; what you change here stands there."),
    )  # fmt: skip
    if typed is not None and typed != desk.yaml():
        revision = desk.revision
        desk.take_text(typed)
        desk.revision = revision  # the field holds what was typed; the form's fields aren't there now
    if desk.broken:
        st.caption(t("The form can't show this text; it is kept as it is until you mend it."))


def broken(desk: Desk) -> None:
    """In place of the form: there is a text it can't show."""
    _, mistakes = desk.checked()
    st.warning(t("The YAML text can't be shown as a form."))
    show_mistakes(mistakes)
    with st.container(horizontal=True):
        if st.button(t("Mend it in the YAML"), type="primary", key="mend"):
            st.session_state["setup_view_next"] = "yaml"
            st.rerun()
        if st.button(t("Drop the text and go back to the form"), key="drop_text"):
            desk.take(desk.draft)
            st.rerun()


def files(desk: Desk) -> None:
    """Load, save, begin anew."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            t("Save as a file"), desk.yaml, file_name=f"{slug(str(desk.draft.get('title') or 'conference'))}.yaml", mime="application/yaml",
            key="download", on_click="ignore",
        )  # fmt: skip
        with st.popover(t("Load"), key="load"):
            _load(desk)
        with st.popover(t("Keep in the library"), key="to_library"):
            _to_library(desk)
        if st.button(t("New"), key="new", help=t("This draft is kept and can be loaded again.")):
            new_desk()
            st.rerun()


def _load(desk: Desk) -> None:
    dropped = st.file_uploader(t("A spec file"), type=["yaml", "yml"], key=desk.key("upload"), max_upload_size=1)
    if dropped is not None:
        raw = dropped.getvalue()
        if len(raw) > MAX_BYTES:
            desk.notices.append(("bad", t("the file has more than 1 MB; shorten it")))
        else:
            desk.take_text(raw.decode("utf-8-sig", errors="replace"))
            if desk.broken:
                st.session_state["setup_view_next"] = "yaml"
            desk.notices.append(("good", t("Loaded {name}.", name=dropped.name[:80])))
        desk.revision += 1
        st.rerun()
    chosen = st.selectbox(
        t("A conference of the library"), known_ids("conference"), index=None, key=desk.key("conference"), placeholder=t("Choose"),
    )  # fmt: skip
    if chosen is not None:
        desk.take_text(item("conference", chosen).text)
        desk.notices.append(("good", t("Loaded {name}.", name=chosen)))
        st.rerun()
    others = [kept for kept in kept_drafts() if kept.id != desk.id][:SHOWN_DRAFTS]
    if others:
        st.markdown(f"**{t('Earlier drafts')}**")
    for kept in others:
        left, right = st.columns([4, 1], vertical_alignment="center")
        when = datetime.fromtimestamp(kept.changed).strftime("%Y-%m-%d %H:%M")
        if left.button(f"{plain(kept.title, 60) or t('Untitled')} · {when}", key=f"draft-{kept.id}", type="tertiary"):
            st.query_params["draft"] = kept.id
            st.rerun()
        if right.button("✕", key=f"drop-{kept.id}", help=t("Delete this draft for good"), type="tertiary"):
            drop_draft(kept.id)
            st.rerun()


def _to_library(desk: Desk) -> None:
    name = (
        st.text_input(
            t("Id"), value=free_id("conference", str(desk.draft.get("title") or "conference")), key=desk.key("library-id")
        )
        or ""
    )
    if st.button(t("Keep"), key="keep_conference"):
        try:
            keep("conference", name.strip(), desk.yaml())
        except PlenaryError as error:
            st.error(plain(str(error)))
        else:
            st.success(t("Kept as {name}.", name=plain(name)))
