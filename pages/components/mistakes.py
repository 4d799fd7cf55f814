"""What is wrong with a file, by line."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from conference.domain.mistakes import Mistake
from pages.components.language import t
from pages.components.shared import plain


def show_mistakes(mistakes: Sequence[Mistake]) -> None:
    """A line each, with the number of the file's line where one can be named."""
    if mistakes:
        st.markdown("\n".join(f"- ✕ {mistake_line(mistake)}" for mistake in mistakes))


def mistake_line(mistake: Mistake) -> str:
    """One mistake, on a markdown surface."""
    where = f"**{t('line {line}', line=mistake.line)}** · " if mistake.line else ""
    return f"{where}{plain(mistake.text)}"
