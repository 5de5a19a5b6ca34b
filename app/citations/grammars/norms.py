"""Find norms cited by number: "Ley 39/2015, de 1 de octubre", "Reglamento (UE) 2016/679".

Each grammar yields mentions (`app.citations.citation.Mention`) in folded text.
"""

import re
from collections.abc import Iterator

import re2

from app.citations import dates, prefilter
from app.citations.citation import Mention
from app.citations.issuers import issuer_named
from app.citations.name_index import by_norm, vocabulary

_RANKS: tuple[tuple[str, str], ...] = (
    (r"ley(?:es)?\s+organicas?|l\.?\s?o\.?|organic\s+(?:law|act)s?", "lo"),
    (r"ley(?:es)?\s+foral(?:es)?|l\.?\s?f\.?", "lf"),
    (r"decretos?[\s-]{1,2}ley(?:es)?\s+foral(?:es)?", "dlf"),
    (r"decretos?\s+foral(?:es)?\s+legislativos?|d\.?\s?f\.?\s?leg\.?|dflg\.?", "dflg"),
    (
        r"(?:real(?:es)?\s+)decretos?[\s-]{1,2}legislativos?|royal\s+legislative\s+decrees?|"
        r"r\.?\s?d\.?\s?-?\s?(?:leg(?:islativo|isl|\.)?|lgvo|lgtvo|lvo|lg)\.?",
        "rdleg",
    ),
    (
        r"(?:real(?:es)?\s+)decretos?[\s-]{1,2}ley(?:es)?|royal\s+decree[\s-]laws?|"
        r"r\.?\s?d\.?\s?-?\s?ley(?:es)?",
        "rdl",
    ),
    (r"r\.?\s?d\.?\s?l\.?", "rdl?"),
    (r"real(?:es)?\s+decretos?|royal\s+decrees?|r\.?\s?d\.?", "rd"),
    (r"decretos?[\s-]{1,2}legislativos?|d\.?\s?-?\s?leg(?:islativo|isl|\.)?", "dleg"),
    (r"decretos?[\s-]{1,2}ley(?:es)?", "dl"),
    (r"decretos?", "d"),
    (r"ley(?:es)?|laws?|acts?", "ley"),
)
_RANK_OF = [(re.compile(pattern + r"$", re.IGNORECASE), code) for pattern, code in _RANKS]
# Communities whose laws share numbers with those of the State, by the code that their laws have in the index.
_REGIONS = {
    "andalu": "an", "arago": "ar", "asturi": "as", "balear": "ib", "canari": "cn", "cantabr": "cb",
    "castilla-la mancha": "cm", "castilla la mancha": "cm", "castellano-manch": "cm", "castilla y leon": "cl",
    "castellanoleon": "cl", "catalun": "ct", "catalan": "ct", "extremad": "ex", "extremen": "ex",
    "galici": "ga",
    "galleg": "ga", "comunidad de madrid": "md", "madrilen": "md", "region de murcia": "mc", "murcian": "mc",
    "navarr": "nc", "pais vasco": "pv", "vasc": "pv", "euskadi": "pv", "la rioja": "ri", "riojan": "ri",
    "valencian": "vc",
}  # fmt: skip
REGION_NAMES = "|".join(sorted(_REGIONS, key=len, reverse=True))
REGION = re2.compile(rf"(?i)\b(?:{REGION_NAMES})")
_SPANISH = prefilter.compile(
    r"(?i)(?:^|[^A-Za-z0-9./-])((?:"
    + "|".join(pattern.replace(r"\s+", r"\s{1,3}") for pattern, _ in _RANKS)
    + r"|orden(?:es)?(?:\s{1,2}ministerial(?:es)?)?|instruccion|circular)"
    rf"(?:\s{{1,2}}(?:{REGION_NAMES})[a-z]{{0,4}})?"
    r"\s{0,3}(?:num(?:ero)?\.?\s{0,2}|n\.?\s?[ºo]s?\.?\s{0,2}|n\.\s{0,2}|no\.\s{0,2})?"
    r"(?:(?:[A-Z]{2,4}/)?\d{1,5}\s?/\s?\d{2,4}|\d{1,4}\sde\s(?:19|20)\d\d))"
)
_NUMBER = re.compile(
    r"(?P<body>[A-Z]{2,4}/)?(?P<number>\d{1,5})(?:\s?/\s?(?P<year>\d{4}|\d{2})|"
    r"\sde\s(?P<written>\d{4}))(?![\d/])",
    re.IGNORECASE,
)
_MORE_NUMBERS = re.compile(
    r"\s{0,2}(?:,|\s[ye]\s|\sand\s)\s{0,2}(?P<number>\d{1,5})/(?P<year>\d{4})(?![\d/])"
)
_DATE_TAIL = re.compile(
    rf",?\s{{1,3}}(?:de|of|dated)\s{{1,3}}(?:fecha\s{{1,2}}(?:de\s{{1,2}})?)?(?P<date>{dates.LONG}|"
    rf"{dates.NUMERIC})",
    re.IGNORECASE,
)
_DATED = prefilter.compile(
    r"(?i)(?:^|[^A-Za-z0-9])((ley(?:\s{1,2}organica)?|real\s{1,2}decreto(?:[\s-]ley)?|"
    r"decreto(?:[\s-]ley)?)\s{1,3}de\s{1,3}"
    r"(\d{1,2}\s{1,3}de\s{1,3}(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|"
    r"octubre|noviembre|diciembre)"
    r"\s{1,3}de[l]?\s{1,3}(?:18|19|20)\d\d))"
)
_OF_ARTICLE = re.compile(r"\barts?(?:iculos?)?\.?\s{0,2}\d[^;:\n]{0,20}\sde\s{1,2}la\s{1,2}$", re.IGNORECASE)
# "Con la ley 2/23", and no number before it: "el 3 de la ley 3/20 del juego".
_SPOKEN_OF = re.compile(r"(?<!\d\sde)\s(?:la|esa|esta)\s{1,2}$", re.IGNORECASE)
_ABOUT_IT = re.compile(r"\s{1,2}(?:de|del|sobre)\s")
_TITLE = re.compile(r",?\s{1,3}(?P<tail>[a-z][^.;:()\n]{8,90})", re.IGNORECASE)


