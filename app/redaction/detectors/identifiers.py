"""Find identifiers after a label (`announced`), or by form and check digit (`unannounced`)."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from app.redaction.finding import Certainty, Finding
from app.redaction.formats import Format, at_home, spellings_in, tables
from app.redaction.labels import Label, labels_in
from app.redaction.view import View

_LONGEST_UNKNOWN = 30
# A single letter after a blank is a word of the sentence ("12345678 y") unless its check is right.
_LOOSE_LETTER = re.compile(r"\s(?:[a-z]|[A-Z](?:\s|\Z))")
_WORD = re.compile(r"([A-Za-z0-9&]+)")
# A full stop joins two parts only where nothing follows it: elsewhere it ends the sentence.
_NEXT_PART = re.compile(r"(?:[ \t]?[-/)][ \t]?\n?|\.|[ \t]\n?[ \t]?|\n)([A-Za-z0-9&]+)")
_NEXT_IN_LIST = re.compile(
    r"\s?[,;/]?\s?(?:(?:y|e|and|et|und|o|or)\s)?(?=[A-Za-z]{0,2}[-. ]?[0-9])", re.IGNORECASE
)
_JOINING = frozenset("-./")
_LETTERS_BEFORE = re.compile(r"(?<![A-Za-z0-9&])([A-Z&]{1,6}|[a-z](?! ))(?:[-./ ]| - )\Z")
_NEXT_WORD = re.compile(r"[^9A]{1,3}[9A]{1,40}")
_SIGNS = str.maketrans(
    "", "", "".join(chr(code) for code in range(128) if not chr(code).isalnum() and code != 38)
)
_LEAST_DIGITS = 6
_DOCKET_OR_YEAR = re.compile(r"\d{1,7}[/-](?:19|20)\d\d|(?:\d{1,2}[./-]){2}\d{2,4}")
_LOOK_BACK = 48
_LOOK_AHEAD = 16


class _Candidate(NamedTuple):
    """One way to read a labelled value; readings compare by how good they are."""

    merit: tuple[int, int, int]
    end: int
    format: Format
    certainty: Certainty


def _compact(text: str) -> str:
    return text.translate(_SIGNS).upper()


def _windows(view: View, start: int, longest: int) -> Iterator[int]:
    """Yield ends of the values of up to `longest` letters and digits that could begin at `start`."""
    text = view.text
    match = _WORD.match(text, start)
    while match is not None and (longest := longest - match.end(1) + match.start(1)) >= 0:
        word = match[1]
        if (
            word.isalpha()
            and match.start(1) != start
            and (len(word) > 6 or (len(word) > 1 and not word.isupper()))
        ):
            return
        yield match.end()
        match = _NEXT_PART.match(text, match.end())


def _runs_on(view: View, end: int) -> bool:
    """Tell whether a digit is joined to what ends here, which is then part of something longer."""
    return view.kinds[end : end + 2] in ("-9", ".9")


_BEST = 4
# The Chilean RUC numbers a criminal case, the Peruvian one a taxpayer.
_TWO_MEANINGS = "ruc"


def _merit(fmt: Format, verdict: bool | None, jurisdiction: str) -> int:
    # A home number with a wrong digit is likelier than a foreign one that is right by chance.
    if at_home(fmt.country, jurisdiction):
        return {True: _BEST, None: 3, False: 2}[verdict]
    return 1 if verdict else 0


@cache
def _longest(key: str) -> int:
    return max(fmt.longest for fmt, _ in tables().labels[key])


@lru_cache(maxsize=8192)
def _of_that_shape(key: str, kinds: str) -> tuple[tuple[int, Format, bool], ...]:
    """Return the formats a label may announce that have this shape, with their place in its list."""
    specimen = kinds.replace("9", "0")
    if "9" not in kinds:
        return ()
    return tuple(
        (order, fmt, weak)
        for order, (fmt, weak) in enumerate(tables().labels[key])
        if fmt.shape.fullmatch(specimen)
    )


def _alone(key: str, fmt: Format, spelled: str, joined: bool, jurisdiction: str) -> bool:
    """Tell whether a value without a right check digit stands alone and is no docket or number of a law."""
    if joined and fmt.type != "PHONE":
        return False
    if fmt.check is None and len(key) < 3 and not at_home(fmt.country, jurisdiction):
        return False
    return "/" not in spelled or _DOCKET_OR_YEAR.fullmatch(spelled) is None


def _best_candidate(view: View, label: Label, start: int, jurisdiction: str) -> _Candidate | None:
    best: _Candidate | None = None
    wrong: set[str] = set()  # formats that fit a longer value, but for its check digit
    for end in reversed(list(_windows(view, start, _longest(label.key)))):
        kinds = view.kinds[start:end]
        candidates = _of_that_shape(label.key, kinds.translate(_SIGNS))
        if not candidates or _runs_on(view, end):
            continue
        docket = kinds in tables().dockets
        spelled = view.text[start:end]
        compact = _compact(spelled)
        joined = view.kinds[end : end + 2] == "/9"
        loose_letter = end - start > 2 and _LOOSE_LETTER.match(view.text[end - 2 : end + 2]) is not None
        for order, fmt, weak in candidates:
            verdict = fmt.verdict(compact)
            if verdict is False and (weak or loose_letter):
                continue
            if docket and not (
                verdict and (label.key != _TWO_MEANINGS or at_home(fmt.country, jurisdiction))
            ):
                continue
            if not verdict and " " in spelled and view.kinds[end : end + 2] == " 9":
                continue  # part of a longer number written in groups
            if not verdict and f"{fmt.country}{fmt.type}" in wrong:
                continue
            if verdict is False:
                wrong.add(f"{fmt.country}{fmt.type}")
            if not verdict and not _alone(label.key, fmt, spelled, joined, jurisdiction):
                continue
            merit = (_merit(fmt, verdict, jurisdiction), end, -order)
            if best is None or merit > best.merit:
                certainty = Certainty.PROVEN if verdict else Certainty.LABELLED
                best = _Candidate(merit, end, fmt, certainty)
            if best.merit[0] == _BEST:
                # Nothing shorter, and no format further down the list, can be better.
                return best
        if docket:
            return best
    return best


def _type_of(label: Label, jurisdiction: str) -> str | None:
    """Return the type a label means where no format agrees with its value.

    It is None for words with other meanings.
    """
    if any(weak for _, weak in label.formats):
        return None
    plain = [fmt for fmt, _ in label.formats if fmt.type not in ("PLATE", "PHONE", "CREDIT_CARD")]
    if not plain or len(label.key) < 3:
        return None
    return next((fmt.type for fmt in plain if at_home(fmt.country, jurisdiction)), plain[0].type)


def _unlike_any(view: View, label: Label, start: int, jurisdiction: str) -> Finding | None:
    """Return a value that no format explains, after a label that has one meaning: masked all the same."""
    name = _type_of(label, jurisdiction)
    if name is None:
        return None
    end = start
    for candidate in _windows(view, start, _LONGEST_UNKNOWN):
        word = re.split(r"[^A-Za-z0-9&]", view.text[start:candidate])[-1]
        if not any(character.isdigit() for character in word) and end != start:
            break
        end = candidate
        if view.kinds[start:end] in tables().dockets:
            return None
    spelled = view.text[start:end]
    digits = sum(character.isdigit() for character in spelled)
    if digits < _LEAST_DIGITS or _DOCKET_OR_YEAR.fullmatch(spelled) or _is_amount(view, start, end):
        return None
    return Finding(start, end, name, Certainty.LABELLED_SHAPE, _compact(spelled))


def _closed(view: View, start: int, end: int) -> int:
    """Return `start`, or the parenthesis before it where the value holds the closing one."""
    inside = view.text[start:end]
    return start - 1 if start and view.text[start - 1] == "(" and ")" in inside else start


def announced(view: View, jurisdiction: str) -> Iterator[Finding]:
    """Find values after a label, also with a wrong check digit, and further members of a list ("y", ",")."""
    for label in labels_in(view):
        start = label.value
        first: Format | None = None
        while True:
            candidate = _best_candidate(view, label, start, jurisdiction)
            if candidate is None or (first is not None and candidate.format is not first):
                break
            if (
                first is None
                and candidate.certainty is not Certainty.PROVEN
                and _is_amount(view, start, candidate.end)
            ):
                break
            opened = _closed(view, start, candidate.end)
            key = _compact(view.text[start : candidate.end])
            yield Finding(opened, candidate.end, candidate.format.type, candidate.certainty, key)
            first = candidate.format
            following = _NEXT_IN_LIST.match(view.text, candidate.end)
            if following is None or following.end() == candidate.end:
                break
            start = following.end()
        if first is None:
            fallback = _unlike_any(view, label, start, jurisdiction)
            if fallback is not None:
                yield fallback


@cache
def _other_thing() -> re.Pattern[str]:
    words = "|".join(sorted(tables().other_things, key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-z])(?:{words})(?:[\s.:,#()/-]|(?:num|numero|no|nro|nr|n|interna|interno|notarial|judicial|es|is)"
        r"(?![A-Za-z0-9])){0,8}+\Z",
        re.IGNORECASE,
    )


@cache
def _money() -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = "|".join(tables().currencies)
    return (
        re.compile(rf"(?:[$]|\x01|(?<![A-Za-z])(?:{words})\.?)\s?\Z", re.IGNORECASE),
        re.compile(rf"\s?(?:[,.]\d|[$%]|(?:de\s)?(?:{words})(?![A-Za-z])|-?\s?\x01)", re.IGNORECASE),
    )


def _is_amount(view: View, start: int, end: int) -> bool:
    before, after = _money()
    return (
        before.search(view.text[max(0, start - 12) : start]) is not None
        or after.match(view.text[end : end + _LOOK_AHEAD]) is not None
    )


def is_other_thing(view: View, start: int, end: int) -> bool:
    """Tell whether the words around a number name something that is nobody's identifier."""
    before = view.text[max(0, start - _LOOK_BACK) : start]
    return _other_thing().search(before) is not None or _is_amount(view, start, end)


