"""Identifiers of every jurisdiction are found in their usual spellings; what only looks like one is not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from app.citations import protected_spans
from app.redaction import redact
from tests.redaction import spellings

JURISDICTIONS = Path(__file__).resolve().parents[3] / "shared" / "data" / "jurisdictions.json"
SENTENCES = {
    "es": "El actor, con {label} {value}, interpone recurso conforme al artículo 14 de la Ley 39/2015.",
    "en": "The claimant, holder of {label} {value}, relies on Article 6 of Regulation (EU) 2016/679.",
    "pt": "O executado, {label} {value}, deverá pagar nos termos do artigo 5 da Lei 13.105/2015.",
    "fr": "Le demandeur, {label} {value}, demande l'application de l'article 1103 du code civil.",
    "it": "Il ricorrente, {label} {value}, ai sensi dell'art. 360 c.p.c.",
    "de": "Der Kläger, {label} {value}, beruft sich auf § 823 BGB.",
}


def masked(text: str, value: str, jurisdiction: str) -> bool:
    found = redact(text, jurisdiction=jurisdiction, protected=protected_spans(text, jurisdiction))
    assert found.restore(found.text) == text
    start = text.index(value)
    return (start, start + len(value)) in {(one.start, one.end) for one in found.masked}


@pytest.mark.skipif(not JURISDICTIONS.is_file(), reason=f"the jurisdictions are not at {JURISDICTIONS}")
def test_every_identifier_of_every_jurisdiction_is_found_in_its_usual_spellings() -> None:
    chance = random.Random(20260430)
    missed: list[str] = []
    tried = 0
    for place in json.loads(JURISDICTIONS.read_text("utf-8")):
        language = next((one for one in place["languages"] if one in SENTENCES), "en")
        for kind in place["id_types"]:
            name = kind["stdnum"].removeprefix("stdnum.")
            if name not in spellings.FORMS:
                continue
            value = spellings.valid(name, chance)
            for spelled in dict.fromkeys(spellings.written(name, value)):
                for label in (kind["name"], f"{kind['name']}:", f"{kind['name'].upper()} n.º"):
                    text = SENTENCES[language].format(label=label, value=spelled)
                    for jurisdiction in dict.fromkeys((place["code"], "ES")):
                        tried += 1
                        if not masked(text, spelled, jurisdiction):
                            missed.append(f"{jurisdiction}: {label} {spelled}")
    assert tried > 3000
    assert len(missed) <= tried // 100, missed


@pytest.mark.skipif(not JURISDICTIONS.is_file(), reason=f"the jurisdictions are not at {JURISDICTIONS}")
def test_a_labelled_identifier_with_a_wrong_check_digit_is_masked_all_the_same() -> None:
    chance = random.Random(7)
    missed: list[str] = []
    tried = 0
    for place in json.loads(JURISDICTIONS.read_text("utf-8")):
        for kind in place["id_types"]:
            name = kind["stdnum"].removeprefix("stdnum.")
            if name not in spellings.FORMS:
                continue
            value = spellings.wrong(spellings.valid(name, chance))
            tried += 1
            if not masked(SENTENCES["es"].format(label=kind["name"], value=value), value, place["code"]):
                missed.append(f"{place['code']}: {kind['name']} {value}")
    assert tried > 90
    assert missed == []


@pytest.mark.parametrize(
    ("text", "value", "jurisdiction"),
    [
        ("con R.F.C. PENY 800101 PU5, interpone", "PENY 800101 PU5", "MX"),  # the last sign is wrong
        ("NIF 230 182 976 do contribuinte", "230 182 976", "ES"),
        ("Rijksregister 80.01.01-656.31, demande", "80.01.01-656.31", "BE"),
        ("Fødselsnummer 01018000055", "01018000055", "NO"),
        ("Partita IVA 5292356086-7", "5292356086-7", "IT"),
        ("VAT number 9617910J", "9617910J", "IE"),
        ("TVA 17 000 201 600", "17 000 201 600", "FR"),
        ("MWST CHE-597.713.106 MWST", "CHE-597.713.106 MWST", "CH"),
        ("documento d'identità 913 700 951", "913 700 951", "IT"),
        ("identity number A1234567", "A1234567", "GB"),
        ("Telefon 030/1234567", "030/1234567", "DE"),
        ("tél. 06.12.34.56.78, à Paris", "06.12.34.56.78", "FR"),
    ],
)
def test_spellings_that_were_once_missed_are_found(text: str, value: str, jurisdiction: str) -> None:
    assert masked(text, value, jurisdiction)


@pytest.mark.parametrize(
    "text",
    [
        "STS 1234/2020, de 5 de mayo (rec. 1234567/2019)", "ECLI:ES:TS:2020:1234", "BOE-A-2015-10565",
        "1.234.567,89 euros", "el 12/03/2024 y el 2024-03-12", "expediente 2024/00012345", "$ 45.600.000",
        "NIG 28079 00 2 2020 0012345", "finca registral 12.345, tomo 1.987, libro 432, folio 55", "C-415/11",
        "póliza n.º 12345678", "factura 2024/000123456", "347 U.S. 483 (1954)", "42 U.S.C. § 1983",
        "RG 00/01234/2020", "[2019] UKSC 41", "BGH, Urteil vom 12. Mai 2020, Az. VIII ZR 123/19",
        "Cass. civ. 1re, 12 mai 2020, n° 19-12.345", "Cass., sez. un., n. 12345/2020", "RUC 1900123456-7",
        "radicado 11001-03-15-000-2009-01328-01", "Exp. N° 01234-2019-PHC/TC", "Rol N° 35.185-2016",
        "processo 0001234-56.2020.8.26.0100", "Registro digital: 2006224", "ISBN 978-84-1234-567-8",
        "clave de liquidación A2860021506001234", "protocolo 1234567", "acta 12345678", "01.02.20-03.04.20",
    ],
)  # fmt: skip
def test_citations_dockets_amounts_and_dates_are_never_masked(text: str) -> None:
    for jurisdiction in ("ES", "CO", "CL", "MX", "BR", "PT", "FR", "IT", "DE", "GB", "US"):
        sentence = f"Según {text}, procede."
        protected = protected_spans(sentence, jurisdiction)
        assert redact(sentence, jurisdiction=jurisdiction, protected=protected).text == sentence, jurisdiction
