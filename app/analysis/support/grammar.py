"""Read how a clause says things: negation, exceptions, modality, who acts and who bears. Pure.

Works on the tokens of `words`, in Spanish and English alike. What it cannot tell it does not guess: the
judges that use it refuse a statement on any difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.analysis.support.words import Token, concepts_of, word_set
from app.text.sentences import fold


def begins(tokens: Sequence[Token], at: int, phrase: Sequence[str]) -> bool:
    """Tell whether `phrase` begins at the place `at`."""
    if len(tokens) - at < len(phrase):
        return False
    # Asked for each word of a text, where `all` takes twice as long.
    for word in phrase:
        if tokens[at].text != word:
            return False
        at += 1
    return True


class Phrases:
    """Phrases of one to three words, found by their first one."""

    def __init__(self, *phrases: Sequence[str]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        self._by_last: dict[str, list[tuple[str, ...]]] = {}
        for phrase in phrases:
            self._by_first.setdefault(phrase[0], []).append(tuple(phrase))
            self._by_last.setdefault(phrase[-1], []).append(tuple(phrase))

    @property
    def first_words(self) -> frozenset[str]:
        """The words that phrases begin with."""
        return frozenset(self._by_first)

    def at(self, tokens: Sequence[Token], place: int) -> int:
        """Return how many words long the phrase is that begins at `place`, 0 where none does."""
        phrases = self._by_first.get(tokens[place].text)
        if phrases is None:
            return 0
        for phrase in phrases:
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
        return [
            place
            for place, token in enumerate(tokens)
            if token.text in self._by_first and self.at(tokens, place)
        ]


NEGATIONS = word_set("negations")
EXCEPTIONS = word_set("exceptions")
_EXCEPTION_PHRASES = Phrases(
    ("con", "la", "excepcion"),
    ("a", "menos"),
    ("a", "no", "ser"),
    ("a", "excepcion"),
    ("con", "excepcion"),
    ("other", "than"),
    ("con", "exclusion"),
    ("apart", "from"),
    ("fuera", "de", "este"),
    ("fuera", "de", "estos"),
    ("fuera", "de", "los"),
    ("save", "that"),
    ("save", "where"),
)
PROVISOS = Phrases(
    ("siempre", "que"),
    ("siempre", "y"),
    ("provided", "that"),
    ("a", "no", "ser"),
    ("a", "menos", "que"),
    ("as", "long"),
    ("so", "long"),
    ("subject", "to"),
)
_NOT_NEGATION = Phrases(
    ("si", "no", ","),
    ("como", "si", "no"),
    ("no", "ser", "que"),
    ("o", "no"),
    ("or", "not"),
    ("and", "no", "more"),
    ("and", "no", "longer"),
    ("y", "no", "antes"),
    ("if", "not", ","),
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
    ("no", "less"),
    ("no", "fewer"),
    ("no", "more", "than"),
    ("no", "mas", "de"),
    ("no", "por", "mas", "de"),
    ("no", "acumule", "mas", "de"),
    ("no", "ser", "mas", "de"),
    ("no", "pueden", "ser", "mas", "de"),
    ("no", "puede", "ser", "mas", "de"),
    ("no", "podran", "ser", "mas", "de"),
    ("no", "podran", "exceder"),
    ("no", "podran", "superar"),
    ("no", "pueden", "exceder"),
    ("no", "puede", "exceder"),
    ("not", "more", "than"),
    ("not", "later"),
    ("without", "prejudice"),
    ("no", "inferior"),
    ("no", "superior"),
    ("no", "menos"),
    ("at", "no"),
)
# What was: a figure beside these is not one of the contract in hand.
PAST = word_set("past")
ENDED = word_set("ended")
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
    ("mientras",),
    ("while",),
    ("de", "no"),
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
AFTERWARDS = Phrases(
    ("una", "vez"), ("tras",), ("despues", "de"), ("after",), ("once",), ("hasta", "que"), ("until",),
    ("transcurrido",), ("transcurridos",), ("agotados",), ("following",),
)  # fmt: skip
# Other ways to say that something else is needed, or that the rest is otherwise.
ACKNOWLEDGED = Phrases(
    ("con", "un", "preaviso"), ("con", "preaviso"), ("con", "previo"), ("previo",), ("previa",),
    ("mediante",), ("mediando",), ("subject", "to"), ("on",), ("with",), ("mientras",), ("while",),
    ("al",), ("tras",), ("after",), ("salvo",), ("por", "cada"), ("for", "each"), ("for", "every"),
)  # fmt: skip
REMAINDER = Phrases(
    ("las", "demas"), ("los", "demas"), ("lo", "demas"), ("el", "resto"), ("the", "rest"),
    ("y", "ninguna", "otra"), ("y", "ningun", "otro"), ("all", "other"), ("any", "other"),
    ("en", "otro", "caso"), ("otherwise",), ("only",), ("solo",), ("unicamente",), ("solamente",),
    ("but",), ("although",), ("though",), ("however",), ("pero",), ("aunque",), ("si", "bien"), ("eso", "si"),
)  # fmt: skip
MUST = word_set("must")
# "Habrá de devolver", "tendrá que pagar", "has to pay".
OPTIONAL = Phrases(
    ("libertad", "para"),
    ("libertad", "de"),
    ("libre", "para"),
    ("libre", "de", "elegir"),
    ("free", "to"),
    ("up", "to", "the"),
    ("at", "will"),
    ("if", "it", "wishes"),
    ("if", "it", "chooses"),
    ("a", "su", "eleccion"),
    ("si", "quiere"),
    ("si", "lo", "desea"),
    ("cuando", "quiera"),
)
OBLIGED = Phrases(
    *((first, "de") for first in ("habra", "habran", "ha", "han", "has", "hemos", "habras", "habremos")),
    *(
        (first, "que")
        for first in (
            "tendra",
            "tendran",
            "tiene",
            "tienen",
            "tendras",
            "tienes",
            "tendremos",
            "hay",
            "habra",
        )
    ),
    ("has", "to"),
    ("have", "to"),
    ("needs", "to"),
    ("need", "to"),
)
_NEEDING = word_set("needing")
_REQUIRING = frozenset({"requiere", "requerira", "exige", "exigira", "exigible", "required"})
MAY = word_set("may")
_FUTURE = re.compile(r"[a-z]{2,}(?:ara|era|ira|aran|eran|iran|dra|dran|dria|drian)")
_NO_FUTURE = word_set("no_future")
PROHIBITED = word_set("prohibited")
_AGENT_BEFORE = frozenset({"por", "by"})
_BURDEN = Phrases(
    *(
        (word, of)
        for word in (
            "propuesta",
            "peticion",
            "solicitud",
            "instancia",
            "instancias",
            "request",
            "decision",
            "cuenta",
            "iniciativa",
            "eleccion",
        )
        for of in ("de", "del", "of")
    ),
    *((word, to) for word in ("requiero", "requerimos", "requiere", "insto", "ruego") for to in ("a", "al")),
    ("su", "cargo"),
    ("requerimos",),
    ("requiero",),
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
BEING = word_set("being")
_NOT_WE = frozenset(
    ["tramos", "extremos", "maximos", "proximos", "ultimos", "ramos", "reclamos", "prestamos"]
)
# Third persons: a statement names them as it names things.
OUTSIDERS = frozenset({"third", "notary", "court", "administration", "heir"})
# A party by the name that its part in another kind of contract has.
OTHER_NAMES = {
    "lessor": ("owner",),
    "client": ("owner",),
    "seller": ("owner",),
    "owner": ("lessor", "client", "seller"),
}
_OF_WHAT = frozenset({"de", "del", "industrial", "intelectual", "horizontal", "privada", "of", "rural"})
_TO = word_set("to")
_OF = frozenset({"de", "del", "of"})
DETERMINERS = word_set("determiners")
CLAUSE_END = re.compile(
    r"[;]|\b(?:y|e|and)\s+(?=no\b|(?:does|do|is|are|shall|will|may)\s+not\b)|"
    r"\b(?:pero|but|whereas|mientras que|si bien)\b|(?:,\s*|\s)(?:y|e|"
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
    r"(?:n\.?[ºo]\s*)?(?:\d+(?:[./]\d+)*(?:\.?[ºª])?|(?:(?:decimo|vigesimo|trigesimo)?(?:primer|"
    r"segund|tercer|cuart|quint|sext|septim|octav|noven)|decim|undecim|duodecim|vigesim|trigesim|"
    r"unic)[ao]\b)(?:\s*(?:y|and|,|a|al|to|-)\s*\d+(?:[./]\d+)*)*(?:\s*,?\s*de\s+\d{1,2}\s+de\s+[a-z]+)?"
)


_VERBS = MAY | MUST | BEING | {"shall", "will", "has", "have", "ha", "han"}
_FINITE = re.compile(r"[a-z]{2,}(?:aban?|aron|ieron)")


def is_verb(token: Token) -> bool:
    """Tell whether a word is surely a finite verb."""
    return (
        token.text in _VERBS
        or is_future(token)
        or (
            token.kind == "word"
            and token.text not in _NO_FUTURE
            and _FINITE.fullmatch(token.text) is not None
        )
    )


def is_future(token: Token) -> bool:
    """Tell whether a word is a verb in the future: "pagará"."""
    if token.text in ("sera", "seran", "dara", "daran"):
        return True
    return token.kind == "word" and token.text not in _NO_FUTURE and _FUTURE.fullmatch(token.text) is not None


_COMPARING = word_set("comparing")
_SURPASSING = word_set("surpassing")
_THAN = frozenset({"a", "al", "de", "del", "que", "than", "to"})
_COMPARED_WITHIN = 4


def _compares(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation turns a comparison, which is compared with the figure: "no sea inferior a"."""
    for place in range(at + 1, min(at + 1 + _COMPARED_WITHIN, len(tokens) - 1)):
        if tokens[place].kind != "word":
            return False
        if tokens[place].text in _SURPASSING:
            return True
        if tokens[place].text in _COMPARING and tokens[place + 1].text in _THAN:
            return True
    return False


