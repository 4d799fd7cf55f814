"""The reader's language: one catalogue for all pages, English in the code, the others in `pages/texts/*.po`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from conference.domain.phrase import Phrase

TEXTS = Path(__file__).resolve().parent.parent / "texts"
LANGUAGES = {"en": "English", "de": "Deutsch", "zh": "中文"}


def language() -> str:
    """`en`, `de` or `zh`: as the address says (`?lang=de`), as was chosen in this tab, or as the browser asks."""
    asked = st.query_params.get("lang", "")
    if asked in LANGUAGES:
        st.session_state["lang"] = asked  # the other pages' addresses don't name it
    named = st.session_state.get("lang", "") or str(st.context.locale or "")[:2].lower()
    return named if named in LANGUAGES else "en"


def choose_language() -> None:
    """The choice of a language, for this tab."""
    now = language()
    chosen = st.segmented_control(
        "Language / Sprache / 语言", list(LANGUAGES), default=now, format_func=LANGUAGES.__getitem__, key=f"language-{now}",
        label_visibility="collapsed",
    )  # fmt: skip
    if chosen is not None and chosen != now:
        st.session_state["lang"] = chosen
        st.query_params.pop("lang", None)
        st.rerun()


def t(text: str, /, **values: object) -> str:
    """The text in the reader's language, with its `{values}` put in; a text that isn't translated stays English.

    `text` is a literal, or a `Phrase`, which brings its values along.
    """
    return said(text, language(), **values)


def tn(one: str, many: str, /, n: int, **values: object) -> str:
    """As `t`, by number: `tn("{n} round", "{n} rounds", n=rounds)`."""
    into = language()
    found = _catalogue(into).get(one) if into != "en" else None
    forms = found.string if found is not None and isinstance(found.string, tuple) and all(found.string) else (one, many)
    place = _catalogue(into).plural_func(n) if forms != (one, many) else (0 if n == 1 else 1)  # type: ignore[attr-defined]
    return forms[min(place, len(forms) - 1)].format(n=n, **values)


def said(text: str, into: str, **values: object) -> str:
    """The text in the language `into`."""
    template = text
    if isinstance(text, Phrase):
        template, values = text.template, text.values
    shown = {name: said(value, into) if isinstance(value, Phrase) else value for name, value in values.items()}
    found = _catalogue(into).get(template) if into != "en" else None
    translated = found.string if found is not None and isinstance(found.string, str) and found.string else template
    return translated.format(**shown) if shown else translated


def translated(value: Any, into: str) -> Any:
    """The same data with every phrase in the reader's language; what people and models said stays as it is."""
    match value:
        case Phrase():
            return said(value, into)
        case dict():
            return {key: translated(item, into) for key, item in value.items()}
        case list() | tuple():
            return [translated(item, into) for item in value]
        case _:
            return value


@lru_cache(maxsize=8)
def _catalogue(into: str) -> Catalog:
    path = TEXTS / f"{into}.po"
    if not path.is_file():
        return Catalog(locale=into)
    with path.open("rb") as file:
        return read_po(file, locale=into)
