"""Read two dates that bound a stretch: "del 1 de octubre de 2026 al 30 de septiembre de 2027"."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from app.deadlines import add_months
from app.rules.facts.time.durations import DeadlineUnit
from app.text.expressions import compiled
from app.text.sentences import FoldedText

_FROM: Final = compiled(
    r"\b(?:del|desde(?: el)?|entre(?: el)?|de|from(?: and including)?|between|beginning on|commencing on"
    r"|starting on)"
    r"(?: dia| the)? $"
)
_TO: Final = compiled(
    r"^(?: \([a-z ]{3,20}\))?,? (?:y )?(?:al|a|hasta(?: el)?|y(?: el)?|to(?: and including)?|until|till"
    r"|through|and"
    r"|and ending on|ending on)(?: dia| the)? $"
)
# What a contract runs for, as against arrears, holidays or sick leave counted between two dates.
_RUNS: Final = compiled(
    r"\b(?:dura\w{0,4}|vigencia|vigente|plazo|periodo|contrato|arrendamiento|temporada|curso|regira|term"
    r"|period"
    r"|lease|tenancy|agreement|let|in force|duration|employment)\b"
)
_RAN: Final = compiled(
    r"\b(?:adeud\w{1,4}|deb\w{1,4}|impag\w{1,4}|reclam\w{1,5}|devengad\w{1,2}|vacaciones|baja|nominas?"
    r"|ejercicios?"
    r"|trabajo desde|presto|arrears|owed|unpaid|holidays?|worked|prestado|factura\w{0,5})\b"
)


def is_term(source: FoldedText, start: int, end: int, following: int) -> bool:
    """Tell whether two dates bound how long a contract runs.

    The first stands at `start:end`, the next from `following` on.
    """
    if following - end > 30 or not _TO.match(source.folded[end:following]):
        return False
    if not _FROM.search(source.before(start, 24)):
        return False
    around = source.before(start, 200) + " " + source.after(following, 80)
    return bool(_RUNS.search(around)) and not _RAN.search(around)


def length_between(first: date, last: date) -> tuple[int, DeadlineUnit] | None:
    """Return the length from `first` to `last` inclusive, or None where they do not ascend.

    It is counted in whole years, else in whole months, else in days.
    """
    if last <= first or last == date.max:
        return None
    after = last + timedelta(days=1)
    months = (after.year - first.year) * 12 + after.month - first.month
    for count in (months, months - 1):
        # "Del 1 de enero al 1 de enero" is said of a year too.
        if 0 < count <= 1_200 and add_months(first, count) in {after, last}:
            return (count // 12, "year") if count % 12 == 0 else (count, "month")
    return (last - first).days + 1, "natural_day"
