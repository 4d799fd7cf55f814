"""Labelled files in, Markdown tables out: what the evaluations share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conference.domain.scores import Row
from conference.importers.lines import json_lines

Item = dict[str, Any]


def labelled(path: Path) -> list[Item]:
    """The objects of a JSON lines file. Raises TranscriptError."""
    return [value for _, value in json_lines(path, "labelled file")]


def table(rows: Sequence[Row]) -> list[str]:
    """Rows as the lines of a Markdown table; what isn't known stays empty."""
    return ["| | value | 95 % | n |", "|---|---|---|---|", *map(_line, rows)]


def _line(row: Row) -> str:
    value = "" if row.value is None else f"{row.value:.3f}"
    interval = "" if row.low is None or row.high is None else f"{row.low:.2f} to {row.high:.2f}"
    return f"| {row.what} | {value} | {interval} | {'' if row.n is None else row.n} |"
