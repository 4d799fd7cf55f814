"""Transcript of a run."""

from __future__ import annotations

from pages.components.language import t
from pages.components.run import chosen_run, views
from pages.components.shared import heading


def page() -> None:
    """Draw the page."""
    found = chosen_run("transcript", t("No conference is open."))
    heading(found.title)
    views("transcript", found.run)


page()
