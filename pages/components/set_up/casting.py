"""A table suggested, somebody written from one sentence, twins told of: work that is done beside the page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import streamlit as st

from conference.analysis.nearness import Near
from conference.casting import Written, suggested, twins_of, without_other_questions, write_persona, write_table
from conference.domain.persona import Persona
from pages.components.background import POLL_SECONDS, embedder, errands
from pages.components.language import t, tn
from pages.components.set_up.desk import Desk, add_person, table
from pages.components.shared import plain

SEATS = 5


def suggest_a_table(desk: Desk, library: list[Persona]) -> None:
    """Two ways to a whole table, offered while it is empty."""
    if desk.draft.get("participants"):
        return
    question, options = desk.draft.get("question") or "", list(desk.draft.get("options") or [])
    st.caption(t("Nobody sits here yet. Let a table be suggested, or seat people one by one below."))
    with st.container(horizontal=True):
        busy = "table" in desk.errands
        if st.button(t("Suggest a table from the library"), type="primary", disabled=busy or not question, key="suggest"):
            desk.errands["table"] = errands().run(lambda: _nearest(question, library, options))
        if st.button(t("Let the model write a table"), disabled=busy or not question, key="write_table"):
            model = model_of(desk)
            desk.errands["table"] = errands().run(lambda: write_table(question, options, model, SEATS))
    if not question:
        st.caption(t("Write the question first; it says who should be heard."))
    _wait(desk, "table", t("Looking for a table … the model may take some minutes."))


async def _nearest(question: str, library: list[Persona], options: Sequence[str]) -> list[Any]:
    found = await asyncio.to_thread(lambda: suggested(question, library, embedder(), SEATS))
    return [without_other_questions(person, options) for person in found]


def add_somebody(desk: Desk) -> None:
    """One sentence, and a persona is written from it."""
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    sentence = left.text_input(
        t("Or write somebody new, from one sentence"), key=desk.key("sentence"), max_chars=600,
        placeholder=t("A pensioner who does everything at the counter and has no smartphone"),
    )  # fmt: skip
    busy = "persona" in desk.errands
    if right.button(t("Write this persona"), key="write_persona", disabled=busy or not (sentence or "").strip(), width="stretch"):
        people = table(desk)
        question, options, model = desk.draft.get("question") or "", list(desk.draft.get("options") or []), model_of(desk)
        taken, names = [person.id for person in people], [person.name for person in people]
        desk.errands["persona"] = errands().run(lambda: write_persona(sentence, question, options, model, taken, names))
    _wait(desk, "persona", t("Writing the persona …"))


def twins(desk: Desk) -> None:
    """Tell of people who are nearly one and the same."""
    people = table(desk)
    if len(people) < 2 or not any(isinstance(seat, dict) for seat in desk.draft["participants"]):
        return  # those of the library are known to differ
    key = hash(tuple(person.model_dump_json() for person in people))
    if st.session_state.get("twins_of") != key and "twins" not in desk.errands:
        desk.errands["twins"] = errands().run(lambda: asyncio.to_thread(lambda: (key, twins_of(people, embedder()))))
    found: list[Near] = st.session_state.get("twins", [])
    for near in found if st.session_state.get("twins_of") == key else []:
        told = t("{one} and {other} are nearly the same person (similarity {cosine}); change one of them or take one away.",
                 one=plain(near.one, 80), other=plain(near.other, 80), cosine=f"{near.cosine:.2f}")  # fmt: skip
        st.warning(told)
    _wait(desk, "twins", "")


def collect(desk: Desk) -> None:
    """Take what errands brought since the page was drawn last."""
    for name in [name for name, errand in desk.errands.items() if errand.done]:
        errand = desk.errands.pop(name)
        if errand.problem:
            if name != "twins":
                desk.notices.append(("bad", errand.problem))
            else:
                st.session_state["twins_of"], st.session_state["twins"] = None, []
        elif name == "twins":
            st.session_state["twins_of"], st.session_state["twins"] = errand.result
        elif name.startswith("trial-"):
            st.session_state.setdefault("trials", {})[errand.result.model] = errand.result
        else:
            _seat_all(desk, errand.result if isinstance(errand.result, list) else [errand.result])


def _seat_all(desk: Desk, found: list[Any]) -> None:
    for each in found:
        person = each.persona if isinstance(each, Written) else each
        taken = [other.id for other in table(desk)]
        if person.id in taken:
            continue
        library = not isinstance(each, Written) and person.brief.points
        add_person(desk, person, own=not library)
        if isinstance(each, Written) and each.by_template is not None:
            told = t("{name} is a template made of your sentence ({why}); fill in the rest yourself.", name=person.name, why=each.by_template)
            desk.notices.append(("bad", told))
    written = [each for each in found if isinstance(each, Written) and each.by_template is None]
    if written:
        told = tn("{n} persona was written by the model; read the card before you use it.",
                  "{n} personas were written by the model; read the cards before you use them.", n=len(written))  # fmt: skip
        desk.notices.append(("good", told))


def model_of(desk: Desk) -> str:
    """The model that writes: the draft's default."""
    models = desk.draft.get("models")
    return str(models.get("default") or "embedded") if isinstance(models, dict) else str(models or "embedded")


def _wait(desk: Desk, name: str, text: str) -> None:
    if name not in desk.errands:
        return

    @st.fragment(run_every=POLL_SECONDS, key=f"wait-{name}")
    def waiting() -> None:
        errand = desk.errands.get(name)
        if errand is None or errand.done:
            st.rerun()
        if text:
            st.caption(f"◔ {text}")

    waiting()
    if text and st.button(t("Give up"), key=f"give-up-{name}"):
        desk.errands.pop(name).stop()
        st.rerun()
