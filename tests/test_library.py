"""The library: personas, references and specs by id or path, with mistakes of a spec in one line."""

from __future__ import annotations

import os
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from conference.domain.persona import Persona
from conference.errors import SpecError
from conference.library import ids_in, load_persona, load_reference, load_spec, read_spec
from tests.conferences import small_spec

SPEC: dict[str, Any] = {
    "title": "Ferry", "question": "Which timetable?", "moderator": "moderator-anna",
    "participants": ["head-teacher", "market-economist"], "agenda": [{"name": "Talk"}],
}  # fmt: skip


def written(**changes: Any) -> str:
    value = {key: value for key, value in {**SPEC, **changes}.items() if value is not ...}
    return str(yaml.safe_dump(value, allow_unicode=True))


def refusal(**changes: Any) -> str:
    with pytest.raises(SpecError) as caught:
        read_spec(written(**changes), "spec f.yaml")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("spec f.yaml: ")


def test_personas_of_a_spec_are_the_librarys() -> None:
    spec = read_spec(written())
    assert spec.participants == (load_persona("head-teacher"), load_persona("market-economist"))
    assert spec.moderator == load_persona("moderator-anna")


def test_a_persona_may_stand_in_the_spec() -> None:
    own = {"id": "own", "name": "Own Person", "role": "pilot"}
    assert read_spec(written(participants=["head-teacher", own])).participants[1] == Persona(**own)


