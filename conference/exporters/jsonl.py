"""A run's log, an event a line (docs/formats.md, *Transcript, full*)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from conference.domain.events import Event, event_reader
from conference.errors import UserError


def write_log(events: Iterable[Event], path: Path) -> None:
    """Write the events whole; the file appears complete or not at all. Raises UserError when it can't be written."""
    write_lines((_line(event) for event in events), path)


def log_lines(events: Iterable[Event]) -> str:
    """The events whole, as the text of a file."""
    return "".join(f"{_line(event)}\n" for event in events)


def _line(event: Event) -> str:
    return event_reader.dump_json(event).decode()


def write_lines(lines: Iterable[str], path: Path) -> None:
    """Write lines to a file beside and put it in place at the end."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        beside.replace(path)
    except OSError as error:
        raise UserError(f"can't write {path} ({error.strerror}); choose another place with --out") from None
    finally:
        beside.unlink(missing_ok=True)  # gone already when it was put in place
