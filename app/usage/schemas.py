"""Request and response schemas of usage (decision 038)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.platform.web.openapi import Choice, Length, Problem, Text
from app.platform.web.parameters import Day, Id, Query
from app.usage.periods import GRANULARITIES


class Route(Text):
    """The path of a route; an unknown path is accepted and matches no calls."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if "\x00" in text:
            raise ma.ValidationError(Problem("contains a NUL character (U+0000); remove it."))
        return text


class UsageQuery(Query):
    """Query of GET /usage."""

    first = Day(
        data_key="from",
        metadata={
            "format": "date",
            "description": "First day, UTC, inclusive. Default: 30 days before `to`, or before today if that "
            "is earlier.",
            "example": "2026-09-01",
        },
    )
    last = Day(
        data_key="to",
        metadata={
            "format": "date",
            "description": "Last day, UTC, inclusive. Default: today. At most 366 days in all.",
            "example": "2026-09-30",
        },
    )
    granularity = Choice(
        *GRANULARITIES,
        load_default="day",
        metadata={"description": "Length of a period; weeks begin on Monday (ISO 8601)."},
    )
    api_key_id = Id(metadata={"format": "uuid", "description": "Only the calls of this key."})
    endpoint = Route(
        validate=Length(min=1, max=200),
        metadata={"description": "Only the calls of this route.", "example": "/api/v1/analyze"},
    )
    organization_id = Id(
        metadata={"format": "uuid", "description": "Only the calls of this organization's keys."}
    )
    format = Choice("json", "csv", load_default="json", metadata={"description": "Form of the answer."})


class Period(ma.Schema):
    """The range the figures cover."""

    first = fields.Date(data_key="from", required=True)
    last = fields.Date(data_key="to", required=True)
    granularity = fields.String(required=True, metadata={"enum": list(GRANULARITIES)})


def _count(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata={"minimum": 0, "description": description})


_P95 = "95th percentile of latency; 0 without calls."
_ERRORS = "Calls answered 400 or above, 429 included."


class Totals(ma.Schema):
    """Everything in the range."""

    calls = _count("Calls with a valid key, including sandbox and rate-limited calls.")
    errors = _count(_ERRORS)
    latency_p50_ms = _count("Median latency of all calls, read from a histogram; 0 without calls.")
    latency_p95_ms = _count(_P95)
    rate_limited = _count("Calls answered 429.")
    credits_consumed = _count("Credits charged.")


class KeyItem(ma.Schema):
    """The calls of one key."""

    api_key_id = fields.UUID(required=True)
    key_name = fields.String(required=True, allow_none=True)
    key_prefix = fields.String(required=True, allow_none=True)
    tier = fields.String(
        required=True, allow_none=True, metadata={"description": "standard, premium or enterprise."}
    )
    role = fields.String(required=True, allow_none=True, metadata={"description": "solo, master or child."})
    organization_id = fields.UUID(required=True, allow_none=True)
    child_label = fields.String(required=True, allow_none=True)
    calls = _count("Its calls.")
    errors = _count(_ERRORS)
    rate_limited = _count("Calls answered 429.")
    credits_consumed = _count("Credits charged.")


class EndpointItem(ma.Schema):
    """The calls of one route."""

    endpoint = fields.String(required=True, metadata={"description": "The route's path, without ids."})
    calls = _count("Its calls.")
    errors = _count(_ERRORS)
    latency_p50_ms = _count("Median latency.")
    latency_p95_ms = _count(_P95)


class Bucket(ma.Schema):
    """The calls of one period."""

    period_start = fields.Date(
        required=True,
        metadata={
            "description": "First day of the period: the day itself, the Monday of the week or the first "
            "of the month. Only days within the range are counted."
        },
    )
    calls = _count("Calls in the period; periods without a call are listed with 0.")
    errors = _count(_ERRORS)
    credits_consumed = _count("Credits charged.")
    latency_p95_ms = _count(_P95)


class TokensItem(ma.Schema):
    """Tokens of one model at one stage of analyses."""

    model = fields.String(required=True, metadata={"description": "Vendor and model.", "example": "openai m"})
    stage = fields.String(
        required=True,
        metadata={
            "enum": ["draft", "tools", "restatement", "audit", "repair"],
            "description": "`tools`: rounds in which the model looked up law; `restatement`: statements "
            "refused for their wording, said again; `repair`: asked again because an answer was wrong.",
        },
    )
    own_engine = fields.Boolean(
        required=True, metadata={"description": "Whether the engine is one that the account brought."}
    )
    input_tokens = _count("Tokens read, cached ones included.")
    cached_tokens = _count("Those of them that came from the vendor's cache.")
    output_tokens = _count("Tokens written.")


class UsageResponse(ma.Schema):
    """The answer of GET /usage. Keys, endpoints and periods each sum to `totals`."""

    period = fields.Nested(Period, required=True)
    totals = fields.Nested(Totals, required=True)
    by_key = fields.List(
        fields.Nested(KeyItem), required=True, metadata={"description": "Keys with calls, busiest first."}
    )
    by_endpoint = fields.List(
        fields.Nested(EndpointItem),
        required=True,
        metadata={"description": "Routes with calls, busiest first."},
    )
    buckets = fields.List(
        fields.Nested(Bucket), required=True, metadata={"description": "Every period of the range, in order."}
    )
    tokens = fields.List(
        fields.Nested(TokensItem),
        metadata={
            "description": "Tokens of language models, failed analyses included. Absent where none was "
            "asked, and for a single `endpoint`."
        },
    )


EXAMPLE: dict[str, Any] = {
    "period": {"from": "2026-09-07", "to": "2026-09-20", "granularity": "week"},
    "totals": {
        "calls": 184,
        "errors": 9,
        "latency_p50_ms": 61,
        "latency_p95_ms": 148,
        "rate_limited": 4,
        "credits_consumed": 171,
    },
    "by_key": [
        {
            "api_key_id": "0b6f4b62-6f0b-4a35-9f0e-0d6a1c1d7b11",
            "key_name": "Production",
            "key_prefix": "svc_4fT9kQw2",
            "tier": "premium",
            "role": "solo",
            "organization_id": None,
            "child_label": None,
            "calls": 184,
            "errors": 9,
            "rate_limited": 4,
            "credits_consumed": 171,
        }
    ],
    "by_endpoint": [
        {
            "endpoint": "/api/v1/analyze",
            "calls": 180,
            "errors": 9,
            "latency_p50_ms": 62,
            "latency_p95_ms": 149,
        },
        {"endpoint": "/api/v1/usage", "calls": 4, "errors": 0, "latency_p50_ms": 7, "latency_p95_ms": 9},
    ],
    "buckets": [
        {
            "period_start": "2026-09-07",
            "calls": 184,
            "errors": 9,
            "credits_consumed": 171,
            "latency_p95_ms": 148,
        },
        {"period_start": "2026-09-14", "calls": 0, "errors": 0, "credits_consumed": 0, "latency_p95_ms": 0},
    ],
}
SHEET_EXAMPLE = (
    "period_start,api_key_id,key_prefix,endpoint,calls,errors\r\n"
    "2026-09-07,0b6f4b62-6f0b-4a35-9f0e-0d6a1c1d7b11,svc_4fT9kQw2,/api/v1/analyze,180,9\r\n"
    "2026-09-07,0b6f4b62-6f0b-4a35-9f0e-0d6a1c1d7b11,svc_4fT9kQw2,/api/v1/usage,4,0\r\n"
)
