"""Agreement of a run: the calls, where everybody stood, who moved, and who spoke with whom (`?run=…&call=…&who=…`)."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from conference.analysis.airtime import airtime_of, answers_of
from conference.analysis.calls import CallView
from conference.analysis.ledger import Entry, ledger_csv, ledger_of, ledger_rows
from conference.analysis.movement import Shift, shifts_of
from conference.watching import Seen
from pages.components.choice import choice, choose
from pages.components.language import t, tn
from pages.components.line import line_address, line_link, line_named
from pages.components.newer import offer_newer
from pages.components.rounds import decimals, draw_calls, draw_positions, position_word
from pages.components.run import Chosen, chosen_run, views
from pages.components.shared import heading, plain, verdict_word
from pages.components.talking import draw_airtime, draw_network

SHOWN_SHIFTS = 6
SHOWN_BETWEEN = 3


def page() -> None:
    """Draw the page."""
    found = chosen_run(
        "agreement", t("Here agreement is looked into: every call, who stood where, and who moved. No conference is open.")
    )
    heading(found.title)
    views("agreement", found.run)
    calls = found.seen.view.calls if found.seen else ()
    offer_newer(found, waits=not calls)
    if found.seen is None or not calls:
        _nothing_yet(found)
    else:
        entries = ledger_of(found.seen.events, found.seen.view.spec, found.seen.view.people)
        _rounds(found, calls, entries)
        _moves(found, found.seen, entries)
        _ledger(found, entries)
    if found.seen is not None:
        _talk(found.seen)


def _nothing_yet(found: Chosen) -> None:
    if found.seen is not None and not found.seen.view.judged:
        st.info(t("This conference is held without a judge: there are no agreement calls. Who spoke with whom is below."))
        return
    st.info(
        t("After each round the judge calls agreement or continue; every call appears here, with where each participant stands.")
    )
    st.page_link("pages/room.py", label=t("Watch it in the room"), query_params={"run": found.run})


def _rounds(found: Chosen, calls: Sequence[CallView], entries: Sequence[Entry]) -> None:
    by_key = {str(call.seq): call for call in reversed(calls)}
    charts, beside = st.columns([5, 4], gap="large")
    with beside:
        chosen = by_key[choice(t("Round shown here"), list(by_key), "call", lambda key: _named(by_key[key]))]
        _call(found, chosen, [entry for entry in entries if entry.call == chosen.seq])
    with charts:
        st.header(t("Agreement calls"), anchor=False)
        st.caption(
            t("● agreement, ○ continue, ? unreadable. The higher a mark, the surer the judge. Click one to read its round.")
        )
        draw_calls(calls, chosen.seq, lambda key: choose("call", key))
        st.header(t("Where each participant stood"), anchor=False)
        st.caption(_legend(entries))
        draw_positions(calls, entries, chosen.seq, lambda key: choose("call", key))


def _legend(entries: Sequence[Entry]) -> str:
    text = t("▲ support, ◆ undecided, ▼ oppose, ? unreadable.")
    if any(entry.gradient is not None for entry in entries):
        text = t(
            "Gradient of agreement: 1 veto … 8 wholehearted; where none was given ▲ support, ◆ undecided, ▼ oppose, ? unreadable."
        )
    return f"{text} {t('≠ the private ballot is of another position than the words in public.')}"


def _named(call: CallView) -> str:
    where = t("{stage}, round {round}", stage=call.stage_name[:60], round=call.round)
    return f"{where} · {verdict_word(call.verdict)} {decimals(call.confidence)}"


def _call(found: Chosen, call: CallView, entries: Sequence[Entry]) -> None:
    sure = t("confidence {value}", value=decimals(call.confidence)) if call.confidence is not None else t("no confidence given")
    st.markdown(f"**{verdict_word(call.verdict)}** · {sure} · {t('judge: {name}', name=plain(call.judge, 40))}")
    if call.reason:
        st.markdown(plain(call.reason, 600))
    if call.proposal:
        st.markdown(f"**{t('Judged:')}** {plain(call.proposal, 900)}")
    held = {each.person.name: each for each in call.held}
    for at, entry in enumerate(entries):
        with st.container(border=True, gap="small", key=f"held-{at}"):
            _held(found, entry)
            for quote in held[entry.person.name].quotes:
                line_link(found.run, quote.seq, quote.text)
            if not entry.quoted and entry.quote is not None:
                st.caption(t("The judge quotes nothing of theirs; this is what they said last before the call."))
            if entry.condition:
                st.markdown(f"**{t('What would have to change:')}** {plain(entry.condition)}")


def _held(found: Chosen, entry: Entry) -> None:
    parts = [f"**{plain(entry.person.initials)} {plain(entry.person.name, 80)}**", position_word(entry.position)]
    if entry.gradient is not None:
        parts.append(t("gradient {n} of 8", n=entry.gradient))
    if entry.accepts is not None:
        parts.append(t("accepts with probability {value}", value=decimals(entry.accepts)))
    st.markdown(" · ".join(parts))
    if entry.parts:
        st.markdown(t("≠ in the talk: {position}", position=position_word(entry.voiced)))


def _moves(found: Chosen, seen: Seen, entries: Sequence[Entry]) -> None:
    shifts = shifts_of(seen.events, entries, seen.view.people)
    st.header(t("Who moved"), anchor=False)
    if not shifts:
        st.caption(t("Nobody's position differs between two calls of one stage."))
        return
    st.caption(
        t(
            "Between two calls of one stage, and who spoke between the two utterances of who moved: the order of things, not their cause."
        )
    )
    everybody = [person.name for person in dict.fromkeys(shift.person for shift in shifts)]
    who = choice(t("Participant"), ["", *everybody], "who", lambda name: name[:60] or t("Everybody"))
    chosen = [shift for shift in shifts if who in ("", shift.person.name)]
    left, right = st.columns(2, gap="large")
    for at, shift in enumerate(chosen[:SHOWN_SHIFTS]):
        with (left, right)[at % 2].container(border=True, gap="small", key=f"shift-{at}"):
            _shift(found, shift)
    with st.expander(tn("All as a table ({n} move)", "All as a table ({n} moves)", n=len(chosen))):
        _shift_table(chosen)


def _shift(found: Chosen, shift: Shift) -> None:
    person, before, after = shift.person, shift.before, shift.after
    where = t("{stage}, rounds {first} to {second}", stage=plain(after.stage_name, 60), first=before.round, second=after.round)
    moved = f"{_stood(before)} → **{_stood(after)}**"
    st.markdown(f"**{plain(person.initials)} {plain(person.name, 80)}** · {moved}  \n:small[{where} · {_proposal(shift)}]")
    if shift.said is not None:
        line_link(found.run, shift.said.seq, shift.said.text, t("Then said"))
    for each in shift.between[:SHOWN_BETWEEN]:
        ties = ", ".join(t(tie) for tie in each.ties) or t("spoke in between")
        line_named(found.run, each.words.seq, f"{each.person.initials} {each.person.name} {ties}")
    if len(shift.between) > SHOWN_BETWEEN:
        others = ", ".join(plain(each.person.initials) for each in shift.between[SHOWN_BETWEEN:])
        st.caption(t("Also in between: {names}", names=others))


def _stood(entry: Entry) -> str:
    return position_word(entry.position) + ("" if entry.gradient is None else f" {entry.gradient}")


def _proposal(shift: Shift) -> str:
    match shift.proposal:
        case "same":
            return t("the same proposal")
        case "amended":
            return t("the proposal was amended")
        case "other":
            return t("another proposal was on the table")


def _shift_table(shifts: Sequence[Shift]) -> None:
    heads = (
        t("Participant"), t("Stage"), t("From round"), t("To round"), t("From"), t("To"), t("Proposal"), t("Line"),
        t("After the words of (line)"),
    )  # fmt: skip
    st.dataframe([dict(zip(heads, _shift_row(shift), strict=True)) for shift in shifts], hide_index=True, placeholder="–")


def _shift_row(shift: Shift) -> tuple[str | int | None, ...]:
    before, after = shift.before, shift.after
    heard = ", ".join(
        f"{each.person.initials} {each.words.seq}" + (f" ({', '.join(t(tie) for tie in each.ties)})" if each.ties else "")
        for each in shift.between
    )
    line = shift.said.seq if shift.said else None
    return (
        shift.person.name,
        after.stage_name,
        before.round,
        after.round,
        _stood(before),
        _stood(after),
        _proposal(shift),
        line,
        heard,
    )


def _ledger(found: Chosen, entries: Sequence[Entry]) -> None:
    st.header(t("Ledger"), anchor=False)
    st.caption(t("Every participant at every call. A click on a column's head sorts by it."))
    rows = [
        {**row, "seq": line_address(found.run, entry.quote.seq) if entry.quote else None}
        for row, entry in zip(ledger_rows(entries), entries, strict=True)
    ]
    column = st.column_config
    st.dataframe(
        rows, hide_index=True, key="ledger", placeholder="–",
        column_config={
            "stage": column.NumberColumn(t("Stage")), "stage_name": t("Name"), "round": column.NumberColumn(t("Round")),
            "participant": t("Participant"), "position": t("Position"), "polarity": column.NumberColumn(t("Polarity")),
            "gradient": column.NumberColumn(t("Gradient")), "accepts": column.NumberColumn(t("Accepts"), format="%.2f"),
            "voiced": t("In the talk"), "call": t("Call"), "confidence": column.NumberColumn(t("Confidence"), format="%.2f"),
            "quote": column.TextColumn(t("Quote"), width="large"), "quoted": t("Quoted by the judge"),
            "seq": column.LinkColumn(t("Line"), display_text=r"seq=(\d+)"), "condition": t("What would have to change"),
        },
    )  # fmt: skip
    name = f"{found.run}-ledger.csv"
    st.download_button(t("Download as CSV"), lambda: ledger_csv(entries), name, "text/csv", key="ledger_csv", on_click="ignore")


def _talk(seen: Seen) -> None:
    spoken, answers = airtime_of(seen.events, seen.view.people), answers_of(seen.events, seen.view.people)
    if not any(each.turns for each in spoken):
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.header(t("Airtime"), anchor=False)
        st.caption(t("Words, their share of all words, and turns."))
        draw_airtime(spoken)
        with st.expander(t("As a table"), key="airtime_table"):
            st.dataframe(
                [
                    {
                        t("Person"): each.person.name, t("Words"): each.words, t("Share"): each.share, t("Turns"): each.turns,
                        t("Passes"): each.passes,
                    }
                    for each in spoken
                ],
                hide_index=True, column_config={t("Share"): st.column_config.NumberColumn(format="percent")},
            )  # fmt: skip
    with right:
        st.header(t("Who answers whom"), anchor=False)
        if not answers:
            st.caption(t("No turn was addressed to anybody."))
            return
        st.caption(
            t("An arrow from who spoke to whom they spoke, wider the more often. In the table below rows speak to columns.")
        )
        people = [each.person for each in spoken]
        draw_network(people, answers)
        times = {(each.who.name, each.to.name): each.times for each in answers}
        heads = {person.name: f"{at}. {person.initials}" for at, person in enumerate(people, 1)}
        st.dataframe(
            [
                {t("Who"): f"{heads[who.name]} {who.name}", **{heads[to.name]: times.get((who.name, to.name)) for to in people}}
                for who in people
            ],
            hide_index=True,
            placeholder="·",
        )


page()
