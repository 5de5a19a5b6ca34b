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
from app.analysis.support.law_claim import Window, window_of
from app.analysis.support.other_case import names_opponent
from app.analysis.support.phrases import SENTENCE
from app.analysis.support.quotation import Discrepancy, Document, QuotedSpan
from app.analysis.support.words import Words, alike, concepts_of, is_content, read
from app.text.sentences import fold

# The authority in brackets, behind the rule.
_BRACKETED: Final = re.compile(
    r"\s*\(\s*(?:(?:el|la|los|las|the|see|ver)\s+)?lexcit[^()]{0,60}\)", re.IGNORECASE
)
_JOINED: Final = re.compile(
    r"^[\s,;:.]+(?:y|e|pero|aunque|cuando|mientras(?: que)?|si bien|and|but|while|whereas|although)\b\s*",
    re.IGNORECASE,
)
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
_SEVERAL: Final = 2
_ROOT: Final = 7
# What is said to be void is what the article says of such clauses, not when.
_VOID: Final = re.compile(r"\b(?:nul[oa]s?|abusiv[oa]s?|void|unfair|unenforceable)\b", re.IGNORECASE)
_LIMITS: Final = re.compile(
    r"[,\s]*\b(?:resulting|arising|caused|if|where|when|unless|except|provided|without|si|cuando"
    r"|siempre que|salvo|excepto|sin"
    r"|derivad[oa]s?|causad[oa]s?|que (?:sea|haya|hubiere|resulte)\w*)\b([^.;:]{3,60})"
)
_OF_DOCUMENT: Final = re.compile(
    r"\b(?:pactad[oa]s?|pactos?|cl[áa]usulas?|condici[óo]n(?:es)?|agreed|clauses?|excede|exceeds)\b",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"\b(?:no (?:se )?(?:les? )?(?:puede[n]?|podra[n]?)|(?:may|shall|can) not|cannot"
    r"|en ningun caso|in no case)\b"
)
_BOUND: Final = re.compile(
    r"\b(?:no|not|mas|menos|more|less|mayor|menor|superior|inferior|antes|despues|before|after|minimo"
    r"|maximo)\b"
)
_PASSIVE: Final = re.compile(
    r"\b(?:ser|sera[n]?|be) ([a-z]{5,}(?:ad|id|ed)[oa]?s?)\b(?: [a-z]+){0,2} (?:por|by)\b"
)
# Fewer characters are no sentence: "Artículo 11."
_SHORTEST: Final = 20
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


def whole_rule_of(claim: str) -> Rule | None:
    """Return the rule of a claim that tells nothing else; `None` where its authority stands within it.

    "… (lexcit)", "Según lexcit, …", "lexcit dispone que …", and a claim whose authority is only listed.
    """
    text = _JOINED.sub("", _BRACKETED.sub("", claim)).strip(" .")
    lead = _LEAD.match(text)
    if lead is not None:
        rest = text[lead.end() :]
        reporting = _REPORTING.match(rest)
        if reporting is None and _ACCORDING.search(text[: lead.end()]) is None:
            return None
        text = rest[reporting.end() :] if reporting else rest
    if "lexcit" in text or len(text.split()) < _FEWEST:
        return None
    return Rule(text, False)


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


def compared_whole(
    rule: Rule, law: ArticleClaim, windows: Sequence[Window]
) -> tuple[Literal["told", "misquoted"], Window] | None:
    """Return whether an article tells a claim that says nothing else, or is misquoted by it, and where.

    A claim may name the parties of the document and what it makes of the article, so that less is misquoted
    than of what is told as the article's own words: another figure, or a power told for its refusal.
    """
    for window in _near(law, windows):
        document, whole = Document(window.text), [QuotedSpan(0, len(window.text))]
        found = restatement.discrepancy(rule.text, whole, document, aligned=True)
        if _turned_or_cut(rule.text, window.text, found, whole, document):
            return "misquoted", window
        if found is None and (restatement.is_literal(rule.text, whole, document) or not law.denies(window)):
            return "told", window
        if found is not None and _told_by_sentence(rule, law, document):
            return "told", window
    return None


def _turned_or_cut(
    rule: str, passage: str, found: Discrepancy | None, whole: Sequence[QuotedSpan], document: Document
) -> bool:
    """Tell whether a rule has the words of a passage, and says another thing with them or stops short."""
    new = restatement.unplaced_words(rule, whole, document) if found is not None else ()
    if (
        found is Discrepancy.FIGURE
        and len(new) <= 1
        and len(read(rule).values) == 1
        and _OF_DOCUMENT.search(rule) is None
    ):
        return True  # its one figure, which may be the document's, is not the article's
    if new:
        return False
    folded = fold(passage)
    return (
        found is Discrepancy.MODALITY
        or (
            found is Discrepancy.POLARITY
            and _REFUSES.search(fold(rule)) is not None
            and _REFUSES.search(folded) is None
        )
        or (_VOID.search(rule) is None and stops_short(rule, passage))
        or exchanges_voice(rule, passage)
        or exchanges_bounds(rule, passage)
        or names_opponent(rule, passage)
    )


