"""Example bodies of the OpenAPI document."""

from __future__ import annotations

from typing import Any

_REF = "7d1f4c0e-52c8-4b1c-9a31-0f6f2c1b8e55"
_REQUEST_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"

DOCUMENT: dict[str, Any] = {
    "documentRef": _REF,
    "mediaType": "application/pdf",
    "pages": 14,
    "characters": 38211,
    "language": "es",
    "ocr": True,
    "warnings": [
        {
            "code": "LOW_OCR_CONFIDENCE",
            "message": "Page 9 was read from an image with low confidence. Compare it with the original.",
            "page": 9,
        }
    ],
    "expiresAt": "2026-11-21T11:15:30.125Z",
    "requestId": _REQUEST_ID,
}
DELETED = {"deletedDocumentRef": _REF}
NO_FILE: dict[str, Any] = {
    "error": "file: send exactly one file, in a part named file with a file name; got none.",
    "code": "VALIDATION_ERROR",
    "requestId": _REQUEST_ID,
    "details": {
        "field": "file",
        "expected": "one file",
        "errors": [
            {
                "field": "file",
                "message": "send exactly one file, in a part named file with a file name; got none.",
            }
        ],
    },
}
UNKNOWN: dict[str, Any] = {
    "error": "There is no document with this reference for this API key, or it has expired. Upload the file "
    "with POST /api/v1/documents and use the documentRef of the answer.",
    "code": "NOT_FOUND",
    "requestId": _REQUEST_ID,
}
TOO_LARGE: dict[str, Any] = {
    "error": "file: must have at most 20000000 bytes, this one has 31457280. Split the document, or save it "
    "with smaller images.",
    "code": "PAYLOAD_TOO_LARGE",
    "requestId": _REQUEST_ID,
    "details": {"field": "file", "max": 20000000, "got": 31457280},
}
NOT_MULTIPART: dict[str, Any] = {
    "error": "The body must be multipart/form-data with the file in the part file.",
    "code": "UNSUPPORTED_MEDIA_TYPE",
    "requestId": _REQUEST_ID,
}
ENCRYPTED: dict[str, Any] = {
    "error": "file: is protected by a password. Save a copy without a password and send that copy.",
    "code": "DOCUMENT_ENCRYPTED",
    "requestId": _REQUEST_ID,
}
TOO_MANY: dict[str, Any] = {
    "error": "This key has 200 documents; the maximum is 200. Delete some with DELETE "
    "/api/v1/documents/{documentRef}, or wait until some expire.",
    "code": "DOCUMENT_LIMIT",
    "requestId": _REQUEST_ID,
    "details": {"limit": 200, "documents": 200},
}
