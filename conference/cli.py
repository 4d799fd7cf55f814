"""The command line: `python -m conference …`. Exit status 0 done, 1 a failure of the run, 2 a mistake of the user."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from conference.domain.spec import Condition, Limits, Spec
from conference.errors import PlenaryError, RunError, UserError

if TYPE_CHECKING:
    from conference.store import Store

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Rehearse a decision conference with language models, and measure what came of it.\n\n"
    "Example: python -m conference run data/conferences/cannabis-regulation.yaml --model embedded --seed 1 --out log.jsonl",
)  # fmt: skip

Model = Annotated[
    str | None, typer.Option("--model", help="embedded, openai:M, anthropic:M, ollama:M, compatible:M@URL, scripted")
]
JudgeOption = Annotated[str | None, typer.Option("--judge", help="llm, ballot or none")]
Out = Annotated[Path, typer.Option("--out", help="where the result is written")]


def main() -> None:
    """Run a command; mistakes and failures are one line on stderr."""
    # typer brings a click of its own, and gives its errors no public name
    from typer._click.exceptions import ClickException, NoArgsIsHelpError

    from conference.telling import mend_streams, refused, silence_stdout

    mend_streams()
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except typer.Exit as stop:
        status = stop.exit_code
    except NoArgsIsHelpError as bare:
        print(bare.format_message(), file=sys.stderr)
        status = 2
    except ClickException as error:
        message = error.format_message().rstrip(".")
        status = _say(f"{message}; see --help", 2)
    except (typer.Abort, KeyboardInterrupt):
        status = _say("stopped", 1)
    except UserError as error:
        status = _say(str(error), 2)
    except PlenaryError as error:
        status = _say(str(error), 1)
    except BrokenPipeError:
        status = 1
        silence_stdout()
    except OSError as error:
        status = _say(refused(error), 1)
        silence_stdout()
    sys.exit(status if isinstance(status, int) else 0)


def _one_line(title: str) -> str:
    from conference.telling import printable

    return " ".join(printable(title).split())[:80]


def _say(line: str, status: int) -> int:
    print(f"plenary: {' '.join(line.split())}", file=sys.stderr)
    return status


@app.callback()
def _prepare() -> None:
    from conference.home import load_environment

    load_environment()


@contextmanager
def _store() -> Iterator[Store]:
    from conference.home import database_url
    from conference.store import Store

    with Store.open(database_url()) as store:
        yield store


@app.command()
def run(
    spec: Annotated[Path, typer.Argument(help="the spec, a YAML file")],
    model: Model = None,
    judge: JudgeOption = None,
    condition: Annotated[str, typer.Option(help="with_judge or without_judge")] = "with_judge",
    seed: Annotated[int | None, typer.Option(help="shuffles speaking order and sampling")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="write the log here, an event a line")] = None,
) -> None:
    """Hold a conference.

    Example: python -m conference run data/conferences/cannabis-regulation.yaml --model embedded --seed 1 --out log.jsonl
    """
    from conference.domain.oddities import oddities
    from conference.exporters.jsonl import check_writable
    from conference.library import load_spec
    from conference.running import Overrides, check_models, open_run, with_overrides
    from conference.telling import printable

    overrides = Overrides(model, judge, seed, _condition(condition))
    loaded = with_overrides(load_spec(spec), overrides)
    _refuse_humans(loaded)
    check_writable(out, spec)
    check_models(loaded)
    with _store() as store:
        run_id = open_run(store, loaded, overrides.condition)
        for odd in oddities(loaded):
            print(f"odd: {printable(odd)}", file=sys.stderr)
        _hold(store, run_id, loaded, out)


@app.command()
def resume(
    run: Annotated[str, typer.Argument(help="a run's id, or its beginning")],
    tokens: Annotated[int | None, typer.Option(help="pause after so many, this time")] = None,
    minutes: Annotated[float | None, typer.Option(help="pause after so many, this time")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="write the log here, an event a line")] = None,
) -> None:
    """Go on with a conference that was paused or broke off; its limits hold anew.

    Example: python -m conference resume 20261130-cannabis-regulation
    """
    from conference.exporters.jsonl import check_writable
    from conference.running import limits_with, spec_of

    check_writable(out)
    with _store() as store:
        run_id = store.find_run(run)
        spec = spec_of(store, run_id)
        _refuse_humans(spec)
        _hold(store, run_id, spec, out, limits_with(spec.limits, tokens, minutes))


@app.command()
def judge(
    dialogues: Annotated[Path, typer.Argument(help="dialogues, one JSON object a line")],
    out: Out,
    judge: Annotated[str, typer.Option("--judge", help="llm or ballot")] = "llm",
    model: Annotated[str, typer.Option("--model", help="the model that judges")] = "embedded",
) -> None:
    """Call agreement or continue on each dialogue of a file.

    Example: python -m conference judge data/evaluation/agreement_calibration.jsonl --out calls.jsonl
    """
    from conference.exporters.jsonl import check_writable, write_lines
    from conference.importers.transcripts import read_dialogues
    from conference.judging import bench, call_line, calls
    from conference.telling import progress

    if judge == "none":
        raise UserError("--judge none calls nothing; name a judge: llm or ballot")
    check_writable(out, dialogues)
    read = read_dialogues(dialogues)
    with progress(len(read), "judging") as done:
        write_lines((call_line(call) for call in calls(read, bench(judge, model), done)), out)
    print(f"{len(read)} calls in {out}")


@app.command()
def coverage(
    transcript: Annotated[Path, typer.Argument(help="a transcript: a turn or an event a line")],
    reference: Annotated[str, typer.Option("--reference", help="a reference's id, or a YAML file")],
    out: Out,
    by_utterance: Annotated[bool, typer.Option("--by-utterance", help="one line an utterance instead")] = False,
) -> None:
    """Which clusters and criteria of a published conference a transcript raises, with quotes.

    Example: python -m conference coverage log.jsonl --reference rogeberg2018_drug_policy --out coverage.json
    """
    from conference.covering import cover
    from conference.exporters.jsonl import check_writable, write_lines
    from conference.importers.transcripts import read_transcript
    from conference.library import load_reference

    check_writable(out, transcript, Path(reference))
    found = load_reference(reference)
    turns = read_transcript(transcript)
    lines, said = cover(turns, found, by_utterance=by_utterance)
    write_lines(lines, out)
    print(f"{said}, in {out}")


@app.command()
def export(
    run: Annotated[str, typer.Argument(help="a run's id, or its beginning")],
    out: Out,
    to: Annotated[str, typer.Option("--to", help="jsonl")] = "jsonl",
) -> None:
    """Write a run to a file.

    Example: python -m conference export 20261130-cannabis-regulation --to jsonl --out log.jsonl
    """
    from conference.exporters.jsonl import check_writable, write_log

    if to != "jsonl":
        raise UserError(f"can't export to '{to}'; known: jsonl")
    check_writable(out)
    with _store() as store:
        run_id = store.find_run(run)
        events = store.log(run_id).events()
    write_log(events, out)
    print(f"{len(events)} events of {run_id} in {out}")


@app.command()
def runs(as_json: Annotated[bool, typer.Option("--json", help="as JSON, for programs")] = False) -> None:
    """All runs, newest first.

    Example: python -m conference runs --json
    """
    with _store() as store:
        store.interrupt_stale()
        found = store.runs()
    if as_json:
        print(json.dumps([item.model_dump(mode="json") for item in found], indent=2))
        return
    for item in found:
        print(f"{item.run}  {item.status:<11}  {item.utterances:>4} utterances  {item.tokens:>8} tokens  {_one_line(item.title)}")
    if not found:
        print("no runs yet; start one with: python -m conference run data/conferences/cannabis-regulation.yaml", file=sys.stderr)


@app.command()
def doctor() -> None:
    """What is set up, what is missing, what to do. Keys are said to be there or not, never shown.

    Example: python -m conference doctor
    """
    from conference.checkup import findings

    worst = 0
    for item in findings():
        print(f"{'ok  ' if item.fine else 'todo'}  {item.what}: {item.said}")
        worst = max(worst, 0 if item.fine or not item.needed else 1)
    raise typer.Exit(worst)


def _refuse_humans(spec: Spec) -> None:
    if spec.humans:
        raise UserError(
            f"humans: {', '.join(spec.humans)} take seats; hold this conference in the dashboard (make run), "
            "or take 'humans' out of the spec"
        )


def _hold(store: Store, run_id: str, spec: Spec, out: Path | None, limits: Limits | None = None) -> None:
    """Run to the end or to a pause, telling a terminal what is said; then write the log."""
    from conference.exporters.jsonl import write_log
    from conference.running import embedder_for, hold, session_of
    from conference.telling import Teller, pause_on_interrupt

    session = session_of(store, run_id, on_event=Teller(spec, sys.stderr).tell, embedder=embedder_for(spec), limits=limits)

    async def until_held() -> None:
        pause_on_interrupt(session.pause)
        await hold(store, run_id, session)

    try:
        asyncio.run(until_held())
    except asyncio.CancelledError:
        raise RunError(f"run {run_id} is stopped; go on with: python -m conference resume {run_id}") from None
    finally:
        if out is not None:
            try:
                write_log(store.log(run_id).events(), out)
            except UserError as error:
                raise UserError(f"{error}; the run is kept: python -m conference export {run_id} --to jsonl --out …") from None
    paused = session.floor.paused
    if paused is not None:
        raise PlenaryError(
            f"run {run_id} is paused ({paused.because}: {paused.detail}); go on with: python -m conference resume {run_id}"
        )
    print(f"{run_id} finished")


def _condition(name: str) -> Condition:
    from conference.errors import did_you_mean

    if name == "matched_budget":
        raise UserError("condition 'matched_budget' needs the run whose rounds it copies; give with_judge or without_judge")
    if name in ("with_judge", "without_judge"):
        return cast(Condition, name)
    raise UserError(f"unknown condition '{name}'" + did_you_mean(name, ("with_judge", "without_judge")))
