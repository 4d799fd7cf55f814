"""What a conference will take, before it is held: turns, tokens, minutes, money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from conference.domain.spec import Spec

Act = Literal["turn", "moderation", "judging", "scoring"]
Source = Literal["measured", "documented", "tried", "unknown"]


@dataclass(frozen=True)
class Pace:
    """What one act takes of a model, in the mean: tokens newly read, read from the cache and written, seconds. None is unknown."""

    read: float
    cached: float
    written: float
    seconds: float | None
    source: Source
    acts: int = 0
    """How many acts the mean is over."""


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens."""

    read: float
    cached: float
    written: float


@dataclass(frozen=True)
class Span:
    """From the least (every stage agrees as soon as it may) to the most (every stage takes all its rounds)."""

    least: float
    most: float


@dataclass(frozen=True)
class Estimate:
    """The whole conference. `minutes` and `dollars` are None when not known for every model; `sources` says where paces come from."""

    turns: Span
    calls: Span
    """Of the judge."""
    read: Span
    """Tokens newly read."""
    cached: Span
    written: Span
    minutes: Span | None
    dollars: Span | None
    sources: dict[str, Source]
    """Model to where its pace is from, the weakest of its acts."""
    over_limits: tuple[str, ...] = ()
    """`minutes` and `tokens` when the most is more than the limit."""


DOCUMENTED: dict[Act, Pace] = {
    "turn": Pace(106, 767, 55, 8.5, "documented", 50), "moderation": Pace(0, 0, 0, 0.0, "documented", 13),
    "judging": Pace(93, 90, 1.5, 2.1, "documented", 50), "scoring": Pace(1488, 11624, 20, 35.0, "documented", 3),
}  # fmt: skip
"""The embedded model on two cores: data/recordings/cannabis-regulation.jsonl (docs/evidence.md). Judging is for one participant."""

SHOWN: dict[Act, Pace] = {
    "turn": Pace(567, 0, 91, None, "unknown"), "moderation": Pace(567, 0, 91, None, "unknown"),
    "judging": Pace(300, 0, 40, None, "unknown"), "scoring": Pace(1500, 11600, 20, None, "unknown"),
}  # fmt: skip
"""Tokens when the transcript is shown (docs/evidence.md, shared first); seconds depend on the service."""

HUMAN = ""
"""Stands for the model where a human plays: takes no tokens, and nobody knows how long."""
_FREE_PACE, _FREE = Pace(0, 0, 0, 0.0, "measured"), Price(0, 0, 0)
_WEAKEST: tuple[Source, ...] = ("unknown", "documented", "tried", "measured")
Shares = dict[tuple[str, Act], int]
"""Model and act to how often."""


def estimate(spec: Spec, paces: Mapping[str, Mapping[Act, Pace]], prices: Mapping[str, Price | None]) -> Estimate:
    """`paces` and `prices` by the model's name; a model without a price costs unknown, one without a pace gets SHOWN.

    A stage of R rounds has R turns of each participant and R + 1 of the moderator (opening, R - 1 frames, closing).
    """
    most_rounds = [spec.rounds_allowed("with_judge", place) for place in range(len(spec.agenda))]
    least_rounds = [stage.min_rounds for stage in spec.agenda] if spec.judge else most_rounds
    least, most = _shares(spec, least_rounds), _shares(spec, most_rounds)

    def span(part: str) -> Span:
        return Span(*(sum(n * (getattr(_pace(paces, *key), part) or 0) for key, n in shares.items()) for shares in (least, most)))

    seconds, read, written = span("seconds"), span("read"), span("written")
    timed = all(_pace(paces, *key).seconds is not None for key in most)
    minutes = Span(seconds.least / 60, seconds.most / 60) if timed else None
    limits = (
        ("minutes", spec.limits.minutes, minutes.most if minutes else 0),
        ("tokens", spec.limits.tokens, read.most + written.most),
    )
    models = [model for model in dict.fromkeys(model for model, _ in most) if model != HUMAN]
    return Estimate(
        turns=Span(_turns(least), _turns(most)), calls=Span(sum(least_rounds), sum(most_rounds)) if spec.judge else Span(0, 0),
        read=read, cached=span("cached"), written=written, minutes=minutes, dollars=_dollars(least, most, paces, prices),
        sources={name: _weakest(_pace(paces, *key) for key in most if key[0] == name) for name in models},
        over_limits=tuple(name for name, limit, value in limits if limit is not None and value > limit),
    )  # fmt: skip


def _shares(spec: Spec, rounds: Sequence[int]) -> Shares:
    total, stages = sum(rounds), len(rounds)
    acts: list[tuple[str, Act, int]] = [
        (HUMAN if person.id in spec.humans else spec.models.of("participant", person.id), "turn", total)
        for person in spec.participants
    ]
    acts.append((HUMAN if spec.moderator.id in spec.humans else spec.models.of("moderator"), "moderation", total + stages))
    if spec.judge:
        acts.append((spec.models.of("judge"), "judging", total * len(spec.participants)))
    if spec.evaluator:
        acts.append((spec.models.of("evaluator"), "scoring", stages))
    shares: Shares = {}
    for model, act, number in acts:
        shares[model, act] = shares.get((model, act), 0) + number
    return shares


def _turns(shares: Shares) -> int:
    return sum(number for (_, act), number in shares.items() if act in ("turn", "moderation"))


def _pace(paces: Mapping[str, Mapping[Act, Pace]], model: str, act: Act) -> Pace:
    return _FREE_PACE if model == HUMAN else paces.get(model, {}).get(act, SHOWN[act])


def _weakest(paces: Iterable[Pace]) -> Source:
    return min((pace.source for pace in paces), key=_WEAKEST.index)


def _dollars(
    least: Shares, most: Shares, paces: Mapping[str, Mapping[Act, Pace]], prices: Mapping[str, Price | None]
) -> Span | None:
    def cost(shares: Shares) -> float | None:
        total = 0.0
        for (model, act), number in shares.items():
            price, pace = _FREE if model == HUMAN else prices.get(model), _pace(paces, model, act)
            if price is None:
                return None
            total += number * (pace.read * price.read + pace.cached * price.cached + pace.written * price.written) / 1e6
        return total

    lower, upper = cost(least), cost(most)
    return None if lower is None or upper is None else Span(lower, upper)
