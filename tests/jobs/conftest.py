"""What the tests of jobs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.cast import Cast, Player
from tests.jobs.desk import Desk


@pytest.fixture
def desk(app: Flask, cast: Cast) -> Iterator[Desk]:
    """Jobs without HTTP, and a clock that the test turns."""
    with Desk.opened() as made:
        yield made


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")
