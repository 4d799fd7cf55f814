"""One tab of a browser, and what a test looks at in it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page


class Visit:
    """A tab that keeps what went wrong in it."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self._said(message.type, message.text, message.location.get("url", "")))
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def _said(self, kind: str, text: str, url: str) -> None:
        # Streamlit looks for its own server below a page's address first; that isn't ours to mend
        probes = url.endswith(("/_stcore/health", "/_stcore/host-config")) and "404" in text
        if kind == "error" and not probes:
            self.wrong.append(f"{text} ({url})")


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(
        page.evaluate(
            "() => { const m = document.querySelector('[data-testid=stMain]');"
            " return Math.max(m.scrollWidth - m.clientWidth, document.documentElement.scrollWidth - innerWidth) }"
        )
    )


def seen(page: Page) -> list[str]:
    """The texts of the turns that were said."""
    return page.locator(".row.said:not(.speaking) .words").all_text_contents()


def violations(page: Page) -> list[str]:
    """What axe finds that is serious or critical."""
    page.wait_for_timeout(600)  # Streamlit fades in what is new, and half faded it can't be read well
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in ("serious", "critical")]
