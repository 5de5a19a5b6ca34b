"""Find the law of the United States: reporters, codes, regulations and the Constitution.

Which abbreviations are reporters, and which edition each means, is eyecite's knowledge (its database counts
some 4,800 spellings); finding them is done here, because eyecite's own scan costs milliseconds for each
citation, grows faster than the text and writes to the log what it read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from app.citations import prefilter
from app.citations.citation import Finding
from app.citations.grammars import us_states
from app.text import linear
from app.text.normalize import CITATIONS

# A volume, words that begin with a capital (or an ordinal of a series), a page.
_WORD = r"(?:[A-Z][A-Za-z.'&]{0,14}|[2-9](?:d|nd|rd|th)|&)"
_PAGED = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9.,/§])((\d{{1,4}})\s({_WORD}(?:\s?{_WORD}){{0,6}})(,?\sat)?\s(\d{{1,7}}))\b"
)
# Reporters that mean the same in a text from anywhere.
_UNMISTAKABLE = linear.compile(
    r"U\.\s?S\.|S\.\s?Ct\.|F\.\s?(?:2d|3d|4th)|F\.\s?Supp\.(?:\s?[23]d)?|F\.\s?App'x|L\.\s?Ed\.(?:\s?2d)?|"
    r"[A-Z][A-Za-z.' ]{1,16}\s?[2-5](?:d|th)|WL|U\.\s?S\.\s?LEXIS"
)
_PIN = re.compile(r",\s(\d{1,5}(?:-\d{1,5})?)(?![\d,]{0,6}\s[A-Z])")
# Between a citation and its year: a page, parallel citations, the court.
_YEAR = re.compile(
    r"(?:,\s\d{1,5}(?:-\d{1,5})?)?(?:,\s\d{1,4}\s[A-Z][A-Za-z.' ]{0,16}(?:\s?\d(?:d|th))?\s\d{1,5}){0,3}"
    r"\s\((?:[A-Z0-9][A-Za-z0-9. ]{0,30}\s)?((?:17|18|19|20)\d\d)\)"
)
_ID = prefilter.compile(r"(?:^|[^A-Za-z])(([Ii]d\.|[Ii]bid\.),?\sat\s(\d{1,5}(?:-\d{1,5})?))\b")
_SECTION = r"\d[0-9A-Za-z]{0,6}(?:[.-][0-9A-Za-z]{1,8}){0,3}(?:\([0-9a-zA-Z]{1,4}\)){0,6}"
_CODE = prefilter.compile(
    r"\b((\d{1,2})\s(U\.?\s?S\.?\s?C\.?(?:\s?[AS]\.)?|C\.?\s?F\.?\s?R\.?)\s"
    r"(§{1,2}\s?|[Ss]ecs?\.\s|[Ss]ections?\s|[Pp]arts?\s)?)\d"
)
_ONE = re.compile(_SECTION)
_LIST = re.compile(
    rf"{_SECTION}(?:(?:,\s(?:and\s|&\s)?|\s(?:and|&|or|to)\s){_SECTION}(?!\s[UC]\.?\s?[SF])){{0,8}}"
)
_CODE_IN_WORDS = prefilter.compile(
    rf"\b(([Ss]ections?)\s({_SECTION})\s(?:of|in|under)\s(?:[Tt]itle\s(\d{{1,2}})(?:\sof|,)?\s(?:the\s)?"
    r"(?:United\sStates|U\.\s?S\.)\sCode))"
)
_STATE_CODE = prefilter.compile(
    r"\b((?:[A-Z][A-Za-z.']{1,15}\s(?:&\s)?){1,7}(?:tit\.\s\d{1,3},\s|"
    r"c(?:h)?\.\s\d{1,3}[A-Z]{0,2},?\s)?§{1,2}\s?"
    r"\d(?:[0-9A-Za-z.:-]{0,16}[0-9A-Za-z])?(?:\([0-9a-zA-Z]{1,4}\)){0,5})",
    wide=True,
)
_ROMAN = r"[IVX]{1,6}|\d{1,2}"
_CONSTITUTION = prefilter.compile(
    rf"\b(U\.\s?S\.\s?[Cc]onst\.?,?\s(?:(amends?\.|art\.)\s({_ROMAN}))(?:,\s§{{1,2}}\s?(\d{{1,2}}))?"
    r"(?:,\scl\.\s(\d{1,2}))?)"
)
_PINS = re.compile(r"\(([0-9a-zA-Z]+)\)")


@cache
def _editions() -> dict[str, list[Any]]:
    """Return every spelling of a reporter with its editions, without spaces.

    Loaded with the first text that needs it: half a second and 30 MB that a process without American
    texts never pays.
    """
    found: dict[str, list[Any]] = {}
    for spelling, editions in import_module("eyecite.tokenizers").EDITIONS_LOOKUP.items():
        found.setdefault(CITATIONS.fold(spelling).replace(" ", ""), []).extend(editions)
    return found


def _reporter(written: str, year: str | None) -> str | None:
    """Return the reporter that `written` means, as its editions are cited; `None` when it is no reporter.

    Where an abbreviation is shared ("Wash.") the year decides, and what remains doubtful stays as written.
    """
    editions = _editions().get(written.replace(" ", ""))
    if not editions:
        return None
    names = {edition.short_name for edition in editions}
    if len(names) > 1 and year:
        names = {one.short_name for one in editions if one.includes_year(int(year))} or names
    same = {name for name in names if CITATIONS.fold(name).replace(" ", "") == written.replace(" ", "")}
    best = same or names
    return str(next(iter(best))) if len(best) == 1 else written


def cases(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield decisions by reporter, in full ("347 U.S. 483") or short ("347 U.S., at 490").

    In American texts also "Id. at 490", which is the decision cited last.
    """
    american = jurisdiction in ("US", "PR")
    last: tuple[int, str] | None = None
    full: dict[tuple[str, str], str] = {}
    found: list[tuple[int, Finding]] = []
    for match in _PAGED.finditer(folded):
        start, end = match.span(1)
        volume, written, short, page = match[2], match[3], match[4], match[5]
        if not american and not _UNMISTAKABLE.fullmatch(written):
            continue
        dated = _YEAR.match(folded, end, end + 130)
        year = dated[1] if dated else None
        reporter = _reporter(written, year)
        if reporter is None:
            continue
        pin = _PIN.match(folded, end, end + 16)
        ids = {"volume": volume, "reporter": reporter}
        if short:
            antecedent = full.get((volume, reporter))
            canonical = (antecedent,) if antecedent else ()
            ids |= {"elided": "short"} if antecedent else {"unnumbered": "short"}
            finding = Finding(start, end, "L2-J", "US", canonical, pinpoint=page, ids=ids, priority=60)
        else:
            name = f"US:{volume} {reporter} {page}"
            full[volume, reporter] = name
            ids |= {"page": page} | ({"year": year} if year else {})
            finding = Finding(
                start, end, "L2-J", "US", (name,), pinpoint=pin[1] if pin else None, ids=ids, priority=60
            )
        found.append((start, finding))
        yield finding
    if not american or not found:
        return
    index = 0
    for match in _ID.finditer(folded):
        start, end = match.span(1)
        while index < len(found) and found[index][0] < start:
            last = (index, next(iter(found[index][1].canonical), ""))
            index += 1
        if last and last[1]:
            ids = {"elided": "id"}
            yield Finding(start, end, "L2-J", "US", (last[1],), pinpoint=match[3], ids=ids, priority=60)


