"""How a clause says what it says: negation, exceptions, modality, who acts and who bears. Pure.

Works on the tokens of `words`, in Spanish and English alike. What it cannot tell it does not guess: the
judges that use it refuse a statement on any difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.analysis.engines.rules.reading import fold
from app.analysis.support.words import Token, concepts_of, word_set


def begins(tokens: Sequence[Token], at: int, phrase: Sequence[str]) -> bool:
    return len(tokens) - at >= len(phrase) and all(
        tokens[at + more].text == word for more, word in enumerate(phrase)
    )


class Phrases:
    """Phrases of one to three words, found by their first one."""

    def __init__(self, *phrases: Sequence[str]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        self._by_last: dict[str, list[tuple[str, ...]]] = {}
        for phrase in phrases:
            self._by_first.setdefault(phrase[0], []).append(tuple(phrase))
            self._by_last.setdefault(phrase[-1], []).append(tuple(phrase))

    def at(self, tokens: Sequence[Token], place: int) -> int:
        """Return how many words long the phrase is that begins at `place`, 0 where none does."""
        for phrase in self._by_first.get(tokens[place].text, ()):
            if begins(tokens, place, phrase):
                return len(phrase)
        return 0

    def ends(self, tokens: Sequence[Token], place: int) -> bool:
        """Tell whether a phrase ends at `place`."""
        return any(
            place + 1 >= len(phrase) and begins(tokens, place + 1 - len(phrase), phrase)
            for phrase in self._by_last.get(tokens[place].text, ())
        )

    def places(self, tokens: Sequence[Token]) -> list[int]:
        """Return where phrases begin."""
        return [place for place in range(len(tokens)) if self.at(tokens, place)]


NEGATIONS = word_set("negations")
_EXCEPTIONS = word_set("exceptions")
_EXCEPTION_PHRASES = Phrases(
    ("con", "la", "excepcion"),
    ("a", "menos"),
    ("a", "no", "ser"),
    ("a", "excepcion"),
    ("con", "excepcion"),
    ("other", "than"),
    ("con", "exclusion"),
    ("apart", "from"),
    ("fuera", "de"),
)
PROVISOS = Phrases(
    ("siempre", "que"),
    ("siempre", "y"),
    ("provided", "that"),
    ("a", "no", "ser"),
    ("a", "menos", "que"),
    ("as", "long"),
    ("subject", "to"),
)
_NOT_NEGATION = Phrases(
    ("non", "-", "compete"),
    ("non", "-", "competition"),
    ("not", "exceed"),
    ("no", "exceda"),
    ("no", "excedera"),
    ("no", "podra", "exceder"),
    ("no", "podra", "superar"),
    ("no", "superara"),
    ("no", "obstante"),
    ("sin", "embargo"),
    ("sin", "perjuicio"),
    ("no", "solo"),
    ("not", "only"),
    ("no", "later"),
    ("no", "mas", "tarde"),
    ("not", "less"),
    ("not", "later"),
    ("without", "prejudice"),
    ("no", "inferior"),
    ("no", "superior"),
    ("no", "menos"),
    ("at", "no"),
)
# What was: a figure beside these is not one of the contract in hand.
PAST = word_set("past")
NO_LONGER = Phrases(
    ("ya", "no"), ("no", "longer"), ("old", "contract"), ("old", "agreement"), ("deja", "de", "aplicarse")
)
EFFORT = word_set("effort")
# "Carry out works" and "hacer obras" say what is done with the noun.
LIGHT_VERBS = word_set("light_verbs")
CONDITIONS = Phrases(
    ("si",),
    ("en", "caso"),
    ("cuando",),
    ("if",),
    ("in", "case"),
    ("in", "the", "event"),
    ("upon",),
    ("where",),
    ("when",),
    ("whenever",),
    ("siempre", "que"),
    ("provided", "that"),
    ("en", "el", "supuesto"),
    ("supuesto", "de"),
    ("caso", "de"),
)
MUST = word_set("must")
MAY = word_set("may")
_FUTURE = re.compile(r"[a-z]{2,}(?:ara|era|ira|aran|eran|iran|dra|dran|ria|rian)")
_NO_FUTURE = word_set("no_future")
PROHIBITED = word_set("prohibited")
_AGENT_BEFORE = frozenset({"por", "by"})
_BURDEN = Phrases(
    ("cuenta", "de"),
    ("cuenta", "del"),
    ("cargo", "de"),
    ("cargo", "del"),
    ("costa", "de"),
    ("costa", "del"),
    ("expense", "of"),
    ("account", "of"),
    ("borne", "by"),
    ("obliga", "a"),
    ("obliga", "al"),
    ("binds",),
    ("corresponde", "a"),
    ("corresponde", "al"),
    ("corresponden", "a"),
    ("corresponden", "al"),
    ("corresponderan", "a"),
    ("corresponderan", "al"),
    ("correspondera", "a"),
    ("correspondera", "al"),
    ("incumbe", "a"),
    ("incumbe", "al"),
    ("prohibe", "a"),
    ("prohibe", "al"),
    ("permite", "a"),
    ("permite", "al"),
)
_BEING = word_set("being")
_TO = word_set("to")
_OF = frozenset({"de", "del", "of"})
DETERMINERS = word_set("determiners")
CLAUSE_END = re.compile(
    r"[;]|\b(?:pero|but|whereas|mientras que|si bien)\b|(?:,\s*|\s)(?:y|e|"
    r"and)\s+(?=(?:se\s+)?(?:no\s+)?(?:[a-z]{2,}(?:ara|era|ira|aran|eran|iran)|podra|debera|"
    r"podran|deberan|shall|will|may|must)\b)"
)
# A law cited in a statement: its numbers are no figures of the document.
_LAW = re.compile(
    r"\b(?:[Aa]rts?\.?|[Aa]rt[ií]culos?|[Ss]ections?|ss?\.|"
    r"§§?)\s*\d+(?:[.,-]\d+)*(?:\.?[ºª])?(?:\s?(?:bis|ter|quater))?(?:\.?[a-z]\))?(?:\(\w{1,4}\))*"
    r"(?:\s*(?:y|and|,|a|al|to|-)\s*\d+(?:[.,]\d+)*)*(?:\s+(?:de la |del |"
    r"of the )?(?:[A-Z]{2,7}\b(?:\s?\d{4})?|C\.?\s?C\.?|c\.\s?c\.|C\.\s?Co\.|Ley \d+/\d+|CCo|CCom|"
    r"LCGC|[A-Z][\w.]{1,12}))?"
)
_STATED_PLACE = re.compile(
    r"\b(?:clausula|estipulacion|articulo|art|arts|apartado|anexo|seccion|pacto|expositivo|clause|"
    r"section|article|schedule|annex|paragraph|ley|real decreto|rd|law|act|directiva|reglamento|"
    r"directive|regulation|sentencia|sts|stc)\b\.?\s*[\"“«]?"
    r"(?:n\.?[ºo]\s*)?(?:\d+(?:[./]\d+)*(?:\.?[ºª])?|[a-z]{4,14}(?:ra|da|ta|va|na|ro|do|to|vo|no|"
    r"a)\b)(?:\s*(?:y|and|,|a|al|to|-)\s*\d+(?:[./]\d+)*)*(?:\s*,?\s*de\s+\d{1,2}\s+de\s+[a-z]+)?"
)


def is_future(token: Token) -> bool:
    return token.kind == "word" and token.text not in _NO_FUTURE and _FUTURE.fullmatch(token.text) is not None


def marks_of(tokens: Sequence[Token], *, negations: bool = False, exceptions: bool = False) -> Iterator[int]:
    """The places of negations and of exceptions."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        idle = _NOT_NEGATION.at(tokens, at)
        if idle:
            at += idle
            continue
        if (
            exceptions
            and (
                (
                    token.text in _EXCEPTIONS
                    and not (
                        token.text == "menos" and at and tokens[at - 1].text in ("al", "lo", "o", "por", "no")
                    )
                )
                or _EXCEPTION_PHRASES.at(tokens, at)
            )
        ) or (negations and token.text in NEGATIONS and token.kind == "word"):
            yield at
        at += 1


