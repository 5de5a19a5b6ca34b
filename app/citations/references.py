"""Join articles to the norm they belong to: the law named after the list, or the one named before."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.citations import prefilter
from app.citations.changed_laws import amending_laws, laws_in_passing
from app.citations.citation import Finding, Mention
from app.citations.grammars.articles import (
    HEAD,
    Article,
    ArticleList,
    read_articles,
    read_disposition,
    read_short_disposition,
)
from app.citations.numerals import number
from app.citations.what_is_called import (
    CONSTITUTION,
    RECAST_TEXT,
    is_called_code,
    is_named_code,
    is_no_statute,
    is_operative,
    is_recast_text,
    up_to_name,
    with_articles,
)

_HEADS = prefilter.compile(
    rf"(?i)\b(?:({HEAD})|(disp(?:osici(?:o|\x{{FFFD}})n(?:es)?|s?\.)\s{{0,3}})(?:adic|transit|trans|"
    rf"final|fin|derog)|(additional|transitional|final|repealing)\sprovisions?|(sections?|"
    rf"numeral(?:es)?|diversos?)\s\d)"
)
_SHORT_DISPOSITION = prefilter.compile(
    r"\b(?:D(?:isp)?\.?\s?(?:A|T|F|D)(?:d|ad|dic|rans|in|er|T|A)?\.?\s{0,2}\d{1,2}|"
    r"d[atfd]\s\d{1,2}(?:[ªºa]?\s(?:de\sla\s|del\s)?[a-z]|[ªº]\s(?:de\sla\s|del\s)?[A-Z]{2}))"
)
_KIND_SHORT = re.compile(r"(adic|transit|trans|final|fin|derog)[a-z]*\.?", re.IGNORECASE)
_KINDS = {
    "adic": "adicional",
    "transit": "transitoria",
    "trans": "transitoria",
    "final": "final",
    "fin": "final",
    "derog": "derogatoria",
}
_ENGLISH_DISPOSITION = {"additional": "da", "transitional": "dt", "final": "df", "repealing": "dd"}
_ENGLISH_ORDINAL = re.compile(
    r"(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|sole|single)\s$",
    re.IGNORECASE,
)

_ARTICLE_WORD = (
    r"(?:de\s{1,2}l[ao]s?|del|de\s{1,2}el|de|d[oa]s?|du|des|der|dem|della|dell[oe]|van\s{1,2}(?:de|het)|van|"
    r"of\s{1,2}the|of|"
    r"under\s{1,2}the|in\s{1,2}the|(?:du|de\s?la)dit|d?(?:est|ess)[ae]s?|l[ao]s?|el|the)"
)
_PARTICIPLE = (
    r"(?:citad|mencionad|referid|propi|mism|vigent|actual|indicad|antedich|expresad|dich|susodich|"
    r"aludid|reiterad|repetid|invocad|mentad|consabid|menta|sobredich|prealudid|ladit|lesdit|"
    r"precitad|meritad|nuestr|present|est|es|aquell|tal|said|same|that|this|aforementioned|cited|such|"
    r"mesm|dit|meme|anc\.|ancien|nouveau|presente|medesim|stess|predett|citat|suddett|genannt|selb|gleich)"
    r"(?:[oae]s?|en|er|)"
)
_LINK = re.compile(
    rf"(?P<comma>\s{{0,2}},)?(?P<space>\s{{0,3}})(?:(?P<word>{_ARTICLE_WORD}|de\s{{1,2}}l'|dell'|d')"
    rf"(?:\s{{1,3}}|(?<=')))?(?P<adjective>(?:{_PARTICIPLE}\s{{1,2}}){{0,2}})"
    r"(?P<recast>(?:texto\s{1,2}(?:refundido|unico\s{1,2}ordenado|ordenado)|T\.?R\.?|"
    r"T\.?U\.?O\.?)\s{1,2}(?:aprobado\s{1,2}por\s{1,2}(?:el\s{1,2}|"
    r"la\s{1,2})?|de\s{1,2}la\s{1,2}|del\s{1,2}))?",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"(?:(?P<pronoun>mism[oa]|citad[oa]|referid[oa]|dich[oa]|aquel|aquella|esta|este|mesm[oa])\b|"
    r"(?P<noun>Ley(?:\s{1,2}(?:Organica|adjetiva|sustantiva|procesal|rituaria))?|"
    r"Codigo(?:\s{1,2}(?:adjetivo|sustantivo|procesal))?|texto(?:\s{1,2}(?:legal|refundido|normativo))?|"
    r"cuerpo\s{1,2}(?:legal|normativo)|obra|norma|disposicion|Real\s{1,2}Decreto(?:[\s-]ley|\sLegislativo)?|"
    r"Decreto|Reglamento|Directiva|Estatuto|Constitucion|Act|Law|Code|Regulation|Directive|Statute|"
    r"ordenamiento(?:\s{1,2}legal)?|diploma(?:\s{1,2}legal)?|Codice|Legge|Loi|Lei|Decreto-Lei|Gesetz(?:es|"
    r"buchs?)?|Regulamento|Reglement|wet)\b)",
    re.IGNORECASE,
)
_NAME_FOLLOWS = re.compile(
    r"\s{1,3}(?:de|del|sobre|para|reguladora|por|en|n\.?\s?[ºo]|num|general|organica|foral|of|on)\b|"
    r"\s{1,3}(?-i:[A-Z0-9(])",
    re.IGNORECASE,
)
_UNKNOWN_LAW = re.compile(
    r"(?:Ley|Codigo|Reglamento|Estatuto|Decreto|Real\s{1,2}Decreto|Convenio|Convencion|Tratado|"
    r"Constitucion|Acuerdo|Protocolo|Law|Act|Code|Lei|Regulamento|Loi|Legge)"
    r"(?:\s{1,3}(?:de\s{1,2}las?|de\s{1,2}los|del|de|sobre|para|en|y|e|a|la|las|los|el|reguladora?|"
    r"por|contra|of|on|the|and|[A-Z][A-Za-z'-]{2,25})){0,14}"
)
_OTHER_PAPER = re.compile(
    r"(?:presentes?\s{1,2}|citad[oa]s?\s{1,2}|referid[oa]s?\s{1,2}|nuestr[oa]s?\s{1,2}|"
    r"est[eoa]s?\s{1,2}|es[eoa]s?\s{1,2}|mism[oa]s?\s{1,2}|propi[oa]s?\s{1,2})?"
    r"(?:contratos?|convenios?\s{1,2}colectivos?|convenio\b(?!\s{1,2}(?:Europeo|de\s{1,2}(?:Viena|"
    r"Roma|La\s{1,2}Haya|Nueva)))|estatutos(?!\s{1,2}de\s{1,2}(?:los\s{1,2}Trabajadores|Autonomia))|"
    r"escrituras?|pliegos?|bases\b|condiciones|reglement\s{1,2}interieur|regolamento\s{1,2}(?:interno|"
    r"condominiale)|"
    r"reglamento\s{1,2}(?:de\s{1,2}regimen|interno|interior)|anexos?|acuerdos?\b|polizas?|clausulado|"
    r"normas\s{1,2}de\s{1,2}(?:regimen|funcionamiento)|documento|oferta|demanda\b|escritos?\b|contestacao|"
    r"peticao|requerimento|peca\b|articulado|condizioni|condicoes|conditions\s{1,2}generales|capitolato|polizza|apolice|"
    r"contratto|contrats?\b|bail\b|baux\b|avenants?\b|cahier\s{1,2}des|statuto|statuts?\b|"
    r"(?:Miet|Arbeits|Kauf|Tarif|Werk|Pacht|Dienst|Gesellschafts)?[Vv]ertrag(?:e?s)?|Satzung|suy[oa]\b|"
    r"agreement|contract|bylaws|lease|articles\s{1,2}of\s{1,2}association|deed|policy|periodico|"
    r"revista|diario|libro|autor|prensa|opinion)\b",
    re.IGNORECASE,
)
_CONTINUED = re.compile(
    r"\s{0,2}(?:,\s[ye](?=\s)|,|;|\s[ye]|\sand)\s{0,2}(?:(?:el|los|del|de\s{1,2}los|tambien|"
    r"en\s{1,2}el)\s{1,2}){0,2}(?=\d)"
)
# A convention of the International Labour Organisation, or the law of the matter: cited, and in no registry.
_OF_BRANCH = re.compile(
    r"(?P<noun>Codigo|Ley)\s{1,2}(?:del\s{1,2}ramo|de\s{1,2}la\s{1,2}materia)\b", re.IGNORECASE
)
# "La citada Ley 1437", "ladite loi de 1989": a law named before, by its number or its year alone.
_NUMBER_AGAIN = re.compile(
    r"\s{1,2}(?:(?:n\.?\s?[ºo]\.?|num\.?|no\.)\s{0,2})?(?:(?P<number>\d{1,3}\.\d{3}|\d{1,5})|(?:de|du|"
    r"of)\s{1,2}(?P<year>(?:18|19|20)\d\d))"
    r"(?![\d/-]|\.\d|\s{1,2}de\s{1,2}\d)",
    re.IGNORECASE,
)
# "Art. 22 L. 1989".
_YEAR_OF_LAW = re.compile(
    r"\s{1,2}(?:de\s{1,2}la\s{1,2})?(?:L\.|loi\s{1,2}de)\s{1,2}(?P<year>(?:19|20)\d\d)(?![\d/-])"
)
_UNLISTED = re.compile(
    r"(?:Convenio|Convention|Convenzione|Convencao|Ubereinkommen)\s{1,2}(?:num\.?\s|n\.?\s?[ºo]?\.?\s|"
    r"no\.\s)?\d{1,3}\s{1,2}"
    r"(?:de\s{1,2}la\s{1,2}|de\s{1,2}l'|dell'|da\s{1,2}|of\s{1,2}the\s{1,2})?(?:OIT|O\.I\.T\.|ILO|IAO|OIL|"
    r"Organizacion\s{1,2}Internacional\s"
    r"{1,2}del\s{1,2}Trabajo)|(?:Ley|Codigo|Reglamento)\s{1,2}de\s{1,2}la\s{1,2}materia\b",
    re.IGNORECASE,
)
# What stands between two lists that share the law named after the second.
_COUPLED = re.compile(
    r"\s{0,2}(?:,|y|e|o|,\s{0,2}[ye]|and|et|und|sowie|i\.?\s?V\.?\s?m\.?|,?\s{0,2}en\s{1,2}relacion"
    r"\s{1,2}con|"
    r",?\s{0,2}en\s{1,2}conexion\s{1,2}con|,?\s{0,2}c/c|,?\s{0,2}combinad[oa]s?\s{1,2}com|,?\s{0,2}conjugado\s{1,2}com)\s{1,2}"
    r"(?:(?:(?:en|de|con|com)\s{1,2})?(?:el|la|los|las|the|o|a|os|as|l')\s{0,2})?"
    # A subdivision before the second article: la letra b) del apartado 1 del artículo 6 del RGPD.
    r"(?:(?:(?:apartado|parrafo|numeral|letra|literal|inciso|fraccion|punto|regla|alinea|"
    r"n\.?º)\s{1,2}[\wº.]{1,9}\)?,?\s{1,2})"
    r"(?:del?\s{1,2}(?:la\s{1,2})?)?){0,3}"
)
# "la Ley de Arrendamientos Urbanos, en su artículo 36": the law is named right before its article.
_ITS_OWN = re.compile(
    r",\s{1,3}(?:(?:en|in)\s{1,2})?(?:(?:sus?|its|el|los|the)\s{1,2})?|[\s,(]{0,3}(?:(?:en|"
    r"in)\s{1,2})?(?:sus?|its)\s{1,2}",
    re.IGNORECASE,
)
# "Ley 1755 de 2015, art. 14", "C. civ., art. 2224": the law opens the citation.
_LAW_FIRST = re.compile(r",?\s{1,2}(?!\n)")
_COMMA = re.compile(r",\s{1,2}")
# "anexo 1, artículo 5": of an annex, not of the law named before.
_OF_ANNEX = re.compile(
    r"\b(?:anexos?|adjuntos?|annex|apendice|pliegos?|estatutos|Anlage)\s{1,2}[\w.]{1,6},\s{1,2}$",
    re.IGNORECASE,
)
# "Art. 65 ibídem": of the law named before.
_IBIDEM = re.compile(r",?\s{1,2}(?:ibidem|ibid\.|ib\.|eiusdem|ejusdem)", re.IGNORECASE)
# "Art. 40 ley cit.", "art. 7-1 de la loi précitée", "65 de la misma obra".
_CITED_BEFORE = re.compile(
    r",?\s{1,2}(?:(?:de\s{1,2}la|del|du|de\s{1,2}l'|da|do|della)\s{1,2})?(?P<noun>ley|codigo|decreto|loi|"
    r"code|decret|lei|legge)\s{1,2}"
    r"(?:cit\.?(?![a-z])|precit[a-z]{1,4}|susvise[a-z]{0,2}|supracit[a-z]{2,4})",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(r"(?i)catalu|catala|CCCat|codi civil|code\b|\bc\.\s|tributario|\d\sE\.?T\.?\b")


# An abbreviation that names a law nobody knows here: it is cited, and no law before it is.
_UNKNOWN_SHORT = re.compile(
    r"(?![IVXLC]+\b)(?:[A-Z]{2,}[A-Za-z]{0,6}|[A-Z][a-z]?[A-Z][A-Za-z]{0,8})(?![A-Za-z])(?!\s{1,2}[A-Z]{2,}"
    r"\b)"
)
_POINTS_BACK = re.compile(
    r"\s{1,2}(?:del|de\s{1,2}l[ao])\s{1,2}(?:mism|citad|propi|referid|mencionad)[oa]\s{1,2}(?:ordenamiento|"
    r"Codigo|Ley|cuerpo)\b",
    re.IGNORECASE,
)
# The heading of a paper: its first lines, in capitals or behind a label.
_HEADING = 1_200
_HEADING_LINE = re.compile(r"[A-Z][A-Z .º/-]{2,30}:|[^a-z\n]{12,}(?:\n|$)")
# As much of a paragraph as a reader holds in mind.
_PARAGRAPH = 1_000
# How many mentions back a noun may point.
_HEARD = 12
_MANY = 60
# How far back a text points with "del mismo" for the antecedent to be certain.
POINTED = 250
# "Dicho texto legal", "esa norma": any.
_ANY_NORM = re.compile(
    r"texto(?!\s{1,2}refundido)|ordenamiento|norma|disposicion|cuerpo|diploma|gesetz|wet",
    re.IGNORECASE,
)
# "Esta Ley" may be the text itself.
_SELFSAME = re.compile(
    r"(?:mism|citad|dich|referid|mencionad|propi|aludid|same|said|mesm|meme|dit|medesim|stess|selb|gleich)",
    re.IGNORECASE,
)
_IN_FORCE = re.compile(
    r"\s{1,2}del?(?:\s{1,2}la)?\s{1,2}(?P<noun>(?:ley|codigo)\s{1,2})?(?:vigente|actual)(?=[\s,.;)])(?!\s[A-Z])"
)
_OLD = re.compile(r"\b1[89]\d\d$")
_NUMBERED = re.compile(r"[A-Z]{2}(?:-[A-Z]{2})?:(?P<rank>[a-z?]+):")
_STATUTES = frozenset(
    {"ES:rdleg:2/2015", "ES:rdleg:1/1995", "ES:ley:8/1980", "ES:rdleg:5/2015", "ES:ley:20/2007"}
)


def _rank(mention: Mention) -> str:
    numbered = _NUMBERED.match(mention.norms[0]) if mention.norms else None
    return numbered["rank"] if numbered else ""


def _is_recast(mention: Mention) -> bool:
    return _rank(mention) in ("rdleg", "rdl?", "dleg") or "ES:d:4104/1964" in mention.norms


def is_code(mention: Mention) -> bool:
    """Tell whether a mention is of a code."""
    # Codes have a name for a key ("ES:CC"); so have a few acts of the nineteenth century, and constitutions.
    if not mention.norms or CONSTITUTION.search(mention.norms[0]):
        return False
    return not _rank(mention) or "10/1995" in mention.norms[0] or is_called_code(mention.norms[0])


def _is_law(mention: Mention) -> bool:
    if not mention.norms or is_no_statute(mention.norms[0]):
        return False
    return _rank(mention) not in ("reg", "dir", "dec", "rd", "d", "orden", "decreto", "ds")


def _is_statute(mention: Mention) -> bool:
    return _rank(mention) in ("loi", "lei", "l", "lc")


_NOUN_FITS: Mapping[str, Callable[[Mention], bool]] = {
    "texto": _is_recast,
    "cuerpo": lambda mention: (
        _rank(mention) not in ("circular", "instruccion", "orden") and bool(mention.norms)
    ),
    "codigo": is_code,
    "code": is_code,
    "estatuto": lambda mention: bool(_STATUTES.intersection(mention.norms)),
    "ley": _is_law,
    "loi": _is_statute,
    "lei": _is_statute,
    "legge": _is_statute,
    "obra": is_code,
    "decret": lambda mention: _rank(mention) in ("decret", "d", "rd"),
    "reglamento": lambda mention: _rank(mention) in ("rd", "d", "reg"),
    "regulation": lambda mention: _rank(mention) in ("reg", "rd"),
    "directiva": lambda mention: _rank(mention) == "dir",
    "directive": lambda mention: _rank(mention) == "dir",
    "decreto": lambda mention: (
        _rank(mention) in ("d", "rd", "dl", "dleg", "decreto", "dlgs", "dpr", "dm", "dpcm", "ds", "dnu")
    ),
    "legislativo": lambda mention: _rank(mention) in ("dlgs", "dleg", "rdleg"),
    "real": lambda mention: _rank(mention) in ("rd", "rdl", "rdleg", "rdl?"),
}


@dataclass(slots=True)
class Norms:
    """The mentions of one text in order, found by start, with the search for antecedents."""

    mentions: Sequence[Mention]
    at: Mapping[int, Mention]
    ends: Mapping[int, Mention] = field(default_factory=dict)
    spoken: dict[int, Mention] = field(default_factory=dict)
    cursor: int = 0
    latest: Mention | None = None
    heard: list[Mention] = field(default_factory=list)
    amending: frozenset[int] = frozenset()  # where laws begin that are named for having amended another
    gone: frozenset[int] = (
        frozenset()
    )  # where laws begin that are named whole for being repealed or for a change
    touched: int = 0  # where the last citation without a law of its own ended
    code: Mention | None = None  # what the text calls the code, by `the_code`

    @classmethod
    def of(cls, mentions: Sequence[Mention], folded: str = "") -> "Norms":
        """Return the mentions in order; of two that overlap, the one that starts first, the longer one.

        With the text, laws named for having amended another are no antecedents.
        """
        ordered = sorted(mentions, key=lambda mention: (mention.start, -mention.end))
        kept: list[Mention] = []
        for mention in ordered:
            if not kept or mention.start >= kept[-1].end:
                kept.append(mention)
        amending = amending_laws(folded, [mention.start for mention in kept]) if folded else frozenset()
        gone = laws_in_passing(folded, kept) if folded else frozenset()
        ends = {mention.end: mention for mention in kept}
        return cls(kept, {mention.start: mention for mention in kept}, ends, amending=amending, gone=gone)

    def before(self, pos: int) -> Mention | None:
        """Return the nearest mention that ends before `pos` and can be an antecedent.

        Ask with growing `pos` only.
        """
        while self.cursor < len(self.mentions) and self.mentions[self.cursor].end <= pos:
            mention = self.mentions[self.cursor]
            passing = mention.start in self.gone and mention.start not in self.spoken and self.latest
            if (
                mention.start not in self.amending
                and not passing
                and (mention.antecedent or mention.start in self.spoken)
            ):
                self.latest = mention
                self.heard.append(mention)
            self.cursor += 1
        return self.latest

    def recall(self, mention: Mention | None) -> None:
        """Take a norm that the text came back to ("del mismo código") for the one named last."""
        if mention is not None:
            self.latest = mention

    def the_code(self, antecedent: Mention | None) -> Mention | None:
        """Return what the text calls "the Code" throughout: the first law so called, where it has a number.

        Who calls "Ley 29571, Código de Protección y Defensa del Consumidor" so gives others their whole name.
        """
        if self.code is None and antecedent and _rank(antecedent) and is_called_code(antecedent.norms[0]):
            self.code = antecedent
        return self.code or antecedent

    def only_one(self, noun: str) -> bool:
        """Tell whether all mentions so far that `noun` can name, a code or a statute, are of one norm."""
        word = noun.lower().split()[0] if noun else ""
        if word not in ("texto", "codigo", "code", "estatuto"):
            return False
        return len({one.norms for one in self.heard[-_MANY:] if _NOUN_FITS[word](one)}) == 1

    def oftenest(self, noun: str, pos: int) -> Mention | None:
        """Return the code or law that was named most often shortly before `pos`, the nearest of two alike."""
        self.before(pos)
        heard = self.heard[-_MANY:]
        fits = _NOUN_FITS[noun.lower()]
        times = Counter(one.norms for one in heard if one.norms)
        known = [one for one in heard if one.norms and fits(one) and not CONSTITUTION.search(one.norms[0])]
        return max(reversed(known), key=lambda one: times[one.norms], default=None)

    def numbered(self, number: str, year: str, pos: int) -> Mention | None:
        """Return the nearest mention before `pos` of a norm of this number, or of this year."""
        self.before(pos)
        plain = number.replace(".", "")
        ending = (
            re.compile(rf":{plain}(?:/|$)") if plain else re.compile(rf"(?:[:/]{year}(?:-|$)|:{year[2:]}-\d)")
        )
        for one in reversed(self.heard[-_MANY:]):
            if one.norms and (ending.search(one.norms[0]) or (year and one.ids.get("date", "")[:4] == year)):
                return one
        return None

    def recast(self, folded: str, pos: int) -> Mention | None:
        """Return the nearest law before `pos` that the text calls a recast text."""
        self.before(pos)
        return next((one for one in reversed(self.heard[-_MANY:]) if is_recast_text(folded, one)), None)

    def other(self, folded: str, nearest: Mention, pos: int) -> Mention | None:
        """Return the last law but the nearest that the paragraph cites before `pos`."""
        opening = max(folded.rfind("\n", 0, pos), pos - _PARAGRAPH)
        near = [one for one in reversed(self.heard[-_HEARD:]) if one.start > opening]
        return next((one for one in near if one.norms and one.norms != nearest.norms), None)

    def headed(self, folded: str, pos: int) -> Mention | None:
        """Return the one code that the heading of a paper names, unless the paragraph at `pos` cites another.

        A heading is made of lines in capitals or of what stands behind a label ("MATERIA: …").
        """
        heads = [one for one in self.mentions if one.end <= min(pos, _HEADING) and is_code(one)]
        heads = [one for one in heads if _HEADING_LINE.match(folded, folded.rfind("\n", 0, one.start) + 1)]
        if len({one.norms for one in heads}) != 1:
            return None
        opening = folded.rfind("\n", 0, pos)
        near = [one for one in self.heard[-_HEARD:] if one.start > opening and is_code(one)]
        return None if near and near[-1].norms != heads[0].norms else heads[0]

    def called(self, noun: str, pos: int) -> Mention | None:
        """Return the nearest mention before `pos` of a norm that `noun` can name; the nearest if none can.

        "El mismo texto refundido" is no ordinary law, "dicho Código" no decree.
        """
        latest = self.before(pos)
        fits = _NOUN_FITS.get(noun.lower().split()[0]) if noun else None
        if fits is None:
            return latest
        return next((one for one in reversed(self.heard[-_HEARD:]) if fits(one)), latest)


def _canonical(norm: str | None, articles: tuple[Article, ...]) -> tuple[str, ...]:
    return tuple(f"{norm}:{article.canonical}" for article in articles) if norm and "?" not in norm else ()


def finding_of(start: int, end: int, articles: tuple[Article, ...], mention: Mention) -> Finding:
    """Return the citation of articles of the norm that a mention names."""
    single = len(mention.norms) == 1 or mention.cites
    norm = mention.norms[0] if mention.norms and single else None
    ids = dict(mention.ids)
    if not single:
        ids["candidates"] = " ".join(mention.norms)
    pinpoint = articles[0].pinpoint if len(articles) == 1 else None
    canonical = () if "order" in ids else _canonical(norm, articles)
    return Finding(
        start,
        end,
        "L4-N",
        mention.jurisdiction,
        canonical,
        norm,
        tuple(a.number for a in articles),
        pinpoint,
        ids,
        priority=70,
    )


# "Article 1134 ancien du code civil".
_FORMER_LINK = re.compile(r"\s(?:ancien|anc\.|nouveau)(?=\s(?:du|de)\s)", re.IGNORECASE)
# "Art. 390.1 en relación con el 392 CP": the law behind the second closes both.
_RELATED = re.compile(
    r",?\s(?:en\s(?:relacion|conexion|concordancia)|puesto\sen\srelacion)\scon\s(?:el|los)\s(?:arts?\.\s)?(?=\d)",
    re.IGNORECASE,
)


def law_after(folded: str, pos: int, norms: Norms) -> tuple[Mention, int] | None:
    """Return the norm named right after an article list, with where it ends."""
    former = _FORMER_LINK.match(folded, pos)
    link = _LINK.match(folded, former.end() if former else pos)
    assert link is not None, "every part of the link is optional"
    for place in (link.end(), link.end("adjective"), link.start("adjective"), link.end("space")):
        mention = norms.at.get(place)
        if mention and (place > pos or folded[pos : pos + 1] == "("):
            return mention, mention.end
    return None


def antecedent_of(folded: str, pos: int, start: int, norms: Norms) -> tuple[Mention | None, int, bool, bool]:
    """Return what follows a list without a named norm.

    The antecedent, the end of the citation, whether it is a citation, and whether the text points at the
    antecedent in so many words ("del mismo", "de dicha Ley") and it stands near.
    """
    link = _LINK.match(folded, pos)
    assert link is not None, "every part of the link is optional"
    word = link["word"]
    in_force = _IN_FORCE.match(folded, pos)
    if in_force:
        # "el artículo 524 de la Ley de 1881 y el artículo 399 de la vigente"
        norms.before(start)
        current = [one for one in norms.heard[-_HEARD:] if not _OLD.search(folded, one.start, one.end)]
        finish = in_force.end() if in_force["noun"] else pos
        return (current[-1] if current else None), finish, bool(current), False
    cited = _CITED_BEFORE.match(folded, pos)
    if cited:
        return norms.called(cited["noun"], start), cited.end(), True, True
    ibidem = _IBIDEM.match(folded, pos)
    if ibidem:
        return norms.before(start), ibidem.end(), True, True
    branch = _OF_BRANCH.match(folded, link.end()) if word else None
    if branch and (antecedent := norms.oftenest(branch["noun"], start)):
        return antecedent, branch.end(), True, False
    of_year = _YEAR_OF_LAW.match(folded, pos)
    if of_year and (antecedent := norms.numbered("", of_year["year"], start)):
        return antecedent, of_year.end(), True, True
    unlisted = _UNLISTED.match(folded, link.end())
    if unlisted:
        return Mention(unlisted.start(), unlisted.end(), "", (), known=False), unlisted.end(), True, False
    recast = RECAST_TEXT.match(folded, link.end("adjective")) if word else None
    if recast and not _NAME_FOLLOWS.match(folded, recast.end()):
        antecedent = norms.recast(folded, start)
        if antecedent:
            norms.recall(antecedent)
            return antecedent, recast.end(), True, start - antecedent.end <= POINTED
    short = None if link["comma"] else _UNKNOWN_SHORT.match(folded, link.end())
    if short and link.end() > pos and not folded[start : start + 3].isupper():
        return Mention(short.start(), short.end(), "", (), known=False), short.end(), True, False
    bare = _UNKNOWN_LAW.match(folded, link.end()) if word is None and not link["comma"] else None
    if bare and " " in bare[0].strip() and link.end() > pos and (known := up_to_name(bare[0])):
        # "Art. 12 Ley de Puertos": a law nobody knows here, and no law before it.
        end = bare.start() + len(known)
        return Mention(bare.start(), end, "", (), known=False), end, True, False
    if word is None or word.lower() in ("la", "el", "los", "las", "the"):
        return norms.before(start), pos, True, False
    for place in (link.end("adjective"), link.start("adjective")):
        if _OTHER_PAPER.match(folded, place):
            return None, pos, False, False
    same = _SAME.match(folded, link.end("adjective")) or _SAME.match(folded, link.start("adjective"))
    again = _NUMBER_AGAIN.match(folded, same.end()) if same and same["noun"] else None
    if again and (antecedent := norms.numbered(again["number"] or "", again["year"] or "", start)):
        norms.recall(antecedent)
        return antecedent, again.end(), True, True
    if same:
        named = _NAME_FOLLOWS.match(folded, same.end()) if same["noun"] else None
        if link["adjective"].strip() or not named or same["pronoun"]:
            noun = "" if same["noun"] and _ANY_NORM.match(same["noun"]) else same["noun"] or ""
            antecedent = norms.called(noun, start)
            near = antecedent is not None and 0 <= start - max(antecedent.end, norms.touched) <= POINTED
            adjective = link["adjective"].strip()
            pointed = near and bool(_SELFSAME.match(same["pronoun"] or adjective))
            pointed |= (not adjective or _SELFSAME.match(adjective) is not None) and norms.only_one(noun)
            if not adjective and is_named_code(noun) and (headed := norms.headed(folded, start)):
                antecedent = headed
            norms.recall(antecedent if noun else None)
            if not adjective and is_named_code(noun):
                antecedent = norms.the_code(antecedent)
            if antecedent and not noun and (other := norms.other(folded, antecedent, start)):
                # "Art. 249 LEC … art. 5 LO 1/2025 … art. 403 del mismo texto legal": either may be meant.
                either = {"elided": "1", "or": other.norms[0]}
                antecedent = replace(antecedent, ids={**antecedent.ids, **either})
            return antecedent, same.end(), True, pointed
    unknown = _UNKNOWN_LAW.match(folded, link.end("adjective"))
    if unknown:
        words = up_to_name(unknown[0])
        if words:
            end = unknown.start() + len(words)
            return Mention(unknown.start(), end, "", (), known=False), end, True, False
    if folded[link.end() : link.end() + 1].isupper():
        return None, pos, False, False
    return norms.before(start), pos, True, False


def _heads(folded: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield every head of an article or a disposition, in order: start, end, kind, matched text."""
    found = [(match.start(), match.end(), match) for match in _HEADS.finditer(folded)]
    heads: list[tuple[int, int, str, str]] = []
    for start, end, match in found:
        if match[1] is not None:
            follows = folded[end : end + 2]
            if follows[:1].isalpha() and follows[:1].islower():
                continue
            if len(match[1]) > 5 and follows in (". ", ".\n"):
                continue  # "el Código tiene 2334 artículos. 5.º": the end of a sentence
            heads.append((start, end, "article", match[1]))
        elif match[2] is not None:
            heads.append((start, match.end(2), "disposition", match[2]))
        elif match[3] is not None:
            heads.append((start, end, "english", match[3]))
        elif match[4][:1] in "dD":
            heads.append((start, match.end(4), "other", match[4]))
        elif match[4][:1] in "sS":
            heads.append((start, match.end(4), "section", match[4]))
        else:
            heads.append((start, match.end(4), "numeral", match[4]))
    heads += [
        (match.start(), match.start(), "short", match[0]) for match in _SHORT_DISPOSITION.finditer(folded)
    ]
    yield from sorted(heads)


