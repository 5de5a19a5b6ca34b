"""View model of a result: risks by severity, time limits and sums, an inventory, citations by law.

What `report_view` read is put together here: what to do stands with its risk, and a note that several
citations share stands once. Pure but for the language of the visitor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext, ngettext

from app import analysis
from app.portal.analysis import report_view
from app.portal.analysis.report_view import Part, Statement
from app.portal.web.display import labels
from app.text.sentences import FoldedText

# Characters of a quotation by which its page is found.
_TOLD_APART = 60
# One short sentence in these sections, "Rent: EUR 900 a month", is shown as a name and its value.
_PAIRS = frozenset(("deadlines", "amounts", "parties", "dates", "obligations", "clauses_present"))
_TERM_MAX, _VALUE_MAX = 48, 90
# What the document says of itself; everything else asks the reader for something.
_INVENTORY = frozenset(("citations", "obligations", "parties", "dates", "clauses_present"))
_SEVERITY_ICONS = {"high": "bad", "medium": "warn", "low": "todo"}
_SEVERITY_TONES = {"high": "bad", "medium": "warn", "low": "low"}
_ARTICLE = re.compile(r"\b(el artículo|article) (\d+[a-z]?)(?: (?:bis|ter|quater))?(?=[,;.\s])")
_QUOTED_FIRST = re.compile(r"[«“]([^»”]{2,})[»”]\s*")
_CITED_ARTICLE = {"el artículo": "el artículo citado", "article": "the article cited"}


@dataclass(frozen=True, slots=True)
class CitationNote:
    """A note and the citations, of one law and one verdict, that it holds for."""

    text: str
    checks: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class CitedLaw:
    """The citations of one law or judgment that have one verdict; `title` is empty where no note names it."""

    title: str
    status: str
    tone: str
    notes: Sequence[CitationNote]

    @property
    def count(self) -> int:
        """How many citations there are."""
        return sum(len(note.checks) for note in self.notes)


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A statement as the page shows it.

    `number` is its place in the analysis, from 1, by which node B's findings name it. `headline` is its first
    sentence and `rest` the others; where it is a name with its value, `term` is the name and `headline` the
    value. `advice` are the statements that say what to do about this one.
    """

    number: int
    said: Statement
    headline: str
    rest: str
    term: str = ""
    cited: Sequence[CitedLaw] = ()
    authorities: Sequence[Mapping[str, Any]] = ()
    findings: Sequence[Mapping[str, Any]] = ()
    advice: list[ShownStatement] = field(default_factory=list)

    @property
    def clause(self) -> str:
        """The first words that it quotes."""
        return self.said.quotes[0] if self.said.quotes else ""

    @property
    def has_grounds(self) -> bool:
        """Whether words and law stand below it: of a name with its value, they are its evidence alone."""
        return bool(self.said.lock and not self.term and (self.said.quotes or self.authorities))

    @property
    def has_evidence(self) -> bool:
        """Whether there is more to show than its lock."""
        return bool(self.said.quotes or self.said.basis)


@dataclass(frozen=True, slots=True)
class RiskGroup:
    """The risks of one severity, gravest first; `name` is empty for those without one."""

    severity: str
    name: str
    tone: str
    icon: str
    entries: Sequence[ShownStatement]


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A section: `kind` is `risks`, `act` or `inventory`; anchors name its `place`."""

    place: int
    kind: str
    section: str
    title: str
    paragraphs: Sequence[str]
    entries: Sequence[ShownStatement]
    risks: Sequence[RiskGroup] = ()

    @property
    def is_risks(self) -> bool:
        """Whether its statements are risks."""
        return self.kind == "risks"


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the figures at the head of the page: how many there are, what they are, and where they stand."""

    name: str
    number: int
    words: str
    tone: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """The page of an uploaded document on which a quotation stands, and where in the text."""

    page: int
    mark: str


