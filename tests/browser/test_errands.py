"""Whole errands: a compliance officer comes for papers, an integrator for a first integration."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Download
from pypdf import PdfReader

from app import governance
from app.dev.system_packages import PDF
from app.governance.documents import sync_export
from app.governance.models import AuditDocument
from app.platform import clock
from app.platform.postgres import db
from tests.browser.conftest import AXE, OPPOSITES, Look, Visit
from tests.cast import Cast, Player
from tests.portal.conftest import analysed, colleague

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]
needs_pdf = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)

Visits = Callable[..., Visit]


@pytest.fixture
def alice(cast: Cast) -> Player:
    """Somebody whose documents are the only ones that wait."""
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))
    return cast.player("alice")


def read(download: Download) -> PdfReader:
    return PdfReader(io.BytesIO(Path(download.path()).read_bytes()))


def text_of(document: PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in document.pages))


def related(document: PdfReader) -> list[tuple[str, str]]:
    return [
        (str(one.get_object()["/UF"]), str(one.get_object()["/AFRelationship"]))
        for one in document.trailer["/Root"]["/AF"]
    ]


@needs_pdf
@pytest.mark.parametrize("look", OPPOSITES, ids=str)
def test_a_compliance_officer_finds_last_months_flagged_analyses_and_takes_their_papers_home(
    visit: Visits, alice: Player, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_export, "AT_ONCE_MAX", 1)
    middle = (clock.now().replace(day=1) - timedelta(days=14)).date()
    ago = clock.today() - middle
    analysed(alice, ago=ago + timedelta(days=60), citations={"not_found": 1})
    for day in range(4):
        flagged = {"verified": 2, "not_found" if day else "derogated": 1}
        analysed(alice, ago=ago - timedelta(days=day), citations=flagged if day != 1 else {"verified": 3})
    analysed(alice)
    here = visit(look)
    page = here.page
    here.sign_in(colleague(alice, "compliance"))
    assert page.url.endswith("/portal/analyses")
    page.wait_for_selector(".chain .i--ok")

    page.click("main a[href*='from=']:not([href*='documents']) >> nth=1")
    page.check("input[name=flagged]")
    page.click("form:has(input[name=flagged]) button[type=submit] >> nth=0")
    page.wait_for_url("**flagged=1**")
    assert page.locator("tbody tr:not(.table__month)").count() == 3
    here.check()
    with page.expect_download() as got:
        page.click("a[href='/portal/analyses/5.pdf']")
    one = read(got.value)
    expected = [("audit_records.json", "/Source"), ("audit_records.csv", "/Alternative")]
    assert related(one) == expected
    position = {"es": "Posición en la cadena 5 de 6", "en": "Position in the chain 5 of 6"}[look.language]
    assert position in text_of(one)

    page.click("button[formaction$='/period.pdf']")
    page.wait_for_url("**/analyses/documents?**")
    assert page.is_checked("input[name=flagged]")
    here.check()
    page.click("main form button[type=submit]")
    page.wait_for_selector("#document[hx-get]")
    here.check()
    assert governance.make_due("test-worker")
    page.wait_for_selector("#document a[download]")
    here.check()
    with page.expect_download() as got:
        page.click("#document a[download]")
    document = read(got.value)
    assert related(document) == expected
    assert document.trailer["/Root"]["/Lang"] == look.language
    positions = {"es": "de la 2 a la 5, 3 registros", "en": "2 to 5, 3 records"}[look.language]
    assert positions in text_of(document)
    page.click("main .crumb a[href$='/documents']")
    page.wait_for_url("**/documents")
    assert page.locator("tbody a[download]").count() == 1
    here.check()


@needs_pdf
def test_a_document_is_waited_for_without_javascript(visit: Visits, alice: Player) -> None:
    analysed(alice)
    here = visit(OPPOSITES[1], javascript=False)
    here.sign_in(colleague(alice, "compliance"))
    here.open(f"/portal/analyses/documents?from={clock.today()}&to={clock.today()}")
    here.page.click("main form button[type=submit]")
    here.page.wait_for_url("**/documents/*-*")
    assert governance.make_due("test-worker")
    here.page.wait_for_selector("#document a[download]", timeout=15_000)
    with here.page.expect_download() as got:
        here.page.click("#document a[download]")
    assert len(read(got.value).pages) >= 1


@pytest.mark.parametrize("look", OPPOSITES, ids=str)
def test_an_integrator_builds_a_first_integration_from_the_docs(
    visit: Visits, alice: Player, look: Look
) -> None:
    here = visit(look)
    page = here.page
    here.sign_in(colleague(alice, "developer"))
    here.open("/portal/keys/new")
    page.fill("#name", "First integration")
    page.click("main button[type=submit]")
    key = page.inner_text("#new-key")
    here.open("/portal/docs")
    environment = dict(
        line.removeprefix("export ").split("=", 1) for line in page.inner_text("#code-env").splitlines()
    )
    assert environment["API_URL"] == here.address
    assert key.startswith(environment["API_KEY"].removesuffix("…"))
    here.check()
    page.click("a[href*='in=python']")
    page.wait_for_url("**in=python**")
    for task in ("code-analyse", "code-batch"):
        done = subprocess.run(
            [sys.executable, "-c", page.inner_text(f"#{task}")],
            env={"API_URL": here.address, "API_KEY": key},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert {"code-analyse": "L1", "code-batch": "lease-18 success"}[task] in done.stdout
    here.check()
    here.open("/portal/keys")
    page.wait_for_selector("tr:has-text('First integration')")
    here.open("/portal/analyses")
    assert page.locator("tbody tr:not(.table__month)").count() == 3
    here.check()
