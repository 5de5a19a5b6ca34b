"""Find dates that cannot be: a weekday that the day is not, an end before its beginning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from app.rules.consistency.fault import Fault, find_in
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.time.dates import DateMention
from app.rules.render import wording
from app.text.bilingual import Bilingual, Language

_DAYS = (
    ("lunes", "monday"), ("martes", "tuesday"), ("miercoles", "wednesday"), ("jueves", "thursday"),
    ("viernes", "friday"), ("sabado", "saturday"), ("domingo", "sunday"),
)  # fmt: skip
_SHOWN = (
    ("lunes", "Monday"), ("martes", "Tuesday"), ("miércoles", "Wednesday"), ("jueves", "Thursday"),
    ("viernes", "Friday"), ("sábado", "Saturday"), ("domingo", "Sunday"),
)  # fmt: skip
_BESIDE = 80  # characters
_WEEKDAY = compile_pattern(f"\\b({'|'.join(name for names in _DAYS for name in names)}),?( dia)? ?(the )?$")


def find_wrong_days(document: Document, dates: Sequence[DateMention], language: Language) -> Iterator[Fault]:
    """Yield weekdays that are not those of their date, and an end that comes before its beginning."""
    for item in dates:
        before = find_in(document, _WEEKDAY, item.start - 20, item.start)
        if item.iso is None or before is None:
            continue
        written = document.folded[before.start : before.end].decode("ascii")
        number = next(at for at, names in enumerate(_DAYS) if written.startswith(names))
        real = date.fromisoformat(item.iso).weekday()
        if number != real:
            (es, en), day = _SHOWN[real], item.iso
            yield Fault(
                "weekday",
                "medium",
                Bilingual(
                    es=f"El {wording.day(day, 'es')} es {es}, no {_SHOWN[number][0]}.",
                    en=f"{wording.day(day, 'en')} is a {en}, not a {_SHOWN[number][1]}.",
                ),
                Bilingual(
                    es="Aclarar qué día se quiso decir: de él pueden depender plazos.",
                    en="Settle which day was meant: time limits may depend on it.",
                ),
                (Span(before.start, item.end),),
            )
    for start, end in pairwise(dates):
        # Of one term only: "del 1 de mayo de 2026 al 30 de abril de 2025".
        beside = end.start - start.end <= _BESIDE and document.sentence(Span(start.start, end.end)) == (
            document.sentence(Span(start.start, start.end))
        )
        first, last = start.iso or "", end.iso or ""
        if (start.role, end.role) != ("start", "end") or not beside or not first or not last or first <= last:
            continue
        yield Fault(
            "order",
            "high",
            Bilingual(
                es=f"El final ({wording.day(last, 'es')}) es anterior al comienzo "
                f"({wording.day(first, 'es')}).",
                en=f"The end ({wording.day(last, 'en')}) comes before the beginning "
                f"({wording.day(first, 'en')}).",
            ),
            Bilingual(es="Corregir las fechas.", en="Correct the dates."),
            (Span(start.start, start.end), Span(end.start, end.end)),
        )
