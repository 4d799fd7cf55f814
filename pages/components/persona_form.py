"""A persona as a form."""

from __future__ import annotations

from typing import Any

import streamlit as st

from conference.domain.persona import Persona
from conference.drafts import Draft, as_written
from pages.components.language import t


def persona_fields(person: Persona, key: str, options: list[str]) -> Draft:
    """A form for a persona: what its fields say now, in the shape of its file."""
    value = as_written(person)
    left, right = st.columns(2)
    for place, field, label in (
        (left, "name", t("Name")), (right, "role", t("Role")),
        (left, "aim", t("Aim, in the first person")), (right, "voice", t("How they speak")),
    ):  # fmt: skip
        _put(value, field, (place.text_input(label, value=value.get(field, ""), key=f"{key}-{field}") or "").strip())
    for place, field, label in (
        (left, "interests", t("Interests, one a line")),
        (right, "expertise", t("Expertise, one a line")),
    ):
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
    lines = [f"{gist}: {' '.join(point['text'].split())}" for gist, point in old.items()]
    typed = st.text_area(
        t("Points, one a line: short name: what they say"), value="\n".join(lines),
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
