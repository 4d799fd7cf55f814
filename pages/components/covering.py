"""Figures of coverage: clusters by stages, criteria by people, and how coverage grew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from conference.analysis.people import Person
from conference.analysis.raised import Counted
from conference.domain.coverage import ByChance, GrowthPoint
from pages.components.charts import ACCENT, AGAINST, GROWING, LINE, NEUTRAL, Cells, cells, draw, frame, label, outlined
from pages.components.language import t, tn

if TYPE_CHECKING:
    import plotly.graph_objects as go

NAMES = 190
"""Pixels for the names of clusters and criteria."""
LOW_ROW = 26
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
"""Between the ticks of an axis of turns."""


def key_of(row: Counted) -> str:
    """What stands in the address for a row: `Health`, or `Health: Dependence`."""
    return f"{row.cluster}: {row.criterion}" if row.criterion else row.cluster


def draw_by_stages(
    rows: Sequence[Counted], stages: Sequence[str], about: str, stage: int | None, pick: Callable[[str, str], None]
) -> None:
    """Clusters by stages, a cell the number of utterances; the cluster that is looked into is opened into its criteria."""
    opened = next((row.cluster for row in rows if key_of(row) == about), None)
    shown = [row for row in rows if not row.criterion or row.cluster == opened]
    columns = [*(f"{at}. {label(name, 14)}" for at, name in enumerate(stages, 1)), t("all")]
    keys = [*(str(at) for at in range(1, len(stages) + 1)), ""]
    counts = [[*row.counts, sum(row.counts)] for row in shown]
    most = max((count for row in counts for count in row[:-1]), default=0)
    table = Cells(
        values=[[float(min(count, most)) for count in row[:-1]] + [None] for row in counts], texts=[_numbers(row) for row in counts],
        over=[[_over(row, count) for count in line] for row, line in zip(shown, counts, strict=True)],
        picks=[[f"{key}\n{key_of(row)}" for key in keys] for row in shown], rows=[_row(row, opened) for row in shown], columns=columns,
        places=[*map(float, range(len(stages))), len(stages) + 0.2],
    )  # fmt: skip
    figure = cells(table, GROWING, (0, max(most, 1)), NAMES)
    at = next((number for number, row in enumerate(shown) if key_of(row) == about), None)
    if at is not None:
        place = table.places[-1 if stage is None else stage]
        outlined(figure, (place - 0.5, place + 0.5), (at - 0.5, at + 0.5))
    alt = t("Clusters by stages: how many utterances of each stage raise each cluster; the same as a table below.")
    draw(figure, "stages_chart", alt, lambda picked: pick(*picked.partition("\n")[::2]))


def draw_by_people(rows: Sequence[Counted], people: Sequence[Person], pick: Callable[[str, str], None]) -> None:
    """Criteria by people, a cell the number of utterances."""
    shown = [row for row in rows if row.criterion]
    most = max((count for row in shown for count in row.counts), default=0)
    table = Cells(
        values=[[float(count) for count in row.counts] for row in shown], texts=[_numbers(row.counts) for row in shown],
        over=[
            [f"{label(person.name, 40)}<br>{_over(row, count)}" for person, count in zip(people, row.counts, strict=True)] for row in shown
        ],
        picks=[[f"{person.name}\n{key_of(row)}" for person in people] for row in shown], rows=[label(row.criterion, 30) for row in shown],
        columns=[f'<b><span style="color:{person.colour}">■</span> {label(person.initials, 3)}</b>' for person in people],
        places=list(map(float, range(len(people)))),
    )  # fmt: skip
    figure = cells(table, GROWING, (0, max(most, 1)), NAMES, LOW_ROW)
    for number in range(1, len(shown)):
        if shown[number].cluster != shown[number - 1].cluster:
            figure.add_hline(y=number - 0.5, line={"color": LINE, "width": 1})
    alt = t("Criteria by people: how many utterances of each raise each criterion; the same as a table below.")
    draw(figure, "people_chart", alt, lambda picked: pick(*picked.partition("\n")[::2]))


def draw_growth(points: Sequence[GrowthPoint], chance: Sequence[tuple[int, ByChance]], stages: Sequence[tuple[int, str]]) -> None:
    """Clusters and criteria raised after each turn, and what talk about something else would have reached.

    `stages` are pairs of how many turns stand before a stage, and its name.
    """
    figure, turns = frame(330, left=40, top=40, bottom=52), list(range(len(points) + 1))
    criteria, clusters = [0, *(point.criteria for point in points)], [0, *(point.clusters for point in points)]
    ends = [(criteria[-1], t("criteria")), (clusters[-1], t("clusters"))]
    if chance:
        at = [number for number, _ in chance]
        for heights in ([each.criteria for _, each in chance], [each.clusters for _, each in chance]):
            dots = {"color": NEUTRAL, "dash": "dot", "width": 1.5}
            figure.add_scatter(x=at, y=heights, mode="lines", line=dots, hovertemplate="%{x}: %{y:.1f}")
        ends += [
            (round(chance[-1][1].criteria), t("criteria by chance")),
            (round(chance[-1][1].clusters), t("clusters by chance")),
        ]
    for heights, colour, dash in ((criteria, ACCENT, "solid"), (clusters, AGAINST, "dash")):
        line = {"color": colour, "dash": dash, "width": 2.5, "shape": "hv"}
        figure.add_scatter(x=turns, y=heights, mode="lines", line=line, hovertemplate="%{x}: %{y}")
    _name_ends(figure, len(points), ends)
    for before, name in stages:
        figure.add_vline(x=before, line={"color": LINE, "width": 1})
        named = {
            "x": before,
            "y": 1,
            "yref": "paper",
            "text": label(name, 16),
            "xanchor": "left",
            "yanchor": "bottom",
            "yshift": 2,
        }
        figure.add_annotation(showarrow=False, **named)
    every = next((step for step in _STEPS if len(points) <= 7 * step), _STEPS[-1])
    figure.update_xaxes(range=[0, max(len(points), 1) * 1.35], tickvals=turns[::every], title={"text": t("turns"), "standoff": 4})
    figure.update_yaxes(rangemode="tozero", showgrid=True, gridcolor=LINE)
    draw(figure, "growth_chart", t("How many criteria and clusters had been raised after each turn; the same as a table below."))


def _name_ends(figure: go.Figure, x: float, ends: Sequence[tuple[int, str]]) -> None:
    """What each line is, at its end, moved up where two would stand on each other."""
    apart, free = max(height for height, _ in ends) * 0.075, -1.0
    for height, name in sorted(ends):
        free = max(float(height), free)
        figure.add_annotation(x=x, y=free, text=f" {height} {name}", showarrow=False, xanchor="left")
        free += apart


def _row(row: Counted, opened: str | None) -> str:
    if row.criterion:
        return f"{label(row.criterion, 28)}"
    return f"<b>{label(row.cluster, 24)} {'▾' if row.cluster == opened else '▸'}</b>"


def _numbers(counts: Sequence[int]) -> list[str]:
    return [str(count) if count else "·" for count in counts]


def _over(row: Counted, count: int) -> str:
    return f"{label(row.name, 60)}<br>{tn('{n} utterance', '{n} utterances', n=count)}"
