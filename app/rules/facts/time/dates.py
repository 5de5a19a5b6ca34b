"""Read the dates of a document, and what each is the date of.

Impossible dates (31 de febrero), dates without year or day, blanks left to fill and ambiguous orders of
day and month are reported with a flag, never dropped and never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Literal

from app.rules.facts.keyword_index import vocabulary
from app.rules.facts.time import date_ranges
from app.rules.facts.tongues import readers
from app.text.bilingual import Language, pick
from app.text.expressions import compiled, group_span
from app.text.foreign_numerals import foreign_numerals
from app.text.numerals import read_numeral, read_ordinal, read_roman
from app.text.sentences import FoldedText

DateRole = Literal[
    "signature",
    "start",
    "end",
    "delivery",
    "payment",
    "notification",
    "birth",
    "hearing",
    "judgment",
    "other",
]
DateFlag = Literal["impossible", "partial", "ambiguous", "blank"]

_MONTHS_ES: Final = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
_MONTHS_EN: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTHS: Final = (
    {name: number for names in (_MONTHS_ES, _MONTHS_EN) for number, name in enumerate(names, start=1)}
    | {name[:3]: number for names in (_MONTHS_EN, _MONTHS_ES) for number, name in enumerate(names, start=1)}
    | {"setiembre": 9, "sept": 9, "set": 9}
)
_ES_DAY: Final = (
    r"\d{1,2}(?: ?[ºo°])?|uno|primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece"
    r"|catorce|quince|"
    r"dieciseis|diecisiete|dieciocho|diecinueve|veinte|veintiuno|veintidos|veintitres|veinticuatro"
    r"|veinticinco|"
    r"veintiseis|veintisiete|veintiocho|veintinueve|treinta y uno|treinta"
)
_ES_MONTH: Final = "|".join([*_MONTHS_ES, "setiembre"])
_ES_YEAR: Final = (
    r"[12]\.?\d{3}\b|\d{2}\b|dos mil(?: (?:un|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once"
    r"|doce|trece|"
    r"catorce|quince|dieciseis|diecisiete|dieciocho|diecinueve|veinte|veintiun|veintiuno|veintidos"
    r"|veintitres|"
    r"veinticuatro|veinticinco|veintiseis|veintisiete|veintiocho|veintinueve|treinta(?: y [a-z]{3,6})?"
    r"|(?:cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)"
    r"(?: y [a-z]{3,6})?))?\b|mil novecientos [a-z]{4,9}(?: y [a-z]{2,6})?\b"
)
_EN_DAY: Final = (
    r"\d{1,2}(?: ?(?:st|nd|rd|th))?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    r"|eleventh|twelfth|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|twenty[ -](?:first|second|third|fourth|fifth"
    r"|sixth|seventh|"
    r"eighth|ninth)|thirtieth|thirty[ -]first"
)
_EN_MONTH: Final = "|".join([*_MONTHS_EN, r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"])

_ES_LONG: Final = compiled(
    rf"\b(?P<day>{_ES_DAY})(?: ?\( ?\w{{1,14}}(?: y uno)? ?\))?(?: dias?)?(?: del?(?: mes de)?)? "
    rf"{{1,3}}(?P<month>{_ES_MONTH})\b"
    rf"(?:(?:,? {{1,3}}del?(?: ano)?| del presente ano"
    rf"|,)? {{1,3}}(?P<year>{_ES_YEAR})(?: ?\( ?(?P<year2>[12]\d{{3}}) ?\))?)?"
)
_ES_MONTH_YEAR: Final = compiled(
    rf"\b(?P<month>{_ES_MONTH})(?: {{1,3}}del?(?: ano)?)? {{1,3}}(?P<year>[12]\.?\d{{3}})\b"
)
_EN_DAY_FIRST: Final = compiled(
    rf"\b(?P<day>{_EN_DAY})(?: day)?(?: of)? {{1,3}}(?P<month>{_EN_MONTH})(?: ?,? {{0,3}}(?:in the year "
    rf")?(?P<year>[12]\d{{3}})\b)?"
)
_EN_MONTH_FIRST: Final = compiled(
    rf"\b(?P<month>{_EN_MONTH}) {{1,3}}(?P<day>\d{{1,2}}(?: ?(?:st|nd|rd|th))?)\b(?:(?: ?, ?"
    rf"| {{1,3}})(?P<year>[12]\d{{3}})\b)?"
)
_EN_MONTH_YEAR: Final = compiled(rf"\b(?P<month>{_EN_MONTH})(?: of|,)? {{1,3}}(?P<year>[12]\d{{3}})\b")
_SPANISH_FORMS: Final = (_ES_LONG, _ES_MONTH_YEAR)
_ENGLISH_FORMS: Final = (_EN_DAY_FIRST, _EN_MONTH_FIRST, _EN_MONTH_YEAR)
_NUMERIC: Final = compiled(
    r"\b(?:(?P<y>[12]\d{3})-(?P<m>\d{1,2})-(?P<d>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<sep> ?[/.-] ?)(?P<b>\d{1,2}|[ivx]{1,4}"
    r"|[a-z]{3,10})(?P<sep2> ?[/.-] ?)(?P<c>[12]\d{3}|\d{2}))\b"
)
_DECIMALS: Final = compiled(r"\d[.,]$")
# The first day of a month, as Portuguese, French and Italian call it in words.
_FIRST: Final = frozenset({"primeiro", "premier", "primo"})
_BLANK: Final = compiled(
    r"(?:_{2,}|\.{3,}|\[ *[_.•?]* *\]|-{3,}) {0,3}(?:de|of|day of) {0,3}"
    r"(?:_{2,}|\.{3,}|\[ *[_.•?]* *\]|-{3,}|[a-z]{3,10})(?: ?,? {0,3}(?:del?|of)? {0,3}"
    r"(?:[12]\d{3}|20 ?(?:_+|\.{2,})|_{2,}|\.{3,}|\[ *[_.•?]* *\]))?"
)
# "Ley 29/1994, de 24 de noviembre": the date is part of the name of the norm, not a fact of the document.
_NORM_BEFORE: Final = compiled(
    r"(?:\bley(?: organica)?|decreto(?:[ -]ley| legislativo)?|orden(?: [a-z]{2,4})?|reglamento(?: \(?ue\)?)?"
    r"|directiva(?: \(?ue\)?)?|resolucion|\bsts|\bstc|\bstsj|\bsap|\bats|regulation|directive|\bact"
    r"|sentencias?(?: del? [a-z ]{2,40})?(?: num\.?| no?\.?)?) ?(?:\([a-z]{2,4}\) ?)?(?:n[º.o]{1,2} ?)?"
    r"[a-z]{0,4}/?\d{1,5}/\d{2,4}(?:/[a-z]{2,3})?,? (?:de|of) $"
    # Laws without a number: "Ley de Enjuiciamiento Civil de 3 de febrero de 1881".
    r"|\bley(?: organica)?(?: (?:de|del|sobre)(?: la| los| las| el)?(?: [a-z]{3,20}){1,5})?"
    r",? de $"
)
_ROLE_PATTERNS: Final[list[tuple[DateRole, Any]]] = [
    (role, compiled(rf"(?:^|[^a-z])(?:{words})(?:[^a-z]|$)"))
    for role, words in vocabulary("keywords.toml", "date_roles")
]
_ANY_ROLE: Final = compiled(
    "|".join(f"(?:^|[^a-z])(?:{words})(?:[^a-z]|$)" for _, words in vocabulary("keywords.toml", "date_roles"))
)
# "Barcelona, 1 de marzo de 2024" on a line of its own dates the document.
_PLACE_LINE: Final = compiled(
    r"(?:^|\n) *(?:En )?[A-Z][A-Za-z'-]{2,20}(?: (?:de|del|la|las|los|el|of"
    r"|[A-Z][A-Za-z'-]{1,20})){0,4}(?:, (?:[A-Z][A-Za-z.'-]{1,20} ?){1,3})?"  # "Mérida, Yucatán, a "
    r"(?:, (?:a )?(?:(?:el )?(?:lunes|martes|miercoles|jueves|viernes"
    r"|sabado|domingo|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),? (?:dia )?)?| a )$"
)
_DUE: Final = compiled(
    r"\b(?:antes del?(?: dia)?|a mas tardar(?: el| el dia)?|no later than|on or before|by)$"
)
# What is served before the act itself: no period to challenge the act runs from it.
_PRELIMINARY: Final = compiled(
    r"\b(?:propuesta|(?:acuerdo|comunicacion) de inicio|tramite de (?:audiencia|alegaciones))\b"
)
# In America who enters a firm does it on the "fecha de ingreso"; in Spain sums of money are paid in on it.
_JOINED: Final = compiled(r"\bfecha de ingreso:?(?: sera)?(?: el| del?)?(?: dia)? ?$")
_ENDED: Final = compiled(
    r"\b(?:finalizad|finaliz|vencid|concluid|expirad|transcurrid)[a-z]* (?:el|dicho|ese)? ?(?:plazo|periodo)"
)
_DEMANDED: Final = compiled(r"\b(?:reclam|requi|requer|exig|demanded|claimed)[a-z]*\b")
_MONEY: Final = compiled(r"\b(?:euros?|pounds?|dollars?|senal|arras|cantidad|fianza)\b|[€$£]")
_DEFINED: Final = compiled(
    r"^,? ?\(?(?:the|la|en adelante,? (?:la )?|hereinafter,? (?:the )?)? ?[\"']?"
    r"(effective|commencement|start|fecha de (?:inicio|efectos|entrada en vigor))"
)
_AFTER_NOTIFIED: Final = compiled(
    r"^[ ,]*(?:fue|ha sido|fueron|han sido|se)? ?(?:notific|was served|was notified)"
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date: `text[start:end] == quote`.

    `iso` is the whole date as YYYY-MM-DD, or None where it is impossible, partial, blank or ambiguous;
    `year`, `month`, `day` hold what is written. An ambiguous date carries its two readings in `readings`
    (day first, then month first). `role` is what it dates as far as the words beside it say.
    """

    quote: str
    start: int
    end: int
    iso: str | None
    role: DateRole
    flag: DateFlag | None = None
    year: int | None = None
    month: int | None = None
    day: int | None = None
    readings: tuple[str, ...] = ()


