"""Whether law bears out what is said of it: supported, silent or contradicted (decision 014).

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


SEVERAL = """Artículo 7. Plazos
1. El pacto de no competencia no podrá durar más de dos años para los técnicos y de seis meses para los demás.
2. El contratista no puede pedir aumento del precio aunque suban los materiales; pero podrá hacerlo si \
cambia \
el plano.
3. La reclamación previa será requisito necesario para formular demanda.
4. El empresario que haya ocupado el local no menos de dos años tendrá derecho a la renovación del \
contrato."""


@pytest.mark.parametrize(
    ("claim", "own", "right"),
    [
        ("El pacto de no competencia de tres años excede de los dos años que el art. 7 fija para "
         "los técnicos.",
         "no competencia de tres años", True),
        ("El art. 7 limita el pacto de no competencia a seis meses para los técnicos.",
         "no competencia de tres años", False),
        ("El art. 7 reconoce al contratista el derecho a pedir aumento del precio si suben los materiales.",
         "el precio no cambia", False),
        ("La reclamación previa no es requisito para formular demanda.", "reclamación previa", False),
        ("El art. 7 da derecho a la renovación al empresario que ocupa el local menos de dos años.",
         "ocupa el local", False),
        ("El pagaré en blanco está prohibido en el contrato de local.", "entregó un pagaré en blanco", False),
    ],
)  # fmt: skip
def test_a_figure_belongs_to_those_it_is_set_for_and_a_right_to_those_it_is_given(
    claim: str, own: str, right: bool
) -> None:
    assert (support(claim, own, SEVERAL, citations=("art. 7",)).verdict == "supported") is right


def test_what_another_paragraph_of_the_article_says_is_not_said_by_the_one_cited() -> None:
    article = (
        "d) El día y la hora se comunicarán con un preaviso mínimo de tres días.\n"
        "e) El pacto podrá quedar sin efecto con un preaviso de quince días.\n3.ª Por estudios."
    )
    claim = "El día y la hora se avisan en un día, cuando la letra e) exige un preaviso mínimo de tres días."
    own = "El día y la hora se dirán con un día"
    place = {letter: next(one for one in article.splitlines() if one.startswith(letter)) for letter in "de"}
    found = [support(claim, own, place[letter], article=article, citations=("letra e)",)) for letter in "de"]
    assert found[0].verdict == "supported"
    assert found[1].verdict != "supported"


def test_a_figure_of_the_law_is_no_multiple_of_the_documents() -> None:
    law = "Los trabajadores tendrán derecho a quince días hábiles consecutivos de vacaciones al año."
    own = "diez días hábiles de vacaciones al año"
    for figure, right in (("quince", True), ("veinte", False)):
        claim = (
            f"Las vacaciones de diez días hábiles al año son inferiores a los {figure} días hábiles "
            "consecutivos que reconoce el art. 7."
        )
        assert (support(claim, own, law, citations=("art. 7",)).verdict == "supported") is right, figure


def test_less_than_the_law_is_compared_with_the_one_figure_of_the_law() -> None:
    law = "Los trabajadores tendrán derecho a una prima de vacaciones no menor de veinticinco por ciento."
    for figure, right in (("veinte", True), ("treinta", False)):
        claim = f"La prima de vacaciones del {figure} por ciento es inferior a la mínima del art. 7."
        own = f"La prima de vacaciones será del {figure} por ciento"
        assert (support(claim, own, law, citations=("art. 7",)).verdict == "supported") is right, figure


def test_the_one_figure_of_the_law_explains_nothing_that_the_law_denies() -> None:
    law = (
        "Las vacaciones anuales tendrán una duración no inferior a treinta días naturales. "
        "El empresario no podrá sustituirlas por compensación económica."
    )
    claim = (
        "El empresario puede sustituir las vacaciones de diez días, inferiores al mínimo, por compensación "
        "económica, según art. 5 LX."
    )
    assert support(claim, "vacaciones de diez días", law, citations=("art. 5 LX",)).verdict == "silent"


def test_the_one_figure_of_the_law_about_another_matter_contradicts_nothing() -> None:
    law = (
        "El arrendatario podrá desistir del contrato, una vez que hayan transcurrido al menos seis meses, "
        "siempre que se lo comunique al arrendador con una antelación mínima de treinta días."
    )
    claim = (
        "La comunicación del arrendador con ocho meses de antelación es inferior al mínimo del contrato "
        "según el art. 11 LAU."
    )
    own = "comunicación del arrendador con ocho meses de antelación"
    assert support(claim, own, law, citations=("art. 11 LAU",)).verdict == "silent"


def test_what_the_law_makes_conditional_is_not_said_of_every_case() -> None:
    law = "El arrendatario del local tendrá derecho a una indemnización si inicia la misma actividad."
    for words, right in (("", True), ("en todo caso ", False)):
        claim = f"El arrendatario del local tiene {words}derecho a una indemnización según el art. 7."
        verdict = support(claim, "el arrendatario deja el local", law, citations=("art. 7",)).verdict
        assert (verdict == "supported") is right, words


def test_without_a_text_nothing_is_supported() -> None:
    assert support("La cláusula es nula.", "cláusula", "").verdict == "silent"


def test_the_verdict_shows_no_text_in_logs() -> None:
    found = support("El pacto es nulo.", "El trabajador renuncia a sus vacaciones", HOLIDAY)
    assert "vacaciones" not in repr(found)


def test_longer_than_the_minimum_that_the_claim_names_is_not_short_of_another() -> None:
    leasing = (
        "Los contratos tendrán una duración mínima de 2 años cuando tengan por objeto bienes muebles y de 10 "
        "años cuando tengan por objeto bienes inmuebles. Para evitar prácticas abusivas "
        "se podrán establecer otros plazos mínimos."
    )
    for told, verdict in (("60 meses", "supported"), ("18 meses", "contradicted")):
        claim = f"La duración del contrato, de {told}, respeta el mínimo de dos años para bienes muebles."
        assert support(claim, f"Duración: {told}", leasing).verdict == verdict
