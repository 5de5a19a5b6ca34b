"""Short names that a text gives to laws, sections alone, and laws that only amended another."""

from __future__ import annotations

from datetime import date

import pytest

from app.citations import Citation, extract
from app.corpus import verify


def found(text: str, jurisdiction: str, words: str) -> Citation:
    """Return the citation that stands at the last place of `words`."""
    at = text.rindex(words)
    (one,) = [one for one in extract(text, jurisdiction) if (one.start, one.end) == (at, at + len(words))]
    return one


@pytest.mark.parametrize(
    ("jurisdiction", "text", "words", "norm"),
    [
        (
            "PE",
            "la Ley N.° 29571, Código de Protección y Defensa del Consumidor (en adelante, el Código). "
            "Véase el artículo 1969 del Código Civil. La queja se funda en el artículo 97 del Código.",
            "artículo 97 del Código",
            "PE:ley:29571",
        ),
        (
            "AR",
            "de la Ley 24.240 de Defensa del Consumidor (en adelante, “la Ley”). El contrato es el del art. "
            "1093 CCyC y se viola el art. 8 bis de la Ley.",
            "art. 8 bis de la Ley",
            "AR:ley:24240",
        ),
        (
            "UY",
            "la Ley N° 17.250 de Relaciones de Consumo, en lo sucesivo LRC, y el art. 1291 del Código Civil. "
            "Rige el art. 15 de la LRC.",
            "art. 15 de la LRC",
            "UY:ley:17250",
        ),
        (
            "IT",
            "il Codice del consumo (di seguito, il Codice). Nullo ex art. 1418 c.c. e art. 36 del Codice.",
            "art. 36 del Codice",
            "IT:CdC",
        ),
        (
            "DE",
            "Das Kündigungsschutzgesetz (im Folgenden: das Gesetz) gilt. § 626 BGB bleibt. Die Frist nach "
            "§ 4 des Gesetzes lief.",
            "§ 4 des Gesetzes",
            "DE:KSchG",
        ),
        (
            "EU",
            "Regulation (EU) 2022/720 (the “VBER”) and Directive 93/13/EEC apply. "
            "See Article 4(a) of the VBER.",
            "Article 4(a) of the VBER",
            "EU:reg:2022/720",
        ),
        (
            "GB",
            "under section 20 of the Equality Act 2010 (“the Act”); see s 98 ERA 1996. "
            "By section 15(1) of the Act",
            "section 15(1) of the Act",
            "GB:act:equality-act-2010",
        ),
        (
            "GB",
            "The Working Time Regulations 1998 (“the Regulations”) and the Employment Rights Act 1996. "
            "Leave accrues under regulation 13 of the Regulations",
            "regulation 13 of the Regulations",
            "GB:act:working-time-regulations-1998",
        ),
    ],
)
def test_a_short_name_stands_for_the_law_that_the_text_gave_it_to(
    jurisdiction: str, text: str, words: str, norm: str
) -> None:
    one = found(text, jurisdiction, words)
    assert one.norm == norm
    assert "elided" not in one.ids


def test_the_defining_place_cites_the_law_by_its_name() -> None:
    text = "infracciones al Código de Protección y Defensa del Consumidor (en adelante, el Código)."
    assert found(text, "PE", "Código de Protección y Defensa del Consumidor").norm == "PE:ley:29571"


def test_back_references_follow_the_short_name() -> None:
    text = (
        "la Ley 29571 (en adelante, el Código). Según el artículo 218 del TUO de la Ley 27444 y el artículo "
        "115 del Código, hay reparación. El daño moral se pide según el artículo 100 de la citada ley."
    )
    text = text.replace("Ley 29571", "Ley 29571, Código de Protección y Defensa del Consumidor")
    assert found(text, "PE", "artículo 100 de la citada ley").norm == "PE:ley:29571"


@pytest.mark.parametrize(
    "text",
    [
        # A party, a contract, and a regulation made under the law, which is another norm.
        "conforme a la Ley 24.240 con Acme Sur S.A. (en adelante, ASSA). El artículo 8 de ASSA",
        "según la Ley 24.240 se firmó un contrato (en adelante, el Contrato). El artículo 8 del Contrato",
        "la Ley 24.240 y su norma (en adelante, el Reglamento). El artículo 8 del Reglamento",
        # A longer name is the name of something else.
        "la Ley 24.240 (en adelante, la Ley). El artículo 8 de la Ley de Puertos Secos",
    ],
)
def test_other_things_are_not_taken_for_the_law_defined(text: str) -> None:
    assert not [one for one in extract(text, "AR") if one.articles and one.norm and "elided" not in one.ids]