def _uniform(first: str, pins: str, more: str) -> tuple[tuple[str, ...], str | None]:
    """Return the sections of a list of the uniform code; of a range its ends, as its numbers have a dash."""
    others = tuple(re.findall(r"\d[A-Z]?-\d{3}[A-Z]?", more))
    return (first, *others), None if others else ".".join(_PINS.findall(pins)) or None


def _sections(written: str) -> tuple[tuple[str, ...], str | None]:
    """Return the sections of a list and the paragraph of a single one: "1983(a)(1)" is ("1983",), "a.1"."""
    sections: list[str] = []
    ranged = False
    for piece in re.split(r"(,\s(?:and\s|&\s)?|\s(?:and|&|or|to)\s)", written):
        if not piece or not piece[0].isdigit():
            ranged = piece.strip() == "to"
            continue
        section = piece.partition("(")[0]
        if ranged and sections:
            sections[-1] += f"-{section}"
        else:
            sections.append(section)
    pin = ".".join(_PINS.findall(written)) if len(sections) == 1 else ""
    return tuple(sections), pin or None


def _provision(start: int, end: int, norm: str, sections: tuple[str, ...], pin: str | None) -> Finding:
    canonical = tuple(f"{norm}:{section}" + (f".{pin}" if pin else "") for section in sections)
    return Finding(start, end, "L4-N", "US", canonical, norm, sections, pin, priority=70)


