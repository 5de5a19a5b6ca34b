"""Recommendations as a stranger reads them: on what each one is, and whose turn it is."""

from __future__ import annotations

import pytest

from app.rules.render.advice import parties_to, without_opening, worded
from app.rules.rulebook.loader import codes, rulebook
from app.text.bilingual import Bilingual

_DELETE = Bilingual("Suprimirla.", "Delete it.")
_WAIVER = "El consumidor renuncia al desistimiento: no cabe."


def test_an_instruction_opens_with_what_the_risk_says_of_the_document() -> None:
    advice = Bilingual("Reconocer catorce días.", "Grant fourteen days.")
    told = worded(advice, _WAIVER, None, "es")
    assert told == "El consumidor renuncia al desistimiento: reconocer catorce días."
    assert worded(advice, "The waiver is void.", None, "en") == "The waiver is void: grant fourteen days."


def test_an_instruction_to_delete_names_what_is_to_go() -> None:
    told = worded(_DELETE, _WAIVER, None, "es")
    assert told == "El consumidor renuncia al desistimiento: suprimir esa cláusula."
    assert worded(_DELETE, "The waiver is void.", None, "en") == "The waiver is void: delete that clause."
    more = Bilingual("Suprimirlas e informar.", "Delete them and inform.")
    assert (
        worded(more, "Se cobran multas.", None, "es") == "Se cobran multas: suprimir esa cláusula e informar."
    )
    assert worded(_DELETE, "", None, "es") == "Suprimirla."


def test_what_protects_the_guarantor_of_a_loan_is_the_guarantors_to_ask_for() -> None:
    loan = parties_to(("loan",), "loan")
    told = worded(_DELETE, "El fiador renuncia a liberarse por nuevo crédito.", loan, "es", "high")
    assert told.endswith("corresponde al prestamista suprimirla; el fiador puede exigirlo.")
    assert "el prestatario" in worded(_DELETE, "Se pactan intereses sobre intereses.", loan, "es", "high")


def test_under_its_risk_the_opening_is_left_out() -> None:
    text = worded(_DELETE, _WAIVER, None, "es")
    assert without_opening(text, f"{_WAIVER} La ley lo impide.") == "Suprimir esa cláusula."
    assert without_opening(text, "Otro riesgo.") == text
    assert without_opening("Anotar el día.", _WAIVER) == "Anotar el día."


def test_it_says_who_can_do_it_where_one_party_writes_the_paper() -> None:
    parties = parties_to(("consumer_terms", "membership"), "membership")
    told = worded(_DELETE, "La renuncia es nula.", parties, "es", "high", void=True)
    opening, _, said = told.partition(": ")
    assert opening == "La renuncia es nula"
    assert said == (
        "corresponde a la empresa suprimirla; el consumidor puede exigirlo, y no le obliga "
        "lo que sea abusivo."
    )
    landlord = parties_to(("housing_lease",), "housing_lease")
    advice = Bilingual("Limitar la fianza; si se pagó, pedirla.", "Limit the deposit; if paid, claim it.")
    assert worded(advice, "", landlord, "es", "medium") == (
        "Corresponde al arrendador limitar la fianza; el arrendatario puede pedirlo. Si se pagó, pedirla."
    )
    assert worded(advice, "", landlord, "en", "high") == (
        "It is for the landlord to limit the deposit; the tenant may insist on it. If paid, claim it."
    )


@pytest.mark.parametrize(
    "advice",
    [
        Bilingual("Reclamar lo pagado.", "Claim what was paid."),
        Bilingual("Limitarlo e impugnar el exceso.", "Limit it and challenge the excess."),
        Bilingual("No entregar las llaves.", "Do not hand over the keys."),
    ],
)
def test_what_the_protected_party_does_is_not_put_on_the_other(advice: Bilingual) -> None:
    told = worded(advice, "", parties_to(("housing_lease",), "housing_lease"), "es")
    assert told == advice.es


def test_what_can_be_done_only_before_signing_supposes_that_nothing_is_signed() -> None:
    advice = Bilingual("No firmar.", "Do not sign.")
    assert worded(advice, "", None, "es") == "Si aún no se ha firmado, no firmar."
    assert worded(advice, "", None, "en") == "If it is not signed yet, do not sign."


def test_a_sentence_that_says_who_can_do_what_is_left_as_it_is() -> None:
    advice = Bilingual("El inquilino puede irse.", "The tenant may leave.")
    assert worded(advice, "Un riesgo.", parties_to(("housing_lease",), "housing_lease"), "es") == advice.es


def test_words_without_a_verb_open_so_too() -> None:
    told = worded(Bilingual("Casilla sin marcar.", "Unticked box."), "La casilla viene marcada.", None, "es")
    assert told == "La casilla viene marcada: casilla sin marcar."


def test_of_several_kinds_with_other_parties_none_is_taken() -> None:
    assert parties_to(("franchise", "loan"), "services") is None
    assert parties_to(("services", "consumer_terms"), "loan_for_use") is None
    assert parties_to(("franchise", "loan"), "loan") is not None


def test_no_recommendation_of_any_country_is_a_word_without_an_object() -> None:
    for code in codes():
        for risk in rulebook(code).risks:
            for language in ("es", "en"):
                told = worded(risk.advice, risk.title.in_(language), None, language)
                assert len(told.split()) >= 4, (risk.id, told)
