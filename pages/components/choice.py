"""A choice that stands in the address, so that the view it leads to is a link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st


def choice(label: str, options: Sequence[str], key: str, shown: Callable[[str], str], visibility: str = "visible") -> str:
    """One of `options`, chosen here, by `choose` or by the address (`?key=option`); the first when none was."""
    kept = st.session_state.get(key, st.query_params.get(key, ""))
    st.session_state[key] = kept if kept in options else options[0]
    chosen = st.selectbox(label, options, key=key, format_func=shown, label_visibility=visibility)  # type: ignore[arg-type]
    if chosen != options[0]:
        st.query_params[key] = chosen
    elif key in st.query_params:
        del st.query_params[key]
    return str(chosen)


def choose(key: str, option: str) -> None:
    """Choose from a click elsewhere on the page; only before `choice` draws, as in a callback."""
    st.session_state[key] = option