def _is_part(view: View, start: int, end: int, fmt: Format) -> bool:
    """Tell whether the spelling is a piece of a longer run, such as a docket or a column of figures."""
    kinds = view.kinds
    before, after = kinds[max(0, start - 2) : start], kinds[end : end + 2]
    if before[-1:] in ("-", ".", "_", "@") and before[:1] in ("9", "A") and len(before) == 2:
        return True
    if after[:1] in ("-", "_", "@") and after[1:] in ("9", "A"):
        return True
    if after in (".9", ",9") or (before[:1] == "9" and before[1:] == ","):
        return True
    if fmt.strong:
        return False
    if (before[-1:] in ("/", ":", "=", "+") and before[:1] in ("9", "A")) or after in ("/9", "/A", ":9"):
        return True
    spaced = " " in kinds[start:end]
    return spaced and fmt.type != "CREDIT_CARD" and (before == "9 " or after == " 9")


def _accepted(view: View, start: int, end: int, formats: tuple[Format, ...]) -> Finding | None:
    spelled = view.text[start:end]
    if not spelled.isupper() and not (spelled.islower() and " " not in spelled) and not _digits_only(spelled):
        return None
    compact = _compact(spelled)
    for fmt in formats:
        verdict = fmt.verdict(compact)
        if verdict is False or _is_part(view, start, end, fmt):
            continue
        if not fmt.strong and is_other_thing(view, start, end):
            continue
        certainty = Certainty.CHECKED if verdict else Certainty.SPELLING
        return Finding(start, end, fmt.type, certainty, compact)
    return None


