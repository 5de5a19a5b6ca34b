"""A real browser on a real server, which is this process's application."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from werkzeug.serving import make_server

from app.platform import settings
from tests.cast import Player

AXE = settings.PROJECT / "node_modules/axe-core/axe.min.js"
# Chromium must ask nothing of the outside while it is tested.
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How a visitor sees the portal."""

    width: int
    theme: str
    language: str

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}-{self.language}"


LOOKS = (
    Look(1440, "light", "en"), Look(1440, "dark", "es"), Look(360, "light", "es"), Look(360, "dark", "en"),
)  # fmt: skip


# Both sizes, both schemes and both languages, for what need not be seen in all four.
OPPOSITES = (Look(1440, "light", "es"), Look(360, "dark", "en"))


@dataclass
class Visit:
    """A page in one look, and what went wrong on it."""

    page: Page
    context: BrowserContext
    address: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.page.goto(self.address + path, wait_until="load")
        # Silence takes half a second to be sure of: waited for only where a page fetches a part of itself.
        if self.page.locator('[hx-trigger*="load"]').count():
            self.page.wait_for_load_state("networkidle")

    def sign_in(self, player: Player) -> None:
        self._send_password(player)
        # A compliance officer lands on the audit trail, everybody else on the overview.
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    def sign_in_halfway(self, player: Player) -> None:
        """Give the password of somebody who has a second factor."""
        self._send_password(player)
        self.page.wait_for_url("**/sign-in/code**")

    def _send_password(self, player: Player) -> None:
        self.open("/portal/sign-in")
        self.page.fill("#email", player.email)
        self.page.fill("#password", player.password)
        self.page.press("#password", "Enter")

    def check_widths(self, *widths: int) -> None:
        """No sideways scrolling at other widths, in pixels."""
        size = self.page.viewport_size
        assert size is not None
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": size["height"]})
            self._check_width()
        self.page.set_viewport_size(size)

    def _check_width(self) -> None:
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not self.page.evaluate(wide), f"{self.page.url} scrolls sideways at {self.page.viewport_size}"

    def check(self) -> None:
        """No accessibility violation, no sideways scrolling, nothing refused by the content policy."""
        # A click returns when its page begins to come: without its styles it would be judged for colours.
        self.page.wait_for_load_state("load")
        self._check_width()
        # Through the debugger: the page's policy rightly refuses a script that is not the site's own.
        session = self.context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
        # Only rules that are off by default, or about films, want style sheets and media fetched anew.
        found: list[dict[str, Any]] = self.page.evaluate(
            "() => axe.run(document, {resultTypes: ['violations'], preload: false}).then("
            "r => r.violations.map(v => ({rule: v.id, at: v.nodes.map(n => n.html)})))"
        )
        assert found == [], self.page.url
        assert self.complaints == []


@pytest.fixture(scope="session")
def address(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


# Not for the session: Playwright leaves an event loop running in the thread until it is closed.
@pytest.fixture(scope="package")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visit]]:
    contexts = []

    def make(look: Look = LOOKS[0], *, javascript: bool = True) -> Visit:
        context = browser.new_context(
            viewport={"width": look.width, "height": 800},
            color_scheme="dark" if look.theme == "dark" else "light",
            locale={"en": "en-GB", "es": "es-ES"}[look.language],
            java_script_enabled=javascript,
        )
        contexts.append(context)
        made = Visit(context.new_page(), context, address)
        made.page.on(
            "console",
            lambda message: (
                made.complaints.append(message.text)
                # A page that answers 4xx is reported as an error too; those are asked for on purpose.
                if message.type in ("error", "warning") and "Failed to load resource" not in message.text
                else None
            ),
        )
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((address, "data:"))
                else made.complaints.append(f"asked {request.url}")
            ),
        )
        return made

    yield make
    for context in contexts:
        context.close()
