"""A recogniser of names may be plugged in by a setting."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from app import redaction
from app.platform.settings import SettingsError


class Capitals:
    """Finds words in capitals, as somebody's library might."""

    def spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        return [(found.start(), found.end(), "PERSON") for found in re.finditer(r"[A-Z]{4,}", text)]


def test_a_recogniser_is_found_by_its_path() -> None:
    chosen = redaction.recogniser(f"{__name__}:Capitals")
    text = "Consta que PEREZ debe a GOMEZ."
    found = redaction.redact(text, mask_names=True, recogniser=chosen)
    assert found.text == "Consta que [PERSON_1] debe a [PERSON_2]."
    assert found.restore(found.text) == text
    assert redaction.recogniser(f"{__name__}:Capitals") is chosen


@pytest.mark.parametrize("path", ["nowhere:Thing", f"{__name__}:Missing", "json:dumps", "builtins:dict", "x"])
def test_what_is_no_recogniser_stops_the_start(path: str) -> None:
    with pytest.raises(SettingsError, match="NAME_RECOGNISER"):
        redaction.recogniser(path)
