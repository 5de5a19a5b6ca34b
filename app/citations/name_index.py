"""Find norms by abbreviation or name, per jurisdiction, from `data/names/*.toml`.

The files are for lawyers to extend. Each norm has its normal form as key, `short` forms (abbreviations,
matched with their case, plain and dotted: LEC, L.E.C.), `names` (any case) and `english` names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import re2
from pydantic import Field

from app.citations import dates, prefilter
from app.citations.citation import NO_IDS, Mention
from app.platform.data_files import Entry, Words, read_file
from app.text import linear
from app.text.normalize import CITATIONS

_FOLDER = Path(__file__).parent / "data" / "names"
_COUNTRY = {
    "espanol": "ES", "espanola": "ES", "spanish": "ES", "colombiano": "CO", "colombiana": "CO",
    "colombian": "CO", "chileno": "CL", "chilena": "CL", "chilean": "CL", "mexicano": "MX", "mexicana": "MX",
    "mexican": "MX", "argentino": "AR", "argentina": "AR", "argentine": "AR", "peruano": "PE",
    "peruana": "PE", "peruvian": "PE", "portugues": "PT", "portuguesa": "PT", "portuguese": "PT",
    "frances": "FR", "francesa": "FR", "french": "FR", "italiano": "IT", "italiana": "IT", "italian": "IT",
    "aleman": "DE", "alemana": "DE", "german": "DE", "brasileno": "BR", "brasilena": "BR", "brazilian": "BR",
    "de espana": "ES", "of spain": "ES", "de colombia": "CO", "of colombia": "CO", "de chile": "CL",
    "of chile": "CL", "de mexico": "MX", "of mexico": "MX", "de argentina": "AR", "of argentina": "AR",
    "de la argentina": "AR", "de la republica argentina": "AR", "de peru": "PE", "del peru": "PE",
    "of peru": "PE", "de portugal": "PT", "of portugal": "PT", "de francia": "FR", "of france": "FR",
    "francais": "FR", "francaise": "FR", "francese": "FR", "franzosische": "FR", "franzosischen": "FR",
    "italien": "IT", "italienne": "IT", "italienische": "IT", "italienischen": "IT", "allemand": "DE",
    "allemande": "DE", "tedesco": "DE", "tedesca": "DE", "alemao": "DE", "alema": "DE", "deutsche": "DE",
    "deutschen": "DE", "espagnol": "ES", "espagnole": "ES", "spagnolo": "ES", "spagnola": "ES",
    "espanhol": "ES", "espanhola": "ES", "spanische": "ES", "spanischen": "ES", "portugais": "PT",
    "portugaise": "PT", "portoghese": "PT", "portugiesische": "PT", "portugiesischen": "PT",
    "brasileiro": "BR", "brasileira": "BR",
    "de italia": "IT", "of italy": "IT", "de alemania": "DE", "of germany": "DE",
}  # fmt: skip
_ABROAD = {
    "codigo civil": {"FR": "FR:Cciv", "DE": "DE:BGB", "AR": "AR:CCyC"},
    "civil code": {"FR": "FR:Cciv", "DE": "DE:BGB", "AR": "AR:CCyC"},
}
# Codes that bear the word of their language: named so, they are of that country in a document of any other
# that does not share the language. What they are called without that word ("C. com.") is no such name.
_OWN_WORD = {"FR": "code ", "IT": "codice "}
_FRENCH = "BE LU CH MC CA SN CI ML BF BJ TG NE TD CM GA CG CD CF GN MG KM DJ BI RW HT MA DZ TN MR VU"
_SHARES_LANGUAGE = {"FR": frozenset(_FRENCH.split()), "IT": frozenset(("CH", "SM", "VA"))}
# A French article by its book names a French code behind it, however short: "art. L. 212-1 C. conso.".
_BY_BOOK = re.compile(
    r"\b[LRD]\.?\s?\*?\s?\d{1,4}-\d{1,3}(?:-\d{1,3}){0,2},?\s{1,2}(?:du\s|de\s(?:la\s|l'))?$"
)
_ADJECTIVE = re.compile(r"\s{1,3}(" + "|".join(_COUNTRY) + r")\b", re.IGNORECASE)
# As `_ADJECTIVE`, for a whole text: to try so many words at each blank takes longer than all else here. What
# stands behind is asked for by what RE2 knows of letters, since its own edge of a word is one of ASCII.
_ADJECTIVE_AHEAD = linear.compile(r"(?i)\s{1,3}(" + "|".join(_COUNTRY) + r")(?:$|[^\pL\pN_])")
_ADJECTIVE_BEFORE = re.compile(r"\b(" + "|".join(_COUNTRY) + r")\s{1,3}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NormName:
    """One norm: normal form, what it is called, and the identifiers that go with the name."""

    norm: str
    jurisdiction: str
    short: tuple[str, ...]
    names: tuple[str, ...]
    nicknames: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class _NormEntry(Entry):
    """A norm as the files of names state it."""

    short: Words = ()
    names: Words = ()
    nicknames: Words = ()
    english: Words = ()
    boe: str | None = Field(default=None, pattern=r"^BOE-A-\d{4}-\d{1,6}$")
    eli: str | None = None
    celex: str | None = None


class _File(Entry):
    norms: dict[str, _NormEntry]


def _entry(norm: str, raw: _NormEntry) -> NormName:
    """Return a norm's names from its entry in a file."""
    ids = {"boe": raw.boe, "eli": raw.eli, "celex": raw.celex}
    return NormName(
        norm=norm,
        jurisdiction=norm.split(":", 1)[0],
        short=raw.short,
        names=(*raw.names, *raw.english, *raw.nicknames),
        nicknames=raw.nicknames,
        ids=MappingProxyType({key: value for key, value in ids.items() if value is not None}),
    )


