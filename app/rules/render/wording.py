"""Word money, durations, dates, roles and names in Spanish and in English."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from app.rules.draft import Language, Text
from app.rules.facts.amounts import Amount
from app.rules.rulebook.quantities import Quantity

_MONTHS = {
    "es": [
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
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}
_UNITS: Mapping[str, tuple[str, str, str, str]] = {
    "hour": ("hora", "horas", "hour", "hours"),
    "day": ("día", "días", "day", "days"),
    "natural_day": ("día natural", "días naturales", "calendar day", "calendar days"),
    "business_day": ("día hábil", "días hábiles", "working day", "working days"),
    "week": ("semana", "semanas", "week", "weeks"),
    "month": ("mes", "meses", "month", "months"),
    "year": ("año", "años", "year", "years"),
}
_PERIODS: Mapping[str, Text] = {
    "hour": Text(es="por hora", en="per hour"),
    "day": Text(es="al día", en="per day"),
    "week": Text(es="a la semana", en="per week"),
    "month": Text(es="al mes", en="per month"),
    "quarter": Text(es="al trimestre", en="per quarter"),
    "half_year": Text(es="al semestre", en="per half-year"),
    "year": Text(es="al año", en="per year"),
}
_SIGNS = {"EUR": "€", "USD": "US$", "GBP": "£"}

ROLES: Mapping[str, Text] = {
    "landlord": Text(es="parte arrendadora", en="landlord"),
    "tenant": Text(es="parte arrendataria", en="tenant"),
    "seller": Text(es="parte vendedora", en="seller"),
    "buyer": Text(es="parte compradora", en="buyer"),
    "employer": Text(es="empresa", en="employer"),
    "employee": Text(es="persona trabajadora", en="employee"),
    "provider": Text(es="parte prestadora o proveedora", en="provider"),
    "client": Text(es="cliente", en="client"),
    "lender": Text(es="parte prestamista", en="lender"),
    "borrower": Text(es="parte prestataria", en="borrower"),
    "guarantor": Text(es="parte fiadora o avalista", en="guarantor"),
    "discloser": Text(es="parte reveladora", en="disclosing party"),
    "recipient": Text(es="parte receptora", en="receiving party"),
    "licensor": Text(es="licenciante", en="licensor"),
    "licensee": Text(es="parte licenciataria", en="licensee"),
    "franchisor": Text(es="parte franquiciadora", en="franchisor"),
    "franchisee": Text(es="parte franquiciada", en="franchisee"),
    "distributor": Text(es="parte distribuidora", en="distributor"),
    "manufacturer": Text(es="fabricante o concedente", en="manufacturer or grantor"),
    "principal": Text(es="principal o mandante", en="principal"),
    "agent": Text(es="agente", en="agent"),
    "assignor": Text(es="cedente", en="assignor"),
    "assignee": Text(es="parte cesionaria", en="assignee"),
    "claimant": Text(es="parte demandante", en="claimant"),
    "defendant": Text(es="parte demandada", en="defendant"),
    "appellant": Text(es="parte recurrente", en="appellant"),
    "respondent": Text(es="parte recurrida", en="respondent"),
    "debtor": Text(es="parte deudora", en="debtor"),
    "creditor": Text(es="parte acreedora", en="creditor"),
    "taxpayer": Text(es="obligado tributario", en="taxpayer"),
    "consumer": Text(es="persona consumidora o usuaria", en="consumer or user"),
    "applicant": Text(es="solicitante o interesado", en="applicant"),
    "insurer": Text(es="aseguradora", en="insurer"),
    "insured": Text(es="tomador o asegurado", en="insured"),
    "owner": Text(es="parte propietaria", en="owner"),
    "company": Text(es="empresa o sociedad", en="company"),
    "trader": Text(es="empresario", en="trader"),
    "addressee": Text(es="persona destinataria", en="addressee"),
    "representative": Text(es="representante", en="representative"),
}

BOUNDS: Mapping[str, Text] = {
    "at_most": Text(es="hasta", en="up to"),
    "at_least": Text(es="al menos", en="at least"),
    "below": Text(es="menos de", en="less than"),
    "above": Text(es="más de", en="more than"),
}
DATE_ROLES: Mapping[str, Text] = {
    "signature": Text(es="Fecha de firma", en="Date of signature"),
    "start": Text(es="Fecha de inicio o de efectos", en="Start or effective date"),
    "end": Text(es="Fecha de fin o de vencimiento", en="End or expiry date"),
    "delivery": Text(es="Fecha de entrega", en="Date of delivery"),
    "payment": Text(es="Fecha de pago", en="Date of payment"),
    "notification": Text(es="Fecha de notificación", en="Date of notification"),
    "birth": Text(es="Fecha de nacimiento", en="Date of birth"),
    "hearing": Text(es="Fecha de juicio o comparecencia", en="Date of hearing"),
    "judgment": Text(es="Fecha de una resolución", en="Date of a decision"),
    "other": Text(es="Fecha", en="Date"),
}

PURPOSES: Mapping[str, Text] = {
    "rent": Text(es="Renta", en="Rent"),
    "deposit": Text(es="Fianza o depósito", en="Deposit"),
    "guarantee": Text(es="Garantía", en="Guarantee"),
    "price": Text(es="Precio", en="Price"),
    "salary": Text(es="Salario", en="Salary"),
    "penalty": Text(es="Penalización", en="Penalty"),
    "interest": Text(es="Interés", en="Interest"),
    "fee": Text(es="Honorarios o comisión", en="Fee or commission"),
    "principal": Text(es="Principal", en="Principal"),
    "compensation": Text(es="Indemnización o compensación", en="Compensation"),
    "tax": Text(es="Impuesto", en="Tax"),
    "expenses": Text(es="Gastos", en="Expenses"),
    "claim": Text(es="Cantidad reclamada", en="Amount claimed"),
    "cap": Text(es="Límite", en="Cap"),
    "insurance": Text(es="Seguro", en="Insurance"),
    "instalment": Text(es="Cuota", en="Instalment"),
    "fine": Text(es="Multa o sanción", en="Fine"),
    "capital": Text(es="Capital", en="Capital"),
    "discount": Text(es="Descuento", en="Discount"),
    "index": Text(es="Índice o variación", en="Index or variation"),
    "other": Text(es="Importe", en="Amount"),
}

DEADLINE_PURPOSES: Mapping[str, Text] = {
    "notice": Text(es="Preaviso o aviso", en="Notice"),
    "payment": Text(es="Pago", en="Payment"),
    "term": Text(es="Duración", en="Term"),
    "renewal": Text(es="Prórroga", en="Renewal"),
    "withdrawal": Text(es="Desistimiento", en="Withdrawal"),
    "appeal": Text(es="Recurso o reclamación", en="Appeal"),
    "answer": Text(es="Contestación o alegaciones", en="Answer"),
    "cure": Text(es="Subsanación", en="Cure"),
    "delivery": Text(es="Entrega", en="Delivery"),
    "warranty": Text(es="Garantía", en="Warranty"),
    "limitation": Text(es="Prescripción o caducidad", en="Limitation"),
    "confidentiality": Text(es="Confidencialidad", en="Confidentiality"),
    "non_compete": Text(es="No competencia", en="Non-compete"),
    "probation": Text(es="Periodo de prueba", en="Trial period"),
    "repayment": Text(es="Devolución o reembolso", en="Return or repayment"),
    "retention": Text(es="Conservación", en="Retention"),
    "leave": Text(es="Vacaciones o permiso", en="Leave"),
    "filing": Text(es="Presentación de escrito", en="Filing"),
    "completion": Text(es="Otorgamiento o cierre", en="Completion"),
    "other": Text(es="Plazo", en="Period"),
}

BRANCHES: Mapping[str, Text] = {
    "civil": Text(es="civil", en="civil"),
    "penal": Text(es="penal", en="criminal"),
    "laboral": Text(es="laboral", en="employment"),
    "mercantil": Text(es="mercantil", en="commercial"),
    "contencioso": Text(es="contencioso-administrativa", en="administrative"),
    "constitucional": Text(es="constitucional", en="constitutional"),
    "familia": Text(es="de familia", en="family"),
    "internacional": Text(es="internacional", en="international"),
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
    if language == "es":
        text = text.replace(",", " ").replace(".", ",").replace(" ", ".")
    return text


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
    if language == "es":
        return f"{amount} {sign or currency}"
    return f"{sign}{amount}" if sign else f"{currency} {amount}"


def percent(value: Decimal, language: Language) -> str:
    """Return a percentage: "29 %" in Spanish, "29%" in English."""
    text = plain(value, language)
    return f"{text} %" if language == "es" else f"{text}%"


def duration(count: int, unit: str, language: Language) -> str:
    """Return a length of time: "2 años", "1 year"; "dos" is written "2"."""
    es_one, es_many, en_one, en_many = _UNITS.get(unit, ("", "", "", ""))
    one, many = (es_one, es_many) if language == "es" else (en_one, en_many)
    return f"{count} {one if count == 1 else many}".strip()


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
        return percent(item.value, language)
    if item.measure == "hours":
        return duration(int(item.value), "hour", language)
    assert item.number is not None
    assert item.unit is not None
    unit = "business_day" if item.unit == "day" and item.working else item.unit
    return duration(item.number, unit, language)


def amount(item: Amount, language: Language) -> str:
    """Return an amount of money or a percentage with its period, as a reader expects it."""
    if item.kind == "percentage":
        return percent(item.value, language)
    text = money(item.value, item.currency, language)
    return " ".join(filter(None, (text, period(item.period, language))))


def day(iso: str, language: Language) -> str:
    """Return a day as it is written: "1 de marzo de 2024", "1 March 2024".

    Raises:
        ValueError: unless `iso` is a date.
    """
    parsed = date.fromisoformat(iso)
    month = _MONTHS[language][parsed.month - 1]
    if language == "es":
        return f"{parsed.day} de {month} de {parsed.year}"
    return f"{parsed.day} {month} {parsed.year}"


_FEMININE = ("acta", "carta", "demanda", "liquidación", "providencia", "resolución", "solicitud")


def with_article(name: str, language: Language) -> str:
    """Return the name of a kind of document with its indefinite article: "una demanda", "an appeal"."""
    first = name.split(maxsplit=1)[0]
    if language == "es":
        if first == "condiciones":
            return f"unas {name}"
        return f"{'una' if first in _FEMININE else 'un'} {name}"
    if name.endswith("conditions"):
        return f"a set of {name}"
    if first in ("sale", "supply"):
        return f"a contract for the {name}"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def listing(items: list[str], language: Language) -> str:
    """Return a list in words: "a, b y c", "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    joint = "y" if language == "es" else "and"
    if language == "es" and items[-1][:1].lower() == "i":
        joint = "e"
    return f"{', '.join(items[:-1])} {joint} {items[-1]}"


def sentence(text: str) -> str:
    """Return `text` with a capital first letter and one full stop."""
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
