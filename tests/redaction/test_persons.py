"""What points to a person is masked before it leaves: every form of a name, births, postcodes, contacts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.citations import protected_spans
from app.redaction import Redaction, redact
from app.text.invisible import visible

PASSAGES = Path(__file__).with_name("passages.jsonl")
"""Sixty-four passages of eleven countries, written for this: what is a person's, and of which person."""


def masked(text: str, jurisdiction: str = "ES") -> Redaction:
    spans = protected_spans(text, jurisdiction)
    return redact(text, jurisdiction=jurisdiction, protected=spans, mask_names=True)


def found(text: str, jurisdiction: str = "ES") -> list[tuple[str, str]]:
    return [(one.type, text[one.start : one.end]) for one in masked(text, jurisdiction).masked]


@pytest.mark.parametrize(
    "form",
    [
        "señora Zurriaga",
        "Sra. Zurriaga",
        "la Sra. Zurriaga Ibáñez",
        "doña Carmen",
        "Dña. Carmen",
        "C. Zurriaga",
        "C. Zurriaga Ibáñez",
        "CARMEN ZURRIAGA IBÁÑEZ",
        "Carmen Zurriaga",
        "Zurriaga Ibáñez",
        "C.Z.I.",
        "ZURRIAGA IBÁÑEZ, CARMEN",
        "señora Zur\u200briaga",
        "se\u00adñora Zurriaga",
        "Zurriaga",
    ],
)
def test_one_person_has_one_placeholder_in_every_form(form: str) -> None:
    text = f"Comparece doña Carmen Zurriaga Ibáñez, vecina de Soria. Después firma {form} y se va a casa."
    redaction = masked(text)
    assert {re.sub(r"[a-z]*\]", "]", one.placeholder) for one in redaction.masked} == {"[PERSON_1]"}
    assert len(redaction.masked) == 2
    assert not re.search(r"Carmen|Zurriaga|Ibáñez|C\.", redaction.text, re.IGNORECASE)
    assert redaction.restore(redaction.text) == visible(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lo pidió el Sr. de la Zurriaga.", "Zurriaga"),
        ("Lo pidió la señora del Olmo.", "Olmo"),
        ("Asistió el Lcdo. Pérez-Reverte.", "Pérez-Reverte"),
        ("Fdo.: J. Zurriaga", "J. Zurriaga"),
        ("El trabajador Mohamed El Amrani no acudió.", "Mohamed El Amrani"),
        ("Se nombra albacea: Pilar Ortiz.", "Pilar Ortiz"),
    ],
)
def test_what_stands_before_a_name_gives_it_away(text: str, name: str) -> None:
    assert found(text) == [("PERSON", name)]


@pytest.mark.parametrize(
    "text", ["Los señores de la Junta votan.", "El señor del Ministerio.", "Firmado por Banco Santander."]
)
def test_no_office_is_a_name(text: str) -> None:
    assert found(text) == []


def test_a_surname_after_a_form_of_address_is_known_wherever_it_stands() -> None:
    redaction = masked(
        "Mr Okafor signed. The landlord says that Okafor did not pay. Mr Okafor denies it.", "GB"
    )
    assert "Okafor" not in redaction.text
    assert {one.placeholder for one in redaction.masked} == {"[PERSON_1]"}


def test_a_surname_of_two_persons_is_masked_and_given_to_neither() -> None:
    redaction = masked("Don Juan Quirós Gil y doña Ana Quirós Gil venden. El señor Quirós cobra.")
    assert "Quirós" not in redaction.text
    assert redaction.masked[2].placeholder == "[PERSON_3]"


