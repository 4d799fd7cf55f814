"""Files dropped into the library: checked, every error shown by line, and kept only where nothing is overwritten."""

from __future__ import annotations

import streamlit as st

from conference.errors import PlenaryError
from conference.library import Kind, known_ids
from conference.shelf import check, free_id, id_of, keep, with_id
from pages.components.language import t
from pages.components.mistakes import show_mistakes
from pages.components.shared import plain


def arrivals(kind: Kind) -> None:
    """Draw the place to drop files, and what came of each."""
    turn = st.session_state.get("arrivals_turn", 0)
    dropped = st.file_uploader(
        t("Drop YAML files here"), type=["yaml", "yml"], accept_multiple_files=True, key=f"arrivals-{kind}-{turn}", max_upload_size=1,
    )  # fmt: skip
    for place, file in enumerate(dropped or []):
        with st.container(border=True):
            _arrived(kind, f"{kind}-{turn}-{place}", file.name, file.getvalue().decode("utf-8-sig", errors="replace"))


def _arrived(kind: Kind, key: str, name: str, text: str) -> None:
    st.markdown(f"**{plain(name, 120)}**")
    record, mistakes = check(kind, text)
    if record is None:
        st.caption(t("It can't be used yet; mend the file and drop it again."))
        show_mistakes(mistakes)
        return
    own_id = id_of(record)
    taken = own_id.casefold() in {known.casefold() for known in known_ids(kind)}
    if taken:
        st.caption(t("There is '{id}' already, and nothing is overwritten: give this one another id.", id=plain(own_id)))
    wish = st.text_input(t("Id"), value=free_id(kind, own_id) if taken else own_id, key=f"id-{key}") or ""
    if st.button(t("Add to the library"), key=f"add-{key}", type="primary"):
        wanted = wish.strip()
        try:
            keep(kind, wanted, text if wanted == own_id or kind == "conference" else with_id(text, wanted))
        except PlenaryError as error:
            st.error(plain(str(error)))
            return
        st.session_state["library_notice"] = t("Added {name}.", name=wanted)
        st.session_state["library_open"] = wanted
        st.session_state["arrivals_turn"] = st.session_state.get("arrivals_turn", 0) + 1
        st.rerun()
