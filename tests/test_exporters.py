"""A file is written whole or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conference.errors import UserError
from conference.exporters.jsonl import check_writable, write_lines


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


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    """Found: the link itself was replaced by a file, and what it led to kept the old text."""
    (tmp_path / "there").mkdir()
    link = tmp_path / "x.jsonl"
    link.symlink_to(tmp_path / "there" / "log.jsonl")
    write_lines(["a"], link)
    assert link.is_symlink()
    assert (tmp_path / "there" / "log.jsonl").read_text(encoding="utf-8") == "a\n"
    assert list((tmp_path / "there").iterdir()) == [tmp_path / "there" / "log.jsonl"]


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    """Found: a named pipe was replaced by a file, and its reader waited for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    check_writable(pipe)
    write_lines(["a", "b"], pipe)
    reader.join(10)
    assert got == ["a\nb\n"]
    assert pipe.is_fifo()


def test_a_name_as_long_as_a_name_can_be(tmp_path: Path) -> None:
    """Found: the file beside had a longer name still, and a traceback came of it."""
    longest = tmp_path / ("x" * 255)
    check_writable(longest)
    write_lines(["a"], longest)
    assert [path.name for path in tmp_path.iterdir()] == ["x" * 255]


@pytest.mark.parametrize("work", [check_writable, lambda path: write_lines(["a"], path)])
def test_a_longer_name_is_a_mistake_of_the_user(work: Any, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="name too long"):
        work(tmp_path / ("x" * 256))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["read.jsonl", "link.jsonl", "hard.jsonl"])
def test_what_is_read_is_never_written_over(out: str, tmp_path: Path) -> None:
    """Found: `judge x.jsonl --out x.jsonl` put the calls in the place of the dialogues."""
    read = tmp_path / "read.jsonl"
    read.write_text("kept", encoding="utf-8")
    (tmp_path / "link.jsonl").symlink_to(read)
    (tmp_path / "hard.jsonl").hardlink_to(read)
    with pytest.raises(UserError, match="is the file that is read; give --out another one"):
        check_writable(tmp_path / out, read)
    check_writable(tmp_path / "other.jsonl", read)


@pytest.mark.parametrize("out", ["", ".", "/", "/dev/null/x", "none/x.jsonl"])
def test_no_file_at_all(out: str) -> None:
    with pytest.raises(UserError, match="can't write"):
        check_writable(Path(out))