# What our own statements say about themselves.
_ASIDE = re.compile(r"\((?:veanse los riesgos|see the risks)\)")


def without_places(statement: str) -> str:
    """Blank references to clauses and laws, at unchanged offsets: their numbers are no figures."""
    folded, out = fold(statement), list(statement)
    for match in (*_STATED_PLACE.finditer(folded), *_LAW.finditer(statement), *_ASIDE.finditer(folded)):
        out[match.start() : match.end()] = " " * (match.end() - match.start())
    return "".join(out)


# "No responderá", "no abonará": the sentence frees; "no venderá" forbids.
FREEING = re.compile(
    r"(?:respond|abon|pag|satisf|debe|obligad|responsab|liab|oblig|asum|soport|indemniz|tendra|"
    r"tiene|need|have)"
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """Whether a clause denies ("no"), lacks ("without") or demands ("requires", "only")."""

    count: int
    without: bool
    demanding: bool

    def agrees(self, other: Polarity) -> bool:
        """Tell whether both deny or neither does; "may not without consent" and "requires consent" agree."""
        if bool(self.count) == bool(other.count):
            return True
        denying, plain = (self, other) if self.count else (other, self)
        return denying.without and plain.demanding and not plain.without


_DEMANDING = word_set("demanding")


def polarity_of(tokens: Sequence[Token]) -> Polarity:
    marks = [
        at
        for at in marks_of(tokens, negations=True)
        if not _aside(tokens, at) and not _of_participle(tokens, at)
    ]
    without = [
        at
        for at in marks
        if (tokens[at].text in ("sin", "without") and not begins(tokens, at, ("sin", "que")))
        or (tokens[at].text in ("ni", "nor") and any(one.text in ("sin", "without") for one in tokens[:at]))
    ]
    denied = len(marks) - len(without) + any(one.text in PROHIBITED for one in tokens)
    return Polarity(denied, bool(without), any(one.text in _DEMANDING for one in tokens))


def _of_participle(tokens: Sequence[Token], at: int) -> bool:
    """Whether a negation belongs to a participle ("cantidades no pagadas"), not to the sentence."""
    if tokens[at].text not in ("no", "not") or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1].text
    return re.fullmatch(r"[a-z]{3,}(?:ad|id)[oa]s?", following) is not None and (
        at == 0 or tokens[at - 1].kind == "word"
    )


