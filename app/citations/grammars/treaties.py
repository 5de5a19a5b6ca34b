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
# By their year alone, where lawyers mean one of them.
_OF_YEAR = {
    "1961": "1961-10-05", "1965": "1965-11-15", "1970": "1970-03-18", "1971": "1971-05-04",
    "1980": "1980-10-25", "1985": "1985-07-01", "1993": "1993-05-29", "1996": "1996-10-19",
    "2000": "2000-01-13", "2005": "2005-06-30", "2007": "2007-11-23", "2019": "2019-07-02",
}  # fmt: skip


def treaties(folded: str) -> Iterator[Mention]:
    """Yield conventions of the Hague and of the International Labour Organization, in any language."""
    for match in _HAGUE.finditer(folded):
        yield from _hague(match.start(1), match.end(1), match[2])
    for match in _HAGUE_FIRST.finditer(folded):
        group = next(index for index in (1, 3, 5) if match[index])
        yield from _hague(match.start(group), match.end(group), match[group + 1])
    for match in _LABOUR.finditer(folded):
        group = 1 if match[1] else 3
        start, end = match.span(group)
        yield Mention(start, end, "INT", (f"INT:OIT:{int(match[group + 1])}",), cites=True)


def _hague(start: int, end: int, written: str) -> Iterator[Mention]:
    day = _OF_YEAR.get(written) if len(written) == 4 else dates.read(written)
    if day:
        yield Mention(start, end, "INT", (f"INT:haya:{day}",), cites=True)
