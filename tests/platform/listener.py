"""A server on this machine that answers what a test wants and keeps what it was asked."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Colour: blue\r\n\r\nhi"


def _request(stream: socket.socket) -> bytes:
    """Read a request to its end; head and body may come one after the other."""
    asked = b""
    while part := stream.recv(65536):
        asked += part
        head, end, body = asked.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if end and len(body) >= int(length[1] if length else 0):
            break
    return asked


class Listener:
    """A server made of one function from a connection; it keeps what it was sent."""

    def __init__(
        self,
        answer: Callable[[socket.socket], None],
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.asked: list[bytes] = []
        self.names: list[str | None] = []
        self._answer, self._tls = answer, tls
        if tls is not None:
            tls.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self._socket = socket.create_server(
            (host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: socket.socket) -> None:
        try:
            with connection:
                stream = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
                with stream:
                    asked = _request(stream)
                    if asked:
                        self.asked.append(asked)
                        self._answer(stream)
        except OSError:
            pass

    def close(self) -> None:
        # Closing alone would leave the thread in accept, and with it the port open.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@contextmanager
def listening(
    answer: bytes | Callable[[socket.socket], None] = OK,
    tls: ssl.SSLContext | None = None,
    host: str = "127.0.0.1",
) -> Iterator[Listener]:
    made = Listener((lambda s: s.sendall(answer)) if isinstance(answer, bytes) else answer, tls, host)
    try:
        yield made
    finally:
        made.close()
