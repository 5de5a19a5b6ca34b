"""Compose a report of the answer of a job: what it says and in which order. Pure (decision 079).

It is made of the answer's fields (statements, checks, audit, flags), never of its Markdown, which a document
with a page limit of its own leaves things out of. Whatever warns a reader in the answer is in the report.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app import analysis, corpus, governance
from app.reports import wording as w
from app.reports.blocks import (
    Block,
    Bullets,
    Cell,
    Chapter,
    Composition,
    Facts,
    Figures,
    Frame,
    Heading,
    Line,
    Mark,
    Paragraph,
    Quotation,
    StatementBlock,
    Table,
    Warnings,
)
from app.text.bilingual import Bilingual, Language, language_of, pick
from app.text.sentences import FoldedText

# From this confidence on a document that points to another country's law is worth a warning.
_PLAIN = 0.5
_CARDS = ("risks",)
_DUE = ("deadlines", "amounts")
_MORE = ("clauses_missing", "recommendations", "reasoning")
_INVENTORY = ("obligations", "parties", "dates", "clauses_present")
# Sections whose statements are short and many.
_TABLES = ("amounts", "citations", *_INVENTORY)
_SEVERITIES = ("high", "medium", "low")
_SEVERITY_MARKS: Mapping[str, Mark] = {"high": "bad", "medium": "warn"}
_VERDICTS = ("not_found", "derogated", "mismatch", "pending", "not_verifiable", "verified")
_VERDICT_MARKS: Mapping[str, Mark] = {
    "not_found": "bad", "derogated": "bad", "mismatch": "bad", "pending": "warn", "verified": "good",
}  # fmt: skip
_BROKEN = ("not_found", "derogated", "mismatch")


@dataclass(frozen=True, slots=True)
class Occasion:
    """The job whose answer is reported, and under whose name.

    Attributes:
        job_id: its id.
        request_id: of the call that sent it.
        completed_at: when it completed.
        name: under whose name the report goes out; empty for nobody's.
        contact: what stands under that name.
    """

    job_id: str
    request_id: str
    completed_at: datetime
    name: str = ""
    contact: tuple[str, ...] = ()


# What XML 1.0 cannot hold (2.2): a document may contain it, and neither Word nor a PDF can show it.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _printable(value: Any) -> Any:
    """Return a value of JSON without characters that no format can show."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub(" ", value)
    if isinstance(value, Mapping):
        # The analysis is not shown, its hash is: it stays as it is.
        return {name: one if name == "analysis" else _printable(one) for name, one in value.items()}
    return [*map(_printable, value)] if isinstance(value, list) else value


def compose(answers: Sequence[Mapping[str, Any]], occasion: Occasion, *, several: bool) -> Composition:
    """Compose the report.

    Args:
        answers: the items of a batch's answer, failures among them, or the one answer.
        occasion: the job, and under whose name the report goes out.
        several: whether it is a report on a batch, which has a chapter for each document.
    """
    placed = list(enumerate(map(_printable, answers), 1))
    made = [(place, one) for place, one in placed if "analysis" in one]
    failed = [(place, one) for place, one in placed if "analysis" not in one]
    language = language_of(made[0][1].get("language")) if made else "es"
    engine = "+".join(dict.fromkeys(one["contentOrigin"]["engine"] for _, one in made))
    by_model = any(not analysis.by_rules_alone(one["contentOrigin"]["engine"]) for _, one in made)
    origin = (w.BY_MODEL if by_model else w.BY_RULES).in_(language).format(engine=engine)
    first = made[0][1] if made else {}
    if several:
        title = w.TITLE_OF_SEVERAL.in_(language).format(n=w.figure(len(placed), language))
        subtitle = w.moment(occasion.completed_at, language)
    else:
        title = w.TITLE.in_(language)
        subtitle = _kind(first, language)
    foot = [w.GENERATED.in_(language), occasion.request_id]
    frame = Frame(
        title=title,
        subtitle=subtitle,
        language=language,
        name=occasion.name,
        contact=occasion.contact,
        foot=" · ".join(foot),
        page=w.PAGE.in_(language),
        of=w.OF.in_(language),
        origin=origin,
        origin_code="trainedAlgorithmicMedia" if by_model else "algorithmicMedia",
        made=occasion.completed_at,
        subject=w.DESCRIPTION.in_(language),
    )
    chapters = []
    for place, one in made:
        tongue = language_of(one.get("language"))
        head: tuple[Block, ...] = ()
        if several:
            head = (Heading(f"{place}. {_kind(one, tongue)}", 1),)
        chapters.append(Chapter(tongue, (*head, *_Document(one, tongue).blocks(occasion, several=several))))
    opening = _overview(made, failed, language) if several else ()
    return Composition(frame, opening, chapters, _closing(made, occasion, origin, language, several=several))


