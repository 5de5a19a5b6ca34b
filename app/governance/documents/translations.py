"""Texts of the audit document: English here, Spanish in the catalogue (decision 061).

The context of a message in the catalogue is `audit document: ` and its name here, such as `problems.link`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from babel import Locale

from app.corpus import VERDICTS, verdict_name
from app.governance.audit_log import BROKEN
from app.governance.chain import ChainVerdict, Problem
from app.platform.catalogue import catalogue
from app.text.bilingual import Language, pick

_ENGLISH: Mapping[str, Any] = {
    "title": "Audit trail",
    "of_one": "Audit trail of an analysis",
    "description": "Metadata of legal analyses, chained by their hashes",
    "page": "Page",
    "account": "Account",
    "legal_name": "Legal name",
    "period": "Period (UTC)",
    "filters": "Filters",
    "only_key": "only the key “{name}”",
    "only_flagged": "only analyses with a broken citation",
    "made": "Issued (UTC)",
    "analysis": "Analysis",
    "analyses": "Analyses",
    "credits": "Credits",
    "credit": ("credit", "credits"),
    "masked": "Identifiers masked",
    "masked_short": "Identifiers masked",
    "cited": "Citations",
    "broken": "Broken citations",
    "flagged": "With broken citations",
    "findings": "Findings of node B",
    "reviews": "Review by people",
    "decision": "Newest decision",
    "decisions": {
        "accepted": "accepted", "corrected": "corrected", "rejected": "rejected", "none": "not reviewed",
    },
    "former_member": "a former member",
    "chain": "Chain of records",
    "whole": "Intact: {n} hashes were recomputed and all match.",
    "stretch": (
        "Intact between positions {first} and {last} of {n}: {checked} hashes were recomputed and all "
        "match. The entire chain is recomputed for the audit trail of a period."
    ),
    "nothing": "There are no records, so no chain was verified.",
    "problems": {
        "missing": "Broken: the record at position {seq} is missing.",
        "link": "Broken: the record at position {seq} ({id}) does not contain the hash of the previous "
        "record.",
        "content": "Broken: the content of the record at position {seq} ({id}) does not match its hash.",
        "columns": (
            "Broken: the record at position {seq} ({id}) is listed with a time, key, account or request "
            "that differs from its content."
        ),
        "head": "Broken: the stored end of the chain does not match its records (position {seq}).",
        "log": "Broken: the transparency log has a different record at position {seq}, or it is gone.",
    },
    "problems_more": "In total, {n} positions of the chain are invalid.",
    "problems_short": {
        "missing": "missing", "link": "does not follow the previous record", "content": "content changed",
        "columns": "listed with data that differ from its content", "head": "end changed",
        "log": "differs from the transparency log",
    },
    "unfit_title": "Invalid records of the chain",
    "left_out": "Positions in between of other keys or days, or without a broken citation: {n}.",
    "head": "Last hash of the chain",
    "positions": "Positions in the chain",
    "from_to": "{first} to {last}, {n} records",
    "when": "When (UTC)",
    "key": "Key",
    "law": "Jurisdiction and branch",
    "mode": "Mode",
    "month": "Month",
    "locks": "Certainty locks",
    "lock": "Lock",
    "statements": "Statements",
    "citations": "Citations by verdict",
    "verdict": "Verdict",
    "redactions": "Masked before any model, by type",
    "type": "Type",
    "number": "Number",
    "models": "Models",
    "versions": "Versions",
    "request": "Request",
    "id": "Id of the analysis",
    "documents": "Document",
    "document": "Hash of the document",
    "characters": "characters",
    "answer": "Hash of the analysis",
    "hash": "Hash of the record",
    "previous": "Hash of the previous record",
    "position": "Position in the chain",
    "of": "of",
    "none": "none",
    "none_found": "none",
    "empty": "There were no analyses in this period.",
    "sums": "Summary of the period",
    "by_month": "By month",
    "by_key": "By key",
    "by_law": "By jurisdiction and branch",
    "by_mode": "By mode",
    "others": "{n} others",
    "list": "Analyses, one by one",
    "list_flagged": "Analyses with broken citations",
    "not_listed": (
        "The period has more analyses than can be printed. This document lists the newest {n} of the "
        "{all} with a broken citation; all {records} of the period are complete in the attached files."
    ),
    "none_flagged": (
        "The period has more analyses than can be printed, and none has a broken citation. All {records} "
        "are complete in the attached files."
    ),
    "verify": "How to verify it",
    "how": (
        (
            "The complete records are attached to this document: audit_records.json, for recomputation, "
            "and audit_records.csv, for spreadsheets. PDF readers show them as attachments."
        ),
        (
            "The hash of a record is the SHA-256, in hexadecimal, of the hash of the previous record, a "
            "colon, the position, a colon and the content in canonical form (RFC 8785), in UTF-8. For the "
            "first record, the previous hash is sixty-four zeros."
        ),
        (
            "The hash of the document is the SHA-256 of its text in UTF-8; the hash of the analysis is "
            "that of its text in NFC without leading or trailing white space. Anyone who kept the texts "
            "can recompute the hashes and prove that these are the texts."
        ),
        (
            "Records form a chain: each contains in previousHash the hash of the previous record and has "
            "the next position. Positions in between that are not part of this document are listed under "
            "“omitted” at the end of audit_records.json, with the first, the last and the number of "
            "records. If a record is changed, added, removed or moved, one of these no longer holds. The "
            "last hash, above, fixes the chain up to today: every later record depends on it."
        ),
    ),
    "kept": (
        "Neither documents nor analyses are stored; this document contains only metadata. The text of "
        "each citation is part of the analysis and is not stored either: verdicts are given as counts."
    ),
    "meaning": "What it means",
    "attachments": ("The records as they are stored", "The records as a table"),
    "verdict_words": {
        "verified": "the source exists and says what is cited",
        "mismatch": "the source exists and says something else",
        "not_found": "the source is loaded and does not contain what is cited",
        "derogated": "the provision cited is not in force",
        "not_verifiable": "there is no source to check it against; this does not mean that it is wrong",
        "pending": "the check was not finished",
    },
    "lock_words": {
        "L1": "restates words of the text or of the law",
        "L2-J": "a passage of the judgment cited supports it",
        "L2-J-V": "a passage of the judgment supports it, still good law",
        "L4": "inference, needs review",
        "L5-C": "critical risk, with its reason",
    },
    "modes": {"standard": "Standard", "deep": "Deep, with an audit by node B"},
    "modes_short": {"standard": "Standard", "deep": "Deep"},
    "finding_types": {
        "hallucination": "unsupported", "missing_clause": "missing clause",
        "weak_reasoning": "weak reasoning", "citation_error": "wrong citation", "other": "other",
    },
    "severities": {"low": "low", "medium": "medium", "high": "high"},
    "branches": {
        "civil": "Civil law", "penal": "Criminal law", "laboral": "Employment law",
        "mercantil": "Commercial law", "contencioso": "Administrative litigation",
        "constitucional": "Constitutional law", "familia": "Family law", "internacional": "International law",
    },
}  # fmt: skip


def messages() -> Iterator[tuple[str, str]]:
    """Yield every text that needs a translation: its context in the catalogue, and its English."""
    found: list[tuple[str, str]] = []

    def note(context: str, english: str) -> str:
        found.append((context, english))
        return english

    _each(note, _ENGLISH)
    yield from found


def _each(translate: Callable[[str, str], str], texts: Any, name: str = "") -> Any:
    """Return the tree `texts` with each text replaced by `translate(context, text)`."""
    if isinstance(texts, str):
        return translate(f"audit document: {name}", texts)
    if isinstance(texts, Mapping):
        return {key: _each(translate, one, f"{name}.{key}" if name else key) for key, one in texts.items()}
    return tuple(_each(translate, one, f"{name}.{place}") for place, one in enumerate(texts))


@cache
def _names(language: str) -> Mapping[str, str]:
    """Return the names of countries by ISO code."""
    return dict(Locale(language).territories)


@dataclass(frozen=True, slots=True)
class Translations:
    """Texts of one language, `texts["title"]`, and its way of writing figures and codes."""

    language: Language
    _all: Mapping[str, Any]

    broken_verdicts = BROKEN

    def __getitem__(self, name: str) -> Any:
        return self._all[name]

    def figure(self, number: int) -> str:
        """Format a number: 12,345 in English, 12 345 in Spanish."""
        english = f"{number:,}"
        # Four figures stay together in Spanish.
        spanish = str(number) if abs(number) < 10_000 else english.replace(",", "\u00a0")
        return pick(self.language, spanish, english)

    def branch_of(self, code: str) -> str:
        """Return the name of a branch of law."""
        return str(self["branches"].get(code, code))

    def place(self, code: str) -> str:
        """Return the code of a jurisdiction, with its name where it is a country."""
        name = _names(self.language).get(code)
        return f"{name} ({code})" if name else code

    def mode_of(self, code: str) -> str:
        """Return the name of a mode of analysis."""
        return str(self["modes"].get(code, code))

    def credits_of(self, number: int) -> str:
        """Return a number of credits with its unit."""
        return f"{self.figure(number)} {self['credit'][0 if number == 1 else 1]}"

    def finding(self, code: str) -> str:
        """Return the type and severity of a finding."""
        kind, _, severity = code.partition(" ")
        severity = self["severities"].get(severity, severity)
        return f"{self['finding_types'].get(kind, kind)} ({severity})" if severity else kind

    def counted(self, counts: Mapping[str, int], names: Mapping[str, str] | None = None) -> str:
        """Return counts as `verified × 3, not found × 1`, or that there are none."""
        found = [f"{(names or {}).get(name, name)} × {count}" for name, count in counts.items() if count]
        return ", ".join(found) or str(self["none"])

    def findings_of(self, counts: Mapping[str, int]) -> str:
        """Return the numbers of findings by type and severity."""
        found = [f"{self.finding(code)} × {count}" for code, count in counts.items() if count]
        return ", ".join(found) or str(self["none_found"])

    def verdict_of(self, verdict: ChainVerdict) -> str:
        """Return the verdict on a chain in a sentence or two."""
        if not verdict.valid:
            problem = str(self["problems"][verdict.problem])
            said = problem.format(seq=self.figure(verdict.first_broken_seq or 0), id=verdict.first_broken)
            more = self["problems_more"].format(n=self.figure(verdict.broken)) if verdict.broken > 1 else ""
            return f"{said} {more}".strip()
        if not verdict.records:
            return str(self["nothing"])
        if not verdict.partial:
            return str(self["whole"]).format(n=self.figure(verdict.records))
        return str(self["stretch"]).format(
            first=self.figure(verdict.first),
            last=self.figure(verdict.last or 0),
            n=self.figure(verdict.records),
            checked=self.figure(verdict.checked),
        )

    def unfit(self, found: Sequence[tuple[int, Problem]], broken: int) -> str:
        """Return the records that do not fit by position, as `4: content changed; 9: missing …`."""
        named = "; ".join(f"{self.figure(seq)}: {self['problems_short'][problem]}" for seq, problem in found)
        return f"{named} …" if found and broken > len(found) else named

    def finding_names(self, codes: Iterable[str]) -> dict[str, str]:
        """Return the names of findings by code."""
        return {code: self.finding(code) for code in codes}


@cache
def translations(language: Language) -> Translations:
    """Return the texts of the document in a language."""
    texts = _each(catalogue(language).upgettext, _ENGLISH)
    texts["verdicts"] = {status: verdict_name(status, language) for status in VERDICTS}
    return Translations(language, texts)
