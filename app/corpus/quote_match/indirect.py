"""Check indirect speech against an article: figures, periods, dates and modality. Pure.

A paraphrase may use other words, so only a contradiction counts: another figure of the same unit where the
article speaks of the same thing, a duty where it gives permission. What the article does not say is left
alone (decision 016).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.corpus.quote_match.comparison import Comparison
from app.corpus.quote_match.quantities import DAYS, NUMBERS, UNITS, WORD, Quantity, agrees, quantities
from app.text.normalize import WORDS

_LONGEST = 120_000
_SENTENCES = re.compile(r"(?<=[.;])\s+|\n+")
_STOP = frozenset(
    [
        "este",
        "esta",
        "estos",
        "estas",
        "para",
        "como",
        "cuando",
        "sera",
        "seran",
        "debe",
        "deben",
        "podra",
        "podran",
        "segun",
        "sobre",
        "entre",
        "desde",
        "hasta",
        "plazo",
        "periodo",
        "cantidad",
        "articulo",
        "apartado",
        "parrafo",
        "letra",
        "fraccion",
        "leyes",
        "donde",
        "todo",
        "toda",
        "todos",
        "todas",
        "otro",
        "otra",
        "otros",
        "otras",
        "caso",
        "casos",
        "dicho",
        "dicha",
        "dichos",
        "dichas",
        "tiene",
        "tienen",
        "puede",
        "pueden",
        "sido",
        "haya",
        "hayan",
        "cada",
        "parte",
        "partes",
        "minimo",
        "maximo",
        "shall",
        "must",
        "will",
        "with",
        "from",
        "that",
        "this",
        "such",
        "which",
        "under",
        "section",
        "article",
        "where",
        "when",
        "their",
        "there",
        "have",
        "been",
        "within",
        "establece",
        "dispone",
        "fija",
        "exige",
        "preve",
        "prevé",
        "senala",
        "concede",
        "requires",
        "provides",
        "states",
    ]
)
_STEM = 5
_FORBIDS = frozenset(["prohibe", "prohiben", "veda", "impide", "prohibits", "forbids", "bans"])
_OBLIGES = frozenset(
    ["obliga", "obligan", "exige", "exigen", "impone", "imponen", "ordena", "requires", "obliges", "compels"]
)
_PERMITS = frozenset(
    [
        "permite",
        "permiten",
        "autoriza",
        "autorizan",
        "faculta",
        "facultan",
        "allows",
        "permits",
        "authorises",
        "authorizes",
    ]
)
_MAY = re.compile(r"\b(?:podra|podran|puede|pueden|may|potra|possono|podera|kann|peut|peuvent)\b")
_MUST = re.compile(
    r"\b(?:debera|deberan|debe|deben|obligatori[oa]s?|obligad[oa]s?|habra de|habran de|shall|must|devera|"
    r"deve|doit)\b"
)
_NOT = re.compile(
    r"\b(?:no (?:se )?(?:podra|podran|puede|pueden)|queda(?:n)? prohibid[oa]s?|se prohibe|prohibid[oa]s?|"
    r"nul[oa]s?|abusiv[oa]s?|ineficac?e?s?|no (?:sera|seran|son) (?:oponibles?|validos?|validas?)|"
    r"shall not|may not|must not|darf nicht|ne peut|nao podera)\b"
)
# "el plazo de sesenta días previsto en": whatever figure stands before it is the article's.
_ATTRIBUTED = re.compile(
    r"(?:previst|establecid|fijad|exigid|senalad|dispuest|marcad|concedid)[oa]s? (?:en|por) (?:el |la |"
    r"los )?$|"
    r"que (?:exige|establece|preve|fija|senala|impone|marca|concede) (?:el |la )?$|"
    r"(?:provided|required|laid down|set out|prescribed) (?:by|in|under) (?:the )?$"
)
# "fija en 400 euros la indemnización": what is fixed is the article's one figure of its unit.
_FIXES = re.compile(
    r"^\W*(?:que |which )?(?:fija|establece|exige|concede|impone|deja|situa|cifra|limita|reduce|otorga|da|"
    r"fixes|sets|gives|"
    r"grants)\b"
)
_DECLARES = re.compile(
    r"^\W*(?:que |which )?(?:declaran?|considera[n]?|declares|deems)\s(?!(?:no|not)\b)([a-z]{5,})"
)
_FEWEST_SHARED = 3
_FEW = 4


def contradiction(sentence: str, text: str) -> Comparison | None:
    """Return how a sentence contradicts the article that it is said to render; `None` where it does not.

    Args:
        sentence: What is attributed to the article, without the words that cite it.
        text: The article.

    Returns:
        The comparison; its similarity is that of the content words with the contradicted sentence.
    """
    said = WORDS.fold(sentence)[:4_000]
    parts = [WORDS.fold(part) for part in _SENTENCES.split(text[:_LONGEST]) if part.strip()]
    stems = _stems(said)
    own = [_stems(part) for part in parts]
    written = [quantity for place, part in enumerate(parts) for quantity in quantities(part, place)]
    stated = quantities(said, 0)
    first = next(iter(stated), None)
    for claimed in stated:
        fixed = bool(_FIXES.search(said)) and claimed is first
        other = _other(claimed, written, stems, own, bool(_ATTRIBUTED.search(said)), fixed)
        if other is not None:
            return Comparison(
                "different",
                _share(stems, own[other.sentence]),
                "meaning",
                "number",
                claimed.shown,
                other.shown,
            )
    return _denied(said, stems, parts, own) or _modality(said, stems, parts, own)


def _denied(
    said: str, stems: frozenset[str], parts: Sequence[str], own: Sequence[frozenset[str]]
) -> Comparison | None:
    """Recognise a quality that an article is said to declare and denies ("declara oponibles")."""
    declared = _DECLARES.search(said)
    if declared is None:
        return None
    word = declared[1].rstrip("s")
    denial = re.compile(rf"\b(?:no|not)\s(?:\w+\s){{0,2}}{re.escape(word)}s?\b")
    for place, part in enumerate(parts):
        found = denial.search(part)
        if found is not None:
            return Comparison(
                "different", _share(stems, own[place]), "meaning", "modality", declared[1], found[0]
            )
    return None


def _other(
    claimed: Quantity,
    written: Sequence[Quantity],
    stems: frozenset[str],
    own: Sequence[frozenset[str]],
    attributed: bool,
    fixed: bool,
) -> Quantity | None:
    """Return the figure of the article that `claimed` contradicts."""
    same = [one for one in written if one.unit == claimed.unit]
    agreeing = [one for one in written if agrees(claimed, one)]
    if agreeing:
        # The figure is in the article; it contradicts only where it stands in another matter altogether.
        most = max(len(stems & own[one.sentence]) for one in agreeing)
        rivals = [one for one in same if len(stems & own[one.sentence]) >= most + _FEWEST_SHARED]
        return rivals[0] if rivals and most == 0 else None
    topical = [one for one in same if stems & own[one.sentence]]
    if topical:
        return max(topical, key=lambda one: len(stems & own[one.sentence]))
    if same:
        # "el preaviso de sesenta días previsto en el artículo 11", which knows one figure in days.
        single = len({one.value for one in same}) == 1
        alone = single and (fixed or (attributed and len(stems) <= _FEW))
        return same[0] if alone else None
    if claimed.unit not in DAYS:
        return None
    periods = [one for one in written if one.unit in DAYS and len(stems & own[one.sentence]) >= 2]
    distinct = {(one.value, one.unit) for one in periods}
    return periods[0] if 0 < len(distinct) <= 3 else None


def _stems(folded: str) -> frozenset[str]:
    """Return the beginnings of the words that carry the subject."""
    return frozenset(
        word[:_STEM]
        for word in WORD.findall(folded)
        if len(word) >= _STEM
        and word not in _STOP
        and word not in NUMBERS
        and word not in UNITS
        and word.isalpha()
    )


def _share(stems: frozenset[str], own: frozenset[str]) -> float:
    return round(min(0.99, len(stems & own) / max(len(stems), 1)), 4)


def _modality(
    said: str, stems: frozenset[str], parts: Sequence[str], own: Sequence[frozenset[str]]
) -> Comparison | None:
    """Recognise a ban where the article permits, a permission where it bans, a duty where it only permits."""
    first = WORD.findall(said)[:4]
    claimed = _claimed(first)
    if claimed is None or not parts:
        return None
    place = max(range(len(parts)), key=lambda one: len(stems & own[one]))
    shared = len(stems & own[place])
    if shared < _FEWEST_SHARED or shared < len(stems) * 0.5:
        return None
    part = parts[place]
    bans = _NOT.search(part)
    duty = _MUST.search(_NOT.sub(" ", part))
    leave = _MAY.search(_NOT.sub(" ", part))
    written = None
    if claimed == "bans" and not bans and (duty or leave):
        written = duty or leave
    elif claimed == "leave" and bans and not (duty or leave):
        written = bans
    elif claimed == "duty" and not duty and (leave or bans):
        written = leave or bans
    if written is None:
        return None
    verb = next(word for word in first if word in _FORBIDS | _OBLIGES | _PERMITS)
    return Comparison("different", _share(stems, own[place]), "meaning", "modality", verb, written[0])


def _claimed(first: Iterable[str]) -> str | None:
    words = list(first)
    negated = bool(words) and words[0] in ("no", "not", "does")
    for word in words:
        if word in _FORBIDS:
            return None if negated else "bans"
        if word in _PERMITS:
            return "bans" if negated else "leave"
        if word in _OBLIGES:
            return None if negated else "duty"
    return None