def notes(answer: Mapping[str, Any], language: Language) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """Return each quotation of an answer with the paragraphs of a note on it, the gravest first."""
    return _Document(_printable(answer), language).notes()


def _kind(one: Mapping[str, Any], language: Language) -> str:
    kind = str(one.get("documentKind") or w.UNKNOWN_KIND.in_(language))
    return kind[:1].upper() + kind[1:]


def _overview(
    made: Sequence[tuple[int, Mapping[str, Any]]],
    failed: Sequence[tuple[int, Mapping[str, Any]]],
    language: Language,
) -> tuple[Block, ...]:
    """Return what opens the report on a batch: its documents, and those that have no analysis."""
    blocks: list[Block] = [
        Figures(
            (
                (w.figure(len(made), language), w.counted("documents", len(made), language), ""),
                (
                    w.figure(len(failed), language),
                    w.counted("failures", len(failed), language),
                    "bad" if failed else "",
                ),
            )
        )
    ]
    if made:
        rows = []
        for place, one in made:
            tally = _Tally(one)
            rows.append(
                (
                    Cell(str(place)),
                    Cell(_kind(one, language), str(one["id"]) if one.get("id") else ""),
                    Cell(
                        f"{tally.risks} ({tally.high} {w.counted('high', tally.high, language)})",
                        mark="bad" if tally.high else "",
                    ),
                    Cell(f"{tally.citations} ({tally.broken})", mark="bad" if tally.broken else ""),
                )
            )
        columns = (
            w.POSITION.in_(language),
            w.KIND.in_(language),
            w.SECTIONS["risks"].in_(language),
            f"{w.CITATIONS.in_(language)} ({w.counted('broken', 2, language)})",
        )
        blocks += [Heading(w.CONTENTS.in_(language)), Table(columns, (8, 46, 20, 26), tuple(rows))]
    if failed:
        heads = (w.POSITION.in_(language), w.OWN_ID.in_(language), w.WHY.in_(language))
        wrong = tuple(
            (
                Cell(str(place)),
                Cell(str(one.get("id") or "–")),
                Cell(str(one["error"]), str(one["code"]), "bad"),
            )
            for place, one in failed
        )
        blocks += [Heading(w.FAILURES.in_(language)), Table(heads, (8, 26, 66), wrong)]
    return tuple(blocks)


