"""Check international bank account numbers: ISO 13616, with the registry that python-stdnum carries."""

import re
import string
from functools import cache

from stdnum import numdb

_CLASSES = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}
_NUMERALS = {ord(letter): str(10 + index) for index, letter in enumerate(string.ascii_uppercase)}


@cache
def iban_structure(country: str) -> tuple[int, re.Pattern[str]] | None:
    """Return length and form of a country's IBAN; None for a country that has none."""
    _, properties = numdb.get("iban").info(country)[0]
    bban = properties.get("bban")
    if not bban:
        return None
    parts = re.findall(r"(\d+)!([nac])", bban)
    form = "".join(f"{_CLASSES[kind]}{{{count}}}" for count, kind in parts)
    return 4 + sum(int(count) for count, _ in parts), re.compile(rf"{country}[0-9]{{2}}{form}")


def iban_agrees(compact: str) -> bool:
    """Tell whether the check digits of a compact, upper-case IBAN of a known country are right.

    Source: ISO 13616, modulo 97-10.
    """
    structure = iban_structure(compact[:2]) if compact[:2].isalpha() else None
    if structure is None or structure[1].fullmatch(compact) is None:
        return False
    return int((compact[4:] + compact[:4]).translate(_NUMERALS)) % 97 == 1
