"""Find the days from which periods run, each by what happened on it: signed, served, handed over, fell due.

A day plays a part by the words beside it, never by being the only one; where the words fit no day, there is
none, and who asks can tell the reader which datum is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from app.deadlines import add_months
from app.platform.data_files import Entry, FromList, NotBlank, Wording, Words, read_entry
from app.rules.draft import Family
from app.rules.facts.document_facts import Facts
from app.rules.facts.keyword_index import table, vocabulary
from app.rules.facts.time.dates import DateMention
from app.text.expressions import compiled
from app.text.sentences import FoldedText

_FILE: Final = "bases.toml"
_BEFORE: Final = 130
_AFTER: Final = 150
_SUBJECT: Final = 350
_GAP: Final = 75
_HEAD: Final = 900
_UNLESS: Final = 60
_EARLIER: Final = 6  # months
_WEEKDAY: Final = (
    "(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|monday|tuesday|wednesday|thursday|friday|saturday"
    "|sunday)"
)
# A date in the head of a contract that is not its own.
_NOT_THE_DAY: Final = compiled(
    r"\b(?:nacid[oa]|born|presupuesto|oferta|order form|pedido|licencia|constituid[oa]|inscrit[oa]"
    r"|escritura"
    r"|poder|version|edicion|expedid[oa]|vigente|desde|hasta|boe|ley|decreto|impreso"
    r"|ref\w*)\b[^.;\n]{0,40}$"
)
_MINUTES: Final = frozenset({"community_minutes", "company_minutes"})
_OF_THE_CALL: Final = compiled(
    r"\b(?:convoc[a-z]*|citacion|anterior|nacid[oa]|escritura|inscrit[oa]|ley|decreto|ejercicio|cerrad[oa])\b[^.;\n]{0,50}$"
)
_ACT_DATED: Final = compiled(
    r"\bfecha (?:del? (?:la |el )?(?:acuerdo|resolucion|acto|emision|providencia|expedicion"
    r"|documento|liquidacion)|y hora de firma)[ .:_-]*$"
)
# A day whose month, or year, is that of the date before it.
_DAY_ONLY: Final = compiled(
    r"(?:notificad[oa]s?|recibid[oa]s?|entregad[oa]s?|recogid[oa])(?: (?:al?|por"
    r"|en)[a-z ]{2,40})?,?(?: el)?(?: dia)? (\d{1,2})(?: siguiente| del mismo| de los (?:mismos"
    r"|corrientes)|[,.;) ] ?[^d0-9/])"
)
_FOLLOWS: Final = compiled(
    r"(?:notificad[oa]s?|recibid[oa]s?|entregad[oa]s?|accedid[oa]|firmad[oa]|served"
    r"|received)[^.;]{0,40}$"
)
_NEXT_DAY: Final = 80
_NEXT_ONE: Final = compiled(
    r"\b(?:proxim[oa](?: dia)?|el proximo dia|antes del?(?: dia)?|a mas tardar el(?: dia)?"
    r"|no mas tarde del(?: dia)?|next|before|by|no later than)(?: the)? $"
    r"|\b(?:valid[oa]s?|vigentes?|plazo)[^.;]{0,20}hasta el(?: dia)? $"
)
# What stands before a day that ends a period: "como tope el día", "a más tardar el", "primera cuota: ".
_LAST_ONE: Final = compiled(
    r"\b(?:antes del?|hasta el|a mas tardar(?: el)?|no mas tarde del?"
    r"|(?:como|con) (?:tope|maximo|limite)[ ,:]*(?:el)?"
    r"|venc(?:e|era|imiento)[ :|,]*(?:el|del?)?"
    r"|fecha (?:limite|tope|maxima|de vencimiento)[a-z ]{0,30}[ :|]*(?:el|del?)?"
    r"|(?:primer|ultim)[oa]? (?:cuota|plazo|pago|vencimiento|recibo|mensualidad)[^.;]{0,40}?[ :|]*"
    r"(?:el|del?)?"
    r"|(?:pagar|otorgar|escriturar|entregar|firmar|abonar|elevar|devolver|reintegrar)a[n]?[^.;]{0,60} el"
    r"|by|before|until|no later than|not later than|on or before|long ?stop date[ :]*"
    r"|(?:first|last) (?:instal?ment|payment)[^.;]{0,30}?[ :]*(?:on)?)(?: the)?(?: dia| proximo)?[ :]*"
    + f"(?:{_WEEKDAY},? ?(?:dia )?)?$"
)
_PAST_WORDS: Final = compiled(
    r"\b(?:pago|pagaron|abonad[oa]|entregad[oa]|desde|ley|decreto|sentencia|paid|since)\b"
)
_MOST_STATED: Final = 5
_EVERY_YEAR: Final = compiled(r"^ ?(?:de cada ano|of each year|of every year|siguiente|anterior)")
_SERVED_ALONE: Final = re.compile(
    r"\s*(?:notificad|recibid|entregad|servid)[oa]s?(?: (?:personalmente|en mano|al? [a-z ]{3,40}))?"
    r"(?: con fecha(?: de)?| en fecha| el(?: dia)?| de)?\s*$"
)
_OPENS_SERVED: Final = re.compile(r"\s*(?:notificad|recibid|entregad|servid)[oa]s?\b")
_SERVED_BEHIND: Final = re.compile(
    r"[ ,]*(?:fue |ha sido |se )?(?:notificad[oa]s?|notifico|recibid[oa]s?)\b"
    r"(?! (?:en mano |personalmente |por [a-z ]{3,30})?(?:el|con fecha|en fecha|al?)\b)"
)
# "El día 3 de mayo de 2026 se le notificó la resolución": the day stands before what happened on it.
_SERVED_AFTER: Final = re.compile(
    r"[ ,]*(?:[a-z]+\.?[ ,]+){0,6}?(?:(?:se|le|les|me|nos|os) )*"
    r"(?P<verb>notifico|notificaron|notifica|recibio|recibi|recibimos|recibe|accedio|accedi|retiro"
    r"|recogio|recogi"
    r"|(?:fue|fueron|ha sido|han sido) (?:notificad|comunicad|entregad|dad)[oa]s?|entregaron"
    r"|tuvo conocimiento"
    r"|was served|were served|received|was notified|was handed)\b"
    r"(?! (?:en mano |personalmente |por [a-z ]{3,30})?(?:el|con fecha|en fecha|on) (?:dia )?\d)"
)
# What stands between a day and a verb that is of another day or of a sending.
_NOT_SERVED: Final = re.compile(
    r"\b(?:no|sin|remiti[oa]|envi[oa]|intent[oa]|plazo|hasta|antes|desde|dictad[oa]|dicto|firmad[oa]|presento"
    r"|interpuso|solicit[oa]|propuso|aunque|cuando)\b"
)
# A paper that is called by the act which it is an appeal against.
_APPEALS: Final = re.compile(
    r"\binterpon(?:go|emos)\b|\bsuplic[oa]\b|\bmejor proceda\b|\bcomparec(?:e|o)\b[^;]{0,300}\binterpone\b"
)
_LEADS_TO_A_DAY: Final = re.compile(rf"^[^.;]{{0,70}}\b(?:el|dia|fecha|de|on)(?: dia)?(?: {_WEEKDAY},?)? $")
_FAR_GAP: Final = 190
_ACT_AFTER: Final = 110
_OTHER_LABEL: Final = compiled(
    r"\b(?:fecha|dict(?:ad[oa]|andose)|infraccion|hechos|emision|firma(?:do)?|vencimiento|hasta)\b"
)
_NEW_SENTENCE: Final = compiled(r"[a-z)]{4}\. +[a-z]|[a-z)]\. *\n\s*\n")
# "Jaén, 7 de abril de 2026, notificada en mano ese día": the day stands before, and is named again.
_SERVED_SAME_DAY: Final = re.compile(
    r"[^;\n]{0,60}?\b(?:notificad[oa]|entregad[oa]|recibid[oa]|comunicad[oa]"
    r"|se (?:le |te )?(?:entrega|notifica|hace entrega))\b[^.;\n]{0,40}"
    r"\b(?:(?:en |el )?(?:es[ea]|est[ea]|la|el) mism[oa] (?:dia|fecha)|(?:ese|este) dia"
    r"|en (?:esa|esta) fecha)\b"
)
_OPENED: Final = compiled(r"^(?:puest[oa]|puso) a disposicion.*\b(?:acceso|accedid[oa]|accedio)")
# "Recibí: el trabajador. Fecha y hora: …": the label of the day of what is said before it.
_DAY_LABEL: Final = compiled(r"(?:^|[ .:,])(?:fecha|dia|date)(?: y hora| and time)?[ .:_]*$")
_FORM_LABEL: Final = compiled(
    r"^ *(?:fecha|dia|date)(?: y hora)?(?: de| of)? (?:la |su )?[a-z ]{4,50}[ :.]*:[ .]*$"
    r"|^ *[a-z, ]{0,40}(?:notificacion|recepcion|acceso|acuse de recibo|recibi)\b[a-z, ]{0,40}:[ .]*$"
)
_AND_ANOTHER: Final = compiled(r"^,? ?(?:(?:y|e|and) [a-z ]{2,40},?|, ?[a-z ]{2,30},) (?:el|on)(?: dia)? $")
_TABLE_DUE: Final = re.compile(r"(?i)\b(?:vencimiento|vence|vto|due)\b")
_TABLE_DAY: Final = re.compile(
    r"(?i)\b(?:fecha|emision|emitida|expedicion|entrega|vencimiento|vence|vto|due|issued?|date)\b"
)
_CELL: Final = re.compile(r"\s{2,}|\||\t")
_ROWS: Final = 12


@dataclass(frozen=True, slots=True)
class Anchor:
    """A day of the document and where it stands in it; `assumed` where its part is the likely one only."""

    day: date
    start: int
    end: int
    assumed: bool = False


class _Base(Entry):
    """A part that a day may play, and the words by which it is known.

    Where they fit no day, the days count that play one of `roles` in any document (`app.rules.facts.time`). A
    day more than six months before the part `near` belongs to an earlier relation and does not count.
    """

    id: NotBlank
    name: Wording
    families: Annotated[tuple[Family, ...], FromList] = ()
    kinds: Words = ()
    before: Words = ()
    after: Words = ()
    about: Words = ()
    unless: Words = ()
    reach: int = Field(default=_BEFORE, ge=20, le=260)
    roles: Words = ()
    pick: Literal["first", "last", "each"] = "first"
    not_after: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class _Reader:
    """A base with its expressions compiled."""

    base: _Base
    before: Any
    after: Any
    about: Any
    unless: Any


@dataclass(frozen=True, slots=True)
class Bases:
    """The days of a document by the part they play; `names` tells what each part is."""

    days: Mapping[str, tuple[Anchor, ...]]

    def get(self, part: str) -> tuple[Anchor, ...]:
        """Return the days that play a part, in the order of the calendar."""
        return self.days.get(part, ())

    def first(self, part: str) -> Anchor | None:
        """Return the first day that plays a part."""
        return next(iter(self.get(part)), None)


@cache
def _readers() -> tuple[_Reader, ...]:
    found = []
    for row in table(_FILE)["base"]:
        base = read_entry(_Base, f"{_FILE}: {row.get('id', '')}", row)
        found.append(
            _Reader(
                base,
                compiled(
                    rf"(?:^|[^a-z])(?:{'|'.join(base.before)})[ .,:(|]*"
                    rf"(?:el |del |dia |de |on |the |{_WEEKDAY},? )*$"
                )
                if base.before
                else None,
                compiled(rf"^(?:{'|'.join(base.after)})") if base.after else None,
                compiled("|".join(base.about)) if base.about else None,
                compiled("|".join(base.unless)) if base.unless else None,
            )
        )
    return tuple(found)


@cache
def _service() -> tuple[Any, Any]:
    words = dict(vocabulary(_FILE, "service"))
    return (
        compiled(rf"(?:^|[^a-z])(?:{words['verbs']})\b"),
        compiled(rf"(?:{words['none']})[^;]{{0,40}}$"),
    )


@cache
def _subjects() -> tuple[tuple[str, Any], ...]:
    return tuple((key, compiled(words)) for key, words in vocabulary(_FILE, "subjects"))


@cache
def part_names() -> Mapping[str, Any]:
    """Return the name of each part that a day may play, as a bilingual text."""
    return {reader.base.id: reader.base.name for reader in _readers()}


def find_bases(facts: Facts, family: Family, kind: str) -> Bases:
    """Return the days of a document by the part they play.

    Parts: those of `data/bases.toml`; signature (of a contract: else the day at its head), written (a letter
    or a pleading), act_dated, act_served, opening_served, assessment_served, order_served (services of acts).
    """
    source = facts.source
    whole = sorted(_whole(facts), key=lambda item: item.start)
    days: dict[str, tuple[Anchor, ...]] = {}
    own = _own_day(facts, whole, family)
    if own is not None:
        part = {"act": "act_dated", "ruling": "act_dated", "contract": "signature", "unknown": "signature"}
        days[part.get(family, "written")] = (own,)
        days["written"] = (own,)
    if family != "contract":
        days |= _services(source, whole, family, kind, own)
    if kind in _MINUTES and (first := _first_day(facts, whole)) is not None:
        days["assembled"] = (first,)
    for reader in _readers():
        base = reader.base
        if (base.kinds and kind not in base.kinds) or (base.families and family not in base.families):
            continue
        limit = days.get(base.not_after, ())
        found = list(_playing(source, whole, reader))
        if base.id == "debt_due":
            rows, due = _due_in_tables(source, whole)
            found = [one for one in found if one.start not in rows] + due
        if not found and base.roles:
            found = [_anchor(item) for item in whole if item.role in base.roles]
        if own_days := days.get(base.near, ()):
            found = [one for one in found if one.day >= add_months(own_days[0].day, -_EARLIER)]
        found = [one for one in found if not limit or one.day <= limit[0].day]
        if found:
            days[base.id] = _picked(found, base.pick)
    if "dismissal_effect" not in days and days.get("written") and _TODAY.search(facts.source.folded):
        days["dismissal_effect"] = days["written"][:1]  # "con efectos desde el día de la fecha"
    return Bases(days | _derived(days))


_TODAY: Final = compiled(
    r"\b(?:con efectos?|efectiv[oa]|surt\w+ efectos?)(?: (?:desde|del?|a partir del?|en|el|al))*"
    r" (?:(?:el )?dia de (?:la fecha|hoy)|hoy|la fecha de (?:esta|la presente)(?: carta| comunicacion)?"
    r"|el mismo dia de (?:la fecha|hoy|su recepcion))\b"
)


def _derived(days: Mapping[str, tuple[Anchor, ...]]) -> dict[str, tuple[Anchor, ...]]:
    """Return the days that the law takes of two: the later of signature and handover, of effect and letter.

    charge_served (the service of a traffic charge), lease_start (art. 9.1 LAU), credit_start (art. 28.1 of
    Law 16/2011), dismissal (it cannot take effect before it is communicated), dismissal_stated (an earlier
    effect that the letter states).
    """

    def of(part: str) -> tuple[Anchor, ...]:
        return days.get(part, ())[:1]

    found: dict[str, tuple[Anchor, ...]] = {}
    for part, among in (
        ("lease_start", ("signature", "handover")),
        ("credit_start", ("signature", "terms_received")),
    ):
        known = [anchor for name in among for anchor in of(name)]
        if known and days.get("signature"):
            found[part] = (max(known, key=lambda one: one.day),)
    charged = of("opening_served") or (() if days.get("opening") else of("act_served"))
    if charged:
        found["charge_served"] = charged
    effect = of("dismissal_effect") or of("dismissed")
    told = of("act_served") or of("written")
    if effect and of("dismissed"):
        found["dismissal"] = effect
    elif effect and told:
        found["dismissal"] = effect if effect[0].day >= told[0].day else told
        if effect[0].day < told[0].day:
            found["dismissal_stated"] = effect
    return found


def _whole(facts: Facts) -> Iterator[DateMention]:
    """Yield the whole dates, and those that another date of their sentence makes whole.

    "De 14 de mayo de 2024, notificado el 22 siguiente", "de 9 de mayo de 2025, notificada el 16 de mayo".
    """
    source = facts.source
    last: DateMention | None = None
    for item in facts.dates:
        if item.iso is not None:
            yield item
            last = item
            for match in _DAY_ONLY.finditer(source.folded[item.end : item.end + _NEXT_DAY]):
                start, end = (item.end + at for at in match.span(1))
                if not 1 <= int(match[1]) <= 31 or source.sentence(item.start) != source.sentence(start):
                    continue
                day = _in_month(date.fromisoformat(item.iso), int(match[1]))
                if day is not None:
                    yield replace(
                        item,
                        start=start,
                        end=end,
                        quote=source.text[start:end],
                        iso=day.isoformat(),
                        role="other",
                    )
        elif (
            item.flag == "partial"
            and item.day is not None
            and item.month is not None
            and last is not None
            and last.iso is not None
            and source.sentence(last.start) == source.sentence(item.start)
            and _FOLLOWS.search(source.folded[last.end : item.start]) is not None
        ):
            first = date.fromisoformat(last.iso)
            year = first.year + ((item.month, item.day) < (first.month, first.day))
            try:
                yield replace(item, iso=date(year, item.month, item.day).isoformat())
            except ValueError:
                continue


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A date without year of which the words say that it comes next after the day of the document."""

    day: date
    start: int
    end: int
    since: date


