"""Classify how a decision treats what it cites, by the words around it (`data/treatments.toml`). Pure.

What is not said expressly is `cites`. An act that ends a norm or a decision counts only where a court
performs it, in the operative part, or where a decision is reported to have done it: a party's request, a
sentence that denies it and a dissenting vote have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

from app.platform.data_files import Entry, Texts, read_file
from app.text import linear

Treatment = Literal[
    "cites",
    "follows",
    "distinguishes",
    "overrules",
    "annuls",
    "declares_unconstitutional",
    "upholds_conditionally",
    "amends",
    "repeals",
]
TREATMENTS: Final[tuple[Treatment, ...]] = get_args(Treatment)
_FILE = Path(__file__).parent / "data" / "treatments.toml"
# How far a cue may stand from the citation it speaks of, within their sentence, in characters.
_NEAR = 160
_PART_NEAR = 120
# An act on a decision must be said of it: words for the ruling of a lower court stand beside citations
# everywhere.
_APART = {False: 40, True: 25}


@dataclass(frozen=True, slots=True)
class _Cue:
    treatment: Treatment
    before: Any | None
    after: Any | None


@dataclass(frozen=True, slots=True)
class _Act:
    treatment: Treatment
    of: str
    decides: Any
    told: Any
    condition: Any | None


@dataclass(frozen=True, slots=True)
class _Words:
    cues: tuple[_Cue, ...]
    acts: tuple[_Act, ...]
    asked: Any
    negated: Any
    part: Any
    upheld: Any
    decision: Any
    ending: Any
    vote: Any


@dataclass(frozen=True, slots=True)
class Act:
    """Treatment of an authority; `told` is true where the sentence reports it of another decision."""

    treatment: Treatment
    told: bool
    partial: bool


def _lossy(pattern: str) -> str:
    """Let each vowel and n in `pattern` match a lost letter too.

    The accented letters of texts that were decoded wrongly all became U+FFFD.
    """
    made, classed, escaped = [], False, False
    for character in pattern:
        if escaped:
            made.append(r"[\w\x{FFFD}]" if character == "w" and not classed else f"\\{character}")
            escaped = False
        elif character == "\\":
            escaped = True
        elif character in "aeioun" and not classed:
            made.append(rf"[{character}\x{{FFFD}}]")
        else:
            classed = (classed or character == "[") and character != "]"
            made.append(character)
    return "".join(made)


def _any(words: Sequence[str], *, whole: bool = True) -> Any:
    joined = "|".join(f"(?:{_lossy(word)})" for word in words)
    return linear.compile(rf"\b(?:{joined})(?:\W|$)" if whole else f"(?:{joined})")


class _CueEntry(Entry):
    treatment: Treatment
    before: Texts
    after: Texts


class _ActEntry(Entry):
    treatment: Treatment
    of: Literal["judgment", "norm"]
    decides: Texts
    told: Texts
    condition: Texts = ()


class _WordLists(Entry):
    asked: Texts
    negated: Texts
    part: Texts
    upheld: Texts
    decision: Texts
    ending: Texts
    vote: Texts


class _File(Entry):
    cue: list[_CueEntry]
    act: list[_ActEntry]
    words: _WordLists


@cache
def _words() -> _Words:
    raw = read_file(_FILE, _File)
    return _Words(
        tuple(
            _Cue(
                one.treatment,
                _any(one.before) if one.before else None,
                _any(one.after) if one.after else None,
            )
            for one in raw.cue
        ),
        tuple(
            _Act(
                one.treatment,
                one.of,
                _any(one.decides),
                _any(one.told),
                _any(one.condition, whole=False) if one.condition else None,
            )
            for one in raw.act
        ),
        _any(raw.words.asked, whole=False),
        _any(raw.words.negated, whole=False),
        _any(raw.words.part, whole=False),
        _any(raw.words.upheld, whole=False),
        _any(raw.words.decision, whole=False),
        _any(raw.words.ending, whole=False),
        _any(raw.words.vote, whole=False),
    )


def is_decision_heading(line: str) -> bool:
    """Tell whether a line, folded but with its case, opens the operative part: "RESUELVE", "FALLO:"."""
    words = line.strip(" .:;-—*#")
    return len(words) < 60 and words.isupper() and _words().decision.fullmatch(words.lower()) is not None


def ends_decision(line: str) -> bool:
    """Tell whether a folded line stands after the operative part: notification, signatures, votes."""
    return _words().ending.match(line.strip(" .:;-—*#")) is not None


def opens_vote(line: str) -> bool:
    """Tell whether a folded line opens a judge's vote: what follows is not the court's."""
    return len(line) < 250 and _words().vote.match(line.strip(" .:;-—*#")) is not None


def of_judgment(before: str, after: str) -> Treatment:
    """Classify how a sentence treats a decision it cites.

    Args:
        before: The sentence up to the citation, folded and in lower case.
        after: The sentence after the citation, likewise.
    """
    near, behind = before[-_NEAR:], after[:_NEAR]
    for cue in _words().cues:
        if cue.after is not None and cue.after.search(behind):
            return cue.treatment
        if cue.before is not None:
            last = _last(cue.before.finditer(near))
            if last is not None and not _words().negated.search(near[: last.start()]):
                return cue.treatment
    return "cites"


def act(before: str, after: str, *, of: str, deciding: bool) -> Act | None:
    """Find the act on the cited authority of which a sentence speaks.

    Args:
        before: The sentence up to the citation, folded and in lower case.
        after: The sentence after the citation, likewise.
        of: Whether a `norm` or a `judgment` is cited.
        deciding: Whether the sentence stands in the operative part.
    """
    whole = f"{before[-400:]} ¤ {after[:_NEAR]}"
    mark = whole.index("¤")
    words = _words()
    for one in words.acts:
        if one.of != of or (one.condition is not None and not one.condition.search(whole)):
            continue
        for pattern, told in ((one.decides, False), (one.told, True)) if deciding else ((one.told, True),):
            found = _last(pattern.finditer(whole))
            if found is None or words.negated.search(whole[: found.start()]):
                continue
            if told and words.asked.search(whole[: found.start()][-_NEAR:]):
                continue
            gap = mark - found.end() if found.end() <= mark else found.start() - mark
            if gap > (_APART[told] if of == "judgment" else _NEAR):
                continue
            between = whole[found.end() : mark] if found.end() <= mark else whole[mark : found.start()]
            if one.condition is None and words.upheld.search(between):
                continue  # "inexequible el artículo 6 y exequible el artículo 7": this one stood
            near = whole[max(0, found.start() - _PART_NEAR) :]
            return Act(one.treatment, told, words.part.search(near) is not None)
    return None


def _last(matches: Iterable[Any]) -> Any | None:
    last = None
    for last in matches:  # noqa: B007 (the last one is what is wanted)
        pass
    return last
