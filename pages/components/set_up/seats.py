"""The table: who sits there, each with a card, edited here without touching the library's copy."""

from __future__ import annotations

from typing import Any

import streamlit as st

from conference.analysis.people import MODERATOR_COLOUR, PALETTE, initials_of
from conference.casting import is_moderator
from conference.domain.persona import Persona
from conference.drafts import Draft, as_written
from conference.errors import PlenaryError
from conference.library import known_ids, load_persona
from pages.components.language import t, tn
from pages.components.set_up.casting import add_somebody, suggest_a_table, twins
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
    st.html(f"<style>.st-key-{key} {{ border-left: 4px solid {colour}; }}</style>")
    with st.container(border=True, key=key):
        who, human, card, away = st.columns([6, 2.2, 1.6, 1.4], vertical_alignment="center")
        if isinstance(person, str):
            who.markdown(f"✕ {plain(person)}")
        else:
            who.markdown(f"**{plain(initials_of(person.name))}** · **{plain(person.name, 80)}**  \n:small[{plain(person.role, 120)}]")
            _human(desk, human, person)
            with card.popover(t("Card"), key=desk.key(f"card-{path}")):
                st.markdown(card_text(person))
        if removable and away.button(t("Remove"), key=desk.key(f"remove-{path}"), help=t("Take them from the table")):
            desk.draft["participants"].pop(int(path[1:]))
            _without_strangers(desk)
            desk.revision += 1
            st.rerun()
        if isinstance(person, Persona):
            with st.expander(t("Edit for this conference"), key=desk.key(f"edit-{path}"), on_change="rerun") as opened:
                if opened.open:
                    _edit(desk, path, person)


def card_text(person: Persona) -> str:
    """A persona as a card, on a markdown surface."""
    lines = [f"**{plain(person.name, 120)}**  \n{plain(person.role)}"]
    for label, parts in (
        (t("Aim"), [person.aim]), (t("Interests"), person.interests), (t("Expertise"), person.expertise), (t("Speaks"), [person.voice]),
        (t("Favours"), person.favours), (t("Rejects"), person.rejects),
    ):  # fmt: skip
        if any(parts):
            lines.append(f"{label}: {'; '.join(plain(part) for part in parts if part)}")
    brief = person.brief
    if brief.points:
        lines.append(f"{t('Points')}:\n" + "\n".join(f"- {plain(point.text, 300)}" for point in brief.points))
    else:
        lines.append(t("Brings no points of their own; speaks from the role."))
    if brief.concessions:
        gives = (f"- {plain(note.option)}, {t('if')} {plain(note.condition)}" for note in brief.concessions)
        lines.append(f"{t('Would accept')}:\n" + "\n".join(gives))
    lines.append(f":small[{plain(person.id)} · {tn('{n} question', '{n} questions', n=len(brief.questions))}]")
    return "\n\n".join(lines)


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
        t("Add from the library"), offered, index=None, key=desk.key("add"), placeholder=t("Type a name or a role"),
        format_func=lambda name: f"{library[name].name}: {library[name].role}",
    )  # fmt: skip
    if chosen is not None:
        desk.draft["participants"] = [*(desk.draft.get("participants") or []), chosen]
        desk.revision += 1
        st.rerun()


def _edit(desk: Desk, path: str, person: Persona) -> None:
    """Fields of one persona; a change writes them out in this spec."""
    changed = persona_fields(person, desk.key(f"fields-{path}"), desk.draft.get("options") or [])
    if changed != as_written(person):
        if path == "moderator":
            desk.draft["moderator"] = changed
        else:
            desk.draft["participants"][int(path[1:])] = changed
        if changed.get("id") != person.id:
            _without_strangers(desk)


def persona_fields(person: Persona, key: str, options: list[str]) -> Draft:
    """A form for a persona: what its fields say now, in the shape of its file."""
    value = as_written(person)
    left, right = st.columns(2)
    for place, field, label in (
        (left, "name", t("Name")), (right, "role", t("Role")), (left, "aim", t("Aim, in the first person")), (right, "voice", t("How they speak")),
    ):  # fmt: skip
        _put(value, field, (place.text_input(label, value=value.get(field, ""), key=f"{key}-{field}") or "").strip())
    for place, field, label in ((left, "interests", t("Interests, one a line")), (right, "expertise", t("Expertise, one a line"))):
        typed = place.text_area(label, value="\n".join(value.get(field, [])), key=f"{key}-{field}", height=90) or ""
        _put(value, field, [line.strip() for line in typed.splitlines() if line.strip()])
    if options or person.favours or person.rejects:
        offered = list(dict.fromkeys([*options, *person.favours, *person.rejects]))
        for place, field, label in ((left, "favours", t("Favours")), (right, "rejects", t("Rejects"))):
            _put(value, field, place.multiselect(label, offered, default=value.get(field, []), key=f"{key}-{field}"))
    _points(value, key)
    return value


def _points(value: Draft, key: str) -> None:
    """Points as lines `short name: text`; what else belongs to a point stays with its short name."""
    brief = dict(value.get("brief", {}))
    old = {point["gist"]: point for point in brief.get("points", [])}
    typed = st.text_area(
        t("Points, one a line: short name: what they say"), value="\n".join(f"{gist}: {' '.join(point['text'].split())}" for gist, point in old.items()),
        key=f"{key}-points", height=170,
    ) or ""  # fmt: skip
    points = []
    for line in typed.splitlines():
        gist, _, text = line.partition(":")
        if not text.strip():
            gist, text = " ".join(line.split()[:4]), line
        if gist.strip():
            known = old.get(gist.strip(), {})
            same = " ".join(str(known.get("text", "")).split()) == text.strip()
            points.append(known if same else {**known, "text": text.strip(), "gist": gist.strip()})
    _put(brief, "points", points)
    _put(value, "brief", brief)


def _put(value: Draft, key: str, new: Any) -> None:
    """Set, or leave out what is empty."""
    if new or (key in ("name", "role")):
        value[key] = new
    else:
        value.pop(key, None)
