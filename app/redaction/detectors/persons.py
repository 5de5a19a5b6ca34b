"""Give the forms of one person's name one key.

"Carmen Zurriaga Ibáñez", "la señora Zurriaga", "doña Carmen", "C. Zurriaga" and "ZURRIAGA IBÁÑEZ, CARMEN" are
one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from app.redaction.detectors.names import company, plain_word, word_set
from app.redaction.view import View, view_of

_MOST_NAMES = 400
"""With more names than these, further occurrences are masked only where the structure shows them again."""

_WORD = re.compile(r"[A-Za-z][A-Za-z']*\.?")
_CAPITALISED = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z']+(?:-[A-Z][A-Za-z']+)*")
_ONLY_INITIALS = re.compile(r"(?<![A-Za-z0-9.])(?:[A-Z]\.\s?){1,4}[A-Z]\.(?![A-Za-z0-9])")
_JOINT = re.compile(
    r"[ \n](?:(?:de|del|de la|de las|de los|la|y|e|i|da|do|dos|von|van|van der|di|le|du)[ ])?"
)
_BEFORE = re.compile(r"([A-Za-z.'&]+)[ ](?:de la|del|de|la|los|las|el|of|the)?[ ]?\Z")
_AFTER = re.compile(r"[ ](?:[A-Z][A-Za-z]+|&)")
_FEWEST_LETTERS = 3


class _Form(NamedTuple):
    """A name at `start` to `end` of the view; `words` are its words without particles and titles."""

    start: int
    end: int
    words: tuple[str, ...]


@cache
def _dropped() -> frozenset[str]:
    return word_set("particles") | word_set("not_names")


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a name in lower case; an initial keeps its full stop."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        bare = plain_word(word)
        if len(bare) == 1:
            found.append(f"{bare}.")
        elif bare not in _dropped() and word not in word_set("short_titles"):
            found.append(bare)
    return tuple(found)


def _is_form_of(short: Sequence[str], full: Sequence[str]) -> bool:
    """Tell whether every word of `short` is one of `full`, or the initial of one; each is used once."""
    left = list(full)
    for word in short:
        found = next((one for one in left if one == word or (word[1:] == "." and one[0] == word[0])), None)
        if found is None:
            return False
        left.remove(found)
    return True


class _Persons:
    """The persons of one document, by the words of their fullest names."""

    def __init__(self, names: Iterable[tuple[str, ...]]) -> None:
        def fullness(name: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
            return -sum(len(word) > 2 for word in name), -len(name), name

        self._by_word: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        self._keys: dict[tuple[str, ...], str] = {}
        self._known: dict[tuple[str, ...], bool] = {}
        initials: dict[str, set[str]] = defaultdict(set)
        for name in sorted({name for name in names if name}, key=fullness)[:_MOST_NAMES]:
            # The fullest come first: what is a form of one of them is no further person.
            if self.key(name) == " ".join(name):
                for word in set(name):
                    self._by_word[word].append(name)
                initials["".join(word[0] for word in name)].add(" ".join(name))
        self._initials = {letters: keys.pop() for letters, keys in initials.items() if len(keys) == 1}
        self._known.clear()

    def key(self, words: tuple[str, ...]) -> str:
        """Return the key of a form: its person's where it can be only one, else its own."""
        if words not in self._keys:
            keys = {" ".join(full) for full in self._candidates(words)}
            self._keys[words] = keys.pop() if len(keys) == 1 else " ".join(words)
        return self._keys[words]

    def has(self, words: tuple[str, ...]) -> bool:
        """Tell whether a form can be that of a person whose full name is known."""
        if words not in self._known:
            self._known[words] = any(True for _ in self._candidates(words))
        return self._known[words]

    def _candidates(self, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        told = [word for word in words if len(word) > 2]
        for full in self._by_word.get(told[0], ()) if told else ():
            if _is_form_of(words, full):
                yield full

    def knows(self, word: str) -> bool:
        """Tell whether a word belongs to somebody's full name."""
        return word in self._by_word

    def with_initials(self, letters: str) -> str | None:
        """Return the key of the one person who has these initials."""
        return self._initials.get(letters)


def forms(text: str, view: View, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Yield every form of the names at `spans`, wherever they stand: offsets of `text`, and the person's key.

    `spans` are offsets of `text`, `view` is its view.
    """
    named = [(start, end, _words(view_of(text[start:end]).text)) for start, end in spans]
    persons = _Persons(words for _, _, words in named)
    for start, end, words in named:
        yield start, end, persons.key(words) or " ".join(view_of(text[start:end]).text.casefold().split())
    if not named:
        return
    for form in (*_mentions(view, persons), *_initialled(view, persons)):
        start, end = view.original(form.start, form.end)
        yield start, end, persons.key(form.words)


def _mentions(view: View, persons: _Persons) -> Iterator[_Form]:
    """Yield runs of words of full names, where the words around do not make something else of them."""
    run: list[tuple[int, int]] = []
    for match in _CAPITALISED.finditer(view.text):
        word = plain_word(match[0])
        known = persons.knows(word) or all(persons.knows(part) for part in word.split("-"))
        if known and len(word) >= _FEWEST_LETTERS:
            if (
                run
                and _JOINT.fullmatch(view.text, run[-1][1], match.start())
                and persons.has(_words(view.text[run[0][0] : match.end()]))
            ):
                run.append(match.span())
                continue
            yield from _accepted(view, persons, run)
            run = [match.span()]
    yield from _accepted(view, persons, run)


def _accepted(view: View, persons: _Persons, run: Sequence[tuple[int, int]]) -> Iterator[_Form]:
    if not run:
        return
    start, end = run[0][0], run[-1][1]
    words = _words(view.text[start:end])
    if not words or company().match(view.text, end):
        return
    if len(words) == 1 and (words[0] in word_set("common") or words[0] in word_set("not_names")):
        return
    initials = _INITIALS_BEFORE.search(view.text, max(0, start - 16), start)
    if initials is not None:
        with_them = _words(view.text[initials.start(1) : end])
        letters = "".join(re.findall(r"[A-Z]", initials[1])).lower()
        # "D.", "M." and "C." are forms of address as well, and a company may end before a name.
        if persons.has(with_them) or letters not in word_set("abbreviations") | {"d", "m", "c"}:
            start, words = initials.start(1), with_them
    before = _BEFORE.search(view.text, max(0, start - 40), start)
    shouted = view.text[start:end].isupper()
    if before is not None:
        word = plain_word(before[1])
        if word in word_set("named_after"):
            return
        earlier = view.text[max(0, before.start() - 2) : before.start()].strip(" ")[-1:]
        first = earlier in ("", ".", ";", ":", "\n", "(", "-", '"')
        if len(words) == 1 and before[1][0].isupper() and not (first or shouted or before[1].endswith(".")):
            return
    if len(words) == 1 and not shouted and _AFTER.match(view.text, end):
        return
    yield _Form(start, end, words)


_INITIALS_BEFORE = re.compile(r"(?<![A-Za-z0-9.])((?:[A-Z]\.\s?){1,3})\Z")


def _initialled(view: View, persons: _Persons) -> Iterator[_Form]:
    """Yield nothing but initials, where they are all of somebody's."""
    for match in _ONLY_INITIALS.finditer(view.text):
        letters = "".join(re.findall(r"[A-Z]", match[0])).lower()
        if letters in word_set("abbreviations"):
            continue
        key = persons.with_initials(letters)
        if key is not None:
            yield _Form(match.start(), match.end(), tuple(key.split(" ")))
