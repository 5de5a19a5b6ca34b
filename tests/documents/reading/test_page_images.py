"""Pictures of pages with words marked."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
import pytest
from PIL import Image

from app.dev.system_packages import OCR
from app.documents import DocumentUnreadable, page_image, read
from app.documents.reading import ocr
from tests.documents.office_files import SMALL, docx, p, pdf, scan

TEXT = "Primera. El arrendador cede la vivienda. Segunda. La renta será de 950 euros al mes."


def document() -> bytes:
    return pdf(
        f"<p>{TEXT}</p><p style='break-before: page'>Tercera. La fianza es de 1.900 euros.</p>", css=SMALL
    )


def marked(picture: bytes) -> tuple[Any, tuple[int, int]]:
    """Return where the colour of marks stands in a picture: rows and columns; and the size."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    values = np.asarray(image, np.int16)
    yellow = (values[..., 0] > 180) & (values[..., 2] < 190) & (values[..., 0] - values[..., 2] > 60)
    return np.argwhere(yellow), image.size


def test_a_page_is_drawn_at_the_width_that_is_asked_for() -> None:
    picture = page_image(document(), "application/pdf", 2, width=600)
    assert picture.startswith(b"\x89PNG")
    found, size = marked(picture)
    assert size[0] == 600
    assert len(found) == 0


@pytest.mark.xdist_group("ocr")
@pytest.mark.parametrize("made", ["text", "scan"])
def test_words_are_marked_where_they_stand(made: str) -> None:
    if made == "scan" and not ocr.available():
        needed = f"apt-get install {' '.join(OCR.packages)}"
        assert "CI" not in os.environ, needed
        pytest.skip(f"tesseract is not installed: {needed}")
    data = document() if made == "text" else scan(document(), skew=2.0)
    reading = read(data)
    start = reading.text.reveal().index("950 euros")
    picture = page_image(data, "application/pdf", 1, marks=[(start, start + 9)], reading=reading, width=1000)
    found, (width, height) = marked(picture)
    assert len(found) > 100
    rows, columns = found[:, 0] / height, found[:, 1] / width
    # The words stand in the first lines of the page, and take no more than a small part of one.
    assert rows.min() > 0.05
    assert rows.max() < 0.2
    assert columns.max() - columns.min() < 0.2
    assert rows.max() - rows.min() < 0.04
    again = page_image(data, "application/pdf", 2, marks=[(start, start + 9)], reading=reading)
    assert len(marked(again)[0]) == 0


def test_a_picture_is_its_own_page() -> None:
    picture = page_image(scan(document(), "PNG"), "image/png", 1, width=300)
    assert marked(picture)[1][0] == 300


def test_without_the_reading_the_file_is_read_again() -> None:
    data = document()
    start = read(data).text.reveal().index("Tercera")
    found, _ = marked(page_image(data, "application/pdf", 2, marks=[(start, start + 7)]))
    assert len(found) > 100


@pytest.mark.parametrize(
    ("data", "page", "code", "status"),
    [
        (document(), 3, "PAGE_UNKNOWN", 404),
        (document(), 0, "PAGE_UNKNOWN", 404),
        (docx(p("x")), 1, "DOCUMENT_TYPE_UNSUPPORTED", 415),
    ],
)
def test_what_has_no_such_page_says_so(data: bytes, page: int, code: str, status: int) -> None:
    with pytest.raises(DocumentUnreadable) as caught:
        page_image(data, "application/pdf", page)
    assert (caught.value.code, caught.value.status) == (code, status)
