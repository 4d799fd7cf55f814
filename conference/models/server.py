"""The local model server: a llama.cpp server in a process of its own, which ends when nobody has used it for a while.

Started by `attach.py` as `python -m conference.models.server --model FILE --folder FOLDER`. It leaves its parent at once, takes
the `alive` lock, loads the model, writes where it listens, and then only watches the `users` lock.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from conference.models.lock import FileLock
from conference.models.server_files import ServerFiles, ServerState

SLOTS = 4
CONTEXT = 16_384
"""Tokens of context, one pool for all slots (any one may take it all): 28 KB each, taken at the start."""
PUT_ASIDE_MIB = 512
"""Memory for prompts that another one took the slot of: a second conference, or a seat with a prefix of its own, comes back to
what was read for it."""
BATCH = 256
"""Tokens read between two looks at the clock and at cancelled requests."""
POLL_SECONDS = 0.5
ALREADY_RUNNING = 3


def main() -> None:
    """Become a daemon, serve, and leave without a word when unused."""
    options = _options()
    files = ServerFiles(options.folder)
    try:
        FileLock(files.alive, wait=False)  # held to the end of the process; a fork keeps it
    except BlockingIOError:
        sys.exit(ALREADY_RUNNING)
    if os.fork():
        os._exit(0)
    os.setsid()
    server, state = _serve(options)
    files.write(state)
    wait_until_unused(files, options.grace)
    del server
    os._exit(0)  # the engine's threads have nothing left to save


def wait_until_unused(files: ServerFiles, grace: float) -> None:
    """Return when nobody has held the `users` lock for `grace` seconds, or the state on disk is no longer ours.

    The lock is kept on return, so that a newcomer waits until this process is gone, and then finds no state.
    """
    used = time.monotonic()
    while (state := files.read()) is not None and state.pid == os.getpid():
        time.sleep(POLL_SECONDS)
        try:
            lock = FileLock(files.users, wait=False)
        except BlockingIOError:
            used = time.monotonic()
            continue
        except OSError:  # the home was deleted
            return
        if time.monotonic() - used >= grace:
            files.forget()
            return
        lock.release()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conference.models.server", description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--grace", type=float, default=20.0)
    parser.add_argument("--context", type=int, default=CONTEXT)
    return parser.parse_args()


def _serve(options: argparse.Namespace) -> tuple[Any, ServerState]:
    # Spinning threads starve each other where cores are shared: without this, 0.5 tokens/s beside another busy process.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    import xllamacpp

    key = secrets.token_urlsafe(32)
    server = xllamacpp.Server(_parameters(xllamacpp.CommonParams(), options, key))
    return server, ServerState(pid=os.getpid(), url=server.listening_address, key=key)


def _parameters(parameters: Any, options: argparse.Namespace, key: str) -> Any:
    parameters.model.path = str(options.model)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.ui = False
    parameters.n_parallel = SLOTS
    parameters.n_ctx = options.context
    parameters.kv_unified = True
    parameters.cache_ram_mib = PUT_ASIDE_MIB
    parameters.cache_idle_slots = False  # else a slot forgets what it read as soon as another one is used
    parameters.n_batch = parameters.n_ubatch = BATCH
    parameters.n_threads_http = 256  # each waiting request holds one, and health must still be answered
    parameters.cpuparams.n_threads = options.threads
    parameters.cpuparams_batch.n_threads = options.threads
    return parameters


if __name__ == "__main__":
    main()
