"""Does a conference read like a meeting? python -m benchmarks.speech LOG.jsonl...

For each log: the turns of participants that repeat an earlier one (cosine > 0.9), are in the first person, keep the figures, answer the
person addressed (by name or by sense), are on the speaker's side (the nearest of all notes at the table is the speaker's own), and
were worded by the model rather than read from the brief. Shares with 95 % Wilson intervals.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from conference.analysis.intervals import share
from conference.analysis.speech import speech_of
from conference.domain.chat import Embedder
from conference.domain.events import ConferenceOpened, Utterance
from conference.domain.persona import Persona
from conference.domain.scores import Share
from conference.importers.transcripts import read_log
from conference.models.embeddings import CachedEmbedder, Mpnet


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("logs", type=Path, nargs="+")
    embedder = CachedEmbedder(Mpnet())
    tables = {path.stem: measures(path, embedder) for path in parser.parse_args().logs}
    print(f"| | {' | '.join(tables)} |")
    print("|---" * (len(tables) + 1) + "|")
    for what in next(iter(tables.values())):
        print(f"| {what} | {' | '.join(_shown(table[what]) for table in tables.values())} |")


def measures(path: Path, embedder: Embedder) -> dict[str, Share]:
    """The shares of one log."""
    events = read_log(path)
    spec = next(event.spec for event in events if isinstance(event, ConferenceOpened))
    said = [event for event in events if isinstance(event, Utterance) and event.text]
    own = [turn for turn in said if turn.role == "participant"]
    speech = speech_of(said, embedder)
    return {
        "repeat an earlier turn": speech.repeats,
        "first person": speech.first_person,
        "figures kept exactly": speech.figures_exact,
        "answer the person addressed": speech.answers,
        "on the speaker's side": _on_side(own, spec.participants, embedder),
        "worded by the model": share(sum(turn.worded_by != "brief" for turn in own), len(own)),
    }


def _on_side(turns: list[Utterance], people: tuple[Persona, ...], embedder: Embedder) -> Share:
    notes = [(person.name, text) for person in people for text in _notes(person)]
    vectors: Any = embedder.embed([text for _, text in notes])
    spoken: Any = embedder.embed([turn.text for turn in turns])
    nearest = np.argmax(spoken @ vectors.T, axis=1)
    return share(sum(notes[at][0] == turn.speaker for at, turn in zip(nearest, turns, strict=True)), len(turns))


def _notes(person: Persona) -> list[str]:
    brief = person.brief
    return [note.text for note in (*brief.points, *brief.concessions, *brief.questions, *brief.proposals, *brief.red_lines)]


def _shown(value: Share) -> str:
    if value.value is None or value.low is None or value.high is None:
        return "–"
    return f"{value.count} of {value.of} ({value.value:.0%}; {value.low:.0%} to {value.high:.0%})"


if __name__ == "__main__":
    main()
