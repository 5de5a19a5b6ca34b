"""Errands of an integrator, a partner and a compliance officer, in clicks: `python -m benchmarks.errands`.

Starts a portal of its own on a throw-away PostgreSQL and Redis, fills three accounts, and has Chromium do
each errand as a person would who has signed in and looks at the page that they land on. What is counted are
clicks of the mouse; typing and reading are not. Seconds are those of the machine, from the first click to the
page or file that ends the errand: what a person waits for. `--picture FOLDER` keeps each errand's last page.

`before` is counted by reading the templates as they stood before commit 9f5a8e2a, when the portal's second
round began; for a new client it is what `tests/browser/test_first_hour.py` tells, and the click on the menu.
`None` is what could not be done in the portal.

Prints a table and, on the last line, one JSON object. The exit code is 1 where an errand takes more clicks
than `most` says.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.browser.conftest import ARGUMENTS
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import analysed, colleague
from tests.portal.webhooks import ended, registered, told
from tests.sharing.finished import finished_job
from tests.throwaway import Throwaway, new_database


class Errand:
    """A signed-in person on the page that they landed on, whose clicks are counted."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.clicks = page, address, 0

    def click(self, selector: str) -> None:
        """Click on one element and wait for the page that comes."""
        self.page.click(selector)
        self.page.wait_for_load_state("load")
        self.clicks += 1

    def fill(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.page.fill(selector, text)

    def download(self, selector: str) -> bytes:
        """Click on what answers with a file; return the file."""
        with self.page.expect_download() as got:
            self.page.click(selector)
        self.clicks += 1
        return Path(got.value.path()).read_bytes()


@dataclass(frozen=True)
class Known:
    """What the filled accounts have: who signs in, and what the errands look for."""

    people: dict[str, Player]
    request_id: str
    job_id: uuid.UUID


@dataclass(frozen=True)
class Case:
    """An errand: of whom, what for, clicks before (`None`: impossible) and at most now, and how."""

    who: str
    what: str
    before: int | None
    most: int
    run: Callable[[Errand, Known], None]


def _first_call(errand: Errand, _: Known) -> None:
    errand.click("main a[href='/portal/keys/new']")
    errand.fill("#name", "Case files")
    errand.click("main form button.btn--primary")
    assert errand.page.inner_text("#new-key").startswith("svc_")
    assert "/api/v1/analyze" in errand.page.content()


def _failed_call(errand: Errand, _: Known) -> None:
    errand.click("main a[href='/portal/requests?outcome=error']")
    errand.click("#requests tbody th a")
    assert "VALIDATION_ERROR" in errand.page.inner_text("main")


def _failed_delivery(errand: Errand, _: Known) -> None:
    errand.click("nav a[href='/portal/webhooks']")
    errand.click("main tbody a")
    errand.click("#deliveries tbody a")
    assert "credits.low" in errand.page.inner_text("main")


def _try_operation(errand: Errand, _: Known) -> None:
    errand.click("nav a[href='/portal/docs']")
    errand.click("main a[href='/docs']")
    errand.click("main a[href='/docs/sandbox-analyze']")
    errand.click("a[href^='/portal/try/']")
    errand.click("main form button.btn--primary")
    assert "200" in errand.page.inner_text("main")


def _new_client(errand: Errand, _: Known) -> None:
    errand.click("nav a[href='/portal/organizations']")
    errand.click("main a[href='/portal/organizations/client']")
    for field, text in (
        ("#name", "Despacho Ribera"), ("#keys-0-label", "Gestoría Llanes"), ("#keys-0-cap", "200"),
        ("#keys-1-label", "Asesoría Peñalver"), ("#brand_name", "Ribera"),
    ):  # fmt: skip
        errand.fill(field, text)
    errand.click("main form.form--client button.btn--primary")
    assert errand.page.locator("code.secret").count() == 3


def _month_by_key(errand: Errand, _: Known) -> None:
    errand.click("nav a[href='/portal/usage']")
    errand.click("nav.seg--wrap a:has-text('Last month')")
    sheet = errand.download("main a[href*='usage.csv']").decode()
    assert "credits" in sheet.partition("\n")[0]
    assert "name" in sheet.partition("\n")[0]


def _share(errand: Errand, known: Known) -> None:
    errand.click("nav a[href='/portal/jobs']")
    errand.click(f"main a[href*='{known.job_id}']")
    errand.click("main a[href$='/share']")
    errand.click("input[name=audience][value=password]")
    errand.click("main form.box--form button.btn--primary")
    assert len(errand.page.inner_text("#new-password")) > 10


def _cut_off(errand: Errand, _: Known) -> None:
    errand.click("nav a[href='/portal/organizations']")
    errand.click("main tbody a")
    errand.click("main tbody a[href*='/keys/']")
    errand.click("main a[href$='/cut-off']")
    errand.click("main form button[type=submit]")
    assert errand.page.locator(".note--ok").count()


def _flagged_month(errand: Errand, _: Known) -> None:
    errand.click("main a:has-text('Last month')")
    errand.click("input[name=flagged]")
    made = errand.download("button[formaction$='/period.pdf']")
    assert made.startswith(b"%PDF")


def _month_sheet(errand: Errand, _: Known) -> None:
    errand.click("main a:has-text('Last month')")
    sheet = errand.download("main a[href*='analyses.csv']").decode()
    assert sheet.startswith("record,")


def _one_record(errand: Errand, known: Known) -> None:
    errand.fill("#q", known.request_id)
    errand.click("form[role=search] button[type=submit]")
    errand.page.wait_for_url("**/analyses/*")
    assert known.request_id in errand.page.content()


def _own_data(errand: Errand, known: Known) -> None:
    errand.click("nav a[href='/portal/profile']")
    kept = errand.download("main a[href='/portal/profile/export']")
    assert known.people["officer"].email.encode() in kept


CASES = (
    Case("integrator", "a key and the request to paste", 2, 2, _first_call),
    Case("integrator", "why a call failed", None, 2, _failed_call),
    Case("integrator", "what a failed webhook was sent and what it answered", None, 3, _failed_delivery),
    Case("integrator", "try an operation at no cost", None, 5, _try_operation),
    Case("partner", "a client with two capped keys and a brand", 14, 3, _new_client),
    Case("partner", "last month's credits by key, with names, as CSV", None, 3, _month_by_key),
    Case("partner", "a result for somebody without an account", None, 5, _share),
    Case("partner", "cut off a client's key", 5, 5, _cut_off),
    Case("officer", "last month's analyses with a broken citation as PDF", 3, 3, _flagged_month),
    Case("officer", "last month's trail as CSV", None, 2, _month_sheet),
    Case("officer", "the record of one request", 1, 1, _one_record),
    Case("officer", "what is stored about oneself", None, 2, _own_data),
)


def _filled(cast: Cast) -> Known:
    integrator, partner = cast.player("integrator"), cast.player("partner", credit=500)
    officer = colleague(partner, "compliance")
    middle = clock.now().replace(day=1) - timedelta(days=14)
    ago = clock.now() - middle
    called(integrator, 3)
    called(integrator, status=422, code="VALIDATION_ERROR", request_id=f"req_{uuid.uuid4()}", credits=0)
    hook = registered(integrator)
    told(integrator)
    ended(hook)
    child = cast.child(partner)
    called(partner, 40, ago=ago)
    called(partner, 20, ago=ago, key_id=child.key_id)
    for day in range(6):
        entry = analysed(
            partner, ago=ago - timedelta(days=day), citations={"verified": 2, "not_found": day % 2}
        )
    people = {"integrator": integrator, "partner": partner, "officer": officer}
    return Known(people, entry.request_id, finished_job(cast, partner))


def _signed_in(browser: Browser, address: str, player: Player) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB").new_page()
    page.set_default_timeout(15_000)
    page.goto(f"{address}/portal/sign-in")
    page.fill("#email", player.email)
    page.fill("#password", player.password)
    page.press("#password", "Enter")
    page.wait_for_url(lambda url: "/sign-in" not in url)
    return page


class _Quiet(WSGIRequestHandler):
    def log_request(self, *_: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def _portal() -> Iterator[str]:
    """Serve the portal from this process; yield its address."""
    from app import usage
    from app.factory import create_app

    app = create_app()
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        usage.drain("errands")
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def run(pictures: Path | None) -> dict[str, Any]:
    """Do every errand in a browser; return the figures."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("benchmarks.errands: no chromium on the path: apt-get install chromium")
    with _portal() as address, sync_playwright() as playwright:
        known = _filled(Cast())
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        rows: list[dict[str, Any]] = []
        for number, case in enumerate(CASES):
            page = _signed_in(browser, address, known.people[case.who])
            errand = Errand(page, address)
            began = time.monotonic()
            case.run(errand, known)
            seconds = time.monotonic() - began
            if pictures is not None:
                page.screenshot(path=pictures / f"{number:02}-{case.who}.png", full_page=True)
            page.context.close()
            rows.append(
                {
                    "who": case.who,
                    "errand": case.what,
                    "clicks_before": case.before,
                    "clicks": errand.clicks,
                    "most": case.most,
                    "seconds": round(seconds, 2),
                }
            )
        browser.close()
    return {"errands": rows, "over": [one["errand"] for one in rows if one["clicks"] > one["most"]]}


def _table(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'who':<11} {'errand':<52} {'before':>6} {'now':>4} {'s':>6}"]
    lines += [
        f"{one['who']:<11} {one['errand']:<52} {one['clicks_before'] or '–':>6} {one['clicks']:>4} "
        f"{one['seconds']:>6.2f}"
        for one in rows
    ]
    return "\n".join(lines)


@rls.as_system()
def main() -> int:
    """Start both stores and the portal, do the errands, print the table and the JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--picture", type=Path, help="folder for the last page of each errand")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        stores = Throwaway()
        stack.callback(stores.stop)
        os.environ.update(
            DATABASE_URL=new_database(stores.addresses, "errands"),
            REDIS_URL=stores.addresses.redis_url(0),
            SECRET_KEY="k" * 40,
            LOG_LEVEL="error",
            WEBHOOK_ALLOW_HOSTS="hooks.test",
        )
        settings.current.cache_clear()
        stack.callback(db.dispose)
        if arguments.picture:
            arguments.picture.mkdir(parents=True, exist_ok=True)
        found = run(arguments.picture)
    print(_table(found["errands"]))
    print(json.dumps(found))
    return 1 if found["over"] else 0


if __name__ == "__main__":
    sys.exit(main())
