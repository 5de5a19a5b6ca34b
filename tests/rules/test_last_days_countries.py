"""Last days that papers of other countries are told, counted by hand from the days that they state."""

from __future__ import annotations

import pytest

from app.rules.brief import Brief
from app.rules.engine import RulesEngine

# Country, branch, rule, the day told, and the paper.
_TOLD = (
    (
        "CL",
        "laboral",
        "cl_ld_settlement",
        "2026-12-12",  # ten days from Monday to Saturday; 8 December is a holiday
        "CARTA DE AVISO DE TÉRMINO DE CONTRATO DE TRABAJO\n\nTemuco, 16 de noviembre de 2026\n\nSeñor Luis "
        "Soto.\n"
        "Comunicamos que se pone término a su contrato de trabajo, vigente desde el 4 de marzo de 2019, a "
        "contar del "
        "30 de noviembre de 2026, por la causal del artículo 161, necesidades de la empresa.",
    ),
    (
        "PE",
        "laboral",
        "pe_ld_probation",
        "2027-02-28",
        "CONTRATO DE TRABAJO SUJETO A MODALIDAD POR INICIO DE ACTIVIDAD\n\nPiura, 26 de noviembre de 2026\n\n"
        "El contrato empieza el 1 de diciembre de 2026 y vence el 30 de noviembre de 2027. El periodo de "
        "prueba es el "
        "de ley. La remuneración del trabajador es de S/ 1,500.00 mensuales.",
    ),
    (
        "MX",
        "laboral",
        "mx_dl_dismissal_claim",
        "2027-01-18",
        "AVISO DE RESCISIÓN DE LA RELACIÓN DE TRABAJO\n\nMérida, Yucatán, a 18 de noviembre de 2026\n\nC. "
        "Ana Pech.\n"
        "Se le comunica que se rescinde la relación de trabajo sin responsabilidad para el patrón, con "
        "fundamento en el "
        "artículo 47 de la Ley Federal del Trabajo.",
    ),
    (
        "CO",
        "civil",
        "co_ld_tenant_notice",
        "2027-08-30",
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA URBANA\n\nBogotá D.C., 27 de noviembre de 2026\n\nEl "
        "arrendador y la "
        "arrendataria convienen el arrendamiento del apartamento. El término es de un año, desde el 1 de "
        "diciembre de "
        "2026 hasta el 30 de noviembre de 2027. El canon es de $1.500.000 mensuales.",
    ),
    (
        "BR",
        "civil",
        "br_ld_renewal_action",
        "2030-11-30",
        "CONTRATO DE LOCAÇÃO COMERCIAL\n\nA locadora dá em locação à locatária a loja para padaria. O "
        "prazo é de 60 "
        "meses, de 1º de dezembro de 2026 a 30 de novembro de 2031. O aluguel é de R$ 9.000,00 por "
        "mês.\n\nCuritiba, "
        "24 de novembro de 2026.",
    ),
    (
        "DE",
        "civil",
        "de_ld_presumption",
        "2027-11-23",
        "KAUFVERTRAG ÜBER EIN GEBRAUCHTES FAHRZEUG\n\nVerkäufer ist das Autohaus, Käuferin eine "
        "Verbraucherin. Das "
        "Fahrzeug wurde der Käuferin am 23. November 2026 in Ulm ausgeliefert. Der Kaufpreis beträgt 9.000 "
        "Euro. Die "
        "Gewährleistung richtet sich nach dem Gesetz.\n\nUlm, den 12. November 2026",
    ),
    (
        "FR",
        "civil",
        "fr_ld_least_term",
        "2029-11-30",
        "CONTRAT DE LOCATION D'UN LOGEMENT NU\n\nLyon, le 5 novembre 2026\n\nLe bailleur loue au locataire "
        "l'appartement vide. Le bail est conclu à compter du 1er décembre 2026 pour un an. Le loyer est de "
        "640 euros "
        "par mois et le dépôt de garantie de 640 euros.",
    ),
    (
        "PT",
        "laboral",
        "pt_ld_suspension",
        "2026-11-23",
        "Leiria, 16 de novembro de 2026\n\nEntregue em mão própria\n\nASSUNTO: DECISÃO DE DESPEDIMENTO POR "
        "EXTINÇÃO DO POSTO "
        "DE TRABALHO\n\nComunicamos a decisão de despedimento por extinção do posto de trabalho. O "
        "contrato cessa em 30 "
        "de novembro de 2026.",
    ),
    (
        "IT",
        "civil",
        "it_ld_works",
        "2029-02-26",
        "CONTRATTO DI APPALTO\n\nL'appaltatore esegue i lavori nei locali del committente. Art. 3. Inizio "
        "il 1 dicembre "
        "2026; ultimazione e consegna entro il 26 febbraio 2027. Il corrispettivo è di euro "
        "40.000,00.\n\nBari, 20 "
        "novembre 2026",
    ),
    (
        "GB",
        "civil",
        "gb_ld_cancel_service",
        "2026-12-07",
        "ALARM MONITORING TERMS AND CONDITIONS FOR CONSUMERS\n\nSigned at the customer's home in Hexham on "
        "Monday 23 "
        "November 2026. The company installs and monitors the alarm. A consumer may cancel as the law "
        "provides.",
    ),
)


