"""Add up what several clauses ask for, and compare it with what the document or the law says of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from app.rules.consistency.fault import Context, Fault
from app.rules.document import Span
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.text.bilingual import Bilingual
from app.text.numerals import read_numeral

_EXTRA = re.compile(
    r"\b(?:aval\b|aval bancario|garantia(?:s)? adicional(?:es)?|deposito adicional|provision|como seguridad|"
    r"en "
    r"garantia|por si no pag[a-z]*|por los muebles|mobiliario|reposicion|segunda fianza|fianza (?:adicional|"
    r"complementaria))\b"
)
_LEGAL_DEPOSIT = re.compile(
    r"\b(?:de|como|en concepto de|por|la) (?:la )?fianza(?! (?:adicional|complement))\b"
)
_MONTH = re.compile(r"\b(?:al mes|cada mes|mensual(?:es)?|mensualidad(?:es)?)\b")
_DAYS = (
    r"(?P<days>\d{1,3}|[a-z]{4,9}(?:[ -][a-z]{3,7}){0,2})(?: ?\(\d{1,3}\))? "
    r"(?:calendar |natural )?(?:dias?|days?)"
)
_CHECKED = re.compile(
    rf"\b(?:within|en el plazo de|dentro de (?:los )?|en) {_DAYS}\b[^.;]{{0,140}}\b(?:approve|accept|verif|"
    rf"reject|conformidad"
    r"|aprob|validar|aceptar|comprob)"
)
_PAID_AFTER = re.compile(
    rf"\b(?:paid|payable|pay|pagara[n]?|abonara[n]?|pago)\b[^.;]{{0,60}}?\b{_DAYS}\b[^.;]{{0,30}}\b(?:after|"
    rf"from|following|desde|tras|a contar|"
    r"siguientes)[^.;]{0,30}\b(?:approval|acceptance|verification|conformidad|aprobacion|aceptacion|"
    r"validacion|comprobacion)"
)
_YEAR = re.compile(r"^[^.;\d]{0,12}\b(?:al ano|anuales|anual|a year|per year|per annum|yearly)\b")
_EACH = re.compile(r'^[^.;\d]{0,14}(?:"?al mes|mensuales|cada mes|a month|per month|monthly)\b')
_THIRTEEN = re.compile(
    r"\bcada cuatro semanas\b|\b(?:trece|13) (?:recibos|cuotas|pagos)\b|\bevery four weeks\b"
)
_FINE = re.compile(r"\b(?:multa|sancion)\b[^.;\d]{0,40}$")
_PROPOSED = re.compile(r"\bpropuesta\b[^.;]{0,160}$|\bpropon[a-z]+\b[^.;]{0,120}$")
_DECIDED = re.compile(r"\b(?:resuelv[oe]|resolucion|acuerdo|dispongo|se acuerda) ?:?\s")
_CHARGED = re.compile(r"\b(?:incoa|incoo|incoar|inicio|iniciacion|pliego de cargos|propuesta)")
_PRECEPT = re.compile(r"\b(\d{1,3}\.(?:\d{1,2}\.)?[a-z](?![a-z]))")
_STAFF = re.compile(
    r"\bplantilla\b[^.;\d]{0,60}?(?P<staff>\d{2,4}) (?:personas|trabajador[a-z]*|emplead[a-z]*)|"
    r"\bplantilla\b[^.;\d]{0,60}?\bpasara de (?P<before>\d{2,4}) a \d|"
    r"\b(?P<other>\d{2,4}) (?:personas|trabajador[a-z]*|emplead[a-z]*) (?:de|en) plantilla"
)
_LEFT = re.compile(
    r"\b(?:han dejado|dejaron|han salido|han causado baja|causaron baja|han cesado|hemos prescindido|"
    r"extinguid[oa]s?|despedid[oa]s?|amortizad[oa]s?|se han producido|"
    r"salidas)\b[^.;]{0,90}?"
    r"\b(?P<left>\d{1,3}|[a-z]{3,11}(?: y [a-z]{3,6})?) (?:companer[oa]s|trabajador[a-z]*|personas|contratos|"
    r"puestos|despidos|extinciones)"
)
_FREE = re.compile(
    r"\b(?:leg[ao]|lega a|legado|deja|atribuye|mejora)\b[^.;]{0,60}\b(?:el )?tercio (?:de )?(?:libre "
    r"disposicion|libre)\b"
)
_LEGACY = re.compile(r"\b(?:leg[ao]|lega|legado)\b")


def find_broken_limits(context: Context) -> Iterator[Fault]:
    """Yield sums of several clauses that pass a limit which none of them passes alone."""
    yield from _yearly(context)
    if not context.spanish:
        return
    if context.kind in ("housing_lease", "room_lease"):
        yield from _guarantees(context)
    if context.family == "contract":
        yield from _payment_periods(context)
    if context.family == "act":
        yield from _graver_than_proposed(context)
        yield from _uncharged(context)
    if context.kind == "tax_penalty":
        yield from _economic_harm(context)
    if context.kind in ("objective_dismissal", "settlement_receipt"):
        yield from _collective(context)
    if context.kind == "will":
        yield from _free_third(context)


def _money(context: Context) -> list[Amount]:
    return [one for one in context.facts.amounts if one.kind == "money" and one.currency]


def _spans(items: Sequence[Amount]) -> tuple[Span, ...]:
    return tuple(Span(one.start, one.end) for one in items)


def _guarantees(context: Context) -> Iterator[Fault]:
    source, language = context.facts.source, context.language
    money = _money(context)
    rent = next(
        (
            one
            for one in money
            if one.value >= 100
            and (one.period == "month" or _MONTH.search(source.folded[one.end : one.end + 24]))
            and one.purpose in ("rent", "price", "other")
            and not re.search(
                r"referencia|anunci|anterior|ultim|pidieron",
                source.folded[max(0, one.start - 50) : one.start],
            )
        ),
        None,
    )
    if rent is None:
        return
    extra: list[Amount] = []
    for one in money:
        sentence = context.document.sentence(Span(one.start, one.end))
        line = max(source.cased.rfind("\n", 0, one.start) + 1, sentence.start)
        stop = source.cased.find("\n", one.end)
        end = min(sentence.end, stop if stop > 0 else sentence.end)
        around = (
            source.folded[max(line, one.start - 170) : one.start]
            + " ## "
            + source.folded[one.end : min(end, one.end + 70)]
        )
        near = (
            source.folded[max(line, one.start - 40) : one.start]
            + " ## "
            + source.folded[one.end : min(end, one.end + 40)]
        )
        if (
            _EXTRA.search(around) is None
            or _LEGAL_DEPOSIT.search(near)
            or not rent.value / 10 <= one.value <= rent.value * 12
        ):
            continue
        if re.search(r"\b(?:seguro|honorarios|iva|renta anual|penal)", near):
            continue
        # The same sum may stand in words and in a settlement at the end.
        if not any(one.value == other.value and one.start - other.end > 2500 for other in extra):
            extra.append(one)
    total = sum((one.value for one in extra), Decimal(0))
    if (
        len(extra) < 2
        or len(extra) > 4
        or total <= rent.value * 2
        or any(one.value > rent.value * 6 for one in extra)
    ):
        return
    whole, monthly = (
        wording.money(total, rent.currency, language),
        wording.money(rent.value, rent.currency, language),
    )
    parts = " + ".join(wording.number(one.value, language) for one in extra)
    times = wording.plain((total / rent.value).quantize(Decimal("0.1")), language)
    yield Fault(
        "guarantees",
        "high",
        Bilingual(
            es=f"Las garantías adicionales a la fianza suman {whole} ({parts}), {times} mensualidades de una "
            f"renta de "
            f"{monthly}: en la vivienda, y en contratos de hasta cinco años (siete si arrienda una persona "
            f"jurídica), "
            "el valor de la garantía adicional no puede exceder de dos mensualidades.",
            en=f"The guarantees beside the deposit add up to {whole} ({parts}), {times} months of a rent of "
            f"{monthly}: "
            "in housing, for contracts of up to five years (seven where a company lets), the additional "
            "guarantee may "
            "not exceed two months of rent.",
        ),
        Bilingual(
            es="Exigir que se reduzcan a dos mensualidades y reclamar lo entregado de más.",
            en="Have them reduced to two months of rent and claim back what exceeds it.",
        ),
        _spans(extra),
        ("art. 36.5 LAU",),
    )


def _days(found: re.Match[str]) -> int | None:
    written = found["days"]
    if written.isdigit():
        return int(written)
    return read_numeral(written, "es") or read_numeral(written.replace("-", " "), "en")


def _payment_periods(context: Context) -> Iterator[Fault]:
    folded = context.facts.source.folded
    checked, paid = _CHECKED.search(folded), _PAID_AFTER.search(folded)
    if checked is None or paid is None or abs(checked.start() - paid.start()) > 500:
        return
    first, second = _days(checked), _days(paid)
    if first is None or second is None or first + second <= 60:
        return
    total = first + second
    yield Fault(
        "payment_period",
        "high",
        Bilingual(
            es=f"Los {first} días para dar la conformidad y los {second} días para pagar desde ella suman "
            f"{total} días: "
            "en las operaciones comerciales la comprobación no puede pasar de 30 días, ni el plazo de pago "
            "pactado "
            "superar los 60 días naturales.",
            en=f"The {first} days to approve and the {second} days to pay after approval add up to {total} "
            f"days: in "
            "commercial transactions verification may not take more than 30 days, and the term of payment "
            "agreed "
            "may not exceed 60 calendar days.",
        ),
        Bilingual(
            es="Fijar un plazo que con la comprobación no exceda del máximo; el exceso es nulo.",
            en="Set a term that does not exceed the maximum, verification included.",
        ),
        (Span(checked.start(), checked.end()), Span(paid.start(), paid.end())),
        ("art. 4.2 de la Ley 3/2004, de 29 de diciembre", "art. 4.3 de la Ley 3/2004, de 29 de diciembre"),
    )


def _yearly(context: Context) -> Iterator[Fault]:
    """Compare a price by the month with the price by the year beside it, and with how often it is charged."""
    source, language = context.facts.source, context.language
    money = _money(context)
    for monthly, yearly in pairwise(money):
        if yearly.start - monthly.end > 60 or monthly.currency != yearly.currency:
            continue
        if not (
            _EACH.search(source.folded[monthly.end : monthly.end + 24])
            and _YEAR.search(source.folded[yearly.end : yearly.end + 20])
        ):
            continue
        times = yearly.value / monthly.value
        each, whole = (wording.money(one.value, one.currency, language) for one in (monthly, yearly))
        if any(abs(times - n) <= Decimal("0.06") for n in (12, 13, 14, 15, 16)):
            charged = _THIRTEEN.search(source.folded)
            if charged is None or abs(times - 12) > Decimal("0.06"):
                continue
            real = wording.money(monthly.value * 13, monthly.currency, language)
            consumers = context.spanish and context.kind == "consumer_terms"
            yield Fault(
                "yearly",
                "high",
                Bilingual(
                    es=f"El precio que se anuncia no es el que se cobra: {each} «al mes» y {whole} al año, "
                    f"pero se gira "
                    f"cada cuatro semanas, trece veces, y trece recibos suman {real}. El precio final ha de "
                    f"ser claro y "
                    "completo.",
                    en=f"The price announced is not the one charged: {each} a month and {whole} a year, but "
                    f"it is charged "
                    f"every four weeks, and thirteen payments make {real}.",
                ),
                Bilingual(
                    es="Reclamar lo cobrado por encima del precio anual anunciado.",
                    en="Claim back what exceeds the yearly price announced.",
                ),
                (*_spans([monthly]), Span(charged.start(), charged.end())),
                ("art. 60.2.c) TRLGDCU", "art. 80.1 TRLGDCU") if consumers else (),
            )
            return
        if 6 <= times <= 24:
            made = wording.money(monthly.value * 12, monthly.currency, language)
            yield Fault(
                "yearly",
                "medium",
                Bilingual(
                    es=f"{each} al mes son {made} al año, y el documento dice {whole} al año.",
                    en=f"{each} a month make {made} a year, and the document says {whole} a year.",
                ),
                Bilingual(
                    es="Aclarar cuál de las dos cifras vale.", en="Settle which of the two figures counts."
                ),
                _spans([monthly, yearly]),
                ("art. 1281 CC", "art. 1288 CC") if context.spanish and context.family == "contract" else (),
            )
            return


def _graver_than_proposed(context: Context) -> Iterator[Fault]:
    source, language = context.facts.source, context.language
    fines = [
        one for one in _money(context) if _FINE.search(source.folded[max(0, one.start - 60) : one.start])
    ]
    proposed = next(
        (one for one in fines if _PROPOSED.search(source.folded[max(0, one.start - 200) : one.start])), None
    )
    if proposed is None:
        return
    decisions = [found.end() for found in _DECIDED.finditer(source.folded) if found.start() > proposed.end]
    imposed = next(
        (
            one
            for one in fines
            if decisions
            and one.start > proposed.end
            and re.search(r"\bimpon[a-z]+\b[^;]{0,160}$", source.folded[max(0, one.start - 190) : one.start])
        ),
        None,
    )
    if imposed is None or imposed.value <= proposed.value:
        return
    less, more = (wording.money(one.value, one.currency, language) for one in (proposed, imposed))
    yield Fault(
        "aggravated",
        "high",
        Bilingual(
            es=f"La resolución agrava la propuesta: se propuso una multa de {less} y se impone una de "
            f"{more}. Si la "
            "infracción o la sanción revisten mayor gravedad que la determinada en la propuesta, ha de "
            "notificarse al "
            "interesado para que alegue en quince días; sin ese trámite hay indefensión.",
            en=f"The decision is graver than the proposal: a fine of {less} was proposed and one of {more} "
            f"is imposed. "
            "Where the penalty is graver than the one proposed, the party must be notified and heard for "
            "fifteen days.",
        ),
        Bilingual(
            es="Alegar la falta del trámite y pedir la nulidad o, al menos, la sanción propuesta.",
            en="Plead the lack of that hearing.",
        ),
        _spans([proposed, imposed]),
        ("art. 90.2 de la Ley 39/2015, de 1 de octubre",),
    )


def _uncharged(context: Context) -> Iterator[Fault]:
    """Find a precept under which a fine is imposed and which neither the charge nor the proposal named."""
    source, document = context.facts.source, context.document
    charged: dict[str, Span] = {}
    for found in _CHARGED.finditer(source.folded):
        clause = document.sentence(Span(found.start(), found.end()))
        end = min(len(source.folded), max(clause.end, found.end()) + 160)
        for precept in _PRECEPT.finditer(source.folded, clause.start, end):
            charged.setdefault(precept[1], Span(precept.start(), precept.end()))
    decision = [found.end() for found in re.finditer(r"\bresuelv[oe]\b", source.folded)]
    if not charged or not decision:
        return
    last = decision[-1]
    heads = {precept.split(".")[0] for precept in charged}
    for precept in _PRECEPT.finditer(source.folded, last, last + 900):
        if precept[1] in charged or precept[1].split(".")[0] not in heads:
            continue
        name = precept[1]
        before = "; ".join(charged)
        yield Fault(
            "uncharged",
            "high",
            Bilingual(
                es=f"Se sanciona por un precepto ({name}) que no figura en la incoación, que sólo citaba "
                f"{before}: en la "
                "resolución no se pueden aceptar hechos distintos de los determinados en el curso del "
                "procedimiento.",
                en=f"A penalty is imposed under a provision ({name}) that the opening of the file did not "
                f"name (only "
                f"{before}): a decision may not rest on facts other than those determined in the "
                f"proceedings.",
            ),
            Bilingual(
                es="Alegar que del hecho nuevo no hubo cargo ni audiencia, y pedir que se anule esa sanción.",
                en="Plead that there was no charge nor hearing on the new fact.",
            ),
            (next(iter(charged.values())), Span(precept.start(), precept.end())),
            ("art. 90.2 de la Ley 39/2015, de 1 de octubre",),
        )
        return


_HARM_SCALE = ((75, 25), (50, 20), (25, 15), (10, 10))
_FIGURE = r"(\d{1,3}(?:\.\d{3})*(?:,\d{2})?)"
_DUE = re.compile(
    rf"\bcuota (?:total )?que (?:hubiera debido|debio|debia|"
    rf"debiera)[^.;\d]{{0,80}}?(?:(?P<period>\dt)[^.;\d]{{0,12}})?{_FIGURE}"
)
_UNPAID = re.compile(rf"\b(?:dejad[oa] de ingresar|base de la sancion)[^.;\d]{{0,60}}{_FIGURE}")
_POINTS = re.compile(
    r"\bperjuicio economico\b(?P<between>.{0,190}?)\b(?P<points>10|15|20|25) ?(?:puntos|%|por ciento)"
)
_ROW = re.compile(
    rf"\b(?P<period>\dt)\b[^|\n]{{0,12}}\| *{_FIGURE} *\|[^|]*\| *(?P<points>10|15|20|25) ?puntos"
)


def _economic_harm(context: Context) -> Iterator[Fault]:
    """Compute the economic harm of a tax penalty and compare it with the points that it was given."""
    folded, language = context.facts.source.folded, context.language
    dues = {found["period"] or "": (_value(found[2]), found) for found in _DUE.finditer(folded)}
    rows = [
        (found["period"], _value(found[2]), int(found["points"]), found) for found in _ROW.finditer(folded)
    ]
    if not rows and len(dues) == 1:
        unpaid, points = _UNPAID.search(folded), _POINTS.search(folded)
        if unpaid is not None and points is not None:
            rows = [(next(iter(dues)), _value(unpaid[1]), int(points["points"]), points)]
    wrong = []
    for period, base, given, found in rows:
        due = dues.get(period) or (next(iter(dues.values())) if len(dues) == 1 else None)
        if due is None or not due[0]:
            continue
        share = (base * 100 / due[0]).quantize(Decimal("0.1"))
        right = next((points for over, points in _HARM_SCALE if base * 100 > due[0] * over), 0)
        if right != given:
            wrong.append((base, due, share, right, given, found))
    if not wrong:
        return
    told = "; ".join(
        f"{wording.money(base, 'EUR', 'es')} de {wording.money(due[0], 'EUR', 'es')} es el "
        f"{wording.percent(share, 'es')}, que da {right} puntos y no {given}"
        for base, due, share, right, given, _ in wrong
    )
    english = "; ".join(
        f"{wording.money(base, 'EUR', 'en')} of {wording.money(due[0], 'EUR', 'en')} is "
        f"{wording.percent(share, 'en')}, which gives {right} points and not {given}"
        for base, due, share, right, given, _ in wrong
    )
    del language
    _, due, _, _, _, found = wrong[0]
    yield Fault(
        "harm",
        "high",
        Bilingual(
            es=f"El perjuicio económico está mal calculado: {told}. El incremento es de 10 puntos si el "
            f"perjuicio supera "
            "el 10 % y no pasa del 25 %, de 15 hasta el 50 %, de 20 hasta el 75 % y de 25 por encima.",
            en=f"The economic harm is miscalculated: {english}. The increase is 10 points above 10% and up "
            f"to 25%, 15 up "
            "to 50%, 20 up to 75%, and 25 above.",
        ),
        Bilingual(
            es="Pedir en el recurso que se recalcule la sanción con el porcentaje correcto.",
            en="Ask in the appeal that the penalty be computed again with the right percentage.",
        ),
        (Span(due[1].start(), due[1].end()), Span(found.start(), found.end())),
        ("art. 187.1.b) LGT",),
    )


def _value(figure: str) -> Decimal:
    return Decimal(figure.replace(".", "").replace(",", "."))


def _collective(context: Context) -> Iterator[Fault]:
    """Compare the dismissals that a letter tells of with the threshold of a collective one."""
    folded = context.facts.source.folded
    staff, left = _STAFF.search(folded), _LEFT.search(folded)
    if staff is None or left is None:
        return
    people = int(staff["staff"] or staff["before"] or staff["other"])
    gone = int(left["left"]) if left["left"].isdigit() else read_numeral(left["left"], "es")
    if gone is None:
        return
    least = 10 if people < 100 else 30 if people >= 300 else -(-people // 10)
    total = gone + 1
    if total < least:
        return
    yield Fault(
        "collective",
        "high",
        Bilingual(
            es=f"La carta habla de {gone} salidas por la misma causa, {total} con ésta, sobre una plantilla "
            f"de {people}: "
            f"si se produjeron en noventa días alcanzan el umbral del despido colectivo ({least}), y la "
            f"extinción sin "
            "período de consultas es nula.",
            en=f"The letter tells of {gone} departures for the same cause, {total} with this one, of a staff "
            f"of {people}: "
            f"within ninety days they reach the threshold of a collective dismissal ({least}), and without "
            "consultations the dismissal is null.",
        ),
        Bilingual(
            es="Reunir las fechas de todas las extinciones de los noventa días y pedir la nulidad.",
            en="Collect the dates of all the dismissals of the ninety days.",
        ),
        (Span(staff.start(), staff.end()), Span(left.start(), left.end())),
        ("art. 51.1 ET", "art. 122.2 LRJS"),
    )


def _free_third(context: Context) -> Iterator[Fault]:
    """Find legacies beside one of the whole free third."""
    source, language = context.facts.source, context.language
    free = _FREE.search(source.folded)
    if free is None:
        return
    others = [
        one
        for one in _money(context)
        if one.start > free.end()
        and _LEGACY.search(source.folded[max(0, one.start - 120) : one.start])
        and "perdona" not in source.folded[one.end : one.end + 60]
    ]
    legacies = [one for one in others if one.value >= 500][:4]
    if not legacies:
        return
    total = wording.money(sum((one.value for one in legacies), Decimal(0)), legacies[0].currency, language)
    yield Fault(
        "free_third",
        "high",
        Bilingual(
            es=f"El tercio de libre disposición se deja entero a una persona y se ordenan además legados por "
            f"{total}: "
            "juntos exceden de lo que puede disponerse libremente, y si menguan la legítima se reducen por "
            "inoficiosos "
            "a petición de los herederos forzosos.",
            en=f"The free third is left whole to one person and legacies of {total} are added: together they "
            f"exceed what "
            "may be freely disposed of, and are reduced where they diminish the reserved share.",
        ),
        Bilingual(
            es="Fijar un orden entre los legados o imputarlos a otro tercio en cuanto quepa.",
            en="Set an order among the legacies, or charge them to another third where possible.",
        ),
        (Span(free.start(), free.end()), *_spans(legacies[:2])),
        ("art. 817 CC", "art. 820 CC"),
    )
