"""Find published identifiers: ECLI, ELI, CELEX and BOE numbers.

Sources: ECLI, Council conclusions 2019/C 360/01; ELI, 2012/C 325/02.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.citations import dates, prefilter
from app.citations.citation import Finding, Mention
from app.citations.name_index import by_identifier

_ECLI = prefilter.compile(r"(?i)\bECLI\s?:\s?[A-Za-z0-9]{1,6}(?:\s?:\s?[A-Za-z0-9.]{1,30}){1,5}")
_ECLI_EU = prefilter.compile(r"\b(?:EU):([CTF]):(\d{4}):(\d{1,5})\b")
_NUMBER_BEFORE = re.compile(
    r"\b(?:[Ss]entenza|[Oo]rdinanza|[Aa]rrets?|[Aa]rrest|[Uu]rteil|[Jj]udgment|[Dd]ecision[ei]?|[Aa]cordao|[Ss]ent\.)"
    r"\s(?:n(?:[or]?\.?\s?[ºo]?)\.?\s)?(?P<number>\d{1,6}/\d{4}),?\s(?P<opened>\()?$"
)
_NUMBER_WINDOW = 40
_ECLI_STRICT = re.compile(r"ECLI:([A-Z]{2}):([A-Z][A-Z0-9]{0,6}):(\d{4}):([A-Z0-9.]{1,25})", re.IGNORECASE)
_BOE = prefilter.compile(r"\b(?:BO[A-Z]{1,4}|DOG[CV]?|DOCM|DOE)-[A-Za-z]-\d{4}-\d{1,6}\b")
_ELI_ES = prefilter.compile(
    r"(?i)\b(?:https?://)?(?:www\.)?boe\.es/eli/(es(?:-[a-z]{2})?)/([a-z]{1,5})/(\d{4})/(\d{2})"
    r"/(\d{2})/(\d{1,5}|\(\d{1,2}\))(?:/[a-z0-9/]{1,30})?"
)
_ELI_EU = prefilter.compile(
    r"(?i)\b(?:https?://)?data\.europa\.eu/eli/(reg|dir|dec)(?:_impl|_del)?/(\d{4})/(\d{1,4})"
    r"(?:/[a-z0-9/-]{1,30})?"
)
_CELEX = prefilter.compile(
    r"\b(?:CELEX:?\s)?([0-9CE])((?:19|20)\d\d)([A-Z]{1,2})(\d{4})(?:\((\d{2})\))?(?:R\(\d{2}\))?(?:-(\d{8}))?\b"
)
_ELI_CODE = {"l": "ley", "rdlg": "rdleg", "dlg": "dleg", "o": "orden"}
_EU_KIND = {"R": "reg", "L": "dir", "D": "dec"}


def eclis(folded: str) -> Iterator[Finding]:
    """Yield ECLI codes, well formed or not.

    A malformed one has no canonical form and no `ecli` among its ids.
    """
    for match in _ECLI.finditer(folded):
        start, end = match.span()
        written = folded[start:end].rstrip(".:")
        end = start + len(written)
        code = re.sub(r"\s", "", written)
        strict = _ECLI_STRICT.fullmatch(code)
        if not strict:
            yield Finding(start, end, "L2-J", code.split(":")[1].upper()[:2], priority=90)
            continue
        country, court, year, ordinal = strict.groups()
        ecli = (
            f"ECLI:{country.upper()}:{court.upper()}:{year}:"
            f"{ordinal.upper() if country.upper() == 'ES' else ordinal}"
        )
        found = _from_ecli(start, end, country.upper(), court.upper(), year, ordinal, ecli)
        numbered = _NUMBER_BEFORE.search(folded, max(0, start - _NUMBER_WINDOW), start)
        if numbered and country.upper() != "ES" and numbered["number"] == f"{ordinal.lstrip('0')}/{year}":
            # "Sentenza n. 26/2020 (ECLI:IT:COST:2020:26)": the number and its ECLI are one citation.
            closed = numbered["opened"] and folded[end : end + 1] == ")"
            ids = {**found.ids, "decision": numbered["number"]}
            found = replace(found, start=numbered.start(), end=end + bool(closed), ids=ids)
        yield found
    for match in _ECLI_EU.finditer(folded):
        start, end = match.span()
        if folded[max(0, start - 6) : start].rstrip().upper().endswith("ECLI:"):
            continue
        court, year, ordinal = match.groups()
        yield _from_ecli(start, end, "EU", court, year, ordinal, f"ECLI:EU:{court}:{year}:{ordinal}")


def _from_ecli(start: int, end: int, country: str, court: str, year: str, ordinal: str, ecli: str) -> Finding:
    ids = {"ecli": ecli}
    if country == "ES":
        number = f"{ordinal.rstrip('aA')}/{year}"
        order = ordinal[-1:] in "aA"
        if court == "TC":
            canonical = f"ES:TC:{'A' if order else ''}{number}"
        else:
            canonical = f"ES:{court}:ROJ:{'A' if order else ''}{number}"
            ids["roj"] = f"{'A' if order else 'S'}{court} {number}"
        return Finding(start, end, "L2-J", "ES", (canonical,), ids=ids, priority=90)
    canonical = ecli.removeprefix("ECLI:")
    if country == "CE":
        return Finding(start, end, "L2-J", "COE", (canonical,), ids=ids, priority=90)
    return Finding(start, end, "L2-J", country, (canonical,), ids=ids, priority=90)


def identified_norms(folded: str) -> Iterator[Mention]:
    """Yield norms cited by BOE number, ELI address or CELEX number."""
    for match in _BOE.finditer(folded):
        boe = folded[match.start() : match.end()]
        gazette, series, rest = boe.split("-", 2)
        boe = f"{gazette}-{series.upper() if gazette == 'BOE' else series}-{rest}"
        entry = by_identifier().get(boe)
        start, end = match.span()
        yield Mention(
            start,
            end,
            "ES",
            (entry.norm if entry else f"ES:{boe}",),
            {"boe": boe} | dict(entry.ids if entry else {}),
            cites=True,
        )
    for match in _ELI_ES.finditer(folded):
        start, end = match.span()
        end -= len(folded[start:end]) - len(folded[start:end].rstrip("/"))
        where, kind, year, month, day, number = match.groups()
        where, kind = where.lower(), kind.lower()
        eli = f"https://www.boe.es/eli/{where}/{kind}/{year}/{month}/{day}/{number}"
        entry = by_identifier().get(eli)
        if entry:
            norm = entry.norm
        elif number.isdigit():
            norm = f"{where.upper()}:{_ELI_CODE.get(kind, kind)}:{number}/{year}"
        else:
            norm = f"{where.upper()}:{_ELI_CODE.get(kind, kind)}:{year}-{month}-{day}"
        ids = {"eli": eli, "date": f"{year}-{month}-{day}"} | dict(entry.ids if entry else {})
        yield Mention(start, end, "ES", (norm,), ids, cites=True)
    for match in _ELI_EU.finditer(folded):
        kind, year, number = match[1].lower(), match[2], int(match[3])
        letter = {"reg": "R", "dir": "L", "dec": "D"}[kind]
        ids = {
            "eli": f"http://data.europa.eu/eli/{kind}/{year}/{number}/oj",
            "celex": f"3{year}{letter}{number:04d}",
        }
        start, end = match.span()
        yield Mention(start, end, "EU", (f"EU:{kind}:{year}/{number}",), ids, cites=True)
    for match in _CELEX.finditer(folded):
        sector, year, letters, digits, _, consolidated = match.groups()
        if sector not in "03" or letters not in _EU_KIND:
            continue
        norm = f"EU:{_EU_KIND[letters]}:{year}/{int(digits)}"
        ids = {"celex": match[0].rpartition(" ")[2].removeprefix("CELEX:")}
        if consolidated:
            ids["version"] = f"{consolidated[:4]}-{consolidated[4:6]}-{consolidated[6:]}"
        start, end = match.span()
        yield Mention(start, end, "EU", (norm,), ids, cites=True)


_JOURNAL = prefilter.compile(
    r"\b((?:DOUE|DOCE|DO|OJ|JO|JOUE|JOCE|ABl\.?|GUUE|GUCE|GU)(?:\s(?:UE|EU|EG|CE|de\sla\sUE))?,?\s"
    r"(?:n\.?\s?[ºo]\.?\s|no\.?\s|nr\.\s|serie\s)?(L|C)(?:,?\s|\s?n\.?º\s?)?(\d{1,4}(?:/\d{1,5})?)"
    rf"(?:,?\s(?:de\s|of\s|du\s|vom\s|del\s)?(?:(?i:{dates.LONG})|{dates.NUMERIC}|\d{{1,2}}\.\s\d{{1,2}}\.\s(?:19|20)\d\d))?"
    r"(?:,?\s(?:pp?|pags?|S|s)\.?\s\d{1,4}(?:\s?-\s?\d{1,4})?)?)(?:$|[^\w/])"
)
# How far before a place in the Official Journal the act stands that is published there.
_PUBLISHED = 170
_PARTED = re.compile(r"\n\s*\n")


def official_journal(folded: str, mentions: Sequence[Mention]) -> Iterator[Finding]:
    """Yield places in the Official Journal of the Union, each with the act named before it, if one is."""
    acts = sorted(one for one in _ends(mentions))
    for match in _JOURNAL.finditer(folded):
        start, end = match.span(1)
        near = [act for act in acts if start - _PUBLISHED <= act[0] <= start]
        act = near[-1] if near and not _PARTED.search(folded, near[-1][0], start) else None
        norm = act[1] if act else f"EU:oj:{match[2]}{match[3]}"
        canonical = (norm,) if act else ()
        yield Finding(
            start, end, "L4-N", "EU", canonical, norm, ids={"journal": folded[start:end]}, priority=58
        )


def _ends(mentions: Sequence[Mention]) -> Iterator[tuple[int, str]]:
    for one in mentions:
        if one.jurisdiction == "EU" and len(one.norms) == 1:
            yield one.end, one.norms[0]


def celex_judgments(folded: str) -> Iterator[Finding]:
    """Yield judgments of the Court of Justice cited by CELEX number (sector 6: `62012CJ0131` is C-131/12)."""
    for match in _CELEX.finditer(folded):
        sector, year, letters, digits, *_ = match.groups()
        if sector == "6" and letters[0] in "CTF":
            canonical = f"EU:{letters[0]}-{int(digits)}/{year[2:]}"
            ids = {"celex": match[0].rpartition(" ")[2].removeprefix("CELEX:")}
            start, end = match.span()
            yield Finding(start, end, "L2-J", "EU", (canonical,), ids=ids, priority=80)
