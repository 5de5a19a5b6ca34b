"""Say a document in Italian, French, Portuguese or German in Spanish, word for word. Pure.

Source: decision 130. What a statement in Spanish says of such a document is held against its words as the
words of contracts are put in Spanish, in their order. A word that the lists do not have stays as it is, and
explains nothing. German has its last verb put behind the first one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from app.platform.data_files import read_file
from app.text.foreign_numerals import foreign_numerals
from app.text.sentences import fold
from app.text.tongues import Tongue, tongue_of

_FILE: Final = Path(__file__).with_name("data") / "glosses.toml"
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?|\d[\d.,]*\d|\d|[^\w\s]", re.UNICODE)
_LONGEST: Final = 5
_FUTURE: Final = re.compile(r"h?(?:[aei]r|r)(?:a|anno|ao|ont)")
_PARTICIPLE: Final = re.compile(r"[aiu]t[oaie]|[ai]d[oa]s?|ee?s?|ie?s?|ue?s?|t[oaie]")
_PRESENT_A: Final = frozenset({"a", "ano", "am", "isce"})
_PRESENT: Final = frozenset({"e", "ono", "isce", "iscono", "em", "ent", "t", "it", "issent"})
_PAST: Final = re.compile(
    r"ge[a-z]+(?:t|en)|(?:be|er|ver|ein|aus|mit)[a-z]*ge[a-z]+|vergutet|erstattet|bezahlt"
)
_INFINITIVE: Final = re.compile(r"[aei]re|[aei]r|re")
_AUXILIARIES: Final = frozenset(
    {"wird", "werden", "kann", "konnen", "darf", "durfen", "muss", "mussen", "soll", "sollen"}
)
_STOPS: Final = frozenset({",", ";", ".", ":"})
_SHORTEST: Final = 3
_ENDINGS: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "it": (("bile", "ble"), ("bili", "bles"), ("zione", "cion"), ("zioni", "ciones"), ("mente", "mente")),
    "fr": (("tion", "cion"), ("tions", "ciones"), ("ment", "mente")),
    "pt": (("vel", "ble"), ("veis", "bles"), ("cao", "cion"), ("coes", "ciones"), ("dade", "dad")),
}


class _Piece(NamedTuple):
    """A word or a few of the foreign text at `start:end`, and what it is in Spanish."""

    start: int
    end: int
    spanish: str
    verb: bool = False


@dataclass(frozen=True, slots=True)
class Gloss:
    """A text in Spanish words, and where each word of the original stands in it."""

    text: str
    _places: tuple[tuple[int, int, int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where the words at `start:end` of the original stand; `None` where there are none."""
        inside = [one for one in self._places if one[0] < end and one[1] > start]
        if not inside:
            return None
        return min(one[2] for one in inside), max(one[3] for one in inside)


def gloss(text: str) -> Gloss | None:
    """Return a text in Spanish words; `None` where it is in Spanish or English."""
    counts = Counter(re.findall(r"[a-z]+", fold(text)))
    tongue = tongue_of(counts, "es")
    if tongue in ("es", "en"):
        return None
    pieces = list(_pieces(text, tongue))
    out: list[str] = []
    places: list[tuple[int, int, int, int]] = []
    length, last = 0, -1
    for at in _spanish_order(pieces, text, tongue):
        piece = pieces[at]
        apart = text[pieces[last].end : piece.start] if at == last + 1 and last >= 0 else " "
        if last >= 0 and text[pieces[last].end - 1] in "'’" and not apart:
            apart = " "
        if out:
            out.append(apart)
            length += len(apart)
        places.append((piece.start, piece.end, length, length + len(piece.spanish)))
        out.append(piece.spanish)
        length += len(piece.spanish)
        last = at
    return Gloss("".join(out), tuple(places))


def gloss_names(statement: str, text: str) -> str:
    """Return a statement in Spanish whose foreign terms, written with a capital, are put in Spanish too."""
    counts = Counter(re.findall(r"[a-z]+", fold(text)))
    tongue = tongue_of(counts, "es")
    lists = _lists(tongue)
    out: list[str] = []
    at = 0
    for match in _WORD.finditer(statement):
        key = fold(match[0])
        if match.start() and match[0][:1].isupper() and not match[0].isupper() and (key,) in lists.words:
            out += [statement[at : match.start()], lists.words[key,]]
            at = match.end()
    return "".join([*out, statement[at:]])


