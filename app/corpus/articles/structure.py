"""Look up the subdivisions that a citation names in the text of an article. Pure.

Texts mark their parts in many ways ("1.", "(1)", "1.º", "a)", "IV.-", "§ 1º", "PARÁGRAFO 2.") and collections
lose line breaks. What is said to be missing is missing under every reading of the text; where two readings
differ the answer is `unclear` (decision 016).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import re2

from app.citations import LAST, LAST_BUT_ONE, SOLE_DIVISION, Division, as_roman, roman
from app.corpus.articles.parts import Part, parts_of, squeezed

Answer = Literal["found", "missing", "abolished", "unclear"]
# Collections of these countries' law run paragraphs together (Italian commas, Chilean numerals).
_RUN_TOGETHER = frozenset({"IT", "CL"})
_SENTENCE_END = re2.compile(r"[.;:!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class PartLookup:
    """The result of looking for subdivisions; `at` counts those that were found before the result was known.

    `parts` are the parts that the last one may mean, `sure` where its own sign stands there; `value` is the
    one that is missing or repealed, `among` the parts beside it.
    """

    answer: Answer
    at: int = 0
    value: str = ""
    parts: tuple[Part, ...] = ()
    sure: bool = False
    among: tuple[Part, ...] = ()
    blocks: int = 0


def look(text: str, divisions: Sequence[Division], jurisdiction: str) -> PartLookup:
    """Look up the parts that a citation names.

    Args:
        text: The words of the article.
        divisions: The parts named, outermost first.
        jurisdiction: Whose law it is: what a paragraph or letter is called depends on it.
    """
    root = parts_of(text)
    scope: tuple[Part, ...] = (root,)
    sure = False
    for at, division in enumerate(divisions):
        if division.kind == "clause":
            return PartLookup("unclear", at, division.values[0], scope)
        reached: tuple[Part, ...] = ()
        for value in division.values:
            step = _step(scope, division, value, at, jurisdiction, top=at == 0)
            if step.answer != "found":
                return step
            reached, sure = step.parts, step.sure
        scope = reached
    return PartLookup("found", len(divisions), "", scope, sure)


def _step(
    scope: tuple[Part, ...], division: Division, value: str, at: int, jurisdiction: str, *, top: bool
) -> PartLookup:
    """Look for one value of one level in every part that the level above may mean."""
    kind = division.kind
    siblings = _siblings(scope)
    own = [part for part in siblings if _is(part, kind, value)]
    if own:
        if not all(part.abolished for part in own):
            return PartLookup("found", at + 1, value, tuple(own), len(own) == 1)
        if kind != "block":
            return PartLookup("abolished", at, value, tuple(own), True, tuple(siblings))
    counted = max(_blocks(part) for part in scope)
    if kind in ("block", "sentence") or (value in (LAST, LAST_BUT_ONE, SOLE_DIVISION) and kind != "added"):
        return _counted(scope, kind, value, at, jurisdiction, counted)
    words = "\n".join(part.text for part in scope)
    enumerated = [part for part in siblings if part.family == "number"]
    if (
        not enumerated
        and kind in ("any", "paragraph")
        and value.isdigit()
        and not _written_inline(words, value)
    ):
        # "art. 1124.2" of an article that numbers nothing: its second paragraph.
        return _counted(scope, "block", value, at, jurisdiction, counted)
    deeper = [part for one in scope for part in _below(one) if _is(part, kind, value)]
    if deeper and (top or kind in ("letter", "any", "fraction")):
        if all(part.abolished for part in deeper):
            return PartLookup("abolished", at, value, tuple(deeper), True, tuple(siblings))
        return PartLookup("found", at + 1, value, tuple(deeper), False)
    if _mentions_added(words, value) if kind == "added" else _written_inline(words, value):
        return PartLookup("unclear", at, value, scope)
    if _irregular(siblings):
        return PartLookup("unclear", at, value, scope)
    return PartLookup("missing", at, value, scope, False, tuple(siblings), counted)


def _irregular(siblings: Sequence[Part]) -> bool:
    """Tell whether a series of numbers starts in the middle or runs backwards, as if a heading was lost."""
    for family in ("number", "roman"):
        orders = [part.order for part in siblings if part.family == family]
        if orders and (orders[0] > 2 or any(second < first for first, second in pairwise(orders))):
            return True
    return False


def _counted(
    scope: tuple[Part, ...], kind: str, value: str, at: int, jurisdiction: str, counted: int
) -> PartLookup:
    """Find a paragraph or sentence by position; lines or ends of sentences give the highest possible."""
    sentences = max(len(_SENTENCE_END.findall(part.text)) or 1 for part in scope)
    wanted = int(value) if value.isdigit() else 2 if value == LAST_BUT_ONE else 1
    most = max(sentences, counted) if kind == "sentence" else counted
    if wanted <= most:
        return PartLookup("found", at + 1, value, scope, False, (), counted)
    if (
        kind != "sentence"
        and (jurisdiction[:2] in _RUN_TOGETHER or _long_line(scope))
        and wanted <= sentences
    ):
        return PartLookup("unclear", at, value, scope, False, (), counted)
    siblings = _siblings(scope)
    return PartLookup(
        "missing", at, value, scope, False, tuple(siblings), counted if kind != "sentence" else sentences
    )


def _long_line(scope: Sequence[Part]) -> bool:
    """Tell whether line breaks seem lost: a single line with the length of a page."""
    return any(len(part.all_lines()) == 1 and len(part.text) > 1500 for part in scope)


def _siblings(scope: Sequence[Part]) -> list[Part]:
    """Return the parts of the first level below, or those below its only member where that is a heading."""
    return [child for part in scope for child in part.children]


def _below(part: Part) -> Iterator[Part]:
    for child in part.children:
        yield child
        yield from _below(child)


def _blocks(part: Part) -> int:
    """Return the highest number of paragraphs that `part` may have: one for each line."""
    return max(1, len(part.all_lines()))


def _is(part: Part, kind: str, value: str) -> bool:
    """Tell whether a part bears the sign that a citation names."""
    wanted = squeezed(value)
    own = squeezed(part.value)
    if kind == "added":
        return part.family == "added" and (
            own == wanted or value == SOLE_DIVISION or (own == "sole" and value == "1")
        )
    if part.family == "added":
        return False
    if kind == "letter":
        return (part.family == "letter" and own == wanted) or (
            len(wanted) > 1 and part.family == "roman" and own == wanted
        )
    if kind == "fraction":
        return (part.family == "roman" and own in (wanted, _roman_of(wanted))) or (
            part.family in ("number", "ordinal") and own in (wanted, str(roman(wanted)))
        )
    if own == wanted and part.family in (("number",) if kind == "block" else ("number", "letter", "roman")):
        return kind != "sentence"
    if kind == "block":
        return False
    if kind in ("paragraph", "any"):
        if part.family == "ordinal":
            return own == wanted
        if wanted.isdigit() and part.family == "roman":
            return part.order == int(wanted) and own == as_roman(part.order)
        return part.family == "number" and bool(roman(wanted)) and own == str(roman(wanted))
    return False


def _roman_of(value: str) -> str:
    return as_roman(int(value)) if value.isdigit() and 0 < int(value) < 400 else value


def _written_inline(words: str, value: str) -> bool:
    """Tell whether the sign stands inside a line, where a line break may have been lost."""
    if value in (LAST, LAST_BUT_ONE, SOLE_DIVISION):
        return False
    sign = re.escape(value.replace(" ", "")) if " " not in value else re.escape(value).replace(r"\ ", r"\s?")
    if value.isalpha() and len(value) > 2 and not roman(value):
        return False
    return bool(re2.search(rf"(?i)(?:^|[\s(;:.,«\"–—-])\(?{sign}\s?(?:[.)ºª°:]|[-–—]\s)", words))


def _mentions_added(words: str, value: str) -> bool:
    """Tell whether a "parágrafo" of that number is mentioned inside a line."""
    number = (
        "" if value in ("1", LAST, LAST_BUT_ONE, SOLE_DIVISION) else rf"\s{{0,2}}{re.escape(value)}(?:\D|$)"
    )
    return bool(re2.search(rf"(?i)(?:par[aá]grafo|§){number}", words))


# Behind an article's first words the parts begin; longer ones are a paragraph of their own.
_LONGEST_OPENING = 600


def opening_of(text: str, part: Part) -> str:
    """Return the words that open the lists in which `part` of the article `text` stands, a line each."""
    found: list[str] = []
    for above in _path_to(parts_of(text), part):
        own = [line.strip() for line in above.lines if line.strip()]
        if own and own[-1].endswith((":", ":-", ".-")) and len(own[-1]) <= _LONGEST_OPENING:
            found.append(own[-1])
    return "\n".join(found)


def _path_to(root: Part, part: Part) -> list[Part]:
    """Return the parts that contain `part`, outermost first; empty where it is not in `root`."""
    for child in root.children:
        if child is part:
            return [root]
        below = _path_to(child, part)
        if below:
            return [root, *below]
    return []
