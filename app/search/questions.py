"""Questions of a document and the passages found for them: values, which load nothing heavy. Pure."""

from __future__ import annotations

import uuid
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """Words to search for, and words of the whole document, which count less than those of the question."""

    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage found; `score` is the share, 0 to 1, of what a passage with every word would have."""

    passage_id: uuid.UUID
    score: float
