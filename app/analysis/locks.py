"""Certainty locks, earned and never claimed. Pure: the document, the draft and a verifier in, verdicts out.

`[L1]` only where every quoted word stands literally in the document or in a loaded article that is cited
(white space and letter case aside); `[L2-J]` only where the judgments cited are in the corpus, `[L2-J-V]`
where beyond that the citator, which the account must have, finds them still good law; `[L5-C]` for a
critical risk that names its reason and whose quotes and authorities hold; everything else is `[L4]`. What was
proposed and could not be confirmed is lowered and said (decisions 6).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.analysis.quoting import Recited
from app.analysis.statements import Lock, Statement

# Words shorter than this are found in any text and prove nothing.
_QUOTE_MIN = 2
_SPACE = re.compile(r"\s+")
# White space that is not already a single space.
_RUN = re.compile(r"\s{2,}|[^\S ]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "‚": "'"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words found in the document: `document[start:end]` is where they stand."""

    text: str
    start: int
    end: int


class Lowered(StrEnum):
    """Why a statement did not earn the lock that was proposed for it."""

    NOT_FOUND = "quoted words not found in the document"
    NO_QUOTE = "no words were quoted"
    NO_REASON = "critical risk without high severity and a reason"
    NO_BASIS = "legal basis not confirmed"
    NO_JUDGMENT = "judgment not resolved in the corpus"
    NOT_GOOD_LAW = "judgment not confirmed to be still good law"
    MISQUOTED = "the article cited does not say the words quoted"


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement with the lock it earned, the words that prove it, and why it was lowered if it was.

    `recited` are words of law that it quotes, held against the loaded articles.
    """

    statement: Statement
    lock: Lock
    evidence: tuple[Evidence, ...]
    lowered: Lowered | None = None
    recited: tuple[Recited, ...] = ()


class Literal:
    """Looks quoted words up in one document, wherever white space, quotation marks or case differ."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._folded: str | None = None
        self._places: list[int] = []
        self._shifts: list[int] = []

    def find(self, quote: str) -> Evidence | None:
        """Where `quote` stands in the document, or `None`."""
        wanted = _SPACE.sub(" ", _fold(quote)).strip()
        if sum(character.isalnum() for character in wanted) < _QUOTE_MIN:
            return None
        if self._folded is None:
            self._read()
        assert self._folded is not None
        at = self._folded.find(wanted)
        if at < 0:
            return None
        start, end = self._origin(at), self._origin(at + len(wanted) - 1) + 1
        return Evidence(self._document[start:end], start, end)

    def _read(self) -> None:
        """Fold the document once, remembering how far each place moved.

        `_places` are offsets in the folded text from which on `_shifts` is what to add to be in the document.
        """
        folded = _fold(self._document)
        if len(folded) != len(self._document):
            # Folding that changes length ("ß") would move every offset: those few letters stay as they are.
            folded = "".join(one if len(one) == 1 else letter for letter, one in _letters(self._document))
        pieces, last, shift = [], 0, 0
        self._places, self._shifts = [0], [0]
        for run in _RUN.finditer(folded):
            pieces += [folded[last : run.start()], " "]
            shift += run.end() - run.start() - 1
            last = run.end()
            self._places.append(run.end() - shift)
            self._shifts.append(shift)
        self._folded = "".join([*pieces, folded[last:]])

    def _origin(self, place: int) -> int:
        return place + self._shifts[bisect_right(self._places, place) - 1]


def _fold(text: str) -> str:
    return text.translate(_QUOTES).casefold()


def _letters(text: str) -> Iterator[tuple[str, str]]:
    return ((letter, _fold(letter)) for letter in text)


Holds = Callable[[str], bool | None]
Recites = Callable[[Statement], Sequence[Recited]]
Judgments = Callable[[str], Sequence[bool | None]]


def judge(
    statements: Iterable[Statement],
    document: str | Literal,
    authority_holds: Holds,
    *,
    recites: Recites = lambda _: (),
    judgments: Judgments = lambda _: (),
) -> tuple[Judged, ...]:
    """Give every statement the lock it earned.

    `authority_holds(citation)` is `True` when code verified it, `False` when it is broken, `None` when it
    could not be checked. `recites(statement)` are the words of law it quotes; `judgments(citation)` tells of
    each judgment named whether it is still good law, `None` where it is not in the corpus.
    """
    literal = document if isinstance(document, Literal) else Literal(document)
    return tuple(
        _judge(statement, literal, authority_holds, recites(statement), judgments) for statement in statements
    )


def _judge(
    statement: Statement,
    literal: Literal,
    authority_holds: Holds,
    recited: Sequence[Recited],
    judgments: Judgments,
) -> Judged:
    of_law = {one.words for one in recited if one.literal}
    found = [literal.find(quote) for quote in statement.quotes]
    evidence = tuple(item for item in found if item is not None)
    unsupported = [
        quote
        for quote, item in zip(statement.quotes, found, strict=True)
        if item is None and quote not in of_law
    ]
    misquoted = any(not one.right for one in recited)
    broken = [citation for citation in statement.citations if authority_holds(citation) is False]

    lock: Lock = Lock.L4
    lowered: Lowered | None = None
    match statement.proposed:
        case Lock.L1:
            if misquoted:
                lowered = Lowered.MISQUOTED
            elif (evidence or of_law) and not unsupported:
                lock = Lock.L1
            else:
                lowered = Lowered.NOT_FOUND if found else Lowered.NO_QUOTE
        case Lock.L5C:
            if statement.severity != "high" or not statement.reason:
                lowered = Lowered.NO_REASON
            elif misquoted:
                lowered = Lowered.MISQUOTED
            elif unsupported:
                lowered = Lowered.NOT_FOUND
            elif broken:
                lowered = Lowered.NO_BASIS
            else:
                lock = Lock.L5C
        case Lock.L2J | Lock.L2JV:
            if misquoted:
                lowered = Lowered.MISQUOTED
            elif unsupported:
                lowered = Lowered.NOT_FOUND
            elif broken:
                lowered = Lowered.NO_BASIS
            else:
                lock, lowered = _by_judgments(statement, judgments)
        case Lock.L4:
            if misquoted:
                lowered = Lowered.MISQUOTED
            elif unsupported:
                lowered = Lowered.NOT_FOUND
    return Judged(statement, lock, evidence, lowered, tuple(recited))


def _by_judgments(statement: Statement, judgments: Judgments) -> tuple[Lock, Lowered | None]:
    """The lock of a statement that rests on judgments: those it cites or, citing nothing, quotes."""
    found = [one for written in statement.citations or statement.quotes for one in judgments(written)]
    if not found or None in found:
        return Lock.L4, Lowered.NO_JUDGMENT
    if all(found):
        return Lock.L2JV, None
    return Lock.L2J, Lowered.NOT_GOOD_LAW if statement.proposed is Lock.L2JV else None
