"""The room as a browser draws it: two components, the room itself and the voice that speaks in it. Texts go as data, never as markup."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from conference.analysis.room import RoomView, Speaking
from conference.domain.phrase import Phrase
from conference.following import Followed
from conference.live import RunState
from pages.components.language import language, t, translated
from pages.components.room_texts import room_texts

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
    run: str, view: RoomView, state: tuple[str, str], about: Notice | None, followed: Followed, below: int = 44
) -> None:  # fmt: skip
    """Draw everything but the voice. `state` is a name (for the style) and what is shown; `below`: pixels left for what stands below."""
    into = language()
    data = {
        "run": run,
        "language": into,
        "texts": room_texts(into),
        "below": below,
        "state": {"name": state[0], "text": state[1]},
        "notice": asdict(about) if about else None,
        "coverage": _coverage(view, followed),
        **_of_view(view, into),
    }
    _room(data=data, key="room")


def draw_voice(run: str, view: RoomView, speaking: Speaking | None, live: bool) -> None:
    """Say who is speaking; without words yet, who is due."""
    _voice(data={"run": run, "voice": _heard(view, speaking) if live else None}, key="voice")


def _heard(view: RoomView, speaking: Speaking | None) -> dict[str, Any] | None:
    person = next((person for person in view.people if speaking and person.name == speaking.speaker), None)
    if speaking is not None and person is not None and speaking.text:
        return {"person": asdict(person), "text": speaking.text, "doing": t("is speaking")}
    return (
        {"person": translated(asdict(view.due.person), language()), "text": "", "doing": t(view.due.doing)} if view.due else None
    )


@lru_cache(maxsize=64)
def _of_view(view: RoomView, into: str) -> dict[str, Any]:
    """What changes only with the log, made once for all who watch."""
    drawn: dict[str, Any] = {
        "where": view.where.text,
        "question": view.spec.question,
        "judged": view.judged,
        "rows": [asdict(row) for row in view.rows],
        "outcome": _outcome(view),
        "monitor": _monitor(view),
    }
    return translated(drawn, into)  # type: ignore[no-any-return]


def notice(state: RunState, view: RoomView, problem: str) -> Notice | None:
    """What has to be said above the transcript of a run in this state."""
    go_on = t("Resume goes on where the log ends; nothing is lost.")
    match state:
        case "paused":
            because = f"{t(view.paused)}." if view.paused else t("Paused.")
            return Notice("wait", because, f"{go_on} {t('The limits hold anew.')}")
        case "interrupted":
            return Notice("bad", t("This run broke off, because its process ended."), go_on)
        case "failed":
            return Notice("bad", problem or t("This run failed."), go_on)
        case "elsewhere":
            return Notice("wait", t("Another process runs this conference."), t("You can watch it here; pause it there."))
        case "pausing":
            return Notice("wait", t("Pausing."), t("The turn under way is finished first."))
        case _:
            return None


def _outcome(view: RoomView) -> dict[str, str] | None:
    if not view.closed:
        return None
    if view.agreed:
        return {"title": Phrase("Outcome: agreed"), "text": view.agreed}
    return {
        "title": Phrase("Outcome: no agreement"), "text": Phrase("The conference ended without a proposal that everybody accepts."),
    }  # fmt: skip


def _coverage(view: RoomView, followed: Followed) -> dict[str, Any]:
    if view.spec.reference is None:
        return {"view": None, "text": t("No published conference is laid beside this one.")}
    if followed.view is None:
        return {"view": None, "text": followed.problem or t("Reading what was said against the published conference …")}
    lags = "" if followed.current else t("Still reading: this lags behind what was said.")
    return {"view": translated(asdict(followed.view), language()), "text": lags}


def _monitor(view: RoomView) -> list[tuple[str, str]]:
    spent, quality, again = view.spent, view.quality, view.again
    time: str = Phrase("{minutes} min", minutes=f"{spent.minutes:.1f}")
    if spent.minutes_left is not None:
        time = Phrase("{time}, {minutes} min left", time=time, minutes=f"{spent.minutes_left:.1f}")
    pace = "–" if spent.seconds_a_turn is None else Phrase("{seconds} s a turn", seconds=f"{spent.seconds_a_turn:.1f}")
    read = Phrase("{anew} anew, {cached} from the cache", anew=f"{spent.read_anew:,}", cached=f"{spent.usage.cached_tokens:,}")
    limit: str = Phrase("none")
    if spent.tokens_left is not None:
        limit = Phrase("{left} of {limit} left", left=f"{spent.tokens_left:,}", limit=f"{spent.limits.tokens:,}")
    rows: list[tuple[str, str]] = [
        (Phrase("Time"), time),
        (Phrase("Rounds left"), "–" if view.closed else str(view.where.rounds - view.where.round)),
        (Phrase("Pace"), pace),
        (Phrase("Tokens read"), read),
        (Phrase("Tokens written"), f"{spent.usage.completion_tokens:,}"),
        (Phrase("Token limit"), limit),
    ]
    if again is not None:
        alike = Phrase("{alike} like an earlier one of {name} (shared words)", alike=f"{again.alike:.2f}", name=again.name)
        rows.append((Phrase("Last turn"), alike))
    if quality is not None:
        mean: str = Phrase("unreadable")
        if quality.mean is not None:
            mean = Phrase("{mean} of 10, mean of {n} scores", mean=f"{quality.mean:.1f}", n=quality.read)
        rows.append((Phrase("Quality of {stage}", stage=quality.stage), mean))
    return rows
