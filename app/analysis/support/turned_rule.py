"""Tell whether a claim turns the rule of a passage whose words it has. Pure.

Source: decision 133. A claim may have most words of an article and lose what decides: it makes irrelevant
what the article makes a condition, takes the rule for its exception, gives the act to the other party, tells
a minimum as a maximum, a quarter for a fifth, the first of two events for the last, or joins a figure of one
item of a list with the case of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from app.analysis.support.claim_parts import parts_of
from app.analysis.support.grammar import MAY, MUST, is_future, mentions_of
from app.analysis.support.phrases import ITEM
from app.analysis.support.roles import bound_of
from app.analysis.support.words import Token, Value, Words, alike, concepts_of, is_content, read, synonyms_of
from app.text.sentences import fold

# A passage is compared up to here: what is longer is a whole law.
_LONGEST: Final = 12_000
_SENTENCE: Final = re.compile(r"(?<=[a-z0-9)»”\"%])[.;](?=\s|$)|\n+")
_CLAUSE: Final = re.compile(r"[,.;:—]|\bpero\b|\bbut\b")

# "Cualquiera que sea su antigüedad": what follows makes no difference.
_WHATEVER: Final = re.compile(
    r"\b(?:cual(?:es)?quiera que (?:sean?|fuer[ae]n?|hay[a]n?)|cualquiera sea[n]?"
    r"|sea[n]? cual(?:es)? (?:sea|fuer)[a-z]*"
    r"|sin importar|no importa|con independencia de|independientemente de|al margen de|sin (?:tener"
    r"|tomar) en cuenta"
    r"|haya o no|tenga o no|exista o no|whatever|regardless of|irrespective of|independently of|no matter"
    r"|whether or not|desde el primer dia|from the (?:first day|outset)|sin excepcion|without exception)\b"
)
# "Aunque haya incumplido": what follows does not stop the rule.
_ALTHOUGH: Final = re.compile(
    r"\b(?:aunque|aun cuando|aun si|incluso (?:si|cuando)|a pesar de que|pese a que|also (?:if|when|where)"
    r"|even (?:if|when|where|though|after)|although|though)\b"
)
_CONCESSION: Final = re.compile(rf"{_WHATEVER.pattern}|{_ALTHOUGH.pattern}|\b(?:tambien|asimismo|also)\b")
_DEPENDS: Final = re.compile(
    r"\b(?:si|siempre que|siempre y cuando|cuando|mientras|interin|salvo|excepto|a menos que|a no ser"
    r"|solo|unicamente"
    r"|hasta que|if|where|when|unless|except|provided|only|until|while)\b"
)
_ONLY_IF: Final = re.compile(
    r"\b(?:solo|solamente|unicamente|only)\b[^.;]{0,60}?\b(?:si|cuando|if|when|where)\b([^,.;]*)"
)
_EXCEPT: Final = re.compile(
    r"\b(?:salvo|excepto|a menos que|a no ser que|except|unless|save)\b([^.;]*)|\bsino (?:cuando"
    r"|si)\b([^.;]*)"
)
_OF_EXCEPTION: Final = re.compile(
    r"\b(?:salvo|excepto|excepcion|a menos|a no ser|except|unless|save|solo|unicamente|only|sino"
    r"|ces[ae]|decae|pierde"
    r"|loses?|si|cuando|siempre que|if|where|when|provided|hasta|until|mientras|no obstante)\b"
)
# What leads to the authority is no concession of the rule.
_LEAD: Final = re.compile(
    r"^[\s,;:.]*(?:y|e|pero|aunque|cuando|mientras(?: que)?|si bien|pese a que|a pesar de que|and|but"
    r"|while|whereas"
    r"|although|though|even though|yet|when)\b",
    re.IGNORECASE,
)
_CONTRASTS: Final = re.compile(
    r"\b(?:contravien|vulner|infring|contradic|contrari|violat|conflict|choca|contra (?:el|la|lo|lexcit)"
    r"|incumplen? (?:el |la |lo |los )?(?:lexcit|ley|minim|maxim|plaz|lim|durac)"
    r"|breach(?:es)? (?:of )?(?:lexcit|the law)"
    r"|frente a(?:l)? lexcit|mientras que|whereas)[a-z]*"
)
_DENIED: Final = re.compile(r"\b(?:no|not|cannot|never|nunca|tampoco|ningun[ao]?|neither|nor)\b")

_LEAST: Final = re.compile(
    r"\b(?:como minimo|al menos|por lo menos|minim[oa]|no (?:podra |puede |sera )?(?:ser )?(?:inferior"
    r"|menor|menos)"
    r"|at least|not less|no less|minimum|not fewer)\b"
)
_MOST: Final = re.compile(
    r"\b(?:como maximo|a lo sumo|maxim[oa]|no (?:se )?(?:podra[n]? |puede[n]? "
    r"|debera[n]? )?(?:ser )?(?:exced|super|mayor"
    r"|superior|mas de)[a-z]*|sin que (?:pueda |puedan )?(?:exced|super)[a-z]*|at most|not more|no more"
    r"|not exceed"
    r"|up to|maximum)\b"
)
# What a bound is of may be the document's: then it is compared elsewhere.
_COMPARED: Final = re.compile(
    r"\b(?:clausula|contrato|pacta|pactad|documento|clause|agreement|contract)[a-z]*"
)

_FRACTION: Final = re.compile(
    r"\b(mitad|tercio|half|third of|quarter of|(?:tercera|cuarta|quinta|sexta|septima|octava|novena"
    r"|decima|[a-z]{4,}ava|tercer"
    r"|one[- ](?:third|quarter|fifth|sixth|tenth)|dos terceras|tres cuartas) ?(?:partes?)?(?: of)?"
    r"|doble|duplo|triple"
    r"|twice|double|treble)\b"
)
_PARTS: Final = frozenset(
    {"tercera", "cuarta", "quinta", "sexta", "septima", "octava", "novena", "decima", "tercer"}
)
# Of two events, which counts; like and unlike; all and the greater part.
_OPPOSITES: Final = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"))
    for one, other in (
        (
            r"lo primero|antes ocurra|whichever (?:is|comes|occurs) (?:first|earlier)|(?:earlier"
            r"|earliest|lower) of",
            r"lo ultimo|lo que ocurra (?:despues|mas tarde)|whichever (?:is|comes|occurs) (?:last|later)"
            r"|(?:later|latest|higher) of",
        ),
        (r"igual(?:es)?|mism[oa]s?|identic[oa]s?|same|identical", r"distint[oa]s?|diferentes?|different"),
        (
            r"verbal(?:mente|es)?|de palabra|oral(?:mente|ly)?",
            r"(?:por|acto|forma) escrit[oa]|escrito|in writing|written",
        ),
        (r"naturales|calendario|corridos|calendar", r"habiles|laborables|working|business"),
        (r"recepcion|recibid[oa]|receipt|received", r"envio|remision|dispatch|posting|sent"),
        (
            r"voluntari[oa]s?(?:mente)?|voluntar(?:y|ily)",
            r"forzos[oa]s?(?:mente)?|obligatori[oa]s?(?:mente)?|compulsory",
        ),
        (r"brut[oa]s?|gross", r"net[oa]s?|net"),
    )
)
# What limits a word in the article and is lost: "sustancialmente distinta".
_DEGREE: Final = re.compile(
    r"\b(?:sustancial|substancial|grave|gravemente|manifiest[oa]|esencial|razonable|culpable"
    r"|reiterad[oa]|injustificad[oa]"
    r"|substantial|serious|material|reasonabl[ey]|manifest|repeated|gross)(?:mente|ly|es|s)?\b"
)
_ANY_DEGREE: Final = re.compile(r"\b(?:cualquier|any|leve|minim[oa]|slight|ligero|ligera|igual|same)\b")

_AGREED: Final = re.compile(
    r"\b(?:podra[n]?|puede[n]?|may|can) (?:libremente |expresamente |also )?(?:pactar|convenir"
    r"|estipular|acordar|agree)"
    r"[a-z]*\b|\b(?:en defecto de pacto|salvo pacto|unless (?:otherwise )?agreed)"
)
_OF_AGREEMENT: Final = re.compile(
    r"\b(?:pact|conveni|convenir|estipul|acord|acuerd|agree|claus)[a-z]*|\b(?:el|este|del|the"
    r"|this) contra[ct]t?o?\b"
)
_BINDS: Final = re.compile(
    r"\b(?:debe[n]?|debera[n]?|esta[n]? obligad[oa]s?|tiene[n]? que|must|shall|is (?:bound|obliged) to)\b"
)
_UNPREVENTED: Final = re.compile(
    r"\b(?:does|do|shall) not (?:prevent|preclude|prohibit|affect)\b([^.;]*)|\bno (?:impide|impedira"
    r"|obsta|obstara)\b([^.;]*)"
)
_POWERLESS: Final = re.compile(
    r"\b(?:neither|nor|none|no) [a-z ]{0,40}?\b(?:may|can)\b|\b(?:may|can|shall) not\b|\bcannot\b"
    r"|\bno (?:se )?(?:puede[n]?|podra[n]?)\b"
)
_BORNE: Final = re.compile(
    r"\b(?:a (?:cargo|costa|expensas)|por cuenta|de cuenta|at the expense|borne|payable) (?:de |del "
    r"|of |by )?"
    r"(?:el |la |los |las |the )?([a-z]{4,})"
)
_UNIVERSAL: Final = re.compile(
    r"\b(?:tod[oa]s? (?:l[ao]s )?|cualquier |every |any |all )[a-z]{4,}|\bsiempre\b(?! que| y cuando)"
    r"|\balways\b|\ben todo caso\b"
)
_EVERY: Final = re.compile(
    r"\b(?:tod[oa]s?|cualquier(?:a)?|siempre(?! que)|en todo caso|cada|every|any|all|always|each)\b"
)

_OPPONENTS: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("employer", "employee"),
        ("lessor", "lessee"),
        ("owner", "lessee"),
        ("seller", "buyer"),
        ("lender", "borrower"),
        ("debtor", "creditor"),
        ("insurer", "insured"),
        ("agent", "principal_party"),
        ("agent", "employer"),
        ("consumer", "seller"),
        ("consumer", "provider"),
        ("client", "provider"),
        ("guarantor", "creditor"),
        ("claimant", "defendant"),
        ("franchisor", "franchisee"),
        ("licensor", "licensee"),
    )
)

_PARTICIPLE: Final = re.compile(r"[a-z]{2,}(?:ad|id)[oa]s?|[a-z]{3,}ed|given|paid|made|borne|done|taken")
_FEWEST: Final = 2
_NEAR: Final = 3
_TAIL: Final = 70
_SAME_FRACTION: Final = {
    "half": "mitad", "tercio": "tercera", "tercer": "tercera", "third": "tercera", "quarter": "cuarta",
    "fifth": "quinta", "sixth": "sexta", "tenth": "decima", "double": "doble", "twice": "doble",
    "duplo": "doble",
    "treble": "triple",
}  # fmt: skip
_OTHERS: Final = 2
_PREPOSITIONS: Final = frozenset({"de", "of", "por", "by", "para", "for", "con", "with"})
_LEFT: Final = 2
_DROPPED: Final = frozenset(
    {"el", "la", "los", "las", "the", "a", "an", "un", "una", "su", "sus", "se", "his", "its"}
)
_CONTRACTED: Final = {"del": "de", "al": "a"}
_POWER: Final = re.compile(r"\b(?:podra[n]?|puede[n]?|may|can|tendra[n]? derecho)\b")
_REFUSAL: Final = re.compile(
    r"\bno (?:se )?(?:tendra[n]?|tiene[n]?|podra[n]?|puede[n]?|debera[n]?|cabra|procede(?:ra)?|habra"
    r"|sera[n]? (?:exigible|aplicable))\b"
    r"(?! (?:ser )?(?:exced|super|mayor|menor|inferior|mas|menos))"
)
_REFUSES_TOO: Final = re.compile(
    r"\b(?:incumpl\w*|breach\w*|abusiv\w*|unenforceable|unfair|supera\w*|excede\w*|por encima"
    r"|por debajo|beyond|exceed\w*|above|below)\b|"
    r"\b(?:no|not|nunca|sin|without|never|neither|nor|ni|ningun[ao]?|cannot|nul[oa]s?|void|prohib\w*"
    r"|pierde[n]?|perder\w*|priva\w*|impid\w*"
    r"|exclu\w*|salvo|excepto|unless|except|niega\w*|deneg\w*|car[ec]\w*|solo|unicamente|only"
    r"|improceden\w*|tampoco|cesa\w*|irrenunciable\w*)\b"
)
_AT_ONCE: Final = re.compile(
    r"\b(?:desde el (?:mismo|primer) (?:dia|momento)|de inmediato|inmediat\w*|al instante|automatic\w*"
    r"|de forma automatica"
    r"|at once|immediately|automatically|ipso iure|from the (?:very )?(?:same|first) day)\b"
)
_REPEATED: Final = 3
_CEILING: Final = re.compile(
    r"\bno (?:[a-z]+ ){0,2}?(?:super|exced|mayor|mas|more|over|sobrepas)[a-z]*(?: de| a| than)?$"
)
_SIDE: Final = {"most": -1, "less": -1, "least": 1, "more": 1}
_NUMBERED: Final = re.compile(r"\s*\d{1,2}\.\s")


def turns(claim: str, own: str, passage: str) -> bool:
    """Tell whether a claim has the words of a passage and turns its rule.

    Args:
        claim: what is said, its authority written `lexcit`.
        own: the words of the document that it quotes: what they have is no word of the rule.
        passage: the article or paragraph.
    """
    if len(passage) > _LONGEST:
        return False
    said, law, quoted = fold(_of_law(claim)), fold(passage), fold(own)
    if not said or _CONTRASTS.search(said):
        return False  # what it says is of a document that differs from the law
    sentences = [one for one in _SENTENCE.split(law) if one and one.strip()]
    near = _nearest(said, sentences)
    if not near:
        return False
    return (
        makes_irrelevant(said, quoted, law, near)
        or makes_condition(said, sentences)
        or refuses_exception(said, near)
        or turns_bound(said, quoted, near)
        or exchanges_fraction(said, quoted, law)
        or exchanges_opposites(said, quoted, law, near)
        or loses_degree(said, sentences)
        or binds_by_agreement(said, near)
        or forbids_unprevented(said, law)
        or lets_another_bear(said, sentences)
        or lets_another_act(said, near)
        or says_of_all(said, near)
        or exchanges_filler(said, quoted, sentences)
        or denies_otherwise(said, sentences)
        or adds_scope(said, quoted, law)
        or joins_leaves(said, passage)
        or joins_items(said, own, passage)
        or tells_figure_twice(said, own, passage)
    )


def _of_law(claim: str) -> str:
    """Return what a claim says of its authority, without the words that lead it: "aunque lexcit"."""
    _, law = parts_of(claim)
    return _LEAD.sub("", law or claim)


def makes_irrelevant(said: str, own: str, law: str, near: Sequence[str]) -> bool:
    """Tell whether a claim says that what the passage makes a condition makes no difference."""
    document, words = _content(own), _content(said)
    if sum(_stands(one, document) for one in words) > sum(_stands(one, _content(near[0])) for one in words):
        return False  # it tells of the document
    if _WHATEVER.search(said) and not _WHATEVER.search(own) and not _CONCESSION.search(near[0]):
        return True
    granted_by_law = [
        word
        for found in _CONCESSION.finditer(law)
        for word in _content(_CLAUSE.split(law[found.end() : found.end() + 2 * _TAIL])[0])
    ]
    for found in _ALTHOUGH.finditer(said):
        granted = _content(_CLAUSE.split(said[found.end() :])[0])
        told = [one for one in granted if not _stands(one, document) and not _stands(one, granted_by_law)]
        if told and _stands_in_condition(told, law):
            return True
    return False


def _stands_in_condition(words: Sequence[str], law: str) -> bool:
    """Tell whether half of the words stand behind a word of condition or exception in one sentence."""
    for sentence in _SENTENCE.split(law):
        mark = _DEPENDS.search(sentence or "")
        if mark is None:
            continue
        behind = _content(sentence[mark.end() :])
        if 2 * sum(_stands(one, behind) for one in words) >= len(words):
            return True
    # The cases of a list of exceptions are lines of their own.
    opening = re.search(r"\b(?:salvo|excepto|except)\b[^.]{0,60}:", law)
    behind = _content(law[opening.end() :]) if opening else []
    return 2 * sum(_stands(one, behind) for one in words) >= len(words) and bool(behind)


def makes_condition(said: str, sentences: Sequence[str]) -> bool:
    """Tell whether a claim makes the rule depend on what the passage says makes no difference."""
    only = _ONLY_IF.search(said)
    if only is None:
        return False
    asked = _content(only[1])
    for sentence in sentences:
        for found in _WHATEVER.finditer(sentence):
            named = _content(sentence[found.end() : found.end() + _TAIL])
            if 2 * sum(_stands(one, named) for one in asked) >= len(asked) > 0:
                return True
    return False


def refuses_exception(said: str, near: Sequence[str]) -> bool:
    """Tell whether a claim denies, as the rule does, what the passage excepts from the rule."""
    if _OF_EXCEPTION.search(said) or not _DENIED.search(said):
        return False
    words = _content(said)
    for sentence in near:
        for found in _EXCEPT.finditer(sentence):
            rule, excepted = _content(sentence[: found.start()]), _content(found[1] or found[2] or "")
            if not _DENIED.search(sentence[: found.start()]):
                continue
            named = [one for one in excepted if not _stands(one, rule)]
            if len([one for one in named if _stands(one, words)]) >= _FEWEST:
                return True
    return False


def turns_bound(said: str, own: str, near: Sequence[str]) -> bool:
    """Tell whether a claim makes a minimum of the passage's maximum, or the reverse."""
    least, most = _LEAST.search(said) is not None, _MOST.search(said) is not None
    if least == most or _COMPARED.search(said) or _LEAST.search(own) or _MOST.search(own):
        return False
    sentence = near[0]
    written = (_LEAST.search(sentence) is not None, _MOST.search(sentence) is not None)
    return written == (most, least)


