"""Plenary's engine: decision conferences rehearsed by language models. Imports no streamlit."""

__version__ = "0.1.0"
