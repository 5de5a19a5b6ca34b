"""The six canned analyses: hand-written claims, held to what code can confirm (decision 023)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from itertools import product
from typing import Any

import pytest
import yaml

from app import corpus
from app.analysis import audit, sandbox
from app.analysis.api import examples
from app.analysis.checks.citation_findings import BROKEN, STATUSES
from app.analysis.sandbox import CannedAnswer, Name, Sample
from app.citations import extract
from app.text.bilingual import Language

ON = date(2026, 7, 1)
EVERY = list(product(sandbox.NAMES, ("es", "en"), ("standard", "deep")))
TEXTS = list(product(sandbox.NAMES, ("es", "en")))
LOCK = re.compile(r"\[(L1|L2-J|L2-J-V|L4|L5-C)\]")


def _canned(name: Name, language: Language, mode: Any = "standard", **named: Any) -> CannedAnswer:
    return sandbox.canned_answer(
        name, language, mode, **{"author": "Candado", "wire_name": "Service", "on": ON, **named}
    )


def _parts(analysis: str, wire: str = "SERVICE") -> tuple[str, dict[str, Any]]:
    """The prose of an analysis and its audit block."""
    match = re.fullmatch(
        rf"(.*)\n{wire}-AUDIT-TRAIL-BEGIN\n(.*)\n{wire}-AUDIT-TRAIL-END\n", analysis, re.DOTALL
    )
    assert match
    return match[1], yaml.safe_load(match[2])


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in _strings(item)]
    return [text for item in value for text in _strings(item)] if isinstance(value, list | tuple) else []


@pytest.mark.parametrize(("name", "language", "mode"), EVERY)
def test_the_audit_block_agrees_with_the_text(name: Name, language: Language, mode: str) -> None:
    found = _canned(name, language, mode)
    prose, block = _parts(found.analysis)
    used = LOCK.findall(prose)
    assert list(found.certainty_locks) == list(dict.fromkeys(used))
    assert block["levels_emitted"] == {
        lock: used.count(lock) for lock in ("L1", "L2-J", "L2-J-V", "L4", "L5-C")
    }
    assert {"L1", "L4", "L5-C"} <= set(used)
    assert (block["jurisdiction"], block["mode"]) == (sandbox.sample(name).jurisdiction, mode)
    assert block["kill_switches_triggered"] == []
    assert block["executive_summary"].strip() in prose
    heading = "# Análisis: " if language == "es" else "# Analysis: "
    assert found.analysis.startswith(heading)


@pytest.mark.parametrize(("name", "language", "mode"), EVERY)
def test_locks_close_a_bullet_and_stand_nowhere_else(name: Name, language: Language, mode: str) -> None:
    found = _canned(name, language, mode)
    prose, block = _parts(found.analysis)
    for line in prose.splitlines():
        tokens = LOCK.findall(line)
        scope = line.startswith("- ") and line in prose.split("\n## ")[-1]
        assert len(tokens) == (1 if line.startswith("- ") and not scope else 0), line
        assert not tokens or line.endswith(f"[{tokens[0]}]")
    assert not LOCK.search(str(block))
    assert not LOCK.search(str(found.audit))


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_quotation_stands_literally_in_the_document(name: Name, language: Language) -> None:
    document = sandbox.sample(name).document
    prose, _ = _parts(_canned(name, language).analysis)
    quotation = re.compile(r"«([^»]+)»" if language == "es" else r"“([^”]+)”")
    lines = [line for line in prose.splitlines() if line.endswith("[L1]")]
    assert len(lines) >= 5
    for line in lines:
        assert quotation.search(line), line
    for words in quotation.findall(prose):
        assert words in document


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_nothing_was_claimed_that_code_did_not_confirm(name: Name, language: Language) -> None:
    _, block = _parts(_canned(name, language).analysis)
    checks = _canned(name, language).citation_checks["checks"]
    broken = [check["citation"] for check in checks if check["status"] in BROKEN]
    flags = block["review_flags"]
    assert len(flags) == len(broken), flags
    assert all(any(flag.endswith(citation) for flag in flags) for citation in broken)


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_the_verdicts_are_the_verifiers_own(name: Name, language: Language) -> None:
    chosen = sandbox.sample(name)
    written = [chosen.document, *(c for s in chosen.statements for c in s.citations)]
    expected = {
        citation.canonical or citation.text: corpus.verify(citation, ON).status
        for text in written
        for citation in extract(text, chosen.jurisdiction)
    }
    found = _canned(name, language).citation_checks
    assert [check["status"] for check in found["checks"]] == [
        corpus.verify(citation, ON).status
        for check in found["checks"]
        for citation in extract(check["citation"], chosen.jurisdiction)
    ]
    assert len(found["checks"]) == found["total"] == len(expected)
    assert list(found["counts"]) == list(STATUSES)
    for status in STATUSES:
        assert found["counts"][status] == list(expected.values()).count(status)
    assert found["anyBroken"] == any(found["counts"][status] for status in BROKEN)


@pytest.mark.parametrize("name", sandbox.NAMES)
def test_every_basis_is_a_citation_that_code_can_read(name: Name) -> None:
    chosen = sandbox.sample(name)
    for one in chosen.statements:
        for written in one.citations:
            assert [c.text for c in extract(written, chosen.jurisdiction)] == [written]


@pytest.mark.parametrize("name", sandbox.NAMES)
def test_the_prose_cites_nothing_broken_but_what_the_document_cites(name: Name) -> None:
    chosen = sandbox.sample(name)
    blamed = {
        citation.canonical
        for citation in extract(chosen.document, chosen.jurisdiction)
        if corpus.verify(citation, ON).status in BROKEN
    }
    for text in _strings(chosen.model_dump(exclude={"document"})):
        for citation in extract(text, chosen.jurisdiction):
            status = corpus.verify(citation, ON).status
            # A short form of the document's own citation ("Ley 22/2003") is the same authority.
            same = any(set(citation.canonical) & set(known) for known in blamed) or (
                status == "derogated" and any(citation.norm in str(known) for known in blamed)
            )
            assert status not in BROKEN or same, (text, citation.text, status)


@pytest.mark.parametrize("name", sandbox.NAMES)
def test_the_data_is_complete_in_both_languages(name: Name) -> None:
    chosen = sandbox.sample(name)
    assert 50 <= len(chosen.document) <= 50_000
    assert corpus.jurisdiction(chosen.jurisdiction)
    sections = set()
    for one in chosen.statements:
        assert one.es.strip() != one.en.strip()
        assert bool(one.reason_es) == bool(one.reason_en) == (one.proposed == "L5-C"), one
        sections.add(one.section)
    assert {"risks", "parties", "dates", "deadlines", "reasoning", "recommendations"} <= sections
    assert not LOCK.search(str(chosen.model_dump()))
    assert "AUDIT-TRAIL" not in str(chosen.model_dump())


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_deep_adds_an_audit_and_standard_has_none(name: Name, language: Language) -> None:
    plain, deep = _canned(name, language), _canned(name, language, "deep")
    assert plain.audit is None
    assert "+" not in plain.model
    assert deep.model == f"{plain.model}+{deep.audit['auditor']}" if deep.audit else False
    assert deep.audit
    findings = deep.audit["findings"]
    assert len(findings) >= 2
    for finding in findings:
        assert finding["type"] in audit.FINDINGS
        assert finding["severity"] in audit.SEVERITIES
        assert 1 <= len(finding["description"]) <= 1000
    worst = max(audit.SEVERITIES.index(finding["severity"]) for finding in findings)
    assert deep.audit["overallSeverity"] == audit.SEVERITIES[worst]
    assert deep.audit["text"]
    assert deep.audit["recommendations"]
    # What differs in the text is the mode and the module that names the auditor.
    prose, block = _parts(deep.analysis)
    assert prose == _parts(plain.analysis)[0]
    assert len(block["modules_active"]) == 2


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_the_auditor_reports_every_broken_citation(name: Name, language: Language) -> None:
    found = _canned(name, language, "deep")
    assert found.audit
    reported = [f["description"] for f in found.audit["findings"] if f["type"] == "citation_error"]
    broken = [c["citation"] for c in found.citation_checks["checks"] if c["status"] in BROKEN]
    assert len(reported) == len(broken)
    for citation in broken:
        assert any(citation in description for description in reported)


def test_an_integrator_sees_good_and_bad_news_among_the_six() -> None:
    statuses = {
        status
        for name in sandbox.NAMES
        for status, count in _canned(name, "es").citation_checks["counts"].items()
        if count
    }
    assert statuses >= {"verified", "derogated", "not_verifiable"}
    severities = {
        found.audit["overallSeverity"]
        for name in sandbox.NAMES
        if (found := _canned(name, "es", "deep")).audit
    }
    assert severities == {"medium", "high"}


@pytest.mark.parametrize(("name", "language", "mode"), EVERY)
def test_names_come_from_the_settings(name: Name, language: Language, mode: str) -> None:
    found = _canned(name, language, mode, author="Acme Lex", wire_name="Acme")
    assert "Acme Lex" in _parts(found.analysis, "ACME")[0]
    everything = found.analysis + json.dumps(found.audit) + found.model
    # The word for a lock is "candado"; with a capital it is the name of the product.
    assert "Candado" not in everything
    assert "SERVICE" not in everything


def test_an_override_changes_the_name_and_not_the_law() -> None:
    own, asked = _canned("contract_es", "en"), _canned("contract_es", "en", jurisdiction="LV")
    assert _parts(asked.analysis)[1]["jurisdiction"] == "LV"
    assert asked.citation_checks == own.citation_checks
    assert asked.analysis == own.analysis.replace("jurisdiction: ES", "jurisdiction: LV")


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_notes_say_what_an_override_leaves_alone(language: Language) -> None:
    chosen: Sample = sandbox.sample("laboral_cl")
    plain = sandbox.notes(chosen, language, jurisdiction="CL", branch="laboral")
    assert "CL, laboral" not in plain
    for jurisdiction, branch in (("PE", "laboral"), ("CL", "civil")):
        changed = sandbox.notes(chosen, language, jurisdiction=jurisdiction, branch=branch)
        assert changed.startswith(plain)
        assert "CL, laboral" in changed


def test_the_example_of_the_openapi_document_is_the_services_own_answer() -> None:
    asked = examples.SANDBOX_REQUEST
    found = _canned(asked["sample"], asked["language"], asked["mode"])
    shown = examples.SANDBOX_ANSWER
    assert shown == examples.steadied(shown)
    assert shown["analysis"] == found.analysis, "run: make examples"
    assert shown["citationChecks"] == found.citation_checks
    assert {**shown["audit"], "processingMs": 0} == {**(found.audit or {}), "processingMs": 0}
    assert examples.UNKNOWN_SAMPLE["details"]["allowed"] == list(sandbox.NAMES)