def _read(
    folded: str, start: int, end: int, kind: str, written: str, hyphens: str
) -> tuple[int, ArticleList, bool] | None:
    """Return where the head at `start` begins, its list, and whether a norm must be named."""
    if kind in ("article", "section", "numeral", "other"):
        ahead = folded[end : end + 90]
        found = read_articles(
            folded,
            end,
            written.lower().endswith(("s", "artt")),
            hyphens == "always" or (bool(hyphens) and bool(_HYPHENATED.search(ahead))),
        )
        # A "section" may be of anything: only a law named right after makes it an article.
        return (start, found, kind not in ("article", "other")) if found else None
    if kind == "disposition":
        read = read_disposition(folded, end)
        if read is None:
            label = _KIND_SHORT.match(folded, end)
            if not label:
                return None
            full = _KINDS[label[1].lower()]
            tail = folded[label.end() : label.end() + 40]
            padded = f"{full} {tail.lstrip()}"
            read = read_disposition(padded, 0)
            if read is None:
                return None
            shift = label.end() + (len(tail) - len(tail.lstrip())) - len(full) - 1
            read = (read[0], read[1] + shift)
        return start, ArticleList((read[0],), read[1], (read[1],)), False
    if kind == "english":
        ordinal = _ENGLISH_ORDINAL.search(folded[max(0, start - 12) : start])
        if not ordinal:
            return None
        article = Article(f"{_ENGLISH_DISPOSITION[written.lower()]}{number(ordinal[1])}")
        return start - len(ordinal[0]), ArticleList((article,), end, (end,)), False
    short = read_short_disposition(folded, start)
    return (start, ArticleList((short[0],), short[1], (short[1],)), not short[2]) if short else None


