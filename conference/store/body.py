"""A record becomes the JSON text that is kept: without keys, and surely readable again."""

from __future__ import annotations

import json
import os
import re
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from conference.domain.reading import explain
from conference.domain.record import Record
from conference.errors import LogError

T = TypeVar("T")

REMOVED = "[key removed]"
_NAMED_LIKE_A_KEY = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD)S?$", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}")
_SHORTEST_KEY = 12


def keys_in_environment() -> tuple[str, ...]:
    """The values of all variables named like a key, as they would stand in JSON; longest first."""
    found = {value for name, value in os.environ.items() if _NAMED_LIKE_A_KEY.search(name) and len(value) >= _SHORTEST_KEY}
    return tuple(sorted((json.dumps(value, ensure_ascii=False)[1:-1] for value in found), key=len, reverse=True))


def without_keys(text: str, keys: tuple[str, ...]) -> str:
    """The text with every key of the environment, and whatever looks like one, taken out.

    No record has a field for a key; but a service may repeat one in the error message that is kept.
    """
    for key in keys:
        if key in text:
            text = text.replace(key, REMOVED)
    return _LOOKS_LIKE_A_KEY.sub(REMOVED, text) if "sk-" in text else text


def body_of(record: Record, reader: TypeAdapter[T], what: str, keys: tuple[str, ...]) -> str:
    """The JSON of a record. Raises LogError when it couldn't be read back: one such line would make the whole log unreadable."""
    try:
        body = without_keys(record.model_dump_json(warnings=False), keys)
        if _reads(body, reader):
            return body
        # JSON has no infinity, and records write null for it; where null isn't allowed, a word that reads back is
        body = without_keys(to_json(record.model_dump(warnings=False), inf_nan_mode="strings").decode(), keys)
        reader.validate_json(body)
        return body
    except ValidationError as error:
        raise LogError(
            f"{what} can't be kept, because it couldn't be read back ({explain(error, type(record))}); mend the value"
        ) from None
    except (PydanticSerializationError, UnicodeError) as error:
        raise LogError(f"{what} can't be written as JSON ({' '.join(str(error).split())[:200]}); mend the text") from None


def _reads(body: str, reader: TypeAdapter[T]) -> bool:
    try:
        reader.validate_json(body)
    except ValidationError:
        return False
    return True


def plain(text: str) -> str:
    """Text for a column: PostgreSQL takes no NUL there (in JSON it stands escaped)."""
    return text.replace("\x00", "")


def whole(number: int | None, bound: int = 2**31 - 1) -> int | None:
    """A number for an integer column; None when it doesn't fit there (the body has it)."""
    return number if number is not None and -bound <= number <= bound else None
