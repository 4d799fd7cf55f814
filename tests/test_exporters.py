"""A file is written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conference.errors import UserError
from conference.exporters.jsonl import write_lines


def test_lines_stand_in_the_file_and_nothing_beside_it(tmp_path: Path) -> None:
    write_lines(["a", "b"], tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_text(encoding="utf-8") == "a\nb\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "x.jsonl"]


def test_a_failure_between_lines_leaves_what_was_there_and_no_part(tmp_path: Path) -> None:
    """Found: a judge that failed, or Ctrl-C, left a hidden part file in the folder."""
    (tmp_path / "x.jsonl").write_text("before", encoding="utf-8")

    def lines() -> Iterator[str]:
        yield "a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(lines(), tmp_path / "x.jsonl")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["before"]


def test_a_place_that_cannot_be_written_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="choose another place with --out"):
        write_lines(["a"], tmp_path / "none" / "x.jsonl")
