"""What all pages share: the store and the runs of this process, and text that can't do harm."""

from __future__ import annotations

import re
from contextlib import suppress

import streamlit as st

from conference.analysis.calls import VERDICT_MARKS, VERDICT_WORDS
from conference.domain.phrase import Phrase
from conference.errors import PlenaryError
from conference.home import database_url, load_environment
from conference.live import LiveRuns, RunState
from conference.store import Store
from pages.components.language import t


@st.cache_resource(on_release=lambda runs: runs.close(), show_spinner=False)
def live_runs() -> LiveRuns:
    """The one object that holds the runs of this process. Raises SetupError when the database can't be opened."""
    load_environment()
    return LiveRuns(Store.open(database_url()))


def runs_or_stop() -> LiveRuns:
    """The runs; without a database the page says in one line what to do, and ends."""
    try:
        return live_runs()
    except PlenaryError as error:
        st.title("Plenary")
        st.error(plain(str(error)))
        st.stop()


def close_runs() -> None:
    """Pause what runs: the server stops."""
    with suppress(Exception):
        live_runs.clear()


STATES: dict[RunState, tuple[str, str]] = {
    "running": ("▶", Phrase("Live")),
    "pausing": ("❚❚", Phrase("Pausing")),
    "elsewhere": ("▶", Phrase("Live, in another process")),
    "paused": ("❚❚", Phrase("Paused")),
    "interrupted": ("⚠", Phrase("Broke off")),
    "finished": ("✓", Phrase("Finished")),
    "failed": ("✕", Phrase("Failed")),
}
"""A mark and words for each state; the mark alone is never shown."""


def heading(text: str) -> None:
    """The page's heading."""
    st.title(plain(text, 160), anchor=False)


def verdict_word(verdict: str) -> str:
    """A verdict with its mark: `● agreement`."""
    return f"{VERDICT_MARKS[verdict]} {t(VERDICT_WORDS[verdict])}"


_JOINER = "\u2060"


def plain(text: str, longest: int = 400) -> str:
    """Text of models, personas and files for a markdown surface: one line, cut to `longest`; nothing in it is markup, formula, link
    or directive."""
    flat = " ".join(text.split())
    cut = flat if len(flat) <= longest else f"{flat[: longest - 1]}…"
    escaped = re.sub(r"([\\`*_{}\[\]()#+\-.!|>~<&=^\"'])", r"\\\1", cut)
    return escaped.replace("$", f"\\${_JOINER}").replace(":", f":{_JOINER}").replace("@", f"@{_JOINER}")
