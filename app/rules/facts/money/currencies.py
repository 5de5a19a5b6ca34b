"""Read currencies: what a sign or a name stands for in a jurisdiction (data/currencies.toml)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pydantic import Field

from app.platform.data_files import Entry, Words, read_entry
from app.rules.facts.keyword_index import table
from app.text.expressions import compiled


class _Entry(Entry):
    """One currency of the file; `by_country` settles whose a shared sign is."""

    code: str
    before: Words
    after: Words
    by_country: Mapping[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Currency:
    code: str
    words: Any
    by_country: Mapping[str, str]


def _pattern(words: Iterable[str]) -> str:
    """Return alternatives, longest first; a word must end where it ends, a sign may touch anything."""
    ordered = sorted(words, key=len, reverse=True)
    return (
        "(?:"
        + "|".join(word + (r"\b" if word[-1].isalpha() or word.endswith("s?") else "") for word in ordered)
        + ")"
    )


_TABLE: Final = tuple(
    read_entry(_Entry, f"currencies.toml: currency {raw.get('code') or number}", raw)
    for number, raw in enumerate(table("currencies.toml")["currency"])
)
# Folded patterns of what may stand before and after a figure.
BEFORE: Final = _pattern(word for entry in _TABLE for word in entry.before)
AFTER: Final = _pattern(word for entry in _TABLE for word in entry.after)
_CURRENCIES: Final = [
    _Currency(
        entry.code,
        compiled("|".join(f"(?:{word})" for word in [*entry.before, *entry.after])),
        entry.by_country,
    )
    for entry in _TABLE
]


@lru_cache(maxsize=512)
def read_currency(sign: str, jurisdiction: str) -> str | None:
    """Return ISO 4217 code of a folded sign or name.

    It is None where it names several and `jurisdiction` settles none.
    """
    for currency in _CURRENCIES:
        if currency.words.fullmatch(sign.strip()):
            return currency.code or currency.by_country.get(jurisdiction)
    return None


def is_shared(sign: str) -> bool:
    """Tell whether `sign` is one that several currencies share ("$", "pesos")."""
    return any(currency.by_country and currency.words.fullmatch(sign.strip()) for currency in _CURRENCIES)
