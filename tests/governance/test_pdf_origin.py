"""What every PDF of the service says of its origin, read by another library; and that it stays PDF/A."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest

from app import branding, governance
from app.branding import Branding
from app.dev.system_packages import PDF
from app.platform import clock, pdf
from app.platform.postgres import db, rls
from app.reports import pdf_writer
from app.reports.composition import compose
from tests import pdfa
from tests.cast import Cast, Player
from tests.portal.conftest import analysed
from tests.reports.answers import OCCASION, answer

pytestmark = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)

_SOURCES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
PARTNER = Branding(
    branding="partner", partner_brand_name="Soler", partner_legal_name="Soler Abogados, S.L.P."
)


def _of_one(player: Player) -> bytes:
    analysed(player)
    with rls.acting_for(player.account_id):
        return governance.analysis_document(player.account_id, 1, language="es", now=clock.now())


def _of_a_period(player: Player) -> bytes:
    analysed(player)
    today = clock.today()
    with rls.acting_for(player.account_id), db.transaction() as session:
        document = governance.order(
            session, player.account_id, today - timedelta(days=3), today, key_id=None, flagged=False,
            language="en", now=clock.now(),
        )  # fmt: skip
    assert governance.make_due("w1")
    with rls.acting_for(player.account_id), db.reading() as session:
        parts = governance.file_of(governance.find(session, player.account_id, document.id), now=clock.now())
    assert parts is not None
    return b"".join(parts)


def _agreement(language: str) -> Callable[[Player], bytes]:
    return lambda _player: branding.agreement(PARTNER, None, language=language, service_name="Candado")  # type: ignore[arg-type]


def _record(language: str) -> Callable[[Player], bytes]:
    return lambda _player: branding.processing_record(
        PARTNER,
        None,
        language=language,
        mask_names=True,
        on=clock.today(),  # type: ignore[arg-type]
    )


def _report(engine: str) -> Callable[[Player], bytes]:
    origin = {"generated": True, "by": None, "engine": engine, "reviewed": False}
    report = compose([answer(contentOrigin=origin)], OCCASION, several=False)
    return lambda _player: pdf_writer.write(report, branding.Letterhead("Soler"))


# Each kind of document with its template and its source: records of what was done, text that
# people wrote, or an analysis.
KINDS: dict[str, tuple[str, Callable[[Player], bytes], str]] = {
    "analysis": ("audit.html", _of_one, "dataDrivenMedia"),
    "period": ("audit.html", _of_a_period, "dataDrivenMedia"),
    "agreement-es": ("agreement.es.html", _agreement("es"), "digitalCreation"),
    "agreement-en": ("agreement.en.html", _agreement("en"), "digitalCreation"),
    "processing-record-es": ("processing_record.es.html", _record("es"), "digitalCreation"),
    "processing-record-en": ("processing_record.en.html", _record("en"), "digitalCreation"),
    "report-of-rules": ("report.html", _report("rules-1+audit-1"), "algorithmicMedia"),
    "report-of-a-model": ("report.html", _report("rules-1+some-model"), "trainedAlgorithmicMedia"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_document_says_what_made_it_and_is_archival(cast: Cast, kind: str) -> None:
    _, make, source = KINDS[kind]
    raw = make(cast.player("alice"))
    pdfa.check(raw)
    found = pdfa.metadata(raw)
    assert found["{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}DigitalSourceType"] == _SOURCES + source
    assert found["{http://ns.adobe.com/xap/1.0/}CreatorTool"] == "Service"
    document_id = found["{http://ns.adobe.com/xap/1.0/mm/}DocumentID"]
    assert uuid.UUID(document_id.removeprefix("uuid:"))
    # Programs that read no PDF find the packet all the same.
    assert (_SOURCES + source).encode() in raw


def test_no_kind_of_document_is_left_out() -> None:
    shared = {"base.html", "agreement.html", "_blanks.html"}
    assert {template for template, _, _ in KINDS.values()} == {
        file.name for file in pdf._TEMPLATES.glob("*.html")
    } - shared


def test_the_same_content_has_the_same_id_and_other_content_another() -> None:
    def id_of(name: str) -> str:
        found = Branding(branding="partner", partner_brand_name="Soler", partner_legal_name=name)
        raw = branding.agreement(found, None, language="es", service_name="Candado")
        return str(pdfa.metadata(raw)["{http://ns.adobe.com/xap/1.0/mm/}DocumentID"])

    assert id_of("Soler") == id_of("Soler") != id_of("Soler II")
