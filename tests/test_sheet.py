"""Events as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest

from conference.exporters.sheet import COLUMNS, cell, sheet_of
from tests.conferences import shipped
from tests.pages.scenes import HOSTILE, held, hostile_events


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\t=1", "'\t=1"), ("\r=1", "'\r=1"), ("1=1", "1=1"), (None, ""),
    ],
)  # fmt: skip
def test_no_cell_is_a_formula(value: object, shown: str) -> None:
    assert cell(value) == shown


def test_a_line_an_event() -> None:
    events = held(shipped("office-move"))
    rows = list(csv.DictReader(io.StringIO(sheet_of(events))))
    assert [int(row["seq"]) for row in rows] == [event.seq for event in events]
    assert tuple(rows[0]) == COLUMNS
    utterance = next(event for event in events if event.kind == "utterance" and event.role == "participant")
    row = rows[utterance.seq]
    assert (row["stage"], row["round"], row["speaker"], row["text"]) == ("1", "1", utterance.speaker, utterance.text)
    call = next(row for row in rows if row["kind"] == "agreement_call")
    assert call["verdict"] in ("agreement", "continue")
    assert HOSTILE in [row["text"] for row in csv.DictReader(io.StringIO(sheet_of(hostile_events())))]
