"""Find articles without a word for them, right before or behind their law: "por el 242 LCT", "cc 1554"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.citations import prefilter
from app.citations.citation import Finding, Mention
from app.citations.grammars.articles import ArticleList, read_articles
from app.citations.name_index import MEASURES
from app.citations.references import Norms, antecedent_of, finding_of, is_code, law_after, undated

# An article without its head, right before its law: "por el 242 LCT", "en el 83.5.a) del mismo Reglamento".
_BARE = re.compile(
    r"(?:(?:^|[\s(])(?:[Ee]l|[Dd]el|[Aa]l|[Ll]os|[Dd]o|[Aa]o|[Nn]o|[Nn]el|[Dd]al|[Aa]ll?')\s{1,2}|"
    r"[a-z],\s(?=\d{1,4}\.º))"
    r"(?P<list>\d{1,4}(?!\d)"
    r"[^;:\n]{0,45}?)\s{0,2}(?:(?:de\s{1,2}l[ao]s?|del|de|da|do)\s{1,2})?$"
)
# In brackets: "(38, fracción V, CFF)", "(1240 du même code)".
_BARE_OPENED = re.compile(
    r"(?:[(;:]|,\s(?=(?:\d{1,4})(?:\.\d|,?\s(?i:fracc|fr\.|apartado|inc|num|lit)|\s(?:a|al|bis|ter)\s)|\d{3,4}\s|\d{3,4}-\d)|"
    r"(?<=\s)(?=[Oo]rdinal(?:es)?\s|[Nn]umeral(?:es)?\s))"
    r"\s{0,2}(?P<word>(?:[Oo]rdinal|[Nn]umeral)(?:es)?\s{1,2})?"
    r"(?P<list>\d{1,4}(?!\d)(?!\sde\s)[^;:()\n]{0,45}?)\s{0,2},?\s{0,2}(?:(?:de\s{1,2}l[ao]s?|del|de|da|do|"
    r"du|dell[oa]|de\s{1,2}l')\s{1,2})?$"
)
_BARE_WINDOW = 64
# With neither: "del art. 103.1 LRJS y 59.3 ET", "Costas, 394.1 LEC".
_BARE_NUMBER = re.compile(
    r"(?:[,;:(]\s{0,2}|\s[yeo]\s{1,2})"
    r"(?P<list>(?:\d{1,4}(?:\.\d{1,2})?(?:,\s|\s[ye]\s)){0,3}\d{1,4}(?:(?P<paragraph>\.\d{1,2}|\s(?i:n\.?\s?[º°o]|inc(?:iso|\.)|num(?:eral|\.)|fracc(?:ion|"
    r"\.))\s?\w{1,4}|"
    r"\s(?:bis|ter|quater)(?=\s[cC]onstitucional))|\s(?:bis|ter|quater)(?:\s[a-u]\)?)?)?(?:\.[a-z]\)?)?"
    r"(?:\.\d{1,2}\.?º)?(?P<more>\sy\s(?:ss|sigs?|concs?|siguientes|concordantes)\.?)?)"
    r"\s{1,2}(?P<link>(?:de\s{1,2}l[ao]|del)\s{1,2})?$"
)
_BARE_BEFORE_SMALL = re.compile(
    r"(?:^|[\s(,+/])(?P<list>\d{1,4}(?P<paragraph>\.\d{1,2}|\.[a-z]\b|\s(?:bis|ter))?"
    r"(?:\.[a-z]\)?|\.\d{1,2}\.?º|º)?)\s{1,2}"
    r"(?:de\s{1,2}la\s{1,2}|del\s{1,2})?$"
)
_ARTICLE_BEFORE = re.compile(r"\barts?\b\.?|\bart[ií]culos?\b", re.IGNORECASE)
_ARTICLES_NEAR = 120
_SAME_AGAIN = prefilter.compile(
    r"(?i)\b(?:mism[oa]|citad[oa]|referid[oa]|dich[oa]|propi[oa]|mencionad[oa]|meme|mesm[oa]|stess[oa]|"
    r"ladite|dudit)\s{1,2}(?:Ley|"
    r"Codigo|Reglamento|texto|cuerpo|obra|norma|ordenamiento|Real\sDecreto|Decreto|Estatuto|Directiva|code|"
    r"loi|lei|"
    r"codice|legge|diploma)\b|\bde\sla\smisma(?:[,.;)]|$)|\bde\sla\sley\sde\sla\smateria\b|"
    r"\sibidem\b|\bdel\s(?:estatuto|Estatuto)(?:\W|$)"
)
_NOUN_OF = re.compile(r"\s\w+$|statuto")
# "Arts. 1796 CCF, 1797 y 1798 del propio Código", "54.2.d) del estatuto".
_BARE_COUPLED = re.compile(
    r"(?:,|\s[yeo])\s{1,2}(?P<list>\d{1,4}(?!\d)(?!\sde\s)[^;:()\n]{0,30}?)\s{0,2}(?:(?:de\s{1,2}l[ao]s?|del|"
    r"de|da|do|du|dell[oa])\s{1,2})?$"
)


def bare_references(folded: str, norms: Norms) -> Iterator[Finding]:
    """Yield articles without their head, right before the law: "por el 242 LCT", "52 bis de la misma ley"."""
    for mention in norms.mentions:
        if not (mention.norms and folded[mention.start - 1 : mention.start] == " "):
            continue
        window = max(0, mention.start - _BARE_WINDOW)
        for bare in _before(folded, window, mention):
            hyphens = mention.jurisdiction == "FR"
            found = read_articles(folded, bare.start("list"), plural=True, hyphenated=hyphens)
            law = law_after(folded, found.end, norms) if found else None
            opened = bare.re is _BARE_OPENED
            if found and law and law[0] is mention and not (opened and _is_year(found)):
                start = bare.start("word") if opened and bare["word"] else bare.start("list")
                yield replace(finding_of(start, law[1], found.articles, mention), priority=62)
                break
    for match in _SAME_AGAIN.finditer(folded):
        start, end = match.span()
        window = max(0, start - _BARE_WINDOW)
        article = _BARE.search(folded, window, start) or _BARE_OPENED.search(folded, window, start)
        article = article or _BARE_COUPLED.search(folded, window, start)
        found = read_articles(folded, article.start("list"), plural=True) if article else None
        if not article or not found:
            continue
        end -= not match[0][-1].isalpha()
        if not _NOUN_OF.search(match[0]) and not found.articles[-1].pinpoint:
            continue  # "el 61, fr. XVIII, de la misma" is an article, "el 3 de la misma" anything
        antecedent, finish, cited, pointed = antecedent_of(folded, found.end, article.start("list"), norms)
        of_matter = match[0].endswith("materia")
        if antecedent and antecedent.known and cited and (pointed or of_matter) and finish >= end:
            ids = undated(antecedent) | ({"elided": "1"} if of_matter else {})
            referred = replace(antecedent, ids=ids)
            yield replace(finding_of(article.start("list"), finish, found.articles, referred), priority=62)


def _before(folded: str, window: int, mention: Mention) -> Iterator[re.Match[str]]:
    """Yield what may be articles before a law, the surest form first."""
    if bare := _BARE.search(folded, window, mention.start):
        yield bare
    if bare := _bare_number(folded, mention):
        yield bare
    if bare := _BARE_ORDINAL.search(folded, max(0, mention.start - 32), mention.start):
        yield bare
    letters = folded[mention.start : mention.end].replace(".", "").replace(" ", "")
    near = _DIGIT.search(folded, window, mention.start) if len(letters) > _MEASURES else None
    if near and (bare := _BARE_OPENED.search(folded, window, mention.start)):
        yield bare


# Two letters may be a measure ("1600 CC").
_MEASURES = 2
_DIGIT = re.compile(r"\d")


# "Ibídem, 224.2", "ibíd., art. 15": an article of the law named last.
_IBIDEM_FIRST = prefilter.compile(r"(?i)(?:^|[^\w])((?:(?:ib)?idem|ibid\.|ib\.),\s(?:arts?\.\s)?\d)")


def ibidem_first(folded: str, mentions: Sequence[Mention], spoken: dict[int, Mention]) -> Iterator[Finding]:
    """Yield articles behind an "ibídem", which the text points at the law named last."""
    norms: Norms | None = None
    for match in _IBIDEM_FIRST.finditer(folded):
        start, digit = match.span(1)
        found = read_articles(folded, digit - 1, plural=False)
        norms = norms or Norms.of(mentions)
        norms.spoken = spoken
        antecedent = norms.before(start)
        # A number alone may be a page.
        sure = found and ("art" in match[1].lower() or found.articles[0].pinpoint)
        if found and sure and antecedent and len(antecedent.norms) == 1:
            referred = replace(antecedent, ids=undated(antecedent))
            yield replace(finding_of(start, found.end, found.articles, referred), priority=62)


# "LCT, 245", "cc 1554", "ce 24.1": the law opens, its article without a word follows.
_NUMBER_BEHIND = re.compile(
    r",?\s(?=\d)(?P<list>\d{1,4}(?P<paragraph>\.\d{1,2}|\s(?:bis|ter))?(?:\.[a-z]\)?)?)(?![\d/%-]|[.,]\d|"
    r"\s(?:de\s[a-z]|[a-z]{3,}|€|bis|ter)|\s(?:kg|km|cm|mm|ml|mg|cv|m|l)\b)"
)
# "(LCT, 66)": two figures are an article where nothing follows that they could count.
_CLOSED = re.compile(r"\s?(?:[;)]|\.(?:\s|$)|$)")


def laws_first(folded: str, norms: Norms) -> Iterator[Finding]:
    """Yield an article whose law stands before it, both as bare as can be: "LCT, 245", "ce 24.1"."""
    for mention in norms.mentions:
        if len(mention.norms) != 1 or mention.start in norms.spoken or mention.cites:
            continue
        written = folded[mention.start : mention.end]
        letters = written.replace(".", "")
        if not letters.isalpha() or len(letters) > 8:
            continue
        behind = _NUMBER_BEHIND.match(folded, mention.end)
        if not behind or _YEAR.fullmatch(behind["list"]):
            continue
        if written[1:].islower() != written.islower() or _DIGIT.match(folded, max(0, mention.start - 2)):
            continue  # "Cilindrada 1600 cc, 36.1"
        long = len(letters) > 2 or written.islower()
        sure = behind["paragraph"] or (len(behind["list"]) > 2 and long)
        comma = folded[mention.end] == ","
        sure = sure or (comma and len(letters) > 2 and _CLOSED.match(folded, behind.end()))
        found = read_articles(folded, behind.start("list"), plural=True) if sure else None
        if found and not law_after(folded, found.end, norms):
            yield replace(finding_of(mention.start, found.end, found.articles, mention), priority=61)


def _is_year(found: ArticleList) -> bool:
    """Tell whether a list is a year alone ("(2015 LEC)")."""
    first = found.articles[0]
    return len(found.articles) == 1 and not first.pinpoint and bool(_YEAR.fullmatch(first.number))


_YEAR = re.compile(r"(?:19|20)\d\d")


# "Memorie 171-ter c.p.c.": a number with its Latin ordinal is an article whatever stands before it.
_BARE_ORDINAL = re.compile(
    r"[a-z]\s(?P<list>\d{2,4}[\s-](?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies))\s{1,2}(?:d[aoe]\s|del(?:la)?\s)?$"
)


def _bare_number(folded: str, mention: Mention) -> re.Match[str] | None:
    """Return the article, without a word for it, that stands before a law's abbreviation in capitals."""
    written = folded[mention.start : mention.end].replace(".", "")
    letters = written.replace(" ", "")
    if not (letters.isalpha() and len(letters) < 16):
        return None
    window = max(0, mention.start - 24)
    bare = _BARE_NUMBER.search(folded, window, mention.start)
    if written.islower() and (bare is None or not bare["paragraph"]):
        # Nobody else writes laws so: "o sea 55.1 et".
        bare = _BARE_BEFORE_SMALL.search(folded, window, mention.start) or bare
        if bare and written in MEASURES and len(bare["list"].partition(".")[0]) <= _MEASURES:
            return None  # "2.5 cc"
        return bare if bare and (len(written) > 2 or bare["paragraph"]) else None
    if bare is None:
        return None
    near = _ARTICLE_BEFORE.search(folded, max(0, bare.start() - _ARTICLES_NEAR), bare.start())
    # "Cilindrada, 1600 CC": two letters may be a measure.
    sure = bare["paragraph"] or bare["link"] or bare["more"] or "." in folded[mention.start : mention.end]
    # "Pactos: 1255 C.c.": a number of three figures before a dotted code is no measure.
    long = "." in folded[mention.start : mention.end] and len(bare["list"].split(".")[0]) > _MEASURES
    return bare if (near or sure) and (len(written) > 2 or (near and sure) or long) else None


