"""Computed deadlines against those counted by hand from the articles (benchmarks/data/deadlines_es.json)."""

from __future__ import annotations

import json
from datetime import date
from itertools import pairwise
from typing import Any

import pytest

from app import deadlines
from benchmarks.deadlines import CASES, computed

HAND_COMPUTED: list[dict[str, Any]] = json.loads(CASES.read_text("utf-8"))


@pytest.mark.parametrize("case", HAND_COMPUTED, ids=lambda case: case["id"])
def test_a_deadline_ends_on_the_day_counted_by_hand(case: dict[str, Any]) -> None:
    found = computed(case["asked"])
    assert found.due.isoformat() == case["due"]
    assert found.regime == case["asked"]["regime"]
    assert any(step.day == found.due for step in found.steps)
    assert all(step.basis.startswith(("art.", "arts.", "disp.")) for step in found.steps)
    assert all(former.day <= latter.day for former, latter in pairwise(found.steps))


def test_there_are_forty_cases_of_every_regime() -> None:
    assert len(HAND_COMPUTED) >= 40
    assert {case["asked"]["regime"] for case in HAND_COMPUTED} == set(deadlines.REGIMES)


def told(**asked: Any) -> str:
    return " ".join(step.text for step in computed(asked).steps)


def test_steps_name_what_was_left_out_and_what_moved_the_day() -> None:
    text = told(
        fechaBase="2026-10-29", cantidad=20, tipoComputo="habiles", regime="procesal", ccaa="MD",
        festivosLocales=["2026-11-09"],
    )  # fmt: skip
    assert "02/11/2026 (festivo en Comunidad de Madrid)" in text
    assert "09/11/2026 (festivo local)" in text
    text = told(fechaBase="2025-09-06", cantidad=3, tipoComputo="meses", regime="administrativo")
    assert "El 06/12/2025 es inhábil (sábado): se prorroga al martes 09/12/2025." in text
    text = told(fechaBase="2025-07-24", cantidad=20, tipoComputo="habiles", regime="procesal")
    assert "del 01/08/2025 al 31/08/2025 (agosto)" in text
    assert "hasta las 15:00 del día hábil siguiente, el lunes 22/09/2025" in text


def test_an_official_calendar_stands_in_place_of_the_recurring_days() -> None:
    assert date(2026, 11, 2) in deadlines.regional_holidays("MD", 2026)
    assert date(2030, 5, 2) in deadlines.regional_holidays("MD", 2030)
    note = computed(
        {
            "fechaBase": "2026-10-29",
            "cantidad": 5,
            "tipoComputo": "habiles",
            "regime": "procesal",
            "ccaa": "MD",
        }
    ).adjustments
    assert any("calendario oficial de 2026 (Comunidad de Madrid)" in one for one in note)