def exchanges_fraction(said: str, own: str, law: str) -> bool:
    """Tell whether a claim has a fraction or multiple that neither the passage nor the document has."""
    mine, theirs = _fractions(said) - _fractions(own), _fractions(law)
    return bool(mine) and bool(theirs) and not mine & theirs


def _fractions(folded: str) -> set[str]:
    found = set()
    for one in _FRACTION.finditer(folded):
        word = one[1].split()[0].split("-")[-1]
        if (word in _PARTS or word.endswith("ava")) and "parte" not in one[1]:
            continue
        found.add(_SAME_FRACTION.get(word, word))
    return found


def exchanges_opposites(said: str, own: str, law: str, near: Sequence[str]) -> bool:
    """Tell whether a claim has one of two opposite words and the passage only the other."""
    for pair in _OPPOSITES:
        for mine, other in (pair, pair[::-1]):
            if (
                mine.search(said)
                and not other.search(said)
                and other.search(near[0])
                and not mine.search(law)
                and not mine.search(own)
                and not re.search(rf"\bno (?:es |son |sera |seran )?(?:{mine.pattern[6:-3]})\b", said)
            ):
                return True
    return False


def loses_degree(said: str, sentences: Sequence[str]) -> bool:
    """Tell whether a claim says of any degree what the passage says of a considerable one."""
    if not _ANY_DEGREE.search(said):
        return False
    words = _content(said)
    for sentence in sentences:
        if sum(_stands(one, words) for one in _content(sentence)) < _NEAR:
            continue
        for found in _DEGREE.finditer(sentence):
            beside = _content(sentence[found.end() : found.end() + 30])[:1]
            beside += _content(sentence[max(0, found.start() - 30) : found.start()])[-1:]
            if not _stands(found[0], words) and any(_stands(one, words) for one in beside):
                return True
    return False


