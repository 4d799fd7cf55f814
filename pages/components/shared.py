"""What all pages share: the store and the runs of this process, and text that can't do harm."""

from __future__ import annotations

import re

import streamlit as st

from conference.home import database_url, load_environment
from conference.live import LiveRuns
from conference.store import Store


@st.cache_resource(on_release=lambda runs: runs.close(), show_spinner=False)
def live_runs() -> LiveRuns:
    """The one object that holds the runs of this process."""
    load_environment()
    return LiveRuns(Store.open(database_url()))


_JOINER = "\u2060"


def plain(text: str) -> str:
    """Text of models, personas and files for a markdown surface: nothing in it is markup, a formula or a directive."""
    escaped = re.sub(r"([\\`*_{}\[\]()#+\-.!|>~<])", r"\\\1", text)
    return escaped.replace("$", f"\\${_JOINER}").replace(":", f":{_JOINER}")
