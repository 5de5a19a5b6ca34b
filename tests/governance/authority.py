"""OpenSSL as a certificate and time-stamping authority, and a local server for what answers requests."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def served() -> Iterator[Any]:
    """Serve functions from paths on a local port."""
    routes: dict[str, Any] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = routes[self.path](body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def serve(path: str, work: Any) -> str:
        routes[path] = work
        return f"http://127.0.0.1:{server.server_port}{path}"

    yield serve
    server.shutdown()
    thread.join()
    server.server_close()


def openssl(folder: Path, *words: str) -> str:
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def authority(folder: Path) -> None:
    """Make a certificate authority and a time-stamping certificate under it."""
    (folder / "tsa.cnf").write_text(
        """
[tsa]
default_tsa = here
[here]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_chain = no
ordering = yes
tsa_name = no
[stamping]
extendedKeyUsage = critical,timeStamping
"""
    )
    (folder / "serial").write_text("01\n")
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem",
            "-subj", "/CN=Test authority", "-days", "2")  # fmt: skip
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out", "tsa.csr",
            "-subj", "/CN=Test stamps")  # fmt: skip
    openssl(folder, "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-out", "tsa.pem", "-days", "2", "-extfile", "tsa.cnf", "-extensions", "stamping")  # fmt: skip
