"""What answers without a key."""

from __future__ import annotations

import re

import pytest
import redis
import sqlalchemy as sa
from flask.testing import FlaskClient

from tests.cast import Cast


def test_jurisdictions_lists_sixty_and_more_with_what_can_be_checked(client: FlaskClient, cast: Cast) -> None:
    response = client.get("/api/v1/jurisdictions")
    body = response.get_json()
    assert response.status_code == 200
    assert body["total"] == len(body["jurisdictions"]) >= 60
    assert set(body["legalSystems"]) <= {"civil", "common", "mixed", "religious", "customary"}
    spain = next(item for item in body["jurisdictions"] if item["code"] == "ES")
    assert (spain["name"], spain["nameEs"], spain["legalSystem"], spain["language"]) == (
        "Spain",
        "España",
        "civil",
        "es",
    )
    assert spain["corpus"]["statutes"] > 50
    assert body["note"]
    assert len({item["code"] for item in body["jurisdictions"]}) == body["total"]


def test_healthz_and_readyz(client: FlaskClient, cast: Cast) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {
        "status": "ready",
        "checks": {"postgresql": "ok", "redis": "ok"},
    }


def test_readyz_names_what_is_away(client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise redis.ConnectionError

    monkeypatch.setattr("app.platform.web.health.redis_client.ping", away)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.get_json()["checks"] == {"postgresql": "ok", "redis": "unavailable"}

    def down() -> None:
        raise sa.exc.OperationalError("SELECT 1", {}, Exception())

    monkeypatch.setattr("app.platform.web.health.db.ping", down)
    assert client.get("/readyz").get_json()["checks"]["postgresql"] == "unavailable"
    assert client.get("/healthz").status_code == 200


def test_metrics_count_requests_by_route_never_by_address(client: FlaskClient, cast: Cast) -> None:
    client.get("/api/v1/nothing/secret-id")
    client.get("/api/v1/jurisdictions")
    text = client.get("/metrics").text
    assert 'http_requests_total{method="GET",route="/api/v1/jurisdictions",status="200"}' in text
    assert "secret-id" not in text


def test_metrics_can_be_closed_with_a_token(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.platform import settings

    closed = settings.load(metrics_token="t" * 20)
    monkeypatch.setattr("app.platform.web.health.settings.current", lambda: closed)
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer ñ"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer " + "t" * 20}).status_code == 200


def test_the_reference_needs_no_outside_host(client: FlaskClient) -> None:
    for path in ("/docs", "/docs/analyze"):
        page = client.get(path)
        assert page.status_code == 200
        assert re.findall(r'(?:src|href|action)="(?:https?:)?//', page.text) == []
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
