"""Derive ids of the corpus from what they name: the same law loaded twice, anywhere, is the same row."""

from __future__ import annotations

import uuid
from functools import lru_cache

_ROOT = uuid.UUID("6f1f2b36-3f6b-5d1c-9d35-0c2f6a7b9e11")


@lru_cache(maxsize=4_096)
def norm_id(jurisdiction: str, official_id: str) -> uuid.UUID:
    """Return the id of a norm."""
    return uuid.uuid5(_ROOT, f"norm:{jurisdiction}:{official_id}")


def article_id(norm: uuid.UUID, number: str, occurrence: int) -> uuid.UUID:
    """Return the id of an article of a norm; `occurrence` tells two with the same number apart."""
    return uuid.uuid5(norm, f"{number}#{occurrence}")


def version_id(article: uuid.UUID, version: int) -> uuid.UUID:
    """Return the id of the n-th version of an article."""
    return uuid.uuid5(article, f"v{version}")


def judgment_id(jurisdiction: str, canonical: str) -> uuid.UUID:
    """Return the id of a judgment."""
    return uuid.uuid5(_ROOT, f"judgment:{jurisdiction}:{canonical}")


def passage_id(owner: uuid.UUID, place: int = 0) -> uuid.UUID:
    """Return the id of a passage: the only one of an article's version, or the n-th of a judgment."""
    return uuid.uuid5(owner, f"p{place}")


def load_id(source: str, form: str) -> uuid.UUID:
    """Return the id of the record of a load."""
    return uuid.uuid5(_ROOT, f"load:{form}:{source}")