def values(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the templates of a result need, from the answer of one analysis."""
    reading = report_view.read(result["analysis"])
    # A result of an earlier release may lack them.
    checks = result.get("citationChecks", {}).get("checks", [])
    audit = result.get("audit")
    parts = _parts(reading.parts, {one["citation"]: one for one in checks}, _attacks(audit))
    return {
        "result": result,
        "reading": reading,
        "parts": [one for one in parts if one.kind != "inventory"],
        "inventory": [one for one in parts if one.kind == "inventory"],
        "figures": _figures(parts, checks),
        "cited": cited_laws(checks),
        "checks": checks,
        "audit": audit,
        "page_of": _pages(result),
        "beginning": _beginning,
        "findings": [_finding(one) for one in (audit or {"findings": ()})["findings"]],
        "locks": {s.lock for part in reading.parts for s in part.statements if s.lock},
    }


def cited_laws(checks: Iterable[Mapping[str, Any]]) -> list[CitedLaw]:
    """Group checked citations by law and verdict, those that need a lawyer's eye first; notes stand once."""
    order = list(labels.VERDICTS)
    laws: dict[tuple[str, str, str], dict[str, list[tuple[str, Mapping[str, Any]]]]] = {}
    for check in sorted(checks, key=lambda one: order.index(one["status"])):
        title, note = _titled(str(check.get("note") or ""))
        key = (check["status"], str(check.get("url") or "") if title else check["citation"], title)
        shared = _ARTICLE.sub(lambda found: _CITED_ARTICLE[found[1]], note)
        laws.setdefault(key, {}).setdefault(shared, []).append((note, check))
    return [
        CitedLaw(
            title,
            status,
            _verdict_tone(status),
            [
                CitationNote(
                    _capital(shared if len({note for note, _ in those}) > 1 else those[0][0]),
                    [check for _, check in those],
                )
                for shared, those in notes.items()
            ],
        )
        for (status, _url, title), notes in laws.items()
    ]


def _titled(note: str) -> tuple[str, str]:
    """Return the law that a note begins with and what it says of it; an empty title where it names none."""
    title, mark, rest = note.partition(": ")
    return (title, rest) if mark and rest else ("", note)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _parts(
    parts: Sequence[Part],
    verdict_of: Mapping[str, Mapping[str, Any]],
    attacks: Mapping[int, Sequence[Mapping[str, Any]]],
) -> list[ShownPart]:
    found, number = [], 0
    for place, part in enumerate(parts, 1):
        entries: list[ShownStatement] = []
        section = analysis.section_called(part.title)
        for statement in part.statements:
            number += 1
            shown = _shown(number, statement, section in _PAIRS, verdict_of, attacks.get(number, ()))
            if statement.opening and entries:
                entries[-1].advice.append(shown)
            else:
                entries.append(shown)
        kind = "risks" if section == "risks" else "inventory" if section in _INVENTORY else "act"
        risks = _by_severity(entries) if kind == "risks" else ()
        found.append(ShownPart(place, kind, str(section or ""), part.title, part.paragraphs, entries, risks))
    return found


def _shown(
    number: int,
    statement: Statement,
    may_be_pair: bool,
    verdict_of: Mapping[str, Mapping[str, Any]],
    findings: Sequence[Mapping[str, Any]],
) -> ShownStatement:
    text = statement.text.strip()
    end = FoldedText(text).sentence(0)[1] if text else 0
    headline, rest = text[:end].strip(), text[end:].strip()
    quoted = _QUOTED_FIRST.match(rest)
    if quoted and statement.lock and quoted[1] in statement.quotes[:1]:
        # Its words stand below the statement.
        rest = rest[quoted.end() :]
    term, mark, value = headline.partition(": ")
    is_short = len(term) <= _TERM_MAX and len(value) <= _VALUE_MAX
    is_pair = may_be_pair and bool(mark) and not rest and is_short and not statement.opening
    bases = statement.basis.split("; ") if statement.basis else []
    authorities = [verdict_of.get(one, {"citation": one, "status": ""}) for one in bases]
    return ShownStatement(
        number=number,
        said=statement,
        headline=value if is_pair else headline,
        rest=rest,
        term=term if is_pair else "",
        cited=cited_laws(one for one in authorities if one["status"]),
        authorities=authorities,
        findings=findings,
    )


def _by_severity(entries: Sequence[ShownStatement]) -> list[RiskGroup]:
    groups: dict[str, list[ShownStatement]] = {}
    for entry in entries:
        severity = analysis.severity_called(entry.said.label or "") or ""
        groups.setdefault(severity, []).append(entry)
    names = {"high": gettext("High risk"), "medium": gettext("Medium risk"), "low": gettext("Low risk")}
    return [
        RiskGroup(
            severity, names.get(severity, ""), _SEVERITY_TONES.get(severity, "low"),
            _SEVERITY_ICONS.get(severity, "todo"), those,
        )
        for severity, those in groups.items()
    ]  # fmt: skip


def _figures(parts: Sequence[ShownPart], checks: Sequence[Mapping[str, Any]]) -> list[Figure]:
    risks = [group for part in parts if part.is_risks for group in part.risks]
    told = ", ".join(risks_in_words(group.severity, len(group.entries)) for group in risks if group.severity)
    entries = [
        one for part in parts for entry in part.entries for one in (entry, *entry.advice) if one.said.lock
    ]
    confirmed = sum(not entry.said.needs_judgment or entry.said.lock == "L5-C" for entry in entries)
    broken = sum(check["status"] in labels.BROKEN for check in checks)
    verified = sum(check["status"] == "verified" for check in checks)
    return [
        Figure(
            gettext("Risks"),
            sum(len(group.entries) for group in risks),
            told or gettext("none found"),
            next((group.tone for group in risks if group.tone != "low"), ""),
            _place(parts, "risks"),
        ),
        _counted(parts, "deadlines", gettext("Time limits"), gettext("with their last day where known")),
        _counted(parts, "clauses_missing", gettext("Missing clauses"), gettext("expected and not found")),
        Figure(
            gettext("Citations"),
            len(checks),
            ngettext("%(num)s wrong", "%(num)s wrong", broken)
            if broken
            else ngettext("%(num)s verified", "%(num)s verified", verified),
            "bad" if broken else "",
            "cited",
        ),
        Figure(
            gettext("Confirmed by code"),
            confirmed,
            gettext("of %(all)s statements; judge the others", all=len(entries)),
        ),
    ]


def risks_in_words(severity: str, number: int) -> str:
    """Return how many risks of a severity were found: 2 high."""
    if severity == "high":
        told = ngettext("%(num)s high", "%(num)s high", number)
    elif severity == "medium":
        told = ngettext("%(num)s medium", "%(num)s medium", number)
    else:
        told = ngettext("%(num)s low", "%(num)s low", number)
    return str(told)


def _counted(parts: Sequence[ShownPart], section: str, name: str, words: str) -> Figure:
    number = sum(len(part.entries) for part in parts if part.section == section)
    return Figure(name, number, words if number else gettext("none found"), "", _place(parts, section))


def _place(parts: Sequence[ShownPart], section: str) -> str:
    """Return the anchor of a section; empty where the analysis has no such section."""
    return next((f"part-{part.place}" for part in parts if part.section == section), "")


def _pages(result: Mapping[str, Any]) -> dict[str, MarkedPage]:
    """Return, by the words of each quotation as the analysis shows them, the page on which it stands."""
    if not result.get("documentRef"):
        return {}
    found: dict[str, MarkedPage] = {}
    for statement in result.get("statements", ()):
        for quote in statement["quotes"]:
            if quote.get("page"):
                place = MarkedPage(quote["page"], f"{quote['start']}-{quote['end']}")
                found.setdefault(_beginning(quote["text"]), place)
    return found


def _beginning(words: str) -> str:
    """Return what tells a quotation from others, though its page shows it shortened."""
    return " ".join(words.removesuffix("…").split())[:_TOLD_APART]


def _attacks(audit: Mapping[str, Any] | None) -> dict[int, list[Mapping[str, Any]]]:
    """Return the findings of node B by the position of the statement they concern, from 1."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for finding in audit["findings"] if audit else ():
        if finding.get("statement"):
            found.setdefault(finding["statement"], []).append(_finding(finding))
    return found


def _finding(finding: Mapping[str, Any]) -> dict[str, Any]:
    """Return a finding of node B with the tone of its icon."""
    return {**finding, "tone": "bad" if finding["severity"] == "high" else "warn"}


def _verdict_tone(status: str) -> str:
    return "ok" if status == "verified" else "bad" if status in labels.BROKEN else ""