def codes(folded: str) -> Iterator[Finding]:
    """Yield sections of the United States Code and of the Code of Federal Regulations."""
    for match in _CODE.finditer(folded):
        code = re.sub(r"[^A-Za-z]", "", match[3]).lower()[:3]
        start, end = match.span(1)
        plural = bool(match[4]) and match[4].strip().lower() in ("§§", "secs.", "sections", "parts")
        written = (_LIST if plural else _ONE).match(folded, end)
        if written:
            yield _provision(start, written.end(), f"US:{code}:{int(match[2])}", *_sections(written[0]))
    if "Code" in folded:
        for match in _CODE_IN_WORDS.finditer(folded):
            start, end = match.span(1)
            yield _provision(start, end, f"US:usc:{int(match[4])}", *_sections(match[3]))


_ID_SECTION = prefilter.compile(rf"(?:^|[^A-Za-z])(([Ii]d\.|[Ii]bid\.),?\s(?:at\s)?§{{1,2}}\s?({_SECTION}))")


def same_code(folded: str, provisions: Iterable[Finding]) -> Iterator[Finding]:
    """Yield sections of the code that was cited last: "id. § 2802"."""
    if "d. §" not in folded and "d., §" not in folded and "d. at §" not in folded:
        return
    cited = sorted((one.end, one.norm) for one in provisions if one.norm and one.articles)
    for match in _ID_SECTION.finditer(folded):
        start, end = match.span(1)
        before = [norm for finish, norm in cited if finish <= start]
        if before:
            written = match[3].rstrip(".")
            yield _provision(start, end - len(match[3]) + len(written), before[-1], *_sections(written))


# "Section 16600.5 of the same code", "§ 2802 of that Code".
_OF_SAME_CODE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:[Ss]ections?\s|[Ss]ecs?\.\s|§{{1,2}}\s?)({_SECTION})\sof\s(?:the\ssame|that|the\ssaid|said)\s"
    r"(?:[Cc]ode|[Tt]itle|[Aa]ct|[Ss]tatute))\b"
)
# "(§ 17203)", "and Section 1839(3)": alone behind a section of a code.
_SECTION_ALONE = prefilter.compile(
    rf"(?:^|[^A-Za-z0-9])((?:[Ss]ections?\s|[Ss]ecs?\.\s|§{{1,2}}\s?)({_SECTION}))"
)
# Behind one of these a "§" has its own work: "Stat. § 3", "Agreement § 4", "(Second) § 90".
_OWN_WORK = re.compile(r"(?:\b[A-Z][A-Za-z.'&]{0,15}|[A-Z)]|\d|\bC\.F\.R\.|\bid\.,?(?:\sat)?)\s?,?\s?$")
_OPENS_A_SENTENCE = re.compile(
    # Behind the letter or number of a heading: "E. Section 1983".
    r"(?:^|\n)\s{0,4}(?:[A-Z]|[IVX]{1,5}|\d{1,2})\.\s$|(?:^|[.;:\n]\s{0,2})(?:Under|See|And|But|Since|Because|If|In|By|Per|Both|Also|Only)\s$"
)
_OF_A_PAPER = re.compile(
    r"\s?,?\s(?:of|to|in)\s(?:the|this|our|that|its|his|her|their|each|any|[A-Z])|\s[A-Z]{2,}|[\w(]"
)
# How far behind a code, and how near its sections, one alone is taken for its own.
_ALONE_WITHIN, _NEAR_SECTIONS, _TELLING_SECTION = 1_500, 60, 3


