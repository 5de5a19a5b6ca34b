"""Find words of a quotation that limit what a statement tells of it, and that it leaves out. Pure.

Source: decision 116. "The uniform" of "the summer uniform", "a breach" of "a serious breach", "may sublet the
yard" of "may sublet the yard to its suppliers": each word of the statement stands in the quotation, and it
says more than that. A model is asked to keep what limits, so what is left out refuses, and is told to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from app.analysis.support.aligned_words import AlignedWords
from app.analysis.support.grammar import (
    BEING,
    CONDITIONS,
    DETERMINERS,
    MAY,
    MUST,
    NEGATIONS,
    PROHIBITED,
    is_verb,
)
from app.analysis.support.words import (
    MONTHS,
    Token,
    concepts_of,
    currency_of,
    is_content,
    is_unit,
    stems,
    synonyms_of,
    word_set,
)

_OF: Final = frozenset({"de", "del", "of", "for", "para", "sobre"})
_THAT: Final = frozenset({"que", "that", "who", "which", "cuyo", "cuya", "cuyos", "cuyas", "whose"})
_RATIO: Final = frozenset({"por", "per", "for", "a", "al"})
_EACH: Final = frozenset({"cada", "each", "every"})
_TIMES: Final = frozenset(
    {
        "tras",
        "despues",
        "after",
        "during",
        "durante",
        "hasta",
        "until",
        "antes",
        "before",
        "mientras",
        "while",
    }
)
_BOUNDS: Final = frozenset(
    {"tope", "maximo", "maxima", "minimo", "minima", "limite", "maximum", "minimum", "cap", "limit", "capped"}
)
_WRITTEN: Final = (("por", "escrito"), ("in", "writing"), ("in", "a", "row"), ("en", "exclusiva"))
_ARTICLES: Final = frozenset({"el", "la", "los", "las", "the", "un", "una", "unos", "unas", "a", "an", "lo"})
_JOINS: Final = frozenset({"y", "e", "o", "u", "ni", "and", "or", "nor", "pero", "but", "sino", "mas"})
_STOPS: Final = frozenset({",", ";", ":", ".", "(", ")", "«", "»", "“", "”", '"'})
_PREPOSITIONS: Final = word_set("prepositions")
_WEEKDAYS: Final = word_set("weekdays")
_ANY: Final = frozenset({"any", "every", "all", "no", "each", "other", "further", "such"})
# What may stand behind "in" or "from" at the beginning of a sentence, and tells when it holds.
_WHEN: Final = frozenset(
    {"en", "in", "on", "desde", "from", "at", "a", "al", "los", "las", "cada", "every", "each"}
)
_TIME_WORDS: Final = frozenset(
    {
        "invierno",
        "verano",
        "primavera",
        "otono",
        "winter",
        "summer",
        "spring",
        "autumn",
        "season",
        "temporada",
    }
    | {"campana", "period", "periodo", "weekend", "weekends", "noche", "night", "manana", "morning", "tarde"}
    | {"afternoon"}
)
_FEWEST: Final = 2
_ADJECTIVES: Final = (
    "os",
    "as",
    "ito",
    "uto",
    "eto",
    "ado",
    "ido",
    "ario",
    "ivo",
    "ico",
    "al",
    "ales",
    "ble",
    "bles",
    "erno",
    "ente",
    "entes",
)
# Participles: "listed in Annex II" tells where.
_TOLD_OF: Final = ("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "to", "ta", "tos", "tas", "ed")
# Adjectives and nouns that tell nothing apart.
_EMPTY: Final = (
    word_set("weak") | word_set("frame") | {"siguiente", "siguientes", "following", "citado", "citada"}
) - {"written", "escrito", "escrita", "escritos", "escritas", "prior", "previo", "previa"}
_SHORT: Final = 3
_NO_ADJECTIVES: Final = (
    _EMPTY
    | _PREPOSITIONS
    | _ARTICLES
    | _JOINS
    | DETERMINERS
    | {"al", "del", "los", "las", "your", "our", "my", "their", "its", "her", "his"}
)


class LeftOutLimits(AlignedWords):
    """A statement beside the words of its quotation that limit what it tells."""

    @cached_property
    def left_out(self) -> tuple[tuple[int, int], ...]:
        """Where words stand, in the document, that limit what the statement tells and are left out of it."""
        if self._label or not self._in_own_words:
            return ()
        found: list[tuple[int, int]] = []
        for clause in self._told_clauses:
            tokens = self._clause_tokens[clause]
            told = [one.start in self._told_starts for one in tokens]
            if sum(told) < _FEWEST:
                continue
            for start, end in self._limits_in(tokens, told):
                words = tokens[start:end]
                if any(len(one.text) >= _SHORT or one.figure is not None for one in words) and (
                    words[0].text != "contra" and not self._told_otherwise(words)
                ):
                    found.append((tokens[start].start, tokens[end - 1].end))
        return tuple(dict.fromkeys(found))

    def _told_otherwise(self, words: Sequence[Token]) -> bool:
        """Tell whether the statement has a word for one that was left out: "520 pesos por día", "diarios"."""
        said = frozenset(c for found in self.said_concepts for c in found)
        same = frozenset(s for one in self.said.tokens for s in synonyms_of(one))
        return any(
            (concepts & said)
            or synonyms_of(one) & same
            or any(is_form(one.text, other.text) for other in self.stated)
            for one, concepts in zip(words, concepts_of(words), strict=True)
            if len(one.text) > _SHORT and one.text not in _PREPOSITIONS | _ARTICLES
        )

    @cached_property
    def _in_own_words(self) -> bool:
        """Whether each word of the statement is a form of one of the quotation: none says two of them."""
        words = [
            one
            for one in self._items
            if one.sort in ("word", "name") and not one.beside and not self._may_be_left_out(one.at)
        ]
        return (
            bool(words)
            and len(self.said.tokens) > _SHORT
            and all(
                any(
                    self._targets[place].value is None
                    and is_form(self.said.tokens[one.at].text, self._targets[place].token.text)
                    for place in one.places
                )
                for one in words
            )
        )

    @cached_property
    def _nearest_places(self) -> list[int]:
        """The place of each word and figure of the statement: of several, that nearest to its neighbours."""
        found: list[int] = []
        for at, item in enumerate(self._items):
            if len(item.places) < _FEWEST:
                found += item.places
                continue
            beside = [
                other.places[0]
                for other in self._items[max(0, at - 2) : at + 3]
                if other is not item and len(other.places) == 1
            ]
            found.append(min(item.places, key=lambda place: sum(abs(place - one) for one in beside)))
        return found

    @cached_property
    def _told_starts(self) -> frozenset[int]:
        """Where the words and figures of the quotation begin that the statement tells."""
        found: set[int] = set()
        for place in self._nearest_places:
            target = self._targets[place]
            found.add(target.token.start)
            if target.value is not None:
                found.update(
                    one.start
                    for one in self._clause_tokens[target.clause]
                    if target.value.start <= one.start < target.value.end
                )
        # Words that claim nothing by themselves, where the same word stands beside them in the statement.
        pairs = {(one.text, other.text) for one, other in pairwise(_bare(self.said.tokens))}
        for tokens in self._clause_tokens:
            for one, other in pairwise(_bare(tokens)):
                if (one.text, other.text) in pairs and "mark" not in (one.kind, other.kind):
                    found |= {one.start, other.start}
        return frozenset(found)

    @cached_property
    def _told_clauses(self) -> list[int]:
        """The clauses that have most words of the statement."""
        counted = {clause: self._covered(clause) for clause in self._clauses_used}
        best = max(counted.values(), default=0)
        return [clause for clause, number in counted.items() if number == best]

    def _limits_in(self, tokens: Sequence[Token], told: Sequence[bool]) -> Iterator[tuple[int, int]]:
        """Yield where runs of tokens stand that limit a word told."""
        strict = self._broadens(tokens, told)
        for at, token in enumerate(tokens):
            if not told[at] or token.kind not in ("word", "number", "date"):
                continue
            behind = self._limit_behind(tokens, told, at, strict)
            if behind:
                yield behind
            before = self._limit_before(tokens, told, at)
            if before:
                yield before
        yield from self._limiting_adjuncts(tokens, told)

    def _broadens(self, tokens: Sequence[Token], told: Sequence[bool]) -> bool:
        """Tell whether to leave out where, to whom or how would say more: what one may or may not do."""
        return any(
            one.text in MAY or one.text in PROHIBITED or one.text in NEGATIONS for one in tokens
        ) or bool(CONDITIONS.places(tokens))

    def _limit_behind(
        self, tokens: Sequence[Token], told: Sequence[bool], at: int, strict: bool
    ) -> tuple[int, int] | None:
        """Return a modifier right behind a word told: "de verano", "that affect the structure"."""
        end = at + 1
        if end >= len(tokens) or told[end]:
            return None
        first = tokens[end]
        run = self._run_left_out(tokens, told, end)
        if run == end or self._names_party(tokens[at]):
            return None
        words = tokens[end:run]
        if first.text in _OF:
            named = [one for one in words if is_content(one) or one.kind == "number"]
            listed = any(one.figure is not None for one in words) and any(
                told[place] and one.figure is not None for place, one in enumerate(tokens)
            )
            if listed:
                return None  # "ventas de 90.000 euros el primer año y de 120.000 el segundo"
            if named and not self._is_proper(words) and not is_verb(tokens[at]):
                return end, run
            return None
        if first.text in _THAT:
            return (end, run) if sum(is_content(one) for one in words) > 0 else None
        if any(_starts(words, phrase) for phrase in _WRITTEN):
            return end, run
        if first.text in _RATIO and len(words) > 1 and words[1].text in _EACH:
            return end, run
        if (
            first.kind == "word"
            and first.text not in _NO_ADJECTIVES
            and not is_verb(first)
            and not self._is_of_party(tokens[at])
            and not self._is_capital(first)
            and tokens[at].text not in _PREPOSITIONS | _ARTICLES | _JOINS
            and _is_adjective(first, tokens[at], spanish=self._spanish)
        ):
            following = tokens[end + 1] if end + 1 < len(tokens) else None
            if following is not None and following.text in ("in", "en") and first.text.endswith(_TOLD_OF):
                return None  # "listed in Annex II" tells where
            # "euros brutos mensuales": an adjective, not a verb with its object.
            if following is None or (following.text not in _ARTICLES and following.kind != "number"):
                return end, end + 1
        if strict and first.text in _PREPOSITIONS and first.text not in _TIMES:
            named = [one for one in words if is_content(one) or one.kind in ("number", "date")]
            if named and not self._is_proper(words):
                return end, run
        return None

    def _limit_before(self, tokens: Sequence[Token], told: Sequence[bool], at: int) -> tuple[int, int] | None:
        """Return a modifier that stands right before a word told: "serious breach", "dos primeros meses"."""
        if at == 0 or told[at - 1]:
            return None
        one = tokens[at - 1]
        ahead = tokens[at - 2] if at > 1 else None
        if ahead is None or (ahead.kind == "mark" and ahead.text not in ("'", "’", "-")):
            return None
        led = (
            ahead.text in DETERMINERS
            or ahead.text in _ARTICLES
            or ahead.text in _ANY
            or ahead.text in ("s", "'", "’", "de", "of", "with", "con", "without")
            or (told[at - 2] and not self._is_of_party(ahead) and ahead.kind == "number")
        )
        if not led:
            return None
        if one.kind == "number" and tokens[at].kind == "word":
            unit = is_unit(tokens[at]) or currency_of(tokens[at].text)
            return None if unit else (at - 1, at)
        if (
            self._spanish
            or one.kind != "word"
            or len(one.text) <= _SHORT
            or one.text in _NO_ADJECTIVES
            or is_verb(one)
            or self._is_of_party(one)
            or tokens[at].kind != "word"
            or tokens[at].text in _PREPOSITIONS | _ARTICLES | _JOINS | BEING | MAY | MUST
        ):
            return None
        return (at - 1, at) if not self._is_capital(one) else None

    def _limiting_adjuncts(self, tokens: Sequence[Token], told: Sequence[bool]) -> Iterator[tuple[int, int]]:
        """Yield parts between commas that limit: "Tras el primer año,", ", hasta un máximo de 9 euros"."""
        lead = self._time_before(tokens, told)
        if lead:
            yield 0, lead
        start = 0
        for end in [*(at for at, one in enumerate(tokens) if one.text in (",", ";", ":")), len(tokens)]:
            words = tokens[start:end]
            untold = not any(
                told[start:end][at] for at, one in enumerate(words) if is_content(one) or one.figure
            )
            if words and untold:
                first = words[0].text
                bound = any(one.text in _BOUNDS for one in words)
                leads = start == 0 and end < len(tokens) and first in _TIMES
                near = start > 1 and any(told[max(0, start - 6) : start - 1])
                if leads or (bound and near and not any(is_verb(one) for one in words)):
                    yield start, end
            start = end + 1

    def _time_before(self, tokens: Sequence[Token], told: Sequence[bool]) -> int:
        """Return where the time ends that a clause begins with and that is untold; 0 where none is."""
        end = next((at for at, one in enumerate(told) if one), 0)
        while end and (tokens[end - 1].text in _ARTICLES or tokens[end - 1].text in DETERMINERS):
            end -= 1
        lead = tokens[:end]
        if len(lead) < _FEWEST or lead[0].text not in _TIMES | _WHEN:
            return 0
        if any(one.kind == "mark" or is_verb(one) or self._is_of_party(one) for one in lead):
            return 0
        timed = any(
            one.text in _TIME_WORDS or one.text in MONTHS or one.text in _WEEKDAYS or is_unit(one)
            for one in lead
        )
        return end if timed else 0

    def _run_left_out(self, tokens: Sequence[Token], told: Sequence[bool], start: int) -> int:
        """Return where words left out end: at a word told, a mark or "and"."""
        end = start
        while (
            end < len(tokens)
            and not told[end]
            and tokens[end].text not in _STOPS
            and tokens[end].text not in _JOINS
            and not (is_verb(tokens[end]) and end > start + 1 and tokens[start].text not in _THAT)
        ):
            end += 1
        # Articles and prepositions of what follows are no part of it.
        while (
            end > start
            and end < len(tokens)
            and told[end]
            and (tokens[end - 1].text in _ARTICLES or tokens[end - 1].text in _PREPOSITIONS)
        ):
            end -= 1
        return end

    @cached_property
    def _spanish(self) -> bool:
        return not any(one.text in ("the", "of", "and", "shall") for one in self.tokens)

    def _is_of_party(self, token: Token) -> bool:
        return bool(self._party_called(token))

    def _party_called(self, token: Token) -> str:
        if token.kind != "word":
            return ""
        return self.document.parties.key(token.text, self.said_concepts_of(token))

    def _is_capital(self, token: Token) -> bool:
        return self.document.text[token.start].isupper()

    def _names_party(self, token: Token) -> bool:
        return self._is_capital(token) and self._is_of_party(token)

    def _is_proper(self, words: Sequence[Token]) -> bool:
        """Tell whether words only name a place or person, with nothing in small letters that claims."""
        content = [one for one in words if is_content(one) or one.kind == "number"]
        return bool(content) and all(self._is_capital(one) and not self._is_of_party(one) for one in content)


def _starts(words: Sequence[Token], phrase: Sequence[str]) -> bool:
    return tuple(one.text for one in words[: len(phrase)]) == tuple(phrase)


def _bare(tokens: Sequence[Token]) -> list[Token]:
    return [one for one in tokens if one.text not in _ARTICLES]


def _is_adjective(token: Token, head: Token, *, spanish: bool) -> bool:
    """Tell whether a word behind a noun looks like its adjective, and not like a verb."""
    if not spanish:
        return token.text.endswith("ed") and head.kind == "word"
    if token.text.endswith(_ADJECTIVES):
        return not token.text.endswith("mente")
    return token.text.endswith("a") and head.text.endswith("a") and len(token.text) > _SHORT


def is_form(word: str, other: str) -> bool:
    """Tell whether two folded words are one or forms of one."""
    return word == other or not stems(word).isdisjoint(stems(other))