def upcoming(facts: Facts, bases: Bases) -> Iterator[Upcoming]:
    """Yield the dates without year that the document places after its own day: "el próximo 3 de febrero"."""
    own = bases.first("signature") or bases.first("written")
    if own is None:
        return
    for item in facts.dates:
        if item.flag != "partial" or item.day is None or item.month is None or item.year is not None:
            continue
        before = facts.source.before(item.start, 40)
        if (
            _NEXT_ONE.search(before) is None
            or _EVERY_YEAR.search(facts.source.after(item.end, 30)) is not None
        ):
            continue
        for year in (own.day.year, own.day.year + 1):
            try:
                day = date(year, item.month, item.day)
            except ValueError:
                continue
            if day > own.day:
                yield Upcoming(day, item.start, item.end, own.day)
                break


@dataclass(frozen=True, slots=True)
class Stated:
    """A day that the document itself names as the last one for something, and where it stands."""

    day: date
    start: int
    end: int


def stated(facts: Facts, bases: Bases, family: Family) -> Iterator[Stated]:
    """Yield the days after its own that a document sets as limits ("como tope, el 30 de septiembre")."""
    own = bases.first("signature") or bases.first("written") or bases.first("act_dated")
    if own is None or family in ("pleading", "ruling"):
        return
    told: set[date] = set()
    for item in facts.dates:
        if item.iso is None or (day := date.fromisoformat(item.iso)) <= own.day or day in told:
            continue
        before = facts.source.before(item.start, 90)
        if _LAST_ONE.search(before) is None or _PAST_WORDS.search(before[-45:]) is not None:
            continue
        told.add(day)
        yield Stated(day, item.start, item.end)
        if len(told) == _MOST_STATED:
            return


