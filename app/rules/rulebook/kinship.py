"""Tell from names and incomes what a will or a divorce agreement leaves unsaid of children and means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.money.amounts import Amount
from app.text.normalize import RULES
from app.text.occurrences import occurrences

_INCOME = compile_pattern(
    "\\bingres(os?|a|an|aba)\\b|\\b(gana|ganan|percibe|perciben|cobra|cobran)\\b|nomina|sueldo|salario|\\bnet[oa]s\\b"
)
_NO_INCOME = compile_pattern("pension (de alimentos|alimenticia|compensatoria)|hipoteca|gananciales|indemniz")
_LEAST, _MOST, _TIMES = Decimal(250), Decimal(60_000), 2
_TITLE = r"(?:[Dd]on|[Dd]oña|DON|DOÑA|D\.|Dña\.|D\.ª|Dª)\s+"
_CAPITAL = r"[A-ZÁÉÍÓÚÑ][a-záéíóúüñç]+"
_NAME = rf"(?:{_TITLE})?({_CAPITAL})(?:\s+(?:(?:de|del|la|las|los)\s+)*{_CAPITAL})*"
# "tres hijos: Carmen, Rodrigo e Inés Tarancón", "reconoció como hija a doña Lucía", "su hijo Hugo".
_CHILDREN = re.compile(
    r"\b[Hh]ij[oa]s?\b(?:[\s,:]+(?:a|y|e|de ambos|comun(?:es)?|común|matrimonial(?:es)?|llamad[oa]s?|"
    r"menor(?:es)?(?: de edad)?|mayor(?:es)?(?: de edad)?|únic[oa]|a saber|son|que son))*[\s,:]+"
    rf"({_NAME}(?:(?:\s*,\s*|\s+[ye]\s+){_NAME})*)"
)
_EACH = re.compile(rf"(?:^|,\s*|\s[ye]\s+){_NAME}")
# "a sus hijos por partes iguales" calls all of them without naming any.
_ALL_CHILDREN = re.compile(
    r"\b(?:sus|mis|los|nuestros|dichos|citados|todos)\s+(?:\w+\s+){0,3}?(?:hij[oa]s|descendientes)\b"
    rf"(?!\s*[,:]?\s*(?:llamad[oa]s\s+)?(?:{_TITLE})?{_CAPITAL})"
)
_CALLED = re.compile(r"hereder|leg[ií]tima|institu", re.IGNORECASE)
_DISPOSES = compile_pattern("hereder|\\blega\\b|\\blego\\b|\\bdejo\\b|\\bdeja\\b")
_DEAD = compile_pattern("premuert|ya fallecid[oa]s?\\b|(hij[oa]s?)[^.;]{0,60}falleci(o|do|da)\\b")
_STEPCHILD = compile_pattern(
    "hijastr[oa]|hij[oa]s? de (otra|anterior|una|su|mi) (relacion|union|matrimonio|pareja|espos[oa]|mujer)|"
    "hij[oa]s? de (su|mi) marido|(sin|no)[^.;]{0,30}adopci?on|no adoptad"
)
_AFTER_CHILD = re.compile(rf"(?:hij[oa]s?|hijastr[oa]s?)\b.*?(?:{_TITLE})({_CAPITAL})", re.DOTALL)
_IMPROVED = compile_pattern("\\bmejor(a|ar|ado|ada|o)\\b")


def family_flags(document: Document, amounts: Sequence[Amount], kind: str) -> frozenset[str]:
    """Return what holds of a divorce agreement or a will, as rules ask for it in their `flags`.

    unequal_incomes (two incomes are stated, one at least twice the other), child_unmentioned (a will names a
    child of the testator once and calls neither that child nor all of them), stepchild_improved (the third
    for children is left to someone whom the will says to be another's child).
    """
    found = set()
    if kind == "divorce_agreement" and _unequal_incomes(document, amounts):
        found.add("unequal_incomes")
    if kind == "will":
        if _child_unmentioned(document):
            found.add("child_unmentioned")
        if _stepchild_improved(document):
            found.add("stepchild_improved")
    return frozenset(found)


def _unequal_incomes(document: Document, amounts: Sequence[Amount]) -> bool:
    incomes = []
    for one in amounts:
        sentence = document.sentence(Span(one.start, one.end))
        if one.kind != "money" or document.find(_INCOME, sentence.start, sentence.end) is None:
            continue
        if document.find(_NO_INCOME, sentence.start, sentence.end) is None and _LEAST <= one.value <= _MOST:
            incomes.append(one.value / 12 if one.period == "year" else one.value)
    return len(incomes) >= 2 and max(incomes) >= _TIMES * min(incomes)


def _child_unmentioned(document: Document) -> bool:
    """Tell whether a child that a will names is named nowhere else in it, nor called among all children."""
    text = document.text
    if document.find(_DISPOSES) is None:
        return False
    for sentence in document.sentences():
        words = text[sentence.start : sentence.end]
        if _CALLED.search(words) and _ALL_CHILDREN.search(words):
            return False
    plain = RULES.fold(text)
    return any(
        len(re.findall(rf"\b{re.escape(RULES.fold(name))}\b", plain)) == 1 for name in _children(document)
    )


def _children(document: Document) -> Iterator[str]:
    for sentence in document.sentences():
        if document.find(_DEAD, sentence.start, sentence.end) is not None:
            continue
        for found in _CHILDREN.finditer(document.text, sentence.start, sentence.end):
            for each in _EACH.finditer(found.group(1)):
                yield each.group(1)


def _stepchild_improved(document: Document) -> bool:
    for sentence in document.sentences():
        if document.find(_STEPCHILD, sentence.start, sentence.end) is None:
            continue
        named = _AFTER_CHILD.search(document.text, sentence.start, sentence.end)
        if named is None:
            continue
        for span in document.find_all(_IMPROVED):
            other = document.sentence(span)
            words = document.text[other.start : other.end]
            if other != sentence and any(occurrences(words, named.group(1))):
                return True
    return False
