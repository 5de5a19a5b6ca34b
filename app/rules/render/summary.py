"""Write the summary: what the document is, who, for how much, and where to look first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.rules.draft import Family, Language, Section, Statement
from app.rules.facts.document_facts import Facts
from app.rules.render import wording
from app.rules.rulebook.kinds import Recognition
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.schema import Rulebook


def summarise(
    recognition: Recognition,
    facts: Facts,
    rulebook: Rulebook,
    quantities: Mapping[str, Quantity],
    statements: Sequence[Statement],
    language: Language,
    *,
    judged: bool,
) -> str:
    """Summarise an analysis in the language of the answer.

    `judged` says whether rules of law were applied at all.
    """
    spanish = language == "es"
    known = any(recognition.id in risk.kinds for risk in rulebook.risks)
    name = wording.with_article(recognition.name.in_(language), language)
    if recognition.kind is None:
        first = (
            "No se ha reconocido el tipo de documento: se exponen los hechos y las cláusulas que se han "
            "encontrado, sin juicio sobre lo que falta."
            if spanish
            else "The kind of document was not recognised: the facts and clauses found are set out, with "
            "no judgement on what is missing."
        )
    else:
        first = f"Se trata de {name}." if spanish else f"This is {name}."
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
        same = facts.document_language == language
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
    if language == "es":
        return wording.sentence(
            "; ".join(
                filter(
                    None,
                    [
                        f"{'Interviene' if len(named) == 1 else 'Intervienen'} {who}" if who else "",
                        f"fecha: {dated}" if dated else "",
                    ],
                )
            )
        )
    return wording.sentence(
        "; ".join(filter(None, [f"Named in it: {who}" if who else "", f"date: {dated}" if dated else ""]))
    )


def _figures(rulebook: Rulebook, quantities: Mapping[str, Quantity], language: Language) -> str:
    items = [
        f"{term.name.in_(language)} {wording.quantity(quantities[term.id], language)}"
        for term in rulebook.terms
        if term.headline and term.id in quantities
    ]
    if not items:
        return ""
    listed = "; ".join(items)
    return f"Cifras principales: {listed}." if language == "es" else f"Main figures: {listed}."


def _focus(statements: Sequence[Statement], language: Language, *, judged: bool) -> list[str]:
    risks = [s for s in statements if s.section is Section.RISKS]
    high = sum(s.severity == "high" for s in risks)
    missing = sum(s.section is Section.CLAUSES_MISSING for s in statements)
    words = _Spanish if language == "es" else _English
    found = words.risks(len(risks), high) if judged or risks else words.unjudged
    sentences = [f"{found}{words.missing(missing)}."]
    if risks:
        sentences.append(f"{words.look} {_lower(_head(risks[0].text))}")
    return sentences


class _Spanish:
    unjudged = "No se han valorado riesgos legales, porque no hay reglas para este documento o para su país"
    look = "Lo primero que conviene mirar:"

    @staticmethod
    def risks(count: int, high: int) -> str:
        if count == 0:
            return "Las reglas no han encontrado riesgos"
        if count == 1:
            return "Se ha encontrado un riesgo" + (" alto" if high else "")
        if high == count:
            return f"Se han encontrado {count} riesgos, todos altos"
        return f"Se han encontrado {count} riesgos" + (
            f" ({high} {'alto' if high == 1 else 'altos'})" if high else ""
        )

    @staticmethod
    def missing(count: int) -> str:
        if count == 0:
            return ""
        return ", y falta un elemento esperable" if count == 1 else f", y faltan {count} elementos esperables"


class _English:
    unjudged = "Legal risks were not assessed, since there are no rules for this document or its country"
    look = "Look first at this:"

    @staticmethod
    def risks(count: int, high: int) -> str:
        if count == 0:
            return "The rules found no risks"
        if count == 1:
            return "One risk was found" + (", a high one" if high else "")
        if high == count:
            return f"{count} risks were found, all of them high"
        return f"{count} risks were found" + (f" ({high} high)" if high else "")

    @staticmethod
    def missing(count: int) -> str:
        if count == 0:
            return ""
        return (
            ", and one expected element is missing"
            if count == 1
            else f", and {count} expected elements are missing"
        )


def _head(text: str) -> str:
    for mark in (". ", "? "):
        head, found, _ = text.partition(mark)
        if found and len(head) > 20:
            return head + mark.strip()
    return text


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
