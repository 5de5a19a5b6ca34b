"""Names and addresses: masked on request, from the document's structure or by a recogniser plugged in."""

from collections.abc import Iterable

import pytest

from app.redaction import redact

CONTRACT = (
    "REUNIDOS\nDe una parte, DON JUAN PÉREZ GARCÍA, mayor de edad, con domicilio en Calle Mayor, n.º 5, "
    "3.º B, 28013 Madrid, y de otra, Dña. María del Carmen López-Ibor, en nombre de INMOBILIARIA SOL, S.L. "
    "Juan Pérez García y la Sra. López-Ibor firman ante el Tribunal Supremo conforme al Código Civil."
)


def masked_words(text: str, jurisdiction: str = "ES") -> set[tuple[str, str]]:
    found = redact(text, jurisdiction=jurisdiction, mask_names=True).masked
    return {(one.type, text[one.start : one.end]) for one in found if one.type in ("PERSON", "ADDRESS")}


def test_names_stay_unless_the_account_asks_for_them() -> None:
    assert redact(CONTRACT).text == CONTRACT


def test_the_parties_of_a_contract_are_masked_wherever_they_recur() -> None:
    redaction = redact(CONTRACT, mask_names=True)
    assert masked_words(CONTRACT) == {
        ("PERSON", "JUAN PÉREZ GARCÍA"),
        ("PERSON", "Juan Pérez García"),
        ("PERSON", "María del Carmen López-Ibor"),
        ("PERSON", "López-Ibor"),
        ("ADDRESS", "Calle Mayor, n.º 5, 3.º B, 28013 Madrid"),
    }
    assert "[PERSON_1b] y la Sra." in redaction.text
    assert redaction.restore(redaction.text) == CONTRACT


@pytest.mark.parametrize(
    ("jurisdiction", "text", "expected"),
    [
        ("ES", "Notifíquese al letrado Hilda Aller Cortes, colegiado.", {("PERSON", "Hilda Aller Cortes")}),
        (
            "ES",
            "Comparece Lilia Guijarro Guillén, con D.N.I. que exhibe",
            {("PERSON", "Lilia Guijarro Guillén")},
        ),
        ("CO", "Mariela Moreno, mayor de edad, actúa", {("PERSON", "Mariela Moreno")}),
        ("BR", "Marcela Cavalcante, inscrito no CPF", {("PERSON", "Marcela Cavalcante")}),
        (
            "GB",
            "Mr John Smith and Mrs Anne O'Neill agree",
            {("PERSON", "John Smith"), ("PERSON", "Anne O'Neill")},
        ),
        ("GB", "The Claimant, Dr Valerie Dawson, relies", {("PERSON", "Dr Valerie Dawson")}),
        ("DE", "Herr Dipl.-Ing. Sören Spieß klagt", {("PERSON", "Dipl.-Ing. Sören Spieß")}),
        ("FR", "M. Arthur Guillet, né le 3 mai", {("PERSON", "Arthur Guillet")}),
        (
            "ES",
            "la vivienda sita en Paseo de Anastasio Peralta 56, finca",
            {("ADDRESS", "Paseo de Anastasio Peralta 56")},
        ),
        (
            "GB",
            "residing at 12 High Street, London SW1A 1AA, agree",
            {("ADDRESS", "12 High Street, London SW1A 1AA")},
        ),
        ("CO", "domiciliado en la Carrera 7 No. 71-21, Bogotá", {("ADDRESS", "Carrera 7 No. 71-21")}),
    ],
)
def test_the_sentence_around_a_name_or_address_gives_it_away(
    jurisdiction: str, text: str, expected: set[tuple[str, str]]
) -> None:
    assert masked_words(text, jurisdiction) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Banco Santander, S.A., con NIF que consta, y la sociedad Goñi Logística S.A.S., NIT del registro",
        "El Tribunal Supremo y la Audiencia Provincial aplican la Ley de Enjuiciamiento Civil.",
        "M.P. Manuel José Cepeda Espinosa. Sentencia T-760 de 2008.",
        "R.D. Legislativo y Real Decreto; el actor y la demandada comparecen.",
    ],
)
def test_companies_courts_and_laws_are_no_persons(text: str) -> None:
    assert masked_words(text) == set()


class EveryAna:
    """A recogniser that knows one name."""

    def spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        start = text.find("Ana")
        yield start, start + 3, "PERSON"
        yield -4, 2, "PERSON"
        yield 3, 10_000, "PERSON"


def test_a_recogniser_can_be_plugged_in_and_its_nonsense_is_ignored() -> None:
    redaction = redact("firma Ana; D. Luis Gil Paz", mask_names=True, recogniser=EveryAna())
    assert redaction.text == "firma [PERSON_1]; D. Luis Gil Paz"


def test_an_identifier_inside_an_address_is_masked_as_the_identifier() -> None:
    text = "con domicilio en Calle Mayor 5 y correo ana@calle.es"
    assert redact(text, mask_names=True).counts == {"ADDRESS": 1, "EMAIL": 1}
