"""Audit node A's analysis as its adversary: node B (decision 020).

Two auditors. The deterministic one always works: it holds every statement against the document, the law and
what the rules find by themselves. A language model adds what needs reading; code judges each objection, node
A answers once, and code judges again (decision 072). Invariant: what code finds is always among the findings,
and the overall severity is never below the worst of them, whatever a model says.
"""

from app.analysis.audit.audit import Audit, Challenge, challenge, conclude
from app.analysis.audit.case import Case
from app.analysis.audit.checks import MODEL as DETERMINISTIC
from app.analysis.audit.finding import FINDINGS, OUTCOMES, SEVERITIES, Finding
from app.analysis.audit.model_audit import auditor

__all__ = [
    "DETERMINISTIC",
    "FINDINGS",
    "OUTCOMES",
    "SEVERITIES",
    "Audit",
    "Case",
    "Challenge",
    "Finding",
    "auditor",
    "challenge",
    "conclude",
]
