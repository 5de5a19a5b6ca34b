"""Keep, replace or remove the service's name in a text. Pure.

Where our own code writes the name it uses `Attribution.author`; this module is for text that others wrote,
above all a language model. Two things are never changed: the audit-trail block, and the client's own words
(decision 039).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.branding import grammar
from app.branding.attribution import Attribution
from app.branding.grammar import NameForm
from app.text.bilingual import Language

# A name with the form of a company goes whole: a partner's name before it would be a company that is not.
_FORM = (
    r"(?:,?[ \t\u00a0](?:S\.[ ]?L\.(?:[ ]?U\.)?|S\.[ ]?A\.(?:[ ]?U\.)?|S\.?L\.?U\.?|S\.?A\.?U\.?|SL|SA|Inc|"
    r"Ltd|LLC|GmbH|B\.?V\.?)(?![^\W_])\.?)?"
)
_BY = re.compile(
    r"(?<![^\W_])(?:powered|made|built|provided|produced|prepared|generated|created|developed|written|drafted|"
    r"elaborad[oa]s?|realizad[oa]s?|generad[oa]s?|producid[oa]s?|hech[oa]s?|desarrollad[oa]s?|preparad[oa]s?|"
    r"redactad[oa]s?|ofrecid[oa]s?|prestad[oa]s?|cread[oa]s?)\s+(?:by|por)\s+(?:the\s+|el\s+|la\s+)?[*_`\"“«]*\Z",
    re.IGNORECASE,
)
# A line or sentence that says nothing else.
_CREDIT = re.compile(
    r"(?:powered\s+by|(?:con\s+)?(?:la\s+)?tecnología\s+de|made\s+by|elaborado\s+por|generado\s+por|by|por)\s+"
    r"[*_`\"“«]*\Z",
    re.IGNORECASE,
)
_CREDIT_ENDS = re.compile(r"[*_`\"”»]*[.!]?[ \t]*(?=\n|\Z)")
_TOKEN_BEFORE = re.compile(r"[^\s«»“”\"'‘’()\[\]{}<>,;|*`]{1,200}\Z")
_TOKEN_AFTER = re.compile(r"[^\s«»“”\"'‘’()\[\]{}<>,;|*`]{1,200}")
_ADDRESS = re.compile(r"://|@|(?<=\w)\.[a-z]{2,10}(?![^\W_])")
_QUOTES = ("«", "“", '"')
_TRAILING = ".:!?…"
_BULLET = re.compile(r"(?:^|\n)[ \t]*(?:[-*+>]|#{1,6}|\d+[.)])[ \t]+\Z")
_NOUNS: dict[Language, tuple[tuple[str, str], ...]] = {
    "es": (("servicio", "servicios"), ("sistema", "sistemas"), ("programa", "programas")),
    "en": (("service", "services"), ("system", "systems"), ("program", "programs")),
}
_PASSES = 8


def brand(
    text: str,
    attribution: Attribution,
    *,
    service_name: str,
    wire_name: str,
    language: Language,
    own_words: Collection[str] = (),
) -> str:
    """Return `text` with the service's name as `attribution` requires; idempotent.

    `nexus` changes nothing; `partner` replaces the name by the brand name; `none` replaces it by a common
    noun ("the service"), so that sentences stay whole. The name is found as a word, in any letter case,
    plural and possessive, inside URLs and identifiers. Not changed are the block from
    `{WIRE_NAME}-AUDIT-TRAIL-BEGIN` to its end, and mentions within one of `own_words`.

    Args:
        text: The text.
        attribution: The branding.
        service_name: The name to replace.
        wire_name: Prefix of the audit-trail markers.
        language: Language of the text, for articles and nouns.
        own_words: Phrases of the client's document; see `own_words_of`.
    """
    author = attribution.author(service_name)
    if author == service_name:
        return text
    mention = _mention(service_name, author)
    if mention.search(text) is None:
        return text
    own = _phrases(word for word in own_words if mention.search(word))
    replacer = _NameReplacer(mention, author, language, own)
    parts = _parts(text, f"{wire_name.upper()}-AUDIT-TRAIL")
    return "".join(part if kept else replacer.replace_in(part) for part, kept in parts)


def own_words_of(document: str, service_name: str) -> frozenset[str]:
    """Return the phrases of a client's document that contain the service's name.

    They are the name itself, in the spellings that occur, and where the document says who made something
    ("powered by …"), the whole attribution. So the bare name does not protect an attribution that the client
    did not write.
    """
    found: set[str] = set()
    for match in _mention(service_name, None).finditer(document):
        before = document[max(0, match.start() - grammar.LOOK_BACK) : match.start()]
        by = _BY.search(before)
        found.add(match["name"])
        found.add((before[by.start() :] if by else "") + match["name"])
    return frozenset(found)


@lru_cache(maxsize=256)
def _mention(service_name: str, author: str | None) -> re.Pattern[str]:
    """Return a pattern that finds the name; an author's name that contains it is matched as `author`."""
    name = r"\s+".join(re.escape(word) for word in service_name.split())
    found = (
        rf"(?<![^\W_])(?P<name>{name})(?:(?P<plural>e?s)|(?P<possessive>['’]s))?(?![^\W_])(?P<form>{_FORM})"
    )
    if author and re.search(name, author, re.IGNORECASE):
        head = r"(?<![^\W_])" if author[0].isalnum() else ""
        tail = r"(?![^\W_])" if author[-1].isalnum() else ""
        found = rf"(?P<author>(?-i:{head}{re.escape(author)}{tail}))|{found}"
    else:
        found = rf"(?P<author>(?!))|{found}"
    return re.compile(found, re.IGNORECASE)


