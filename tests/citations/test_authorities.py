"""What authorities have said is heard by body, kind and number or day, in the orders that offices use."""

import pytest

from app.citations import extract

HEARD = (
    ("ES", "la Instrucción 1/2013 de la FGE y la Circular FGE 4/2019", ("ES:FGE:1/2013", "ES:FGE:4/2019")),
    ("ES", "el Criterio Técnico 101/2019 de la ITSS, la NTP 614", ("ES:ITSS:101/2019", "ES:INSST:614")),
    ("ES", "Resolución del ICAC de 10 de febrero de 2021 y otra más", ("ES:ICAC:2021-02-10",)),
    ("ES", "según la Resolución de 10 de febrero de 2021, del ICAC", ("ES:ICAC:2021-02-10",)),
    ("ES", "y una resolución de la AEPD, ps/00123/2022", ("ES:AEPD:PS/00123/2022",)),
    ("ES", "Directrices 05/2020 del CEPD; Dictamen 2/2017 del GT29", ("EU:EDPB:05/2020", "EU:WP29:2/2017")),
    (
        "ES",
        "Acuerdo del Pleno no jurisdiccional de la Sala Segunda del TS de 25 de mayo de 2010",
        ("ES:TS:2010-05-25",),
    ),
    (
        "CO",
        "Cfr. Concepto SIC 24-117823, y el Oficio DIAN 901234 de 2021",
        ("CO:SIC:24-117823", "CO:DIAN:901234 de 2021"),
    ),
    ("CO", "Resolución 000042 de 2020 (DIAN)", ("CO:DIAN:000042 de 2020",)),
    ("CL", "la Circular N° 31 de 2014 del SII", ("CL:SII:31 de 2014",)),
    ("AR", "la Res. Gral. AFIP 4815/2020", ("AR:AFIP:4815/2020",)),
    ("MX", "véase la tesis VIII-P-2aS-399.", ("MX:TFJA:VIII-P-2aS-399",)),
    ("PT", "a Deliberação n.º 2019/494 da CNPD", ("PT:CNPD:2019/494",)),
    ("FR", "et délibération SAN-2024-021 de la CNIL", ("FR:CNIL:SAN-2024-021",)),
    ("IT", "provvedimento del Garante privacy n. 112/2023", ("IT:GPDP:112/2023",)),
    (
        "DE",
        "siehe BMF-Schreiben vom 15.10.2024 – III C 2 - S 7287-a/23/10001 :007.",
        ("DE:BMF:III C 2 - S 7287-a/23/10001 :007",),
    ),
)  # fmt: skip


@pytest.mark.parametrize("country", sorted({country for country, _, _ in HEARD}))
def test_papers_of_authorities_are_heard_with_body_and_number(country: str) -> None:
    for _, text, wanted in (row for row in HEARD if row[0] == country):
        found = extract(text, country)
        forms = tuple(form for one in found for form in one.canonical)
        assert forms == wanted, text
        assert {one.kind for one in found} == {"L2-J"}, text


def test_initials_abroad_and_files_of_the_case_are_no_paper_of_an_authority() -> None:
    for country, text in (
        ("ES", "el informe 3 de la DT y el dictamen del SIC"),
        ("ES", "el expediente 4512/2023 del Juzgado"),
        ("CO", "radicado interno 2026-00317 de la EPS"),
        ("ES", "resolución de contrato de 3 de mayo de 2024"),
    ):
        assert extract(text, country) == (), text


def test_a_circular_that_is_published_as_a_norm_stays_one() -> None:
    (found,) = extract("la Circular 4/2017, de 27 de noviembre, del Banco de España", "ES")
    assert found.norm == "ES:circular:4/2017"


def test_an_instruction_of_prosecutors_is_no_antecedent() -> None:
    text = (
        "El art. 31 bis CP y la Circular 1/2016 de la FGE. Subsidiariamente, "
        "art. 21.6.ª del mismo cuerpo legal."
    )
    assert extract(text, "ES")[-1].norm == "ES:lo:10/1995"