def _in_month(first: date, day: int) -> date | None:
    """Return the next day of that number, from `first` on."""
    month = first if day >= first.day else add_months(first.replace(day=1), 1)
    try:
        return month.replace(day=day)
    except ValueError:
        return None


def _picked(found: Sequence[Anchor], pick: str) -> tuple[Anchor, ...]:
    once: dict[date, Anchor] = {}
    for anchor in sorted(found, key=lambda one: (one.day, one.start)):
        once.setdefault(anchor.day, anchor)
    days = tuple(once.values())
    return days if pick == "each" else days[:1] if pick == "first" else days[-1:]


def _first_day(facts: Facts, whole: Sequence[DateMention]) -> Anchor | None:
    """Return the day at the head of minutes, which is that of the meeting, unless it is of the call."""
    for item in whole:
        if item.start > _HEAD:
            return None
        if _OF_THE_CALL.search(facts.source.before(item.start, 60)) is None:
            return _anchor(item, assumed=True)
    return None


def _anchor(item: DateMention, *, assumed: bool = False) -> Anchor:
    assert item.iso is not None
    return Anchor(date.fromisoformat(item.iso), item.start, item.end, assumed)


def _own_day(facts: Facts, whole: Sequence[DateMention], family: Family) -> Anchor | None:
    """Return the day of the document: that of its signature, else the one at the head of a contract."""
    if family in ("act", "ruling"):
        for item in whole:
            if _ACT_DATED.search(facts.source.before(item.start, 60)) is not None:
                return _anchor(item)
    iso = facts.dated("letter" if family in ("act", "ruling") else family)
    if iso is not None:
        return next(_anchor(item) for item in whole if item.iso == iso)
    if family in ("contract", "unknown"):
        for item in whole:
            if item.start > _HEAD:
                break
            if _NOT_THE_DAY.search(facts.source.before(item.start, 60)) is None and item.role not in (
                "birth",
                "end",
            ):
                return _anchor(item, assumed=True)
    return None


