"""The errands of a new integrator, in clicks after signing in.

Before there were a log of requests and the form for a new client: a key and the first call 2, as now; why a
call failed could not be found out; a client with two child keys and a brand 13, on six pages.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app import usage
from tests.browser.conftest import AXE, OPPOSITES, Look, Visit
from tests.browser.errand import Errand
from tests.cast import Cast
from tests.portal.calls import called

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]

Visits = Callable[..., Visit]


@pytest.mark.parametrize("look", OPPOSITES, ids=str)
def test_errands_of_the_first_hour_take_few_clicks(visit: Visits, cast: Cast, look: Look) -> None:
    newcomer = cast.player("newcomer", credit=50)
    here = visit(look)
    here.sign_in(newcomer)
    page = here.page

    # A key, and the first call with it: the new key's page has the whole request to paste.
    errand = Errand(here)
    errand.click("main a[href='/portal/keys/new']")
    page.fill("#name", "Case files")
    errand.click("main form button.btn--primary")
    assert page.inner_text("#new-key").startswith("svc_")
    assert "RESIDENTIAL LEASE" in page.content() or "ARRENDAMIENTO DE VIVIENDA" in page.content()
    here.check()
    assert errand.clicks == 2

    # Why did a call fail? From the overview, with the code and what to do about it.
    called(newcomer, 3)
    called(newcomer, status=422, code="VALIDATION_ERROR", request_id="req_that-failed", credits=0)
    usage.drain("test")
    here.open("/portal/")
    errand = Errand(here)
    errand.click("main a[href='/portal/requests?outcome=error']")
    errand.click("#requests tbody th a")
    assert "details.field" in page.inner_text("main")
    assert page.inner_text("#request-id") == "req_that-failed"
    here.check()
    assert errand.clicks == 2

    # A new client with two child keys, capped, and a brand.
    here.open("/portal/organizations")
    errand = Errand(here)
    errand.click("main a[href='/portal/organizations/client']")
    for field, text in (
        ("#name", "Despacho Ribera"), ("#keys-0-label", "Gestoría Llanes"), ("#keys-0-cap", "200"),
        ("#keys-1-label", "Asesoría Peñalver"), ("#brand_name", "Ribera"),
    ):  # fmt: skip
        page.fill(field, text)
    here.check()
    errand.click("main form.form--client button.btn--primary")
    assert page.locator("code.secret").count() == 3
    here.check()
    assert errand.clicks == 2
