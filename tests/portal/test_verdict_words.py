"""The audit document says of a verdict what the portal says, in both languages."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from flask import Flask
from pypdf import PdfReader

from app import corpus
from app.governance.documents.translations import translations
from app.portal.web.display import labels, language
from app.text.bilingual import Language
from tests.cast import Player
from tests.portal.conftest import PortalClient, analysed

Make = Callable[[Player], PortalClient]
SIX = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")


def test_there_are_six_verdicts_and_each_has_a_name() -> None:
    assert set(corpus.VERDICTS) == set(SIX) == set(labels.VERDICTS)


@pytest.mark.parametrize("spoken", ["es", "en"])
@pytest.mark.parametrize("status", SIX)
def test_portal_and_document_call_a_verdict_the_same(app: Flask, status: str, spoken: Language) -> None:
    with app.test_request_context(), language.speaking(spoken):
        assert translations(spoken)["verdicts"][status] == labels.VERDICTS[status](1)


@pytest.mark.parametrize("spoken", ["es", "en"])
def test_the_page_of_an_analysis_and_its_pdf_agree(member: Make, alice: Player, spoken: str) -> None:
    analysed(alice, citations=dict.fromkeys(SIX, 1))
    visitor = member(alice)
    visitor.client.set_cookie("language", spoken)
    page = visitor.get("/portal/analyses").text
    shown = {
        name: re.sub(r"<[^>]*>", "", found).strip().removeprefix("1").strip()
        for name, found in re.findall(r'verdict--(\w+)">(.*?)</span>', page, re.DOTALL)
    }
    assert set(shown) == set(SIX)
    path = re.search(r'href="(/portal/analyses/\d+\.pdf)"', page)
    assert path
    pdf = PdfReader(io.BytesIO(visitor.get(path[1]).data))
    text = " ".join(" ".join(leaf.extract_text() for leaf in pdf.pages).split())
    for name in SIX:
        assert f"{shown[name]} × 1" in text, name
