"""Compare a claimed quotation with the text it is said to come from. Pure."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from app.corpus.quote_match import meaning
from app.corpus.quote_match.meaning import Reason
from app.corpus.quote_match.tokens import parts, without_enumerators, words

Match = Literal["literal", "near", "stitched", "different"]
MismatchKind = Literal["meaning", "stitched", "lexical"]

# A run of so many words is taken from the text and not there by chance.
_RUN = 4
# So many words left out without a mark make two places of a text look like one.
_LEAP = 4
# One slip of the pen is forgiven in so many words.
_WORDS_PER_SLIP = 12
_LONGEST_SLIP_FREE = 5
# Words of a real law are repeated far less often; what is beyond was written to keep us busy.
_MOST_PAIRS = 2_000_000
_NEGATIONS = frozenset({"no", "ni", "sin", "nunca", "jamas", "tampoco", "not", "never", "without"})
_EXCEPTIONS = frozenset({"salvo", "excepto", "unless", "except"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    `similarity` is from 0 to 1; `kind` and `reason` are `None` where the claim is right. `claimed` and
    `written` are the words in which the two differ first.
    """

    match: Match
    similarity: float
    kind: MismatchKind | None = None
    reason: Reason | None = None
    claimed: str = ""
    written: str = ""

    @property
    def right(self) -> bool:
        """Whether the claim is a quotation of the text."""
        return self.kind is None


def compare(claim: str, text: str, heading: str = "") -> Comparison:
    """Compare `claim` with `text`, whose `heading` may be quoted with it.

    An empty claim differs from every text. Time is bounded: a claim that repeats its words without end is not
    aligned.
    """
    pieces = [words(part) for part in parts(claim)]
    if not pieces:
        return Comparison("different", 0.0, "lexical")
    bare = without_enumerators(text)
    # By itself first: a rubric that ends in "no" negates nothing of the text below it.
    written = [words(text), words(bare)]
    if heading:
        written += [words(f"{heading}\n{text}"), words(f"{heading}\n{bare}")]
    claims = [pieces, [words(part) for part in parts(without_enumerators(claim))] or pieces]
    for wanted in claims:
        for source in written:
            found = _in_order(wanted, source)
            if found is not None:
                return _omitting(wanted, source, found)
    whole = [word for piece in pieces for word in piece]
    found_in = [_explained(whole, source) for source in written[-2:]]
    return max(found_in, key=lambda one: (one.right, one.similarity))


def _in_order(pieces: Sequence[Sequence[str]], text: Sequence[str]) -> list[int] | None:
    """Return where each of `pieces` stands in `text`, one after the other, or `None`."""
    joined = f" {' '.join(text)} "
    places: list[int] = []
    start = words_before = counted = 0
    for piece in pieces:
        wanted = f" {' '.join(piece)} "
        found = joined.find(wanted, start)
        if found < 0:
            return None
        words_before += joined.count(" ", counted, found)
        counted = found
        places.append(words_before)
        # The space that ends a piece may begin the next.
        start = found + len(wanted) - 1
    return places


def _omitting(pieces: Sequence[Sequence[str]], text: Sequence[str], places: Sequence[int]) -> Comparison:
    """Judge a quotation with marked omissions: they must not hide a negation or exception of what follows."""
    before = text[places[0] - 1] if places[0] else ""
    if before in _NEGATIONS or before in _EXCEPTIONS:
        reason: Reason = "negation" if before in _NEGATIONS else "exception"
        return Comparison("different", 0.95, "meaning", reason, pieces[0][0], f"{before} {pieces[0][0]}")
    for piece, place, following in zip(pieces, places, places[1:], strict=False):
        gap = text[place + len(piece) : following]
        if gap and gap[-1] in _NEGATIONS:
            return Comparison("different", 0.9, "meaning", "negation", "", " ".join(gap[-3:]))
    return Comparison("literal", 1.0)


