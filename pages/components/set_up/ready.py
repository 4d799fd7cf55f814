"""Beside the form: the next step, Start, the check list, the estimate."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from conference.analysis.estimate import Estimate, Price, Span, estimate
from conference.analysis.readiness import Check, Readiness, readiness
from conference.domain.oddities import oddities
from conference.domain.phrase import Phrase
from conference.domain.spec import Spec
from conference.errors import PlenaryError
from conference.live import LiveRuns
from conference.pacing import paces_of, price_of, prices_as_of
from conference.running import check_models, models_at_work
from pages.components.language import t
from pages.components.set_up.desk import Desk
from pages.components.shared import plain

MARKS = {"done": "✓", "missing": "○", "wrong": "✕", "odd": "!"}
PACES_SECONDS = 30.0


def ready(desk: Desk, runs: LiveRuns, start: Callable[[Spec], None]) -> None:
    """Draw the column. `start` is called with the spec when it can be run and Start is pressed."""
    spec, mistakes = desk.checked()
    state = readiness(desk.draft, mistakes, oddities(spec) if spec else [])
    with st.container(border=True, key="next"):
        st.markdown(f"**{t('Next')}**  \n{plain(t(state.next_step))}")
        if st.button(t("Start"), type="primary", disabled=not state.ready, key="start", width="stretch") and spec is not None:
            try:
                check_models(spec)
                start(spec)
            except PlenaryError as error:
                st.error(plain(str(error)))
    _list(state)
    if spec is not None:
        _estimate(spec, runs)


def _list(state: Readiness) -> None:
    st.header(t("Check list"), anchor=False)
    words = {"done": t("done"), "missing": t("missing"), "wrong": t("wrong"), "odd": t("odd")}
    with st.container(key="checks", gap="small"):
        for check in state.checks:
            st.markdown(f"**{MARKS[check.state]} {words[check.state]}** · {_said(check)}")


def _said(check: Check) -> str:
    text = plain(t(check.text) if isinstance(check.text, Phrase) else check.text)
    return f"{text} {t('(line {line} of the YAML)', line=check.line)}" if check.line else text


def _estimate(spec: Spec, runs: LiveRuns) -> None:
    st.header(t("Estimate"), anchor=False)
    trials = st.session_state.get("trials", {})
    names = models_at_work(spec)
    try:
        paces = {name: _paces(runs, name, trials[name].tokens_a_second if name in trials else None) for name in names}
        prices = {name: _price(name) for name in names}
    except PlenaryError as error:
        st.caption(plain(str(error)))
        return
    found = estimate(spec, paces, prices)
    rows = [
        (t("Turns"), _span(found.turns)), (t("Agreement calls"), _span(found.calls)), (t("Tokens read"), _span(found.read)),
        (t("Tokens written"), _span(found.written)), (t("Minutes"), _span(found.minutes)), (t("Dollars"), _span(found.dollars, 2)),
    ]  # fmt: skip
    st.markdown(
        "\n".join([f"| {t('What')} | {t('From … to')} |", "|---|--:|", *(f"| {label} | {value} |" for label, value in rows)])
    )
    _notes(found, spec)


def _notes(found: Estimate, spec: Spec) -> None:
    words = {
        "measured": t("measured in earlier runs on this machine"), "documented": t("documented figures, two cores; this machine may differ"),
        "tried": t("tokens documented, speed from the test"), "unknown": t("tokens documented, speed unknown: test the model"),
    }  # fmt: skip
    st.caption(t("From the least (each stage agrees as soon as it may) to the most (all rounds are held)."))
    for model, source in found.sources.items():
        st.caption(f"{plain(model, 80)}: {words[source]}")
    if spec.humans:
        st.caption(t("What humans take isn't counted."))
    for limit in found.over_limits:
        what = t("minutes") if limit == "minutes" else t("tokens")
        st.caption(t("! At the most it takes more {what} than its limit; it would pause there.", what=what))
    paid = [model for model in found.sources if price_of(model) != Price(0, 0, 0)]
    if paid:
        _prices(paid)


def _prices(paid: list[str]) -> None:
    st.caption(t("Prices: from memory, {date}, not checked; type yours.", date=prices_as_of()))
    with st.expander(t("Prices, in dollars per million tokens")):
        for model in paid:
            listed, typed = price_of(model), st.session_state.setdefault("prices", {})
            left, right = st.columns(2)
            read = left.number_input(
                t("{model}, read", model=plain(model, 40)), 0.0, value=listed.read if listed else None, key=f"price-read-{model}"
            )
            written = right.number_input(
                t("{model}, written", model=plain(model, 40)),
                0.0,
                value=listed.written if listed else None,
                key=f"price-written-{model}",
            )
            before = typed.get(model)
            same = listed is not None and (read, written) == (listed.read, listed.written)
            new = None if read is None or written is None or same else Price(read, read, written)
            if new != before:
                typed[model] = new
                st.rerun()


def _price(model: str) -> Price | None:
    return st.session_state.get("prices", {}).get(model) or price_of(model)


def _paces(runs: LiveRuns, model: str, tried: float | None) -> Any:
    """Looked up at most every half minute: it reads the newest runs' calls."""
    kept = st.session_state.setdefault("paces", {})
    key = (model, tried)
    if key not in kept or time.monotonic() - kept[key][0] > PACES_SECONDS:
        kept[key] = (time.monotonic(), paces_of(runs.store, model, tried))
    return kept[key][1]


def _span(span: Span | None, digits: int = 0) -> str:
    if span is None:
        return t("unknown")
    if span == Span(0, 0):
        return t("none")
    low, high = f"{span.least:,.{digits}f}", f"{span.most:,.{digits}f}"
    return low if low == high else f"{low} – {high}"
