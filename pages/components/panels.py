"""The panels beside the transcript: agreement calls, positions, coverage, monitor."""

from __future__ import annotations

import streamlit as st

from conference.analysis.room import CallView, Person, RoomView
from conference.domain.coverage import Coverage
from conference.domain.reference import CONFIDENCE_IN_WORDS, Reference
from pages.components.shared import plain

STANCE_WORDS = {"support": "▲ supports", "oppose": "▼ opposes", "undecided": "◆ undecided"}


def calls(view: RoomView) -> None:
    """One card a call, the latest first; a quote's button scrolls the transcript to its words."""
    st.markdown("**Agreement calls**")
    if not view.calls:
        st.caption("After each round the judge calls ● agreement or ○ continue; the calls and their quotes appear here.")
    for call in reversed(view.calls):
        sure = "" if call.confidence is None else f" {call.confidence:.2f}"
        with st.expander(
            f"{call.mark} {call.verdict}{sure} · {plain(call.stage)}, round {call.round}", expanded=call is view.calls[-1]
        ):
            _call(call)


def _call(call: CallView) -> None:
    st.markdown(plain(call.reason))
    if call.proposal:
        st.caption(f"Judged: {plain(call.proposal)}")
    for seq, speaker, quote in call.quotes:
        st.markdown(f"{plain(speaker)}: “{plain(quote)}”")
        if st.button(f"Show line {seq}", key=f"show-{call.seq}-{seq}-{speaker}", type="tertiary"):
            st.session_state["show"] = seq


def positions(view: RoomView) -> None:
    """Where everybody stands, as the last call read it."""
    st.markdown("**Positions**")
    last = view.calls[-1].positions if view.calls else {}
    if not last:
        st.caption("Each participant's position on what is on the table, once the judge has called.")
    for person in view.people[1:]:
        if person.name in last:
            st.markdown(f"{badge(person)} {plain(person.name)} · {STANCE_WORDS[last[person.name]]}", unsafe_allow_html=False)


def badge(person: Person) -> str:
    """Initials, as plain text."""
    return f"`{plain(person.initials)}`"


def coverage(found: Coverage | None, reference: Reference | None, problem: str) -> None:
    """Clusters with their count; what was never raised; how sure the reference's words are."""
    st.markdown("**Coverage**")
    if reference is None:
        st.caption("This conference has no published one beside it.")
        return
    if found is None:
        st.caption(plain(problem) if problem else f"Reading the talk against {plain(reference.title)} …")
        return
    for cluster in found.clusters:
        raised = sum(item.covered for item in cluster.criteria)
        st.progress(raised / len(cluster.criteria), text=f"{plain(cluster.name)} {raised} of {len(cluster.criteria)}")
    unverified = {
        c.name: CONFIDENCE_IN_WORDS[c.confidence]
        for c in reference.criteria
        if c.confidence not in ("verified_text", "verified_data")
    }
    with st.expander(f"Not yet raised: {len(found.never_raised)}"):
        for name in found.never_raised:
            st.markdown(f"- {plain(name)}" + (f" ({unverified[name]})" if name in unverified else ""))
    if unverified:
        st.caption(f"{len(unverified)} of {len(reference.criteria)} criteria's names are not checked against the publication.")
    if found.weak:
        st.caption("Weak: this reference has too few example utterances.")


def monitor(view: RoomView) -> None:
    """What was spent."""
    st.markdown("**Monitor**")
    used = view.usage
    limit = view.spec.limits.minutes
    spent = f"{view.minutes:.1f} min" + (f" of {limit:g}" if limit else "")
    pace = f" · {view.seconds_a_turn:.1f} s a turn" if view.seconds_a_turn is not None else ""
    read = f"{used.prompt_tokens - used.cached_tokens:,} tokens read, {used.cached_tokens:,} reused"
    st.caption(f"{read}, {used.completion_tokens:,} written · {spent}{pace}")
    read = [value for value in view.quality.values() if value is not None]
    if read:
        st.caption(f"Quality of the last stage: mean {sum(read) / len(read):.1f} of 10 over {len(read)} dimensions")