def references(folded: str, norms: Norms, hyphens: str, numerals: bool = False) -> Iterator[Finding]:
    """Yield every article cited with, or by reference to, a norm.

    Ends of `norms.spoken` record what was consumed. `hyphens` says whether a hyphen belongs to a number
    ("22-1"): "always", "near" words of France and Catalonia, "" never. `numerals` says whether a "numeral"
    of a law is an article, as in Mexico; elsewhere it is a subdivision.
    """
    last_end = 0
    waiting: list[tuple[int, int, tuple[Article, ...]]] = []
    for start, head_end, kind, written in _heads(folded):
        # "El diverso 50" is another article in Mexico.
        if start < last_end or (kind in ("numeral", "other") and not numerals):
            continue
        read = _read(folded, start, head_end, kind, written, hyphens)
        if read is None:
            continue
        start, found, strict = read
        if waiting and not _COUPLED.fullmatch(folded, waiting[-1][1], start):
            yield from _supplied(folded, waiting, norms)
            waiting = []
        law = law_after(folded, found.end, norms)
        if law and folded[found.end : found.end + 1] == "," and not law[0].ids.get("by_name"):
            opener = _opener(folded, start, norms)
            # "RD 39/1997, art. 8, RD 171/2004": of a list of laws the one before has the article.
            if opener and opener.cites and law[0].cites and _COMMA.fullmatch(folded, found.end, law[0].start):
                law = None
        articles, end = found.articles, found.end
        worded = len(found.ends) > 1 and found.articles[1].pinpoint  # "artículo 248.1 y 250.1.5.º"
        if law is None and len(found.ends) > 1 and not worded and not written.lower().endswith("s"):
            # "artículo 7 y 8 meses": in the singular a further number needs a law behind it.
            articles, end = found.articles[:1], found.ends[0]
            law = law_after(folded, end, norms)
        if law:
            mention, finish = law
            norms.spoken[mention.start] = mention
            yield finding_of(start, finish, articles, mention)
            # "artículo 5 y disposición adicional 2.ª de la LAU": the law closes both.
            for first, last, before in waiting:
                yield finding_of(first, last, before, mention)
            waiting = []
            last_end = finish
            yield from _continuations(folded, finish, norms, hyphens == "always", mention)
        elif related := _related(folded, found.end, norms):
            second, (mention, finish), opening = related
            norms.spoken[mention.start] = mention
            yield finding_of(start, found.end, found.articles, mention)
            yield finding_of(opening, finish, second.articles, mention)
            for first, last, before in waiting:
                yield finding_of(first, last, before, mention)
            waiting, last_end = [], finish
        elif not strict or (kind == "numeral" and _POINTS_BACK.match(folded, end)):
            waiting.append((start, end, articles))
            last_end = end
    yield from _supplied(folded, waiting, norms)


