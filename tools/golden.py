"""Write the golden analyses again: `python -m tools.golden [name…]`.

Each document of `tests/analysis/golden` is examined as `POST /api/v1/analyze` would examine it, on a fixed
day. Stored beside it are the facts of its analysis (`name.json`, all languages of answer in one file) and the
analysis as its reader gets it (`name.language.md`). The facts hold no wording: a test compares them field by
field. The text is for a lawyer's eye: read its difference before committing it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from app.text.bilingual import Language

if TYPE_CHECKING:
    from app.analysis.answer.report import RenderedStatement
    from app.analysis.checks.citation_findings import CheckedCitation
    from app.analysis.pipeline import Analysis

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "analysis" / "golden"
ON = datetime(2026, 4, 30, 10, 0, tzinfo=UTC)

_MONTHS: Mapping[Language, str] = {
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "en": "January February March April May June July August September October November December",
}
_DAY: Mapping[Language, re.Pattern[str]] = {
    "es": re.compile(rf"\b(\d{{1,2}}) de ({_MONTHS['es'].replace(' ', '|')}) de (\d{{4}})\b"),
    "en": re.compile(rf"\b(\d{{1,2}}) ({_MONTHS['en'].replace(' ', '|')}) (\d{{4}})\b"),
}
_FIGURE = re.compile(r"\d{4}-\d\d-\d\d|\d+(?:[.,]\d+)*")
_RULES = re.compile(r", \d+ (rules|reglas)\b")
# What groups thousands, and what stands before decimals.
_POINTS: Mapping[Language, tuple[str, str]] = {"es": (".", ","), "en": (",", ".")}


@dataclass(frozen=True, slots=True)
class Golden:
    """One document in one language of answer, with the files of its analysis."""

    name: str
    text: str
    branch: str
    language: Language
    mask_names: bool

    @property
    def file(self) -> Path:
        """The analysis as its reader gets it."""
        return FOLDER / f"{self.name}.{self.language}.md"

    @property
    def facts_file(self) -> Path:
        """The facts of the analysis, the same for every language of answer."""
        return FOLDER / f"{self.name}.json"


def cases(names: Sequence[str] = ()) -> Iterator[Golden]:
    """The cases of `cases.toml`, all or those named."""
    for name, given in tomllib.loads((FOLDER / "cases.toml").read_text("utf-8")).items():
        if names and name not in names:
            continue
        text = (FOLDER / f"{given.get('of', name)}.txt").read_text("utf-8")
        for language in given["languages"]:
            yield Golden(name, text, given["branch"], language, given.get("mask_names", False))


def analysis_of(case: Golden) -> Analysis:
    """Examine the document of one case with the engine `rules` and node B."""
    from app import corpus
    from app.analysis.pipeline import analyse
    from app.analysis.request import BRANCHES, AnalysisRequest
    from app.branding import Attribution
    from app.platform.confidential import DocumentText

    branch = next(one for one in BRANCHES if one == case.branch)
    request = AnalysisRequest(DocumentText(case.text), "ES", branch, case.language, "deep")
    # On the registry alone, whatever corpus the database of the day holds.
    with patch.object(corpus, "look_up", lambda *_: corpus.LookupResult()):
        return analyse(request, mask_names=case.mask_names, on=ON, attribution=Attribution())


def page_of(found: Analysis) -> str:
    """Return the analysis as its reader gets it, without the number of rules, which each new rule changes."""
    return _RULES.sub(r", N \1", found.report.markdown)


def facts_of(found: Analysis) -> dict[str, Any]:
    """Return what an analysis says as values, the same in whatever words and language it is said."""
    report, language = found.report, found.request.language
    sections: dict[str, list[dict[str, Any]]] = {}
    for told in report.statements:
        sections.setdefault(told.section.value, []).append(_statement(told, language))
    return {
        "kind": _kind(found.draft.document_kind, language),
        "jurisdiction": found.request.jurisdiction,
        "assessment": report.assessment.level,
        "detected": report.assessment.detected.code,
        "models": list(found.models),
        "locks": dict(report.levels),
        "flags": _flags(found),
        "findings": [
            f"{one.type}, {one.severity}, statement {one.statement}"
            for one in (found.audit.findings if found.audit else ())
        ],
        "masked": dict(sorted(found.redactions.items())),
        "notes": len(found.draft.notes),
        "summary": _summary(found),
        "citations": [_citation(one) for one in found.checks],
        "statements": sections,
    }


def figures(text: str, language: Language) -> list[str]:
    """Return the figures and dates of a text in order, as "2850", "45.4" and "2026-01-15"."""
    group, decimal = _POINTS[language]

    def iso(match: re.Match[str]) -> str:
        day, month, year = match.groups()
        return f"{year}-{_MONTHS[language].split().index(month) + 1:02}-{int(day):02}"

    def plain(figure: str) -> str:
        return re.sub(rf"{re.escape(group)}(?=\d{{3}}\b)", "", figure).replace(decimal, ".")

    return [plain(one) for one in _FIGURE.findall(_DAY[language].sub(iso, text))]


def joined(said: Mapping[Language, Any]) -> Any:
    """Return the facts of all languages of answer as one; where they differ, by language."""
    first, *others = said.values()
    if all(one == first for one in others):
        return first
    if all(isinstance(one, dict) and one.keys() == first.keys() for one in said.values()):
        return {key: joined({name: one[key] for name, one in said.items()}) for key in first}
    if all(isinstance(one, list) and len(one) == len(first) for one in said.values()):
        return [joined(dict(zip(said, row, strict=True))) for row in zip(*said.values(), strict=True)]
    return dict(said)


def in_language(facts: Any, language: Language) -> Any:
    """Return facts as they are in one language of answer."""
    if isinstance(facts, list):
        return [in_language(one, language) for one in facts]
    if not isinstance(facts, dict):
        return facts
    if facts and facts.keys() <= _MONTHS.keys():
        return facts[language]
    return {key: in_language(one, language) for key, one in facts.items()}


def differences(stored: Any, now: Any, place: str = "") -> list[str]:
    """Return one line for each fact that was lost, is new or has changed, with its place."""
    if isinstance(stored, dict) and isinstance(now, dict):
        lines = []
        for key in (*stored, *(key for key in now if key not in stored)):
            inner = f"{place}.{key}" if place else key
            if key not in now:
                lines.append(f"{inner}: lost {_short(stored[key])}")
            elif key not in stored:
                lines.append(f"{inner}: new {_short(now[key])}")
            else:
                lines += differences(stored[key], now[key], inner)
        return lines
    if isinstance(stored, list) and isinstance(now, list):
        return list(_in_lists(stored, now, place))
    return [] if stored == now else [f"{place}: {_short(stored)} -> {_short(now)}"]


def as_json(facts: Mapping[str, Any]) -> str:
    """Return facts as JSON with a line for each statement and each citation."""
    lines = []
    for key, value in facts.items():
        if key == "citations":
            value = _lines(value, "  ")
        elif key == "statements":
            rows = (f"    {_short(name)}: {_lines(rows, '    ')}" for name, rows in value.items())
            value = "{\n" + ",\n".join(rows) + "\n  }"
        else:
            value = _short(value)
        lines.append(f"  {_short(key)}: {value}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the facts and the texts of the cases named, or of all, and print what changed."""
    os.environ.setdefault("SECRET_KEY", "x" * 32)
    for name, documents in groupby(cases(sys.argv[1:]), key=lambda case: case.name):
        said: dict[Language, Any] = {}
        for case in documents:
            found = analysis_of(case)
            said[case.language] = facts_of(found)
            case.file.write_text(page_of(found), "utf-8")
        file = case.facts_file
        stored = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(as_json(joined(said)), "utf-8")
        print(f"{name}:", *differences(stored, joined(said)) or ["the same facts"], sep="\n  ")


