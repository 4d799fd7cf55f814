"""Text of participants and files is data: it is shown to a model inside marks it can't close."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from conference.domain.events import Utterance
from conference.domain.transcript import Turn

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


@lru_cache(maxsize=8192)  # the transcript is written out anew every turn
def one_line(text: str, limit: int = 4000) -> str:
    """The text on one line, without control characters, with angle brackets and chat marks disarmed."""
    flat = " ".join(_CONTROL.sub(" ", text).split())
    flat = flat.replace("<", "‹").replace(">", "›").replace("[INST]", "(INST)")
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def transcript(turns: Sequence[Turn | Utterance], numbered: bool = False) -> str:
    """The turns, a line each, between <transcript> marks."""
    lines = [f"{f'[{i}] ' if numbered else ''}{one_line(t.speaker, 120)}: {one_line(t.text)}" for i, t in enumerate(turns)]
    return "\n".join(["<transcript>", *lines, "</transcript>"])
