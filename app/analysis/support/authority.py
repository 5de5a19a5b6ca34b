"""Judge whether a passage of law or of a judgment supports what a statement says of it. Pure.

Source: decision 014. Compared are figures and periods, modality (must, may, must not), validity, who bears a
duty, and the words of the statement that claim something and are not the document's own. `supported` is said
only where all of them agree; a passage about something else is `silent`, one that says the contrary
`contradicted`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.analysis.support import article_words, other_case, phrases, turned_rule
from app.analysis.support.article_claim import ArticleClaim
from app.analysis.support.claim_parts import is_told, parts_of
from app.analysis.support.decided import decides
from app.analysis.support.law_claim import FEWEST, LONGEST, Claim, Verdict, Window, window_of
from app.analysis.support.words import Value, read
from app.text.sentences import fold as _plain

__all__ = ["UNCHECKED", "Support", "Verdict", "approves", "support"]

# A text longer than this is read only where it speaks of the matter.
_LONG = 20_000
_ROOT = 5


@dataclass(frozen=True, slots=True)
class Support:
    """Verdict of a passage on a statement, and the words of the passage that decided."""

    verdict: Verdict
    passage: str = ""

    def __repr__(self) -> str:
        return f"<Support {self.verdict}>"


UNCHECKED = Support("unchecked")


def support(
    claim: str,
    own: str,
    passage: str,
    *,
    reason: str = "",
    citations: Sequence[str] = (),
    document: Sequence[Value] = (),
    title: str = "",
    article: str = "",
    is_judgment: bool = False,
) -> Support:
    """Judge whether `passage` supports `claim`.

    Args:
        claim: the statement, in Spanish or English.
        own: the words of the document that it quotes: they are facts and need no authority.
        passage: the loaded text of the article, paragraph or judgment.
        reason: why it is a critical risk, where it is one.
        citations: how the statement writes its authorities: their names and numbers claim nothing.
        document: the values of the document, whose dates are facts too.
        title: the first words of the document, which name what it is about.
        article: the whole article, where `passage` is the paragraph of it that is cited.
        is_judgment: whether `passage` is a judgment, of which a part must say it.

    Returns:
        The verdict and the part of the passage that is nearest to the claim.
    """
    comparison = Claim(claim, reason, own, citations, document, title)
    if is_judgment:
        part = decides(comparison.claim_text, own, passage[:LONGEST], document, title)
        return Support("supported", part.text[:600].strip()) if part else Support("silent")
    found = _judged(comparison, own, passage, document, title, article)
    if found.verdict == "supported" and (
        other_case.rules_another(comparison.claim_text, own, passage)
        or turned_rule.turns(comparison.claim_text, own, passage)
    ):
        return Support("silent", found.passage)
    return found


def _judged(
    comparison: Claim, own: str, passage: str, document: Sequence[Value], title: str, article: str
) -> Support:
    """Judge by the words, figures and denials of a passage, whatever the case that it rules."""
    windows = list(_windows(_relevant(passage[:LONGEST], comparison)))
    if not windows or not comparison.beyond:
        return Support("silent")
    best = max(windows, key=lambda one: (comparison.law_figures_in(one), comparison.nearness(one)))
    if len(passage) <= _LONG:
        whole = _told_whole(comparison.claim_text, windows, document, title)
        if whole is not None and not (article and comparison.stands_elsewhere(whole[1], article, passage)):
            return Support("supported" if whole[0] == "told" else "silent", whole[1].text[:600].strip())
    said_of, said_by = parts_of(comparison.claim_text)
    if own and said_by and not is_told(said_of, own):
        return Support("silent", best.text[:600].strip())
    part = _told_whole(said_by, windows, document, title) if said_by else None
    if part is not None and not (article and comparison.stands_elsewhere(part[1], article, passage)):
        return Support("supported" if part[0] == "told" else "silent", part[1].text[:600].strip())
    if said_by and not comparison.contradicts(best):
        law, told = ArticleClaim(said_by, document, title), read(said_of).values
        in_words = _told_in_words(law, said_by, windows, told)
        if in_words and not (article and law.stands_elsewhere(in_words[1], article, passage)):
            return Support("supported" if in_words[0] == "told" else "silent", in_words[1].text[:600].strip())
        restated = law.restated_in(windows, told)
        if restated is not None and not (article and law.stands_elsewhere(restated, article, passage)):
            return Support("supported", restated.text[:600].strip())
        if restated is None and law.is_anchored_in(windows, read(own).values, told):
            return Support("supported", best.text[:600].strip())
        if law.tells_otherwise(windows):
            return Support("silent", best.text[:600].strip())
        others = phrases.PARAGRAPH.split(article[:LONGEST]) if article and restated is None else ()
        others = [one for one in others if one.strip() and one.strip() not in passage]
        if law.restated_in([window_of(one) for one in others], told) is not None:
            return Support("silent", best.text[:600].strip())  # another paragraph says it
    if article and comparison.stands_elsewhere(best, article, passage):
        return Support("silent", best.text[:600].strip())
    return Support(comparison.judged(best, windows), best.text[:600].strip())


def _told_whole(
    claim: str, windows: Sequence[Window], document: Sequence[Value], title: str
) -> tuple[str, Window] | None:
    """Return whether an article tells a claim that tells nothing else, or is misquoted by it, and where."""
    rule = article_words.whole_rule_of(claim)
    if rule is None:
        return None
    return article_words.compared_whole(rule, ArticleClaim(rule.text, document, title), windows)


def _told_in_words(
    law: ArticleClaim, said: str, windows: Sequence[Window], told: Sequence[Value]
) -> tuple[str, Window] | None:
    """Return whether the article tells a rule in its own words, or is misquoted by it, and where."""
    rule = article_words.rule_of(said)
    found = article_words.compared(rule, law, windows) if rule else None
    if found is None or (found[0] == "told" and law.allows(found[1], told)):
        return None
    return found


def approves(claim: str, citations: Sequence[str] = ()) -> bool:
    """Tell whether a statement says that a clause is valid, right or allowed: then it is no risk."""
    for written in sorted(citations, key=len, reverse=True):
        claim = claim.replace(written, " lexcit ")
    folded = _plain(claim)
    if phrases.VOID_CLAIM.search(folded) or phrases.VIOLATES.search(folded):
        return False
    return phrases.APPROVES.search(folded) is not None


def _relevant(passage: str, claim: Claim) -> str:
    """Return the paragraphs of a long text that have two words of the claim or more; a short one whole."""
    if len(passage) <= _LONG:
        return passage
    roots = {token.text[:_ROOT] for token, _ in claim.content if len(token.text) >= _ROOT}
    kept = [
        paragraph
        for paragraph in phrases.PARAGRAPH.split(passage)
        if sum(root in _plain(paragraph) for root in roots) >= FEWEST
    ]
    return "\n".join(kept)


def _windows(passage: str) -> Iterator[Window]:
    """Yield the paragraphs of an article with its first words; runs of sentences of a long text."""
    paragraphs = [one for one in phrases.PARAGRAPH.split(passage) if one.strip()]
    if len(passage) <= 1_200:
        yield window_of(passage)
    if len(paragraphs) > 1 or len(passage) > 1_200:
        lead = paragraphs[0] if len(paragraphs[0]) < 400 else ""
        opening = ""
        for at, paragraph in enumerate(paragraphs):
            sentences = [one.strip() for one in phrases.SENTENCE.split(paragraph) if one and one.strip()]
            if len(paragraph) <= 900:
                # An item of a list is read with the words that open the list.
                above = [
                    one
                    for one in (lead if at else "", opening if phrases.ITEM.match(paragraph) else "")
                    if one
                ]
                yield window_of("\n".join([*above, paragraph]))
                opening = paragraph[-600:] if paragraph.rstrip().endswith((":", ".-")) else opening
                continue
            opening = sentences[-1] if sentences and paragraph.rstrip().endswith(":") else opening
            for first in range(len(sentences)):
                yield window_of(". ".join(sentences[first : first + 2]))
