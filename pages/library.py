"""library."""

from __future__ import annotations

from pages.components.language import t
from pages.components.shared import heading


def page() -> None:
    """Draw the page."""
    heading(t("Library"))


page()