def _closing(
    made: Sequence[tuple[int, Mapping[str, Any]]],
    occasion: Occasion,
    origin: str,
    language: Language,
    *,
    several: bool,
) -> tuple[Block, ...]:
    """Return how to read the report, and what it is known by."""
    rows = [
        (w.ORIGIN.in_(language), origin),
        (w.REQUEST.in_(language), occasion.request_id),
        (w.JOB.in_(language), occasion.job_id),
    ]
    if made and not several:
        rows.append((w.HASH.in_(language), governance.content_hash(made[0][1]["analysis"])))
    literal = frozenset({w.REQUEST.in_(language), w.JOB.in_(language), w.HASH.in_(language)})
    return (
        Heading(w.ABOUT.in_(language)),
        Paragraph(w.HELP.in_(language)),
        Facts(tuple((name, meaning.in_(language)) for name, meaning in w.LOCK_MEANINGS.items())),
        Facts(tuple(rows), literal),
    )


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts of one answer."""

    answer: Mapping[str, Any]

    def _of(self, section: str) -> list[Mapping[str, Any]]:
        return [
            one
            for one in self.answer.get("statements", ())
            if one["section"] == section and not one.get("about")
        ]

    @property
    def risks(self) -> int:
        return len(self._of("risks"))

    @property
    def high(self) -> int:
        return sum(one["severity"] == "high" for one in self._of("risks"))

    @property
    def deadlines(self) -> int:
        return len(self._of("deadlines"))

    @property
    def citations(self) -> int:
        return len(self.answer.get("citationChecks", {}).get("checks", ()))

    @property
    def broken(self) -> int:
        checks = self.answer.get("citationChecks", {}).get("checks", ())
        return sum(one["status"] in _BROKEN for one in checks)


class _Document:
    """The chapter about one document."""

    def __init__(self, answer: Mapping[str, Any], language: Language) -> None:
        self.answer, self.language = answer, language
        self.statements: Sequence[Mapping[str, Any]] = answer.get("statements", ())
        known = {one["id"] for one in self.statements}
        self.said: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self.sections: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for one in self.statements:
            if one.get("about") in known and one["about"] != one["id"]:
                self.said[one["about"]].append(one)
            else:
                self.sections[one["section"]].append(one)
        parts = list(w.PARTS)
        for said in self.said.values():
            said.sort(key=lambda one: parts.index(one["part"]) if one.get("part") in parts else len(parts))

    def blocks(self, occasion: Occasion, *, several: bool) -> list[Block]:
        """Return all of it, in the order in which it is read."""
        return [
            self._head(occasion, several=several),
            *self._warnings(),
            self._figures(),
            *([Paragraph(self.answer["summary"])] if self.answer.get("summary") else []),
            *self._risks(),
            *self._due(),
            *self._more(),
            *self._citations(),
            *self._audit(),
            *self._flags(),
            *self._inventory(),
        ]

    def _say(self, words: Bilingual, **values: str) -> str:
        said = words.in_(self.language)
        return said.format(**values) if values else said

    def notes(self) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
        """Return each quotation of the document with what is said of it, the gravest first."""
        for one in sorted(self.statements, key=lambda one: _rank(one["severity"])):
            name = w.PARTS if one.get("part") else w.SECTIONS
            label = w.named(name, one.get("part") or one["section"], self.language)
            if one["severity"]:
                labels = w.RISK_LABELS if one["section"] == "risks" else w.IMPORTANCE
                label = w.named(labels, one["severity"], self.language)
            lock = f"[{one['lock']}] {w.named(w.LOCKS, one['lock'], self.language)}"
            note = [f"{label} · {lock}", str(one["text"])]
            note += [f"{line.label}: {line.text}" for line in self._lines(one)]
            for quote in one.get("quotes", ()):
                yield quote, note

    def _head(self, occasion: Occasion, *, several: bool) -> Block:
        answer, language = self.answer, self.language
        origin, engine = answer["contentOrigin"], str(answer["model"])
        locks = Counter(one["lock"] for one in self.statements)
        rows = [
            (
                self._say(w.JURISDICTION),
                f"{w.place(answer['jurisdiction'], language)}, "
                f"{w.named(w.BRANCHES, answer['legalBranch'], language)}",
            ),
            (self._say(w.ASSESSMENT), w.named(w.ASSESSMENTS, answer.get("assessment", "full"), language)),
            (self._say(w.DATE), w.moment(occasion.completed_at, language)),
            (self._say(w.ENGINE), f"{engine}, {w.named(w.MODES, answer['mode'], language)}"),
            (self._say(w.REVIEWED), self._say(w.REVIEWED_YES if origin.get("reviewed") else w.REVIEWED_NO)),
            (
                self._say(w.CERTAINTY),
                " · ".join(
                    f"{lock} {w.named(w.LOCKS, lock, language)} ({locks[lock]})"
                    for lock in w.LOCKS
                    if locks[lock]
                )
                or "–",
            ),
        ]
        literal: frozenset[str] = frozenset()
        if several:
            if answer.get("id"):
                rows.insert(0, (self._say(w.OWN_ID), str(answer["id"])))
            rows.append((self._say(w.HASH), governance.content_hash(answer["analysis"])))
            literal = frozenset({self._say(w.HASH)})
        return Facts(tuple(rows), literal)

    def _warnings(self) -> list[Block]:
        """Return what warns of the whole: what was not assessed or read, another law, broken citations."""
        answer, found = self.answer, []
        if note := answer.get("assessmentNote"):
            found.append(str(note))
        detected = answer.get("detectedJurisdiction") or {}
        code = detected.get("code")
        if code and code != answer["jurisdiction"] and detected.get("confidence", 0) >= _PLAIN:
            found.append(
                self._say(
                    w.ANOTHER_LAW,
                    found=w.place(code, self.language),
                    applied=w.place(answer["jurisdiction"], self.language),
                )
            )
        for warning in answer.get("documentWarnings", ()):
            page = warning.get("page")
            where = f" ({self._say(w.PLACE_PAGE, n=str(page))})" if page else ""
            found.append(f"{warning['message']}{where}")
        if broken := _Tally(answer).broken:
            words = w.BROKEN_ONE if broken == 1 else w.BROKEN
            found.append(self._say(words, n=w.figure(broken, self.language)))
        audit = answer.get("audit")
        if audit and audit.get("audited") is False:
            found.append(self._say(w.NO_VERDICT))
        return [Warnings(self._say(w.WARNINGS), tuple(found))] if found else []

    def _figures(self) -> Block:
        language, tally = self.language, _Tally(self.answer)

        def one(name: str, number: int, mark: Mark = "", words: str = "") -> tuple[str, str, Mark]:
            return (
                w.figure(number, language),
                words or w.counted(name, number, language),
                mark if number else "",
            )

        high = f" ({tally.high} {w.counted('high', tally.high, language)})" if tally.high else ""
        items = [
            one(
                "risks",
                tally.risks,
                "bad" if tally.high else "",
                words=w.counted("risks", tally.risks, language) + high,
            ),
            one("deadlines", tally.deadlines),
            one("citations", tally.citations),
            one("broken", tally.broken, "bad"),
        ]
        if audit := self.answer.get("audit"):
            items.append(one("findings", len(audit["findings"]), "warn"))
        items.append(one("flags", len(self.answer.get("reviewFlags", ())), "warn"))
        return Figures(tuple(items))

    def _risks(self) -> list[Block]:
        risks = sorted(self.sections["risks"], key=lambda one: _rank(one["severity"]))
        blocks: list[Block] = [Heading(self._say(w.SECTIONS["risks"]))]
        if not risks:
            return [*blocks, Paragraph(self._say(w.NO_RISKS), "muted")]
        return [*blocks, *map(self._block, risks)]

    def _due(self) -> list[Block]:
        found = [one for name in _DUE for one in self._section(name, 3)]
        return [Heading(self._say(w.DEADLINES_AND_SUMS)), *found] if found else []

    def _more(self) -> list[Block]:
        return [block for name in _MORE for block in self._section(name, 2)]

    def _inventory(self) -> list[Block]:
        # Sections that this version does not know are not lost.
        known = {*_CARDS, *_DUE, *_MORE, *_INVENTORY, "citations"}
        names = (*_INVENTORY, *(name for name in self.sections if name not in known))
        found = [one for name in names for one in self._section(name, 3)]
        return [Heading(self._say(w.INVENTORY)), *found] if found else []

    def _section(self, name: str, level: int) -> list[Block]:
        rows = self.sections.get(name)
        if not rows:
            return []
        head = Heading(w.named(w.SECTIONS, name, self.language), level)
        if name not in _TABLES:
            return [head, *map(self._block, rows)]
        columns = (self._say(w.STATEMENT), self._say(w.WORDS), self._say(w.LOCK))
        return [head, Table(columns, (40, 40, 20), tuple(map(self._row, rows)))]

    def _block(self, one: Mapping[str, Any]) -> Block:
        text, severity = str(one["text"]), one["severity"]
        limits = FoldedText(text).limits
        head = text[: limits[1]].rstrip() if len(limits) > 1 else text
        labels = w.RISK_LABELS if one["section"] == "risks" else w.IMPORTANCE
        return StatementBlock(
            number=_number(one),
            severity=severity,
            label=w.named(labels, severity, self.language) if severity else "",
            head=head,
            text=text[len(head) :].strip(),
            lock=one["lock"],
            lock_words=w.named(w.LOCKS, one["lock"], self.language),
            quotations=tuple(self._quotations(one)),
            lines=tuple(self._lines(one)),
        )

    def _row(self, one: Mapping[str, Any]) -> tuple[Cell, ...]:
        lines = [f"{line.label}: {line.text}" for line in self._lines(one)]
        severity = one["severity"]
        if severity:
            lines.insert(0, w.named(w.IMPORTANCE, severity, self.language))
        quotations = self._quotations(one)
        return (
            Cell(
                f"{_number(one)}. {one['text']}", " · ".join(lines), _SEVERITY_MARKS.get(severity or "", "")
            ),
            Cell(
                " ".join(quotation.words for quotation in quotations) or "–",
                "; ".join(dict.fromkeys(quotation.place for quotation in quotations)),
            ),
            Cell(
                one["lock"],
                w.named(w.LOCKS, one["lock"], self.language),
                "warn" if one["lock"] == "L4" else "",
            ),
        )

    def _quoted(self, words: str) -> str:
        return pick(self.language, f"«{words}»", f"“{words}”")

    def _quotations(self, one: Mapping[str, Any]) -> list[Quotation]:
        found = [
            Quotation(self._quoted(str(quote["text"])), self._place(quote))
            for quote in one.get("quotes", ())
            if quote["text"]
        ]
        found += [
            Quotation(self._quoted(str(authority["passage"])), str(authority["citation"]))
            for authority in one.get("authorities", ())
            if authority.get("passage")
        ]
        return list({(one.words, one.place): one for one in found}.values())

    def _place(self, quote: Mapping[str, Any]) -> str:
        """Return where words stand: page and paragraph where the document has them, else characters."""
        words = []
        if quote.get("page"):
            words.append(self._say(w.PLACE_PAGE, n=str(quote["page"])))
        if quote.get("paragraph"):
            words.append(self._say(w.PLACE_PARAGRAPH, n=str(quote["paragraph"])))
        if not words:
            start, end = (w.figure(int(quote[name]), self.language) for name in ("start", "end"))
            words.append(self._say(w.PLACE_CHARACTERS, start=start, end=end))
        return ", ".join(words)

    def _lines(self, one: Mapping[str, Any]) -> list[Line]:
        """Return what belongs to a statement: reason, basis, what is said about it, why it is disputed."""
        lines = []
        reason = one.get("reason")
        if reason and reason not in one["text"]:
            lines.append(Line(self._say(w.REASON), str(reason)))
        if one.get("authorities"):
            broken = any(authority["status"] in _BROKEN for authority in one["authorities"])
            basis = "; ".join(map(self._authority, one["authorities"]))
            lines.append(Line(self._say(w.BASIS), basis, "bad" if broken else ""))
        lines += [
            Line(
                w.named(w.PARTS, said.get("part", "recommendation"), self.language),
                self._told(said),
                "good" if said.get("part", "recommendation") == "recommendation" else "",
            )
            for said in self.said.get(one["id"], ())
        ]
        if one.get("disputed"):
            lines.append(Line(self._say(w.DISPUTED), str(one["disputed"]), "warn"))
        return lines

    def _told(self, said: Mapping[str, Any]) -> str:
        """Return what is said about another statement in one line, with its own lock."""
        words = [str(said["text"])]
        words += [f"{one.words} ({one.place})" for one in self._quotations(said)]
        if said.get("authorities"):
            words.append(f"({self._say(w.BASIS)}: {'; '.join(map(self._authority, said['authorities']))})")
        if said.get("disputed"):
            words.append(f"{self._say(w.DISPUTED)}: {said['disputed']}")
        words.append(f"[{said['lock']}]")
        return " ".join(words)

    def _authority(self, authority: Mapping[str, Any]) -> str:
        said = [self._verdict(authority["status"])]
        if authority.get("support") in w.SUPPORT:
            said.append(w.named(w.SUPPORT, authority["support"], self.language))
        return f"{authority['citation']} ({', '.join(said)})"

    def _verdict(self, status: Any) -> str:
        return corpus.verdict_name(status, self.language) if status in corpus.VERDICTS else str(status)

    def _citations(self) -> list[Block]:
        checks = sorted(
            self.answer.get("citationChecks", {}).get("checks", ()),
            key=lambda one: _VERDICTS.index(one["status"]) if one["status"] in _VERDICTS else -1,
        )
        blocks: list[Block] = [Heading(self._say(w.CITATIONS))]
        if not checks:
            blocks.append(Paragraph(self._say(w.NO_CITATIONS), "muted"))
        else:
            columns = (self._say(w.CITATION), self._say(w.VERDICT), self._say(w.NOTE))
            blocks.append(Table(columns, (24, 20, 56), tuple(map(self._check, checks))))
        return [*blocks, *self._section("citations", 3)]

    def _check(self, one: Mapping[str, Any]) -> tuple[Cell, ...]:
        depth = one.get("depth")
        checked = w.named(w.DEPTHS, depth, self.language) if depth else self._say(w.UNCHECKED)
        kind = self._say(w.JUDGMENT if one["kind"] == "L2-J" else w.STATUTE)
        verdict = self._verdict(one["status"])
        if one.get("mismatchKind"):
            verdict += f": {w.named(w.MISMATCHES, one['mismatchKind'], self.language)}"
        url = str(one["url"]) if str(one.get("url") or "").startswith("https://") else None
        return (
            Cell(str(one["citation"]), kind, url=url),
            Cell(verdict, checked, _VERDICT_MARKS.get(one["status"], "")),
            Cell(str(one["note"])),
        )

    def _audit(self) -> list[Block]:
        disputed = [one for one in self.statements if one.get("disputed")]
        audit = self.answer.get("audit")
        if not audit and not disputed:
            return []
        blocks: list[Block] = [Heading(self._say(w.AUDIT))]
        if audit:
            worst = w.named(w.SEVERITIES, audit["overallSeverity"], self.language)
            blocks += [
                Paragraph(str(audit["text"])),
                Paragraph(
                    f"{self._say(w.AUDITED_BY, name=audit['auditor'])} {self._say(w.WORST, severity=worst)}",
                    "muted",
                ),
            ]
            if audit.get("audited") is False:
                blocks.append(Paragraph(self._say(w.NO_VERDICT), "warning"))
            if audit["findings"]:
                blocks.append(self._findings(audit["findings"]))
            else:
                blocks.append(Paragraph(self._say(w.NO_FINDINGS), "muted"))
            if audit.get("resolved"):
                blocks += [Heading(self._say(w.RESOLVED), 3), self._findings(audit["resolved"])]
            if audit.get("recommendations"):
                blocks.append(Paragraph(f"{self._say(w.RECOMMENDED)}: {audit['recommendations']}"))
        if disputed:
            items = tuple(f"{self._say(w.STATEMENT)} {_number(one)}: {one['disputed']}" for one in disputed)
            blocks += [Heading(self._say(w.DISPUTED_POINTS), 3), Bullets(items)]
        return blocks

    def _findings(self, findings: Sequence[Mapping[str, Any]]) -> Block:
        columns = (self._say(w.FINDING), self._say(w.WHAT), self._say(w.STATEMENT))
        return Table(columns, (22, 62, 16), tuple(map(self._finding, findings)))

    def _finding(self, one: Mapping[str, Any]) -> tuple[Cell, ...]:
        below = []
        if passage := one.get("passage"):
            cited = f" ({passage['citation']})" if passage.get("citation") else ""
            below.append(self._quoted(str(passage["words"])) + cited)
        if one.get("outcome"):
            below.append(w.named(w.OUTCOMES, one["outcome"], self.language))
        if one.get("answer"):
            below.append(f"{self._say(w.ANSWER)}: {one['answer']}")
        severity = w.named(w.SEVERITIES, one["severity"], self.language)
        return (
            Cell(
                w.named(w.FINDINGS, one["type"], self.language),
                severity,
                _SEVERITY_MARKS.get(one["severity"], ""),
            ),
            Cell(str(one["description"]), " · ".join(below)),
            Cell(str(one["statement"]) if one.get("statement") else "–"),
        )

    def _flags(self) -> list[Block]:
        flags = tuple(map(str, self.answer.get("reviewFlags", ())))
        blocks: list[Block] = [Heading(self._say(w.FLAGS))]
        blocks.append(Bullets(flags) if flags else Paragraph(self._say(w.NO_FLAGS), "muted"))
        if scope := tuple(map(str, self.answer.get("scope", ()))):
            blocks += [Heading(self._say(w.SCOPE)), Bullets(scope)]
        return blocks


def _number(one: Mapping[str, Any]) -> int:
    """Return the number of a statement's id, "s12"."""
    digits = str(one["id"])[1:]
    return int(digits) if digits.isdecimal() else 0


def _rank(severity: str | None) -> int:
    return _SEVERITIES.index(severity) if severity in _SEVERITIES else len(_SEVERITIES)
