"""Plenary's dashboard: navigation and page config; no logic. Script (`streamlit run app.py`) and ASGI application (`uvicorn app:app`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages.components.language import t
from pages.components.policy import MIDDLEWARE
from pages.components.shared import close_runs

STYLE = Path(__file__).parent / "pages" / "components" / "page.css"


def main() -> None:
    """Page config and navigation."""
    st.set_page_config(page_title="Plenary", layout="wide")
    st.html(STYLE)
    pages = [
        st.Page("pages/home.py", title=t("Home"), default=True, url_path="home"),
        st.Page("pages/set_up.py", title=t("Set up"), url_path="set_up"),
        st.Page("pages/room.py", title=t("Room"), url_path="room"),
        st.Page("pages/transcript.py", title=t("Transcript"), url_path="transcript"),
        st.Page("pages/agreement.py", title=t("Agreement"), url_path="agreement"),
        st.Page("pages/coverage.py", title=t("Coverage"), url_path="coverage"),
        st.Page("pages/library.py", title=t("Library"), url_path="library"),
        st.Page("pages/forked.py", title=t("Beside its parent"), url_path="forked", visibility="hidden"),
        st.Page("pages/watch.py", title=t("Watch a recording"), url_path="watch", visibility="hidden"),
    ]
    st.navigation(pages, position="top").run()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Conferences that run when the server stops are paused."""
    yield
    await asyncio.to_thread(close_runs)


if __name__ == "__main__":
    main()
else:
    # A folder named `pages` has a meaning of old to Streamlit: until some visitor has seen `st.navigation`, a link straight to a page
    # would run that page's file alone, without this one.
    PagesManager.uses_pages_directory = False
    app = st.App(__file__, middleware=MIDDLEWARE, lifespan=lifespan)
