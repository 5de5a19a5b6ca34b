"""Words quoted beside a citation of law, and what came of holding them against the article. Pure.

Whoever writes «…» beside an article may quote it, or may name a clause, a party's words, a heading. What
introduces or follows the quotation tells: "el artículo 6 dispone: «…»" is a quotation of it, `told`; a mere
"«…» (art. 6)" is one only where the words are like the article's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app import corpus
from app.citations import Citation

# Both stop at the next mark of their kind, so that the whole is read once.
_QUOTED = re.compile(r"«([^«»]{12,4000})»|“([^“”]{12,4000})”")
_MASKED = re.compile(r"\[[A-Z]+_[A-Z0-9_]+[a-z]*\]")
# Fewer words are a term, and stand in many articles.
_FEWEST_WORDS = 4
# Farther apart, they do not belong together.
_FARTHEST = 90
# Of words that nothing says are the article's, from here on they were meant to be.
_ALIKE = 0.6
_SAYING = frozenset((
    "dice", "dispone", "establece", "prevé", "preceptúa", "señala", "reza", "ordena", "prescribe",
    "declara", "determina", "proclama", "provides", "states", "says", "reads", "lays", "sets",
    "literalmente", "textualmente",
))  # fmt: skip
_BETWEEN = _SAYING | frozenset((
    "que", "cuando", "según", "el", "la", "lo", "los", "cual", "así", "expresamente", "claramente",
    "en", "su", "sus", "apartado", "párrafo", "primero", "segundo", "tercero", "del", "de", "al",
    "siguiente", "tenor", "literal", "como", "cuyo", "that", "which", "expressly", "as", "follows",
    "down", "out", "in", "its", "paragraph", "the", "a", "un",
))  # fmt: skip
_AFTER = _SAYING | frozenset((
    "según", "así", "lo", "el", "la", "los", "las", "del", "de", "en", "tal", "como", "cfr", "vid",
    "véase", "v", "see", "ex", "the", "in", "as", "and", "y",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """Words said to be those of one of `citations`. `told` where the text says so in so many words."""

    words: str
    citations: tuple[Citation, ...]
    told: bool

    def __repr__(self) -> str:
        return f"<Claim of {len(self.words)} characters>"


@dataclass(frozen=True, slots=True)
class Recited:
    """Words of an article that were held against it. `literal` where they stand there as they are quoted."""

    words: str
    citation: Citation
    verdict: corpus.Verdict
    literal: bool

    def __repr__(self) -> str:
        return f"<Recited {self.verdict.status}>"

    @property
    def right(self) -> bool:
        return self.verdict.status == "verified"


def telling(words: str) -> bool:
    """Whether words are enough, and the author's own, to be held against an article."""
    return len(words.split()) >= _FEWEST_WORDS and not _MASKED.search(words)


def quoted(text: str) -> tuple[str, ...]:
    """The telling quotations of a text."""
    found = (match[1] or match[2] for match in _QUOTED.finditer(text))
    return tuple(words for words in found if telling(words))


def beside(text: str, citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """The quotations of `text` that stand beside one of `citations`, which are in order of appearance."""
    if "«" not in text and "“" not in text:
        return ()
    cited = [one for one in citations if one.kind == "L4-N" and one.articles]
    claims = []
    for match in _QUOTED.finditer(text):
        words = match[1] or match[2]
        if not telling(words):
            continue
        before = max((one for one in cited if one.end <= match.start()), key=_end, default=None)
        after = min((one for one in cited if one.start >= match.end()), key=_start, default=None)
        if before and _introduces(text[before.end : match.start()]):
            claims.append(Claim(words, (before,), True))
        elif after and (how := _names(text[match.end() : after.start])) is not None:
            claims.append(Claim(words, (after,), how))
    return tuple(claims)


def _start(citation: Citation) -> int:
    return citation.start


def _end(citation: Citation) -> int:
    return citation.end


def _words(gap: str) -> list[str]:
    return [word for word in re.split(r"[\s,;:()\-–—.]+", gap.casefold()) if word]


def _introduces(gap: str) -> bool:
    """Whether what stands between a citation and a quotation says that the one is the other's words."""
    if len(gap) > _FARTHEST or ". " in gap or "\n\n" in gap:
        return False
    between = _words(gap)
    return all(word in _BETWEEN for word in between) and (":" in gap or any(w in _SAYING for w in between))


def _names(gap: str) -> bool | None:
    """Of what stands between a quotation and a citation: `True` where it says whose words they are, `False`
    where it may mean so, `None` where it is about something else.
    """
    if len(gap) > _FARTHEST or ". " in gap or "\n\n" in gap:
        return None
    between = _words(gap)
    if not all(word in _AFTER for word in between):
        return None
    if any(word in _SAYING for word in between):
        return True
    return False if "(" in gap or "según" in between else None


def recited(claim: Claim, citation: Citation, verdict: corpus.Verdict, compared: corpus.Comparison) -> bool:
    """Whether a comparison counts: words that are not the article's only where they were meant to be."""
    if verdict.status != "verified" or "elided" in citation.ids:
        return False
    return compared.right or claim.told or (len(claim.citations) == 1 and compared.similarity >= _ALIKE)
