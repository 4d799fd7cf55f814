"""Recordings: finished logs that are played as if they happened now, without a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from conference.analysis.room import RoomView, Speaking, room_view, seconds_between
from conference.domain.events import ConferenceOpened, Event, Paused, Utterance
from conference.domain.spec import Spec
from conference.errors import LogError, PlenaryError, TranscriptError, UnknownName, did_you_mean
from conference.importers.transcripts import read_log
from conference.library import RECORDINGS

SPEEDS: dict[str, float] = {"1×": 1.0, "4×": 4.0, "16×": 16.0, "At once": math.inf}
LONGEST_GAP = 20.0
"""Seconds; a longer silence of the recording is cut to this."""
_WAIT = 1.0
"""Seconds a pause of the recording takes when it is played."""


@dataclass(frozen=True)
class Recording:
    """A log that can be played. `problem` says in one line why it can't; empty when it can."""

    name: str
    title: str
    question: str = ""
    models: tuple[str, ...] = ()
    minutes: float = 0.0
    problem: str = ""


@dataclass(frozen=True)
class Moment:
    """What has happened by some second: so many events, and the words being said."""

    events: int
    speaking: Speaking | None
    over: bool


@dataclass(frozen=True, eq=False)
class Timeline:
    """When each event of a recording comes, in seconds from its beginning."""

    events: tuple[Event, ...]
    times: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """The whole length."""
        return self.times[-1]

    @property
    def spec(self) -> Spec:
        """What the conference was run from."""
        opened = self.events[0]
        assert isinstance(opened, ConferenceOpened)
        return opened.spec

    @property
    def title(self) -> str:
        """The conference's title."""
        return self.spec.title

    def at(self, seconds: float) -> Moment:
        """What has happened `seconds` after the beginning; the first event always has."""
        count = max(1, sum(time <= seconds for time in self.times))
        return Moment(count, None if count == len(self.events) else self._speaking(count, seconds), count == len(self.events))

    def _speaking(self, place: int, seconds: float) -> Speaking | None:
        event = self.events[place]
        if not isinstance(event, Utterance) or not event.text:
            return None
        begin, end = self.times[place - 1], self.times[place]
        writing = min(event.usage.decode_seconds or 0.7 * (end - begin), end - begin)
        words = event.text.split(" ")
        said = int(len(words) * (seconds - (end - writing)) / writing) if writing > 0 else 0
        return Speaking(event.speaker, " ".join(words[:said])) if said > 0 else None


@dataclass(frozen=True)
class Playback:
    """How far a watcher has come: `position` seconds of the recording at clock time `since`, going on at `speed` (0 stands)."""

    position: float
    since: float
    speed: float

    def seconds(self, now: float) -> float:
        """Seconds of the recording that have been played at clock time `now`."""
        return self.position + (
            0.0 if self.speed == 0 else (now - self.since) * self.speed if self.speed < math.inf else math.inf
        )

    def at_speed(self, speed: float, now: float, length: float) -> Playback:
        """The same place, going on at another speed; `length` is the recording's."""
        return replace(self, position=min(self.seconds(now), length), since=now, speed=speed)


@lru_cache(maxsize=64)
def view_at(timeline: Timeline, events: int) -> RoomView:
    """The room after the first so many events."""
    return room_view(timeline.events[:events])


def second_named(text: str) -> float:
    """The second an address names; 0 for anything that is none."""
    return float(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0.0


def recordings(folder: Path = RECORDINGS) -> list[Recording]:
    """What can be played, by name. A file that isn't a log is there with its problem."""
    return [_described(path) for path in sorted(folder.glob("*.jsonl"))]


def timeline_of(name: str, folder: Path = RECORDINGS) -> Timeline:
    """The recording of this name, ready to be played. Raises UnknownName, TranscriptError."""
    paths = {path.stem: path for path in folder.glob("*.jsonl")}
    if name not in paths:
        raise UnknownName(f"unknown recording '{name}'" + (did_you_mean(name, paths) or "; there are none in data/recordings"))
    return _read(paths[name], paths[name].stat().st_mtime_ns)


def timeline_from(events: Sequence[Event]) -> Timeline:
    """A log, ready to be played. Raises LogError when it is empty."""
    if not events:
        raise LogError("the log is empty; a conference that hasn't begun can't be played")
    return Timeline(tuple(events), _times(events))


def _described(path: Path) -> Recording:
    try:
        timeline = _read(path, path.stat().st_mtime_ns)
    except PlenaryError as error:
        return Recording(path.stem, path.stem, problem=str(error))
    models = dict.fromkeys(event.worded_by for event in timeline.events if isinstance(event, Utterance))
    told = tuple(model for model in models if model not in ("", "brief"))
    return Recording(path.stem, timeline.title, timeline.spec.question, told, timeline.seconds / 60)


@lru_cache(maxsize=16)
def _read(path: Path, _changed: int) -> Timeline:
    events = tuple(read_log(path))
    if not events or not isinstance(events[0], ConferenceOpened):
        raise TranscriptError(
            f"recording {path.name} doesn't begin with conference_opened; export a run with 'export --to jsonl'"
        )
    if any(event.seq != place for place, event in enumerate(events)):
        raise TranscriptError(f"recording {path.name} has a gap in its numbers; export the run again")
    return Timeline(events, _times(events))


def _times(events: Sequence[Event]) -> tuple[float, ...]:
    times = [0.0]
    for before, event in zip(events, events[1:], strict=False):
        gap = _WAIT if isinstance(before, Paused) else min(seconds_between(before.at, event.at), LONGEST_GAP)
        times.append(times[-1] + gap)
    return tuple(times)
