"""Recognise a quality, an act or a limit told of an article whose words deny it. Pure.

"Declara oponibles los pactos" of an article that says "no serán oponibles"; "permite renunciar a los
alimentos" of "no es renunciable"; "permite la unanimidad" of "sin llegar a la unanimidad"; "solo en caso de
fuerza mayor" of a list in which that is one case. Only the same word, denied in a sentence on the same
subject, counts (decision 016).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from app.corpus.quote_match.comparison import Comparison
from app.corpus.quote_match.stance import LEAVE_VERB
from app.text.normalize import WORDS

_STEM = 5
# "hace oponibles", "declara válida", "es plenamente válida": a quality is told.
_QUALITY = re.compile(
    r"\b(?P<before>no |ni |nunca |tampoco )?(?:hacen?|declaran?|consideran?|estiman?|tienen? por|son|es|"
    r"seran?|resultan?|makes?|declares|deems|is|are)\s(?:\w+mente\s|fully\s)?"
    r"(?P<quality>oponib|valid|licit|eficac|eficaz|vinculant|exigib|obligatori|enforceab|lawful|binding)\w*"
)
# What an article says of what has not such a quality.
_VOID = re.compile(
    r"\b(?:nul[oa]s?|nulidad|ineficac\w+|ineficaz|(?:por|tendran?) no puest[oa]s?|abusiv[oa]s?|"
    r"no (?:sera[n]?|es|son) (?:valid|eficac|eficaz|licit)\w*|void|unenforceable|not binding)\b"
)
_OF_VALIDITY = ("valid", "licit", "efica", "enfor", "lawfu", "bindi", "vincu")
_ACT = re.compile(
    rf"\b(?:{LEAVE_VERB}|puede[n]?|podran?|pueda[n]?|cabe|may|can)\s(?:\w+\s){{0,4}}?"
    rf"(?P<act>[a-z]{{3,}}(?:ar|er|ir))(?:se|lo|la|los|las|le|les)?\b"
)
_NOUN = re.compile(
    rf"^\W*(?:que )?{LEAVE_VERB} (?:exigir |pactar |establecer )?(?:el|la|los|las) (?P<noun>[a-z]{{6,}})\b"
)
_ONLY = re.compile(
    r"\b(?:solo|unicamente|exclusivamente|only)\s(?:en (?:el )?casos? de|por|si|cuando|"
    r"in (?:the )?case of|if)\s(?P<what>[^,;.:]{4,60})"
)
_ITEM = re.compile(r"\s*(?:[a-z]|\d{1,2})(?:\)|\.[ºª])\s")
_EVERY = re.compile(r"\b(?:cualquier(?:a)?|tod[oa]s?|any|every|all)\b")
_ONLY_VALID = re.compile(
    r"\b(?:solo|unicamente)\s(?:se\s)?(?:sera[n]?|es|son|admit\w+|podra\w*)\s(?:valid|licit|eficac|admisib)?\w*"
)
_OPENS_EXCEPTION = re.compile(r"\b(?:salvo|excepto|sin perjuicio|unless|except)\b")


def denied(said: str, parts: Sequence[str]) -> Comparison | None:
    """Return how the sentences of an article deny what is said of it; `None` where they need not.

    Args:
        said: What is attributed to the article, folded.
        parts: The sentences of the article, folded.
    """
    for found in (_quality(said, parts), _act(said, parts), _noun(said, parts), _only(said, parts)):
        if found is not None:
            return found
    return None


def _quality(said: str, parts: Sequence[str]) -> Comparison | None:
    found = _QUALITY.search(said)
    if found is None or found["before"]:
        return None
    stem = found["quality"][:_STEM]
    subject = _subject(said, stem)
    if not subject:
        return None
    every = _EVERY.search(said)
    for part in parts:
        if not subject & _subject(part, stem):
            continue
        denial = re.search(rf"\b(?:no|not|ni)\s(?:\w+\s){{0,2}}{stem}\w*", part)
        if denial is None and stem in _OF_VALIDITY and not _OPENS_EXCEPTION.search(said):
            denial = _VOID.search(part) or (_ONLY_VALID.search(part) if every else None)
        if denial is not None:
            return _different("modality", found[0], denial[0], said, part)
    return None


def _act(said: str, parts: Sequence[str]) -> Comparison | None:
    """Recognise "permite renunciar a X" of "X no es renunciable" and of "no podrá renunciar a X"."""
    for found in _ACT.finditer(said):
        ahead = said[: found.start()].split()[-1:]
        if ahead and ahead[0] in ("no", "ni", "nunca", "tampoco", "not", "never"):
            continue
        stem = found["act"][:-2][:_STEM]
        if len(stem) < 4:
            continue
        subject = _subject(said[found.end() :], stem)
        pattern = re.compile(
            rf"\bno (?:es|son|sera[n]?) (?:\w+ )?{stem}\w*bles?\b|\b(?:ir|in|im){stem}\w*bles?\b|"
            rf"\bno (?:se )?(?:le |les )?(?:podra[n]?|puede[n]?) (?:\w+ )?{stem}\w*"
        )
        denials = {place: match for place, part in enumerate(parts) if (match := pattern.search(part))}
        if not denials or not subject:
            continue
        shared = {place: len(subject & _subject(part, stem)) for place, part in enumerate(parts)}
        place = max(denials, key=lambda one: shared[one])
        # Another sentence speaks of the same act and of more of what is said: it may give that leave.
        rivals = [
            shared[one]
            for one, part in enumerate(parts)
            if one not in denials and re.search(rf"\b{stem}", part)
        ]
        if shared[place] and max(rivals, default=0) <= shared[place] and not _CONDITIONS.search(said):
            return _different("modality", found[0], denials[place][0], said, parts[place])
    return None


_CONDITIONS = re.compile(r"\b(?:atrasad\w+|devengad\w+|vencid\w+|ya adquirid\w+|posterior\w*|accrued)\b")


def _noun(said: str, parts: Sequence[str]) -> Comparison | None:
    """Recognise "permite la unanimidad" of "sin llegar a la unanimidad"."""
    found = _NOUN.search(said)
    if found is None:
        return None
    stem = found["noun"].rstrip("s")
    pattern = re.compile(
        rf"\b(?:sin llegar a|en ningun caso|sin exigir)\s(?:el |la |los |las )?{re.escape(stem)}\w*"
    )
    for part in parts:
        limit = pattern.search(part)
        if limit is not None:
            return _different("exception", found["noun"], limit[0], said, part)
    return None


def _only(said: str, parts: Sequence[str]) -> Comparison | None:
    """Recognise one case of a list that is told as the only one."""
    found = _ONLY.search(said)
    if found is None:
        return None
    told = _words(found["what"])
    items = [part for part in parts if _ITEM.match(part)]
    if len(items) < 2 or not told:
        return None
    own = [item for item in items if told <= _words(item)]
    others = [item for item in items if not told & _words(item)]
    if len(own) == 1 and others:
        return _different("exception", found[0], others[0][:60], said, own[0])
    return None


def _different(
    what: Literal["modality", "exception"], claimed: str, written: str, said: str, part: str
) -> Comparison:
    stems, own = _words(said), _words(part)
    similarity = round(min(0.99, len(stems & own) / max(len(stems), 1)), 4)
    return Comparison("different", similarity, "meaning", what, claimed.strip(), written.strip())


def _subject(folded: str, stem: str) -> frozenset[str]:
    return frozenset(one for one in _words(folded) if not one.startswith(stem[:4]) and one not in _EMPTY)


def _words(folded: str) -> frozenset[str]:
    return frozenset(_stems(folded))


def _stems(folded: str) -> Iterator[str]:
    for word in re.findall(r"[a-z]+", WORDS.fold(folded)):
        if len(word) >= _STEM:
            yield word[:_STEM]


# Beginnings of words that name no subject.
_EMPTY = frozenset(
    ("plena", "artic", "segun", "decla", "hacen", "consi", "estim", "parte", "expre", "cualq", "todos",
     "todas", "nunca", "siemp", "esten", "sobre", "entre", "desde", "hasta", "cuand", "donde", "clara",
     "permi", "autor", "previ", "tendr", "podra", "puede", "seran", "dicha", "dicho", "estos", "estas",
     "norma", "leyes")
)  # fmt: skip
