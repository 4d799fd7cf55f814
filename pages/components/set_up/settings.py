"""Judge, evaluator, models, limits: what has a sensible default and is seldom changed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from conference.drafts import Draft
from conference.errors import PlenaryError
from conference.models.registry import FORMS, chat_model
from conference.trial import Trial, tried
from pages.components.background import POLL_SECONDS, errands
from pages.components.language import t
from pages.components.set_up.desk import Desk, table
from pages.components.shared import plain

ROLES = ("moderator", "participant", "judge", "evaluator")


def judge(desk: Desk) -> None:
    """Who calls agreement and how strictly; who scores."""
    st.header(t("Judge and evaluator"), anchor=False)
    draft = desk.draft
    told = draft.get("judge", "llm")
    value: Draft = dict(told) if isinstance(told, dict) else {"kind": told or "none"}
    kinds = {
        "llm": t("A model reads the round"),
        "ballot": t("Everybody votes in private"),
        "none": t("Nobody: all rounds are held"),
    }
    left, right = st.columns([3, 2])
    kind = left.selectbox(
        t("Judge"), list(kinds), index=list(kinds).index(value["kind"]) if value.get("kind") in kinds else None, key=desk.key("judge"),
        format_func=lambda name: f"{kinds[name]} ({name})", placeholder=str(value.get("kind", "")),
    )  # fmt: skip
    threshold = value.get("threshold") if kind == value.get("kind") else None
    if kind == "llm":
        threshold = right.number_input(
            t("Least probability of agreement"), 0.0, 1.0, value=_number(threshold), step=0.05, key=desk.key("strict-llm"),
            placeholder=t("as fitted"), help=t("Higher is stricter. Left empty, the line fitted on labelled rounds decides."),
        )  # fmt: skip
    elif kind == "ballot":
        threshold = right.number_input(
            t("Least gradient anybody may give"), 1.0, 8.0, value=_number(threshold), step=1.0, key=desk.key("strict-ballot"),
            placeholder=t("as usual"), help=t("1 is a veto, 8 is wholehearted. Higher is stricter."),
        )  # fmt: skip
    if kind is not None:
        new: Any = {"kind": kind, "threshold": threshold} if threshold is not None and kind != "none" else kind
        if new != told and new != value:
            draft["judge"] = new
    scores = st.checkbox(
        t("An evaluator scores each finished stage"),
        value=draft.get("evaluator", "none") not in (None, "none"),
        key=desk.key("evaluator"),
    )
    if scores != (draft.get("evaluator", "none") not in (None, "none")):
        draft["evaluator"] = "llm" if scores else "none"


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def models(desk: Desk) -> None:
    """Which model plays whom, and whether it can be used."""
    st.header(t("Models"), anchor=False)
    told = desk.draft.get("models", "embedded")
    value: Draft = dict(told) if isinstance(told, dict) else {"default": told}
    name = _choice(desk, t("Model for everybody"), "default", str(value.get("default") or "embedded"))
    value["default"] = name or "embedded"
    with st.expander(t("Another model for a role or a person"), key=desk.key("roles")):
        places = st.columns(2)
        words = {"moderator": t("Moderator"), "participant": t("Participants"), "judge": t("Judge"), "evaluator": t("Evaluator")}
        for number, role in enumerate(ROLES):
            with places[number % 2]:
                _put(value, role, _choice(desk, words[role], role, value.get(role)))
        by = dict(value.get("by_participant") or {})
        for number, person in enumerate(table(desk)):
            with places[number % 2]:
                _put(by, person.id, _choice(desk, plain(person.name, 60), f"by-{person.id}", by.get(person.id)))
        _put(value, "by_participant", by)
    if value != told and not (isinstance(told, str) and value == {"default": told}):
        desk.draft["models"] = value
    named = [value.get(role) for role in ("default", *ROLES)] + list((value.get("by_participant") or {}).values())
    for model in [str(name) for name in dict.fromkeys(named) if name]:
        _test(desk, model)


def _choice(desk: Desk, label: str, path: str, now: str | None) -> str | None:
    offered = list(dict.fromkeys(["embedded", "scripted", *([now] if now else [])]))
    words = {
        "embedded": t("embedded: comes with Plenary, no key needed"),
        "scripted": t("scripted: no model, answers by rule, to try things out"),
    }
    forms = ", ".join(form for kind, form in FORMS.items() if kind not in words)
    chosen = st.selectbox(
        label, offered, index=offered.index(now) if now else None, key=desk.key(f"model-{path}"), accept_new_options=True,
        format_func=lambda name: words.get(name, name), placeholder=t("as for everybody"), help=t("Choose, or type: {forms}", forms=forms),
    )  # fmt: skip
    return chosen.strip() or None if chosen else None


def _put(value: Draft, key: str, new: object) -> None:
    if new:
        value[key] = new
    else:
        value.pop(key, None)


def _test(desk: Desk, model: str) -> None:
    name, trials = f"trial-{model}", st.session_state.get("trials", {})
    left, right = st.columns([2, 5], vertical_alignment="center")
    busy = name in desk.errands
    if left.button(t("Test this model"), key=f"test-{model}", disabled=busy, help=plain(model)):
        desk.errands[name] = errands().run(lambda: tried(model))
        busy = True
    if busy:

        @st.fragment(run_every=POLL_SECONDS, key=f"wait-{name}")
        def waiting() -> None:
            errand = desk.errands.get(name)
            if errand is None or errand.done:
                st.rerun()
            st.caption(t("◔ {model}: asked, waiting …", model=plain(model, 80)))

        with right:
            waiting()
        return
    done: Trial | None = trials.get(model)
    if done is not None:
        right.markdown(f"{'✓' if done.works else '✕'} {plain(model, 80)} {plain(t(done.said), 300)}")
    elif problem := _unusable(model):
        right.markdown(f"✕ {plain(problem, 300)}")
    else:
        right.caption(t("{model}: not tested yet", model=plain(model, 80)))


def _unusable(model: str) -> str:
    """Why a model can't be used as things are; nothing is started or asked."""
    try:
        chat_model(model)
    except PlenaryError as error:
        return str(error)
    return ""


