"""Figures of talking: how much each said, and who answered whom."""

from __future__ import annotations

import math
from collections.abc import Sequence

from conference.analysis.airtime import Airtime, Answers
from conference.analysis.people import Person
from pages.components.charts import ACCENT, LINE, NEUTRAL, ROW, draw, frame, label, named
from pages.components.language import t, tn

MOST_DRAWN = 16
"""People on the circle; more can't be told apart."""


def draw_airtime(spoken: Sequence[Airtime]) -> None:
    """A bar each: words, with their share and the turns they took."""
    figure = frame(20 + ROW * len(spoken), top=6)
    texts = [
        f"{each.words:,} · {'–' if each.share is None else f'{each.share:.0%}'} · {tn('{n} turn', '{n} turns', n=each.turns)}"
        for each in spoken
    ]
    figure.add_bar(
        x=[each.words for each in spoken], y=list(range(len(spoken))), orientation="h", text=texts, textposition="outside",
        hoverinfo="skip", width=0.62, cliponaxis=False,
        marker={"color": [each.person.colour for each in spoken], "line": {"color": NEUTRAL, "width": 1}},
    )  # fmt: skip
    most = max((each.words for each in spoken), default=0) or 1
    figure.update_xaxes(visible=False, range=[0, most * 1.75])
    figure.update_yaxes(
        tickvals=list(range(len(spoken))), ticktext=[named(each.person) for each in spoken], range=[len(spoken) - 0.5, -0.5]
    )
    draw(figure, "airtime_chart", t("Words of each person, as bars; the same as a table below."))


def draw_network(people: Sequence[Person], answers: Sequence[Answers]) -> None:
    """People on a circle; an arrow from who spoke to whom, wider the more often."""
    shown = list(people)[:MOST_DRAWN]
    spots = {
        person.name: (math.sin(2 * math.pi * at / len(shown)), math.cos(2 * math.pi * at / len(shown))) for at, person in enumerate(shown)
    }
    figure = frame(400, left=10, top=10)
    most = max((each.times for each in answers), default=1)
    for each in reversed(answers):
        if each.who.name in spots and each.to.name in spots:
            _arrow(figure, spots[each.who.name], spots[each.to.name], each.times, most)
    figure.add_scatter(
        x=[spots[person.name][0] for person in shown], y=[spots[person.name][1] for person in shown], mode="markers+text",
        text=[f"<b>{label(person.initials, 3)}</b>" for person in shown], textfont={"color": "#ffffff", "size": 13},
        marker={"size": 40, "color": [person.colour for person in shown], "line": {"color": NEUTRAL, "width": 1}},
        hovertext=[label(person.name, 60) for person in shown], hoverinfo="text", cliponaxis=False,
    )  # fmt: skip
    figure.update_xaxes(visible=False, range=[-1.7, 1.7])
    figure.update_yaxes(visible=False, range=[-1.25, 1.25], scaleanchor="x")
    draw(figure, "network_chart", t("Who spoke to whom, as arrows between people on a circle; the table beside holds the figures."))


def _arrow(figure: object, begin: tuple[float, float], end: tuple[float, float], times: int, most: int) -> None:
    """A little to the right of the straight line, so that there and back are two arrows."""
    (x0, y0), (x1, y1) = begin, end
    long = math.hypot(x1 - x0, y1 - y0) or 1
    along, aside = ((x1 - x0) / long, (y1 - y0) / long), 0.045
    side, gap = (along[1] * aside, -along[0] * aside), 0.2
    figure.add_annotation(  # type: ignore[attr-defined]
        ax=x0 + along[0] * gap + side[0], ay=y0 + along[1] * gap + side[1], x=x1 - along[0] * gap + side[0], y=y1 - along[1] * gap + side[1],
        xref="x", yref="y", axref="x", ayref="y", showarrow=True, arrowhead=2, arrowsize=0.9 if times > 1 else 1.1,
        arrowwidth=1 + 4 * (times - 1) / max(most - 1, 1) if most > 1 else 1.5, arrowcolor=ACCENT if times > 1 else LINE, text="",
    )  # fmt: skip
