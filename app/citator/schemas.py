"""Wire shapes of the citator (decision 034)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.citator.treatments import TREATMENTS
from app.citator.validity import STANDINGS
from app.platform.web.openapi import Body, Boolean, Choice, Text
from app.platform.web.parameters import Count, Day, Query

_CODE = {
    "description": "ISO code, if the citation does not name its jurisdiction. Default: all are tried in turn."
}


# marshmallow's own base class has an attribute of this name, which is no field.
_PARTIAL: Any = fields.Boolean(required=True, metadata={"description": "Only part of it was affected."})


def _maybe(description: str, **more: str) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata={"description": description, **more})


def _day(description: str) -> fields.String:
    return _maybe(description, format="date")


class CitationQuery(Query):
    """Which citation, on which day."""

    citation = Text(
        required=True,
        validate=ma.validate.Length(1, 300),
        metadata={
            "description": "A citation as written (art. 5 LPH, STC 31/2010), an ECLI or an id.",
            "example": "art. 5 LPH",
        },
    )
    fecha = Day(metadata={"format": "date", "description": "The date of interest. Default: today."})
    redaccion = Day(
        metadata={"format": "date", "description": "Date of the version you have. Default: the same date."}
    )
    jurisdiction = Text(metadata=_CODE)
    jurisdiccion = Text(metadata=_CODE)


class LinksQuery(Query):
    """Which authority, and which page."""

    id = Text(
        required=True,
        validate=ma.validate.Length(1, 300),
        metadata={"description": "UUID of a judgment, passage or norm, an ECLI, a BOE id or a citation."},
    )
    treatment = Choice(*TREATMENTS, metadata={"description": "Only this treatment."})
    jurisdiction = Text(metadata=_CODE)
    jurisdiccion = Text(metadata=_CODE)
    cursor = Text(metadata={"description": "next_cursor of the page before."})
    limit = Count(min=1, max=200, load_default=50)


class TimelineQuery(Query):
    """Which authority."""

    id = Text(
        required=True,
        validate=ma.validate.Length(1, 300),
        metadata={"description": "UUID of a judgment, passage or norm, an ECLI, a BOE id or a citation."},
    )
    jurisdiction = Text(metadata=_CODE)
    jurisdiccion = Text(metadata=_CODE)


class Authority(ma.Schema):
    """A judgment, a norm, or an article of one."""

    kind = fields.String(required=True, metadata={"enum": ["judgment", "norm"]})
    canonical = fields.String(required=True, metadata={"description": "Normal form."})
    id = _maybe("UUID, where it is loaded.", format="uuid")
    title = fields.String(required=True)
    article = _maybe("Its article, of a norm.")
    jurisdiction = fields.String(required=True)
    date = _day("Its day.")
    url = _maybe("Permanent address.", format="uri")


class Reason(ma.Schema):
    """A treatment that a standing rests on."""

    by = fields.String(required=True, metadata={"description": "The authority that did it."})
    treatment = fields.String(required=True, metadata={"enum": list(TREATMENTS)})
    date = _day("Since when.")
    url = _maybe("Permanent address.", format="uri")
    partial = _PARTIAL
    article = _maybe("The provision it was done to; null: the norm or judgment as such.")
    line = _maybe("The words of the source that say so, up to 400 characters.")
    source = fields.String(required=True, metadata={"enum": ["text", "reported", "registry", "versions"]})


class Wording(ma.Schema):
    """The version of an article on the day asked about."""

    inForceFrom = _day("Its first day; null if the source does not say.")  # noqa: N815 (wire name)
    inForceTo = _day("The day after its last; null if it is still in force.")  # noqa: N815 (wire name)
    amendedBy = _maybe("What introduced it, if the source says so.")  # noqa: N815 (wire name)


class ValidityResponse(ma.Schema):
    """GET /citator/validity."""

    citation = fields.String(required=True)
    resolved = fields.Nested(Authority, required=True, allow_none=True)
    validity = fields.String(required=True, metadata={"enum": list(STANDINGS)})
    since = _day("Effective date, if known.")
    because = fields.List(fields.Nested(Reason), required=True)
    wording = fields.Nested(
        Wording,
        required=True,
        allow_none=True,
        metadata={
            "description": "Of an article: the version of redaccion, or else of fecha; null if unknown."
        },
    )
    note = _maybe("Why it is unknown or not whole, in Spanish.")
    checkedAt = fields.DateTime(required=True)  # noqa: N815 (wire name)


class Link(Authority):
    """An authority, with its treatment and how often it occurs."""

    treatment = fields.String(required=True, metadata={"enum": list(TREATMENTS)})
    partial = _PARTIAL
    citedArticle = _maybe("Of a norm that is cited, which article.")  # noqa: N815 (wire name)
    count = fields.Integer(required=True)
    source = fields.String(
        required=True,
        metadata={
            "enum": ["text", "reported", "registry", "versions"],
            "description": "Where it was found; reported: in a third decision.",
        },
    )


class LinksResponse(ma.Schema):
    """GET /citator/citations and /citator/cited-by."""

    id = fields.String(required=True)
    resolved = fields.Nested(Authority, required=True)
    count = fields.Integer(required=True, metadata={"description": "How many there are in all."})
    data = fields.List(fields.Nested(Link), required=True)
    has_more = fields.Boolean(required=True)
    next_cursor = _maybe("For the next page.")


class TimelineEntry(ma.Schema):
    """Something that happened to an authority."""

    date = _day("When; null where the source does not say.")
    kind = fields.String(
        required=True, metadata={"enum": ["publication", "version", "amendment", "repeal", "treatment"]}
    )
    treatment = _maybe("Of a treatment, which.")
    by = _maybe("What or who did it.")
    detail = _maybe("What it touched.")
    url = _maybe("Permanent address.", format="uri")
    partial = _PARTIAL
    line = _maybe("The words of the source that say so.")


class TimelineResponse(ma.Schema):
    """GET /citator/timeline."""

    id = fields.String(required=True)
    resolved = fields.Nested(Authority, required=True)
    data = fields.List(fields.Nested(TimelineEntry), required=True)


class CoveredJurisdiction(ma.Schema):
    """What was read of one jurisdiction."""

    jurisdiction = fields.String(required=True)
    edges = fields.Integer(required=True)
    documents = fields.Integer(
        required=True, metadata={"description": "Number of texts that cite something."}
    )
    newest = _day("Day of the newest of them.")


class CitatorCoverageResponse(ma.Schema):
    """GET /citator/coverage."""

    totalEdges = fields.Integer(required=True)  # noqa: N815
    totalDocuments = fields.Integer(required=True)  # noqa: N815
    jurisdictions = fields.List(fields.Nested(CoveredJurisdiction), required=True)


class CrossedArticleQuery(Query):
    """Which article."""

    articulo = Text(required=True, validate=ma.validate.Length(1, 80), metadata={"example": "1902"})
    norma_alias = Text(
        validate=ma.validate.Length(1, 200),
        metadata={"description": "Abbreviation, name or number.", "example": "CC"},
    )
    norma_id = Text(validate=ma.validate.Length(1, 200), metadata={"description": "BOE id or id."})
    jurisdiction = Text(metadata={"description": "ISO code; default ES."})
    jurisdiccion = Text(metadata={"description": "The same."})
    top = Count(min=1, max=100, load_default=20)


class CrossedJudgment(ma.Schema):
    """A judgment that cites the article."""

    jurisprudencia_id = _maybe("UUID, where it is loaded.", format="uuid")
    tribunal = _maybe("Court.")
    sala = _maybe("Chamber.")
    fecha = _day("Its day.")
    ecli = _maybe("ECLI.")
    roj = _maybe("ROJ.")
    url_cendoj = _maybe("Permanent address.")
    resumen = _maybe("Summary or title.")
    count_citas = fields.Integer(required=True)


class CrossedJudgments(ma.Schema):
    """GET /cruce/sentencias-de-articulo."""

    norma_id = _maybe("Official id.")
    norma_alias = _maybe("As it was asked; of a norm that was named by its id, what it is called.")
    articulo = fields.String(required=True)
    top = fields.Integer(required=True)
    sentencias = fields.List(fields.Nested(CrossedJudgment), required=True)
    note = fields.String()


class CrossedJudgmentQuery(Query):
    """Which judgment."""

    jurisprudencia_id = Text(
        required=True, validate=ma.validate.Length(1, 300), metadata={"description": "UUID or ECLI."}
    )


class CrossedArticle(ma.Schema):
    """An article that the judgment cites."""

    norma_alias = _maybe("What the norm is called.")
    norma_id = _maybe("Official id.")
    norma_titulo = _maybe("Its title.")
    norma_url = _maybe("Permanent address.")
    articulo_numero = fields.String(required=True)
    articulo = fields.String(required=True, metadata={"description": "As one would cite it."})
    veces = fields.Integer(required=True)


class CrossedArticles(ma.Schema):
    """GET /cruce/articulos-de-sentencia."""

    jurisprudencia_id = fields.String(required=True)
    articulos = fields.List(fields.Nested(CrossedArticle), required=True)


class WatchBody(Body):
    """What to watch."""

    citation = Text(
        required=True,
        validate=ma.validate.Length(1, 300),
        metadata={
            "description": "A law, an article or a judgment: a citation as written, an ECLI or an id.",
            "example": "art. 1902 CC",
        },
    )
    jurisdiction = Text(metadata=_CODE)
    jurisdiccion = Text(metadata=_CODE)
    mail = Boolean(
        load_default=False,
        metadata={"description": "Whether the owners of the account get a mail too. Default: false."},
    )


class WatchResponse(ma.Schema):
    """A law, an article or a judgment that the account watches."""

    id = fields.UUID(required=True)
    kind = fields.String(required=True, metadata={"enum": ["law", "article", "judgment"]})
    subject = fields.String(required=True, metadata={"description": "Normal form."})
    title = fields.String(required=True)
    article = _maybe("Its article, of a norm.")
    jurisdiction = fields.String(required=True)
    url = _maybe("Permanent address.", format="uri")
    mail = fields.Boolean(required=True)
    createdAt = fields.DateTime(required=True)  # noqa: N815 (wire name)


class WatchList(ma.Schema):
    """GET /watches."""

    watches = fields.List(fields.Nested(WatchResponse), required=True)
    count = fields.Integer(required=True)
    limit = fields.Integer(required=True, metadata={"description": "How many an account can have."})


class WatchRemoved(ma.Schema):
    """DELETE /watches/{id}."""

    removed_watch_id = fields.UUID(required=True)
