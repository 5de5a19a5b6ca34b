"""A long document goes to a model in parts: what each is told of the whole, what becomes of the findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.errors import AnswerCut, ModelFailed
from app.analysis.llm import Answer, Question
from app.analysis.llm.drafting import ModelEngine, document_parts, part_findings
from app.analysis.llm.drafting.document_parts import Part
from app.analysis.llm.drafting.overview import overview
from app.analysis.llm.drafting.proposal import Proposal
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Brief, Reading, Section, Statement
from app.text.sentences import FoldedText
from tests import model_answers
from tests.simulated_models import blocks

PARTIES = (
    "CONTRATO DE SUMINISTRO\n\nREUNIDOS\n\nDe una parte, Aceros del Norte, S.A., en adelante el «Proveedor»; "
    "de otra, Talleres Luna, S.L., en adelante la «Cliente».\n\nCLÁUSULAS\n\n"
)
CLAUSES = "".join(
    f"{number}. Pedido número {number}. El Proveedor entrega {number}00 piezas de la serie {number} en diez "
    f"días. El precio se paga en treinta días.\n\n"
    for number in range(1, 61)
)
MEANING = "61. Definiciones. «Pieza» significa cualquier producto de acero que el Proveedor fabrique.\n\n"
TEXT = PARTIES + CLAUSES + MEANING


class Scripted:
    """A model whose answers a test writes, and what it was asked."""

    vendor, model = "test", "test-1"

    def __init__(self, answer: Callable[[Mapping[str, str]], list[dict[str, Any]]]) -> None:
        self._answer = answer
        self.asked: list[dict[str, str]] = []

    def ask(self, question: Question, *, deadline: float) -> Answer:
        material = blocks(question.user)
        self.asked.append(material)
        said = model_answers.analysis(
            self._answer(material), document_kind="supply", summary=f"of {'DOCUMENT' in material}"
        )
        return Answer(said, "test-1", {"input": 10})


def _said(section: str, text: str, *quotes: str, **more: Any) -> dict[str, Any]:
    told = {"citations": [], "proposed_lock": "L4", "severity": "none", "reason": ""}
    return {"section": section, "text": text, "quotes": list(quotes), **told, **more}


def _brief(text: str = TEXT) -> Brief:
    return Brief(text, "ES", "mercantil", "es", reading=Reading(text, "ES"))


def _draft(model: Scripted, most: int, text: str = TEXT) -> Any:
    return ModelEngine("test", model, part_characters=most).analyse(_brief(text))


def test_a_document_within_the_window_goes_whole() -> None:
    model = Scripted(lambda _: [_said("clauses_missing", "No hay cláusula de fuerza mayor.")])
    drafted = _draft(model, 50_000)
    assert [one["DOCUMENT"] for one in model.asked] == [TEXT]
    assert [one.section for one in drafted.statements] == [Section.CLAUSES_MISSING]


def test_each_part_knows_the_outline_the_parties_and_the_terms_of_the_whole() -> None:
    model = Scripted(lambda _: [])
    _draft(model, 3_000)
    *parts, whole = model.asked
    # They are asked about at the same time, in whatever order.
    parts.sort(key=lambda one: TEXT.index(one["DOCUMENT"]))
    assert "".join(one["DOCUMENT"] for one in parts) == TEXT
    for one in (*parts, whole):
        told = one["OVERVIEW"]
        assert all(f"- {number}. Pedido número {number}" in told for number in (1, 30, 60))
        assert "- Aceros del Norte, S.A." in told
        assert re.search(r"- Pieza: .*«Pieza» significa cualquier producto de acero", told)
        assert "- Proveedor: " in told


def test_an_overview_is_bounded_whatever_the_document() -> None:
    text = "".join(
        f'{n}.{m}. Clause. "Term {n} {m}" means {"x" * 500}.\n' for n in range(60) for m in range(9)
    )
    assert len(overview(Reading(text, "ES"), "en")) < 20_000


def test_what_is_missing_is_judged_on_the_whole_alone() -> None:
    def answer(material: Mapping[str, str]) -> list[dict[str, Any]]:
        if "DOCUMENT" in material:
            return [_said("clauses_missing", "No hay precio."), _said("risks", "Riesgo de la parte.")]
        return [_said("clauses_missing", "No hay fuerza mayor."), _said("risks", "Riesgo sin texto.")]

    drafted = _draft(Scripted(answer), 3_000)
    assert [one.text for one in drafted.statements] == ["Riesgo de la parte.", "No hay fuerza mayor."]
    assert drafted.summary == "of False", "the summary is that of the whole"


def test_findings_of_parts_are_told_once_with_the_words_of_each() -> None:
    def answer(material: Mapping[str, str]) -> list[dict[str, Any]]:
        text = material.get("DOCUMENT", "")
        found = [
            _said("risks", "El plazo de entrega de diez días es breve para el proveedor.", severity="low")
        ]
        if "Pedido número 60" in text:
            words = "El Proveedor entrega 6000 piezas de la serie 60"
            found = [
                _said(
                    "risks",
                    "Para el proveedor, el plazo de entrega de diez días es breve.",
                    words,
                    severity="high",
                ),
                _said("amounts", "Se entregan 6000 piezas."),
            ]
        elif "Pedido número 1." in text:
            found.append(_said("amounts", "Se entregan 100 piezas."))
        return found

    drafted = _draft(Scripted(answer), 3_000)
    risk, *amounts = drafted.statements
    assert (risk.severity, risk.quotes) == ("high", ("El Proveedor entrega 6000 piezas de la serie 60",))
    assert [one.text for one in amounts] == ["Se entregan 100 piezas.", "Se entregan 6000 piezas."]


def test_an_issue_of_two_parts_is_one_and_keeps_what_each_says_of_it() -> None:
    def issue(key: str, risk: str, **parts: str) -> list[Statement]:
        return [
            Statement(Section.RISKS, risk, facts={"issue": key}),
            *(Statement(Section.REASONING, text, facts={"issue": key, "part": name})
              for name, text in parts.items()),
        ]  # fmt: skip

    first = issue("1.1", "El plazo de entrega es breve.", application="Diez días.", missing_fact="La serie.")
    same = issue(
        "2.1", "El plazo de entrega es breve.", application="Diez días.", missing_fact="El transporte."
    )
    other = issue("2.2", "No se fija recargo alguno.", application="Diez días.")
    parts = [Proposal("", "", tuple(first)), Proposal("", "", (*same, *other))]
    kept = part_findings.merged(parts, Proposal("supply", "s", ())).statements
    assert [(one.text, one.facts["issue"]) for one in kept] == [
        ("El plazo de entrega es breve.", "1.1"),
        ("Diez días.", "1.1"),
        ("La serie.", "1.1"),
        ("El transporte.", "1.1"),
        ("No se fija recargo alguno.", "2.2"),
        ("Diez días.", "2.2"),
    ]


def test_a_quotation_is_found_where_its_part_has_it() -> None:
    words = "se aplica un recargo del 5 %"
    text = f"{PARTIES}Al pedido 1 {words}.\n\n{CLAUSES}Al pedido 60 {words}.\n\n{MEANING}"

    def answer(material: Mapping[str, str]) -> list[dict[str, Any]]:
        here = "serie 60 " in material.get("DOCUMENT", "")
        return [_said("amounts", "Hay recargo.", "entrega 6000 piezas", words)] if here else []

    [one] = _draft(Scripted(answer), 3_000, text).statements
    assert one.quotes[0] == "entrega 6000 piezas", "what stands once is left as it was"
    found = QuoteFinder(text).find(one.quotes[1])
    assert found is not None
    assert text[found.start : found.end] == "Al pedido 60 se aplica un recargo del 5 %."


def test_a_sentence_that_is_repeated_is_quoted_as_it_was() -> None:
    source = FoldedText("Se paga en mayo. Se firma en junio. Se paga en mayo.")
    part = Part(36, source.text[36:])
    found = Proposal("", "", (Statement(Section.DATES, "Mayo.", quotes=("paga en mayo",)),))
    [one] = part_findings.anchored(found, part, source).statements
    assert one.quotes == ("Se paga en mayo.",)


def test_a_part_whose_answer_is_cut_off_is_asked_about_in_halves() -> None:
    def answer(material: Mapping[str, str]) -> list[dict[str, Any]]:
        text = material.get("DOCUMENT", "")
        if len(text) > 5_000:
            raise AnswerCut("cut")
        return [_said("risks", f"Pedido {one}.") for one in re.findall(r"serie (\d+)", text)]

    model = Scripted(answer)
    drafted = _draft(model, 200_000)
    assert [one.text for one in drafted.statements] == [f"Pedido {n}." for n in range(1, 61)]
    assert drafted.modules[2] == "2 parts"
    assert drafted.usage == {"input": 30}, "two halves and the whole"


def test_a_short_part_whose_answer_is_cut_off_fails() -> None:
    def answer(_: Mapping[str, str]) -> list[dict[str, Any]]:
        raise AnswerCut("cut")

    for most in (3_000, 200_000):
        model = Scripted(answer)
        with pytest.raises(ModelFailed):
            _draft(model, most)
        assert len(model.asked) < 8


@given(st.text(alphabet="ab .\n1", max_size=400), st.integers(1, 50))
def test_parts_joined_are_the_document(text: str, most: int) -> None:
    parts = document_parts.split(text, most)
    assert "".join(one.text for one in parts) == text
    assert all(text[one.start : one.end] == one.text for one in parts)
    for one in parts:
        if len(one.text) > 1:
            assert "".join(half.text for half in one.halves()) == one.text
            assert all(text[half.start : half.end] == half.text for half in one.halves())
