"""Moves on the conferences that come with Plenary: rules that hold in every one, over many seeds."""

from __future__ import annotations

from functools import cache

import pytest

from conference.domain.events import Event, StageClosed, Utterance
from conference.domain.move import OnTheTable
from conference.floor import Floor, advance, fold
from conference.moves.stand import stand_on
from tests.conferences import SHIPPED, comparable, played, shipped

SEEDS = range(1, 51)
MEANT_TO_AGREE = {"cannabis-regulation": "Way forward", "radioactive-waste": "Way forward", "office-move": "Way forward"}


@cache
def log_of(name: str, seed: int) -> tuple[Event, ...]:
    return tuple(played(shipped(name), seed))


def turns_of(name: str, seed: int) -> list[Utterance]:
    return [e for e in log_of(name, seed) if isinstance(e, Utterance) and e.role == "participant"]


@cache
def before_each_turn(name: str, seed: int) -> tuple[tuple[Floor, Utterance], ...]:
    floor: Floor | None = None
    found = []
    for event in log_of(name, seed):
        if floor is not None and isinstance(event, Utterance) and event.role == "participant":
            found.append((floor, event))
        floor = advance(floor, event)
    return tuple(found)


@pytest.mark.parametrize("name", SHIPPED)
class TestOverFiftySeeds:
    def test_every_conference_ends(self, name: str) -> None:
        assert all(fold(log_of(name, seed)).closed for seed in SEEDS)

    def test_no_note_is_used_twice_by_a_speaker(self, name: str) -> None:
        """Found: a condition named in one stage was told again, word for word, in the next."""
        for seed in SEEDS:
            used = [(t.speaker, t.move.gist) for t in turns_of(name, seed) if t.move and t.move.gist]
            assert len(used) == len(set(used)), f"seed {seed}: {[pair for pair in used if used.count(pair) > 1]}"

    def test_nobody_is_addressed_who_doesnt_sit_there_nor_itself(self, name: str) -> None:
        """Found: whose own proposal lay on the table spoke to itself."""
        spec = shipped(name)
        seated = {"", spec.moderator.name, *(p.name for p in spec.participants)}
        for seed in SEEDS:
            for turn in turns_of(name, seed):
                assert turn.move is not None
                assert turn.move.to in seated - {turn.speaker}, f"seed {seed}: {turn.move}"

    def test_answers_address_who_asked(self, name: str) -> None:
        answers = 0
        for seed in SEEDS:
            said = {t.seq: t for t in turns_of(name, seed)}
            for turn in said.values():
                if turn.move is not None and turn.move.kind == "answer":
                    question = said[turn.move.answers or -1]
                    assert question.move is not None
                    assert (question.move.kind, question.move.to, turn.move.to) == ("ask", turn.speaker, question.speaker)
                    assert question.stage == turn.stage
                    answers += 1
        assert answers > 0

    def test_a_red_line_is_said_once(self, name: str) -> None:
        for seed in SEEDS:
            lines = [(t.speaker, t.move.about) for t in turns_of(name, seed) if t.move and t.move.reason.startswith("red line")]
            assert len(lines) == len(set(lines)), f"seed {seed}: {lines}"

    def test_a_rival_proposal_opposes_what_is_on_the_table(self, name: str) -> None:
        for seed in SEEDS:
            for floor, turn in before_each_turn(name, seed):
                if turn.move is not None and turn.move.kind == "propose":
                    assert turn.move.stance == ("support" if floor.table is None else "oppose")
                    assert (turn.table is None) == (floor.table is not None)

    def test_a_condition_that_is_met_turns_into_support(self, name: str) -> None:
        """Whoever named its conditions and finds them all in the proposal never again says no to it."""
        met = 0
        for seed in SEEDS:
            for floor, turn in before_each_turn(name, seed):
                person = next(p for p in floor.spec.participants if p.name == turn.speaker)
                table = floor.table or OnTheTable(text="nothing")
                if table.option and stand_on(person, table).ground == "met" and turn.move and turn.move.stance is not None:
                    assert turn.move.stance == "support", f"seed {seed}: {turn.move}"
                    met += 1
        assert met > 0

    def test_a_note_is_of_ones_own_brief(self, name: str) -> None:
        spec = shipped(name)
        notes = {
            p.name: {n.gist for n in (*p.brief.points, *p.brief.concessions, *p.brief.questions, *p.brief.proposals, *p.brief.red_lines)}
            for p in spec.participants
        }  # fmt: skip
        for seed in SEEDS:
            for turn in turns_of(name, seed):
                assert turn.move is not None
                assert turn.move.gist in notes[turn.speaker] | {""}
                assert bool(turn.move.gist) == bool(turn.move.note)

    def test_nobody_speaks_for_an_option_it_rejects_without_its_condition(self, name: str) -> None:
        spec = shipped(name)
        for seed in SEEDS:
            for floor, turn in before_each_turn(name, seed):
                person = next(p for p in spec.participants if p.name == turn.speaker)
                if turn.move and turn.move.stance == "support" and floor.table and floor.table.option in person.rejects:
                    assert stand_on(person, floor.table).ground == "met", f"seed {seed}: {turn.speaker}, {turn.move}"


@pytest.mark.parametrize("name", SHIPPED)
def test_the_same_seed_gives_the_same_conference(name: str) -> None:
    assert comparable(played(shipped(name), 7)) == comparable(log_of(name, 7))
    assert comparable(log_of(name, 8)) != comparable(log_of(name, 7))


def how_it_closed(name: str, seed: int, stage: str) -> str:
    number = [item.name for item in shipped(name).agenda].index(stage)
    return next(e.because for e in log_of(name, seed) if isinstance(e, StageClosed) and e.stage == number)


@pytest.mark.parametrize(("name", "stage"), MEANT_TO_AGREE.items())
def test_agreement_is_within_reach(name: str, stage: str) -> None:
    agreed = [seed for seed in range(1, 21) if how_it_closed(name, seed, stage) == "agreement"]
    assert len(agreed) >= 3, agreed
    assert len(agreed) < 20, "never a conference without disagreement"


@pytest.mark.parametrize(("name", "stage"), MEANT_TO_AGREE.items())
def test_agreement_means_that_everybody_can_stand_by_the_words(name: str, stage: str) -> None:
    for seed in range(1, 21):
        if how_it_closed(name, seed, stage) == "agreement":
            floor = fold(log_of(name, seed))
            assert floor.table is not None
            for person in floor.spec.participants:
                assert stand_on(person, floor.table).ground in ("favours", "met", "open"), f"seed {seed}: {person.name}"


def test_the_nicotine_table_never_agrees_on_a_way_forward() -> None:
    assert {how_it_closed("nicotine-products", seed, "Way forward") for seed in SEEDS} == {"max_rounds"}
