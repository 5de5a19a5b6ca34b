"""Clauses present with their words, clauses missing with the law that then applies."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules.document import Document
from app.rules.draft import Family
from app.rules.facts.document_facts import extract_facts
from app.rules.rulebook.clauses import (
    MissingClause,
    heading_spans,
    surely_present,
    survey,
    worth_telling,
)
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"


def _survey(text: str, kind: str) -> tuple[set[str], set[str]]:
    present, missing = survey(Document(text), RULES, kind, {})
    return {item.clause.id for item in present}, {item.clause.id for item in missing}


def test_a_lease_shows_its_clauses_and_lacks_two() -> None:
    present, missing = _survey((TEXTS / "housing_lease_es.txt").read_text("utf-8"), "housing_lease")
    assert {
        "duration",
        "price",
        "deposit",
        "rent_update",
        "repairs",
        "costs",
        "preemption",
        "jurisdiction",
    } <= present
    assert missing == {"assignment_lease", "notices"}
    assert "renewal" not in present | missing


def test_a_clause_is_present_or_missing_but_never_both() -> None:
    for path in TEXTS.glob("*.txt"):
        document = Document(path.read_text("utf-8"))
        for kind in RULES.kinds:
            present, missing = survey(document, RULES, kind.id, {})
            assert not {one.clause.id for one in present} & {one.clause.id for one in missing}


def test_a_lease_without_a_term_gets_the_default_of_the_law() -> None:
    text = "ARRENDAMIENTO DE VIVIENDA. La renta será de 700 euros. El arrendatario entrega la fianza."
    _, missing = survey(Document(text), RULES, "housing_lease", {})
    duration = next(item for item in missing if item.clause.id == "duration")
    assert duration.absence is not None
    assert "un año" in duration.absence.text.es
    assert [basis.cite for basis in duration.absence.basis] == ["art. 9.2 LAU", "art. 9.1 LAU"]


def test_the_default_of_the_law_depends_on_the_kind_of_lease() -> None:
    text = "Arrendamiento de local. La renta será de 700 euros."
    _, missing = survey(Document(text), RULES, "business_lease", {})
    deposit = next(item for item in missing if item.clause.id == "deposit")
    assert deposit.absence is not None
    assert "dos mensualidades" in deposit.absence.text.es


@pytest.mark.parametrize(
    "kind", ["claim", "dismissal_letter", "tax_assessment", "enforcement_order", "teac_ruling"]
)
def test_contract_clauses_are_not_expected_outside_contracts(kind: str) -> None:
    present, missing = _survey("La renta será de 700 euros con preaviso y arbitraje.", kind)
    for name in ("price", "notice", "arbitration", "governing_law", "confidentiality"):
        assert name not in present | missing


def test_nothing_is_called_missing_in_an_unknown_document() -> None:
    _, missing = _survey("Texto cualquiera sin tipo.", "unknown")
    assert missing == set()


def test_present_clauses_come_in_the_order_of_the_document() -> None:
    document = Document((TEXTS / "services_en.txt").read_text("utf-8"))
    present, _ = survey(document, RULES, "services", {})
    starts = [item.span.start for item in present]
    assert starts == sorted(starts)


def _told(text: str, kind: str) -> tuple[dict[str, str], list[str]]:
    """Each clause present with its words, and those worth telling as missing."""
    document = Document(text)
    headings = heading_spans(document, extract_facts(text).sections)
    present, missing = survey(document, RULES, kind, {}, headings)
    shown = worth_telling(missing, len(text))
    return {item.clause.id: document.quote(item.span) for item in present}, [item.clause.id for item in shown]


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        (
            "seasonal_lease_es",
            "seasonal_lease",
            {"price": "1.300", "costs": "La luz", "use": "curso académico"},
        ),
        (
            "business_lease_es",
            "business_lease",
            {"deposit": "6.000", "notice": "SEIS MESES", "works": "OBRAS"},
        ),
        (
            "housing_lease_one_paragraph_es",
            "housing_lease",
            {
                "costs": "luz, agua y gas",
                "rent_update": "se actualizarán",
                "repairs": "pequeñas reparaciones",
            },
        ),
        ("housing_lease_firm_en", "housing_lease", {"deposit": "5. DEPOSIT", "duration": "five years"}),
        (
            "services_es",
            "services",
            {"confidentiality": "secreto", "price": "24.000", "termination": "resolver"},
        ),
        (
            "services_firm_en",
            "services",
            {"confidentiality": "5. CONFIDENTIALITY", "force_majeure": "beyond"},
        ),
        ("nda_es", "nda", {"return_of_information": "devolverá", "duration": "dura un año"}),
        (
            "employment_fixed_es",
            "employment",
            {"duration": "se extiende del 11 de mayo", "workplace": "Cieza"},
        ),
        ("employment_en", "employment", {"duration": "indefinite term", "holidays": "23 working days"}),
        ("loan_private_es", "loan", {"interest": "no devenga", "repayment": "sesenta mensualidades"}),
        ("real_estate_sale_es", "real_estate_sale", {"price": "210.000", "charges": "libre de cargas"}),
        ("goods_sale_en", "goods_sale", {"hidden_defects": "conform", "payment": "45 days"}),
        ("distribution_es", "distribution", {"territory": "Asturias", "notice": "seis meses de preaviso"}),
        ("consumer_fair_es", "consumer_terms", {"withdrawal": "catorce días", "price": "incluyen el IVA"}),
    ],
)
def test_clauses_are_found_under_any_usual_drafting(name: str, kind: str, expected: dict[str, str]) -> None:
    text = (TEXTS / f"{name}.txt").read_text("utf-8")
    assert recognise(Document(text), RULES).id == kind
    present, missing = _told(text, kind)
    assert missing == []
    for clause, words in expected.items():
        assert words in present[clause]


def test_entering_without_notice_is_no_notice_clause() -> None:
    present, _ = _survey("La arrendadora podrá entrar en la vivienda sin previo aviso.", "housing_lease")
    assert "notice" not in present


def test_a_penalty_for_delay_is_no_default_interest() -> None:
    text = "ARRENDAMIENTO DE VIVIENDA\n\nPRIMERA. Mora. El retraso devengará una penalización de 100 euros."
    present, _ = _told(text, "housing_lease")
    assert "penalty" in present
    assert "default_interest" not in present


def test_a_waived_extension_is_neither_present_nor_missing() -> None:
    present, missing = _survey("El arrendatario renuncia a toda prórroga.", "housing_lease")
    assert "renewal" not in present | missing
    assert "renewal" in _survey("El contrato se prorrogará por años.", "housing_lease")[0]


def test_a_tax_number_is_no_incoterm() -> None:
    assert "risk_transfer" not in _survey("ALFA, S.L., con CIF [ES_CIF_1].", "distribution")[0]
    assert "risk_transfer" in _survey("Entrega DAP Madrid.", "distribution")[0]


@pytest.mark.parametrize("length", [100, 100_000])
def test_at_most_eight_missing_clauses_are_told_the_weightiest_first(length: int) -> None:
    missing = [
        MissingClause(clause, absence)
        for clause in RULES.clauses
        for absence in clause.absences
        for _ in range(2)
    ]
    told = worth_telling(missing, length)
    assert len(told) == 8
    assert [item.weight for item in told] == [1] * 8
    minor = [item for item in missing if item.weight == 3]
    assert len(worth_telling(minor, length)) == (8 if length > 6000 else 0)


SECRECY = "La receptora mantendrá la información en secreto durante cinco años desde la firma."
DESIGN = (
    "The Designer will redesign the website for a fee of £6,000, half on signing and half on completion. "
    "Either party may end this agreement on 30 days' written notice."
)


@pytest.mark.parametrize(
    ("text", "kind", "clause"),
    [
        (SECRECY, "nda", "duration"),
        (DESIGN, "services", "payment"),
        (DESIGN, "services", "termination"),
        ("La vivienda se arrienda a Ana. El IBI lo paga ella.", "housing_lease", "costs"),
    ],
)
def test_a_clause_is_not_missing_where_words_of_its_subject_stand(text: str, kind: str, clause: str) -> None:
    assert clause not in _survey(text, kind)[1]
    assert clause in _survey("Las partes acuerdan lo siguiente.", kind)[1]


def test_abroad_only_what_the_law_then_supplies_is_told_as_missing() -> None:
    _, missing = survey(Document("Las partes acuerdan lo siguiente."), RULES, "nda", {})
    told = worth_telling(missing, 10_000)
    by_law = worth_telling(missing, 10_000, by_law=True)
    assert any(item.absence is None for item in told)
    assert by_law
    assert all(item.absence is not None for item in by_law)


def _surely(text: str, kind: str, family: Family = "contract") -> set[str]:
    document = Document(text)
    headings = heading_spans(document, extract_facts(text).sections)
    present, _ = survey(document, RULES, kind, {}, headings)
    return {one.clause.id for one in surely_present(document, present, family)}


def test_words_under_the_heading_of_another_clause_are_no_clause() -> None:
    text = (
        "CONTRATO DE DISTRIBUCIÓN\n\nPRIMERA. Objeto. El distribuidor revende los productos.\n\n"
        "SEGUNDA. Protección de datos. Cada parte trata los datos; el distribuidor hará entrega del pedido.\n"
    )
    assert "data_protection" in _surely(text, "distribution")
    assert "delivery" not in _surely(text, "distribution")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Cualquiera de las partes podrá resolver el contrato con un preaviso de dos meses.", True),
        ("La auditoría se anunciará con dos meses de preaviso y en horas de oficina.", False),
    ],
)
def test_a_notice_is_one_to_end_the_contract(words: str, told: bool) -> None:
    text = f"CONTRATO DE SERVICIOS\n\nEl prestador asesora al cliente en su tienda. {words}"
    assert ("notice" in _surely(text, "services")) is told


def test_what_an_act_says_that_it_lacks_is_not_told_as_its_part() -> None:
    lacks = "RESOLUCIÓN SANCIONADORA\n\nPor economía no se exponen los fundamentos de la decisión."
    gives = "RESOLUCIÓN SANCIONADORA\n\nLos fundamentos de la decisión son los que siguen."
    assert "reasons" not in _surely(lacks, "tax_assessment", "act")
    assert "reasons" in _surely(gives, "tax_assessment", "act")


def test_the_term_of_an_earlier_contract_is_not_the_clause_on_the_term() -> None:
    text = (
        "CONTRATO DE SERVICIOS\n\nEl prestador trabajó antes para el cliente con un contrato anterior, "
        "desde el 1 de marzo de 2024 hasta el 31 de agosto de 2024. "
    )
    assert "duration" not in _surely(text, "services")
    assert "duration" in _surely(text + "Este contrato dura dos años desde su firma.", "services")
