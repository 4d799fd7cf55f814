from __future__ import annotations

import pytest

from conference.domain.chat import Message, Reply, Request, TokenChoice, Usage
from conference.errors import ModelReplyError
from conference.models.quirks import learnt
from conference.models.wire import PLAIN_JSON, checked, continuation, cut, fields, first_token_of, merged, usage_of, whole

OPEN = {"type": "object", "properties": {"verdict": {"type": "string"}}}
CLOSED = {**OPEN, "required": ["verdict"], "additionalProperties": False}
ASK = (Message(role="system", content="Be brief."), Message(role="user", content="Well?"))
SENT_ASK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Well?"}]


def request(**more: object) -> Request:
    return Request(messages=ASK, **more)  # type: ignore[arg-type]


def test_a_plain_request() -> None:
    assert fields("m", request()) == {"model": "m", "messages": SENT_ASK, "max_tokens": 256, "temperature": 0.0}


def test_a_full_request() -> None:
    full = request(max_tokens=1, temperature=0.7, top_p=0.9, seed=7, stop=("\n",), top_logprobs=20, json_schema=CLOSED)
    assert fields("m", full) == {
        "model": "m",
        "messages": SENT_ASK,
        "max_tokens": 1,
        "temperature": 0.7,
        "top_p": 0.9,
        "seed": 7,
        "stop": ["\n"],
        "logprobs": True,
        "top_logprobs": 20,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": CLOSED, "strict": True}},
    }


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (OPEN, False),
        ({**CLOSED, "properties": {"verdict": OPEN}}, False),
        ({**CLOSED, "properties": {"verdict": {"type": "array", "items": CLOSED}}}, True),
    ],
)
def test_only_a_closed_schema_is_strict(schema: dict[str, object], strict: bool) -> None:
    assert fields("m", request(json_schema=schema))["response_format"]["json_schema"]["strict"] is strict


@pytest.mark.parametrize(
    ("dropped", "gone", "there"),
    [
        ({"max_tokens"}, {"max_tokens"}, {"max_completion_tokens"}),
        ({"temperature"}, {"temperature"}, {"max_tokens"}),
        ({"logprobs"}, {"logprobs", "top_logprobs"}, {"seed"}),
        ({"json_schema", "response_format"}, {"response_format"}, {"seed"}),
    ],
)
def test_what_was_dropped_is_not_sent(dropped: set[str], gone: set[str], there: set[str]) -> None:
    sent = set(fields("m", request(seed=1, top_logprobs=5, json_schema=CLOSED), dropped))
    assert not sent & gone
    assert there <= sent


def test_without_schemas_the_schema_is_told_in_words() -> None:
    sent = fields("m", request(json_schema={"type": "object"}), {"json_schema"})
    assert sent["response_format"] == {"type": "json_object"}
    assert sent["messages"] == [SENT_ASK[0], {"role": "user", "content": f'Well?\n\n{PLAIN_JSON}{{"type": "object"}}'}]


def test_neighbours_of_one_role_are_merged() -> None:
    said = [Message(role=role, content=text) for role, text in (("user", "a"), ("user", "b"), ("assistant", "c"), ("user", "d"))]
    assert [(message.role, message.content) for message in merged(said)] == [
        ("user", "a\n\nb"),
        ("assistant", "c"),
        ("user", "d"),
    ]


def test_usage_from_the_timings_of_llama_cpp() -> None:
    answer = {
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 1}},
        "timings": {"prompt_n": 20, "cache_n": 80, "predicted_ms": 250.0},
    }
    assert usage_of(answer, request(), "x", 1.5) == Usage(
        prompt_tokens=100, cached_tokens=80, completion_tokens=7, seconds=1.5, decode_seconds=0.25
    )


def test_usage_from_a_hosted_service() -> None:
    answer = {"usage": {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}}
    assert usage_of(answer, request(), "x", 1.0) == Usage(prompt_tokens=100, cached_tokens=64, completion_tokens=7, seconds=1.0)


def test_usage_is_estimated_where_nothing_is_counted() -> None:
    # 9 + 5 characters asked, 12 answered, four a token
    assert usage_of({"usage": None}, request(), "twelve chars", 1.0) == Usage(prompt_tokens=3, completion_tokens=3, seconds=1.0)


def test_first_tokens_are_sorted() -> None:
    logprobs = {
        "content": [{"token": "No", "top_logprobs": [{"token": "No", "logprob": -2.0}, {"token": "Yes", "logprob": -0.1}]}]
    }
    assert first_token_of(logprobs) == (TokenChoice(token="Yes", logprob=-0.1), TokenChoice(token="No", logprob=-2.0))


