"""Find the words that a text attributes to an article of law, and compare them with it. Pure.

Who writes «…» beside an article may quote it, or may name a clause, a party's words, a heading. What
introduces or follows the quotation tells: "el artículo 6 dispone: «…»", "en palabras del artículo 6, «…»",
"«…» (art. 6)" are quotations of it, `explicit`; other words that stand near count only where they are like
the article's. Indirect speech ("el artículo 36 exige una fianza de tres mensualidades") is compared with the
article's figures (decision 016).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app import corpus
from app.analysis.support.attributed_claims import claims, sentence_before
from app.analysis.support.attribution_words import (
    AFTER,
    ANNOUNCED,
    CONNECTING,
    CUE,
    OTHERS,
    SAYING,
    SEGMENT,
    SENTENCE_END,
    SHORT_FORM,
    SPOKEN,
)
from app.citations import Citation
from app.text import linear
from app.text.normalize import LAW

_LONGEST_QUOTE = 4_000
_SHORTEST_QUOTE = 12
_PAIRS = {"«": "»", "“": "”", "„": "“”", "‹": "›", "‘": "’", "‚": "‘’", "»": "«", "”": "”"}
_OPENING = linear.compile(r"[«“„‹‘‚»\"]|(?:^|[\s(\[:—–-])'")
_CLOSES_SINGLE = linear.compile(r"['’](?:[\s.,;:)\]!?»”]|$)")
_MASKED = re.compile(r"\[[A-Z]+_[A-Z0-9_]+[a-z]*\]")
# Fewer words are a term, and stand in many articles.
_FEWEST_WORDS = 4
# Farther apart, they do not belong together.
_FARTHEST = 260
_FARTHEST_AFTER = 90
_FEW_BETWEEN = 4
_LONGEST_SENTENCE = 700
_LONGEST_SUBJECT = 80
_LONGEST_LEAD = 200
# Of words that nothing says are the article's, from here on they were meant to be.
_ALIKE = 0.6
# Of words ascribed to an antecedent that was guessed, so much must stand in the sentence that they
# contradict.
_BORNE_OUT = 0.5
# "El presidente responde que, según el artículo 176.1, «…»": who speaks quotes the article.
_REPORTED = linear.compile(
    r"(?i)\s(?:que|that|dass|che)\s?,?\s(?:segun|conforme\sal?|de\sacuerdo\scon|de\sconformidad\scon|a\stenor\sdel?"
    r"|con\sarreglo\sal?|en\svirtud\sdel?|under|according\sto|pursuant\sto|in\saccordance\swith|by|selon|secondo|nach|laut)"
    r"\s?(?:(?:el|la|los|las|lo|the|l'|le|il|o|a|dem|den)\s?)?$"
)
_BLOCK = linear.compile(r"^[ \t]*\n[ \t]*\n?")
_MARKED_LINE = linear.compile(r"^(?:[ \t]*>[ \t]?|[ \t]{4,}|\t)")


@dataclass(frozen=True, slots=True)
class AttributedQuote:
    """Words said to be those of one of `citations`. `explicit` where the text says so in so many words.

    `indirect`: no quotation, but a sentence that says what the article requires, allows or fixes; `figure` is
    the one figure of it that is said to be the article's, `own` where it may be a term of the parties' own.
    """

    words: str
    citations: tuple[Citation, ...]
    explicit: bool
    indirect: bool = False
    figure: str = ""
    own: bool = False

    def __repr__(self) -> str:
        return f"<AttributedQuote of {len(self.words)} characters>"


@dataclass(frozen=True, slots=True)
class CheckedQuotation:
    """Words of an article that were compared with it. `literal` where they stand there as they are quoted."""

    words: str
    citation: Citation
    verdict: corpus.Verdict
    literal: bool

    def __repr__(self) -> str:
        return f"<CheckedQuotation {self.verdict.status}>"

    @property
    def correct(self) -> bool:
        """Whether the article says these words."""
        return self.verdict.status == "verified"


@dataclass(frozen=True, slots=True)
class _Quote:
    """Words between quotation marks: `start` and `end` with the marks."""

    start: int
    end: int
    words: str


def telling(words: str) -> bool:
    """Tell whether words are enough, and the author's own, to be compared with an article."""
    return len(words.split()) >= _FEWEST_WORDS and not _MASKED.search(words)


def quotations(text: str) -> tuple[str, ...]:
    """Return the telling quotations of a text, in any kind of quotation marks."""
    return tuple(one.words for one in _quotes(text) if telling(one.words))


def attributed_quotes(text: str, citations: Sequence[Citation]) -> tuple[AttributedQuote, ...]:
    """Return what `text` says an article says: quotations beside it, then indirect speech."""
    return (*quotes_beside(text, citations), *indirect_speech(text, citations))


