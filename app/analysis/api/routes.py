"""Serve POST /api/v1/analyze, /api/v1/analyze/batch and the sandbox."""

from __future__ import annotations

import json
import time
from datetime import date
from functools import lru_cache
from typing import Any

from flask import Response, g, request

from app import branding, idempotency
from app.analysis import responses, sandbox
from app.analysis.api import envelope, operations, request_parsing
from app.analysis.api.examples import (
    ANSWER,
    BATCH_ANSWER,
    BATCH_REQUEST,
    NEITHER,
    NODES_ANSWER,
    REQUEST,
    SANDBOX_ANSWER,
    SANDBOX_REQUEST,
    TOO_MANY,
    TOO_SHORT,
    UNKNOWN_DOCUMENT,
    UNKNOWN_SAMPLE,
)
from app.analysis.api.schemas import (
    AnalyzeRequest,
    AnalyzeResponse,
    BatchRequest,
    BatchResponse,
    NodesResponse,
    SandboxRequest,
    SandboxResponse,
    SandboxSamples,
)
from app.analysis.request import Mode
from app.platform import clock, settings
from app.platform.web import http, openapi
from app.tenancy.guard import caller, public, require_key
from app.text.bilingual import Language

routes = openapi.Routes(
    "analysis", __name__, url_prefix="/api/v1", description="Analysis of legal documents."
)

_HEADERS = {
    **openapi.RATE_HEADERS,
    **openapi.REPLAYED_HEADER,
    "X-Processing-Ms": {"schema": {"type": "integer"}, "description": "Total latency in ms."},
}
_BATCH_HEADERS = {
    **_HEADERS,
    "X-Batch-Submitted": {"schema": {"type": "integer"}, "description": "Documents sent."},
    "X-Batch-Succeeded": {"schema": {"type": "integer"}, "description": "Documents analysed."},
    "X-Batch-Failed": {"schema": {"type": "integer"}, "description": "Documents that failed."},
    "X-Credits-Charged": {"schema": {"type": "integer"}, "description": "Credits charged."},
}


@routes.route("/analyze", methods=["POST"])
@require_key("analyze", window="work")
@routes.arguments(AnalyzeRequest, example=REQUEST)
@routes.response(200, AnalyzeResponse, headers=_HEADERS, example=ANSWER)
@routes.alt_response(
    200, schema=NodesResponse, content_type=envelope.media_type("service"), example=NODES_ANSWER
)
@openapi.fails(
    routes, 400, 401, 402, 404, 409, 413, 415, 422, 429, 500, 502, 503,
    examples={400: NEITHER, 404: UNKNOWN_DOCUMENT, 422: TOO_SHORT},
)  # fmt: skip
@routes.doc(operationId="analyze", parameters=[openapi.IDEMPOTENCY_KEY])
def analyze(body: dict[str, Any]) -> Response:
    """Analyse a document

    The text, or that of an uploaded document (`documentRef`), is anonymised and analysed, every citation is
    checked, and certainty locks are assigned. One credit (`standard`) or two (`deep`) are charged, and only
    on success. The text is not stored.
    """
    nodes = envelope.media_type(settings.current().wire_name)
    return _answer(
        operations.analyze(
            caller(),
            body,
            raw=http.json_body(),
            key=idempotency.key_of(request.headers.get("Idempotency-Key")),
            request_id=http.request_id(),
            nodes=nodes in request.headers.get("Accept", "").lower(),
        )
    )


@routes.route("/analyze/batch", methods=["POST"])
@require_key("analyze", window="work")
@routes.arguments(BatchRequest, example=BATCH_REQUEST)
@routes.response(200, BatchResponse, headers=_BATCH_HEADERS, example=BATCH_ANSWER)
@openapi.fails(routes, 400, 401, 402, 409, 413, 415, 422, 429, 500, 503, examples={422: TOO_MANY})
@routes.doc(operationId="analyzeBatch", parameters=[openapi.IDEMPOTENCY_KEY])
def analyze_batch(body: dict[str, Any]) -> Response:
    """Analyse up to 50 documents

    Documents, each a text or an uploaded file, are analysed in parallel and returned in order. A document
    that fails becomes an error item and is not charged. The worst case is reserved first (one credit per
    document, two with `deep`); if the balance does not cover it, the answer is 402 and nothing is processed.
    A batch counts as one request against the rate limit.
    """
    return _answer(
        operations.analyze_batch(
            caller(),
            body,
            raw=http.json_body(),
            key=idempotency.key_of(request.headers.get("Idempotency-Key")),
            request_id=http.request_id(),
        )
    )


def _answer(answered: operations.OperationResult) -> Response:
    """Render an answer in the form that the caller asks for, saying whether it is a repeat."""
    g.credits_charged = answered.credits_charged
    stored = answered.stored
    form = _form(stored)
    body = stored.body if form is None else stored.variants[form]
    response = http.replayable(
        stored.status, stored.headers, body, replayed=answered.replayed, form=form or "application/json"
    )
    response.vary.add("Accept")
    return response


def _form(stored: idempotency.StoredAnswer) -> str | None:
    """Return the variant that the caller prefers by name over plain JSON. Accept never gives a 406.

    Wildcards name nothing: every client sends `*/*` by itself.
    """
    named = {name.lower(): quality for name, quality in request.accept_mimetypes}
    for name in stored.variants:
        if named.get(name, 0) > 0 and named[name] >= named.get("application/json", 0):
            return name
    return None


