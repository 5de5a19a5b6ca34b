"""Read the tokens of a short text and what they mean: words, figures, dates, periods. Pure.

Everything is read on a folded copy of the same length (no accents, lower case), so that every offset is one
of the text itself. Spanish and English are read alike, because a statement and the words it quotes may
differ in language.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import snowballstemmer

from app import search
from app.platform.data_files import Filled, read_file
from app.text.numerals import numerals, read_figure
from app.text.sentences import fold

_DATA = Path(__file__).with_name("data")


@cache
def _word_sets() -> Mapping[str, frozenset[str]]:
    raw = read_file(_DATA / "grammar.toml", dict[str, Filled])
    return {name: frozenset(words.split()) for name, words in raw.items()}


def word_set(name: str) -> frozenset[str]:
    """Return a set of words of `data/grammar.toml`."""
    return _word_sets()[name]


TokenKind = Literal["word", "number", "date", "mark"]
ValueKind = Literal["money", "percent", "period", "date", "number"]

_TOKEN = re.compile(
    r"(?P<mask>\[[a-z]{2,}_[a-z0-9_]+\])"
    r"|(?P<date>(?<![\d./-])(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2})(?![\d./-]*\d))"
    r"|(?P<number>\d{1,3}(?:[.,'’]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?)(?:(?:st|nd|rd|th)\b|\.?[ºª])?"
    r"|(?P<word>[a-z]+)"
    r"|(?P<mark>[^\sa-z\d])"
)
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "enero january jan", "febrero february feb", "marzo march mar", "abril april apr", "mayo may",
            "junio june jun", "julio july jul", "agosto august aug",
            "septiembre setiembre september sept sep", "octubre october oct", "noviembre november nov",
            "diciembre december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_CAPITAL = re.compile(r"\s[A-ZÁÉÍÓÚÑ]")
_CURRENCIES = {
    word: code
    for code, words in {
        "EUR": "euro euros eur € eu", "GBP": "gbp libra libras pound pounds £ sterling",
        "USD": "usd dolar dolares dollar dollars us$", "PESO": "peso pesos cop mxn ars clp uyu",
        "SOL": "sol soles pen", "BRL": "real reais brl", "CHF": "chf franco francos", "$": "$",
        "JPY": "yen yenes ¥",
    }.items()
    for word in words.split()
}  # fmt: skip
_PERIODS: Mapping[str, tuple[str, int]] = {
    word: (unit, factor)
    for words, unit, factor in (
        ("dia dias day days", "day", 1),
        ("semana semanas week weeks", "day", 7),
        ("mes meses month months mensualidad mensualidades", "month", 1),
        ("trimestre trimestres", "month", 3),
        ("semestre semestres", "month", 6),
        ("ano anos year years anualidad anualidades", "month", 12),
        ("hora horas hour hours", "hour", 1),
    )
    for word in words.split()
}
WORKING_DAYS = frozenset(["habil", "habiles", "laborable", "laborables", "business", "working"])
CALENDAR_DAYS = frozenset(["natural", "naturales", "calendar"])
_KINDS_OF_DAY = WORKING_DAYS | CALENDAR_DAYS
_SCALES = {
    "mil": 1000,
    "thousand": 1000,
    "millon": 10**6,
    "millones": 10**6,
    "million": 10**6,
    "millions": 10**6,
}
_ONE = frozenset(["un", "una", "uno", "one"])
_ORDINALS = {"primero": 1, "uno": 1, "first": 1}
_FUNCTION = word_set("function")
# Words that an analyst puts around what a document says, and that claim nothing by themselves.
_REPORTING = word_set("reporting")


_local = threading.local()


class Token(NamedTuple):
    """One word, figure or sign at `start:end`; `figure` is the value of a number.

    A tuple, since a document has thousands: a frozen dataclass takes three times as long to make.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    figure: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """A calendar day as far as it is written: `year` or `day` may be missing."""

    year: int | None
    month: int
    day: int | None


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its unit at `start:end`: money, a percentage, a period, a date or a bare number.

    `unit` is a currency (`EUR`), `day`, `working_day`, `month` or `hour`; years and weeks are given in
    months and days. `days` are the readings of a date (3/4 is in April or in March); `bare` is the figure
    as written ("2 years": 2).
    """

    kind: ValueKind
    unit: str
    figure: Decimal
    days: frozenset[Day]
    start: int
    end: int
    bare: Decimal = Decimal(0)

    def is_said_by(self, other: Value) -> bool:
        """Tell whether `other` states this value: the same figure, unit and kind of day."""
        if self.kind == "date" or other.kind == "date":
            return self.kind == other.kind and any(
                _covers(written, stated) for stated in self.days for written in other.days
            )
        if self.kind == "number":
            return self.figure in (other.figure, other.bare)
        if self.figure != other.figure:
            return False
        if self.kind != other.kind:
            return False
        return self.unit == other.unit or (
            self.kind == "money" and {self.unit, other.unit} in ({"$", "PESO"},)
        )


def _covers(written: Day, stated: Day) -> bool:
    return (
        stated.month == written.month
        and (stated.day is None or stated.day == written.day)
        and (stated.year is None or stated.year == written.year)
    )


@dataclass(frozen=True, slots=True)
class Words:
    """A text as tokens and values, in order of appearance."""

    tokens: tuple[Token, ...]
    values: tuple[Value, ...]

    def between(self, start: int, end: int) -> Words:
        """Return what stands wholly in `start:end`."""
        return Words(
            tuple(one for one in self.tokens if one.start >= start and one.end <= end),
            tuple(one for one in self.values if one.start >= start and one.end <= end),
        )


def read(text: str) -> Words:
    """Read the tokens and values of `text`; linear in its length."""
    folded = fold(text)
    spelt = _spelt(folded, text)
    tokens: list[Token] = []
    at = 0
    for match in _TOKEN.finditer(folded):
        if match.start() < at:
            continue
        kind = match.lastgroup or "mark"
        start, end = match.span()
        if kind == "word" and start in spelt:
            value, end = spelt[start]
            tokens.append(Token("number", folded[start:end], start, end, Decimal(value)))
            at = end
        elif kind == "number":
            tokens.append(Token("number", match["number"], start, end, read_figure(match["number"])))
        elif kind == "mask":
            tokens.append(Token("word", match[0], start, end))
        else:
            tokens.append(Token(kind, match[0], start, end))  # type: ignore[arg-type]
    return Words(tuple(tokens), tuple(_values(tokens)))


def _spelt(folded: str, text: str) -> dict[int, tuple[int, int]]:
    """Numbers written in words: where they begin -> (value, end)."""
    found: dict[int, tuple[int, int]] = {}
    for language in ("es", "en"):
        for one in numerals(folded, language):
            written = folded[one.start : one.end]
            if (
                text[one.start].isupper()
                and _CAPITAL.match(text, one.end)
                and not text[one.end - 1].isupper()
            ):
                continue  # a name: "Dos Hornos, S.L."
            after = folded[one.end : one.end + 30].split(maxsplit=1)
            # "One month's notice", "one week’s": the unit without its possessive.
            unit = re.split("['’]", after[0].strip(".,;:()'"))[0] if after else ""
            counted = unit in _PERIODS or unit in _CURRENCIES
            if (written in _ONE or written == "once") and not counted:
                continue
            if written in ("dos", "two") and unit in ("partes", "parties"):
                continue
            if one.start not in found or one.end > found[one.start][1]:
                found[one.start] = (one.value, one.end)
    return found


def _values(tokens: Sequence[Token]) -> Iterator[Value]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        dated = _date(tokens, at)
        if dated is not None:
            value, at = dated
            yield value
            continue
        length, months = _spoken_period(tokens, at)
        if length:
            end = tokens[at + length - 1].end
            yield Value("period", "month", Decimal(months), frozenset(), token.start, end, Decimal(months))
            at += length
            continue
        if token.kind == "number" and token.figure is not None:
            if _hundredths(tokens, at):
                at += 3
                continue
            value, at = _quantity(tokens, at)
            yield value
            continue
        at += 1


# Periods that have a name: "medio año", "año y medio", "a decade".
_SPOKEN_PERIODS = {
    ("ano", "y", "medio"): 18,
    ("year", "and", "a", "half"): 18,
    ("medio", "ano"): 6,
    ("half", "a", "year"): 6,
    ("half", "year"): 6,
    ("half", "-", "year"): 6,
    ("decada",): 120,
    ("decade",): 120,
    ("quinquenio",): 60,
}
_BEGIN_PERIODS = frozenset(words[0] for words in _SPOKEN_PERIODS)


def _spoken_period(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return how many tokens a named period has at `at`, and its months; zeros where there is none."""
    if tokens[at].kind == "number":
        ahead = at + 1
        if tokens[at].figure != 1 or ahead >= len(tokens):
            return 0, 0
        length, months = _spoken_period(tokens, ahead) if tokens[ahead].kind == "word" else (0, 0)
        return (length + 1, months) if length else (0, 0)
    if tokens[at].text not in _BEGIN_PERIODS:
        return 0, 0
    for words, months in _SPOKEN_PERIODS.items():
        if all(at + more < len(tokens) and tokens[at + more].text == word for more, word in enumerate(words)):
            return len(words), months
    return 0, 0


