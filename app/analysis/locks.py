"""Certainty locks: what a statement earns, decided by code from the document, the law and the judge of
support.

Pure. Source: decision 013. A lock speaks of the statement, not of the existence of some words:

- `[L1]` restates words that stand in the document or in a loaded article (`app.analysis.support`);
- `[L2-J]` rests on a loaded judgment of which a passage supports it; `[L2-J-V]` where beyond that the
  citator, which the account must have, finds it still good law;
- `[L5-C]` is a critical risk with its reason, whose quotation stands in the document and whose authority
  supports it;
- everything else is `[L4]`. A statement of which an authority is broken, silent or contradicts it has
  nothing higher.

What was proposed and could not be confirmed is lowered and said; what an authority contradicts is withdrawn.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.analysis import support
from app.analysis.support.quoted_words import CheckedQuotation
from app.rules import Lock, Statement

# Words shorter than this are found in any text and prove nothing.
_QUOTE_MIN = 2
_TITLE = 300
_SPACE = re.compile(r"\s+")
# White space that is not already a single space.
_RUN = re.compile(r"\s{2,}|[^\S ]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "‚": "'"})
_IN_PROSE = re.compile(r"«([^«»]{1,2000})»|“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|\"([^\"\n]{1,2000})\"")
_BROKEN = frozenset({"mismatch", "not_found", "derogated"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words found in the document: `document[start:end]` is where they stand."""

    text: str
    start: int
    end: int


class DowngradeReason(StrEnum):
    """Why a statement did not earn the lock that was proposed for it."""

    NOT_FOUND = "quoted words not found in the document"
    NO_QUOTE = "no words were quoted"
    APPROVES = "what is said to be valid is no critical risk"
    NO_REASON = "critical risk without high severity and a reason"
    NO_BASIS = "legal basis not confirmed"
    NO_JUDGMENT = "judgment not resolved in the corpus"
    NOT_GOOD_LAW = "judgment not confirmed to be still good law"
    MISQUOTED = "the article cited does not say the words quoted"
    PROSE = "the statement puts words in quotation marks that stand nowhere"
    SILENT = "the authority cited says nothing of this"
    CONTRADICTED = "the authority cited says the contrary"
    UNSUPPORTED = "no loaded authority was found to support it"
    CUT = "the quotation cuts a word or a figure"
    SHORT = "the quotation is neither a whole value nor three words"
    CLIPPED = "the quotation begins behind a negation or exception that governs it"
    EXCEPTION = "the statement leaves out an exception or a condition"
    FIGURE = "a figure or date of the statement does not stand in the quotation"
    ROLE = "the quoted clause gives the value another role, or none"
    PARTY = "the quoted words name another party"
    MODALITY = "the quoted words say may, must or must not otherwise"
    POLARITY = "the quoted words deny what the statement says, or the reverse"
    OTHER_MATTER = "the quoted words are about another contract, time or thing"
    BEYOND = "the statement says more than the quotation"


