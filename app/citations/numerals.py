"""Read numbers written in words, as old Spanish laws and their citations write them, in folded text."""

import re

_UNITS = {
    "uno": 1, "un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7,
    "ocho": 8, "nueve": 9, "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15,
    "dieciseis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19, "veinte": 20, "veintiuno": 21,
    "veintiun": 21, "veintidos": 22, "veintitres": 23, "veinticuatro": 24, "veinticinco": 25,
    "veintiseis": 26, "veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30,
    "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90,
    "cien": 100, "ciento": 100, "doscientos": 200, "trescientos": 300, "cuatrocientos": 400,
    "quinientos": 500, "seiscientos": 600, "setecientos": 700, "ochocientos": 800, "novecientos": 900,
    "mil": 1000,
}  # fmt: skip
_ORDINALS = {
    "unico": 1, "primero": 1, "primer": 1, "segundo": 2, "tercero": 3, "tercer": 3, "cuarto": 4,
    "quinto": 5, "sexto": 6, "septimo": 7, "setimo": 7, "octavo": 8, "noveno": 9, "nono": 9, "decimo": 10,
    "undecimo": 11, "decimoprimero": 11, "duodecimo": 12, "decimosegundo": 12, "decimotercero": 13,
    "decimotercer": 13, "decimocuarto": 14, "decimoquinto": 15, "decimosexto": 16, "decimoseptimo": 17,
    "decimoctavo": 18, "decimonoveno": 19, "vigesimo": 20, "trigesimo": 30, "cuadragesimo": 40,
    "quincuagesimo": 50, "sexagesimo": 60, "septuagesimo": 70, "octogesimo": 80, "nonagesimo": 90,
    "vigesimoprimero": 21, "vigesimosegundo": 22, "vigesimotercero": 23, "vigesimocuarto": 24,
    "vigesimoquinto": 25, "vigesimosexto": 26, "vigesimoseptimo": 27, "vigesimoctavo": 28,
    "vigesimonoveno": 29, "centesimo": 100,
}  # fmt: skip
_ENGLISH = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "sole": 1, "single": 1,
}  # fmt: skip


def _ordinal(word: str) -> int | None:
    """Return the value of one ordinal, whatever its gender and number."""
    for ending in ("", "o"):
        stem = word[:-1] + ending if ending else word
        if stem in _ORDINALS:
            return _ORDINALS[stem]
    if word.endswith(("os", "as")):
        return _ORDINALS.get(word[:-2] + "o")
    return None


def _branches(words: list[str]) -> str:
    return "|".join(sorted(set(words), key=len, reverse=True))


_ORDINAL_FORMS = [
    form for word in _ORDINALS for form in (word, word[:-1] + "a" if word.endswith("o") else word)
]
ORDINAL_WORD = f"(?:{_branches(_ORDINAL_FORMS)})"
CARDINAL_WORD = f"(?:{_branches(list(_UNITS))})"
NUMBER_WORDS = (
    rf"(?:{ORDINAL_WORD}(?:\s{{1,3}}{ORDINAL_WORD})?|{CARDINAL_WORD}"
    rf"(?:\s{{1,3}}(?:y\s{{1,3}})?{CARDINAL_WORD}){{0,5}})(?![a-z])"
)
ENGLISH_WORD = f"(?:{_branches(list(_ENGLISH))})"
_THOUSAND = 1000
_SPLIT = re.compile(r"[\s\-]+")


def number(words: str) -> int | None:
    """Return the number that Spanish (cardinal or ordinal) or English ordinal `words` say, or `None`.

    "treinta y dos" is 32, "undécima" (folded) 11, "décimo tercero" 13, "único" 1.
    """
    total = 0
    for word in _SPLIT.split(words.strip().lower()):
        if word in ("y", ""):
            continue
        value = _UNITS.get(word) or _ordinal(word) or _ENGLISH.get(word)
        if value is None:
            return None
        total = max(total, 1) * value if value == _THOUSAND else total + value
    return total or None