def _digits_only(spelled: str) -> bool:
    return not any(character.isalpha() for character in spelled)


def _first_words(view: View, settled: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where a value may begin.

    That is at words with a digit, and at the few letters or the parenthesis before them.
    """
    text, kinds = view.text, view.kinds
    for start, end in view.figures:
        if settled[start]:
            continue
        sign = kinds[start - 1] if start else ""
        if sign == "(":
            yield start - 1, end
        elif (sign == " " and (text[start - 2].isupper() or text[start - 2] == "-")) or sign in _JOINING:
            letters = _LETTERS_BEFORE.search(text, max(0, start - 10), start)
            if letters:
                yield letters.start(), letters.end(1)
        yield start, end


def unannounced(view: View, jurisdiction: str, settled: Sequence[int]) -> Iterator[Finding]:
    """Yield values whose spelling and check digit speak for themselves; national spellings only at home.

    `settled` is 1 at each offset of the view that a surer finding covers: nothing is sought there again.
    """
    known = spellings_in(jurisdiction)
    prefixes = tables().prefixes
    kinds = view.kinds
    done = 0
    for start, end in _first_words(view, settled):
        if start < done:
            continue
        found: Finding | None = None
        spelled = kinds[start:end]
        while spelled in prefixes:
            formats = known.get(spelled)
            if formats:
                found = _accepted(view, start, end, formats) or found
            following = _NEXT_WORD.match(kinds, end)
            if following is None:
                break
            end = following.end()
            spelled = kinds[start:end]
        if found is not None:
            yield found
            done = found.end