@cache
def norm_names() -> tuple[NormName, ...]:
    """Return every named norm of every jurisdiction, in file order."""
    entries: list[NormName] = []
    for path in sorted(_FOLDER.glob("*.toml")):
        entries += [_entry(norm, raw) for norm, raw in read_file(path, _File).norms.items()]
    return tuple(entries)


@cache
def by_norm() -> Mapping[str, NormName]:
    """Return named norms by normal form."""
    return MappingProxyType({entry.norm: entry for entry in norm_names()})


@cache
def by_identifier() -> Mapping[str, NormName]:
    """Return named norms by BOE identifier and by ELI address."""
    return MappingProxyType({value: entry for entry in norm_names() for value in entry.ids.values()})


def _spellings(short: str) -> Iterator[str]:
    """Yield the ways in which an abbreviation is written.

    They are plain, upper case, dotted (`L.E.C.`), dotted and spaced (`L. E. C.`).
    """
    yield short
    if short.endswith((".", ")")):
        return
    letters = short.replace(".", "").replace(" ", "")
    if "." in short:
        yield short + "."
        yield letters if letters.isupper() else short + "."
    elif len(letters) <= 5 and letters.isalpha() and letters.isupper():
        if len(letters) >= 3:
            yield letters.capitalize()
        yield ".".join(letters) + "."
        yield ".".join(letters)
        yield ". ".join(letters) + "."
    if letters.isalpha() and len(letters) >= 3:
        yield letters.upper()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names one jurisdiction's documents use: abbreviation or folded lower-case name to candidates.

    `small` are abbreviations as hurried writers leave them ("lprl"), `nicknames` names that cite as a number
    would ("Ley Zerolo").
    """

    short: Mapping[str, tuple[NormName, ...]]
    names: Mapping[str, tuple[NormName, ...]]
    small: Mapping[str, tuple[NormName, ...]]
    nicknames: frozenset[str]
    name_pattern: Any
    short_pattern: Any
    tails: Mapping[str, str]


def _add(table: dict[str, list[NormName]], key: str, entry: NormName) -> None:
    known = table.setdefault(key, [])
    if all(other.norm != entry.norm for other in known):
        known.append(entry)


@cache
def vocabulary(jurisdiction: str) -> Vocabulary:
    """Return names valid in a document of `jurisdiction`: its own, then those of the Union and of treaties.

    Own names win over European ones of the same spelling; two own norms of one spelling stay both, which is
    how an ambiguous abbreviation is told.
    """
    short: dict[str, list[NormName]] = {}
    names: dict[str, list[NormName]] = {}
    own = [entry for entry in norm_names() if entry.jurisdiction.split("-")[0] == jurisdiction]
    union = [entry for entry in norm_names() if entry.jurisdiction in ("EU", "COE", "INT")]
    for entry in own:
        for form in entry.short:
            for spelling in _spellings(form):
                _add(short, CITATIONS.fold(spelling), entry)
        for name in entry.names:
            _add(names, CITATIONS.fold(name).lower(), entry)
    for entry in union:
        for form in entry.short:
            for spelling in _spellings(form):
                short.setdefault(CITATIONS.fold(spelling), [entry])
        for name in entry.names:
            names.setdefault(CITATIONS.fold(name).lower(), [entry])
    if jurisdiction in ("DE", "AT"):
        for name in list(names):
            for genitive in _genitives(name):
                names.setdefault(genitive, names[name])
    if jurisdiction in _SPANISH_SPEAKING:
        for name in list(names):
            for loose in _loosely(name):
                names.setdefault(loose, names[name])
    for norm in _NEIGHBOURS.get(jurisdiction, ()):
        entry = by_norm()[norm]
        for form in entry.short:
            short.setdefault(form, [entry])
    tails = {
        name[len("ley ") :]: entry.norm
        for name, entries in names.items()
        for entry in entries
        if name.startswith("ley ") and len(entries) == 1 and len(name) > 12
    }
    options = re2.Options()
    options.max_mem = 1 << 26
    branches_names = "|".join(
        re.escape(name).replace("\\ ", "[ \n]+") for name in sorted(names, key=len, reverse=True)
    )
    branches_short = "|".join(re.escape(form) for form in sorted(short, key=len, reverse=True))
    return Vocabulary(
        short=MappingProxyType({form: tuple(entries) for form, entries in short.items()}),
        names=MappingProxyType({name: tuple(entries) for name, entries in names.items()}),
        small=MappingProxyType(
            {
                form.lower(): tuple(entries)
                for form, entries in short.items()
                if form.isalpha() and form[-1].isupper() and form.lower() not in _ORDINARY
            }
        ),
        nicknames=frozenset(
            CITATIONS.fold(name).lower()
            for entry in (*own, *(one for one in union if one.jurisdiction in ("INT", "EU")))
            for name in entry.nicknames
        ),
        name_pattern=linear.compile(rf"(?:^|[^a-z0-9])({branches_names or 'a^'})", options),
        short_pattern=linear.compile(rf"(?:^|[^A-Za-z0-9.])({branches_short or 'a^'})", options),
        tails=MappingProxyType(tails),
    )


# Laws of a neighbour that papers in the same language cite by their letters.
_NEIGHBOURS = {"DE": ("CH:OR", "CH:ZGB"), "FR": ("CH:OR",)}
_GENITIVES = (("gesetzbuch", "gesetzbuches"), ("gesetzbuch", "gesetzbuchs"), ("gesetz", "gesetzes"))


def _genitives(name: str) -> Iterator[str]:
    """Yield a German name as it stands behind "des": "Gesetzes gegen den unlauteren Wettbewerb"."""
    for word, genitive in _GENITIVES:
        if re.search(rf"{word}\b", name):
            yield re.sub(rf"{word}\b", genitive, name, count=1)


_OF_ITS = re.compile(r"\b(?:del|de (?:la|las|los|el)) ")
_REGULATING = re.compile(r"\breguladora (?=de)")
_LOOSE_LEAST = 14


def _loosely(name: str) -> Iterator[str]:
    """Yield a Spanish title as it is written in haste: without "reguladora" or some of its articles."""
    if not name.startswith(("ley ", "codigo ", "estatuto ", "reglamento ", "texto refundido ")):
        return
    for base in dict.fromkeys((name, _REGULATING.sub("", name))):
        head, found, rest = base.partition(" de ") if " de " in base else ("", "", base)
        several = (
            base,
            _OF_ITS.sub("de ", base),
            _OF_ITS.sub("de ", base, count=1),
            head + found + _OF_ITS.sub("de ", rest),
        )
        yield from (one for one in dict.fromkeys(several) if one != name and len(one) >= _LOOSE_LEAST)


def _tidy(name: str) -> str:
    return re.sub(r"\s+", " ", name.lower())


def _abroad(name: str, country: str) -> tuple[str, ...]:
    """Return the normal form of a generically named code of another country ("Código Civil chileno")."""
    special = _ABROAD.get(name, {}).get(country)
    if special:
        return (special,)
    foreign = vocabulary(country).names.get(name)
    return tuple(entry.norm for entry in foreign) if foreign else ()


# Words that are no abbreviation in small letters, whatever they are in capitals.
_ORDINARY = frozenset(
    {
        "a", "al", "ao", "as", "co", "con", "da", "das", "de", "del", "der", "des", "di", "die", "do",
        "dos", "du", "e", "el", "en", "es", "etc", "il", "in", "is", "la", "las", "le", "les", "ley",
        "lo", "los", "mar", "na", "no", "o", "of", "on", "or", "os", "ou", "par", "pas", "per", "por", "que",
        "se", "si", "sin", "son", "sur", "te", "the", "to", "um", "un", "und", "y", "ya",
    }
)  # fmt: skip
# What stands behind an article: "art. 54.2.d et", "arts 63 y ss de la lrjs", "los días del 103.1 lrjs".
_ARTICLE_NUMBER = linear.compile(r"(?i:\barts?\.?)[ ]?\d")
_BEHIND_ARTICLE = re.compile(r"[^;:\n]{1,48}")
_BEHIND_NUMBER = linear.compile(
    r"(?:^|[ (,:])(?:del?|el|al|los|y|,)? ?\d{1,4}(?:\.\d{1,2}| bis| ter)?(?:\.[a-z]\)?|\.\d{1,2}º|º)? "
    r"[a-z]{3,8}|"
    # Of two letters only with a paragraph or a letter: "52.c et", "24.1 ce".
    r"(?:^|[ (,:])\d{2,4}(?:\.\d{1,2}(?:\.[a-z]\)?|\.?º)?|\.[a-z]\)?) [a-z]{2}(?:$|[^\w-])"
)
# Two letters that measure something as well.
MEASURES = frozenset(
    {"am", "cc", "cv", "gb", "ha", "hp", "kg", "km", "kw", "lb", "mb", "mg", "ml", "mm", "pm"}
)
_SMALL = re.compile(r"(?<= )[a-z]{2,8}(?![A-Za-z0-9'-])")
_CAPITALISED = re.compile(r"[A-Z][a-z]{2,4}")


def _abroad_code(letters: str, country: str) -> tuple[str, ...]:
    """Return the civil code of another country, where the letters are those of one ("c.c. italiano")."""
    if letters.lower().replace(".", "") != "cc":
        return ()
    return (f"{country}:CC",) if f"{country}:CC" in by_norm() else _abroad("codigo civil", country)


# "Art. 2050 c.c. italiano", whatever the country of the document calls its own civil code.
_CIVIL_CODE_OF = prefilter.compile(
    r"(?:^|[^a-z0-9])(c\.\s?c\.?|c\.\s?civ\.?|cod\.\s?civ\.?|cc)\s("
    + "|".join(_COUNTRY)
    + r")(?:$|[^a-z0-9])"
)


# A year right behind a name, with the day or without: "Ley Hipotecaria de 1909".
_OF_YEAR = re.compile(
    r",?\s{1,2}(?:(?P<published>(?:publicad[ao]|promulgad[ao]|aprobad[ao]|expedid[ao])\s{1,2}(?:en\s{1,2}"
    r"(?:el\s{1,2})?"
    r"(?:DOF|BOE|D\.O\.F\.|Diario\s{1,2}Oficial(?:\s{1,2}de\s{1,2}la\s{1,2}[A-Z][a-z]+)?)\s{1,2})?(?:el|de|"
    r"en)\s{1,2})|(?:de|of|vom|dated)\s{1,2})"
    r"(?P<day>\d{1,2}\s{1,2}de\s{1,2}[a-z]{4,10}\s{1,2}del?\s{1,2}|\d{1,2}\.\s[A-Z][a-z]{2,8}\s)?"
    r"(?P<year>1[89]\d\d|20[0-3]\d)\b(?!\s?/)",
    re.IGNORECASE,
)
_YEAR_BEHIND = re.compile(r"\s{1,2}(?:(?:de|of)\s{1,2})?(?P<year>1[89]\d\d|20[0-3]\d)\b(?!\s?[/-]\d)")
# "CPC/73", "CPA de 1991", "Código Civil de 1936": a year that the keys of the norm do not tell about.
_OF_SOME_YEAR = re.compile(
    r"(?:\s?/\s?(?P<short>\d\d)|(?:/|\s{1,2}(?:(?:de|of|do|del|von|du)\s{1,2})?)(?P<year>1[89]\d\d|20[0-3]\d))"
    r"\b(?!\s?[/-]\d)"
)
# "LAU 94", "LEC 81": two figures right behind the letters.
_SHORT_YEAR = re.compile(
    r"\s{1,2}'?(?P<year>[4-9]\d|[01]\d|2[0-6])(?![\w/-]|[.,]\d|\s(?:de|del|bis|[a-z]{3,})\b)"
)
_YEAR_SAID = re.compile(r"\s{1,2}(?:de|of)\s{1,2}(?P<year>1[89]\d\d|20[0-3]\d)\b(?!\s?[/-]\d)")
_DAY_BEHIND = re.compile(
    rf"\s{{1,2}}(?:de|of|vom)\s{{1,2}}\d{{1,2}}\.?\s{{1,2}}(?:de\s{{1,2}})?{dates.MONTH}\s{{1,2}}(?:de\s{{1,2}})?(?:19|"
    rf"20)\d\d\b"
)
_ENDS_IN_YEAR = re.compile(r"(?:1[89]|20)\d\d$")
# "LFPDPPP": nobody writes so many letters for anything else.
_TELLING_LETTERS = 5
_WHOLE_NAME = re.compile(r"ley\s(?:federal|general|nacional)\s(?:\w+\s){1,12}\w+$")
_YEARS = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


def _is_of_year(norms: Iterable[str], ids: Mapping[str, str], year: str) -> bool:
    """Tell whether a year behind a name may be that of the norm: then its keys say so, or say no year."""
    years = set(_YEARS.findall(" ".join((*norms, *ids.values()))))
    # A norm is published in the year that it is dated or in the next.
    return not years or not {year, str(int(year) + 1)}.isdisjoint(years)


def _year_of(folded: str, end: int, norms: Sequence[str], ids: Mapping[str, str]) -> int:
    """Return where the year behind an abbreviation ends, if it is that of its norm; 0 otherwise."""
    behind = _YEAR_BEHIND.match(folded, end) if len(norms) == 1 else None
    dated = behind and _YEARS.search(" ".join((*norms, *ids.values())))
    if behind and dated and _is_of_year(norms, ids, behind["year"]):
        return behind.end()
    short = _SHORT_YEAR.match(folded, end) if len(norms) == 1 else None
    if short:
        full = f"{'19' if short['year'] > '40' else '20'}{short['year']}"
        if full in _YEARS.findall(" ".join((*norms, *ids.values()))):
            return short.end()
    return 0


# As far back as the longest name of a code reaches.
_NAME_MOST = 120
_SHORT_MOST = 14


def _foreign(folded: str, lowered: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield norms of another country with the country named beside them.

    For instance "Código Sustantivo del Trabajo de Colombia".
    """
    yield from _in_own_words(folded, lowered, jurisdiction)
    for match in _CIVIL_CODE_OF.finditer(lowered):
        country = _COUNTRY[_tidy(match[2])]
        if country != jurisdiction.split("-")[0]:
            norms = _abroad_code("cc", country)
            yield Mention(match.start(1), match.end(2), country, norms, NO_IDS, antecedent=True)
    home = vocabulary(jurisdiction).short
    if jurisdiction in _SPANISH_SPEAKING:
        yield from _of_one_country(lowered, jurisdiction)
    for adjective in _adjectives(folded):
        country = _COUNTRY[_tidy(adjective[1])]
        if country == jurisdiction.split("-")[0]:
            continue
        opening, close = adjective.start(), adjective.end(1)
        words, first = vocabulary(country), max(0, opening - _NAME_MOST)
        # "The Spanish Civil Code", "the German BGB".
        behind = words.name_pattern.match(lowered[close : close + _NAME_MOST])
        behind = behind or words.short_pattern.match(folded[close : close + _SHORT_MOST])
        if behind and lowered[close + behind.end(1) : close + behind.end(1) + 1].isalnum():
            behind = None
        if behind:
            own = words.names.get(_tidy(behind[1])) or words.short.get(behind[1], ())
            norms = tuple(entry.norm for entry in own)
            yield Mention(opening + 1, close + behind.end(1), country, norms, NO_IDS, antecedent=True)
        near = max(0, opening - _SHORT_MOST)
        for match in words.short_pattern.finditer(folded[near:opening]):
            start, end = near + match.start(1), near + match.end(1)
            if end == opening and match[1] not in home:
                norms = tuple(entry.norm for entry in words.short[match[1]])
                yield Mention(start, close, country, norms, NO_IDS, antecedent=True)
        for match in words.name_pattern.finditer(lowered[first:opening]):
            start, end = first + match.start(1), first + match.end(1)
            if end == opening:
                norms = tuple(entry.norm for entry in words.names[_tidy(match[1])])
                special = _abroad(_tidy(match[1]), country)
                yield Mention(start, close, country, special or norms, NO_IDS, antecedent=True)


