"""The verdict on a citation, and the two ways one is usually built."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.corpus.registry import Norm

Status = Literal["verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"]


class Note(NamedTuple):
    """Why a verdict is what it is, in Spanish and in English."""

    es: str
    en: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about one citation. `note` says why, in Spanish, `note_en` in English.

    `mismatch_kind` is `date`, `number` or `type`, of words `meaning`, `stitched` or `lexical`, where the
    status is `mismatch` and `None` otherwise; `similarity` and `semantic` (0 to 1) are for comparisons of
    text, which the registry cannot make.
    """

    status: Status
    note: str
    note_en: str
    url: str | None = None
    mismatch_kind: str | None = None
    norm_title: str | None = None
    similarity: float | None = None
    semantic: float | None = None


def of_norm(status: Status, norm: Norm, note: Note, mismatch_kind: str | None = None) -> Verdict:
    """A verdict that names a norm of the registry and links to it."""
    return Verdict(status, note.es, note.en, norm.url, mismatch_kind, norm.title)


def unverifiable(note: Note, norm: Norm | None = None) -> Verdict:
    """The honest answer outside coverage."""
    return Verdict(
        "not_verifiable", note.es, note.en, norm.url if norm else None, None, norm.title if norm else None
    )
