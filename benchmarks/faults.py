"""Plant faults in statements that look supported: their quotations and authorities stay real.

A fault takes a statement as a model writes it (`text`, `quotes`, `citations`, …) and returns it wrong, or
`None` where the statement offers no place for it. Who checks that quotations stand in the document and that
authorities exist finds none of them; who reads what they say does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

Raw = Mapping[str, Any]
Plant = Callable[[Raw, random.Random], dict[str, Any] | None]

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_ARTICLE: Final = re.compile(r"(?<=art\. )\d+|(?<=artículo )\d+")
_UNITS: Final = {
    "días": "meses", "meses": "días", "años": "meses", "día": "mes", "mes": "año", "año": "mes",
    "days": "months", "months": "days", "years": "months", "mensual": "anual", "mensuales": "anuales",
    "monthly": "yearly", "hábiles": "naturales", "naturales": "hábiles",
}  # fmt: skip
_PARTIES: Final = (
    ("arrendador", "arrendatario"), ("arrendadora", "arrendataria"), ("comprador", "vendedor"),
    ("compradora", "vendedora"), ("trabajador", "empresario"), ("trabajadora", "empresa"),
    ("prestamista", "prestatario"), ("acreedor", "deudor"), ("demandante", "demandado"),
    ("landlord", "tenant"), ("buyer", "seller"), ("employer", "employee"), ("lender", "borrower"),
    ("consumidor", "empresario"), ("cliente", "proveedor"), ("propietario", "inquilino"),
)  # fmt: skip
_MODALS: Final = (
    ("debe", "puede"), ("deben", "pueden"), ("podrá", "deberá"), ("puede", "debe"), ("deberá", "podrá"),
    ("tiene que", "puede"), ("must", "may"), ("may", "must"), ("shall", "may"), ("exige", "permite"),
    ("obliga", "faculta"), ("prohíbe", "permite"), ("permite", "prohíbe"),
)  # fmt: skip
_OPPOSITES: Final = (
    ("nula", "válida"), ("nulo", "válido"), ("válida", "nula"), ("abusiva", "lícita"), ("mínimo", "máximo"),
    ("máximo", "mínimo"), ("máxima", "mínima"), ("mínima", "máxima"), ("antes", "después"),
    ("superior", "inferior"), ("inferior", "superior"), ("más", "menos"), ("void", "valid"),
    ("at least", "at most"), ("before", "after"), ("exceeds", "stays below"), ("supera", "no alcanza"),
    ("inicio", "fin"), ("falta", "consta"),
)  # fmt: skip
_VERBS: Final = re.compile(
    r"\b(?:es|son|está|están|puede|debe|tiene|tienen|consta|constan|figura|fija|prevé|establece|pacta|obliga|"
    r"permite|is|are|can|must|has|have|states|sets|provides)\b"
)


def wrong_figure(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """Another figure in the text; the quotation keeps the right one."""
    places = list(_NUMBER.finditer(raw["text"]))
    if not places or not raw["quotes"]:
        return None
    place = chance.choice(places)
    digit = chance.choice([one for one in "123456789" if one != place[0][0]])
    return _text(raw, raw["text"][: place.start()] + digit + place[0][1:] + raw["text"][place.end() :])


def wrong_unit(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """Days for months, calendar days for working days."""
    return _swapped(raw, chance, tuple(_UNITS.items()))


def wrong_modality(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """A duty for a faculty, or the reverse."""
    return _swapped(raw, chance, _MODALS)


def wrong_party(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """The other party of the relation."""
    return _swapped(raw, chance, (*_PARTIES, *((second, first) for first, second in _PARTIES)))


def opposite(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """A word for its opposite: void for valid, maximum for minimum."""
    return _swapped(raw, chance, _OPPOSITES)


def denied(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """A negation that the quotation does not have."""
    found = _VERBS.search(raw["text"])
    if not found or not (raw["quotes"] or raw["citations"]):
        return None
    word = "not" if re.fullmatch(r"is|are|can|must|has|have|states|sets|provides", found[0]) else "no"
    at = found.end() if word == "not" else found.start()
    text = raw["text"]
    return _text(raw, f"{text[:at].rstrip()} {word} {text[at:].lstrip()}")


def wrong_article(raw: Raw, chance: random.Random) -> dict[str, Any] | None:
    """Another article of the same law: it exists, and says something else."""
    places = [place for place, one in enumerate(raw["citations"]) if _ARTICLE.search(one)]
    if not places:
        return None
    place = chance.choice(places)
    found = _ARTICLE.search(raw["citations"][place])
    assert found is not None
    number = str(max(1, int(found[0]) + chance.choice((-3, -2, -1, 1, 2, 3))))
    if number == found[0]:
        return None
    citations = list(raw["citations"])
    citations[place] = citations[place][: found.start()] + number + citations[place][found.end() :]
    return {**raw, "citations": citations}


KINDS: Final[Mapping[str, Plant]] = {
    "wrong figure": wrong_figure,
    "wrong unit": wrong_unit,
    "wrong modality": wrong_modality,
    "wrong party": wrong_party,
    "opposite": opposite,
    "denied": denied,
    "neighbouring article": wrong_article,
}


def _swapped(raw: Raw, chance: random.Random, pairs: tuple[tuple[str, str], ...]) -> dict[str, Any] | None:
    text = raw["text"]
    found = [
        (match, new)
        for old, new in pairs
        for match in re.finditer(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", text)
    ]
    if not found or not (raw["quotes"] or raw["citations"]):
        return None
    match, new = chance.choice(found)
    new = new.capitalize() if match[0][0].isupper() else new
    return _text(raw, text[: match.start()] + new + text[match.end() :])


def _text(raw: Raw, text: str) -> dict[str, Any] | None:
    return {**raw, "text": text} if text != raw["text"] else None
