"""Fold text into a plain alphabet for matching, and map what is matched back to the original. Pure.

One table says how each character of Unicode is read: letters without their accents, typographic dashes and
quotation marks as those of a keyboard, letters of other scripts that look Latin as the Latin ones,
compatibility forms as what they are made of, every white space as a blank. A `Profile` says what its user
needs beyond that; all profiles stand at the end of this module, each difference with its reason
(decision 050).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.text.invisible import INVISIBLE

# How many characters a table remembers: as many as Unicode's basic plane has. The others are read each time.
_MOST_REMEMBERED = 65_536
# No letter of a living script carries more accents; a longer run of them is somebody's attempt.
_MOST_MARKS = 8
_MARKS = frozenset({"Mn", "Me"})

_SIGNS: Mapping[str, str] = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("‘’‚‛‹›′´ʹʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("\u2028\u2029", "\n"),
    "•": "*",
    "ς": "σ",  # the same letter, and which of them a capital becomes depends on its neighbours
    "\u2800": " ",  # a Braille cell without dots
    # Letters that Unicode does not take apart.
    **dict(zip("ßæœÆŒþÞ", ("ss", "ae", "oe", "AE", "OE", "th", "Th"), strict=True)),
    **dict(zip("øØłŁđĐħĦðÐı", "oOlLdDhHdDi", strict=True)),
    # Letters that look exactly like Latin ones: Cyrillic capitals, Cyrillic small letters, Greek capitals.
    **dict(zip("АВСЕНІЈКМОРЅТУХԀԌԚԜ", "ABCEHIJKMOPSTYXDGQW", strict=True)),
    **dict(zip("асеһіјорѕухԁԛԝ", "acehijopsyxdqw", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿοϲϳ", "ABEZHIKMNOPTYXCJocj", strict=True)),
}
_LATIN = re.compile(
    r"(?:LATIN (?:CAPITAL |SMALL )?LETTER (?:SMALL CAPITAL |INSULAR |REVERSED |BARRED |SCRIPT )?"
    r"|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER |REGIONAL INDICATOR SYMBOL LETTER )"
    r"([A-Z])(?: WITH .*)?"
)
_BRACKET = re.compile(
    r".*\b(LEFT|RIGHT)\b(?!.*\b(?:CURLY|ANGLE|PARENTHESIS)\b).*\b(?:BRACKET|CEILING|FLOOR)\b"
    r"|(?P<side>LEFT|RIGHT) (?:CEILING|FLOOR)"
)


def _plain(character: str, odd_figures: bool) -> str:
    """Return how one character is read: in ASCII if it can be, "" if it is not seen, otherwise itself."""
    if character.isascii():
        if character.isprintable() or character == "\n":
            return character
        return " " if character.isspace() else ""
    if character in _SIGNS:
        return _SIGNS[character]
    category = unicodedata.category(character)
    if category in _MARKS or category == "Cf" or INVISIBLE.match(character):
        return ""
    if category == "Nd":
        return str(unicodedata.digit(character))
    if category == "Pd":
        return "-"
    if character.isspace():
        return " "
    if category == "No" and not odd_figures:
        return character
    apart = unicodedata.normalize("NFKD", character)
    if apart != character:
        return "".join(_plain(one, odd_figures) for one in apart)
    figure = unicodedata.digit(character, None)
    return str(figure) if figure is not None else _by_name(character)


def _by_name(character: str) -> str:
    """Return the Latin letter or the square bracket that a character's Unicode name says it is, or itself."""
    name = unicodedata.name(character, "")
    if letter := _LATIN.fullmatch(name):
        return letter[1] if "CAPITAL" in name else letter[1].lower()
    if bracket := _BRACKET.match(name):
        return "[" if "LEFT" in (bracket[1], bracket["side"]) else "]"
    return character


