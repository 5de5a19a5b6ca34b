"""A loaded judgment is found by the number, court and date by which lawyers cite it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from app import corpus
from app.citations import extract
from app.platform import clock

pytestmark = pytest.mark.usefixtures("empty_corpus")
ON = date(2026, 11, 29)


def cendoj(roj: int, number: str, day: str, chamber: str) -> str:
    year = day[-4:]
    text = (
        f"Roj: STS {roj}/{year} - ECLI:ES:TS:{year}:{roj}\nId Cendoj: 2807\n"
        f"Órgano: Tribunal Supremo. Sala de lo {chamber}\nSede: Madrid\nFecha: {day}\n"
        f"Nº de Recurso: 1/2020\nNº de Resolución: {number}\nPonente: ANA PRUEBA\n"
        f"Tipo de Resolución: Sentencia\n\nLa Sala de lo {chamber} estima el recurso.\n"
    )
    dated = "-".join(reversed(day.split("/")))
    row = {"title": f"STS {roj}/{year} (Sentencia {number}, {day})", "text": text, "date": dated}
    return json.dumps({**row, "court": f"Tribunal Supremo. Sala de lo {chamber}, Madrid"}) + "\n"


def load(tmp_path: Path, *rows: str) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_text("".join(rows), "utf-8")
    corpus.load("judgments", path, "jsonl", jurisdiction="ES", now=clock.now())


def found(written: str) -> tuple[str, str | None]:
    (citation,) = extract(written, "ES")
    held = corpus.look_up([citation], ON)
    judgment = held.judgment(citation.canonical[0], citation.ids)
    return corpus.verify(citation, ON, held).status, judgment and judgment.roj


def test_a_judgment_is_found_by_number_and_day_and_chamber(tmp_path: Path) -> None:
    load(tmp_path, cendoj(3378, "747/2022", "20/09/2022", "Social"))
    for written in (
        "STS 747/2022, de 20 de septiembre",
        "STS 747/2022",
        "STS (Sala de lo Social) 747/2022, de 20 de septiembre",
        "sentencia del Tribunal Supremo 747/2022, de 20 de septiembre",
        "STS 3378/2022",
    ):
        assert found(written) == ("verified", "STS 3378/2022"), written


def test_another_day_chamber_number_or_kind_is_not_that_judgment(tmp_path: Path) -> None:
    load(tmp_path, cendoj(3378, "747/2022", "20/09/2022", "Social"))
    assert found("STS 747/2022, de 21 de septiembre")[0] == "mismatch"
    for written in ("STS (Sala de lo Penal) 747/2022", "STS 748/2022", "ATS 747/2022", "STC 747/2022"):
        assert found(written) == ("not_verifiable", None), written


def test_of_two_chambers_with_one_number_the_day_decides(tmp_path: Path) -> None:
    load(
        tmp_path,
        cendoj(3378, "747/2022", "20/09/2022", "Social"),
        cendoj(2999, "747/2022", "27/07/2022", "Penal"),
    )
    assert found("STS 747/2022, de 20 de septiembre") == ("verified", "STS 3378/2022")
    assert found("STS 747/2022, de 27 de julio") == ("verified", "STS 2999/2022")
    assert found("STS (Sala de lo Penal) 747/2022") == ("verified", "STS 2999/2022")
    assert found("STS 747/2022") == ("not_verifiable", None)
