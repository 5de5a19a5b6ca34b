"""Check indirect speech against an article: figures, periods, dates and modality. Pure.

A paraphrase may use other words, so only a contradiction counts: another figure of the same unit where the
article speaks of the same thing, a duty where it gives permission. What the article does not say is left
alone (decision 016).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.corpus.quote_match.comparison import Comparison
from app.corpus.quote_match.denials import denied
from app.corpus.quote_match.quantities import (
    DAYS,
    LENGTHS,
    NUMBERS,
    UNITS,
    WORD,
    Quantity,
    agrees,
    quantities,
)
from app.corpus.quote_match.stance import CAP, IN_LINE, opposed
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
    [
        "obliga",
        "obligan",
        "requiere",
        "requieren",
        "exige",
        "exigen",
        "impone",
        "imponen",
        "ordena",
        "requires",
        "obliges",
        "compels",
    ]
)
_NEGATIVE = frozenset(("no", "ni", "nunca", "tampoco", "not", "never", "does"))
# "no permite más de cinco años", "no exige otra garantía": what is denied is the qualification.
_QUALIFIED = re.compile(
    r"\b(?:mas|menos|distint\w+|otr[oa]s?|a la vez|conjunta\w*|simultan\w+|salvo|sin|superior\w*|"
    r"inferior\w*|mayor\w*|"
    r"menor(?:es)? (?:de|a|que)|adicional\w*|causa|solo|unicamente|more|less|other|both|without|only)\b"
)
_FREES = frozenset(("dispensa", "dispensan", "exime", "eximen", "exempts"))
# A sentence that restricts says more than its verb.
_RESTRICTS = re.compile(
    r"\b(?:no|ni|sin|solo|unicamente|salvo|excepto|cuando|si|siempre|ningun\w*|nul\w+|exclu\w+|"
    r"imp[ei]d\w+|prohib\w+|not|only|"
    r"except|unless|if|when)\b"
)
_STATED = re.compile(r"\w+ \w+ \w+ \w+")
_VERB_STEMS = frozenset(
    (
        "admit",
        "autor",
        "consi",
        "dispe",
        "exige",
        "exime",
        "facul",
        "impid",
        "impon",
        "oblig",
        "permi",
        "prohi",
        "requi",
    )
)
_PERMITS = frozenset(
    (
        "permite",
        "permiten",
        "autoriza",
        "autorizan",
        "faculta",
        "facultan",
        "admite",
        "admiten",
        "consiente",
        "consienten",
        "tolera",
        "toleran",
        "ampara",
        "amparan",
        "legitima",
        "allows",
        "permits",
        "authorises",
        "authorizes",
        "lets",
    )
)
# "da valor preferente a la sumisión", "declara válida la renuncia": leave by another word.
_GIVES_EFFECT = re.compile(
    r"(?:que )?(?:(?:da|dan|otorga|concede|reconoce|atribuye) (?:pleno |plena )?(?:valor|validez|eficacia|"
    r"preferencia)|"
    r"(?:declara|considera|estima|tiene por) (?:plenamente )?(?:valid|licit|eficac)\w+)\b"
)
_MAY = re.compile(
    r"\b(?:podra|podran|puede|pueden|(?:tendran?|tienen?) derecho|"
    r"may|potra|possono|podera|kann|peut|peuvent)\b"
)
_MUST = re.compile(
    r"\b(?:debera|deberan|debe|deben|obligatori[oa]s?|obligad[oa]s?|habra de|habran de|shall|must|devera|"
    r"deve|doit)\b"
)
_NOT = re.compile(
    r"\b(?:no (?:se )?(?:podra|podran|puede|pueden)|queda(?:n)? prohibid[oa]s?|se prohibe|prohibid[oa]s?|"
    r"no \w{4,}[ai]bles?|nul[oa]s?|abusiv[oa]s?|ineficac?e?s?|no (?:sera|seran|son) (?:oponibles?|"
    r"validos?|validas?)|"
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
    r"permite|admite|autoriza|senala|preve|fixes|sets|gives|allows|permits|requires|"
    r"grants)\b"
)
# "el plazo para demandar es de cuarenta días"
_TERM_IS = re.compile(
    r"\bplazo (?:para|del?) (?:la |el |su )?(?:recurr|demand|reclam|interpon|interpos|impugn|contest|opon|"
    r"oposic|prescrip|"
    r"caduc|aleg)[^,;:.]{0,50}(?:es|sera|son|de)\W*$"
)
# "which gives a processor ten days": the article is said to have the figure.
_GRANTS = re.compile(
    r"^\W*(?:que |which )?(?:fija|concede|otorga|da|gives|grants|fixes|sets)(?: (?:al?|a la|a los|a las|"
    r"the|every|each|an?) "
    r"\w+)?\b"
)
_LENGTH = frozenset((*DAYS, "hour"))
# A period that is told without a figure.
_UNSAID = re.compile(
    r"\b(?:mensual|anual|semanal|diari|trimestr|semestr|quincen|bienal|trienal|mitad|tercio|doble|al ano|"
    r"al mes|plazo (?:que|"
    r"previsto|establecido|senalado|fijado)|articulos?|reglamentari|monthly|annual|yearly|weekly|daily|"
    r"article)\w*"
)
# A sentence that sets a term to act or a threshold.
_TERM = re.compile(
    r"\b(?:dentro de|plazos?|prescrib\w+|prescrip\w+|caduc\w+|transcur\w+|exced\w+|superior\w*|cuantia|term|"
    r"period|within)\b"
)
# "un plazo de cuarenta días": the claim names what its figure is.
_TERM_NAMED = re.compile(r"\b(?:plazo|periodo|termino|term|period)\b")
_KEYED_BEHIND = re.compile(
    r"\s*(?:a partir|desde|del?|para|si|cuando|contad|tras|en (?:el|los|caso)|from|for|if|after|of)\b"
)
_DENIES = re.compile(r"\b(?:no|ni|sin|aunque|not|without|although)\b")
# The likeness of a sentence to an article in another language, whose words are not compared.
_FOREIGN = 0.4
_FEWEST_SHARED = 3
_FEW = 4
_FEW_PERIODS, _MANY_PERIODS = 3, 6


def contradiction(
    sentence: str,
    text: str,
    *,
    figure: str = "",
    place: str = "",
    across: bool = False,
    own_term: bool = False,
) -> Comparison | None:
    """Return how a sentence contradicts the article that it is said to render; `None` where it does not.

    Args:
        sentence: What is attributed to the article, without the words that cite it.
        text: The article.
        figure: The one figure of the sentence that is attributed to it; all of them where none is given.
        place: The paragraph of it that is cited, where that is known.
        across: Whether sentence and article are in different languages, so that no words are compared.
        own_term: Whether the sentence may state a term of the parties, which a limit of the article allows.

    Returns:
        The comparison; its similarity is that of the content words with the contradicted sentence.
    """
    said = _without_dates(WORDS.fold(sentence)[:4_000])
    parts = _parts(place or text)
    stems = _stems(said)
    own = [_stems(part) for part in parts]
    written = [quantity for at, part in enumerate(parts) for quantity in quantities(part, at)]
    wholly = _parts(text) if place else parts
    whole = (
        [quantity for at, part in enumerate(wholly) for quantity in quantities(part, at)]
        if place
        else written
    )
    around = [_stems(part) for part in wholly] if place and whole else own
    stated = quantities(said, 0)
    if figure:
        wanted = quantities(WORDS.fold(figure), 0)
        stated = [one for one in stated if any(one.shown.endswith(other.shown) for other in wanted)][-1:]
    first = next(iter(stated), None)
    for claimed in stated:
        fixed = claimed is first and _is_fixed(said, claimed)
        attributed = bool(_ATTRIBUTED.search(said))
        term = bool(_TERM_NAMED.search(said))
        search = _Search(
            claimed,
            written,
            whole,
            stems,
            own,
            around,
            parts,
            attributed,
            fixed,
            bool(figure),
            bool(place),
            term,
        )
        other = search.across() if across else search.other()
        if other is None and not figure and _is_given(said, claimed) and search.lacks():
            return Comparison("different", 0.5, "meaning", "number", claimed.shown, "")
        if other is not None and own_term and _allowed(claimed, other, parts[other.sentence]):
            continue
        if other is not None:
            similarity = _share(stems, own[other.sentence]) if not across else _FOREIGN
            return Comparison("different", similarity, "meaning", "number", claimed.shown, other.shown)
        elsewhere = None if across else _given_to_another(claimed, said, parts, written)
        if elsewhere is not None:
            similarity = _share(stems, own[elsewhere.sentence])
            return Comparison("different", similarity, "meaning", "number", claimed.shown, elsewhere.shown)
        every = None if across else _for_every(claimed, said, parts, written)
        if every is not None:
            return Comparison(
                "different",
                _share(stems, own[every.sentence]),
                "meaning",
                "exception",
                claimed.shown,
                every.shown,
            )
    if figure:
        return None
    found = None if across else denied(said, parts) or _modality(said, stems, parts, own)
    found = found or opposed(said, stems, parts, own, across=across)
    if found and not across:
        nearest = max((_share(stems, one) for one in own), default=0.0)
        found = replace(found, similarity=nearest)
    return found


_EVERY = re.compile(r"\b(?:cualquier(?:a)?|tod[oa]s?|siempre|en todo caso|any|every|all|always)\b")
_OR_ELSE = re.compile(r",?\s(?:o|u|or)\s(?:\w+\s){0,3}")


def _for_every(
    claimed: Quantity, said: str, parts: Sequence[str], written: Sequence[Quantity]
) -> Quantity | None:
    """Return the other figure that the article has for some, where the sentence gives one figure to all.

    "Cinco años, o siete si el arrendador es una sociedad" is not five years for any lessor.
    """
    start, _ = _place_of(said, claimed.shown, 0)
    if start >= 10**6 or not _EVERY.search(said[:start]):
        return None
    if sum(one.unit == claimed.unit for one in quantities(said, 0)) > 1:
        return None
    for place in {one.sentence for one in written if agrees(claimed, one)}:
        segments = _segments(parts[place], [one for one in written if one.sentence == place])
        for (one, (_, gap)), (other, (_, behind)) in pairwise(segments):
            if (
                agrees(claimed, one)
                and one.unit == other.unit
                and not agrees(claimed, other)
                and _OR_ELSE.fullmatch(gap)
                and re.match(r"\s(?:si|cuando|para|if|where|for)\b", behind)
            ):
                return other
    return None


def _parts(text: str) -> list[str]:
    return [WORDS.fold(part) for part in _SENTENCES.split(text[:_LONGEST]) if part.strip()]


# The day and the year of a date are no figures of a law.
_DATES = re.compile(
    r"\b\d{1,2} (?:de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|"
    r"diciembre|january|"
    r"february|march|april|may|june|july|august|september|october|november|"
    r"december)(?:,? (?:del? )?\d{4})?\b|"
    r"\b(?:del?|en|ano|of|in) (?:1[89]|20)\d\d\b(?!\.)|\b(?:19|20)\d\d,"
)


def _without_dates(folded: str) -> str:
    return _DATES.sub(lambda match: " " * len(match[0]), folded)


def _is_fixed(said: str, claimed: Quantity) -> bool:
    """Tell whether a figure is the object of the verb that opens the sentence ("fija en 400 euros")."""
    at = _place_of(said, claimed.shown, 0)[0]
    if _TERM_IS.search(said[:at][-90:]):
        return True
    verb = _FIXES.search(said)
    return verb is not None and _place_of(said, claimed.shown, 0)[0] <= verb.end() + 40


def _allowed(claimed: Quantity, limit: Quantity, sentence: str) -> bool:
    """Tell whether a figure keeps within a limit of the article: three months where it allows six at most."""
    if not {claimed.unit, limit.unit} <= _LENGTH and claimed.unit != limit.unit:
        return False
    first, second = (one.value * LENGTHS.get(one.unit, 1) for one in (claimed, limit))
    if _AT_MOST.search(sentence):
        return first <= second
    return bool(_AT_LEAST.search(sentence)) and first >= second


_AT_MOST = re.compile(
    r"\b(?:maxim[oa]|no (?:se )?(?:podra|excedera|superara|exceder|superior|sera superior|mayor)\w*|hasta|"
    r"como mucho|at most|"
    r"not exceed\w*|maximum|no superior)\b"
)
_AT_LEAST = re.compile(
    r"\b(?:minim[oa]|al menos|por lo menos|no (?:sera )?inferior|at least|minimum|not less)\b"
)


def _is_given(said: str, claimed: Quantity) -> bool:
    """Tell whether the sentence says outright that the article gives a period: "concede diez días"."""
    verb = _GRANTS.search(said)
    return (
        verb is not None
        and claimed.unit in _LENGTH
        and _place_of(said, claimed.shown, 0)[0] <= verb.end() + 25
    )


def _place_of(folded: str, shown: str, start: int) -> tuple[int, int]:
    """Return where a quantity stands in its sentence; far behind it where it cannot be found."""
    found = re.compile(r"\W+".join(re.escape(word) for word in shown.split())).search(folded, start)
    return found.span() if found else (10**6, 10**6)


@dataclass(frozen=True)
class _Search:
    """The search for the figure of an article that a claimed one contradicts.

    `written` are the figures of the paragraph cited, `whole` the article's, `own` and `around` the stems
    of their sentences. `direct`: the claim names the figure as the article's. `cited`: `written` is one
    paragraph. `term`: the claim calls its figure a term.
    """

    claimed: Quantity
    written: Sequence[Quantity]
    whole: Sequence[Quantity]
    stems: frozenset[str]
    own: Sequence[frozenset[str]]
    around: Sequence[frozenset[str]]
    parts: Sequence[str]
    attributed: bool
    fixed: bool
    direct: bool
    cited: bool
    term: bool

    def other(self) -> Quantity | None:
        """Return the figure that is contradicted."""
        claimed, stems, own = self.claimed, self.stems, self.own
        same = [one for one in self.written if one.unit == claimed.unit]
        agreeing = [one for one in self.written if agrees(claimed, one)]
        if agreeing:
            # The figure is in the article; it contradicts only where it stands in another matter altogether.
            most = max(len(stems & own[one.sentence]) for one in agreeing)
            rivals = [one for one in same if len(stems & own[one.sentence]) >= most + _FEWEST_SHARED]
            return rivals[0] if rivals and most == 0 and not agrees(claimed, rivals[0]) else None
        topical = [one for one in same if stems & own[one.sentence]]
        if self.direct and claimed.unit != "percent":
            topical = [one for one in topical if self._is_term(one)]
        elsewhere = [len(stems & self.around[one.sentence]) for one in self.whole if agrees(claimed, one)]
        nearest = max(topical, key=lambda one: len(stems & own[one.sentence]), default=None)
        # Another paragraph of the article has the figure, and speaks of the matter no less.
        if elsewhere and (nearest is None or max(elsewhere) >= len(stems & own[nearest.sentence])):
            return None
        if nearest:
            return nearest
        if same:
            # "el preaviso de sesenta días previsto en el artículo 11", which knows one figure in days.
            single = len({one.value for one in same}) == 1
            alone = self.fixed or (single and self.attributed and len(stems) <= _FEW)
            term = single and self.direct and claimed.unit in _LENGTH and self._is_term(same[0])
            return same[0] if alone or term else None
        if claimed.unit not in _LENGTH:
            return None
        return self._nearest_period()

    def _nearest_period(self) -> Quantity | None:
        """Return a period of another unit, of the sentences that share most with the claim."""
        least = 1 if self.direct or (self.fixed and self.term) else 2
        shared = {
            one.sentence: len(self.stems & self.own[one.sentence])
            for one in self.written
            if one.unit in _LENGTH and (not self.direct or self._is_term(one))
        }
        most = max(shared.values(), default=0)
        if most < least:
            # The paragraph cited knows one term, and what is told is a term to act.
            terms = [one for one in self.written if one.unit in _LENGTH and self._is_term(one)]
            single = len({(one.value, one.unit) for one in terms}) == 1
            return terms[0] if self.direct and self.cited and single else None
        periods = [
            one for one in self.written if one.unit in _LENGTH and shared.get(one.sentence, 0) >= least
        ]
        best = [one for one in periods if shared[one.sentence] == most]
        # A sentence that shares much speaks of the matter, however many periods it gives.
        few = _FEW_PERIODS if most < 2 else _MANY_PERIODS
        return best[0] if len({(one.value, one.unit) for one in best}) <= few else None

    def _is_term(self, one: Quantity) -> bool:
        """Tell whether the sentence of a figure sets a term or a threshold."""
        return _TERM.search(self.parts[one.sentence]) is not None

    def across(self) -> Quantity | None:
        """Return the one figure of the unit that the article knows, where it is another: of two languages."""
        if not (self.fixed or self.direct) or any(agrees(self.claimed, one) for one in self.whole):
            return None
        same = [one for one in self.written if one.unit == self.claimed.unit]
        if same:
            return same[0] if self.fixed or len({one.value for one in same}) == 1 else None
        periods = [one for one in self.written if {one.unit, self.claimed.unit} <= _LENGTH]
        return periods[0] if periods and self.fixed else None

    def lacks(self) -> bool:
        """Tell whether the paragraph cited knows no period at all, and the article not this one."""
        if any(one.unit in _LENGTH for one in self.written) or any(
            agrees(self.claimed, one) for one in self.whole
        ):
            return False
        return _UNSAID.search(" ".join(self.parts)) is None


def _given_to_another(
    claimed: Quantity, said: str, parts: Sequence[str], written: Sequence[Quantity]
) -> Quantity | None:
    """Return the figure that an enumeration gives to what the sentence gives `claimed` to.

    "Las muy graves a los tres años, las graves a los dos años y las leves a los seis meses": the key "
    "stands on the
    same side of its figure in both. The end of the enumeration that carries the common subject is no key.
    """
    start, end = _place_of(said, claimed.shown, 0)
    if start >= 10**6:
        return None
    before = re.split(r"[,;:.()]", said[:start])[-1]
    after = re.split(r"[,;:.()]", said[end:])[0]
    if _DENIES.search(before) or _DENIES.search(after):
        return None
    found: Quantity | None = None
    for place in {one.sentence for one in written if agrees(claimed, one)}:
        segments = _segments(parts[place], [one for one in written if one.sentence == place])
        if len(segments) < 2:
            return None
        # "sesenta días desde que se supo y seis meses desde …" has its keys behind the figures.
        behind = (
            sum(_KEYED_BEHIND.match(one[1][1]) is not None for one in segments[:-1]) * 2 >= len(segments) - 1
        )
        side = 1 if behind else 0
        stems = [_stems(one[1][side]) for one in segments]
        keys = _stems(after if behind else before) - frozenset.intersection(*stems)
        right = [at for at, one in enumerate(segments) if agrees(claimed, one[0])]
        if any(keys & stems[at] for at in right):
            return None
        # The end that carries the common subject is no key.
        common = len(segments) - 1 if behind else 0
        wrong = [at for at in range(len(segments)) if at not in right and at != common and keys & stems[at]]
        if wrong and found is None:
            found = segments[wrong[-1]][0]
    return found


def _segments(part: str, written: Sequence[Quantity]) -> list[tuple[Quantity, tuple[str, str]]]:
    """Return each figure of a sentence with the words before it and behind it, up to the next figure."""
    spans: list[tuple[Quantity, int, int]] = []
    at = 0
    for one in written:
        start, end = _place_of(part, one.shown, at)
        if start >= 10**6 or one.unit not in _LENGTH:
            return []
        spans.append((one, start, end))
        at = end
    ends = [0, *(end for _, _, end in spans)]
    starts = [*(start for _, start, _ in spans), len(part)]
    return [
        (one, (part[ends[at] : start], part[end : starts[at + 1]]))
        for at, (one, start, end) in enumerate(spans)
    ]


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
    if claimed is None or not parts or (claimed == "leave" and IN_LINE.search(said.replace("exigir", " "))):
        return None
    place = max(range(len(parts)), key=lambda one: len(stems & own[one]))
    shared = len(stems & own[place])
    if first[0] in _NEGATIVE and _QUALIFIED.search(said):
        return None
    told = stems - _VERB_STEMS
    whole = len(told) >= 2 and told <= own[place]
    if (shared < _FEWEST_SHARED and not whole) or shared < len(told) * 0.5:
        return None
    part = CAP.sub(" ", parts[place])
    bans = _NOT.search(part)
    duty = _MUST.search(_NOT.sub(" ", part))
    leave = _MAY.search(_NOT.sub(" ", part))
    written = None
    if claimed == "bans" and not bans and (duty or leave):
        written = duty or leave
    elif claimed == "leave" and bans and not (duty or leave):
        written = bans
    elif claimed == "duty" and not duty and (leave or bans) and shared > _FEWEST_SHARED:
        written = leave or bans
    elif claimed == "free" and duty and not _RESTRICTS.search(part):
        written = duty
    elif claimed == "bans" and not bans and not _RESTRICTS.search(part) and told <= own[place]:
        written = _STATED.search(part)
    if written is None:
        return None
    verb = next((word for word in first if word in _FORBIDS | _OBLIGES | _PERMITS | _FREES), first[0])
    return Comparison("different", _share(stems, own[place]), "meaning", "modality", verb, written[0])


def _claimed(first: Iterable[str]) -> str | None:
    words = list(first)
    if _GIVES_EFFECT.match(" ".join(words)):
        return "leave"
    negated = bool(words) and words[0] in _NEGATIVE
    for word in words:
        if word in _FORBIDS:
            return None if negated else "bans"
        if word in _PERMITS:
            return "bans" if negated else "leave"
        if word in _OBLIGES:
            return "free" if negated else "duty"
        if word in _FREES:
            return None if negated else "free"
    return None
