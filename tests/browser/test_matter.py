"""A lawyer drops files, sees how far each is, and looks at a quotation on the page it stands on."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
import sqlalchemy as sa
import weasyprint

from app.jobs.execution import runner
from app.platform.postgres import db, rls
from tests.browser.conftest import AXE, LOOKS, Look, Visit
from tests.cast import LEASE, Cast

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]


def _pdf(text: str) -> bytes:
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines() if line.strip())
    made: bytes = weasyprint.HTML(string=f"<html lang=es><body>{paragraphs}</body></html>").write_pdf()
    return made


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_files_are_read_analysed_and_shown_by_their_names(
    visit: Callable[..., Visit], cast: Cast, look: Look
) -> None:
    here = visit(look)
    here.sign_in(cast.player("alice"))
    here.open("/portal/matters/new")
    here.check()
    here.page.set_input_files(
        "#files",
        [
            {"name": "Alquiler piso.pdf", "mimeType": "application/pdf", "buffer": _pdf(LEASE)},
            {"name": "roto.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nothing"},
            {"name": "carta.txt", "mimeType": "text/plain", "buffer": LEASE.encode()},
        ],
    )
    here.page.wait_for_function("() => document.querySelectorAll('[data-file]').length === 3")
    assert here.page.locator("[data-ref]").count() == 2
    assert here.page.locator("[data-name]", has_text="Alquiler piso.pdf").count() == 1
    assert "2" in here.page.locator("[data-total]").inner_text()
    here.check()
    here.page.locator("li:has-text('roto.pdf') [data-remove]").click()
    here.page.click("[data-send]")
    here.page.wait_for_url("**/matters/*-*")
    here.check()
    matter = here.page.url.rpartition("/")[2]
    with rls.as_system(), db.reading() as session:
        jobs: list[uuid.UUID] = list(
            session.scalars(
                sa.text("SELECT id FROM jobs WHERE matter_id = :id ORDER BY created_at"), {"id": matter}
            )
        )
    for job in jobs:
        assert runner.run(job, "test-worker")
    here.page.wait_for_selector("a[download]")
    assert here.page.locator("[data-job] [data-name]").all_inner_texts() == ["Alquiler piso.pdf", "carta.txt"]
    here.check()
    here.page.locator("[data-job] a.btn").first.click()
    here.page.wait_for_selector(".reading")
    here.page.locator(".proof:has(.pageview) summary").first.click()
    here.page.locator(".pageview summary").first.click()
    picture = here.page.locator(".pageshot").first
    picture.scroll_into_view_if_needed()
    here.page.wait_for_function("() => document.querySelector('.pageshot').naturalWidth > 500")
    here.check()
