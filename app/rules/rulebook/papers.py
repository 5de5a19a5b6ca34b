"""Tell which papers stand on the sheets of one document: a letter and its receipt, an order and its seizure.

A paper begins where a heading calls it by the title of a kind, where an annex opens, or where text goes on
after a signature. It counts where its own words establish its kind, as those of a whole document would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.rules.document import Document, Span
from app.rules.rulebook.kinds import Recognition, ranked, recognise
from app.rules.rulebook.schema import Kind, Rulebook

_FEWEST: Final = 250  # characters: less is a heading, a note or a line of signatures
_FEWEST_BEFORE, _FEWEST_OF_FIRST = 200, 400
_LONGEST_HEADING, _MOST_WORDS, _FEWEST_LETTERS = 110, 14, 6
_MOST: Final = 12  # places where a paper may begin; where there are more, they are sections of one
_ESTABLISHED: Final = 12  # points of words: a title in the first line and two signs
_OPENS: Final = 160  # characters in which a paper is called by its title
_SIGNATURE: Final = re.compile(
    rb"\b(?:fdo(?:_|\b)|firmado\b|firmas?\b|atentamente|saludos\b|recibi\b|conforme\b|signed\b|yours\b|sincerely\b)|"
    rb"\bla empresa\s+(?:el|la) trabajador"
)
_LONGEST_SIGNATURE, _LONGEST_NAME = 160, 30  # characters
_LINE: Final = re.compile(r"[^\n\f]*[^\s\W][^\n\f]*")
_ANNEX: Final = re.compile(
    rb"[\W_]*(?:anexo|annex|schedule|exhibit|appendix|apendice|adenda|addendum|"
    rb"documento (?:adjunto|numero|n[\W_]))"
)
_NUMBERED: Final = re.compile(
    rb"\s*(?:\d{1,2}[ .):-]|[ivx]{1,4}[ .):-]|[a-z][.)]|clausula|articulo|clause|article|"
    rb"(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim)[oa])"
)


@dataclass(frozen=True, slots=True)
class Paper:
    """One of the papers of a document: where it stands, and its kind.

    `titled` tells whether its first words call it so: what such a paper leaves unsaid may be held against it.
    """

    span: Span
    kind: Kind
    titled: bool


def papers(document: Document, rulebook: Rulebook, whole: Recognition) -> tuple[Paper, ...]:
    """Return the papers of a document whose words establish their kinds, in order.

    None where the document is one paper throughout.

    Args:
        document: the document.
        rulebook: the rules.
        whole: what the document is by all of its words.
    """
    cuts = list(_beginnings(document, rulebook)) if len(whole.spoken_for) > 1 else []
    if not 0 < len(cuts) <= _MOST or not any(
        whole.spoken_for.intersection(_called(document, rulebook, cut)) for cut in cuts
    ):
        return ()
    found: list[Paper] = []
    start = 0
    for end in [*cuts, len(document.text)]:
        if end - start < _FEWEST:
            continue  # a heading belongs to what follows
        paper = _paper(document, rulebook, Span(start, end))
        start = end
        if paper is None:
            if found:  # a table or an inventory belongs to the paper before it
                found[-1] = replace(found[-1], span=Span(found[-1].span.start, end))
            continue
        if found and found[-1].kind is paper.kind:
            before = found.pop()
            paper = Paper(Span(before.span.start, end), paper.kind, before.titled or paper.titled)
        found.append(paper)
    if len(found) > 1 and found[0].span.end - found[0].span.start < _FEWEST_OF_FIRST:
        found = found[1:]  # a letterhead
    return tuple(found)


def _called(document: Document, rulebook: Rulebook, start: int, end: int = 0) -> set[str]:
    """Return the kinds by whose titles a paper is called that begins at `start`."""
    standing = rulebook.kind_titles.standing_in(document, end or start + _OPENS, start)
    return {rulebook.kind_title_owners[place].id for place in standing}


def _paper(document: Document, rulebook: Rulebook, span: Span) -> Paper | None:
    """Return a paper that its words establish; what stands above it is judged as any document is."""
    part = Document(document.text[span.start : span.end])
    if span.start == 0:
        above = recognise(part, rulebook)
        return Paper(span, above.kind, True) if above.kind is not None else None
    best = ranked(part, rulebook)[0]
    return Paper(span, best.kind, best.position < _OPENS) if best.points >= _ESTABLISHED else None


def _beginnings(document: Document, rulebook: Rulebook) -> Iterator[int]:
    """Yield where another paper may begin."""
    text = document.text
    signed, before = False, 0
    for found in _LINE.finditer(text):
        start, end = found.span()
        apart = text.count("\n", before, start) >= 2 or "\f" in text[before:start]
        before = end
        if start < _FEWEST_BEFORE or (end - start > _LONGEST_SIGNATURE and not signed):
            continue
        line = document.folded[start:end]
        if apart and (
            _opens_annex(line) or (_is_heading(found[0], line) and _called(document, rulebook, start, end))
        ):
            signed = False
            yield start
        elif end - start < _LONGEST_SIGNATURE and _SIGNATURE.search(line) is not None:
            signed = True
        elif signed and apart and end - start > _LONGEST_NAME:
            signed = False
            yield start


def _opens_annex(line: bytes) -> bool:
    return len(line) <= _LONGEST_HEADING and _ANNEX.match(line) is not None


def _is_heading(line: str, folded: bytes) -> bool:
    """Tell whether a line is a heading in capitals, and of no clause."""
    return (
        line == line.upper()
        and len(line) <= _LONGEST_HEADING
        and len(line.split()) <= _MOST_WORDS
        and not line.rstrip().endswith((".", ",", ";"))
        and sum(map(str.isalpha, line)) >= _FEWEST_LETTERS
        and _NUMBERED.match(folded) is None
    )


def main_kind(whole: Recognition, found: Sequence[Paper]) -> Recognition:
    """Return what a document is, all its papers considered.

    That is what all of its words make it, but a letter is not the receipt below it: the first paper, where it
    is more than half of the text and the words were those of a later one.
    """
    if not found or found[0].kind.id == whole.id or all(one.kind.id != whole.id for one in found):
        return whole
    first = found[0]
    longest = first.span.start == 0 and first.span.end * 2 >= found[-1].span.end
    return Recognition(first.kind, None, _ESTABLISHED, None) if longest else whole
