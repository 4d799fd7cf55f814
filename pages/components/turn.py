"""One event opened: what was asked of the model, word for word, what came back, what it was for, and what rests on it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from conference.analysis.calls import VERDICT_WORDS
from conference.analysis.minutes import place_of
from conference.analysis.turn import Fact, Quoted, Try, move_facts, quoted_by, raised_by, tries_of
from conference.domain.events import Event, Utterance
from conference.domain.spec import Spec
from conference.errors import PlenaryError
from conference.live import LiveRuns
from conference.store import Wanted
from pages.components.language import t, tn
from pages.components.run import fork_link, turn_link
from pages.components.shared import plain

_ROLES_SHOWN = {"system": "System", "user": "User", "assistant": "Assistant"}
LONGEST = 20_000


def show_turn(runs: LiveRuns, run: str, event: Event, spec: Spec) -> None:
    """Open a dialog on the event; Escape closes it."""

    @st.dialog(t("Line {seq}", seq=event.seq), width="large")
    def opened() -> None:
        _head(run, event, spec)
        try:
            _calls(tries_of([kept.call for kept in runs.store.calls_for(run, event.seq)]))
            _evidence(run, quoted_by(event.seq, _judged(runs, run, event), spec))
            if isinstance(event, Utterance) and event.text and spec.reference is not None:
                _raised(runs, run, event, spec.reference)
        except PlenaryError as error:
            st.error(plain(str(error)))

    opened()


def _head(run: str, event: Event, spec: Spec) -> None:
    who = getattr(event, "speaker", "") or getattr(event, "participant", "")
    about = [text for text in (who, t(place_of(event, spec)), event.at) if text]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(plain(" · ".join(about)))
        fork_link(run, event.seq)
    if isinstance(event, Utterance) and event.text:
        st.markdown(plain(event.text, LONGEST))
    facts = move_facts(event)
    if facts:
        st.subheader(t("What the turn was for"), anchor=False)
        _table(run, facts)


def _table(run: str, facts: Sequence[Fact]) -> None:
    shown = [f"| {plain(t(fact.name))} | {plain(t(fact.value), 1200)} |" for fact in facts]
    st.markdown("\n".join([f"| {t('What')} | {t('Value')} |", "|---|---|", *shown]))
    for fact in facts:
        if fact.seq is not None:
            turn_link(run, fact.seq, t("Go to line {seq}", seq=fact.seq))


def _calls(tries: Sequence[Try]) -> None:
    st.subheader(t("Prompt and reply"), anchor=False)
    if not tries:
        st.caption(t("No model call led to this event, or its calls weren't kept (a log that was imported has none)."))
    for one in tries:
        label = t(
            "Call {number} of {all}: {outcome}, {model}",
            number=one.number,
            all=len(tries),
            outcome=t(one.outcome),
            model=one.model,
        )
        with st.expander(plain(label), expanded=len(tries) == 1):
            _table("", one.facts)
            if one.error:
                st.markdown(f"**{t('Error')}**")
                st.code(one.error, language=None, wrap_lines=True)
            if one.reply:
                st.markdown(f"**{t('Reply, as it came')}**")
                st.code(one.reply, language=None, wrap_lines=True)
            st.markdown(f"**{t('Prompt, as it was sent')}**")
            for role, content in one.messages:
                st.caption(_ROLES_SHOWN.get(role, role))
                st.code(content, language=None, wrap_lines=True)


def _judged(runs: LiveRuns, run: str, event: Event) -> Sequence[Event]:
    stage = getattr(event, "stage", None)
    if not isinstance(event, Utterance) or stage is None:
        return ()
    return list(runs.store.matching(run, Wanted(kinds=("agreement_call",), stages=(stage,))))


def _evidence(run: str, quoted: Sequence[Quoted]) -> None:
    if not quoted:
        return
    st.subheader(tn("{n} agreement call rests on it", "{n} agreement calls rest on it", n=len(quoted)), anchor=False)
    for call in quoted:
        words = " … ".join(f"“{plain(quote)}”" for quote in call.quotes)
        st.markdown(f"**{call.mark} {t(VERDICT_WORDS[call.verdict])}** · {plain(t(call.where))}  \n{words}")
        turn_link(run, call.seq, t("Go to line {seq}", seq=call.seq))


def _raised(runs: LiveRuns, run: str, event: Event, reference: str) -> None:
    st.subheader(t("Criteria it raises"), anchor=False)
    seen = runs.watch.look(run)
    followed = runs.coverage.latest(run, reference, seen.events if seen else ())
    if followed.problem:
        st.caption(plain(followed.problem))
        return
    found = raised_by(event.seq, followed.rows)
    if found is None:
        st.caption(t("What was said is being read against the published conference; open this line again in a moment."))
        return
    if not any(item.raised for item in found):
        st.caption(t("None. These came nearest:"))
    marks = {True: t("raised"), False: "–"}
    rows = [f"| {plain(item.criterion)} | {item.score:.2f} | {marks[item.raised]} |" for item in found]
    st.markdown("\n".join([f"| {t('Criterion')} | {t('Score, 0 to 1')} | |", "|---|---|---|", *rows]))
