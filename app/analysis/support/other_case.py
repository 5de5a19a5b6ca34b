"""Tell whether an article has the words of a claim and rules another case than the claim's. Pure.

Three kinds: the article refuses the power that the claim gives, it fixes the claim's figure for another of
the classes that it lists, or it opens with another regime (passengers, goods) than the claim's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from app.analysis.support.grammar import parties_of, without_places
from app.analysis.support.phrases import SENTENCE
from app.analysis.support.words import Value, alike, concepts_of, is_content, read
from app.text.sentences import fold

# "Puede oponer", "podrá invocar": a power, of which the claim names the act.
_POWER: Final = re.compile(r"\b(?:puede[n]?|podra[n]?|may|can)\b")
_DENIES: Final = re.compile(
    r"\b(?:no|not|nunca|never|tampoco|nor|ni|ningun[ao]?|nadie|nobody|solo|only|sin|without)\b"
)
_REFUSED: Final = re.compile(
    r"\b(?:no (?:se )?(?:les? )?(?:puede[n]?|podra[n]?)|(?:may|shall|can) not|cannot|non (?:puo|possono)"
    r"|sin que[^.;]{0,25}? pueda[n]?)\b"
)
# What bounds an act, or refuses to refuse it, takes no power from the one who acts.
_BOUNDS: Final = re.compile(
    r"\W+(?:se |be |ser |en ningun caso |in any case )*(?:exced|super|rebas|inferior|superior"
    r"|mayor|menor|exceed|less|more"
    r"|neg(?:ar|ad)|deneg|refus|reh?us|rechaz|imped|prevent|oponerse|limit|restring|restrict"
    r"|exclu|priv|menoscab"
    r"|perjudic|prejudic|obstacul)"
)
_EXCEPTED: Final = re.compile(
    r"\b(?:salvo|sino|excepto|sin (?!embargo)|a menos|hasta (?:que|tanto)|antes|mientras|unless"
    r"|except|without|until|before|otherwise"
    r"|mas que|solo|only|se non|salvo che|a meno che)\b"
)
_HEADING: Final = re.compile(r"\s*(?:articulo|article|section|<)")
_FEWEST: Final = 2
_SENTENCE: Final = 8
_SHARE: Final = 0.5

# "Al año las leves, a los tres años las graves": a figure and its class between two marks.
_ONE: Final = re.compile(r"\bal (año|mes)\b", re.IGNORECASE)
_VERY: Final = re.compile(r"\b(?:muy|very) (?=[^\W\d_]{4,})", re.IGNORECASE)
_MARK: Final = re.compile(r"[,;:\n]|\s(?:y|e|o|u|and|or|mientras que|whereas)\s")

# Regimes of which each has articles of its own, by the words that only one of two has.
_REGIMES: Final = tuple(
    (re.compile(rf"\b(?:{one})"), re.compile(rf"\b(?:{other})"))
    for one, other in (
        (
            r"pasajer[oa]|viajer[oa]s?\b|passenger|viaggiator|passegger",
            r"mercanc|mercader|baldos|cargamento|bultos\b|cosas transportad|transporte de cosas|goods\b"
            r"|merci\b",
        ),
        (
            r"accionist|sociedad(?:es)? anonima|shareholders of a public",
            r"sociedad(?:es)? (?:de responsabilidad )?limitada|s\.l\.|participaciones sociales",
        ),
        (
            r"despidos? colectiv|collective (?:dismissal|redundanc)",
            r"despidos? (?:individual|disciplinari)|disciplinary dismissal",
        ),
        (
            r"seguros? (?:de|sobre la) vida|life insurance",
            r"seguros? (?:de|contra) (?:dan|incendi|rob|responsab|caucion)|fire insurance|property insurance",
        ),
        (
            r"fincas? rustic|predios? rustic|fondi? rustic",
            r"fincas? urban|predios? urban|viviendas?\b|local(?:es)? de negocio|oficinas?\b",
        ),
        (r"conyuge|matrimoni|spouse", r"parejas? de hecho|union(?:es)? de hecho|convivient|cohabit"),
        (
            r"aeronave|aircraft|transporte aereo",
            r"buque|naviero|maritim|\bship\b|carretera|camion|ferrocarril",
        ),
        (r"buque|navier|fletament|transporte maritimo", r"aeronave|carretera|camion|ferrocarril|aircraft"),
        (
            r"bienes inmuebles|inmuebles?\b|beni immobili|immovable",
            r"bienes muebles|muebles\b|beni mobili|maquinaria|vehiculos?\b",
        ),
        (
            r"bienes muebles|cosas? muebles?|beni mobili",
            r"bienes inmuebles|inmuebles?\b|fincas?\b|viviendas?\b|pisos?\b|apartamentos?\b"
            r"|parcelas?\b|garajes?\b",
        ),
    )
)


def rules_another(claim: str, own: str, passage: str) -> bool:
    """Tell whether a passage that has a claim's words rules another case than the claim's.

    Args:
        claim: what is said, its authority written `lexcit`.
        own: the words of the document that it quotes.
        passage: the article or paragraph.
    """
    return (
        refuses(claim, passage)
        or fixes_for_another(claim, passage, own)
        or is_of_other_regime(claim, own, passage)
        or counts_other_days(claim, passage)
        or gives_to_opponent(claim, passage)
    )


def refuses(claim: str, passage: str) -> bool:
    """Tell whether a passage says that one may not do what the claim says that one may."""
    folded = fold(claim)
    power = _POWER.search(folded)
    if power is None or _DENIES.search(folded):
        return False
    said, law = _words(folded[power.end() :]), fold(passage)
    if len(said) < _FEWEST:
        return False
    who = _actors(folded[: power.start()])
    for sentence in SENTENCE.split(law):
        for found in _REFUSED.finditer(sentence or ""):
            refused = re.split(r"[;:]", sentence[found.end() :])[0]
            if _BOUNDS.match(refused) or _EXCEPTED.search(refused):
                continue
            bearers = _actors(sentence[: found.start()])
            if who and bearers and not who & bearers:
                continue
            told = _words(refused)
            shared = sum(any(_same(one, other) for other in told) for one in said)
            allowed = any(
                not _REFUSED.search(sentence[max(0, one.start() - 4) : one.end()])
                and _common(said, _words(re.split(r"[;:.,]", law[one.end() :])[0])) >= shared
                for one in _POWER.finditer(law)
                if law[max(0, one.start() - 3) : one.start()].strip() not in ("no", "se")
            )
            if shared >= max(_FEWEST, _SHARE * min(len(said), len(told))) and not allowed:
                return True
    return False


_FIGURE: Final = r"\b(?P<figure>\d{1,3}|[a-z]{3,12}(?: y [a-z]{3,6})?)(?: \(\d{1,3}\))? "
_CALENDAR: Final = re.compile(
    _FIGURE + r"(?:dias (?:calendario|naturales|corridos)|calendar days|giorni di calendario)\b"
)
_WORKDAYS: Final = re.compile(
    _FIGURE + r"(?:dias (?:habiles|laborables)|(?:working|business) days|giorni lavorativi)\b"
)
_BEARS: Final = re.compile(
    r"\b(?:tiene[n]? derecho|tendra[n]? derecho|debe[n]?|debera[n]?|is entitled|are entitled|must|shall"
    r"|has the right)\b"
)
_BEFORE: Final = 60
_OPPONENTS: Final = (
    ("employer", "employee"),
    ("lessor", "lessee"),
    ("seller", "buyer"),
    ("lender", "borrower"),
    ("debtor", "creditor"),
    ("insurer", "insured"),
    ("agent", "principal_party"),
)


_REFERS: Final = re.compile(r"\s*(?:sin )?(?:que|(?:el|la|los|las) cual(?:es)?|which)\b", re.IGNORECASE)


class _Part(NamedTuple):
    value: Value
    words: list[tuple[str, frozenset[str]]]


def fixes_for_another(claim: str, passage: str, own: str = "") -> bool:
    """Tell whether a passage that lists a figure for each of several classes gives the claim's to another.

    Figures of `own`, the words that the claim quotes from the document, are not the law's.
    """
    mine = _joined(claim)
    known = read(_joined(own)).values
    values = [one for one in read(mine).values if not any(one.is_said_by(other) for other in known)]
    for sentence in SENTENCE.split(_joined(passage)):
        parts = _parts(sentence or "")
        if len(parts) < _FEWEST:
            continue
        figures = [one for one in values if any(one.is_said_by(part.value) for part in parts)]
        if len(figures) != 1:
            continue
        said = _words(fold(mine))
        at = {n for n, part in enumerate(parts) if figures[0].is_said_by(part.value)}
        others = [part for n, part in enumerate(parts) if n not in at]
        here = [word for n in at for word in parts[n].words]
        if any(
            _has(said, word) and not _has(here, word) for part in others for word in part.words
        ) and not any(
            _has(said, word) and not any(_has(part.words, word) for part in others) for word in here
        ):
            return True
    return False


def counts_other_days(claim: str, passage: str) -> bool:
    """Tell whether a claim counts calendar days where a passage counts working days, or the reverse."""
    said, law = fold(claim), fold(passage)
    return any(
        (values := {one["figure"] for one in mine.finditer(said)})
        and values & {one["figure"] for one in theirs.finditer(law)}
        and not values & {one["figure"] for one in mine.finditer(law)}
        for mine, theirs in ((_CALENDAR, _WORKDAYS), (_WORKDAYS, _CALENDAR))
    )


def gives_to_opponent(claim: str, passage: str) -> bool:
    """Tell whether a claim gives one of two parties what a passage gives to the other alone.

    The claim names one of the two, who does not stand in the passage, and not the other, who does.
    """
    said, law = _actors(fold(claim)), _actors(fold(passage))
    told = _BEARS.search(fold(claim))
    if told is None:
        return False
    bearers = _actors(fold(claim)[max(0, told.start() - _BEFORE) : told.start()])
    return any(one in bearers for one in _exchanged(said, law))


def names_opponent(claim: str, passage: str) -> bool:
    """Tell whether a claim in a passage's words names one party of two where the passage names the other."""
    return bool(_exchanged(_actors(fold(claim)), _actors(fold(passage))))


