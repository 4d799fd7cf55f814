"""Plenary's dashboard: navigation and page config; no logic. Script (`streamlit run app.py`) and ASGI application (`uvicorn app:app`)."""

from __future__ import annotations

import streamlit as st

from pages.components.policy import MIDDLEWARE


def main() -> None:
    """Page config and navigation."""
    st.set_page_config(page_title="Plenary", layout="wide")
    pages = [
        st.Page("pages/home.py", title="Home", default=True, url_path="home"),
        st.Page("pages/room.py", title="Room", url_path="room"),
    ]
    st.navigation(pages).run()


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, middleware=MIDDLEWARE)