def _between(source: FoldedText, whole: Sequence[DateMention], at: int, reach: int) -> str:
    """Return the words before a date, back to the date before it or `reach` characters."""
    item = whole[at]
    floor = max(item.start - reach, 0)
    if at:
        floor = max(floor, whole[at - 1].end)
    return source.folded[floor : item.start]


def _playing(source: FoldedText, whole: Sequence[DateMention], reader: _Reader) -> Iterator[Anchor]:
    played = -2
    for at, item in enumerate(whole):
        first, last = source.sentence(item.start)
        sentence = source.folded[max(first, item.start - 300) : min(last, item.end + 300)]
        nearer = source.folded[max(first, item.start - 300) : min(last, item.end + _UNLESS)]
        if reader.unless is not None and reader.unless.search(nearer) is not None:
            continue
        if reader.about is not None and reader.about.search(sentence) is None:
            continue
        before = _between(source, whole, at, reader.base.reach)
        following = whole[at + 1].start if at + 1 < len(whole) else len(source.folded)
        after = source.folded[item.end : min(item.end + _AFTER, following)]
        if (reader.before is not None and reader.before.search(before) is not None) or (
            reader.after is not None and reader.after.search(after) is not None
        ):
            yield _anchor(item)
            played = at
        elif reader.base.pick == "each" and played == at - 1 and _AND_ANOTHER.search(before) is not None:
            yield _anchor(item)  # "Antón, el 3 de marzo de 2014, y Sabela, el 9 de agosto de 2019"
            played = at


