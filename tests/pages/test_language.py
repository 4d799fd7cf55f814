"""The catalogue: every text of every page in every language, with its values; a text nobody translated stays English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from conference.domain.phrase import Phrase
from conference.library import ROOT
from conference.live import LiveRuns
from pages.components.language import LANGUAGES, TEXTS, said
from tests.pages.scenes import held, kept
from tests.pages.test_pages import opened, sent, words

OTHERS = [each for each in LANGUAGES if each != "en"]
KEYWORDS = {"t": None, "tn": (1, 2), "Phrase": None}
PYTHON = [("app.py", "python"), ("pages/**.py", "python"), ("conference/**.py", "python")]
SKIPPED = (".venv", "tests", "benchmarks", ".git")


def sources() -> set[str]:
    """The texts in the code; the singular where there are two."""
    found = extract_from_dir(
        str(ROOT), PYTHON, keywords=KEYWORDS, directory_filter=lambda path: Path(path).name not in SKIPPED  # type: ignore[arg-type]
    )  # fmt: skip
    return {message[0] if isinstance(message, tuple) else message for _, _, message, *_ in found}


def catalogue(into: str) -> Catalog:
    with (TEXTS / f"{into}.po").open("rb") as file:
        return read_po(file, locale=into)


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("into", OTHERS)
def test_every_text_is_translated(into: str) -> None:
    known = catalogue(into)
    missing = [text for text in sources() if (found := known.get(text)) is None or not found.string or not all(found.string)]
    assert sorted(missing) == []


@pytest.mark.parametrize("into", OTHERS)
def test_no_translation_loses_or_adds_a_value(into: str) -> None:
    for message in catalogue(into):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for string in strings if message.id else ():
            assert places(string) - {"n"} == places(ids[-1]) - {"n"}, message.id


@pytest.mark.parametrize("into", OTHERS)
def test_the_catalogue_holds_nothing_else(into: str) -> None:
    kept_texts = {message.id[0] if isinstance(message.id, tuple) else message.id for message in catalogue(into) if message.id}
    assert sorted(kept_texts - sources()) == []


def test_values_that_are_phrases_are_translated_too() -> None:
    text = Phrase("Stage closed: {because}, {rounds}", because=Phrase("agreed"), rounds=Phrase("{n} rounds", n=3))
    assert text == "Stage closed: agreed, 3 rounds"
    assert said(text, "en") == "Stage closed: agreed, 3 rounds"
    assert "3" in said(text, "de")
    assert "agreed" not in said(text, "de")


@pytest.mark.parametrize("into", OTHERS)
def test_pages_speak_the_language_of_the_address(runs: LiveRuns, into: str) -> None:
    run = kept(runs.store, held())
    data = sent(opened("room", run=run, lang=into))
    assert data["language"] == into
    assert data["state"]["text"] != "✓ Finished"
    assert "Recent runs" not in words(opened("home", lang=into))
