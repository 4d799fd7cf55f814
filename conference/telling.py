"""Tells a terminal what happens in a conference; silent in a pipe."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
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

    def __init__(self, spec: Spec, stream: TextIO | None) -> None:
        """`stream` is None where stderr is closed."""
        self._spec, self._stream, self._loud = spec, stream, stream is not None and stream.isatty()

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


def pause_on_interrupt(pause: Callable[[], None]) -> None:
    """In the task that runs: the first Ctrl-C pauses after the turn and says so, the next one cancels the task."""
    task, asked = asyncio.current_task(), False

    def stop() -> None:
        nonlocal asked
        if asked and task is not None:
            task.cancel()
            return
        asked = True
        print("pausing after this turn; press Ctrl-C again to stop at once", file=sys.stderr, flush=True)
        pause()

    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop)


def mend_streams() -> None:
    """A stream that is closed takes words and drops them; a letter stdout can't show becomes a question mark."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as the process lives


def silence_stdout() -> None:
    """What stdout still holds goes nowhere: it can't be written, and Python would try again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refused(error: OSError) -> str:
    """What the system didn't do, in one line."""
    if error.filename is not None:
        return f"can't use {error.filename} ({error.strerror}); check it"
    return f"can't write the output ({error.strerror or error}); make room, or write elsewhere"
