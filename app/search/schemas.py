"""Wire shapes of search and of the verification of a citation (decision 033)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app import corpus
from app.platform.web.openapi import Body, Integer, Length, Problem, Text
from app.platform.web.parameters import Day

STATUSES = ["verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"]
DEPTHS = ["norm", "article", "paragraph", "words"]
QUERY_MAX, CITATION_MAX, CLAIM_MAX = 2_000, 500, 10_000


class Plain(Text):
    """Text that PostgreSQL can hold and that has at least one letter or digit."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if "\x00" in text:
            raise ma.ValidationError(Problem("contains a NUL character (U+0000); remove it."))
        return text


class Jurisdiction(Text):
    """A code that GET /jurisdictions lists, or ZZ, the fictional one of demonstrations."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        code = str(super()._deserialize(value, attr, data, **kwargs)).strip().upper()
        if code != "ZZ" and code not in {one.code for one in corpus.jurisdictions()}:
            raise ma.ValidationError(Problem(f"unknown code {code[:10]!r}. See GET /api/v1/jurisdictions."))
        return code


class WordList(fields.List[Any]):
    """At most 20 short texts."""

    def __init__(self, description: str, example: list[str]) -> None:
        metadata = {"maxItems": 20, "description": description, "example": example}
        super().__init__(Plain(validate=Length(min=1, max=120)), load_default=(), metadata=metadata)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError(Problem("must be an array of strings.", expected="array"))
        if len(value) > 20:
            raise ma.ValidationError(
                Problem(f"must have at most 20 entries, has {len(value)}.", max=20, got=len(value))
            )
        return super()._deserialize(value, attr, data, **kwargs)


class LawBody(Body):
    """A body that says whose law is meant, by either spelling; the two may not differ."""

    jurisdiction = Jurisdiction(
        metadata={"description": "ISO code, see GET /jurisdictions.", "example": "ES"}
    )
    jurisdiccion = Jurisdiction(metadata={"description": "The same, in Spanish."})

    @ma.validates_schema(skip_on_field_errors=False)
    def _one_jurisdiction(self, data: dict[str, Any], **_: Any) -> None:
        given = {data[name] for name in ("jurisdiction", "jurisdiccion") if name in data}
        if len(given) > 1:
            raise ma.ValidationError(
                Problem("differs from jurisdiction. Send only one of them."), "jurisdiccion"
            )


class JudgmentSearch(LawBody):
    """The body of POST /jurisprudencia/search."""

    query = Plain(
        required=True,
        validate=Length(min=5, max=QUERY_MAX),
        metadata={"description": "A question in words, or a citation.", "example": "cláusula suelo"},
    )
    top_k = Integer(data_key="top_k", min=1, max=50, load_default=10, metadata={"description": "Passages."})


class StatuteSearch(LawBody):
    """The body of POST /normativa/search."""

    query = Plain(
        required=True,
        validate=Length(min=2, max=QUERY_MAX),
        metadata={
            "description": "A question in words, or a citation. Questions in English find Spanish law.",
            "example": "plazo para contestar la demanda",
        },
    )
    fecha = Day(
        metadata={"format": "date", "description": "Search the law in force on this date. Default: today."}
    )
    tipos = WordList(
        "Ranks of norms, as `tipo` of the answer. An unknown one is 400 and names those there are.",
        ["ley", "real_decreto_legislativo"],
    )
    materias = WordList("Words of the law's title or headings; one entry must fit.", ["arrendamientos"])
    top_k = Integer(data_key="top_k", min=1, max=50, load_default=10, metadata={"description": "Articles."})


class StatuteCheck(LawBody):
    """The body of POST /normativa/verify-cita."""

    citation = Plain(
        required=True,
        validate=Length(min=2, max=CITATION_MAX),
        metadata={"description": "A citation of law as written.", "example": "art. 1902 CC"},
    )
    claim_text = Plain(
        data_key="claim_text",
        validate=Length(min=1, max=CLAIM_MAX),
        metadata={"description": "The words attributed to it, verbatim; write omissions as [...]."},
    )
    fecha = Day(
        metadata={"format": "date", "description": "Search the law in force on this date. Default: today."}
    )


class JudgmentCheck(LawBody):
    """The body of POST /jurisprudencia/verify-cita."""

    citation = Plain(
        required=True,
        validate=Length(min=2, max=CITATION_MAX),
        metadata={"description": "A citation of a judgment as written.", "example": "STC 76/2019"},
    )
    claim_text = Plain(
        data_key="claim_text",
        validate=Length(min=1, max=CLAIM_MAX),
        metadata={"description": "The words attributed to it, verbatim; write omissions as [...]."},
    )


def _maybe(description: str, **metadata: Any) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata={"description": description, **metadata})


def _share(description: str) -> fields.Float:
    return fields.Float(required=True, allow_none=True, metadata={"description": description})


def _depth() -> fields.String:
    return fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": [*DEPTHS, None],
            "description": "How far the citation was checked. `norm`: the norm or judgment exists; "
            "`article`: it has the article; `paragraph`: the article has the paragraph or letter; "
            "`words`: the words were compared with the text. Null if nothing could be checked.",
        },
    )


class Highlight(ma.Schema):
    """A place in a text."""

    start = fields.Integer(required=True, metadata={"description": "Its first code point, from 0."})
    end = fields.Integer(required=True, metadata={"description": "The first code point behind it."})


def _highlights(field: str) -> fields.List[Any]:
    return fields.List(
        fields.Nested(Highlight),
        required=True,
        metadata={"description": f"Where `{field}` has words of the query, or the law's words for it."},
    )


class ChunkItem(ma.Schema):
    """A passage of a judgment."""

    id = fields.UUID(required=True)
    source = fields.String(required=True, metadata={"description": "The court."})
    titulo = fields.String(required=True)
    texto = fields.String(required=True, metadata={"description": "Extract, up to 2,000 characters."})
    highlights = _highlights("texto")
    url = fields.String(required=True, metadata={"format": "uri", "description": "Permanent."})


class JudgmentSearchResponse(ma.Schema):
    """Jurisprudence search response (decision 033)."""

    query = fields.String(required=True)
    jurisdiction = fields.String(required=True)
    intent = fields.String(required=True, metadata={"enum": ["citation", "statute", "semantic"]})
    count = fields.Integer(required=True)
    chunks = fields.List(fields.Nested(ChunkItem), required=True)
    note = fields.String(metadata={"description": "Why nothing was found."})
    noteCode = fields.String(  # noqa: N815 (a wire name)
        metadata={"enum": ["CORPUS_NOT_INGESTED", "NO_MATCHES"]}
    )


class ArticleItem(ma.Schema):
    """An article as it stood on the day."""

    articulo_id = fields.UUID(required=True)
    norma_id = fields.UUID(required=True)
    boe_id = fields.String(required=True, metadata={"description": "Official id of the norm."})
    numero = fields.String(required=True)
    rubrica = _maybe("Its heading.")
    texto_literal = fields.String(required=True)
    highlights = _highlights("texto_literal")
    url_boe = _maybe("Permanent address.", format="uri")
    similarity = fields.Float(
        required=True, metadata={"description": "1 for an authority that the query cites, otherwise less."}
    )
    alias = _maybe("Short name of the norm.")
    norma_titulo = fields.String(required=True)
    tipo = _maybe("Rank of the norm.")


class StatuteSearchResponse(ma.Schema):
    """Articles found, best first (decision 033)."""

    data = fields.List(fields.Nested(ArticleItem), required=True)
    query = fields.String(required=True)
    jurisdiccion = fields.String(required=True)
    fecha = fields.Date(required=True)
    top_k = fields.Integer(required=True)
    vigencia_filtrada = fields.String(
        required=True,
        metadata={
            "enum": ["consulta"],
            "description": "Whether results are limited to versions in force on `fecha`.",
        },
    )
    note = fields.String(metadata={"description": "Why nothing was found."})
    noteCode = fields.String(  # noqa: N815 (a wire name)
        metadata={"enum": ["CORPUS_NOT_INGESTED", "NO_MATCHES"]}
    )


class CitedArticle(ma.Schema):
    """What was cited."""

    alias = _maybe("Short name of the norm.")
    articulo = _maybe("Number of the article.")
    norma_id = fields.UUID(required=True, allow_none=True)
    norma_titulo = _maybe("Title of the norm.")


class StatuteCheckResponse(ma.Schema):
    """The verdict on a citation of law and on its words (decision 015)."""

    status = fields.String(
        required=True,
        metadata={"enum": STATUSES, "description": "pending: no citation was recognised in the text."},
    )
    mismatch_kind = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["meaning", "stitched", "lexical", None],
            "description": "How the words differ; null if they match or if something else is wrong.",
        },
    )
    citation = fields.Nested(CitedArticle, required=True)
    canonical_text = _maybe("The article as in force on the date, if loaded.")
    url = _maybe("Permanent address.", format="uri")
    similarity = _share("Similarity of the claimed words and the text; null if no words were claimed.")
    text_match = fields.String(
        required=True,
        allow_none=True,
        metadata={"enum": ["literal", "near", "stitched", "different", None]},
    )
    depth = _depth()
    consultado_a_fecha = fields.Date(required=True)
    vigente_a_fecha = fields.Date(
        required=True,
        allow_none=True,
        metadata={
            "description": "The day on which it was found in force, which is the day asked for; null where "
            "it was not in force then, or that is not known (vigencia_status)."
        },
    )
    vigencia_status = fields.String(required=True, metadata={"enum": ["in_force", "repealed", "unknown"]})
    note = fields.String(required=True)


class CitedJudgment(ma.Schema):
    """What was cited."""

    type = _maybe("Kind of decision.")
    ecli = _maybe("European case law identifier.")
    roj = _maybe("Number of the Spanish repository.")
    tribunal = _maybe("Court of the loaded judgment, or as the citation itself says.")
    anio = fields.Integer(
        required=True, allow_none=True, metadata={"description": "Year of the decision, likewise."}
    )


class JudgmentCheckResponse(ma.Schema):
    """The verdict on a citation of a judgment and on its words (decision 015)."""

    status = fields.String(
        required=True,
        metadata={"enum": STATUSES, "description": "pending: no citation was recognised in the text."},
    )
    mismatch_kind = fields.String(
        required=True, allow_none=True, metadata={"enum": ["meaning", "stitched", "lexical", None]}
    )
    citation = fields.Nested(CitedJudgment, required=True)
    canonical_text = _maybe("The passage with the claimed words, or the beginning; up to 2,000 characters.")
    url = _maybe("Permanent address.", format="uri")
    similarity = _share("Similarity of the claimed words and the text; null if no words were claimed.")
    depth = _depth()
    note = fields.String(required=True)