def sections_alone(folded: str, provisions: Iterable[Finding], jurisdiction: str) -> Iterator[Finding]:
    """Yield sections "of the same code", and those alone whose number is near one cited before."""
    cited = sorted((one.end, one.norm, one.articles) for one in provisions if one.norm and one.articles)
    if jurisdiction not in ("US", "PR") or not cited:
        return
    for match in _OF_SAME_CODE.finditer(folded):
        start, end = match.span(1)
        before = [norm for finish, norm, _ in cited if finish <= start]
        if before:
            yield _provision(start, end, before[-1], *_sections(match[2]))
    for match in _SECTION_ALONE.finditer(folded):
        start, end = match.span(1)
        number = re.match(r"\d+", match[2])
        if not number or len(number[0]) < _TELLING_SECTION or _OF_A_PAPER.match(folded, end):
            continue
        window = folded[max(0, start - 20) : start]
        if _OWN_WORK.search(window) and not _OPENS_A_SENTENCE.search(window):
            continue
        near = [
            (abs(int(number[0]) - value), finish, norm)
            for finish, norm, articles in cited
            if 0 <= start - finish <= _ALONE_WITHIN
            for value in map(int, re.findall(r"^\d+", " ".join(articles)))
        ]
        best = min(near, key=lambda one: (one[0], -one[1]), default=None)
        if best and best[0] <= _NEAR_SECTIONS:
            found = _provision(start, end, best[2], *_sections(match[2]))
            yield replace(found, ids={"elided": "1"}, priority=58)


def constitution(folded: str) -> Iterator[Finding]:
    """Yield articles and amendments of the Constitution: "U.S. Const. amend. XIV, § 1"."""
    if "onst" not in folded:
        return
    for match in _CONSTITUTION.finditer(folded):
        number = str(_roman(match[3]))
        article = f"am{number}" if match[2].startswith("amend") else number
        pin = ".".join(filter(None, (match[4], match[5]))) or None
        start, end = match.span(1)
        canonical = f"US:Const:{article}" + (f".{pin}" if pin else "")
        yield Finding(start, end, "L4-N", "US", (canonical,), "US:Const", (article,), pin, priority=70)


