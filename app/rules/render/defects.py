"""Find faults that a document shows by itself: words against figures, impossible dates, blanks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from app.rules.document import Document, Span
from app.rules.draft import Family, Section, Severity, Statement
from app.rules.facts.document_facts import Facts
from app.rules.render import wording
from app.text.bilingual import Bilingual, Language, pick
from app.text.expressions import compiled

_stated = partial(Statement, origin="rules")

# No contract was made before, and none lasts beyond.
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
_MONTHS = (
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|se[pt]{1,2}iembre|octubre|noviembre|diciembre|"
    "january|february|march|april|may|june|july|august|september|october|november|december"
)
# The years that no date of `facts` has: "1 de abril de 3024", "01/04/3024".
_FAR_YEAR = compiled(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: de| of)? (?:{_MONTHS})(?: del?(?: ano)?| of|,)? "
    r"(?P<year>[3-9]\d{3})\b"
    r"|\b\d{1,2}/\d{1,2}/(?P<figures>[3-9]\d{3})\b"
)
# "El 1 de abril 3000 euros": an amount behind the day.
_COUNTED = compiled(
    r"[.,]\d| ?(?:euros?|eur|usd|gbp|dollars?|pounds?|pesos?|unid|units?|tonel|tonnes?|kilos?|kg|metros)"
)
# What is wrong, how severe it is, and what to do about it.
_DEFECTS: dict[str, tuple[Bilingual, Severity, Bilingual]] = {
    "words_mismatch": (
        Bilingual(
            "El importe en letra y en cifra no coincide.",
            "The amount in words and in figures does not agree.",
        ),
        "high",
        Bilingual(
            "Corregir el importe antes de firmar o, si ya se firmó, aclarar por escrito cuál vale.",
            "Correct the amount before signing or, if already signed, clarify in writing which one counts.",
        ),
    ),
    "period_mismatch": (
        Bilingual(
            "La duración en letra y en cifra no coincide.",
            "The period in words and in figures does not agree.",
        ),
        "high",
        Bilingual(
            "Corregir la duración: en letra y en cifra debe ser la misma.",
            "Correct the period: words and figures must agree.",
        ),
    ),
    "end_mismatch": (
        Bilingual(
            "La fecha final que consta no cuadra con la duración pactada.",
            "The stated end date does not match the agreed period.",
        ),
        "medium",
        Bilingual(
            "Aclarar si manda la duración o la fecha final.",
            "Clarify whether the period or the end date prevails.",
        ),
    ),
    "impossible": (
        Bilingual(
            "El documento contiene una fecha que no existe en el calendario:",
            "The document contains a date that no calendar has:",
        ),
        "high",
        Bilingual(
            "Quien escribió el documento debe decir qué día es; quien lo recibió puede pedirlo.",
            "Whoever wrote the document must say which day it is; who received it may ask for it.",
        ),
    ),
    "far_year": (
        Bilingual(
            "El documento contiene una fecha con un año imposible.",
            "The document contains a date with an impossible year.",
        ),
        "high",
        Bilingual(
            "Quien escribió el documento debe decir qué año es: de él dependen los plazos.",
            "Whoever wrote the document must say which year it is: time limits depend on it.",
        ),
    ),
    "ambiguous": (
        Bilingual(
            "Una fecha admite dos lecturas (día y mes, o mes y día).",
            "A date can be read in two ways (day and month, or month and day).",
        ),
        "medium",
        Bilingual(
            "Quien firma debe escribir con letra el mes de la fecha que se lee de dos maneras.",
            "Whoever signs must write in words the month of the date that reads in two ways.",
        ),
    ),
    "blank": (
        Bilingual(
            "Hay una fecha sin rellenar.",
            "A date has been left blank.",
        ),
        "medium",
        Bilingual(
            "Antes de firmar se debe completar la fecha en blanco: de ella dependen los plazos.",
            "The blank date must be filled in before anybody signs: time limits depend on it.",
        ),
    ),
}

# Two readings of one clause of a Spanish contract: what was meant counts, and not for who drafted it.
_OBSCURE = frozenset({"words_mismatch", "period_mismatch"})
_READ_BY = ("art. 1281 CC", "art. 1288 CC")


def find_defects(
    document: Document, facts: Facts, language: Language, family: Family
) -> Iterator[tuple[Statement, Statement]]:
    """Yield each fault as a risk and its recommendation, the first of each sort."""
    seen: set[str] = set()
    for key, span, detail in _faults(facts, language):
        # A blank matters in what is still to be signed; a ruling leaves words out on purpose.
        if key in seen or (key == "blank" and family not in ("contract", "letter")):
            continue
        seen.add(key)
        fault, severity, advice = _DEFECTS[key]
        quote = document.quote(span)
        text = f"{fault.in_(language)}{f' {detail}' if detail else ''}"
        obscure = key in _OBSCURE and family == "contract" and document.source.jurisdiction == "ES"
        risk = _stated(
            Section.RISKS,
            text,
            quotes=(quote,),
            citations=_READ_BY if obscure else (),
            severity=severity,
            facts={"defect": key},
        )
        yield risk, _stated(Section.RECOMMENDATIONS, advice.in_(language), facts={"defect": key})


def _faults(facts: Facts, language: Language) -> Iterator[tuple[str, Span, str]]:
    for amount in facts.amounts:
        if amount.flag == "words_mismatch" and amount.words_value is not None:
            words = wording.money(amount.words_value, amount.currency, language)
            figures = wording.money(amount.value, amount.currency, language)
            detail = pick(
                language,
                f"En letra, {words}; en cifra, {figures}.",
                f"In words, {words}; in figures, {figures}.",
            )
            yield "words_mismatch", Span(amount.start, amount.end), detail if amount.kind == "money" else ""
    for period in facts.deadlines:
        if "words_mismatch" in period.flags:
            yield "period_mismatch", Span(period.start, period.end), ""
        if "end_mismatch" in period.flags:
            yield "end_mismatch", Span(period.start, period.end), ""
    for item in facts.dates:
        if item.flag == "impossible":
            words = " ".join(facts.source.text[item.start : item.end].split())
            yield item.flag, Span(item.start, item.end), pick(language, f"«{words}».", f"“{words}”.")
        elif item.flag in ("ambiguous", "blank"):
            yield item.flag, Span(item.start, item.end), ""
        if item.year is not None and not _FIRST_YEAR <= item.year <= _LAST_YEAR:
            yield "far_year", Span(item.start, item.end), f"({item.year})"
    for match in _FAR_YEAR.finditer(facts.source.folded):
        if _COUNTED.match(facts.source.folded, match.end()) is None:
            yield "far_year", Span(*match.span()), f"({match['year'] or match['figures']})"
