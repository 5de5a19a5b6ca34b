"""Read headings of a statute: which articles or dispositions one opens, and what it calls them.

`##### Artículo 4. Determinación del plazo de pago.` opens article `4`, `Arts. 48 a 50.` three of them,
`Disposición adicional primera. Objeto.` opens `da1`. Numbers have the normal form of a citation's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.citations.grammars.articles import read_articles, read_disposition
from app.citations.numerals import number
from app.text.normalize import LAW

# A wrapper ("Artículo único") opens a code; it is none of the code's articles.
SOLE = "único"

_ARTICLE = re.compile(r"[\W_]*(?:art(?:iculo|icle)?s?)\b\.?\s*", re.IGNORECASE)
_DISPOSITION = re.compile(r"[\W_]*disposici(?:o)nn?(?:es)?\s+(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_KIND = re.compile(r"(adicional|transitoria|final|derogatoria)(?:es|s)?\b", re.IGNORECASE)
_SOLE = re.compile(r"unic[oa]s?\b\W*", re.IGNORECASE)
_LETTERED = re.compile(r"(?P<base>(?:bis|ter|quater)) (?P<letter>[a-z])\)?(?=\W|$)", re.IGNORECASE)
_RANGE = re.compile(r"(?P<first>\d{1,4})\.?\s{1,3}(?:a|al|y|-)\s{1,3}(?P<last>\d{1,4})\b\W*", re.IGNORECASE)
_ANNEX = re.compile(r"[\W_]*anexo\b\.?\s*(?P<number>[IVXLC]{1,7}|\d{1,3}|[A-Z])?(?P<rest>\b.*)?$", re.DOTALL)
_ORDINAL = re.compile(r"(?P<word>[A-Za-z]{5,20}(?:\s[a-z]{5,12})?)\.")
_UNDER = re.compile(r"disposicion(?:es)?\s+(?P<kind>adicional|transitoria|final|derogatoria)", re.IGNORECASE)
_BEFORE_RUBRIC = " .:;,-–—*_»'ºª)"
_LONGEST_RUN = 2_000

_EMPTY = re.compile(
    r"\(?\W*\(?(?:bis\.\s)?(?:(?:derogad|suprimid|sin contenido|anulad|sin efecto|eliminad|revogad|vetad|"
    r"abrogat|soppress)"
    r"[oaie]?s?|(?:se )?derogan?|weggefallen|aufgehoben|abroge|repealed|omitted)\)?\W*",
    re.IGNORECASE,
)
# Numbers as the collections of other countries write them.
_ARTICLE_WORD = re.compile(
    r"^(?:art(?:[ií]culo|icle|ikel|igo|icolo)?\.?|section|s\.|§)\s*(?=[\dLRDA])", re.IGNORECASE
)
_CODE_NUMBER = re.compile(r"(?P<book>[LRDA])\.?\s?\*?(?P<number>\d{1,4}(?:-\d{1,3}){0,4}(?:\s[A-Z])?)")
_CHAINED = re.compile(r"\d{1,4}(?:-\d{1,3}){1,4}|\d-\d{3,4}")
_SMALL_LETTER = re.compile(r"\d{1,4}(?:[a-np-z]|[A-Z]{2})")
_CAPITAL = re.compile(r"(?P<number>\d{1,4})[\s-]?(?P<letter>[A-Z])")
_RECITAL = re.compile(
    r"(?:recital|considerando|considerant|erwagungsgrund)\s(?P<number>\d{1,3})", re.IGNORECASE
)
_ANNEX_WORD = re.compile(r"^(?:annex|annexe|anhang|allegato|anexo)\s(?=[IVXL\d])", re.IGNORECASE)
_EMPTY_IN_HEADING = re.compile(r"\((?:derogad|suprimid|sin contenido|anulad)[oa]?s?\)", re.IGNORECASE)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class StatuteHeading:
    """The provisions that one heading opens, and its rubric ("Determinación del plazo de pago"), if any."""

    numbers: tuple[str, ...]
    rubric: str | None


def _rubric(heading: str, start: int) -> str | None:
    rest = heading[start:].replace("*", "").lstrip(_BEFORE_RUBRIC).rstrip(" .:;,_")
    for opened, closed in ("«»", "“”", "()"):
        if rest.endswith(closed) and rest.count(opened) < rest.count(closed):
            rest = rest[:-1].rstrip(" .")
    if rest.endswith('"') and rest.count('"') % 2:
        rest = rest[:-1].rstrip(" .")
    return rest or None


def _article(heading: str, folded: str) -> StatuteHeading | None:
    head = _ARTICLE.match(folded)
    if not head:
        return None
    at = head.end()
    sole = _SOLE.match(folded, at)
    if sole:
        return StatuteHeading((SOLE,), _rubric(heading, sole.end()))
    run = _RANGE.match(folded, at)
    if run and 0 < int(run["last"]) - int(run["first"]) < _LONGEST_RUN:
        numbers = range(int(run["first"]), int(run["last"]) + 1)
        return StatuteHeading(tuple(str(value) for value in numbers), _rubric(heading, run.end()))
    found = read_articles(folded, at, plural=False)
    if not found:
        return None
    name = found.articles[0].number.split("-")[0]
    # What `read_articles` took for a pinpoint is, in a heading, the beginning of the rubric.
    end = found.ends[0]
    lettered = _LETTERED.search(folded[at : at + len(name) + 6])
    if lettered and name.endswith(lettered["base"].lower()):
        name, end = f"{name} {lettered['letter'].lower()}", at + lettered.end()
    elif found.articles[0].pinpoint:
        bare = re.match(r"[\d.]*\d(?:\s?[ºª])?(?:[\s-](?:bis|ter|quater))?", folded[at:])
        end = at + bare.end() if bare else end
    return StatuteHeading((name,), _rubric(heading, end))


def _disposition(heading: str, folded: str) -> StatuteHeading | None:
    match = _DISPOSITION.match(folded)
    if not match:
        return None
    read = read_disposition(match["rest"], 0)
    at = match.start("rest")
    if read:
        article, end = read
        if article.pinpoint:
            dot = folded.find(".", at)
            end = dot - at if dot >= 0 else end
        return StatuteHeading((article.number,), _rubric(heading, at + end))
    kind = _KIND.match(match["rest"])
    if not kind:
        return None
    sole = _SOLE.match(match["rest"], kind.end() + 1)
    return StatuteHeading((f"d{kind[1][0].lower()}1",), _rubric(heading, at + (sole or kind).end()))


def _roman(word: str) -> int:
    values = [_ROMAN[letter] for letter in word]
    return sum(-v if v < max(values[i:], default=v) else v for i, v in enumerate(values))


def provisions_opened(heading: str, above: str = "") -> StatuteHeading | None:
    """Return what the line `heading` opens; `None` where it opens no provision (a chapter, a preamble).

    `above` is the heading over it: "Primera." under "Disposiciones transitorias" is `dt1`. Annexes come
    out as `anexo 1` (or `anexo`), the sole article of an enacting law as `único`.
    """
    heading = heading.replace("\u00a0", " ").strip().lstrip("«*\"'")
    folded = LAW.fold(heading)
    found = _disposition(heading, folded) or _article(heading, folded)
    if found:
        return found
    annex = _ANNEX.match("anexo" + folded[5:]) if folded[:5].lower() == "anexo" else None
    if annex:
        mark = annex["number"]
        if not mark:
            return StatuteHeading(("anexo",), _rubric(heading, 5))
        value = str(_roman(mark)) if set(mark) <= set(_ROMAN) else mark.lower()
        return StatuteHeading((f"anexo {value}",), _rubric(heading, annex.end("number")))
    ordinal = _ORDINAL.match(folded)
    under = _UNDER.search(LAW.fold(above))
    if ordinal and under:
        value = number(ordinal["word"].lower())
        if value:
            return StatuteHeading((f"d{under['kind'][0].lower()}{value}",), _rubric(heading, ordinal.end()))
    return None


def article_number(written: str) -> str | None:
    """Return the normal form of a provision's number, as collections of every country write it.

    "611a", "L. 1235-3", "16-1-1", "145 A", "15-A", "9 bis", "Artículo 5", "disposición final 1.ª", "recital
    47" and "annex III" are "611a", "L1235-3", "16-1-1", "145A", "15A", "9 bis", "5", "df1", "recital 47" and
    "anexo 3". `None` where nothing of it is a number.
    """
    written = " ".join(written.split())
    bare = _ARTICLE_WORD.sub("", written)
    code = _CODE_NUMBER.fullmatch(bare)
    if code:
        return f"{code['book']}{code['number']}"
    if _CHAINED.fullmatch(bare) or _SMALL_LETTER.fullmatch(bare):
        return bare
    capital = _CAPITAL.fullmatch(bare)
    if capital:
        return capital["number"] + capital["letter"]
    recital = _RECITAL.fullmatch(LAW.fold(written))
    if recital:
        return f"recital {recital['number']}"
    annex = _ANNEX_WORD.sub("anexo ", written, count=1)
    found = provisions_opened(annex if annex[:1].isalpha() else f"Artículo {annex}")
    return found.numbers[0] if found else None


def without_content(text: str) -> bool:
    """Tell whether an article's text says only that there is none: "(Derogado)", "(weggefallen)"."""
    return len(text) < 60 and bool(_EMPTY.fullmatch(LAW.fold(text.strip().strip("*").strip())))


def heading_without_content(heading: str) -> bool:
    """Tell whether a heading says that its article was repealed: "Artículo 5. (Suprimido)"."""
    return bool(_EMPTY_IN_HEADING.search(LAW.fold(heading)))
