"""Read lists of articles as lawyers write them: heads, items with subdivisions, lists and ranges.

Works on folded text (`normalize.CITATIONS`). Every pattern is anchored and bounded, so a list costs time
proportional to its own length.
"""

import re
from dataclasses import dataclass

from app.citations.dates import MONTH
from app.citations.grammars.division_values import ORDINALS_ABROAD, roman
from app.citations.numerals import ENGLISH_WORD, NUMBER_WORDS, ORDINAL_WORD, number

HEAD = r"(?:art(?:[i\x{FFFD}]culos?|igos?|icles?|ikel[ns]?|icol[oi]|ykul(?:u|y|em)?)|artt?s?)"
_SUFFIX = (
    r"bis|ter|quater|quinquies|quinquiens|sexies|septies|octies|octavus|nonies|novies|decies|undecies|"
    r"duodecies|"
    r"terdecies|quaterdecies|quindecies|quinquiesdecies|sexdecies|sexiesdecies|septdecies|septiesdecies|"
    r"octodecies|octiesdecies|novodecies|noniesdecies|vicies|unvicies|duovicies|tervicies|quatervicies"
)
_DIVISION = (
    r"nos\.(?=\s\d)|apartados?|aptdos?\.?|apdos?\.?|aps?\.|parrafos?|parrs?\.|parrafs?\.|pfos?\.?|numerales?|numeral|"
    r"nums?\.|"
    r"numeros?|incisos?|"
    r"letras?|literal(?:es)?|lits?\.|let\.|fraccion(?:es)?|fracc\.|fr\.|reglas?|puntos?|ordinal(?:es)?|"
    r"incs?\.|fracs?\.|paragraphes?|paragraphs?|sous(?=\s[a-z]\))|paras?\.?|par\.|points?|sub-?sections?|n\.?\s?os?|n\.?\s?º|paragrafos?|"
    r"alineas?|al\.|"
    r"comma|comm[ai]|co?\.(?=\s?\d)|lett(?:era|ere|\.)|als?\.|n\.?o?s?(?=\s?\d)|"
    r"Abs\.?|Absatz|Satz|S\.|Nr\.?|Z\.?(?=\s\d)|Ziff(?:er|\.)|Buchst(?:abe|\.)|UAbs\.?|Unterabs\.|Hs\.|"
    r"Halbsatz|"
    r"leden|lid|onder|ust\.?|pkt|§{1,2}"
)
_VALUE = (
    rf"(?:\d{{1,3}}(?:\.?[ºªa]|er|e(?![a-z]))?(?:\.[a-z]\)?)?|\(?[a-zA-Z]{{1,2}}\)|"
    rf"[IVXLC]{{1,6}}(?![A-Za-z])|"
    rf"[a-z](?![a-z])|{ORDINAL_WORD}(?![a-z])|{ENGLISH_WORD}(?![a-z]))"
)
_JOIN = r"(?:\s?,\s?(?:[ye]\s)?|\s(?:y|e|o|u|and|or)\s|\s(?:a|al|to)\s)"

# The same word before a further value: "N° 1 y N° 4", "letra a) y letra c)".
_AGAIN = rf"(?:(?:{_DIVISION})\s?)?"