def _adjectives(folded: str) -> Iterator[re.Match[str]]:
    """Yield the matches of `_ADJECTIVE` in a text, in order."""
    last = 0
    for ahead in _ADJECTIVE_AHEAD.finditer(folded):
        found = _ADJECTIVE.match(folded, ahead.start()) if ahead.start() >= last else None
        # The blank behind one word, which was read with it, is the one before the next.
        while found is not None:
            yield found
            last = found.end()
            found = _ADJECTIVE.match(folded, last)


# Names that only one of these countries gives to a law are of that country in the papers of the others.
_SPANISH_SPEAKING = ("ES", "AR", "CL", "CO", "MX", "PE", "UY")
# Shorter names may be anybody's.
_TELLING_NAME = 18


@cache
def _names_of_one_country(home: str) -> tuple[Any, Mapping[str, NormName]]:
    """Return laws by names that one other country alone has, and the expression that finds them."""
    owners: dict[str, list[NormName]] = {}
    for country in _SPANISH_SPEAKING:
        for name, entries in vocabulary(country).names.items():
            if len(name) >= _TELLING_NAME and name.count(" ") > 1:
                owners.setdefault(name, []).extend(one for one in entries if one.jurisdiction == country)
    known = vocabulary(home).names
    sole = {
        name: found[0]
        for name, found in owners.items()
        if len(found) == 1 and not any(own.startswith(name) for own in known)
    }
    names = "|".join(re.escape(name) for name in sorted(sole, key=len, reverse=True))
    options = re2.Options()
    options.max_mem = 1 << 26
    return linear.compile(rf"(?:^|[^a-z0-9])({names})(?:$|[^a-z0-9])", options), MappingProxyType(sole)


