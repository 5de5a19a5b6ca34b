"""Scans: which pages are recognised, in which language, how straight, how sure; without the program."""

from __future__ import annotations

import io
import struct
import unicodedata
import zlib

import numpy as np
import pikepdf
import pytest
from rapidfuzz.distance import Levenshtein

from app.documents import DocumentUnreadable, Reading, read
from app.documents.reading import formats, ocr, quality
from tests.documents.office_files import SMALL, codes, pdf, pictures, scan

needs_ocr = pytest.mark.skipif(
    not ocr.available(), reason="tesseract is not installed: apt-get install tesseract-ocr tesseract-ocr-spa"
)

TEXT = (
    "CONTRATO DE ARRENDAMIENTO",
    "Primera. El arrendador cede en arrendamiento la vivienda de la calle Mayor número 12, de la que es "
    "dueño por escritura de 3 de marzo de 2019, y el arrendatario la acepta por el plazo de cinco años.",
    "Segunda. La renta será de 950 euros al mes, que se pagarán por adelantado dentro de los cinco primeros "
    "días de cada mes mediante transferencia a la cuenta que el arrendador ha designado.",
    "Tercera. El arrendatario entrega en este acto 950 euros como fianza legal, que le serán devueltos al "
    "final del contrato si no quedan obligaciones pendientes.",
)
ENGLISH = (
    "Section 1. The tenant shall pay the rent to the landlord on the first day of each month, and any sum "
    "that is not paid by that day shall bear interest at the rate of five per cent until it is paid."
)


# One after the other: each uses all processors, and has a minute.
pytestmark = pytest.mark.xdist_group("ocr")


def page(*paragraphs: str, then: tuple[str, ...] = ()) -> bytes:
    """Return a PDF of a small page with paragraphs, and of a second one."""
    first, second = (
        "".join(f"<p style='font-size: 12pt'>{text}</p>" for text in one) for one in (paragraphs, then)
    )
    return pdf(f"{first}<div style='break-before: page'>{second}</div>" if second else first, css=SMALL)


def error_rate(reading: Reading, *expected: str) -> float:
    wanted = unicodedata.normalize("NFC", "\n\n".join(expected))
    return Levenshtein.normalized_distance(wanted, reading.text.reveal())


@needs_ocr
def test_a_scan_is_recognised_page_by_page() -> None:
    made = scan(page(*TEXT[:2], then=TEXT[2:]))
    reading = read(made)
    assert error_rate(reading, *TEXT) < 0.01
    assert (reading.ocr, reading.language, reading.page_count) == (True, "es", 2)
    assert [page.source for page in reading.pages] == ["ocr", "ocr"]
    assert all(page.confidence is not None and page.confidence > 0.9 for page in reading.pages)
    assert reading.page_at(reading.text.reveal().index("Tercera")) == 2
    assert codes(reading) == []


@needs_ocr
@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_pictures_are_recognised(form: str) -> None:
    reading = read(scan(page(*TEXT), form, skew=2.0, noise=10.0), media_type="application/pdf")
    assert error_rate(reading, *TEXT) < 0.02
    assert (reading.media_type, reading.page_count) == (f"image/{form.lower()}", 1)


@needs_ocr
def test_a_tiff_has_pages() -> None:
    made = scan(page(TEXT[1], then=TEXT[2:3]), "TIFF")
    reading = read(made)
    assert reading.page_count == 2
    assert reading.page_at(reading.text.reveal().index("Segunda")) == 2


@needs_ocr
def test_the_first_page_tells_the_language_of_the_rest() -> None:
    reading = read(scan(page(*[ENGLISH] * 3), noise=5.0))
    assert reading.language == "en"
    assert error_rate(reading, ENGLISH, ENGLISH, ENGLISH) < 0.01