def _related(folded: str, pos: int, norms: Norms) -> tuple[ArticleList, tuple[Mention, int], int] | None:
    """Return the list behind "en relación con el", its law and its beginning; `None` for none."""
    link = _RELATED.match(folded, pos)
    second = read_articles(folded, link.end(), True) if link else None
    law = law_after(folded, second.end, norms) if second else None
    return (second, law, link.end()) if link and second and law else None


def _supplied(
    folded: str, waiting: Sequence[tuple[int, int, tuple[Article, ...]]], norms: Norms
) -> Iterator[Finding]:
    """Yield articles without a law of their own, with the antecedent for it."""
    for start, end, articles in waiting:
        antecedent, finish, cited, pointed = antecedent_of(folded, end, start, norms)
        if cited and (antecedent or _opener(folded, start, norms)):
            if finish == end and is_operative(folded, start, end):
                continue
            if finish == end and _OF_ANNEX.search(folded, max(0, start - 24), start):
                continue
            opener = _opener(folded, start, norms) if finish == end else None
            if opener:
                yield finding_of(opener.start, finish, articles, opener)
                norms.touched = finish
                continue
            if antecedent is None:
                continue
            if folded.startswith("Art", start):
                antecedent = with_articles(antecedent, norms.heard[-_MANY:])
            ids = undated(antecedent)
            named = _ITS_OWN.fullmatch(folded, antecedent.end, start) if antecedent.end <= start else None
            if antecedent.known and not named and not pointed:
                ids["elided"] = "1"  # read off the context, so no ground to call the citation broken
                telling = finish == end and any(" " in one.number for one in articles)
                if telling and (other := norms.other(folded, antecedent, start)):
                    ids["or"] = other.norms[0]  # "art. 10 bis" behind a code: of the law before that has it
            norms.touched = finish
            yield finding_of(start, finish, articles, replace(antecedent, ids=ids))


