"""The value every grammar produces: one citation, with its place in the text and its normal form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Kind = Literal["L4-N", "L2-J"]

NO_IDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation of a statute (`L4-N`) or a judgment (`L2-J`); offsets count characters of the input.

    `canonical` holds one normal form per thing cited (a list of articles has several) and is empty where
    the form is malformed or names no known norm. `norm` is the norm without its article. `articles` keeps
    a range as one item (`"82-91"`); dispositions read `da3`, `dt11`, `df1`, `dd1`, amendments `am14`. `ids`
    carries what can be read off the text: `ecli`, `boe`, `celex`, `eli`, `roj`, `rec`, `rg`, `registro`,
    `decision` (the number beside an ECLI), `date` (ISO, or `--MM-DD` where the text leaves the year to the
    number), `volume`, `reporter`, `page` and `year` of an American decision; and how it was read: `elided`
    (the law or decision is the antecedent), `context_date` (the date stands elsewhere in the text),
    `candidates` (norms that share the abbreviation), `order` (number and year reversed), `version` (of a
    consolidated text), `unnumbered`.
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