def extract_dates(source: FoldedText) -> tuple[DateMention, ...]:
    """Return every date of the document in order, none overlapping.

    Dates inside the names of norms are left out.
    """
    found: list[DateMention] = []
    if source.foreign:
        found.extend(_foreign(source))
    else:
        for language in source.languages:
            found.extend(_written(source, language))
    found.extend(_numeric(source))
    found.extend(_blanks(source))
    found.sort(key=lambda item: (item.start, -item.end))
    kept: list[DateMention] = []
    for item in found:
        if (kept and item.start < kept[-1].end) or _names_a_norm(source, item.start):
            continue
        kept.append(replace(item, role=_role(source, item.start, item.end)))
    for at in range(len(kept) - 1):
        first, second = kept[at], kept[at + 1]
        if date_ranges.is_term(source, first.start, first.end, second.start):
            kept[at], kept[at + 1] = replace(first, role="start"), replace(second, role="end")
    return tuple(kept)


def _names_a_norm(source: FoldedText, start: int) -> bool:
    return bool(_NORM_BEFORE.search(source.folded[max(0, start - 70) : start]))


def _written(source: FoldedText, language: Language) -> Iterator[DateMention]:
    patterns = pick(language, _SPANISH_FORMS, _ENGLISH_FORMS)
    for pattern in patterns:
        for match in pattern.finditer(source.folded):
            day = _day(match["day"]) if "day" in pattern.groupindex else None
            month = _MONTHS[match["month"].rstrip(".").strip()]
            year = _year(match)
            bare = "day" in pattern.groupindex and day is None
            # "3.007,50  Mayo": the cents of a sum in the row above are no day.
            cents = _DECIMALS.search(source.folded[max(0, match.start() - 3) : match.start()]) is not None
            if (
                bare
                or cents
                or (
                    language == "en"
                    and year is None
                    and match["month"] in {"may", "mar", "dec"}
                    and day is None
                )
            ):
                continue
            end = match.end()
            if year is None and match["year"] is not None:
                end = group_span(match, "month")[1]
            yield _dated(source, match.start(), end, year, month, day)


