"""The data-processing agreement: complete, made out to the partner, readable, under its letterhead."""

from __future__ import annotations

import io
import re

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import branding
from app.branding import Branding, Logo, letterhead
from app.branding.letterhead import contrast_to_white, readable
from app.branding.picture import redrawn
from app.dev.system_packages import PDF
from app.platform import pdf
from app.platform.errors import Conflict
from tests.branding.pictures import made

needs_pdf = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)
LEGAL = "Ibáñez y Soler Abogados, S.L.P."
PARTNER = Branding(
    branding="partner",
    partner_brand_name="Ibáñez & Soler",
    partner_legal_name=LEGAL,
    partner_primary_color="#1f4e79",
)


def _logo() -> Logo:
    drawn = redrawn(made((600, 200)))
    return Logo("ready", None, None, drawn.data, drawn.width, drawn.height)


def _document(
    language: str, found: Branding = PARTNER, logo: Logo | None = None, service: str = "Candado"
) -> pypdf.PdfReader:
    raw = branding.agreement(found, logo, language=language, service_name=service)  # type: ignore[arg-type]
    return pypdf.PdfReader(io.BytesIO(raw))


def _text(document: pypdf.PdfReader) -> str:
    # Hyphenation of the layout aside.
    return re.sub(r"\s+", " ", "\n".join(p.extract_text() for p in document.pages).replace("\u2010\n", ""))


@needs_pdf
@pytest.mark.parametrize("language", ["es", "en"])
def test_it_has_every_letter_of_article_28_3_and_the_articles_around_it(language: str) -> None:
    text = _text(_document(language))
    letters = "abcdefgh"
    for letter in letters:
        assert (f"letra {letter})" if language == "es" else f"28(3)({letter})") in text or (
            # Of other processors it names three paragraphs at once.
            f"(3)({letter})" in text
        ), letter
    for number in (9, 10, 13, 14, 28, 29, 31, 32, 33, 34, 35, 36, 45, 46, 48, 82):
        assert re.search(rf"\b{number}\b", text), number
    assert "2016/679" in text
    assert "2021/914" in text
    for clause in range(1, 15):
        assert re.search(rf"(?<!\d){clause}\. [A-Z]", text), clause
    annexes = (
        ("Anexo I ", "Anexo II ", "Anexo III ")
        if language == "es"
        else ("Annex I ", "Annex II ", "Annex III ")
    )
    assert [annex for annex in annexes if annex not in text] == []


@needs_pdf
def test_both_languages_have_the_same_clauses_and_as_many_blanks() -> None:
    found = {}
    for language in ("es", "en"):
        source = (pdf._TEMPLATES / f"agreement.{language}.html").read_text("utf-8")
        found[language] = (
            re.findall(r"<b>([\d.A-Z()]+)</b>", source),
            source.count("{{ blank("),
            source.count("{{ box("),
            re.findall(r"<h2[^>]*>(\d+|\w+ [IVX]+)", source.replace("Anexo", "Annex")),
        )
    assert found["es"] == found["en"]


@needs_pdf
@pytest.mark.parametrize("language", ["es", "en"])
def test_it_is_made_out_to_the_partner_and_leaves_the_rest_in_brackets(language: str) -> None:
    document = _document(language, service="Acme Lex")
    text = _text(document)
    # Party, signature, and the foot of each page.
    assert text.count(LEGAL) >= 2 + len(document.pages)
    assert "Acme Lex" in text
    assert "Candado" not in text
    assert text.count("[") >= 30
    assert "Ibáñez & Soler" in document.pages[0].extract_text()
    root = document.trailer["/Root"]
    assert root["/Lang"] == language


@needs_pdf
def test_the_logo_stands_where_the_name_stood_and_is_embedded() -> None:
    without, with_logo = _document("es"), _document("es", logo=_logo())
    assert [len(page.images) for page in without.pages][:2] == [0, 0]
    assert all(len(page.images) == 1 for page in with_logo.pages)
    assert "Ibáñez & Soler" not in with_logo.pages[1].extract_text()


@needs_pdf
def test_a_logo_that_is_not_there_leaves_the_name() -> None:
    failed = Logo("failed", "the server answered with status 404", None, None, None, None)
    assert "Ibáñez & Soler" in _document("es", logo=failed).pages[0].extract_text()


@needs_pdf
def test_a_name_is_words_and_not_markup() -> None:
    name = "<b>Soler</b> & {{ 7 * 7 }} ${x} <img src=http://127.0.0.1/>"
    found = Branding(partner_legal_name=name, partner_brand_name=name)
    assert name in _text(_document("en", found))


@needs_pdf
@pytest.mark.parametrize("name", ["Σόλων και Συνεργάτες", "Адвокаты Солер", "W" * 200, "x " * 100])
def test_names_in_other_letters_and_of_any_length_are_set(name: str) -> None:
    document = _document("en", Branding(partner_legal_name=name.strip()))
    assert len(document.pages) <= 9


def test_without_a_legal_name_there_is_no_party() -> None:
    with pytest.raises(Conflict) as refused:
        branding.agreement(Branding(partner_brand_name="Soler"), None, language="es", service_name="Candado")
    assert (refused.value.code, refused.value.status) == ("LEGAL_NAME_MISSING", 409)


def test_the_letterhead_falls_back_from_logo_to_brand_to_legal_name() -> None:
    assert letterhead(PARTNER, None).name == "Ibáñez & Soler"
    assert letterhead(Branding(partner_legal_name=LEGAL), None).name == LEGAL
    logo = letterhead(PARTNER, _logo()).logo
    assert logo is not None
    assert logo.startswith("data:image/png;base64,")
    assert letterhead(PARTNER, Logo("wanted", None, None, None, None, None)).logo is None


@pytest.mark.parametrize(
    "color", ["#aabbcc\n", "#aabbcc;} body{display:none", "red", "#aabb\u0661\u0662", ""]
)
def test_what_is_no_colour_is_never_written_into_a_style_sheet(color: str) -> None:
    plain = letterhead(Branding(), None)
    assert letterhead(Branding(partner_primary_color=color), None) == plain


@given(st.integers(0, 0xFFFFFF))
def test_ink_can_be_read_on_white_paper_whatever_the_colour(value: int) -> None:
    color = f"#{value:06x}"
    ink = readable(color)
    parts = [int(ink[at : at + 2], 16) for at in (1, 3, 5)]
    assert contrast_to_white(*parts) >= 4.5
    if contrast_to_white(*(int(color[at : at + 2], 16) for at in (1, 3, 5))) >= 4.5:
        assert ink == color
