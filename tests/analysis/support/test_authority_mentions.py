"""A claim's authorities are known in whatever form it names them, and other papers' articles are not."""

from __future__ import annotations

import pytest

from app.analysis.support.authority_mentions import with_authorities


@pytest.mark.parametrize(
    ("text", "citation", "left"),
    [
        (
            "section 2718(2) of the California Commercial Code says that",
            "Cal. Com. Code § 2718(2)",
            " says that",
        ),
        ("unless they agree otherwise (LPCDIA 1998 s. 8(2)).", "Late Payment Act 1998, s. 8(2)", "otherwise"),
        ("El artículo 1579 del Código Civil dispone que", "art. 1579 CC", " dispone que"),
        ("en dos semanas (§ 622.3 BGB).", "§ 622 Abs. 3 BGB", "en dos semanas"),
        (
            "la sentencia del Tribunal Supremo 747/2022, de 20 de septiembre, declaró",
            "STS 747/2022",
            ", declaró",
        ),
    ],
)
def test_a_name_in_another_form_is_the_authority(text: str, citation: str, left: str) -> None:
    found = with_authorities(text, [citation])
    assert "lexcit" in found
    assert left in found
    assert not any(word in found for word in ("Code", "LPCDIA", "Código", "BGB", "Tribunal", "622"))


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("conforme al artículo 9 de este contrato", "art. 9 LAU"),
        ("under section 7 of the agreement", "s. 7 UCTA 1977"),
        ("el artículo 18 se aplica", "art. 17 LPH"),
        ("la sentencia 748/2022", "STS 747/2022"),
        ("en 9 meses (según la cláusula pactada)", "art. 9 LAU"),
    ],
)
def test_another_paper_or_number_is_not(text: str, citation: str) -> None:
    assert with_authorities(text, [citation]) == text
