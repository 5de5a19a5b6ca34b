"""The law of Mexico and Colombia, in short documents that break it and in lawful ones beside them."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from app.citations import extract
from app.corpus import verify
from app.rules import Brief, RulesEngine
from app.rules.reading import Reading

TEXTS = Path(__file__).parent / "texts"
CODES = {"MX": "mexico.toml", "CO": "colombia.toml"}


class Sample(NamedTuple):
    """A document, the kind it is, the branch it is sent under and the rules that must be met in it."""

    code: str
    id: str
    kind: str
    branch: str
    text: str
    rules: frozenset[str]


def _samples() -> list[Sample]:
    found = []
    for code, name in CODES.items():
        for one in tomllib.loads((TEXTS / name).read_text("utf-8"))["document"]:
            rules = frozenset(one["rules"])
            found.append(Sample(code, one["id"], one["kind"], one["branch"], one["text"], rules))
    return found


SAMPLES = _samples()
each = pytest.mark.parametrize("sample", SAMPLES, ids=[f"{one.code}-{one.id}" for one in SAMPLES])


def _met(sample: Sample, code: str) -> set[str]:
    """Return the rules met in a document under the law of a country, without its periods and last days."""
    draft = RulesEngine().analyse(Brief(sample.text, code, sample.branch, "es"))
    told = {one.facts["rule"] for one in draft.statements if "rule" in one.facts}
    return {rule for rule in told if "_dl_" not in rule and "_ld_" not in rule}


@each
def test_a_document_is_known_for_what_it_is(sample: Sample) -> None:
    assert Reading(sample.text, sample.code).recognition.id == sample.kind


@each
def test_what_breaks_the_law_is_told_and_a_lawful_document_stays_silent(sample: Sample) -> None:
    met = _met(sample, sample.code)
    wanted = {rule for rule in sample.rules if "_dl_" not in rule}
    if wanted:
        assert wanted <= met
    else:
        assert not met


@each
def test_the_law_of_the_one_is_not_told_of_the_other(sample: Sample) -> None:
    [other] = CODES.keys() - {sample.code}
    assert not any(rule.startswith(f"{sample.code.lower()}_") for rule in _met(sample, other))


def _stated(text: str, code: str, rule: str) -> bool:
    draft = RulesEngine().analyse(Brief(text, code, "laboral", "es"))
    return any(one.facts.get("rule") == rule for one in draft.statements)


CONTRACT = """CONTRATO INDIVIDUAL DE TRABAJO
Que celebran en la ciudad, el {day}, el empleador Textiles Nogal y la trabajadora Ana Prado.
PRIMERA. La jornada será de {hours} horas semanales.
SEGUNDA. El salario será de $3.000.000,00 mensuales.
"""


@pytest.mark.parametrize(
    ("day", "hours", "rule"),
    [
        ("1 de agosto de 2026", 44, "co_hours_above_week"),
        ("1 de agosto de 2026", 42, None),
        ("1 de agosto de 2025", 44, None),
        ("1 de agosto de 2025", 46, "co_hours_above_week_2025"),
    ],
)
def test_the_hours_of_colombia_fall_by_the_dates_of_the_law(day: str, hours: int, rule: str | None) -> None:
    text = CONTRACT.format(day=day, hours=hours)
    told = {one for one in ("co_hours_above_week", "co_hours_above_week_2025") if _stated(text, "CO", one)}
    assert told == ({rule} if rule else set())


@pytest.mark.parametrize(("hours", "told"), [(48, False), (49, True)])
def test_the_week_of_mexico_is_of_forty_eight_hours_until_the_first_step_of_the_reform(
    hours: int, told: bool
) -> None:
    text = CONTRACT.format(day="1 de agosto de 2026", hours=hours)
    assert _stated(text, "MX", "mx_hours_above_week") is told
    assert _stated(text, "MX", "mx_hours_reduction_ahead") is not told


LOAN = """CONTRATO DE MUTUO. En Pasto, el {day}, el mutuante Álvaro Díaz presta al mutuario $10.000.000.
PRIMERA. Pagará intereses de plazo del {rate} % anual.
"""


@pytest.mark.parametrize(
    ("day", "rate", "told"),
    [
        ("10 de enero de 2024", 34, False),
        ("10 de febrero de 2026", 34, True),
        ("10 de febrero de 2026", 25, False),
    ],
)
def test_usury_in_colombia_is_measured_by_the_rate_certified_for_the_month(
    day: str, rate: int, told: bool
) -> None:
    assert _stated(LOAN.format(day=day, rate=rate), "CO", "co_usury") is told


@pytest.mark.parametrize(
    ("written", "code", "norm"),
    [
        ("artículo 47, fracción X, de la Ley Federal del Trabajo", "MX", "MX:LFT"),
        ("artículo 76 Bis, fracción VIII, de la Ley Federal de Protección al Consumidor", "MX", "MX:LFPC"),
        ("art. 2448-D del Código Civil para el Distrito Federal", "MX", "MX:CCDF"),
        ("artículo 2448-H del Código Civil Federal", "MX", "MX:CCF"),
        ("artículo 16 de la Ley 820 de 2003", "CO", "CO:ley:820/2003"),
        ("artículo 47 de la Ley 1480 de 2011", "CO", "CO:ley:1480/2011"),
        ("art. 3 de la Ley 2300 de 2023", "CO", "CO:ley:2300/2023"),
        ("artículo 161 del Código Sustantivo del Trabajo", "CO", "CO:CST"),
    ],
)
def test_the_authorities_of_both_are_read_as_they_are_written_and_confirmed(
    written: str, code: str, norm: str
) -> None:
    [found] = extract(written, code)
    assert found.norm == norm
    assert verify(found, date(2026, 11, 28)).status == "verified"
