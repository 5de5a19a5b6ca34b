"""Find sections: "§ 433 Abs. 2 BGB", "section 21 of the Housing Act 1988"."""

import re
from collections.abc import Iterator

from app.citations import prefilter
from app.citations.citation import Finding, Mention
from app.citations.name_index import vocabulary

_PARAGRAPH = prefilter.compile(
    r"(§{1,2}\s?(\d{1,4}[a-z]?)((?:\s{1,2}(?:Abs\.|Absatz|S\.|Satz|Nr\.|Nummer|Alt\.)\s?\d{1,3}|"
    r"\s{1,2}[IVX]{1,4}(?:\s\d{1,2})?)*)"
    r"((?:\s?(?:,|und|u\.|bis|-|f{1,2}\.?)\s?(?:\d{1,4}[a-z]?)?(?:\s{1,2}(?:Abs\.|S\.|Satz|Nr\.)"
    r"\s?\d{1,3})*){0,6})\s{1,2}([A-Z][A-Za-z]{1,8}))(?:$|[^A-Za-z])"
)
_ACT = (
    r"((?:[A-Z][A-Za-z'&-]{1,24}|\([A-Z][A-Za-z ]{2,40}\))(?:,?\s(?:[A-Z][A-Za-z'&-]{1,24}|of|and|the|for|"
    r"in|to|\([A-Z][A-Za-z ,]{2,40}\))){0,9}\sAct\s(1[6-9]\d\d|20\d\d))"
)
_SECTION = (
    r"(?:(?i:sections?|sects?\.|ss?\.?)\s?(\d{1,4}[A-Z]{0,2})((?:\s?\([0-9a-zA-Z]{1,4}\)){0,4})((?:(?:,\s|"
    r"\sand\s|\sto\s|-)\d{1,4}[A-Z]{0,2}(?:\([0-9a-z]{1,4}\)){0,3}){0,6}))"
)
_SECTION_OF = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])({_SECTION}\s{{1,2}}(?:(?:of|in|under)\s(?:the\s)?)?{_ACT})\b"
)
_ACT_ALONE = prefilter.compile(rf"(?:^|[^A-Za-z0-9])({_ACT}(?:,?\s{_SECTION})?)\b")
_OPENERS = re.compile(
    r"^(?:The|Under|In|See|This|That|Of|By|And|For|Section|Sections|Since|Because|While|As|To|With|"
    r"Per)\s(?:the\s)?"
)


def german_paragraphs(folded: str) -> Iterator[Finding]:
    """Yield paragraphs of German laws; the abbreviation must be one we know."""
    known = vocabulary("DE").short
    for match in _PARAGRAPH.finditer(folded):
        law = match[5]
        if law not in known:
            continue
        norm = known[law][0].norm
        pins = ".".join(re.findall(r"\d{1,3}", match[3]))
        articles = (match[2], *re.findall(r"(?:,|und|u\.)\s?(\d{1,4}[a-z]?)", match[4]))
        canonical = tuple(
            f"{norm}:{article}" + (f".{pins}" if pins and index == 0 else "")
            for index, article in enumerate(articles)
        )
        start, end = match.span(1)
        yield Finding(start, end, "L4-N", "DE", canonical, norm, articles, pins or None, priority=70)


def _act(name: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"GB:act:{words}"


def british_acts(folded: str) -> Iterator[Finding | Mention]:
    """Yield acts of Parliament by short title and year, with or without a section."""
    taken: list[tuple[int, int]] = []
    for match in _SECTION_OF.finditer(folded):
        start, end = match.span(1)
        taken.append((start, end))
        yield _provision(start, end, match[5], match[2], match[3], match[4])
    cursor = 0
    for match in _ACT_ALONE.finditer(folded):
        start, end = match.span(1)
        while cursor < len(taken) and taken[cursor][1] <= start:
            cursor += 1
        if cursor < len(taken) and taken[cursor][0] < end:
            continue
        name = match[2]
        opener = _OPENERS.match(name)
        if opener:
            start, name = start + opener.end(), name[opener.end() :]
        if name.startswith("Act "):
            continue
        if match[4]:
            yield _provision(start, end, name, match[4], match[5], match[6])
        else:
            yield Mention(start, end, "GB", (_act(name),), cites=True)


def _provision(start: int, end: int, act: str, first: str, pins: str, more: str) -> Finding:
    norm = _act(_OPENERS.sub("", act))
    pin = ".".join(re.findall(r"\(([0-9a-zA-Z]+)\)", pins))
    further = re.findall(r"(?:,\s|\sand\s|\sto\s|-)(\d{1,4}[A-Z]{0,2})", more)
    ranged = bool(re.match(r"\sto\s|-", more))
    articles = (f"{first}-{further[0]}",) if ranged and further else (first, *further)
    canonical = tuple(
        f"{norm}:s{article}" + (f".{pin}" if pin and not index else "")
        for index, article in enumerate(articles)
    )
    return Finding(start, end, "L4-N", "GB", canonical, norm, articles, pin or None, priority=70)