_ADJECTIVE = re.compile(rf"\s({REGION_NAMES})[a-z]{{0,4}}$", re.IGNORECASE)
# "Ley 13/1996, de 29 de julio, del Parlament de Catalunya": of that community.
_OF_REGION = re.compile(
    r",?\s{1,2}(?:del?\s{1,2})(?:(?:el\s|la\s)?(?:Parlamento?|Gobierno|Junta|Generalitat|Xunta|Comunidad\s{1,2}Autonoma)\s{1,2}"
    rf"(?:del?\s{{1,2}}(?:l[ao]s?\s{{1,2}})?)?)?(?:l[ao]s?\s{{1,2}})?(?:Islas\s|Illes\s)?({REGION_NAMES})[a-z]*",
    re.IGNORECASE,
)


def region(written: str) -> str:
    """Return the code of the community that a text names ("Catalunya" is "ct")."""
    return _REGIONS[written.lower()]


def _code(rank: str) -> str | None:
    tidy = re.sub(r"\s+", " ", rank.strip())
    return next((code for pattern, code in _RANK_OF if pattern.match(tidy)), None)


def full_year(year: str) -> str:
    """Return a year of two digits as lawyers mean it: 30/92 is 1992, 8/20 is 2020."""
    return year if len(year) == 4 else ("19" if int(year) > 40 else "20") + year


def _titled(folded: str, pos: int, norm: str) -> dict[str, str]:
    """Return identifiers of `norm` when its own title follows ("Ley 1/2000, de Enjuiciamiento Civil")."""
    entry = by_norm().get(norm)
    if entry is None:
        return {}
    tail = _TITLE.match(folded, pos)
    if tail:
        words = re.sub(r"\s+", " ", tail["tail"].lower())
        if any(words.startswith(title) for title, of in vocabulary("ES").tails.items() if of == norm):
            return {"boe": entry.ids["boe"]} if "boe" in entry.ids else {}
    return {}


