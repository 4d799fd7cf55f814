"""What a page that stands still says of a run that goes on: how much is new, and the way to it."""

from __future__ import annotations

import streamlit as st

from conference.domain.events import AgreementCall, Utterance
from conference.errors import PlenaryError
from conference.live import MOVING
from pages.components.language import t, tn
from pages.components.run import Chosen
from pages.components.shared import plain

LOOK_SECONDS = 2.0


def offer_newer(found: Chosen, *, waits: bool = False) -> None:
    """Under a live run a line that counts what came since the page was drawn. `waits`: an empty page draws itself once there is something."""
    if found.state not in MOVING:
        return
    drawn = len(found.seen.events) if found.seen else 0

    @st.fragment(run_every=LOOK_SECONDS, key="newer")
    def newer() -> None:
        try:
            seen = found.runs.watch.look(found.run)
        except PlenaryError as error:
            st.error(plain(str(error)))
            return
        new = seen.events[drawn:] if seen else ()
        turns = sum(isinstance(event, Utterance) and bool(event.text) for event in new)
        calls = sum(isinstance(event, AgreementCall) for event in new)
        if waits and (calls or (turns and not drawn)):
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", key="newer_line"):
            if turns or calls:
                st.markdown(
                    f"▶ {tn('{n} new turn', '{n} new turns', n=turns)}, {tn('{n} new call', '{n} new calls', n=calls)} "
                    + t("since this was drawn"),
                    width="content",
                )
            else:
                st.markdown(t("▶ Live; nothing new since this was drawn"), width="content")
            if st.button(t("Refresh"), key="refresh", disabled=not (turns or calls)):
                st.rerun()

    newer()