def binds_by_agreement(said: str, near: Sequence[str]) -> bool:
    """Tell whether a claim tells as a duty what the passage lets the parties agree."""
    if _BINDS.search(said) is None or _OF_AGREEMENT.search(said):
        return False
    words = _content(said)
    return any(
        2 * sum(_stands(one, words) for one in set(_content(sentence[found.end() :]))) >= len(set(words))
        for sentence in near
        for found in _AGREED.finditer(sentence)
        if _BINDS.search(sentence[: found.start()]) is None
    )


def forbids_unprevented(said: str, law: str) -> bool:
    """Tell whether a claim forbids what the passage says that it does not prevent."""
    if _POWERLESS.search(said) is None or _UNPREVENTED.search(said):
        return False
    words = _content(said)
    return any(
        sum(_stands(one, words) for one in set(_content(found[1] or found[2] or ""))) >= _NEAR
        for found in _UNPREVENTED.finditer(law)
    )


def lets_another_bear(said: str, sentences: Sequence[str]) -> bool:
    """Tell whether a claim puts a burden on the opponent of who bears it in the passage."""
    mine = _BORNE.search(said)
    if mine is None:
        return False
    bearer, words = _party(mine[1]), _content(said[: mine.start()])
    for sentence in sentences:
        theirs = _BORNE.search(sentence)
        if theirs is None or not bearer:
            continue
        shared = sum(_stands(one, words) for one in _content(sentence))
        if shared >= _FEWEST and _opposed(bearer, _party(theirs[1])):
            return True
    return False


