"""Tells a terminal what happens in a conference; silent in a pipe."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from conference.domain.events import (
    AgreementCall,
    ConferenceClosed,
    Event,
    Fault,
    Paused,
    QualityScored,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.spec import Spec


class Teller:
    """One line or paragraph an event."""

    def __init__(self, spec: Spec, stream: TextIO) -> None:
        self._spec, self._stream, self._loud = spec, stream, stream.isatty()

    def tell(self, event: Event) -> None:
        """Print what a watcher wants to know of an event."""
        if self._loud and (text := self._words(event)):
            print(text, file=self._stream, flush=True)

    def _words(self, event: Event) -> str:
        match event:
            case StageOpened():
                return f"\n── stage {event.stage + 1} of {len(self._spec.agenda)} · {event.name} ──"
            case Utterance():
                return textwrap.fill(printable(f"{event.speaker}: {event.text or '(passes)'}"), 110, subsequent_indent="    ")
            case AgreementCall():
                mark = "●" if event.judgement.verdict == "agreement" else "○"
                sure = "" if event.judgement.confidence is None else f" {event.judgement.confidence:.2f}"
                return f"  {mark} round {event.round}: {event.judgement.verdict}{sure} · {printable(event.judgement.reason)}"
            case QualityScored():
                read = [value for value in event.scores.values() if value is not None]
                return (
                    f"  quality: mean {sum(read) / len(read):.1f} of {len(read)} dimensions" if read else "  quality: unreadable"
                )
            case StageClosed():
                return f"  closed: {event.because}"
            case Fault():
                return f"  fault at {event.where} ({printable(event.speaker)}): {printable(event.error)}"
            case Paused():
                return f"  paused: {event.because} {printable(event.detail)}"
            case ConferenceClosed():
                return "\n" + (
                    "Agreed: " + printable(event.agreed) if event.agreed else "The conference ended without an agreed proposal."
                )
            case _:
                return ""


def printable(text: str) -> str:
    """The text without control characters: what a model says can't move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing in a pipe; yields a function that takes the number done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
