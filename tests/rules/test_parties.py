"""Who is who in a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.facts.people.parties import ROLES, Party, extract_parties, role_key
from app.text.sentences import FoldedText
from tests.growth import assert_linear
from tests.rules import documents


def parties(text: str) -> tuple[Party, ...]:
    return extract_parties(FoldedText(text))


def cast(text: str) -> list[tuple[str, str | None, str]]:
    return [(party.name, party.role_key, party.kind) for party in parties(text)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            documents.LEASE_ES,
            [
                ("Alberto Ruiz Montes", "landlord", "person"),
                ("María del Carmen Soto de la Vega", "tenant", "person"),
            ],
        ),
        (
            documents.LEASE_EN,
            [("Northgate Estates Ltd", "landlord", "company"), ("John Arthur Smith", "tenant", "person")],
        ),
        (
            documents.LEASE_MX,
            [
                ("JORGE LUIS HERRERA CAMPOS", "landlord", "person"),
                ("DISTRIBUIDORA DEL BAJÍO, S.A. DE C.V.", "tenant", "company"),
                ("Marta Ríos", "representative", "person"),
            ],
        ),
        (
            documents.LEASE_ONE_PARAGRAPH,
            [("JON ETXEBERRIA LASA", "landlord", "person"), ("NEREA ZABALA ORMAZA", "tenant", "person")],
        ),
        (
            documents.SALE,
            [
                ("FRANCISCO JAVIER MOLINA SEGURA", "seller", "person"),
                ("ISABEL ROCA PLA", "seller", "person"),
                ("Óscar Núñez i Ferrer", "buyer", "person"),
            ],
        ),
        (
            documents.EMPLOYMENT_ES,
            [
                ("Elena Campos Rey", "representative", "person"),
                ("PANADERÍA EL TRIGAL, S.L.U.", "employer", "company"),
                ("[PERSON_9]", "employee", "person"),
            ],
        ),
        (
            documents.EMPLOYMENT_EN,
            [("Harbour Foods Limited", "employer", "company"), ("Olivia Grant", "employee", "person")],
        ),
        (
            documents.SERVICES,
            [
                ("Consultores Aranda & Hijos, S.L.P.", "provider", "company"),
                ("Pablo Aranda Gil", "representative", "person"),
                ("Logística Ebro, S.A.U.", "client", "company"),
                ("Sara Lacasa Pina", "representative", "person"),
            ],
        ),
        (
            documents.LOAN,
            [
                ("Finanzas Alcor, S.A.", "lender", "company"),
                ("Juan Manuel Ortega Díaz", "borrower", "person"),
                ("Ana Belén Cruz", "guarantor", "person"),
            ],
        ),
        (
            documents.NDA_EN,
            [
                ("ACME ROBOTICS, INC.", "discloser", "company"),
                ("Beatriz Luna Design LLP", "recipient", "company"),
            ],
        ),
        (
            documents.CIVIL_CLAIM,
            [
                ("Lucía Peña Mora", "representative", "person"),
                ("Tomás Gil Arce", "claimant", "person"),
                ("Construcciones Alba Norte, S.L.", "defendant", "company"),
            ],
        ),
        (
            documents.LABOUR_CLAIM,
            [
                ("Luis Bueno Sanz", "claimant", "person"),
                ("Transportes Moncayo, S.L.", "defendant", "company"),
                ("Jorge Pina", "representative", "person"),
            ],
        ),
        (
            documents.HOUSING_LEASE,
            [
                ("INVERSIONES GUADALETE 2010, S.L.", "landlord", "company"),
                ("Manuel Jesús Ortiz Vera", "representative", "person"),
                ("Raúl Marín Cano", "tenant", "person"),
                ("Cristina Vela Ríos", "tenant", "person"),
            ],
        ),
        (
            documents.CONSULTING_EN,
            [("Blue Heron Analytics LLC", "company", "company"), ("Jane Q. Doe", "provider", "person")],
        ),
        (
            documents.SERVICES_CO,
            [
                ("CARLOS ANDRÉS MEJÍA TORO", "client", "person"),
                ("LAURA VALENTINA RÍOS", "provider", "person"),
            ],
        ),
        (documents.BUROFAX, [("Ignacio Leal", "addressee", "person")]),
        (documents.TAX_RESOLUTION, [("Comercial Vega, S.A.", "taxpayer", "company")]),
        (
            documents.DISMISSAL,
            [
                ("TEXTILES GARBÍ, S.A.", "employer", "company"),
                ("Rosa María Vidal Puig", "employee", "person"),
            ],
        ),
        (documents.CONSUMER_TERMS, [("Tienda Sol, S.L.", "seller", "company")]),
    ],
)
def test_the_cast_of_a_document(document: str, expected: list[tuple[str, str | None, str]]) -> None:
    assert cast(document) == expected


def test_role_and_identifier_are_those_of_the_text() -> None:
    landlord, tenant = parties(documents.LEASE_ES)
    assert (landlord.role, landlord.identifier) == ("ARRENDADOR", "[ES_DNI_1]")
    assert (tenant.role, tenant.identifier) == ("ARRENDATARIA", "[ES_NIE_1]")


def test_two_names_before_one_list_of_numbers_get_no_number() -> None:
    sellers = [party for party in parties(documents.SALE) if party.role_key == "seller"]
    assert [party.identifier for party in sellers] == [None, None]


@pytest.mark.parametrize(
    "text",
    [
        "Ante mí, D. Andrés Sola Ruiz, Notario de Madrid, se otorga la escritura.",
        "Firmado por el Magistrado D. Andrés Sola Ruiz en la sala.",
        "La jurisprudencia cita a Dña. Marta Gil como autora de la obra.",
        "El inquilino pagará la renta y el casero reparará la casa.",
        "Se remite a la Ley de Arrendamientos Urbanos y al Código Civil.",
    ],
)
def test_people_named_in_passing_are_no_parties(text: str) -> None:
    assert parties(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("D. Juan Gil Paz (en lo sucesivo, “EL VENDEDOR”).", ("Juan Gil Paz", "seller")),
        ("Dña. Ana Gil Paz, en adelante denominada LA PARTE COMPRADORA.", ("Ana Gil Paz", "buyer")),
        (
            "Don Juan Gil Paz, a quien en adelante se denominará «el Prestatario».",
            ("Juan Gil Paz", "borrower"),
        ),
        ("como arrendador, D. Juan Gil Paz, mayor de edad.", ("Juan Gil Paz", "landlord")),
        ("la demandante Dña. Ana Gil Paz solicita.", ("Ana Gil Paz", "claimant")),
        ("COMPRADOR: ANA GIL PAZ\nDomicilio: calle Mayor", ("ANA GIL PAZ", "buyer")),
        ("Acme Iberia, S.A. (the “Supplier”).", ("Acme Iberia, S.A.", "provider")),
        ("D. [PERSON_1], con DNI [ES_DNI_1], en adelante el TRABAJADOR.", ("[PERSON_1]", "employee")),
        ("Banco Sur, S.A. (en adelante, el “Banco” o la “Prestamista”).", ("Banco Sur, S.A.", "lender")),
        ("DON JUAN\nGIL PAZ CON DNI [ES_DNI_1] (EL ARRENDATARIO)", ("JUAN", "tenant")),
    ],
)
def test_ways_of_naming_a_part(text: str, expected: tuple[str, str]) -> None:
    found = parties(text)
    assert [(party.name, party.role_key) for party in found] == [expected]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("la parte ARRENDADORA", "landlord"),
        ("the Tenant", "tenant"),
        ("parte actora", "claimant"),
        ("Receiving Party", "recipient"),
        ("el Ayuntamiento", None),
    ],
)
def test_roles_have_one_key_in_both_languages(words: str, key: str | None) -> None:
    assert role_key(words) == key


def test_every_role_can_be_reached_by_its_own_words() -> None:
    for key, words in ROLES.items():
        plain = words.split("|")[0].replace("(?:a|es|as)?", "").replace("(?:a)?", "").replace("[oa]", "o")
        plain = plain.replace("s?", "").split("(?:")[0].strip()
        if plain:
            assert role_key(plain) == key


@given(
    st.lists(
        st.one_of(
            st.text(max_size=10),
            st.sampled_from(
                [
                    "D.",
                    "Juan",
                    "Pérez",
                    "S.L.",
                    "(el",
                    "ARRENDADOR)",
                    "contra",
                    "de una parte,",
                    "between",
                    "y",
                    "[PERSON_1]",
                    "VENDEDOR:",
                    "\n",
                    "Ltd",
                    "[",
                ]
            ),
        ),
        max_size=25,
    )
)
def test_any_text_is_read_and_quoted_literally(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for found in parties(text):
        assert text[found.start : found.end] == found.quote
        assert found.role is None or found.role in text


@pytest.mark.parametrize(
    "unit",
    [
        "D. ",
        "D. Juan ",
        "S.L. ",
        "A, S.L. ",
        "(en adelante, ",
        "representado por ",
        "entre Juan Perez ",
        "Aa ",
        "A & ",
        "VENDEDOR: A\n",
        "[PERSON_1] ",
        "como arrendador, don Aa ",
        "D. Aa y D. Bb, ",
        "representada por D. Aa, ",
        "de otra, la empresa A, S.L., ",
        "en nombre y representación de D. Aa, ",
    ],
)
def test_hostile_names_are_read_in_linear_time(unit: str) -> None:
    assert_linear(parties, unit)


def test_who_was_a_party_once_is_none_of_this_document() -> None:
    named = [
        one.name for one in parties("La deuda del anterior inquilino, D. Óscar Vigil Rey, es de 389 euros.")
    ]
    assert "Óscar Vigil Rey" not in named
    named = [one.name for one in parties("La deuda del inquilino, D. Óscar Vigil Rey, es de 389 euros.")]
    assert named == ["Óscar Vigil Rey"]


def test_an_office_is_told_with_the_word_that_says_which() -> None:
    text = (
        "CONTRATO. De una parte, CALDERERÍA EBRO, S.A., representada por don Fermín Tobar Olalla, director "
        "financiero, y de otra don Luis Paz Gil, mayor de edad."
    )
    told = {one.name: one.role for one in parties(text)}
    assert told["Fermín Tobar Olalla"] == "director financiero"
