"""What a store promises of pages and of searching, on every database; see `store_contract`."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from conference.domain.events import (
    AgreementCall,
    Ballot,
    Event,
    Fault,
    Intervention,
    Paused,
    StageClosed,
    StageOpened,
    Utterance,
)
from conference.domain.position import Judgement
from conference.domain.search import words_of
from conference.store import Prefix, Store, Wanted
from conference.store.database import Database
from conference.store.upgrading import MIGRATIONS, upgrade
from tests.store_contract import _WithStore, opened

AT = "2026-12-01T12:00:00Z"
CALLS = ("continue", "agreement", "unreadable")


def said(seq: int, speaker: str, text: str, stage: int = 0, round: int = 1) -> Utterance:
    return Utterance(seq=seq, at=AT, stage=stage, round=round, speaker=speaker, role="participant", text=text)


def talk() -> list[Event]:
    """Two stages; three rounds with a call each; a fault, a pause and a human in between. 15 events."""
    events: list[Event] = [opened(), StageOpened(seq=1, at=AT, stage=0, name="One")]
    for place, verdict in enumerate(CALLS):
        stage, number = (0, place + 1) if place < 2 else (1, 1)
        if stage == 1:
            events.append(StageClosed(seq=len(events), at=AT, stage=0, rounds=2, because="agreement"))
            events.append(StageOpened(seq=len(events), at=AT, stage=1, name="Two"))
        events.append(said(len(events), "Ada", f"The  helpline\nneeds {verdict}: Straße, Äpfel, 大麻規制.", stage, number))
        events.append(said(len(events), "Ben", "", stage, number))
        if place == 0:
            events.append(Fault(seq=len(events), at=AT, where="ballot", speaker="Ben", error="busy"))
            events.append(Intervention(seq=len(events), at=AT, action="say", by="facilitator", text="Please, 100% _calm_ now"))
            events.append(Ballot(seq=len(events), at=AT, stage=0, round=1, participant="Ben", proposal="P", gradient=4))
        judgement = Judgement(verdict=verdict, judge="ballot")  # type: ignore[arg-type]
        events.append(AgreementCall(seq=len(events), at=AT, stage=stage, round=number, judgement=judgement))
    events.append(Paused(seq=len(events), at=AT, because="facilitator"))
    return events


def seqs(store: Store, run: str, **wanted: object) -> list[int]:
    found = store.page(run, 0, Wanted(**wanted))  # type: ignore[arg-type]
    assert [event.seq for event in store.matching(run, Wanted(**wanted))] == [event.seq for event in found.events]  # type: ignore[arg-type]
    assert found.total == len(found.events)
    return [event.seq for event in found.events]


def looked_for(store: Store, run: str, asked: str) -> list[int]:
    return seqs(store, run, words=words_of(asked))


class PagesContract(_WithStore):
    @pytest.fixture
    def talked(self, store: Store, run: str) -> str:
        log = store.log(run)
        for event in talk():
            log.append(event)
        return run

    def test_pages_are_numbered_and_a_number_finds_its_page(self, store: Store, talked: str) -> None:
        count = len(talk())
        first, last = store.page(talked, 0, size=4), store.page(talked, 99, size=4)
        assert ([e.seq for e in first.events], first.number, first.pages, first.total) == ([0, 1, 2, 3], 0, -(-count // 4), count)
        assert (last.number, last.events[-1].seq) == (last.pages - 1, count - 1)
        assert [store.page_of(talked, seq, size=4) for seq in (0, 3, 4, count - 1, count, 2**40, -1)] == [
            0, 0, 1, (count - 1) // 4, None, None, None,
        ]  # fmt: skip
        assert store.page(store.create_run("Empty")).model_dump() == {"events": (), "number": 0, "pages": 1, "total": 0}

    def test_conditions(self, store: Store, talked: str) -> None:
        events = talk()
        assert seqs(store, talked, kinds=("fault", "paused")) == [e.seq for e in events if e.kind in ("fault", "paused")]
        assert seqs(store, talked, speakers=("Ben",), kinds=("utterance",)) == [
            e.seq for e in events if isinstance(e, Utterance) and e.speaker == "Ben"
        ]
        assert [events[seq].kind for seq in seqs(store, talked, speakers=("Ben",), stages=(0,), rounds=(1,))] == [
            "utterance", "fault", "ballot",
        ]  # fmt: skip
        assert seqs(store, talked, seqs=frozenset({3, 5, 99})) == [3, 5]
        assert seqs(store, talked, seqs=frozenset()) == []
        assert store.page_of(talked, 4, Wanted(seqs=frozenset({3, 5}))) is None
        assert store.page_of(talked, 5, Wanted(seqs=frozenset({3, 5})), size=1) == 1

    def test_an_event_without_a_place_stands_where_the_one_before_it_does(self, store: Store, talked: str) -> None:
        events = talk()
        first = [events[seq].kind for seq in seqs(store, talked, stages=(0,), rounds=(1,))]
        assert first == ["utterance", "utterance", "fault", "intervention", "ballot", "agreement_call"]
        assert events[seqs(store, talked, stages=(1,))[-1]].kind == "paused"

    @pytest.mark.parametrize(("verdict", "place"), [("continue", (0, 1)), ("agreement", (0, 2)), ("unreadable", (1, 1))])
    def test_the_rounds_a_verdict_was_called_on(self, store: Store, talked: str, verdict: str, place: tuple[int, int]) -> None:
        found = seqs(store, talked, verdicts=(verdict,), kinds=("utterance", "agreement_call"))
        assert {(talk()[seq].stage, talk()[seq].round) for seq in found} == {place}  # type: ignore[union-attr]
        assert len(found) == 3

    def test_what_there_is_to_choose_from(self, store: Store, talked: str) -> None:
        found = store.contents(talked)
        assert found.stages == {0: 11, 1: 5}
        assert found.rounds == {1: 10, 2: 3}
        assert found.speakers == {"Ada": 3, "Ben": 5, "facilitator": 1}
        assert (found.kinds["utterance"], found.kinds["paused"], found.events) == (6, 1, len(talk()))
        assert found.verdicts == {"continue": 1, "agreement": 1, "unreadable": 1}

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("HELPLINE", 3), ("elpli", 3), ("helpline needs", 3), ('"the helpline needs"', 3), ('"needs helpline"', 0), ("strasse", 3),
            ("STRASSE äPFEL", 3), ("大麻", 3), ("麻", 3), ("大麻規制", 3), ("大規", 0), ("calm", 1), ("100%", 1), ("%", 1), ("_calm_", 1),
            ("1__%", 0), ("unreadable", 1), ("agreement unreadable", 0), ("zz", 0), ("A\u0308pfel", 3), ("ｈｅｌｐｌｉｎｅ", 3),
            ('NEAR( OR AND NOT * ^ "" ( :', 0), ("text:helpline", 0), ("'; DROP TABLE said; --", 0), ("help\x00line", 3), ("x" * 5000, 0),
            ("continue:", 1),
        ],
    )  # fmt: skip
    def test_searching(self, store: Store, talked: str, asked: str, found: int) -> None:
        assert len(looked_for(store, talked, asked)) == found

    def test_a_question_that_asks_for_nothing_finds_all(self, store: Store, talked: str) -> None:
        assert looked_for(store, talked, ' "" \n') == list(range(len(talk())))

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(asked=st.text(st.characters(codec="utf-8"), max_size=30))
    def test_any_question_can_be_asked(self, store: Store, talked: str, asked: str) -> None:
        looked_for(store, talked, asked)
        said_so = looked_for(store, talked, f'"{asked}"')
        assert set(said_so) <= set(range(len(talk())))

    def test_what_is_said_later_is_found_too(self, store: Store, talked: str) -> None:
        assert looked_for(store, talked, "later") == []
        store.log(talked).append(said(len(talk()), "Ada", "Later."))
        assert looked_for(store, talked, "later") == [len(talk())]
        store.make_searchable(talked)
        assert looked_for(store, talked, "later") == [len(talk())]

    def test_runs_are_searched_apart_and_purged_ones_are_gone(self, store: Store, talked: str) -> None:
        other = store.create_run("Other", status="paused")
        store.log(other).append(opened())
        store.log(other).append(said(1, "Ada", "The helpline again"))
        assert looked_for(store, other, "helpline") == [1]
        assert len(looked_for(store, talked, "helpline")) == 3
        store.set_status(talked, "paused")
        store.delete_run(talked)
        store.purge(days=-1)
        assert looked_for(store, other, "helpline") == [1]
        assert looked_for(store, talked, "helpline") == []
        with store._database.engine.connect() as connection:
            assert connection.execute(text("SELECT run FROM said")).scalars().all() == [other]
            if store._database.sqlite:
                index = connection.execute(text("SELECT rowid FROM said_index WHERE said_index MATCH '\"hel\"'")).all()
                assert len(index) == 1
                connection.execute(text("INSERT INTO said_index(said_index) VALUES ('integrity-check')"))

    def test_a_fork_is_paged_through_its_parents_events(self, store: Store, talked: str) -> None:
        fork = store.create_run("Fork", prefix=Prefix(run=talked, events=5, utterances=2))
        log = store.log(fork)
        log.append(Intervention(seq=5, at=AT, action="fork", parent=talked))
        log.append(said(6, "Cleo", "Another helpline.", 0, 1))
        assert [event.seq for event in store.page(fork, 1, size=4).events] == [4, 5, 6]
        assert looked_for(store, fork, "helpline") == [2, 6]
        assert store.page_of(fork, 6, size=4) == 1
        assert store.contents(fork).speakers == {"Ada": 1, "Ben": 2, "facilitator": 1, "Cleo": 1}
        assert seqs(store, fork, stages=(0,), rounds=(1,)) == [2, 3, 4, 5, 6], "the fork itself stands where its parent was left"

    def test_an_older_database_is_filled(self, address: str) -> None:
        database = Database(address)
        upgrade(database, MIGRATIONS, "0003")  # made as it is now, then put back to what it was
        with Store.open(address) as store:
            run = store.create_run("Before")
            for event in talk():
                store.log(run).append(event)
            now = store.contents(run)
        with database.engine.connect() as connection:
            for statement in (
                "DROP TABLE said", *(["DROP TABLE said_index"] if database.sqlite else []), "DROP INDEX events_places",
                "UPDATE events SET stage = NULL, round = NULL WHERE kind IN ('fault', 'intervention', 'paused')",
                "ALTER TABLE events DROP COLUMN speaker", "ALTER TABLE events DROP COLUMN verdict",
                "UPDATE plenary_version SET version_num = '0002'",
            ):  # fmt: skip
                connection.execute(text(statement))
        database.engine.dispose()
        with Store.open(address) as store:
            assert store.contents(run) == now
            assert len(looked_for(store, run, "helpline")) == 3