def _services(
    source: FoldedText, whole: Sequence[DateMention], family: Family, kind: str, own: Anchor | None
) -> dict[str, tuple[Anchor, ...]]:
    """Return the days of service, each of the act named nearest before it; this act's is not earlier."""
    served, none = _service()
    found: dict[str, list[Anchor]] = {}
    for at, item in enumerate(whole):
        before = _between(source, whole, at, _BEFORE + _GAP)
        behind = source.folded[item.end : item.end + 40]
        # What the sentence before says of a term or an attempt is not said of this day.
        own_words = before[-max(item.start - source.sentence(item.start)[0], 0) :]
        told = _is_told(served, before) and not _took_no_place(none, own_words)
        following = whole[at + 1].start if at + 1 < len(whole) else len(source.folded)
        same = source.folded[item.end : min(item.end + _BEFORE, following)]
        if (
            told
            or _SERVED_BEHIND.match(behind) is not None
            or (_SERVED_SAME_DAY.match(same) is not None and not _NOT_SERVED.match(same))
        ):
            subject = _subject(source, item, kind) if family != "letter" else "act"
        else:
            found_after = _served_after(source, item, following, own_words, kind)
            if found_after is None:
                continue
            subject = found_after if family != "letter" else "act"
        found.setdefault(subject, []).append(_anchor(item))
    days: dict[str, tuple[Anchor, ...]] = {}
    labelled = [one for one in found.get("act", []) if _labelled(source, one)]
    if labelled:
        found["act"] = labelled  # "Acceso al contenido: …" is said of this act and of no other
    for subject, part in (
        ("opening", "opening_served"),
        ("assessment", "assessment_served"),
        ("order", "order_served"),
    ):
        if subject in found:
            days[part] = _picked(found[subject], "first")
    candidates = found.get("act", [])
    if family == "pleading" or (family == "act" and _APPEALS.search(source.folded) is not None):
        candidates = [one for one in candidates if own is None or one.day <= own.day]
        if candidates:
            days["act_served"] = _picked(candidates, "last")
    elif own is not None:
        # This act was served on its own day or later; a day before it is the service of an earlier act.
        later = [
            one
            for subject, days_ in found.items()
            for one in days_
            if one.day >= own.day and subject != "request"
        ]
        candidates = [one for one in later if one.day >= own.day]
        if candidates:
            days["act_served"] = _picked(candidates, "first")
    elif candidates:
        days["act_served"] = _picked(candidates, "last")
    return days


