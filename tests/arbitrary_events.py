"""Hypothesis strategies for every kind of event, built from the fields of the records."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le
from hypothesis import strategies as st
from pydantic import BaseModel, StringConstraints

from conference.domain.events import Event
from conference.domain.persona import Persona
from conference.domain.spec import Spec, Stage

KINDS: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])

ANY_TEXT = st.text(max_size=40)
"""NUL, control characters, emoji, right-to-left: whatever UTF-8 can hold."""
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)


def spec(title: str = "Cannabis regulation") -> Spec:
    """A small conference."""
    people = [Persona(id=name, name=name.upper(), role="expert") for name in ("mo", "dm", "sh")]
    return Spec(
        title=title, question="Which regime?", moderator=people[0], participants=tuple(people[1:]), agenda=(Stage(name="Values"),)
    )


def an_event(seq: int) -> st.SearchStrategy[Any]:
    """Any event with this number."""
    return st.sampled_from(KINDS).flatmap(lambda kind: _record(kind, seq=st.just(seq)))


def _record(model: type[BaseModel], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    if model is Spec:
        return WORDS.map(spec)
    fields = {
        name: given[name] if name in given else _value(field.annotation, tuple(field.metadata))
        for name, field in model.model_fields.items()
        if name != "kind" or get_origin(field.annotation) is not Literal or len(get_args(field.annotation)) > 1
    }
    return st.builds(model, **fields)


def _value(annotation: Any, limits: tuple[Any, ...] = ()) -> st.SearchStrategy[Any]:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _value(args[0], args[1:])
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, types.UnionType):
        return st.one_of([_value(arg, limits) for arg in args])
    if origin is tuple:
        return st.lists(_value(args[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(_value(args[0]), _value(args[1]), max_size=3)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _record(annotation)
    return _scalar(annotation, limits)


def _scalar(kind: Any, limits: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if kind is str:
        return WORDS if any(isinstance(limit, StringConstraints) for limit in limits) else ANY_TEXT
    if kind is bool or kind is type(None):
        return st.booleans() if kind is bool else st.none()
    flat = [item for limit in limits for item in (*getattr(limit, "metadata", ()), limit)]
    least = next(
        (item.ge for item in flat if isinstance(item, Ge)), next((item.gt + 1 for item in flat if isinstance(item, Gt)), None)
    )
    most = next((item.le for item in flat if isinstance(item, Le)), None)
    if kind is int:
        return st.integers(least, most)
    assert kind is float, kind
    return st.floats(least, most, allow_nan=False, allow_infinity=False)