_BARE_CODE = prefilter.compile(r"(?:^|[\s(])([LRD]\.?\s?\d{3,4}-\d{1,3})")
# Their articles bear the letter of a book.
_IN_BOOKS = re.compile(r"FR:C(?!PC$|civ$|pen$|GI$)\w+$")


def _code_in_books(norms: Norms, start: int) -> Mention | None:
    """Return the code with books that the text named last before a place, else the law named last."""
    latest = norms.before(start)
    return next((one for one in reversed(norms.heard) if one.norms and _IN_BOOKS.match(one.norms[0])), latest)


def bare_code_articles(folded: str, norms: Norms) -> Iterator[Finding]:
    """Yield French articles named by their book alone, of the code named last: "(L. 1235-3-1)"."""
    last = 0
    for match in _BARE_CODE.finditer(folded):
        start = match.start(1)
        if start < last or folded[max(0, start - 3) : start].strip() in ("nº", "n."):
            continue  # "facture n° L. 2025-118"
        found = read_articles(folded, start, plural=True, hyphenated=True)
        if found is None:
            continue
        law = law_after(folded, found.end, norms)
        antecedent = law[0] if law else _code_in_books(norms, start)
        last = law[1] if law else found.end
        if antecedent and antecedent.norms and antecedent.jurisdiction == "FR" and is_code(antecedent):
            ids = undated(antecedent) | ({} if law else {"elided": "1"})
            yield replace(finding_of(start, last, found.articles, replace(antecedent, ids=ids)), priority=61)


