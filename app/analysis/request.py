"""Describe what a caller asks for, in canonical words."""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from typing import Literal, get_args

from app.documents import Reading
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid
from app.text.bilingual import Language

Branch = Literal[
    "civil", "penal", "laboral", "mercantil", "contencioso", "constitucional", "familia", "internacional"
]
Mode = Literal["standard", "deep"]

BRANCHES: tuple[Branch, ...] = get_args(Branch)
MODES: tuple[Mode, ...] = get_args(Mode)
LANGUAGES: tuple[Language, ...] = get_args(Language)
MODE_ALIASES: dict[str, Mode] = {"agil": "standard", "auditoria": "deep"}

# Asks for the jurisdiction that the document's own words point to.
AUTO = "auto"

# In characters (code points): of a document of a synchronous request, and of one of a job (decision 069).
TEXT_MIN, TEXT_MAX, LONG_TEXT_MAX = 50, 50_000, 500_000
CREDITS: dict[Mode, int] = {"standard": 1, "deep": 2}


def units(characters: int) -> int:
    """Return how often `TEXT_MAX` characters are begun: what price, time and turns are measured in."""
    return max(1, math.ceil(characters / TEXT_MAX))


def price(mode: Mode, characters: int = TEXT_MAX) -> int:
    """Return the credits that a document of that length costs in this mode (decisions 011 and 069)."""
    return CREDITS[mode] * units(characters)


@dataclass(frozen=True, slots=True)
class Source:
    """The uploaded document that a text was read from, and where its pages and paragraphs are in the text."""

    ref: uuid.UUID
    reading: Reading

    def __repr__(self) -> str:
        return f"<Source of {len(self.reading.text)} characters>"


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """One document to analyse.

    `jurisdiction` is a code of the jurisdictions list, in upper case, or `AUTO`: that which the document's
    words point to (decision 018). `role` is whose side a model takes: a key of `app.rules.ROLES`, or "".
    `source` is where the text comes from, where it was not sent itself.
    """

    text: DocumentText
    jurisdiction: str = "ES"
    branch: Branch = "civil"
    language: Language = "es"
    mode: Mode = "standard"
    role: str = ""
    source: Source | None = None

    @property
    def price(self) -> int:
        """Credits charged on success."""
        return price(self.mode, len(self.text))

    @property
    def units(self) -> int:
        """How often `TEXT_MAX` characters are begun."""
        return units(len(self.text))


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One document of a batch.

    Attributes:
        id: what its sender calls it, if anything.
        request: what is asked; `None` where it could not be read.
        refused: why it could not be read.
    """

    id: str | None
    request: AnalysisRequest | None
    refused: Invalid | None = None
