"""Figures drawn with Plotly: one frame for all, with texts that can't be markup; page.css gives those of `…_chart` the theme's colour."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from conference.analysis.people import Person

CONFIG = {
    "displaylogo": False, "showSendToCloud": False, "showEditInChartStudio": False, "showLink": False, "displayModeBar": False,
    "scrollZoom": False, "doubleClick": False,
}  # fmt: skip
ACCENT, AGAINST, NEUTRAL = "#3f87b5", "#c2694f", "#808080"
"""Middle tones, to be seen on white and on black."""
SCALE = [[0, "rgba(194,105,79,.55)"], [0.5, "rgba(128,128,128,.10)"], [1, "rgba(63,135,181,.60)"]]
"""From against to for; beneath the theme's own text."""
GROWING = [[0, "rgba(63,135,181,.05)"], [1, "rgba(63,135,181,.62)"]]
LINE = "rgba(128,128,128,.35)"
ROW, HEAD, LEFT = 36, 34, 150
"""Pixels: of a row, above the rows, and left of them for their names."""
MOST_TEXTS = 60
"""Columns from which on cells are too narrow for a text."""
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True)
class Cells:
    """A table to draw: a colour value and a text for each row and column; None leaves a cell empty.

    `over` is shown under the mouse, `picks` comes back when a cell is clicked.
    """

    values: list[list[float | None]]
    texts: list[list[str]]
    over: list[list[str]]
    picks: list[list[str]]
    rows: list[str]
    columns: list[str]
    places: list[float]
    """Where the columns stand; next to each other when 1 apart."""


def label(text: str, longest: int = 26) -> str:
    """Text of models and files for a figure, which would take `<a>` or `<b>` for markup: one line, cut to `longest`."""
    flat = " ".join(_UNPRINTED.sub(" ", text).split())
    cut = flat if len(flat) <= longest else f"{flat[: longest - 1]}…"
    return cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def named(person: Person, longest: int = 22) -> str:
    """A person beside a row: a square in their colour, initials, and the name as far as there is room."""
    return f'<span style="color:{person.colour}">■</span> {label(person.initials, 3)} {label(person.name, longest - 4)}'


def frame(height: int, left: int = LEFT, top: int = HEAD, bottom: int = 10) -> go.Figure:
    """An empty figure that neither zooms nor moves."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        height=height, margin={"l": left, "r": 12, "t": top, "b": bottom}, showlegend=False, dragmode=False, clickmode="event+select",
        hovermode="closest", hoverlabel={"align": "left", "namelength": 0}, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        uirevision="stay",
    )  # fmt: skip
    figure.update_xaxes(fixedrange=True, zeroline=False, showgrid=False, automargin=False, ticks="")
    figure.update_yaxes(fixedrange=True, zeroline=False, showgrid=False, automargin=False, ticks="")
    return figure


def cells(
    table: Cells,
    scale: Sequence[Sequence[object]] = SCALE,
    span: tuple[float, float] = (-1, 1),
    left: int = LEFT,
    high_row: int = ROW,
) -> go.Figure:
    """A heat map whose cells carry their text and can be clicked."""
    import plotly.graph_objects as go

    high, wide = len(table.rows), len(table.columns)
    figure = frame(HEAD + 12 + high_row * high, left=left)
    for part in _side_by_side(table.places):  # one heat map would fill the gaps between stages
        figure.add_heatmap(
            z=[[row[at] for at in part] for row in table.values], x=[table.places[part[0]] - 0.5 + at for at in range(len(part) + 1)],
            y=[row - 0.5 for row in range(high + 1)], colorscale=scale, zmin=span[0], zmax=span[1], showscale=False, hoverinfo="skip",
            xgap=2 if wide <= MOST_TEXTS else 0, ygap=2,
        )  # fmt: skip
    spots = [(place, at, row, column) for column, place in enumerate(table.places) for row, at in enumerate(range(high))]
    figure.add_trace(
        go.Scatter(
            x=[spot[0] for spot in spots], y=[spot[1] for spot in spots], mode="markers+text",
            text=[table.texts[row][column] for _, _, row, column in spots] if wide <= MOST_TEXTS else None,
            hovertext=[table.over[row][column] for _, _, row, column in spots], hoverinfo="text",
            customdata=[[table.picks[row][column]] for _, _, row, column in spots],
            marker={"symbol": "square", "size": high_row - 8, "color": "rgba(0,0,0,0)"},
            textposition="middle center", textfont={"size": 15 if high_row == ROW else 13},
            unselected={"marker": {"opacity": 1}}, selected={"marker": {"opacity": 1}},
        )
    )  # fmt: skip
    edges = [min(table.places, default=0) - 0.6, max([*table.places, 2.0]) + 0.6]
    figure.update_xaxes(tickvals=table.places, ticktext=table.columns, side="top", range=edges)
    figure.update_yaxes(tickvals=list(range(high)), ticktext=table.rows, range=[high - 0.5, -0.5])
    return figure


def _side_by_side(places: Sequence[float]) -> list[list[int]]:
    """Numbers of the columns, in groups without a gap."""
    groups: list[list[int]] = []
    for at, place in enumerate(places):
        if at and abs(place - places[at - 1] - 1) < 0.01:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def outlined(figure: go.Figure, x: tuple[float, float], y: tuple[float, float]) -> None:
    """A frame around what is chosen."""
    figure.add_shape(type="rect", x0=x[0], x1=x[1], y0=y[0], y1=y[1], line={"color": ACCENT, "width": 2.5}, layer="above")


def draw(figure: go.Figure, key: str, alt: str, picked: Callable[[str], None] | None = None) -> None:
    """Show a figure; `picked` is told what a click chose. `key` ends with `_chart`; `alt` is for those who don't see it."""

    def clicked() -> None:
        points: list[Any] = st.session_state[key]["selection"]["points"]
        if points and picked is not None and points[0].get("customdata"):
            picked(str(next(iter(points[0]["customdata"]))))

    if picked is None:
        st.plotly_chart(figure, key=key, config=CONFIG, alt=alt)
    else:
        st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, on_select=clicked, selection_mode="points")
