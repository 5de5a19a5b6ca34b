"""Name articles and their parts for notes, in Spanish and English. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from app.citations import LAST, LAST_BUT_ONE, SOLE_DIVISION, Division, as_roman, range_ends, roman
from app.corpus.articles.parts import Part
from app.corpus.articles.structure import PartLookup
from app.corpus.notes.verdict_notes import label
from app.text.bilingual import Bilingual

# (singular, plural, feminine) in Spanish, then in English.
_NAMES = {
    "paragraph": (("apartado", "apartados", False), ("paragraph", "paragraphs")),
    "block": (("párrafo", "párrafos", False), ("unnumbered paragraph", "unnumbered paragraphs")),
    "letter": (("letra", "letras", True), ("letter", "letters")),
    "fraction": (("fracción", "fracciones", True), ("numeral", "numerals")),
    "sentence": (("frase", "frases", True), ("sentence", "sentences")),
    "clause": (("inciso", "incisos", False), ("clause", "clauses")),
    "added": (("parágrafo", "parágrafos", False), ("parágrafo", "parágrafos")),
}
_FAMILIES = {
    "number": "paragraph",
    "ordinal": "paragraph",
    "letter": "letter",
    "roman": "fraction",
    "added": "added",
}
_PLACES = {
    LAST: ("último", "última", "last"),
    LAST_BUT_ONE: ("penúltimo", "penúltima", "last but one"),
    SOLE_DIVISION: ("único", "única", "sole"),
}
_MOST = 8


def of(part: str, whole: str) -> str:
    """Join a part and its whole, as in "el apartado 2 del artículo 36"."""
    return f"{part} del {whole.removeprefix('el ')}" if whole.startswith("el ") else f"{part} de {whole}"


def joined(places: Sequence[Bilingual]) -> Bilingual:
    """Join several places: "el artículo 3 y el artículo 4"."""
    return Bilingual(_listed([one.es for one in places], "y"), _listed([one.en for one in places], "and"))


def articles(cited: Sequence[str], numbers: Sequence[str]) -> Bilingual:
    """Name the articles of a citation; of a range only its two ends were checked."""
    plain = [number for number in numbers if number[:1].isdigit()]
    if len(numbers) == len(cited) == len(plain) > 1:
        return Bilingual(f"los artículos {_listed(plain, 'y')}", f"articles {_listed(plain, 'and')}")
    if len(numbers) == len(cited):
        return joined([label(number) for number in numbers])
    es: list[str] = []
    en: list[str] = []
    for one in cited:
        ends = range_ends(one)
        if len(ends) == 2:
            first, last = ends
            es.append(f"los artículos {first} y {last}, extremos del intervalo citado")
            en.append(f"articles {first} and {last}, the ends of the range cited")
        else:
            es.append(label(one).es)
            en.append(label(one).en)
    return Bilingual(_listed(es, "y"), _listed(en, "and"))


def place(number: str, named: Sequence[Division]) -> Bilingual:
    """Name a place in an article: "la letra b) del apartado 2 del artículo 36"."""
    found = label(number)
    for depth, division in enumerate(named):
        parts = [part(division, value, depth) for value in division.values]
        several = Bilingual(
            _listed([one.es for one in parts], "y"), _listed([one.en for one in parts], "and")
        )
        found = Bilingual(of(several.es, found.es), f"{several.en} of {found.en}")
    return found


def part(division: Division, value: str, depth: int = 0) -> Bilingual:
    """Name one subdivision: "el apartado 2", "la letra b)", "el último párrafo"; `depth` is its level."""
    kind: str = division.kind
    if kind == "any" and value[:1].isdigit() and depth:
        return Bilingual(f"el número {value}", f"item {value}")
    if kind == "any":
        kind = (
            "paragraph"
            if value[:1].isdigit()
            else "fraction"
            if len(value) > 1 and roman(value)
            else "letter"
        )
    if kind == "paragraph" and value.isalpha() and value not in _PLACES:
        kind = "fraction" if len(value) > 1 and roman(value) else "paragraph"
    (name, _, feminine), (english, _) = _NAMES[kind]
    article = "la" if feminine else "el"
    if value in _PLACES:
        masculine, female, word = _PLACES[value]
        return Bilingual(f"{article} {female if feminine else masculine} {name}", f"{word} {english}")
    shown = _shown(kind, value)
    if kind in ("block", "sentence") and value.isdigit():
        return Bilingual(f"{article} {name} {value}.{'ª' if feminine else 'º'}", f"{english} {value}")
    return Bilingual(
        f"{article} {name} {shown}",
        f"{english} {shown.removesuffix(')')}" if kind != "letter" else f"{english} ({value})",
    )


def content(found: PartLookup) -> Bilingual:
    """Say what the article has where something is missing, as in "Tiene los apartados 1 a 6"."""
    among = [one for one in found.among if not (found.answer == "abolished" and one.value == found.value)]
    if among:
        es, en = [], []
        for family, members in groupby(among, key=lambda one: _FAMILIES[one.family]):
            parts = list(members)
            (name, plural, feminine), (english, english_plural) = _NAMES[family]
            shown = _span(family, parts)
            several = len(parts) > 1
            article = ("las" if feminine else "los") if several else ("la" if feminine else "el")
            es.append(f"{article} {plural if several else name} {shown[0]}")
            en.append(f"{english_plural if several else english} {shown[1]}")
        return Bilingual(f" Tiene {_listed(es[:_MOST], 'y')}.", f" It has {_listed(en[:_MOST], 'and')}.")
    if found.answer == "missing" and found.blocks:
        if found.blocks == 1:
            return Bilingual(
                " Consta de un solo párrafo, sin divisiones.", " It is one paragraph without divisions."
            )
        return Bilingual(
            f" Consta de {found.blocks} párrafos como máximo.", f" It has {found.blocks} paragraphs at most."
        )
    return Bilingual("", "")


def _span(family: str, parts: Sequence[Part]) -> tuple[str, str]:
    first, last = _shown(family, parts[0].value), _shown(family, parts[-1].value)
    if len(parts) == 1:
        return first, first
    if len(parts) == 2:
        return f"{first} y {last}", f"{first} and {last}"
    orders = [one.order for one in parts]
    if orders == list(range(orders[0], orders[0] + len(orders))):
        return f"{first} a {last}", f"{first} to {last}"
    shown = [_shown(family, one.value) for one in parts]
    if len(shown) > _MOST * 2:
        return f"{first} a {last}, con saltos", f"{first} to {last}, with gaps"
    return _listed(shown, "y"), _listed(shown, "and")


def _shown(kind: str, value: str) -> str:
    if kind == "letter":
        return f"{value})"
    if kind == "fraction":
        return as_roman(int(value)).upper() if value.isdigit() else value.upper()
    if kind == "added" and value == SOLE_DIVISION:
        return "único"
    return value.upper() if roman(value) and len(value) > 1 else value


def _listed(items: Sequence[str], last: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
