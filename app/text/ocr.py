"""Undo what scanning does to the letters of a document, with the way back to the text as it was. Pure.

A scanner takes "l" for "1" and "m" for "rn", and keeps the hyphens at which lines were broken; a typesetter
spaces the letters of a title. What is repaired is read by rules and readers of facts only: quotations are
taken from the original, through `Repaired.as_written`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from app.text import linear
from app.text.normalize import NormalizedText, offsets_of

_LOWER, _UPPER = "a-zà-öø-ÿ", "A-ZÀ-ÖØ-Þ"
_HYPHEN = re.compile(rf"-[ \t]?\n[ \t]*(?=[{_LOWER}{_UPPER}]{{2}})")
_SPACED = re.compile(rf"(?<![\w.])(?:[{_UPPER}] ){{3,}}[{_UPPER}](?![\w.])")
# A figure inside a word, "comercia1es", and a small "l" among capitals: what nobody types.
_FIGURE_INSIDE = re.compile(rf"[01](?=[{_LOWER}{_UPPER}])")
_WORD_ENDS_HERE = re.compile(rf"(?<![\w@./-])[{_LOWER}{_UPPER}01]+\Z")
_WORD_GOES_ON = re.compile(rf"[{_LOWER}{_UPPER}01]+(?![\w@/-])")
_WORD = re.compile(
    rf"[{_UPPER}]?[{_LOWER}]+[01][{_LOWER}]+(?:[01][{_LOWER}]+)?|[{_UPPER}]{{2,}}[01][{_UPPER}]{{2,}}"
    rf"|[{_UPPER}]{{4,}}[01][{_UPPER}]|[{_UPPER}][01][{_UPPER}]{{4,}}"
)
_LONGEST_WORD = 30
# These begin with a plain letter, which is found fast; what stands before it is looked at afterwards.
_STROKE = re.compile(rf"l(?=[{_UPPER}]|[bcdfgmnpqrstvz][{_LOWER}]{{3}})")
_RN_SURE = re.compile(rf"rn(?=[{_LOWER}]{{2}})")
# Of a document that shows such errors, more is believed to be one.
_FIGURE_FIRST = re.compile(rf"(?<![\w.,/-])1(?=[aeiou][{_LOWER}]{{4}})(?!euro|unidad|anua|hora)")
_FIGURE_LAST = re.compile(rf"(?<=[{_LOWER}][aeiou])1(?!\w)|(?<=\bE)1(?= [{_LOWER}])")
# "juIio": a capital among small letters, in a word that has no other.
_CAPITAL_INSIDE = re.compile(rf"(?<![\w@./-])[{_UPPER}]?[{_LOWER}]+(I)[{_LOWER}]+(?![\w@/-])")
_NOUGHT_LAST = re.compile(rf"(?<=[{_UPPER}]{{5}})0(?!\w)")
_RN = re.compile(rf"(?<!\w)[{_LOWER}]*rn[{_LOWER}]+")
_RN_RIGHT = re.compile(
    r"(?:^|[a-zñ])(?:alborn|barn|bern|bochorn|born|burn|carn|cern|ciern|cistern|corn[aeio]|cuadern|cuern|"
    r"diurn|eborn|earn"
    r"|etern|extern|fern|fratern|gobern|gobiern|govern|gubern|guarn|hern|hibern|horn|infiern|intern|invern|"
    r"inviern|jorn"
    r"|journ|lantern|lintern|lucern|matern|modern|morn|nocturn|orna|patern|pattern|pern[oei]|piern|retorn|"
    r"return|sobern"
    r"|soborn|stern|subaltern|supern|tabern|tern[aeiou]|tiern|torn|trastorn|turn|urna|vern[aeiou]|viern|warn|"
    r"yern|altern"
    r"|adorn|cavern|entorn|contorn|escarn|encarn|discern|concern|attorn|learn|[aei]rnos$)"
)
_NO_BEGINNING = frozenset("'’.-_@/")
_NEVER_RN = ("iento", "b", "p")
# "l0-06-2026", "1O/3/2025": letters among the figures of a date or a time of day.
_DATE_NOISE = re.compile(
    r"(?<![\w./-])[\dlIO]{1,2}([-/.])[\dlIO]{1,2}\1(?:[\dlIO]{2}){1,2}(?![\w/-])"
    r"|(?<![\w:])[\dlIO]{1,2}:[\dlIO]{2}(?![\w:])"
    r"|(?<![\w./-])(?:[lI]\d|\d[lIO]|[lI])(?= de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto"
    r"|sep?tiembre|octubre|noviembre|diciembre)\b)"
)
# What a match that has a letter cannot do without, in one pass: `_DATE_NOISE` is tried at each character.
_DATE_LETTER = linear.compile(
    r"(?:^|[^\pL\pN_])(?:(?:[lIO][\p{Nd}lIO]?|\p{Nd}[lIO])[-/.:][\p{Nd}lIO]"
    r"|[\p{Nd}lIO]{1,2}[-/.:](?:[lIO]|\p{Nd}[lIO])"
    r"|[\p{Nd}lIO]{1,2}[-/.][\p{Nd}lIO]{1,2}[-/.]\p{Nd}{0,3}[lIO]"
    r"|(?:[lI]\p{Nd}?|\p{Nd}[lIO]) de )"
)
_FIGURES = {"l": "1", "I": "1", "O": "0"}
_ENOUGH = 2
_LETTERS = {"1": "l", "0": "o"}
_CAPITALS = {"1": "I", "0": "O"}


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text after repair. `text` is `original` itself where there was nothing to repair."""

    text: str
    original: str
    _steps: tuple[NormalizedText, ...] = field(default=(), repr=False)

    @property
    def changed(self) -> bool:
        """Tell whether anything was repaired."""
        return bool(self._steps)

    def as_written(self, words: str) -> str:
        """Return a slice of `text` as the original has it; what is no slice of it, as it is."""
        if not self.changed or not words:
            return words
        start = self.text.find(words)
        if start < 0:
            return words
        end = start + len(words)
        for step in reversed(self._steps):
            start, end = step.span(start, end)
        return self.original[start:end]


