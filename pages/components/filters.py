"""Which events a transcript shows, as the address says it (`?q=…&who=…&kind=…&page=…` or `&seq=…`), and the boxes to choose by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from conference.analysis.calls import VERDICT_WORDS
from conference.analysis.minutes import KINDS
from conference.domain.search import words_of
from conference.domain.spec import Spec
from conference.store import Contents, Wanted
from pages.components.language import t
from pages.components.shared import verdict_word

CHOICES = ("who", "stage", "round", "kind", "call", "criterion")
_KNOWN = ("q", "page", "seq", *CHOICES)
_ADDRESS = "transcript_address"


@dataclass(frozen=True)
class Asked:
    """What the reader wants to see. `page` is 0-based; `seq` is the line to lead to."""

    wanted: Wanted
    criteria: tuple[str, ...]
    page: int
    seq: int | None

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out."""
        return bool(self.criteria) or self.wanted != Wanted()


@dataclass(frozen=True)
class _Box:
    label: str
    options: Sequence[Any]
    shown: Callable[[Any], str]


def asked_for(found: Contents, spec: Spec, criteria: Sequence[str]) -> Asked:
    """Draw the boxes and give what they ask for. An address that changed is followed first."""
    boxes = _boxes(found, spec, criteria)
    _follow_address(boxes)
    asked = st.text_input(
        t("Search in what was said"), key="t_q", max_chars=200, type="search", on_change=_from_the_start,
        help=t("All words must occur; “several words” in quotation marks as a phrase."),
    )  # fmt: skip
    for name, box in boxes.items():
        st.multiselect(
            box.label, box.options, format_func=box.shown, key=f"t_{name}", placeholder=t("all"), on_change=_from_the_start
        )
    chosen: dict[str, tuple[Any, ...]] = {name: tuple(st.session_state.get(f"t_{name}", ())) for name in CHOICES}
    wanted = Wanted(
        words=words_of(asked or ""), speakers=chosen["who"], stages=chosen["stage"], rounds=chosen["round"], kinds=chosen["kind"],
        verdicts=chosen["call"],
    )  # fmt: skip
    result = Asked(wanted, chosen["criterion"], st.session_state["t_page"] - 1, st.session_state["t_seq"])
    if result.narrowed:
        st.button(t("Clear all filters"), on_click=_clear, key="t_clear")
    return result


def note_address(page: int) -> None:
    """Write into the address what is shown: `page` (0-based), or the line led to."""
    state, seq = st.session_state, st.session_state["t_seq"]
    state["t_page"] = page + 1
    address = {name: [str(value) for value in state.get(f"t_{name}", ())] for name in CHOICES}
    address["q"] = [state["t_q"]] if state.get("t_q") else []
    address["seq"] = [] if seq is None else [str(seq)]
    address["page"] = [str(page + 1)] if page and seq is None else []
    for name, values in address.items():
        if values and st.query_params.get_all(name) != values:
            st.query_params[name] = values
        elif not values and name in st.query_params:
            del st.query_params[name]
    state[_ADDRESS] = _address()


def page_turned(key: str) -> None:
    """A click on a page number: the line led to is left."""
    st.session_state["t_page"], st.session_state["t_seq"] = st.session_state[key], None


def _boxes(found: Contents, spec: Spec, criteria: Sequence[str]) -> dict[str, _Box]:
    names = {number: item.name for number, item in enumerate(spec.agenda)}
    kinds = [kind for kind in KINDS if kind in found.kinds]
    boxes = {
        "who": _Box(t("Speaker"), list(found.speakers), str),
        "stage": _Box(t("Stage"), list(found.stages), lambda stage: f"{stage + 1} · {names.get(stage, '')}"),
        "round": _Box(t("Round"), [number for number in found.rounds if number], str),
        "kind": _Box(t("Event"), kinds, lambda kind: t(KINDS[kind])),
        "call": _Box(t("Call on the round"), [v for v in VERDICT_WORDS if v in found.verdicts], verdict_word),
        "criterion": _Box(t("Criterion raised"), list(criteria), str),
    }
    return {name: box for name, box in boxes.items() if box.options}


def _address() -> Mapping[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in ("run", *_KNOWN)}


def _follow_address(boxes: Mapping[str, _Box]) -> None:
    """Take over what a link says, unless it is what this tab wrote there itself."""
    state, address = st.session_state, _address()
    if state.get(_ADDRESS) == address and all(f"t_{name}" in state for name in ("q", *boxes)):
        return
    state["t_q"] = (address["q"] or [""])[0][:200]
    for name in CHOICES:
        options = {str(option): option for option in boxes[name].options} if name in boxes else {}
        state[f"t_{name}"] = [options[value] for value in address[name] if value in options]
    state["t_seq"] = _number(address["seq"])
    state["t_page"] = max(1, _number(address["page"]) or 1)


def _number(values: Sequence[str]) -> int | None:
    return int(values[0]) if values and values[0].isdecimal() and len(values[0]) < 10 else None


def _from_the_start() -> None:
    st.session_state["t_page"], st.session_state["t_seq"] = 1, None


def _clear() -> None:
    st.session_state["t_q"] = ""
    for name in CHOICES:
        st.session_state[f"t_{name}"] = []
    _from_the_start()
