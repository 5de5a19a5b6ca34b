"""Find the keywords of a document once, and look them up by position.

Invariant: asking costs a binary search, so a document that is nothing but figures still reads in linear time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from app.platform.data_files import Entry, Words, read_entry, read_toml
from app.text.expressions import compiled

Key = TypeVar("Key", bound=str)
_DATA: Final = Path(__file__).parents[1] / "data"


@cache
def table(name: str) -> dict[str, Any]:
    """Return the data file `name`, parsed.

    Raises:
        DataFileError: when it is not TOML.
    """
    return read_toml(_DATA / name)


class _WordLists(Entry):
    """Tables of word lists: what each key stands for, as regular expressions over folded text."""

    lists: Mapping[str, Words]


def vocabulary(file: str, section: str) -> tuple[tuple[Any, str], ...]:
    """Return (key, alternatives) of one table of word lists, in the order of the file.

    Raises:
        DataFileError: when an entry of the table is no list of expressions.
    """
    lists = read_entry(_WordLists, f"{file}: {section}", {"lists": table(file).get(section)}).lists
    return tuple((key, "|".join(words)) for key, words in lists.items())


@dataclass(frozen=True, slots=True)
class KeywordMatches(Generic[Key]):
    """The cues of one text, in order, none overlapping."""

    starts: list[int]
    ends: list[int]
    keys: list[Key]

    def before(self, offset: int, floor: int) -> tuple[Key, int] | None:
        """Return the last cue that lies in `floor:offset`, with its distance to `offset`."""
        at = bisect_right(self.ends, offset) - 1
        if at < 0 or self.starts[at] < floor:
            return None
        return self.keys[at], offset - self.ends[at]

    def after(self, offset: int, limit: int) -> tuple[Key, int] | None:
        """Return the first cue that lies in `offset:limit`, with its distance to `offset`."""
        at = bisect_left(self.starts, offset)
        if at >= len(self.starts) or self.ends[at] > limit:
            return None
        return self.keys[at], self.starts[at] - offset


class KeywordMatcher(Generic[Key]):
    """A vocabulary: each key with the pattern of the words that stand for it; earlier keys win ties."""

    def __init__(self, vocabulary: Iterable[tuple[Key, str]]) -> None:
        entries = tuple(vocabulary)
        self._any = compiled(r"\b(?:" + "|".join(f"(?:{words})" for _, words in entries) + r")(?:\b|$)")
        self._each = [(key, compiled(rf"(?:{words})")) for key, words in entries]
        # Only words of the vocabulary are ever asked for, the same ones in every document.
        self.key_of = lru_cache(maxsize=4096)(self._key_of)

    def find(self, folded: str) -> KeywordMatches[Key]:
        """Return every cue of `folded`."""
        found: KeywordMatches[Key] = KeywordMatches([], [], [])
        for match in self._any.finditer(folded):
            key = self.key_of(match.group())
            if key is not None:
                found.starts.append(match.start())
                found.ends.append(match.end())
                found.keys.append(key)
        return found

    def _key_of(self, words: str) -> Key | None:
        """Return the key that `words` stand for as a whole, or None."""
        return next((key for key, pattern in self._each if pattern.fullmatch(words)), None)
