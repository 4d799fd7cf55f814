"""The words behind a cell: what raises a cluster or criterion, in which stage, and who said it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from conference.analysis.people import Person
from conference.analysis.raised import Counted, Raising, behind
from pages.components.choice import choice
from pages.components.covering import key_of
from pages.components.language import t, tn
from pages.components.line import line_link
from pages.components.shared import plain

FIRST_QUOTES, MORE_QUOTES = 4, 20


def draw_quotes(
    run: str, raisings: Sequence[Raising], rows: Sequence[Counted], stages: Sequence[str], people: Sequence[Person]
) -> tuple[str, int | None]:
    """The choices and the words they lead to; the key of the row that is looked into, and the stage (0-based)."""
    keys: dict[str, Counted] = {}
    for row in rows:
        keys.setdefault(key_of(row), row)
    about = choice(t("Cluster or criterion"), ["", *keys], "about", lambda key: _row_named(keys.get(key)))
    numbers, names = [str(at) for at in range(1, len(stages) + 1)], list(dict.fromkeys(person.name for person in people))
    one, two = st.columns(2)
    with one:
        stage = choice(
            t("Stage"), ["", *numbers], "stage", lambda key: f"{key}. {stages[int(key) - 1]}" if key else t("All stages")
        )
    with two:
        who = choice(t("Said by"), ["", *names], "who", lambda key: key[:60] or t("Everybody"))
    row, at = keys.get(about), int(stage) - 1 if stage else None
    chosen = behind(raisings, cluster=row.cluster if row else "", criterion=row.criterion if row else "", stage=at, who=who)
    st.caption(tn("{n} utterance", "{n} utterances", n=len(chosen)))
    more = f"more/{about}/{stage}/{who}"
    shown = st.session_state.get(more, FIRST_QUOTES)
    for each in chosen[:shown]:
        _quote(run, each)
    if len(chosen) > shown:
        st.button(t("Show more"), key="more", on_click=_show_more, args=(more, shown + MORE_QUOTES))
    return about, at


def _quote(run: str, raising: Raising) -> None:
    with st.container(border=True, gap="small", key=f"quote-{raising.seq}"):
        raised = t("raises: {criteria}", criteria=", ".join(plain(name, 60) for name in raising.criteria))
        st.markdown(f"**{plain(raising.person.initials)} {plain(raising.person.name, 60)}** :small[{raised}]")
        line_link(run, raising.seq, raising.text)


def _show_more(key: str, number: int) -> None:
    st.session_state[key] = number


def _row_named(row: Counted | None) -> str:
    if row is None:
        return t("Everything")
    return f"– {row.criterion[:80]}" if row.criterion else row.cluster[:80]
