"""The room as a browser draws it: two components, the room itself and the voice that speaks in it. Texts go as data, never as markup."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from conference.analysis.room import RoomView, Speaking
from conference.following import Followed
from conference.live import RunState

_HERE = Path(__file__).parent
_room = st.components.v2.component("plenary_room", css=(_HERE / "room.css").read_text(), js=(_HERE / "room.js").read_text())
_voice = st.components.v2.component("plenary_voice", js=(_HERE / "voice.js").read_text())


@dataclass(frozen=True)
class Notice:
    """One thing to say above the transcript."""

    kind: Literal["good", "wait", "bad"]
    title: str
    text: str = ""


def draw_room(
    run: str, view: RoomView, state: tuple[str, str], said: Notice | None, followed: Followed, below: int = 44
) -> None:  # fmt: skip
    """Draw everything but the voice. `state` is a name (for the style) and what is shown; `below`: pixels left for what stands below."""
    data = {
        "run": run,
        "below": below,
        "state": {"name": state[0], "text": state[1]},
        "notice": asdict(said) if said else None,
        "coverage": _coverage(view, followed),
        **_of_view(view),
    }
    _room(data=data, key="room")


def draw_voice(run: str, view: RoomView, speaking: Speaking | None, live: bool) -> None:
    """Say who is speaking; without words yet, who is due."""
    _voice(data={"run": run, "voice": _heard(view, speaking) if live else None}, key="voice")


def _heard(view: RoomView, speaking: Speaking | None) -> dict[str, Any] | None:
    person = next((person for person in view.people if speaking and person.name == speaking.speaker), None)
    if speaking is not None and person is not None and speaking.text:
        return {"person": asdict(person), "text": speaking.text, "doing": "is speaking"}
    return {"person": asdict(view.due.person), "text": "", "doing": view.due.doing} if view.due else None


@lru_cache(maxsize=64)
def _of_view(view: RoomView) -> dict[str, Any]:
    """What changes only with the log, made once for all who watch."""
    return {
        "where": view.where.text,
        "question": view.spec.question,
        "judged": view.judged,
        "rows": [asdict(row) for row in view.rows],
        "outcome": _outcome(view),
        "monitor": _monitor(view),
    }


def notice(state: RunState, view: RoomView, problem: str) -> Notice | None:
    """What has to be said above the transcript of a run in this state."""
    go_on = "Resume goes on where the log ends; nothing is lost."
    match state:
        case "paused":
            return Notice("wait", f"Paused {view.paused}." if view.paused else "Paused.", f"{go_on} The limits hold anew.")
        case "interrupted":
            return Notice("bad", "This run broke off, because its process ended.", go_on)
        case "failed":
            return Notice("bad", problem or "This run failed.", go_on)
        case "elsewhere":
            return Notice("wait", "Another process runs this conference.", "You can watch it here; pause it there.")
        case "pausing":
            return Notice("wait", "Pausing.", "The turn under way is finished first.")
        case _:
            return None


def _outcome(view: RoomView) -> dict[str, str] | None:
    if not view.closed:
        return None
    return {"title": "Outcome: agreed", "text": view.agreed} if view.agreed else _NO_OUTCOME


_NO_OUTCOME = {"title": "Outcome: no agreement", "text": "The conference ended without a proposal that everybody accepts."}


def _coverage(view: RoomView, followed: Followed) -> dict[str, Any]:
    if view.spec.reference is None:
        return {"view": None, "text": "No published conference is laid beside this one."}
    if followed.view is None:
        return {"view": None, "text": followed.problem or "Reading what was said against the published conference …"}
    return {"view": asdict(followed.view), "text": "" if followed.current else "Still reading: this lags behind what was said."}


def _monitor(view: RoomView) -> list[tuple[str, str]]:
    spent, quality, again = view.spent, view.quality, view.again
    rows = [
        ("Time", f"{spent.minutes:.1f} min" + ("" if spent.minutes_left is None else f", {spent.minutes_left:.1f} min left")),
        ("Rounds left", "–" if view.closed else str(view.where.rounds - view.where.round)),
        ("Pace", "–" if spent.seconds_a_turn is None else f"{spent.seconds_a_turn:.1f} s a turn"),
        ("Tokens read", f"{spent.read_anew:,} anew, {spent.usage.cached_tokens:,} from the cache"),
        ("Tokens written", f"{spent.usage.completion_tokens:,}"),
        ("Token limit", "none" if spent.tokens_left is None else f"{spent.tokens_left:,} of {spent.limits.tokens:,} left"),
    ]
    if again is not None:
        rows.append(("Last turn", f"{again.alike:.2f} like an earlier one of {again.name} (shared words)"))
    if quality is not None:
        mean = "unreadable" if quality.mean is None else f"{quality.mean:.1f} of 10, mean of {quality.read} scores"
        rows.append((f"Quality of {quality.stage}", mean))
    return rows