def _of_one_country(lowered: str, home: str) -> Iterator[Mention]:
    """Yield laws of another Spanish-speaking country by a name that no other has."""
    expression, sole = _names_of_one_country(home)
    for match in expression.finditer(lowered):
        entry = sole[_tidy(match[1])]
        start, end = match.span(1)
        yield Mention(start, end, entry.jurisdiction, (entry.norm,), NO_IDS, antecedent=True)


@cache
def _own_words(country: str) -> Any:
    """Return the expression of the codes of a country that bear the word of its language."""
    word = _OWN_WORD[country]
    found = [name for name in vocabulary(country).names if name.startswith(word)]
    names = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
    return linear.compile(rf"(?:^|[^a-z0-9])({names})(?:$|[^a-z0-9])")


def _in_own_words(folded: str, lowered: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield codes of another country in its own language, such as the "Code civil" in an Italian paper."""
    home = jurisdiction.split("-")[0]
    for country in _OWN_WORD:
        if home == country or home in _SHARES_LANGUAGE[country] or _OWN_WORD[country] not in lowered:
            continue
        names = vocabulary(country).names
        for match in _own_words(country).finditer(lowered):
            start, end = match.span(1)
            after = _ADJECTIVE.match(folded, end)
            if after and _COUNTRY[_tidy(after[1])] == country:
                end = after.end()
            norms = tuple(entry.norm for entry in names[_tidy(match[1])])
            yield Mention(start, end, country, norms, NO_IDS, antecedent=True)
    if home != "FR" and "C. " in folded:
        names = vocabulary("FR").names
        for match in vocabulary("FR").name_pattern.finditer(lowered):
            start, end = match.span(1)
            if _BY_BOOK.search(folded, max(0, start - 28), start):
                norms = tuple(entry.norm for entry in names[_tidy(match[1])])
                yield Mention(start, end, "FR", norms, NO_IDS, antecedent=True)


def _in_small_letters(folded: str, words: Vocabulary) -> Iterator[Mention]:
    """Yield norms by their abbreviation in small letters, which says so behind an article alone."""
    last = 0
    for article in _ARTICLE_NUMBER.finditer(folded):
        behind = _BEHIND_ARTICLE.match(folded, article.start())
        for match in _SMALL.finditer(folded, max(last, article.end()), behind.end()) if behind else ():
            entries = words.small.get(match[0], ())
            if entries:
                last = match.end()
                yield _small_mention(match.span(), entries)
    # Who writes one so writes all so: then two letters are a law behind any number with a paragraph.
    behind_number = _BEHIND_ANY_NUMBER if last else _BEHIND_NUMBER
    for bare in behind_number.finditer(folded):
        # What is behind the letters may have been read with them.
        letters = _SMALL.finditer(folded, bare.end() - 10, bare.end() + 1)
        law = next((one for one in letters if bare.end() - 1 <= one.end() <= bare.end()), None)
        entries = words.small.get(law[0], ()) if law and law[0] not in MEASURES else ()
        if law and entries and not folded.startswith("et al", law.start()):
            last = last or law.end()
            yield _small_mention(law.span(), entries)
    for alone in _SMALL_ALONE.finditer(folded) if last else ():
        entries = words.small.get(alone[1], ())
        if len(entries) == 1 and alone[1] not in _WORDS_TOO:
            yield _small_mention(alone.span(1), entries)
    for opened in _SMALL_BEFORE.finditer(folded) if last else ():
        entries = words.small.get(opened[2], ())
        if entries and (len(opened[2]) > 2 or opened[4] or len(opened[3]) > 2):
            yield _small_mention(opened.span(2), entries)
    for dated in _SMALL_OF_DAY.finditer(folded) if last else ():
        entries = words.small.get(dated[2], ())
        day = dates.read(dated[3])
        if len(entries) == 1 and day:
            start, end = dated.span(1)
            ids = {**entries[0].ids, "date": day}
            yield Mention(start, end, entries[0].jurisdiction, (entries[0].norm,), ids, cites=True)
    for dated in _SMALL_OF_YEAR.finditer(folded) if last else ():
        year = dated[3] if len(dated[3]) == 4 else f"{'19' if dated[3] > '40' else '20'}{dated[3]}"
        of_year = words.short.get(f"{dated[2].upper()} {year}", ())
        if of_year:
            named = of_year[0]
            start, end = dated.span(1)
            yield Mention(start, end, named.jurisdiction, (named.norm,), named.ids, cites=True)


_BEHIND_ANY_NUMBER = linear.compile(
    r"(?:^|[ (,:+/])\d{1,4}(?:\.\d{1,2}| bis| ter|\.[a-z]\b)(?:\.[a-z]\)?|\.\d{1,2}º|º)? "
    r"(?:de la |del )?[a-z]{2,8}|"
    r"(?:^|[ (,:+/])\d{1,4}(?:\.[a-z]\)?|º)? (?:de la |del )?[a-z]{3,8}|"
    r"(?:^|[ (,+/])d[atfd] \d{1,2}(?:[ªºa]\.?)? (?:de la |del )?[a-z]{2,8}"
)
# Letters of a law that are a word of some language as well: no law unless behind an article.
_WORDS_TOO = frozenset({"charter", "circ", "const", "dora", "geng", "mica"})
# "La tabla de la lisos", "(lprl fuera)".
_SMALL_ALONE = linear.compile(r"(?:^|[ (](?:la|el) |\()([a-z]{4,8})(?:$|[^\w-])")
# "Ce 24.1", "cc 1554".
_SMALL_BEFORE = linear.compile(r"(?:^|[ (,])(([a-z]{2,8}) (\d{1,4})(\.\d{1,2})?(?:\.[a-z])?)(?:$|[^\w/%-])")
_SMALL_OF_DAY = linear.compile(
    rf"(?:^|[ (])(([a-z]{{3,8}}) (?:de|del) (\d{{1,2}} de {dates.MONTH} de (?:19|20)\d\d))(?:$|[^\d])"
)
# "El et de 1995", "la lgss del 94", "161 bis lgss 94".
_SMALL_OF_YEAR = linear.compile(
    r"(?:^|[ (])(([a-z]{2,8}) (?:del? )?'?((?:19|20)?\d\d))(?:$|[^\w./-]|\.(?:$|\D))"
)


def _small_mention(span: tuple[int, int], entries: tuple[NormName, ...]) -> Mention:
    ids = entries[0].ids if len(entries) == 1 else NO_IDS
    norms = tuple(entry.norm for entry in entries)
    return Mention(*span, entries[0].jurisdiction, norms, ids, antecedent=False)


# "La Ley X … la de 1964": the namesake of the law named before.
_THAT_OF_YEAR = prefilter.compile(
    r"\b((?:la|el|TR|T\.R\.|texto\srefundido)\sde\s((?:18|19|20)\d\d))(?:$|[^\d/])"
)
_NEAR = 250


_YEAR_ENDING = re.compile(r"\s(?:19|20)\d\d$")


def _is_dated(entry: NormName, year: str) -> bool:
    """Tell whether the keys of a norm say that it is of a year."""
    return year in _YEARS.findall(" ".join((entry.norm, *entry.ids.values())))


def namesakes(folded: str, mentions: Iterable[Mention], jurisdiction: str) -> Iterator[Mention]:
    """Yield norms named by their year alone, after a law of the same name ("la de 1964")."""
    words = vocabulary(jurisdiction)
    named = sorted((one for one in mentions if one.norms), key=lambda one: one.end)
    for match in _THAT_OF_YEAR.finditer(folded):
        start, end = match.span(1)
        before = [one for one in named if start - _NEAR <= one.end <= start]
        for one in reversed(before):
            entry = by_norm().get(one.norms[0])
            forms = [f"{short} {match[2]}" for short in entry.short] if entry else []
            found = next((words.short[form] for form in forms if form in words.short), None)
            if entry and not found:
                # "La LAU de 1964 … y la de 1994": the act in force bears the letters alone.
                bases = [_YEAR_ENDING.sub("", short) for short in entry.short]
                now = [one for base in bases for one in words.short.get(base, ())]
                found = next(((one,) for one in now if _is_dated(one, match[2])), None)
            if found and found[0].norm != one.norms[0]:
                yield Mention(start, end, jurisdiction, (found[0].norm,), dict(found[0].ids))
                break


def named_norms(folded: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield mentions of norms by name or abbreviation, in order, not overlapping."""
    words = vocabulary(jurisdiction)
    lowered = folded.lower()
    abroad = {mention.start: mention for mention in _foreign(folded, lowered, jurisdiction)}
    found = sorted(
        [(*match.span(1), True) for match in words.name_pattern.finditer(lowered)]
        + [(*match.span(1), False) for match in words.short_pattern.finditer(folded)]
        + [(mention.start, mention.end, True) for mention in abroad.values()],
        key=lambda one: (one[0], -one[1]),  # "Carta Política", and not the "Carta" in it
    )
    last = 0
    for start, end, named in found:
        if start < last or (end < len(folded) and folded[end].isalnum()):
            continue
        if start in abroad:
            last = abroad[start].end
            yield abroad[start]
            continue
        last = end
        entries = words.names[_tidy(folded[start:end])] if named else words.short[folded[start:end]]
        norms: tuple[str, ...] = tuple(entry.norm for entry in entries)
        country = entries[0].jurisdiction
        ids = entries[0].ids if len(entries) == 1 else NO_IDS
        if named:
            name = _tidy(folded[start:end])
            after = _ADJECTIVE.match(folded, end)
            of_year = _OF_YEAR.match(folded, end)
            namesake = words.names.get(f"{name} de {of_year['year']}") if of_year else None
            if of_year and namesake and (of_year["published"] or of_year["day"]):
                # "Ley Federal X publicada en el DOF el 5 de julio de 2010": the act of that year.
                last, other = of_year.end(), namesake[0]
                yield Mention(start, last, country, (other.norm,), dict(other.ids), cites=True)
                continue
            if of_year and not _is_of_year(norms, ids, of_year["year"]):
                # "Ley Hipotecaria de 1909": a namesake, not the act in force.
                yield Mention(start, of_year.end(), country, (), NO_IDS, antecedent=False, known=False)
                last = of_year.end()
                continue
            if of_year and of_year["day"] and len(norms) == 1 and (day := dates.read(of_year[0])):
                # "Ley Federal de Trabajo de 1 de abril de 1970": the name and its day cite as a number would.
                last = of_year.end()
                yield Mention(start, last, country, norms, {**ids, "date": day}, cites=True)
                continue
            adjective = after or _ADJECTIVE_BEFORE.search(folded[max(0, start - 18) : start])
            if adjective:
                foreign = _COUNTRY[_tidy(adjective[1])]
                if after:
                    end = after.end()
                else:
                    start -= len(adjective[0])
                if foreign != country.split("-")[0]:
                    norms, country, ids = _abroad(name, foreign), foreign, NO_IDS
        elif (after := _ADJECTIVE.match(folded, end)) and _COUNTRY[_tidy(after[1])] != country.split("-")[0]:
            # "Art. 2050 c.c. italiano": the code of that country of the same letters.
            end, country, ids = after.end(), _COUNTRY[_tidy(after[1])], NO_IDS
            letters = folded[start:end].split()[0]
            abroad_entries = vocabulary(country).short.get(letters, ())
            norms = tuple(entry.norm for entry in abroad_entries) or _abroad_code(letters, country)
            last = end
        elif end - start > 2 and (behind := _year_of(folded, end, norms, ids)):
            end = last = behind  # "LAU 1994"
        elif end - start > 2 and len(norms) == 1 and (day_behind := _DAY_BEHIND.match(folded, end)):
            # "LRJS de 10 de octubre de 2011": letters and their day cite as a number would.
            last = day_behind.end()
            read = dates.read(day_behind[0])
            ids = {**ids, "date": read} if read else ids
            yield Mention(start, last, country, norms, ids, cites=True)
            continue
        elif (
            end - start > 2
            and (of_year := _YEAR_SAID.match(folded, end))
            and not _is_of_year(norms, ids, of_year["year"])
        ):
            # "CPC de 1961": a namesake, not the act in force.
            so_called = words.short.get(f"{folded[start:end]} {of_year['year']}", ())
            last = of_year.end()
            norms, known = tuple(entry.norm for entry in so_called), bool(so_called)
            yield Mention(start, last, country, norms, NO_IDS, antecedent=known, known=known)
            continue
        # Two letters are too often something else ("CP 28013", "CC"); they speak only after an article.
        adjective_only = named and _tidy(folded[start:end]).startswith("constitucional")
        speaks = (named and not adjective_only) or end - start - folded.count(".", start, end) >= 3
        # "Lec" is written so behind an article; alone it may be a name.
        speaks &= named or not _CAPITALISED.fullmatch(folded, start, end)
        # "Ley de Enjuiciamiento Civil de 1881" cites as a number would.
        cites = _ENDS_IN_YEAR.search(folded, start, end) is not None and len(norms) == 1
        # Statutes of Mexico have no numbers: the whole name cites.
        cites |= _tidy(folded[start:end]) in words.nicknames
        cites |= not named and country == "MX" and end - start >= _TELLING_LETTERS and len(norms) == 1
        cites |= named and country == "MX" and _WHOLE_NAME.match(lowered, start, end) is not None
        if cites and named and len(norms) == 1:
            ids = {**ids, "by_name": "1"}
        if len(norms) == 1 and not _YEARS.search(norms[0]) and (some := _OF_SOME_YEAR.match(folded, end)):
            said = some["year"] or f"{'19' if some['short'] > '40' else '20'}{some['short']}"
            ids = {**ids, "of_year": said}
        yield Mention(start, end, country, norms, ids, cites, antecedent=speaks and bool(norms))
    yield from _in_small_letters(folded, words)