@pytest.mark.parametrize(
    "text",
    [
        "La Fundación Zurriaga, la calle Zurriaga, Zurriaga Ingenieros, S.L. e Hijos de Zurriaga, S.A.",
        "El Tribunal Supremo, la Audiencia Provincial de Soria y el Juzgado de lo Social n.º 3 dicen.",
        "La doctrina Meroni, el caso Aziz, la Ley Azcárate y Miranda v. Arizona no se aplican.",
        "Hospital Gregorio Marañón, Universidad Carlos III, Santiago de Compostela y Juan Carlos I.",
        "Telefónica de España, S.A.U., Banco Santander, S.A. y Lloyds Bank plc responden.",
    ],
)
def test_companies_courts_places_and_doctrines_stay_readable(text: str) -> None:
    whole = f"Comparece doña Carmen Zurriaga Ibáñez. {text}"
    assert masked(whole).text == f"Comparece doña [PERSON_1]. {text}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nacido el 3 de mayo de 1980 en Lugo", "3 de mayo de 1980"),
        ("nacida en Lugo, el día 03/05/80,", "03/05/80"),
        ("Fecha de nacimiento: 3-5-1980.", "3-5-1980"),
        ("F. nac.: 1980-05-03", "1980-05-03"),
        (
            "nacida el tres de mayo de mil novecientos ochenta, viuda",
            "tres de mayo de mil novecientos ochenta",
        ),
        ("nacido el 1.º de enero de 1979", "1.º de enero de 1979"),
        ("born on 3 May 1980 in Leeds", "3 May 1980"),
        ("born in Leeds on May 3rd, 1980", "May 3rd, 1980"),
        ("D.O.B. 12-25-1981", "12-25-1981"),
        ("date of birth (14 March 1975)", "14 March 1975"),
        ("né le 21 juin 1967 à Nantes", "21 juin 1967"),
        ("geboren am 5. November 1958", "5. November 1958"),
        ("nato a Modena il 9 gennaio 1971", "9 gennaio 1971"),
        ("nascida em 8 de abril de 1977", "8 de abril de 1977"),
        ("F. Nac.: 3-V-1980", "3-V-1980"),
        ("nacida el 3 de mayo de mil novecientos ochenta,", "3 de mayo de mil novecientos ochenta"),
        ("nacido el tres de mayo de 1980", "tres de mayo de 1980"),
    ],
)
def test_a_date_of_birth_is_masked(text: str, value: str) -> None:
    assert ("BIRTH_DATE", value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "La obligación nacida el 3 de mayo de 2019 prescribe.",
        "El contrato de 3 de mayo de 2019 vence el 3 de mayo de 2024.",
        "La relación laboral nació el 1 de enero de 2020.",
        "El crédito nacido del contrato de 3 de mayo de 2019",
    ],
)
def test_other_dates_stay(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("jurisdiction", "text", "value"),
    [
        ("ES", "su código postal es el 28013.", "28013"),
        ("ES", "C.P.: 41001", "41001"),
        ("ES", "reside en CP41001", "41001"),
        ("GB", "my postcode is EC1A 1BB", "EC1A 1BB"),
        ("US", "in Denver, CO 80203-1234", "CO 80203-1234"),
        ("DE", "PLZ 04103", "04103"),
        ("IT", "CAP 20121", "20121"),
        ("FR", "code postal 44000", "44000"),
        ("PT", "Vive cerca, 4100-111 Porto", "4100-111"),
        ("MX", "C.P. 06700", "06700"),
        ("CO", "código postal 660001", "660001"),
        ("AR", "vive en, C1046AAS Buenos Aires", "C1046AAS"),
    ],
)
def test_a_postcode_is_masked(jurisdiction: str, text: str, value: str) -> None:
    assert ("POSTCODE", value) in found(text, jurisdiction)


@pytest.mark.parametrize(
    ("jurisdiction", "value"),
    [
        ("ES", "calle Panaderos 14, 2.º C, 47004 Valladolid"),
        ("ES", "C/ Balmes 120, 4º 1ª, 08008 Barcelona"),
        ("MX", "Calle Orizaba 101, Col. Roma Norte, C.P. 06700, Ciudad de México"),
        ("CO", "Carrera 45 # 26-85, Apto 302"),
        ("GB", "Flat 3, 12 Larkspur Road, Leeds LS6 2QT"),
        ("US", "742 Evergreen Terrace, Apt. 5B, Springfield, IL 62704"),
        ("FR", "18 rue des Tanneurs, 44000 Nantes"),
        ("DE", "Lindenstraße 27, 50674 Köln"),
        ("IT", "Via Emilia Est 44, 41121 Modena"),
        ("PT", "Rua do Carmo, n.º 15, 1200-093 Lisboa"),
    ],
)
def test_an_address_is_masked_with_its_postcode_and_town(jurisdiction: str, value: str) -> None:
    assert found(f"x, {value}, x", jurisdiction) == [("ADDRESS", value)]


@pytest.mark.parametrize(
    "value",
    [
        "6·1·2 34 56 78",
        "612.345.678",
        "(+34) 612-34-56-78",
        "612/34/56/78",
        "6 1 2 3 4 5 6 7 8",
        "+34.655.44.33.22",
        "6-1-2-3-4-5-6-7-8",
        "+34 6 1 2 3 4 5 6 7 8",
        "612_345_678",
        "６１２ ３４５ ６７８",
        "612\u200b345\U000e0031678",
    ],
)
def test_a_telephone_number_is_masked_in_any_punctuation(value: str) -> None:
    assert found(f"Su teléfono es {value}, de día.") == [("PHONE", value)]


