"""Letters that say themselves what was left out, and last days counted from the right day of a paper."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine

_LETTERS = {
    "FR": (
        "LETTRE DE LICENCIEMENT\nLille, le 14 septembre 2026\nMadame, nous vous notifions votre "
        "licenciement. Il n'y a pas eu d'entretien préalable, que nous jugeons inutile. Aucune indemnité de "
        "licenciement ne vous sera versée.",
        {"fr_letter_interview_skipped", "fr_letter_severance_refused"},
    ),
    "PT": (
        "CARTA DE DESPEDIMENTO\nBraga, 14 de setembro de 2026\nFica despedido por incumprimento dos seus "
        "deveres. Não foi elaborada nota de culpa. A empresa não emitirá certificado de trabalho.",
        {"pt_letter_charges_skipped", "pt_certificate_refused"},
    ),
    "PE": (
        "CARTA DE DESPIDO\nLima, 14 de setiembre de 2026\nSeñor: queda usted despedido. No se le cursó "
        "carta de imputación ni se le dio plazo de descargo. Las vacaciones truncas no serán pagadas.",
        {"pe_letter_defence_skipped", "pe_letter_leave_unpaid"},
    ),
    "DE": (
        "KÜNDIGUNG DES ARBEITSVERHÄLTNISSES\nKöln, den 14. September 2026\nWir kündigen Ihr "
        "zum 31. Dezember 2026. Die Kündigung bedarf keiner Begründung. Die Zustimmung des Integrationsamts "
        "haben wir nicht eingeholt.",
        {"de_letter_no_ground_said", "de_letter_disabled_no_consent"},
    ),
    "GB": (
        "TERMINATION OF EMPLOYMENT\n14 September 2026\nDear Mr Pugh, you are dismissed today without notice. "
        "Holiday which you have earned but not taken is forfeited.",
        {"gb_letter_notice_denied", "gb_letter_leave_lost"},
    ),
}


@pytest.mark.parametrize("code", _LETTERS)
def test_a_letter_that_says_what_was_left_out_is_told_so(code: str) -> None:
    text, wanted = _LETTERS[code]
    draft = RulesEngine().analyse(Brief(text, code, "laboral", "en"))
    assert {one.facts["rule"] for one in draft.statements if "rule" in one.facts} >= wanted


def _dated(text: str, code: str, branch: str) -> str:
    draft = RulesEngine().analyse(Brief(text, code, branch, "en"))
    return " ".join(one.text for one in draft.statements if one.section.value == "deadlines")


def test_the_three_weeks_of_a_dismissed_german_worker_run_from_receipt_and_not_from_the_end() -> None:
    letter = _LETTERS["DE"][0] + "\nZugegangen am 14. September 2026"
    told = _dated(letter, "DE", "laboral")
    assert "5 October 2026" in told
    assert "21 January 2027" not in told


def test_a_french_credit_is_withdrawn_from_within_fourteen_days_of_accepting_the_offer() -> None:
    loan = (
        "OFFRE DE CONTRAT DE PRÊT PERSONNEL\nEmprunteur : Mme Roux\nOffre remise le 26 février 2026 et "
        "acceptée le lundi 2 mars 2026\nTAEG fixe : 6,38 %. L'emprunteur peut se rétracter."
    )
    assert "16 March 2026" in _dated(loan, "FR", "civil")


def test_services_bought_online_in_brazil_are_regretted_within_seven_days_and_others_are_not() -> None:
    online = (
        "CONTRATO DE PRESTAÇÃO DE SERVIÇOS DE ACADEMIA\nAcademia Vigor Ltda. e a consumidora Ana Reis, "
        "contratado pela internet em 9 de março de 2026. A academia presta serviços de musculação."
    )
    assert "16 March 2026" in _dated(online, "BR", "civil")
    assert "Regret" not in _dated(online.replace("pela internet", "na recepção"), "BR", "civil")
