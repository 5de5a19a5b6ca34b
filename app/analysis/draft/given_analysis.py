"""An analysis that somebody else wrote, taken apart into statements that are judged like node A's.

Nothing in it is believed: quotations, citations and figures are held against the document and the law by the
same code. Pure.
"""

from __future__ import annotations

from app.analysis.support import quoted_words
from app.citations import extract
from app.rules import Brief, Document, Draft, Lock, Section, Statement
from app.text import linear
from app.text.bilingual import pick

# Between the document and the analysis while both are anonymised as one text.
BETWEEN = "\n\n"
# More statements than this are not judged in one run.
STATEMENTS_MAX = 300

_ENGINE = "submitted"
# A lock or an audit block of an earlier answer says nothing here: locks are assigned again from the checks.
_LOCK = linear.compile(r"\[L[0-9](?:-[A-Z]{1,2})*\]")
_BLOCK = linear.compile(r"(?s)[A-Z][A-Z0-9]*-AUDIT-TRAIL-BEGIN.*")
_MARKUP = linear.compile(r"(?m)^[ \t]*(?:#{1,6}[^\n]*|[-*+][ \t]+|[0-9]{1,3}[.)][ \t]+|>[ \t]?)|\*\*|__|`")


def sentences(analysis: str) -> list[str]:
    """Return the sentences of an analysis without its headings, bullets, locks and audit block."""
    plain = _MARKUP.sub("", _LOCK.sub("", _BLOCK.sub("", analysis)))
    document = Document(plain)
    found = (" ".join(plain[one.start : one.end].split()) for one in document.sentences())
    return list(dict.fromkeys(one for one in found if any(sign.isalnum() for sign in one)))


def draft(analysis: str, brief: Brief) -> Draft:
    """Return `analysis`, anonymised as `brief` is, as a draft of at most `STATEMENTS_MAX` statements."""
    return Draft(
        engine=_ENGINE,
        model=_ENGINE,
        document_kind=pick(brief.language, "análisis presentado", "submitted analysis"),
        summary="",
        statements=tuple(_statement(one, brief.jurisdiction) for one in sentences(analysis)[:STATEMENTS_MAX]),
        analysed=len(brief.text),
        total=len(brief.text),
        modules=("analysis submitted by the caller",),
    )


def _statement(text: str, jurisdiction: str) -> Statement:
    quotes = quoted_words.quotations(text)
    return Statement(
        Section.REASONING,
        text,
        quotes=quotes,
        citations=tuple(dict.fromkeys(one.text for one in extract(text, jurisdiction))),
        proposed=Lock.L1 if quotes else Lock.L4,
    )
