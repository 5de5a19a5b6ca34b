"""Notes on how a document was read: each once, with its pages, in the language of the analysis."""

from __future__ import annotations

import pytest

from app.analysis.answer.reading_notes import ReadingNotes, notes_on
from app.documents import Reading, ReadingWarning
from app.documents.reading.blocks import WARNINGS
from app.platform.confidential import DocumentText
from app.text.bilingual import LANGUAGES, Language


def _read(*warnings: tuple[str, int | None]) -> Reading:
    told = tuple(ReadingWarning(code, "In one language.", page) for code, page in warnings)
    return Reading(DocumentText("words"), "application/pdf", (), (), told, "es", True)


def test_a_reading_without_warnings_has_no_notes() -> None:
    assert notes_on(_read(), "es") == ReadingNotes()


@pytest.mark.parametrize(
    ("pages", "es", "en"),
    [
        ([None], "el documento", "the document"),
        ([9], "la página 9", "page 9"),
        ([2, 1], "las páginas 1 y 2", "pages 1 and 2"),
        ([9, 3, 3, 10, 11, 7], "las páginas 3, 7 y 9 a 11", "pages 3, 7 and 9 to 11"),
        ([4, 5, 6], "las páginas 4 a 6", "pages 4 to 6"),
    ],
)
def test_pages_are_named_together(pages: list[int | None], es: str, en: str) -> None:
    reading = _read(*(("LOW_OCR_CONFIDENCE", page) for page in pages))
    assert notes_on(reading, "es").doubts == (
        f"El texto de {es} se ha reconocido de una imagen con poca certeza: cotéjelo con el original.",
    )
    assert notes_on(reading, "en").doubts == (
        f"The text of {en} was recognised from an image with little certainty: compare it with the original.",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_warning_of_a_reading_has_its_sentence(language: Language) -> None:
    found = notes_on(_read(*((code, 3) for code in WARNINGS)), language)
    told = (*found.doubts, *found.others)
    assert len(set(told)) == len(WARNINGS)
    assert "In one language." not in told
    assert not [one for one in told if "{" in one]


def test_a_warning_that_is_not_known_here_is_told_as_it_came() -> None:
    assert notes_on(_read(("NEW", None), ("NEW", 4)), "es") == ReadingNotes((), ("In one language.",))
