"""Wire shapes of governance (decisions 036 and 037)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.governance.account_export import LISTS, SECTIONS


class ExportMeta(ma.Schema):
    """Metadata of an export."""

    generated_at = fields.DateTime(required=True)
    schema_version = fields.String(required=True)
    legal_basis = fields.String(required=True)
    data_subject_id = fields.UUID(required=True, metadata={"description": "The account."})
    initiated_by = fields.String(
        required=True, metadata={"description": "`api_key:` or `member:` and the id of the requester."}
    )
    note = fields.String(required=True)


class _Head(ma.Schema):
    profile = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "The account, with the e-mail addresses of its owners."},
    )
    auth = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "Members: role, last sign-in, two-factor state; no hashes or secrets."},
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
            "description": "Whether the whole chain is intact; null while verification is running. With "
            "no records it is true and meaningless; see note."
        },
    )
    records = fields.Integer(
        required=True, metadata={"description": "Number of records the chain should have."}
    )
    checked = fields.Integer(required=True, metadata={"description": "Positions verified so far."})
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "SHA-256 of the last record, in hex. Keep it: every later record depends on "
            "it. Null with no records and until all are verified."
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
        metadata={"description": "The analysis id; null if the record is missing."},
    )
    problem = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["missing", "link", "content", "columns", "head", "log", None],
            "description": "What is wrong with it. missing: no record at that position; link: it does not "
            "contain the hash of the previous record; content: its hash does not match its content; "
            "columns: its time, key, account or request in the database differ from its content; head: "
            "the stored end of the chain does not match its records; log: the transparency log "
            "holds a different record at that position, or the record is gone.",
        },
    )
    broken = fields.Integer(
        required=True, metadata={"description": "Invalid positions among those verified."}
    )
    checkedAt = fields.DateTime(required=True)  # noqa: N815
    note = fields.String(metadata={"description": "A remark on the result, in one sentence."})
