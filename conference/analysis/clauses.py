"""A line into the parts that could each raise something of their own."""

from __future__ import annotations

import re

SHORTEST = 4
"""Words; a shorter part says too little to stand alone and joins its neighbour."""

_BREAK = re.compile(
    r"(?<=[.!?;:])\s+"
    r"|\s+[–—-]\s+"
    r"|,\s+(?=(?:and|but|so|while|whereas|which|because|then|or|yet|plus|also)\b)"
)


def clauses(text: str) -> list[str]:
    """The sentences of a text, cut again at dashes and before a comma's conjunction; [text] when there is one part only."""
    parts: list[str] = []
    for part in filter(None, (piece.strip() for piece in _BREAK.split(text))):
        if parts and min(len(part.split()), len(parts[-1].split())) < SHORTEST:
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    return parts if len(parts) > 1 else [text]
