"""YAML text into records, with one-line errors: what, which value, what to do. Files are hostile."""

from __future__ import annotations

import re
import types
from collections.abc import Hashable
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from conference.errors import SpecError, did_you_mean

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

R = TypeVar("R", bound=BaseModel)


class _Loader(yaml.CSafeLoader):
    """Safe loading that refuses a key given twice instead of dropping the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                line = key.start_mark.line + 1
                raise SpecError(f"a key is no plain text (line {line}); write 'name: value'", line)
            if key.value in seen:
                line = key.start_mark.line + 1
                raise SpecError(f"the key '{key.value}' stands twice (line {line}); keep one", line)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_text(path: Path, what: str) -> str:
    """The text of a file of at most 1 MB of UTF-8. Raises SpecError."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SpecError(f"{what} {path} has {size:,} bytes; at most {MAX_BYTES:,} are read: split it or shorten it")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(f"{what} {path} is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except FileNotFoundError:
        raise SpecError(f"{what} {path} doesn't exist; check the path") from None
    except OSError as error:
        raise SpecError(f"{what} {path} can't be read ({error.strerror}); check the path and its permissions") from None
    except ValueError:  # a NUL in the path
        raise SpecError(f"{what} {path} is no path; check it") from None


def parse_mapping(text: str, what: str) -> dict[str, Any]:
    """A YAML mapping, without aliases and at most 40 levels deep. Raises SpecError."""
    if len(text) > MAX_BYTES:
        raise SpecError(f"{what} has {len(text):,} characters; at most {MAX_BYTES:,} are read: shorten it")
    try:
        _refuse_traps(text, what)
        value = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        remedy = _YAML_REMEDIES.get(problem, "mend that line")
        raise SpecError(f"{what} is not readable YAML{where}: {problem}; {remedy}", mark.line + 1 if mark else None) from None
    except (ValueError, TypeError, AttributeError, LookupError) as error:  # PyYAML's own, for `!!bool maybe` or the 13th month
        reason = str(error).split(";")[0] if isinstance(error, ValueError) else "it doesn't fit its tag"
        raise SpecError(f"{what} holds a value that can't be read ({reason}); put it in quotes") from None
    except SpecError as error:
        raise SpecError(f"{what}: {error}", error.line) from None
    if not isinstance(value, dict):
        found = "nothing" if value is None else f"a {type(value).__name__}"
        raise SpecError(f"{what} holds {found}, not keys with values; start it with a line like 'title: …'")
    return value


def _refuse_traps(text: str, what: str) -> None:
    """Walk the parser's events (no recursion) before anything is built."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise SpecError(
                f"aliases (*{event.anchor}) are not read; write the value out",
                event.start_mark.line + 1 if event.start_mark else None,
            )
        if isinstance(event, yaml.ScalarEvent) and (bad := _CONTROL.search(event.value)):
            where = f"line {event.start_mark.line + 1}" if event.start_mark else "it"
            line = event.start_mark.line + 1 if event.start_mark else None
            raise SpecError(f"{where} holds the control character {bad[0]!r}; take it out", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise SpecError(f"nested more than {MAX_DEPTH} levels deep; flatten it")


def build(model: type[R], value: object, what: str) -> R:
    """Validate into a record. Raises SpecError with the first mistake, in one line."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise SpecError(f"{what}: {explain(error, model)}") from None
    except RecursionError:
        raise SpecError(f"{what} is nested too deeply; flatten it") from None


def explain(error: ValidationError, model: type[BaseModel]) -> str:
    """The first mistake of a validation, in one line: what, which value, what to do."""
    return explain_one(error.errors(include_url=False)[0], model)


def explain_one(first: ErrorDetails, model: type[BaseModel]) -> str:
    """One of the mistakes of a validation, in one line."""
    place = _dotted(first["loc"])
    shown = _short(first.get("input"))
    if first["type"] == "extra_forbidden":
        owner = _model_at(model, first["loc"][:-1])
        inside = f" in {_dotted(first['loc'][:-1])}" if len(first["loc"]) > 1 else ""
        return f"unknown key '{first['loc'][-1]}'{inside}" + did_you_mean(
            str(first["loc"][-1]), owner.model_fields if owner else ()
        )
    if first["type"] == "missing":
        return f"{place} is missing; add it"
    if first["type"] == "value_error":
        inner = str(first["ctx"]["error"]) if "ctx" in first else first["msg"]
        return f"{place + ': ' if place else ''}{inner}"
    remedy = _REMEDIES.get(first["type"])
    if remedy and (first["type"] != "string_type" or not isinstance(first.get("input"), dict | list)):
        return f"{place} is {shown}; {remedy}"
    return f"{place} is {shown}: {first['msg'][0].lower()}{first['msg'][1:]}"


_YAML_REMEDIES = {
    "mapping values are not allowed in this context": "put a text with a colon in it in quotes",
    "did not find expected key": "a text that goes on after a closing quote, or an indent that doesn't line up: put the whole text in quotes",
}
"""By the parser's own words, which don't say what to do."""

_REMEDIES = {
    "string_type": "write text, in quotes where it looks like a number, a date or a yes",
    "tuple_type": "write a list: [one, two], or a line for each that starts with '- '",
    "model_type": "write keys with values, such as 'name: …'",
    "invalid_key": "write keys as text, in quotes where they look like a number",
    "string_pattern_mismatch": "write it on one line, without control characters",
}
"""By pydantic's type of error, where its own words don't say what to do."""


def _dotted(loc: tuple[int | str, ...]) -> str:
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not part.startswith("function-"):
            text += f".{part}" if text else part
    return text


def _short(value: object, limit: int = 60) -> str:
    if isinstance(value, dict | list):
        return f"a {type(value).__name__}"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _model_at(model: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The record that stands at a place of another, found by walking the annotations."""
    found: type[BaseModel] | None = model
    for part in loc:
        if found is not None and isinstance(part, str) and part in found.model_fields:
            found = _record_in(found.model_fields[part].annotation)
    return found


def _record_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Annotated, Union, types.UnionType, tuple, list, dict):
        return next((found for arg in get_args(annotation) if (found := _record_in(arg))), None)
    return None