def mixed() -> bytes:
    """Return a PDF of a page with text and a scanned one."""
    output = io.BytesIO()
    with (
        pikepdf.open(io.BytesIO(page(*TEXT))) as document,
        pikepdf.open(io.BytesIO(scan(page(ENGLISH)))) as scanned,
    ):
        document.pages.extend(scanned.pages)
        document.save(output)
    return output.getvalue()


@needs_ocr
def test_only_pages_without_usable_text_are_recognised() -> None:
    reading = read(mixed())
    assert [page.source for page in reading.pages] == ["text", "ocr"]
    assert reading.pages[0].confidence is None


@needs_ocr
def test_little_certainty_is_told_with_the_page() -> None:
    reading = read(scan(page(*TEXT), dpi=60, noise=60.0))
    assert ("LOW_OCR_CONFIDENCE", 1) in [(one.code, one.page) for one in reading.warnings]


def _garbled(made: bytes) -> bytes:
    """Return a PDF whose letters say that they are others, as broken typefaces do."""
    output = io.BytesIO()
    with pikepdf.open(io.BytesIO(made)) as document:
        for one in document.objects:
            if isinstance(one, pikepdf.Stream) and b"beginbfchar" in one.read_bytes():
                one.write(one.read_bytes().replace(b"> <00", b"> <E0"))
        document.save(output)
    return output.getvalue()


@needs_ocr
def test_a_broken_text_layer_is_replaced() -> None:
    reading = read(_garbled(page(*TEXT)))
    assert [page.source for page in reading.pages] == ["ocr"]
    assert codes(reading) == ["TEXT_LAYER_REPLACED"]
    assert error_rate(reading, *TEXT) < 0.01


def test_without_the_program_a_scan_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    with pytest.raises(DocumentUnreadable) as caught:
        formats.reading(scan(page(TEXT[1])))
    assert (caught.value.code, caught.value.status) == ("OCR_UNAVAILABLE", 422)
    with pytest.raises(DocumentUnreadable):
        formats.reading(scan(page(TEXT[1]), "PNG"))
    assert ("OCR_UNAVAILABLE", 2) in [(one.code, one.page) for one in formats.reading(mixed()).warnings]
    with pytest.raises(DocumentUnreadable):
        formats.reading(_garbled(page(*TEXT)))


@pytest.mark.parametrize("angle", [-4.0, -2.0, -0.5, 0.0, 1.0, 3.0])
def test_skew_is_found_to_a_fifth_of_a_degree(angle: float) -> None:
    picture = pictures(page(*TEXT * 3), dpi=150, skew=angle, noise=10.0)[0]
    assert ocr.skew(np.asarray(picture, np.uint8)) == pytest.approx(-angle, abs=0.2)


def test_a_blank_page_is_not_turned() -> None:
    assert ocr.skew(np.full((800, 600), 255, np.uint8)) == 0.0
    assert ocr.skew(np.zeros((800, 600), np.uint8)) == 0.0


@pytest.mark.parametrize(
    ("text", "garbled"),
    [
        (" ".join(TEXT), False),
        (ENGLISH, False),
        ("Renta 900,00 € 12/03/2026 1.800,00 € 45,00 %", False),
        ("Juan Pérez García; María López; ACME Holding Ltd; Banco Bilbao " * 5, False),
        ("\ue001\ue002\ue003 \ue004\ue005 " * 10, True),
        ("Frqwudwr gh duuhqgdplhqwr gh ylylhqgd hqwuh sduwlfxoduhv frq sodcr " * 5, True),
        ("xXqWzR tTgHjK bNmPpQ " * 20, True),
        ("", False),
    ],
)
def test_garbled_text_is_told_from_text(text: str, garbled: bool) -> None:
    assert quality.is_garbled(text) is garbled


def test_a_bomb_of_points_is_refused() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    made = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )
    with pytest.raises(DocumentUnreadable) as caught:
        read(made)
    assert caught.value.code == "DOCUMENT_TOO_COMPLEX"
