"""Tell whether words that are like passages of a rule also name what the rule finds wrong.

What is only alike shares its subject with passages, and a lawful clause has the same subject: "before the car
is taken out, the ticket is paid" is like a ban on paying a loan early. The words of the defect are those of
the rule's own expressions, and of its title in the language of the document.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from app.rules.rulebook.schema import Risk
from app.text.sentences import fold
from app.text.tongues import Tongue

_WORD: Final = re.compile(r"[a-z]{4,}")
_STEM: Final = 5  # letters
# Whom a rule is about, and how: words of most titles.
_ANYWHERE: Final = frozenset(
    [
        *["arren", "inqui", "locad", "locat", "consu", "clien", "traba", "emple", "empre", "patro", "prove"],
        *["prest", "puede", "menos", "menor", "mayor", "contr", "sobre", "entre", "segun", "parte", "hasta"],
        *["desde", "antes", "parec", "niega", "cobra", "paga", "tiene", "exige", "otro", "otra", "legal"],
        *["plazo", "dias", "meses", "landl", "tenan", "custo", "worke", "emplo", "compa", "trade", "that"],
        *["with", "from", "terms", "than", "witho"],
    ]
)
_IN_TITLE: Final = 2  # words of a title that suffice
_IN_PATTERN: Final = 3  # words of an expression that suffice beside one of the title
_IN_PATTERN_ALONE: Final = 2  # in a language in which no rule has a title


def names_defect(risk: Risk, words: str, tongue: Tongue) -> bool:
    """Tell whether a part of a document, folded, has the words of a rule's defect."""
    named = max((sum(stem in words for stem in stems) for stems in _of_patterns(_sources(risk))), default=0)
    if tongue not in ("es", "en"):
        return named >= _IN_PATTERN_ALONE
    titled = sum(stem in words for stem in subject(risk.title.in_(tongue)))
    return titled >= _IN_TITLE or (titled > 0 and named >= _IN_PATTERN)


@cache
def subject(title: str) -> frozenset[str]:
    """Return the beginnings of the longer words of a title, which say what its rule is about."""
    return frozenset(word[:_STEM] for word in _WORD.findall(fold(title))) - _ANYWHERE


def _sources(risk: Risk) -> tuple[str, ...]:
    return tuple(pattern.source for pattern in risk.patterns)


@cache
def _of_patterns(sources: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(word[:_STEM] for word in _WORD.findall(source)) for source in sources)