def quotes_beside(text: str, citations: Sequence[Citation]) -> tuple[AttributedQuote, ...]:
    """Return the quotations in `text` that stand beside one of its `citations` and may be theirs."""
    cited = _of_articles(citations)
    if not cited:
        return ()
    starts, ends = [one.start for one in cited], [one.end for one in cited]
    plain = LAW.fold(text)
    claims: list[AttributedQuote] = []
    quotes = [one for one in _quotes(text) if telling(one.words)]
    for quote in quotes:
        before = cited[place - 1] if (place := bisect_right(ends, quote.start)) else None
        after = cited[place] if (place := bisect_left(starts, quote.end)) < len(cited) else None
        how = _introduced(plain, before, quote) if before else None
        if before and how:
            claims.append(AttributedQuote(quote.words, (before,), True))
            continue
        later = _followed(plain, quote, after) if after else None
        if after and later is not None:
            claims.append(AttributedQuote(quote.words, (after,), later))
        elif before and how is not None:
            claims.append(AttributedQuote(quote.words, (before,), False))
    claims += _blocks(text, plain, cited, quotes)
    return tuple(claims)


def _of_articles(citations: Sequence[Citation]) -> list[Citation]:
    return [one for one in citations if one.kind == "L4-N" and one.articles]


def _quotes(text: str) -> Iterator[_Quote]:
    """Return what stands between quotation marks, of whatever kind; none inside another."""
    at = 0
    while match := _OPENING.search(text, at):
        opened = match.end() - 1
        sign = text[opened]
        end = _closing(text, opened, sign)
        words = text[opened + 1 : end].strip() if end > 0 else ""
        if len(words) < _SHORTEST_QUOTE:
            at = opened + 1
            # A mark that closes what was too short opens nothing.
            if (end > 0 and sign in "\"'") or (end > 0 and words):
                at = end + 1
            continue
        yield _Quote(opened, end + 1, words)
        at = end + 1


def _closing(text: str, opened: int, sign: str) -> int:
    """Return where what is opened at `opened` closes; -1 where it does not, or first another opens."""
    window = text[opened + 1 : opened + 1 + _LONGEST_QUOTE]
    if sign in ("'", "‘", "‚"):
        if not window[:1].strip():
            return -1
        match = _CLOSES_SINGLE.search(window)
        return opened + 1 + match.start() if match else -1
    if sign == '"':
        found = window.find('"')
        gap = window.find("\n\n")
        return -1 if found < 0 or 0 <= gap < found else opened + 1 + found
    closers = _PAIRS[sign]
    found = min((place for closer in closers if (place := window.find(closer)) >= 0), default=-1)
    again = window.find(sign) if sign not in closers else -1
    if found < 0 or 0 <= again < found:
        return -1
    return opened + 1 + found


def _introduced(plain: str, before: Citation, quote: _Quote) -> bool | None:
    """Tell whether what stands before a quotation says that its words are the citation's.

    `False` where it may mean so, `None` where it is about something else.
    """
    gap = plain[before.end : quote.start]
    if len(gap) > _FARTHEST or (_ends_sentence(gap) and gap.strip(" .-\n")):
        return None
    segments = SEGMENT.split(gap)
    if OTHERS.search(segments[-1]) or SPOKEN.match(plain[quote.end : quote.end + 40]):
        return None
    speaking = False
    for place, segment in enumerate(segments):
        if not SAYING.search(segment):
            continue
        # "el artículo 36 y la cláusula quinta, que dice …": who speaks stands before the relative.
        relative = place and segment.split()[:1] in (["que"], ["which"], ["that"], ["cuando"])
        if OTHERS.search(segment) or (relative and OTHERS.search(segments[place - 1])):
            return None
        speaking = True
    words = _words(gap)
    cue = CUE.search(plain[max(0, before.start - 60) : before.start])
    colon = gap.rstrip().endswith(":")
    if speaking:
        # "faculta al juez a prescindir de la pena en «…»" puts a term in marks, it does not quote the
        # article.
        behind = gap[max(match.end() for match in SAYING.finditer(gap)) :]
        own = [word for word in _words(behind) if word.lower() not in CONNECTING and not word.isdigit()]
        return bool(colon or len(own) <= _FEW_BETWEEN or behind.split()[-1:] == ["que"])
    lead = sentence_before(plain, before.start)
    if OTHERS.search(lead) and not _REPORTED.search(lead):
        return None
    if colon and not OTHERS.search(gap):
        return True
    named = all(word in CONNECTING or word[:1].isupper() or _is_title(word) for word in words)
    if cue and (named or len(words) <= 2):
        return True
    # A citation on a line of its own, a dash, a bracket: the words below or behind are its.
    if not words and re.fullmatch(r"[\s.)\]-]{1,8}", gap):
        headed = not sentence_before(plain, before.start).strip(" -*#>(")
        return bool(headed or re.search(r"[\n-]", gap))
    return False if len(words) <= 6 else None


def _is_title(word: str) -> bool:
    return word in ("arrendamientos", "urbanos", "ley", "codigo", "relativo", "relativa", "sobre", "fianza")


