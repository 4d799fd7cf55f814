"""A stand-in without any model: it answers every request deterministically, for tests and for trying things out.

Turns say the note they are given; judgements go by plain keywords in each participant's last turn; scores and ballots are drawn from a
hash of the request. Nothing it says is evidence of anything.
"""

from __future__ import annotations

import hashlib
import json
import re

from conference.domain.chat import OnText, Reply, Request, Usage

_NOTE = re.compile(r"(?:^Note: |Suggested for this turn: \w+[^.\n]*\. )(.+)$", re.MULTILINE)
_POSITION = re.compile(r"^Your position on what is on the table: ([^.;\n]+)", re.MULTILINE)
_OPENINGS = {
    "you accep": "I can accept that as it stands.",
    "you don't": "I can't accept that as it stands.",
}
"""By the first nine characters of the position."""
_LINE = re.compile(r"^(?:\[\d+\] )?([^:\n]{1,120}): (.+)$", re.MULTILINE)
_YES = re.compile(
    r"\b(accept|support|agree|sign|in favour|count me in|live with|work with|fine with|on board|content with|my yes)\b", re.I
)
_NO = re.compile(
    r"\b(can't|cannot|against|oppose|no to|only if|condition still|unless|missing|without|not there yet|don't support|is no)\b",
    re.I,
)


class ScriptedModel:
    """Answers by rule and hash; the same request gives the same reply."""

    name = "scripted"
    small = False
    gives_probabilities = False

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """The reply to one request; `on_text` hears it once, whole."""
        text = json.dumps(_by_schema(request)) if request.json_schema is not None else _text(request)
        if on_text is not None:
            on_text(text)
        read = sum(len(m.content) for m in request.messages) // 4
        return Reply(text=text, model=self.name, usage=Usage(prompt_tokens=read, completion_tokens=max(1, len(text) // 4)))


def _number(request: Request, low: int, high: int) -> int:
    digest = hashlib.sha256(request.model_dump_json().encode()).digest()
    return low + int.from_bytes(digest[:4], "big") % (high - low + 1)


def _text(request: Request) -> str:
    if request.purpose == "score":
        return str(_number(request, 5, 9))
    if request.purpose == "ballot":
        return str(_number(request, 4, 8))
    last = next((m.content for m in reversed(request.messages) if m.role == "user"), "")
    note, position = _NOTE.search(last), _POSITION.search(last)
    if note or position:
        return f"{_OPENINGS.get(position.group(1)[:9], '') if position else ''} {note.group(1).strip() if note else ''}".strip()
    return ("I see it as I did before.", "Let us look at what is still open.", "I have nothing to add to what I said.")[
        _number(request, 0, 2)
    ]


def _by_schema(request: Request) -> dict[str, object]:
    properties = (request.json_schema or {}).get("properties", {})
    if "gradient" in properties:
        return {"gradient": _number(request, 4, 8), "condition": ""}
    stances = _stances(request)
    agreed = bool(stances) and all(stance == "support" for stance in stances.values())
    answers: dict[str, object] = {
        "proposal": "", "positions": stances, "open_points": [], "verdict": "agreement" if agreed else "continue",
        "confidence": 0.9 if agreed else 0.8, "reason": "by keywords in each one's last turn", "evidence": [],
    }  # fmt: skip
    return {key: answers.get(key, _blank(rule)) for key, rule in properties.items()}


def _blank(rule: dict[str, object]) -> object:
    return {"string": "", "number": 0, "integer": 0, "boolean": False, "array": [], "object": {}}.get(str(rule.get("type")), "")


def _stances(request: Request) -> dict[str, str]:
    """Each participant named in the schema or the transcript, by the keywords of what it last said."""
    text = "\n".join(m.content for m in request.messages if m.role == "user")
    inside = text.rsplit("<transcript>", 1)[-1].split("</transcript>", 1)[0]
    last = {name.strip(): words for name, words in _LINE.findall(inside)}
    wanted = (request.json_schema or {}).get("properties", {}).get("positions", {}).get("properties") or last
    return {name: _stance(last.get(name, "")) for name in wanted}


def _stance(words: str) -> str:
    if _NO.search(words):
        return "oppose"
    return "support" if _YES.search(words) else "undecided"
