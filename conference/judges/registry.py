"""Judges by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from conference.errors import UnknownName, did_you_mean
from conference.judges.hearing import Judge

_JUDGES: dict[str, type[Judge]] = {}
J = TypeVar("J", bound=type[Judge])


def judge(name: str) -> Callable[[J], J]:
    """Registers a judge; a name given twice fails at import."""

    def register(found: J) -> J:
        if name in _JUDGES:
            raise ValueError(f"two judges are called '{name}'")
        found.name = name
        _JUDGES[name] = found
        return found

    return register


def judge_named(name: str) -> Judge:
    """The judge of this name. Raises UnknownName."""
    from conference.judges import ballot, llm  # noqa: F401 - they register themselves

    if name not in _JUDGES:
        raise UnknownName(f"unknown judge '{name}'" + did_you_mean(name, (*_JUDGES, "none")))
    return _JUDGES[name]()
