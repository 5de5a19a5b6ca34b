"""The search of the portal by keyboard, and what it looks like."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import AXE, OPPOSITES, Look, Visit
from tests.cast import Cast

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]


def test_ctrl_k_and_slash_open_the_search_and_a_slash_can_be_typed(
    visit: Callable[..., Visit], cast: Cast
) -> None:
    look: Look = OPPOSITES[1]
    here, alice = visit(look), cast.player("alice")
    here.sign_in(alice)
    for shortcut in ("Control+k", "/"):
        here.open("/portal/keys")
        here.page.locator("h1").click()
        here.page.keyboard.press(shortcut)
        here.page.wait_for_url("**/portal/find")
    # The field has the focus: what is typed now is the search.
    here.page.keyboard.type(f"{alice.key[:12]}/")
    assert here.page.input_value("#q") == f"{alice.key[:12]}/"
    here.page.keyboard.press("Backspace")
    here.page.keyboard.press("Enter")
    here.page.wait_for_url("**/portal/find?q=*")
    here.check()
    here.page.click(f"main a[href$='{alice.key_id}']")
    here.page.wait_for_url(f"**/portal/keys/{alice.key_id}")
