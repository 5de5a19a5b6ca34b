"""Sentences that compare, bound or label figures are made in Python."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from app import tenancy, usage, webhooks
from app.portal.docs.reference.fields import Limit
from app.portal.docs.reference.limits import limit_words
from app.portal.web.display import comparison, status_labels

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _in_english(app: Flask) -> Iterator[None]:
    with app.test_request_context("/", headers={"Cookie": "language=en"}):
        yield


def figures(
    calls: int = 0, errors: int = 0, p95: int = 0, credits: int = 0, limited: int = 0
) -> usage.Figures:
    return usage.Figures(calls, errors, limited, credits, latency_p50_ms=p95, latency_p95_ms=p95)


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (30, 15, "100% more than the 30 days before"),
        (15, 30, "50% fewer than the 30 days before"),
        (30, 30, "as many as the 30 days before"),
        (30, 0, ""),
    ],
)
def test_calls_are_compared_with_the_days_before(now: int, before: int, said: str) -> None:
    assert comparison.calls(figures(now), figures(before), 30) == said
    assert comparison.calls(figures(now), None, 30) == ""


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (40, 900, "860\u00a0ms faster than before"),
        (900, 40, "860\u00a0ms slower than before"),
        (40, 40, ""),
    ],
)
def test_speed_is_compared_where_there_was_any(now: int, before: int, said: str) -> None:
    assert comparison.latency(figures(1, p95=now), figures(1, p95=before)) == said
    assert comparison.latency(figures(1, p95=now), figures(0)) == ""


def test_errors_and_credits_say_what_they_were() -> None:
    now, before = figures(200, errors=3, credits=60, limited=2), figures(100, errors=5, credits=15)
    assert comparison.error_calls(now, before) == "3 calls, was 5%"
    assert comparison.error_calls(now, None) == "3 calls"
    assert comparison.error_share(now, before) == "1.5% of calls, was 5%; 2 over the rate limit"
    assert comparison.error_share(figures(1), figures(0)) == "0% of calls"
    assert comparison.credits_a_day(now, before, 30) == "2 a day, was 0.5"
    assert comparison.credits_a_day(now, None, 30) == "2 a day"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (Limit("characters", 8, 8), "8 characters"),
        (Limit("characters", 8, 2000), "8 to 2,000 characters"),
        (Limit("characters", 8, None), "at least 8 characters"),
        (Limit("characters", None, 8), "at most 8 characters"),
        (Limit("entries", 1, 50), "1 to 50 entries"),
        (Limit("entries", 1, None), "at least 1 entries"),
        (Limit("entries", None, 50, each=True), "Each item: at most 50 entries"),
        (Limit("value", 0, 10), "0 to 10"),
        (Limit("value", 0, None), "0 or more"),
        (Limit("value", None, 10), "10 or less"),
    ],
)
def test_limits_of_a_field_are_words(limit: Limit, said: str) -> None:
    assert limit_words(limit) == said


@pytest.mark.parametrize(
    ("standing", "paused", "tag"),
    [
        (tenancy.KeyStatus(None, None), None, ("ok", "ok", "Works")),
        (tenancy.KeyStatus(None, NOW), None, ("warn", "warn", "Expires soon")),
        (tenancy.KeyStatus(None, NOW + timedelta(days=2)), None, ("ok", "ok", "Works")),
        (tenancy.KeyStatus("expired", NOW), None, ("bad", "bad", "Expired")),
        (tenancy.KeyStatus("revoked", NOW), None, ("", "bad", "Revoked")),
        (tenancy.KeyStatus("revoked", NOW), "Suspended", ("", "pause", "Suspended")),
        (tenancy.KeyStatus("organization_deleted", NOW), "Suspended", ("", "bad", "Organization deleted")),
    ],
)
def test_a_key_is_labelled_by_how_it_stands(
    standing: tenancy.KeyStatus, paused: str | None, tag: tuple[str, str, str]
) -> None:
    found = status_labels.key_tag(standing, NOW + timedelta(days=1), paused)
    assert (found.tone, found.icon, str(found.word)) == tag


@pytest.mark.parametrize(
    ("active", "failed", "arrived", "reason", "word"),
    [
        (True, None, None, None, "Works"),
        (True, NOW, None, None, "Failing"),
        (True, NOW, NOW - timedelta(hours=1), None, "Failing"),
        (True, NOW, NOW + timedelta(hours=1), None, "Works"),
        (False, NOW, None, "gone", "Deactivated"),
        (False, NOW, None, None, "Paused"),
    ],
)
def test_a_webhook_is_labelled_by_its_last_attempt(
    active: bool, failed: datetime | None, arrived: datetime | None, reason: str | None, word: str
) -> None:
    row = webhooks.Endpoint(
        active=active, last_failure_at=failed, last_delivery_at=arrived, deactivated_because=reason
    )
    assert str(status_labels.webhook_tag(row).word) == word


@pytest.mark.parametrize(
    ("status", "tone"), [(200, "ok"), (399, "ok"), (400, "warn"), (499, "warn"), (500, "bad")]
)
def test_an_answer_has_the_tone_of_its_status(status: int, tone: str) -> None:
    assert status_labels.answer_tone(status) == tone
