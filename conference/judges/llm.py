"""The llm judge. With token probabilities it asks, for each participant alone, whether its own words accept the proposal; without, it asks
for one structured verdict. Evidence is verbatim and checked against the transcript; what can't be read is `unreadable`."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Sequence
from typing import Any

from conference.domain.chat import ChatModel, Reply, TokenChoice
from conference.domain.events import Ballot
from conference.domain.position import Evidence, Judgement, Stance
from conference.domain.transcript import Dialogue
from conference.errors import ModelReplyError
from conference.judges.decide import THRESHOLD, acceptance, line_of, positions
from conference.judges.evidence import quotes
from conference.judges.hearing import Hearing
from conference.judges.registry import judge
from conference.prompts.judging import PROMPT_VERSION, acceptance_request, proposal_request, verdict_request

READS = 2
"""Replies that can't be read before a verdict is unreadable."""


@judge("llm")
class LlmJudge:
    """Decides by probabilities where the model gives them, by structured output where it doesn't."""

    name = "llm"
    version = "1"

    async def hear(self, hearing: Hearing) -> AsyncIterator[Ballot | Judgement]:
        """One judgement."""
        model = hearing.judge_model()
        if model.gives_probabilities:
            judgement = await _by_probabilities(hearing, model)
            if judgement is not None:
                yield judgement
                return
        yield await _by_verdict(hearing, model)


async def _by_probabilities(hearing: Hearing, model: ChatModel) -> Judgement | None:
    """None when the model turned out to give no probabilities."""
    found = await hear_all(hearing.dialogue, model)
    return None if found is None else _decided(hearing.dialogue, *found, hearing.threshold, model.name)


async def hear_all(dialogue: Dialogue, model: ChatModel) -> tuple[str, dict[str, float]] | None:
    """The proposal that is judged, and the log-odds that each participant who spoke accepts it, by its last turn.

    None when the model gives no probabilities.
    """
    proposal = dialogue.proposal or await _stated(dialogue, model)
    last = dialogue.last_turns()
    found = {}
    for name in dialogue.participants:
        if name in last:
            words = dialogue.turns[last[name]].text
            reply = await model.complete(acceptance_request(name, words, proposal, dialogue.question))
            if not reply.first_token:
                return None
            found[name] = acceptance(yes_probability(reply.first_token), words)
    return proposal, found


async def _stated(dialogue: Dialogue, model: ChatModel) -> str:
    """The proposal in the model's words; empty when it finds none."""
    try:
        return (await model.complete(proposal_request(dialogue))).text.strip()
    except ModelReplyError:
        return ""


def yes_probability(choices: Sequence[TokenChoice]) -> float:
    """P(yes) of yes and no together, over their spellings; 1/2 when neither is among the choices."""
    yes = sum(math.exp(c.logprob) for c in choices if c.token.strip().lower() == "yes")
    no = sum(math.exp(c.logprob) for c in choices if c.token.strip().lower() == "no")
    return yes / (yes + no) if yes + no > 0 else 0.5


async def _by_verdict(hearing: Hearing, model: ChatModel) -> Judgement:
    """Structured output, asked again once when it can't be read."""
    request, problem = verdict_request(hearing.dialogue), ""
    for _ in range(READS):
        try:
            return read_verdict(await model.complete(request), hearing.dialogue)
        except ModelReplyError as error:
            problem = str(error)
    return Judgement(
        verdict="unreadable", reason=problem[:500], proposal=hearing.dialogue.proposal, judge="llm", model=model.name,
        prompt_version=PROMPT_VERSION,
    )  # fmt: skip


def read_verdict(reply: Reply, dialogue: Dialogue) -> Judgement:
    """A structured verdict. Agreement stands only when every participant supports. Raises ModelReplyError when it can't be read."""
    try:
        value: dict[str, Any] = json.loads(reply.text)
        verdict, positions = value["verdict"], value["positions"]
        stances: dict[str, Stance] = {name: positions.get(name, "undecided") for name in dialogue.participants}
        if verdict == "agreement" and any(stance != "support" for stance in stances.values()):
            verdict = "continue"
        return Judgement(
            verdict=verdict, confidence=min(1.0, max(0.0, float(value.get("confidence", 0.5)))), positions=stances,
            conditions={c["participant"]: c["condition"] for c in value.get("conditions", []) if c.get("condition")},
            evidence=verbatim(value.get("evidence", []), dialogue), reason=str(value.get("reason", ""))[:1000],
            proposal=dialogue.proposal or str(value.get("proposal", ""))[:1000], judge="llm", model=reply.model,
            prompt_version=PROMPT_VERSION,
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelReplyError(f"the verdict of {reply.model} can't be read: {type(error).__name__}: {error}") from None


def verbatim(quotes: list[Any], dialogue: Dialogue) -> tuple[Evidence, ...]:
    """The quotes that stand in the transcript word for word, with the turn they stand in; the others are left out."""
    found = []
    for item in quotes:
        quote = " ".join(str(item.get("quote", "")).split()).strip(' "“”')
        turn = next((i for i, t in enumerate(dialogue.turns) if quote and quote in " ".join(t.text.split())), None)
        if turn is not None:
            found.append(Evidence(turn=turn, speaker=dialogue.turns[turn].speaker, quote=quote))
    return tuple(found)


def _decided(dialogue: Dialogue, proposal: str, odds: dict[str, float], threshold: float | None, model: str) -> Judgement:
    """Agreement when it is probable enough; a participant who said nothing keeps the round open."""
    line, cut = line_of(model), THRESHOLD if threshold is None else threshold
    read_out = bool(dialogue.proposal)
    agreeing = line.agree(list(odds.values()), read_out) if odds and len(odds) == len(dialogue.participants) else 0.0
    agreed = agreeing >= cut
    # Each is placed by what the probability would be, were it the least accepting one: so the verdict follows from the positions.
    placed = {name: line.agree([value], read_out) for name, value in odds.items()}
    words = {name: dialogue.turns[place].text for name, place in dialogue.last_turns().items()}
    stances = positions(placed, words, dialogue.participants, cut)
    open_ones = [name for name, stance in stances.items() if stance != "support"]
    return Judgement(
        verdict="agreement" if agreed else "continue", confidence=agreeing if agreed else 1 - agreeing, positions=stances,
        evidence=quotes(dialogue, stances), proposal=proposal,
        reason="everybody's own words accept the proposal" if agreed else f"not accepted by {', '.join(open_ones)}",
        probabilities={name: round(p, 4) for name, p in placed.items()} | {"overall": round(agreeing, 4)}, judge="llm", model=model,
        prompt_version=PROMPT_VERSION,
    )  # fmt: skip
