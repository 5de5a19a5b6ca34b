"""Ask for the signed export, for the tests that read it."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import Player

PATH = "/api/v1/audit/export"


def export(client: FlaskClient, player: Player, **query: Any) -> TestResponse:
    answer = client.get(PATH, query_string=query, headers=player.auth)
    assert answer.status_code == 200, answer.text
    return answer


def lines(answer: TestResponse) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]
