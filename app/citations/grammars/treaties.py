"""Find treaties by place and day or by number: "Hague Convention of 1980", "Convenio 158 de la OIT".

Those with a name of their own (the Convention on the Rights of the Child) stand in `data/names/INT.toml`.
"""

from collections.abc import Iterator

from app.citations import dates, prefilter
from app.citations.citation import Mention

_WORD = r"(?:Convenio|Convencion|Convencao|Convenzione|Convention|Ubereinkommens?)"
_NO = r"(?:(?:num(?:ero)?\.?|n\.?\s?[ºo°]?\.?|No\.?|Nr\.?)\s{0,2})?"
_DAY = rf"\d{{1,2}}\.?\s(?:de\s|di\s|of\s)?(?i:{dates.MONTH})\s(?:de\s|do\s)?(?:19|20)\d\d"
_HAGUE = prefilter.compile(
    rf"(?i)\b({_WORD}\s(?:[^.;:,()\n\d]{{1,60}}\s)?(?:de\s|da\s|d'|dell'|of\s(?:the\s)?)?(?:La\sHaya|La\sHaye|L?'?Aja|"
    rf"Haia|Hague),?\s(?:del?\s|du\s|of\s|di\s|do\s|dated\s)?({_DAY}|19[56789]\d|20[01]\d))\b"
)
_HAGUE_FIRST = prefilter.compile(
    rf"\b(Hague\s(?:[A-Z][A-Za-z-]{{2,20}}\s){{0,3}}Convention\s(?:of\s)?({_DAY}|19[56789]\d|20[01]\d))\b|"
    r"\b((19[56789]\d|20[01]\d)\sHague\s(?:[A-Z][A-Za-z-]{2,20}\s){0,3}Convention)\b|"
    rf"\b(Haager\s(?:[A-Za-z]{{0,30}}[uU]bereinkommens?)\svom\s({_DAY}))\b"
)
_LABOUR = prefilter.compile(
    rf"(?i)\b({_WORD}\s{_NO}(\d{{1,3}})\s(?:de\sla\s|de\sl'|da\s|dell?'?\s?|of\sthe\s|der\s)?(?:OIT|ILO|OIL|IAO))\b|"
    rf"\b((?:ILO|IAO|{_WORD}\sOIL)[\s-](?:{_WORD}\s)?{_NO}(\d{{1,3}}))\b"
)
# "Lugano Convention of 30 October 2007": by another place and the day.
_OF_PLACE = {
    ("lugano", "2007-10-30"): "Lugano",
    ("lugano", "1988-09-16"): "Lugano1988",
    ("brus", "1968-09-27"): "Bruselas1968",
    ("bru", "1968-09-27"): "Bruselas1968",
    ("rom", "1980-06-19"): "Roma1980",
    ("new york", "1958-06-10"): "CNY",
    ("nueva york", "1958-06-10"): "CNY",
    ("nova iorque", "1958-06-10"): "CNY",
    ("nova york", "1958-06-10"): "CNY",
    ("new yorker", "1958-06-10"): "CNY",
    ("ginebra", "1951-07-28"): "Ginebra1951",
    ("geneva", "1951-07-28"): "Ginebra1951",
    ("geneve", "1951-07-28"): "Ginebra1951",
    ("viena", "1980-04-11"): "CISG",
    ("vienna", "1980-04-11"): "CISG",
    ("vienne", "1980-04-11"): "CISG",
    ("viena", "1969-05-23"): "CVDT",
    ("vienna", "1969-05-23"): "CVDT",
    ("vienne", "1969-05-23"): "CVDT",
    ("montreal", "1999-05-28"): "Montreal",
    ("varsovia", "1929-10-12"): "Varsovia",
    ("warsaw", "1929-10-12"): "Varsovia",
    ("aarhus", "1998-06-25"): "Aarhus",
    ("estambul", "2011-05-11"): "Estambul",
    ("istanbul", "2011-05-11"): "Estambul",
}
_PLACE = (
    r"Lugano|Brussels|Brux?elas|Bruselas|Bruxelles|Brussel|Rom[ae]|New\sYork|Nueva\sYork|Nova\sIorque|Nova\sYork|"
    r"Ginebra|Geneva|Geneve|Viena|Vienna|Vienne|Montreal|Varsovia|Warsaw|Aarhus|Estambul|Istanbul"
)
_PLACED = prefilter.compile(
    rf"(?i)\b({_WORD}\s(?:de\s|of\s|di\s|da\s)?({_PLACE}),?\s(?:del?\s|du\s|of\s|di\s|do\s)?({_DAY})|"
    rf"({_PLACE})\sConvention\s(?:of\s)?({_DAY}))\b"
)
# By their year alone, where lawyers mean one of them.
_OF_YEAR = {
    "1961": "1961-10-05", "1965": "1965-11-15", "1970": "1970-03-18", "1971": "1971-05-04",
    "1980": "1980-10-25", "1985": "1985-07-01", "1993": "1993-05-29", "1996": "1996-10-19",
    "2000": "2000-01-13", "2005": "2005-06-30", "2007": "2007-11-23", "2019": "2019-07-02",
}  # fmt: skip


def treaties(folded: str) -> Iterator[Mention]:
    """Yield conventions by place and day, and those of the ILO, in any language."""
    for match in _HAGUE.finditer(folded):
        yield from _hague(match.start(1), match.end(1), match[2])
    for match in _HAGUE_FIRST.finditer(folded):
        group = next(index for index in (1, 3, 5) if match[index])
        yield from _hague(match.start(group), match.end(group), match[group + 1])
    for match in _PLACED.finditer(folded):
        place, day = (match[2], match[3]) if match[2] else (match[4], match[5])
        norm = next(
            (
                name
                for (opening, of_day), name in _OF_PLACE.items()
                if place.lower().startswith(opening) and of_day == dates.read(day)
            ),
            None,
        )
        if norm:
            yield Mention(match.start(1), match.end(1), "INT", (f"INT:{norm}",), cites=True)
    for match in _LABOUR.finditer(folded):
        group = 1 if match[1] else 3
        start, end = match.span(group)
        yield Mention(start, end, "INT", (f"INT:OIT:{int(match[group + 1])}",), cites=True)


def _hague(start: int, end: int, written: str) -> Iterator[Mention]:
    day = _OF_YEAR.get(written) if len(written) == 4 else dates.read(written)
    if day:
        yield Mention(start, end, "INT", (f"INT:haya:{day}",), cites=True)
