"""Recordings: when what is said, word by word, at any speed, from any place."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from conference.analysis.room import Speaking
from conference.domain.chat import Usage
from conference.domain.events import Event, Paused, Resumed, StageOpened, Utterance
from conference.errors import TranscriptError, UnknownName
from conference.exporters.jsonl import write_log
from conference.playing import SPEEDS, Moment, Playback, Timeline, recordings, second_named, timeline_of, view_at
from tests.conferences import opened, small_spec


def at(second: int) -> str:
    return f"2026-12-01T12:{second // 60:02d}:{second % 60:02d}.000+00:00"


def said(seq: int, second: int, text: str, decode: float | None = None) -> Utterance:
    return Utterance(
        seq=seq, at=at(second), stage=0, round=1, speaker="Ada Voss", role="participant", text=text, worded_by="embedded",
        usage=Usage(decode_seconds=decode),
    )  # fmt: skip


EVENTS: list[Event] = [
    opened(small_spec(2)).model_copy(update={"at": at(0)}),
    StageOpened(seq=1, at=at(0), stage=0, name="Talk"),
    said(2, 10, "one two three four", decode=4.0),
    said(3, 100, "five six"),
    Paused(seq=4, at=at(101), because="facilitator"),
    Resumed(seq=5, at=at(3000)),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_log(EVENTS, tmp_path / "ferry.jsonl")
    return tmp_path


@pytest.fixture
def timeline(folder: Path) -> Timeline:
    return timeline_of("ferry", folder)


def test_long_silences_and_pauses_are_cut(timeline: Timeline) -> None:
    # 0; 0; 10; then 90 s of silence become 20; 1; and a pause of 2,899 s takes 1
    assert timeline.times == (0, 0, 10, 30, 31, 32)
    assert (timeline.seconds, timeline.title) == (32, "Ferry")


@pytest.mark.parametrize(
    ("seconds", "moment"),
    [
        (-5, Moment(1, None, False)),
        (0, Moment(2, None, False)),
        (5.9, Moment(2, None, False)),  # the model reads until second 6 and writes for four
        (8, Moment(2, Speaking("Ada Voss", "one two"), False)),
        (9.99, Moment(2, Speaking("Ada Voss", "one two three"), False)),
        (10, Moment(3, None, False)),
        (29, Moment(3, Speaking("Ada Voss", "five"), False)),  # without a measure: the last 70 % of the gap
        (31.5, Moment(5, None, False)),
        (32, Moment(6, None, True)),
        (math.inf, Moment(6, None, True)),
    ],
)
def test_at_any_second(timeline: Timeline, seconds: float, moment: Moment) -> None:
    assert timeline.at(seconds) == moment


def test_the_clock_of_a_watcher() -> None:
    play = Playback(position=3, since=100, speed=4)
    assert play.seconds(102) == 3 + 2 * 4
    assert Playback(3, 100, 0).seconds(500) == 3
    assert Playback(3, 100, math.inf).seconds(100) == math.inf
    assert play.at_speed(0, now=105, length=60) == Playback(23, 105, 0)
    assert play.at_speed(16, now=1000, length=60) == Playback(60, 1000, 16)
    assert Playback(3, 100, math.inf).at_speed(1, now=101, length=60) == Playback(60, 101, 1)
    assert list(SPEEDS) == ["1×", "4×", "16×", "At once"]


@pytest.mark.parametrize(("text", "second"), [("60", 60), ("", 0), ("-3", 0), ("1e9", 0), ("nan", 0), ("٣", 0), ("9" * 400, 0)])
def test_the_second_an_address_names(text: str, second: float) -> None:
    assert second_named(text) == second


def test_the_room_at_a_moment_is_made_once(timeline: Timeline) -> None:
    assert view_at(timeline, 3) is view_at(timeline, 3)
    assert [row.seq for row in view_at(timeline, 3).rows] == [1, 2]


def test_what_can_be_played(folder: Path) -> None:
    (folder / "empty.jsonl").write_text("")
    (folder / "odd.jsonl").write_text('{"speaker": "a", "text": "b"}\n')
    write_log(EVENTS[:2] + EVENTS[3:], folder / "torn.jsonl")
    found = {item.name: item for item in recordings(folder)}
    assert (found["ferry"].title, found["ferry"].models, found["ferry"].problem) == ("Ferry", ("embedded",), "")
    assert found["ferry"].minutes == pytest.approx(32 / 60)
    assert "doesn't begin with conference_opened" in found["empty"].problem
    assert "line 1 is not an event" in found["odd"].problem
    assert "has a gap in its numbers" in found["torn"].problem
    with pytest.raises(TranscriptError, match="gap"):
        timeline_of("torn", folder)


@pytest.mark.parametrize("name", ["ferrry", "../ferry", "", "ferry.jsonl"])
def test_a_name_nobody_knows_leads_nowhere_else(folder: Path, name: str) -> None:
    with pytest.raises(UnknownName, match="unknown recording"):
        timeline_of(name, folder)


def test_a_changed_file_is_read_again(folder: Path, timeline: Timeline) -> None:
    write_log(EVENTS[:3], folder / "ferry.jsonl")
    assert len(timeline_of("ferry", folder).events) == 3


def test_what_is_shipped_can_be_played() -> None:
    assert [item.problem for item in recordings()] == [""] * len(recordings())
