"""Transcripts and dialogues for judging (docs/formats.md). A transcript is minimal (a turn a line) or full (an event a line)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from conference.domain.events import Event, Utterance, event_reader
from conference.domain.reading import explain
from conference.domain.transcript import Dialogue, Turn
from conference.errors import TranscriptError
from conference.importers.lines import json_lines

R = TypeVar("R", bound=BaseModel)


def read_transcript(path: Path) -> list[Turn]:
    """The turns of a transcript file, passes left out; `seq` is the event's number, or the 0-based position. Raises TranscriptError."""
    turns: list[Turn] = []
    for number, value in json_lines(path, "transcript"):
        turn = _turn_of_event(value, number, path) if "kind" in value else _turn(value, number, path, len(turns))
        if turn is not None:
            turns.append(turn)
    if not turns:
        raise TranscriptError(f'transcript {path} has no turns; each line holds {{"speaker": …, "text": …}} or an event')
    return turns


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
        if dialogue.id in seen:
            raise TranscriptError(f"{place}: the id '{dialogue.id}' stands in line {seen[dialogue.id]} too; give each its own")
        seen[dialogue.id] = number
        found.append(dialogue)
    if not found:
        raise TranscriptError(f'dialogues {path} has no lines; each holds {{"id", "question", "participants", "turns"}}')
    return found


def _only_known(turn: Any) -> Any:
    return {key: turn[key] for key in Turn.model_fields if key in turn} if isinstance(turn, dict) else turn


def _built(model: type[R], value: dict[str, Any], place: str) -> R:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise TranscriptError(f"{place}: {explain(error, model)}") from None
