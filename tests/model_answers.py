"""What a model answers as node A, made of statements in one list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def analysis(
    statements: Sequence[Mapping[str, Any]], *, document_kind: str = "lease", summary: str = "A lease."
) -> dict[str, Any]:
    """An answer that fits node A's schema: each risk becomes an issue, advice that of the first without any.

    Args:
        statements: each with section, text, quotes, citations, proposed_lock, severity and reason.
        document_kind: as the model calls it.
        summary: of the document.
    """
    issues: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for one in statements:
        if one["section"] == "risks":
            issues.append(issue(one["text"], rule=one.get("reason", ""), **_support(one, severity=True)))
        elif one["section"] == "recommendations":
            about = next((each for each in issues if not each["recommendation"]), None)
            if about is None:
                issues.append(issue(one["text"], **_support(one, severity=True)))
            else:
                about["recommendation"] = one["text"]
        else:
            others.append({"section": one["section"], "text": one["text"], **_support(one)})
    return {"document_kind": document_kind, "summary": summary, "issues": issues, "statements": others}


def issue(text: str, **parts: Any) -> dict[str, Any]:
    """One issue; what is not given is empty."""
    empty: dict[str, Any] = {
        "issue": text, "rule": "", "rule_quotes": [], "application": "", "missing_fact": "",
        "recommendation": "", "quotes": [], "citations": [], "proposed_lock": "L4", "severity": "medium",
    }  # fmt: skip
    assert parts.keys() <= empty.keys(), parts.keys() - empty.keys()
    return empty | parts


def flat(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The issues and the statements of an answer in one list."""
    return [*answer["issues"], *answer["statements"]]


def _support(one: Mapping[str, Any], *, severity: bool = False) -> dict[str, Any]:
    found = {name: one[name] for name in ("quotes", "citations", "proposed_lock")}
    return found | ({"severity": one.get("severity", "none")} if severity else {})