def _opener(folded: str, start: int, norms: Norms) -> Mention | None:
    """Return the law that opens the citation of the article at `start`, unless it belongs to one before."""
    for end in range(start - 1, max(0, start - 4), -1):
        law = norms.ends.get(end)
        if law:
            short = law.end - law.start - folded.count(".", law.start, law.end) < 3
            fits = _LAW_FIRST.fullmatch(folded, end, start) and (not short or folded[end] == ",")
            return law if fits and law.norms and law.start not in norms.spoken else None
    return None


def undated(antecedent: Mention) -> dict[str, str]:
    """Return the identifiers of an antecedent without its date, which no reference repeats."""
    return {key: value for key, value in antecedent.ids.items() if key != "date"}


# "Art. 363.1.e) LSC, 363 bis": one more article of the same law, which no price, day or page can be.
_STANDS_ALONE = re.compile(
    r"(?!(?:19|20)\d\d$)(?:\d{2,4}\s(?:bis|ter|quater)|(?:[4-9]\d|3[2-9]|\d{3,4})(?:\.\d{1,2}(?:\.[a-z]"
    r"\)?)?)?)"
)
_AGAIN_BEHIND = re.compile(
    r"[;)]|[.,](?!\d)|\s[ye]\s(?=(?:los?|las?|el|sts?|sap|arts?|\d{2,4}\s?[,.;)])\b)|$"
)