@pytest.mark.parametrize(("code", "branch", "rule", "day", "paper"), _TOLD)
def test_a_paper_of_another_country_is_told_the_last_day(
    code: str, branch: str, rule: str, day: str, paper: str
) -> None:
    told = RulesEngine().analyse(Brief(paper, code, branch, "es")).statements
    days = {one.facts.get("rule"): one.facts.get("until") for one in told if one.section == "deadlines"}
    assert days.get(rule) == day


def test_a_day_of_an_earlier_relation_starts_no_period() -> None:
    paper = (
        "CONTRATO DE TRABAJO SUJETO A MODALIDAD\n\nLima, 1 de octubre de 2026\n\nLa trabajadora laboró "
        "desde el 2 de mayo de "
        "2019 hasta el 30 de junio de 2026. El contrato rige desde el 5 de octubre de 2026. El periodo de "
        "prueba es el "
        "legal. La remuneración es de S/ 1,500.00."
    )
    told = RulesEngine().analyse(Brief(paper, "PE", "laboral", "es")).statements
    days = {one.facts.get("rule"): one.facts.get("until") for one in told if one.section == "deadlines"}
    assert days.get("pe_ld_probation") == "2027-01-04"


def test_a_sale_between_companies_is_told_no_consumer_period() -> None:
    paper = (
        "CONDITIONS OF SUPPLY\n\nNottingham, 9 November 2026\n\nThe Company supplies and installs pumps at "
        "the Customer's "
        "site. The Customer may cancel an order on ten days' notice. Liability under the Consumer "
        "Protection Act 1987 "
        "is not excluded. Orders are accepted online."
    )
    told = RulesEngine().analyse(Brief(paper, "GB", "civil", "es")).statements
    assert not [one for one in told if str(one.facts.get("rule", "")).startswith("gb_ld_cancel")]


_TOLD_MORE = (
    (
        "GB",
        "gb_ld_deposit",
        "2025-04-08",  # thirty days that begin with the day of receipt
        "Dear Tom and Aisha,\n\nYour tenancy of the flat has ended and we write as your landlord's agent "
        "about the money we hold.\n\n1. The deposit\nYou paid £900 on 10 March 2025. It was lodged in "
        "July.\n\n2. Rent\nThe rent for June is unpaid. Please return the keys.",
    ),
    (
        "EU",
        "eu_ld_withdrawal_services",
        "2026-10-22",
        "TERMS OF MEMBERSHIP\n\nThe consumer, resident in Porto, joins the language club. Contract concluded "
        "on our website on 8 October 2026. The membership fee is EUR 30 a month for online classes. The "
        "consumer may withdraw as the law provides.",
    ),
    (
        "IT",
        "it_ld_credit_withdrawal",
        "2026-10-19",
        "CONTRATTO DI PRESTITO PERSONALE\n\nLa finanziaria concede in prestito al consumatore, che si "
        "obbliga a rimborsare in 36 rate, euro 6.000,00. Interessi: TAN 7,00 %; TAEG 8,10 "
        "%.\n\nConcluso a Lecce il 5 ottobre 2026.",
    ),
    (
        "PT",
        "pt_ld_withdrawal_services",
        "2026-10-22",
        "CONTRATO DE PRESTAÇÃO DE SERVIÇOS DE MANUTENÇÃO\n\nAssinado em casa do Cliente, em Évora, no dia 8 "
        "de outubro de 2026, para a habitação do Cliente, consumidor. A prestadora limpa a caldeira duas "
        "vezes por ano a partir de 4 de janeiro de 2027. O preço é de 90 euros por ano.",
    ),
)


@pytest.mark.parametrize(("code", "rule", "day", "paper"), _TOLD_MORE)
def test_withdrawal_and_the_guard_of_a_deposit_end_on_their_day(
    code: str, rule: str, day: str, paper: str
) -> None:
    told = RulesEngine().analyse(Brief(paper, code, "civil", "es")).statements
    days = {one.facts.get("rule"): one.facts.get("until") for one in told if one.section == "deadlines"}
    assert days.get(rule) == day


def test_services_signed_on_business_premises_are_told_no_day_of_withdrawal() -> None:
    paper = _TOLD_MORE[3][3].replace("em casa do Cliente, em Évora", "na loja da prestadora")
    told = RulesEngine().analyse(Brief(paper, "PT", "civil", "es")).statements
    assert "pt_ld_withdrawal_services" not in {one.facts.get("rule") for one in told}
