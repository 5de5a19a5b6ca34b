"""Find codes of California as its courts cite them: "Civ. Code, § 1950.5", "Code Civ. Proc. §§ 1161, 1161.1".

Without the name of the state before them they are California's where the text names that state.
"""

import re
from collections.abc import Iterator, Sequence

from app.citations.citation import Finding
from app.text import linear

# As the California Style Manual abbreviates them, and as they are often written, with the registry's key.
_CODES = {
    "Civ": "cal-civ-code", "Code Civ Proc": "cal-civ-proc-code", "CCP": "cal-civ-proc-code",
    "Gov": "cal-gov-code", "Govt": "cal-gov-code", "Evid": "cal-evid-code", "Lab": "cal-lab-code",
    "Labor": "cal-lab-code", "Pen": "cal-penal-code", "Penal": "cal-penal-code",
    "Bus & Prof": "cal-bus-prof-code", "Corp": "cal-corp-code", "Fam": "cal-fam-code",
    "Prob": "cal-prob-code",
    "Health & Saf": "cal-health-safety-code",
    "Health & Safety": "cal-health-safety-code",
    "Ins": "cal-ins-code", "Veh": "cal-veh-code", "Welf & Inst": "cal-welf-inst-code",
    "Rev & Tax": "cal-rev-tax-code", "Com": "cal-com-code", "Pub Util": "cal-pub-util-code",
    "Ed": "cal-educ-code", "Educ": "cal-educ-code", "Pub Contract": "cal-pub-cont-code",
    "Unemp Ins": "cal-unemp-ins-code",
}  # fmt: skip
_SECTION = r"\d{1,5}(?:\.\d{1,4})?[a-z]?(?:\([0-9a-zA-Z]{1,4}\)){0,5}"
_CITED = linear.compile(
    r"\b((Code\sCiv\.\sProc\.|CCP|(?:Civ|Govt?|Evid|Lab(?:or)?|Pen(?:al)?|Bus\.\s&\sProf|Corp|Fam|Prob|Health\s&\sSaf(?:ety)?|Ins|"
    r"Veh|Welf\.\s&\sInst|Rev\.\s&\sTax|Com|Pub\.\sUtil|Educ?|Pub\.\sContract|Unemp\.\sIns)\.?\sCode),?\s"
    rf"(§{{1,2}}\s?|[Ss]ections?\s)({_SECTION}(?:(?:,\s(?:and\s|&\s)?|\s(?:and|&|or|to)\s){_SECTION})*))"
    r"(?:,\ssubds?\.\s((?:\([0-9a-zA-Z]{1,4}\)){1,4}))?"
)
_NAMED = re.compile(r"\bCal(?:ifornia|\.)")
_BEFORE = re.compile(r"Cal(?:ifornia|\.)\s$")
_PINS = re.compile(r"\(([0-9a-zA-Z]+)\)")


def sections(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield sections of California's codes that are cited without the name of the state."""
    if jurisdiction not in ("US", "PR") or not _NAMED.search(folded):
        return
    for match in _CITED.finditer(folded):
        start, end = match.span(1)
        if _BEFORE.search(folded, max(0, start - 12), start):
            continue
        name = re.sub(r"\sCode$", "", match[2].replace(".", ""))
        norm = f"US:code:{_CODES[name]}"
        cited = tuple(one.partition("(")[0] for one in re.findall(_SECTION, match[4]))
        pinned = f"{match[4]}{match[5] or ''}" if len(cited) == 1 else ""
        pin = ".".join(_PINS.findall(pinned)) or None
        end = match.end(5) if match[5] and len(cited) == 1 else end
        canonical = tuple(f"{norm}:{one}" + (f".{pin}" if pin else "") for one in cited)
        yield Finding(start, end, "L4-N", "US", canonical, norm, cited, pin, priority=70)


_SUBDIVISION = linear.compile(
    r"\b((?:[Ss]ubdivisions?|[Ss]ubds?\.|[Ss]ubsections?|[Pp]aragraphs?)\s((?:\([0-9a-zA-Z]{1,4}\)){1,4})\s"
    r"(?:of|thereof)\s(?:that|the\ssame|said)\s(?:section|statute|provision))\b"
)


def of_that_section(folded: str, cited: Sequence[Finding], jurisdiction: str) -> Iterator[Finding]:
    """Yield subdivisions of the section cited last: "subdivision (l) of that section"."""
    if jurisdiction not in ("US", "PR"):
        return
    for match in _SUBDIVISION.finditer(folded):
        start, end = match.span(1)
        before = [one for one in cited if one.norm and len(one.articles) == 1 and one.end <= start]
        if before:
            last = max(before, key=lambda one: one.end)
            pin = ".".join(_PINS.findall(match[2]))
            canonical = (f"{last.norm}:{last.articles[0]}.{pin}",)
            yield Finding(start, end, "L4-N", "US", canonical, last.norm, last.articles, pin, priority=62)
