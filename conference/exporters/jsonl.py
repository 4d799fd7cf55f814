"""A run's log, an event a line (docs/formats.md, *Transcript, full*)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

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
    """Write lines to a file beside and put it in place at the end; what is no file (a pipe, a device) is written into directly."""
    beside: Path | None = None
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8") as stream:
                _write(stream, lines)
            return
        target = Path(os.path.realpath(path))  # a link stays, and what it leads to is replaced
        part = target.with_name(f".{os.getpid()}.part")  # short: the name itself may be as long as a name can be
        with part.open("w", encoding="utf-8") as file:
            beside = part
            _write(file, lines)
        part.replace(target)
        beside = None
    except OSError as error:
        raise UserError(f"can't write {path} ({error.strerror}); choose another place with --out") from None
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def _write(file: TextIO, lines: Iterable[str]) -> None:
    file.writelines(f"{line}\n" for line in lines)


def check_writable(out: Path | None, *read: Path) -> None:
    """Raises UserError, before the work, when a result can't be written to `out`, or `out` is one of the files read."""
    if out is None:
        return
    try:
        there, folder = out.exists(), Path(os.path.realpath(out)).parent
        if out.is_dir() or not (there or folder.is_dir()):
            raise UserError(f"can't write {out}; give --out a file in a folder that exists")
        if there and any(path.exists() and out.samefile(path) for path in read):
            raise UserError(f"--out {out} is the file that is read; give --out another one")
        if there and not out.is_file():
            if not os.access(out, os.W_OK):
                raise UserError(f"can't write {out}: it may only be read; give --out another place")
        elif not os.access(folder, os.W_OK | os.X_OK):
            raise UserError(f"can't write {out}: its folder can't be written; give --out a file in one that can")
    except OSError as error:
        raise UserError(f"can't write {out} ({error.strerror}); choose another place with --out") from None