def test_the_code_in_the_heading_is_meant_until_a_paragraph_cites_another() -> None:
    heading = "MATERIA: CÓDIGO DE PROTECCIÓN Y DEFENSA DEL CONSUMIDOR\n\n"
    other = "La prueba se rige por el artículo 196 del Código Procesal Civil.\n\n"
    text = f"{heading}{other}El artículo 97 del Código lo prevé."
    assert found(text, "PE", "artículo 97 del Código").norm == "PE:ley:29571"
    near = f"{heading}Rige el Código Procesal Civil. El artículo 97 del Código lo prevé."
    assert found(near, "PE", "artículo 97 del Código").norm == "PE:CPC"


def test_a_section_alone_is_of_the_act_that_the_text_came_back_to() -> None:
    text = (
        "The Landlord and Tenant Act 1985 (“the 1985 Act”) governs the charge.\n"
        + "The demands were late. " * 40
        + "\nWithin section 20 of the 1985 Act no notice was served; dispensation under section 20ZA(1) "
        + "fails. Payment is no admission either (s.27A(5)); nor does clause 19(1) of the lease help."
    )
    act = "GB:act:landlord-and-tenant-act-1985"
    assert found(text, "GB", "section 20ZA(1)").norm == act
    assert found(text, "GB", "s.27A(5)").norm == act
    assert not [one for one in extract(text, "GB") if one.text.endswith("19(1)")]


@pytest.mark.parametrize(
    "amending",
    [
        "en la redacción dada por la LO 1/2025",
        "en su redacción introducida por la Ley Orgánica 1/2025, de 2 de enero",
        "tras la reforma operada por la LO 1/2025",
    ],
)
def test_a_law_that_gave_the_wording_is_no_antecedent(amending: str) -> None:
    text = f"el art. 249.2 LEC, {amending}, y el art. 399.1 del mismo texto legal"
    assert found(text, "ES", "art. 399.1 del mismo texto legal").norm == "ES:ley:1/2000"


def test_where_a_paragraph_cites_two_laws_the_same_text_breaks_no_citation() -> None:
    on = date(2026, 4, 30)
    words = "art. 399.1 del mismo texto legal"
    two = f"Procede el art. 249.2 LEC, cumplido el art. 5.1 de la LO 1/2025, y el {words}."
    assert verify(found(two, "ES", words), on).status == "verified"  # the procedural law has it
    neither = two.replace("399", "1399")
    assert verify(found(neither, "ES", words.replace("399", "1399")), on).status == "not_verifiable"
    redaction = f"Rige el art. 249.2 LEC, en la redacción de la LO 1/2025, y el {words}."
    assert verify(found(redaction, "ES", words), on).status == "verified"
    one = f"Cumplido el art. 5.1 de la LO 1/2025, y el {words}."
    assert verify(found(one, "ES", words), on).status == "not_found"


def test_articles_of_the_paper_itself_are_of_no_law() -> None:
    text = "O artigo 483.º do Código Civil. São os factos dos artigos 8.º e 9.º desta peça."
    assert [one.articles for one in extract(text, "PT")] == [("483",)]


def test_numbers_of_goods_are_no_cases_of_the_court() -> None:
    assert not extract("Lot C-12/26 of the parts and invoice C-118/25 are due.", "EU")
    assert extract("Case C-12/25 is pending.", "EU")


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("PE", "Resolución Final N° 0123-2021/CC2-INDECOPI"),
        ("PE", "Resolución 1008-2013/SPC-INDECOPI"),
        ("UY", "sentencia N° 418/2019, de 6 de agosto de 2019"),
    ],
)
def test_decisions_that_tell_their_authority_by_number(jurisdiction: str, text: str) -> None:
    assert found(f"Así se dijo ({text}).", jurisdiction, text).kind == "L2-J"


def test_the_code_is_the_special_one_where_others_have_their_whole_name() -> None:
    text = (
        "La Ley 29571, Código de Protección y Defensa del Consumidor. Según el artículo 104 del Código. "
        "Conforme al artículo 196 del Código Procesal Civil y 1315 del Código Civil. "
        "El artículo 112 del Código."
    )
    assert found(text, "PE", "artículo 112 del Código").norm == "PE:ley:29571"
