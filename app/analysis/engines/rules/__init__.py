"""The `rules` engine: a deterministic analyser of contracts, pleadings and administrative acts.

It needs no key and no network. What it knows of law stands in `data/*.toml`, each rule with its legal basis,
where a lawyer can read and extend it. Invariant: every quotation in its draft is an exact slice of the text,
and it cites no law for documents outside Spain.
"""

from __future__ import annotations

from app.analysis.engines.rules.engine import MODEL, RulesEngine
from app.analysis.engines.rules.figures import NO_FIGURES, Figures, figures, numbers
from app.analysis.engines.rules.rulebook import RuleFileError
from app.analysis.engines.rules.rulefiles import rule_citations
from app.analysis.engines.rules.topics import topics

__all__ = [
    "MODEL",
    "NO_FIGURES",
    "Figures",
    "RuleFileError",
    "RulesEngine",
    "figures",
    "numbers",
    "rule_citations",
    "topics",
]
