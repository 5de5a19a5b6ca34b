"""What must never be printed or dumped: document text shows its length, and no process leaves a core file."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import resource
import unicodedata

_PR_SET_DUMPABLE = 4


def leave_no_core() -> None:
    """A crash of this process or of a child writes its memory nowhere: neither file nor collector."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, AttributeError):
        # The limit above does not bind a collector that the kernel pipes cores to; this does.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


class DocumentText:
    """Text of a client. `repr`, `str` and formatting reveal its length only; `reveal()` gives the words.

    Not a `str` subclass on purpose: a logger, an f-string or an exception cannot leak it by accident.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def fingerprint(self) -> str:
        """SHA-256 (hex) of the text in NFC, UTF-8: what the audit trail keeps of a document."""
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