OWN = {"id": "own", "name": "Own Person", "role": "pilot"}
NOTE = {"text": "a", "gist": "g"}
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"agena": []}, "unknown key 'agena'; did you mean 'agenda'?"),
    "unknown key in a stage": (
        {"agenda": [{"name": "A", "max_round": 3}]}, "unknown key 'max_round' in agenda[0]; did you mean 'max_rounds'?"),
    "unknown key of the judge": ({"judge": {"knd": "llm"}}, "unknown key 'knd' in judge; did you mean 'kind'?"),
    "unknown key of the limits": ({"limits": {"token": 3}}, "unknown key 'token' in limits; did you mean 'tokens'?"),
    "unknown key of the models": ({"models": {"defualt": "x"}}, "unknown key 'defualt' in models; did you mean 'default'?"),
    "unknown key of a persona": (
        {"participants": [{**OWN, "breif": {}}, "head-teacher"]}, "unknown key 'breif' in participants[0]; did you mean 'brief'?"),
    "unknown key of a brief": (
        {"participants": [{**OWN, "brief": {"point": []}}, "head-teacher"]},
        "unknown key 'point' in participants[0].brief; did you mean 'points'?"),
    "unknown persona": (
        {"participants": ["head-techer", "market-economist"]},
        "participants[0]: unknown persona 'head-techer'; did you mean 'head-teacher'?"),
    "unknown moderator": ({"moderator": "moderator-ana"}, "moderator: unknown persona 'moderator-ana'; did you mean 'moderator-anna'?"),
    "no moderator": ({"moderator": ...}, "moderator is missing; add it"),
    "empty table": ({"participants": []}, "the table is empty; name at least two participants"),
    "no table": ({"participants": ...}, "the table is empty; name at least two participants"),
    "no list": ({"participants": "head-teacher"}, "participants is a str; give a list of persona ids"),
    "one participant": (
        {"participants": ["head-teacher"]}, "only one participant ('Beatrice Oyelaran'); a conference needs at least two"),
    "the same twice": (
        {"participants": ["head-teacher", "head-teacher"]}, "two participants are named 'Beatrice Oyelaran'; give each its own"),
    "the same name": (
        {"participants": [OWN, {**OWN, "id": "two", "name": "own person"}]},
        "two participants are named 'Own Person'; give each its own"),
    "the same id": (
        {"participants": [OWN, {**OWN, "name": "Somebody Else"}]}, "two participants have the id 'own'; give each its own"),
    "moderator at the table": (
        {"participants": ["moderator-anna", "head-teacher"]}, "two participants are named 'Anna Verhoeven'; give each its own"),
    "name on two lines": (
        {"participants": [{**OWN, "name": "Own\nPerson"}, "head-teacher"]},
        "participants[0].name is 'Own\\nPerson'; write it on one line, without control characters"),
    "gists that collide": (
        {"participants": [{**OWN, "brief": {"questions": [dict(NOTE)], "points": [dict(NOTE)]}}, "head-teacher"]},
        "participants[0].brief: two notes of the brief share the gist 'g'; give each its own"),
    "empty agenda": ({"agenda": []}, "the agenda is empty; name at least one stage"),
    "stages of one name": ({"agenda": [{"name": "A"}, {"name": "a"}]}, "two stages are named 'A'; give each its own"),
    "options of one name": ({"options": ["Stay", "stay"]}, "two options are called 'Stay'; give each its own"),
    "max below min": (
        {"agenda": [{"name": "A", "min_rounds": 4, "max_rounds": 2}]},
        "agenda[0]: max_rounds 2 is less than min_rounds 4; raise max_rounds or lower min_rounds"),
    "no rounds": ({"agenda": [{"name": "A", "max_rounds": 0}]}, "agenda[0].max_rounds is 0: input should be greater than 0"),
    "turns": (
        {"agenda": [{"name": "A", "turns": "moderate"}]},
        "agenda[0].turns is 'moderate': input should be 'round_robin', 'moderated' or 'sparse'"),
    "moves": ({"moves": "plan"}, "moves is 'plan': input should be 'planned', 'guided' or 'free'"),
    "reference": ({"reference": "nut2010"}, "unknown reference 'nut2010'; did you mean 'nutt2010_drug_harms'?"),
    "reference file": ({"reference": "gone.yaml"}, "reference gone.yaml doesn't exist; check the path"),
    "reference elsewhere": ({"reference": "../x"}, "unknown reference '../x'; known: "),
    "judge": ({"judge": "lllm"}, "unknown judge 'lllm'; did you mean 'llm'?"),
    "threshold of the llm judge": (
        {"judge": {"kind": "llm", "threshold": 6}}, "judge: threshold 6 can't be reached; the llm judge takes 0 to 1"),
    "threshold of the ballot judge": (
        {"judge": {"kind": "ballot", "threshold": 0.7}}, "judge: threshold 0.7 can't be reached; the ballot judge takes 1 to 8"),
    "evaluator": ({"evaluator": "human"}, "evaluator.kind is 'human': input should be 'llm'"),
    "model of a stranger": (
        {"models": {"by_participant": {"head-techer": "scripted"}}},
        "models.by_participant names 'head-techer', who isn't at the table; did you mean 'head-teacher'?"),
    "tokens": ({"limits": {"tokens": -1}}, "limits.tokens is -1: input should be greater than 0"),
    "a date for a title": (
        {"title": date(2026, 1, 2)},
        "title is 2026-01-02; write text, in quotes where it looks like a number, a date or a yes"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_spec_is_one_line(changes: dict[str, Any], said: str) -> None:
    found = refusal(**changes)
    assert found.startswith(said) if said.endswith(": ") else found == said


def test_no_judge_and_no_evaluator() -> None:
    spec = read_spec(written(judge="none", evaluator="none"))
    assert (spec.judge, spec.evaluator) == (None, None)


def test_one_model_for_all() -> None:
    models = read_spec(written(models={"default": "a", "judge": "b", "by_participant": {"head-teacher": "c"}})).models
    asked = [models.of("moderator"), models.of("judge"), models.of("participant", "head-teacher"), models.of("participant", "x")]
    assert asked == ["a", "b", "c", "a"]
    assert read_spec(written(models="scripted")).models.of("evaluator") == "scripted"


@pytest.mark.parametrize("name", ["../moderator-anna", "/etc/passwd", "", ".", "moderator-anna.yaml", "a\0b", "a\nb"])
def test_no_persona_is_read_from_elsewhere(name: str) -> None:
    with pytest.raises(SpecError, match="^unknown persona '"):
        load_persona(name)


def test_a_persona_that_was_mended_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("id: own\nname: One\nrole: pilot")
    assert load_persona("own", tmp_path).name == "One"
    file.write_text("id: own\nname: Two\nrole: pilot")
    os.utime(file, ns=(1, 1))
    assert load_persona("own", tmp_path).name == "Two"


def test_a_broken_persona_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("id: own\nname: One\nrol: pilot")
    text = written(participants=["own", "own"])
    with pytest.raises(SpecError) as caught:
        read_spec(text, "spec f.yaml", personas=tmp_path)
    assert str(caught.value) == "spec f.yaml: participants[0]: persona own.yaml: role is missing; add it"


def test_a_reference_by_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("id: mine\ntitle: Mine\nclusters: [{name: A, criteria: [{name: B, definition: c}]}]")
    assert load_reference(str(file)).cluster_of("B") == "A"


def test_a_spec_that_isnt_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_spec(tmp_path / "gone.yaml")
    assert str(caught.value) == f"spec {tmp_path / 'gone.yaml'} doesn't exist; check the path"


def test_ids_are_sorted_file_names(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yaml", "c.txt"):
        (tmp_path / name).touch()
    assert ids_in(tmp_path) == ["a", "b"]


def test_twenty_thousand_options_are_checked_in_no_time() -> None:
    """Found: each name was compared with each other one, so that a file of 1 MB took minutes."""
    began = time.monotonic()
    small_spec(2, options=tuple(f"option {n}" for n in range(20_000)))
    assert time.monotonic() - began < 3
