"""The first of a schema's messages becomes the error that the client reads."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import pytest
from flask.testing import FlaskClient
from marshmallow import fields

from app.platform.web import openapi
from tests.cast import Cast


class Inner(ma.Schema):
    json = fields.Integer()


class Body(ma.Schema):
    query = fields.Integer()
    json = fields.Integer()
    nested = fields.Nested(Inner)


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"query": "x"}, "query"),
        ({"json": "x"}, "json"),
        ({"nested": {"json": "x"}}, "nested.json"),
        ({"nested": 3}, "nested"),
        ([], "body"),
    ],
)
def test_the_field_is_named_whatever_it_is_called(raw: Any, field: str) -> None:
    with pytest.raises(ma.ValidationError) as caught:
        Body().load(raw)
    found = openapi.first_problem(caught.value.messages)
    assert found.details is not None
    assert found.details["field"].startswith(field)
    assert [error["field"] for error in found.details["errors"]] == [found.details["field"]]


def test_a_body_that_the_parser_read_names_its_field_too(client: FlaskClient, cast: Cast) -> None:
    headers = cast.player().auth
    answer = client.post("/api/v1/normativa/search", json={"query": 7}, headers=headers)
    assert answer.get_json()["details"]["field"] == "query", answer.get_json()
    answer = client.get("/api/v1/jobs?limit=x", headers=headers)
    assert answer.get_json()["details"]["field"] == "limit", answer.get_json()


def test_a_body_that_is_nested_too_deep_says_so_once(client: FlaskClient, cast: Cast) -> None:
    body: Any = "x"
    for _ in range(40):
        body = {"query": body}
    answer = client.post("/api/v1/normativa/search", json=body, headers=cast.player().auth)
    assert answer.status_code == 400
    assert answer.get_json()["error"] == "The body is nested more than 32 levels deep. Send flatter JSON."