_RULE = prefilter.compile(
    r"\b((?:Fed(?:eral|\.)\s?R(?:ules?|\.)\s?(?:of\s)?(Civ(?:il|\.)|Crim(?:inal|\.)|App(?:ellate|\.)|"
    r"Evid(?:ence|\.)|Bankr(?:uptcy|\.))\s?"
    r"(?:P(?:rocedure|\.))?)\s?(?:[Rr]ule\s)?(\d{1,4}(?:\.\d)?)((?:\([0-9a-zA-Z]{1,3}\)){0,5}))"
)
# "A motion under Rule 12(b)(6)": of the rules named before, with a paragraph; "Local Rule 7(b)" is of others.
_RULE_ALONE = prefilter.compile(r"(?:^|[^A-Za-z.])(Rule\s(\d{1,4}(?:\.\d)?)((?:\([0-9a-zA-Z]{1,3}\)){1,5}))")
_RULE_OF_OTHERS = re.compile(r"\b[A-Z][\w.'&-]{0,20}\s$")
_OTHER_RULES = re.compile(r"\s(?:of|to|under|in)\s(?:the|this|our|that|its|[A-Z])")
_UNIFORM = prefilter.compile(
    r"\b((U\.?C\.?C\.?)\s(?:§{1,2}\s?|[Ss]ections?\s|[Aa]rt(?:icle|"
    r"\.)\s)?(\d[A-Z]?-\d{3}[A-Z]?)((?:\([0-9a-z]{1,3}\)){0,4})"
    r"((?:(?:,\s(?:and\s|&\s)?|\s(?:and|&|or|to|through)\s)\d[A-Z]?-\d{3}[A-Z]?){0,6}))"
)
_PUBLIC_LAW = prefilter.compile(r"\b((?:Pub(?:lic|\.)\s?L(?:aw|\.))\s?(?:No\.\s)?(\d{2,3}-\d{1,4}))\b")
_RESTATEMENT = prefilter.compile(
    r"\b(Restatement\s\((Second|Third|First)\)\sof\s(Contracts|Torts|Agency|Conflict\sof\sLaws|"
    r"Property|Restitution|Judgments)\s"
    r"§{1,2}\s?(\d{1,3}[A-Z]?))\b"
)
_AMENDMENT = prefilter.compile(
    r"\b((?:the\s)?(First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth|Eleventh|"
    r"Twelfth|Thirteenth|"
    r"Fourteenth|Fifteenth|Sixteenth|Nineteenth|Twenty-[A-Z][a-z]+)\sAmendment)\b"
)
_AMENDMENTS = [
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
    "Thirteenth",
    "Fourteenth",
    "Fifteenth",
    "Sixteenth",
    "Seventeenth",
    "Eighteenth",
    "Nineteenth",
]
_STATE_IN_WORDS = prefilter.compile(
    r"\b((?:((?:California|New\sYork|Texas|Delaware|Florida|Cal\.|"
    r"N\.Y\.)\s)?((?:[A-Z][a-z]+\s(?:(?:and|&|of)\s)?){1,4}(?:Code|Law))|"
    r"(?:Tex\.|Cal\.|Fla\.)\s(?:[A-Z][A-Za-z.]+\s){1,4}Code),?\s(?:[Ss]ections?|"
    r"[Ss]ecs?\.)\s(\d[0-9A-Za-z.-]{0,12}[0-9A-Za-z]|\d)"
    r"((?:\([0-9a-zA-Z]{1,4}\)){0,5}))"
)


# Words that open a sentence before the name of a code.
_OPENING = re.compile(
    r"(?:(?:A(?:s|lthough|nd)|B(?:ecause|ut|oth)|Even|For|However|I[fn]|Likewise|Moreover|Neither|Now|Once|Or|"
    r"Per|Pursuant|S(?:ee|ince|uch)|Th(?:at|e|ese|is|ose|ough)|Thus|Un(?:der|less|like)|Violat(?:es|ing)|Whe(?:n|re)|"
    r"While)\s(?:to\s)?){1,2}"
)


