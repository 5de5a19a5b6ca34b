"""Weekly timetables: their hours, longest day and rest, and those that are left alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from app.rules.document import Document
from app.rules.facts.time.timetable import weekly_timetable

TABLE = """Horario.
   Lunes a viernes, mañana ......... 8:30 a 14:00
   Lunes a viernes, tarde .......... 16:00 a 19:30
   Sábados alternos ................ 9:00 a 13:00
"""


@pytest.mark.parametrize(
    ("text", "week", "day", "rest"),
    [
        (
            "lunes a viernes de 9:00 a 14:00 y de 16:00 a 20:00, y sábados alternos de 9:30 a 13:30",
            "47",
            "9",
            "13",
        ),
        (TABLE, "47", "9", "13"),
        ("Trabajará de 8 a 18 horas, de lunes a sábado, con una hora para comer.", "54", "9", "14"),
        (
            "De lunes a jueves, de 8:00 h a 14:00 h y de 15:00 h a 18:00 h, y los viernes de 8 a 15 h",
            "43",
            "9",
            "14",
        ),
        ("Lunes, miércoles y viernes de 17 a 22 horas", "15", "5", None),
        ("de martes a domingo, de 12 a 17 y de 20 a 1", "60", "10", "11"),
        ("LUNES A DOMINGO DE 22:00 A 6:00", "56", "8", "16"),
        ("Monday to Friday from 9:00 to 18:30", "47.5", "9.5", "14.5"),
    ],
)
def test_the_hours_of_a_timetable_are_added_up(text: str, week: str, day: str, rest: str | None) -> None:
    found = weekly_timetable(Document(text))
    assert found is not None
    assert (found.week, found.day) == (Decimal(week), Decimal(day))
    assert found.rest == (None if rest is None else Decimal(rest))


@pytest.mark.parametrize(
    "text",
    [
        "turnos rotativos de mañana de 6 a 14, tarde de 14 a 22 y noche de 22 a 6, de lunes a viernes",
        "El local abre de lunes a domingo de 10 a 22: horario de apertura",
        "De lunes a viernes de 8 a 15 en verano",
        "El plazo va del 1 al 15 de marzo",
        "Los lunes de 9 a 10",
        "De lunes a viernes de 9 a 14 y de 13 a 20",
    ],
)
def test_what_is_no_week_of_one_worker_is_left_alone(text: str) -> None:
    assert weekly_timetable(Document(text)) is None