def repair(text: str) -> Repaired:
    """Return `text` with its words whole again. Time is linear in the length of `text`."""
    steps: list[NormalizedText] = []
    now = text
    for edits in (_joined, _read):
        changes = edits(now)
        if changes:
            step = _applied(now, changes)
            steps.append(step)
            now = step.text
    return Repaired(now, text, tuple(steps))


def _applied(text: str, changes: dict[int, str]) -> NormalizedText:
    """Return `text` with each character at a key of `changes` replaced by its value, which may be empty."""
    pieces: list[str] = []
    done = 0
    for at in sorted(changes):
        pieces += [text[done:at], changes[at]]
        done = at + 1
    pieces.append(text[done:])
    lengths = [(at, len(changes[at])) for at in sorted(changes) if len(changes[at]) != 1]
    return NormalizedText("".join(pieces), text, *offsets_of(lengths))


def _joined(text: str) -> dict[int, str]:
    """Return what joins words broken at the end of a line, and titles whose letters are spaced."""
    changes: dict[int, str] = {}
    for found in _HYPHEN.finditer(text):
        before, after = text[max(0, found.start() - 2) : found.start()], text[found.end() : found.end() + 2]
        one_case = (before.islower() and after.islower()) or (before.isupper() and after.isupper())
        if before.isalpha() and len(before) == 2 and one_case:
            changes |= dict.fromkeys(range(*found.span()), "")
    for found in _SPACED.finditer(text):
        changes |= dict.fromkeys((at for at in range(*found.span()) if text[at] == " "), "")
    return changes


def _read(text: str) -> dict[int, str]:
    """Return letters for the figures and the strokes that stand for them."""
    changes: dict[int, str] = {}
    for found in _FIGURE_INSIDE.finditer(text):
        at = found.start()
        head = _WORD_ENDS_HERE.search(text[max(0, at - _LONGEST_WORD) : at])
        tail = _WORD_GOES_ON.match(text, at, at + _LONGEST_WORD)
        if head is not None and tail is not None and _WORD.fullmatch(word := head[0] + tail[0]):
            changes[at] = (_CAPITALS if word.isupper() else _LETTERS)[text[at]]
    for found in _STROKE.finditer(text):
        at = found.start()
        before, after = text[max(0, at - 1) : at], text[at + 1 : at + 4]
        among_capitals = before.isupper() and after[:1].isupper()
        begins = not before.isalnum() and before not in _NO_BEGINNING and (after.isupper() or after.islower())
        if among_capitals or (begins and len(after) == 3):
            changes[at] = "I"
    # Half of a surrogate pair, which RE2 does not take, is no letter of a date either.
    noisy = _DATE_LETTER.search(text.encode(errors="replace"))
    for found in _DATE_NOISE.finditer(text) if noisy else ():
        if not _FIGURES.keys() & set(found[0]):
            continue
        # "l de junio" has no figure left to tell it by, but nothing else can stand there.
        figures, signs = sum(map(str.isdigit, found[0])), sum(map(str.isalnum, found[0]))
        if figures * 2 >= signs or signs == 1:
            places = enumerate(found[0], found.start())
            changes |= {at: _FIGURES[one] for at, one in places if one in _FIGURES}
    sure = [
        found.start()
        for found in _RN_SURE.finditer(text)
        if not text[max(0, found.start() - 1) : found.start()].isalnum()
        or text.startswith(_NEVER_RN, found.end())
    ]
    noise = len(changes) + len(sure)
    if noise < _ENOUGH:
        return changes
    changes |= {found.start(): "l" for found in _FIGURE_FIRST.finditer(text)}
    changes |= {found.start(): "l" for found in _FIGURE_LAST.finditer(text)}
    changes |= {found.start(1): "l" for found in _CAPITAL_INSIDE.finditer(text)}
    changes |= {found.start(): "O" for found in _NOUGHT_LAST.finditer(text)}
    strokes = {at for at in sure if not _RN_RIGHT.search(text[max(0, at - 8) : at + 3].lower())}
    for found in _RN.finditer(text):
        if _RN_RIGHT.search(found[0]) is None:
            strokes.add(text.index("rn", found.start()))
    for at in strokes:
        changes |= {at: "m", at + 1: ""}
    return changes
