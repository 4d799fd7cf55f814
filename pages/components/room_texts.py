"""What the room's component says, in the reader's language; the browser puts the values in."""

from __future__ import annotations

from conference.analysis.calls import VERDICT_WORDS
from conference.domain.phrase import Phrase
from pages.components.language import said

_TEXTS = {
    "line": Phrase("line {seq}"),
    "ballot": Phrase("ballot {gradient} of 8"),
    "accepting": Phrase("probability of accepting {p}"),
    "need": Phrase("Would need: {condition}"),
    "last": Phrase("Said last:"),
    "confidence": Phrase("confidence {p}"),
    "accept": Phrase("{n} of {of} accept"),
    "judged": Phrase("{stage}, round {round} · judge: {judge}"),
    "table": Phrase("On the table:"),
    "why": Phrase("Why:"),
    "speaking": Phrase("is speaking"),
    **VERDICT_WORDS,
    "calls": Phrase("Agreement calls"),
    "calls_empty": Phrase("After each round the judge calls ● agreement or ○ continue."),
    "no_judge": Phrase("No judge sits at this conference."),
    "earlier": Phrase("Earlier calls: {n}"),
    "place": Phrase("{stage}, round {round}"),
    "show_call": Phrase("Show this call in the transcript"),
    "sure": Phrase("The number is how sure the judge is of its call, 0 to 1."),
    "positions": Phrase("Positions"),
    "positions_empty": Phrase("Where each participant stands, once the judge has called."),
    "participant": Phrase("Participant"),
    "of8": Phrase("{gradient} of 8"),
    "key": Phrase("▲ accepts ◆ undecided ▼ does not; columns: stage.round"),
    "coverage": Phrase("Coverage"),
    "raised": Phrase("{clusters} of {of_clusters} clusters and {n} of {of} criteria raised, of {title}"),
    "by_chance": Phrase("As much talk about something else would be read as raising {what}."),
    "n_of": Phrase("{n} of {of}"),
    "unchecked": Phrase("† {n} of {of} criteria: words not checked against the publication."),
    "weak": Phrase("A first impression only: this reference has too few example utterances."),
    "monitor": Phrase("Monitor"),
    "raised_in": Phrase("raised in lines: {n}"),
    "not_raised": Phrase("not raised"),
    "transcript": Phrase("Transcript"),
    "beside": Phrase("Calls, positions, coverage, monitor"),
    "latest": Phrase("↓ Latest"),
    "to_end": Phrase("↓ To the end"),
}


def room_texts(into: str) -> dict[str, str]:
    """By the component's keys."""
    return {key: said(text, into) for key, text in _TEXTS.items()}
