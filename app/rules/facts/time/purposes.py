"""Read what a period is for, from the words beside it and the heading above it."""

from __future__ import annotations

from typing import Final, Literal

from app.rules.facts.keyword_index import KeywordMatcher, KeywordMatches, vocabulary
from app.rules.facts.sections import Block
from app.rules.facts.time.durations import Length
from app.text.expressions import compiled
from app.text.sentences import FoldedText, fold

DeadlinePurpose = Literal[
    "notice", "payment", "term", "renewal", "withdrawal", "appeal", "answer", "cure", "delivery", "warranty",
    "limitation", "confidentiality", "non_compete", "probation", "repayment", "retention", "leave", "filing",
    "completion", "other",
]  # fmt: skip
PURPOSES: Final = KeywordMatcher[DeadlinePurpose](vocabulary("keywords.toml", "deadline_purposes"))
_FROM_NOTICE: Final = compiled(
    r"^'? ?(?:of (?:an?|the)|after|following|from|desde|siguientes al?|a contar desde) "
)
# "Un plazo de un año renovable": the length is that of the term.
_RENEWABLE: Final = compiled(r"^,? ?\(?(?:renovables?|prorrogables?|renewable|extendable|extensible)\b")
_BEHIND: Final = 30  # how much farther a word counts beyond a comma


def heading_purpose(block: Block | None) -> DeadlinePurpose:
    """Return what the heading of a block says that the periods in it are for."""
    heading = fold(block.heading) if block is not None else ""
    cue = PURPOSES.find(heading).before(len(heading), 0)
    return cue[0] if cue else "other"


def nearest_purpose(
    source: FoldedText, start: int, end: int, cues: KeywordMatches[DeadlinePurpose]
) -> DeadlinePurpose:
    """Return the purpose whose word stands nearest.

    Words that follow count as a little farther than they are.
    """
    floor, ceiling = source.window(start, end, 200, 90)
    before, after = cues.before(start, floor), cues.after(end, ceiling)
    if after is not None and after[0] == "notice" and _FROM_NOTICE.match(source.folded[end : end + after[1]]):
        after = None  # "within 25 days of a written notice": the notice starts the period
    if after is not None and after[0] == "renewal" and _RENEWABLE.match(source.folded[end : end + 20]):
        return before[0] if before else "term"
    behind = _BEHIND if after is not None and "," in source.folded[end : end + after[1]] else 8
    if before is None or (after is not None and after[1] + behind < before[1]):
        return after[0] if after else "other"
    return before[0]


def is_named(source: FoldedText, length: Length, cues: KeywordMatches[DeadlinePurpose]) -> bool:
    """Tell whether the words that name the purpose stand before the length.

    They may also stand right after it.
    """
    floor, ceiling = source.window(length.start, length.end, 200, 90)
    after = cues.after(length.end, ceiling)
    return cues.before(length.start, floor) is not None or (
        after is not None and "," not in source.folded[length.end : length.end + after[1]]
    )