# "Art. 147-A do CP … (147-B)": an inserted article alone in brackets, of its neighbour's law.
_INSERTED_ALONE = prefilter.compile(r"\((\d{1,4})-[A-Z](?:[;,)])")


def inserted_alone(folded: str, cited: Sequence[Finding], jurisdiction: str) -> Iterator[Finding]:
    """Yield articles with a letter alone in brackets, in Brazil and Portugal."""
    if jurisdiction not in ("BR", "PT"):
        return
    for match in _INSERTED_ALONE.finditer(folded):
        start, end = match.start(1), match.end() - 1
        found = read_articles(folded, start, plural=False)
        near = [
            one
            for one in cited
            if one.norm
            and one.end <= start
            and any(re.match(rf"{match[1]}[A-Z]?$", each) for each in one.articles)
        ]
        if near and found and found.end == end:
            law = max(near, key=lambda one: one.end)
            referred = Mention(start, end, law.jurisdiction, (law.norm or "",), {"elided": "1"})
            yield replace(finding_of(start, end, found.articles, referred), priority=57)


# Alone in its sentence: the "150.6.a)" of "no se interrumpió, 150.6.a), y cae", or "la garantía del 17.1.a)".
_PARAGRAPH_ALONE = prefilter.compile(
    r"(?:(,)\s|(?:^|[^A-Za-z])(?:[Dd]?el|[Aa]l)\s)((\d{1,3})\.\d{1,2}(\.[a-z]\)|\s[a-z]\)|\.?[ºª])?)"
)
_ENDS_THERE = re.compile(r"[,;)](?!\d)|\.(?:\s|$)|$")
# A clause, a version or a page of anything has such numbers too.
_OF_A_PART = re.compile(
    r"\b(?:clausula|estipulacion|pacto|apartado|epigrafe|version|pagina|anexo|tabla|cuadro|seccion|capitulo|punto|"
    r"figura|modelo|documento|doc\.|norma|precio|indice|valor|canal|frecuencia)[a-z]*\b[^.;\n]{0,40}$",
    re.IGNORECASE,
)
_PART_WITHIN = 56
# No day of a month, and where no article of the number was cited, no percentage either.
_NO_DAY, _TELLING, _JUST_BEFORE = 32, 100, 150


