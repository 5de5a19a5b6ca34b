"""Recognise the kind of a document by the words of `data/kinds*.toml` and by what it provides.

Words that name a kind are sure and few; a lay drafter never writes them. Where they do not settle it, a
classifier that learnt from excerpts of each kind (`data/kind_exemplars`, decision 066) weighs in with all the
words of the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.rules import clause_types
from app.rules.document import Document, Expression, Span, compile_pattern
from app.rules.draft import Family
from app.rules.rulebook.schema import Kind, Rulebook
from app.text.bilingual import Bilingual
from app.text.tongues import Tongue

_TITLE_ZONE = 900  # a title stands in the first lines; letterheads and court names may come before it
_FIRST_LINE = 160
_TITLE, _SIGNAL, _AGAINST = 6, 2, 3
_NEEDED = 8
_GENERIC = "lease"
_MARGIN = 2  # a lead smaller than this is told to the reader as a doubt

# A title and words beyond doubt need no second opinion.
_CERTAIN, _CLEAR_LEAD = 16, 6
# How much substance counts beside a point of words, and by how much both must lead to overrule words.
_SUBSTANCE, _OVERRULES, _NAMED = 0.6, 4, 10
# What a kind needs that words do not name: of both together, and of substance; less where no other is near.
_ENOUGH, _ALONE, _FEWEST_WORDS = 10, 12, 60
_APART, _APART_ENOUGH, _APART_ALONE = 3, 6, 8
# A letter home about the new flat has the words of a lease; what it lacks are signs that anybody is bound:
# who signs, what will be done, what is declared, money, law, a day, a term.
_BINDING = tuple(
    compile_pattern("|".join(words))
    for words in (
        (
            "\\bfirm(a|ad|o|en|amos|ado|ada)\\b|\\bconforme\\b|recibi\\b|\\b(dni|nie|nif)\\b|para que conste",
            "atentamente|estimad[oa]|muy (senor|sr)|a la atencion|asunto|comparec|reunidos|de una parte",
            "signed|signature|by (paying|signing|booking)|yours|\\bdear\\b|sincerely",
        ),
        (
            "\\b(pagar|abonar|devolver|entregar|dar|deber|podr|percibir|cobrar|recibir|tendr|ser|responder|avisar)"
            "(a|an|as|emos|e|eis)\\b|[a-z]{3}(areis|ereis|ireis)\\b",
            "\\bse (paga|devuelve|entrega|cobra|descuenta|compromete|obliga)n?\\b|compromet|me oblig|renunci",
            "\\b(shall|must|agrees?|undertakes?|hereby)\\b|\\bwill (pay|be paid|keep|return|have|not)\\b",
            "\\b(you|we|they|he|she) (accept|may|can only|suspend|dismiss)\\b|\\bmay not\\b",
        ),
        (
            "\\b(acuerd[oa]n?|acord(amos|o)|convienen?|pactan|autoriz[oa]|reconoc(e|en)|reconozco|declar[oa]n?)\\b",
            "\\b(comunic|notific|confirm|reclam)(o|a|amos)\\b|\\b(pido|exij[oa]|requier[oe]|certific[oa]|convoca)\\b",
            "\\b(impon(e|go)|resuelv[oe]n?|dispon(e|go)|suplico|conden[oa]|hac(e|go) constar|otorg[oa]n?)\\b",
            "\\b(lego|vend[eo]n?|alquil[oa]n?|arriendan?|ced(e|o|en)|contrat[ao]|presto)\\b",
            "\\bno (vengas|vuelvas)\\b|\\bte (quito|pago|cobro|doy|dejo|descuento|vas)\\b",
        ),
        (
            "\\d[\\d., _]* ?(euros?|eur)\\b|\\b(euros?|eur) ?\\d|\\b(cien|mil|cient[oa]s) euros",
            "\\d ?%|por ciento",
        ),
        ("\\b(articulos?|art[_.]|ley|real decreto|convenio|codigo|estatutos?|act|statute)\\b",),
        (
            "\\d{1,2} de (enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre)\\b",
            "\\d{1,2} de (noviembre|diciembre)\\b|\\d{1,2}[/-]\\d{1,2}[/-]\\d{2,4}",
            "\\d{1,2} (january|february|march|april|may|june|july|august|september|october)\\b",
            "\\d{1,2} (november|december)\\b|(antes del|hasta el|desde el|el dia) \\d{1,2}\\b",
        ),
        (
            "\\bplazo\\b|\\b(dos|tres|cuatro|cinco|seis|doce|\\d+) (meses|anos|dias|semanas)\\b",
            "al mes\\b|mensual|trimestre|\\b(months?|years?|days)\\b",
        ),
    )
)
_FEWEST_SIGNS = 2
# The same of other languages.
_FIGURES = "\\d[\\d., _]* ?(euros?|eur|r\\$)|\\d ?%|[0-9]{1,2}[/_-][0-9]{1,2}[/_-][0-9]{2,4}"
_OF_LANGUAGE: Mapping[Tongue, tuple[str, ...]] = {
    "pt": (
        "\\bassin(a|ado|ada|am|atura)\\b|\\b(cpf|cnpj|nif)\\b|atenciosamente|exm[oa]|contraentes|outorgante",
        "\\b(pagara|devera|podera|obriga-se|compromete|paga|entrega|renuncia|autorizo|nomeio|lego)\\b",
        "\\b(declaro|declara|lei|artigo|art_|clt|codigo|decreto|contrato)\\b",
        "\\b(meses|dias|anos|prazo|mensal|mensais)\\b",
    ),
    "fr": (
        "\\bsign(e|ee|ons|ature|es)\\b|lu et approuve|siret|\\brcs\\b|cordialement|soussigne",
        "\\b(paiera|devra|pourra|s'engage|verse|renonce|autorise|legue|nomme|remettra|reglera)\\b",
        "\\b(declare|loi|article|art_|code|decret|contrat|convention)\\b",
        "\\b(mois|jours|ans|delai|mensuel|mensuelle|semaines?)\\b",
    ),
    "it": (
        "\\bfirm(a|ato|ata|iamo|o)\\b|sottoscritt|codice fiscale|partita iva|distinti saluti",
        "\\b(paghera|dovra|potra|si (obbliga|impegna)|versa|rinuncia|autorizza|nomino|lascio)\\b",
        "\\b(dichiar[ao]|legge|articolo|art_|codice|decreto|contratto)\\b",
        "\\b(mesi|giorni|anni|termine|mensil[ei]|settimane?)\\b",
    ),
    "de": (
        "unterschr|unterzeichn|\\bgruss|handelsregister|\\bhrb\\b|vertreten durch|geboren am",
        "\\b(zahlt|verpflichtet|(hat|ist) zu|darf|muss|verzichtet|vermache|bevollmachtige|kundigen?)\\b",
        "\\b(vereinbar[a-z]*|erklar[a-z]*|gesetz|bgb|hgb|vertrag|abs_)\\b",
        "\\b(monat[a-z]*|tagen?|jahre?n?|frist|wochen?)\\b",
    ),
}
_BINDING_OF: Mapping[Tongue, tuple[Expression, ...]] = {
    tongue: tuple(map(compile_pattern, (*signs, _FIGURES))) for tongue, signs in _OF_LANGUAGE.items()
}
# The titles of what a house lays down for everybody in it.
_RULES_FOR_ALL = compile_pattern(
    "(^|[\n.])[\\s]*(politica (de|del|interna|sobre|para|general)"
    "|protocolo (de|del|interno|para|contra|frente)"
    "|reglamento (interno|de regimen interior|de orden)|codigo (etico|de (conducta|etica))"
    "|manual (de|del)\\b|(staff|employee) handbook|code of (conduct|ethics)"
    "|[a-z]+ policy\\b|regulamento interno"
    "|codigo de conduta|reglement interieur|charte|regolamento (interno|aziendale)|codice etico"
    "|betriebsordnung|verhaltenskodex)"
)
# What only a letter does, whose heading may name the code that was broken.
_TELLS_ONE = compile_pattern(
    "\\b(le|te) (comunic|notific|inform)(o|amos)\\b[^.;]{0,160}\\b(despid|despedid|extin|sancion|cese)"
    "|\\bwe (hereby )?(dismiss|inform you)\\b[^.;]{0,80}\\b(dismiss|terminat|employment)"
)
_TO_ONE_WORKER = frozenset(
    {
        "dismissal_letter",
        "objective_dismissal",
        "contract_end_notice",
        "settlement_receipt",
        "disciplinary_sanction",
        "employment_certificate",
    }
)
_OPENING = 300
_NEAR = 4  # points behind the kind found
_SIGNS_OF_ALSO = 4
_SIGNS_OF_PAPER = 2
_ABOVE_NONE = 6
_UNKNOWN = Bilingual(es="documento de tipo no reconocido", en="document of a kind not recognised")


@dataclass(frozen=True, slots=True)
class Recognition:
    """The kind found, or None; the runner-up when it came close; and the words that decided.

    `also` is a kind of another family that words and substance together speak for nearly as much: a loan told
    as a story reads like a letter of demand. Its rules about clauses are asked too. `spoken_for` are the
    kinds of which signs stand somewhere in the text, whatever speaks against them.
    """

    kind: Kind | None
    rival: Kind | None
    score: int
    span: Span | None
    also: Kind | None = None
    spoken_for: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        """Return the id of the kind, "unknown" when there is none."""
        return self.kind.id if self.kind is not None else "unknown"

    @property
    def name(self) -> Bilingual:
        """Return the name of the kind in both languages."""
        return self.kind.name if self.kind is not None else _UNKNOWN

    @property
    def family(self) -> Family:
        """Return the family of the kind: contract, pleading, act, letter, ruling or unknown."""
        return self.kind.family if self.kind is not None else "unknown"


def recognise(document: Document, rulebook: Rulebook) -> Recognition:
    """Return the kind of `document`: it needs a title or several signals; a tie goes to the earlier title.

    Raises:
        WeightsError: when the classifier of kinds has not been learnt, and words do not settle it.
    """
    candidates = ranked(document, rulebook)
    best, rival = candidates[:2]
    spoken_for = frozenset(one.kind.id for one in candidates if one.signs >= _SIGNS_OF_PAPER)
    also = None
    # What a house lays down for everybody is no letter to one of its workers, whatever it threatens with.
    if best.kind.id in _TO_ONE_WORKER and _is_for_all(document, best):
        return Recognition(None, None, best.points, None, None, spoken_for)
    if best.points < _CERTAIN or best.points - rival.points < _CLEAR_LEAD:
        named = best.points >= _NEEDED and best.position < _FIRST_LINE
        points = {one.kind.id: one.points for one in candidates}
        found = _by_substance(document, points, best.kind.id, named=named)
        if found is None:
            return Recognition(None, None, best.points, None, None, spoken_for)
        also = _also(document, points, found, rulebook)
        if found != best.kind.id:
            one = next(one for one in candidates if one.kind.id == found)
            if found in _TO_ONE_WORKER and _is_for_all(document, one):
                return Recognition(None, None, one.points, None, None, spoken_for)
            doubt = best.points >= _NEEDED and best.points - one.points < _MARGIN
            return Recognition(
                one.kind, best.kind if doubt else None, one.points, one.title, also, spoken_for
            )
    # "Lease" is what every lease is when nothing says more: no doubt about the kind.
    close = rival.points >= max(_NEEDED, best.points - _MARGIN + 1) and rival.kind.id != _GENERIC
    return Recognition(best.kind, rival.kind if close else None, best.points, best.title, also, spoken_for)


class Candidate(NamedTuple):
    """A kind with what words give it: points, and how many signs speak for it, whatever speaks against.

    `title` is where its title stands, which begins at `position`: the length of the text where it has none.
    """

    points: int
    position: int
    kind: Kind
    title: Span | None
    signs: int


def ranked(document: Document, rulebook: Rulebook) -> list[Candidate]:
    """Return every kind by what the words of a document give it, the best first."""
    titled = rulebook.kind_titles.standing_in(document, _TITLE_ZONE)
    points, signs = [0] * len(rulebook.kinds), [0] * len(rulebook.kinds)
    for place in rulebook.kind_words.standing_in(document):
        order, speaks_for = rulebook.kind_word_owners[place]
        points[order] += _SIGNAL if speaks_for else -_AGAINST
        signs[order] += speaks_for
    candidates = []
    titles = 0  # of the kinds before this one
    for order, kind in enumerate(rulebook.kinds):
        stand = titled.intersection(range(titles, titles + len(kind.titles)))
        score, span = _title(document, kind) if stand else (0, None)
        titles += len(kind.titles)
        position = span.start if span is not None else len(document.text)
        candidates.append(Candidate(points[order] + score, position, kind, span, signs[order]))
    candidates.sort(key=lambda one: (-one.points, one.position))
    return candidates


def _also(document: Document, points: Mapping[str, int], found: str, rulebook: Rulebook) -> Kind | None:
    """Return a kind of another family that words and substance speak for nearly as much as for `found`."""
    classifier = clause_types.kind_classifier(document.source.tongue)
    if classifier is None:
        return None
    scores = classifier.scores(document.part_words)
    totals = {kind: points[kind] + _SUBSTANCE * scores.get(kind, 0.0) for kind in points}
    kinds = {kind.id: kind for kind in rulebook.kinds}
    others = [kind for kind in points if kinds[kind].family != kinds[found].family]
    near = max(others, key=lambda kind: totals[kind])
    close = totals[near] >= max(_ENOUGH, totals[found] - _NEAR) and points[near] >= _SIGNS_OF_ALSO
    return kinds[near] if close else None


def _by_substance(document: Document, points: Mapping[str, int], best: str, *, named: bool) -> str | None:
    """Return the kind that words and substance together speak for; `None` where they are not enough.

    Args:
        document: the document.
        points: what the words of each kind gave it.
        best: the kind that words alone speak for most.
        named: whether the first line calls it so; then only a kind that words name too overrules it.
    """
    classifier = clause_types.kind_classifier(document.source.tongue)
    # A note of a few sentences resembles anything.
    if classifier is None or len(document.folded.split()) < _FEWEST_WORDS:
        return best if points[best] >= _NEEDED else None
    scores = classifier.scores(document.part_words)
    if points[best] >= _NAMED and best not in scores:
        return best  # nothing was learnt of it, and words name it
    none = scores.get(clause_types.NONE, 0.0)
    if points[best] < _NAMED and none >= max(_ALONE, scores.get(best, 0.0) + _ABOVE_NONE):
        return None  # notes of a lecture on leases
    totals = {kind: found + _SUBSTANCE * scores.get(kind, 0.0) for kind, found in points.items()}
    found = max(totals, key=lambda kind: totals[kind])
    if points[best] >= _NEEDED:
        overruled = totals[found] >= totals[best] + _OVERRULES and (not named or points[found] >= _NEEDED)
        return found if overruled else best
    signs = _BINDING_OF.get(document.source.tongue, _BINDING)
    if sum(document.find(sign) is not None for sign in signs) < _FEWEST_SIGNS:
        return None
    learnt = scores.get(found, 0.0)
    enough = totals[found] >= _ENOUGH and learnt >= _ALONE and learnt >= none + _ABOVE_NONE
    # Words of strangers lower every score alike; that one kind stands out says as much as how high it is.
    next_total = max(total for kind, total in totals.items() if kind != found)
    apart = totals[found] - next_total >= _APART
    apart = apart and totals[found] >= _APART_ENOUGH and learnt >= max(_APART_ALONE, none + _ABOVE_NONE)
    return found if enough or apart else None


def _is_for_all(document: Document, named: Candidate) -> bool:
    """Tell whether the opening calls a document the rules of a house, a policy or a code, and not `named`."""
    return (
        named.position >= _FIRST_LINE
        and document.find(_RULES_FOR_ALL, 0, _OPENING) is not None
        and document.find(_TELLS_ONE) is None
    )


def _title(document: Document, kind: Kind) -> tuple[int, Span | None]:
    """Return what the title of a document gives to a kind, and where it stands."""
    title: Span | None = None
    for pattern in kind.titles:
        found = document.find(pattern.compiled, 0, _TITLE_ZONE)
        if found is not None and (title is None or found.start < title.start):
            title = found
    if title is None:
        return 0, None
    # What stands in the first line outweighs a mention further down.
    return _TITLE + (2 if title.start < _FIRST_LINE else 0), title
