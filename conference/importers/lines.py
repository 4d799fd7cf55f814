"""JSON lines with one-line errors that name the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conference.errors import TranscriptError

MAX_LINE = 2_000_000
_SURROGATE = re.compile("[\ud800-\udfff]")


def json_lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(1-based line number, object) of each line that isn't blank. Raises TranscriptError."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _object(line, number, path, what)
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{what} {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except FileNotFoundError:
        raise TranscriptError(f"{what} {path} doesn't exist; check the path") from None
    except OSError as error:
        raise TranscriptError(f"{what} {path} can't be read ({error.strerror}); check the path") from None


def _object(line: str, number: int, path: Path, what: str) -> dict[str, Any]:
    if len(line) > MAX_LINE:
        raise TranscriptError(f"{what} {path.name} line {number} has {len(line):,} characters; at most {MAX_LINE:,} are read")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise TranscriptError(f"{what} {path.name} line {number} is not JSON ({reason}); mend that line") from None
    if "\\ud" in line.lower() and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise TranscriptError(
            f"{what} {path.name} line {number} holds half a character (a lone surrogate, \\ud800 to \\udfff); write the whole one"
        )
    if not isinstance(value, dict):
        raise TranscriptError(f"{what} {path.name} line {number} is a {type(value).__name__}, not an object; write {{…}}")
    return value