def lets_another_act(said: str, near: Sequence[str]) -> bool:
    """Tell whether a claim gives a power or a duty to the opponent of who has it in the passage."""
    mine = list(_acts(said))[:1]
    for verb, actor in mine:
        theirs = [who for sentence in near for one, who in _acts(sentence) if alike(one, verb)]
        if theirs and all(_opposed(actor, one) for one in theirs):
            return True
    return False


def _acts(folded: str) -> Iterator[tuple[str, str]]:
    """Yield each verb behind a modal, or in the future, with the party that stands last before it."""
    tokens = read(folded).tokens
    mentions = [one for one in mentions_of(tokens, lambda _: False) if one.place == "agent"]
    for at, token in enumerate(tokens):
        modal = token.text in MAY or token.text in MUST or token.text in ("shall", "will")
        if not modal and not is_future(token):
            continue
        verb = token
        if modal:
            behind = [one for one in tokens[at + 1 : at + 1 + _NEAR] if is_content(one) or one.kind == "mark"]
            if not behind or behind[0].kind == "mark":
                continue
            verb = behind[0]
        who = [one.party for one in mentions if one.at < at]
        if who and verb.text not in MAY | MUST:
            yield verb.text, who[-1]
    for one in mentions_of(tokens, lambda _: False):
        # "It is for the employer to show".
        if any(t.text == "for" for t in tokens[max(0, one.at - 2) : one.at]) and [
            t.text for t in tokens[one.at + 1 : one.at + 2]
        ] == ["to"]:
            act = next((t.text for t in tokens[one.at + 2 : one.at + 2 + _NEAR] if is_content(t)), "")
            if act:
                yield act, one.party
    for one in mentions:
        by = next(
            (at for at in range(one.at - 1, max(-1, one.at - _NEAR), -1) if tokens[at].text in ("by", "por")),
            0,
        )
        if by and _PARTICIPLE.fullmatch(tokens[by - 1].text):
            yield tokens[by - 1].text, one.party