# The sandbox: canned answers, no credits, no model.

_SANDBOX_PATH = "/api/v1/sandbox/analyze"
_SANDBOX_HEADERS = {
    **openapi.RATE_HEADERS,
    "X-Processing-Ms": _HEADERS["X-Processing-Ms"],
    "X-Sandbox": {"schema": {"type": "string", "enum": ["true"]}, "description": "Always."},
}
_SAMPLES = {
    "sandbox": True,
    "available_samples": list(sandbox.NAMES),
    "samples": [
        {
            "sample": item.name,
            "title": item.title,
            "jurisdiction": item.jurisdiction,
            "legalBranch": item.branch,
            "language": item.language,
        }
        for item in sandbox.samples()
    ],
    "example_request": {
        "sample": SANDBOX_REQUEST["sample"],
        "method": "POST",
        "path": _SANDBOX_PATH,
        "headers": {"Authorization": "Bearer <API_KEY>", "Content-Type": "application/json"},
        "body": SANDBOX_REQUEST,
    },
    "description": (
        "Six canned analyses of fictional documents, each in es and en and at both modes, shaped like a real "
        f"answer. POST {_SANDBOX_PATH} with a key of scope analyze returns one: no credits, no model, up to "
        "60 requests a minute."
    ),
}


@routes.route("/sandbox/analyze", methods=["POST"])
@require_key("analyze", window="sandbox")
@routes.arguments(SandboxRequest, example=SANDBOX_REQUEST, required=False)
@routes.response(200, SandboxResponse, headers=_SANDBOX_HEADERS, example=SANDBOX_ANSWER)
@openapi.fails(routes, 400, 401, 413, 415, 429, 500, 503, examples={400: UNKNOWN_SAMPLE})
@routes.doc(operationId="sandboxAnalyze")
def sandbox_analyze(body: dict[str, Any]) -> Response:
    """Get a canned analysis

    Returns what POST /api/v1/analyze would, with a prepared text: no credits, no model, 60 requests a
    minute. The body is optional.
    """
    started = time.monotonic()
    chosen = sandbox.sample(body["sample"])
    asked = body.get("jurisdiction")
    jurisdiction = chosen.jurisdiction if asked is None else request_parsing.jurisdiction(asked)
    branch = body.get("legal_branch", chosen.branch)
    config = settings.current()
    encoded, model = _canned(
        chosen.name,
        body["language"],
        body["mode"],
        jurisdiction=jurisdiction,
        branch=branch,
        author=branding.attribution_of(caller()).author(config.service_name),
        wire_name=config.wire_name,
        on=clock.today(),
    )
    processing_ms = str(max(1, round((time.monotonic() - started) * 1000)))
    answer = encoded.replace(_MS_PLACE, processing_ms.encode()).replace(_ID_PLACE, http.request_id().encode())
    headers = {"X-Sandbox": "true", "X-Processing-Ms": processing_ms, **responses.origin_header(model)}
    return Response(answer, 200, headers, mimetype="application/json")


# What stands in a canned answer for its time and its request; no answer has these characters otherwise.
_MS, _ID = "\x00ms\x00", "\x00id\x00"
_MS_PLACE, _ID_PLACE = json.dumps(_MS).encode(), json.dumps(_ID).encode().strip(b'"')


@lru_cache(maxsize=sandbox.KEPT)
def _canned(
    name: sandbox.Name,
    language: Language,
    mode: Mode,
    *,
    jurisdiction: str,
    branch: str,
    author: str | None,
    wire_name: str,
    on: date,
) -> tuple[bytes, str]:
    """Return a canned answer as it is sent, but for its time and its request's id, and its model."""
    chosen = sandbox.sample(name)
    found = sandbox.canned_answer(
        name, language, mode, jurisdiction=jurisdiction, author=author, wire_name=wire_name, on=on
    )
    answer = {
        "analysis": found.analysis,
        "jurisdiction": jurisdiction,
        "legalBranch": branch,
        "model": found.model,
        "processingMs": _MS,
        "mode": mode,
        "creditsCharged": 0,
        "certaintyLocks": found.certainty_locks,
        "citationChecks": found.citation_checks,
        **responses.assessed(found.report),
        **({"audit": {**found.audit, "processingMs": _MS}} if found.audit else {}),
        **responses.described(found.report, language),
        "contentOrigin": responses.content_origin(found.model, author),
        "requestId": _ID,
        "sandbox": True,
        "sample": name,
        "available_samples": sandbox.NAMES,
        "notes": sandbox.notes(chosen, language, jurisdiction=jurisdiction, branch=branch),
    }
    return http.encode(answer), found.model


@routes.route("/sandbox/analyze", methods=["GET"])
@public
@routes.response(200, SandboxSamples, headers=openapi.RATE_HEADERS, example=_SAMPLES)
@openapi.fails(routes, 429, 500)
@routes.doc(operationId="sandboxSamples", security=[])
def sandbox_samples() -> Response:
    """List the canned analyses

    No key needed.
    """
    return http.answer(_SAMPLES, headers={"Cache-Control": "public, max-age=300"})
