"""Wire shapes of corpus (interface 2.12; decisions 7)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

_LEGAL_SYSTEMS = ["civil", "common", "mixed", "religious", "customary"]


class CorpusCount(ma.Schema):
    """How much of a jurisdiction's law code can check here."""

    statutes = fields.Integer(required=True)
    judgments = fields.Integer(required=True)


class JurisdictionEntry(ma.Schema):
    """One jurisdiction."""

    code = fields.String(required=True, metadata={"description": "ISO 3166-1 alpha-2, or EU."})
    name = fields.String(required=True, metadata={"description": "English name."})
    nameEs = fields.String(required=True, metadata={"description": "Spanish name."})  # noqa: N815 (wire name)
    legalSystem = fields.String(required=True, metadata={"enum": _LEGAL_SYSTEMS})  # noqa: N815
    language = fields.String(required=True, metadata={"description": "ISO 639-1 of the main language."})
    corpus = fields.Nested(CorpusCount, required=True)


class JurisdictionsResponse(ma.Schema):
    """JurisdictionsResponse (interface 2.12)."""

    jurisdictions = fields.List(fields.Nested(JurisdictionEntry), required=True)
    total = fields.Integer(required=True)
    legalSystems = fields.List(fields.String(), required=True)  # noqa: N815
    note = fields.String(required=True)