# Ranks of which both the State and the communities have series.
_SHARED = frozenset({"ley", "d", "dl", "dleg", "orden"})
# The most legislative decrees of a year since they have a series of their own (2004 and 2015).
_MOST_LEGISLATIVE_DECREES, _OWN_SERIES, _KNOWN_TO = 8, 1992, 2025
# How many there were in the years that are known to their end.
_LEGISLATIVE_DECREES = {
    2007: 2, 2009: 0, 2010: 1, 2011: 3, 2012: 0, 2013: 1, 2014: 0, 2016: 1, 2017: 0, 2018: 0, 2019: 0,
    2020: 1, 2021: 0, 2022: 0, 2023: 0, 2024: 0,
}  # fmt: skip


def _is_decree_law(key: str) -> bool:
    """Tell whether the number of an "RDL" is beyond every legislative decree of its year ("11/2020")."""
    number, _, year = key.partition("/")
    most = _LEGISLATIVE_DECREES.get(int(year), _MOST_LEGISLATIVE_DECREES)
    return _OWN_SERIES <= int(year) <= _KNOWN_TO and int(number) > most


def spanish_norms(folded: str) -> Iterator[Mention]:
    """Yield numbered Spanish norms, one mention per list ("Leyes 39/2015 y 40/2015, de 1 de octubre")."""
    for match in _SPANISH.finditer(folded):
        start, end = match.span(1)
        written = folded[start:end]
        number = _NUMBER.search(written)
        if not number or folded[end : end + 1].isdigit() or (end < len(folded) and folded[end] == "/"):
            continue
        label = re.sub(
            r"\s{0,2}(?:num(?:ero)?\.?|n\.?\s?[ºo]s?\.?|n\.|no\.)?\s*$",
            "",
            written[: number.start()],
            flags=re.IGNORECASE,
        )
        adjective = _ADJECTIVE.search(label)  # "Ley catalana 18/2007"
        label = label[: adjective.start()] if adjective else label
        if label.lower().startswith(("orden", "instruccion", "circular")):
            code: str | None = label.lower().split()[0].removesuffix("es")
        else:
            code = _code(label) or _code(written[: number.start()])
        written_year = number["year"] or number["written"]
        year = full_year(written_year) if len(written_year) in (2, 4) else ""
        if code is None or not year or not 1800 <= int(year) <= 2100:
            continue
        small = len(written_year) == 2 and code in ("ley", "d") and not label[:1].isupper()
        if small and not _DATE_TAIL.match(folded, end) and not _OF_ARTICLE.search(folded, start - 40, start):
            # "Ley 3/20" may be of anything; "art. 76 de la ley 50/80" is not, nor "mira la ley 2/23".
            named = _SPOKEN_OF.search(folded, max(0, start - 24), start)
            if not named or _ABOUT_IT.match(folded, end):
                continue
        body = (number["body"] or "").upper()
        keys = [f"{body}{int(number['number'])}/{year}"]
        if label.lower().endswith(("es", "s")) or label.lower().startswith(("leyes", "reales")):
            while more := _MORE_NUMBERS.match(folded, end):
                keys.append(f"{int(more['number'])}/{more['year']}")
                end = more.end()
        if code == "rdl?" and all(_is_decree_law(key) for key in keys):
            code = "rdl"
        norms = tuple(f"ES:{code}:{key}" for key in keys)
        if number["written"] and norms[0] not in by_norm():
            continue  # "Ley 100 de 1993" is how other countries number; in Spain only of laws known by name
        ids: dict[str, str] = {}
        dated = _DATE_TAIL.match(folded, end)
        if dated:
            end = dated.end()
            read = dates.read(dated["date"])
            if read:
                ids["date"] = read
        community = _OF_REGION.match(folded, end) if code in _SHARED else None
        end = community.end() if community else end
        community = community or (adjective if code in _SHARED else None)
        if community:
            norms = tuple(f"ES-{region(community[1]).upper()}:{form[3:]}" for form in norms)
        if len(norms) == 1:
            ids |= _titled(folded, end, norms[0])
        if code in ("circular", "instruccion") and (
            issuer := issuer_named(folded[end : end + _ISSUER_WITHIN])
        ):
            ids["issuer"] = issuer
        yield Mention(start, end, "ES", norms, ids, cites=True)


