"""The command line as a terminal has it: a mistake is one line and status 2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conference.library import ROOT

OFFICE = "data/conferences/office-move.yaml"


def told(*arguments: str, home: Path) -> tuple[int, list[str]]:
    """Exit status and the lines on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "conference", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env={"PLENARY_HOME": str(home), "PATH": ""},
    )  # fmt: skip
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], "spec"),
        (["rnu"], "rnu"),
        (["run", OFFICE, "--seeed", "3"], "--seeed"),
        (["run", OFFICE, "--seed", "abc"], "--seed"),
        (["judge", "dialogues.jsonl"], "--out"),
        (["run", "nowhere.yaml"], "nowhere.yaml"),
        (["run", OFFICE, "--model", "gpt-4"], "gpt-4"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], says: str, tmp_path: Path) -> None:
    """Found: typer brings its own click, so that every mistake was a traceback and status 1."""
    status, lines = told(*arguments, home=tmp_path)
    assert (status, len(lines)) == (2, 1), lines
    assert says in lines[0]


def test_a_model_that_cant_be_used_leaves_no_run_behind(tmp_path: Path) -> None:
    assert told("run", OFFICE, "--model", "openai:gpt-x", home=tmp_path)[0] == 2
    status, lines = told("runs", home=tmp_path)
    assert (status, lines[0][:11]) == (0, "no runs yet")


def test_a_result_that_cannot_be_written_is_noticed_before_the_work(tmp_path: Path) -> None:
    status, lines = told("run", OFFICE, "--model", "scripted", "--out", str(tmp_path / "none" / "log.jsonl"), home=tmp_path)
    assert (status, len(lines)) == (2, 1)
    assert "a folder that exists" in lines[0]


def test_judging_with_no_judge_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    status, lines = told("judge", "x.jsonl", "--judge", "none", "--out", str(tmp_path / "calls.jsonl"), home=tmp_path)
    assert (status, lines) == (2, ["plenary: --judge none calls nothing; name a judge: llm or ballot"])


def test_what_is_odd_about_a_spec_is_told_and_it_runs(tmp_path: Path) -> None:
    spec = tmp_path / "odd.yaml"
    spec.write_text((ROOT / OFFICE).read_text(encoding="utf-8").replace("Out-of-town hub]", "Ring road]", 1), encoding="utf-8")
    status, lines = told("run", str(spec), "--model", "scripted", home=tmp_path)
    assert status == 0, lines
    assert any(line.startswith("odd: ") and "'Out-of-town hub'" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "x", "--out", ""], "give --out a file"),
        (["export", "x", "--out", "docs"], "give --out a file"),
        (["run", OFFICE, "--model", "scripted", "--out", OFFICE], "is the file that is read"),
        (["judge", "data/evaluation/agreement_calibration.jsonl", "--out", "x" * 300], "too long"),
        (["coverage", "README.md", "--reference", "rogeberg2018_drug_policy", "--out", "README.md"], "is the file that is read"),
    ],
)
def test_a_place_that_cannot_be_meant_is_said_before_anything_is_read(arguments: list[str], says: str, tmp_path: Path) -> None:
    status, lines = told(*arguments, home=tmp_path)
    assert (status, len(lines)) == (2, 1), lines
    assert says in lines[0]
