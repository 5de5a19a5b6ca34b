"""Apply the forms of every jurisdiction but Spain and the Union to one text."""

import re
from collections.abc import Iterator

from app.citations import dates, prefilter
from app.citations.citation import Finding, Mention
from app.citations.grammars import europe, latin_america
from app.citations.grammars.forms import plain

_FORMS = latin_america.FORMS + europe.FORMS
_LAWS = latin_america.LAWS + europe.LAWS
_COLOMBIAN = latin_america.LAWS[0]
_TABLE = prefilter.GrammarTable((one.pattern, one) for one in _FORMS)
_LAW_TABLE = prefilter.GrammarTable((one.pattern, one) for one in _LAWS)
# Laws that bear the word of their language are of that country in a paper of any other.
_OWN_WORDS = {
    "FR": (("loi n", "ordonnance n", "oi du "), re.compile(r"(?:loi|ordonnance)\s", re.IGNORECASE)),
    "IT": (
        ("legge", "lgs", "LGS", "P.R.", "p.r."),
        re.compile(r"(?:legge|decreto\sleg|d\.?\s?lgs|d\.\s?p\.\s?r\.)", re.IGNORECASE),
    ),
    "PT": (("ei n",), re.compile(r"(?:lei|decreto-lei)\sn\.?\s?º", re.IGNORECASE)),
}
_OF_BRAZIL = re.compile(r"lei:\d{4}")
_SPEAKS_IT = {
    "FR": ("FR", "BE", "LU", "CH", "CA", "MC"),
    "IT": ("IT", "CH", "SM"),
    "PT": ("PT", "BR", "AO", "MZ", "CV"),
}
# Asked first, at once, since few texts have any of them.
_ANY_OWN_WORD = prefilter.compile(r"(?i)\b(?:loi\sn|loi\sdu|ordonnance\sn|legge\s|lei\sn)|lgs|p\.\s?r\.")
_ANY_COUNTRY = prefilter.compile(r"(?i)chile|argentin|peru|uruguay")
# Laws numbered alike in several countries are of the one that is named beside them.
_NAMED_COUNTRY = {"CL": "hile", "AR": "rgentin", "PE": "eru", "UY": "ruguay"}
_COUNTRY_BEHIND = re.compile(
    r"(?:,?\s{1,2}(?:del?\s{1,2}(?:la\s{1,2})?)?|\s\()(?P<country>chilen|Chile|argentin|peruan|Peru|uruguay)",
    re.IGNORECASE,
)
_BRAZILIAN = prefilter.compile(r"\b(Lei\s{1,2}(?:n\.?\s?[ºo]\.?\s{0,2})(\d{1,2}\.?\d{3})/((?:19|20)\d\d))\b")


