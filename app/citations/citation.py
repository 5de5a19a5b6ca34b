"""Define a citation: its place in the text, its normal form, and what grammars hand over."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Kind = Literal["L4-N", "L2-J"]

# `paragraph` is numbered, `block` is counted by its place ("párrafo segundo"), `added` is the parágrafo of
# Colombia and Brazil, `clause` a part of a sentence; `any` leaves open what the sign counts ("36.2", "(b)").
DivisionKind = Literal["paragraph", "block", "letter", "fraction", "sentence", "clause", "added", "any"]

NO_IDS: Mapping[str, str] = MappingProxyType({})


_BOOKS = re.compile(r"([LRDA]\d[\d-]*)-([LRDA]\d[\d-]*)")
_SUFFIXED = re.compile(r"(\d+(?: [a-z]{3,})?(?: [a-z])?)-(\d+(?: [a-z]{3,})?(?: [a-z])?)")
_LETTERED = re.compile(r"(?=.*[a-z])((\d+)[a-z]?)-((\d+)[a-z]?)")


_LETTERED_SECTIONS = re.compile(r"((\d{3,5})([a-z]))-(\d{3,5})([a-z])")


def range_ends(article: str) -> tuple[str, ...]:
    """Return a range as its two ends ("82-91"), anything else as itself.

    "1231-5" and "L221-5" are one article, "1217-1231-7" goes from 1217 to 1231-7, "L1152-1-L1152-3" from
    L1152-1 to L1152-3.
    """
    books = _BOOKS.fullmatch(article)
    if books:
        return (books[1], books[2])
    lettered = _LETTERED.fullmatch(article)
    if lettered and int(lettered[2]) < int(lettered[4]):
        return (lettered[1], lettered[3])  # "305c-307"
    suffixed = _SUFFIXED.fullmatch(article) if " " in article else None
    if suffixed:
        return (suffixed[1], suffixed[2])  # "236-241 bis", "588 bis a-588 bis k"
    sections = _LETTERED_SECTIONS.fullmatch(article)
    if sections and sections[2] == sections[4] and sections[3] < sections[5]:
        return (sections[1], f"{sections[4]}{sections[5]}")  # "1681n-1681o"
    first, dash, last = article.partition("-")
    leading = last.partition("-")[0]
    ranged = dash and first.isdigit() and leading.isdigit() and int(first) < int(leading)
    return (first, last) if ranged else (article,)


@dataclass(frozen=True, slots=True)
class Division:
    """A subdivision of an article that a citation names; `values` are several of one level ("1 a 3").

    A value reads `2`, `2 bis`, `1a`, `b`, `iv`; `last`, `last-1` and `sole` are those words.
    """

    kind: DivisionKind
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation of a statute (`L4-N`) or a judgment (`L2-J`); offsets count characters of the input.

    `canonical` holds one normal form per thing cited (a list of articles has several) and is empty where
    the form is malformed or names no known norm. `norm` is the norm without its article. `articles` keeps
    a range as one item (`"82-91"`); dispositions read `da3`, `dt11`, `df1`, `dd1`, amendments `am14`. `ids`
    carries what can be read off the text: `ecli`, `boe`, `celex`, `eli`, `roj`, `rec`, `rg`, `registro`,
    `decision` (the number beside an ECLI), `date` (ISO, or `--MM-DD` where the text leaves the year to the
    number), `volume`, `reporter`, `page` and `year` of an American decision; and how it was read: `elided`
    (the law or decision is the antecedent), `or` (the law that may be meant as well), `regions` (the
    communities that the text names, where a number may be of one of them), `region` (the one in the title
    behind the number), `context_date` (the date stands
    elsewhere in the text), `former` (the article is cited in a wording that was), `named_as` (another law
    whose name or number stands beside it), `journal` (a place in the Official Journal), `candidates` (norms
    that share the abbreviation), `order` (number and year reversed), `version` (of a consolidated text),
    `unnumbered`. `divisions` names for each article its subdivisions, outermost first, as they stand in the
    citation or beside it; it is empty where none are named.
    """

    text: str
    start: int
    end: int
    kind: Kind
    jurisdiction: str
    canonical: tuple[str, ...] = ()
    norm: str | None = None
    articles: tuple[str, ...] = ()
    pinpoint: str | None = None
    ids: Mapping[str, str] = field(default_factory=lambda: NO_IDS)
    divisions: tuple[tuple[Division, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A norm named in the text, with or without an article: what an elided "artículo 5" falls back on.

    `cites` says whether the mention is a citation by itself ("Ley 39/2015") or only a name ("la LEC").
    """

    start: int
    end: int
    jurisdiction: str
    norms: tuple[str, ...]
    ids: Mapping[str, str] = field(default_factory=lambda: NO_IDS)
    cites: bool = False
    antecedent: bool = True
    known: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """A citation before its text is cut from the input; `priority` settles overlaps, higher first."""

    start: int
    end: int
    kind: Kind
    jurisdiction: str
    canonical: tuple[str, ...] = ()
    norm: str | None = None
    articles: tuple[str, ...] = ()
    pinpoint: str | None = None
    ids: Mapping[str, str] = field(default_factory=lambda: NO_IDS)
    priority: int = 0
