"""Count a period that an act, a ruling or a letter sets its addressee, from the day of its service.

"Se le concede un plazo de diez días para alegaciones" does not say from when it runs: from the day after the
notification (art. 30.3 LPAC, art. 133.1 LEC), in a letter from its receipt (art. 5.1 CC).
"""

from __future__ import annotations

from datetime import date
from typing import Final

import re2

from app.deadlines import COUNTING, Calendar
from app.rules.draft import Family
from app.rules.facts.document_facts import Facts
from app.rules.facts.time.deadlines import Deadline
from app.rules.periods.bases import Anchor, Bases

_CALENDARS: Final[dict[str, Calendar]] = {
    "act": "administrative",
    "ruling": "judicial",
    "letter": "civil",
}
SERVICES: Final = ("act_served", "opening_served", "assessment_served", "order_served")
_COURT = re2.compile(r"\bjuzgado\b|tribunal de instancia|letrad[oa] de la administracion de justicia")
_AUTHORITY = re2.compile(r"expediente|ayuntamiento|consejeria|ministerio|diputacion|subdelegacion")
_LONGEST: Final = {"day": 90, "natural_day": 90, "business_day": 90, "month": 4}
_SET = re2.compile(
    r"plazo|t[e]rmino de|dispone de|conced|otorg|dentro de|en (?:el |los |un )?$|dentro del|within|period of"
)
_ACT_OF_ADDRESSEE = re2.compile(
    r"alegaci|recurs|recurr|interpon|impugn|opon|oposicion|reclama|pagu?e|pagar|pago|ingres|abon|subsan|aport|"
    r"present|contest|emplaz|comparec|demand|desaloj|cumpl|retir|devol|justific|acept|formul|conteste|"
    r"manifest|eleg|optar|hoja de aprecio|demol|appeal|answer|\bpay\b|reply|oppose"
)
_OF_OTHERS = re2.compile(
    r"resolver|resuelva|resuelto|silencio|desestimad|caduc|prescri|transcurrid|pasad[oa]s? (?:el|los|dich)|"
    r"duracion|vigencia|suspension de|sancion de|pena de|prision|prohibi|trabajos en|vacaciones|preaviso|"
    r"antelacion|antes de|anterior|anos? de|garantia|elapsed|previous"
)
_BEFORE, _BEHIND = 120, 160


def last_day(item: Deadline, facts: Facts, family: Family, bases: Bases) -> tuple[Anchor, date] | None:
    """Return the day of service and the last day of a period that the document sets its addressee.

    None where its words say from when it runs otherwise, or are of a period of somebody else.
    """
    calendar = _calendar(facts, family)
    served = next(filter(None, map(bases.first, SERVICES)), None)
    if calendar is None or served is None or item.due is not None or item.number is None or item.days:
        return None
    if item.trigger_kind not in (None, "notification", "receipt") or item.bound == "min":
        return None
    if not 0 < item.number <= _LONGEST.get(item.unit, 0):
        return None
    source = facts.source
    first, last = source.sentence(item.start)
    before = source.folded[max(first, item.start - _BEFORE) : item.start]
    behind = source.folded[item.end : min(last, item.end + _BEHIND)]
    if _SET.search(before[-60:]) is None or _OF_OTHERS.search(before[-70:] + " " + behind[:60]) is not None:
        return None
    if _ACT_OF_ADDRESSEE.search(f"{before} {behind}") is None:
        return None
    try:
        return served, COUNTING[calendar](served.day, item.number, item.unit, ()).due  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


def _calendar(facts: Facts, family: Family) -> Calendar | None:
    """Return how the periods of a document are counted, by its family or by who speaks in it."""
    if family != "unknown":
        return _CALENDARS.get(family)
    if _COURT.search(facts.source.folded) is not None:
        return "judicial"
    return "administrative" if _AUTHORITY.search(facts.source.folded) is not None else None
