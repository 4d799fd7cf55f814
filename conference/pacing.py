"""How fast a model is on this machine and what it costs: from the calls that were kept, else from the documented figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conference.analysis.estimate import DOCUMENTED, SHOWN, Act, Pace, Price
from conference.domain.events import ConferenceOpened
from conference.domain.reading import parse_mapping, read_text
from conference.library import ROOT
from conference.store import Store
from conference.store.calls import StoredCall

PRICES = ROOT / "data" / "prices.yaml"
LOOKED_AT_RUNS, LOOKED_AT_CALLS = 20, 400
ENOUGH_ACTS = 5
_ACTS: dict[tuple[str, str], Act] = {
    ("participant", "turn"): "turn", ("judge", "judge"): "judging", ("evaluator", "score"): "scoring",
}  # fmt: skip
"""Role and purpose of a call to what it was for; the moderator's calls are moderation, whatever their purpose."""
OWN_MACHINE = ("embedded", "ollama", "scripted")


def paces_of(store: Store, model: str, tried_tokens_a_second: float | None = None) -> dict[Act, Pace]:
    """What each act takes of this model: measured in the newest runs, else documented. Raises LogError.

    `tried_tokens_a_second` times what was written, where nothing else says how long it takes.
    """
    measured = measured_paces(store, model)
    if model == "scripted":
        return {act: Pace(0, 0, 0, 0.0, "documented") for act in SHOWN} | measured
    known = DOCUMENTED if model == "embedded" else {act: _timed(pace, tried_tokens_a_second) for act, pace in SHOWN.items()}
    return known | measured


def measured_paces(store: Store, model: str) -> dict[Act, Pace]:
    """The acts of which at least ENOUGH_ACTS are found in the newest runs this model took part in."""
    calls: list[tuple[str, StoredCall]] = []
    people: dict[str, int] = {}
    for run in store.runs(LOOKED_AT_RUNS):
        if model in run.models and len(calls) < LOOKED_AT_CALLS:
            calls += [(run.run, call) for call in store.calls(run.run, limit=LOOKED_AT_CALLS)]
            opened = store.log(run.run).first()
            people[run.run] = len(opened.spec.participants) if isinstance(opened, ConferenceOpened) else 1
    return paces_from(model, calls, people)


def paces_from(model: str, calls: Iterable[tuple[str, StoredCall]], people: dict[str, int]) -> dict[Act, Pace]:
    """Means an act over calls (with their run's id); retries count to the act they led to, a round's judging to each of `people`."""
    totals: dict[Act, list[float]] = {}
    acts: dict[Act, dict[tuple[str, int | None], int]] = {}
    for run, stored in calls:
        call = stored.call
        act: Act | None = "moderation" if call.role == "moderator" else _ACTS.get((call.role, call.request.purpose))
        if act is None or call.model != model or call.reply is None:
            continue
        usage = call.reply.usage
        new = (usage.prompt_tokens - usage.cached_tokens, usage.cached_tokens, usage.completion_tokens, usage.seconds)
        totals[act] = [one + more for one, more in zip(totals.get(act, [0.0] * 4), new, strict=True)]
        acts.setdefault(act, {})[run, stored.seq] = people.get(run, 1) if act == "judging" else 1
    found: dict[Act, Pace] = {}
    for act, total in totals.items():
        number = sum(acts[act].values())
        if number >= ENOUGH_ACTS:
            read, cached, written, seconds = (value / number for value in total)
            found[act] = Pace(read, cached, written, seconds, "measured", number)
    return found


def _timed(pace: Pace, tokens_a_second: float | None) -> Pace:
    if not tokens_a_second:
        return pace
    return Pace(pace.read, pace.cached, pace.written, pace.written / tokens_a_second, "tried")


def price_of(model: str) -> Price | None:
    """Dollars per million tokens; nothing on one's own machine, None when not known."""
    if model.partition(":")[0] in OWN_MACHINE:
        return Price(0, 0, 0)
    entry = _listed().get("models", {}).get(model)
    return Price(**entry) if entry else None


def prices_as_of() -> str:
    """When the table of prices was written."""
    return str(_listed().get("as_of", ""))


def _listed() -> dict[str, Any]:
    return parse_mapping(read_text(PRICES, "prices"), "prices")
