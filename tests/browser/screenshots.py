"""Pictures of the main screens, for docs/screenshots. Not a test: `make screenshots` runs it.

A firm that has worked for a month: fictional throughout.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from app import tenancy, usage, webhooks
from app.jobs import execution
from app.platform import clock, db, settings
from app.usage.books import enter
from tests.browser.conftest import Look, Visit
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import analysed

FOLDER = settings.PROJECT / "docs" / "screenshots"
_WIDE = Look(1440, "light", "en")
_DARK = Look(1440, "dark", "es")
_PHONE = Look(360, "light", "es")


def _a_month(firm: Player, cast: Cast) -> None:
    dice = random.Random(7)
    organization = cast.organization(firm, "Red de gestorías")
    for _ in range(3):
        cast.child(firm, organization)
    calls = []
    for day in range(45):
        for _ in range(dice.randint(8, 40) + (45 - day)):
            calls.append(
                usage.Call(
                    clock.now() - timedelta(days=day, minutes=dice.randint(1, 600)),
                    firm.account_id,
                    firm.key_id,
                    dice.choice(["/api/v1/analyze"] * 6 + ["/api/v1/jobs", "/api/v1/normativa/search"]),
                    200 if dice.random() > 0.02 else 422,
                    round(dice.lognormvariate(4.2, 0.6)),
                    1,
                )
            )
    db.atomically(lambda session: enter(session, calls))
    for day in range(14, 0, -1):
        bad = {"verified": dice.randint(2, 9), "not_verifiable": dice.randint(0, 2)}
        analysed(firm, ago=timedelta(days=day), citations=bad | ({"not_found": 1} if day % 5 == 0 else {}))
    with db.transaction() as session:
        webhooks.register(
            session,
            firm.account_id,
            firm.key_id,
            url="https://hooks.example.com/candado",
            events=["analysis.completed", "analysis.failed"],
            description="Practice management",
            now=clock.now(),
        )
        tenancy.links.invite(
            session, firm.account_id, email="ana@example.com", role="compliance", now=clock.now()
        )


@pytest.mark.browser
def test_pictures(visit: Callable[..., Visit], cast: Cast) -> None:
    firm = cast.player("ribera", credit=2_500)
    with db.transaction() as session:
        tenancy.describe(session, firm.account_id, name="Despacho Ribera", time_zone="Europe/Madrid")
    _a_month(firm, cast)
    FOLDER.mkdir(exist_ok=True)
    wide, dark, phone = visit(_WIDE), visit(_DARK), visit(_PHONE)
    for here in (wide, dark, phone):
        here.sign_in(firm)
    for here, path, name in (
        (wide, "/portal/", "overview"),
        (wide, "/portal/usage", "usage"),
        (dark, "/portal/usage", "usage-dark"),
        (wide, "/portal/organizations", "organizations"),
        (wide, "/portal/webhooks", "webhooks"),
        (wide, "/portal/analyses", "audit-trail"),
        (wide, "/portal/branding", "branding"),
        (wide, "/portal/law", "law"),
        (dark, "/portal/team", "team-dark"),
        (phone, "/portal/", "overview-phone"),
    ):
        here.open(path)
        _keep(here, name)
    wide.open("/portal/analyse")
    wide.page.fill("#text", LEASE)
    wide.page.check("input[name=mode][value=deep]")
    wide.page.click("button.btn--primary")
    wide.page.wait_for_url("**/analyse/*-*")
    execution.run(uuid.UUID(wide.page.url.rpartition("/")[2]), "pictures")
    wide.page.wait_for_selector(".reading")
    wide.page.locator(".proof summary").first.click()
    _keep(wide, "analysis", tall=1100)


def _keep(here: Visit, name: str, tall: int = 900) -> None:
    here.page.set_viewport_size({"width": here.page.viewport_size["width"], "height": tall})  # type: ignore[index]
    path = FOLDER / f"{name}.png"
    here.page.screenshot(path=path)
    _small(path)


def _small(path: Path) -> None:
    """256 colours are enough for a page, and a quarter of the bytes."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
