"""Analyse contracts, pleadings and administrative acts by rules, without a model.

It needs no key and no network. What it knows of law stands in `data/*.toml`, each rule with its legal
basis, where a lawyer can read and extend it. Owns no table. Invariant: every quotation in its draft is an
exact slice of the text, and the law that it cites holds in the jurisdiction of the document.

`draft` holds the values that every engine hands over, a model's too: statements with their claimed support.
"""

from __future__ import annotations

from app.rules.assessed import BRANCHES, coverage
from app.rules.brief import Brief, Engine
from app.rules.clause_types import WeightsError, kind_classifier
from app.rules.clause_types import classifier as clause_classifier
from app.rules.clause_types.exemplars import check as check_weights
from app.rules.consistency import defined_terms, find_inconsistencies, leave_out_repeats, meanings
from app.rules.document import Document
from app.rules.document_topics import topics
from app.rules.draft import Draft, Family, Lock, Origin, Section, Severity, Source, Statement
from app.rules.engine import MODEL, RulesEngine
from app.rules.facts.comparable_values import NO_FIGURES, Figures, figures, numbers
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.document_facts import Facts, extract_facts
from app.rules.facts.sections import Block
from app.rules.misreadings import misread
from app.rules.passages import passage_index
from app.rules.periods.interest import BASIS as INTEREST_BASIS
from app.rules.periods.interest import Interest, interest
from app.rules.reading import Reading
from app.rules.render.advice import without_opening
from app.rules.render.wording import ROLES, listing
from app.rules.rulebook.loader import rule_citations
from app.rules.rulebook.resemblance import subjects
from app.rules.rulebook.schema import Basis, RuleFileError
from app.rules.stated_values import VALUE_KINDS, StatedValue, ValueKind, read_values
from app.text.bilingual import Language

__all__ = [
    "BRANCHES",
    "INTEREST_BASIS",
    "MODEL",
    "NO_FIGURES",
    "ROLES",
    "VALUE_KINDS",
    "Basis",
    "Block",
    "Brief",
    "Document",
    "Draft",
    "Engine",
    "Facts",
    "Family",
    "Figures",
    "Interest",
    "Language",
    "Lock",
    "Origin",
    "Reading",
    "RuleFileError",
    "RulesEngine",
    "Section",
    "Severity",
    "Source",
    "StatedValue",
    "Statement",
    "ValueKind",
    "WeightsError",
    "check_weights",
    "clause_classifier",
    "coverage",
    "defined_terms",
    "extract_facts",
    "figures",
    "find_inconsistencies",
    "interest",
    "kind_classifier",
    "leave_out_repeats",
    "listing",
    "meanings",
    "misread",
    "numbers",
    "of_earlier_relation",
    "passage_index",
    "read_values",
    "rule_citations",
    "subjects",
    "topics",
    "without_opening",
]
