"""Whether law bears out what is said of it: supported, silent or contradicted (decisions 13).

The passages are written for these tests and paraphrase no statute: the judge compares, it knows no law.
"""

from __future__ import annotations

import pytest

from app.analysis.support import support

DEPOSIT = """Artículo 5. Fianza
1. Al celebrarse el contrato será obligatoria una fianza equivalente a una mensualidad de renta en el \
arrendamiento de viviendas y a dos en el arrendamiento para uso distinto.
2. Los gastos de gestión serán a cargo del arrendador.
3. Son nulas las estipulaciones que excluyan la devolución de la fianza al arrendatario.
4. Las partes podrán pactar garantías adicionales, que no podrán exceder de dos mensualidades de renta."""
HOLIDAY = """Artículo 9. Vacaciones
El trabajador tendrá derecho a vacaciones anuales retribuidas. En ningún caso la duración será inferior a \
treinta días naturales. Será nulo el pacto por el que se renuncie a ellas."""


@pytest.mark.parametrize(
    ("claim", "own", "passage"),
    [
        ("La garantía adicional de tres mensualidades excede de las dos mensualidades de renta que permite "
         "el art. 5.4.", "garantía adicional de tres mensualidades", DEPOSIT),
        ("Las vacaciones de veinte días naturales son inferiores a los treinta días naturales del art. 9.",
         "veinte días naturales de vacaciones", HOLIDAY),
        ("El pacto por el que el trabajador renuncia a las vacaciones es nulo.",
         "El trabajador renuncia a sus vacaciones", HOLIDAY),
        ("La cláusula que excluye la devolución de la fianza es nula.",
         "La fianza no se devolverá al arrendatario", DEPOSIT),
    ],
)  # fmt: skip
def test_a_passage_that_says_so_supports(claim: str, own: str, passage: str) -> None:
    found = support(claim, own, passage, citations=("art. 5.4", "art. 9"))
    assert found.verdict == "supported"
    assert found.passage


@pytest.mark.parametrize(
    ("claim", "own", "passage"),
    [
        # Real law about something else.
        ("La prohibición de subarrendar es nula.", "Queda prohibido subarrendar", DEPOSIT),
        # A figure that the law does not have.
        ("Las vacaciones de veinte días naturales son inferiores a los cuarenta días naturales del art. 9.",
         "veinte días naturales de vacaciones", HOLIDAY),
        # A consequence that the passage does not give.
        ("La renta pactada es abusiva según el art. 5.1.", "La renta será de 900 euros", DEPOSIT),
    ],
)  # fmt: skip
def test_a_passage_about_something_else_is_silent(claim: str, own: str, passage: str) -> None:
    assert support(claim, own, passage, citations=("art. 5.1", "art. 9")).verdict == "silent"


@pytest.mark.parametrize(
    ("claim", "own", "passage"),
    [
        ("La cláusula es válida, porque el art. 5.2 pone los gastos de gestión a cargo del arrendatario.",
         "Los gastos de gestión los pagará el arrendatario", DEPOSIT),
        ("La renuncia a las vacaciones es válida, como permite el art. 9.",
         "El trabajador renuncia a sus vacaciones", HOLIDAY),
        ("Las vacaciones de veinte días naturales cumplen el mínimo del art. 9.",
         "veinte días naturales de vacaciones", HOLIDAY),
        ("El art. 5.1 impone una mensualidad en el arrendamiento para uso distinto.",
         "fianza de dos mensualidades", DEPOSIT),
    ],
)  # fmt: skip
def test_a_passage_that_says_the_contrary_contradicts(claim: str, own: str, passage: str) -> None:
    found = support(claim, own, passage, citations=("art. 5.2", "art. 5.1", "art. 9"))
    assert found.verdict == "contradicted"


def test_without_a_text_nothing_is_supported() -> None:
    assert support("La cláusula es nula.", "cláusula", "").verdict == "silent"


def test_the_verdict_shows_no_text_in_logs() -> None:
    found = support("El pacto es nulo.", "El trabajador renuncia a sus vacaciones", HOLIDAY)
    assert "vacaciones" not in repr(found)
