"""Word money, durations, dates, roles and names in Spanish and in English."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from app.rules.facts.money.amounts import Amount
from app.rules.rulebook.quantities import PER_YEAR, Quantity
from app.text.bilingual import Bilingual, Language, pick

_MONTHS = (
    Bilingual("enero", "January"),
    Bilingual("febrero", "February"),
    Bilingual("marzo", "March"),
    Bilingual("abril", "April"),
    Bilingual("mayo", "May"),
    Bilingual("junio", "June"),
    Bilingual("julio", "July"),
    Bilingual("agosto", "August"),
    Bilingual("septiembre", "September"),
    Bilingual("octubre", "October"),
    Bilingual("noviembre", "November"),
    Bilingual("diciembre", "December"),
)
# Of one and of several.
_UNITS: Mapping[str, tuple[Bilingual, Bilingual]] = {
    "hour": (Bilingual("hora", "hour"), Bilingual("horas", "hours")),
    "day": (Bilingual("día", "day"), Bilingual("días", "days")),
    "natural_day": (Bilingual("día natural", "calendar day"), Bilingual("días naturales", "calendar days")),
    "business_day": (Bilingual("día hábil", "working day"), Bilingual("días hábiles", "working days")),
    "week": (Bilingual("semana", "week"), Bilingual("semanas", "weeks")),
    "month": (Bilingual("mes", "month"), Bilingual("meses", "months")),
    "year": (Bilingual("año", "year"), Bilingual("años", "years")),
}
_PERIODS: Mapping[str, Bilingual] = {
    "hour": Bilingual(es="por hora", en="per hour"),
    "day": Bilingual(es="al día", en="per day"),
    "week": Bilingual(es="a la semana", en="per week"),
    "month": Bilingual(es="al mes", en="per month"),
    "quarter": Bilingual(es="al trimestre", en="per quarter"),
    "half_year": Bilingual(es="al semestre", en="per half-year"),
    "year": Bilingual(es="al año", en="per year"),
}
_SPANISH_SEPARATORS = str.maketrans(",.", ".,")
_SIGNS = {"EUR": "€", "USD": "US$", "GBP": "£"}

ROLES: Mapping[str, Bilingual] = {
    "landlord": Bilingual(es="parte arrendadora", en="landlord"),
    "tenant": Bilingual(es="parte arrendataria", en="tenant"),
    "seller": Bilingual(es="parte vendedora", en="seller"),
    "buyer": Bilingual(es="parte compradora", en="buyer"),
    "employer": Bilingual(es="empresa", en="employer"),
    "employee": Bilingual(es="persona trabajadora", en="employee"),
    "provider": Bilingual(es="parte prestadora o proveedora", en="provider"),
    "client": Bilingual(es="cliente", en="client"),
    "lender": Bilingual(es="parte prestamista", en="lender"),
    "borrower": Bilingual(es="parte prestataria", en="borrower"),
    "guarantor": Bilingual(es="parte fiadora o avalista", en="guarantor"),
    "discloser": Bilingual(es="parte reveladora", en="disclosing party"),
    "recipient": Bilingual(es="parte receptora", en="receiving party"),
    "licensor": Bilingual(es="licenciante", en="licensor"),
    "licensee": Bilingual(es="parte licenciataria", en="licensee"),
    "franchisor": Bilingual(es="parte franquiciadora", en="franchisor"),
    "franchisee": Bilingual(es="parte franquiciada", en="franchisee"),
    "distributor": Bilingual(es="parte distribuidora", en="distributor"),
    "manufacturer": Bilingual(es="fabricante o concedente", en="manufacturer or grantor"),
    "principal": Bilingual(es="principal o mandante", en="principal"),
    "agent": Bilingual(es="agente", en="agent"),
    "assignor": Bilingual(es="cedente", en="assignor"),
    "assignee": Bilingual(es="parte cesionaria", en="assignee"),
    "claimant": Bilingual(es="parte demandante", en="claimant"),
    "defendant": Bilingual(es="parte demandada", en="defendant"),
    "appellant": Bilingual(es="parte recurrente", en="appellant"),
    "respondent": Bilingual(es="parte recurrida", en="respondent"),
    "debtor": Bilingual(es="parte deudora", en="debtor"),
    "creditor": Bilingual(es="parte acreedora", en="creditor"),
    "taxpayer": Bilingual(es="obligado tributario", en="taxpayer"),
    "consumer": Bilingual(es="persona consumidora o usuaria", en="consumer or user"),
    "applicant": Bilingual(es="solicitante o interesado", en="applicant"),
    "insurer": Bilingual(es="aseguradora", en="insurer"),
    "insured": Bilingual(es="tomador o asegurado", en="insured"),
    "owner": Bilingual(es="parte propietaria", en="owner"),
    "company": Bilingual(es="empresa o sociedad", en="company"),
    "trader": Bilingual(es="empresario", en="trader"),
    "addressee": Bilingual(es="persona destinataria", en="addressee"),
    "representative": Bilingual(es="representante", en="representative"),
}

BOUNDS: Mapping[str, Bilingual] = {
    "at_most": Bilingual(es="hasta", en="up to"),
    "at_least": Bilingual(es="al menos", en="at least"),
    "below": Bilingual(es="menos de", en="less than"),
    "above": Bilingual(es="más de", en="more than"),
}
DATE_ROLES: Mapping[str, Bilingual] = {
    "signature": Bilingual(es="Fecha de firma", en="Date of signature"),
    "start": Bilingual(es="Fecha de inicio o de efectos", en="Start or effective date"),
    "end": Bilingual(es="Fecha de fin o de vencimiento", en="End or expiry date"),
    "delivery": Bilingual(es="Fecha de entrega", en="Date of delivery"),
    "payment": Bilingual(es="Fecha de pago", en="Date of payment"),
    "notification": Bilingual(es="Fecha de notificación", en="Date of notification"),
    "birth": Bilingual(es="Fecha de nacimiento", en="Date of birth"),
    "hearing": Bilingual(es="Fecha de juicio o comparecencia", en="Date of hearing"),
    "judgment": Bilingual(es="Fecha de una resolución", en="Date of a decision"),
    "other": Bilingual(es="Fecha", en="Date"),
}

PURPOSES: Mapping[str, Bilingual] = {
    "rent": Bilingual(es="Renta", en="Rent"),
    "deposit": Bilingual(es="Fianza o depósito", en="Deposit"),
    "guarantee": Bilingual(es="Garantía", en="Guarantee"),
    "price": Bilingual(es="Precio", en="Price"),
    "salary": Bilingual(es="Salario", en="Salary"),
    "penalty": Bilingual(es="Penalización", en="Penalty"),
    "interest": Bilingual(es="Interés", en="Interest"),
    "fee": Bilingual(es="Honorarios o comisión", en="Fee or commission"),
    "principal": Bilingual(es="Principal", en="Principal"),
    "compensation": Bilingual(es="Indemnización o compensación", en="Compensation"),
    "tax": Bilingual(es="Impuesto", en="Tax"),
    "expenses": Bilingual(es="Gastos", en="Expenses"),
    "claim": Bilingual(es="Cantidad reclamada", en="Amount claimed"),
    "cap": Bilingual(es="Límite", en="Cap"),
    "insurance": Bilingual(es="Seguro (prima o suma)", en="Insurance (premium or sum)"),
    "instalment": Bilingual(es="Cuota", en="Instalment"),
    "fine": Bilingual(es="Multa o sanción", en="Fine"),
    "capital": Bilingual(es="Capital", en="Capital"),
    "discount": Bilingual(es="Descuento", en="Discount"),
    "index": Bilingual(es="Índice o variación", en="Index or variation"),
    "other": Bilingual(es="Importe", en="Amount"),
}

DEADLINE_PURPOSES: Mapping[str, Bilingual] = {
    "notice": Bilingual(es="Preaviso o aviso", en="Notice"),
    "payment": Bilingual(es="Pago", en="Payment"),
    "term": Bilingual(es="Duración", en="Term"),
    "renewal": Bilingual(es="Prórroga", en="Renewal"),
    "withdrawal": Bilingual(es="Desistimiento", en="Withdrawal"),
    "appeal": Bilingual(es="Recurso o reclamación", en="Appeal"),
    "answer": Bilingual(es="Contestación o alegaciones", en="Answer"),
    "cure": Bilingual(es="Subsanación", en="Cure"),
    "delivery": Bilingual(es="Entrega", en="Delivery"),
    "warranty": Bilingual(es="Garantía", en="Warranty"),
    "limitation": Bilingual(es="Prescripción o caducidad", en="Limitation"),
    "confidentiality": Bilingual(es="Confidencialidad", en="Confidentiality"),
    "non_compete": Bilingual(es="No competencia", en="Non-compete"),
    "probation": Bilingual(es="Periodo de prueba", en="Trial period"),
    "repayment": Bilingual(es="Devolución o reembolso", en="Return or repayment"),
    "retention": Bilingual(es="Conservación", en="Retention"),
    "leave": Bilingual(es="Vacaciones o permiso", en="Leave"),
    "filing": Bilingual(es="Presentación de escrito", en="Filing"),
    "completion": Bilingual(es="Otorgamiento o cierre", en="Completion"),
    "other": Bilingual(es="Plazo", en="Period"),
}

BRANCHES: Mapping[str, Bilingual] = {
    "civil": Bilingual(es="civil", en="civil"),
    "penal": Bilingual(es="penal", en="criminal"),
    "laboral": Bilingual(es="laboral", en="employment"),
    "mercantil": Bilingual(es="mercantil", en="commercial"),
    "contencioso": Bilingual(es="contencioso-administrativa", en="administrative"),
    "constitucional": Bilingual(es="constitucional", en="constitutional"),
    "familia": Bilingual(es="de familia", en="family"),
    "internacional": Bilingual(es="internacional", en="international"),
}


def role(key: str | None, written: str | None, language: Language) -> str:
    """Return the part a party plays.

    It is the word `written` in the document if given, else its usual name, else "".
    """
    known = ROLES.get(key or "")
    if written:
        return " ".join(written.split()).strip("\"'«»“”").lower()
    return known.in_(language) if known is not None else ""


def number(value: Decimal, language: Language, places: int | None = None) -> str:
    """Return a number with the separators of the language.

    Whole ones have no decimals, unless `places` is given.
    """
    if places is None:
        places = 0 if value == value.to_integral_value() else 2
    text = f"{value:,.{places}f}"
    return pick(language, text.translate(_SPANISH_SEPARATORS), text)


def plain(value: Decimal, language: Language) -> str:
    """Return a number with as many decimals as it has: "2,6", "3"."""
    value = value.normalize()
    return number(value, language, max(-int(value.as_tuple().exponent), 0))


def money(value: Decimal, currency: str | None, language: Language) -> str:
    """Return money as written in the language: "1.600 €", "€1,600"; an unknown currency is left unsaid."""
    amount = number(value, language)
    if currency is None:
        return amount
    sign = _SIGNS.get(currency)
    return pick(
        language, f"{amount} {sign or currency}", f"{sign}{amount}" if sign else f"{currency} {amount}"
    )


def percent(value: Decimal, language: Language) -> str:
    """Return a percentage: "29 %" in Spanish, "29%" in English."""
    text = plain(value, language)
    return pick(language, f"{text} %", f"{text}%")


def duration(count: int, unit: str, language: Language) -> str:
    """Return a length of time: "2 años", "1 year"; "dos" is written "2"."""
    if unit not in _UNITS:
        return str(count)
    one, several = _UNITS[unit]
    return f"{count} {(one if count == 1 else several).in_(language)}"


def period(name: str | None, language: Language) -> str:
    """Return how often something is due: "al mes", "per month"; empty where there is none."""
    text = _PERIODS.get(name or "")
    return text.in_(language) if text is not None else ""


def quantity(item: Quantity, language: Language) -> str:
    """Return a quantity as a reader expects it."""
    if item.measure == "money":
        return " ".join(
            filter(None, (money(item.value, item.currency, language), period(item.period, language)))
        )
    if item.measure == "percent":
        times = PER_YEAR.get(item.period or "") if "interest" in item.term else None
        if times is None:
            return percent(item.value, language)
        each = f"{percent(item.value / times, language)} {period(item.period, language)}"
        return f"{each} ({percent(item.value, language)} {period('year', language)})"
    if item.measure == "hours":
        if item.value % 1:
            return f"{plain(round(item.value, 1), language)} {_UNITS['hour'][1].in_(language)}"
        return duration(int(item.value), "hour", language)
    if item.measure == "date":
        return day(item.day.isoformat(), language)
    if item.measure == "count":
        return number(item.value, language)
    assert item.number is not None
    assert item.unit is not None
    unit = "business_day" if item.unit == "day" and item.working else item.unit
    return duration(item.number, unit, language)


def amount(item: Amount, language: Language, rate_period: str | None = None) -> str:
    """Return an amount of money or a percentage with its period, as a reader expects it.

    `rate_period` is how often a percentage falls due.
    """
    if item.kind == "percentage":
        return " ".join(filter(None, (percent(item.value, language), period(rate_period, language))))
    text = money(item.value, item.currency, language)
    return " ".join(filter(None, (text, period(item.period, language))))


def length(number: int | None, unit: str, days: tuple[int, int] | None, language: Language) -> str:
    """Return a period as it is written: "10 días", or by the days of each month on which it recurs."""
    if days is not None:
        first, last = days
        if first == last:
            return pick(language, f"el día {first} de cada mes", f"day {first} of each month")
        return pick(
            language, f"del día {first} al {last} de cada mes", f"from day {first} to {last} of each month"
        )
    if number is None:
        return pick(language, "plazo legal de ingreso", "statutory payment window")
    return duration(number, unit, language)


def day(iso: str, language: Language) -> str:
    """Return a day as it is written: "1 de marzo de 2024", "1 March 2024".

    Raises:
        ValueError: unless `iso` is a date.
    """
    parsed = date.fromisoformat(iso)
    month = _MONTHS[parsed.month - 1]
    return pick(
        language,
        f"{parsed.day} de {month.es} de {parsed.year}",
        f"{parsed.day} {month.en} {parsed.year}",
    )


def with_article(name: str, language: Language) -> str:
    """Return the name of a kind of document with its indefinite article: "una demanda", "an appeal"."""
    return pick(language, _spanish_article, _english_article)(name)


def _spanish_article(name: str) -> str:
    first = name.split(maxsplit=1)[0]
    if first.endswith("s"):
        return f"{'unas' if first.endswith(('ones', 'as')) else 'unos'} {name}"
    # "Acta" is feminine and takes "un", as "agua" does.
    feminine = first.endswith(("ión", "a", "tud", "circular")) and first != "acta"
    return f"{'una' if feminine else 'un'} {name}"


def _english_article(name: str) -> str:
    if name.endswith("conditions"):
        return f"a set of {name}"
    if name.split(maxsplit=1)[0] in ("sale", "supply"):
        return f"a contract for the {name}"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def listing(items: list[str], language: Language) -> str:
    """Return a list in words: "a, b y c", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    joint = pick(language, "e" if items[-1][:1].lower() == "i" else "y", "and")
    return f"{', '.join(items[:-1])} {joint} {items[-1]}"


def sentence(text: str) -> str:
    """Return `text` with a capital first letter and one full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def lower_first(text: str) -> str:
    """Return a sentence as it goes on after other words: its first letter small, unless it is an acronym."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


# How a period of law is counted to its last day.
COUNTED = Bilingual(
    es="Contado desde el {since}, termina el {d1}",
    en="Counted from {since}, it ends on {d1}",
)
LIMITATION = Bilingual(
    es="Contada desde el {since}, prescribe el {d1} si nada la interrumpe",
    en="Counted from {since}, it is time-barred on {d1} unless interrupted",
)
LIMITATION_SUSPENDED = Bilingual(
    es="Contada desde el {since}, prescribe el {d1}; el {d2} con los días en que la prescripción estuvo "
    "suspendida en 2020, si nada la interrumpe",
    en="Counted from {since}, it is time-barred on {d1}; on {d2} with the days on which limitation stood "
    "still in 2020, unless interrupted",
)
