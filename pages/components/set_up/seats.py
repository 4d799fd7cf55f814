"""The table: who sits there, each with a card, edited here without touching the library's copy."""

from __future__ import annotations

from typing import Any

import streamlit as st

from conference.analysis.people import MODERATOR_COLOUR, PALETTE, initials_of
from conference.casting import is_moderator
from conference.domain.persona import Persona
from conference.drafts import as_written
from conference.errors import PlenaryError
from conference.library import known_ids, load_persona
from pages.components.cards import persona_card
from pages.components.language import t
from pages.components.persona_form import persona_fields
from pages.components.set_up.casting import add_somebody, missing_points, suggest_a_table, twins
from pages.components.set_up.desk import Desk, person_at
from pages.components.shared import plain


def seats(desk: Desk, *, fixed: bool = False) -> None:
    """Draw the section. `fixed`: the past stands, so nobody comes or goes."""
    st.header(t("Table"), anchor=False)
    library = {name: person for name in known_ids("persona") if isinstance(person := _known(name), Persona)}
    if not fixed:
        suggest_a_table(desk, list(library.values()))
    _moderator(desk, library)
    for place, seat in enumerate(list(desk.draft.get("participants") or [])):
        _seat(desk, f"p{place}", seat, PALETTE[place % len(PALETTE)], removable=not fixed)
    twins(desk)
    missing_points(desk)
    if not fixed:
        _add(desk, library)
        add_somebody(desk)


def _known(name: str) -> Persona | None:
    try:
        return load_persona(name)
    except PlenaryError:
        return None


def _moderator(desk: Desk, library: dict[str, Persona]) -> None:
    seat = desk.draft.get("moderator")
    offered = [name for name, person in library.items() if is_moderator(person)]
    now = seat if isinstance(seat, str) else None
    chosen = st.selectbox(
        t("Moderator"), offered, index=offered.index(now) if now in offered else None, key=desk.key("moderator"),
        format_func=lambda name: library[name].name, placeholder=t("Written out in this spec"),
    )  # fmt: skip
    if chosen is not None and chosen != now:
        desk.draft["moderator"] = chosen
        seat = chosen
    if seat is not None:
        _seat(desk, "moderator", seat, MODERATOR_COLOUR, removable=False)


def _seat(desk: Desk, path: str, seat: object, colour: str, *, removable: bool) -> None:
    person = person_at(seat)
    key = f"seat-{path}"
    name = path if isinstance(person, str) else person.id
    st.html(f"<style>.st-key-{key} {{ border-left: 4px solid {colour}; }}</style>")
    with st.container(border=True, key=key, gap="small"):
        who, rest = st.columns([5, 6], vertical_alignment="center")
        do = rest.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center")
        editing = False
        if isinstance(person, str):
            who.markdown(f"✕ {plain(person)}")
        else:
            who.markdown(
                f"**{plain(initials_of(person.name))}** · **{plain(person.name, 80)}**  \n:small[{plain(person.role, 120)}]"
            )
            _human(desk, do, person)
            editing = do.toggle(
                t("Edit"), key=desk.key(f"edit-{name}"), help=t("For this conference only; the library's copy stays.")
            )
            with do.popover(t("Card"), key=desk.key(f"card-{name}")):
                st.markdown(persona_card(person))
        if removable and do.button(t("Remove"), key=desk.key(f"remove-{name}"), help=t("Take them from the table")):
            desk.draft["participants"].pop(int(path[1:]))
            _without_strangers(desk)
            st.rerun()
        if editing and isinstance(person, Persona):
            _edit(desk, path, person)


def _human(desk: Desk, place: Any, person: Persona) -> None:
    humans = [name for name in desk.draft.get("humans") or []]
    plays = place.checkbox(
        t("A human plays"), value=person.id in humans, key=desk.key(f"human-{person.id}"),
        help=t("The conference waits in the Room whenever it is their turn."),
    )  # fmt: skip
    if plays != (person.id in humans):
        desk.draft["humans"] = [*humans, person.id] if plays else [name for name in humans if name != person.id]


def _without_strangers(desk: Desk) -> None:
    """Nobody who left the table is named any more."""
    people = [person_at(seat) for seat in (desk.draft.get("moderator"), *desk.draft["participants"])]
    ids = {person.id for person in people if isinstance(person, Persona)}
    desk.draft["humans"] = [name for name in desk.draft.get("humans") or [] if name in ids]
    models = desk.draft.get("models")
    if isinstance(models, dict) and isinstance(models.get("by_participant"), dict):
        models["by_participant"] = {name: model for name, model in models["by_participant"].items() if name in ids}


def _add(desk: Desk, library: dict[str, Persona]) -> None:
    people = [person_at(seat) for seat in desk.draft.get("participants") or []]
    seated = {person.id for person in people if isinstance(person, Persona)}
    offered = [name for name, person in library.items() if name not in seated and not is_moderator(person)]
    chosen = st.selectbox(
        t("Add from the library"), offered, index=None, key=desk.key(f"add-{len(people)}"), placeholder=t("Type a name or a role"),
        format_func=lambda name: f"{library[name].name}: {library[name].role}",
    )  # fmt: skip
    if chosen is not None:
        desk.draft["participants"] = [*(desk.draft.get("participants") or []), chosen]
        st.rerun()


def _edit(desk: Desk, path: str, person: Persona) -> None:
    """Fields of one persona; a change writes them out in this spec."""
    changed = persona_fields(person, desk.key(f"fields-{person.id}"), desk.draft.get("options") or [])
    if changed != as_written(person):
        if path == "moderator":
            desk.draft["moderator"] = changed
        else:
            desk.draft["participants"][int(path[1:])] = changed
        if changed.get("id") != person.id:
            _without_strangers(desk)