def _window(wanted: Sequence[str], text: Sequence[str]) -> tuple[int, int]:
    """Find the stretch of `text` that has most of the words of `wanted`, a quarter longer than it."""
    length = min(len(text), len(wanted) + max(8, len(wanted) // 4))
    known = set(wanted)
    hits = [1 if word in known else 0 for word in text]
    count = best = sum(hits[:length])
    start = 0
    for place in range(length, len(text)):
        count += hits[place] - hits[place - length]
        if count > best:
            best, start = count, place - length + 1
    return start, start + length


def _explained(wanted: Sequence[str], text: Sequence[str]) -> Comparison:
    """Explain why `wanted` is not literally in `text`: slips, another word, stitched places, or all else."""
    if _pairs(wanted, text) > _MOST_PAIRS:
        return Comparison("different", 0.0, "lexical")
    stitched = _stitched(wanted, text)
    if stitched is not None:
        return stitched
    first, last = _window(wanted, text)
    similarity, window, steps = _aligned(wanted, text[first:last])
    # Where the longest agreement shows the place exactly, no words around it confuse the rest.
    block = difflib.SequenceMatcher(None, window, list(wanted), autojunk=False).find_longest_match()
    at = max(0, first + block.a - block.b)
    closer = _aligned(wanted, text[at : at + len(wanted)])
    if closer[0] > similarity:
        similarity, window, steps = closer
    differences = [_trimmed(window, wanted, step) for step in steps]
    slips = [_is_slip(written, claimed) for written, claimed in differences]
    if differences and all(slips) and len(slips) <= max(1, len(wanted) // _WORDS_PER_SLIP):
        return Comparison("near", similarity)
    telling = [pair for pair, slip in zip(differences, slips, strict=True) if not slip] or differences
    found = _why(telling) if similarity >= 0.5 else None
    written, claimed = telling[0] if telling else ([], list(wanted))
    return Comparison(
        "different",
        min(similarity, 0.99),
        "meaning" if found else "lexical",
        found,
        " ".join(claimed[:8]),
        " ".join(written[:8]),
    )


_Step = tuple[str, int, int, int, int]


def _aligned(wanted: Sequence[str], stretch: Sequence[str]) -> tuple[float, list[str], list[_Step]]:
    """Align a claim with a stretch of the text: (similarity, the stretch, the steps in which they differ)."""
    window = list(stretch)
    matcher = difflib.SequenceMatcher(None, window, list(wanted), autojunk=False)
    steps: list[_Step] = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    # What surrounds the quotation in the text is no difference.
    if steps and steps[0][0] == "delete" and steps[0][1] == 0:
        steps = steps[1:]
    if steps and steps[-1][0] == "delete" and steps[-1][2] == len(window):
        steps = steps[:-1]
    same = sum(block.size for block in matcher.get_matching_blocks())
    missing = sum(step[2] - step[1] for step in steps)
    return round(same / max(len(wanted) + missing, 1), 4), window, steps


def _pairs(wanted: Sequence[str], text: Sequence[str]) -> int:
    """Count the pairs of equal words: the cost of an alignment."""
    written = Counter(text)
    return sum(count * written[word] for word, count in Counter(wanted).items())


def _trimmed(window: Sequence[str], wanted: Sequence[str], step: _Step) -> tuple[list[str], list[str]]:
    """Return the words of a difference; at the ends of the claim, no more of the text than the claim has."""
    _, first, last, start, end = step
    written, claimed = list(window[first:last]), list(wanted[start:end])
    if claimed and len(written) > len(claimed):
        if end == len(wanted):
            written = written[: len(claimed)]
        elif start == 0:
            written = written[-len(claimed) :]
    return written, claimed


def _why(differences: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Reason | None:
    for written, claimed in differences:
        if len(written) == len(claimed) == 1 and meaning.opposite(written[0], claimed[0]):
            return "negation"
    changed = [word for written, claimed in differences for word in _changed(written, claimed)]
    return meaning.reason(changed)


def _changed(written: Sequence[str], claimed: Sequence[str]) -> list[str]:
    return [word for word in (*written, *claimed) if (word in written) != (word in claimed)]


def _is_slip(written: Sequence[str], claimed: Sequence[str]) -> bool:
    """Tell whether two words differ in one letter that is not the first and makes no other meaning."""
    if len(written) != 1 or len(claimed) != 1:
        return "".join(written) == "".join(claimed)  # a space too many or too few
    first, second = written[0], claimed[0]
    if min(len(first), len(second)) <= _LONGEST_SLIP_FREE or first[:2] != second[:2]:
        return False
    if meaning.reason([first, second]) or meaning.opposite(first, second):
        return False
    return _one_letter_apart(first, second)


def _one_letter_apart(first: str, second: str) -> bool:
    """Tell whether one letter was swapped, doubled, dropped or mistyped, but not at the end of the word.

    An ending tells number, gender, tense and person: it may not differ.
    """
    if first[-2:] != second[-2:]:
        return False
    start = next(
        (place for place, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0
    )
    one, two = first[start:], second[start:]
    return (
        one[1:] == two[1:]
        or one[1:] == two
        or one == two[1:]
        or (one[:2] == two[1::-1] and one[2:] == two[2:])
    )


def _stitched(wanted: Sequence[str], text: Sequence[str]) -> Comparison | None:
    """Recognise a claim made wholly of runs of the text that do not stand together there."""
    runs = _runs(wanted, text)
    if runs is None or len(runs) < 2:
        return None
    leaps = [
        (following[0] - (place + length), list(text[place + length : following[0]]))
        for (place, length), following in pairwise(runs)
    ]
    similarity = 0.95 if len(runs) == 2 else 0.9
    if all(0 < leap <= _LEAP for leap, _ in leaps):
        missing = [word for _, gap in leaps for word in gap]
        found = meaning.reason(missing)
        return Comparison(
            "different", similarity, "meaning" if found else "lexical", found, "", " ".join(missing[:8])
        )
    if min(length for _, length in runs) < _RUN:
        return None
    gap = next((words for leap, words in leaps if leap > _LEAP), [])
    return Comparison("stitched", similarity, "stitched", None, "", " ".join(gap[:8]))


def _runs(wanted: Sequence[str], text: Sequence[str]) -> list[tuple[int, int]] | None:
    """Cut `wanted` into (position, length) of the longest runs of `text`; `None` if 3 words in a row fail."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(text):
        places.setdefault(word, []).append(place)
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(wanted):
        best = (-1, 0)
        end = found[-1][0] + found[-1][1] if found else 0
        for place in places.get(wanted[start], ()):
            length = 0
            while (
                start + length < len(wanted)
                and place + length < len(text)
                and wanted[start + length] == text[place + length]
            ):
                length += 1
            # Of runs of one length, the one that follows where the last ended.
            if length > best[1] or (length == best[1] and 0 <= place - end < abs(best[0] - end)):
                best = (place, length)
        if best[1] < min(3, len(wanted) - start) or len(found) == 8:
            return None
        found.append(best)
        start += best[1]
    return found
