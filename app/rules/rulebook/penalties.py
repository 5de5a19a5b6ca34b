"""Work out figures of penalties and acts of collection that stand in no single sentence of the document.

A quantity of a term is read beside its label (`quantities`). These follow from several places: the fine that
the operative part imposes, the points that the table of the law gives for an excess of speed, the economic
damage behind a tax penalty, the sum of a column. What the document does not state is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.money.amounts import Amount
from app.rules.facts.time.dates import DateMention
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.schema import Measure
from app.text import linear

_PENALTIES: Final = frozenset({"administrative_decision", "traffic_fine"})
_COLLECTION: Final = frozenset({"enforcement_order", "seizure_order", "tax_assessment", "tax_penalty"})

# Days that are not of the facts: of norms, of appointments, of the papers of the file.
_NO_FACT: Final = compile_pattern(
    "\\bbo[cp]?[ejp]\\b|b_ ?o_ ?p|boletin|\\bley\\b|real decreto|ordenanza|reglamento|delegac|nombra|"
    "licencia|autorizacion de|contrato|constituid|nacid|expediente|resolucion|convocatoria|salida|entrada|"
    "registro|"
    "sentencia|sancionad[oa] (el|en|con)|multad[oa]"
)
_OPERATIVE: Final = compile_pattern("\\b(resuelv[oe]|acuerd[oa]|dispon(go|e)|decreto|se acuerda)\\b ?[:,._-]")
_TOTAL_ROW: Final = compile_pattern("\\btotal(es)?\\b|\\bsumas?\\b")


def worked_out(
    document: Document,
    amounts: Sequence[Amount],
    dates: Sequence[DateMention],
    kind: str,
    found: Mapping[str, Quantity],
) -> Mapping[str, Quantity]:
    """Return the quantities that follow from several places of a document of `kind`, by id of term.

    Args:
        document: the document.
        amounts: sums of money and percentages read in it.
        dates: days read in it.
        kind: id of its kind.
        found: quantities read beside a label; none of them is read again.
    """
    more: dict[str, Quantity] = {}
    if kind in _PENALTIES:
        opened = found.get("proceedings_opened") or found.get("opening_served")
        if "offence_date" not in found and opened is not None:
            more |= _as("offence_date", _first_day(document, dates, opened.day))
        if "imposed_fine" not in found:
            more |= _as("imposed_fine", _operative_sum(document, amounts))
    if kind == "traffic_fine":
        more |= _speed(document)
    if kind == "tax_penalty":
        if "penalty_base" not in found:
            bases = _column(document, "base")
            more |= {"penalty_base": _figure("penalty_base", "money", min(bases), "EUR")} if bases else {}
        more |= _economic_damage(document, found)
        more |= _as("tax_period_begun", _tax_period(document))
    if kind in _PENALTIES | _COLLECTION:
        more |= _wrong_total(document)
    if kind == "enforcement_order" and "summed_total" not in more:
        more |= _total_demanded(document, amounts) or _total_of_parts(document, amounts, found)
    return more


def _as(term: str, quantity: Quantity | None) -> dict[str, Quantity]:
    return {} if quantity is None else {term: quantity}


def _first_day(document: Document, dates: Sequence[DateMention], before: date) -> Quantity | None:
    """Return the first day told that lies before the proceedings were opened and dates no paper or norm."""
    for item in dates:
        if item.iso is None or item.iso >= before.isoformat() or item.role in ("birth", "signature"):
            continue
        sentence = document.sentence(Span(item.start, item.end))
        start = max(sentence.start, item.start - 60)
        if document.find(_NO_FACT, start, item.start) is None:
            return _day("offence_date", document, Span(item.start, item.end), date.fromisoformat(item.iso))
    return None


def _day(term: str, document: Document, span: Span, day: date) -> Quantity:
    return Quantity(term, "date", Decimal(day.toordinal()), document.quote(document.sentence(span)), span)


def _operative_sum(document: Document, amounts: Sequence[Amount]) -> Quantity | None:
    """Return the highest sum of the operative part of a decision, totals of several fines apart."""
    operative = document.find_all(_OPERATIVE)
    if not operative:
        return None
    start = operative[-1].end
    sums = []
    for amount in amounts:
        if amount.kind != "money" or amount.currency != "EUR" or amount.start < start:
            continue
        line = _line(document, amount.start)
        if document.find(_TOTAL_ROW, line.start, line.end) is None:
            sums.append(amount)
    chosen = max(sums, key=lambda item: item.value, default=None)
    if chosen is None:
        return None
    span = Span(chosen.start, chosen.end)
    return Quantity("imposed_fine", "money", chosen.value, document.quote(span), span, currency="EUR")


def _line(document: Document, position: int) -> Span:
    start = document.text.rfind("\n", 0, position) + 1
    end = document.text.find("\n", position)
    return Span(start, len(document.text) if end < 0 else end)


# --- Excess of speed -------------------------------------------------------------------------------------

_SPEED: Final = linear.compile(
    rb"(?:circul[a-z]*|velocidad(?: considerada| medida| captada| registrada| real| de)?|lectura[a-z ]*)"
    rb"[ _.:]*(?:del vehiculo )?(?:a |de |era de |fue de )?(?:una velocidad de )?"
    rb"(\d{2,3}) ?km"
)
_LIMIT: Final = linear.compile(
    rb"(?:limitad[oa]|limite|limitacion|maxim[oa]|permitid[oa]|autorizad[oa]|especifica|generica)"
    rb"[a-z ,]{0,60}?"
    rb"(?:velocidad )?[ _.:]*(?:a|de|en|es|era de)?[ _.:]*(\d{2,3}) ?km"
)
_POINTS: Final = linear.compile(
    rb"puntos?(?: a| que se| de| del?)?(?: detraer| detraen| permiso| carnet| perdida)*[ _.:]{0,20}"
    rb"(\d{1,2})\b|"
    rb"\b(\d{1,2}) ?(?:\([a-z]{2,8}\) ?)?puntos?\b"
)
# Annex IV of the Traffic Act: where each band of 100, 300, 400, 500 and 600 euros ends, by limit of speed.
_BANDS: Final = {
    20: (40, 50, 60, 70), 30: (50, 60, 70, 80), 40: (60, 70, 80, 90), 50: (70, 80, 90, 100),
    60: (90, 110, 120, 130), 70: (100, 120, 130, 140), 80: (110, 130, 140, 150), 90: (120, 140, 150, 160),
    100: (130, 150, 160, 170), 110: (140, 160, 170, 180), 120: (150, 170, 180, 190),
}  # fmt: skip
_BAND_FINES: Final = (100, 300, 400, 500, 600)
_BAND_POINTS: Final = (0, 2, 4, 6, 6)


def _speed(document: Document) -> dict[str, Quantity]:
    """Return the fine and the points of the table for the speed and limit stated, and the points taken."""
    measured = [int(match.group(1)) for match in _SPEED.finditer(document.folded)]
    limits = [int(match.group(1)) for match in _LIMIT.finditer(document.folded)]
    limits = [limit for limit in limits if limit in _BANDS]
    if not measured or not limits or max(measured) <= max(limits):
        return {}
    # The lowest reading counts (that with the margin of error taken off), under the highest limit stated.
    above = [speed for speed in measured if speed > max(limits)]
    band = sum(min(above) > end for end in _BANDS[max(limits)])
    found = {"speed_fine": _figure("speed_fine", "money", _BAND_FINES[band], "EUR")}
    found["speed_points"] = _figure("speed_points", "count", _BAND_POINTS[band])
    for match in _POINTS.finditer(document.folded):
        span = Span(match.start(), match.end())
        points = int(match.group(1) or match.group(2))
        if points <= 6:
            found["points_taken"] = Quantity(
                "points_taken", "count", Decimal(points), document.quote(span), span
            )
            break
    return found


def _figure(term: str, measure: Measure, value: Decimal | int, currency: str | None = None) -> Quantity:
    """Return a quantity of the law: it stands nowhere in the document."""
    return Quantity(term, measure, Decimal(value), "", Span(0, 0), currency=currency)


# --- Tax penalties ---------------------------------------------------------------------------------------

_NUMBER: Final = rb"(\d{1,3}(?:_\d{3})*,\d{2}|\d{1,3}(?:_\d{3})+|\d{3,7} ?eur)"
_DUE: Final = linear.compile(
    rb"(?:hubiera|debio|debia|deberia|habria|hubiese|correct[oa]|procedia|procedente)"
    rb"(?: debido)?(?: haber(?:se)?)?(?: sido)? ?(?:ingres[a-z]+|resultar)?"
    rb"[^;|]{0,60}?[ :=|]" + _NUMBER
)
_UNPAID: Final = linear.compile(rb"(?:dejad[oa]s? de ingresar|no ingresad[oa]s?)[^;|]{0,30}?" + _NUMBER)
_DAMAGE: Final = compile_pattern("perjuicio economico")
_ADDED: Final = linear.compile(rb"(\d{1,2}) (?:puntos|puntos porcentuales|p_ ?p_)\b")
_SHARE: Final = linear.compile(rb"\b(10|15|20|25) ?(?:%|por (?:100|cien|ciento))")
_PERIOD: Final = linear.compile(
    rb"\b(?:([1-4]) ?t[- ]?|(primer|segundo|tercer|cuarto) trimestre (?:de |del )?(?:ejercicio |ano )?)"
    rb"((?:19|20)\d\d)\b|"
    rb"\b(?:ejercicios?|periodos?|anos?)[ :]{1,3}(?:impositivos? )?((?:19|20)\d\d)\b"
)
_QUARTERS: Final = {b"primer": 1, b"segundo": 2, b"tercer": 3, b"cuarto": 4}


def _value(digits: bytes) -> Decimal:
    return Decimal(digits.decode("ascii").rstrip("eur ").replace("_", "").replace(",", "."))


def _economic_damage(document: Document, found: Mapping[str, Quantity]) -> dict[str, Quantity]:
    """Return the points added for economic damage and those that the figures of the document allow.

    The damage is the share of the sum that should have been paid which was not (art. 187.1.b LGT). Where
    several periods are penalised, that of the greatest share counts.
    """
    heading = document.find(_DAMAGE)
    if heading is None:
        return {}
    due = [_value(match.group(1)) for match in _DUE.finditer(document.folded)]
    unpaid = [_value(match.group(1)) for match in _UNPAID.finditer(document.folded)]
    unpaid = unpaid or _column(document, "base")
    if not unpaid and "penalty_base" in found:
        unpaid = [found["penalty_base"].value]
    if not due or not unpaid:
        return {}
    pairs = (
        zip(unpaid, due, strict=True) if len(due) == len(unpaid) else [(max(unpaid), one) for one in due[:1]]
    )
    shares = [one / whole * 100 for one, whole in pairs if 0 < one <= whole]
    added = None
    for span in document.find_all(_DAMAGE):
        part = document.folded[span.end : span.end + 320]
        added = _ADDED.search(part) or added
        if added is not None:
            where, value = span, int(added.group(1))
            break
        stated = list(_SHARE.finditer(part))
        if stated:
            where, value = span, int(stated[-1].group(1))
            break
    else:
        return {}
    if not shares or value > 25:
        return {}
    allowed = next((points for limit, points in _STEPS if max(shares) <= limit), 25)
    quote = document.quote(document.sentence(where))
    return {
        "damage_added": Quantity("damage_added", "percent", Decimal(value), quote, where),
        "damage_allowed": _figure("damage_allowed", "percent", allowed),
        "damage_share": _figure("damage_share", "percent", max(shares).quantize(Decimal("0.1"))),
    }


_STEPS: Final = ((10, 0), (25, 10), (50, 15), (75, 20))


def _column(document: Document, heading: str) -> list[Decimal]:
    """Return the figures of the first column headed by a word, in a table of cells parted by bars."""
    lines = document.folded.split(b"\n")
    for at, line in enumerate(lines):
        cells = [cell.strip(b" .") for cell in line.split(b"|")]
        heads = [index for index, cell in enumerate(cells) if cell.startswith(heading.encode("ascii"))]
        if len(cells) < 3 or not heads or b"sancion" not in line:
            continue
        values = []
        for row in lines[at + 1 :]:
            row_cells = row.split(b"|")
            if len(row_cells) != len(cells):
                break
            match = re.fullmatch(rb"\D*?(\d{1,3}(?:_\d{3})*,\d{2})\D*", row_cells[heads[0]])
            if match is not None and _TOTAL_ROW.search(row) is None:
                values.append(_value(match.group(1)))
        return values
    return []


def _tax_period(document: Document) -> Quantity | None:
    """Return the first day of the earliest period that the document names."""
    first = None
    for match in _PERIOD.finditer(document.folded):
        quarter, word, year, whole = match.groups()
        month = 1
        if year:
            month = 3 * (int(quarter) if quarter else _QUARTERS[word]) - 2
        day = date(int(year or whole), month, 1)
        # The first one named is that of the act; earlier ones are told of later.
        if first is None:
            first = _day("tax_period_begun", document, Span(match.start(), match.end()), day)
    return first


# --- Sums ------------------------------------------------------------------------------------------------

_MONEY: Final = re.compile(
    r"(?<![\d.,/-])\d{1,3}(?:\.\d{3})*,\d{2}(?![\d%/])|(?<![\d.,/-])\d{4,7},\d{2}(?![\d%])"
)
_SUM_LINE: Final = re.compile(r"\b(?:total(?:es)?|sumas?)\b", re.IGNORECASE)
_NO_PLAIN_SUM: Final = re.compile(
    r"%|\bmenos\b|deduc|reduc|retenc|descuent|a cuenta|bonific|minora|saldo|anticip|pagad|\d-|"
    r"-\s?\d{1,3}[.,]",
    re.IGNORECASE,
)


def _wrong_total(document: Document) -> dict[str, Quantity]:
    """Return a total that is not the sum of its column, with the sum that the column makes."""
    rows: list[list[Decimal]] = []
    plain = True
    for start, line in _lines(document.text):
        found = list(_MONEY.finditer(line))
        values = [Decimal(one[0].replace(".", "").replace(",", ".")) for one in found]
        if not values:
            if line.strip() == "" or len(line.split()) > 6:
                rows, plain = [], True
            continue
        if _SUM_LINE.search(line) and len(rows) >= 2 and len(values) <= min(map(len, rows)):
            for back in range(1, len(values) + 1) if plain else ():
                column = sum((row[-back] for row in rows), Decimal(0))
                total = values[-back]
                if column != total and len({len(row) for row in rows}) == 1 and len(values) == len(rows[0]):
                    cell = found[-back]
                    span = Span(start + cell.start(), start + cell.end())
                    return _sums(document, span, total, column)
            rows, plain = [], True
        else:
            rows.append(values)
            plain = plain and _NO_PLAIN_SUM.search(line) is None
    return {}


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _sums(document: Document, span: Span, total: Decimal, summed: Decimal) -> dict[str, Quantity]:
    quote = document.quote(document.sentence(span))
    return {
        "stated_total": Quantity("stated_total", "money", total, quote, span, currency="EUR"),
        "summed_total": _figure("summed_total", "money", summed, "EUR"),
    }


_DEMANDED: Final = compile_pattern(
    "(importe|deuda|cantidad|suma) total[^.;]{0,40}|total (de la )?(deuda|a ingresar|a pagar|exigid[oa]|"
    "requerid[oa]|general|que se)[^.;]{0,30}"
)
_PARTS: Final = (
    compile_pattern("\\bprincipal\\b|^totales\\b|\\btotales\\b|\\bsubtotal\\b"),
    compile_pattern("\\brecargos?\\b"),
    compile_pattern("intereses?( de demora)?"),
    compile_pattern("\\bcostas\\b"),
)


def _total_demanded(document: Document, amounts: Sequence[Amount]) -> dict[str, Quantity]:
    """Return the total that an enforcement order demands, where no sum of its parts makes it.

    The parts are the subtotal (or principal and surcharge), the interest and the costs.
    """
    demanded = None
    for span in document.find_all(_DEMANDED):
        after = [one for one in amounts if one.kind == "money" and 0 <= one.start - span.start <= 160]
        if after:
            demanded = after[-1] if after[-1].value == after[0].value else after[0]
            break
    if demanded is None:
        return {}
    subtotals, interest = [], []
    for start, line in _lines(document.text):
        values = [Decimal(one[0].replace(".", "").replace(",", ".")) for one in _MONEY.finditer(line)]
        if not values or start <= demanded.start < start + len(line):
            continue
        folded = document.folded[start : start + len(line)]
        if _PARTS[2].search(folded) is not None:
            interest.append(values[-1])
        elif _PARTS[0].search(folded) is not None and len(values) >= 2:
            subtotals.append(values[-1])
    if len(subtotals) != 1 or len(interest) != 1:
        return {}
    summed = subtotals[0] + interest[0]
    if demanded.value in (subtotals[0], summed) or not subtotals[0] < demanded.value < subtotals[0] * 2:
        return {}
    return _sums(document, Span(demanded.start, demanded.end), demanded.value, summed)


_TOTAL: Final = compile_pattern("\\btotal\\b")


def _total_of_parts(
    document: Document, amounts: Sequence[Amount], found: Mapping[str, Quantity]
) -> dict[str, Quantity]:
    """Return the total told after a principal and a surcharge that they and the interest do not make."""
    principal, surcharge = found.get("tax_debt"), found.get("surcharge")
    if principal is None or surcharge is None:
        return {}
    after = max(principal.span.end, surcharge.span.end)
    span = next((one for one in document.find_all(_TOTAL) if one.start >= after), None)
    if span is None or span.start - after > 200:
        return {}
    stated = next((one for one in amounts if one.kind == "money" and 0 <= one.start - span.end <= 40), None)
    if stated is None:
        return {}
    others = [one.value for one in amounts if one.kind == "money" and after <= one.start < span.start]
    base = principal.value + surcharge.value
    sums = {base, base + sum(others, Decimal(0)), principal.value, *(base + one for one in others)}
    if stated.value in sums or not principal.value < stated.value < principal.value * 2:
        return {}
    return _sums(document, Span(stated.start, stated.end), stated.value, base + sum(others, Decimal(0)))


# --- Who instructs and who decides -----------------------------------------------------------------------

_WORD = r"[A-ZÁÉÍÓÚÜÑ][A-Za-zÁÉÍÓÚÜÑáéíóúüñ'-]+"
_NAME: Final = re.compile(
    rf"(?:\bD\.?ª\.?\s*|\b(?:D|Da|Dña|DÑA|Don|DON|Doña|DOÑA|Sr|Sra)\b\.?\s*|[:,]\s*)"
    rf"({_WORD}(?:\s+(?:(?:de|del|la|las|los|y|DE|DEL|LA|LAS|LOS|Y)\s+)*{_WORD}){{1,4}})"
)
_INSTRUCTS: Final = compile_pattern(
    "\\binstructor[a]?\\b|\\binstruid[oa]\\b|\\binstruye\\b|\\binstruccion\\b"
)
_DECIDES: Final = compile_pattern(
    "resuelv|resolv|delegad[oa]|alcald|\\bjef[ae]|director|concejal|presiden|\\bfdo|firmad|decret|"
    "organo (competente|que|sancionador)|consejer[oa]"
)
_NO_DECISION: Final = compile_pattern(
    "^[^;]{0,400}(propuesta de resolucion|acuerdo de (inicio|incoacion|iniciacion)|pliego de cargos)"
)
_IMPOSES: Final = compile_pattern("\\bimpon(er|go|e|iendo|iendole)\\b|\\bsancionar\\b|\\bse sanciona\\b")
_TAKES_IT: Final = compile_pattern("\\b(acuerda|resuelve|dispone|decreta|ha resuelto|acordo)\\b")
_ROLE: Final = linear.compile(
    rb"(?:instructor[a]?|instruccion|instruid[oa]|instruy[oe])[^.;]{0,50}?"
    rb"(?:por|:|,|\ba\b|ha sido|es|fue|como|expediente|procedimiento)\s*"
    rb"(?:el\s+|la\s+|al\s+)?(?:ilm[oa]_\s+|sr_\s+|sra_\s+)?"
    rb"(?P<office>jef[ae]\s+provincial|alcalde(?:sa)?(?:-president[ae])?|concejal[a]?\s+delegad[oa]\s+de\s+[a-z]+|"
    rb"director[a]?\s+(?:general|provincial|territorial)\s+de\s+[a-z]+|"
    rb"delegad[oa]\s+(?:territorial|provincial|del\s+gobierno))"
)


def same_person(document: Document) -> bool:
    """Tell whether who instructed the proceedings, by name or office, also signs or takes the decision."""
    if document.find(_IMPOSES) is None or document.find(_NO_DECISION, 0, 600) is not None:
        return False
    for cue in document.find_all(_INSTRUCTS):
        sentence = document.sentence(cue)
        named = _NAME.search(document.text, cue.end, min(sentence.end, cue.end + 110))
        if named is None:
            continue
        words = document.folded[named.start(1) : named.end(1)].split()
        name = rb"\s+".join(re.escape(word) for word in words[:4])
        for match in re.finditer(rb"\b" + name + rb"\b", document.folded):
            other = document.sentence(Span(match.start(), match.end()))
            start, end = max(match.start() - 90, 0), min(match.end() + 90, len(document.folded))
            if other.start == sentence.start or document.find(_INSTRUCTS, other.start, other.end):
                continue
            if document.find(_DECIDES, start, end) is not None:
                return True
    return _same_office(document)


def _same_office(document: Document) -> bool:
    found = _ROLE.search(document.folded)
    if found is None:
        return False
    office = found.group(b"office")
    last = document.folded.rfind(office)
    if last <= found.end():
        return False
    decides = document.find(_TAKES_IT, last, min(last + len(office) + 40, len(document.folded)))
    return decides is not None or (last > len(document.folded) * 0.6 and _signs(document, last))


def _signs(document: Document, position: int) -> bool:
    """Tell whether an office stands alone on its line, as over a signature."""
    line = _line(document, position)
    return len(document.text[line.start : line.end].split()) <= 9
