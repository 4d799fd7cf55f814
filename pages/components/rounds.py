"""Figures of rounds: the calls as a line of marks, and where everybody stood."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from conference.analysis.calls import STANCE_MARKS, CallView
from conference.analysis.ledger import Entry
from conference.domain.position import Stance
from pages.components.charts import ACCENT, HEAD, LINE, NEUTRAL, Cells, cells, draw, frame, label, named, outlined
from pages.components.language import t
from pages.components.shared import verdict_word

if TYPE_CHECKING:
    import plotly.graph_objects as go

_SYMBOLS = {"agreement": "circle", "continue": "circle-open", "unreadable": "circle-open-dot"}
_UNSURE = -0.14
"""Where a call without a confidence stands: below the axis."""
_PIXELS = 9
"""Of a letter, about."""


def position_word(position: Stance | None) -> str:
    """A position with its mark."""
    match position:
        case "support":
            return f"▲ {t('support')}"
        case "oppose":
            return f"▼ {t('oppose')}"
        case "undecided":
            return f"◆ {t('undecided')}"
        case _:
            return f"? {t('unreadable')}"


def decimals(figure: float | None) -> str:
    """`.81`; a dash for none."""
    return "–" if figure is None else f"{figure:.2f}".removeprefix("0")


def places(calls: Sequence[CallView]) -> list[float]:
    """Where the column of each call stands: side by side, with a gap between stages."""
    found, at = [], -1.0
    for number, call in enumerate(calls):
        at += 1.4 if number and calls[number - 1].stage != call.stage else 1
        found.append(at)
    return found


def draw_calls(calls: Sequence[CallView], chosen: int, pick: Callable[[str], None]) -> None:
    """Every call as a mark, higher the surer the judge is."""
    figure, at = frame(190, bottom=14, top=HEAD), places(calls)
    heights = [_UNSURE if call.confidence is None else call.confidence for call in calls]
    for _, group in groupby(range(len(calls)), key=lambda number: calls[number].stage):
        part = list(group)
        figure.add_scatter(
            x=[at[n] for n in part],
            y=[heights[n] for n in part],
            mode="lines",
            line={"color": LINE, "width": 1},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=at, y=heights, mode="markers+text", text=[decimals(call.confidence) for call in calls] if len(calls) <= 40 else None,
        textposition=["bottom center" if height > 0.8 else "top center" for height in heights],
        hovertext=[_said_of(call) for call in calls], hoverinfo="text", customdata=[[str(call.seq)] for call in calls],
        marker={
            "symbol": [_SYMBOLS[call.verdict] for call in calls], "size": 15, "line": {"width": 2.5},
            "color": [ACCENT if call.verdict == "agreement" else NEUTRAL for call in calls],
        },
        selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}}, cliponaxis=False,
    )  # fmt: skip
    figure.update_yaxes(range=[-0.28, 1.1], tickvals=[0, 0.5, 1], ticktext=["0", ".5", "1"], showgrid=True, gridcolor=LINE)
    figure.update_yaxes(title={"text": t("confidence"), "standoff": 12})
    _stages(figure, calls, at, chosen, (-0.28, 1.1))
    figure.update_xaxes(tickvals=[])
    alt = t(
        "Agreement calls in their order, each as a mark at the height of the judge's confidence; the table below holds the figures."
    )
    draw(figure, "calls_chart", alt, pick)


def draw_positions(calls: Sequence[CallView], entries: Sequence[Entry], chosen: int, pick: Callable[[str], None]) -> None:
    """Participants by rounds: the gradient where a ballot was cast, else a mark for the position."""
    by_call = {(entry.call, entry.person.name): entry for entry in entries}
    people = list(dict.fromkeys(entry.person for entry in entries))
    rows = [[by_call[call.seq, person.name] for call in calls] for person in people]
    table = Cells(
        values=[[_height(entry) for entry in row] for row in rows], texts=[[_mark(entry) for entry in row] for row in rows],
        over=[[_said_by(entry) for entry in row] for row in rows], picks=[[str(entry.call) for entry in row] for row in rows],
        rows=[named(person) for person in people], columns=[str(call.round) for call in calls], places=places(calls),
    )  # fmt: skip
    figure = cells(table)
    figure.update_layout(height=(figure.layout.height or 0) + 20, margin={"t": HEAD + 20})
    _stages(figure, calls, table.places, chosen, (-0.5, len(rows) - 0.5), lift=26)
    alt = t("Participants by rounds: gradient or position of each at each call; the ledger below holds the same as a table.")
    draw(figure, "positions_chart", alt, pick)


def _stages(
    figure: go.Figure, calls: Sequence[CallView], at: Sequence[float], chosen: int, high: tuple[float, float], lift: int = 6
) -> None:
    """The names of the stages over their columns, and a frame around the call that is open beside. The columns are 8 wide at least."""
    for _, group in groupby(range(len(calls)), key=lambda number: calls[number].stage):
        part = list(group)
        room = max(8, int(len(part) * 560 / max(len(calls), 6) / _PIXELS))
        figure.add_annotation(
            x=at[part[0]] - 0.45, y=1, yref="paper", text=f"<b>{label(calls[part[0]].stage_name, room)}</b>", showarrow=False,
            xanchor="left", yanchor="bottom", yshift=lift,
        )  # fmt: skip
    figure.update_xaxes(range=[-0.6, max([*at, 2.0]) + 0.6])
    for place, call in zip(at, calls, strict=True):
        if call.seq == chosen:
            outlined(figure, (place - 0.5, place + 0.5), high)


def _height(entry: Entry) -> float | None:
    """From -1 (against) to 1 (for)."""
    return (entry.gradient - 4.5) / 3.5 if entry.gradient is not None else entry.polarity


def _mark(entry: Entry) -> str:
    mark = str(entry.gradient) if entry.gradient is not None else STANCE_MARKS[entry.position] if entry.position else "?"
    return f"{mark}≠" if entry.parts else mark


def _said_of(call: CallView) -> str:
    where = t("{stage}, round {round}", stage=label(call.stage_name, 40), round=call.round)
    return f"{where}<br>{verdict_word(call.verdict)} · {t('confidence')} {decimals(call.confidence)}"


def _said_by(entry: Entry) -> str:
    where = t("{stage}, round {round}", stage=label(entry.stage_name, 40), round=entry.round)
    lines = [label(entry.person.name, 50), where, position_word(entry.position)]
    if entry.gradient is not None:
        lines.append(t("gradient {n} of 8", n=entry.gradient))
    if entry.parts:
        lines.append(t("≠ in the talk: {position}", position=position_word(entry.voiced)))
    return "<br>".join(lines)