def _exchanged(said: set[str], law: set[str]) -> list[str]:
    return [
        one
        for pair in _OPPONENTS
        for one, other in (pair, pair[::-1])
        if one in said and one not in law and other in law and other not in said
    ]


def is_of_other_regime(claim: str, own: str, passage: str) -> bool:
    """Tell whether a passage opens with one of two regimes, and the claim speaks of the other alone."""
    opening = _opening(fold(passage))
    said, quoted = fold(claim), fold(own)
    return any(
        one.search(opening)
        and not other.search(opening)
        and (other.search(said) or other.search(quoted))
        and not one.search(said)
        and not one.search(quoted)
        for one, other in _REGIMES
    )


def _opening(law: str) -> str:
    """Return the heading of an article and its first sentence of some length."""
    found: list[str] = []
    for sentence in SENTENCE.split(law):
        if sentence and sentence.strip():
            found.append(sentence)
            if len(sentence.split()) >= _SENTENCE and not _HEADING.match(sentence):
                break
    return " ".join(found)


def _joined(text: str) -> str:
    """Return a text in which "al año" is a figure and "muy graves" one word."""
    return _VERY.sub("superlative", _ONE.sub(r"a un \1", without_places(text)))


def _parts(sentence: str) -> list[_Part]:
    """Return the parts of a list in which each has one figure of the same kind, and its class."""
    pieces = [one for one in _MARK.split(sentence) if one and one.strip()]
    found: list[tuple[Value, str, str]] = []
    for piece in pieces:
        values = [one for one in read(piece).values if one.kind in ("period", "percent", "money")]
        if len(values) > 1:
            return []
        found += [(one, piece[: one.start], piece[one.end :]) for one in values]
    if len({value.kind for value, _, _ in found}) > 1:
        return []
    # What opens the list stands before its first figure, and is of no class.
    behind = any(_words(fold(after)) for _, _, after in found[1:])
    parts: list[_Part] = []
    for at, (value, before, after) in enumerate(found):
        own = _words(fold(after if behind and not at else f"{before} {after}"))
        # "Vacaciones, que en ningún caso serán inferiores a doce días": what it speaks of stands before.
        parts.append(_Part(value, [*parts[-1].words, *own] if at and _REFERS.match(before) else own))
    return parts


def _words(folded: str) -> list[tuple[str, frozenset[str]]]:
    tokens = read(folded).tokens
    concepts = concepts_of(tokens, paraphrases=False)
    return [
        (token.text, frozenset(own))
        for token, own in zip(tokens, concepts, strict=True)
        if token.kind == "word" and is_content(token) and token.text != "lexcit"
    ]


def _same(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    return alike(one[0], other[0]) or bool(one[1] & other[1])


def _has(words: Sequence[tuple[str, frozenset[str]]], word: tuple[str, frozenset[str]]) -> bool:
    return any(alike(one[0], word[0]) for one in words)


def _common(said: Sequence[tuple[str, frozenset[str]]], told: Sequence[tuple[str, frozenset[str]]]) -> int:
    return sum(any(_same(one, other) for other in told) for one in said)


def _actors(folded: str) -> set[str]:
    return {party for party, _ in parties_of(read(folded).tokens)}
