"""Pictures of the main screens, and of every page. Not a test: `make screenshots` runs it.

Those of docs/screenshots show the demonstration account, as `make run` has it: fictional throughout, and
marked so. Those of `build/looks`, which git ignores, are for looking at: every page in four looks.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from app import demo, jobs
from app.platform import clock, settings
from app.platform.postgres import db
from tests.browser.conftest import Look, Visit
from tests.cast import LEASE, Cast, Player
from tests.portal.pages import PAGES, furnished

FOLDER = settings.PROJECT / "docs" / "screenshots"
ALL = settings.PROJECT / "build" / "looks"
_LOOKS = tuple(Look(width, theme, "es") for width in (360, 1440) for theme in ("light", "dark"))
STRANGERS = (
    "/", "/example", "/status", "/portal/sign-in", "/portal/forgotten", "/portal/sso", "/docs",
    "/docs/analyze", "/docs/errors", "/nowhere", "/portal/join/stale",
)  # fmt: skip
_WIDE = Look(1440, "light", "en")
_DARK = Look(1440, "dark", "es")
_PHONE = Look(360, "light", "es")


@pytest.fixture
def firm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Player:
    moved = settings.load(data_dir=tmp_path)
    monkeypatch.setattr("app.demo.account.settings.current", lambda: moved)
    made = demo.seed()
    monkeypatch.undo()
    account_id = uuid.UUID(made["account_id"])
    with db.reading() as session:
        waiting = [
            job.id for job in jobs.summaries(session, account_id, now=clock.now(), status="pending", limit=50)
        ]
    for job_id in waiting:
        jobs.run(job_id, "pictures")
    return Player("demo", account_id, made["email"], made["password"], uuid.UUID(int=0), made["key"])


@pytest.mark.browser
def test_pictures(visit: Callable[..., Visit], firm: Player) -> None:
    FOLDER.mkdir(exist_ok=True)
    wide, dark, phone = visit(_WIDE), visit(_DARK), visit(_PHONE)
    for here in (wide, dark, phone):
        here.sign_in(firm)
    for here, path, name in (
        (wide, "/portal/", "overview"),
        (wide, "/portal/usage", "usage"),
        (dark, "/portal/usage", "usage-dark"),
        (wide, "/portal/organizations", "organizations"),
        (wide, "/portal/jobs", "jobs"),
        (wide, "/portal/analyses", "audit-trail"),
        (wide, "/portal/branding", "branding"),
        (wide, "/portal/law", "law"),
        (wide, "/portal/docs", "docs"),
        (wide, "/docs/analyze", "reference"),
        (dark, "/portal/team", "team-dark"),
        (dark, "/portal/account", "account-dark"),
        (phone, "/portal/", "overview-phone"),
    ):
        here.open(path)
        _keep(here, name)
    phone.page.click(".top__menu")
    _keep(phone, "menu-phone")
    wide.open("/portal/webhooks")
    wide.page.click("main table a.address")
    wide.page.wait_for_selector("#deliveries")
    _keep(wide, "webhooks")
    wide.open("/portal/analyse")
    wide.page.fill("#text", LEASE)
    wide.page.check("input[name=mode][value=deep]")
    wide.page.click("button.btn--primary")
    wide.page.wait_for_url("**/analyse/*-*")
    jobs.run(uuid.UUID(wide.page.url.rpartition("/")[2]), "pictures")
    wide.page.wait_for_selector(".reading")
    wide.page.locator(".proof summary").first.click()
    _keep(wide, "analysis", tall=1100)


@pytest.mark.browser
@pytest.mark.parametrize("look", _LOOKS, ids=str)
def test_every_page_in_a_look(visit: Callable[..., Visit], cast: Cast, look: Look) -> None:
    folder = ALL / str(look)
    folder.mkdir(parents=True, exist_ok=True)
    alice = cast.player("alice")
    here = visit(look)
    for path in STRANGERS:
        here.open(path)
        here.page.screenshot(path=folder / f"0 {_named(path)}.png", full_page=True)
    here.sign_in(alice)
    for path, template in zip(furnished(cast, alice), PAGES, strict=True):
        here.open(path)
        here.page.screenshot(path=folder / f"{_named(template)}.png", full_page=True)


def _named(path: str) -> str:
    """A file name for a page's address."""
    return re.sub(r"[^\w=?{}-]+", "_", path.removeprefix("/portal")).strip("_") or "overview"


def _keep(here: Visit, name: str, tall: int = 900) -> None:
    here.page.set_viewport_size({"width": here.page.viewport_size["width"], "height": tall})  # type: ignore[index]
    path = FOLDER / f"{name}.png"
    here.page.screenshot(path=path)
    _small(path)


def _small(path: Path) -> None:
    """256 colours are enough for a page, and a quarter of the bytes."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