def rules_and_acts(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield federal rules, uniform and public laws, restatements; in American texts also amendments."""
    rules: list[tuple[int, str]] = []
    for match in _RULE.finditer(folded):
        code = match[2].rstrip(".").lower()[:3]
        start, end = match.span(1)
        norm = {"civ": "US:frcp", "cri": "US:frcrp", "app": "US:frap", "evi": "US:fre", "ban": "US:frbp"}[
            code
        ]
        rules.append((end, norm))
        yield _provision(start, end, norm, (match[3],), ".".join(_PINS.findall(match[4])) or None)
    yield from _rules_alone(folded, rules)
    for match in _UNIFORM.finditer(folded):
        start, end = match.span(1)
        sections, pin = _uniform(match[3], match[4], match[5])
        yield _provision(start, end, "US:ucc", sections, pin)
    for match in _PUBLIC_LAW.finditer(folded):
        start, end = match.span(1)
        norm = f"US:publ:{match[2]}"
        yield Finding(start, end, "L4-N", "US", (norm,), norm, priority=70)
    for match in _RESTATEMENT.finditer(folded):
        start, end = match.span(1)
        norm = f"US:restatement-{match[2].lower()}:{match[3].lower().replace(' ', '-')}"
        yield _provision(start, end, norm, (match[4],), None)
    if jurisdiction not in ("US", "PR"):
        return
    for match in _AMENDMENT.finditer(folded):
        if match[2] in _AMENDMENTS:
            start, end = match.span(1)
            start += 4 if match[1].startswith("the ") else 0
            article = f"am{_AMENDMENTS.index(match[2]) + 1}"
            yield Finding(
                start, end, "L4-N", "US", (f"US:Const:{article}",), "US:Const", (article,), priority=60
            )
    for match in _STATE_IN_WORDS.finditer(folded):
        if match[3] and match[3].split()[0] in ("States", "The", "Tax", "Revenue", "Internal", "Bankruptcy"):
            continue
        start, end = match.span(1)
        opening = _OPENING.match(match[1])  # "As California Labor Code section 201"
        start += opening.end() if opening else 0
        code = re.split(r",?\s[Ss]ec", folded[start:end])[0].lower()
        code = re.sub(r"[^a-z0-9]+", "-", code).strip("-")
        yield _provision(
            start, end, f"US:code:{code}", (match[4],), ".".join(_PINS.findall(match[5])) or None
        )


def _rules_alone(folded: str, cited: Sequence[tuple[int, str]]) -> Iterator[Finding]:
    """Yield rules named by their number alone, where the text has named one set of rules and no other."""
    if len({norm for _, norm in cited}) != 1:
        return
    first, norm = cited[0]
    for match in _RULE_ALONE.finditer(folded, first):
        start, end = match.span(1)
        window = folded[max(0, start - 24) : start]
        named = _RULE_OF_OTHERS.search(window) and not _OPENS_A_SENTENCE.search(window)
        if named or _OTHER_RULES.match(folded, end):
            continue
        found = _provision(start, end, norm, (match[2],), ".".join(_PINS.findall(match[3])) or None)
        yield replace(found, ids={"elided": "1"}, priority=58)


def _roman(written: str) -> int:
    if written.isdigit():
        return int(written)
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in written]
    return sum(
        -value if index + 1 < len(values) and value < values[index + 1] else value
        for index, value in enumerate(values)
    )


_MORE_SECTIONS = re.compile(rf"(?:(?:,\s(?:and\s|&\s)?|\s(?:and|&|or|to)\s){_SECTION}(?!\s[A-Z])){{1,12}}")


def state_codes(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield sections of the codes of the states: "Cal. Civ. Code § 1714".

    They are read by eyecite, one at a time.
    """
    if jurisdiction not in ("US", "PR") or "§" not in folded:
        return
    read: dict[str, tuple[int, str, str] | None] = {}
    for match in _STATE_CODE.finditer(folded):
        written = match[1]
        if written not in read:
            read[written] = _state_code(written)
        answer = read[written]
        if answer is not None:
            opening, code, section = answer
            start, end = match.start(1) + opening, match.end(1)
            more = _MORE_SECTIONS.match(folded, end) if "§§" in written else None
            if more:  # "§§ 201, 203, 226(e), 1194"
                section, end = f"{section}{more[0]}", more.end()
            sections, pin = _sections(section)
            yield _provision(start, end, f"US:code:{code}", sections, pin)


def _state_code(written: str) -> tuple[int, str, str] | None:
    """Return where the law begins in `written`, its name and its section; `None` when it is no code."""
    tokenizer = import_module("eyecite.tokenizers").default_tokenizer
    citation = import_module("eyecite.models").CitationToken
    for token in tokenizer.extract_tokens(written):
        groups = token.groups
        if isinstance(token, citation) and groups.get("section") and groups.get("reporter"):
            law, _, section = written[token.start :].partition("§")
            code = re.sub(r"[^A-Za-z0-9]+", "-", law).strip("-").lower()
            return token.start, code, section.lstrip("§ ")
    return us_states.law_and_section(written)