@dataclass(frozen=True, slots=True)
class Backing:
    """One authority of a statement as code judged it.

    `written` is how the statement cites it; `status` and `depth` are the verdict on the citation, `support`
    what its loaded text says of the statement, `passage` the words of it that were judged.
    """

    written: str
    status: str
    depth: str
    support: support.Verdict
    passage: str = ""

    @property
    def broken(self) -> bool:
        return self.status in _BROKEN


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement with the lock it earned, the words that prove it, and why it was lowered if it was.

    `recited` are words of law that it quotes, held against the loaded articles; `backing` its authorities.
    `withdrawn` statements leave the answer: an authority that they cite says the contrary.
    """

    statement: Statement
    lock: Lock
    evidence: tuple[Evidence, ...]
    lowered: DowngradeReason | None = None
    recited: tuple[CheckedQuotation, ...] = ()
    backing: tuple[Backing, ...] = ()
    withdrawn: bool = False


class QuoteFinder:
    """Looks quoted words up in one document, wherever white space, quotation marks or case differ."""

    def __init__(self, document: str) -> None:
        self._document = document
        self._folded: str | None = None
        self._places: list[int] = []
        self._shifts: list[int] = []
        self._read_document: support.Document | None = None

    @property
    def title(self) -> str:
        """The first words of the document, which name what it is about."""
        return self._document[:_TITLE]

    @property
    def document(self) -> support.Document:
        """The document as the judge of support reads it, read once."""
        if self._read_document is None:
            self._read_document = support.Document(self._document)
        return self._read_document

    def find(self, quote: str) -> Evidence | None:
        """Where `quote` stands in the document, between words if it does so anywhere; or `None`."""
        wanted = _SPACE.sub(" ", _fold(quote)).strip()
        if sum(character.isalnum() for character in wanted) < _QUOTE_MIN:
            return None
        if self._folded is None:
            self._read()
        assert self._folded is not None
        first = at = self._folded.find(wanted)
        while at >= 0 and not _between_words(self._folded, at, at + len(wanted)):
            at = self._folded.find(wanted, at + 1)
        at = at if at >= 0 else first
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


def _between_words(text: str, start: int, end: int) -> bool:
    return (
        not (start and text[start - 1 : start + 1].isalnum()) and not text[end - 1 : end + 1].isalnum()
    ) or end == len(text)


def _fold(text: str) -> str:
    return text.translate(_QUOTES).casefold()


def _letters(text: str) -> Iterator[tuple[str, str]]:
    return ((letter, _fold(letter)) for letter in text)


Recites = Callable[[Statement], Sequence[CheckedQuotation]]
Backs = Callable[[Statement], Sequence[Backing]]
Judgments = Callable[[str], Sequence[bool | None]]


def judge(
    statements: Iterable[Statement],
    document: str | QuoteFinder,
    backs: Backs = lambda _: (),
    *,
    recites: Recites = lambda _: (),
    judgments: Judgments = lambda _: (),
) -> tuple[JudgedStatement, ...]:
    """Give every statement the lock it earned.

    Args:
        statements: what an engine proposes.
        document: the text that they are about, anonymised as they are.
        backs: the authorities of a statement, as code judged them.
        recites: the words of law that a statement quotes, held against the loaded articles.
        judgments: of each judgment that a citation names, whether it is still good law; `None` where it is
            not in the corpus.
    """
    finder = document if isinstance(document, QuoteFinder) else QuoteFinder(document)
    return tuple(_judge(one, finder, tuple(backs(one)), recites(one), judgments) for one in statements)


def _judge(
    statement: Statement,
    finder: QuoteFinder,
    backing: tuple[Backing, ...],
    recited: Sequence[CheckedQuotation],
    judgments: Judgments,
) -> JudgedStatement:
    of_law = {one.words for one in recited if one.literal}
    found = [finder.find(quote) for quote in statement.quotes]
    evidence = tuple(item for item in found if item is not None)
    strange = any(
        item is None and quote not in of_law for quote, item in zip(statement.quotes, found, strict=True)
    )
    plain = _unquoted(statement, finder, of_law)
    why = _refused(statement, backing, recited, strange, plain is not statement)
    lock = Lock.L4
    if why is None:
        lock, why = _earned(plain, finder, evidence, of_law, backing, judgments)
    contradicted = statement.origin == "model" and any(one.support == "contradicted" for one in backing)
    return JudgedStatement(plain, lock, evidence, why, tuple(recited), backing, contradicted)


def _refused(
    statement: Statement,
    backing: Sequence[Backing],
    recited: Sequence[CheckedQuotation],
    strange: bool,
    reworded: bool,
) -> DowngradeReason | None:
    """Why a statement can have no lock above `[L4]`, whatever was proposed for it."""
    if any(not one.correct for one in recited):
        return DowngradeReason.MISQUOTED
    if any(one.support == "contradicted" for one in backing):
        return DowngradeReason.CONTRADICTED
    if strange:
        return DowngradeReason.NOT_FOUND
    if reworded:
        return DowngradeReason.PROSE
    if statement.proposed is Lock.L4:
        return None
    if any(one.broken for one in backing):
        return DowngradeReason.NO_BASIS
    if any(one.support == "silent" for one in backing) and not _supported(backing):
        return DowngradeReason.SILENT
    return None


def _supported(backing: Sequence[Backing]) -> bool:
    return any(one.support == "supported" for one in backing)


def _earned(
    statement: Statement,
    finder: QuoteFinder,
    evidence: Sequence[Evidence],
    of_law: frozenset[str] | set[str],
    backing: Sequence[Backing],
    judgments: Judgments,
) -> tuple[Lock, DowngradeReason | None]:
    if statement.proposed is Lock.L4:
        return Lock.L4, None
    if statement.origin == "code":
        # A verdict of code about a citation that stands in the document, in code's own words.
        return _by_code(statement, evidence, judgments)
    if statement.proposed is Lock.L1:
        return _restated(statement, finder, evidence, of_law)
    quoted = _places(evidence)
    whole = support.unsound(quoted, finder.document) if quoted else None
    if whole is not None:
        return Lock.L4, DowngradeReason[whole.name]
    if statement.proposed is Lock.L5C:
        if statement.severity != "high" or not statement.reason:
            return Lock.L4, DowngradeReason.NO_REASON
        if statement.origin == "model" and support.approves(statement.text, statement.citations):
            return Lock.L4, DowngradeReason.APPROVES
        if not evidence and not of_law and statement.origin == "model":
            return Lock.L4, DowngradeReason.NO_QUOTE
        if (
            statement.origin == "model"
            and quoted
            and not support.speaks_of(statement.text, quoted, finder.document)
        ):
            return Lock.L4, DowngradeReason.OTHER_MATTER
        if statement.origin == "rules" or any(one.support == "supported" for one in backing):
            return Lock.L5C, None
        return Lock.L4, DowngradeReason.UNSUPPORTED
    return _by_judgments(statement, backing, judgments)


def _by_code(
    statement: Statement, evidence: Sequence[Evidence], judgments: Judgments
) -> tuple[Lock, DowngradeReason | None]:
    if statement.proposed is Lock.L1:
        return (Lock.L1, None) if evidence else (Lock.L4, DowngradeReason.NO_QUOTE)
    return _still_good(statement, [one for written in statement.quotes for one in judgments(written)])


def _restated(
    statement: Statement, finder: QuoteFinder, evidence: Sequence[Evidence], of_law: Iterable[str]
) -> tuple[Lock, DowngradeReason | None]:
    """`[L1]` where the statement restates the words of the document, or of an article, that it quotes."""
    if evidence:
        departure = support.departure(statement.text, _places(evidence), finder.document)
        return (Lock.L1, None) if departure is None else (Lock.L4, DowngradeReason[departure.name])
    for words in of_law:
        article = support.Document(words)
        if support.departure(statement.text, [support.Quoted(0, len(words))], article) is None:
            return Lock.L1, None
    return Lock.L4, DowngradeReason.BEYOND if of_law else DowngradeReason.NO_QUOTE


def _places(evidence: Sequence[Evidence]) -> list[support.Quoted]:
    return [support.Quoted(one.start, one.end) for one in evidence]


def _by_judgments(
    statement: Statement, backing: Sequence[Backing], judgments: Judgments
) -> tuple[Lock, DowngradeReason | None]:
    """The lock of a statement that rests on judgments: each is loaded, and a passage of one supports it."""
    written = [one.written for one in backing]
    found = [one for citation in written or statement.citations for one in judgments(citation)]
    if not found or None in found:
        return Lock.L4, DowngradeReason.NO_JUDGMENT
    if not any(one.support == "supported" and judgments(one.written) for one in backing):
        return Lock.L4, DowngradeReason.UNSUPPORTED
    return _still_good(statement, found)


def _still_good(statement: Statement, found: Sequence[bool | None]) -> tuple[Lock, DowngradeReason | None]:
    if not found or None in found:
        return Lock.L4, DowngradeReason.NO_JUDGMENT
    if all(found):
        return Lock.L2JV, None
    return Lock.L2J, DowngradeReason.NOT_GOOD_LAW if statement.proposed is Lock.L2JV else None


def _unquoted(statement: Statement, finder: QuoteFinder, of_law: Iterable[str]) -> Statement:
    """The statement without quotation marks around words that stand nowhere."""
    if statement.origin != "model" or not any(mark in statement.text for mark in '«“„"'):
        return statement
    known = [_plainly(words) for words in of_law]

    def kept(match: re.Match[str]) -> str:
        words = next(group for group in match.groups() if group is not None)
        if not words.strip():
            return words
        stands = finder.find(words) is not None or any(_plainly(words) in one for one in known)
        return match[0] if stands else words

    text = _IN_PROSE.sub(kept, statement.text)
    return statement if text == statement.text else replace(statement, text=text)


def _plainly(words: str) -> str:
    return _SPACE.sub(" ", _fold(words)).strip()
