"""Check digits: by python-stdnum where it has the number, else by the published rule.

A rule takes the compact, upper-case value (no separators) and answers yes or no; it never raises.
"""

import functools
import importlib
import re
from collections.abc import Callable

from stdnum import luhn

from app.redaction.iban import iban_agrees

Rule = Callable[[str], bool]

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_NINO = re.compile(r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
# ISO/IEC 7812 issuers: Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro, Elo, Hipercard.
_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}"
    r"|3(?:0[0-59]|[689]\d)\d{11}|3(?:0[0-59]|[689]\d)\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}"
    r"|62\d{14,17}|(?:50|5[6-8]|6[37])\d{14,17}"
)


def _weighted(number: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True))


def _es_dni(number: str) -> bool:
    return len(number) == 9 and number[:8].isdigit() and _DNI_LETTERS[int(number[:8]) % 23] == number[8]


def _es_nie(number: str) -> bool:
    """Check a NIE: a DNI whose first digit is written X, Y or Z."""
    return number[:1] in "XYZ" and number[1:8].isdigit() and _es_dni(str("XYZ".index(number[0])) + number[1:])


def _es_nuss(number: str) -> bool:
    """Check a social security number: province and serial modulo 97.

    A serial under ten million is read without its zero.
    """
    if len(number) != 12 or not number.isdigit():
        return False
    province, serial, control = int(number[:2]), int(number[2:10]), int(number[10:])
    if not 1 <= province <= 53 and province != 66:
        return False
    value = province * 10_000_000 + serial if serial < 10_000_000 else int(number[:10])
    return value % 97 == control


def _es_employer(number: str) -> bool:
    """Check the contribution account code of an employer: province, seven digits, control modulo 97."""
    return len(number) == 11 and number.isdigit() and int(number[:9]) % 97 == int(number[9:])


def _es_ccc(number: str) -> bool:
    """Check a bank account code; the year of a CENDOJ id stands where the control digits would be."""
    return _stdnum("es.ccc")(number) and number[:4] != "0000" and len(set(number)) > 2


def _mx_clabe(number: str) -> bool:
    if len(number) != 18 or not number.isdigit():
        return False
    total = sum(int(digit) * (3, 7, 1)[index % 3] % 10 for index, digit in enumerate(number[:17]))
    return (10 - total % 10) % 10 == int(number[17])


def _mx_rfc(number: str) -> bool:
    from stdnum.mx import rfc

    return bool(rfc.is_valid(number, validate_check_digits=len(number) > 10))


def _luhn_11(number: str) -> bool:
    return len(number) == 11 and bool(luhn.is_valid(number))


def _gb_nino(number: str) -> bool:
    return _NINO.fullmatch(number) is not None


def _uy_ci(number: str) -> bool:
    if not number.isdigit() or len(number) not in (7, 8):
        return False
    number = number.zfill(8)
    return (10 - _weighted(number[:7], (2, 9, 8, 7, 6, 3, 4)) % 10) % 10 == int(number[7])


def _sv_dui(number: str) -> bool:
    if len(number) != 9 or not number.isdigit():
        return False
    return (10 - _weighted(number[:8], (9, 8, 7, 6, 5, 4, 3, 2)) % 10) % 10 == int(number[8])


def _gt_cui(number: str) -> bool:
    """Check eight digits, control modulo 11, then department (1 to 22) and municipality."""
    if len(number) != 13 or not number.isdigit():
        return False
    control = _weighted(number[:8], (2, 3, 4, 5, 6, 7, 8, 9)) % 11
    return control == int(number[8]) and 1 <= int(number[9:11]) <= 22 and number[11:] != "00"


def _ni_cedula(number: str) -> bool:
    letters = "ABCDEFGHJKLMNPQRSTUVWXY"
    return len(number) == 14 and number[:13].isdigit() and letters[int(number[:13]) % 23] == number[13]


def _br_pis(number: str) -> bool:
    if len(number) != 11 or not number.isdigit() or len(set(number)) == 1:
        return False
    control = 11 - _weighted(number[:10], (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if control > 9 else control) == int(number[10])


def _card(number: str) -> bool:
    return _ISSUERS.fullmatch(number) is not None and bool(luhn.is_valid(number))


def _eu_vat(number: str) -> bool:
    """Check a VAT number with its country prefix, EL for Greece."""
    from stdnum.eu import vat

    return bool(vat.is_valid(number))


_OWN: dict[str, Rule] = {
    "es_dni": _es_dni,
    "es_nie": _es_nie,
    "es_nuss": _es_nuss,
    "es_employer": _es_employer,
    "es_ccc": _es_ccc,
    "mx_clabe": _mx_clabe,
    "mx_rfc": _mx_rfc,
    "luhn_11": _luhn_11,
    "gb_nino": _gb_nino,
    "uy_ci": _uy_ci,
    "sv_dui": _sv_dui,
    "gt_cui": _gt_cui,
    "ni_cedula": _ni_cedula,
    "br_pis": _br_pis,
    "card": _card,
    "eu_vat": _eu_vat,
    "iban": iban_agrees,
}


@functools.cache
def _stdnum(name: str) -> Rule:
    module = importlib.import_module(f"stdnum.{name}")

    def rule(number: str) -> bool:
        try:
            return bool(module.is_valid(number))
        except (ValueError, IndexError, KeyError, TypeError):
            # Some modules index into the number before they look at its length.
            return False

    return rule


def rule_named(name: str) -> Rule:
    """Return the rule called `name`: one of ours, or `stdnum.{name}` (imported at first use).

    Raises:
        ModuleNotFoundError: when neither exists.
    """
    return _OWN.get(name) or _stdnum(name)
