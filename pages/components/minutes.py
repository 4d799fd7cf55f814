"""A page of minutes as a browser draws it. Texts go as data, never as markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from conference.analysis.calls import VERDICT_WORDS
from conference.analysis.minutes import Line
from pages.components.language import language, t, translated

_HERE = Path(__file__).parent
_minutes = st.components.v2.component(
    "plenary_minutes", css=(_HERE / "minutes.css").read_text(), js=(_HERE / "minutes.js").read_text()
)


def draw_minutes(run: str, lines: Sequence[Line], shown: int | None) -> int | None:
    """Draw the lines, with `shown` led to and marked; the number of the line whose details are asked for now."""
    data = {"run": run, "lines": [_drawn(line) for line in lines], "shown": shown, "texts": _texts()}
    asked = _minutes(data=data, key="minutes", on_open_change=lambda: None).open
    return asked if isinstance(asked, int) else None


def _drawn(line: Line) -> dict[str, Any]:
    data: dict[str, Any] = translated(asdict(line), language())
    if line.call is not None:
        data["call"]["verdict_text"] = t(VERDICT_WORDS[line.call.verdict])
    return data


def _texts() -> dict[str, str]:
    return {
        "label": t("Minutes"), "line": t("Line {seq}", seq="{seq}"), "open": t("Details"),
        "open_line": t("Details of line {seq}", seq="{seq}"), "copy": t("Copy link"),
        "copy_line": t("Copy a link to line {seq}", seq="{seq}"), "copied": t("Link copied."),
        "confidence": t("confidence {confidence}", confidence="{confidence}"), "accept": t("{n} of {of} accept", n="{n}", of="{of}"),
        "judge": t("Judge: {judge}", judge="{judge}"), "table": t("On the table:"), "why": t("Why:"),
        "gradient": t("ballot {gradient} of 8", gradient="{gradient}"),
        "accepts": t("probability of accepting {accepts}", accepts="{accepts}"),
        "needs": t("Would need: {condition}", condition="{condition}"),
    }  # fmt: skip
