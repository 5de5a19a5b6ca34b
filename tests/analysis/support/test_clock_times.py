"""Times of day, in figures and in words."""

from __future__ import annotations

from app.analysis.support.clock_times import clock_times
from app.analysis.support.words import read


def test_times_of_day_are_read_in_figures_and_in_words() -> None:
    for text, minutes in {
        "de 7:00 a 15:30 horas": [420, 930],
        "de siete de la mañana a tres de la tarde": [420, 900],
        "between eight and ten in the morning": [480, 600],
        "at 3 pm": [900],
        "a las doce de la noche": [0],
        "at nine in the evening": [1260],
        "seis meses y 20 días": [],
        "el 30 % de 1.200 euros": [],
    }.items():
        assert [one.minutes for one in clock_times(read(text).tokens)] == minutes, text
