"""What the moderator says was heard: the conditions and proposals first, nobody's words turned round, who said yes and no."""

from __future__ import annotations

import pytest
from test_chair import ADA, BEN, CLEO, PLAN, conceded, floor_of, says, spec_of

from conference.moves.heard import heard


def test_a_condition_goes_before_points_and_in_the_order_said() -> None:
    found = heard(floor_of(spec_of(), says(ADA, gist="seals"), says(BEN, gist="jobs"), conceded(CLEO, "fares", "fares stay low")))
    assert found.index("seals") < found.index("fares stay low")
    assert "jobs" not in found  # two are mentioned


def test_nothing_said_is_nothing_heard() -> None:
    assert heard(floor_of(spec_of())) == ""


@pytest.mark.parametrize(
    ("stances", "ending"),
    [
        (["support", "support", "oppose"], "I heard a yes from Ada and Ben, and a no from Cleo."),
        (["support", "undecided", "undecided"], "I heard a yes from Ada."),
        (["oppose", "undecided", "oppose"], "I heard no yes yet; Ada and Cleo said no."),
        (["undecided", "undecided", "undecided"], "I heard no yes yet."),
    ],
)
def test_where_they_stand(stances: list[str], ending: str) -> None:
    said = [says(name, gist=f"g{name}", stance=stance) for name, stance in zip((ADA, BEN, CLEO), stances, strict=True)]
    assert heard(floor_of(spec_of(), *said, table=PLAN)).endswith(ending)


def test_stances_of_what_is_no_longer_on_the_table_are_not_told() -> None:
    assert "yes" not in heard(floor_of(spec_of(), says(ADA, gist="seals", stance="support")))
