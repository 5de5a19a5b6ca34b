"""The jurisdiction detected from a document's words (decision 018)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.jurisdiction.assessment import SURE_ENOUGH, choose_jurisdiction
from app.analysis.jurisdiction.detection import PLAIN_CONFIDENCE, Detection, detect
from app.analysis.request import AUTO
from app.corpus import jurisdiction
from tests.growth import assert_linear

_FILE = Path(__file__).parent / "data" / "jurisdiction_passages.toml"
PASSAGES: list[dict[str, Any]] = tomllib.loads(_FILE.read_text())["passage"]
SIGNS = tomllib.loads((Path(__file__).parents[2] / "app/analysis/data/jurisdiction_signs.toml").read_text())
# What the detector must tell at the least; the lists of the brief's countries, each with passages of its own.
_COUNTRIES = frozenset(
    (
        "ES",
        "MX",
        "CO",
        "AR",
        "CL",
        "PE",
        "UY",
        "EC",
        "BO",
        "VE",
        "GB",
        "US",
        "IE",
        "BR",
        "PT",
        "FR",
        "IT",
        "DE",
        "EU",
    )
)


@pytest.mark.parametrize("passage", PASSAGES, ids=[passage["name"] for passage in PASSAGES])
def test_every_passage_is_of_the_jurisdiction_a_lawyer_would_name(passage: dict[str, Any]) -> None:
    assert (detect(passage["text"]).code or "") == passage["code"]


def test_nine_of_ten_plain_passages_are_plain_to_the_detector() -> None:
    plain = [passage for passage in PASSAGES if passage.get("plain")]
    sure = [passage for passage in plain if detect(passage["text"]).confidence >= PLAIN_CONFIDENCE]
    assert len(plain) >= 60
    assert len(sure) >= 0.9 * len(plain)


def test_the_passages_hold_every_country_that_must_be_known() -> None:
    assert {passage["code"] for passage in PASSAGES} >= _COUNTRIES
    assert set(SIGNS["country"]) >= _COUNTRIES


def test_every_country_of_the_file_is_one_that_the_service_knows() -> None:
    assert [code for code in SIGNS["country"] if jurisdiction(code) is None] == []


@pytest.mark.parametrize("passage", PASSAGES, ids=[passage["name"] for passage in PASSAGES])
def test_evidence_is_literal_short_and_of_at_most_five_extracts(passage: dict[str, Any]) -> None:
    found = detect(passage["text"])
    assert len(found.evidence) <= 5
    assert all(extract in passage["text"] and 0 < len(extract) <= 80 for extract in found.evidence)
    assert bool(found.evidence) == (found.code is not None)
    assert found == detect(passage["text"])


def test_nothing_known_is_none_with_no_confidence_and_no_evidence() -> None:
    for text in ("", " ", "\n\n", "¿?", "12345", "El precio se pagará en dos plazos."):
        assert detect(text) == Detection(None, 0.0, ())


def test_the_governing_law_outweighs_parties_places_and_money() -> None:
    parties = (
        "Entre Aceites Mágina, S.L., CIF B23456789, de Jaén, España, y Olivares del Sur, S.A., de Málaga, "
        "sociedades españolas, precio 4.000 euros, escritura ante notario del Ilustre Colegio de Andalucía. "
    )
    assert detect(parties).code == "ES"
    english = detect(parties + "Este contrato se rige por las leyes de Inglaterra y Gales.")
    assert english.code == "GB"
    assert english.confidence >= PLAIN_CONFIDENCE
    assert english.evidence[0] == "se rige por las leyes de Inglaterra y Gales"


def test_a_clause_denied_or_quoted_does_not_govern() -> None:
    assert detect("Este contrato no se rige por la ley mexicana.").confidence < PLAIN_CONFIDENCE
    quoted = 'La ley española rige este contrato. El anterior decía: "se rige por la ley mexicana".'
    assert detect(quoted).code == "ES"


def test_two_clauses_that_contradict_each_other_settle_nothing() -> None:
    text = "El anexo I se rige por la ley chilena. El anexo II se rige por la ley peruana."
    assert detect(text) == Detection(None, 0.0, ())


def test_the_law_of_the_union_is_never_plain_by_its_regulations_alone() -> None:
    text = (
        "Artículo 28 del Reglamento (UE) 2016/679 (RGPD). Espacio Económico Europeo. Comisión Europea. " * 5
    )
    assert detect(text).confidence < PLAIN_CONFIDENCE


def test_one_sign_of_a_country_is_never_plain() -> None:
    for text in ("Firmado en Cochabamba.", "Consúltese a la SUNAT.", "Está inscrito en Companies House."):
        assert detect(text).confidence < PLAIN_CONFIDENCE


def test_numbers_of_persons_are_counted_and_not_shown() -> None:
    text = "Doña Leonor Tena, con DNI 08812345H y NIE X1234567L, vecina de Badajoz, ante notario, 500 euros."
    found = detect(text)
    assert found.code == "ES"
    assert not any("08812345" in extract or "1234567" in extract for extract in found.evidence)


@pytest.mark.parametrize("number", ["71.204.338-K", "71204338K", "12.345.678-5", "X1234567L"])
def test_a_number_in_another_countrys_form_is_not_shown_either(number: str) -> None:
    found = detect(f"Doña Leonor Tena, con documento {number}, vecina de León, pagará 500 euros.")
    assert not any(sum(map(str.isdigit, extract)) > 4 for extract in found.evidence), found.evidence
    assert number not in repr(found)


def test_accents_typed_apart_and_hidden_characters_change_nothing() -> None:
    plain = "Este contrato se rige por la ley espa\u00f1ola."
    for written in (
        "Este contrato se rige por la ley espan\u0303ola.",
        "Este contrato se ri\u200bge por la ley espa\u00ad\u00f1ola.",
    ):
        found = detect(written)
        assert (found.code, found.confidence) == (detect(plain).code, detect(plain).confidence)
        assert all(extract in written for extract in found.evidence)


def test_a_long_clause_is_shown_by_its_end_where_the_country_stands() -> None:
    text = (
        "This Agreement shall be governed by and construed in all respects, including its formation, "
        "validity, performance and termination, in accordance with the laws of Ireland."
    )
    found = detect(text)
    assert found.code == "IE"
    assert found.evidence[0].endswith("the laws of Ireland")


_LETTERS = "aáñ.\n\"' «»§0129-/()se rige por la ley española Córdoba\u0301\u200bİß"


@given(st.text(alphabet=st.sampled_from(_LETTERS), max_size=300))
def test_any_text_has_a_detection_with_literal_evidence(text: str) -> None:
    found = detect(text)
    assert 0 <= found.confidence <= 1
    assert all(extract in text and len(extract) <= 80 for extract in found.evidence)
    assert (found.code is None) == (found.confidence == 0)


@pytest.mark.parametrize(
    "unit",
    [
        "se rige por ",
        "ley española rige ",
        '" governed by ',
        "a\u0301",
        "\n \n",
        "ley ",
        "21-2.",
        "S.A. de C.V. ",
    ],
)
def test_the_time_taken_grows_with_the_text_and_no_faster(unit: str) -> None:
    assert_linear(detect, unit)


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("Mi arrendador en Bogotá me sube el canon y se queda con el depósito.", "CO"),
        ("Me despidieron en Ciudad de México sin pagarme el finiquito.", "MX"),
        ("He comprado una lima y un martillo y no me devuelven el dinero.", "ES"),
        ("El vecino limita la libertad de paso y no deja entrar a nadie.", "ES"),
        ("Doña Victoria Lima acuerda repartir los muebles con su hermana.", "ES"),
        ("Le ruego que me devuelva la fianza. Un saludo, Paz Colón", "ES"),
    ],
)
def test_auto_follows_a_faint_sign_only_where_something_is_said_to_be_in_the_place(
    text: str, followed: str
) -> None:
    found = detect(text)
    assert found.confidence < SURE_ENOUGH
    assert choose_jurisdiction(AUTO, found) == followed
