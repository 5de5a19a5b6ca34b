"""Join recitals and annexes to the act they belong to."""

import re
from collections.abc import Iterator
from dataclasses import replace

from app.citations import prefilter
from app.citations.citation import Finding
from app.citations.grammars.articles import Article
from app.citations.references import POINTED, Norms, antecedent_of, finding_of, law_after, undated

_RECITALS = prefilter.compile(
    r"(?i)\b((?:considerandos?|cdos?\.|consid\.|recitals?|considerants?|erwagungsgr(?:und|"
    r"unde))\s(?:n\.?º\s)?\(?\d{1,3}\)?"
    r"(?:(?:,\s|\s(?:y|and|a|to|et|und|e)\s)\(?\d{1,3}\)?){0,5})"
)


def recitals(folded: str, norms: Norms) -> Iterator[Finding]:
    """Yield recitals of acts of the Union, named after them or just before: "considerando 47 del RGPD"."""
    for match in _RECITALS.finditer(folded):
        start, end = match.span(1)
        law = law_after(folded, end, norms)
        pointed = False
        if law:
            mention, finish = law
        else:
            antecedent, finish, cited, pointed = antecedent_of(folded, end, start, norms)
            if not antecedent or not cited or start - antecedent.end > POINTED:
                continue
            mention = antecedent
        if mention.jurisdiction != "EU" or len(mention.norms) != 1:
            continue
        ids = undated(mention) | ({} if law or pointed else {"elided": "1"})
        cited_ones = tuple(Article(f"recital {one}") for one in re.findall(r"\d{1,3}", match[1]))
        yield finding_of(start, finish, cited_ones, replace(mention, ids=ids))


# How far before a law its annex stands.
_ANNEX_WINDOW = 64
_ANNEX = re.compile(
    r"(?:^|[\s(])(?P<annex>[Aa]nn?ex(?:os?|es|e)?\s(?P<number>[IVXL]{1,6}|\d{1,2}|[A-Z])(?:,?\s(?:parte|part|"
    r"seccion|section|"
    r"punto|point|apartado|numero)\s[\w.]{1,6}){0,3},?\s(?:to|of|del|de|al)\s(?:the\s|l[ao]s?\s|el\s)?)$"
)


def annexes(folded: str, norms: Norms) -> Iterator[Finding]:
    """Yield annexes of a law named right behind: "Annex III to Regulation (EU) 2024/1689"."""
    for mention in norms.mentions:
        found = _ANNEX.search(folded, max(0, mention.start - _ANNEX_WINDOW), mention.start)
        if found and len(mention.norms) == 1:
            pinpoint = f"anexo {found['number'].lower()}"
            one = finding_of(found.start("annex"), mention.end, (), mention)
            canonical = () if "order" in mention.ids else mention.norms
            yield replace(one, canonical=canonical, pinpoint=pinpoint, priority=68)
