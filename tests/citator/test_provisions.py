"""What repealing and amending provisions are read to do: to which articles, in part or whole, in which words."""

from __future__ import annotations

import pytest

from app.citator import citing_passages

# ruff: noqa: E501 (provisions are one line each)

LAW = "Ley 12/2001, de 9 de julio"


def repealed(text: str) -> set[tuple[str, str, bool]]:
    found = citing_passages.repealing(f"Quedan derogadas:\n{text}", "ES", "ES:own")
    return {(mention.cited, mention.article, mention.partial) for mention in found}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"a) {LAW}, de medidas.", {("", False)}),
        (f"a) El artículo 87 de la {LAW}.", {("87", False)}),
        (f"a) Los artículos 4 a 7 de la {LAW}.", {(str(one), False) for one in range(4, 8)}),
        (f"a) El apartado 3 del artículo 110 de la {LAW}.", {("110", True)}),
        (f"a) Los artículos 12, 13 y disposición adicional sexta de la {LAW}.", {("12", False), ("13", False), ("da6", False)}),
        (
            f"a) Las disposiciones adicionales primera y tercera y la disposición transitoria duodécima de la {LAW}.",
            {("da1", False), ("da3", False), ("dt12", False)},
        ),
        (f"a) El artículo 17 y el apartado 1 de la disposición transitoria novena de la {LAW}.", {("17", False), ("dt9", True)}),
        (f"a) Los Títulos I y III de la {LAW}.", {("", True)}),
        (f"a) {LAW}, excepto los artículos 8 y 9.", {("", True)}),
        (f"a) {LAW}: artículos 11 y 12.", {("11", False), ("12", False)}),
        (f"a) De la {LAW}, el Título IV, artículos 93 a 95.", {(str(one), False) for one in (93, 94, 95)}),
        (f"a) Sin perjuicio de la disposición adicional quinta, queda derogada la {LAW}.", {("", False)}),
        (f"a) Queda derogada la {LAW}, así como todas las normas en cuanto se opongan a esta.", {("", False)}),
        (f"a) Queda derogada la {LAW}, en lo que se oponga a esta.", {("", True)}),
        (f"a) Seguirá en vigor la {LAW}.", set()),
    ],
)  # fmt: skip
def test_a_repeal_is_told_of_what_it_names(text: str, parts: set[tuple[str, bool]]) -> None:
    assert repealed(text) == {("ES:ley:12/2001", article, partial) for article, partial in parts}


@pytest.mark.parametrize(
    ("heading", "text", "articles"),
    [
        (
            "Reforma del Código Civil.",
            "Se modifica el artículo 30 del Código Civil, que queda redactado así:\n\n«Artículo 30.\n\nVéase el artículo 5.»",
            {"30"},
        ),
        (
            "Modificación del Código Civil.",
            "Uno. Se modifica el artículo 1.262 del Código Civil:\n«Del artículo 9.»\nDos. Se añade un artículo 22 bis:\n«…»",
            {"1262", "22 bis"},
        ),
        ("Plazos.", "El artículo 30 del Código Civil se aplica.", set()),
    ],
)  # fmt: skip
def test_an_amendment_names_its_articles_outside_the_new_words(
    heading: str, text: str, articles: set[str]
) -> None:
    found = list(citing_passages.amending(heading, text, "ES", "ES:own"))
    assert {mention.article for mention in found} == articles
    assert {mention.cited for mention in found} <= {"ES:CC"}
    assert all(mention.line for mention in found)


RULING = """RESUELVE
Primero. Declarar EXEQUIBLE el artículo 122 de la Ley 599 de 2000, en el entendido que no se incurre en delito.
Segundo. Declarar EXEQUIBLE el artículo 32 de la Ley 599 de 2000.
Tercero. Declarar INEXEQUIBLE el artículo 124 de la Ley 599 de 2000.
Notifíquese."""


def test_a_law_upheld_on_a_condition_is_told_with_its_line() -> None:
    found = {one.article: one for one in citing_passages.judgment(RULING, "CO", "CO:CC:C-999/24")}
    assert {article: one.treatment for article, one in found.items()} == {
        "122": "upholds_conditionally",
        "32": "cites",
        "124": "declares_unconstitutional",
    }
    assert "en el entendido que no se incurre" in (found["122"].line or "")
    assert found["32"].line is None
