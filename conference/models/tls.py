"""Certificates of authorities, read once a process: reading them takes longer than a short call."""

from __future__ import annotations

import ssl
from functools import cache
from urllib.parse import urlsplit


@cache
def certificates() -> ssl.SSLContext:
    """What this system trusts, and what certifi lists (a slim system may have no list of its own)."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def is_here(address: str) -> bool:
    """Whether the address is on this machine, so that no proxy is asked for it."""
    return urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")