@dataclass(frozen=True, slots=True)
class NormalizedText:
    """A text after folding, with the way back to the text it was made of.

    `text` is the folded text. Where folding kept every length, offsets are the original's. Elsewhere
    `_places` are the offsets of `text` at which the distance to the original changes, and `_origins` the
    offsets of the original that belong to them.
    """

    text: str = field(repr=False)
    original: str = field(repr=False)
    _places: Sequence[int] = field(default=(), repr=False)
    _origins: Sequence[int] = field(default=(), repr=False)

    @property
    def in_place(self) -> bool:
        """Tell whether offsets of `text` are offsets of the original."""
        return not self._places

    def origin(self, offset: int) -> int:
        """Return the offset in the original of the character at `offset`; the end maps to the end."""
        index = bisect_right(self._places, offset) - 1
        return offset if index < 0 else self._origins[index] + offset - self._places[index]

    def origins(self) -> list[int]:
        """Return the offset in the original of each character."""
        found: list[int] = []
        done = shift = 0
        for place, origin in zip(self._places, self._origins, strict=True):
            found += range(done + shift, place + shift)
            done, shift = place, origin - place
        found += range(done + shift, len(self.text) + shift)
        return found

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that `text[start:end]`, not empty, was read from.

        Accents typed after the last letter belong to it; characters that nobody sees do not. A character that
        is read as several ("ﬁ") counts whole.
        """
        if not self._places:
            return start, end
        first, last = self.origin(start), self.origin(end - 1) + 1
        limit = min(len(self.original), last + _MOST_MARKS)
        while last < limit and unicodedata.category(self.original[last]) in _MARKS:
            last += 1
        return first, last


class _FoldingTable(dict[str, str]):
    """How characters are read under one profile, worked out when they are first met."""

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self._profile = profile

    def __missing__(self, character: str) -> str:
        reading = self._profile.reading(character)
        if len(self) < _MOST_REMEMBERED:
            self[character] = reading
        return reading


@dataclass(frozen=True, eq=False)
class Profile:
    """Folding rules of one kind of matching.

    Attributes:
        lower: small letters only; otherwise letters keep their case.
        ascii_only: a letter without a reading in ASCII becomes `x` or `X`, a symbol `symbol`; otherwise both
            stay as they are.
        deletes: accents and characters that nobody sees are left out; otherwise each becomes a blank.
        whole: a character that is read as several ("ﬁ", "Ⅷ") becomes all of them; otherwise the first.
        odd_figures: superscripts, fractions and figures in circles are read as figures; otherwise they are
            symbols, so that the note in "art. 5¹" does not make it article 51.
        symbol: what a symbol without a reading becomes where `ascii_only`.
        signs: characters that are read otherwise than the common table says.

    A profile that neither deletes nor takes characters whole keeps every offset.
    """

    lower: bool = False
    ascii_only: bool = False
    deletes: bool = False
    whole: bool = False
    odd_figures: bool = False
    symbol: str = "?"
    signs: Mapping[str, str] = field(default_factory=dict)
    _readings: _FoldingTable = field(init=False, repr=False)
    _foreign: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_readings", _FoldingTable(self))
        # Looking only at the few characters that may change is several times as fast as translating all.
        typed = "".join(re.escape(sign) for sign in self.signs if sign.isascii())
        object.__setattr__(self, "_foreign", re.compile(f"[^\n -~]|[{typed}]" if typed else r"[^\n -~]"))

    def fold(self, text: str) -> str:
        """Return `text` folded; as long as `text` where the profile keeps offsets."""
        readings = self._readings
        return self._foreign.sub(lambda match: readings[match[0]], self._cased(text))

    def normalize(self, text: str) -> NormalizedText:
        """Return `text` folded, with the way back. Time is linear in the length of `text`."""
        readings = self._readings
        edits: list[tuple[int, int]] = []

        def read(match: re.Match[str]) -> str:
            reading = readings[match[0]]
            if len(reading) != 1:
                edits.append((match.start(), len(reading)))
            return reading

        folded = self._foreign.sub(read, self._cased(text))
        return NormalizedText(folded, text, *offsets_of(edits))

    def _cased(self, text: str) -> str:
        """Return `text` in the case of this profile, as long as it was."""
        # U+0130 alone becomes two characters; it is read as the "I" that it is without its dot.
        return text.replace("\u0130", "I").lower() if self.lower else text

    def reading(self, character: str) -> str:
        """Return what one character becomes."""
        if character in self.signs:
            return self.signs[character]
        plain = _plain(character, self.odd_figures)
        if not plain:
            return "" if self.deletes else " "
        if not self.whole and len(plain) > 1:
            # The first letter stands for a ligature; the first figure would be another number.
            plain = plain[0] if not unicodedata.category(character).startswith("N") else character
        return "".join(map(self._fitted, plain))

    def _fitted(self, character: str) -> str:
        """Return one character of a reading in the case and the alphabet of this profile."""
        if character in self.signs:
            return self.signs[character]
        if character.isascii():
            return character.lower() if self.lower else character
        if self.lower and (small := character.lower()) != character:
            return "".join(map(self.reading, small))
        if not self.ascii_only:
            return character
        if character.isalpha():
            return "X" if character.isupper() and not self.lower else "x"
        return self.symbol


def offsets_of(edits: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return where the distance to the original changes, and the offsets of the original there.

    `edits` are offsets of the original with the length of what the character there became, other than one.
    """
    places: list[int] = []
    origins: list[int] = []

    def belongs(place: int, origin: int) -> None:
        if places and places[-1] == place:
            origins[-1] = origin
        else:
            places.append(place)
            origins.append(origin)

    shift = 0
    for at, length in edits:
        for step in range(length):
            belongs(at - shift + step, at)
        belongs(at - shift + length, at + 1)
        shift += 1 - length
    return places, origins