# Words that begin what `marks_of` looks for.
_MARKING = NEGATIONS | EXCEPTIONS | _EXCEPTION_PHRASES.first_words | _NOT_NEGATION.first_words


def marks_of(tokens: Sequence[Token], *, negations: bool = False, exceptions: bool = False) -> Iterator[int]:
    """Return the places of negations and of exceptions."""
    read = 0
    for at, token in enumerate(tokens):
        if token.text not in _MARKING or at < read:
            continue
        idle = _NOT_NEGATION.at(tokens, at)
        if idle:
            read = at + idle
            continue
        if (
            exceptions
            and (
                (
                    token.text in EXCEPTIONS
                    and not (
                        token.text == "menos" and at and tokens[at - 1].text in ("al", "lo", "o", "por", "no")
                    )
                )
                or _EXCEPTION_PHRASES.at(tokens, at)
            )
        ) or (negations and token.text in NEGATIONS and token.kind == "word" and not _compares(tokens, at)):
            yield at


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
    """Return what a clause denies, lacks or demands."""
    marks = [
        at
        for at in marks_of(tokens, negations=True)
        if not _aside(tokens, at) and not of_participle(tokens, at)
    ]
    without = [
        at
        for at in marks
        if (tokens[at].text in ("sin", "without") and not begins(tokens, at, ("sin", "que")))
        or (tokens[at].text in ("ni", "nor") and any(one.text in ("sin", "without") for one in tokens[:at]))
    ]
    denied = len(marks) - len(without) + any(one.text in PROHIBITED for one in tokens)
    return Polarity(denied, bool(without), any(one.text in _DEMANDING for one in tokens))


