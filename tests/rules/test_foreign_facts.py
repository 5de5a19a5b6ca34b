"""Facts, kinds, quantities and clauses of documents in Portuguese, French, Italian and German."""

from __future__ import annotations

from decimal import Decimal

import pytest

from app.rules import Brief, RulesEngine, extract_facts
from app.rules.reading import Reading
from app.rules.rulebook.clauses import heading_spans, survey
from app.rules.rulebook.quantities import find_quantities

PORTUGUESE = """CONTRATO DE ARRENDAMENTO URBANO PARA HABITAÇÃO

Entre:
João Manuel Ferreira da Silva, NIF [PT_NIF_1], residente em Lisboa, adiante designado por "Senhorio"; e
Imobiliária do Tejo, Lda., com sede em Lisboa, representada por Ana Costa, adiante designada por "Inquilina",
é celebrado o presente contrato, que se rege pelas cláusulas seguintes:

CLÁUSULA PRIMEIRA (Objeto)
O Senhorio dá de arrendamento à Inquilina a fração autónoma para habitação.

Cláusula 2.ª - Prazo
O contrato é celebrado pelo prazo de cinco anos, com início em 1 de março de 2026.

Cláusula 3.ª - Renda
A renda mensal é de 1.250,00 € (mil duzentos e cinquenta euros), a pagar até ao dia 8.
A caução é de 3.750,00 €.
A mora vence juros de mora à taxa de 20 por cento. O senhorio pode opor-se à renovação com 60 dias.

Lisboa, 3 de fevereiro de 2026
"""
FRENCH = """CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE

Entre les soussignés :
La société Dupont Conseil, SARL au capital de 10 000 euros, sise à Lyon, représentée par M. Jean Dupont,
ci-après dénommée « l'Employeur », d'une part,
et
Mme Claire Martin, née le 12 mai 1990, demeurant à Lyon, ci-après dénommée « la Salariée », d'autre part,

Article 1er - Engagement
La Salariée est engagée à compter du 1er mars 2026. La période d'essai est de huit mois.

Article 2 - Rémunération
La rémunération mensuelle brute est fixée à 2 350,50 €.

Article 3 - Durée du travail
La durée du travail est de trente-cinq heures par semaine, avec vingt-cinq jours ouvrés de congés.

Fait à Lyon, le 3 février 2026
"""
ITALIAN = """CONTRATTO DI LOCAZIONE AD USO ABITATIVO

Tra il Sig. Mario Rossi, nato a Roma il 4 aprile 1970, di seguito denominato "Locatore", e la Sig.ra Lucia
Bianchi, di seguito denominata "Conduttrice", si conviene e si stipula quanto segue:

Art. 1 - Oggetto
Il Locatore concede in locazione l'immobile sito in Roma.

Art. 2 - Durata
La locazione avrà la durata di due anni, a decorrere dal 1° marzo 2026.

Art. 3 - Canone
Il canone annuo è di euro 12.000,00 (dodicimila). Il deposito cauzionale è pari a sei mensilità.
Il conduttore può recedere con preavviso di sei mesi. Interessi di mora al 15 per cento.

Roma, 3 febbraio 2026
"""
GERMAN = """Arbeitsvertrag

Zwischen der Firma Müller & Söhne GmbH, Hauptstraße 5, 10115 Berlin, vertreten durch den Geschäftsführer Herrn
Peter Müller
- nachfolgend "Arbeitgeber" genannt -
und
Frau Sabine Krüger, wohnhaft in Berlin
- nachfolgend "Arbeitnehmerin" genannt -
wird folgender Arbeitsvertrag geschlossen:

§ 1 Beginn des Arbeitsverhältnisses
Das Arbeitsverhältnis beginnt am 1. März 2026. Die Probezeit beträgt neun Monate.

§ 2 Vergütung
Die Arbeitnehmerin erhält eine monatliche Vergütung von 2.850,00 EUR brutto.

§ 3 Urlaub
Der Urlaub beträgt fünfzehn Arbeitstage. Die Kündigungsfrist beträgt 4 Wochen.

Berlin, den 3. Februar 2026
"""
DOCUMENTS = {"PT": PORTUGUESE, "FR": FRENCH, "IT": ITALIAN, "DE": GERMAN}
CODES = list(DOCUMENTS)


@pytest.mark.parametrize("code", CODES)
def test_a_date_is_read_with_its_month_and_what_it_is_the_date_of(code: str) -> None:
    facts = extract_facts(DOCUMENTS[code], code)
    dated = {item.iso: item.role for item in facts.dates}
    assert dated["2026-03-01"] == "start"
    assert dated["2026-02-03"] == "signature"
    assert facts.dated("contract") == "2026-02-03"


@pytest.mark.parametrize(
    ("text", "code", "iso"),
    [
        ("O contrato da empresa é celebrado em três de fevereiro de dois mil e vinte e seis em Lisboa.", "PT",
         "2026-02-03"),
        ("Le contrat est signé par les parties le 1er avril 2026 et une copie est remise au salarié.", "FR",
         "2026-04-01"),
        ("Il contratto è concluso dalle parti in data 05/03/2026 e per la durata della locazione.", "IT",
         "2026-03-05"),
        ("Der Vertrag ist von den Parteien am 05.03.2026 geschlossen und die Miete ist fällig.", "DE",
         "2026-03-05"),
    ],
)  # fmt: skip
def test_dates_in_words_and_figures_put_the_day_first(text: str, code: str, iso: str) -> None:
    assert [item.iso for item in extract_facts(text, code).dates] == [iso]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("PT", [("1250.00", "EUR", "rent", "month"), ("3750.00", "EUR", "deposit", None),
                ("20", None, "interest", None)]),
        ("FR", [("10000", "EUR", "principal", None), ("2350.50", "EUR", "salary", "month")]),
        ("IT", [("12000.00", "EUR", "rent", "year"), ("15", None, "interest", None)]),
        ("DE", [("2850.00", "EUR", "salary", "month")]),
    ],
)  # fmt: skip
def test_an_amount_is_read_with_its_currency_purpose_and_period(code: str, expected: list[object]) -> None:
    amounts = extract_facts(DOCUMENTS[code], code).amounts
    assert [(str(one.value), one.currency, one.purpose, one.period) for one in amounts] == expected