def says_of_all(said: str, near: Sequence[str]) -> bool:
    """Tell whether a claim says of every case what the passage says under an untold condition."""
    if _UNIVERSAL.search(said) is None or _EVERY.search(near[0]):
        return False
    mark = re.search(r"\b(?:si|siempre que|siempre y cuando|provided that|if)\b", near[0])
    if mark is None:
        return False
    asked = set(_content(near[0][mark.end() :][: 3 * _TAIL]))
    words = _content(said)
    return len(asked) >= _FEWEST and sum(_stands(one, words) for one in asked) < len(asked) / 3


def exchanges_filler(said: str, own: str, sentences: Sequence[str]) -> bool:
    """Tell whether a claim puts another word where the passage has one: "desde que comenzó la obra"."""
    mine, document = _plain_words(said), _content(own)
    told = [word for word, content in mine if content]
    counted = [(sum(_stands(one, _content(unit)) for one in told), unit) for unit in sentences]
    most = max((count for count, _ in counted), default=0)
    if most < _NEAR or len(told) - most > _OTHERS:
        return False  # a rule told in other words
    units = [_plain_words(unit) for count, unit in counted if len(told) - count <= _OTHERS]
    for at, (word, content) in enumerate(mine):
        if not content or at < _LEFT or _stands(word, document) or any(_says(word, unit) for unit in units):
            continue
        for unit in units:
            for place in range(_LEFT, len(unit)):
                if (
                    unit[place][1]
                    and not _stands(unit[place][0], told)
                    and _same_context(mine, at, unit, place)
                ):
                    return True
    return False


