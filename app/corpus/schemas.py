"""Wire shapes of corpus (decision 032)."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from app.platform.web.openapi import Text
from app.platform.web.parameters import Day, Query

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
    assessment = fields.String(
        required=True,
        metadata={
            "enum": ["full", "partial", "none"],
            "description": "How far the configured engine assesses this jurisdiction's law: full, partial "
            "(its authorities cannot all be checked here) or none (an inventory, citations checked).",
        },
    )
    branches = fields.Dict(
        keys=fields.String(),
        values=fields.String(metadata={"enum": ["full", "partial", "none"]}),
        required=True,
        metadata={
            "description": "How far the built-in rules assess each branch of this jurisdiction's law, "
            "counted from the rules. They take part whatever the engine is."
        },
    )


class JurisdictionsResponse(ma.Schema):
    """The answer of GET /jurisdictions."""

    jurisdictions = fields.List(fields.Nested(JurisdictionEntry), required=True)
    total = fields.Integer(required=True)
    legalSystems = fields.List(fields.String(), required=True)  # noqa: N815
    note = fields.String(required=True)


def _id(description: str) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata={"description": description})


def _day(description: str) -> fields.String:
    return fields.String(
        required=True, allow_none=True, metadata={"format": "date", "description": description}
    )


class SourceCount(ma.Schema):
    """Documents of one source."""

    source = fields.String(required=True)
    count = fields.Integer(required=True)


class CoverageTable(ma.Schema):
    """One table of the corpus, or its part for one jurisdiction."""

    table = fields.String(
        required=True, metadata={"description": "The table; `_co` at its end names the part for CO."}
    )
    inferredJurisdiction = _id("ISO code, or null.")  # noqa: N815 (wire name)
    totalDocs = fields.Integer(required=True)  # noqa: N815
    oldestDoc = _day("Day of the oldest document.")  # noqa: N815
    newestDoc = _day("Day of the newest document.")  # noqa: N815
    topSources = fields.List(fields.Nested(SourceCount), required=True)  # noqa: N815
    sourceColumn = _id("Column that topSources groups by.")  # noqa: N815


class CoverageResponse(ma.Schema):
    """The answer of GET /corpus/coverage."""

    generatedAt = fields.DateTime(required=True)  # noqa: N815
    cacheTtlSeconds = fields.Integer(required=True)  # noqa: N815
    totalDocs = fields.Integer(required=True, metadata={"description": "Sum over all tables."})  # noqa: N815
    totalTables = fields.Integer(required=True)  # noqa: N815
    tables = fields.List(fields.Nested(CoverageTable), required=True)


class ArticleQuery(Query):
    """Which article, on which day."""

    norma = Text(
        required=True,
        validate=ma.validate.Length(1, 200),
        metadata={
            "description": "Abbreviation, name, number, BOE id or id of the norm: CC, Ley 39/2015.",
            "example": "CC",
        },
    )
    articulo = Text(
        required=True,
        validate=ma.validate.Length(1, 80),
        metadata={"description": "Its number: 1902, 9 bis, disposición final 1.", "example": "1902"},
    )
    fecha = Day(metadata={"format": "date", "description": "The date of interest. Default: today."})
    jurisdiction = Text(metadata={"description": "ISO code; default ES."})
    jurisdiccion = Text(metadata={"description": "The same."})


class VersionsQuery(Query):
    """Whose law an official id is."""

    jurisdiction = Text(metadata={"description": "ISO code; default ES."})
    jurisdiccion = Text(metadata={"description": "The same."})


class ArticleNorm(ma.Schema):
    """The norm of an article."""

    boe_id = _id("Official id.")
    titulo = _id("Title.")
    url = _id("Permanent address.")


class VersionDays(ma.Schema):
    """When a version was in force: from a day, inclusive, to a day, exclusive."""

    vigencia_desde = _day("First day in force; null if the source does not say.")
    vigencia_hasta = _day("First day no longer in force; null while in force.")


class Article(ma.Schema):
    """An article as it read on a day."""

    numero = fields.String(required=True)
    rubrica = _id("Its rubric.")
    texto_literal = _id("Its words.")
    version = fields.Nested(VersionDays, required=True, allow_none=True)


class ArticleResponse(ma.Schema):
    """The answer of GET /normativa/articulo."""

    norma = fields.Nested(ArticleNorm, required=True, allow_none=True)
    articulo = fields.Nested(Article, required=True, allow_none=True)
    consultado_a_fecha = fields.String(required=True, metadata={"format": "date"})
    vigente_a_fecha = _day(
        "The requested date, if the article was in force on it; null if it was not, or if that is not known."
    )
    vigencia_status = fields.String(
        required=True,
        metadata={"enum": ["in_force", "not_in_force", "unknown"], "description": "On that day."},
    )
    jurisdiccion = fields.String(required=True)
    note = fields.String(metadata={"description": "What was not found and why, or a caveat."})


class VersionsNorm(ma.Schema):
    """The norm of a list of versions."""

    boe_id = _id("Official id.")
    titulo_corto = _id("What it is commonly called.")
    titulo_oficial = _id("Its official title.")
    url_boe = _id("Permanent address.")
    fecha_publicacion = _day("Day of publication.")
    fecha_derogacion = _day("Day from which it is no longer in force.")


class NormVersion(ma.Schema):
    """One state of a norm."""

    version_numero = fields.Integer(required=True)
    vigencia_desde = _day("First day.")
    vigencia_hasta = _day("First day of the next, null while in force.")
    modificada_por = _id("What introduced it, as the source names it.")
    hash_texto = fields.String(
        required=True, metadata={"description": "SHA-256 of the texts in force from that day."}
    )
    url_snapshot = _id("Address of this very version, where the publisher has one.")


class VersionsResponse(ma.Schema):
    """The answer of GET /normativa/norma/{id}/versiones."""

    norma = fields.Nested(
        VersionsNorm,
        required=True,
        allow_none=True,
        metadata={"description": "Null for a law that is not loaded."},
    )
    versiones = fields.List(fields.Nested(NormVersion), required=True)
    note = fields.String(metadata={"description": "Why nothing, or no text, was found."})


class LawCoverageResponse(ma.Schema):
    """The answer of GET /normativa/coverage."""

    jurisdicciones = fields.List(fields.String(), required=True)
    total_normas = fields.Integer(required=True)
    total_versiones = fields.Integer(required=True)
    total_articulos = fields.Integer(required=True)
    ultima_actualizacion = _day("Newest edition of any norm.")
    lag_dias = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Days since then; null without norms."}
    )
    status = fields.String(
        required=True,
        metadata={
            "enum": ["active", "rails-only", "unranked"],
            "description": "active: statutes are loaded and can be searched; rails-only: the registry of "
            "norms alone, no text is loaded; unranked: texts are loaded, their search is not built.",
        },
    )