def _statement(told: RenderedStatement, language: Language) -> dict[str, Any]:
    reason = f" {told.reason}" if told.reason else ""
    says = dict(told.facts)
    if told.section.value == "parties":
        says["named"] = told.text.partition(": ")[2]
    return {
        "says": says,
        "lock": told.lock.value,
        **({"severity": told.severity} if told.severity else {}),
        "figures": figures(told.text + reason, language),
        "quotes": [f"{one.start}-{one.end} {one.text}" for one in told.quotes],
        "law": {one.written: f"{one.status}, {one.depth or '-'}, {one.support}" for one in told.backing},
    }


def _citation(one: CheckedCitation) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "cited": one.citation.text,
        "means": list(one.citation.canonical),
        "status": verdict.status,
        "depth": verdict.depth,
        "mismatch": verdict.mismatch_kind,
        "law": verdict.norm_title,
        "in_document": one.in_document,
    }


def _summary(found: Analysis) -> dict[str, Any]:
    text, language = found.report.summary, found.request.language
    parties = [
        one.text.partition(": ")[2].split(", ")[0]
        for one in found.report.statements
        if one.section == "parties"
    ]
    return {
        "figures": figures(text, language),
        "parties": [name for name in parties if name.rstrip(".") in text],
    }


def _flags(found: Analysis) -> list[str]:
    """What the review flags are about; their words are not told apart."""
    from app.analysis.checks.citation_findings import BROKEN

    report = found.report
    kinds = ["jurisdiction"] if report.assessment.warning else []
    kinds += [f"citation {one.verdict.status}" for one in found.checks if one.verdict.status in BROKEN]
    kinds += ["node B"] if found.audit and found.audit.findings else []
    kinds += ["lowered"] * report.lowered
    return kinds + ["other"] * (len(report.review_flags) - len(kinds))


def _kind(name: str, language: Language) -> str | None:
    from app.rules.rulebook.loader import rulebook

    return next((kind.id for kind in rulebook().kinds if kind.name.in_(language) == name), None)


def _in_lists(stored: list[Any], now: list[Any], place: str) -> Iterator[str]:
    """Compare two lists, matching statements by what they say and citations by their words."""
    keys = [_key(one) for one in stored], [_key(one) for one in now]
    for tag, i, i_end, j, j_end in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        both = min(i_end - i, j_end - j) if tag in ("equal", "replace") else 0
        for old, new in zip(stored[i : i + both], now[j : j + both], strict=True):
            yield from differences(old, new, f"{place}[{_key(old)}]")
        yield from (f"{place}: lost {_short(one)}" for one in stored[i + both : i_end])
        yield from (f"{place}: new {_short(one)}" for one in now[j + both : j_end])


def _key(one: Any) -> str:
    if isinstance(one, dict):
        says = one.get("says")
        return " ".join(says.values()) if says else str(one.get("cited"))
    return str(one)


def _lines(items: Sequence[Any], indent: str) -> str:
    inner = ",\n".join(f"{indent}  {_short(item)}" for item in items)
    return f"[\n{inner}\n{indent}]" if items else "[]"


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
