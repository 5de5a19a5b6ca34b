"""Query of the signed export (decision 057)."""

from __future__ import annotations

from marshmallow import fields

from app.governance.export import KINDS
from app.platform.web.openapi import Choice, Text
from app.platform.web.parameters import Count, Query, WordList


class ExportQuery(Query):
    """Which rows, in which form, from where on."""

    type = WordList(
        *KINDS,
        load_default=("analysis",),
        metadata={"description": f"One or more of {', '.join(KINDS)}, separated by commas."},
    )
    since = fields.AwareDateTime(metadata={"description": "From this moment on, RFC 3339 with its offset."})
    until = fields.AwareDateTime(metadata={"description": "Up to, and not including, this moment."})
    format = Choice(
        "jsonl",
        "ocsf",
        load_default="jsonl",
        metadata={"description": "jsonl: our own objects; ocsf: API Activity events, OCSF 1.6.0."},
    )
    cursor = Text(metadata={"description": "The X-…-Export-Next-Cursor of the page before."})
    limit = Count(min=1, max=10_000, load_default=1_000)
