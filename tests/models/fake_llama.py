"""The local model server with an engine of straw: everything but the model is real. FAKE_ENGINE=dies makes loading fail."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from conference.models import server
from conference.models.server_files import ServerState


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def serve(options: argparse.Namespace) -> tuple[object, ServerState]:
    if os.environ.get("FAKE_ENGINE") == "dies":
        print("E load_model: error loading model: no room", flush=True)
        sys.exit(1)
    http = ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    return http, ServerState(pid=os.getpid(), url=f"http://127.0.0.1:{http.server_address[1]}", key="straw")


if __name__ == "__main__":
    server._serve = serve
    server.POLL_SECONDS = 0.02
    server.main()
