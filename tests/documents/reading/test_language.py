"""The language of a document."""

from __future__ import annotations

import pytest

from app.documents.reading.language import language_of

SENTENCES = {
    "es": "El arrendador cede la vivienda al arrendatario por el plazo de cinco años y este la acepta "
    "con todas sus obligaciones, según lo que se establece en la presente cláusula.",
    "en": "The landlord lets the premises to the tenant for a term of five years, and the tenant "
    "shall pay the rent on the first day of each month.",
    "pt": "O senhorio cede ao inquilino o uso da fração pelo prazo de cinco anos, e o inquilino "
    "obriga-se a pagar a renda até ao oitavo dia de cada mês, nos termos do presente contrato.",
    "fr": "Le bailleur donne en location au preneur les locaux pour une durée de cinq ans, et le "
    "preneur les accepte dans les conditions qui sont prévues par le présent contrat.",
    "it": "Il locatore concede in locazione al conduttore l'immobile per la durata di cinque anni, e "
    "il conduttore lo accetta alle condizioni che sono previste nel presente contratto.",
    "de": "Der Vermieter überlässt dem Mieter die Wohnung für die Dauer von fünf Jahren, und der "
    "Mieter zahlt die Miete bis zum dritten Werktag eines jeden Monats.",
    "ca": "L'arrendador cedeix l'habitatge a l'arrendatari pel termini de cinc anys, i aquest "
    "l'accepta amb totes les seves obligacions, segons el que s'estableix en aquest contracte, "
    "que els dos signen.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_function_words_tell_the_language(language: str) -> None:
    assert language_of(SENTENCES[language] * 2) == language


@pytest.mark.parametrize(
    "text", ["", "1.250,00 € 3/2026", "ACME Holding Ltd", "lorem ipsum dolor sit amet " * 20]
)
def test_what_has_none_has_no_language(text: str) -> None:
    assert language_of(text) is None
