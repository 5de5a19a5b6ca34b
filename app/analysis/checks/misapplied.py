"""Tell which articles a document invokes for what they do not provide. Pure.

Two readings of the law by our own authors say so, where a comparison of words cannot (decision 087):

- "El ingreso se hará en cinco días, según el artículo 62.5": the rule that condemns the clause rests on the
  very article that the clause invokes;
- "el artículo 690 da seis meses": the file of common misreadings knows what is wrongly said of the article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app import corpus
from app.analysis.support.attributed_claims import sentence_before, until_end
from app.analysis.support.attribution_words import BRACKETED, CUE, OF_ARTICLE, OTHERS, SAYING
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import Citation
from app.rules import Section, Statement, misread
from app.text.bilingual import Bilingual
from app.text.normalize import LAW

_WORSE: Final = ("high", "medium")  # what a rule calls low is lawful, and only to be known
_REACH: Final = 60  # characters between a citation and the verb that says what it provides
_BEHIND: Final = 320
# "la certificación que dice el artículo 9": the clause names a thing of the article, not its rule.
_NAMES_A_THING: Final = re.compile(
    r"\bque\s(?:dice|dispone|establece|senala|preve|ordena|preceptua|prescribe|exige|declara)[n]?\s"
    r"(?:(?:el|la|los|las)\s)?$|\bdi cui (?:all|agli|al|ai|alla)\W*$"
)
_SO_PERMITS: Final = re.compile(r"\W*(?:asi lo |so )(?:permite|autoriza|consiente|admite|permits|allows)")
# "artículo 1102, which they read as allowing …", "que según las partes permite …"
_READ_AS: Final = re.compile(
    r"\W{1,3}(?:que|which|read|interpretad\w+|entendid\w+)\b[^.;]{0,60}"
    r"(?:permit|autoriz|admit|consient|allow|permit|understand|entiend|segun|\bread\b|lets?\b)",
    re.IGNORECASE,
)
# Who complains of a breach cites the article for what it says.
_DENOUNCES: Final = re.compile(
    r"\b(?:contrari[oa]|contravien\w+|contraven\w+|infring\w+|vulner\w+|incumpl\w+|en contra de|abusiv\w+|"
    r"nul[oa]s?|nulidad|viola[n]?|breach\w*|contrary|void|unfair|renunci\w+ (?:a|al|del?)\b|waives?|pese al?|"
    r"a pesar del?|no obstante lo|sin perjuicio|despite|notwithstanding|frente al?|impid\w+|prohib\w+)",
    re.IGNORECASE,
)
# Behind the citation, what tells that the sentence calls the contrary void, a breach, or not so.
_DENOUNCES_BEHIND: Final = re.compile(
    r"\b(?:contrari[oa]s?|contravien\w+|contraven\w+|infring\w+|vulner\w+|incumpl\w+|abusiv\w+|nul[oa]s?|nulidad|"
    r"viola[n]?|(?<!data )(?<!notifies a )(?<!notify a )(?<!report a )breach\w*|contrary|void|unfair|"
    r"prohib(?!ir|icion)\w+|impide[n]?|no valen?|no vinculan?|"
    r"sin efecto|"
    r"por no puest[oa]s?|sino)\b",
    re.IGNORECASE,
)
# Where what the article says ends, and the facts or the reasons begin.
_FACTS: Final = re.compile(
    r";|,\s(?:(?:y\s)?por (?:lo que|tanto|ello)|de (?:modo|manera|forma|suerte) que|so that|therefore)\b|"
    r",\s(?:y|aqui|hoy|and|here|today)\b|"
    # "…, pero la empresa entiende que no le obliga": what a party holds against the article.
    r",\s(?:pero|aunque|si bien|mas|but|though|although)\s[^,.;]{0,40}\b(?:entiend|consider|sostien|opin|"
    r"creen?\b|estim|interpret|holds?\b|thinks?\b|believes?\b|takes? the view)|"
    r"\b(?:pues|porque|ya que|dado que|al haber\w*|since|because)\b",
    re.IGNORECASE,
)
_RESTS_ON: Final = re.compile(
    r"\b(?:regla|plazo|imperio|apoyo|amparo|virtud|virtue|basis|rely on|relies on) (?:del?|of)?\W|"
    r"\bcon (?:fundamento|base) en\W[^.;]{0,12}$",
    re.IGNORECASE,
)
# "El artículo 496 LEC considera …": the article is who does what the verb says.
_SUBJECT: Final = re.compile(r"(?:^|[.;:])\W*(?:el|the)\s$", re.IGNORECASE)
_DOES: Final = re.compile(
    r",?\s(?:no |solo |se )?(?:asimila|atribuye|comprende|considera|conserva|convierte|cuenta|dispensa|"
    r"equipara|excluye|extiende|incluye|interrumpe|invierte|libera|limita|mantiene|niega|obliga|presume|reserva|"
    r"sanciona|suspende|traslada|treats|counts|covers|includes|excludes|limits|extends|keeps|presumes|shifts)\b"
)
# How documents in Portuguese, French, Italian and German say that an article of their law provides something.
_IN_OTHER_WORDS: Final = ("PT:", "BR:", "FR:", "IT:", "DE:")
_SAYS_ABROAD: Final = re.compile(
    r"\b(?:segundo|conforme|nos termos|assim o (?:estabelece|preve|dispoe)|como (?:permite|preve|autoriza)|"
    r"selon|conformement|aux termes|en application|comme (?:le )?(?:prevoit|permet|autorise)|"
    r"secondo|ai sensi|come (?:consente|ammette|prevede|permette)|"
    r"gemass|gemaß|nach|laut|richtet sich|wie [^.;]{0,20}(?:vorsieht|erlaubt))\b|"
    r"\bque (?:so )?(?:exige|permite|preve|limita)|\bche (?:consente|ammette|permette|prevede)|"
    r"\bqui (?:permet|autorise|prevoit)"
)
# "As laid down in article 31"; "manifiesta, citando el artículo 238.1, que …".
_LAID_DOWN: Final = re.compile(
    r"\b(?:laid down|set out|set down|provided(?: for)?|prescribed|stated|required|foreseen|fixed"
    r"|contemplated) (?:in|by|under)\W+(?:the\W)?$|"
    r"\b(?:citando|invocando|alegando|apelando a|acogiendose a|con cita del?|con apoyo en|citing|invoking"
    r"|quoting)\W[^.;]{0,30}$",
    re.IGNORECASE,
)
# "… del artículo 34. Dicho artículo la reconoce …": the next sentence says it.
_SAME_ARTICLE: Final = re.compile(
    r"[.;]\s+(?:(?:se hace constar|se recuerda|consta|adviertase) que )?"
    r"(?:dicho|este|ese|aquel|el citado|el mismo|that|this|said|the said) "
    r"(?:articulo|precepto|article|section|provision)\b",
    re.IGNORECASE,
)
# "…, and the buyer waives this article": who gives an article up does not invoke it for the contrary.
_GIVEN_UP: Final = re.compile(
    r"\b(?:waiv\w+|renunci\w+ (?:a|al)|exclu(?:de[sd]?|yen?)|excluid[oa])\b[^.;]{0,30}\b"
    r"(?:this|that|said|its|dicho|este|ese|aquel|el citado|su)\s"
    r"(?:article|section|provision|protection|benefit|articulo|precepto|norma|proteccion|aplicacion)\b",
    re.IGNORECASE,
)
# "Ley 3/1991, de 10 de enero, de Competencia Desleal, …": a law's name says nothing of its article.
_DATED: Final = re.compile(r"\b(?:de|of) \d{1,2}(?: de)? [a-z]+(?: de \d{4}| \d{4})?$", re.IGNORECASE)
_NAME: Final = re.compile(
    r",\s{1,2}(?:de|del|sobre|reguladora?|por (?:el|la) que se|on)\s(?!modo|forma|manera|suerte|acuerdo)"
    r"[^,.;:]{3,160}(?=,)"
)
_APPOSED: Final = re.compile(r"[,:(]\s{0,2}(?:(?:el|the)\s)?$")
_NOTE: Final = Bilingual(
    "El documento invoca este precepto en apoyo de algo que, como se dice entre los riesgos, no permite o "
    "regula de otro modo: «{title}».",
    "The document invokes this provision in support of something that, as said among the risks, it does not "
    "allow or lays down otherwise: “{title}”.",
)
_SAYS: Final = Bilingual("El precepto no dice eso: {says}", "The provision does not say that: {says}")


def misapplied(
    cited: Sequence[Citation], statements: Mapping[Statement, Iterable[Citation]], finder: QuoteFinder
) -> Iterator[tuple[Citation, Bilingual]]:
    """Yield the citations of a document that it invokes for what they do not provide, each with the reason.

    Args:
        cited: the citations of the document, in its order.
        statements: by statement, the authorities that it names, the chief one first.
        finder: the document, in which what a statement quotes is looked up.
    """
    articles = [one for one in cited if one.kind == "L4-N" and one.articles]
    if not articles:
        return
    plain = LAW.fold(finder.text)
    told: set[int] = set()
    for one, sentence, around in _sentences(plain, finder.text, articles):
        says = misread(one, sentence, around)
        if says is not None:
            told.add(one.start)
            es, en = _inside(says.es), _inside(says.en)
            yield one, Bilingual(_SAYS.es.format(says=es), _SAYS.en.format(says=en))
    condemning = [statement for statement in statements if _condemns(statement)]
    if not condemning:
        return
    invoked = [
        one
        for one in articles
        if one.start not in told and _invoked(plain, one) and not _given_up(plain, one)
    ]
    for statement in condemning:
        chief = next((one for one in statements[statement] if one.articles), None) if invoked else None
        if chief is None:
            continue
        title = statement.text.partition(". ")[0].rstrip(".")
        for words in statement.quotes:
            place = finder.find(words)
            for one in invoked:
                if place is not None and place.start <= one.start < place.end and _same(one, chief):
                    yield one, Bilingual(_NOTE.es.format(title=title), _NOTE.en.format(title=title))


def apply(verdict: corpus.Verdict, note: Bilingual) -> corpus.Verdict:
    """Return a verdict as it is of an article that a document misapplies: only a verified one changes."""
    if verdict.status != "verified":
        return verdict
    return replace(
        verdict, status="mismatch", note=note.es, note_en=note.en, mismatch_kind="meaning", depth="words"
    )


def _sentences(plain: str, text: str, articles: Sequence[Citation]) -> Iterator[tuple[Citation, str, str]]:
    """Yield the articles of which something is said, with what is said of them and the whole sentence.

    What is said stands around the citation, up to its neighbours, and without facts and reasons.
    """
    for place, one in enumerate(articles):
        lead = sentence_before(plain, one.start)
        first = articles[place - 1].end if place else 0
        last = articles[place + 1].start if place + 1 < len(articles) else len(plain)
        lead = plain[max(one.start - len(lead), first) : one.start]
        end = _name_ends(plain, one)
        beyond = plain[end : min(end + 2 * _BEHIND, last)]
        behind = until_end(beyond[:_BEHIND])
        again = _SAME_ARTICLE.match(beyond, len(behind))
        if again is not None:
            behind = beyond[: again.end() + len(until_end(beyond[again.end() :]))]
        if _DENOUNCES.search(lead) or not _speaks(plain, one, lead, behind):
            continue
        facts = _FACTS.search(behind)
        said = behind[: facts.start()] if facts else behind
        if _DENOUNCES_BEHIND.search(said):
            continue
        own = len(lead) - lead.rfind(";") - 1
        yield (
            one,
            f"{text[one.start - own : one.start]} {text[end : end + len(said)]}",
            f"{text[one.start - len(lead) : one.start]} {text[end : end + len(behind)]}",
        )


def _speaks(plain: str, one: Citation, lead: str, behind: str) -> bool:
    """Tell whether a sentence says what an article provides, or rests on it for what it says."""
    return bool(
        _invoked(plain, one)
        or _READ_AS.match(behind)
        or SAYING.search(behind[:_REACH])
        or SAYING.search(lead[-_REACH:])
        or BRACKETED.search(lead[-_REACH:])
        or _APPOSED.search(lead)
        or _LAID_DOWN.search(lead)
        or _SAME_ARTICLE.search(behind)
        or _RESTS_ON.search(lead[-_REACH:])
        or (_SUBJECT.search(lead) and _DOES.match(behind))
        or (
            (one.norm or "").startswith(_IN_OTHER_WORDS)
            and (_SAYS_ABROAD.search(lead[-_REACH:]) or _SAYS_ABROAD.search(behind[:_REACH]))
        )
    )


def _inside(sentence: str) -> str:
    """Return a sentence as it stands behind a colon."""
    return sentence[:1].lower() + sentence[1:]


def _condemns(statement: Statement) -> bool:
    return statement.section is Section.RISKS and statement.origin == "rules" and statement.severity in _WORSE


def _invoked(plain: str, citation: Citation) -> bool:
    """Tell whether a text says that it follows an article, or what the article provides."""
    lead = sentence_before(plain, citation.start)
    if _NAMES_A_THING.search(lead):
        return False
    if CUE.search(lead[-_REACH:]) or OF_ARTICLE.search(lead[-_REACH:]):
        return True
    end = _name_ends(plain, citation)
    behind = until_end(plain[end : end + _BEHIND])
    verb = SAYING.search(behind[:_REACH])
    if verb is None:
        return _SO_PERMITS.match(behind) is not None
    return OTHERS.search(behind[: verb.start() + 1]) is None


def _name_ends(plain: str, citation: Citation) -> int:
    """Return where the name of the law ends that a citation gives by its number and date."""
    if _DATED.search(plain[citation.start : citation.end]) is None:
        return citation.end
    name = _NAME.match(plain, citation.end)
    return name.end() if name is not None else citation.end


def _given_up(plain: str, citation: Citation) -> bool:
    """Tell whether the rest of the sentence waives or excludes the article that it cites."""
    return _GIVEN_UP.search(until_end(plain[citation.end : citation.end + _BEHIND])) is not None


def _same(one: Citation, other: Citation) -> bool:
    """Tell whether two citations name the same article, and the same paragraph of it where both name one."""
    if one.norm != other.norm or not set(one.articles) & set(other.articles):
        return False
    first, second = _paragraphs(one), _paragraphs(other)
    return not first or not second or bool(first & second)


def _paragraphs(citation: Citation) -> frozenset[str]:
    named = citation.divisions[0] if len(citation.divisions) == 1 else ()
    return frozenset(value for division in named[:1] for value in division.values)