def _followed(plain: str, quote: _Quote, after: Citation) -> bool | None:
    """Tell what stands between a quotation and a citation behind it.

    `True` where it says whose words they are, `False` where it may mean so, `None` where it is about
    something else.
    """
    gap = plain[quote.end : after.start]
    if len(gap) > _FARTHEST_AFTER or _ends_sentence(gap.lstrip(" .")):
        return None
    words = [word.lower() for word in _words(gap)]
    lead = sentence_before(plain, quote.start)
    foreign = bool(OTHERS.search(lead))
    if OTHERS.search(gap):
        return None
    if SAYING.search(gap) or CUE.search(gap + " "):
        return None if len(words) > 14 else True
    if all(word in AFTER for word in words):
        joined = bool(re.fullmatch(r"[\s.,]*[(\[—–-][\s(\[]*(?:[\w.]+\s){0,3}", gap)) or any(
            word in ("segun", "asi", "conforme", "tenor", "as", "per", "selon", "gemass") for word in words
        )
        if foreign:
            return False
        if joined:
            return True
        return False if gap.strip(" .,") == "" or words else None
    return None


def _ends_sentence(gap: str) -> bool:
    """Tell whether a sentence ends in `gap`, but for a colon or a heading that leads to what follows."""
    head = gap.rstrip()
    if head.endswith((":", "—", "–")):
        gap = head[:-1].rstrip()
    for match in SENTENCE_END.finditer(gap + " "):
        if match[0].startswith("\n") and not gap[: match.start()].strip():
            continue
        if not SHORT_FORM.search(gap[: match.start() + 1]):
            return True
    return False


def _words(gap: str) -> list[str]:
    return [word for word in re.split(r"[\s,;:()\-–—.\[\]]+", gap) if word]


def _blocks(
    text: str, plain: str, cited: Sequence[Citation], quotes: Sequence[_Quote]
) -> Iterator[AttributedQuote]:
    """Yield the paragraphs set off behind "el artículo 36 dispone:" without quotation marks."""
    for place, citation in enumerate(cited):
        until = cited[place + 1].start if place + 1 < len(cited) else len(text)
        window = plain[citation.end : citation.end + _FARTHEST]
        colon = window.find(":")
        if colon < 0 or citation.end + colon >= until or _ends_sentence(window[:colon]):
            continue
        lead = window[:colon]
        rest = text[citation.end + colon + 1 : citation.end + colon + 1 + _LONGEST_QUOTE]
        match = _BLOCK.match(rest)
        segments = SEGMENT.split(lead)
        said = SAYING.search(lead) or (ANNOUNCED.search(lead) and len(_words(lead)) <= 6) or not lead.strip()
        if not match or not said or OTHERS.search(segments[-1]):
            continue
        block = rest[match.end() :].partition("\n\n")[0]
        lines = block.split("\n")
        marked = all(_MARKED_LINE.match(line) or not line.strip() for line in lines)
        words = "\n".join(_MARKED_LINE.sub("", line) for line in lines).strip()
        begin = citation.end + colon
        if (
            any(begin <= quote.start <= begin + match.end() + len(block) for quote in quotes)
            or words[:1] in "«“\"„'‘"
        ):
            continue
        if not marked and "\n" in words:
            words = words.split("\n")[0]
        if telling(words):
            yield AttributedQuote(words, (citation,), marked or bool(ANNOUNCED.search(lead)))


def indirect_speech(text: str, citations: Sequence[Citation]) -> tuple[AttributedQuote, ...]:
    """Return the sentences that say in their own words what one article requires, allows or fixes."""
    return tuple(
        AttributedQuote(claim.words, (citation,), True, True, claim.figure, claim.own)
        for citation, claim in claims(LAW.fold(text), text, citations)
        if claim.words and not _MASKED.search(claim.words)
    )


def compare(claim: AttributedQuote, citation: Citation, text: str, heading: str) -> corpus.Comparison | None:
    """Compare a quotation with an article.

    `None` where indirect speech contradicts nothing, and where the article is loaded in another language.
    """
    across = not corpus.same_language(claim.words, text)
    if claim.indirect:
        place = corpus.words_of_place(citation, text)
        return corpus.contradiction(
            claim.words,
            text,
            figure=claim.figure,
            place=place if place != text else "",
            across=across,
            own_term=claim.own,
        )
    if across:
        return None
    return corpus.compare_cited(citation, claim.words, text, heading)


def is_quotation_of(
    claim: AttributedQuote, citation: Citation, verdict: corpus.Verdict, comparison: corpus.Comparison
) -> bool:
    """Tell whether a comparison counts: other words do only where they were meant to be the article's."""
    if verdict.status != "verified":
        return False
    if "elided" in citation.ids:
        # The antecedent is a guess, which the words of the article itself must bear out.
        return claim.indirect and comparison.similarity >= _BORNE_OUT
    return (
        comparison.right or claim.explicit or (len(claim.citations) == 1 and comparison.similarity >= _ALIKE)
    )
