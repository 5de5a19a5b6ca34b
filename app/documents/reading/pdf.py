"""Read PDF documents: the text layer where it is good, optical character recognition where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from app.documents.errors import (
    BROKEN,
    EMPTY,
    ENCRYPTED,
    MAX_PAGES,
    OCR_MISSING,
    TOO_LONG,
    DocumentUnreadable,
)
from app.documents.reading import layout, ocr
from app.documents.reading.blocks import PageFacts, reading_of, warning
from app.documents.reading.pdf_pages import PdfPage, extract
from app.documents.reading.quality import is_garbled
from app.documents.reading.reading import Reading, ReadingWarning

MEDIA_TYPE = "application/pdf"

# A picture over this share of a page may be the page. Fewer letters than that beside it are a stamp.
_PICTURE, _STAMP = 0.45, 30
_MOST_NOTES = 2_000
_GARBLED, _ABSENT = "garbled", "absent"


def open_pdf(data: bytes) -> Any:
    """Return the `pypdfium2.PdfDocument` of a file.

    Raises:
        DocumentUnreadable: It is broken, needs a password, or has too many pages.
    """
    try:
        document = pypdfium2.PdfDocument(data)
        pages = len(document)
    except pypdfium2.PdfiumError:
        code = pdfium.FPDF_GetLastError()
        locked = code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY)
        raise DocumentUnreadable(ENCRYPTED if locked else BROKEN) from None
    if not pages:
        raise DocumentUnreadable(BROKEN)
    if pages > MAX_PAGES:
        raise DocumentUnreadable(TOO_LONG)
    if document.get_formtype():
        # Draws the values of fields that have no picture of their own; scripts are not run.
        document.init_forms()
    return document


def shown_page(document: Any, index: int) -> Any:
    """Return a page with its filled fields and notes as part of what is printed; the caller closes it."""
    page = document[index]
    count = min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MOST_NOTES)
    if any(_is_printed(page, at) for at in range(count)):
        pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        page = document[index]
    return page


def _is_printed(page: Any, at: int) -> bool:
    """Tell whether an annotation is a field, a text or a stamp on the page."""
    note = pdfium.FPDFPage_GetAnnot(page.raw, at)
    if not note:
        return False
    kind = pdfium.FPDFAnnot_GetSubtype(note)
    pdfium.FPDFPage_CloseAnnot(note)
    return kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)


def read_pdf(data: bytes) -> Reading:
    """Read a PDF document.

    Raises:
        DocumentUnreadable: It is broken, needs a password, is empty, too long, or takes too long.
    """
    with closing(open_pdf(data)) as document:
        pages = [_extracted(document, index) for index in range(len(document))]
        warnings = list(_warnings(document, pages))
        states = [_state(page) for page in pages]
        facts = [PageFacts("none" if state == _ABSENT else "text") for state in states]
        wanted = [index for index, state in enumerate(states) if state]
        if wanted and not ocr.available():
            if all(states) and not any(map(_has_letters, pages)):
                raise DocumentUnreadable(OCR_MISSING)
            missing = {_ABSENT: "OCR_UNAVAILABLE", _GARBLED: "TEXT_LAYER_UNRELIABLE"}
            warnings += [warning(missing[states[index]], index + 1) for index in wanted]
        elif wanted:
            images = (ocr.Picture(index, partial(_rendered, document, index)) for index in wanted)
            for index, found in ocr.recognised(images, count=len(wanted), sizes=_sizes(pages, wanted)):
                warnings += _taken(pages[index], facts[index], found, states[index], index + 1)
    blocks = layout.blocks_of([page.words for page in pages])
    for number, (page, fact) in enumerate(zip(pages, facts, strict=True), 1):
        if not page.words.words and fact.source != "none":
            fact.source = "none"
            warnings.append(warning("PAGE_WITHOUT_TEXT", number))
    if not blocks:
        raise DocumentUnreadable(EMPTY)
    return reading_of(
        blocks, MEDIA_TYPE, pages=facts, warnings=sorted(warnings, key=lambda one: one.page or 0)
    )


def _has_letters(page: PdfPage) -> bool:
    return any(any(map(str.isalnum, word.text)) for word in page.words.words)


def _sizes(pages: list[PdfPage], wanted: list[int]) -> dict[int, tuple[float, float]]:
    return {index: (pages[index].words.width, pages[index].words.height) for index in wanted}


def _extracted(document: Any, index: int) -> PdfPage:
    """Return what a page holds; of a broken one, nothing."""
    try:
        with closing(shown_page(document, index)) as page:
            return extract(page)
    except pypdfium2.PdfiumError:
        return PdfPage(layout.PageWords(595, 842, []), 0, 0, 0, 0.0)


def _rendered(document: Any, index: int) -> ocr.Image:
    with closing(shown_page(document, index)) as page:
        return ocr.rendered(page)


def _state(page: PdfPage) -> str:
    """Return why a page has to be recognised from its picture, `""` where its text layer is good."""
    letters = sum(len(word.text) for word in page.words.words)
    if letters < _STAMP and page.covered >= _PICTURE:
        return _ABSENT
    if letters == 0 and page.covered > 0.02:
        return _ABSENT
    text = " ".join(word.text for word in page.words.words)
    return _GARBLED if is_garbled(text, page.unmapped) else ""


def _taken(
    page: PdfPage, facts: PageFacts, found: ocr.Recognised, state: str, number: int
) -> Iterator[ReadingWarning]:
    """Put what was recognised in the place of a page's words, unless those are the better ones."""
    text = " ".join(word.text for word in found.words)
    if state == _GARBLED and is_garbled(text):
        yield warning("TEXT_LAYER_UNRELIABLE", number)
        return
    if state == _ABSENT and not found.words and page.words.words:
        facts.source = "text"
        return
    if state == _GARBLED:
        yield warning("TEXT_LAYER_REPLACED", number)
    page.words = layout.PageWords(
        page.words.width, page.words.height, found.words, aside=[], exact=False, rules=layout.Rules()
    )
    facts.source, facts.confidence = ("ocr", found.confidence) if found.words else ("none", None)
    yield from ocr.doubts(found, number)


def _warnings(document: Any, pages: list[PdfPage]) -> Iterator[ReadingWarning]:
    """Yield the warnings about what stands beside the text."""
    if pdfium.FPDFDoc_GetAttachmentCount(document.raw) > 0:
        yield warning("EMBEDDED_FILES_IGNORED")
    form = pdfium.FPDF_GetFormType(document.raw)
    if pdfium.FPDFDoc_GetJavaScriptActionCount(document.raw) > 0 or form in (2, 3):
        yield warning("ACTIVE_CONTENT_IGNORED")
    if any(page.hidden > 3 for page in pages):
        yield warning("HIDDEN_TEXT_IGNORED")
