"""Short papers of Brazil and Portugal: what is against the law is told, a lawful wording is not."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine

AGAINST_THE_LAW = [
    (
        "BR",
        "laboral",
        "CONTRATO INDIVIDUAL DE TRABALHO\n"
        "\n"
        "São Paulo, 3 de fevereiro de 2026. A empregadora Tecidos Ltda. contrata a empregada "
        "Alice Souza, com registro na CTPS.\n"
        "O contrato de experiência é de 120 dias. A jornada é de 50 horas semanais. O salário é "
        "de R$ 1.200,00 mensais. As horas extras não serão pagas. A empregada renuncia ao FGTS.\n",
        {
            "br_overtime_unpaid",
            "br_rights_waived",
            "br_trial_too_long",
            "br_wage_below_minimum",
            "br_weekly_hours_above_44",
        },
    ),
    (
        "BR",
        "civil",
        "CONTRATO DE LOCAÇÃO RESIDENCIAL\n"
        "\n"
        "O locador Bob Lima aluga ao locatário o imóvel para residência pelo prazo de trinta "
        "meses. O aluguel mensal é de R$ 1.500,00. O locatário presta caução de R$ 9.000,00. O "
        "locador pode reaver o imóvel a qualquer tempo.\n",
        {"br_deposit_excessive", "br_landlord_takes_back"},
    ),
    (
        "BR",
        "civil",
        "TERMOS E CONDIÇÕES DE VENDA do site para o consumidor\n"
        "\n"
        "NÃO ACEITAMOS DEVOLUÇÃO. A loja não se responsabiliza. Entrega em cinco dias após o "
        "pedido.\n",
        {"br_liability_excluded", "br_regret_denied"},
    ),
    (
        "BR",
        "laboral",
        "AVISO DE DISPENSA\n"
        "\n"
        "Comunicamos a sua demissão do contrato de trabalho por justa causa, sem aviso prévio nem "
        "verbas rescisórias.\n",
        {"br_dl_claim", "br_just_cause_vague"},
    ),
    (
        "BR",
        "civil",
        "CONTRATO DE MÚTUO\n"
        "\n"
        "O mutuante empresta ao mutuário a quantia de R$ 5.000,00, com juros à taxa anual de "
        "120%, em parcelas.\n",
        {"br_usury"},
    ),
    (
        "PT",
        "laboral",
        "CONTRATO DE TRABALHO SEM TERMO\n"
        "\n"
        "Lisboa, 3 de fevereiro de 2026. A entidade empregadora Tecidos, Lda. admite a "
        "trabalhadora Alice Costa.\n"
        "O período experimental é de 300 dias. O período normal de trabalho é de 50 horas por "
        "semana. A retribuição mensal é de 700,00 €. O trabalho suplementar não será pago. A "
        "trabalhadora tem férias de 15 dias.\n",
        {
            "pt_leave_short",
            "pt_overtime_unpaid",
            "pt_trial_too_long",
            "pt_wage_below_minimum",
            "pt_weekly_hours_above_48",
        },
    ),
    (
        "PT",
        "civil",
        "CONTRATO DE ARRENDAMENTO PARA HABITAÇÃO\n"
        "\n"
        "O senhorio Bob Nunes dá de arrendamento ao inquilino a fração autónoma pelo prazo de "
        "seis meses. A renda mensal é de 600,00 €. O inquilino entrega uma caução de 3.000,00 €. "
        "O senhorio pode denunciar a qualquer momento. Licença de utilização n.º 5.\n",
        {"pt_landlord_free_exit", "pt_rent_advance_deposit", "pt_term_short"},
    ),
    (
        "PT",
        "civil",
        "CONDIÇÕES GERAIS DE VENDA da loja online para o consumidor\n"
        "\n"
        "NÃO ACEITAMOS DEVOLUÇÕES. Garantia de seis meses. Entrega da encomenda em cinco dias.\n",
        {"pt_warranty_cut", "pt_withdrawal_denied"},
    ),
    (
        "PT",
        "laboral",
        "CARTA DE DESPEDIMENTO\n"
        "\n"
        "Vimos comunicar o seu despedimento e a cessação do contrato de trabalho por estar "
        "grávida, já não precisamos de si.\n",
        {"pt_dl_dismissal", "pt_no_procedure", "pt_no_reason", "pt_protected"},
    ),
    (
        "PT",
        "civil",
        "CONTRATO DE MÚTUO\n"
        "\n"
        "O mutuante empresta ao mutuário a quantia de 5.000 euros, que vence juros à taxa anual "
        "de 30%, em prestações.\n",
        {"pt_usury"},
    ),
]
LAWFUL = [
    (
        "BR",
        "laboral",
        "CONTRATO INDIVIDUAL DE TRABALHO\n"
        "\n"
        "São Paulo, 3 de fevereiro de 2026. A empregadora Tecidos Ltda. contrata a empregada "
        "Alice Souza, com registro na CTPS.\n"
        "O contrato de experiência é de 90 dias. A jornada é de 44 horas semanais. O salário é de "
        "R$ 2.000,00 mensais. As horas extras são pagas com adicional de 50%.\n",
    ),
    (
        "BR",
        "civil",
        "CONTRATO DE LOCAÇÃO RESIDENCIAL\n"
        "\n"
        "O locador Bob Lima aluga ao locatário o imóvel para residência pelo prazo de trinta "
        "meses. O aluguel mensal é de R$ 1.500,00. O locatário presta caução de R$ 4.500,00. O "
        "aluguel é reajustado pelo IPCA.\n",
    ),
    (
        "BR",
        "civil",
        "TERMOS E CONDIÇÕES DE VENDA do site para o consumidor\n"
        "\n"
        "Arrependimento em 7 dias. Entrega em cinco dias após o pedido.\n",
    ),
    (
        "BR",
        "civil",
        "CONTRATO DE MÚTUO\n"
        "\n"
        "O mutuante empresta ao mutuário a quantia de R$ 5.000,00, com juros à taxa anual de 6%, "
        "em parcelas.\n",
    ),
    (
        "PT",
        "laboral",
        "CONTRATO DE TRABALHO SEM TERMO\n"
        "\n"
        "Lisboa, 3 de fevereiro de 2026. A entidade empregadora Tecidos, Lda. admite a "
        "trabalhadora Alice Costa.\n"
        "O período experimental é de 90 dias. O período normal de trabalho é de 40 horas por "
        "semana. A retribuição mensal é de 1.200,00 €. 22 dias úteis de férias.\n",
    ),
    (
        "PT",
        "civil",
        "CONTRATO DE ARRENDAMENTO PARA HABITAÇÃO\n"
        "\n"
        "O senhorio Bob Nunes dá de arrendamento ao inquilino a fração autónoma pelo prazo de "
        "três anos. A renda mensal é de 600,00 €. O inquilino entrega uma caução de 1.200,00 €. "
        "Mora de 20 % da renda. Licença de utilização n.º 5.\n",
    ),
    (
        "PT",
        "civil",
        "CONDIÇÕES GERAIS DE VENDA da loja online para o consumidor\n"
        "\n"
        "Livre resolução em 14 dias. Entrega da encomenda em cinco dias.\n",
    ),
    (
        "PT",
        "civil",
        "CONTRATO DE MÚTUO\n"
        "\n"
        "O mutuante empresta ao mutuário a quantia de 5.000 euros, que vence juros à taxa anual "
        "de 4%, em prestações.\n",
    ),
]


def _met(code: str, branch: str, text: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(text, code, branch, "es"))  # type: ignore[arg-type]
    return {str(one.facts["rule"]) for one in draft.statements if "rule" in one.facts}


@pytest.mark.parametrize(("code", "branch", "text", "rules"), AGAINST_THE_LAW)
def test_what_is_against_the_law_of_the_country_is_told(
    code: str, branch: str, text: str, rules: set[str]
) -> None:
    assert _met(code, branch, text) >= rules
    assert not any(rule.startswith(f"{code.lower()}_") for rule in _met("ES", branch, text))


@pytest.mark.parametrize(("code", "branch", "text"), LAWFUL)
def test_a_lawful_wording_of_the_same_paper_stays_silent(code: str, branch: str, text: str) -> None:
    assert _met(code, branch, text) == set()


def test_a_week_above_44_hours_is_lawful_where_twelve_hours_alternate_with_thirty_six_of_rest() -> None:
    text = (
        "CONTRATO INDIVIDUAL DE TRABALHO\n\n"
        "Entre a empregadora Clínica Aurora Ltda e o empregado João Lima celebra-se o contrato de trabalho.\n"
        "1. O empregado exercerá a função de vigilante.\n"
        "2. A jornada de trabalho será de 48 horas semanais{}.\n"
    )
    alternating = ", em semanas alternadas de 36, no regime de 12x36 pactuado por escrito"
    assert "br_weekly_hours_above_44" in _met("BR", "laboral", text.format(""))
    assert "br_weekly_hours_above_44" not in _met("BR", "laboral", text.format(alternating))