@pytest.mark.parametrize(
    "nothing", [None, {}, {"content": None}, {"content": []}, {"content": [{"token": "a", "top_logprobs": None}]}]
)
def test_no_first_tokens(nothing: dict[str, object] | None) -> None:
    assert first_token_of(nothing) == ()


def reply(text: str, finish: str = "stop", **more: object) -> Reply:
    return Reply(text=text, model="m", finish=finish, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('```json\n{"a": {"b": 2}}\n```', '{"a": {"b": 2}}'),
        ('Here you are: {"a": 1}. Anything else?', '{"a": 1}'),
    ],
)
def test_json_is_taken_out_of_its_wrapping(text: str, kept: str) -> None:
    assert checked(reply(text), request(json_schema=OPEN)).text == kept


@pytest.mark.parametrize(
    ("text", "finish", "message"),
    [
        ('{"verdict": "agre', "length", "is cut"),
        ('{"verdict": "agre', "stop", "not what was asked"),
        ("[1, 2]", "stop", "not what was asked"),
        ("I agree.", "stop", "not what was asked"),
        (" \n", "stop", "answered nothing"),
        ("", "content_filter", r"answered nothing \(finish: content_filter"),
    ],
)
def test_unusable_json_replies(text: str, finish: str, message: str) -> None:
    with pytest.raises(ModelReplyError, match=message):
        checked(reply(text, finish), request(json_schema=OPEN))


def test_a_plain_reply_cut_at_its_length_is_good() -> None:
    assert checked(reply("I would say that", "length"), request()).text == "I would say that"


def test_probabilities_make_up_for_a_blank_text() -> None:
    blank = reply("", first_token=(TokenChoice(token="<end>", logprob=-0.1),))
    assert checked(blank, request(top_logprobs=1)) == blank


@pytest.mark.parametrize(("text", "new"), [("Well, I would.", " I would."), (" I would.", " I would.")])
def test_only_what_continues_an_opening_is_new(text: str, new: str) -> None:
    assert continuation(text, Request(messages=(*ASK, Message(role="assistant", content="Well,")))) == new
    assert continuation(text, request()) == text


def test_cut_at_the_first_stop() -> None:
    assert cut("One.\nTwo. END three", ("END", "\n")) == "One."


SENT = {"model", "messages", "max_tokens", "temperature", "logprobs", "top_logprobs", "response_format", "seed", "stop"}


@pytest.mark.parametrize(
    ("refusal", "dropped", "quirk"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", set(), "max_tokens"),
        ("Unsupported value: 'temperature' does not support 0.0", set(), "temperature"),
        ("logprobs are not allowed with this model", set(), "logprobs"),
        ("response_format.type must be text or json_object", set(), "json_schema"),
        ("response_format is not supported", {"json_schema"}, "response_format"),
        ("Unsupported parameter: 'stop'", set(), "stop"),
        ("Bad request", set(), "json_schema"),
    ],
)
def test_a_refusal_teaches_one_thing(refusal: str, dropped: set[str], quirk: str) -> None:
    assert learnt(refusal, SENT, frozenset(dropped)) == dropped | {quirk}


@pytest.mark.parametrize(
    ("refusal", "sent", "dropped"),
    [
        ("Bad request", {"messages"}, set()),
        ("temperature", {"messages"}, set()),
        ("temperature", {"temperature"}, {"temperature"}),
        ("the prompt exceeds the context", SENT, set()),
    ],
)
def test_a_refusal_that_teaches_nothing(refusal: str, sent: set[str], dropped: set[str]) -> None:
    assert learnt(refusal, sent, frozenset(dropped)) is None


@pytest.mark.parametrize(
    ("text", "kept"),
    [("\ud83d" + "\ude00", "\U0001f600"), ("a\ud83d", "a\ufffd"), ("\ude00é", "\ufffdé"), ("plain", "plain"), ("é", "é")],
)
def test_halves_of_a_character_are_joined_or_replaced(text: str, kept: str) -> None:
    """Found: half an emoji at the end of a chunk of a stream couldn't be kept or shown."""
    assert whole(text) == kept


def test_half_a_character_escaped_in_a_json_reply_is_replaced() -> None:
    reply = Reply(text='{"reason": "so \\ud83d"}', model="m")
    text = checked(reply, Request(messages=(Message(role="user", content="?"),), json_schema={"type": "object"})).text
    assert text == '{"reason": "so \ufffd"}'