def _served_after(
    source: FoldedText, item: DateMention, following: int, own_words: str, kind: str
) -> str | None:
    """Return which act the words behind a day say was served on it, None where they say nothing of a service.

    `following` is where the next date begins, whose own words end those of this one.
    """
    last = min(source.sentence(item.start)[1], item.end + _BEFORE + _ACT_AFTER, following)
    behind = source.folded[item.end : last]
    match = _SERVED_AFTER.match(behind)
    if (
        match is None
        or _NOT_SERVED.search(behind[: match.start("verb")])
        or _NOT_SERVED.search(own_words[-40:])
    ):
        return None
    if item.end + len(behind) == following and _LEADS_TO_A_DAY.search(behind[match.end() :]) is not None:
        return (
            None  # "se dictó el 11 de mayo y se notifica a la interesada el 20": the verb is of the next day
        )
    told = behind[match.end() : match.end() + _ACT_AFTER]
    best, nearest = None, len(told) + 1
    for key, words in _subjects():
        first = words.search(told)
        if first is not None and first.start() < nearest:
            best, nearest = key, first.start()
    return _of_kind(best, kind) if best is not None else _subject(source, item, kind)


def _is_told(served: Any, before: str) -> bool:
    """Tell whether words of service lead to a date, with no other label of a date between.

    They may stand farther from it in one sentence, to whom and how it was served being told between.
    """
    ends = [verb.end() for verb in served.finditer(before)]
    if not ends:
        return False
    between = _DAY_LABEL.sub("", before[ends[-1] :])
    return (
        len(between) <= (_GAP if _NOT_SERVED.search(between) else _FAR_GAP)
        and ";" not in between
        and _OTHER_LABEL.search(between) is None
        and _NEW_SENTENCE.search(between) is None
    )


