"""Parts of an article read off its text, in the ways in which laws mark them."""

from __future__ import annotations

import pytest

from app.citations import Division, DivisionKind
from app.corpus.articles.structure import look, parts_of

NUMBERED = """1. Primera regla.

2. Segunda regla, con letras:

a) Una.

b) Otra.

Y un párrafo más de la segunda.

3. (Suprimido)

4 bis. Añadida.

5. Quinta."""
PROSE = "Quien causa un daño lo repara.\n\nEl plazo es de un año.\n\nSalvo pacto en contrario."
BRITISH = (
    "(1) A lease binds.\n(1A) As amended:\n(a) first; and\n(b) second—\n(i) one, or\n(ii) two.\n(2) . . . ."
)
MEXICAN = (
    "Son causas:\nI.- La primera;\nII. Se deroga.\nIII. La tercera:\na) Un caso.\nC. Una letra mayúscula."
)
ONE_LINE = "Terminará: 1.- Por acuerdo. 2.- Por renuncia. 3.- Por muerte."
BRAZILIAN = "Caput da norma.\nI - primeiro;\nII - segundo.\nParágrafo único. Exceção."
SPANS = "1. Vigente.\n2 a 4. (Derogados)\n5. Vigente."


def of(kind: DivisionKind, *values: str) -> Division:
    return Division(kind, values)


@pytest.mark.parametrize(
    ("text", "named", "answer"),
    [
        (NUMBERED, [of("any", "2")], "found"),
        (NUMBERED, [of("paragraph", "6")], "missing"),
        (NUMBERED, [of("paragraph", "3")], "abolished"),
        (NUMBERED, [of("paragraph", "4 bis")], "found"),
        (NUMBERED, [of("paragraph", "2"), of("letter", "b")], "found"),
        (NUMBERED, [of("paragraph", "2"), of("letter", "c")], "missing"),
        (NUMBERED, [of("paragraph", "1"), of("letter", "a")], "missing"),
        (NUMBERED, [of("paragraph", "1", "2", "3")], "abolished"),
        (NUMBERED, [of("paragraph", "2"), of("block", "2")], "found"),
        (NUMBERED, [of("paragraph", "1"), of("block", "2")], "missing"),
        (NUMBERED, [of("paragraph", "last")], "found"),
        (PROSE, [of("block", "3")], "found"),
        (PROSE, [of("block", "4")], "missing"),
        (PROSE, [of("any", "2")], "found"),
        (PROSE, [of("letter", "a")], "missing"),
        (PROSE, [of("clause", "2")], "unclear"),
        (BRITISH, [of("any", "1a"), of("any", "b"), of("any", "ii")], "found"),
        (BRITISH, [of("any", "1a"), of("any", "c")], "missing"),
        (BRITISH, [of("any", "2")], "abolished"),
        (MEXICAN, [of("fraction", "iii"), of("letter", "a")], "found"),
        (MEXICAN, [of("fraction", "ii")], "abolished"),
        (MEXICAN, [of("fraction", "iv")], "missing"),
        (ONE_LINE, [of("paragraph", "3")], "found"),
        (ONE_LINE, [of("paragraph", "4")], "missing"),
        (BRAZILIAN, [of("added", "sole")], "found"),
        (BRAZILIAN, [of("added", "2")], "missing"),
        (BRAZILIAN, [of("fraction", "ii")], "found"),
        (SPANS, [of("paragraph", "3")], "abolished"),
        (SPANS, [of("paragraph", "6")], "missing"),
    ],
)
def test_a_part_is_found_missing_or_abolished_as_the_text_shows(
    text: str, named: list[Division], answer: str
) -> None:
    assert look(text, named, "ES").answer == answer


def test_what_may_stand_inside_a_line_is_not_called_missing() -> None:
    text = "El recurso procede: 1. Contra autos; 7. Contra sentencias de cualquier clase."
    assert look(text, [of("paragraph", "7")], "ES").answer == "unclear"


def test_a_series_that_begins_in_the_middle_proves_no_absence() -> None:
    assert look("4. Cuarta.\n5. Quinta.", [of("paragraph", "9")], "ES").answer == "unclear"


def test_commas_of_italian_law_run_together_in_one_line_prove_no_absence() -> None:
    text = "Il primo comma dispone. Il secondo comma eccettua."
    assert look(text, [of("block", "2")], "IT").answer == "unclear"
    assert look(text, [of("block", "2")], "ES").answer == "missing"
    assert look(text, [of("block", "3")], "IT").answer == "missing"


def test_signs_without_a_space_behind_them_are_signs() -> None:
    text = "1.Primero, si:\n\na)una cosa\n\nb)otra"
    assert look(text, [of("any", "1"), of("any", "b")], "ES").answer == "found"
    assert look(text, [of("any", "1"), of("any", "c")], "ES").answer == "missing"


def test_what_is_said_to_be_missing_comes_with_what_there_is() -> None:
    found = look(NUMBERED, [of("paragraph", "9")], "ES")
    assert [part.value for part in found.among] == ["1", "2", "3", "4 bis", "5"]


def test_letters_and_roman_numerals_are_told_apart_by_their_series() -> None:
    text = "g) Siete.\nh) Ocho.\ni) Nueve.\nj) Diez."
    assert [(part.family, part.value) for part in parts_of(text).children][2] == ("letter", "i")