_HEAD_TAIL = re.compile(r"\.{0,2}º?\s{0,3}(?:(?:n\.?\s?[ºo°]\.?|numeros?)\s{1,2})?")
_NUMBER = re.compile(
    rf"(?P<deep>\d{{1,2}}(?:\.\d{{1,3}}){{3,6}}|\d{{1,2}}:\d{{1,3}}[a-z]?)(?![\d:])|"
    rf"(?P<thousands>\d{{1,2}}[.,]\d{{3}})(?!\d)|"
    rf"(?P<digits>\d{{1,5}})(?![\d/])|(?P<words>{NUMBER_WORDS})",
    re.IGNORECASE,
)
_ITEM_TAIL = re.compile(
    rf"(?:\.?[ºª](?:\.?(?=\s|$|[,.;)]))?|o\b(?:\.(?=,|-[A-Z]\b))?)?(?:[\s-]?(?P<suffix>(?:{_SUFFIX})(?:"
    rf"\s\d{{1,2}}\b)?)"
    rf"(?![a-z]))?",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"(?:-|\s(?=[A-HJ-UWYZ]\s(?:del?|da|do)\s|[A-Z],\s(?:inc|let|n\.)|"
    # "Art. 50 A, y", "el artículo 12 A exige", "50 C inciso primero" of Chile; not "5 L 23" or "1240 C civ".
    r"[A-K](?:[,;](?:\s(?!\d)|$)|\s(?!(?:civ|pen|com|cons|trav|proc|efectos)[a-z.]*)[a-z]{4}))|)(?P<letter>[A-Z])(?![A-Za-z0-9.])"
)
_LETTER_BEHIND = re.compile(r"-(?P<letter>[A-Z])(?![A-Za-z0-9.])")
_LETTER_OF_PIN = re.compile(r"\s(?P<letter>[a-z])\)")
# "Art. 259d CO", "Art. 321c OR".
_SWISS = re.compile(r"[a-z](?=\s(?:CO|OR|CC|ZGB|LP|SchKG|LDIP|IPRG)\b|\s(?:Abs\.|Ziff\.|cpv\.)\s?\d)")
# "588 ter j", "283 bis a)", "152 quater L": articles of their own, in Spain and Chile.
_OF_LETTERS = frozenset(
    f"{number} {suffix}"
    for number, suffixes in {
        "283": "bis",
        "588": "bis ter quater quinquies sexies septies", "803": "bis ter", "846": "bis",
        "861": "bis", "893": "bis", "901": "bis",
        "40": "bis", "152": "bis ter quater quinquies",  # of the labour code of Chile
    }.items()
    for suffix in suffixes.split()
)  # fmt: skip
_OWN_LETTER = re.compile(r"\s?\.?(?P<letter>[a-z])(?:\)|(?![A-Za-z0-9.)]))(?!\s\d)", re.IGNORECASE)
# "209 B" of the tax codes of France, "L. 16 B".
_FRENCH_LETTER = re.compile(
    r"\s(?P<letter>[A-HJ-UWYZ])(?=\s(?:bis|ter|quater|du|de\sla|CGI|LPF)\b|\s?[,;)]|\.?\s?$)"
)
_BOOK = re.compile(r"(?P<letter>[LRDA])\.?\s?\*?\s?(?=\d)")
_HYPHENED = re.compile(r"-(?P<sub>\d{1,3}(?:-\d{1,2}){0,3})(?!\d)")
# "Secondo comma", "deuxième alinéa", also two of them: "primo e secondo comma".
_ABROAD = "|".join(sorted(ORDINALS_ABROAD, key=len, reverse=True))
_PIN = re.compile(
    rf""",?\s{{1,3}}(?P<ordinal>\d{{1,2}}(?:er|ro|do|to|mo|vo|no)\.?(?=\sparrafo)|ultimo|ultima|penultimo|last|first|second|third|{_ABROAD}|{ORDINAL_WORD})(?:\s(?:e|y|et)\s(?:{_ABROAD}|{ORDINAL_WORD}))?\s(?:{_DIVISION})(?![a-z])
    |(?:\.\s?|\s(?=(?-i:[A-Z])))(?P<spelt>uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)(?![a-z])
    |(?<=[ºª\w)])/(?P<slash>\d{{1,2}}|[a-z](?=\)))\)?(?!\w)
    |,\s(?-i:(?P<romanfirst>[IVX]{{1,4}}))\s(?:comma|co\.|alinea|al\.)(?![a-z])
    |,\s(?-i:(?P<roman>[IVX]{{1,7}}))(?:\s(?:e|a)\s[IVXLC]{{1,6}})?(?!\.\s?[A-Z])(?=[,;.)]|\s(?:d[aoe]s?|e|a)\s)
    |-(?-i:(?P<hyphen>[IVX]{{1,4}}))(?![\w-])
    |\s(?-i:(?P<german>[IVX]{{1,4}}(?:\s\d{{1,2}})?))(?=\s[A-Z]{{2}}|\s[A-Z][A-Za-z]+G\b|\s(?:de\sla|du)\s)
    |\.\s?(?P<dot>\d{{1,2}})(?:\.?[ºª])?(?![\d/]|\.\d{{3}})
    |\.?\s?\((?P<paren>(?:\d{{1,2}}|[a-zA-Z]{{1,4}})(?:\)\s?(?:to|a|-)\s?\((?:\d{{1,2}}|[a-zA-Z]{{1,3}}))?)\)
    |,\s(?P<degree>\d{{1,2}})\.?[ºª](?=,?\s(?:et\s\d{{1,2}}\.?[ºª],?\s)?(?:du(?:dit)?\s|C\.\s))
    |\.?\s?(?P<mark>\d{{1,2}})\.?[ºª]
    |\.(?P<letter>[a-zA-Z](?:\)\s(?:bis|ter|quater)(?![a-z]))?)(?:\)|(?![A-Za-z.]))
    |\s?(?-i:(?P<aparen>[a-zñ](?:\)\s(?:bis|ter|quater)(?![a-z]))?))(?:\)|(?<=bis|ter))
    |(?:,?\s{{1,3}}|\se\s(?=§))(?P<word>{_DIVISION})\s{{0,2}}(?P<value>{_VALUE}|unico\b)(?P<more>(?:{_JOIN}(?![you]\s)(?!e\s(?![yo]\s))(?:(?P=word)\s?{_VALUE}(?![\w/])|(?:{_VALUE}|\d\.?[ºª])(?![\w/])(?!\.\s?[a-z\d])(?!\s(?:de|del)\s))(?!\.?[ºª]|,\s(?P=word)s?(?![a-z]))(?!\s(?:{_DIVISION})(?![a-z])))*)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# "Art. 300, caput e § 2º, CPC": the opening words before a paragraph.
_CAPUT = re.compile(r",?\s{1,2}caput(?:(?=\se\s§)|,(?=\s§)|(?=,\s(?:d[aeo]\s)?[A-Z]))", re.IGNORECASE)
_UNNAMED = (
    "ordinal",
    "spelt",
    "slash",
    "romanfirst",
    "roman",
    "hyphen",
    "german",
    "dot",
    "paren",
    "degree",
    "mark",
    "letter",
    "aparen",
)
_PIN_LIST = re.compile(
    r"\s{0,2}(?:,|\b[yeo]|and)\s{1,3}(?P<value>\d{1,2}(?:\.?[ºª])?(?![\d./])(?:\.[a-z]\)?)?|[a-z]\)|"
    r"(?-i:[b-df-tv-xz](?=\s(?:del?\s|[A-Z]))))"
    r"(?!\s{1,2}bis)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s{0,2}(?P<comma>[,;])\s{0,3}(?:(?:y|e|o|u|and|or|et|ed|und|en|sowie)\s{1,3})?|\s{1,3}(?P<and>y|e|o|u|"
    r"and|or|"
    r"et|und|ed|en|i|sowie)\s{1,3}"
    r"|\s{1,3}(?P<to>a|al|to|hasta(?:\sel)?|bis)\s{1,3}|\s?(?P<dash>-)\s?",
    re.IGNORECASE,
)
_REPEATED_HEAD = re.compile(
    rf"{HEAD.replace('x{FFFD}', 'ufffd')}\b\.?\s{{0,3}}|(?:el|los|del|de los)\s{{1,2}}(?=\d)", re.IGNORECASE
)
_FOLLOWING = re.compile(
    r",?\s{1,3}(?:(?:y|e|et|and)\s{1,3})?(?:ss?s?\b\.?|ff?\b\.?|sigs?\.|siguientes|sgtes?\.?|following|"
    r"seq\.?|"
    r"suivants?|suiv\.|seguintes|seguenti|"
    r"conc(?:ordantes|s?\.))"
    r"(?:\s{1,3}(?:y|e)\s{1,3}(?:concordantes|conc\.|ss\.?))?",
    re.IGNORECASE,
)
# A number that is really a quantity or the day of a date.
_QUANTITY = re.compile(
    rf"\s{{0,2}}(?:de\s{{1,2}}{MONTH}\b|{MONTH}\b|euros?\b|€|%|por\s{{1,2}}ciento|dias?\b|mes(?:es)"
    rf"?\b|anos?\b|horas?\b|"
    r"(?:days|months|years)\b|pesos?\b|veces\b|ejemplares\b|paginas?\b|[:h]\d\d)",
    re.IGNORECASE,
)
_DISPOSITION = re.compile(
    rf"(?P<kind>adicional|transitoria|final|derogatoria)(?:es)"
    rf"?\s{{1,3}}(?P<ordinal>\d{{1,3}}(?:\.?[ºª]|\.?a\b)?|"
    rf"(?:{NUMBER_WORDS}))(?:\s(?P<suffix>{_SUFFIX})\b)?",
    re.IGNORECASE,
)
_DISPOSITION_SHORT = re.compile(
    r"(?:D(?:isp)?\.?\s?(?P<kind>A|T|F|D)(?:[a-z]{2,5})?\.?\s{0,2}|d(?P<small>[atfd])\s)(?P<ordinal>\d{1,3})"
    r"(?P<mark>\.?\s?[ºª]|a\b)?"
)
_MORE = re.compile(rf"{_JOIN}{_AGAIN}(?P<value>{_VALUE}|\d\.?[ºª])", re.IGNORECASE)
_MANY = 20


@dataclass(frozen=True, slots=True)
class Article:
    """One article of a list: `"36"`, `"10 bis"`, `"dt11"`, with its pinpoint (`"1.e"`, `"2,3"`)."""

    number: str
    pinpoint: str | None = None

    @property
    def canonical(self) -> str:
        """Return the part of the normal form after the norm: `art9.1.e`, `art10bis`, `dt11`."""
        prefix = "" if self.number[:2] in ("da", "dt", "df", "dd", "re") else "art"
        tail = f".{self.pinpoint}".replace(" ", "") if self.pinpoint else ""
        return f"{prefix}{self.number.replace(' ', '')}{tail}"


@dataclass(frozen=True, slots=True)
class ArticleList:
    """Articles read from `start` to `end`; `ends` holds the end after each accepted item, for backing off."""

    articles: tuple[Article, ...]
    end: int
    ends: tuple[int, ...]


def _pin_value(value: str) -> str:
    value = value.strip(" ().").lower().rstrip("ºª.")
    value = re.sub(r"\)\s(?=bis|ter|quater)", "", re.sub(r"\)\s?(?:to|a|-)\s?\(", "-", value))
    figures = re.fullmatch(r"(\d{1,2})(?:er|ro|do|to|mo|vo|no)", value)
    value = figures[1] if figures else value
    words = ORDINALS_ABROAD.get(value) or (number(value) if value.isalpha() and len(value) > 2 else None)
    return str(words) if words else value


def _pins(folded: str, pos: int) -> tuple[list[str], int]:
    """Return subdivisions after an article number: `.1.e)`, `(1)(f)`, `, apartado 2, letra b)`."""
    pins: list[str] = []
    for _ in range(6):
        whole = _CAPUT.match(folded, pos)
        pos = whole.end() if whole else pos
        match = _PIN.match(folded, pos)
        if not match:
            break
        if match["word"] is not None:
            values, end = _alike(match)
            pins.append(",".join(_pin_value(value) for value in values))
            pos = end
            continue
        found = next(value for value in match.group(*_UNNAMED) if value is not None)
        found = str(roman(found.lower()) or found) if match["romanfirst"] else found
        pins.append(_pin_value(found))
        pos = match.end()
    return pins, pos


def _alike(match: re.Match[str]) -> tuple[list[str], int]:
    """Return the values of a list of one kind.

    Of "al. g), e 394.o" the letter, of "fracción I, y 107" the fraction, of "n.º 2, e 615.º" the number: the
    others are articles. Of "n.º 2, CC" the code is no value.
    """
    values, end = [match["value"]], match.end("value")
    first = match["value"].strip("()")
    lettered = first.isalpha() and (len(first) <= 2 or first.isupper())
    figure = first.isdigit() or first.lower() == "unico"
    for more in _MORE.finditer(match["more"] or ""):
        value = more["value"].strip("()")
        if lettered and value[0].isdigit():
            break
        marked = value[-1] in "ºª" and len(value.rstrip(".ºª")) > 1
        if figure and (marked or (value.isupper() and value.isalpha())):
            break
        values.append(more["value"])
        end = match.start("more") + more.end()
    return values, end


def _read_item(folded: str, pos: int, hyphenated: bool) -> tuple[Article, int] | None:
    book = _BOOK.match(folded, pos) if hyphenated else None
    pos = book.end() if book else pos
    match = _NUMBER.match(folded, pos)
    if not match:
        return None
    pos = match.end()
    if match["words"] is not None:
        value = number(match["words"])
        if value is None:
            return None
        name = str(value)
    else:
        name = match["deep"] or re.sub("[.,]", "", match["thousands"] or match["digits"])
    swiss = _SWISS.match(folded, pos)
    if swiss:
        name, pos = f"{name}{swiss[0]}", pos + 1
    if name == "1" and folded[pos : pos + 2] == "er" and not folded[pos + 2 : pos + 3].isalnum():
        pos += 2  # "art. 1er"
    if match["deep"] is None and (
        pos < len(folded)
        and folded[pos].isalpha()
        and not folded[pos : pos + 1].isupper()
        and folded[pos] not in "ºªobtqsc"
    ):
        return None
    lettered = _LETTERED.match(folded, pos)
    hyphened = _HYPHENED.match(folded, pos) if hyphenated else None
    name = (book["letter"].upper() if book else "") + name
    if hyphened and not book and name.isdigit() and int(hyphened["sub"].split("-")[0]) > int(name):
        hyphened = None  # "articles 5-7": a range
    if hyphened:
        name, pos = f"{name}-{hyphened['sub']}", hyphened.end()
    elif hyphenated and (apart := _FRENCH_LETTER.match(folded, pos)):
        name, pos = f"{name} {apart['letter']}", apart.end()
    elif lettered:
        name, pos = f"{name}{lettered['letter']}", lettered.end()
    tail = _ITEM_TAIL.match(folded, pos)
    if tail:
        if tail["suffix"]:
            name = f"{name} {re.sub('quinquiens', 'quinquies', tail['suffix'].lower())}"
        pos = tail.end()
        behind = _LETTER_BEHIND.match(folded, pos) if tail[0] and not tail["suffix"] else None
        if behind:  # "9.º-A"
            name, pos = name + behind["letter"], behind.end()
        own = _OWN_LETTER.match(folded, pos) if name in _OF_LETTERS else None
        if own:
            name, pos = f"{name} {own['letter'].lower()}", own.end()
    if pos < len(folded) and folded[pos].isalpha() and folded[pos].isascii() and folded[pos - 1].isalnum():
        return None
    pins, pos = _pins(folded, pos)
    return Article(name, ".".join(pins) or None), pos


def _widened(article: Article, value: str) -> Article:
    joined = f"{article.pinpoint},{_pin_value(value)}" if article.pinpoint else _pin_value(value)
    return Article(article.number, joined)


def read_articles(folded: str, pos: int, plural: bool, hyphenated: bool = False) -> ArticleList | None:
    """Return the list that starts at `pos`, right after its head ("art.", "artículos"), or `None`.

    In the singular a further number is a further paragraph ("art. 217.2 y 3"); in the plural it is an article
    unless it is smaller than the one before and that one had a paragraph ("arts. 24.1 y 2, 117 CE").
    """
    head = _HEAD_TAIL.match(folded, pos)
    pos = head.end() if head else pos
    first = _read_item(folded, pos, hyphenated)
    if first is None:
        return None
    article, pos = first
    articles, ends = [article], [pos]
    for _ in range(60):
        following = _FOLLOWING.match(folded, pos)
        if following:
            pos = following.end()
            ends[-1] = pos
            continue
        last = articles[-1]
        if last.pinpoint:
            pin = _PIN_LIST.match(folded, pos)
            if pin and not _QUANTITY.match(folded, pin.end()):
                value = pin["value"]
                count = 0 if value[0].isalpha() else int(re.sub(r"\D.*", "", value))
                # An article rarely has more than twenty paragraphs: "art. 85.6, 87 y 89" are three articles.
                fits = count <= _leading(last.number) if plural else count <= _MANY
                deeper = value[0].isalpha() and last.pinpoint[-1].isdigit() and value.endswith(")")
                if fits and deeper:  # "art. 36.1, b)"
                    articles[-1] = Article(last.number, f"{last.pinpoint}.{_pin_value(value)}")
                    pos = pin.end()
                    ends[-1] = pos
                    continue
                if fits and (value[0].isdigit() or last.pinpoint[-1].isalpha()):
                    articles[-1] = _widened(last, value)
                    pos = pin.end()
                    if value.isdigit() and (letter := _LETTER_OF_PIN.match(folded, pos)):  # "55.4 y 5 b)"
                        articles[-1] = Article(last.number, f"{articles[-1].pinpoint}.{letter['letter']}")
                        pos = letter.end()
                    ends[-1] = pos
                    continue
        separator = _SEPARATOR.match(folded, pos)
        if not separator:
            break
        at = separator.end()
        repeated = _REPEATED_HEAD.match(folded, at)
        at = repeated.end() if repeated else at
        item = _read_item(folded, at, hyphenated)
        worded = folded[at : at + 1].isalpha() and not (hyphenated and _BOOK.match(folded, at))
        if item is None or _QUANTITY.match(folded, item[1]) or worded:
            break
        if repeated and ";" in separator[0]:
            break  # "art. 17; art. 6.1 RGPD": the first article has a law of its own
        following_article, end = item
        if separator["to"] or separator["dash"]:
            books = _same_book(last.number, following_article.number) and bool(separator["to"])
            upward = _leading(following_article.number) > _leading(last.number) or (
                last.number[:-2] in _OF_LETTERS or last.number in _OF_LETTERS
            )
            if not books and (not upward or "-" in last.number):
                break
            span = f"{last.number}-{following_article.number}"
            articles[-1] = Article(span, following_article.pinpoint)
        else:
            articles.append(following_article)
            ends.append(end)
        pos = end
        ends[-1] = end
    return ArticleList(tuple(articles), pos, tuple(ends))


def _same_book(first: str, last: str) -> bool:
    """Tell whether two French articles open and close a range ("L1152-1 à L1152-3")."""
    if not first[0].isalpha() or first[0] != last[0]:
        return False
    one, two = ([int(number) for number in re.findall(r"\d+", each)] for each in (first, last))
    return first.count("-") == last.count("-") and one < two


def _leading(article: str) -> int:
    match = re.match(r"\d+", article)
    return int(match[0]) if match else 0


def read_disposition(folded: str, pos: int) -> tuple[Article, int] | None:
    """Return a disposition whose kind starts at `pos`.

    "transitoria undécima" is `dt11`, "adicional 3.ª" `da3`.
    """
    match = _DISPOSITION.match(folded, pos)
    if not match:
        return None
    ordinal = match["ordinal"]
    digits = re.match(r"\d+", ordinal)
    value = int(digits[0]) if digits else number(ordinal)
    if value is None:
        return None
    suffix = f" {match['suffix'].lower()}" if match["suffix"] else ""
    pins, end = _pins(folded, match.end())
    return Article(f"d{match['kind'][0].lower()}{value}{suffix}", ".".join(pins) or None), end


def read_short_disposition(folded: str, pos: int) -> tuple[Article, int, bool] | None:
    """Return an abbreviated disposition ("D.A. 3.ª", "DT 2ª").

    The flag says whether its ordinal was marked.
    """
    match = _DISPOSITION_SHORT.match(folded, pos)
    if not match:
        return None
    pins, end = _pins(folded, match.end())
    return (
        Article(
            f"d{(match['kind'] or match['small']).lower()}{int(match['ordinal'])}", ".".join(pins) or None
        ),
        end,
        bool(match["mark"]),
    )
