"""Operation GET /api/v1/usage."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import usage
from app.platform import clock
from app.platform.postgres import db, replica
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key
from app.usage.schemas import EXAMPLE, SHEET_EXAMPLE, UsageQuery, UsageResponse
from app.usage.tokens import ModelTokens
from app.usage.usage_report import Figures, KeyUsage, Report

routes = openapi.Routes(
    "usage",
    __name__,
    url_prefix="/api/v1",
    description="Usage: calls, errors, latency and credits by key and endpoint.",
)

_HEADERS = {
    **openapi.RATE_HEADERS,
    "Content-Disposition": {
        "schema": {"type": "string"},
        "description": "On CSV only: a file name with the range.",
    },
}


@routes.route("/usage", methods=["GET"])
@require_key()
@routes.arguments(UsageQuery, location="query")
@routes.response(200, UsageResponse, headers=_HEADERS, example=EXAMPLE)
@routes.alt_response(200, schema={"type": "string"}, content_type="text/csv", example=SHEET_EXAMPLE)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503)
@routes.doc(operationId="usage")
def report(query: dict[str, Any]) -> Response:
    """Get the usage of the account

    Totals over UTC days, by key, by endpoint and by period. Latencies come from histograms whose buckets
    grow by the square root of two. A child key sees its own calls, any other key those of the whole account;
    a key or organization of another account is 404. With `organization_id`, the figures are those of the
    master key and child keys of the organization, each with its `child_label`. A call appears within
    seconds.

    With `format=csv` the same data is streamed as CSV, one line per period, key and endpoint with calls; a
    cell that a spreadsheet would run as a formula begins with an apostrophe. The header `Accept` is ignored.
    """
    form = query.pop("format")
    with db.reading() as session:
        question = usage.ask(session, caller(), today=clock.today(), **query)
    # What the caller may see is asked of the primary, the figures of the replica where there is one.
    if form == "json":
        found, tokens = replica.read(
            lambda session: (usage.report(session, question), usage.tokens(session, question))
        )
        return http.answer(
            {**_body(found), **({"tokens": [_tokens(one) for one in tokens]} if tokens else {})}
        )
    name = f"usage_{question.first}_{question.last}_{question.granularity}.csv"
    return Response(
        http.streamed(usage.export_csv(question)),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _body(found: Report) -> dict[str, Any]:
    asked = found.question
    return {
        "period": {"from": str(asked.first), "to": str(asked.last), "granularity": asked.granularity},
        "totals": {
            **_counts(found.totals),
            "latency_p50_ms": found.totals.latency_p50_ms,
            "latency_p95_ms": found.totals.latency_p95_ms,
            "rate_limited": found.totals.rate_limited,
            "credits_consumed": found.totals.credits,
        },
        "by_key": [_key(item) for item in found.by_key],
        "by_endpoint": [
            {
                "endpoint": endpoint,
                **_counts(figures),
                "latency_p50_ms": figures.latency_p50_ms,
                "latency_p95_ms": figures.latency_p95_ms,
            }
            for endpoint, figures in found.by_endpoint
        ],
        "buckets": [
            {
                "period_start": str(start),
                **_counts(figures),
                "credits_consumed": figures.credits,
                "latency_p95_ms": figures.latency_p95_ms,
            }
            for start, figures in found.buckets
        ],
    }


def _key(item: KeyUsage) -> dict[str, Any]:
    return {
        "api_key_id": str(item.api_key_id),
        "key_name": item.name,
        "key_prefix": item.prefix,
        "tier": item.tier,
        "role": item.role,
        "organization_id": str(item.organization_id) if item.organization_id else None,
        "child_label": item.child_label,
        **_counts(item),
        "rate_limited": item.rate_limited,
        "credits_consumed": item.credits,
    }


def _tokens(item: ModelTokens) -> dict[str, Any]:
    return {
        "model": item.model,
        "stage": item.stage,
        "own_engine": item.own,
        "input_tokens": item.input,
        "cached_tokens": item.cached,
        "output_tokens": item.output,
    }


def _counts(item: Figures | KeyUsage) -> dict[str, int]:
    return {"calls": item.calls, "errors": item.errors}
