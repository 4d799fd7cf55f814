"""The tree of errors. Every message says what, which value, and what to do, in one line.

PlenaryError
├── UserError                a mistake of the user: exit status 2, one line, no traceback
│   ├── SpecError            a spec, persona or reference that can't be used
│   ├── TranscriptError      a transcript or dialogue file that can't be read
│   ├── UnknownName          a run, reference, judge or model nobody knows
│   └── SetupError           a key, package or weight that is missing
└── RunError                 a failure of the run: exit status 1
    ├── ModelError           a model call that failed
    │   ├── ModelBusy        429, 5xx, time-outs: worth another try
    │   ├── ModelReplyError  a reply that came, but can't be used (empty, cut, not what was asked)
    │   └── ModelRefused     a request the model's service won't take (401, 404): no retry helps
    ├── BudgetSpent          tokens or minutes are used up; the conference can be resumed
    └── LogError             the log can't be written, or holds what it can't
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PlenaryError(Exception):
    """Anything Plenary raises on purpose. Its message is one printable line, whatever a file or a service put into it."""

    def __init__(self, message: str = "") -> None:
        super().__init__("".join(c if c.isprintable() else "\ufffd" for c in " ".join(message.split())))


class UserError(PlenaryError):
    """A mistake of the user; the message says what to do."""


class SpecError(UserError):
    """A spec, persona or reference that can't be used. `line` of its file, from 1, where it is known."""

    def __init__(self, message: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class TranscriptError(UserError):
    """A transcript or dialogue file that can't be read."""


class UnknownName(UserError):
    """A run, reference, judge or model nobody knows."""


class SetupError(UserError):
    """A key, a package or a weight file that is missing."""


class RunError(PlenaryError):
    """A failure of the run, not of the user."""


class ModelError(RunError):
    """A model call that failed."""


class ModelBusy(ModelError):
    """The model could not answer now (429, 5xx, time-out); worth another try.

    `after` is the number of seconds the service asked to wait, when it did.
    """

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class ModelReplyError(ModelError):
    """A reply came, but it can't be used: empty, cut, or not what was asked for."""


class ModelRefused(ModelError):
    """The service won't take the request (wrong key, unknown model); no retry helps."""


class BudgetSpent(RunError):
    """Tokens or minutes are used up; the conference pauses and can be resumed."""


class LogError(RunError):
    """The log can't be written, or was asked to hold what it can't."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest known name, or the list of known ones when none is near."""
    choices = sorted(known)
    near = get_close_matches(name, choices, n=1, cutoff=0.5)
    if near:
        return f"; did you mean '{near[0]}'?"
    shown = ", ".join(choices[:12]) + (f" … and {len(choices) - 12} more" if len(choices) > 12 else "")
    return f"; known: {shown}" if shown else ""
