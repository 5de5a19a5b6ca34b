"""What a quotation leaves of its sentence, ceilings and "once" limit what is told."""

from __future__ import annotations

import pytest

from app.analysis.support import Document, QuotedSpan, discrepancy

LEASH = "Usted no podrá pedir la vuelta al taller antes del 1 de mayo de 2027."
FRAUD = "Save for fraud, the Carrier's liability in any year is limited to €85,000."
ASKED = "Doña Berta Luján propone, por medio de su representante, pintar el zaguán en mayo de 2027."
DENIED = "Denegar la prohibición de usar el rótulo «Los Juncos»."
FINE = "Por cada día de retraso se descontarán 90 euros, hasta un máximo de 2.700 euros."
HOTEL = (
    "The Firm will reimburse hotel bills up to $190 per night, if it gets the receipts within twenty days."
)
ONCE = "The Buyer may postpone delivery once, by not more than 21 days, if it tells by 29 January 2027."
COPIES = "Copies shall be encrypted; log files need not be encrypted."
AUDIT = "The Landlord bears the cost of the audit unless it shows a flaw, in which case the Tenant bears it."
OLD = "Las compras de 2025 se rigen por los términos antiguos, que daban un año de garantía a la batería."
PROXY = "Asiste don Efrén Lastra, propietario del ático, representado por doña Amparo Cenizo."

# Sentence, quotation, statement: none of these may have the lock.
FALSE = [
    (LEASH, "Usted no podrá pedir la vuelta al taller", "Usted no podrá pedir la vuelta al taller."),
    (
        FRAUD,
        "the Carrier's liability in any year is limited to €85,000",
        "The Carrier's liability in any year is limited to €85,000.",
    ),
    (ASKED, "pintar el zaguán en mayo de 2027", "Se acuerda pintar el zaguán en mayo de 2027."),
    (
        DENIED,
        "la prohibición de usar el rótulo «Los Juncos»",
        "Se acuerda la prohibición de usar el rótulo «Los Juncos».",
    ),
    (FINE, FINE, "For each day of delay 90 euros will be deducted."),
    (HOTEL, HOTEL, "The Firm reimburses hotel bills, if it gets the receipts within 20 days."),
    (
        ONCE,
        ONCE,
        "The Buyer may postpone delivery, by not more than 21 days, each time it tells by 29 January 2027.",
    ),
    (COPIES, COPIES, "Copies need not be encrypted."),
    (AUDIT, AUDIT, "The Tenant bears the cost of the audit unless it shows a flaw."),
    (OLD, OLD, "La batería tiene un año de garantía."),
    (
        PROXY,
        "don Efrén Lastra, propietario del ático, representado por doña Amparo Cenizo",
        "Doña Amparo Cenizo está representada por don Efrén Lastra.",
    ),
]
# Their right neighbours.
RIGHT = [
    (LEASH, LEASH, "Usted no podrá pedir la vuelta al taller antes del 1 de mayo de 2027."),
    (FRAUD, FRAUD, "Save for fraud, the Carrier's liability in any year is limited to €85,000."),
    (ASKED, ASKED, "Doña Berta Luján propone pintar el zaguán en mayo de 2027."),
    (DENIED, DENIED, "Denegar la prohibición de usar el rótulo «Los Juncos»."),
    (FINE, FINE, "Por cada día de retraso se descontarán 90 euros, hasta un máximo de 2.700 euros."),
    (
        HOTEL,
        HOTEL,
        "The Firm reimburses hotel bills up to $190 per night, if it gets the receipts within 20 days.",
    ),
    (
        ONCE,
        ONCE,
        "The Buyer may postpone delivery once, by not more than 21 days, if it tells by 29 January 2027.",
    ),
    (COPIES, COPIES, "Log files need not be encrypted."),
    (AUDIT, AUDIT, "The Landlord bears the cost of the audit unless it shows a flaw."),
    (OLD, OLD, "Los términos antiguos daban un año de garantía a la batería."),
    (PROXY, PROXY, "Don Efrén Lastra está representado por doña Amparo Cenizo."),
]


def _found(sentence: str, quote: str, statement: str) -> object:
    document = Document(f"DOCUMENTO\n\n{sentence}\n")
    start = document.text.index(quote)
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], document, aligned=True)


@pytest.mark.parametrize(("sentence", "quote", "statement"), FALSE)
def test_what_limits_is_read_although_it_is_cut_off_or_told_in_other_words(
    sentence: str, quote: str, statement: str
) -> None:
    assert _found(sentence, quote, statement) is not None


@pytest.mark.parametrize(("sentence", "quote", "statement"), RIGHT)
def test_the_same_told_with_its_limit_keeps_its_lock(sentence: str, quote: str, statement: str) -> None:
    assert _found(sentence, quote, statement) is None


DEMAND = """AUTO

Demandados: Aurelio Sotillo Fonseca y Maribel Cely Pinto

Se libra mandamiento en contra del señor Sotillo Fonseca por 12.450 euros de capital de la letra."""


@pytest.mark.parametrize(
    ("one", "other", "two"),
    [("sotillo", "cely", True), ("aurelio", "pinto", True), ("sotillo", "fonseca", False)],
)
def test_two_people_who_are_one_party_are_told_apart(one: str, other: str, two: bool) -> None:
    assert Document(DEMAND).parties.are_two_people(one, other) is two