def _cents(tokens: Sequence[Token], at: int) -> tuple[Decimal, int]:
    """Return the hundredths of "nueve euros con noventa céntimos" and the last token read."""
    if (
        at + 2 < len(tokens)
        and tokens[at].text in ("con", "y", "and")
        and tokens[at + 1].figure is not None
        and tokens[at + 2].text in ("centimos", "centimo", "centavos", "cents", "pence", "cent")
    ):
        return (tokens[at + 1].figure or Decimal(0)) / 100, at + 2
    return Decimal(0), at - 1


def _hundredths(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a number is the hundredths of an amount in words: "pesos 00/100 M.N."."""
    return (
        at + 2 < len(tokens)
        and tokens[at + 1].text == "/"
        and tokens[at + 2].text == "100"
        and at > 0
        and tokens[at - 1].text in _CURRENCIES
    )


def _date(tokens: Sequence[Token], at: int) -> tuple[Value, int] | None:
    token = tokens[at]
    if token.kind == "date":
        days = frozenset(_numeric(token.text))
        if days:
            return Value("date", "", Decimal(0), days, token.start, token.end), at + 1
        return None
    day = _small(token)
    if day is not None:
        month_at = _skip(tokens, at + 1, {"de", "of", "dia"})
        if month_at < len(tokens) and tokens[month_at].text in MONTHS and tokens[month_at].kind == "word":
            return _finished(tokens, at, month_at, day)
    if token.kind == "word" and token.text in MONTHS and token.text not in ("mar", "may", "sol"):
        after = at + 1
        if after < len(tokens) and (day := _small(tokens[after])) is not None and not _year(tokens[after]):
            return _finished(tokens, at, at, day, after + 1)
        year_at = _skip(tokens, after, {"de", "del", "of", "ano", ","})
        if year_at < len(tokens) and (year := _year(tokens[year_at])):
            found = Day(year, MONTHS[token.text], None)
            return Value(
                "date", "", Decimal(0), frozenset({found}), token.start, tokens[year_at].end
            ), year_at + 1
    if token.kind == "word" and token.text == "may" and at + 1 < len(tokens):
        day = _small(tokens[at + 1])
        year_at = _skip(tokens, at + 2, {","})
        if day is not None and year_at < len(tokens) and _year(tokens[year_at]):
            return _finished(tokens, at, at, day, at + 2)
    return None


def _finished(
    tokens: Sequence[Token], at: int, month_at: int, day: int, after: int | None = None
) -> tuple[Value, int]:
    """Return a date of which day and month are read, with its year where one follows."""
    end = after if after is not None else month_at + 1
    year_at = _skip(tokens, end, {"de", "del", "of", "ano", ","})
    year = _year(tokens[year_at]) if year_at < len(tokens) else None
    if year:
        end = year_at + 1
    found = Day(year, MONTHS[tokens[month_at].text], day)
    return Value("date", "", Decimal(0), frozenset({found}), tokens[at].start, tokens[end - 1].end), end


def _numeric(written: str) -> Iterator[Day]:
    parts = [int(part) for part in re.split(r"[./-]", written)]
    if len(str(parts[0])) == 4:
        readings = [(parts[0], parts[1], parts[2])]
    else:
        year = parts[2] if parts[2] > 99 else parts[2] + (2000 if parts[2] < 60 else 1900)
        readings = [(year, parts[1], parts[0]), (year, parts[0], parts[1])]
    for number, (year, month, day) in enumerate(readings):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield Day(year, month, day)
            if number == 0:
                return  # day first wherever that is possible; both readings only where it is not


def _small(token: Token) -> int | None:
    if (
        token.kind == "number"
        and token.figure is not None
        and 1 <= token.figure <= 31
        and token.figure % 1 == 0
    ):
        return int(token.figure)
    return _ORDINALS.get(token.text) if token.kind == "word" else None


def _year(token: Token) -> int | None:
    if (
        token.kind == "number"
        and token.figure is not None
        and 1800 <= token.figure <= 2200
        and token.figure % 1 == 0
    ):
        return int(token.figure)
    return None


def _skip(tokens: Sequence[Token], at: int, words: set[str]) -> int:
    while at < len(tokens) and tokens[at].text in words:
        at += 1
    return at


def _quantity(tokens: Sequence[Token], at: int) -> tuple[Value, int]:
    """Return the number at `at` with its unit, and the index behind what was read of it."""
    value, end = _with_unit(tokens, at)
    return replace(value, bare=tokens[at].figure or Decimal(0)), end


def _with_unit(tokens: Sequence[Token], at: int) -> tuple[Value, int]:
    """Return the number at `at` with its unit, before it or behind a repetition in brackets."""
    token = tokens[at]
    assert token.figure is not None
    figure, end = token.figure, at + 1
    while end < len(tokens) and tokens[end].text in _SCALES:
        figure *= _SCALES[tokens[end].text]
        end += 1
    before = tokens[at - 1].text if at else ""
    if before in _CURRENCIES:
        return Value(
            "money", _CURRENCIES[before], figure, frozenset(), tokens[at - 1].start, tokens[end - 1].end
        ), end
    look = end
    if look + 2 < len(tokens) and tokens[look].text == "(" and tokens[look + 2].text == ")":
        look += 3
    elif look < len(tokens) and tokens[look].text == ")":
        look += 1
    qualified = ""
    while (
        look < len(tokens)
        and tokens[look].kind == "word"
        and (
            tokens[look].text in _KINDS_OF_DAY
            or tokens[look].text in ("primeros", "primeras", "first", "de", "full", "consecutive")
        )
    ):
        qualified = tokens[look].text if tokens[look].text in WORKING_DAYS else qualified
        look += 1
    if (
        look + 1 < len(tokens)
        and tokens[look].kind == "word"
        and tokens[look].text not in _PERIODS
        and tokens[look].text not in _CURRENCIES
        and tokens[look].text not in _FUNCTION
        and tokens[look + 1].text in _PERIODS
    ):
        look += 1  # "three mandatory years"
    if look < len(tokens):
        unit = tokens[look]
        if unit.text in _CURRENCIES and not (unit.text == "real" and unit.kind == "word"):
            cents, last = _cents(tokens, look + 1)
            return Value(
                "money", _CURRENCIES[unit.text], figure + cents, frozenset(), token.start, tokens[last].end
            ), max(end, last + 1) if look == end else end
        if unit.text == "%" or unit.text in ("percent",):
            return Value("percent", "", figure, frozenset(), token.start, unit.end), end
        if (
            unit.text in ("por", "per")
            and look + 1 < len(tokens)
            and tokens[look + 1].text in ("ciento", "cent", "cien")
        ):
            return Value("percent", "", figure, frozenset(), token.start, tokens[look + 1].end), max(
                end, look + 2
            ) if look == end else end
        if unit.text in _PERIODS:
            name, factor = _PERIODS[unit.text]
            stop = look
            if look + 1 < len(tokens) and tokens[look + 1].text in _KINDS_OF_DAY:
                stop = look + 1
                qualified = tokens[stop].text if tokens[stop].text in WORKING_DAYS else qualified
            if name == "day" and qualified:
                name = "working_day"
            return Value("period", name, figure * factor, frozenset(), token.start, tokens[stop].end), end
    return Value("number", "", figure, frozenset(), token.start, tokens[end - 1].end), end


# What words mean


_HEAD = 3  # letters by which stems are looked up
_MOST_FOUND = 20_000
_NONE: frozenset[str] = frozenset()


class Lexicon:
    """Concepts by word: `concepts("arrendadora")` holds `party:lessor`."""

    def __init__(self, entries: Mapping[str, Mapping[str, str]]) -> None:
        self._exact: dict[str, frozenset[str]] = {}
        # Stems by their first letters: of some thousand, few begin as a word does.
        self._stems: dict[str, dict[str, frozenset[str]]] = {}
        self._short_stems: dict[str, frozenset[str]] = {}
        # By their first and their second word.
        self._phrases: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = {}
        self._found: dict[str, frozenset[str]] = {}
        for category, concepts in entries.items():
            for name, words in concepts.items():
                for word in words.split():
                    self._enter(word, f"{category}:{name}")
        self._shortest = tuple(self._short_stems)

    def _enter(self, word: str, concept: str) -> None:
        if "_" in word:
            parts = tuple(word.split("_"))
            self._phrases.setdefault(parts[0], {}).setdefault(parts[1], []).append((parts, concept))
            return
        of = self._exact
        if word.endswith("*"):
            word = word[:-1]
            of = self._stems.setdefault(word[:_HEAD], {}) if len(word) >= _HEAD else self._short_stems
        of[word] = of.get(word, _NONE) | {concept}

    def concepts(self, word: str) -> frozenset[str]:
        """Return the concepts of a word. Forms of words of the lexicon are kept, and no other word."""
        if (known := self._found.get(word)) is not None:
            return known
        found = self._exact.get(word, _NONE)
        # Most words begin as none of them does.
        stems = self._stems.get(word[:_HEAD])
        for stem, concepts in stems.items() if stems is not None else ():
            if word.startswith(stem):
                found |= concepts
        for stem, concepts in self._short_stems.items() if word.startswith(self._shortest) else ():
            if word.startswith(stem):
                found |= concepts
        if found and len(self._found) < _MOST_FOUND:
            self._found[word] = found
        return found

    def of_each(self, tokens: Sequence[Token]) -> list[frozenset[str]]:
        """Return the concepts of each token, those of phrases included."""
        known, concepts_of_word = self._found, self.concepts
        found = [
            known.get(token.text) or concepts_of_word(token.text) if token.kind == "word" else _NONE
            for token in tokens
        ]
        for at, concepts in self.phrases(tokens).items():
            found[at] |= concepts
        return found

    def phrases(self, tokens: Sequence[Token]) -> dict[int, set[str]]:
        """Return the concepts of phrases, by the position of each of their tokens."""
        found: dict[int, set[str]] = {}
        heads, last = self._phrases, len(tokens) - 1
        for at, token in enumerate(tokens):
            following = heads.get(token.text)
            if following is None or at == last:
                continue
            for parts, concept in following.get(tokens[at + 1].text, ()):
                if len(parts) <= len(tokens) - at and all(
                    tokens[at + more].text == part for more, part in enumerate(parts)
                ):
                    for more in range(len(parts)):
                        found.setdefault(at + more, set()).add(concept)
        return found


@cache
def lexicon(*, paraphrases: bool = True) -> Lexicon:
    """Return the lexicon of the data files, read once; with or without the words of a paraphrase."""
    entries = read_file(_DATA / "lexicon.toml", dict[str, dict[str, Filled]])
    if paraphrases:
        entries |= read_file(_DATA / "paraphrases.toml", dict[str, dict[str, Filled]])
    return Lexicon(entries)


@cache
def _everyday() -> Lexicon:
    return Lexicon(read_file(_DATA / "everyday.toml", dict[str, dict[str, Filled]]))


def everyday(tokens: Sequence[Token]) -> list[frozenset[str]]:
    """Return what each token may be about in everyday words: enough to speak of a matter, not to claim."""
    return _everyday().of_each(tokens)


@cache
def _synonyms() -> Lexicon:
    return Lexicon(read_file(_DATA / "synonyms.toml", dict[str, dict[str, Filled]]))


def synonyms_of(token: Token) -> frozenset[str]:
    """Return the groups of synonyms that a word is in: what it is aligned by with a word of a quotation."""
    return _synonyms().concepts(token.text) if token.kind == "word" else frozenset()


def concepts_of(tokens: Sequence[Token], *, paraphrases: bool = True) -> list[frozenset[str]]:
    """Return the concepts of each token, those of phrases included.

    `paraphrases`: also those by which a clause is said in other words. A claim about the law is compared
    without them.
    """
    return lexicon(paraphrases=paraphrases).of_each(tokens)


@cache
def _everyday_translations() -> dict[str, frozenset[str]]:
    """Return Spanish stems by the English stem that they translate."""
    found: dict[str, set[str]] = {}
    for branch in read_file(_DATA / "translations.toml", dict[str, dict[str, Filled]]).values():
        for english, spanish in branch.items():
            stemmed = {_stemmer("spanish").stemWord(one) for one in spanish.split()}
            found.setdefault(_stemmer("english").stemWord(english), set()).update(map(fold, stemmed))
    return {english: frozenset(spanish) for english, spanish in found.items()}


@lru_cache(maxsize=50_000)
def _translations(word: str) -> frozenset[str]:
    found = search.spanish_of(word)
    return found | _everyday_translations().get(_stemmer("english").stemWord(word), frozenset())


def spanish_stems(word: str) -> frozenset[str]:
    """Return the Spanish stems that an English word of the dictionaries is translated by."""
    return _translations(word)


@lru_cache(maxsize=50_000)
def stems(word: str) -> frozenset[str]:
    """Return the Spanish and the English stem of a folded word."""
    accented = word[:-2] + "ón" if word.endswith(("cion", "sion")) else word
    spanish = fold(_stemmer("spanish").stemWord(accented))
    found = {spanish, _stemmer("english").stemWord(word)}
    regular = _regular(spanish) if word.endswith(_OF_VERBS) else ""
    return frozenset(found | {f"~{regular}"} if regular else found)


# Endings of verbs whose stem may be written otherwise in another form: "ejerce" and "ejerza", "requiere" and
# "requerirá".
_OF_VERBS = (
    "a", "e", "o", "an", "en", "as", "es", "ar", "er", "ir", "ara", "era", "ira", "aran", "eran", "iran",
    "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ando", "iendo", "ase", "ese",
)  # fmt: skip
_SPELT = re.compile(r"(?:zc|z|qu|gu|j)$")
_SPELLINGS = {"zc": "c", "z": "c", "qu": "c", "gu": "g", "j": "g"}
_BROKEN = re.compile(r"(?<=[a-z])(ie|ue)(?=[a-z]{1,3}$)")
_LEAST = 4
_NO_VERBS = frozenset({"plaz", "marz", "suel", "sueld", "cuent", "puert", "puest", "nuev", "juev", "viern"})


def _regular(stem: str) -> str:
    """Return the stem of a verb as its infinitive has it; "" for a short word."""
    if len(stem) < _LEAST or stem in _NO_VERBS:
        return ""
    spelt = _SPELT.sub(lambda match: _SPELLINGS[match[0]], stem)
    return _BROKEN.sub(lambda match: "e" if match[1] == "ie" else "o", spelt)


def _stemmer(language: str) -> snowballstemmer.stemmer:
    # A stemmer keeps the word it works on in itself: each thread has its own.
    held = _local.__dict__.setdefault("stemmers", {})
    if language not in held:
        held[language] = snowballstemmer.stemmer(language)
    return held[language]


def currency_of(word: str) -> str:
    """Return the currency that a word or sign names, or nothing."""
    return _CURRENCIES.get(word, "")


def is_unit(token: Token) -> bool:
    """Tell whether a word is a unit of time: "día", "month"."""
    return token.text in _PERIODS


def is_content(token: Token) -> bool:
    """Tell whether a word claims something: no function word, no word of reporting."""
    return (
        token.kind == "word"
        and len(token.text) > 2
        and token.text not in _FUNCTION
        and token.text not in _REPORTING
    )


_COGNATE = 5


# Who gives and who receives: "depositante" and "depositario", "licensor" and "licensee".
_GIVING = ("ante", "antes", "ente", "entes", "dor", "dora", "dores", "doras", "or", "ors", "er", "ers")
_RECEIVING = ("ario", "aria", "arios", "arias", "ee", "ees")


def are_counterparts(first: str, second: str) -> bool:
    """Tell whether one of two words names who gives and the other who receives the same."""
    if not (first.endswith(_RECEIVING) or second.endswith(_RECEIVING)) or first[:4] != second[:4]:
        return False
    return (first.endswith(_RECEIVING) and second.endswith(_GIVING)) or (
        second.endswith(_RECEIVING) and first.endswith(_GIVING)
    )


def alike(first: str, second: str) -> bool:
    """Tell whether two folded words are forms of one word, or cognates."""
    if first == second:
        return True
    if are_counterparts(first, second):
        return False
    if stems(first) & stems(second):
        return True
    if _translations(first) & stems(second) or _translations(second) & stems(first):
        return True
    shorter = min(len(first), len(second))
    same = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        same += 1
    return same >= _COGNATE and same >= 0.7 * shorter
