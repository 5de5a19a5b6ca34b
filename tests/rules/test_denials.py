"""A negation right before some words denies them, in the language of the document."""

from __future__ import annotations

import pytest

from app.rules.document import Document, Span
from app.rules.rulebook.denials import denied
from app.text.sentences import FoldedText

_DENIED = (
    ("PT", "O trabalhador muda de funções, sem qualquer diminuição da retribuição.", "diminuição"),
    ("PT", "A cláusula não importa renúncia aos direitos do consumidor.", "renúncia"),
    ("FR", "Le salarié ne peut renoncer à ses congés payés.", "renoncer"),
    ("FR", "Le bail est conclu sans interdiction de céder le fonds.", "interdiction"),
    ("IT", "Il conduttore non può essere escluso dalla prelazione.", "escluso"),
    ("DE", "Der Anspruch der Mieterin wird nicht ausgeschlossen.", "ausgeschlossen"),
    ("ES", "El contrato no supone renuncia de derechos.", "renuncia"),
)
_SAID = (
    ("PT", "No contrato a retribuição pode ser reduzida pelo empregador.", "retribuição"),
    ("PT", "Se não renunciar por escrito, o trabalhador fica obrigado.", "renunciar"),
    ("FR", "On ne paye pas les heures supplémentaires du salarié.", "paye pas les heures"),
    ("IT", "Se non paga entro il termine, il contratto si risolve.", "paga"),
    ("DE", "Wenn nicht gekündigt wird, verlängert sich der Vertrag.", "gekündigt"),
)

# What is read before tells the language, which one sentence may not.
_OPENING = {
    "PT": "O presente contrato é celebrado entre as partes e rege-se pelas cláusulas que seguem. ",
    "FR": "Le présent contrat est conclu entre les parties et il est régi par les clauses qui suivent. ",
    "IT": "Il presente contratto è stipulato tra le parti ed è regolato dalle clausole che seguono. ",
    "DE": "Der Vertrag wird zwischen den Parteien geschlossen und ist nach den folgenden Regeln zu lesen. ",
    "ES": "El presente contrato se celebra entre las partes y se rige por las cláusulas siguientes. ",
}


def _is_denied(code: str, text: str, words: str) -> bool:
    text = _OPENING[code] + text
    document = Document(text, FoldedText(text, code))
    start = text.index(words)
    return denied(document, Span(start, start + len(words)), document.sentence(Span(start, start + 1)))


@pytest.mark.parametrize(("code", "text", "words"), _DENIED)
def test_words_that_a_negation_precedes_are_denied(code: str, text: str, words: str) -> None:
    assert _is_denied(code, text, words)


@pytest.mark.parametrize(("code", "text", "words"), _SAID)
def test_a_condition_and_a_denial_that_the_rule_names_are_not(code: str, text: str, words: str) -> None:
    assert not _is_denied(code, text, words)