def test_money_of_brazil_and_the_month_of_march_are_told_apart() -> None:
    text = "O valor da multa é de R$ 1.234,56 e não pode ser pago em parcelas pelo locatário ou pela fiadora."
    [amount] = extract_facts(text, "BR").amounts
    assert (amount.value, amount.currency) == (Decimal("1234.56"), "BRL")
    assert (
        extract_facts("Le loyer est dû le 1er mars 2026 au bailleur et par les locataires.", "FR").amounts
        == ()
    )


@pytest.mark.parametrize(
    ("code", "parties"),
    [
        ("PT", [("João Manuel Ferreira da Silva", "landlord"), ("Imobiliária do Tejo, Lda.", "tenant"),
                ("Ana Costa", "representative")]),
        ("FR", [("Dupont Conseil, SARL", "employer"), ("Jean Dupont", "representative"),
                ("Claire Martin", "employee")]),
        ("IT", [("Mario Rossi", "landlord"), ("Lucia Bianchi", "tenant")]),
        ("DE", [("Müller & Söhne GmbH", "employer"), ("Peter Müller", "representative"),
                ("Sabine Krüger", "employee")]),
    ],
)  # fmt: skip
def test_a_party_has_the_part_that_its_short_name_says(code: str, parties: list[tuple[str, str]]) -> None:
    found = extract_facts(DOCUMENTS[code], code).parties
    assert [(one.name, one.role_key) for one in found] == parties
    for one in found:
        assert DOCUMENTS[code][one.start : one.end] == one.quote


def test_a_part_before_a_colon_names_a_party() -> None:
    text = "Vermieter: Hans Weber\nMieterin: Petra Schulz\n\nDie Miete ist von der Mieterin im Mai zu zahlen."
    found = extract_facts(text, "DE").parties
    assert [(one.name, one.role_key) for one in found] == [
        ("Hans Weber", "landlord"),
        ("Petra Schulz", "tenant"),
    ]


@pytest.mark.parametrize(
    ("code", "headings"),
    [
        ("PT", [("1", "(Objeto)"), ("2", "Prazo"), ("3", "Renda")]),
        ("FR", [("1", "Engagement"), ("2", "Rémunération"), ("3", "Durée du travail")]),
        ("IT", [("1", "Oggetto"), ("2", "Durata"), ("3", "Canone")]),
        ("DE", [("1", "Beginn des Arbeitsverhältnisses"), ("2", "Vergütung"), ("3", "Urlaub")]),
    ],
)
def test_a_document_is_cut_at_its_headings(code: str, headings: list[tuple[str, str]]) -> None:
    blocks = extract_facts(DOCUMENTS[code], code).sections
    assert [(one.number, one.heading) for one in blocks if one.number] == headings


@pytest.mark.parametrize(
    ("code", "kind", "quantities", "clauses"),
    [
        ("PT", "housing_lease", {"rent": "1250.00", "deposit": "3750.00", "default_interest": "20"},
         {"deposit", "duration"}),
        ("FR", "employment", {"wage": "2350.50", "weekly_hours": "35"}, {"trial_period", "working_hours"}),
        ("IT", "housing_lease", {"rent": "12000.00", "default_interest": "15"}, {"deposit", "notice"}),
        ("DE", "employment", {"wage": "2850.00"}, {"trial_period", "holidays"}),
    ],
)  # fmt: skip
def test_kind_quantities_and_clauses_are_found_in_the_language_of_the_document(
    code: str, kind: str, quantities: dict[str, str], clauses: set[str]
) -> None:
    reading = Reading(DOCUMENTS[code], code)
    assert reading.recognition.id == kind
    document, facts = reading.document, reading.facts
    found = find_quantities(document, facts.amounts, reading.rules.terms, kind, facts.dates)
    assert quantities.items() <= {term: str(one.value) for term, one in found.items()}.items()
    headings = heading_spans(document, facts.sections)
    present, _ = survey(document, reading.rules, kind, found, headings)
    assert clauses <= {one.clause.id for one in present}


@pytest.mark.parametrize(
    ("code", "term", "months"),
    [("FR", "trial_period", 8), ("DE", "trial_period", 9), ("IT", "lease_term", 24)],
)
def test_a_duration_is_read_with_the_units_of_its_language(code: str, term: str, months: int) -> None:
    reading = Reading(DOCUMENTS[code], code)
    found = find_quantities(
        reading.document, reading.facts.amounts, reading.rules.terms, reading.recognition.id
    )
    assert found[term].months == months


@pytest.mark.parametrize("code", CODES)
def test_an_answer_is_in_spanish_or_english_and_quotes_the_document(code: str) -> None:
    for language, parties in (
        ("es", ("Parte", "Empresa", "Representante", "Persona")),
        ("en", ("Landlord", "Tenant", "Employer", "Employee", "Represent")),
    ):
        draft = RulesEngine().analyse(Brief(DOCUMENTS[code], code, "civil", language))  # type: ignore[arg-type]
        named = [one for one in draft.statements if one.section == "parties"]
        assert named
        assert all(one.text.startswith(parties) for one in named)
        for one in draft.statements:
            assert all(quote in DOCUMENTS[code] for quote in one.quotes)
