"""The words around a fact that are quoted with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.document_facts import extract_facts
from app.rules.facts.evidence import LIMIT, passage
from app.rules.facts.money.amounts import Amount
from app.rules.facts.people.parties import Party
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.deadlines import Deadline
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules.documents import DOCUMENTS


def around(text: str, words: str) -> str:
    start = text.index(words)
    first, last = passage(FoldedText(text), start, start + len(words))
    return text[first:last]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (
            "CONTRATO DE ARRENDAMIENTO\nEn Valencia, a 15 de septiembre de 2026.\nREUNIDOS",
            "15 de septiembre de 2026",
            "En Valencia, a 15 de septiembre de 2026.",
        ),
        (
            "En Madrid, a 3 de marzo de 2026\nCONTRATO DE OBRA\nEl plazo será de un mes.",
            "3 de marzo de 2026",
            "En Madrid, a 3 de marzo de 2026",
        ),
        (
            "CUARTA. Fianza. Se entregan 900 euros. QUINTA. Gastos. Son del arrendador.",
            "900 euros",
            "Se entregan 900 euros.",
        ),
        (
            "Principal: 1.200,00 €\nRecargo de apremio: 240,00 €\nTotal: 1.440,00 €",
            "240,00 €",
            "Recargo de apremio: 240,00 €",
        ),
        ("3.1 Rent. The rent is £950 per month.", "£950", "The rent is £950 per month."),
    ],
)
def test_a_passage_is_the_sentence_without_its_heading(text: str, words: str, expected: str) -> None:
    assert around(text, words) == expected


def test_a_long_sentence_is_cut_where_a_clause_ends() -> None:
    text = (
        "El arrendatario, " + "que declara conocer el estado de la vivienda, " * 8 + "entregará 900 euros, "
        "como fianza, " + "que el arrendador depositará donde proceda, " * 8 + "según la ley."
    )
    found = around(text, "900 euros")
    assert len(found) <= LIMIT
    assert "entregará 900 euros, como fianza" in found
    assert text[text.index(found) + len(found)] in ",;. "


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_fact_of_a_document_has_a_short_literal_passage(name: str) -> None:
    text = DOCUMENTS[name]
    facts = extract_facts(text)
    stated: list[Party | DateMention | Amount | Deadline] = [*facts.parties, *facts.dates]
    stated += [*facts.amounts, *facts.deadlines]
    for fact in stated:
        words = facts.passage(fact)
        assert words in text
        assert fact.quote in words
        assert len(words) <= max(LIMIT, len(fact.quote)) + 30


@given(st.text(alphabet="Aa. ,;:\n1-(ñÉ", max_size=120), st.data())
def test_any_stretch_lies_inside_its_passage(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = passage(FoldedText(text), start, end, 20)
    assert 0 <= first <= start <= end <= last <= len(text)


@pytest.mark.parametrize("unit", ["1 euro, ", "1 euro ", "A\n1 euro\n", "a: 1 euro; "])
def test_hostile_passages_are_read_in_linear_time(unit: str) -> None:
    def quote(text: str) -> list[str]:
        facts = extract_facts(text)
        return [facts.passage(fact) for fact in facts.amounts]

    assert_linear(quote, unit)
