"""Articles that a document invokes for what they do not provide."""

from __future__ import annotations

import pytest

from app import corpus
from app.analysis.checks.misapplied import apply, misapplied
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import Citation, extract
from app.rules import Section, Statement
from app.rules.misreadings import Misreading, misreadings
from app.text.bilingual import Bilingual

CLAUSE = "Las vacaciones las decide la empresa, conforme al artículo 38.2 del Estatuto de los Trabajadores."


def _invoked(
    document: str, risk: Statement | None = None, authority: str = "art. 38.2 ET"
) -> list[tuple[Citation, str]]:
    statements = {risk: tuple(extract(authority, "ES"))} if risk else {}
    found = misapplied(tuple(extract(document, "ES")), statements, QuoteFinder(document))
    return [(citation, note.es) for citation, note in found]


def _risk(quote: str, severity: str = "high", origin: str = "rules") -> Statement:
    return Statement(
        Section.RISKS,
        "La empresa fija sola las vacaciones. Se fijan de común acuerdo.",
        quotes=(quote,),
        severity=severity,  # type: ignore[arg-type]
        origin=origin,  # type: ignore[arg-type]
    )


def test_an_article_invoked_for_a_clause_that_its_own_rule_condemns_is_named_with_the_risk() -> None:
    [(citation, note)] = _invoked(CLAUSE, _risk(CLAUSE))
    assert citation.articles == ("38",)
    assert "La empresa fija sola las vacaciones" in note


def test_nothing_is_said_of_another_article_or_paragraph_than_the_rules() -> None:
    assert not _invoked(CLAUSE, _risk(CLAUSE), "art. 37.1 ET")
    assert not _invoked(CLAUSE, _risk(CLAUSE), "art. 38.3 ET")


def test_a_risk_of_low_severity_or_of_a_model_makes_no_misquotation() -> None:
    assert not _invoked(CLAUSE, _risk(CLAUSE, "low"))
    assert not _invoked(CLAUSE, _risk(CLAUSE, origin="model"))


def test_an_article_whose_rights_are_waived_is_not_misquoted() -> None:
    waiver = "El trabajador renuncia a los derechos del artículo 38.2 del Estatuto de los Trabajadores."
    assert not _invoked(waiver, _risk(waiver))


def test_an_article_told_rightly_and_then_given_up_is_not_misquoted() -> None:
    told = (
        "Conforme al artículo 38.2 del Estatuto de los Trabajadores, el calendario se fija de común acuerdo"
    )
    for given_up in ("el trabajador renuncia a este precepto", "the employee waives this article"):
        waiver = f"{told}, y {given_up}."
        assert not _invoked(waiver, _risk(waiver))
    claimed = f"{told}, y el trabajador renuncia a sus vacaciones."
    assert _invoked(claimed, _risk(claimed))


def test_what_is_commonly_misread_is_found_without_any_risk() -> None:
    [(_, note)] = _invoked(
        "El testamento debe presentarse al notario en seis meses, según el artículo 690 del Código Civil."
    )
    assert "diez días" in note


def test_words_of_the_name_of_a_law_are_not_taken_for_what_is_said_of_its_article() -> None:
    for text in (
        "Según el artículo 1 de la Ley de 23 de julio de 1908, sobre nulidad de los préstamos usurarios, las "
        "partes pactan libremente: permite cualquier interés.",
        "El artículo 1 de la Ley de 23 de julio de 1908, sobre nulidad de los contratos de préstamos "
        "usurarios, "
        "autoriza a pactar cualquier interés.",
        "Article 16.3 of Law 3/1991, of 10 January, on Unfair Competition, allows notice of thirty days.",
        "El artículo 16.3 de la Ley 3/1991, de 10 de enero, de Competencia Desleal, considera "
        "bastante un mes "
        "de aviso.",
    ):
        assert _invoked(text), text
    assert not _invoked(
        "El artículo 1 de la Ley de 23 de julio de 1908, sobre nulidad de los contratos de préstamos "
        "usurarios, "
        "declara nulo pactar libremente cualquier interés."
    )


