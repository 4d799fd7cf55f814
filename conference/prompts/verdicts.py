"""Provisional judge prompt: structured output."""

from __future__ import annotations

from typing import Any

from conference.domain.chat import Message, Request
from conference.domain.transcript import Dialogue
from conference.prompts.quoting import one_line, transcript

PROMPT_VERSION = "verdicts/0"


def verdict_request(dialogue: Dialogue) -> Request:
    """One call for everything, as JSON."""
    names = [one_line(n, 120) for n in dialogue.participants]
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "proposal": {"type": "string"},
            "positions": {"type": "object", "properties": {n: {"enum": ["support", "oppose", "undecided"]} for n in names}, "required": names},
            "verdict": {"enum": ["agreement", "continue"]},
            "confidence": {"type": "number"},
            "reason": {"type": "string"},
        },
        "required": ["proposal", "positions", "verdict", "confidence", "reason"],
    }
    user = f"Question: {one_line(dialogue.question)}\nProposal: {one_line(dialogue.proposal)}\n{transcript(list(dialogue.turns))}"
    return Request(messages=(Message(role="system", content="Judge agreement."), Message(role="user", content=user)), purpose="judge",
                   prompt_version=PROMPT_VERSION, max_tokens=500, json_schema=schema)
