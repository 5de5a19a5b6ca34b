"""Tell that a document chooses another law than it is analysed under, and what holds nonetheless.

What each country keeps in force whatever law is chosen stands in `data/choice_of_law.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final

from app.platform.data_files import Entry, FromList, Wording, Words, read_entry
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.keyword_index import table
from app.text.bilingual import Bilingual

_FILE: Final = "choice_of_law.toml"
_EMPLOYMENT: Final = frozenset(
    {"employment", "domestic_employment", "senior_management", "remote_work_agreement"}
)


class _Mandatory(Entry):
    """What holds in some jurisdictions whatever law is chosen: in general, of employment, of consumers."""

    codes: Words
    general: Wording
    employment: Wording | None = None
    consumer: Wording | None = None


class _File(Entry):
    """The file: clauses that choose a law, names of countries, what is mandatory."""

    clauses: Words
    names: Mapping[str, Words]
    mandatory: Annotated[tuple[_Mandatory, ...], FromList]


@cache
def _file() -> _File:
    return read_entry(_File, _FILE, table(_FILE))


@cache
def _clauses() -> tuple[Any, ...]:
    return tuple(map(compile_pattern, _file().clauses))


@cache
def _names() -> Mapping[str, Any]:
    return {code: compile_pattern(rf"\b({'|'.join(words)})\b") for code, words in _file().names.items()}


def chosen_law(document: Document) -> tuple[str, Span] | None:
    """Return the country whose law a document chooses, and the sentence; None unless it names one."""
    for clause in _clauses():
        for span in document.find_all(clause, limit=4):
            sentence = document.sentence(span)
            until = min(sentence.end, span.end + 160)
            named = [code for code, name in _names().items() if document.find(name, span.start, until)]
            if len(named) == 1:
                return named[0], sentence
    return None


def mandatory_law(jurisdiction: str, kind: str, *, consumer: bool) -> Bilingual | None:
    """Return what holds in a jurisdiction for a kind of document whatever law is chosen, if known."""
    found = next((one for one in _file().mandatory if jurisdiction in one.codes), None)
    if found is None:
        return None
    if kind in _EMPLOYMENT and found.employment is not None:
        return found.employment
    if (consumer or kind == "consumer_terms") and found.consumer is not None:
        return found.consumer
    return found.general