def limits(desk: Desk) -> None:
    """When it stops and waits; seed; how far turns are planned."""
    st.header(t("Limits"), anchor=False)
    draft = desk.draft
    value: Draft = dict(draft.get("limits") or {})
    places = st.columns(4)
    minutes = places[0].number_input(
        t("Minutes"),
        0.1,
        None,
        value=_number(value.get("minutes")),
        step=5.0,
        format="%g",
        key=desk.key("minutes"),
        placeholder=t("no limit"),
    )
    tokens = places[1].number_input(
        t("Tokens"), 1, None, value=_whole(value.get("tokens")), step=10_000, key=desk.key("tokens"), placeholder=t("no limit")
    )
    seed = places[2].number_input(
        t("Seed"),
        value=_whole(draft.get("seed", 1)),
        step=1,
        key=desk.key("seed"),
        help=t("Shuffles speaking order and sampling."),
    )
    offered = ("planned", "guided", "free")
    now = draft.get("moves")
    moves = places[3].selectbox(
        t("Turns are"), offered, index=offered.index(now) if now in offered else None, key=desk.key("moves"),
        placeholder=t("as the model needs"),
        help=t("planned: what a turn is for is decided before the model words it; guided: it may depart from that; free: it decides."),
    )  # fmt: skip
    _put(value, "minutes", minutes if minutes is None or minutes % 1 else int(minutes))
    _put(value, "tokens", tokens)
    if value != (draft.get("limits") or {}):
        draft["limits"] = value
    if seed is not None and seed != draft.get("seed", 1):
        draft["seed"] = int(seed)
    if moves != now:
        _put(draft, "moves", moves)
    st.caption(t("At a limit the conference pauses; Resume goes on with the limits anew."))


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) else None
