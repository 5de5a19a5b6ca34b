"""Split a document into its numbered blocks, so that a finding can say where it stands.

Invariant: blocks are in order, do not overlap, and together cover the text from the first to the last
character that is not white space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Final, Literal

from app.text.expressions import compiled
from app.text.numerals import read_ordinal, read_roman
from app.text.sentences import FoldedText

Style = Literal["preamble", "title", "ordinal", "article", "decimal", "roman"]

_ORDINAL: Final = (
    r"(?:(?:decim|vigesim|trigesim|cuadragesim|quincuagesim)[oa] ?)?"
    r"(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|sep?tim[oa]|octav[oa]|noven[oa]"
    r"|unic[oa])"
    r"|primeir[oa]|terceir[oa]|setim[oa]|oitav[oa]|non[oa]"
    r"|(?:un|duo)?decim[oa]|vigesim[oa]|trigesim[oa]|cuadragesim[oa]|quincuagesim[oa]"
    r"|(?:twenty|thirty|forty)[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif"
    r"|six|seven"
    r"|eigh|nine)teenth|twentieth|thirtieth"
)
_NOUN: Final = (
    r"clausula|artigo|articolo|clausola|[?]|"
    r"estipulacion|pacto|condicion|articulo|art\.|apartado|hecho|fundamento(?: de derecho)?|motivo|"
    r"antecedente|expositivo|anexo|capitulo|titulo|seccion|article|section|clause|schedule|annex|appendix"
    r"|exhibit"
)
# Headings that open a line. Order matters: the first alternative that fits names the style.
_LINE_HEAD: Final = compiled(
    rf"(?P<noun>{_NOUN}) +(?P<named>\d{{1,3}}\.[ºª]|\d{{1,3}}er\b"
    rf"|\d{{1,3}}(?:\.\d{{1,3}}){{0,3}} ?[ºªoa]?\b|[ivxlc]{{1,7}}\b|[a-h]\b"
    rf"|{_ORDINAL})"
    r"(?P<end1> ?[.:)-]{1,3}|$| )"
    rf"|(?P<ordinal>{_ORDINAL})(?P<end2> ?(?:\. ?-|[.:)-])| *$)"
    r"|(?P<decimal>\d{1,2}(?:\.\d{1,2}){0,3})(?P<end3>\.?[ºª]?(?: ?\. ?-|[.)]| ?-)? {0,4}[ -]|$)"
    r"|(?P<roman>[ivxl]{1,6})(?P<end4> ?\. ?-|[.)]| ?-|$)"
)
_TITLES: Final = frozenset(
    [
        "reunidos",
        "intervienen",
        "comparecen",
        "manifiestan",
        "exponen",
        "expositivos",
        "antecedentes",
        "estipulaciones",
        "clausulas",
        "estipulan",
        "declaraciones",
        "considerandos",
        "hechos",
        "antecedentes de hecho",
        "fundamentos de derecho",
        "fundamentos",
        "fundamentos juridicos",
        "suplico",
        "suplica",
        "solicito",
        "otrosi",
        "fallo",
        "parte dispositiva",
        "acuerda",
        "acuerdo",
        "resuelvo",
        "objeto",
        "anexos",
        "firmas",
        "recitals",
        "whereas",
        "background",
        "parties",
        "the parties",
        "definitions",
        "agreed terms",
        "now therefore",
        "operative provisions",
        "terms and conditions",
        "signatures",
        "schedules",
        "preamble",
        "statement of claim",
        "facts",
        "condiciones generales",
        "condiciones particulares",
        "partes",
        "las partes",
        "petitum",
        "resolucion",
        "recursos",
        "pie de recurso",
    ]
)
# One paragraph pasted without line breaks: only clause ordinals in capitals, which prose never writes.
_INLINE_HEAD: Final = compiled(
    r"(?:[.;:)]\s{1,3}|\s)((?:CLAUSULA |ESTIPULACION )?"
    r"(?:(?:DECIM|VIGESIM)[OA] ?)?(?:PRIMER|SEGUND|TERCER|CUART|QUINT|SEXT|SEPTIM|OCTAV|NOVEN|DECIM|"
    r"UNDECIM|DUODECIM|DECIMO(?:PRIMER|SEGUND|TERCER|CUART|QUINT|SEXT|SEPTIM|OCTAV|NOVEN)|VIGESIM)[OA])"
    r"(?: ?\. ?-|:|\. | ?- )"
)
_LINE: Final = compiled(r"[^\n]+")
_HEADING_WORDS: Final = 120
_TITLE_WORDS: Final = 9
_MOST: Final = 2_000  # beyond that a text is not a document with headings


@dataclass(frozen=True, slots=True)
class Block:
    """One numbered or titled part: `text[start:end] == quote`, its heading line first.

    `label` is the number as written ("PRIMERA.-", "4.2", "" for an unnumbered title), `number` its plain
    form ("1", "4.2"), `heading` the title words after it (may be empty), `level` 1 for the outermost.
    `noun` is the folded word that introduces the number ("clausula", "article", "hecho"), or "".
    """

    label: str
    number: str
    heading: str
    noun: str
    style: Style
    level: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class _Head:
    start: int
    label: str
    number: str
    noun: str
    style: Style
    title_start: int
    title_end: int


def split_sections(source: FoldedText) -> tuple[Block, ...]:
    """Return the blocks of the document in order.

    Text before the first heading is a block of style "preamble".
    """
    text = source.text
    heads = _distinct(chain(islice(_line_heads(source), _MOST), islice(_inline_heads(source), _MOST)))
    starts = [head.start for head in heads]
    first = len(text) - len(text.lstrip())
    last = len(text.rstrip())
    blocks: list[Block] = []
    if first < (starts[0] if starts else last):
        end = len(text[: starts[0] if starts else last].rstrip())
        if end > first:
            blocks.append(Block("", "", "", "", "preamble", 1, first, end, text[first:end]))
    for head, following in pairwise([*heads, None]):
        assert head is not None
        limit = following.start if following is not None else last
        end = max(head.start + 1, head.start + len(text[head.start : limit].rstrip()))
        level = 1 + (head.number.count(".") if head.style in {"decimal", "article"} else 0)
        heading = " ".join(text[head.title_start : head.title_end].split()).strip(" .:-–—")
        if len(heading.split()) > _TITLE_WORDS and not heading.isupper():
            heading = ""  # the clause itself, not a title
        blocks.append(
            Block(
                head.label, head.number, heading, head.noun, head.style, level, head.start, end,
                text[head.start : end],
            )
        )  # fmt: skip
    return tuple(blocks)


def _distinct(heads: Iterable[_Head]) -> list[_Head]:
    """Return heads in order of position, the first of those that share one."""
    seen: dict[int, _Head] = {}
    for head in heads:
        seen.setdefault(head.start, head)
    return [seen[start] for start in sorted(seen)]


def _line_heads(source: FoldedText) -> Iterator[_Head]:
    text, folded = source.text, source.folded
    previous_blank = True
    for line in _lines(text):
        start, end = line
        while start < end and folded[start] in " *#>_":
            start += 1
        stripped = folded[start:end].rstrip()
        if not stripped:
            previous_blank = True
            continue
        head = _numbered(text, folded, start, start + len(stripped)) or _titled(
            text, start, start + len(stripped), stripped, previous_blank
        )
        previous_blank = False
        if head is not None:
            yield head


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        yield start, end
        start = end + 1


def _numbered(text: str, folded: str, start: int, end: int) -> _Head | None:
    line = folded[start : min(end, start + 200)]
    match = _LINE_HEAD.match(line)
    if match is None:
        return None
    after = start + match.end()
    label = text[start : start + match.end()].strip()
    rest = text[after:end].lstrip()
    if match["ordinal"] is not None:
        # "Primero." opens a clause; "primer plazo ..." is prose wrapped onto a new line.
        if not text[start].isupper() or (not match["end2"].strip() and start + len(line) > after):
            return None
        number, style, noun = str(read_ordinal(match["ordinal"]) or ""), "ordinal", ""
    elif match["named"] is not None:
        if not (text[start].isupper() or text[start] == "§"):
            return None
        if not match["end1"].strip() and rest[:1].islower():
            return None
        named = match["named"].rstrip("ºª ").removesuffix("er").rstrip(".").strip()
        plain = named if named[:1].isdigit() else ""
        if not plain:
            plain = str(read_ordinal(named) or read_roman(named) or named.upper())
        noun = "§" if match["noun"] == "?" else match["noun"]
        number, style = plain.rstrip("oaºª "), "article"
    elif match["decimal"] is not None:
        if not rest or not (rest[0].isupper() or rest[0] in '"“«¿('):
            return None
        if not match["end3"].strip() and "." not in match["decimal"] and not _title_like(rest):
            return None
        number, style, noun = match["decimal"], "decimal", ""
    else:
        roman = read_roman(match["roman"])
        if roman is None or not text[start : start + len(match["roman"])].isupper() or not match["end4"]:
            return None
        number, style, noun = str(roman), "roman", ""
    title_end = _title_end(text, after, end)
    return _Head(start, label, number, noun, style, after, title_end)  # type: ignore[arg-type]


def _title_like(words: str) -> bool:
    return (
        len(words) <= 80 and not words.rstrip().endswith((",", ";")) and sum(c.isdigit() for c in words) < 4
    )


def _title_end(text: str, start: int, end: int) -> int:
    """Return where the title words of a heading stop.

    A short line counts whole, of a longer one its first sentence, if that is short.
    """
    if end - start <= _HEADING_WORDS and not text[start:end].rstrip().endswith((",", ";")):
        words = text[start:end]
        stop = words.find(". ", 1)
        dash = words.find(".-", 1)
        cut = min((at for at in (stop, dash) if at > 1), default=-1)
        return end if cut < 0 else start + cut
    window = text[start : start + _HEADING_WORDS]
    cut = min(
        (at for at in (window.find(". ", 2), window.find(".-", 2), window.find(": ", 2)) if at > 1), default=0
    )
    return start + cut


def _titled(text: str, start: int, end: int, stripped: str, previous_blank: bool) -> _Head | None:
    plain = stripped.strip(" .:*#_-")
    if len(stripped) > 90 or not plain:
        return None
    written = text[start:end]
    letters = sum(c.isalpha() for c in written)
    capitals = (
        letters >= 4 and written.upper() == written and letters * 2 > len(written) and "[" not in written
    )
    if plain in _TITLES and (capitals or written[0].isupper()):
        return _Head(start, "", "", "", "title", start, end)
    if capitals and previous_blank and len(plain.split()) <= 10 and not written.rstrip().endswith(","):
        return _Head(start, "", "", "", "title", start, end)
    return None


def _inline_heads(source: FoldedText) -> Iterator[_Head]:
    text, folded = source.text, source.folded
    for match in _INLINE_HEAD.finditer(source.cased):
        start, stop = match.span(1)
        words = folded[start:stop].split()
        noun = words[0] if words[0] in {"clausula", "estipulacion"} else ""
        number = read_ordinal(" ".join(words[1:] if noun else words))
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        yield _Head(
            start, text[start : match.end()].strip(), str(number or ""), noun, "ordinal", match.end(),
            _title_end(text, match.end(), min(end, match.end() + 400)),
        )  # fmt: skip


def block_at(blocks: tuple[Block, ...], offset: int) -> Block | None:
    """Return the block that holds `offset`, or None where it falls between blocks or outside the text."""
    low, high = 0, len(blocks)
    while low < high:
        middle = (low + high) // 2
        if blocks[middle].end <= offset:
            low = middle + 1
        else:
            high = middle
    return blocks[low] if low < len(blocks) and blocks[low].start <= offset else None