def _aside(tokens: Sequence[Token], at: int) -> bool:
    """Whether a negation stands in an insertion of a few words between commas: ", no discutida,"."""
    if at == 0 or tokens[at - 1].text not in (",", "("):
        return False
    return any(one.text in (",", ")") for one in tokens[at + 1 : at + 5])


def modality_of(tokens: Sequence[Token]) -> set[str]:
    found: set[str] = set()
    for at, token in enumerate(tokens):
        if token.text in MUST:
            found.add("must")
        elif token.text == "may" and _in_date(tokens, at):
            continue
        elif token.text in MAY and not (
            token.text == "derecho" and at and tokens[at - 1].text in ("de", "del", "en")
        ):
            found.add("may")
        elif token.text in PROHIBITED:
            found.add("prohibited")
        elif is_future(token) or token.text == "will":
            found.add("future")
        elif _BURDEN.at(tokens, at):
            found.add("burden")
    marks = list(marks_of(tokens, negations=True))
    if marks:
        found.add("not")
        finite = [at for at in marks if tokens[at].text not in ("sin", "without")]
        if finite and (
            "may" in found
            or any(
                tokens[at - 1].text in ("shall", "must")
                or (at + 1 < len(tokens) and tokens[at + 1].text in ("debera", "deberan", "debe", "deben"))
                for at in finite
                if at
            )
        ):
            found.add("prohibited")
    return found


def _in_date(tokens: Sequence[Token], at: int) -> bool:
    """Whether "may" is a month: a number stands beside it."""
    return any(0 <= place < len(tokens) and tokens[place].kind == "number" for place in (at - 1, at + 1))


def parties_of(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Return each party named and its place: `agent` (who acts or bears), `to` (to whom), `of` (whose)."""
    concepts = concepts_of(tokens)
    found: list[tuple[str, str]] = []
    by = [
        at
        for at, one in enumerate(tokens)
        if one.text in _AGENT_BEFORE and _names_party(tokens, concepts, at + 1)
    ]
    for at, names in enumerate(concepts):
        parties = sorted(c.removeprefix("party:") for c in names if c.startswith("party:"))
        token = tokens[at]
        if token.text in ("partes", "parties") and not parties:
            before = tokens[at - 1].text if at else ""
            earlier = tokens[at - 2].text if at > 1 else ""
            parties = [] if "una" in (before, earlier) else ["both"]
            if before == "otra" or earlier == "otra":
                parties = []
        if not parties or (
            token.text in ("ambas", "ambos") and at + 1 < len(tokens) and tokens[at + 1].text in ("partes",)
        ):
            if token.text not in ("ambas", "ambos"):
                continue
            parties = ["both"]
        place = at - 1
        while (
            place >= 0
            and tokens[place].text in DETERMINERS
            and not (tokens[place].text == "a" and _burden(tokens, place))
        ):
            if tokens[place].text == "a":
                break
            place -= 1
        before = tokens[place].text if place >= 0 else ""
        if place >= 0 and (_burden(tokens, place) or before in _AGENT_BEFORE):
            where = "agent"
        elif before in _TO:
            where = "to"
        elif before in _OF:
            where = "of"
        elif any(place > at and any(one.text in _BEING for one in tokens[at:place]) for place in by):
            where = "of"  # "the tenant is paid by the landlord"
        else:
            where = (
                "agent"
                if not any(one[1] == "agent" for one in found) or before in ("y", "and", "o", "or", ",")
                else "of"
            )
        found.extend((party, where) for party in parties[:1])
    return found


def bearers_of(tokens: Sequence[Token]) -> list[Token]:
    """The words that name who bears a burden."""
    found: list[Token] = []
    for at in range(len(tokens)):
        if _burden(tokens, at) and tokens[at].text in ("de", "del", "a", "al", "of", "by"):
            place = at + 1
            while place < len(tokens) and tokens[place].text in DETERMINERS:
                place += 1
            if place < len(tokens) and tokens[place].kind == "word":
                found.append(tokens[place])
    return found


def _names_party(tokens: Sequence[Token], concepts: Sequence[frozenset[str]], at: int) -> bool:
    while at < len(tokens) and tokens[at].text in DETERMINERS:
        at += 1
    return at < len(tokens) and any(c.startswith("party:") for c in concepts[at])


def _burden(tokens: Sequence[Token], place: int) -> bool:
    """Whether the words that end at `place` put a burden on who follows: "a cargo de", "binds"."""
    return _BURDEN.ends(tokens, place)


_SPANISH = word_set("spanish")
_ENGLISH = word_set("english")


def language_of(tokens: Sequence[Token]) -> str:
    spanish = sum(one.text in _SPANISH for one in tokens)
    english = sum(one.text in _ENGLISH for one in tokens)
    return "en" if english > spanish else "es"
