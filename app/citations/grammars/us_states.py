"""Find statutes of the states that eyecite does not know as written, and sections of acts by initials.

"Ohio Rev. Code § 1335.05", "740 ILCS 14/15", "N.J.S.A. 56:8-2", "CPLR 3212", "ERISA § 502(a)",
"8 Del. C. § 220",
"RCW 59.18.060", "Lanham Act § 43(a)", "Cal. Const. art. I, § 7".
"""

import re
from collections.abc import Iterator

from app.citations import prefilter
from app.citations.citation import Finding
from app.citations.name_index import vocabulary
from app.text import linear

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
# These run in American texts alone, and so stand outside the sets that every text is asked (decision 128).
# "Clayton Act § 7", "the Lanham Act, § 43(a)".
_NAMED = linear.compile(
    rf"\b(((?:[A-Z][A-Za-z-]{{2,20}}\s(?:(?:and|of|in)\s)?){{1,6}}Act(?:\sof\s(?:19|20)\d\d)?),?\s§{{1,2}}\s?(\d{{1,4}}[A-Za-z]?(?:\.\d{{1,4}})?){_PINS})"
)
# "8 Del. C. § 220": the title before the code.
_DELAWARE = linear.compile(
    rf"\b((\d{{1,2}})\sDel\.\sC(?:ode)?\.?\s(?:Ann\.\s)?§{{1,2}}\s?(\d{{1,5}}(?:-\d{{1,4}})?[A-Z]?){_PINS})"
)
# "RCW 59.18.060", "C.R.S. § 38-12-503", "KRS 344.040": the initials of a compilation, with a "§" or without.
_COMPILATIONS = {
    "RCW": "wash-rev-code", "ORS": "or-rev-stat", "NRS": "nev-rev-stat",
    "CRS": "colo-rev-stat", "ARS": "ariz-rev-stat",
    "MCL": "mich-comp-laws", "KRS": "ky-rev-stat-ann", "RSMo": "mo-rev-stat",
}  # fmt: skip
_COMPILATION = linear.compile(
    r"\b((RCW|R\.C\.W\.|ORS|NRS|C\.?R\.?S\.?|A\.R\.S\.|MCL|KRS|RSMo)\s(?:§{1,2}\s?)?"
    rf"(\d{{1,3}}[A-Z]?(?:[.-]\d{{1,4}}[A-Z]?){{1,3}}){_PINS})"
)
# "IWC Wage Order 5-2001", "Wage Order No. 4": of California's Industrial Welfare Commission.
_WAGE_ORDER = linear.compile(
    r"\b((?:IWC\s)?Wage\sOrder\s(?:No\.\s)?(\d{1,2})(?:-(2001|2000|98|89))?)(?:$|[^\d-])"
)
_STATE_CONSTITUTION = linear.compile(
    r"\b((Cal|N\.\s?Y|Tex|Fla|Pa|Ill|Ohio|Mich|Ga|N\.\s?C|N\.\s?J|Va|Wash|Ariz|Mass|Colo|Minn|Wis|Or)\.?\s"
    r"Const\.?,?\sart\.\s([IVX]{1,6}|\d{1,2})(?:,\s§{1,2}\s?(\d{1,2}(?:\.\d)?))?)"
)


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
    """Yield sections of state statutes by their own forms, and of acts by initials or by name."""
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
    for match in _DELAWARE.finditer(folded):
        norm = f"US:code:del-code-ann-tit-{match[2]}"
        yield _cited(match.start(1), match.end(1), norm, match[3], match[4])
    for match in _COMPILATION.finditer(folded):
        norm = f"US:code:{_COMPILATIONS[match[2].replace('.', '')]}"
        yield _cited(match.start(1), match.end(1), norm, match[3], match[4])
    for match in _WAGE_ORDER.finditer(folded):
        start, end = match.span(1)
        norm = f"US:iwc:{int(match[2])}-{match[3] or '2001'}"
        yield Finding(start, end, "L4-N", "US", (norm,), norm, priority=70)
    for match in _STATE_CONSTITUTION.finditer(folded):
        state = re.sub(r"[^a-z]+", "-", match[2].lower()).strip("-")
        yield _cited(match.start(1), match.end(1), f"US:const-{state}", match[3], match[4] or "")
    names = vocabulary("US").names
    for match in _NAMED.finditer(folded):
        words = match[2].split(" ")
        for opening in range(len(words) - 1):  # "The Lanham Act", "Under the Fair Housing Act"
            known = names.get(" ".join(words[opening:]).lower(), ())
            if len(known) == 1 and known[0].norm.startswith("US:act:"):
                start = match.start(1) + sum(len(word) + 1 for word in words[:opening])
                yield _cited(start, match.end(1), known[0].norm, match[3], match[4])
                break