def _continuations(
    folded: str, pos: int, norms: Norms, hyphens: bool, previous: Mention | None = None
) -> Iterator[Finding]:
    """Yield further lists under the same head.

    For instance the "394 LEC" of "arts. 1101 CC y 394 LEC".
    """
    for _ in range(20):
        joined = _CONTINUED.match(folded, pos)
        if not joined:
            return
        found = read_articles(folded, joined.end(), True, hyphens)
        law = law_after(folded, found.end, norms) if found else None
        if found and not law:
            # The second of "arts. 83.4 RGPD y 83.5.a) del mismo Reglamento".
            antecedent, finish, _, pointed = antecedent_of(folded, found.end, joined.end(), norms)
            if antecedent and antecedent.known and pointed:
                yield finding_of(
                    joined.end(), finish, found.articles, replace(antecedent, ids=undated(antecedent))
                )
                pos = finish
                continue
        if found and not law and previous and _STANDS_ALONE.fullmatch(folded, joined.end(), found.end):
            if not _AGAIN_BEHIND.match(folded, found.end):
                return
            referred = replace(previous, ids=undated(previous) | {"elided": "1"})
            yield finding_of(joined.end(), found.end, found.articles, referred)
            norms.touched = pos = found.end
            continue
        if not found or not law:
            return
        mention, pos = law
        norms.spoken[mention.start] = mention
        yield finding_of(joined.end(), pos, found.articles, mention)
