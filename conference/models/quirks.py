"""What a service doesn't take: read from its refusals, so that it is asked once and not sent again."""

from __future__ import annotations

QUIRKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("max_tokens", ("max_completion_tokens", "max_tokens")),
    ("temperature", ("temperature",)),
    ("top_p", ("top_p",)),
    ("logprobs", ("logprobs",)),
    ("json_schema", ("json_schema", "response_format", "structured output", "strict")),
    ("response_format", ("response_format", "json_object")),
    ("stream_options", ("stream_options", "include_usage")),
    ("seed", ("seed",)),
    ("prefill", ("prefill", "assistant message", "end with a user message")),
    ("stop", ("'stop'", '"stop"', "stop sequence", "parameter: stop")),
)
"""What is dropped, and the words of a refusal that ask for it. `json_schema` dropped means plain `json_object`; `max_tokens`
dropped means `max_completion_tokens`."""


def learnt(refusal: str, sent: set[str], dropped: frozenset[str]) -> frozenset[str] | None:
    """`dropped` with one thing more, which the refusal names; None when it names nothing that can be dropped.

    `sent` holds the names of the fields the refused request had. A refusal without a reason, of a request for JSON, is
    taken as one of the schema: small servers say no more than "bad request".
    """
    text = refusal.lower()
    for quirk, words in QUIRKS:
        if quirk not in dropped and _was_sent(quirk, sent, dropped) and any(word in text for word in words):
            return dropped | {quirk}
    if "response_format" in sent and "json_schema" not in dropped and "context" not in text:
        return dropped | {"json_schema"}
    return None


def _was_sent(quirk: str, sent: set[str], dropped: frozenset[str]) -> bool:
    if quirk == "json_schema":
        return "response_format" in sent
    if quirk == "response_format":
        return "response_format" in sent and "json_schema" in dropped
    return quirk in sent