def _phrases(words: Iterator[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds phrases in any letter case and white space, the longest first."""
    written = sorted({" ".join(word.split()) for word in words}, key=len, reverse=True)
    if not written:
        return None
    return re.compile("|".join(r"\s+".join(map(re.escape, one.split())) for one in written), re.IGNORECASE)


def _parts(text: str, marker: str) -> Iterator[tuple[str, bool]]:
    """Split the text; yield each part with whether it is an audit block, which is kept."""
    begin, end = f"{marker}-BEGIN", f"{marker}-END"
    at = 0
    while True:
        start = text.find(begin, at)
        stop = text.find(end, start) if start >= 0 else -1
        if stop < 0:
            yield text[at:], False
            return
        yield text[at:start], False
        yield text[start : stop + len(end)], True
        at = stop + len(end)


@dataclass(frozen=True, slots=True)
class _NameReplacer:
    """Replaces mentions of the service's name outside the client's own words."""

    mention: re.Pattern[str]
    author: str | None
    language: Language
    own: re.Pattern[str] | None

    def replace_in(self, text: str) -> str:
        for _ in range(_PASSES):
            said = self._once(text)
            if said == text:
                return said
            text = said
            if self.author is not None:
                # What is left are mentions that are kept, and the author's own name.
                return text
        return self._without_name(text)

    def _once(self, text: str) -> str:
        spans = _Spans(self.own, text)
        out: list[str] = []
        last = 0
        for match in self.mention.finditer(text):
            if match["author"] is not None or match.start() < last:
                continue
            floor = max(last, match.start() - grammar.LOOK_BACK, spans.end_before(match.start()))
            before = text[floor : match.start()]
            by = None if before.endswith(_QUOTES) else _BY.search(before)
            own = spans.around(match.start(), match.end("name"))
            # The client's bare name does not make ours of "powered by" the client's.
            if own > 0 and (by is None or own > len(match["name"])):
                continue
            start, stop, written = self._replaced(text, match, before, floor, spans)
            out += [text[last:start], written]
            last = stop
        return "".join([*out, text[last:]])

    def _replaced(
        self, text: str, match: re.Match[str], before: str, floor: int, spans: _Spans
    ) -> tuple[int, int, str]:
        """Return start and end of the text to replace, and its replacement."""
        token = self._token(text, match, floor, spans)
        if token is not None:
            return token
        form = NameForm(
            plural=match["plural"] is not None,
            possessive=match["possessive"] or "",
            capitals=_in_capitals(text, match),
        )
        stop = match.end()
        if stop > match.end("form") - len(match["form"]) and spans.touches(match.end("name"), stop):
            stop = match.start("form")
        ending = "." if match["form"].endswith(".") and _ends_sentence(text, stop) else ""
        at_start = grammar.starts_sentence(text[max(0, floor - 3) : match.start()])
        if self.author is not None:
            written = grammar.proper(before, form, self.author, self.language)
        else:
            credit = self._credit(text, before, floor, stop)
            if credit is not None:
                return credit
            written = grammar.common(before, form, self._nouns(), self.language, at_start)
        return floor + written.keep, stop, written.text + ending

    def _credit(self, text: str, before: str, floor: int, stop: int) -> tuple[int, int, str] | None:
        """Return the removal of a whole sentence that only says who made the text."""
        by, ends = _CREDIT.search(before), _CREDIT_ENDS.match(text, stop)
        if by is None or ends is None:
            return None
        start = floor + by.start()
        if _BULLET.search(text, max(0, start - grammar.LOOK_BACK), start):
            return None
        if not grammar.starts_sentence(text[max(0, start - grammar.LOOK_BACK) : start]):
            return None
        return start, ends.end(), ""

    def _token(
        self, text: str, match: re.Match[str], floor: int, spans: _Spans
    ) -> tuple[int, int, str] | None:
        """Return the replacement of a name within a URL or an identifier; `None` for an ordinary word."""
        head, tail = (
            _TOKEN_BEFORE.search(text, floor, match.start()),
            _TOKEN_AFTER.match(text, match.end("name")),
        )
        start = head.start() if head else match.start()
        stop = tail.end() if tail else match.end("name")
        while stop > match.end("name") and text[stop - 1] in _TRAILING:
            stop -= 1
        while start < match.start() and stop > match.end("name") and text[start] == text[stop - 1] == "_":
            start, stop = start + 1, stop - 1
        if spans.touches(start, stop) or (start == match.start() and stop == match.end("name")):
            return None
        whole = text[start:stop]
        if _ADDRESS.search(whole):
            before = text[floor:start]
            form = NameForm(plural=False, possessive="", capitals=False)
            if self.author is not None:
                return start, stop, self.author
            at_start = grammar.starts_sentence(text[max(0, floor - 3) : start])
            written = grammar.common(before, form, self._nouns(), self.language, at_start)
            return floor + written.keep, stop, written.text
        if not any(c in "_/\\" or c.isdigit() for c in whole):
            return None
        # One separator goes with the name: "candado-rules-1" is "rules-1".
        ends = match.end("name")
        if ends < stop and not text[ends].isalnum():
            return match.start(), ends + 1, ""
        return max(start, match.start() - 1), ends, ""

    def _nouns(self) -> tuple[str, str]:
        """Return a noun, singular and plural, that is not the service's name."""
        pairs = _NOUNS[self.language]
        return next((pair for pair in pairs if not any(map(self.mention.search, pair))), pairs[0])

    def _without_name(self, text: str) -> str:
        """Remove the name without replacement, where each replacement would contain the name again."""
        while True:
            spans = _Spans(self.own, text)
            left = next(
                (m for m in self.mention.finditer(text) if not spans.around(m.start(), m.end("name"))), None
            )
            if left is None:
                return text
            text = text[: left.start()] + text[left.end("name") :]


class _Spans:
    """Positions of the client's own words in a text."""

    def __init__(self, own: re.Pattern[str] | None, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for match in own.finditer(text) if own is not None else ():
            self._starts.append(match.start())
            self._ends.append(match.end())

    def around(self, start: int, stop: int) -> int:
        """Return the length of the phrase that contains the whole range, 0 where none does."""
        at = bisect_right(self._starts, start) - 1
        return self._ends[at] - self._starts[at] if at >= 0 and stop <= self._ends[at] else 0

    def touches(self, start: int, stop: int) -> bool:
        """Return whether a phrase overlaps the range."""
        at = bisect_right(self._starts, stop - 1) - 1
        return at >= 0 and self._ends[at] > start and self._starts[at] < stop

    def end_before(self, place: int) -> int:
        """Return the end of the last phrase before `place`."""
        at = bisect_right(self._ends, place) - 1
        return self._ends[at] if at >= 0 else 0


def _in_capitals(text: str, match: re.Match[str]) -> bool:
    """Return whether the name is in capitals among words in capitals."""
    if not match["name"].isupper() or len(match["name"]) < 2:
        return False
    line = text[max(0, match.start() - grammar.LOOK_BACK) : match.end() + grammar.LOOK_BACK]
    around = line.replace(match["name"], "")
    return around.isupper()


def _ends_sentence(text: str, stop: int) -> bool:
    rest = text[stop : stop + 3]
    return not rest.strip() or (rest[0].isspace() and rest.strip()[:1].isupper())
