"""Tell whether a statement copies a sentence of its quotation, word by word. Pure.

Source: decision 102. What is copied from the beginning of a sentence to its end, or to a comma behind which
nothing limits it, says what the document says, however its words would be read one by one. Two things may
differ: a word that refers to the sentence before ("it", "le", "that sum") is replaced by what it refers to,
and forms of address, defined terms in brackets and words that join sentences are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from app.analysis.support.grammar import (
    AFTERWARDS,
    CONDITIONS,
    EXCEPTIONS,
    LIGHT_VERBS,
    MAY,
    MUST,
    NEGATIONS,
    PROVISOS,
    REMAINDER,
    is_verb,
)
from app.analysis.support.quotation import HONORIFICS
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.words import Token, alike, is_content, word_set

_JOINING: Final = frozenset(
    {"y", "and", "ademas", "also", "asimismo", "igualmente", "moreover", "furthermore"}
)
_ARTICLES: Final = frozenset({"el", "la", "los", "las", "the", "a", "an", "un", "una"})
_OF: Final = frozenset({"de", "del", "of"})
_THINGS: Final = frozenset({"it", "them", "lo", "la", "los", "las", "both", "ambos", "ambas"})
_PERSONS: Final = frozenset({"le", "les", "him", "her"})
_POINTING: Final = frozenset(
    {
        "that",
        "this",
        "those",
        "these",
        "such",
        "ese",
        "esa",
        "esos",
        "esas",
        "dicho",
        "dicha",
        "dichos",
        "dichas",
    }
    | {"este", "esta", "estos", "estas"}
)
# "Trasladarla": the pronoun of an infinitive.
_ENCLITICS: Final = frozenset({"-la", "-lo", "-las", "-los", "-le", "-les"})
_ENCLITIC: Final = re.compile(r"([a-z]{2,}[aei]r)(l[ao]s?|les?)")
_HERS: Final = frozenset({"her", "his", "their", "su", "sus"})
_READER: Final = frozenset({"usted", "you"})
_ONE_BEFORE: Final = frozenset({"anterior", "former"})
_LIMITING: Final = (
    NEGATIONS
    | EXCEPTIONS
    | word_set("only")
    | word_set("concessions")
    | word_set("comparing")
    | {"sino", "mas", "o", "u", "or", "con", "with", "mediante", "previo", "previa", "hasta", "until"}
)
_SPEAKERS: Final = frozenset({"we", "you", "us", "nosotros", "nosotras", "usted", "ustedes"})
_NOT: Final = frozenset({"no", "not"})
_WITH: Final = frozenset({"a", "to", "con", "with", "frente", "contra", "against"})
# A shorter statement is a label or a fragment.
_FEWEST: Final = 4
_LONGEST: Final = 150
_MOST_INSERTED: Final = 10
_MODAL: Final = MAY | MUST | {"will", "shall", "is", "are", "es", "son"}


class CopiedSentence(QuotedStatement):
    """A statement beside the sentences that it may copy."""

    def copies(self) -> bool:
        """Tell whether the statement is a sentence of the document that it quotes, to its end or a comma."""
        said = without_ornament(self.said.tokens)
        if not _FEWEST <= len(said) <= _LONGEST:
            return False
        return any(
            self._copied(said, sentence, before)
            for piece in self.pieces
            for before, sentence in self._sentences_of(piece)
        )

    def _sentences_of(self, piece: Sequence[Token]) -> list[tuple[Sequence[Token], Sequence[Token]]]:
        """Return the sentences that begin within a quotation, each with the one before it that is quoted."""
        found: list[tuple[Sequence[Token], Sequence[Token]]] = []
        before: Sequence[Token] = ()
        at = 0
        while at < len(piece):
            start, end = self.document.sentence(piece[at].start, piece[at].end)
            sentence = [one for one in piece[at:] if one.start < end]
            if not sentence:
                break
            whole = [
                one for one in self.document.tokens(start, piece[at].start) if one.end <= piece[at].start
            ]
            if all(one.kind == "mark" or one.kind == "number" for one in whole):
                found.append((before, sentence))
            before = sentence
            at += len(sentence)
        return found

    def _copied(self, said: Sequence[Token], sentence: Sequence[Token], before: Sequence[Token]) -> bool:
        plain = without_ornament(sentence)
        while plain and (plain[0].text in _JOINING or plain[0].text == ","):
            plain = plain[1:]
        matched = SequenceMatcher(
            None, [_key(one) for one in said], [_key(one) for one in plain], autojunk=False
        )
        inserted: list[list[Token]] = []
        dropped: list[list[Token]] = []
        last = 0
        reader = self.document.is_letter
        for tag, one, other, first, second in matched.get_opcodes():
            if tag == "insert" and one == len(said):
                break  # what follows the words copied
            last = second
            if tag == "equal":
                continue
            new, old = list(said[one:other]), list(plain[first:second])
            if not old and reader and len(new) == 1 and new[0].text in _READER:
                continue  # "Los días que usted acuda"
            if not old and first and self._is_pronoun(plain[first - 1]):
                old = [plain[first - 1]]  # "adeuda por él": the article stands in both texts
            inserted.append(new)
            dropped.append(old)
        if not last or plain[last - 1].text in _OF | _ARTICLES:
            return False
        if any((*inserted, *dropped)) and not self._resolved(inserted, dropped, before, plain):
            return False
        return self._ends_well(plain, last, sentence)

    def _ends_well(self, plain: Sequence[Token], last: int, sentence: Sequence[Token]) -> bool:
        """Tell whether nothing behind the words copied, up to the end of the sentence, limits them."""
        _, end = self.document.sentence(sentence[0].start, sentence[-1].end)
        beyond = [one for one in self.document.tokens(sentence[-1].end, end) if one.start >= sentence[-1].end]
        rest = [*plain[last:], *without_ornament(beyond)]
        if not rest or all(one.kind == "mark" for one in rest):
            return True
        if rest[0].text not in (",", ";"):
            return self._names_somebody(rest)
        return not limits(_without_contrast(_without_other_act(rest, plain[:last]), plain[:last]))

    def _names_somebody(self, rest: Sequence[Token]) -> bool:
        """Tell whether words only say with or against whom: "frente a Envases Poniente, S.A.", "with us"."""
        if rest[0].text not in _WITH or len(rest) > _MOST_INSERTED:
            return False
        return all(
            one.kind == "mark"
            or one.text in _WITH
            or not is_content(one)
            or self.document.text[one.start].isupper()
            or bool(self.document.parties.key(one.text, ()))
            for one in rest
        ) and not any(one.text in NEGATIONS or one.figure is not None for one in rest)

    def _resolved(
        self,
        inserted: Sequence[Sequence[Token]],
        dropped: Sequence[Sequence[Token]],
        before: Sequence[Token],
        sentence: Sequence[Token],
    ) -> bool:
        """Tell whether what differs is a reference to the sentence before and what it refers to."""
        if not before:
            return False
        inserted, dropped = _without_enclitics(inserted, dropped)
        gone = [one for run in dropped for one in run]
        pointing = any(one.text in _POINTING for one in gone)
        allowed = (
            _THINGS
            | _PERSONS
            | _ENCLITICS
            | _HERS
            | _POINTING
            | _ONE_BEFORE
            | _ARTICLES
            | _OF
            | {"que", ",", "ambos", "al"}
        )
        nouns = [one for one in gone if one.text not in allowed]
        if nouns and not (pointing and len(nouns) == 1):
            return False
        new = [
            [one for one in run if one.text not in _ARTICLES | _OF and one.kind != "mark"] for run in inserted
        ]
        new = [[one for one in run if one.text not in ("a", "al", "to")] for run in new if run]
        new = [run for run in new if run]
        if not new or any(len(run) > _MOST_INSERTED for run in new):
            return False
        if any(one.text in _HERS for one in gone) and all(self._is_name_before(run, before) for run in new):
            return len(nouns) == 0  # "her fee": "the fee of Dr Lucía Tamames"
        persons = any(one.text in _PERSONS | _ONE_BEFORE | _ENCLITICS for one in gone)
        things = pointing or any(one.text in _THINGS or self._is_pronoun(one) for one in gone)
        if not gone and [len(run) for run in new] == [1]:
            return self._is_thing_before(new[0], before)  # "your dates": "your holiday dates"
        return all(
            (persons and self._is_person_before(run, before, sentence))
            or ((things or persons) and self._is_thing_before(run, before))
            for run in new
        ) and (not persons or any(self._is_person_before(run, before, sentence) for run in new))

    def _is_pronoun(self, token: Token) -> bool:
        return self.document.text[token.start : token.end].lower() == "él"

    def _is_name_before(self, run: Sequence[Token], before: Sequence[Token]) -> bool:
        """Tell whether words are a name that stands in the sentence before, the only one there."""
        names: list[list[Token]] = [[]]
        for one in before:
            if one.kind == "word" and self.document.text[one.start].isupper():
                if one.text not in HONORIFICS:
                    names[-1].append(one)
            elif names[-1]:
                names.append([])
        names = [one for one in names if len(one) > 1]
        return len(names) == 1 and _in_order(run, names[0])

    def _is_person_before(
        self, run: Sequence[Token], before: Sequence[Token], sentence: Sequence[Token]
    ) -> bool:
        """Tell whether words name the one party of the sentence before that this one does not name."""
        named = {self._party(one) for one in before} - {self._party(one) for one in sentence} - {""}
        return len(named) == 1 and all(self._party(one) in named for one in run)

    def _party(self, token: Token) -> str:
        if token.kind != "word":
            return ""
        return self.document.parties.key(token.text, self.said_concepts_of(token))

    def _is_thing_before(self, run: Sequence[Token], before: Sequence[Token]) -> bool:
        """Tell whether words are, in order, what the sentence before is about: its object or its subject."""
        if any(self._party(one) or one.text in _SPEAKERS for one in run):
            return False
        return any(_in_order(run, phrase) for phrase in self._phrases_of(before))

    def _phrases_of(self, sentence: Sequence[Token]) -> list[Sequence[Token]]:
        """Return what the verb of a sentence governs, and all of it if its subject is a thing."""
        verb = next((at for at, one in enumerate(sentence) if is_verb(one) or one.text in _MODAL), None)
        if verb is None:
            comma = next((at for at, one in enumerate(sentence) if one.text == ","), len(sentence))
            return [] if any(self._party(one) for one in sentence[:comma]) else [sentence[:comma]]
        start = next(
            (
                at
                for at in range(verb + 1, len(sentence))
                if sentence[at].text in _ARTICLES or sentence[at].figure is not None
            ),
            len(sentence),
        )
        end = start
        while end < len(sentence) and (
            sentence[end].text not in _PHRASE_ENDS
            or (sentence[end].text == "," and _sum_at(sentence, end + 1))
        ):
            end += 1
        found: list[Sequence[Token]] = [sentence[start:end]] if end > start else []
        subject = [one for one in sentence[:verb] if one.text not in _ARTICLES]
        if not any(self._party(one) or one.text in _SPEAKERS for one in subject):
            found.append(sentence)
        return found


_PHRASE_ENDS: Final = word_set("prepositions") - {"a", "al", "de", "del", "of"} | {",", ";", ".", ":"}


def _without_enclitics(
    inserted: Sequence[Sequence[Token]], dropped: Sequence[Sequence[Token]]
) -> tuple[list[list[Token]], list[list[Token]]]:
    """Return runs in which "trasladarla" beside "trasladar a la Trabajadora" is its pronoun alone."""
    new, old = [list(run) for run in inserted], [list(run) for run in dropped]
    for mine, theirs in zip(new, old, strict=True):
        match = _ENCLITIC.fullmatch(theirs[0].text) if theirs and mine else None
        if match and mine[0].text == match[1]:
            theirs[0] = theirs[0]._replace(text=f"-{match[2]}")
            del mine[0]
    return new, old


def _sum_at(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at].figure is not None or tokens[at].text in ("€", "$", "£"))


def _in_order(run: Sequence[Token], phrase: Sequence[Token]) -> bool:
    """Tell whether the words of `run` stand in `phrase`, in their order."""
    at = 0
    for one in run:
        while at < len(phrase) and _key(phrase[at]) != _key(one):
            at += 1
        if at == len(phrase):
            return False
        at += 1
    return True


def _key(token: Token) -> str:
    if token.figure is not None:
        return str(token.figure.normalize())
    return {"del": "de", "al": "a", "an": "a"}.get(token.text, token.text)


def _names_a_place(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a bracket holds figures and single letters only: "(1.º A)"."""
    for one in tokens[at + 1 : at + 7]:
        if one.text == ")":
            return True
        if one.kind == "word" and len(one.text) > 1:
            return False
    return False


