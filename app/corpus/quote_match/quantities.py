"""Extract figures with units from a text: "dos mensualidades", "treinta (30) días hábiles", "4 %". Pure.

Works on text without accents and in small letters (`text.normalize.WORDS`), in the languages of the laws that
are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBERS = {
    word: value
    for value, words in {
        1: "un una uno one a an une ein eine einen einem um uma",
        2: "dos two deux due zwei dois duas",
        3: "tres three trois tre drei",
        4: "cuatro four quatre quattro vier quatro",
        5: "cinco five cinq cinque funf",
        6: "seis six sei sechs",
        7: "siete seven sept sette sieben sete",
        8: "ocho eight huit otto acht oito",
        9: "nueve nine neuf nove neun",
        10: "diez ten dix dieci zehn dez",
        11: "once eleven onze undici elf",
        12: "doce twelve douze dodici zwolf doze",
        13: "trece thirteen",
        14: "catorce fourteen quatorze vierzehn",
        15: "quince fifteen quinze quindici funfzehn",
        16: "dieciseis sixteen",
        17: "diecisiete seventeen",
        18: "dieciocho eighteen dezoito",
        19: "diecinueve nineteen",
        20: "veinte twenty vingt venti zwanzig vinte",
        21: "veintiun veintiuno veintiuna",
        22: "veintidos",
        23: "veintitres",
        24: "veinticuatro",
        25: "veinticinco",
        26: "veintiseis",
        27: "veintisiete",
        28: "veintiocho",
        29: "veintinueve",
        30: "treinta thirty trente trenta dreissig trinta",
        40: "cuarenta forty quarante quaranta quarenta",
        50: "cincuenta fifty cinquante cinquanta cinquenta",
        60: "sesenta sixty soixante sessanta sechzig sessenta",
        70: "setenta seventy",
        80: "ochenta eighty",
        90: "noventa ninety novanta neunzig",
        100: "cien ciento hundred cent cento hundert cem",
        200: "doscientos doscientas",
        300: "trescientos trescientas",
        500: "quinientos quinientas",
        1000: "mil thousand mille",
    }.items()
    for word in words.split()
}
UNITS = {
    word: unit
    for unit, words in {
        "rent": "mensualidad mensualidades mensualidade",
        "day": "dia dias day days jour jours giorno giorni tag tage tagen jornada jornadas",
        "week": "semana semanas week weeks semaine semaines settimana settimane woche wochen",
        "month": "mes meses month months mois mese mesi monat monate monaten",
        "year": "ano anos anualidad anualidades year years an ans annee annees anno anni jahr jahre jahren",
        "hour": "hora horas hour hours heure heures ora ore stunde stunden",
        "percent": "% percent porcentaje prozent",
        "money": "euro euros eur usd gbp € pesetas pesos peso dollars dollar pounds soles reais real $ £",
        "times": "veces times fois volte vezes",
        "wage": "salarios smlmv smmlv umas",
        "people": "trabajadores empleados employees workers socios",
    }.items()
    for word in words.split()
}
DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
LENGTHS = {**DAYS, "hour": 1 / 24}
_QUALIFIERS = {
    "habiles": "business", "habil": "business", "laborables": "business", "working": "business",
    "business": "business", "naturales": "calendar", "natural": "calendar", "corridos": "calendar",
    "calendario": "calendar", "calendar": "calendar", "clear": "clear",
}  # fmt: skip
_THOUSANDS = re.compile(r"(?<=\d)[\u202f\u00a0 ](?=\d{3}(?!\d))")
WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|%|[€$£]")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with its unit; `shown` as it is written, `stems` of the words of its sentence."""

    value: float
    unit: str
    qualifier: str
    shown: str
    sentence: int


