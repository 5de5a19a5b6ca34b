"""Rules stay silent about lawful clauses that use their words."""

from __future__ import annotations

import tomllib
from pathlib import Path

from app.rules.clause_types.exemplars import PASSAGES
from app.rules.document import Document
from app.rules.rulebook.loader import codes, rulebook
from app.rules.rulebook.risks import meets

COUNTRIES = frozenset(codes())
TEXTS = Path(__file__).with_name("texts")
FILES = ("lawful_by_rule.toml", "lawful_by_further_rule.toml", "lawful_by_message_rule.toml")


def test_lawful_clauses_do_not_meet_the_rules_whose_words_they_use() -> None:
    clauses = [one for name in FILES for one in tomllib.loads((TEXTS / name).read_text("utf-8"))["clause"]]
    assert len(clauses) > 590
    hit = []
    for one in clauses:
        # Rules of Spain name no country.
        prefix = one["rule"].partition("_")[0].upper()
        country = prefix if prefix in COUNTRIES else "ES"
        risks = {risk.id: risk for risk in rulebook(country).risks}
        if meets(Document(one["text"]), risks[one["rule"]]):
            hit.append((one["rule"], one["text"]))
    assert hit == []


def test_lawful_neighbours_of_the_newest_rules_of_spain_meet_none_of_their_patterns() -> None:
    risks = {risk.id: risk for risk in rulebook().risks}
    lawful = [
        (rule, text)
        for name in ("author_20.toml", "author_21.toml", "author_22.toml")
        for rule, given in tomllib.loads((PASSAGES.folder / name).read_text("utf-8")).items()
        for text in given["lawful"]
    ]
    assert len(lawful) > 180
    assert [(rule, text) for rule, text in lawful if meets(Document(text), risks[rule])] == []
