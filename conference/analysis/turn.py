"""What stands behind one event: its move, the calls it was made by, the agreement calls that quote it. Ready to draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conference.analysis.calls import VERDICT_MARKS
from conference.analysis.minutes import place_of
from conference.domain.chat import ModelCall
from conference.domain.coverage import UtteranceCoverage
from conference.domain.events import AgreementCall, Event, Utterance
from conference.domain.move import Move
from conference.domain.phrase import Phrase
from conference.domain.spec import Spec

OUTCOMES = {"used": Phrase("used"), "rejected": Phrase("rejected"), "failed": Phrase("failed")}
_MOVES = {
    "state": Phrase("states a point"), "object": Phrase("objects"), "support": Phrase("supports"), "concede": Phrase("concedes"),
    "propose": Phrase("proposes"), "ask": Phrase("asks"), "answer": Phrase("answers"), "pass": Phrase("passes"),
    "open": Phrase("opens the stage"), "frame": Phrase("frames the round"), "close": Phrase("sums up"),
}  # fmt: skip
_STANCES = {"support": Phrase("for it"), "oppose": Phrase("against it"), "undecided": Phrase("undecided")}


@dataclass(frozen=True)
class Fact:
    """One line of a table. `seq` is the event it leads to, where it leads to one."""

    name: str
    value: str
    seq: int | None = None


@dataclass(frozen=True)
class Try:
    """One model call: a headline, its figures, and the text as it was sent and came back."""

    number: int
    """1-based, among those that led to the event."""
    outcome: str
    model: str
    facts: tuple[Fact, ...]
    messages: tuple[tuple[str, str], ...]
    """Role and content, as sent."""
    reply: str
    error: str


@dataclass(frozen=True)
class Quoted:
    """An agreement call that rests on words of the event."""

    seq: int
    mark: str
    verdict: str
    where: str
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class Raised:
    """A criterion and how strongly the line raises it (0 to 1)."""

    criterion: str
    score: float
    raised: bool


def move_facts(event: Event) -> tuple[Fact, ...]:
    """What the turn was for, as it was chosen before a word was said; empty when it has no move."""
    if not isinstance(event, Utterance) or event.move is None:
        return ()
    facts = [Fact(Phrase("Move"), _MOVES[event.move.kind]), *_chosen(event.move)]
    if event.worded_by:
        words = Phrase("the brief, as it stands") if event.worded_by == "brief" else event.worded_by
        facts.append(Fact(Phrase("Worded by"), words))
    if event.table is not None:
        facts.append(Fact(Phrase("On the table from here"), event.table.text))
    return tuple(facts)


def _chosen(move: Move) -> Iterable[Fact]:
    stance = _STANCES[move.stance] if move.stance else ""
    given = (
        (Phrase("To"), move.to), (Phrase("About"), move.about), (Phrase("Point of the brief"), move.gist),
        (Phrase("As the brief has it"), move.note), (Phrase("Stance on what is on the table"), stance),
        (Phrase("Condition"), move.condition), (Phrase("Why this move"), move.reason),
    )  # fmt: skip
    yield from (Fact(name, value) for name, value in given if value)
    if move.answers is not None:
        yield Fact(Phrase("Answers"), f"#{move.answers}", move.answers)


def tries_of(calls: Sequence[ModelCall]) -> tuple[Try, ...]:
    """The calls that led to an event, in order, retries included."""
    return tuple(_try(number, call) for number, call in enumerate(calls, 1))


def _try(number: int, call: ModelCall) -> Try:
    request, reply = call.request, call.reply
    facts = [
        Fact(Phrase("Outcome"), OUTCOMES[call.outcome]), Fact(Phrase("Role"), call.role), Fact(Phrase("Purpose"), request.purpose),
        Fact(Phrase("Prompt version"), request.prompt_version or "–"), Fact(Phrase("Attempt"), str(call.attempt)),
    ]  # fmt: skip
    if reply is not None:
        usage = reply.usage
        facts += [
            Fact(Phrase("Tokens read anew"), f"{usage.prompt_tokens - usage.cached_tokens:,}"),
            Fact(Phrase("Tokens from the cache"), f"{usage.cached_tokens:,}"),
            Fact(Phrase("Tokens written"), f"{usage.completion_tokens:,}"),
            Fact(Phrase("Seconds"), f"{usage.seconds:.2f}"), Fact(Phrase("Ended because"), reply.finish),
        ]  # fmt: skip
    settings = Phrase(
        "temperature {temperature}, at most {tokens} tokens, seed {seed}", temperature=f"{request.temperature:g}",
        tokens=request.max_tokens, seed="–" if request.seed is None else request.seed,
    )  # fmt: skip
    facts.append(Fact(Phrase("Settings"), settings))
    if call.at:
        facts.append(Fact(Phrase("At"), call.at))
    return Try(
        number=number, outcome=OUTCOMES[call.outcome], model=call.model or (reply.model if reply else ""), facts=tuple(facts),
        messages=tuple((message.role, message.content) for message in request.messages), reply=reply.text if reply else "",
        error=call.error,
    )  # fmt: skip


def quoted_by(seq: int, calls: Iterable[Event], spec: Spec) -> tuple[Quoted, ...]:
    """Which agreement calls rest on words of event `seq`."""
    found = []
    for call in calls:
        if isinstance(call, AgreementCall):
            quotes = tuple(item.quote for item in call.judgement.evidence if item.turn == seq)
            if quotes:
                verdict = call.judgement.verdict
                found.append(Quoted(call.seq, VERDICT_MARKS[verdict], verdict, place_of(call, spec), quotes))
    return tuple(found)


def raised_by(seq: int, rows: Iterable[UtteranceCoverage], most: int = 5) -> tuple[Raised, ...] | None:
    """The criteria line `seq` raises, and the next highest scores up to `most`; None when it wasn't read (yet)."""
    row = next((row for row in rows if row.seq == seq), None)
    if row is None:
        return None
    ranked = sorted(row.scores.items(), key=lambda item: (item[0] not in row.criteria, -item[1]))
    return tuple(Raised(name, score, name in row.criteria) for name, score in ranked[: max(most, len(row.criteria))])
