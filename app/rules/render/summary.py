"""Write the summary: what the document is, who, for how much, and where to look first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.rules.draft import Family, Section, Statement
from app.rules.facts.document_facts import Facts
from app.rules.render import wording
from app.rules.rulebook.kinds import Recognition
from app.rules.rulebook.papers import Paper
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.schema import Rulebook
from app.text.bilingual import Bilingual, Language, pick


def summarise(
    recognition: Recognition,
    enclosed: Sequence[Paper],
    facts: Facts,
    rulebook: Rulebook,
    quantities: Mapping[str, Quantity],
    statements: Sequence[Statement],
    language: Language,
    *,
    judged: bool,
) -> str:
    """Summarise an analysis in the language of the answer.

    `enclosed` are the papers of other kinds in the same text; `judged` says whether rules of law were applied
    at all.
    """
    known = recognition.id in rulebook.risks_of
    name = wording.with_article(recognition.name.in_(language), language)
    if recognition.kind is None:
        first = pick(
            language,
            "No se ha reconocido el tipo de documento: se exponen los hechos y las cláusulas que se han "
            "encontrado, sin juicio sobre lo que falta.",
            "The kind of document was not recognised: the facts and clauses found are set out, with "
            "no judgement on what is missing.",
        )
    else:
        kinds = dict.fromkeys(paper.kind.name.in_(language) for paper in enclosed)
        others = wording.listing([wording.with_article(one, language) for one in kinds], language)
        beside = pick(language, f", con {others}", f", with {others}") if others else ""
        first = pick(language, f"Se trata de {name}{beside}.", f"This is {name}{beside}.")
    sentences = [
        first,
        _who(facts, language, recognition.family),
        _figures(rulebook, quantities, language),
        *_focus(statements, language, judged=judged and known),
    ]
    return " ".join(filter(None, sentences))


def _who(facts: Facts, language: Language, family: Family) -> str:
    named: list[str] = []
    for party in facts.parties:
        if party.role_key == "representative" or len(named) == 4:
            continue
        same = facts.source.tongue == language
        shared = party.role is not None and party.role_key and party.role.strip().lower().endswith("s")
        role = wording.role(party.role_key, party.role if same and not shared else None, language)
        text = f"{party.name} ({role})" if role else party.name
        if text not in named:
            named.append(text)
    signed = facts.dated(family)
    if not named and signed is None:
        return ""
    dated = wording.day(signed, language) if signed is not None else ""
    who = wording.listing(named, language)
    named_in_it = pick(language, "Interviene" if len(named) == 1 else "Intervienen", "Named in it:")
    parts = [
        f"{named_in_it} {who}" if who else "",
        f"{pick(language, 'fecha', 'date')}: {dated}" if dated else "",
    ]
    return wording.sentence("; ".join(filter(None, parts)))


def _figures(rulebook: Rulebook, quantities: Mapping[str, Quantity], language: Language) -> str:
    items = [
        f"{term.name.in_(language)} {wording.quantity(quantities[term.id], language)}"
        for term in rulebook.terms
        if term.headline and term.id in quantities
    ]
    if not items:
        return ""
    listed = "; ".join(items)
    return f"{pick(language, 'Cifras principales', 'Main figures')}: {listed}."


def _focus(statements: Sequence[Statement], language: Language, *, judged: bool) -> list[str]:
    risks = [s for s in statements if s.section is Section.RISKS]
    high = sum(s.severity == "high" for s in risks)
    missing = sum(s.section is Section.CLAUSES_MISSING for s in statements)
    found = _risks(len(risks), high) if judged or risks else _UNJUDGED
    sentences = [f"{found.in_(language)}{_missing(missing).in_(language)}."]
    if risks:
        sentences.append(f"{_LOOK_FIRST.in_(language)} {wording.lower_first(_head(risks[0].text))}")
    return sentences


_UNJUDGED = Bilingual(
    "No se han valorado riesgos legales, porque no hay reglas para este documento o para su país",
    "Legal risks were not assessed, since there are no rules for this document or its country",
)
_LOOK_FIRST = Bilingual("Lo primero que conviene mirar:", "Look first at this:")


def _risks(count: int, high: int) -> Bilingual:
    if count == 0:
        return Bilingual("Las reglas no han encontrado riesgos", "The rules found no risks")
    if count == 1:
        return Bilingual(
            "Se ha encontrado un riesgo" + (" alto" if high else ""),
            "One risk was found" + (", a high one" if high else ""),
        )
    if high == count:
        return Bilingual(
            f"Se han encontrado {count} riesgos, todos altos", f"{count} risks were found, all of them high"
        )
    return Bilingual(
        f"Se han encontrado {count} riesgos"
        + (f" ({high} {'alto' if high == 1 else 'altos'})" if high else ""),
        f"{count} risks were found" + (f" ({high} high)" if high else ""),
    )


def _missing(count: int) -> Bilingual:
    if count == 0:
        return Bilingual("", "")
    if count == 1:
        return Bilingual(", y falta un elemento esperable", ", and one expected element is missing")
    return Bilingual(
        f", y faltan {count} elementos esperables", f", and {count} expected elements are missing"
    )


def _head(text: str) -> str:
    for mark in (". ", "? "):
        head, found, _ = text.partition(mark)
        if found and len(head) > 20:
            return head + mark.strip()
    return text