_AS_WRITTEN = {sign: sign for sign in "ºª°€£¥½"}

FACTS = Profile(ascii_only=True, signs=_AS_WRITTEN)
"""For readers of amounts, dates and parties. Offsets stay, for they quote by them in hundreds of places.
Signs of ordinals and currencies stay too: their patterns name them."""

RULES = Profile(lower=True, ascii_only=True, signs={"€": "E", "º": "o", "ª": "a"})
"""For the patterns of rule files, which are ASCII and are searched in bytes: one byte a character, so that
hundreds of searches encode the text once. The euro sign is a capital, the only one."""

CITATIONS = Profile(deletes=True, whole=True, signs={"º": "º", "ª": "ª", "°": "º", "˚": "º"})
"""For the grammars of citations, which name "§", "€", "º" and "ª"; what is typed for "º" is read as one.
Accents typed as characters of their own, as text from PDF files has them, are deleted: their letter stays."""

LAW = Profile(signs=CITATIONS.signs)
"""As `CITATIONS`, but offsets stay: for those who slice a law or a document by offsets of its folded text."""

REDACTION = Profile(
    ascii_only=True,
    deletes=True,
    whole=True,
    odd_figures=True,
    # No character that can be typed: a question mark is none of the currency signs it stands for here.
    symbol="\x01",
    # What separates the groups of a number or shortens a word, whatever is drawn for it.
    signs=dict.fromkeys("ºª°№·•․‧∙⋅・", "."),
)
"""For detectors of personal data, which must not be deceived: an identifier is found in whatever figures it
is written and with whatever unseen characters inside, hence all are deleted or read, and nothing kept."""

WORDS = Profile(lower=True, deletes=True, whole=True, odd_figures=True)
"""For comparing words: search, quotations, passwords. Letters without a reading in ASCII stay, for words of
other scripts are told apart by them."""

READER = Profile(
    deletes=True,
    whole=True,
    odd_figures=True,
    signs={
        **dict(zip("ѴӏӀьѵ", "Vllbv", strict=True)),
        **dict(zip("αικνρτυχγ", "aiknptuxy", strict=True)),
        **dict(zip("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᏃ", "ABCDEGHJKLMPRSTVWZ", strict=True)),
        **dict(zip("ᎡᎥᏩᏎᏮ", "Ri646", strict=True)),
        **dict(zip("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU", strict=True)),
        **dict(zip("ԼլⳐⳑ𐐛ꞁ⅂Ɩƪƚᒪ∟𖼖", "LLLLLLLLLLLLL", strict=True)),
        **dict(zip("ɩǀ∣❘⏐│┃￨|‖׀", "illllllllll", strict=True)),
        **dict(zip("ƧꙄᒿƼ٧۷∨⋁ᐯ", "2225VVVVV", strict=True)),
        **dict(zip("ßæœþÆŒÞ", "saopAOP", strict=True)),
        **dict.fromkeys("ーㅡ─━¯", "-"),
        # What a browser takes for the dot of a host (UTS #46).
        **dict.fromkeys("。｡．", "."),
    },
)
"""For words that could be taken for what only code may write (decision 017). It reads what an eye takes for
a letter at a glance, which for any other use would be too much: a bar for an "l", an "æ" for an "a"."""
