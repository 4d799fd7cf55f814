"""The transcript, append-only: what was said before stays where it is; text is only ever put in as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from conference.analysis.room import Row
from conference.live import Speaking

_CSS = """
.log { font-family: inherit; height: 68vh; overflow-y: auto; border: 1px solid #dfe4e9; border-radius: 8px;
  padding: 12px 16px; background: #fff; }
.row { display: flex; gap: 12px; margin: 0 0 14px; align-items: flex-start; }
.who { flex: 0 0 34px; height: 34px; border-radius: 50%; color: #fff; font-size: 12px; font-weight: 600; display: flex; align-items: center;
  justify-content: center; letter-spacing: .02em; }
.name { font-weight: 600; font-size: 14px; color: #1d2733; }
.role { font-weight: 400; color: #56616d; font-size: 12.5px; margin-left: 6px; }
.words { line-height: 1.5; font-size: 15px; color: #1d2733; overflow-wrap: anywhere; }
.note { font-size: 12px; color: #56616d; }
.stage { text-align: center; color: #45505c; font-size: 13px; margin: 18px 0 14px; border-top: 1px solid #e6eaee; padding-top: 8px; }
.call { margin: 6px 0 18px; padding: 8px 14px; border-left: 4px solid #8a6500; background: #fbf7ec; font-size: 14px; color: #1d2733; }
.call.agreement { border-left-color: #1f7a45; background: #eef7f1; }
.call b { font-weight: 600; }
.fault { color: #8a2a1c; font-size: 13px; margin: 0 0 12px; overflow-wrap: anywhere; }
.speaking .words { color: #45505c; }
.found { outline: 2px solid #1f5f8b; outline-offset: 4px; border-radius: 4px; }
"""

_JS = """
const logs = new WeakMap();
function make(tag, name, text) { const e = document.createElement(tag); e.className = name; if (text) e.textContent = text; return e; }
function said(row) {
  const line = make('div', 'row'), who = make('div', 'who', row.initials), body = make('div', '');
  who.style.background = row.colour; who.setAttribute('aria-hidden', 'true');
  const head = make('div', 'name', row.speaker); head.append(make('span', 'role', row.role));
  body.append(head, make('div', 'words', row.text));
  if (row.note) body.append(make('div', 'note', row.note));
  line.append(who, body); return line;
}
function element(row) {
  let e;
  if (row.kind === 'said') e = said(row);
  else if (row.kind.startsWith('call')) {
    e = make('div', row.kind); e.append(make('b', '', row.text));
    e.append(document.createTextNode(row.note ? ' · ' + row.note : ''));
  }
  else e = make('div', row.kind, row.text + (row.note ? ' · ' + row.note : ''));
  e.dataset.seq = row.seq; return e;
}
export default function ({ parentElement, data }) {
  let state = logs.get(parentElement);
  if (!state || state.run !== data.run) {
    parentElement.querySelector('.log')?.remove();
    const log = make('div', 'log'); log.setAttribute('role', 'log'); log.setAttribute('aria-live', 'polite'); log.tabIndex = 0;
    log.setAttribute('aria-label', 'Transcript');
    parentElement.append(log); state = { run: data.run, log, last: -1, speaking: null, shown: null }; logs.set(parentElement, state);
  }
  const log = state.log, atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  state.speaking?.remove(); state.speaking = null;
  for (const row of data.rows) if (row.seq > state.last) { log.append(element(row)); state.last = row.seq; }
  if (data.speaking) {
    state.speaking = said({ ...data.speaking, note: '' }); state.speaking.classList.add('speaking');
    state.speaking.setAttribute('aria-hidden', 'true'); log.append(state.speaking);
  }
  if (data.show !== null && data.show !== state.shown) {
    state.shown = data.show; log.querySelectorAll('.found').forEach(e => e.classList.remove('found'));
    const target = log.querySelector(`[data-seq="${Number(data.show)}"]`);
    if (target) { target.classList.add('found'); target.scrollIntoView({ block: 'center' }); }
  } else if (atEnd) log.scrollTop = log.scrollHeight;
}
"""

_component = st.components.v2.component("plenary_transcript", css=_CSS, js=_JS)


def transcript(
    run: str, rows: Sequence[Row], speaking: Speaking | None, people: dict[str, Row], show: int | None, key: str
) -> None:
    """Draw the rows; those drawn before stay. `show` is the sequence number of the row to scroll to."""
    now = None
    if speaking is not None and speaking.text:
        look = people.get(speaking.speaker)
        now = {
            "speaker": speaking.speaker, "text": speaking.text + " ▌", "role": "is speaking",
            "initials": look.initials if look else "…", "colour": look.colour if look else "#4a5560",
        }  # fmt: skip
    _component(data={"run": run, "rows": [asdict(row) for row in rows], "speaking": now, "show": show}, key=key)