def test_who_complains_of_a_breach_cites_the_article_rightly() -> None:
    assert not _invoked(
        "La cláusula infringe el artículo 11 de la LAU, pues obliga al inquilino a quedarse todo el contrato."
    )


def test_figures_of_the_next_citation_are_not_laid_at_the_door_of_this_one() -> None:
    text = (
        "Se presentará en diez días, según el artículo 690 del Código Civil, y caduca a los cinco años, "
        "según el artículo 689 del Código Civil."
    )
    assert not _invoked(text)


def test_only_a_verified_citation_becomes_a_mismatch() -> None:
    note = Bilingual("Dice otra cosa.", "It says otherwise.")
    verified = corpus.Verdict("verified", "Existe.", "It exists.", depth="article")
    changed = apply(verified, note)
    assert (changed.status, changed.mismatch_kind, changed.depth) == ("mismatch", "meaning", "words")
    repealed = corpus.Verdict("derogated", "Derogado.", "Repealed.")
    assert apply(repealed, note) is repealed


@pytest.mark.parametrize(
    "sentence",
    [
        "Según el artículo 14.1 del ET, la prueba de un año pactada es nula.",
        "Según el artículo 17.2 de la LAU, cobrar seis meses por adelantado es nulo.",
        "Según el artículo 35.2 del ET, el máximo anual es de ochenta horas; el trabajador hizo doscientas "
        "horas extraordinarias.",
        "Según el artículo 669 del Código Civil, no es válido el testamento que hicieron "
        "juntos los cónyuges.",
        "Según el artículo 21.1 de la LAU, la caldera no la paga el inquilino, sino el propietario.",
        "Conforme al artículo 8.1 de la LAU, procede resolver, al haberse cedido la vivienda "
        "sin consentimiento.",
        "Conforme al artículo 36.4 de la LAU, transcurridos dos meses desde la entrega sin devolver la "
        "fianza, esta devenga el interés legal.",
        "Según el artículo 21.2 del ET, la no competencia pactada sin compensación no vincula.",
        "According to article 1964 of the Civil Code, the claim is not time barred, since three years have "
        "passed.",
        "Conforme al artículo 49.2 del ET, cabe pedir un representante en la firma, aunque el banco "
        "considera que no es obligatorio.",
    ],
)
def test_who_denies_the_contrary_or_adds_the_facts_cites_the_article_rightly(sentence: str) -> None:
    assert not _invoked(sentence)


@pytest.mark.parametrize("entry", misreadings(), ids=lambda one: one.cite)
def test_no_entry_reads_what_is_called_void_or_told_as_a_fact_as_what_the_article_says(
    entry: Misreading,
) -> None:
    article = entry.cite.replace("art.", "artículo")
    for example in entry.examples:
        citation = next(one for one in extract(example, "ES") if one.articles)
        rest = f"{example[: citation.start]} {example[citation.end :]}".strip(" .,")
        assert not _invoked(f"{example.rstrip('.')}, lo contrario es nulo.")
        assert not _invoked(f"Conforme al {article}, así se hará; {rest}.")
        assert not _invoked(f"Según el {article}, es nulo lo siguiente: {rest}.")


def test_nearly_every_example_is_still_found_in_a_document() -> None:
    examples = [example for entry in misreadings() for example in entry.examples]
    assert len([example for example in examples if not _invoked(example)]) <= 5


def test_a_breach_that_is_notified_is_no_breach_of_the_article() -> None:
    wrong = "the parties note that under Article 33(1) GDPR the Controller notifies a breach within 96 hours."
    [(_, note)] = _invoked(wrong)
    assert "72 horas" in note
    assert not _invoked("Notice within 96 hours is a breach of Article 33(1) GDPR.")


def test_what_is_done_with_an_article_as_its_ground_is_said_of_it() -> None:
    text = "Con fundamento en el artículo 21 de la Constitución cabe arresto de setenta y dos horas."
    [(_, note)] = misapplied(tuple(extract(text, "MX")), {}, QuoteFinder(text))
    assert "treinta y seis horas" in note.es
    right = text.replace("setenta y dos", "treinta y seis")
    assert not list(misapplied(tuple(extract(right, "MX")), {}, QuoteFinder(right)))
