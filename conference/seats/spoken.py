"""From what a model wrote to what is said; and what was said, as turns."""

from __future__ import annotations

import re

from conference.domain.events import Utterance
from conference.errors import ModelReplyError
from conference.floor import Floor


def spoken_text(text: str, name: str) -> str:
    """The words without the speaker's name in front and marks around them. Raises ModelReplyError when nothing is left."""
    flat = " ".join(text.split())
    flat = re.sub(rf"^\W*{re.escape(name)}\W*:\s*", "", flat, flags=re.IGNORECASE).strip().strip('"“”').strip()
    if not flat:
        raise ModelReplyError(f"{name} said nothing; try again or choose another model")
    return flat


LONGEST = 120
"""Turns of a stage a prompt shows at most, the latest ones: a prompt must not grow without end."""


def turns_said(floor: Floor) -> list[Utterance]:
    """This stage's turns so far, passes left out; the last 120 when there are more."""
    return [u for u in floor.said if u.text][-LONGEST:]
