"""A model's draft on the floor of the rules': statements as models word them, about documents at hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from app.analysis.draft import merge
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Brief, Draft, RulesEngine, Section, Statement
from app.text.bilingual import Language
from tools import golden

RISKS = Section.RISKS


@cache
def document(name: str) -> str:
    return (golden.FOLDER / f"{name}.txt").read_text("utf-8")


@cache
def floor(name: str, language: Language = "es") -> Draft:
    return RulesEngine().analyse(Brief(document(name), "ES", "civil", language))


def merged(name: str, *statements: Statement, language: Language = "es") -> merge.Merged:
    proposed = Draft("openai", "m-1", "", "", statements, 10, 10, ("node A openai m-1",))
    return merge.merge(floor(name, language), proposed, QuoteFinder(document(name)), "ES", language)


def said(text: str, *quotes: str, cites: tuple[str, ...] = (), section: Section = Section.RISKS) -> Statement:
    return Statement(section, text, quotes, cites)


# Statements in other words than the rules', each with the rule, the clause or the value that it repeats.
DOUBLES = [
    (
        "lau_no_extension",
        said(
            "La cláusula segunda obliga a los inquilinos a marcharse al año y les niega toda prórroga, pese "
            "a que pueden quedarse hasta cinco años.",
            "los Arrendatarios abandonarán la vivienda sin que quepa prórroga alguna",
            cites=("art. 9 LAU",),
        ),
    ),
    (
        "lau_guarantee",
        said(
            "El depósito adicional de 2.850 euros son tres mensualidades: supera el límite de dos.",
            "constituyen además un depósito de 2.850 euros",
            cites=("art. 36.5 LAU",),
        ),
    ),
    (
        "lau_agency_costs",
        said(
            "Se cargan al arrendatario los gastos de la inmobiliaria y de formalización, que por ley "
            "corresponden al arrendador.",
            cites=("artículo 20.1 LAU",),
        ),
    ),
    (
        "lau_repairs",
        said(
            "Todas las reparaciones, incluida la caldera, se imponen al inquilino, cuando las que exige la "
            "habitabilidad tocan al arrendador.",
            "Todas las reparaciones que precise la vivienda",
            cites=("art. 21 LAU",),
        ),
    ),
    (
        "lease_forum",
        said(
            "La sumisión a los Juzgados de Madrid no vale: es competente el tribunal del lugar de la finca, "
            "Zaragoza.",
            "las partes se someten a los Juzgados de Madrid",
            cites=("art. 52.1.7.º LEC",),
        ),
    ),
    (
        "950",
        said(
            "La renta asciende a 950 euros al mes.",
            "La renta será de 950 euros mensuales",
            section=Section.AMOUNTS,
        ),
    ),
    ("tenant", said("Berta Casaus Gil es parte arrendataria.", section=Section.PARTIES)),
    (
        "deposit",
        said(
            "Hay una cláusula de fianza y garantías (cláusula cuarta).",
            "Fianza y garantías. Los Arrendatarios entregan 950 euros en concepto de fianza legal",
            section=Section.CLAUSES_PRESENT,
        ),
    ),
    (
        "2027-01-31",
        said(
            "El plazo pactado de un año termina el 31 de enero de 2027.",
            "El contrato tendrá una duración de un año a contar desde el 1 de febrero de 2026",
            section=Section.DEADLINES,
        ),
    ),
]
# Other points about the same clauses and articles, which nobody may lose.
OTHERS = [
    said(
        "El desistimiento se niega también a quien sufra violencia de género en la pareja, que puede dejar "
        "la vivienda sin cumplir el aviso.",
        "Los Arrendatarios no podrán desistir del contrato antes de su vencimiento",
        cites=("art. 12 LAU",),
    ),
    said(
        "El contrato no prevé qué ocurre si fallece uno de los dos arrendatarios ni si el otro continúa.",
        cites=("art. 16 LAU",),
    ),
    said(
        "No consta que la fianza se haya depositado en el organismo autonómico.",
        "Los Arrendatarios entregan 950 euros en concepto de fianza legal",
        cites=("art. 36.1 LAU",),
    ),
    said(
        "La cuenta bancaria de la arrendadora figura en el contrato: conviene confirmar su titular antes de "
        "pagar.",
        "mediante transferencia a la cuenta",
    ),
    said(
        "Dos personas firman como arrendatarias y no se dice si responden solidariamente.",
        cites=("art. 1137 CC",),
    ),
    said("Falta el certificado de eficiencia energética.", section=Section.CLAUSES_MISSING),
    said("La renta del segundo año sería de 988 euros si se aplicara el 4 %.", section=Section.AMOUNTS),
]


@pytest.mark.parametrize(("fact", "double"), DOUBLES, ids=[fact for fact, _ in DOUBLES])
def test_a_point_that_the_rules_make_is_made_once(fact: str, double: Statement) -> None:
    found = merged("housing_lease", double)
    assert found.draft.statements == floor("housing_lease").statements
    assert fact in found.same[double].facts.values()


@pytest.mark.parametrize("other", OTHERS, ids=[one.text[:40] for one in OTHERS])
def test_another_point_about_the_same_clause_is_kept(other: Statement) -> None:
    found = merged("housing_lease", other)
    assert found.draft.statements == (*floor("housing_lease").statements, other)
    assert found.same == {}


def test_a_double_is_found_over_two_languages() -> None:
    double = said(
        "Payment within 90 days exceeds the statutory maximum of sixty days between businesses.",
        "Invoices are payable within 90 days",
        cites=("art. 4.3 de la Ley 3/2004, de 29 de diciembre",),
    )
    found = merged("services", double, language="es")
    assert list(found.same) == [double]


def test_the_floor_stands_whole_whatever_the_model_says() -> None:
    everything = (*OTHERS, *(double for _, double in DOUBLES))
    found = merged("housing_lease", *everything)
    whole = floor("housing_lease").statements
    assert found.draft.statements[: len(whole)] == whole
    assert set(found.draft.statements[len(whole) :]) == set(OTHERS)
    assert found.draft.document_kind == floor("housing_lease").document_kind
    assert found.draft.summary == floor("housing_lease").summary


def test_a_day_that_code_reckoned_is_not_told_otherwise() -> None:
    words = "El contrato tendrá una duración de un año a contar desde el 1 de febrero de 2026"
    wrong = said("El contrato termina el 28 de febrero de 2027.", words, section=Section.DEADLINES)
    found = merged("housing_lease", wrong)
    assert found.outdone == (wrong,)
    assert wrong not in found.draft.statements
    assert any("1 resultados distintos" in note for note in found.draft.notes)


def test_a_day_where_code_reckoned_none_is_kept() -> None:
    words = "podrá entrar en la vivienda cuando lo estime conveniente"
    own = said("La primera visita sería el 3 de marzo de 2026.", words, section=Section.DEADLINES)
    assert own in merged("housing_lease", own).draft.statements


def test_quotation_of_the_same_words_is_no_double_by_itself() -> None:
    risk = next(one for one in floor("housing_lease").statements if one.facts.get("rule") == "lau_guarantee")
    other = said("La firma de dos testigos daría fuerza al recibo.", *risk.quotes)
    assert other in merged("housing_lease", other).draft.statements


def issue(key: str, risk: Statement, **parts: str) -> tuple[Statement, ...]:
    sections = {"recommendation": Section.RECOMMENDATIONS}
    return (
        replace(risk, facts={"issue": key}),
        *(
            Statement(sections.get(part, Section.REASONING), text, facts={"issue": key, "part": part})
            for part, text in parts.items()
        ),
    )


def test_what_a_model_adds_to_a_risk_of_the_rules_stands_under_it() -> None:
    guarantee = next(double for rule, double in DOUBLES if rule == "lau_guarantee")
    told = issue(
        "1.1",
        guarantee,
        rule="La garantía adicional no puede pasar de dos mensualidades.",
        application="Con 950 euros de renta sobran 950 euros.",
        missing_fact="Si el depósito se pagó ya.",
        recommendation="Limitar la garantía adicional a dos mensualidades.",
    )
    found = merged("housing_lease", *told)
    added = found.draft.statements[len(floor("housing_lease").statements) :]
    assert [(one.text, dict(one.facts)) for one in added] == [
        (told[2].text, {"rule": "lau_guarantee", "part": "application"}),
        (told[3].text, {"rule": "lau_guarantee", "part": "missing_fact"}),
    ]


def test_an_issue_of_its_own_keeps_its_parts() -> None:
    told = issue("1.1", OTHERS[0], rule="Cabe desistir sin aviso.", recommendation="Añadir la excepción.")
    found = merged("housing_lease", *told)
    assert found.draft.statements[len(floor("housing_lease").statements) :] == told
    assert [dict(one.facts) for one in found.draft.statements[-3:]] == [dict(one.facts) for one in told]


OBLIGATION = "El Distribuidor adquirirá cada año productos por un mínimo de 300.000 euros"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("El distribuidor debe comprar productos por 300.000 euros al año como mínimo.", False),
        ("El distribuidor no está obligado a comprar productos por 300.000 euros cada año.", True),
        ("El distribuidor puede comprar cada año productos por 300.000 euros.", True),
        ("El distribuidor debe comprar cada año productos por 500.000 euros.", True),
        ("El fabricante debe comprar cada año productos por un mínimo de 300.000 euros.", True),
    ],
)
def test_an_obligation_told_otherwise_than_the_words_it_quotes_is_no_double(text: str, kept: bool) -> None:
    # What is wrong about it is for the checks to say, which see it only where it is kept.
    made = merged("distribution", said(text, OBLIGATION, section=Section.OBLIGATIONS))
    assert (text in [one.text for one in made.draft.statements]) is kept