def _pieces(text: str, tongue: Tongue) -> Iterator[_Piece]:
    """Yield the words of a text in order, the longest phrases first, with their Spanish."""
    folded = fold(text)
    lists = _lists(tongue)
    figures = {one.start: one for one in foreign_numerals(folded, tongue)}
    found = list(_WORD.finditer(text))
    keys = [fold(one[0]).replace("’", "'") for one in found]
    exact = [one[0].lower().replace("’", "'") for one in found]
    at = 0
    while at < len(found):
        start = found[at].start()
        figure = figures.get(start)
        if figure is not None and figure.value > 1:
            end = figure.end
            while at < len(found) and found[at].start() < end:
                at += 1
            yield _Piece(start, end, str(figure.value))
            continue
        for size in range(min(_LONGEST, len(found) - at), 0, -1):
            spanish = lists.words.get(tuple(exact[at : at + size]))
            if spanish is None:
                spanish = lists.words.get(tuple(keys[at : at + size]))
            if spanish is not None:
                yield _Piece(start, found[at + size - 1].end(), _written(spanish, found[at][0]))
                at += size
                break
        else:
            verb = lists.verb(keys[at])
            # "31. März": the stop of a rank.
            rank = tongue == "de" and keys[at] == "." and at and keys[at - 1].isdigit()
            ranks = rank and at + 1 < len(found) and found[at + 1].start() > found[at].end()
            spanish = verb or lists.cognate(keys[at]) or found[at][0]
            yield _Piece(start, found[at].end(), "" if ranks else spanish, bool(verb))
            at += 1


def _written(spanish: str, foreign: str) -> str:
    return spanish[:1].upper() + spanish[1:] if foreign[:1].isupper() and spanish else spanish


def _spanish_order(pieces: Sequence[_Piece], text: str, tongue: Tongue) -> Sequence[int]:
    """Return the order of pieces in which the last verb of a German clause is behind its first one."""
    if tongue != "de":
        return range(len(pieces))
    out: list[int] = []
    clause: list[int] = []
    for at, piece in enumerate(pieces):
        clause.append(at)
        if piece.spanish in _STOPS:
            out += _verb_moved(clause, pieces, text)
            clause = []
    return [*out, *clause]


def _verb_moved(clause: list[int], pieces: Sequence[_Piece], text: str) -> list[int]:
    keys = [fold(text[pieces[at].start : pieces[at].end]) for at in clause]
    first = next((at for at, key in enumerate(keys) if key in _AUXILIARIES), None)
    last = len(clause) - 2
    if first is None or last <= first + 1 or not pieces[clause[last]].verb:
        return clause
    return [*clause[: first + 1], clause[last], *clause[first + 1 : last], *clause[last + 1 :]]


class _Lists(NamedTuple):
    words: Mapping[tuple[str, ...], str]
    verbs: Mapping[str, str]
    tongue: str

    def verb(self, key: str) -> str:
        """Return a form of a verb in Spanish, as its ending tells; "" for a word that is none of the list."""
        if self.tongue == "de":
            verb = self.verbs.get(key, "")
            return _participle(verb) if verb and _PAST.fullmatch(key) else verb and _present(verb, key)
        for size in range(len(key) - 1, _SHORTEST - 2, -1):
            verb, ending = self.verbs.get(key[:size], ""), key[size:]
            if not verb:
                continue
            if _FUTURE.fullmatch(ending):
                return verb + "an" if ending.endswith(("nno", "ao", "ont")) else verb + "a"
            if _INFINITIVE.fullmatch(ending):
                return verb
            if _PARTICIPLE.fullmatch(ending) and not (ending == "e" and self.tongue != "fr"):
                return _participle(verb)
            present = _PRESENT_A if verb.endswith("ar") and self.tongue != "fr" else _PRESENT
            if ending in present:
                return _present(verb, key)
        return ""

    def cognate(self, key: str) -> str:
        """Return a word in Spanish whose ending tells how it is said there: "imputabile"; "" for others."""
        for foreign, spanish in _ENDINGS.get(self.tongue, ()):
            if key.endswith(foreign) and len(key) > len(foreign) + _SHORTEST:
                return key[: -len(foreign)] + spanish
        return ""


def _participle(verb: str) -> str:
    return verb[:-2] + ("ado" if verb.endswith("ar") else "ido")


def _present(verb: str, key: str) -> str:
    if key.endswith("en"):
        return verb
    return verb[:-1] if verb.endswith(("ar", "er")) else verb[:-2] + "e"


@cache
def _lists(tongue: str) -> _Lists:
    raw = read_file(_FILE, dict[str, dict[str, str]]).get(tongue, {"words": "", "verbs": ""})
    words: dict[tuple[str, ...], str] = {}
    for pair in raw["words"].split():
        foreign, _, spanish = pair.partition("=")
        words[_split(foreign)] = spanish.replace("_", " ")
    verbs = dict(pair.split("=") for pair in raw["verbs"].split())
    return _Lists(words, verbs, tongue)


def _split(foreign: str) -> tuple[str, ...]:
    """Return the words of a phrase as texts are cut into words: "jusqu'au" is two."""
    return tuple(
        one for part in foreign.split("_") for one in ((part,) if part.endswith("'") else _WORD.findall(part))
    )