@pytest.mark.parametrize(
    "text",
    [
        "El expediente 612.345.678 y 612.345.678 euros.",
        "Cuantía: 612.345.678 €.",
        "art. 6.1.2.3, 34, 56, 78",
        "Llámese a juicio el 12/11/2024 o el 12.11.2024.",
        "la factura 612-345-678",
        "páginas 612-345",
    ],
)
def test_other_figures_are_no_telephone_numbers(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "value",
    [
        "juan arroba ejemplo punto com",
        "juan punto gil arroba ejemplo punto com",
        "juan (at) ejemplo (dot) com",
        "juan[at]ejemplo.com",
        "juan at example dot org",
        "juan guion bajo gil arroba ejemplo.com",
        "juan @ ejemplo . com",
        "JUAN ARROBA EJEMPLO PUNTO COM",
        "pleitos(arroba)bufete(punto)com",
        "ju\u200ban@ejemplo.com",
        "juan＠ejemplo.com",
        "juan&#64;ejemplo.com",
        "juan&#x40;ejemplo.com",
        "juan%40ejemplo.com",
        "juan_gil#EXT#@ejemplo.com",
    ],
)
def test_a_spelled_out_address_is_masked(value: str) -> None:
    assert found(f"Mi correo: {value}, gracias.") == [("EMAIL", value)]


@pytest.mark.parametrize(
    "text", ["Meet us at example.com.", "Available at court dot matrix", "a punto de firmar"]
)
def test_not_every_at_is_an_address(text: str) -> None:
    assert found(text, "GB") == []


@pytest.mark.parametrize(
    "value",
    [
        "81.45.203.17",
        "10.0.0.1",
        "2001:db8:85a3::8a2e:370:7334",
        "fe80::1",
        "::ffff:192.0.2.1",
        "10[.]0[.]0[.]1",
        "10 . 0 . 0 . 1",
    ],
)
def test_an_internet_address_is_masked(value: str) -> None:
    assert found(f"Se conectó desde {value}.") == [("IP_ADDRESS", value)]


@pytest.mark.parametrize(
    "text",
    [
        "cláusula 4.1.2.3 del contrato",
        "1.2.3.4 Objeto",
        "versión 10.2.1.0",
        "a las 12:30:45",
        "999.1.1.1",
        "ECLI:ES:TS::x",
    ],
)
def test_numbering_versions_and_times_are_no_internet_addresses(text: str) -> None:
    assert found(text) == []


INVISIBLE = "\u00ad\u034f\u115f\u180e\u200b\u200d\u202e\u2060\u3164\ufe0f\ufeff\U000e0001\U000e0041\U000e01ef"


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_nothing_invisible_leaves_or_splits_a_value_and_offsets_stay_those_of_the_document(
    data: st.DataObject,
) -> None:
    plain = (
        "Doña Carmen Zurriaga Ibáñez, DNI 12345678Z, nacida el 3 de mayo de 1980, paga; Zurriaga firma. Fin"
    )
    text = "".join(letter + data.draw(st.sampled_from(["", "", "", *INVISIBLE])) for letter in plain)
    redaction = masked(text)
    assert redaction.text == masked(plain).text
    assert redaction.restore(redaction.text) == plain
    start = redaction.text.index("paga")
    left, right = redaction.original_span(start, start + 4)
    assert visible(text[left:right]) == "paga"
    start = redaction.text.index("[ES_DNI_1]")
    left, right = redaction.original_span(start, start + 10)
    assert visible(text[left:right]) == "12345678Z"
    for one in redaction.masked:
        assert visible(text[one.start : one.end]) == visible(redaction.restore(one.placeholder))


def test_an_empty_span_has_no_place_in_the_document() -> None:
    with pytest.raises(ValueError, match="empty"):
        redact("DNI 12345678Z").original_span(3, 3)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in PASSAGES.read_text("utf-8").splitlines()]


def test_of_passages_of_many_countries_almost_nothing_of_a_person_is_left() -> None:
    covered = labelled = beyond = 0
    for row in rows():
        text = row["text"]
        redaction = masked(text, row["jurisdiction"])
        assert redaction.restore(redaction.text) == text
        hidden = {place for one in redaction.masked for place in range(one.start, one.end)}
        wanted = {place for span in row["spans"] for place in range(span["start"], span["end"])}
        labelled += len(row["spans"])
        covered += sum(
            all(place in hidden for place in range(span["start"], span["end"]) if text[place].isalnum())
            for span in row["spans"]
        )
        beyond += sum(wanted.isdisjoint(range(one.start, one.end)) for one in redaction.masked)
    assert covered / labelled > 0.97
    assert beyond <= 3


def test_almost_every_person_of_them_has_one_placeholder() -> None:
    whole = one_only = 0
    for row in rows():
        issued = {
            (one.start, one.end): one.placeholder for one in masked(row["text"], row["jurisdiction"]).masked
        }
        people: dict[str, set[str]] = {}
        for span in row["spans"]:
            if "who" in span:
                placeholder = issued.get((span["start"], span["end"]), "none")
                people.setdefault(span["who"], set()).add(re.sub(r"[a-z]*\]", "]", placeholder))
        whole += len(people)
        one_only += sum(len(placeholders) == 1 for placeholders in people.values())
    assert one_only / whole > 0.94
