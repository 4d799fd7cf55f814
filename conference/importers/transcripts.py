"""Transcripts and dialogues for judging (docs/formats.md). A transcript is minimal (a turn a line) or full (an event a line)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from conference.domain.events import KINDS, Event, Utterance, event_reader
from conference.domain.reading import explain
from conference.domain.transcript import Dialogue, Turn
from conference.errors import TranscriptError, did_you_mean
from conference.importers.lines import json_lines

R = TypeVar("R", bound=BaseModel)


def read_transcript(path: Path) -> list[Turn]:
    """The turns of a transcript file, passes left out; `seq` is the event's number, or the 0-based position. Raises TranscriptError.

    A file that begins with `conference_opened` is a log: each line is an event, and none is missing before the last.
    """
    turns: list[Turn] = []
    is_log = False
    for place, (number, value) in enumerate(json_lines(path, "transcript")):
        is_log = is_log or (place == 0 and value.get("kind") == "conference_opened")
        if is_log:
            _check_event(value, place, f"transcript {path.name} line {number}")
        event = is_log or _is_event(value)
        turn = _turn_of_event(value, number, path) if event else _turn(value, number, path, len(turns))
        if turn is not None:
            turns.append(turn)
    if not turns:
        raise TranscriptError(f'transcript {path} has no turns; each line holds {{"speaker": …, "text": …}} or an event')
    return turns


def _is_event(value: dict[str, Any]) -> bool:
    """Outside a log: an event, and not a turn with a `kind` of its own."""
    kind = value.get("kind")
    return isinstance(kind, str) and kind in KINDS and ("at" in value or not {"speaker", "text"} <= value.keys())


def _check_event(value: dict[str, Any], seq: int, place: str) -> None:
    """A log with a kind nobody knows or a number that isn't the next is damaged: turns might be missing."""
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise TranscriptError(f"{place}: unknown kind '{kind}'{did_you_mean(str(kind), KINDS)}")
    if value.get("seq") != seq:
        raise TranscriptError(
            f"{place}: seq is {value.get('seq')}, expected {seq}; a line is missing or doubled: export the log again"
        )


def _turn(value: dict[str, Any], number: int, path: Path, position: int) -> Turn:
    known = {key: value[key] for key in Turn.model_fields if key in value}
    turn = _built(Turn, known, f"transcript {path.name} line {number}")
    return turn if turn.seq is not None else turn.model_copy(update={"seq": position})


def _turn_of_event(value: dict[str, Any], number: int, path: Path) -> Turn | None:
    if value["kind"] != "utterance":
        return None
    try:
        event = event_reader.validate_python(value)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in problem["loc"][1:])
        raise TranscriptError(f"transcript {path.name} line {number}: {place}: {problem['msg'].lower()}") from None
    if not isinstance(event, Utterance) or not event.text:
        return None
    role = "moderator" if event.chairs else event.role
    return Turn(speaker=event.speaker, text=event.text, stage=event.stage, round=event.round, role=role, seq=event.seq)


def read_log(path: Path) -> list[Event]:
    """The events of an exported log. Raises TranscriptError when a line isn't an event."""
    found: list[Event] = []
    for number, value in json_lines(path, "log"):
        try:
            found.append(event_reader.validate_python(value))
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            raise TranscriptError(f"log {path.name} line {number} is not an event: {problem['msg'].lower()}") from None
    return found


def read_dialogues(path: Path) -> list[Dialogue]:
    """The dialogues of a file; keys of other uses are left alone. Raises TranscriptError."""
    found: list[Dialogue] = []
    seen: dict[str, int] = {}
    for number, value in json_lines(path, "dialogues"):
        place = f"dialogues {path.name} line {number}"
        known = {key: value[key] for key in Dialogue.model_fields if key in value}
        if isinstance(known.get("turns"), list):
            known["turns"] = [_only_known(turn) for turn in known["turns"]]
        dialogue = _built(Dialogue, known, place)
        if not dialogue.turns:
            raise TranscriptError(f"{place}: no turns; nothing can be judged")
        if not dialogue.participants:
            raise TranscriptError(f"{place}: participants is empty; name whose agreement is asked about")
        _check_participants(dialogue, place)
        if dialogue.id in seen:
            raise TranscriptError(f"{place}: the id '{dialogue.id}' stands in line {seen[dialogue.id]} too; give each its own")
        seen[dialogue.id] = number
        found.append(dialogue)
    if not found:
        raise TranscriptError(f'dialogues {path} has no lines; each holds {{"id", "question", "participants", "turns"}}')
    return found


def _check_participants(dialogue: Dialogue, place: str) -> None:
    """Whoever says nothing counts as silent, but when nobody is found among the speakers the names are written differently."""
    double = next((name for name, times in Counter(dialogue.participants).items() if times > 1), None)
    if double is not None:
        raise TranscriptError(f"{place}: two participants are named '{double}'; name each once")
    speakers = dict.fromkeys(turn.speaker for turn in dialogue.turns)
    if not set(speakers) & set(dialogue.participants):
        first = dialogue.participants[0]
        raise TranscriptError(f"{place}: no participant speaks, not even '{first}'{did_you_mean(first, speakers)}")


def _only_known(turn: Any) -> Any:
    return {key: turn[key] for key in Turn.model_fields if key in turn} if isinstance(turn, dict) else turn


def _built(model: type[R], value: dict[str, Any], place: str) -> R:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise TranscriptError(f"{place}: {explain(error, model)}") from None
