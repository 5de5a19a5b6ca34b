"""Which quotations are an article's words, and which only stand near a citation."""

from __future__ import annotations

import pytest

from app.analysis.quoting import beside, telling
from app.citations import extract

WORDS = "El pastor no responderá de las ovejas perdidas"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"El artículo 1903 del Código Civil dispone que «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil: «{WORDS}».", True),
        (f"Article 1903 CC provides: “{WORDS}”.", True),
        (f"«{WORDS}», según establece el artículo 1903 del Código Civil.", True),
        (f"«{WORDS}» (artículo 1903 del Código Civil).", False),
    ],
)
def test_words_are_an_articles_where_the_text_says_so(text: str, told: bool) -> None:
    (claim,) = beside(text, extract(text, "ES"))
    assert (claim.words, claim.told, claim.citations[0].articles) == (WORDS, told, ("1903",))


@pytest.mark.parametrize(
    "text",
    [
        f"Según el artículo 1903 del Código Civil procede indemnizar. La parte alegó «{WORDS}».",
        f"El arrendador, invocando el artículo 1903 del Código Civil, escribió al inquilino «{WORDS}».",
        f"«{WORDS}», dijo la demandada, que negó deber nada en virtud del artículo 1903 del Código Civil.",
        "El artículo 1903 del Código Civil dispone que «el pastor responde».",
        "El artículo 1903 del Código Civil dispone que «[ES_DNI_1] no responderá de las ovejas».",
        f"El artículo 1903 del Código Civil dispone que «{WORDS}.",
        f"«{WORDS}».",
    ],
)
def test_words_of_somebody_else_are_nobodys_law(text: str) -> None:
    assert beside(text, extract(text, "ES")) == ()


def test_a_term_is_not_telling() -> None:
    assert (telling(WORDS), telling("vivienda habitual"), telling("a b c [ES_DNI_1] d")) == (
        True,
        False,
        False,
    )