def of_participle(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation belongs to a participle ("cantidades no pagadas"), not to the sentence."""
    if tokens[at].text not in ("no", "not") or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1].text
    return re.fullmatch(r"[a-z]{3,}(?:ad|id)[oa]s?", following) is not None and (
        at == 0 or tokens[at - 1].kind == "word"
    )


def _aside(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation stands in an insertion of a few words between commas: ", no discutida,"."""
    if at == 0 or tokens[at - 1].text not in (",", "("):
        return False
    return any(one.text in (",", ")") for one in tokens[at + 1 : at + 5])


def modality_of(tokens: Sequence[Token]) -> set[str]:
    """Return how a clause binds: `must`, `may` and others of them, or nothing."""
    found: set[str] = set()
    for at, token in enumerate(tokens):
        if token.text in _OWES and at + 1 < len(tokens) and tokens[at + 1].kind == "number":
            continue  # "debe 1.316 euros"
        obliged = OBLIGED.at(tokens, at)
        if (obliged or _OBLIGED_WORD.match(token.text)) and _denied_before(tokens, at):
            found.add("may")  # "sin estar obligado a ello"
        elif token.text in MUST or obliged:
            found.add("must" if token.text not in _REQUIRING else "requires")
        elif token.text == "may" and _in_date(tokens, at):
            continue
        elif token.text == "right" and not _is_entitlement(tokens, at):
            continue  # "put right", "right away"
        elif (
            token.text in MAY
            and not (token.text == "derecho" and at and tokens[at - 1].text in ("de", "del", "en", "y"))
        ) or OPTIONAL.at(tokens, at):
            found.add("may")
        elif token.text in PROHIBITED:
            found.add("prohibited")
        elif is_future(token) or token.text == "will":
            found.add("future")
        elif _BURDEN.at(tokens, at):
            found.add("burden")
    if "requires" in found:
        # "Puede exigirlo si lo requiere por escrito" is no duty.
        found.discard("requires")
        if "may" not in found:
            found.add("must")
    marks = list(marks_of(tokens, negations=True))
    if any(
        tokens[at + 1].text in _NEEDING
        and not (tokens[at + 1].text == "hace" and not begins(tokens, at + 2, ("falta",)))
        for at in marks
        if at + 1 < len(tokens)
    ):
        found.add("may")  # "no necesita permiso"
    if marks:
        found.add("not")
        without = any(one.text in ("sin", "without") for one in tokens)
        finite = [
            at
            for at in marks
            if tokens[at].text not in ("sin", "without")
            and not (without and tokens[at].text in ("ni", "nor"))
        ]
        if any(_forbids(tokens, at) for at in finite):
            found.add("prohibited")
    return found


def _forbids(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a negation stands with a modal verb: "no podrá", "may not", "shall not", "no se debe"."""
    before = tokens[at - 1].text if at else ""
    near = [one.text for one in tokens[at + 1 : at + 4]]
    ahead = near[1:2] if near[:1] == ["se"] else near[:1]
    if tokens[at].text not in ("no", "not", "ni", "nor"):
        ahead = near  # "en ningún caso podrá", "nadie podrá"
    return (
        before in MAY
        or before in ("shall", "must", "will")
        or any(one in MAY or one in ("debera", "deberan", "debe", "deben") for one in ahead)
    )


_OWES = frozenset({"debe", "deben", "debia"})


_OBLIGED_WORD = re.compile(r"obligad[oa]s?$|bound$|obliged$|required$|obligat")


def _denied_before(tokens: Sequence[Token], at: int) -> bool:
    return any(
        one.text in ("no", "not", "sin", "without", "ni", "nor") for one in tokens[max(0, at - 3) : at]
    )


def _is_entitlement(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return after in ("to", "of") or before in ("the", "a", "any", "no", "have", "has", "its", "such")


def _in_date(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "may" is a month: a number stands beside it."""
    return any(0 <= place < len(tokens) and tokens[place].kind == "number" for place in (at - 1, at + 1))


# Behind these another party may act.
_CLAUSE_MARKS = frozenset(
    {";", ".", ":", "si", "if", "unless", "mientras", "while", "cuando", "when", "where", "pero", "but"}
)


_BORNE = frozenset({"responsibility", "expense", "cost", "account", "duty", "obligation", "charge"})


class Mention(NamedTuple):
    """A party named at the place `at`, and its part there: `agent` (acts or bears), `to` (to whom), `of`."""

    at: int
    party: str
    place: str


def parties_of(tokens: Sequence[Token], terms: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return each party named and its place: `agent` (who acts or bears), `to` (to whom), `of` (whose).

    Args:
        tokens: of a clause.
        terms: the names that the document gives to its parties, beside those that every party may have.
    """
    return [(one.party, one.place) for one in mentions_of(tokens, lambda token: token.text in terms)]


def mentions_of(tokens: Sequence[Token], is_term: Callable[[Token], bool]) -> list[Mention]:
    """Return where parties are named among `tokens`.

    Args:
        tokens: of a clause.
        is_term: whether a word is a name of a party, beside those that every party may have.
    """
    concepts = concepts_of(tokens)
    found: list[Mention] = []
    acting = -1
    by = [
        at
        for at, one in enumerate(tokens)
        if one.text in _AGENT_BEFORE and _names_party(tokens, concepts, at + 1)
    ]
    for at, names in enumerate(concepts):
        token = tokens[at]
        parties = sorted(c.removeprefix("party:") for c in names if c.startswith("party:"))
        if not parties and is_term(token):
            parties = [token.text]
        called = at and tokens[at - 1].text in ("the", '"', "“", "«")
        if token.text == "principal" and not called and not is_term(token):
            parties = []  # "capital principal", "Principal: 9.600 euros"
        if parties == ["owner"] and (
            token.text == "la" or (at + 1 < len(tokens) and tokens[at + 1].text in _OF_WHAT)
        ):
            parties = []  # "la propiedad de la vivienda" is no person
        if token.text in ("partes", "parties") and not parties:
            before = tokens[at - 1].text if at else ""
            earlier = tokens[at - 2].text if at > 1 else ""
            parties = [] if "una" in (before, earlier) else ["both"]
            if before == "otra" or earlier == "otra":
                parties = []
        if not parties and token.text in ("either", "each") and at + 1 < len(tokens):
            parties = ["both"] if tokens[at + 1].text in ("side", "party", "of") else []
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
        behind = [one.text for one in tokens[at + 1 : at + 3]]
        if behind[:1] and behind[0] in ("'", "’") and behind[1:] in (["s"], []):
            # "The Agent's commission"; "the tenant's expense" is borne by the tenant.
            following = tokens[at + 3].text if at + 3 < len(tokens) else ""
            where = "agent" if following in _BORNE else "of"
        elif place >= 0 and (_burden(tokens, place) or before in _AGENT_BEFORE):
            where = "agent"
        elif before in _TO:
            where = "to"
        elif before in _OF:
            where = "of"
        elif any(place > at and any(one.text in BEING for one in tokens[at:place]) for place in by):
            where = "of"  # "the tenant is paid by the landlord"
        else:
            where = (
                "agent"
                if acting < 0
                or before in ("y", "and", "o", "or", ",")
                or any(one.text in _CLAUSE_MARKS for one in tokens[acting:at])
                else "of"
            )
        if where == "agent":
            acting = at
        found.extend(Mention(at, party, where) for party in parties[:1])
    return found


SECOND_PERSON = word_set("second_person")
_WE = re.compile(r"[a-z]{3,}(?:emos|amos|imos)")
_THOU = re.compile(r"[a-z]{3,}(?:aras|eras|iras|dras)")


def persons_of(tokens: Sequence[Token]) -> dict[str, set[str]]:
    """Return who speaks (`we`) and who is spoken to (`you`), with the places that `parties_of` gives."""
    found: dict[str, set[str]] = {}

    def add(person: str, place: str) -> None:
        found.setdefault(person, set()).add(place)

    for at, token in enumerate(tokens):
        text = token.text
        before = tokens[at - 1].text if at else ""
        if (
            text in ("nosotros", "nosotras", "we")
            or (_WE.fullmatch(text) and text not in _NOT_WE)
            or (text in ("nuestra", "nuestro", "our") and before in ("por", "de", "a", "at"))
        ):
            add("we", "agent")
        elif text in ("nos", "us"):
            add("we", "to")
        elif text in ("nuestra", "nuestro", "nuestros", "nuestras", "our", "ours"):
            add("we", "of")
        elif text in ("te", "ti", "contigo", "le", "les"):
            add("you", "to")
        elif text in ("usted", "ustedes", "ud", "vd"):
            add("you", "to" if before in _TO else "agent")
        elif text == "you":
            add("you", _place_of_you(tokens, at))
        elif _THOU.fullmatch(text) or text in ("tienes", "debes", "puedes", "quieres", "pagas", "eres"):
            add("you", "agent")
        elif text in ("tu", "tus", "your"):
            add("you", "of")
        elif before in ("no", "si", "que", "cuando") and re.fullmatch(r"[a-z]{3,}[ae]s", text):
            add("you", "agent")
    unnamed = found.get("you", {"of"}) == {"of"} and "we" not in found
    if unnamed and any(re.fullmatch(r"[a-z]{3,}[ae]s", one.text) for one in tokens):
        add("you", "any")  # "no necesitas permiso"
    return found


# Words that stand between who acts and the verb: "we will not", "usted no podrá".
_BEFORE_VERB = word_set("before_verb")
_SPEAKING = frozenset({"nosotros", "nosotras", "we"})
_SPOKEN_TO = frozenset({"usted", "ustedes", "you"})


def speaker_of(tokens: Sequence[Token], at: int) -> str:
    """Return who acts by the verb at `at`: who speaks (`we`), who is spoken to (`you`), or nothing.

    "descontaremos" and "we will pay" are of who speaks; "usted entrega" and "lo aportará usted" are not.
    """
    if _is_we(tokens[at].text):
        return "we"
    behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if behind in ("usted", "ustedes", "nosotros", "nosotras"):
        return "we" if behind in _SPEAKING else "you"
    for place in range(at - 1, max(-1, at - 6), -1):
        word = tokens[place].text
        if word in _SPEAKING or _is_we(word):
            return "we"
        if word in _SPOKEN_TO:
            return "" if place and tokens[place - 1].text in _TO else "you"
        if word not in _BEFORE_VERB:
            return ""
    return ""


def _is_we(word: str) -> bool:
    return _WE.fullmatch(word) is not None and word not in _NOT_WE


def _place_of_you(tokens: Sequence[Token], at: int) -> str:
    """Return whether "you" acts, where a verb follows, or something is done to who it means."""
    before = tokens[at - 1].text if at else ""
    behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if behind in _BEFORE_VERB:
        return "agent"
    if before in _TO or before in ("with", "by", "from", "of", "against"):
        return "to"
    if before and any(one.text in _SPEAKING for one in tokens[max(0, at - 5) : at - 1]):
        return "to"  # "we will pay you"
    return "any"


def bearers_of(tokens: Sequence[Token]) -> list[Token]:
    """Return the words that name who bears a burden."""
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
    """Tell whether the words that end at `place` put a burden on who follows: "a cargo de", "binds"."""
    return _BURDEN.ends(tokens, place)


_SPANISH = word_set("spanish")
_ENGLISH = word_set("english")


def language_of(tokens: Sequence[Token]) -> str:
    """Return `es` or `en`, by the function words."""
    spanish = sum(one.text in _SPANISH for one in tokens)
    english = sum(one.text in _ENGLISH for one in tokens)
    return "en" if english > spanish else "es"
