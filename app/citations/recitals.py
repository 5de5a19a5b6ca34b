"""Join recitals, annexes and parts of "the same article" to the act they belong to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.citations import prefilter
from app.citations.citation import Finding, Mention
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


# "Apartado 4 del mismo artículo", "§ 5º do mesmo artigo", "subsection (2) of that section".
_OF_SAME_ARTICLE = prefilter.compile(
    r"(?i)(?:^|[^\w])((?:(?:apartado|parrafo|regla|numeral|letra|inciso|fraccion|punto|ordinal|paragrafo|alinea|"
    r"comma|sub-?section|paragraph|para|point)|§)\s?\(?(\d{1,3}|[a-z]|[ivx]{1,4})[.ºª°]{0,2}\)?,?\s"
    r"(?:(?:del|do|du|de)\s(?:mismo|citado|referido|propio|mesmo|citado|meme|medesimo|dicho|ese)|"
    r"of\s(?:that|the\s(?:same|said)))\s(?:articulo|precepto|artigo|dispositivo|article|articolo|section))\b"
)
_SAME_WITHIN = 900


def of_the_same_article(folded: str, cited: Sequence[Finding]) -> Iterator[Finding]:
    """Yield parts of the article that the text cited last: "la regla 6.ª del mismo precepto"."""
    for match in _OF_SAME_ARTICLE.finditer(folded):
        start, end = match.span(1)
        before = [one for one in cited if one.norm and one.articles and one.end <= start]
        last = max(before, key=lambda one: one.end, default=None)
        if last is None or last.norm is None or start - last.end > _SAME_WITHIN:
            continue
        part = (Article(last.articles[-1], match[2].lower()),)
        referred = Mention(start, end, last.jurisdiction, (last.norm,), {"elided": "1"})
        if last.norm.startswith(("GB:", "IE:", "US:")):
            continue  # their sections are read by their own grammar
        yield replace(finding_of(start, end, part, referred), priority=57)