# "Circular 4/2017, de 27 de noviembre, del Banco de España".
_ISSUER_WITHIN = 60
# "Orden de 27 de diciembre de 1994", "Instrucción de 5 de octubre de 2010, de la DGRN".
_OF_MINISTRY = prefilter.compile(
    r"(?i)(?:^|[^A-Za-z0-9])((orden(?:\s{1,2}ministerial)?|o\.\s?m\.|OM|instruccion|circular|resolucion)\s{1,3}de\s{1,3}"
    r"(\d{1,2}\s{1,3}de\s{1,3}(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|"
    r"octubre|noviembre|diciembre)\s{1,3}del?\s{1,3}((?:18|19|20)\d\d)))"
)
# Since then orders of the State have a number with their ministry; one of a day alone is any office's.
_ORDERS_NUMBERED_SINCE = 2003
_MAKES_RULES = re.compile(
    r",?\s(?:(?:del?|del?\sla)\s[^.;()\n]{3,110}?,\s?)?(?:por\sl[ao]s?\sque\sse\s(?:aprueb|regul|dict|establec|desarroll|"
    r"modific|determin|fij|crea)|sobre\s)"
)
_ARTICLE_OF_IT = re.compile(r"\d[\w.)º]{0,8}\sde\sla\s(?:citada\s)?$")


def ministerial_norms(folded: str) -> Iterator[Mention]:
    """Yield orders, instructions, circulars and resolutions that are named by their day alone.

    An office's own decision is named so too: what is not of the time when orders bore no number is a norm
    only where an article of it is cited or its title follows.
    """
    for match in _OF_MINISTRY.finditer(folded):
        (start, end), date = match.span(1), dates.read(match[3])
        kind = "orden" if match[2].lower()[0] == "o" else match[2].lower().split()[0]
        if date is None or folded[end : end + 1].isdigit():
            continue
        old = kind == "orden" and int(match[4]) < _ORDERS_NUMBERED_SINCE
        issuer = issuer_named(folded[end : end + _ISSUER_WITHIN]) if kind != "orden" else ""
        told = _MAKES_RULES.match(folded, end) or _ARTICLE_OF_IT.search(folded, max(0, start - 24), start)
        if not (old or told or (issuer and kind in ("instruccion", "circular"))):
            continue
        ids = {"date": date} | ({"issuer": issuer} if issuer else {})
        yield Mention(start, end, "ES", (f"ES:{kind}:{date}",), ids, cites=True)


def dated_norms(folded: str) -> Iterator[Mention]:
    """Yield Spanish norms without a number, named by their date ("Ley de 23 de julio de 1908")."""
    for match in _DATED.finditer(folded):
        date = dates.read(match[3])
        code = _code(match[2])
        if date is None or code is None:
            continue
        known = next(
            (
                entry
                for entry in by_norm().values()
                if f"/{date.replace('-', '/')}/(1)" in entry.ids.get("eli", "") and entry.jurisdiction == "ES"
            ),
            None,
        )
        norm = known.norm if known else f"ES:{code}:{date}"
        start, end = match.span(1)
        yield Mention(
            start, end, "ES", (norm,), {"date": date} | dict(known.ids if known else {}), cites=True
        )


_EU_RANKS = (
    (
        ("reg", "rgt", "verordnung", "vo"),
        "reg",
        "R",
    ),
    (("dir", "richtlinie", "rl"), "dir", "L"),
    (("decision", "beschluss", "decisione", "decisao"), "dec", "D"),
)
_BODY = r"(?:UE|EU|CEE|EEC|EWG|CECA|CE|EC|EG|Euratom|PESC|CFSP|JAI|JHA)"
_EU_PREFIX = re.compile(
    r"(?:(?:commission|council|framework|implementing|delegated|durchfuhrungs|delegierte)\s?)+", re.IGNORECASE
)
_EU = prefilter.compile(
    r"(?i)(?:^|[^A-Za-z0-9])((?:(?:commission|council|framework|implementing|delegated|durchfuhrungs|"
    r"delegierte)\s?){0,3}"
    r"(?:reglamentos?|regulations?|reglements?|verordnung|regolament[oi]|"
    r"regulamentos?|directivas?|directives?|dir\.?|rgto?\.|regl?\.?|"
    r"richtlinien?|verordnungen|RL|VO|direttiv[ae]|diretivas?|decision|decision|beschluss|decisione)"
    r"(?:\s{1,2}(?:de\s{1,2}ejecucion|delegado|delegada|marco|"
    rf"de\s{{1,2}}la\s{{1,2}}Comision|del\s{{1,2}}Consejo))?,?\s{{0,3}}(?:\({_BODY}(?:,\s?{_BODY})"
    rf"?\)\s{{0,3}}|{_BODY}\s{{1,2}})?"
    r"(?:num\.?\s{0,2}|n\.?\s?[ºo]s?\.?\s{0,2}|n\.\s{0,2}|nos?\.?\s{1,2}|nr\.?\s{0,2})?"
    rf"\d{{1,4}}/\d{{1,4}}(?:/{_BODY}|\s{{0,2}}\({_BODY}\))?)"
)
_EU_NUMBER = re.compile(r"(\d{1,4})/(\d{1,4})")
_TREATY_YEAR = 1951


