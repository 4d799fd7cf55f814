"""The command line as a terminal has it: a mistake is one line and status 2."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conference.domain.events import StageOpened
from conference.library import ROOT, load_spec
from conference.telling import Teller, pause_on_interrupt
from tests.conferences import small_spec

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


def environment(home: Path, **more: str) -> dict[str, str]:
    return {"PLENARY_HOME": str(home), "PATH": "", **more}


def test_humans_take_seats_only_in_the_dashboard(tmp_path: Path) -> None:
    """Found: the run waited for ever for a human nobody could ask."""
    spec = tmp_path / "humans.yaml"
    seat = load_spec(ROOT / OFFICE).participants[0].id
    spec.write_text((ROOT / OFFICE).read_text(encoding="utf-8") + f"\nhumans: [{seat}]\n", encoding="utf-8")
    status, lines = told("run", str(spec), "--model", "scripted", home=tmp_path)
    assert (status, lines) == (
        2,
        [
            f"plenary: humans: {seat} take seats; hold this conference in the dashboard (make run), "
            "or take 'humans' out of the spec"
        ],
    )
    assert told("runs", home=tmp_path)[1][0].startswith("no runs yet")


def test_a_limit_that_is_reached_and_other_ones_to_go_on_with(tmp_path: Path) -> None:
    """Found: `resume` advised to raise limits.tokens of a spec nobody could change any more."""
    spec = tmp_path / "short.yaml"
    text = (ROOT / OFFICE).read_text(encoding="utf-8")
    spec.write_text(text.replace("limits: {minutes: 30}", "limits: {tokens: 1}"), encoding="utf-8")
    status, lines = told("run", str(spec), "--model", "scripted", home=tmp_path)
    assert status == 1
    assert "of 1 tokens of this start are spent; resume with --tokens N, or from the dashboard" in lines[-1]
    run = lines[-1].rpartition(" ")[2]
    assert told("resume", run, home=tmp_path)[0] == 1
    assert told("resume", run, "--tokens", "0", home=tmp_path)[1] == [
        "plenary: the limits given: tokens is 0: input should be greater than 0"
    ]
    assert told("resume", run, "--tokens", "10000000", "--minutes", "5", home=tmp_path)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "conference", "runs", "--json"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=60, check=False, env=environment(tmp_path),
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1, "plenary: can't write the output (No space left on device); make room, or write elsewhere\n"
    )  # fmt: skip


def test_a_terminal_that_is_not_utf8_gets_question_marks(tmp_path: Path) -> None:
    """Found: a title with an umlaut ended `runs` in a traceback."""
    spec = tmp_path / "title.yaml"
    text = (ROOT / OFFICE).read_text(encoding="utf-8")
    title = next(line for line in text.splitlines() if line.startswith("title:"))
    spec.write_text(text.replace(title, "title: Zürich"), encoding="utf-8")
    assert told("run", str(spec), "--model", "scripted", home=tmp_path)[0] == 0
    done = subprocess.run(
        [sys.executable, "-m", "conference", "runs"], cwd=ROOT, capture_output=True, timeout=60, check=False,
        env=environment(tmp_path, PYTHONIOENCODING="ascii"),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Z?rich" in done.stdout


def test_a_run_goes_on_where_stderr_is_closed(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m conference run {OFFICE} --model scripted 2>&-'], cwd=ROOT, capture_output=True,
        text=True, timeout=60, check=False, env=environment(tmp_path),
    )  # fmt: skip
    assert (done.returncode, done.stdout.endswith(" finished\n")) == (0, True)


def test_an_interrupt_while_it_is_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "conference", "runs"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        env=environment(tmp_path, PYTHONPATH=str(tmp_path)),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "plenary: stopped\n")


async def test_the_second_interrupt_stops_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    paused: list[str] = []

    async def work() -> None:
        pause_on_interrupt(lambda: paused.append("paused"))
        await asyncio.sleep(60)

    task = asyncio.create_task(work())
    try:
        for _ in range(2):
            await asyncio.sleep(0.05)
            assert not task.done()
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(asyncio.CancelledError):
            await task
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
    assert paused == ["paused"]
    assert capsys.readouterr().err == "pausing after this turn; press Ctrl-C again to stop at once\n"


def test_a_teller_without_a_stream_is_silent() -> None:
    Teller(small_spec(2), None).tell(StageOpened(seq=1, at="", stage=0, name="Talk"))
