"""What is odd about a spec: said in one line, and never about what is shipped."""

from __future__ import annotations

import pytest

from conference.domain.oddities import oddities
from conference.domain.persona import Persona
from conference.domain.spec import JudgeSpec, Spec, Stage
from conference.library import CONFERENCES, ids_in, load_spec

POINT = {"text": "Ferries that sail half empty cost as much as full ones.", "gist": "empty ferries"}
LLM = JudgeSpec()


def person(name: str, **more: object) -> Persona:
    return Persona.model_validate({"id": name.lower(), "name": name, "role": "pilot", "brief": {"points": [POINT]}, **more})


def spec(*table: Persona, agenda: tuple[Stage, ...] = (Stage(name="Talk"),), judge: JudgeSpec | None = LLM) -> Spec:
    return Spec(
        title="Ferry", question="Which timetable?", options=("Hourly", "Every two hours"),
        moderator=Persona(id="chair", name="Chair", role="chair"), participants=table, agenda=agenda, judge=judge,
    )  # fmt: skip


BRIEFS = {
    "favours": ({"favours": ["hourly"]}, "(favours), which the conference doesn't have; did you mean 'Hourly'?"),
    "rejects": ({"rejects": ["Nightly"]}, "'Nightly' (rejects)"),
    "speaks_for": ({"brief": {"points": [{**POINT, "speaks_for": ["Daily"]}]}}, "'Daily' (point 'empty ferries' speaks_for)"),
    "speaks_against": ({"brief": {"points": [{**POINT, "speaks_against": ["Daily"]}]}}, "(point 'empty ferries' speaks_against)"),
    "concession": (
        {"brief": {"points": [POINT], "concessions": [{**POINT, "gist": "c", "option": "Daily", "condition": "it is cheap"}]}},
        "'Daily' (concession 'c')",
    ),
    "proposal": (
        {"brief": {"points": [POINT], "proposals": [{**POINT, "gist": "p", "option": "Daily"}]}},
        "'Daily' (proposal 'p')",
    ),
    "no points": ({"brief": {}}, "'Ada' brings no points"),
}


@pytest.mark.parametrize(("changes", "says"), BRIEFS.values(), ids=BRIEFS)
def test_a_brief_that_doesnt_fit_the_conference_is_told_of(changes: dict[str, object], says: str) -> None:
    other = person("Ben", brief={"points": [{**POINT, "gist": "other"}]})
    (line,) = oddities(spec(person("Ada", **changes), other))
    assert says in line
    assert "\n" not in line


def test_two_people_with_one_brief_are_told_of_and_two_empty_ones_only_as_empty() -> None:
    (line,) = oddities(spec(person("Ada"), person("Ben")))
    assert line.startswith("'Ada' and 'Ben' have one and the same brief")
    assert len(oddities(spec(person("Ada", brief={}), person("Ben", brief={})))) == 2


def test_a_stage_no_call_can_shorten_is_told_of_only_where_somebody_judges() -> None:
    table = person("Ada"), person("Ben", brief={"points": [{**POINT, "gist": "other"}]})
    fixed = (Stage(name="Talk", min_rounds=2, max_rounds=2),)
    (line,) = oddities(spec(*table, agenda=fixed))
    assert line.startswith("stage 'Talk' takes 2 rounds at least and at most")
    assert oddities(spec(*table, agenda=fixed, judge=None)) == []
    assert oddities(spec(*table, agenda=(Stage(name="Talk", min_rounds=1, max_rounds=2),))) == []


@pytest.mark.parametrize("name", ids_in(CONFERENCES))
def test_nothing_is_odd_about_a_shipped_conference(name: str) -> None:
    assert oddities(load_spec(CONFERENCES / f"{name}.yaml")) == []
