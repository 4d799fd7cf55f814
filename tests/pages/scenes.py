"""Logs for looking at: a conference held without a model, cut where a test wants it, and one whose every text is hostile."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from conference.domain.chat import Usage
from conference.domain.events import (
    AgreementCall,
    ConferenceClosed,
    Event,
    Fault,
    Intervention,
    QualityScored,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.persona import Persona
from conference.domain.position import Evidence, Judgement
from conference.domain.spec import EvaluatorSpec, Limits, Spec, Stage
from conference.session import run_plainly
from conference.store import Status, Store
from tests.conferences import opened, session_of, small_spec

HOSTILE = (
    '<img src=x onerror="window.hit=1"><script>window.hit=1</script> **bold** [a](javascript:window.hit=1) ![p](https://out.invalid/x.png) '
    "$\\frac{1}{2}$ :red[red] :material/home: `code` &lt;b&gt; </div></textarea> # head"
)
LONG_WORD = "w" * 10_000
RIGHT_TO_LEFT = "שלום \u202eevil\u202c مرحبا"
EMOJI = "🧑‍🤝‍🧑 🏳️‍🌈"


def held(spec: Spec | None = None) -> list[Event]:
    """The events of a whole conference."""
    session = session_of(spec or small_spec(3))
    with ThreadPoolExecutor(1) as beside:  # Playwright has a loop of its own in the tests' thread
        beside.submit(lambda: asyncio.run(run_plainly(session))).result()
    return session.log.events()


def kept(store: Store, events: list[Event], status: Status = "finished") -> str:
    """A run with these events."""
    spec = events[0].spec  # type: ignore[union-attr]
    run = store.create_run(spec.title, models=[spec.models.default], seed=spec.seed, status="paused")
    log = store.log(run)
    for event in events:
        log.append(event)
    store.set_status(run, status)
    return run


def hostile_events() -> list[Event]:
    """Everything a model or a file can put into a room, as bad as it gets."""
    people = (
        Persona(id="a", name=f"Ada {HOSTILE}"[:120], role=HOSTILE), Persona(id="b", name=f"{RIGHT_TO_LEFT} {EMOJI}", role=EMOJI),
        Persona(id="c", name="W" * 120, role=LONG_WORD),
    )  # fmt: skip
    spec = small_spec(
        3, title=HOSTILE[:200], question=f"{HOSTILE} {LONG_WORD}", participants=people, options=(HOSTILE[:120], "B"), models="scripted",
        agenda=(Stage(name=HOSTILE[:120], max_rounds=2),), evaluator=EvaluatorSpec(), limits=Limits(tokens=10_000, minutes=30),
    )  # fmt: skip
    judgement: dict[str, Any] = {
        "verdict": "agreement", "confidence": 0.74, "judge": "llm", "reason": HOSTILE, "proposal": f"{HOSTILE} {LONG_WORD}",
        "positions": {people[0].name: "support", people[1].name: "oppose"}, "conditions": {people[1].name: HOSTILE},
        "probabilities": {people[0].name: 0.81}, "gradients": {people[0].name: 7},
        "evidence": (Evidence(turn=3, speaker=people[0].name, quote=HOSTILE),),
    }  # fmt: skip
    used = Usage(prompt_tokens=900, cached_tokens=700, completion_tokens=60, seconds=2)
    bodies: list[dict[str, Any]] = [
        {"of": StageOpened, "stage": 0, "name": HOSTILE},
        {"of": Utterance, "speaker": "Mo Chair", "role": "moderator", "text": HOSTILE, "round": 0},
        {
            "of": Utterance,
            "speaker": people[0].name,
            "role": "participant",
            "text": f"{HOSTILE}\n\n# {HOSTILE}",
            "round": 1,
            "usage": used,
        },
        {
            "of": Utterance,
            "speaker": people[1].name,
            "role": "participant",
            "text": f"{RIGHT_TO_LEFT} {EMOJI} {LONG_WORD}",
            "round": 1,
        },
        {"of": Utterance, "speaker": people[2].name, "role": "participant", "text": "", "round": 1},
        {"of": Fault, "where": "turn", "speaker": people[2].name, "error": f"ModelBusy: {HOSTILE} {LONG_WORD}"},
        {"of": Intervention, "action": "say", "by": HOSTILE, "text": HOSTILE},
        {"of": Intervention, "action": "extend_stage"},
        {"of": AgreementCall, "round": 1, "judgement": Judgement(**judgement)},
        {"of": QualityScored, "scores": {"clarity": 8.0, HOSTILE: None}},
        {"of": StageClosed, "rounds": 1, "because": "agreement", "agreed": HOSTILE, "summary": HOSTILE},
        {"of": ConferenceClosed, "agreed": f"{HOSTILE} {LONG_WORD}"},
    ]
    return [opened(spec).model_copy(update={"at": at(0)}), *(_made(seq, dict(body)) for seq, body in enumerate(bodies, 1))]


def _made(seq: int, body: dict[str, Any]) -> Event:
    kind = body.pop("of")
    if "stage" in kind.model_fields:
        body.setdefault("stage", 0)
    event: Event = kind(seq=seq, at=at(seq * 6), **body)
    return event


def at(second: int) -> str:
    """A time, so many seconds after noon."""
    return f"2026-12-01T12:{second // 60:02d}:{second % 60:02d}.000+00:00"
