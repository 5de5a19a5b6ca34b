"""Propose rules for the parts of a document that are worded like passages of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from app.rules.document import Document, Span
from app.rules.passages import passage_index
from app.rules.rulebook.schema import Risk
from app.text.bilingual import Language, pick

if TYPE_CHECKING:
    from app.rules.passages.subjects import SubjectIndex

_SPAIN: Final = "ES"
# From this probability a part of a document is proposed to the rule. Few lawful passages are in English, and
# an English sentence shares more with any English passage than with those of its rule in Spanish.
_LEAST: Final = 0.55
_LEAST_IN_ENGLISH: Final = 0.6
# Where one author wrote of a rule, more lawful clauses are like it; fewer where two did, fewest in Spanish.
_LEAST_OF_FEW: Final = 0.9
_LEAST_OF_TWO: Final = 0.7
_LEAST_OF_TWO_IN_ENGLISH: Final = 0.8  # and of short parts
# Passages for each rule: an author writes five.
_OF_TWO: Final = 8
# A short part in Portuguese, French, Italian or German has one rare word, and is like whatever has it too: of
# lawful papers in these languages nine parts were proposed, all of them shorter than this.
_SHORT_PART: Final = 120  # characters
_LEAST_OF_SHORT: Final = 0.95
# A rule for other kinds of document is that much less likely to be about this one's subject.
_OF_ANOTHER_KIND: Final = 0.6
# How a contract opens: its kind and its parties are named, words of every rule of it.
_BETWEEN = re.compile(
    rb"\b(?:between|entre|zwischen|tra)\b[^;]{0,300}\b(?:and|y|e|et|und)\b|"
    rb"\b(?:celebran|comparecen|conste por)\b",
    re.DOTALL,
)
_OPENING, _HEADING = 400, 120  # characters
# Who appears, and a row of a table: they provide nothing, and a few words of them are like anything.
_PERSON = (
    rb"(?:mayor(?:es)? de edad|of legal age|domicili|vecin[oa] de|registered (?:office|address)|representa)"
)
_NUMBER = rb"\b(?:dni|nif|nie|cif|pasaporte|passport|tax id)\b"
_INTRODUCES = re.compile(rb"%s[^;]{0,200}%s|%s[^;]{0,200}%s" % (_PERSON, _NUMBER, _NUMBER, _PERSON))
# "Y en prueba de conformidad firman por duplicado", "Valor estimado: 1.480.000 euros": no clause either.
_SIGNS = re.compile(
    rb"^\W*(?:signed|firmad[oa]|fdo)\b|\bfirman?(?: el presente)?[^;]{0,40}por (?:duplicado|triplicado)"
)
_HAS_FIGURE = re.compile(rb"\d")
_LABEL = re.compile(rb"[a-z /()]{3,60}[:_]{1,3} ?[\d.,_]+ ?(?:E|euros?|%)?\W*\Z")
_LETTERHEAD = 400
_STATES = re.compile(
    rb"\b(?:se|no|sin|que|si|es|son|ha|han|[a-z]{2,}(?:ra|ran)|shall|will|may|must|is|are|not)\b"
)
_OF_A_SILENCE = re.compile(
    r"\b(?:sin certificado|(?<! y )no consta|no acredita|no dicen?|sin decir|no menciona|no figura"
    r"|sin que conste|sin acreditar)\b"
)
_DENIES = re.compile(
    rb"\b(?:no|ni|sin|nada|ningun[oa]?|tampoco|nunca|nieg\w+|rechaz\w+|exclu\w+|renunci\w+|dispens\w+|exim\w+"
    rb"|exent\w+|carece\w*|omit\w+|falta\w*|salvo|solo|not|no|without|never|nor|none|waiv\w+|exclud\w+|refus\w+"
    rb"|lacks?|fails?|only)\b"
)
_ROW = re.compile(rb"\S {3,}[\d.,]+ ?(?:E|euros?|%)?$")


def least(
    language: Language,
    *,
    few: bool = False,
    foreign: bool = False,
    length: int = _SHORT_PART,
    each: float = 0,
) -> float:
    """Return the probability from which a part of a document in some language is proposed.

    Args:
        language: the language, of which Spanish stands for all but English.
        few: whether the index has few passages of each rule.
        foreign: whether the document is in neither Spanish nor English.
        length: that of the part, in characters.
        each: how many passages an index of few has for each rule.
    """
    if foreign and length < _SHORT_PART:
        return _LEAST_OF_SHORT
    if few and not foreign and each >= _OF_TWO:
        short = length < _SHORT_PART
        return _LEAST_OF_TWO_IN_ENGLISH if short else pick(language, _LEAST_OF_TWO, _LEAST_OF_TWO_IN_ENGLISH)
    return _LEAST_OF_FEW if few else pick(language, _LEAST, _LEAST_IN_ENGLISH)


def resembling(
    document: Document,
    rules: Iterable[Risk],
    given: Collection[str],
    language: Language,
    codes: Collection[str],
) -> Iterator[tuple[Risk, Span]]:
    """Yield rules with the parts of a document that are probably worded as their defect is.

    Each part goes to the one rule that it is most like, if to any.

    Args:
        document: the document.
        rules: the rules of documents of this kind.
        given: the ids of those that come into question; those met already belong to them, so that what is
            theirs is not taken for another's.
        language: in which the document is written.
        codes: whose law the rules are.
    """
    rules = [risk for risk in rules if risk.about_clauses]
    best: dict[int, tuple[float, Risk]] = {}
    for index, known in _indices(document, rules, codes):
        about = {passages: risk.basis[0].cite for passages, risk in known.items()}
        asked = [passages for passages, risk in known.items() if risk.id in given]
        for place, like in enumerate(index.nearest(document.part_words, about, asked)):
            if like is None or like.probability < least(
                language,
                few=index.few,
                foreign=document.source.foreign,
                length=like.length,
                each=index.each,
            ):
                continue
            if index.few and _opens(document, document.parts[place]):
                continue
            if place not in best or like.probability > best[place][0]:
                best[place] = like.probability, known[like.rule]
    for place in sorted(best):
        part = document.parts[place]
        risk = best[place][1]
        if _provides(document.folded[part.start : part.end]) and (
            _SPAIN not in codes or _shows(document, risk, part)
        ):
            yield risk, part


def _indices(
    document: Document, rules: Sequence[Risk], codes: Collection[str]
) -> Iterator[tuple[SubjectIndex, dict[str, Risk]]]:
    """Yield the indices that have passages of some rules in the language of a document.

    With each come the rules that it knows, by what their passages are called there.
    """
    # The passages of a rule bear its id; a rule of another country names those of Spain that it shares.
    shared = {passages: risk for risk in rules for passages in risk.resembles}
    for code in dict.fromkeys([*codes, *([_SPAIN] if shared else [])]):
        index = passage_index(code)
        if index is None or document.source.tongue not in index.tongues:
            continue
        named = {risk.id: risk for risk in rules} | (shared if code == _SPAIN else {})
        known = {passages: named[passages] for passages in index.rules if passages in named}
        if known:
            yield index, known


def subjects(
    document: Document, rules: Iterable[Risk], kinds: Collection[str], codes: Collection[str]
) -> list[Risk]:
    """Return the rules about whose subject a document speaks, met or not, the likeliest first.

    Args:
        document: the document.
        rules: the rules of all kinds, since the kind may be mistaken.
        kinds: the kinds that the document is likely of; rules of others count less.
        codes: whose law the rules are.
    """
    rules = [risk for risk in rules if risk.about_clauses]
    likeness: dict[str, float] = {}
    known: dict[str, Risk] = {}
    for index, named in _indices(document, rules, codes):
        found = index.ranked(document.part_words, {one: named[one].basis[0].cite for one in named})
        for one, amount in found.items():
            risk = named[one]
            amount *= 1 if set(risk.kinds) & set(kinds) else _OF_ANOTHER_KIND
            known[risk.id], likeness[risk.id] = risk, max(amount, likeness.get(risk.id, 0.0))
    return [known[one] for one in sorted(likeness, key=lambda one: -likeness[one])]


def _opens(document: Document, part: Span) -> bool:
    """Tell whether a part is the opening of a document, which names its kind and its parties."""
    if part.start < _HEADING:
        return True
    return part.start < _OPENING and _BETWEEN.search(document.folded[part.start : part.end]) is not None


def _provides(part: bytes) -> bool:
    """Tell whether a part of a document may provide or state something."""
    if _INTRODUCES.search(part) is not None or _ROW.search(part.rstrip()) is not None:
        return False
    return _SIGNS.search(part) is None and (_HAS_FIGURE.search(part) is None or _LABEL.match(part) is None)


def _shows(document: Document, risk: Risk, part: Span) -> bool:
    """Tell whether a part may show the defect of a rule, and not only speak of its subject.

    A letterhead shows none, and what a document leaves out is not shown by words that are like others of the
    same subject: they must deny something.
    """
    words = document.folded[part.start : part.end]
    if part.start < _LETTERHEAD and len(words) < _HEADING and _STATES.search(words) is None:
        return False
    return _OF_A_SILENCE.search(risk.title.es) is None or _DENIES.search(words) is not None