def _took_no_place(none: Any, own_words: str) -> bool:
    """Tell whether the words before a date say that a service failed, or only began.

    What was put at somebody's disposal was served when they opened it: "puesta a disposición y acceso".
    """
    found = none.search(own_words)
    return found is not None and _OPENED.search(found[0]) is None


def _labelled(source: FoldedText, anchor: Anchor) -> bool:
    """Tell whether a day of service stands behind the label of a form."""
    line = source.text.rfind("\n", 0, anchor.start) + 1
    return _FORM_LABEL.search(source.folded[line : anchor.start]) is not None


def _subject(source: FoldedText, item: DateMention, kind: str) -> str:
    """Return which act a service is of: the one named nearest before its day, or this one."""
    floor = max(item.start - _SUBJECT, 0)
    line = source.text.rfind("\n", 0, item.start) + 1
    if _FORM_LABEL.search(source.folded[line : item.start]) is not None:
        floor = max(floor, line)  # "Fecha de acceso: …" is a label of its own
    opens = source.folded[max(floor, source.sentence(item.start)[0]) : item.start]
    alone = _SERVED_ALONE.match(opens) is not None
    paragraph = source.folded[max(line, floor) : item.start]
    if alone or (
        _OPENS_SERVED.match(paragraph) is not None
        and not any(key != "request" and words.search(paragraph) for key, words in _subjects())
    ):
        return "act"  # a sentence of its own that names no other act: "Notificada el 3 de mayo"
    before = source.folded[floor : item.start]
    best, nearest = "act", -1
    for key, words in _subjects():
        for match in words.finditer(before):
            if match.end() > nearest:
                best, nearest = key, match.end()
    return _of_kind(best, kind)


def _of_kind(best: str, kind: str) -> str:
    """Return which act a word names in a paper of a kind: an assessment in an assessment is this act."""
    if best == "penalty":
        best = "act" if kind == "tax_penalty" else "request"
    if (best == "assessment" and kind in ("tax_assessment", "administrative_decision")) or (
        best == "order" and kind == "enforcement_order"
    ):
        return "act"
    return best


def _due_in_tables(source: FoldedText, whole: Sequence[DateMention]) -> tuple[set[int], list[Anchor]]:
    """Return where the days of tables with a column of due dates begin, and the days of that column."""
    rows: set[int] = set()
    due: list[Anchor] = []
    lines = source.cased.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    for at, line in enumerate(lines):
        columns = _columns(line)
        if columns is None:
            continue
        place, among = columns
        for row in range(at + 1, min(at + 1 + _ROWS, len(lines))):
            inside = [item for item in whole if offsets[row] <= item.start < offsets[row + 1]]
            rows.update(item.start for item in inside)
            if len(inside) == among:
                due.append(_anchor(inside[place]))
    return rows, due


def _columns(line: str) -> tuple[int, int] | None:
    """Return which of how many columns of days is that of the due day, None where the line heads no table."""
    cells = [cell for cell in _CELL.split(line.strip()) if _TABLE_DAY.search(cell) is not None]
    due = [at for at, cell in enumerate(cells) if _TABLE_DUE.search(cell) is not None]
    if len(line) > 160 or len(due) != 1 or len(_CELL.split(line.strip())) < 3:
        return None
    return due[0], len(cells)