def _same_context(
    said: Sequence[tuple[str, bool]], at: int, unit: Sequence[tuple[str, bool]], place: int
) -> bool:
    """Tell whether words of two texts follow on one noun and its preposition, or stand between others."""
    left = said[at - _LEFT : at]
    if not all(
        alike(one, other) for (one, _), (other, _) in zip(left, unit[place - _LEFT : place], strict=True)
    ):
        return False
    if left[0][1] and left[1][0] in _PREPOSITIONS:
        return True  # "vicios de la construcción", "vicio del suelo"
    return (
        at + 1 < len(said)
        and place + 1 < len(unit)
        and said[at + 1][1]
        and alike(said[at + 1][0], unit[place + 1][0])
    )


@lru_cache(maxsize=4_096)
def _plain_words(folded: str) -> list[tuple[str, bool]]:
    """Return the words of a text without articles, and whether each claims something."""
    return [
        (_CONTRACTED.get(one.text, one.text), is_content(one))
        for one in read(folded).tokens
        if one.kind == "word" and one.text not in _DROPPED and one.text != "lexcit"
    ]


def _says(word: str, unit: Sequence[tuple[str, bool]]) -> bool:
    """Tell whether a unit has a word, a form of it or one that means the same."""
    token = read(word).tokens[0]
    own, same = concepts_of([token])[0], synonyms_of(token)
    for other, content in unit:
        if not content:
            continue
        if alike(word, other):
            return True
        there = read(other).tokens[0]
        if own & concepts_of([there])[0] or same & synonyms_of(there):
            return True
    return False


