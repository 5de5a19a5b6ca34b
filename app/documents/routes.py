"""Endpoints /api/v1/documents."""

from __future__ import annotations

import uuid

from flask import Response, request

from app import documents, idempotency
from app.documents import examples, operations, schemas
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "documents", __name__, url_prefix="/api/v1", description="Documents: files to analyse."
)

_POSTED = {**openapi.RATE_HEADERS, **openapi.REPLAYED_HEADER}
_ONE = "/documents/<uuid:document_ref>"
_BODY = {"required": True, "content": {"multipart/form-data": {"schema": schemas.DocumentUpload}}}
_ADVICE = "Split the document, or save it with smaller images."


@routes.route("/documents", methods=["POST"])
@require_key("analyze", window="work")
@routes.response(201, schemas.Document, headers=_POSTED, example=examples.DOCUMENT)
@openapi.fails(
    routes, 400, 401, 409, 413, 415, 422, 429, 500, 503,
    examples={
        400: examples.NO_FILE,
        413: examples.TOO_LARGE,
        415: examples.NOT_MULTIPART,
        422: examples.ENCRYPTED,
        429: examples.TOO_MANY,
    },
)  # fmt: skip
@routes.doc(operationId="createDocument", parameters=[openapi.IDEMPOTENCY_KEY], requestBody=_BODY)
def create() -> Response:
    """Upload a document

    The file is read at once, scans by OCR, and kept encrypted for an hour. Send the `documentRef` of the
    answer wherever a request takes `text`: for an analysis, a batch or a job. Uploading is free of charge and
    counts as one request. The name of the file is not kept. A key can have 200 documents at a time.
    """
    file = http.uploaded_file("file", limit=operations.BYTES_MAX, advice=_ADVICE)
    stored, replayed = operations.upload(
        caller(),
        file,
        key=idempotency.key_of(request.headers.get("Idempotency-Key")),
        request_id=http.request_id(),
    )
    return http.replayable(stored.status, stored.headers, stored.body, replayed=replayed)


@routes.route(_ONE, methods=["GET"])
@require_key("analyze")
@routes.response(200, schemas.Document, headers=openapi.RATE_HEADERS, example=examples.DOCUMENT)
@openapi.fails(routes, 401, 404, 429, 500, 503, examples={404: examples.UNKNOWN})
@routes.doc(operationId="getDocument")
def show(document_ref: uuid.UUID) -> Response:
    """Get a document

    What its upload answered: never its text. Only the key that uploaded it can.
    """
    with db.reading() as session:
        found = documents.find(session, caller(), document_ref)
    return http.answer(operations.described(found, documents.reading_of(found), http.request_id()))


@routes.route(_ONE, methods=["DELETE"])
@require_key("analyze")
@routes.response(200, schemas.DocumentDeleted, headers=openapi.RATE_HEADERS, example=examples.DELETED)
@openapi.fails(routes, 401, 404, 429, 500, 503, examples={404: examples.UNKNOWN})
@routes.doc(operationId="deleteDocument")
def delete(document_ref: uuid.UUID) -> Response:
    """Delete a document

    Its key is destroyed at once. A job that was created with it goes on.
    """
    with db.transaction() as session:
        gone = documents.forget(session, caller(), document_ref)
    documents.discard([gone])
    return http.answer({"deletedDocumentRef": str(gone.id)})
