"""How far a draft is: what stands, what is missing, what is wrong or odd, and the one next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conference.domain.mistakes import Mistake
from conference.domain.phrase import Phrase

State = Literal["done", "missing", "wrong", "odd"]


@dataclass(frozen=True)
class Check:
    """One line of the list. `line` is that of the YAML text, where one can be named."""

    state: State
    text: str
    line: int | None = None


@dataclass(frozen=True)
class Readiness:
    """The whole list; `next_step` says the one thing to do now."""

    checks: tuple[Check, ...]
    next_step: Phrase
    ready: bool


def readiness(draft: Mapping[str, Any], mistakes: Sequence[Mistake], oddities: Sequence[str]) -> Readiness:
    """The list for a draft whose text has these mistakes; it is ready when nothing is missing or wrong."""
    table, agenda = draft.get("participants") or [], draft.get("agenda") or []
    needed = (
        ("question", bool(draft.get("question")), Phrase("Question"), Phrase("Write the question the conference is to decide.")),
        ("title", bool(draft.get("title")), Phrase("Title"), Phrase("Give the conference a title.")),
        ("participants", len(table) >= 2, Phrase("{number} at the table", number=len(table)),
         Phrase("Seat at least two participants: suggest a table, or add them yourself.")),
        ("moderator", bool(draft.get("moderator")), Phrase("Moderator"), Phrase("Choose a moderator.")),
        ("agenda", bool(agenda), Phrase("Agenda of {number} stages", number=len(agenda)), Phrase("Fill the agenda from a template.")),
    )  # fmt: skip
    missing = {key for key, there, _, _ in needed if not there}
    checks = [Check("done" if there else "missing", done if there else step) for _, there, done, step in needed]
    wrong = [Check("wrong", mistake.text, mistake.line) for mistake in mistakes if not _told(mistake, missing)]
    step = next((step for _, there, _, step in needed if not there), None)
    if step is None:
        step = Phrase("Mend what is marked ✕.") if wrong else Phrase("Start the conference.")
    return Readiness((*checks, *wrong, *(Check("odd", odd) for odd in oddities)), step, not missing and not wrong)


def _told(mistake: Mistake, missing: set[str]) -> bool:
    """Whether the mistake only says that what is missing is missing."""
    begins = mistake.text.replace(":", " ").split(" ", 1)[0]
    about_table = mistake.text.startswith(("the table is empty", "only one participant")) and "participants" in missing
    return begins in missing or about_table or (mistake.text.startswith("the agenda is empty") and "agenda" in missing)
