"""Count a period that an act, a ruling or a letter sets its addressee, from the day of its service.

"Se le concede un plazo de diez días para alegaciones" does not say from when it runs: from the day after the
notification (art. 30.3 LPAC, art. 133.1 LEC), in a letter from its receipt (art. 5.1 CC).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
_AUTHORITY = re2.compile(
    r"expediente|ayuntamiento|consejeria|ministerio|diputacion|subdelegacion"
    r"|inspeccion (?:provincial )?de trabajo"
    r"|agencia tributaria|tesoreria general|direccion general|jefatura provincial|agencia espanola"
    r"|confederacion"
    r"|consell de|cabildo|gobierno de|acta de (?:infraccion|liquidacion)"
)
_LONGEST: Final = {"day": 90, "natural_day": 90, "business_day": 90, "month": 4}
_SET = re2.compile(
    r"plazo|t[e]rmino de|dispone de|conced|otorg|dentro de|en (?:el |los |un )?$|dentro del|within|period of"
)
_ACT_OF_ADDRESSEE = re2.compile(
    r"alegaci|recurs|recurr|interpon|impugn|opon|oposicion|reclama|pagu?e|pagar|pago|ingres|abon|subsan"
    r"|aport|"
    r"present|contest|emplaz|comparec|demand|desaloj|cumpl|retir|devol|justific|acept|formul|conteste|"
    r"manifest|eleg|optar|hoja de aprecio|demol|appeal|answer|\bpay\b|reply|oppose"
)
_OF_OTHERS = re2.compile(
    r"resolver|resuelva|resuelto|silencio|no hay (?:respuesta|contestacion)|sin respuesta|no contesta|"
    r"desestimad|quedara? abiert|caduc|prescri|transcurrid|pasad[oa]s? (?:el|los|dich)|"
    r"duracion|vigencia|suspension de|sancion de|pena de|prision|prohibi|trabajos en|vacaciones|preaviso|"
    r"antelacion|antes de|anterior|anos? de|garantia|elapsed|previous"
)
# What has been set before: the act or the ruling that is served now recounts it.
_SET_BEFORE = re2.compile(
    r"(?i)(?:^|\PL)(?:conced(?:ió|io|ieron|id[oa]s?)|otorg(?:ó|aron|ad[oa]s?)|confir(?:ió|io|ieron)"
    r"|conferid[oa]s?"
    r"|dispus(?:o|ieron)|dispon[ií]an?|tuv(?:o|ieron)|ten[ií]an?|dio|dieron|abri(?:ó|o|eron)|fij(?:ó|aron)"
    r"|requiri(?:ó|o|eron)|emplaz(?:ó|aron)|señal(?:ó|aron)|hab[ií]an?|en su d[ií]a|en aquel|firmeza"
    r"|(?:sea|una vez|devenga|quede) firmes?|gave|had|(?:was|were|been) (?:given|granted|allowed)"
    r"|(?:pag|present|aleg|aport|formul|contest|subsan|manifest|ingres|abon|compareci|cumpli|opusi)"
    r"(?:ara|ase|era|ese)n?)(?:\PL|$)"
)
_PROPOSAL = re2.compile(r"\bpropuesta\b")
_OWN_PROPOSAL = re2.compile(
    r"\b(?:(?:la )?presente|esta|siguiente|adjunta|contra la|ante la|frente a la|a la) propuesta\b"
    r"|\b(?:notific|formul|remit|comunic|traslad)[a-z ]{0,30}\bpropuesta\b"
)
# "Contra su desestimación cabrá recurso en el plazo de veinte días": from a day that is still to come.
_AFTER_ANOTHER = re2.compile(
    r"^\W*(?:[a-z0-9]{1,3}[.)] ?)?"
    r"(?:contra (?:su|dicha|esa|la) (?:desestimacion|denegacion|resolucion del? recurso)"
    r"|(?:una vez )?(?:desestimad|denegad|resuelt)\w+)\b"
)
_IN_CASE_OF = re2.compile(
    r"\b(?:en caso de|si se|cuando se) (?:desestim|denieg|deneg|resuelv|inadmi|dict)\w+|\btranscurrid[oa]s? $"
)
_RUNS: Final = (
    r"\b(?:desde|a partir del?|a contar|contad[oa]s?|siguientes? al?|tras|una vez"
    r"|from|after|following|upon)\b"
)
# "Desde el día siguiente a aquel en que tenga lugar la notificación".
_FROM_SERVICE = re2.compile(
    _RUNS + r"(?: (?:desde|a|partir|contar|el|la|su|los|del?|al|en|que|aquel|aquella|dia|habil|natural"
    r"|fecha|inmediato|siguiente|posterior|se|le|les|usted|haya|hayan|sido|tenga|lugar|practique|produzca"
    r"|esta|este"
    r"|presente|mismo|misma|the|day|date|of|its|your|this|on|which|you|it|is|are|was|being|been|have))*"
    r",? (?:notifi|recepcion|recib|acuse de recibo|receipt|receiv|receiving|served|service|traslado)"
)
_FROM_ELSE = re2.compile(_RUNS)
# How the counting of each calendar is based; working days that a letter asks for are its own, not the law's.
_LAWS: Final[Mapping[Calendar, str]] = {
    "administrative": "art. 30 LPAC",
    "judicial": "art. 133.1 LEC",
    "civil": "art. 5.1 CC",
}
_BEFORE, _BEHIND = 120, 160


@dataclass(frozen=True, slots=True)
class Counted:
    """The last day of a period that runs from service, and how it was counted.

    `law` is the article of the counting, none where the document chose it; `holidays` tells whether regional
    and local holidays may move the day.
    """

    anchor: Anchor
    last: date
    law: tuple[str, ...]
    holidays: bool


def last_day(item: Deadline, facts: Facts, family: Family, bases: Bases) -> Counted | None:
    """Return the last day of a period that the document sets its addressee, from the day of its service.

    None where its words say from when it runs otherwise, or are of a period of somebody else or of one set
    before; and under the law of another country than Spain, whose counting is not known here.
    """
    if facts.source.jurisdiction != "ES":
        return None
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
    if _AFTER_ANOTHER.search(source.folded[first : first + _BEFORE]) is not None:
        return None
    if _ACT_OF_ADDRESSEE.search(f"{before} {behind}") is None:
        return None
    # The accents tell "otorgó" from "otorgo", "presentara" from "presentará".
    written = source.text[max(first, item.start - 70) : min(last, item.end + 60)]
    if _SET_BEFORE.search(written) is not None or _of_a_proposal(before, behind) or _runs_from_else(behind):
        return None
    try:
        due = COUNTING[calendar](served.day, item.number, item.unit, ()).due  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    chosen = calendar == "civil" and item.unit == "business_day"
    return Counted(served, due, () if chosen else (_LAWS[calendar],), holidays=calendar != "civil" or chosen)


def runs_from_another(facts: Facts, item: Deadline) -> bool:
    """Tell whether a period runs from an act to come: "contra su desestimación, quince días"."""
    source = facts.source
    first, _ = source.sentence(item.start)
    if _AFTER_ANOTHER.search(source.folded[first : first + _BEFORE]) is not None:
        return True
    return _IN_CASE_OF.search(source.folded[max(first, item.start - _BEFORE) : item.start]) is not None


def _of_a_proposal(before: str, behind: str) -> bool:
    """Tell whether a period is that of a proposal which preceded the document."""
    return _PROPOSAL.search(_OWN_PROPOSAL.sub(" ", f"{before} ~ {behind[:60]}")) is not None


def _runs_from_else(behind: str) -> bool:
    """Tell whether the words after a period let it run from anything but notification or receipt."""
    return _FROM_ELSE.search(_FROM_SERVICE.sub(" ", behind)) is not None


def _calendar(facts: Facts, family: Family) -> Calendar | None:
    """Return how the periods of a document are counted, by its family or by who speaks in it."""
    if family != "unknown":
        return _CALENDARS.get(family)
    if _COURT.search(facts.source.folded) is not None:
        return "judicial"
    return "administrative" if _AUTHORITY.search(facts.source.folded) is not None else None