def quantities(folded: str, sentence: int) -> list[Quantity]:
    """Return the figures of a sentence, with those whose unit is left out ("una mensualidad … y de dos")."""
    found: list[Quantity] = []
    words = WORD.findall(_THOUSANDS.sub("", folded))
    place = 0
    while place < len(words):
        value, length = _number(words, place)
        if value is None:
            place += 1
            continue
        after = place + length
        # "treinta (30) días": the figure repeats the words.
        repeated, more = _number(words, after) if after < len(words) else (None, 0)
        if repeated == value:
            after += more
        unit = _unit(words, after, place)
        if unit:
            name, end, qualifier = unit
            shown = " ".join(words[place:end])
            found.append(Quantity(value, name, qualifier, shown, sentence))
            place = end
        else:
            elided = found and value > 1 and words[place - 1 : place] in (["de"], ["o"], ["y"], ["or"], ["a"])
            if elided:
                last = found[-1]
                shown = " ".join(words[place:after])
                found.append(Quantity(value, last.unit, last.qualifier, shown, sentence))
            place = after
    return found


def _number(words: Sequence[str], place: int) -> tuple[float | None, int]:
    """Return (value, words taken) of a number at `place`."""
    word = words[place]
    if word[:1].isdigit():
        plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", word).replace(",", ".")
        try:
            return float(plain), 1
        except ValueError:
            return None, 1
    if word not in NUMBERS:
        return None, 1
    total, taken = float(NUMBERS[word]), 1
    while place + taken < len(words):
        joined = words[place + taken]
        if (
            joined in ("y", "e", "and", "et")
            and taken
            and total >= 20
            and words[place + taken + 1 : place + taken + 2]
        ):
            further = NUMBERS.get(words[place + taken + 1])
            if further is None or further >= (100 if total >= 100 and joined == "and" else 10):
                break
            total, taken = total + further, taken + 2
        elif joined == "hundred" and total < 10:
            total, taken = total * 100, taken + 1
        elif joined in NUMBERS and (NUMBERS[joined] == 1000 or 1 < NUMBERS[joined] < total):
            value = NUMBERS[joined]
            total, taken = (total * value if value == 1000 else total + value), taken + 1
        else:
            break
    return total, taken


def _unit(words: Sequence[str], at: int, start: int) -> tuple[str, int, str] | None:
    """Return (unit, end, qualifier) of what is counted at `at`; a currency sign may precede its figure."""
    if start and words[start - 1] in ("€", "$", "£"):
        return "money", at, ""
    for skip in range(3):
        if at + skip >= len(words):
            break
        word = words[at + skip]
        if words[at + skip : at + skip + 2] == ["por", "ciento"] or words[at + skip : at + skip + 2] == [
            "per",
            "cent",
        ]:
            return "percent", at + skip + 2, ""
        if word in UNITS:
            unit, end = UNITS[word], at + skip + 1
            if unit == "month" and (
                words[end : end + 2] in (["de", "renta"], ["s", "rent"]) or words[end : end + 1] == ["rent"]
            ):
                return "rent", end + 1, ""
            qualifier = _QUALIFIERS.get(words[at], "") if skip else ""
            qualifier = qualifier or _QUALIFIERS.get(words[end] if end < len(words) else "", "")
            return unit, end, qualifier
        if word not in _QUALIFIERS and word not in (
            "primeros",
            "primeras",
            "first",
            "full",
            "s",
            "ultimos",
            "nuevos",
        ):
            break
    return None


def agrees(one: Quantity, other: Quantity) -> bool:
    """Tell whether two quantities of one unit have the same value."""
    if one.qualifier and other.qualifier and one.qualifier != other.qualifier and one.unit == other.unit:
        return False
    if one.unit == other.unit:
        return abs(one.value - other.value) < 1e-9
    if {one.unit, other.unit} == {"rent", "month"}:  # "dos meses de renta"
        return abs(one.value - other.value) < 1e-9
    if {one.unit, other.unit} <= LENGTHS.keys():
        first, second = one.value * LENGTHS[one.unit], other.value * LENGTHS[other.unit]
        return abs(first - second) <= 0.04 * max(first, second)
    return False
