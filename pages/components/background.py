"""What pages have asked for and don't wait for."""

from __future__ import annotations

import streamlit as st

from conference.domain.chat import Embedder
from conference.errands import Errands

POLL_SECONDS = 1.0


@st.cache_resource(on_release=lambda errands: errands.close(), show_spinner=False)
def errands() -> Errands:
    """The errands of this process."""
    return Errands()


@st.cache_resource(show_spinner=False)
def embedder() -> Embedder:
    """The fast embedder, with what it read before. It loads for some seconds when first used. Raises SetupError."""
    from conference.models.embeddings import CachedEmbedder, MiniLM

    return CachedEmbedder(MiniLM())