def forms(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield findings of every form that applies to a document of `jurisdiction`."""
    for form in _TABLE.of(folded):
        if form.where is not None and jurisdiction not in form.where:
            continue
        for match in form.pattern.finditer(folded):
            start, end = match.span()
            canonical = form.canonical(match)
            ids = {"registro": canonical[8:]} if canonical.startswith("MX:SCJN:") else {}
            ids |= _read_besides(form.jurisdiction, canonical, match[0])
            end -= folded[end - 1] == " "
            yield Finding(start, end, form.kind, form.jurisdiction, (canonical,), ids=ids, priority=45)


_COURT_OF_NEUTRAL = re.compile(
    r"GB:\[\d{4}\]\d{0,2}(?P<court>UKSC|UKPC|UKHL|UKUT|UKFTT|EWCA|EWHC|EWFC|EWCOP|EAT|NICA|CSIH|CSOH)"
)


def _read_besides(country: str, canonical: str, written: str) -> dict[str, str]:
    """Return the court that a normal form holds inside its number, and the day behind a Colombian one."""
    if country == "GB" and (court := _COURT_OF_NEUTRAL.match(canonical)):
        return {"court": court["court"]}
    if canonical.startswith("MX:tesis:"):
        return {"court": "SCJN" if canonical[9] in "12P" else "TCC"}
    if canonical.startswith("CO:CSJ:") and (filed := _FILED.search(written)):
        return {"rad": filed[0]}
    if canonical.startswith("MX:SCJN:") and (thesis := _THESIS.search(written)):
        return {"tesis": thesis[0]}
    if canonical.startswith("PE:TC:") and (docket := _DOCKET.search(written)):
        return {"docket": docket[0]}
    if canonical.startswith("CO:CC:") and (dated := _DAY_BEHIND.search(written)):
        read = dates.read(f"{dated[1]} de {written_year(canonical)}")
        return {"date": read} if read else {}
    return {}


def written_year(canonical: str) -> str:
    """Return the year of a Colombian decision: "CO:CC:SU-070/13" is of 2013."""
    short = int(canonical[-2:])
    return str(short + (1900 if short >= 70 else 2000))


_FILED = re.compile(r"\d{5}-?\d{2}-?\d{2}-?\d{3}-?\d{4}-?\d{5}-?\d{2}")
_THESIS = re.compile(r"(?:P|[12]a|[IVX]{1,6}\.[\w.]{1,8})\.?/?\s?J\.\s{0,2}\d{1,4}/\d{2,4}")
_DOCKET = re.compile(r"\d{3,5}-\d{4}-[A-Z]{1,3}(?:/TC)?")
_DAY_BEHIND = re.compile(r"(\d{1,2}\sde\s[a-z]{4,10})$", re.IGNORECASE)


def _abroad(folded: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield numbered laws of another country, by the word of its language or its name beside them."""
    for country, (letters, word) in _OWN_WORDS.items() if _ANY_OWN_WORD.search(folded) else ():
        if jurisdiction in _SPEAKS_IT[country] or not any(one in folded for one in letters):
            continue
        for form in _LAWS:
            if country not in form.where:
                continue
            for match in form.pattern.finditer(folded):
                start, end = match.span(1)
                norm = form.norm(match) if word.match(folded, start) else "None"
                if not norm.endswith("None") and not _OF_BRAZIL.match(norm):
                    yield Mention(start, end, country, (f"{country}:{norm}",), cites=True)
    for country, named in _NAMED_COUNTRY.items() if _ANY_COUNTRY.search(folded) else ():
        if country == jurisdiction or named not in folded:
            continue
        for form in _LAWS:
            if country not in form.where:
                continue
            for match in form.pattern.finditer(folded):
                start, end = match.span(1)
                behind = _COUNTRY_BEHIND.match(folded, end)
                if behind and named in behind["country"].lower():
                    yield Mention(start, end, country, (f"{country}:{form.norm(match)}",), cites=True)


# "Ley italiana 392/1978", "ley 392/1978, italiana": told in Spanish, and no law of Spain.
_FOREIGN = r"italian|frances|portugues|de\sItalia|de\sFrancia|de\sPortugal"
_TOLD_IN_SPANISH = prefilter.compile(
    rf"(?i)\b(ley(?:\s({_FOREIGN})[a-z]{{0,2}})?\s(?:n\.?\s?[ºo]\.?\s{{0,2}})?(\d{{1,4}})([/-])(\d{{2,4}}))(?:[^\d/-]|$)"
)
_FOREIGN_BEHIND = re.compile(rf",?\s\(?({_FOREIGN})", re.IGNORECASE)
# No year has so many laws of Spain.
_MORE_THAN_SPAIN = 99
_LAW_OF = {"it": ("IT", "l"), "fr": ("FR", "loi"), "po": ("PT", "lei")}


def _told_in_spanish(folded: str) -> Iterator[Mention]:
    """Yield laws of Italy, France and Portugal that a text in Spanish calls so."""
    for match in _TOLD_IN_SPANISH.finditer(folded):
        start, end = match.span(1)
        behind = _FOREIGN_BEHIND.match(folded, end)
        said = (match[2] or (behind[1] if behind else "")).lower().removeprefix("de ")
        beyond = len(match[5]) == 4 and int(match[3]) > _MORE_THAN_SPAIN and "talia" in folded
        country, rank = _LAW_OF.get(said[:2] or ("it" if beyond else ""), ("", ""))
        if country and (match[4] == "-") == (country == "FR"):
            yield Mention(
                start, end, country, (f"{country}:{rank}:{match[3]}{match[4]}{match[5]}",), cites=True
            )


# "La Ley 1581": statutes of Colombia are numbered on from year to year: the number tells the year.
_WITHOUT_YEAR = prefilter.compile(r"\b([Ll]ey\s([1-9]\d{2,3}))(?:$|[^\w./-]|\.(?:$|\D))")
_YEAR_FOLLOWS = re.compile(r",?\s(?:del?\s)?(?:\d{1,2}\sde\s[a-z]+\sde\s)?(?:19|20)\d\d")


# The first and the last that are known of each year.
_STATUTES_OF = {
    1993: (100, 105), 1994: (115, 160), 1995: (190, 244), 1996: (256, 336), 1997: (361, 418),
    1998: (446, 489), 1999: (510, 550), 2000: (584, 617), 2001: (640, 721), 2002: (731, 793),
    2003: (794, 863), 2004: (882, 909), 2005: (951, 996), 2006: (1010, 1116), 2007: (1122, 1164),
    2008: (1209, 1266), 2009: (1273, 1370), 2010: (1383, 1430), 2011: (1437, 1496), 2012: (1523, 1607),
    2013: (1610, 1696), 2014: (1708, 1739), 2015: (1751, 1762), 2016: (1773, 1820), 2017: (1822, 1861),
    2018: (1878, 1943), 2019: (1952, 2014), 2020: (2015, 2069), 2021: (2079, 2174), 2022: (2191, 2277),
    2023: (2294, 2300), 2024: (2365, 2439), 2025: (2445, 2466),
}  # fmt: skip


def _without_year(folded: str) -> Iterator[Mention]:
    """Yield statutes of Colombia that are named by their number alone."""
    for match in _WITHOUT_YEAR.finditer(folded):
        start, end = match.span(1)
        number = int(match[2])
        year = next((one for one, (first, last) in _STATUTES_OF.items() if first <= number <= last), 0)
        if year and not _YEAR_FOLLOWS.match(folded, end):
            yield Mention(start, end, "CO", (f"CO:ley:{number}/{year}",), cites=True)


# "Decreto 758 del mismo año": the year is the one said last.
_SAME_YEAR = prefilter.compile(
    r"(?i)\b((ley|decreto)\s{1,2}(?:n\.?[ºo]?\.?\s{0,2}|no\.\s{0,2})?(\d{1,4})\s(?:del?|de\sla|de\sese|de\sesa)\s?(?:mism[oa]|"
    r"ese\smismo|esa\smisma)?\s?(?:ano|anualidad))\b"
)
_YEARS_BEFORE = re.compile(r"\b(?:19|20)\d\d\b")
_SAME_YEAR_WITHIN = 90


def _of_same_year(folded: str) -> Iterator[Mention]:
    """Yield statutes and decrees of Colombia "of the same year"."""
    for match in _SAME_YEAR.finditer(folded):
        start, end = match.span(1)
        years = _YEARS_BEFORE.findall(folded, max(0, start - _SAME_YEAR_WITHIN), start)
        if years:
            norm = f"CO:{match[2].lower()}:{int(match[3])}/{years[-1]}"
            yield Mention(start, end, "CO", (norm,), cites=True)


def laws(folded: str, jurisdiction: str) -> Iterator[Mention]:
    """Yield numbered laws written as the country of the document writes them, or another one named."""
    yield from _abroad(folded, jurisdiction)
    if jurisdiction == "ES":
        yield from _told_in_spanish(folded)
    if jurisdiction == "CO":
        yield from _without_year(folded)
        yield from _of_same_year(folded)
    for form in _LAW_TABLE.of(folded):
        if jurisdiction in form.where:
            for match in form.pattern.finditer(folded):
                start, end = match.span(1)
                norm = form.norm(match)
                if not norm.endswith("None"):
                    yield Mention(start, end, jurisdiction, (f"{jurisdiction}:{norm}",), cites=True)
    if jurisdiction not in ("BR", "PT"):
        for match in _BRAZILIAN.finditer(folded):
            start, end = match.span(1)
            yield Mention(start, end, "BR", (f"BR:lei:{plain(match[2])}/{match[3]}",), cites=True)
    # "Ley 100 de 1993" is Colombian style; elsewhere only a text that speaks of Colombia means it so.
    if jurisdiction not in latin_america.COUNTRIES and "olombia" in folded:
        for match in _COLOMBIAN.pattern.finditer(folded):
            start, end = match.span(1)
            yield Mention(start, end, "CO", (f"CO:{_COLOMBIAN.norm(match)}",), cites=True)
