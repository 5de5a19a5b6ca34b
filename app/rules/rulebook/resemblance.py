"""Propose rules for the parts of a document that are worded like passages of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from app.rules.document import Document, Span
from app.rules.passages import passage_index
from app.rules.rulebook.schema import Risk
from app.text.bilingual import Language, pick

# From this probability a part of a document is proposed to the rule. Few lawful passages are in English, and
# an English sentence shares more with any English passage than with those of its rule in Spanish.
_LEAST: Final = 0.55
_LEAST_IN_ENGLISH: Final = 0.6
# A rule for other kinds of document is that much less likely to be about this one's subject.
_OF_ANOTHER_KIND: Final = 0.6
# Who appears, and a row of a table: they provide nothing, and a few words of them are like anything.
_PERSON = (
    rb"(?:mayor(?:es)? de edad|of legal age|domicili|vecin[oa] de|registered (?:office|address)|representa)"
)
_NUMBER = rb"\b(?:dni|nif|nie|cif|pasaporte|passport|tax id)\b"
_INTRODUCES = re.compile(rb"%s[^;]{0,200}%s|%s[^;]{0,200}%s" % (_PERSON, _NUMBER, _NUMBER, _PERSON))
_ROW = re.compile(rb"\S {3,}[\d.,]+ ?(?:E|euros?|%)?$")


def least(language: Language) -> float:
    """Return the probability from which a part of a document in some language is proposed."""
    return pick(language, _LEAST, _LEAST_IN_ENGLISH)


def resembling(
    document: Document, rules: Iterable[Risk], given: Collection[str], language: Language
) -> Iterator[tuple[Risk, Span]]:
    """Yield rules with the parts of a document that are probably worded as their defect is.

    Each part goes to the one rule that it is most like, if to any.

    Args:
        document: the document.
        rules: the rules of documents of this kind.
        given: the ids of those that come into question; those met already belong to them, so that what is
            theirs is not taken for another's.
        language: in which the document is written.
    """
    # The passages of a rule bear its id; a rule of another country names those of Spain that it shares.
    known: dict[str, Risk] = {}
    for risk in rules:
        if risk.about_clauses:
            for passages in risk.resembles or (risk.id,):
                known.setdefault(passages, risk)
    learnt = set(passage_index().rules) if known and not document.source.foreign else set()
    about = {passages: risk.basis[0].cite for passages, risk in known.items() if passages in learnt}
    if not about:
        return
    asked = [passages for passages, risk in known.items() if passages in about and risk.id in given]
    likenesses = passage_index().nearest(document.part_words, about, asked)
    at_least = least(language)
    for part, like in zip(document.parts, likenesses, strict=True):
        if like is None or like.probability < at_least:
            continue
        if _provides(document.folded[part.start : part.end]):
            yield known[like.rule], part


def subjects(document: Document, rules: Iterable[Risk], kinds: Collection[str]) -> list[Risk]:
    """Return the rules about whose subject a document speaks, met or not, the likeliest first.

    Args:
        document: the document.
        rules: the rules of all kinds, since the kind may be mistaken.
        kinds: the kinds that the document is likely of; rules of others count less.
    """
    known = {risk.id: risk for risk in rules if risk.about_clauses}
    likeness = passage_index().ranked(document.part_words, {one: known[one].basis[0].cite for one in known})
    for one in likeness:
        if not set(known[one].kinds) & set(kinds):
            likeness[one] *= _OF_ANOTHER_KIND
    return [known[one] for one in sorted(likeness, key=lambda one: -likeness[one])]


def _provides(part: bytes) -> bool:
    """Tell whether a part of a document may provide or state something."""
    return _INTRODUCES.search(part) is None and _ROW.search(part.rstrip()) is None