def _foreign(source: FoldedText) -> Iterator[DateMention]:
    """Yield the dates of a document in neither Spanish nor English, with its months."""
    words = readers(source.tongue)
    for pattern in words.dates:
        for match in pattern.finditer(source.folded):
            groups = match.groupdict()
            day = int(groups["day"]) if groups.get("day") else None
            if groups.get("words"):
                day = _number(source, groups["words"]) or (1 if groups["words"] in _FIRST else None)
                if day is None:
                    continue
            year = groups["year"]
            end, figure = group_span(match, "month")[1], None
            if year is not None:
                at = group_span(match, "year")[0]
                first = next(iter(foreign_numerals(year, source.tongue)), None)
                figure = int(year) if year.isdigit() else first.value if first and not first.start else None
                figure = figure if figure is not None and 1900 <= figure <= 2100 else None
                if figure is not None:
                    end = match.end() if first is None else at + first.end
            yield _dated(source, match.start(), end, figure, words.months[match["month"]], day)


def _number(source: FoldedText, words: str) -> int | None:
    """Return the number that words of a foreign language spell as a whole."""
    found = list(foreign_numerals(words.strip(), source.tongue))
    return found[0].value if len(found) == 1 and found[0].end == len(words.strip()) else None


def _day(words: str) -> int | None:
    digits = words.rstrip("ºo° stndrh") if words[0].isdigit() else ""
    if digits:
        return int(digits)
    return read_numeral(words, "es") or read_ordinal(words)


