"""All that is wrong with a YAML text, each with the line it stands on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from conference.domain.reading import explain_one, parse_mapping
from conference.errors import SpecError

R = TypeVar("R", bound=BaseModel)
Place = tuple[int | str, ...]


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong: what, which value, what to do. `line` counts from 1; None where no line can be named."""

    text: str
    line: int | None = None


def checked(model: type[R], text: str, what: str) -> tuple[R | None, list[Mistake]]:
    """The record a YAML text describes, or None and all its mistakes, in the order of their lines."""
    try:
        value = parse_mapping(text, what)
    except SpecError as error:
        return None, [Mistake(str(error), error.line)]
    return validated(model, value, text)


def validated(model: type[R], value: object, text: str) -> tuple[R | None, list[Mistake]]:
    """The record a value describes, or None and all its mistakes with the lines of `text`, which the value was read from."""
    try:
        return model.model_validate(value), []
    except ValidationError as error:
        lines = lines_of(text)
        found = [
            Mistake(explain_one(item, model), line_at(item["loc"], lines) or line_named(str(item["msg"]), lines))
            for item in error.errors(include_url=False)
        ]
        return None, in_order(found)
    except RecursionError:
        return None, [Mistake("nested too deeply; flatten it")]


def in_order(found: Iterable[Mistake]) -> list[Mistake]:
    """By line; those without one first."""
    return sorted(dict.fromkeys(found), key=lambda mistake: mistake.line or 0)


def lines_of(text: str) -> dict[Place, int]:
    """Place of a value to the line it begins on. Of a text that can't be read, nothing."""
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return {}
    found: dict[Place, int] = {}
    waiting: list[tuple[Place, yaml.Node]] = [((), root)] if root is not None else []
    while waiting:
        place, node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            children = [((*place, str(key.value)), key, value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            children = [((*place, number), value, value) for number, value in enumerate(node.value)]
        else:
            continue
        for inside, marked, value in children:
            found[inside] = marked.start_mark.line + 1
            waiting.append((inside, value))
    return found


def line_at(place: Place, lines: dict[Place, int]) -> int | None:
    """The line of a place, or of what it stands in; None at the top."""
    inside = tuple(part for part in place if not str(part).startswith("function-"))
    return next((lines[inside[:end]] for end in range(len(inside), 0, -1) if inside[:end] in lines), None)


_KEYS = {"participant": "participants", "stage": "agenda", "agenda": "agenda", "option": "options", "table": "participants"}


def line_named(said: str, lines: dict[Place, int]) -> int | None:
    """The line of the key a mistake of the whole speaks of."""
    words = said.replace(",", " ").replace(".", " ").split()
    keys = [word for word in words if (word,) in lines] + [
        key for word in words for key in [_KEYS.get(word.rstrip("s"), "")] if key
    ]
    return next((lines[(key,)] for key in keys if (key,) in lines), None)
