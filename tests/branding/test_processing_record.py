"""The record of Article 30(2): every letter of it, and true to the settings of the installation."""

from __future__ import annotations

import datetime
import io
import re
import uuid
from collections.abc import Iterator

import pypdf
import pytest

from app import branding, tenancy
from app.branding import Branding
from app.branding.processing_record import (
    NO_OWN_ENGINES,
    OwnEngines,
    Recipient,
    own_recipients,
    recipients,
)
from app.dev.system_packages import PDF
from app.platform import pdf, settings
from app.platform.errors import Conflict

needs_pdf = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)
PARTNER = Branding(
    branding="partner",
    partner_brand_name="Soler",
    partner_legal_name="Soler Abogados, S.L.P.",
    partner_support_email="legal@soler.example",
)
ON = datetime.date(2026, 11, 23)


def _text(language: str, *, mask_names: bool = True, own_engines: OwnEngines = NO_OWN_ENGINES) -> str:
    raw = branding.processing_record(
        PARTNER,
        None,
        language=language,
        mask_names=mask_names,
        on=ON,  # type: ignore[arg-type]
        own_engines=own_engines,
    )
    pages = pypdf.PdfReader(io.BytesIO(raw)).pages
    return re.sub(r"\s+", " ", "\n".join(p.extract_text() for p in pages).replace("\u2010\n", ""))


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    for name, value in request.param.items():
        monkeypatch.setenv(name, value)
    settings.current.cache_clear()
    yield
    settings.current.cache_clear()


VENDORS = {
    "NODE_A_ENGINE": "anthropic",
    "ANTHROPIC_API_KEY": "k",
    "NODE_B_ENGINE": "openai",
    "OPENAI_API_KEY": "k",
    "EMBEDDING_ENGINE": "openai",
    "JOB_RESULT_HOURS": "7",
}


@needs_pdf
@pytest.mark.parametrize("language", ["es", "en"])
def test_it_has_every_letter_of_article_30_2_and_both_parties(language: str) -> None:
    text = _text(language)
    for letter in "abcd":
        assert (f"letra {letter})" if language == "es" else f"30(2)({letter})") in text, letter
    for words in ("Soler Abogados, S.L.P.", "legal@soler.example", "2016/679", "2026", "Candado", "3/2018"):
        assert words in text, words
    assert "2026-11-23" not in text, "a date as people write it"


@needs_pdf
def test_both_languages_say_the_same() -> None:
    found = {}
    for language in ("es", "en"):
        source = (pdf._TEMPLATES / f"processing_record.{language}.html").read_text("utf-8")
        found[language] = (
            source.count("{{ blank("),
            re.findall(r"<h2>(\d)", source),
            source.count("<tr>"),
            re.findall(r"{% (?:if|for) .*? %}", source),
        )
    assert found["es"] == found["en"]


@needs_pdf
def test_without_a_vendor_it_says_that_nothing_leaves() -> None:
    assert "makes no outgoing connection" in _text("en")
    assert "no establece conexiones salientes" in _text("es")
    assert "OpenAI" not in _text("en")


@needs_pdf
@pytest.mark.parametrize("configured", [VENDORS], indirect=True)
@pytest.mark.usefixtures("configured")
def test_the_vendors_that_settings_choose_are_named_with_their_tasks() -> None:
    text = _text("en", mask_names=False)
    assert "makes no outgoing connection" not in text
    assert "Anthropic" in text
    assert "Audit of the analysis; vectors for the search of law" in text
    assert "7 hours" in text
    assert "has chosen that names and postal addresses are not replaced" in text
    assert "ha elegido que nombres" not in _text("es")


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        ({}, ()),
        (
            {"NODE_A_ENGINE": "openai", "OPENAI_BASE_URL": "http://10.0.0.7:8000/v1"},
            (Recipient(None, ("analysis",)),),
        ),
        (
            VENDORS | {"NODE_A_FALLBACK": "openai"},
            (Recipient("Anthropic", ("analysis",)), Recipient("OpenAI", ("audit", "fallback", "search"))),
        ),
    ],
    indirect=["configured"],
)
@pytest.mark.usefixtures("configured")
def test_recipients(expected: tuple[Recipient, ...]) -> None:
    assert recipients(settings.current()) == expected


OWN = tenancy.OwnEngine(uuid.uuid4(), "anthropic", True)
ELSEWHERE = tenancy.OwnEngine(uuid.uuid4(), "openai", False)


@pytest.mark.parametrize("configured", [VENDORS | {"NODE_A_FALLBACK": "openai"}], indirect=True)
@pytest.mark.usefixtures("configured")
def test_an_engine_of_the_accounts_own_is_no_recipient_of_the_operators() -> None:
    config = settings.current()
    assert recipients(config, (OWN, None)) == (Recipient("OpenAI", ("audit", "search")),)
    assert recipients(config, (OWN, ELSEWHERE)) == (Recipient("OpenAI", ("search",)),)
    assert own_recipients((OWN, OWN)) == (Recipient("Anthropic", ("analysis", "audit")),)
    assert own_recipients((OWN, ELSEWHERE)) == (
        Recipient("Anthropic", ("analysis",)), Recipient(None, ("audit",)),
    )  # fmt: skip
    assert own_recipients((None, None)) == ()


@needs_pdf
@pytest.mark.parametrize(
    ("language", "engaged"), [("en", "contract of its own"), ("es", "el propio Responsable")]
)
def test_it_says_whom_the_controller_engaged(language: str, engaged: str) -> None:
    text = _text(language, own_engines=(OWN, ELSEWHERE))
    assert engaged in text
    assert "Anthropic" in text
    assert "outgoing connection" not in text
    assert "conexiones salientes" not in text


def test_without_a_legal_name_there_is_no_controller() -> None:
    with pytest.raises(Conflict) as refused:
        branding.processing_record(Branding(), None, language="es", mask_names=True, on=ON)
    assert (refused.value.code, refused.value.status) == ("LEGAL_NAME_MISSING", 409)
