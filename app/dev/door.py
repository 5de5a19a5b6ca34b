"""Where the web server listens: the address behind a name, and whether somebody is there already."""

from __future__ import annotations

import errno
import http.client
import socket

from app.dev.console import Halt

ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  named in order to connect to them
"""An address that means "every interface" -> one that a client can connect to."""


class Door:
    """HOST and PORT, as numbers."""

    def __init__(self, host: str, port: int) -> None:
        """The web server takes addresses only: ``localhost`` -> ``127.0.0.1``. Raises `Halt` for others."""
        self.host = host or "127.0.0.1"
        self.port = port
        try:
            found = socket.getaddrinfo(self.host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Halt(f"HOST={host} is no address of this machine.") from None
        found.sort(key=lambda entry: entry[0] != socket.AF_INET)
        self._family = found[0][0]
        self.address = str(found[0][4][0])

    @property
    def url(self) -> str:
        """What to type into a browser on this machine."""
        name = ANY.get(self.host, self.host)
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}"

    def refuse_if_taken(self) -> None:
        """Raises `Halt` when nothing can listen here. The web server shares its port and would not notice."""
        try:
            with socket.socket(self._family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((self.address, self.port))
                probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                another = f"PORT={self.port % 65535 + 1} make run"
                raise Halt(
                    f"Port {self.port} on {self.host} is taken: try another, for example {another}"
                ) from None
            raise Halt(f"Nothing can listen on {self.host}, port {self.port} ({error.strerror}).") from None

    def answers(self, path: str) -> bool:
        """True when a GET of ``path`` is answered with 200."""
        connection = http.client.HTTPConnection(ANY.get(self.address, self.address), self.port, timeout=3)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
