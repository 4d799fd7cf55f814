"""Transcripts: a damaged log is one line that names the line; a turn may have a kind of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conference.domain.transcript import Turn
from conference.errors import TranscriptError
from conference.importers.transcripts import read_transcript
from tests.conferences import opened, small_spec

OPENED = opened(small_spec(2)).model_dump(mode="json")
STAGE = {"kind": "stage_opened", "seq": 1, "at": "", "stage": 0, "name": "Talk"}


def said(seq: int, text: str = "Well.", **more: Any) -> dict[str, Any]:
    return {
        "kind": "utterance", "seq": seq, "at": "", "stage": 0, "round": 1, "speaker": "Ada", "role": "participant", "text": text, **more
    }  # fmt: skip


def turns(folder: Path, *lines: dict[str, Any]) -> list[Turn]:
    path = folder / "t.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return read_transcript(path)


def refusal(folder: Path, *lines: dict[str, Any]) -> str:
    with pytest.raises(TranscriptError) as caught:
        turns(folder, *lines)
    return str(caught.value)


def test_a_log_without_its_passes(tmp_path: Path) -> None:
    read = turns(tmp_path, OPENED, STAGE, said(2), said(3, ""), said(4, "Yes."))
    assert [(turn.seq, turn.text) for turn in read] == [(2, "Well."), (4, "Yes.")]


@pytest.mark.parametrize("kept", [3, 4, 5])
def test_a_log_that_is_cut_at_its_end_is_read(kept: int, tmp_path: Path) -> None:
    assert len(turns(tmp_path, *[OPENED, STAGE, said(2), said(3), said(4)][:kept])) == kept - 2


def test_a_kind_nobody_knows(tmp_path: Path) -> None:
    """Found: a mistyped kind was left out in silence, and with it what was said."""
    assert refusal(tmp_path, OPENED, STAGE, said(2, kind="utterence")) == (
        "transcript t.jsonl line 3: unknown kind 'utterence'; did you mean 'utterance'?"
    )


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([OPENED, STAGE, said(3)], "line 3: seq is 3, expected 2"),
        ([OPENED, STAGE, said(2), said(2)], "line 4: seq is 2, expected 3"),
        ([OPENED, said(2)], "line 2: seq is 2, expected 1"),
        ([OPENED, {"speaker": "Ada", "text": "Yes."}], "line 2: unknown kind 'None'"),
    ],
)
def test_a_log_with_a_gap_or_a_line_twice(lines: list[dict[str, Any]], problem: str, tmp_path: Path) -> None:
    assert problem in refusal(tmp_path, *lines)


@pytest.mark.parametrize("kind", ["remark", "utterance", "", 7, None, []])
def test_a_turn_may_have_a_kind_of_its_own(kind: object, tmp_path: Path) -> None:
    """Found: such a turn was taken for an event, and left out."""
    assert turns(tmp_path, {"speaker": "Ada", "text": "Yes.", "kind": kind}) == [Turn(speaker="Ada", text="Yes.", seq=0)]


def test_a_part_of_a_log_is_read_too(tmp_path: Path) -> None:
    assert [turn.seq for turn in turns(tmp_path, STAGE, said(7), said(9))] == [7, 9]


def test_a_number_below_zero(tmp_path: Path) -> None:
    assert "line 1: seq is -1: input should be greater than or equal to 0" in refusal(
        tmp_path, {"speaker": "Ada", "text": "Yes.", "seq": -1}
    )
