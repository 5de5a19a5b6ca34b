"""Wire shapes of uploaded documents (decision 078)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields


class DocumentUpload(ma.Schema):
    """The multipart body of POST /documents."""

    file = fields.Raw(
        required=True,
        metadata={
            "type": "string",
            "format": "binary",
            "description": "The file, at most 20 MB and 500 pages: PDF, DOCX, ODT, RTF, HTML, EML, TXT, MD, "
            "or an image (PNG, JPEG, TIFF, WebP).",
        },
    )


class DocumentWarning(ma.Schema):
    """What a reader of the document should know about how it was read."""

    code = fields.String(
        required=True,
        metadata={"description": "A stable word, such as LOW_OCR_CONFIDENCE or TRACKED_CHANGES_ACCEPTED."},
    )
    message = fields.String(required=True, metadata={"description": "What it means, in one sentence."})
    page = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"minimum": 1, "description": "The page it is about; null if it is about the whole."},
    )


class Document(ma.Schema):
    """An uploaded document. Its file name is not kept."""

    documentRef = fields.UUID(  # noqa: N815 (a wire name)
        required=True,
        metadata={"description": "Send it in place of `text`. Only the key that uploaded the file can."},
    )
    mediaType = fields.String(  # noqa: N815
        required=True, metadata={"description": "What the file is, by its content."}
    )
    pages = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"minimum": 1, "description": "Null where the format has no pages."},
    )
    characters = fields.Integer(
        required=True,
        metadata={"minimum": 0, "description": "Length of the text that was read, in code points."},
    )
    language = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Language of the text, such as es; null if it is not clear."},
    )
    ocr = fields.Boolean(
        required=True, metadata={"description": "Whether any of the text was read from images."}
    )
    warnings = fields.List(fields.Nested(DocumentWarning), required=True)
    expiresAt = fields.String(  # noqa: N815
        required=True,
        metadata={
            "format": "date-time",
            "description": "Until when it is kept. A job that uses it keeps it until its result expires.",
        },
    )
    requestId = fields.String()  # noqa: N815


class DocumentDeleted(ma.Schema):
    """The answer to a deleted document."""

    deletedDocumentRef = fields.UUID(required=True)  # noqa: N815
