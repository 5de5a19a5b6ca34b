"""Forms of citations that careless drafters use: points in numbers, courts left out, laws named by year."""

from __future__ import annotations

import pytest

from app.citations import Citation, extract


def _one(text: str, words: str) -> Citation:
    found = [one for one in extract(text, "ES") if words in one.text]
    assert len(found) == 1, [one.text for one in extract(text, "ES")]
    return found[0]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Así la sentencia del Tribunal Supremo 3.210/2019, de 4 de marzo.", "ES:TS:3210/2019"),
        ("STS núm. 2.015/2018, de 9 de octubre", "ES:TS:2015/2018"),
        ("la sentencia del Supremo 614/2020, que lo confirma", "ES:TS:614/2020"),
        ("según la sentencia de la Sala Tercera 1.402/2017, de 26 de septiembre", "ES:TS:3:1402/2017"),
        ("la sentencia de la Sala de lo Penal 87/2016, de 3 de mayo,", "ES:TS:2:87/2016"),
        (
            "sentencia de la Sala de lo Social de Granada 2.718/2022, de 1 de junio",
            "ES:TSJ:Granada:2718/2022",
        ),
        ("sentencia de la Audiencia de Lugo 45/2015, de 2 de febrero", "ES:AP:Lugo:45/2015"),
        ("El Tribunal Supremo ha reiterado en su conocida sentencia 1.111/2014 que", "ES:TS:1111/2014"),
        ("the Supreme Court ruled in its judgment 402/2018, of 3 July, that", "ES:TS:402/2018"),
        ("judgment 1.250/2016, of 12 May, of the Third Chamber of the Supreme Court", "ES:TS:1250/2016"),
        ("sentencia, núm. 33/2020, del Tribunal Constitucional", "ES:TC:33/2020"),
    ],
)
def test_judgments(text: str, form: str) -> None:
    assert form in {one for found in extract(text, "ES") for one in found.canonical}


@pytest.mark.parametrize(
    "text",
    [
        "La sala primera de la planta 3/2020 está cerrada.",
        "El auto 4.500/2019 euros se vendió.",
        "La Audiencia comenzó a las 9.30 horas; folio 12/2020.",
        "expediente de sentencia: entrada 1.234/2022 del registro",
    ],
)
def test_what_only_looks_like_a_judgment(text: str) -> None:
    assert not [one for one in extract(text, "ES") if one.kind == "L2-J"]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("el artículo 78.Dos.1.º de la LIVA", "ES:ley:37/1992:art78.2.1"),
        ("art. 164.Uno de la Ley 37/1992", "ES:ley:37/1992:art164.1"),
        ("artículo 80.Cuatro.A) LIVA", "ES:ley:37/1992:art80.4.a"),
    ],
)
def test_paragraphs_in_words(text: str, form: str) -> None:
    (found,) = extract(text, "ES")
    assert found.canonical == (form,)


def test_laws_named_by_year() -> None:
    text = "el artículo 57 de la Ley de Arrendamientos Urbanos de 1964 y el artículo 4 de la LAU"
    assert [one.norm for one in extract(text, "ES")] == ["ES:d:4104/1964", "ES:ley:29/1994"]
    assert _one("la Ley de Enjuiciamiento Civil de 1881 rige aquí", "1881").norm == "ES:rd:1881-02-03"
    assert _one("artículo 18 de la Constitución de 1978", "18").norm == "ES:CE"
    assert (
        _one("artículo 1 de la Ley del Suelo; artículo 9 de la Ley Hipotecaria de 1909", "9 de").norm is None
    )


def test_the_law_in_force_after_its_forerunner() -> None:
    text = (
        "La Ley de Enjuiciamiento Civil lo permite. Véanse el artículo 359 de la Ley de Enjuiciamiento Civil "
        "de 1881 y el artículo 218 de la vigente."
    )
    assert _one(text, "218").norm == "ES:ley:1/2000"


def test_a_noun_points_at_a_norm_that_it_can_name() -> None:
    text = (
        "Rige el Real Decreto Legislativo 1/2010, de 2 de julio. También la Ley 3/2004, de 29 de diciembre. "
        "Según el artículo 217 del texto refundido, el cargo es gratuito. El artículo 7 de dicha Ley fija el "
        "interés."
    )
    assert _one(text, "217").norm == "ES:rdleg:1/2010"
    assert _one(text, "artículo 7").norm == "ES:ley:3/2004"
    other = "El Código Civil y la Ley 29/1994. El artículo 1255 del mismo Código."
    assert _one(other, "1255").norm == "ES:CC"


def test_the_text_may_point_at_its_antecedent() -> None:
    pointed = _one("el artículo 36 de la Ley 29/1994 y el artículo 99 de la misma ley", "artículo 99")
    assert "elided" not in pointed.ids
    guessed = _one("la Ley 29/1994 rige el alquiler; véase el artículo 99", "artículo 99")
    assert guessed.ids["elided"] == "1"


def test_communities_that_a_text_names() -> None:
    assert _one("Ley 5/2019 en la Comunidad de Madrid", "5/2019").ids["regions"] == "md"
    assert "regions" not in _one("Ley 5/2019 de crédito", "5/2019").ids


@pytest.mark.parametrize(
    ("text", "norm", "article"),
    [
        (
            "reg. 29 Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013",
            "consumer-contracts-information-cancellation-and-additional-charges-regulations-2013",
            "29",
        ),
        ("under s. 3 of the Protection from Eviction Act 1977", "protection-from-eviction-act-1977", "3"),
        ("section 16A of the Housing Act 1988", "housing-act-1988", "16A"),
    ],
)
def test_acts_with_long_titles(text: str, norm: str, article: str) -> None:
    [found] = extract(text, "GB")
    assert found.norm == f"GB:act:{norm}"
    assert found.articles == (article,)
