"""Describe what a caller asks for, in canonical words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

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

TEXT_MIN, TEXT_MAX = 50, 50_000
CREDITS: dict[Mode, int] = {"standard": 1, "deep": 2}


def price(mode: Mode) -> int:
    """Return the credits that one document costs in this mode (decision 011)."""
    return CREDITS[mode]


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """One document to analyse.

    `jurisdiction` is a code of the jurisdictions list, in upper case, or `AUTO`: that which the document's
    words point to (decision 018).
    """

    text: DocumentText
    jurisdiction: str = "ES"
    branch: Branch = "civil"
    language: Language = "es"
    mode: Mode = "standard"

    @property
    def price(self) -> int:
        """Credits charged on success."""
        return price(self.mode)


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
