"""Tell what the words right beside a value of a document call it, whatever role stands in its clause. Pure.

Source: decision 109. "Devolver el capital avisando con siete días" gives a period of notice and none of
repayment; the date behind "sentencia … de" is that of a judgment, and a figure within words that an article
is quoted with is the law's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from app.analysis.support.quotation import Document
from app.analysis.support.words import Token, Value

_NOTICE: Final = re.compile(r"avis(?:o|ando|ar|e|en)$|preavis|notice$|antelacion$|notifying$")
_JUDGMENT: Final = re.compile(r"sentencias?$|judg(?:e)?ments?$|autos?$|resolucion(?:es)?$|decretos?$")
_HEARING: Final = re.compile(r"vista$|juicio$|comparec|hearing$|trial$|celebr|senal|cita|convoc")
_CITING: Final = re.compile(
    r"\b(?:articulos?|arts?\.?|articles?|sections?|ley|law|act|regulations?|codigo)\s+(?:n\.?o? ?)?[\d(]"
)
_LAW: Final = re.compile(r"\b(?:articulo|art|article|section|ley|law|legal|act)\b")
_BETWEEN: Final = frozenset(
    {
        "con",
        "de",
        "of",
        "una",
        "un",
        "a",
        "previo",
        "previa",
        "minima",
        "minimo",
        "al",
        "menos",
        "at",
        "least",
    }
    | {"por", "escrito", "written", "prior", "los", "the", "with"}
)
_REACH: Final = 5
_BEFORE_DATE: Final = 14
_OPENING, _CLOSING = '«“"', '»”"'


def called_otherwise(
    document: Document, value: Value, wanted: Collection[str], said: Sequence[Token], statement: str
) -> bool:
    """Tell whether the words beside a value make it a notice, a judgment's date or the law's figure, untold.

    Args:
        document: what the value stands in.
        value: one of its values, which the statement has.
        wanted: the roles that the statement gives it.
        said: the statement's tokens.
        statement: the statement, folded.
    """
    start, end = document.sentence(value.start, value.end)
    before = [one for one in document.tokens(start, value.start) if one.end <= value.start]
    if value.kind == "period" and _is_notice(before):
        return not any(_NOTICE.match(one.text) for one in said)
    if value.kind == "date" and "time:hearing" in wanted:
        near = before[-_BEFORE_DATE:]
        return any(_JUDGMENT.match(one.text) for one in near) and not any(
            _HEARING.match(one.text) for one in document.tokens(start, end)
        )
    return _is_of_law(document, start, value) and not _LAW.search(statement)


def _is_notice(before: Sequence[Token]) -> bool:
    """Tell whether a word for notice stands right before a period: "avisando con", "preaviso de"."""
    for one in reversed(before[-_REACH:]):
        if _NOTICE.match(one.text):
            return True
        if one.text not in _BETWEEN:
            return False
    return False


def _is_of_law(document: Document, start: int, value: Value) -> bool:
    """Tell whether a value stands within quotation marks behind the citation of an article."""
    text = document.text[start : value.start]
    opened = max(text.rfind(mark) for mark in _OPENING)
    if opened < 0 or any(mark in text[opened + 1 :] for mark in _CLOSING):
        return False
    if text[opened] == '"' and text.count('"') % 2 == 0:
        return False
    return _CITING.search(document.reading.folded[start : start + opened]) is not None
