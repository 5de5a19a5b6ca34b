"""An errand of a person in the portal, counted in clicks."""

from __future__ import annotations

from tests.browser.conftest import Visit


class Errand:
    """Counts what a person does with the mouse after signing in."""

    def __init__(self, here: Visit) -> None:
        self.page, self.clicks = here.page, 0

    def click(self, selector: str) -> None:
        self.page.click(selector)
        self.page.wait_for_load_state("load")
        self.clicks += 1
