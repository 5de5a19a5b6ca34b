"""Find statutes of the states that eyecite does not know as written, and sections of acts by initials.

"Ohio Rev. Code § 1335.05", "740 ILCS 14/15", "N.J.S.A. 56:8-2", "CPLR 3212", "ERISA § 502(a)".
"""

import re
from collections.abc import Iterator

from app.citations import prefilter
from app.citations.citation import Finding
from app.citations.name_index import vocabulary

_STATES = (
    "Ala|Alaska|Ariz|Ark|Cal|Colo|Conn|Del|Fla|Ga|Haw|Idaho|Ill|Ind|Iowa|Kan|Ky|La|Me|Md|Mass|Mich|Minn|"
    "Miss|Mo|"
    r"Mont|Neb|Nev|N\.\s?H|N\.\s?J|N\.\s?M|N\.\s?Y|N\.\s?C|N\.\s?D|Ohio|Okla|Or|Pa|R\.\s?I|S\.\s?C|S\.\s?D|Tenn|"
    r"Tex|Utah|Vt|Va|Wash|W\.\s?Va|Wis|Wyo|D\.\s?C|M\.\s?G|O\.\s?C\.\s?G|R\.\s?C"
)
_LAW = re.compile(
    rf"(?:{_STATES})\.?\s?(?:[A-Z&][A-Za-z.'&]{{0,15}}\s){{0,6}}?"
    r"(?:Code|Stats?\.|Stat\.|Laws?|Rev\.|Gen\.|Comp\.|Ann\.|L\.|A\.|W\.)[^§]{0,40}(?=§)"
)
_PINS = r"((?:\([0-9a-zA-Z]{1,4}\)){0,5})"
_ILLINOIS = prefilter.compile(
    rf"\b((\d{{2,3}})\sILCS\s(\d{{1,4}})/(\d{{1,3}}(?:[.-]\d{{1,4}}){{0,2}}[a-z]?){_PINS})"
)
_JERSEY = prefilter.compile(
    r"\b(N\.\s?J\.\s?(?:S\.(?:\s?A\.)?|Stat\.(?:\sAnn\.)?)\s(?:§{1,2}\s?)?(\d{1,2}[A-Z]?):(\d{1,3}[A-Z]?)-"
    rf"(\d{{1,4}}(?:\.\d{{1,3}})?){_PINS})"
)
_PRACTICE = prefilter.compile(
    rf"\b((?:N\.Y\.\s)?(?:CPLR|C\.P\.L\.R\.)\s(?:§{{1,2}}\s?|[Ss]ection\s|[Rr]ule\s)?(\d{{3,5}}(?:-[a-z])?){_PINS})"
)
_INITIALS = prefilter.compile(rf"\b(([A-Z]{{3,6}})\s§{{1,2}}\s?(\d{{1,4}}[A-Za-z]?){_PINS})")


def law_and_section(written: str) -> tuple[int, str, str] | None:
    """Return where the law of a state begins in `written`, its name and its section; `None` for none."""
    law = _LAW.search(written)
    if not law:
        return None
    name = re.sub(r"[^A-Za-z0-9]+", "-", law[0]).strip("-").lower()
    return law.start(), name, written[law.end() :].lstrip("§ ")


def _cited(start: int, end: int, norm: str, section: str, pins: str) -> Finding:
    pin = ".".join(re.findall(r"[0-9a-zA-Z]+", pins)) or None
    canonical = f"{norm}:{section}" + (f".{pin}" if pin else "")
    return Finding(start, end, "L4-N", "US", (canonical,), norm, (section,), pin, priority=70)


def statutes(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield sections of the statutes of Illinois and New Jersey, of the CPLR, and of acts by initials."""
    if jurisdiction not in ("US", "PR"):
        return
    for match in _ILLINOIS.finditer(folded):
        yield _cited(match.start(1), match.end(1), f"US:code:ilcs-{match[2]}-{match[3]}", match[4], match[5])
    for match in _JERSEY.finditer(folded):
        norm = f"US:code:njsa-{match[2].lower()}-{match[3].lower()}"
        yield _cited(match.start(1), match.end(1), norm, match[4], match[5])
    for match in _PRACTICE.finditer(folded):
        yield _cited(match.start(1), match.end(1), "US:code:n-y-cplr", match[2], match[3])
    for match in _INITIALS.finditer(folded):
        known = vocabulary("US").short.get(match[2], ())
        if len(known) == 1 and known[0].norm.startswith("US:act:"):
            yield _cited(match.start(1), match.end(1), known[0].norm, match[3], match[4])