def denies_otherwise(said: str, sentences: Sequence[str]) -> bool:
    """Tell whether a claim affirms what the one sentence that has its words denies, or the reverse."""
    words = list(dict.fromkeys(_content(said)))
    counted = sorted(
        ((sum(_stands(one, _content(unit)) for one in words), unit) for unit in sentences), reverse=True
    )
    if not counted or 4 * counted[0][0] < 3 * len(words):
        return False
    if len(counted) > 1 and counted[1][0] >= counted[0][0]:
        return False
    unit = counted[0][1]
    refusal = _REFUSAL.search(unit)
    if refusal is None or _BINDS.search(unit[: refusal.start()]) or _POWER.search(unit[: refusal.start()]):
        return False
    return not _REFUSES_TOO.search(said)


def adds_scope(said: str, own: str, law: str) -> bool:
    """Tell whether a claim says "at once" or "by itself" where passage and document do not."""
    mine = _AT_ONCE.search(said)
    return mine is not None and not _AT_ONCE.search(law) and not _AT_ONCE.search(own)


def joins_leaves(claim: str, passage: str) -> bool:
    """Tell whether each item of a list that has all figures of a claim bounds one of them otherwise."""
    leaves = _leaves(passage)
    if len(leaves) < _FEWEST:
        return False
    said, written = read(claim), [read(one) for one in leaves]
    mine = [
        one
        for one in _figures(claim)
        if any(one.is_said_by(other) for leaf in written for other in leaf.values)
    ]
    together = [
        leaf for leaf in written if all(any(one.is_said_by(other) for other in leaf.values) for one in mine)
    ]
    return (
        len(mine) >= _FEWEST
        and bool(together)
        and not any(all(_bears(said.tokens, one, leaf) for one in mine) for leaf in together)
    )


def _bears(said: Sequence[Token], value: Value, leaf: Words) -> bool:
    """Tell whether a leaf has a figure, and does not bound it the other way."""
    mine, side, last = _side_of(said, value), 0, None
    for one in leaf.values:
        if last is None or one.figure != last.figure or one.start - last.end > _REPEATED:
            side = _side_of(leaf.tokens, one)  # else "diez (10)", bounded once
        last = one
        if value.is_said_by(one) and mine * side >= 0:
            return True
    return False


def _side_of(tokens: Sequence[Token], value: Value) -> int:
    """Return whether a text bounds a figure from above (-1), from below (1), or neither."""
    bound = bound_of(tokens, value)
    if bound:
        return _SIDE[bound]
    before = " ".join(one.text for one in tokens if value.start - _TAIL < one.start < value.start)
    return -1 if _CEILING.search(before) else 0