def paragraphs_alone(folded: str, cited: Sequence[Finding], jurisdiction: str) -> Iterator[Finding]:
    """Yield paragraphs without any word for them, of a law cited before: "de la garantía del 17.1.a)".

    They are of the law of which the text has cited that very article, else, behind a comma or with a letter
    and with a number that can hardly be anything else, of the law cited right before. With no letter they
    are heard in Spain alone, where a decimal has a comma.
    """
    laws: list[Finding] | None = None
    for match in _PARAGRAPH_ALONE.finditer(folded):
        start, end = match.span(2)
        lettered = match.group(4) is not None
        number = int(match[3])
        plain = jurisdiction == "ES" and number >= _NO_DAY and len(match[2].partition(".")[2]) == 1
        if not (lettered or plain) or not _ENDS_THERE.match(folded, end):
            continue
        if _OF_A_PART.search(folded, max(0, start - _PART_WITHIN), start):
            continue
        if laws is None:
            laws = sorted((one for one in cited if one.norm and one.articles), key=lambda one: one.end)
        before = [one for one in laws if one.end <= start]
        law = next((one for one in reversed(before) if _includes(one, number)), None)
        telling = number >= _TELLING if match[1] else lettered and number >= _NO_DAY
        if law is None and telling and jurisdiction == "ES":
            law = before[-1] if before and start - before[-1].end <= _JUST_BEFORE else None
        found = read_articles(match[2], 0, plural=False) if law else None
        if law and law.norm and found and found.end == end - start:
            ids = {key: value for key, value in law.ids.items() if key in ("boe", "eli", "celex")}
            referred = Mention(start, end, law.jurisdiction, (law.norm,), ids | {"elided": "1"})
            yield replace(finding_of(start, end, found.articles, referred), priority=57)


_FROM_TO = re.compile(r"(\d+)-(\d+)")


def _includes(cited: Finding, number: int) -> bool:
    """Tell whether a citation is of an article, alone or within a range ("95-104")."""
    for one in cited.articles:
        ends = _FROM_TO.fullmatch(one)
        if one == str(number) or (ends and int(ends[1]) <= number <= int(ends[2])):
            return True
    return False
