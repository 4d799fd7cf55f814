"""Records: frozen, strict, and the same after a journey through JSON."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from conference.domain import chat, coverage, events, move, persona, position, reference, spec, transcript
from conference.domain.chat import Usage
from conference.domain.events import Event, Utterance, event_reader, events_reader
from conference.domain.log import MemoryLog
from conference.domain.record import Name, Record, Words
from conference.domain.spec import Stage
from conference.errors import LogError
from tests.arbitrary_events import an_event
from tests.conferences import opened, says, shipped, small_spec

MODULES = (chat, coverage, events, move, persona, position, reference, spec, transcript)
RECORDS = sorted(
    {kind for module in MODULES for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, BaseModel)},
    key=lambda kind: kind.__qualname__,
)


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__qualname__)
def test_every_record_is_frozen_and_takes_no_unknown_key(kind: type[BaseModel]) -> None:
    assert issubclass(kind, Record)
    assert (kind.model_config.get("frozen"), kind.model_config.get("extra")) == (True, "forbid")


def test_a_record_cant_be_changed() -> None:
    stage = Stage(name="A")
    with pytest.raises(ValidationError, match="frozen"):
        stage.name = "B"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Ada Voss ", "Ada Voss"),
        ("O\u2019Neill-Ærø", "O\u2019Neill-Ærø"),
        ("陳大文", "陳大文"),
        ("Ada\n", "Ada"),
        ("A\tB", "A\tB"),
    ],
)
def test_names_that_are_names(text: str, kept: str) -> None:
    assert TypeAdapter(Name).validate_python(text) == kept


@pytest.mark.parametrize(
    "text", ["", "  ", "\n", "x" * 121, "a\nb", "a\rb", "a\x00b", "a\x0bb", "a\x1b[0m", "a\x85b", "a\u2028b", "a\u2029b"]
)
def test_names_that_are_none(text: str) -> None:
    """Found: a vertical tab, an escape sequence and the line separators of Unicode passed for one line."""
    with pytest.raises(ValidationError):
        TypeAdapter(Name).validate_python(text)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 20_001])
def test_words_that_say_nothing_or_too_much(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Words).validate_python(text)


@given(st.lists(st.integers(0, 9).flatmap(an_event), max_size=4))
@settings(max_examples=60, deadline=None)
def test_events_are_the_same_after_json(found: list[Event]) -> None:
    assert events_reader.validate_json(events_reader.dump_json(found)) == found
    assert [event_reader.validate_json(event_reader.dump_json(event)) for event in found] == found


@pytest.mark.parametrize("name", ["cannabis-regulation", "office-move"])
def test_a_spec_is_the_same_after_json(name: str) -> None:
    assert type(shipped(name)).model_validate_json(shipped(name).model_dump_json()) == shipped(name)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"seq": 0, "at": "", "kind": "uterance"}, "union_tag_invalid"),
        ({"seq": 0, "at": ""}, "union_tag_not_found"),
        ({"seq": -1, "at": "", "kind": "resumed"}, "greater_than_equal"),
        ({"seq": 0, "at": "", "kind": "resumed", "by": "me"}, "extra_forbidden"),
        ({"seq": 0, "at": "", "kind": "stage_closed", "stage": 0, "rounds": 1, "because": "bored"}, "literal_error"),
    ],
)
def test_what_is_no_event(value: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError) as caught:
        event_reader.validate_python(value)
    assert [error["type"] for error in caught.value.errors()] == [complaint]


def test_usage_adds_up() -> None:
    one = Usage(prompt_tokens=100, cached_tokens=80, completion_tokens=10, seconds=1.0, decode_seconds=0.5)
    two = Usage(prompt_tokens=5, completion_tokens=2, seconds=0.25)
    # newly read or written: 100 - 80 + 10 = 30; 5 + 2 = 7; together 37
    assert [one.total_tokens, two.total_tokens, (one + two).total_tokens] == [30, 7, 37]
    assert one + two == Usage(prompt_tokens=105, cached_tokens=80, completion_tokens=12, seconds=1.25, decode_seconds=0.5)
    assert (two + two).decode_seconds is None


def test_the_model_of_a_role() -> None:
    models = spec.ModelsSpec(default="a", moderator="b", by_participant={"p0": "c"})
    assert [models.of("moderator"), models.of("judge"), models.of("participant", "p0"), models.of("participant", "p1")] == [
        "b",
        "a",
        "c",
        "a",
    ]


@pytest.mark.parametrize(
    ("judge", "kind", "threshold"),
    [("ballot", "ballot", None), ({"kind": "ballot", "threshold": 7}, "ballot", 7), ({"threshold": 0.4}, "llm", 0.4)],
)
def test_a_judge_by_name_or_whole(judge: Any, kind: str, threshold: float | None) -> None:
    found = small_spec(judge=judge).judge
    assert found is not None
    assert (found.kind, found.threshold) == (kind, threshold)


@pytest.mark.parametrize(
    "judge", [{"kind": "llm", "threshold": 6}, {"kind": "ballot", "threshold": 0.5}, {"threshold": float("nan")}]
)
def test_a_threshold_no_judge_can_reach(judge: Any) -> None:
    """Found: an llm judge with a ballot's threshold would silently never have agreed."""
    with pytest.raises(ValidationError):
        small_spec(judge=judge)


def test_a_model_for_a_stranger() -> None:
    """Found: a mistyped id under models.by_participant was a default, not an error."""
    with pytest.raises(ValidationError, match="names 'p9', who isn't at the table"):
        small_spec(models={"by_participant": {"p9": "scripted"}})


class TestMemoryLog:
    FIRST = opened(small_spec())
    SECOND = Utterance(**{**says("Ada Voss").model_dump(), "seq": 1})

    def test_keeps_events_in_order(self) -> None:
        log = MemoryLog()
        for event in (self.FIRST, self.SECOND):
            log.append(event)
        assert (log.events(), log.events(after=0), log.events(after=1)) == ([self.FIRST, self.SECOND], [self.SECOND], [])

    def test_a_doubled_delivery_is_harmless_and_another_event_is_not(self) -> None:
        log = MemoryLog([self.FIRST, self.SECOND])
        log.append(self.SECOND)
        with pytest.raises(LogError, match="doesn't follow event 1"):
            log.append(self.SECOND.model_copy(update={"text": "Something else."}))
        with pytest.raises(LogError, match="doesn't follow event 1"):
            log.append(self.SECOND.model_copy(update={"seq": 5}))
        assert log.events() == [self.FIRST, self.SECOND]

    def test_does_not_share_its_list(self) -> None:
        given = [self.FIRST]
        log = MemoryLog(given)
        log.append(self.SECOND)
        log.events().clear()
        assert (given, len(log.events())) == ([self.FIRST], 2)