def without_ornament(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without forms of address, quotation marks, definitions in brackets and the last stop."""
    found: list[Token] = []
    depth = 0
    for at, one in enumerate(tokens):
        if one.text == "(" and (_defines(tokens, at) or _names_a_place(tokens, at)):
            depth += 1
        if depth == 0 and one.text not in HONORIFICS and one.text not in ("«", "»", "“", "”", '"', "’", "‘"):
            found.append(one)
        if one.text == ")" and depth:
            depth -= 1
    while found and found[-1].text in (".", ","):
        found.pop()
    return found


def _defines(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a bracket holds a defined term: (la «Fiadora»)."""
    inside: list[Token] = []
    for one in tokens[at + 1 : at + 9]:
        if one.text == ")":
            return any(mark.text in ("«", "“", '"') for mark in inside)
        inside.append(one)
    return False


def _without_contrast(rest: Sequence[Token], copied: Sequence[Token]) -> Sequence[Token]:
    """Return words without ", and not to …", where the words copied have that preposition."""
    at = 1 if rest and rest[0].text == "," else 0
    if at + 2 < len(rest) and rest[at].text in ("y", "and") and rest[at + 1].text in _NOT:
        preposition = rest[at + 2].text
        if preposition in _WITH and any(one.text == preposition for one in copied):
            stop = next(
                (place for place in range(at + 3, len(rest)) if rest[place].text in (",", ";")), len(rest)
            )
            return rest[stop:]
    return rest


def _without_other_act(rest: Sequence[Token], copied: Sequence[Token]) -> Sequence[Token]:
    """Return words without ", but may not …", where that is another act than the one copied."""
    at = 1 if rest[0].text in (",", ";") else 0
    if at + 3 >= len(rest) or rest[at].text not in ("pero", "but", "y", "and"):
        return rest
    modal = next((place for place in (at + 1, at + 2) if rest[place].text in MAY | MUST), None)
    if modal is None:
        return rest
    act = next((one for one in rest[modal + 1 : modal + 4] if one.text not in _NOT), None)
    if act is None or not is_content(act) or act.text in LIGHT_VERBS:
        return rest
    stem = _ENCLITIC.fullmatch(act.text)
    name = stem[1] if stem else act.text
    if name in LIGHT_VERBS or any(is_content(one) and alike(one.text, name) for one in copied):
        return rest
    stop = next((place for place in range(modal, len(rest)) if rest[place].text == ";"), len(rest))
    return rest[stop:]


def limits(rest: Sequence[Token]) -> bool:
    """Tell whether words deny, except, limit or set a condition."""
    return (
        any(one.text in _LIMITING or one.text in MAY for one in rest)
        or bool(CONDITIONS.places(rest))
        or bool(PROVISOS.places(rest))
        or bool(AFTERWARDS.places(rest))
        or bool(REMAINDER.places(rest))
    )
