"""Wire shapes of governance (decisions 036 and 037)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.governance.account_export import LISTS, SECTIONS


class ExportMeta(ma.Schema):
    """What an export is, and for whom it was made."""

    generated_at = fields.DateTime(required=True)
    schema_version = fields.String(required=True)
    legal_basis = fields.String(required=True)
    data_subject_id = fields.UUID(required=True, metadata={"description": "The account."})
    initiated_by = fields.String(
        required=True, metadata={"description": "`api_key:` or `member:` and the id of who asked."}
    )
    note = fields.String(required=True)


class _Head(ma.Schema):
    profile = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "The account, with its owners' addresses."},
    )
    auth = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "Its members: role, last sign-in, second factor; no hash and no secret."},
    )
    format = fields.String(required=True)
    generated_at = fields.DateTime(required=True)
    about = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


def _rows(section: str) -> fields.List[Any]:
    return fields.List(
        fields.Dict(keys=fields.String()),
        required=True,
        metadata={"description": f"Rows of {SECTIONS.get(section) or LISTS[section][0]}."},
    )


Bundle = _Head.from_dict(
    {
        "__meta": fields.Nested(ExportMeta, required=True),
        **{section: _rows(section) for section in (*SECTIONS, *LISTS)},
        "__counts": fields.Dict(keys=fields.String(), values=fields.Integer(), required=True),
        "__warnings": fields.List(fields.String(), required=True),
    },
    name="Bundle",
)


class ChainState(ma.Schema):
    """Whether the account's chain of audit records is whole (decision 036)."""

    valid = fields.Boolean(
        required=True,
        allow_none=True,
        metadata={
            "description": "Whether every record fits: true or false once all were verified, null while "
            "they are being verified. With no records it is true and says nothing; see note."
        },
    )
    records = fields.Integer(required=True, metadata={"description": "Records that the chain should have."})
    checked = fields.Integer(required=True, metadata={"description": "Positions verified so far."})
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "SHA-256, hex, of the last record: keep it, any later record has it inside. "
            "Null with no records and until all are verified."
        },
    )
    firstBroken = fields.Integer(  # noqa: N815 (a wire name)
        required=True,
        allow_none=True,
        metadata={"description": "Position of the first record that does not fit; null where all do."},
    )
    firstBrokenId = fields.UUID(  # noqa: N815
        required=True,
        allow_none=True,
        metadata={"description": "Its analysis id; null also where the record is missing altogether."},
    )
    problem = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["missing", "link", "content", "columns", "head", None],
            "description": "What does not fit about it. missing: no record at that position; link: it does "
            "not carry the hash of the one before; content: its hash is not that of its content; columns: "
            "it is listed under a time, key, account or request that are not those of its content; head: "
            "the end noted of the chain is not that of its records.",
        },
    )
    broken = fields.Integer(
        required=True, metadata={"description": "Positions that do not fit, of those verified."}
    )
    checkedAt = fields.DateTime(required=True)  # noqa: N815
    note = fields.String(metadata={"description": "What the answer does not say, in a sentence."})