def stops_short(rule: str, passage: str) -> bool:
    """Tell whether a rule ends where the passage goes on with what limits it: "injury resulting from …"."""
    said = [one for one in read(rule).tokens if is_content(one)]
    if not said:
        return False
    folded, words = fold(passage), {one.text for one in said}
    ends = [match.end() for match in re.finditer(rf"\b{re.escape(said[-1].text[:_ROOT])}\w*", folded)]
    limited = [found for end in ends if (found := _LIMITS.match(folded, end)) is not None]
    if not ends or len(limited) < len(ends):
        return False
    return all(
        not any(alike(one.text, word) for one in read(found[1]).tokens if is_content(one) for word in words)
        for found in limited
    )


def exchanges_voice(rule: str, passage: str) -> bool:
    """Tell whether a rule makes act whom the passage says is acted upon: "debe ser indemnizado por"."""
    said, written = fold(rule), fold(passage)
    return any(
        re.search(rf"\b{found[1][:-2]}\w+ (?:al?|to|the)\b", said) is not None
        and re.search(
            rf"\b(?:ser|sea[n]?|sido|es|son|sera[n]?|be|been|is|are) (?:\w+ )?{found[1][:-2]}\w*", said
        )
        is None
        for found in _PASSIVE.finditer(written)
    )


def exchanges_bounds(rule: str, passage: str) -> bool:
    """Tell whether a rule has the bounds of a sentence in another order: "a más, pero no a menos"."""
    mine = _BOUND.findall(fold(rule))
    if len(set(mine)) < _SEVERAL:
        return False
    written = [_BOUND.findall(one) for one in SENTENCE.split(fold(passage)) if one]
    same = [one for one in written if sorted(one) == sorted(mine)]
    return bool(same) and mine not in same


def compared(
    rule: Rule, law: ArticleClaim, windows: Sequence[Window]
) -> tuple[Literal["told", "misquoted"], Window] | None:
    """Return whether an article tells a rule, or is misquoted by it, and where; `None` where neither is sure.

    Args:
        rule: what the claim says that the article says.
        law: the same part of the claim, whose words are looked for.
        windows: parts of the passage.
    """
    misquoted: Window | None = None
    for window in _near(law, windows):
        text = _FOLLOWING.sub(" ", window.text)
        document, whole = Document(text), [QuotedSpan(0, len(text))]
        found = restatement.discrepancy(rule.text, whole, document, aligned=True)
        if found is None and (restatement.is_literal(rule.text, whole, document) or not law.denies(window)):
            return "told", window
        if found is not None and _told_by_sentence(rule, law, document):
            return "told", window
        if rule.reported and found is not None and _misquotes(found, rule, document):
            misquoted = misquoted or window
    told = read(rule.text)
    if misquoted is None or any(_has_figures(told, one) for one in windows if told.values):
        return None
    return "misquoted", misquoted


def _near(law: ArticleClaim, windows: Sequence[Window]) -> list[Window]:
    """Return the parts of a passage that have most words of a rule."""
    shared = [(law.shared(one), one) for one in windows if len(one.text) <= _LONGEST]
    enough = [(count, one) for count, one in shared if count >= _SHARED * len(law.content)]
    enough.sort(key=lambda one: (-one[0], len(one[1].text)))
    return [one for _, one in enough[:_MOST]]


def _told_by_sentence(rule: Rule, law: ArticleClaim, document: Document) -> bool:
    """Tell whether one sentence of a part tells the rule, whatever conditions its other sentences make."""
    spans = sentence_spans(document.text)
    if len(spans) < _SEVERAL:
        return False
    for span in spans:
        sentence = window_of(document.text[span.start : span.end])
        if law.shared(sentence) < _SHARED * len(law.content):
            continue
        if restatement.discrepancy(rule.text, [span], document, aligned=True) is None and (
            restatement.is_literal(rule.text, [span], document) or not law.denies(sentence)
        ):
            return True
    return False


def sentence_spans(text: str) -> list[QuotedSpan]:
    """Return where the sentences of a passage stand, without what opens them."""
    found, at = [], 0
    for end in [*(match.start() + 1 for match in SENTENCE.finditer(text)), len(text)]:
        start = at + len(text[at:end]) - len(text[at:end].lstrip())
        if end - start > _SHORTEST:
            found.append(QuotedSpan(start, end))
        at = end
    return found


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