def _leaves(passage: str) -> list[str]:
    """Return the items of a list without items of their own, each with the words of those above it."""
    above: list[tuple[str, str]] = []
    found: list[str] = []
    opening = ""
    for line in re.split(r"\n+", passage):
        mark = ITEM.match(line) or _NUMBERED.match(line)
        if mark is None:
            opening, above = line, []
            found.append(line)
            continue
        kind = _kind_of(mark[0])
        places = [n for n, (one, _) in enumerate(above) if one == kind]
        above = above[: places[0]] if places else above
        if found and found[-1].endswith(above[-1][1] if above else opening):
            found.pop()  # it has items of its own
        above.append((kind, line))
        found.append("\n".join([opening, *(one for _, one in above)]))
    return found


def _kind_of(mark: str) -> str:
    text = mark.strip()
    if text.lstrip("(")[:1].isdigit():
        return "number" + text[-1]
    return ("roman" if text[:1].isupper() else "letter") + ("(" if text.startswith("(") else "")


def joins_items(claim: str, own: str, passage: str) -> bool:
    """Tell whether a claim joins a figure of one item of a list with the case of another item."""
    lines = [one for one in re.split(r"\n+", passage) if ITEM.match(one)]
    if len(lines) < _FEWEST:
        return False
    known = read(own).values
    items = [(read(one).values, _content(fold(ITEM.sub("", one, count=1)))) for one in lines]
    words = list(dict.fromkeys(_content(fold(claim))))
    lead = _content(fold(passage[: passage.find(lines[0])]))
    for value in _figures(claim):
        if any(value.is_said_by(one) for one in known):
            continue
        at = [n for n, (values, _) in enumerate(items) if any(value.is_said_by(one) for one in values)]
        if len(at) != 1:
            continue
        told = [one for one in words if not _stands(one, lead)]
        elsewhere = {
            one
            for one in told
            if not _stands(one, items[at[0]][1]) and any(_stands(one, item) for _, item in items)
        }
        here = {one for one in told if sum(_stands(one, item) for _, item in items) == 1} - elsewhere
        if len(elsewhere) >= _FEWEST and len(elsewhere) > len(here):
            return True
    return False


def tells_figure_twice(claim: str, own: str, passage: str) -> bool:
    """Tell whether a claim gives a figure of the passage twice, and leaves out another of its kind."""
    mine, known = _figures(claim), read(own).values
    written = _figures(passage)
    for n, value in enumerate(mine):
        same = [
            one
            for one in mine[n + 1 :]
            if (one.kind, one.figure, one.unit) == (value.kind, value.figure, value.unit)
        ]
        places = [one for one in written if value.is_said_by(one)]
        if not same or len(places) != 1 or any(value.is_said_by(one) for one in known):
            continue
        if any(
            one.kind == value.kind and not any(other.is_said_by(one) for other in mine) for one in written
        ):
            return True
    return False


def _figures(text: str) -> list[Value]:
    return [one for one in read(text).values if one.kind in ("period", "percent", "money", "number")]


@lru_cache(maxsize=4_096)
def _content(folded: str) -> list[str]:
    return [one.text for one in read(folded).tokens if is_content(one) and one.text != "lexcit"]


def _stands(word: str, words: Sequence[str]) -> bool:
    return any(alike(word, one) for one in words)


def _party(word: str) -> str:
    tokens = read(word).tokens
    found = sorted(c for own in concepts_of(tokens) for c in own if c.startswith("party:"))
    return found[0].removeprefix("party:") if found else ""


def _opposed(one: str, other: str) -> bool:
    return frozenset({one, other}) in _OPPONENTS


def _nearest(said: str, sentences: Sequence[str]) -> list[str]:
    """Return the sentences of a passage that have most words of a claim, the nearest first; two at most."""
    words = list(dict.fromkeys(_content(said)))
    counted = [(sum(_stands(one, _content(sentence)) for one in words), sentence) for sentence in sentences]
    counted = [one for one in counted if one[0] >= _FEWEST]
    counted.sort(key=lambda one: -one[0])
    most = counted[0][0] if counted else 0
    return [sentence for count, sentence in counted[:2] if 3 * count >= 2 * most]
