"""Password rules: a minimum length, and nothing that is guessed early.

The list holds base words (`data/common_passwords.txt`). Changes that people make to such a word, and that
guessing programs undo, are undone here before the look-up: capitals, accents, digits and signs around it,
digits for letters, repetition, reversal.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from app.platform import settings
from app.platform.errors import Invalid
from app.text.normalize import WORDS

SHORTEST, LONGEST = 8, 200

Weakness = Literal["common", "personal", "pattern"]

_LIST = Path(__file__).parent / "data" / "common_passwords.txt"
_REASONS: dict[Weakness, str] = {
    "common": "is a very common password, or one with a small change",
    "personal": "is based on your e-mail address, your firm's name or the name of this service",
    "pattern": "is a keyboard sequence, a repetition or a date",
}
_ADVICE = "it is easy to guess. Choose another, such as four unrelated words"

# Digits and signs that stand for letters; 1 and ! stand for two.
_LEET = str.maketrans("0134578926@$€!|+", "oieastbgzg" + "aseilt")
_LEET_L = str.maketrans("01345789@$€!|+", "oleastbgaselit")
# More than this around a word is no decoration, unless it is a row itself.
_DECORATION = 6
_FIGURES = re.compile(r"[a-z]?([0-9]{6,})[a-z]?")
_EDGES = re.compile(r"([\W\d_]*)(.*?)([\W\d_]*)", re.DOTALL)
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop",
    "azertyuiop", "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "147", "258", "369", "159", "357",
)  # fmt: skip
_SHORTEST_ROW, _LONGEST_ROW = 3, max(map(len, _ROWS))


def check(password: str, *, about: Iterable[str] = ()) -> None:
    """Refuse a password that is too short, too long or easily guessed.

    Args:
        password: The password.
        about: What is known of the person: their e-mail address, the name of their account.

    Raises:
        Invalid: Its `details` have `reason`: `length`, `common`, `personal` or `pattern`.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise Invalid(
            f"password: must have {SHORTEST} to {LONGEST} characters.",
            details={
                "field": "password",
                "reason": "length",
                "min": SHORTEST,
                "max": LONGEST,
                "got": len(password),
            },
        )
    found = weakness(password, about=about)
    if found is not None:
        raise Invalid(
            f"password: {_REASONS[found]}; {_ADVICE}.", details={"field": "password", "reason": found}
        )


def generate() -> str:
    """Return a new random password of twelve hexadecimal digits that `check` accepts.

    Of the 2**48, one in some 350 is refused: digits around a short word, such as 269e99445431.
    """
    while weakness(password := secrets.token_hex(6)) is not None:
        continue
    return password


def weakness(password: str, *, about: Iterable[str] = ()) -> Weakness | None:
    """Return why a password would be guessed early; `None` where it would not."""
    plain = WORDS.fold(password)
    bare = _alphanumeric(plain)
    if _is_row(plain) or _is_row(bare) or _is_date(plain):
        return "pattern"
    # "11111111a": a letter is what a form asked for that wants one.
    figures = _FIGURES.fullmatch(bare)
    if figures is not None and (_is_row(figures[1]) or _is_date(figures[1])):
        return "pattern"
    words = set(_words(plain))
    if not words.isdisjoint(common()):
        return "common"
    return "personal" if _is_personal(words, about) else None


@cache
def common() -> frozenset[str]:
    """Return the base words of the most used passwords."""
    lines = _LIST.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def _alphanumeric(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _words(plain: str) -> Iterator[str]:
    """Yield the words that a password may be made of, with common changes undone."""
    for core in {plain, *_cores(plain)}:
        for table in (None, _LEET, _LEET_L):
            word = _alphanumeric(core.translate(table) if table else core)
            yield word
            yield word[::-1]
            half = len(word) // 2
            if word[:half] == word[half:]:
                yield word[:half]


def _cores(plain: str) -> Iterator[str]:
    """Yield `plain` without the digits and signs around it; a few may be kept as disguised letters."""
    match = _EDGES.fullmatch(plain)
    assert match is not None, "it matches every text"
    before, word, after = match.groups()
    for kept in range(min(3, len(after)) + 1):
        for led in range(min(2, len(before)) + 1):
            head, tail = before[: len(before) - led], after[kept:]
            if word and _is_decoration(head) and _is_decoration(tail):
                yield before[len(before) - led :] + word + after[:kept]


def _is_decoration(edge: str) -> bool:
    return len(edge) <= _DECORATION or _is_row(_alphanumeric(edge)) or _is_date(edge)


def _is_row(text: str) -> bool:
    """Return whether `text` is only keyboard or alphabet sequences, or one piece repeated."""
    if not text:
        return False
    for unit in range(1, min(4, len(text) // 2) + 1):
        if (text[:unit] * (len(text) // unit + 1))[: len(text)] == text:
            return True
    # 1q2w3e4r: two rows, a key of each in turn.
    return _is_walk(text) or (len(text) >= 6 and _is_walk(text[::2]) and _is_walk(text[1::2]))


def _is_walk(text: str) -> bool:
    """Return whether `text` splits into sequences of at least three keys each."""
    reached = {0}
    for at in range(len(text)):
        if at in reached:
            for end in range(at + _SHORTEST_ROW, min(len(text), at + _LONGEST_ROW) + 1):
                part = text[at:end]
                if not any(part in row or part[::-1] in row for row in _ROWS) and len(set(part)) > 1:
                    break
                reached.add(end)
    return len(text) in reached


def _is_date(text: str) -> bool:
    digits = _alphanumeric(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) == 8):
        return False
    for form in ("%d%m%Y", "%Y%m%d", "%m%d%Y"):
        with suppress(ValueError):
            if 1900 <= datetime.strptime(digits, form).year < 2100:  # noqa: DTZ007  # a day, no moment
                return True
    return False


def _is_personal(words: set[str], about: Iterable[str]) -> bool:
    """Return whether one of `words` is made of names of the person, their firm and the service."""
    names: set[str] = set()
    for known in (*about, settings.current().service_name):
        plain = WORDS.fold(known)
        local, _, domain = plain.partition("@")
        # The last label of a domain is nobody's name.
        whole = (plain, local, domain.rpartition(".")[0] or domain)
        names |= {_alphanumeric(part) for part in whole}
        names |= {part for part in re.split(r"[\W\d_]+", " ".join(whole)) if len(part) >= 3}
    tokens = sorted((name for name in names if len(name) >= 3), key=len, reverse=True)
    for word in words:
        rest = word
        for token in tokens:
            rest = rest.replace(token, "")
        if word and rest != word and len(rest) < 3:
            return True
    return False