def _year(match: Any) -> int | None:
    written = match["year"]
    if written is None:
        return None
    figures = written.replace(".", "")
    if figures.isdigit():
        return int(figures) if len(figures) == 4 else None
    value = read_numeral(written, "es")
    return value if value is not None and 1900 <= value <= 2100 else None


def _numeric(source: FoldedText) -> Iterator[DateMention]:
    for match in _NUMERIC.finditer(source.folded):
        start, end = match.span()
        # "1.2.03.04", "12/03/2024/7": part of a longer number, a docket or a file reference.
        if source.folded[max(0, start - 1) : start] in {"/", ".", "-", ","} or source.folded[end : end + 2][
            :1
        ] in {"/", "-"}:
            continue
        if match["y"] is not None:
            yield _dated(source, start, end, int(match["y"]), int(match["m"]), int(match["d"]))
            continue
        first, middle, year = int(match["a"]), match["b"], int(match["c"])
        if match["sep"].strip() != match["sep2"].strip() or (
            len(match["c"]) == 2 and match["sep"].strip() == "."
        ):
            continue
        if len(match["c"]) == 2:
            year += 2000 if year < 70 else 1900
        if not middle.isdigit():
            month = _MONTHS.get(middle) or (
                read_roman(middle) if middle[0] in "ivx" and len(middle) <= 4 else None
            )
            if month is not None and month <= 12:
                yield _dated(source, start, end, year, month, first)
            continue
        second = int(middle)
        if second > 12 >= first and source.language == "en":
            yield _dated(source, start, end, year, first, second)
        elif (
            source.language == "en" and first <= 12 and second <= 12 and first != second and first and second
        ):
            readings = (date(year, second, first).isoformat(), date(year, first, second).isoformat())
            yield DateMention(
                source.text[start:end], start, end, None, "other", "ambiguous", year, None, None, readings
            )
        else:
            yield _dated(source, start, end, year, second, first)


def _blanks(source: FoldedText) -> Iterator[DateMention]:
    for match in _BLANK.finditer(source.folded):
        start, end = match.span()
        yield DateMention(source.text[start:end], start, end, None, "other", "blank")


def _dated(
    source: FoldedText, start: int, end: int, year: int | None, month: int, day: int | None
) -> DateMention:
    """Return the date at `start:end`; its role is told when it is known to be no part of another."""
    iso: str | None = None
    flag: DateFlag | None = None
    leap = 2024 if year is None else year
    try:
        whole = date(leap, month, 1 if day is None else day)
    except ValueError:
        flag = "impossible"
    else:
        if year is None or day is None:
            flag = "partial"
        else:
            iso = whole.isoformat()
    return DateMention(source.text[start:end], start, end, iso, "other", flag, year, month, day)


def _role(source: FoldedText, start: int, end: int) -> DateRole:
    """Return what the nearest words before (else right after) say the date is of."""
    after = source.after(end, 50)
    if _AFTER_NOTIFIED.search(after):
        return "other" if _PRELIMINARY.search(after) else "notification"
    if _DEFINED.search(after):
        return "start"
    before = source.before(start, 70).rstrip()
    best: DateRole = "other"
    nearest = -1
    roles = readers(source.tongue).date_roles if source.foreign else _ROLE_PATTERNS
    if source.foreign or _ANY_ROLE.search(before):
        for role, cue in roles:
            for match in cue.finditer(before):
                if match.end() > nearest:
                    best, nearest = role, match.end()  # type: ignore[assignment]
    if best == "notification" and _PRELIMINARY.search(before):
        return "other"
    if best == "start" and before.endswith(" to"):
        return "end"  # "from 2 November 2026 to 11 June 2027"
    if best == "payment" and source.jurisdiction[:2] != "ES" and _JOINED.search(before):
        return "start"
    if best == "payment" and _ENDED.search(before):
        return "end"  # "finalizado el plazo de ingreso el día 5 de enero"
    if best == "payment" and _DEMANDED.search(before):
        return "other"
    if best == "delivery" and _MONEY.search(before[nearest - 1 :]):
        return "payment"  # "se han entregado 500 euros como señal el 1 de mayo"
    if best == "end" and _DUE.search(before):
        # "Se pagará antes del 30 de junio": the day that it is due, of a payment or of a delivery.
        for role, cue in _ROLE_PATTERNS:
            if role in {"payment", "delivery"} and cue.search(before):
                return role
    alone = source.cased[end : end + 2].strip(" .")[:1] in {"", "\n"}
    line = readers(source.tongue).place_line if source.foreign else _PLACE_LINE
    if best == "other" and alone and line.search(source.cased[max(0, start - 60) : start]):
        return "signature"
    return best
