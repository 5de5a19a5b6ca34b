"""Read subdivisions of an article: "apartado 2, letra b)", "§ 1 Abs. 2 Satz 1", "(2)(b)".

Works on folded text (`normalize.CITATIONS`) around one citation: in it, before it ("letra b) del artículo
6.1") and after it ("art. 36 LAU, apartado 2"). Spans of citations are not changed. Every window is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from app.citations.citation import Division, DivisionKind, Finding, range_ends
from app.citations.grammars.division_values import (
    JOIN,
    ORDINAL,
    ROMAN,
    SOLE,
    VALUE,
    range_of,
    roman,
    value_of,
    values_of,
)
from app.citations.numerals import ORDINAL_WORD, number
from app.text import linear

_BEFORE = 130
_AFTER = 90
# Words of each kind, folded. What one word means in several countries is settled in `_kind`.
_WORDS: dict[str, DivisionKind] = {
    "apartados?|aptdos?|apdos?|aps?|apts?": "paragraph",
    "numerales|numeral|nums?|numeros?|nros?|n\\.?\\s?os?|n\\.?\\s?º|nr|nummer|numero": "paragraph",
    "reglas?|puntos?|ordinal|ordinales|puntos|punto": "paragraph",
    "sub-?sections?|subsecs?|subss?|sub-?paragraphs?|paragraphe?s?|paras?|clauses?": "paragraph",
    "subdivisions?": "paragraph",
    "abs|absatz|absatze|absatzes|§|paragrafos?|paragrafos?": "paragraph",
    "points?": "any",
    "parrafos?|parrs?|parrafs?|parr|pfos?|pfo|pars?": "block",
    "alineas?|alinea|als?|commi|comma|co|cpv|c": "block",
    "incisos?|incs?": "any",
    "letras?|literales|literal|lits?|let|lett|lettere|lettera|lettres?|sous|buchst|buchstabe": "letter",
    "fracciones|fraccion|fraccs?|fracs?|frs?": "fraction",
    "satz|saetze|satze|sentences?|oracion|oraciones|periodo|frase|phrases?": "sentence",
}
# "c. 1" is a comma, "c) 1" and "c 1" are letters.
_ALL = "|".join(_WORDS).replace("|cpv|c|", r"|cpv|c(?=\.\s?\d)|")
# A word with its values, or an ordinal with its word. Tried on windows of bounded length only; values are
# atomic, so that no list of them is read twice.
_UNIT = re.compile(
    rf"(?<![a-zA-Zñ0-9])(?:(?P<word>{_ALL})(?:\.\s{{0,2}}|\s{{1,2}}|(?=[\d(]))(?:n\.?\s?º\s?)?"
    rf"(?P<values>{VALUE}(?:{JOIN}{VALUE}(?!\s(?:{_ALL})\b)){{0,8}})"
    rf"|(?P<before>(?:{ORDINAL})|\d{{1,2}}(?:\.?[ºª]|er|e|eme|nd|rd|th|st))\s{{1,2}}(?P<named>{_ALL})\b"
    rf"|(?P<alone>caput|paragrafo|chapeau)\b)",
    re.IGNORECASE,
)
_GLUED = re.compile(r"\.?\s?\((\d{1,2}[A-Z]{0,2}|[a-zA-Z]{1,4})\)|\.([a-zñ])\b\)?|\.(\d{1,2})\b(?!\.\d)")
_BARE = linear.compile(
    r"(?P<all>\.\s?(?P<dot>\d{1,2})(?:\.?[ºª])?(?:bis)?|\.?\s?\((?P<paren>\d{1,2}[A-Z]{0,2}|[a-zA-Z]{1,5})\)|"
    r"\.?\s?(?P<mark>\d{1,2})\.?[ºª]|\.\s?(?P<letter>[a-zñ])\)?|\s?(?P<aparen>[a-zñ])\)|"
    r",?\s(?P<roman>[IVX]{1,4})(?:\s(?P<deep>\d{1,2}))?)(?:[^\p{L}\p{N}]|$)"
)
_BARE_MORE = linear.compile(
    r"\s?(?:,\s?|(?P<to>-|a\s|al\s|to\s)|[ye]\s|and\s)(?P<value>\d{1,2}|\(?[a-zñ]\)?|"
    r"\(\d{1,2}\))(?:[^\p{L}\p{N}/.]|$)"
)
_OF = r"(?:del?|de\sl[ao]s?|de\sl'|of(?:\sthe|\sits)?|du|des|dell[oae]|dell'|d[oa]s?|von|zu)"
_GAP_OF = linear.compile(
    rf"(?i)[\s,)]{{0,2}}{_OF}[\s']?\s?(?:(?:citad|mism|referid|mencionad|propi)[oa]s?\s)?"
)
_GAP_COMMA = linear.compile(r"[\s,;.)]{0,3}(?:(?:y|e|en\s(?:su|el|la))\s)?")
_TO_ARTICLE = linear.compile(
    rf"(?i)[\s,)]{{0,3}}{_OF}?[\s']?\s?(?:(?:citad|mism|referid|mencionad|propi)[oa]s?\s)?"
)
_SECTION_OF_ANOTHER = re.compile(r"[a-z]?\s(?:Abs|S\.|Satz|Nr|ff?\.|[A-Z][A-Za-z]*[A-Z]\b)")
_PLURAL = re.compile(r"(?:art(?:[ií]culo|igo|icle)s|arts|artt)\b", re.IGNORECASE)
_LINKED = re.compile(
    r"(?:\b(?:del?|d[oa]s?|des?|of|the|l[ao]s?|du|dell[oae]|von|zu)\s{1,3}|')$", re.IGNORECASE
)
# A word of five letters or more that can close a subdivision: an ordinal, or the word for one behind it.
_LAST_WORD = re.compile(r"(?<![\w.])[A-Za-zñ]{5,}(?=[\s,]{0,3}$)")
_CLOSES = re.compile(rf"(?:{_ALL}|{ORDINAL}|{VALUE}|caput|paragrafo|chapeau)", re.IGNORECASE)
# "Num. 4 art. 42", "inc. 2 art. 29": without a word between.
_UNLINKED = re.compile(r"\b(?:num|inc|par|lit|fracc|ap)\.\s?[\w.º°]{1,5}\)?\s$", re.IGNORECASE)
_OF_NEXT = re.compile(r"[\s,]{0,2}(?:del?\s|de\sla\s)?art(?:[ií]culo|\.)?", re.IGNORECASE)
_THEN = linear.compile(
    r"(?i)[\s,()]{0,3}(?:(?:en|in|al|nel|no|na|im)\s(?:sus?|its|el|la|los|las|the|suo|seu|ihrem)\s|"
    r"(?:concretamente|en\sconcreto|in\sparticular|specifically)[\s,]{1,2}(?:(?:en\s)?(?:su|el|la|the)\s)?)?"
)
_ELSEWHERE = linear.compile(
    rf"(?i)[\s)]{{0,2}}{_OF}\s(?:(?:este|esta|present[ea]?|citad[oa]|la|el|the|this)\s)?\p{{L}}{{4,}}"
)
_SAME = linear.compile(r"(?i)(?:mism|citad|referid|precept|articul|dich|same|that|said|article|section)")
# In these countries the "inciso segundo" is a paragraph; in Spain it is a part of a sentence.
_INCISO_IS_BLOCK = frozenset({"CO", "CL", "UY", "EC", "SV", "HN", "GT", "NI", "PE", "BO", "PY"})


def divisions(folded: str, finding: Finding) -> tuple[tuple[Division, ...], ...]:
    """Return the subdivisions named of each article of `finding`, outermost first.

    The tuple is empty where there are none.
    """
    if finding.kind != "L4-N" or not finding.articles:
        return ()
    if len(finding.articles) > 1 or len(range_ends(finding.articles[0])) > 1:
        listed = tuple(
            _of_canonical(form, one) for form, one in zip(finding.canonical, finding.articles, strict=False)
        )
        return listed if any(listed) else ()
    if finding.articles and _PLURAL.match(folded, finding.start):
        return ()  # "artículos 2, apartado 2, y 11, …": whose paragraph it is cannot be told
    at = _number_end(folded[finding.start : finding.end], finding.articles[0])
    country = finding.jurisdiction
    found = _forward(folded, finding.start + at, finding.end, country) if at else []
    if not found and finding.pinpoint:
        found = list(_of_pinpoint(finding.pinpoint))
    found += _following(folded, finding.end, country)[0]
    before, _ = _preceding(folded, finding.start, country)
    # "la letra b) del artículo 6.1" goes deeper, "el apartado 1 del artículo 6, letra b)" is above.
    above = bool(before and found) and _rank(before[0]) < _rank(found[0]) and _rank(found[0]) > 1
    found = [*before, *found] if above else [*found, *before]
    return (tuple(found),) if found else ()


def extent(folded: str, finding: Finding) -> tuple[int, int]:
    """Return where a citation begins and ends with the subdivisions named beside it.

    "Letra a) del art. 168 CT" begins at the letter, "artículo 16 TFUE, apartado 2" ends at the number.
    """
    start, end = finding.start, finding.end
    if finding.kind == "L4-N" and len(finding.articles) == 1:
        start = _preceding(folded, start, finding.jurisdiction)[1]
        end = _following(folded, end, finding.jurisdiction)[1]
    return start, end


def _rank(division: Division) -> int:
    if division.kind == "any":
        return 1 if division.values[0].isdigit() else 3
    return ("paragraph", "added", "fraction", "letter", "block", "sentence", "clause").index(division.kind)


def _of_canonical(form: str, article: str) -> tuple[Division, ...]:
    tail = form.rpartition(":")[2]
    head = article.replace(" ", "")
    _, found, rest = tail.partition(head)
    read = _of_pinpoint(rest.lstrip(".")) if found else ()
    # Letters and numbers at one level are two citations that the list has run together.
    mixed = any(len({value.isdigit() for value in division.values}) > 1 for division in read)
    return () if mixed else read


def _of_pinpoint(pinpoint: str) -> tuple[Division, ...]:
    return tuple(
        Division("any", tuple(filter(None, level.split(","))))
        for level in pinpoint.split(".")
        if level.strip(",")
    )


def _number_end(span: str, article: str) -> int:
    """Return where the number of the article ends in its citation; 0 where it is not found."""
    digits = re.match(r"\d+", article)
    if digits:
        head = digits[0]
        plain = f"{head[:-3]}\\.?{head[-3:]}" if len(head) > 3 else head
        rest = re.escape(article[len(head) :]).replace(r"\ ", r"[\s-]?")
        found = re.search(rf"(?<![\d.]){plain}(?!\d)(?:\.?[ºª](?=\s))?{rest}", span, re.IGNORECASE)
        if found:
            return found.end()
        found = re.search(rf"\b{ORDINAL_WORD}\b|\b[a-z]{{3,}}(?:\sy\s[a-z]{{3,}})?(?=\s|,)", span[3:])
        return 0 if not found else _words_end(span, int(head))
    found = re.search(re.escape(article).replace(r"\ ", r"\s?"), span, re.IGNORECASE)
    return found.end() if found else 0


def _words_end(span: str, value: int) -> int:
    """Return the end of a number written in words."""
    words = list(re.finditer(r"[a-z]+", span[:120], re.IGNORECASE))
    for first in range(1, len(words)):
        for last in range(min(len(words), first + 5), first, -1):
            piece = span[words[first].start() : words[last - 1].end()]
            if number(piece) == value:
                return words[last - 1].end()
    return 0


def _forward(folded: str, pos: int, end: int, country: str) -> list[Division]:
    """Return subdivisions from `pos` on, up to `end`: pins without words, and words with values."""
    found: list[Division] = []
    limit = min(end + 2, len(folded))
    for _ in range(8):
        if pos >= end:
            break
        bare = _BARE.match(folded[pos:limit])
        if bare:
            group = next(name for name in ("dot", "paren", "mark", "letter", "aparen", "roman") if bare[name])
            if group == "roman" and country not in ("DE", "FR", "MX"):
                break
            plain_a = group == "letter" and bare["letter"] == "a" and _end(bare, "all") <= 2
            # "149.1.6.a" is "6.ª" in plain letters as often as the letter a.
            if plain_a and found and found[-1].values[-1].isdigit():
                break
            values = [value_of(bare[group])]
            if group == "roman" and country == "DE":
                values = [str(roman(values[0]))]  # "Art. 103 I GG" is Abs. 1
            pos += _end(bare, "all")
            while more := _BARE_MORE.match(folded[pos:limit]):
                value = value_of(more["value"])
                values += range_of(values[-1], value) if more["to"] else [value]
                pos += _end(more, "value")
            kind: DivisionKind = "paragraph" if country == "DE" else "any"
            if group == "roman" and bare["all"].startswith(",") and found and found[-1].kind == kind:
                # "§ 626 I, II BGB": both, and not the one within the other.
                found[-1] = Division(kind, (*found[-1].values, *values))
            else:
                found.append(Division(kind, tuple(values)))
            if bare["deep"]:
                found.append(Division("sentence", (bare["deep"],)))
            continue
        unit, inward, between = None, True, ""
        for expression in (_GAP_COMMA, _GAP_OF):
            gap = expression.match(folded[pos:limit])
            unit = _unit_at(folded, pos + gap.end(), country, limit) if gap else None
            inward = expression is _GAP_COMMA
            between = folded[pos : pos + gap.end()] if gap else ""
            if unit:
                break
        if unit is None:
            break
        named, pos = unit
        coupled = named[0].kind in ("fraction", "letter") or between.endswith((" y ", " e "))
        if inward and coupled and found and found[-1].kind == named[0].kind != "any":
            # "Fr. II y fr. X", "letra b) y letra d)": both, and not the one within the other.
            found[-1] = Division(found[-1].kind, (*found[-1].values, *named[0].values))
            found += named[1:]
        elif inward or not found:
            found += named
        else:
            found[-1:-1] = named
    return found


def _unit_at(
    folded: str, at: int, country: str, limit: int | None = None
) -> tuple[list[Division], int] | None:
    match = _UNIT.match(folded, at, min(at + _AFTER, limit or at + _AFTER))
    found = _read(match, country) if match else None
    if match is None or found is None:
        return None
    glued, end = _glued(folded, match.end())
    return [found, *glued], end


def _glued(folded: str, end: int) -> tuple[list[Division], int]:
    """Return pins right behind a value: the "(b)" of "subsection (2)(b)", the ".f)" of "apartado 1.f)"."""
    found: list[Division] = []
    while len(found) < 4 and (more := _GLUED.match(folded, end)):
        found.append(Division("any", (value_of(more[1] or more[2] or more[3]),)))
        end = more.end()
    return found, end


def _end(match: Any, name: str) -> int:
    """Return the end of a named group, which the binding of RE2 knows by number only."""
    end: int = match.end(match.re.groupindex[name])
    return end


def _read(match: Any, country: str) -> Division | None:
    """Return a unit as a division; `None` where the values are none."""
    if match["alone"]:
        # "caput" is what stands before the numbered parts; "parágrafo" alone is the only one there is.
        return (
            Division("block", ("1",))
            if match["alone"].lower() in ("caput", "chapeau")
            else Division("added", (SOLE,))
        )
    word = (match["word"] or match["named"]).lower()
    if word == "§" and country in ("DE", "AT"):
        return None  # an article of its own
    lettered = word[:3] in ("let", "lit", "buc", "ali")
    values = values_of(match["values"], lettered) if match["word"] else (value_of(match["before"]),)
    if not values or not all(values):
        return None
    if values[0] == SOLE:
        values = values[:1]  # "parágrafo único, CC": the code is no second one
    return Division(_kind(word, values, bool(match["named"]), country), values)


def _kind(word: str, values: Sequence[str], ordinal_first: bool, country: str) -> DivisionKind:
    found = next(
        kind for words, kind in _WORDS.items() if re.fullmatch(words, word.rstrip("."), re.IGNORECASE)
    )
    lettered = values[0].isalpha() and len(values[0]) <= 2
    if word.startswith("inc"):
        if lettered or (country == "BR"):
            return "fraction" if country == "BR" else "letter" if values[0] not in ROMAN else "any"
        if country in _INCISO_IS_BLOCK:
            return "block"
        return "clause" if country in ("ES", "EU") else "any"
    if word.startswith(("parrafo", "par")) and country not in ("BR", "CO") and found == "block":
        return "block" if not lettered else "any"
    if word.startswith("paragrafo") and country in ("CO", "BR"):
        return "added"
    if word.startswith("§") and country == "BR":
        return "added"
    if word.startswith("alinea") and country in ("PT", "BR"):
        return "letter"
    if word.startswith("al") and country in ("PT", "BR", "ES", "CO", "MX"):
        return "letter" if lettered else "block"
    if word.startswith(("sub-paragraph", "subparagraph")) and (ordinal_first or not lettered):
        return "block"
    if word.startswith(("paragraph", "para")) and ordinal_first:
        return "block"
    return found


def _following(folded: str, end: int, country: str) -> tuple[list[Division], int]:
    """Return subdivisions named after the law, with their end: "art. 36 LAU, apartado 2"."""
    window = folded[end : end + _AFTER]
    if window[:1] not in (" ", ",", "(", ";", "\n"):
        return [], end
    then = _THEN.match(window)
    if not then or not then[0]:
        return [], end
    unit = _unit_at(folded, end + then.end(), country)
    if unit is None:
        return [], end
    found, at = unit
    if _OF_NEXT.match(folded, at) and not folded[at : at + 2].startswith(","):
        return [], end  # "Decreto 2591/91, art. 10, inc. 2 art. 29 ibídem": of the next article
    if folded[at : at + 1] == "/":
        return [], end  # "Reglamento «Roma II» (n.º 864/2007)": a number of the law
    if folded[at - len(folded[end:at].lstrip(" ,;(")) :][:1] == "§" and _SECTION_OF_ANOTHER.match(folded, at):
        return [], end  # "Art. 6 DSGVO, § 26 Abs. 1 BDSG": a section of the next law
    while at < end + _AFTER:
        gap = _GAP_COMMA.match(folded[at : at + 12])
        further = (
            _unit_at(folded, at + gap.end(), country) if gap and gap[0].strip(" ") not in ("y", "e") else None
        )
        if further is None:
            break
        found += further[0]
        at = further[1]
    # "art. 36 LAU, apartado 2 del contrato" names a part of the contract.
    other = _ELSEWHERE.match(folded[at : at + 40])
    if other and not _SAME.search(other[0]):
        return [], end
    return found, at


def _preceding(folded: str, start: int, country: str) -> tuple[list[Division], int]:
    """Return subdivisions named before the article, outermost first, and where they begin.

    For instance "la letra b) del apartado 2 del artículo 6".
    """
    linked = _LINKED.search(folded[max(0, start - 12) : start])
    if not linked and not _UNLINKED.search(folded, max(0, start - 24), start):
        return [], start
    first = max(0, start - _BEFORE)
    window = folded[first : start - len(linked[0]) if linked else start]
    word = _LAST_WORD.search(window)
    if word and not _CLOSES.fullmatch(word[0]):
        return [], start  # "según el artículo 5": no subdivision ends there
    window = folded[first:start]
    units: list[tuple[int, int, list[Division]]] = []
    at = 0
    while match := _UNIT.search(window, at):
        read = _read(match, country)
        at = max(match.end(), at + 1)
        if read:
            glued, at = _glued(window, match.end())
            units.append((match.start(), at, [read, *glued]))
    if not units:
        return [], start
    tail = window[units[-1][1] :]
    if not _TO_ARTICLE.fullmatch(tail) or not (not linked or re.search(r"[a-z']", tail, re.IGNORECASE)):
        return [], start
    found, opening = list(units[-1][2]), units[-1][0]
    for unit, following in zip(reversed(units[:-1]), reversed(units[1:]), strict=True):
        gap = window[unit[1] : following[0]]
        if _GAP_OF.fullmatch(gap):
            found += unit[2]
        elif _GAP_COMMA.fullmatch(gap) and gap.strip() not in ("y", "e"):
            found[:0] = unit[2]
        else:
            break
        opening = unit[0]
    return found, first + opening
