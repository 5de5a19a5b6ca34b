"""Find what a contract refers to and does not have: annexes, clauses, defined terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.rules.consistency.fault import Fault
from app.rules.document import Document, Span
from app.rules.facts.sections import Block
from app.text.bilingual import Bilingual
from app.text.numerals import read_ordinal, read_roman

_ANNEX = re.compile(
    rb"\b(?:anexo|anejo|annex|appendix|schedule|exhibit)\s+(?:n_?[o.]?\s*)?"
    rb"([0-9]{1,2}|[ivx]{1,5}|[a-h]|unico)(?![a-z0-9])"
)
# An annex of a law, or of another contract.
_ELSEWHERE = re.compile(
    rb"\s{0,2},?\s{0,2}(?:y [^.;]{0,12})?(?:del?|de la|de los|of|to)\s{1,2}(?:the\s{1,2})?(?:real|ley|"
    rb"reglamento|directiva|orden|"
    rb"convenio|contrato de|escritura|acuerdo marco|regulation|directive|act|law|presente reglamento|"
    rb"master)\b"
)
_CLAUSE = re.compile(
    rb"\b(?:clausula|estipulacion|pacto|clause)s?\s+(?:n_?[o.]?\s*)?"
    rb"((?:[0-9]{1,2})(?:[_.][0-9]{1,2}){0,2}(?=[ao]?_?(?:[^a-z0-9]|$))|"
    rb"(?:(?:decim|vigesim|trigesim)[oa] ?)?(?:primer|segund|"
    rb"tercer|cuart|quint|sext|"
    rb"sep?tim|octav|noven|decim|undecim|duodecim|vigesim|trigesim)[oa](?![a-z0-9]))"
)
_DEFINITION = re.compile(
    r"(?:\((?:en (?:adelante|lo sucesivo)|hereinafter|the|el|la|los|las)\b[^()\"“«]{0,60}|"
    r"\b(?:en adelante|en lo sucesivo|hereinafter(?: referred to as)?),? (?:the |el |la |los |las )?)"
    r"[\"“«']([^\"”»'\n]{2,40})[\"”»']",
    re.IGNORECASE,
)
_MEANING = re.compile(
    r"[\"“«']([^\"”»'\n]{2,60})[\"”»'],?\s{1,2}(?:means?|shall mean|significan?|significará|"
    r"se entiende|se entenderá|se refiere a|refers? to)\b",
    re.IGNORECASE,
)
_MOST_NAMED = 5
# "Anexo I. Inventario: …": a heading, however long its line.
_OPENS = frozenset(".:-–—·(")


def find_broken_references(document: Document, sections: Sequence[Block]) -> Iterator[Fault]:
    """Yield annexes and clauses that are referred to and not there, and terms defined for nothing."""
    yield from _annexes(document)
    yield from _clauses(document, sections)
    yield from _terms(document)


def _annexes(document: Document) -> Iterator[Fault]:
    there: set[bytes] = set()
    named: dict[bytes, Span] = {}
    for found in _ANNEX.finditer(document.folded):
        line = document.text.rfind("\n", 0, found.start()) + 1
        rest = document.text.find("\n", found.end())
        title = document.text[found.end() : rest if rest >= 0 else None]
        named_here = (
            document.text[found.start() : found.start() + 2].isupper() or title[:3].lstrip()[:1] in _OPENS
        )
        if not document.text[line : found.start()].strip(" \t*#_-.") and (
            named_here or len(title.split()) <= 14
        ):
            there.add(found[1])
        elif _ELSEWHERE.match(document.folded, found.end()) is None:
            named.setdefault(found[1], Span(found.start(), found.end()))
    missing = [(label, span) for label, span in named.items() if label not in there]
    if missing:
        labels = ", ".join(label.decode("ascii").upper() for label, _ in missing[:_MOST_NAMED])
        yield Fault(
            "annex",
            "low",
            Bilingual(
                es=f"El documento remite a anexos que no constan en el texto analizado: {labels}.",
                en=f"The document refers to annexes that are not in the text analysed: {labels}.",
            ),
            Bilingual(
                es="Pedir los anexos y comprobar que están firmados: lo que dicen obliga igual.",
                en="Obtain the annexes and check that they are signed: what they say binds as well.",
            ),
            tuple(span for _, span in missing[:2]),
        )


def _clauses(document: Document, sections: Sequence[Block]) -> Iterator[Fault]:
    numbers = {number for block in sections if (number := _number(block.number)) is not None}
    whole = {number for number in numbers if "." not in number}
    # Only where the numbering is plain: 1, 2, 3 … without a gap at the beginning.
    if not {"1", "2", "3"} <= whole:
        return
    for found in _CLAUSE.finditer(document.folded):
        wanted = _number(found[1].decode("ascii").replace("_", "."))
        if wanted is None or wanted.split(".")[0] in whole or _ELSEWHERE.match(document.folded, found.end()):
            continue
        line = document.text.rfind("\n", 0, found.start()) + 1
        if not document.text[line : found.start()].strip(" \t*#_-."):
            return  # a heading that the numbering above did not know
        yield Fault(
            "clause",
            "medium",
            Bilingual(
                es=f"El contrato remite a una cláusula {wanted} que no tiene.",
                en=f"The contract refers to a clause {wanted} that it does not have.",
            ),
            Bilingual(
                es="Corregir la remisión: no se sabe qué pacto se quiso aplicar.",
                en="Correct the reference: which provision was meant is unknown.",
            ),
            (Span(found.start(), found.end()),),
        )


def _number(written: str) -> str | None:
    """Return a clause's number in figures: "4.2", "15" for "decimoquinta", None where it is no number."""
    if written[:1].isdigit():
        return written.strip(".")
    value = read_ordinal(written) or read_roman(written)
    return str(value) if value else None


def defined_terms(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the terms that a contract gives its parties and things by "hereinafter", where each stands."""
    for found in _DEFINITION.finditer(text):
        term = found[1].strip(" .,")
        if len(term) >= 3 and term[0].isupper():
            yield term, Span(found.start(1), found.end(1))


def meanings(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the terms of which a text says what they mean, where each stands."""
    for found in _MEANING.finditer(text):
        yield found[1].strip(" .,"), Span(found.start(1), found.end(1))


def _terms(document: Document) -> Iterator[Fault]:
    unused: dict[str, Span] = {}
    for term, span in defined_terms(document.text):
        # The plural of a term, or the other gender, is a use of it.
        stem = re.escape(term[:-1] if len(term) > 4 else term)
        uses = len(re.findall(rf"(?<!\w){stem}", document.text, re.IGNORECASE))
        if uses <= 1:
            unused.setdefault(term, span)
    if unused:
        terms = ", ".join(list(unused)[:_MOST_NAMED])
        yield Fault(
            "term",
            "low",
            Bilingual(
                es=f"Se definen términos que después no se usan: {terms}.",
                en=f"Terms are defined and then not used: {terms}.",
            ),
            Bilingual(
                es="Comprobar si falta la cláusula que debía usarlos o si se llama de otro modo a lo mismo.",
                en="Check whether the clause that should use them is missing, or the same has another name.",
            ),
            tuple(unused.values())[:2],
        )
