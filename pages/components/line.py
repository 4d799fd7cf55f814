"""Ways to a line of the transcript."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from pages.components.language import t
from pages.components.run import turn_link
from pages.components.shared import plain


def line_address(run: str, seq: int) -> str:
    """The address of a line, from any page."""
    return f"transcript?{urlencode({'run': run, 'seq': seq})}"


def line_link(run: str, seq: int, quote: str, lead: str = "") -> None:
    """A quote as it was said, with the way to its line."""
    with st.container(gap=None):
        text = f"“{plain(quote, 420)}”"
        st.markdown(f"{plain(lead, 200)}: {text}" if lead else text)
        turn_link(run, seq, t("line {number}", number=seq))


def line_named(run: str, seq: int, lead: str) -> None:
    """What somebody did in a line, with the way to it on the same row."""
    with st.container(horizontal=True, vertical_alignment="center", gap=None):
        st.markdown(plain(lead, 200), width="content")
        turn_link(run, seq, t("line {number}", number=seq))
