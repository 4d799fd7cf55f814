"""Words, turns and shares; who speaks to whom."""

from __future__ import annotations

from typing import Any

import pytest

from conference.analysis.airtime import Airtime, airtime_of, answers_of
from conference.analysis.people import people_of, stranger
from conference.domain.events import Event, Intervention, Utterance
from conference.domain.move import Move
from tests.conferences import small_spec

PEOPLE = people_of(small_spec(2))
CHAIR, ADA, BEN = PEOPLE


def said(seq: int, who: str, text: str, **move: Any) -> Utterance:
    given = Move(**{"kind": "state", **move})
    return Utterance(seq=seq, at="", stage=0, round=1, speaker=who, role="participant", text=text, move=given)


def test_words_turns_passes_and_shares() -> None:
    events: list[Event] = [
        said(1, CHAIR.name, "Let us begin"),  # 3 words
        said(2, ADA.name, "I don't think so"),  # 4
        said(3, BEN.name, ""),
        said(4, ADA.name, "No"),  # 1
        Intervention(seq=5, at="", action="say", by="Kim", text="Go on"),  # 2
        Intervention(seq=6, at="", action="extend_stage"),
    ]
    # 10 words in all: 3/10, 5/10, 0/10, 2/10
    assert airtime_of(events, PEOPLE) == (
        Airtime(CHAIR, 3, 1, 0, pytest.approx(0.3)),
        Airtime(ADA, 5, 2, 0, pytest.approx(0.5)),
        Airtime(BEN, 0, 0, 1, pytest.approx(0.0)),
        Airtime(stranger("Kim"), 2, 1, 0, pytest.approx(0.2)),
    )


def test_nobody_spoke() -> None:
    assert [each.share for each in airtime_of([], PEOPLE)] == [None, None, None]


def test_named_or_answered_but_never_oneself() -> None:
    events = [
        said(1, ADA.name, "a"),
        said(2, BEN.name, "b", to=ADA.name),
        said(3, BEN.name, "c", answers=1),
        said(4, ADA.name, "d", to=BEN.name, answers=1),  # the name goes before the line
        said(5, ADA.name, "e", answers=4),  # her own line
        said(6, ADA.name, "", to=BEN.name),  # a pass
        said(7, BEN.name, "f", to="Somebody Else"),
        said(8, BEN.name, "g", answers=99),
    ]
    assert [(each.who.name, each.to.name, each.lines, each.times) for each in answers_of(events, PEOPLE)] == [
        (BEN.name, ADA.name, (2, 3), 2),
        (ADA.name, BEN.name, (4,), 1),
        (BEN.name, "Somebody Else", (7,), 1),
    ]
