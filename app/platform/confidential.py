"""Protection of document text in memory: a type that prints only its length, and no core dumps."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import resource
import unicodedata

_PR_SET_DUMPABLE = 4


def leave_no_core() -> None:
    """Disable core dumps for this process and its children, both to files and to a kernel pipe."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, AttributeError):
        # The limit above does not bind a collector that the kernel pipes cores to; this does.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


class DocumentText:
    """The text of a client's document: `repr`, `str` and formatting show its length only.

    It is not a subclass of `str`, so that a logger, an f-string or an exception cannot print it by accident.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself."""
        return self._text

    def fingerprint(self) -> str:
        """Return the SHA-256 (hex) of the text in NFC and UTF-8, for the audit trail."""
        return hashlib.sha256(unicodedata.normalize("NFC", self._text).encode()).hexdigest()

    def __len__(self) -> int:
        return len(self._text)

    def __repr__(self) -> str:
        return f"<DocumentText of {len(self._text)} characters>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> str:
        raise TypeError("DocumentText cannot be pickled: it must not leave the process in clear")
