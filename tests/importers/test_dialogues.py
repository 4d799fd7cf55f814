"""Dialogues for judging: a mistake is one line that names the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conference.errors import TranscriptError
from conference.importers.transcripts import read_dialogues

GOOD = {"id": "a", "question": "?", "participants": ["Ada"], "turns": [{"speaker": "Ada", "text": "Yes."}]}


def refusal(folder: Path, *lines: Any) -> str:
    path = folder / "d.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    with pytest.raises(TranscriptError) as caught:
        read_dialogues(path)
    return str(caught.value)


def test_an_id_given_twice_names_both_lines(tmp_path: Path) -> None:
    """Found: two calls of one id came out, and nobody could tell which dialogue they were of."""
    assert "line 2: the id 'a' stands in line 1 too" in refusal(tmp_path, GOOD, GOOD)


def test_nobody_to_ask_about(tmp_path: Path) -> None:
    assert "line 1: participants is empty" in refusal(tmp_path, {**GOOD, "participants": []})


@pytest.mark.parametrize("half", ["\\ud83d", "\\uDE00 at the end"])
def test_half_a_character_is_one_line(half: str, tmp_path: Path) -> None:
    """Found: a lone surrogate in a file ended in a traceback when it was written out again."""
    line = json.dumps(GOOD).replace("Yes.", half)
    assert "line 1 holds half a character" in refusal(tmp_path, line)


def test_a_whole_character_in_two_escapes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(GOOD).replace("Yes.", "\\ud83d\\ude00"), encoding="utf-8")
    assert read_dialogues(path)[0].turns[0].text == "\U0001f600"


def test_a_participant_named_twice(tmp_path: Path) -> None:
    assert "line 1: two participants are named 'Ada'; name each once" in refusal(
        tmp_path, {**GOOD, "participants": ["Ada", "Ada "]}
    )


def test_nobody_who_is_asked_about_speaks(tmp_path: Path) -> None:
    """Found: names written differently made everybody silent, and the calls were about nobody."""
    said = refusal(tmp_path, {**GOOD, "participants": ["Ada Voss"], "turns": [{"speaker": "Ada Vos", "text": "Yes."}]})
    assert said.endswith("line 1: no participant speaks, not even 'Ada Voss'; did you mean 'Ada Vos'?")


def test_a_participant_may_be_silent(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({**GOOD, "participants": ["Ada", "Ben"]}), encoding="utf-8")
    assert read_dialogues(path)[0].participants == ("Ada", "Ben")
