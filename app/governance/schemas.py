"""Wire shapes of governance (decisions 8)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from app.governance.bundle import SECTIONS


class _Head(ma.Schema):
    format = fields.String(required=True)
    generated_at = fields.DateTime(required=True)
    about = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


Bundle = _Head.from_dict(
    {section: fields.List(fields.Dict(keys=fields.String()), required=True) for section in SECTIONS},
    name="Bundle",
)