def _eu_year(first: str, second: str, kind: str, modern: bool) -> tuple[int, int, bool]:
    """Return year and number of an act of the Union, and whether they stood in the right order.

    Regulations were number/year until 2014, directives and decisions year/number; since 2015 everything is
    year/number (Publications Office, "Numbering of EU acts").
    """
    one, two = int(first), int(second)

    def is_year(text: str, value: int) -> bool:
        return (len(text) == 4 and _TREATY_YEAR < value < 2100) or (len(text) == 2 and value > 50)

    first_is, second_is = is_year(first, one), is_year(second, two)
    number_first = kind == "reg" and not (first_is and one >= 2015 and (len(second) != 4 or modern))
    if number_first and second_is and not (first_is and one >= 2015):
        year, number = two, one
        right = (year if year > 99 else 1900 + year) < 2015
    elif first_is:
        year, number, right = one, two, True
    else:
        year, number, right = two, one, kind == "reg" and two < 2015
    return (year if year > 99 else 1900 + year), number, right


def european_norms(folded: str) -> Iterator[Mention]:
    """Yield regulations, directives and decisions of the Union, whatever the language of the label."""
    for match in _EU.finditer(folded):
        start, end = match.span(1)
        written = folded[start:end]
        if folded[end : end + 1].isdigit() or (
            folded[end : end + 1] == "/" and folded[end + 1 : end + 2].isalnum()
        ):
            continue
        number = _EU_NUMBER.search(written)
        assert number is not None, "the anchor ends in a number"
        body = re.search(rf"(?:\(|/|\s){_BODY}\b", written, re.IGNORECASE)
        first, second = number[1], number[2]
        kind, letter = next(
            (code, letter)
            for labels, code, letter in _EU_RANKS
            if _EU_PREFIX.sub("", written, count=1).lower().startswith(labels)
        )
        years = [
            len(first) == 4 and first[:2] in ("19", "20"),
            len(second) == 4 and second[:2] in ("19", "20"),
        ]
        # "Directiva 93/13": no other series has the year of two digits before the number.
        of_last_century = kind == "dir" and len(first) == 2 and int(first) > _TREATY_YEAR % 100
        shortened = written.lower().startswith(("vo", "rl"))  # letters of anything without "(EU)" or "/EWG"
        # "The IPPC Directive, 2008/1/EC" is one, "esta Directiva, 12/2003" none.
        if "," in written[: number.start()] and written[-1].isdigit():
            continue
        if not body and (kind == "dec" or shortened or not (any(years) or of_last_century)):
            continue
        modern = "UE" in written.upper() or "EU" in written.upper()
        year, sequence, right = _eu_year(first, second, kind, modern)
        ids = {"celex": f"3{year}{letter}{sequence:04d}"}
        if right:
            ids["eli"] = f"http://data.europa.eu/eli/{kind}/{year}/{sequence}/oj"
        else:
            ids["order"] = "reversed"
        # "Directiva (UE) 2019/1023, de 20 de junio": the date belongs to it.
        dated = _DATE_TAIL.match(folded, end)
        if dated:
            end = dated.end()
            read = dates.read(dated["date"])
            ids |= {"date": read} if read else {}
        # The institution before it is no part of the citation: "Commission Implementing Decision (EU) …".
        start += len(written) - len(re.sub(r"^(?:commission|council)\s", "", written, flags=re.IGNORECASE))
        yield Mention(start, end, "EU", (f"EU:{kind}:{year}/{sequence}",), ids, cites=True)
