"""Hold a rule that is told in an article's own words against the article word by word. Pure.

Source: decision 121. A model is asked to tell the rule of an issue in the article's own words. Such a rule is
judged as a restatement is: where every word, figure, party and denial of it stands in the article, it is
supported; where all its words stand there and it gives a figure or a party to another, it misquotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from app.analysis.support import restatement
from app.analysis.support.article_claim import ArticleClaim
from app.analysis.support.denial import LACKING
from app.analysis.support.grammar import NEGATIONS, language_of
from app.analysis.support.law_claim import Window
from app.analysis.support.quotation import Discrepancy, Document, QuotedSpan
from app.analysis.support.words import Words, concepts_of, read

# What joins a rule to what is said of the document, names its authority and reports it.
_LEAD: Final = re.compile(
    r"[\s,;:.]*(?:(?:y|e|pero|aunque|cuando|mientras(?: que)?|si bien|pese a que|and|but|while"
    r"|whereas|although|though"
    r"|yet|when)\b)?[\s,]*(?:(?:según|conforme a|de acuerdo con|con arreglo a|under|pursuant to"
    r"|according to|en|in)\s+)?"
    r"(?:(?:el|la|los|las|the|del|al)\s+)?lexcit[\s,]*",
    re.IGNORECASE,
)
_REPORTING: Final = re.compile(
    r"(?:dice|dispone|establece|prev[ée]|ordena|señala|prescribe|declara|provides|says|states"
    r"|lays down|stipulates)"
    r"\s+(?:que|that)\s*,?\s*",
    re.IGNORECASE,
)
_ACCORDING: Final = re.compile(
    r"\b(?:según|conforme a|de acuerdo con|con arreglo a|under|pursuant to|according to)\b", re.IGNORECASE
)
# Parts of a passage with most words of the rule that are compared, and characters of one.
_MOST, _LONGEST = 2, 1_800
# The share of the words of a rule that a part has at least that is compared.
_SHARED: Final = 0.5
# Fewer words are no rule.
_FEWEST: Final = 4
# "No employer may do any of the following: (a) Require …": the item goes on with the sentence.
_FOLLOWING: Final = re.compile(
    r"\s+(?:(?:do )?any of the following(?: acts)?"
    r"|lo siguiente)\s*:\s*(?:\(?[a-z0-9]{1,3}\))\s*(?=[A-Za-zÁÉÍÓÚ])",
    re.IGNORECASE,
)


class Rule(NamedTuple):
    """A rule without what leads it; `reported` tells that the claim reports what the article says."""

    text: str
    reported: bool


def rule_of(law: str) -> Rule | None:
    """Return the rule of a part of a claim, in which its authority is `lexcit`; `None` without a lead."""
    lead = _LEAD.match(law)
    if lead is None:
        return None
    rest = law[lead.end() :]
    reporting = _REPORTING.match(rest)
    text = rest[reporting.end() :] if reporting else rest
    reported = reporting is not None or _ACCORDING.search(law[: lead.end()]) is not None
    return Rule(text.strip(), reported) if len(text.split()) >= _FEWEST else None


def compared(
    rule: Rule, law: ArticleClaim, windows: Sequence[Window]
) -> tuple[Literal["told", "misquoted"], Window] | None:
    """Return whether an article tells a rule, or is misquoted by it, and where; `None` where neither is sure.

    Args:
        rule: what the claim says that the article says.
        law: the same part of the claim, whose words are looked for.
        windows: parts of the passage.
    """
    near = sorted(
        (
            one
            for one in windows
            if len(one.text) <= _LONGEST and law.shared(one) >= _SHARED * len(law.content)
        ),
        key=lambda one: (-law.shared(one), len(one.text)),
    )[:_MOST]
    misquoted: Window | None = None
    for window in near:
        text = _FOLLOWING.sub(" ", window.text)
        document, whole = Document(text), [QuotedSpan(0, len(text))]
        found = restatement.discrepancy(rule.text, whole, document, aligned=True)
        if found is None and (restatement.is_literal(rule.text, whole, document) or not law.denies(window)):
            return "told", window
        if rule.reported and found is not None and _misquotes(found, rule, document):
            misquoted = misquoted or window
    told = read(rule.text)
    if misquoted is None or any(_has_figures(told, one) for one in windows if told.values):
        return None
    return "misquoted", misquoted


def _misquotes(found: Discrepancy, rule: Rule, document: Document) -> bool:
    """Tell whether a rule has the words of an article and another figure, or another party."""
    new = restatement.unplaced_words(rule.text, [QuotedSpan(0, len(document.text))], document)
    tokens = read(rule.text).tokens
    if found is Discrepancy.FIGURE:
        return len(new) <= 1
    if language_of(tokens) != language_of(document.words.tokens):
        return False
    if found in (Discrepancy.PARTY, Discrepancy.BEYOND):
        # "A cargo del proveedor" of an article that says "a su cargo" of the consumer.
        return all(_names_party(one) for one in new)
    denied = any(one.text in NEGATIONS for one in tokens) or LACKING.intersection(one.text for one in tokens)
    return found in (Discrepancy.POLARITY, Discrepancy.MODALITY) and not new and not denied


def _names_party(word: str) -> bool:
    return any(c.startswith("party:") for found in concepts_of(read(word).tokens) for c in found)


def _has_figures(told: Words, window: Window) -> bool:
    return all(any(one.is_said_by(other) for other in window.words.values) for one in told.values)
