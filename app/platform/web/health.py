"""Endpoints /healthz, /readyz and /metrics for load balancers and monitoring, without tenant data."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from flask import Blueprint, Flask, Response, current_app, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client import REGISTRY as PROCESS_REGISTRY

from app.platform import errors, redis_client, settings
from app.platform.postgres import db, replica
from app.platform.web import http

probes = Blueprint("health", __name__)

_requests = Counter("http_requests_total", "Requests answered.", ["method", "route", "status"])
_seconds = Histogram(
    "http_request_seconds",
    "Seconds from the request's arrival to its answer.",
    ["route"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90),
)


def install(app: Flask, *, warm: Callable[[], None]) -> None:
    """Register the endpoints and count every request of `app`.

    `warm` loads what the first request would otherwise wait for; it runs at the first health check.
    """
    app.register_blueprint(probes)
    app.extensions["candado.warm"] = warm
    app.before_request(_start)
    app.after_request(_count)


@probes.get("/healthz")
def alive() -> Response:
    """Serve GET /healthz: 200 when the process answers; its stores are not checked."""
    current_app.extensions["candado.warm"]()
    return http.answer({"status": "ok"})


@probes.get("/readyz")
def ready() -> Response:
    """Serve GET /readyz: 200 when PostgreSQL and Redis answer, else 503 naming the one that does not.

    A replica is named too where one is set; without it the primary answers, so it costs no readiness.
    """
    current_app.extensions["candado.warm"]()
    checks: dict[str, str] = {}
    for name, ping in (("postgresql", db.ping), ("redis", redis_client.ping)):
        try:
            ping()
            checks[name] = "ok"
        except (sa.exc.SQLAlchemyError, redis_client.Unavailable):
            checks[name] = "unavailable"
    whole = all(state == "ok" for state in checks.values())
    copy = replica.state()
    if copy is not None:
        checks["postgresql_replica"] = copy
    body: dict[str, Any] = {"status": "ready" if whole else "unavailable", "checks": checks}
    return http.answer(body, 200 if whole else 503, {} if whole else {"Retry-After": "5"})


@probes.get("/metrics")
def metrics() -> Response:
    """Serve GET /metrics: Prometheus text.

    With `METRICS_TOKEN` set, it needs `Authorization: Bearer <token>`.
    """
    expected = settings.current().metrics_token.get_secret_value()
    if expected:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(sent.encode(), expected.encode()):
            raise errors.Denied("Metrics need the token of the setting METRICS_TOKEN.")
    registry = PROCESS_REGISTRY
    if settings.current().prometheus_multiproc_dir:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _start() -> None:
    g.started = time.monotonic()


def _count(response: Response) -> Response:
    route = str(request.url_rule) if request.url_rule else "unmatched"
    _requests.labels(request.method, route, response.status_code).inc()
    if "started" in g:
        _seconds.labels(route).observe(time.monotonic() - g.started)
    return response
