"""Catalogue of event types: cause, schema of the data, example (decision 029).

The page docs/events.md and the `webhooks` section of the OpenAPI document are generated from it. Data never
contains text of a document or of an analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EventType:
    """One type of event.

    Attributes:
        fields: JSON Schemas of the data's fields, all of them required, in wire order.
        subscribable: Whether a webhook can subscribe (decision 029). Other types are read from `GET
            /api/v1/events`.
        reserved: Whether the name is taken (decision 042) although this version never publishes it. A filter
            by this name is accepted.
    """

    name: str
    meaning: str
    fields: Mapping[str, Schema]
    example: Mapping[str, Any]
    subscribable: bool = False
    reserved: bool = False

    @property
    def schema(self) -> Schema:
        """Return the JSON Schema (2020-12) of the data."""
        return {"type": "object", "required": list(self.fields), "properties": dict(self.fields)}


def _text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def _count(description: str, **more: Any) -> Schema:
    return {"type": "integer", "description": description, "minimum": 0, **more}


def _maybe(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


_ID = {"type": "string", "format": "uuid"}
_MOMENT = {"type": "string", "format": "date-time"}
_SHARE: Schema = {"type": "integer", "description": "The share that is spent.", "enum": [50, 80, 100]}
_VERDICTS = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")
_COUNTS: Schema = {
    "type": "object",
    "description": "Citations by verdict.",
    "required": list(_VERDICTS),
    "properties": {verdict: {"type": "integer", "minimum": 0} for verdict in _VERDICTS},
}
_QUALITY: Schema = {
    "type": ["object", "null"],
    "description": "Results of the citation check over all documents of the job; null if there was none.",
    "required": ["anyBroken", "counts", "total", "verifyEngineVersion"],
    "properties": {
        "anyBroken": {
            "type": "boolean",
            "description": "Whether any citation is a mismatch, not found or derogated.",
        },
        "counts": _COUNTS,
        "total": {"type": "integer", "minimum": 0},
        "verifyEngineVersion": {"type": "string"},
    },
}
_JOB: Mapping[str, Schema] = {
    "jobId": {**_ID, "description": "The job."},
    "kind": _text("Kind of the job.", enum=["analyze", "analyze_batch"]),
    "status": _text("Final status of the job.", enum=["completed", "failed"]),
    "creditsCharged": _count("Credits charged."),
    "error": {
        "type": ["object", "null"],
        "description": "Why it failed: code and message.",
        "required": ["code", "message"],
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    },
    "resultUrl": _maybe(
        _text(
            "Path of the result. The key that submitted the job can read it; unless that is a child key, "
            "so can the other keys of the account that are not child keys. The result of a child key's "
            "job can be read by that key alone: its master is notified and gets 404 here. `api_key_id` in "
            "`GET /api/v1/events` names the key.",
            format="uri",
        )
    ),
    "quality": _QUALITY,
}
_KEY: Mapping[str, Schema] = {
    "apiKeyId": {**_ID, "description": "The key."},
    "keyPrefix": _text("First 12 characters of the key."),
    "name": _text("Its name."),
    "role": _text("Its role.", enum=["solo", "master", "child"]),
}
_KEY_EXAMPLE = {
    "apiKeyId": "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11",
    "keyPrefix": "svc_Qm8ZtR2x",
    "name": "Practice management",
    "role": "solo",
}
_ANALYSIS: Mapping[str, Schema] = {
    "analysisId": {**_ID, "description": "The analysis, as in the audit trail."},
    "requestId": _text("The request that asked for it."),
    "jurisdiction": _text("ISO country code."),
    "legalBranch": _text("The branch applied."),
    "mode": _text("The mode.", enum=["standard", "deep"]),
}
_ANALYSIS_EXAMPLE = {
    "analysisId": "5b6f6a39-6a8f-4d0e-8c62-0f0a5f7f2f9e",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "jurisdiction": "ES",
    "legalBranch": "civil",
    "mode": "standard",
}
_JOB_ID = "8d3f4c0e-2f56-4b0e-9f4d-6b1a5c7e9d10"
_COUNTED = {"verified": 3, "mismatch": 0, "not_found": 1, "derogated": 0, "not_verifiable": 2, "pending": 0}

CATALOGUE: Mapping[str, EventType] = {
    event.name: event
    for event in (
        EventType(
            "analysis.completed",
            "An asynchronous job completed; its result is available.",
            _JOB,
            {
                "jobId": _JOB_ID,
                "kind": "analyze",
                "status": "completed",
                "creditsCharged": 1,
                "error": None,
                "resultUrl": f"https://api.example.com/api/v1/jobs/{_JOB_ID}",
                "quality": {
                    "anyBroken": True,
                    "counts": _COUNTED,
                    "total": 6,
                    "verifyEngineVersion": "1.0",
                },
            },
            subscribable=True,
        ),
        EventType(
            "analysis.failed",
            "An asynchronous job failed; nothing was charged.",
            _JOB,
            {
                "jobId": _JOB_ID,
                "kind": "analyze",
                "status": "failed",
                "creditsCharged": 0,
                "error": {"code": "MODEL_ERROR", "message": "The model gave no usable answer."},
                "resultUrl": None,
                "quality": None,
            },
            subscribable=True,
        ),
        EventType(
            "credits.low",
            "The credit balance fell below the threshold of the account. Sent once, until a top-up raises "
            "it above the threshold again.",
            {
                "balance": _count("Credits left."),
                "threshold": _count("The account's threshold."),
            },
            {"balance": 19, "threshold": 20},
            subscribable=True,
        ),
        EventType(
            "credits.alert",
            "50, 80 or 100 % of the credits that were there after the last top-up are spent. Sent once for "
            "each share, until the next top-up.",
            {
                "percent": _SHARE,
                "balance": _count("Credits left."),
                "toppedUpTo": _count("Credits that were there after the last top-up."),
                "lastsUntil": _maybe(
                    {
                        "type": "string",
                        "format": "date",
                        "description": "Day on which the credits end at the rate of the last 30 days, UTC; "
                        "null where they last ten years.",
                    }
                ),
            },
            {"percent": 80, "balance": 200, "toppedUpTo": 1000, "lastsUntil": "2026-12-09"},
            subscribable=True,
        ),
        EventType(
            "spend_cap.alert",
            "An API key has spent 50, 80 or 100 % of its monthly credit cap. Sent once for each share, month "
            "and cap.",
            {
                "percent": _SHARE,
                "monthlyCreditCap": _count("The cap."),
                "spent": _count("Credits spent this month."),
                "reachedOn": _maybe(
                    {
                        "type": "string",
                        "format": "date",
                        "description": "Day of this month on which the cap is reached at the month's average "
                        "rate, UTC; null where it is not.",
                    }
                ),
                "resetsAt": {**_MOMENT, "description": "When the next month begins, UTC."},
            },
            {
                "percent": 80,
                "monthlyCreditCap": 500,
                "spent": 412,
                "reachedOn": "2026-11-24",
                "resetsAt": "2026-12-01T00:00:00.000Z",
            },
            subscribable=True,
        ),
        EventType(
            "normativa.updated",
            "A new version of a law was loaded into the corpus. It is on the event bus of every account that "
            "may read the law; webhooks receive it for laws and articles that the account watches.",
            {
                "jurisdiction": _text("ISO country code."),
                "normId": _text("The law's official id."),
                "title": _text("Its title."),
                "inForceFrom": _maybe({"type": "string", "format": "date", "description": "First day."}),
                "articles": _count("Articles that changed."),
                "changedArticles": {
                    "type": "array",
                    "description": "Their numbers, at most 100.",
                    "items": {"type": "string"},
                },
            },
            {
                "jurisdiction": "ZZ",
                "normId": "ZZ-2026-1",
                "title": "Demonstration Act",
                "inForceFrom": "2026-12-01",
                "articles": 2,
                "changedArticles": ["5", "9 bis"],
            },
            subscribable=True,
        ),
        EventType(
            "judgment.cited",
            "A judgment that the account watches is cited by one that was loaded.",
            {
                "jurisdiction": _text("ISO country code of the citing judgment."),
                "cited": _text("Normal form of the judgment that is watched."),
                "by": _text("Normal form of the judgment that cites it."),
                "treatment": _text("How it is treated: cites, follows, distinguishes, overrules, annuls."),
                "date": _maybe(
                    {"type": "string", "format": "date", "description": "Day of the citing judgment."}
                ),
            },
            {
                "jurisdiction": "ZZ",
                "cited": "ZZ:TS:1/2020",
                "by": "ZZ:TS:7/2026",
                "treatment": "follows",
                "date": "2026-11-03",
            },
            subscribable=True,
        ),
        EventType(
            "citation.broken",
            "An analysis found citations that are a mismatch, not found or derogated.",
            {**_ANALYSIS, "counts": _COUNTS, "total": _count("Citations checked.")},
            {**_ANALYSIS_EXAMPLE, "counts": _COUNTED, "total": 6},
        ),
        EventType(
            "analysis.flagged",
            "An analysis has review flags: certainty locks that were proposed but could not be confirmed "
            "were lowered.",
            {**_ANALYSIS, "flags": _count("Number of review flags.", minimum=1)},
            {**_ANALYSIS_EXAMPLE, "flags": 2},
        ),
        EventType("apikey.created", "An API key was created.", _KEY, _KEY_EXAMPLE),
        EventType("apikey.revoked", "An API key was revoked.", _KEY, _KEY_EXAMPLE),
        EventType(
            "apikey.updated", "The name, scopes, cap or state of an API key changed.", _KEY, _KEY_EXAMPLE
        ),
        EventType(
            "spend_cap.reached",
            "An API key reached its monthly credit cap; requests that cost credits get 402 until the "
            "month ends.",
            {
                "monthlyCreditCap": _count("The cap."),
                "spent": _count("Credits spent this month."),
                "resetsAt": {**_MOMENT, "description": "When the next month begins, UTC."},
            },
            {"monthlyCreditCap": 500, "spent": 500, "resetsAt": "2026-12-01T00:00:00.000Z"},
        ),
        EventType(
            "output.withheld",
            "The enforcement policy withheld an analysis because of a broken citation. Nothing was charged.",
            {**_ANALYSIS, "policyVersion": _count("Version of the policy."), "broken": _count("Citations.")},
            {**_ANALYSIS_EXAMPLE, "policyVersion": 3, "broken": 1},
        ),
        EventType(
            "rate_limit.sustained",
            "An API key exceeded its rate limit in five consecutive minutes. Sent at most once an hour.",
            {
                "minutes": _count("Consecutive minutes, including the current one.", minimum=5),
                "refused": _count("Requests refused in those minutes.", minimum=5),
            },
            {"minutes": 5, "refused": 212},
        ),
        EventType(
            "webhook.deactivated",
            "A webhook was deactivated: its receiver answered 410, or 20 deliveries in a row ran out of "
            "attempts.",
            {
                "webhookId": {**_ID, "description": "The webhook."},
                "host": _text("Host of its URL."),
                "reason": _text("Why.", enum=["gone", "exhausted"]),
            },
            {
                "webhookId": "3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
                "host": "hooks.example.com",
                "reason": "exhausted",
            },
        ),
        EventType(
            "webhook.test",
            "A test event was requested. Sent to the webhook under test, whatever events it subscribes to.",
            {
                "webhookId": {**_ID, "description": "The webhook."},
                "message": _text("Text of the test event."),
            },
            {
                "webhookId": "3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
                "message": "This is a test event. Answer 2xx within 10 seconds to confirm it.",
            },
        ),
    )
}
SUBSCRIBABLE: tuple[str, ...] = tuple(event.name for event in CATALOGUE.values() if event.subscribable)
# What a new webhook receives if it does not say: these say something to every account (decision 029).
DEFAULT_EVENTS = ("analysis.completed", "analysis.failed", "credits.low")
TEST = "webhook.test"


def message(event_id: str, event: str, created_at: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a delivery (decision 030), with the data's fields in catalogue order."""
    known = CATALOGUE[event].fields if event in CATALOGUE else data
    ordered = {name: data[name] for name in known if name in data}
    return {"id": event_id, "event_id": event_id, "event": event, "created_at": created_at, "data": ordered}
