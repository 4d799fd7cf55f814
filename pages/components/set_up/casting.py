"""A table suggested, somebody written from one sentence, twins told of: work that is done beside the page."""

from __future__ import annotations

import asyncio

import streamlit as st

from conference.analysis.nearness import Near
from conference.casting import (
    DISTANT,
    Suggestion,
    Written,
    suggested,
    twins_of,
    without_other_questions,
    write_persona,
    write_points,
    write_table,
)
from conference.domain.persona import Persona
from pages.components.background import POLL_SECONDS, embedder, errands
from pages.components.language import t, tn
from pages.components.set_up.desk import Desk, seat_person, table
from pages.components.shared import plain

SEATS = 5


def suggest_a_table(desk: Desk, library: list[Persona]) -> None:
    """Two ways to a whole table, offered while it is empty."""
    busy = "table" in desk.errands
    if not desk.draft.get("participants") and not busy:
        question, options = desk.draft.get("question") or "", list(desk.draft.get("options") or [])
        st.caption(t("Nobody sits here yet. Let a table be suggested, or seat people one by one below."))
        with st.container(horizontal=True):
            if st.button(t("Suggest a table from the library"), type="primary", disabled=not question, key="suggest"):
                desk.errands["table"] = errands().run(lambda: _nearest(question, library))
            if st.button(t("Let the model write a table"), disabled=not question, key="write_table"):
                model, arrived = model_of(desk), desk.arrived.append
                desk.errands["table"] = errands().run(lambda: write_table(question, options, model, SEATS, arrived))
        if not question:
            st.caption(t("Write the question first; it says who should be heard."))
    _wait(desk, "table", t("Looking for a table. A local model takes about a minute a person; each is seated when written."))


async def _nearest(question: str, library: list[Persona]) -> list[Suggestion]:
    return await asyncio.to_thread(lambda: suggested(question, library, embedder(), SEATS))


def missing_points(desk: Desk) -> None:
    """Points for people who have none."""
    humans = desk.draft.get("humans") or []
    bare = [person for person in table(desk) if not person.brief.points and person.id not in humans]
    question, options, model = desk.draft.get("question") or "", list(desk.draft.get("options") or []), model_of(desk)
    if bare and question and "points" not in desk.errands and model != "scripted":
        st.caption(tn("{n} person brings no points yet and would speak from the role alone.",
                      "{n} people bring no points yet and would speak from their roles alone.", n=len(bare)))  # fmt: skip
        if st.button(t("Let the model write their points"), key="write_points"):
            arrived = desk.arrived.append
            desk.errands["points"] = errands().run(lambda: write_points(bare, question, options, model, arrived))
    _wait(desk, "points", t("Writing points. A local model takes about a minute a person."))


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
    ended = [name for name, errand in desk.errands.items() if errand.done]
    while desk.arrived:
        _written(desk, desk.arrived.pop(0))
    for name in ended:
        errand = desk.errands.pop(name)
        if name == "twins":
            st.session_state["twins_of"], st.session_state["twins"] = errand.result or (None, [])
        elif errand.problem:
            desk.notices.append(("bad", errand.problem))
        elif name.startswith("trial-"):
            st.session_state.setdefault("trials", {})[errand.result.model] = errand.result
        elif isinstance(errand.result, Written):
            _written(desk, errand.result)
        elif isinstance(errand.result, list):
            _suggested(desk, errand.result)


def _suggested(desk: Desk, found: list[Suggestion]) -> None:
    for each in found:
        person = without_other_questions(each.persona, list(desk.draft.get("options") or []))
        seat_person(desk, person, own=person != each.persona)
    if found and found[0].cosine < DISTANT:
        desk.notices.append(("bad", t("Nobody in the library is near this question; these come closest. Remove whom you don't need, "
                                      "and let the model write others.")))  # fmt: skip


def _written(desk: Desk, each: Written) -> None:
    seat_person(desk, each.persona)
    if each.by_template is None:
        told = t("{name} was written by the model: read the card before you use it.", name=each.persona.name)
        desk.notices.append(("good", told))
    else:
        told = t(
            "{name} is as your words say and no more ({why}); fill in the rest yourself.",
            name=each.persona.name,
            why=t(each.by_template),
        )
        desk.notices.append(("bad", told))


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
        if errand is None or errand.done or desk.arrived:
            st.rerun()
        if text:
            st.caption(f"◔ {text}")

    waiting()
    if text and st.button(t("Give up"), key=f"give-up-{name}"):
        desk.errands.pop(name).stop()
        st.rerun()
