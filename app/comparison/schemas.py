"""Wire shapes of comparisons (decision 080)."""

from __future__ import annotations

import uuid
from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.analysis import BRANCHES, LANGUAGES, TEXT_MAX, TEXT_MIN
from app.analysis.api.operations import AnalyzeRequest, AnsweredStatement, DetectedJurisdiction, Jurisdiction
from app.comparison import CHANGES, JOINED
from app.platform.web.openapi import Body, Choice, Problem
from app.platform.web.parameters import Query
from app.rules import ROLES, VALUE_KINDS

_MOMENT = {"format": "date-time"}
_TEXT = AnalyzeRequest().fields["text"]
_FORM = "send an object with exactly one of text and documentRef, or a string with the text"


class VersionField(fields.Field[Any]):
    """A version: an object with exactly one of `text` and `documentRef`, or its text as a string."""

    def __init__(self, described: str) -> None:
        form = {
            "type": "object",
            "properties": {
                "text": {"type": "string", "minLength": TEXT_MIN, "maxLength": TEXT_MAX},
                "documentRef": {"type": "string", "format": "uuid"},
            },
        }
        super().__init__(
            required=True,
            metadata={"description": described, "anyOf": [form, {"type": "string"}]},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Any]:
        if isinstance(value, str):
            value = {"text": value}
        if not isinstance(value, dict):
            raise ma.ValidationError(Problem(f"must be an object or a string; {_FORM}.", expected="object"))
        given = {name: value[name] for name in ("text", "documentRef") if value.get(name) is not None}
        if len(given) != 1:
            came = "both" if given else "neither"
            raise ma.ValidationError(Problem(f"has {came} text and documentRef; {_FORM}.", got=came))
        if "text" in given:
            try:
                return {"text": _TEXT.deserialize(given["text"])}
            except ma.ValidationError as error:
                raise ma.ValidationError({"text": error.messages}) from None
        try:
            return {"document_ref": uuid.UUID(given["documentRef"])}
        except (ValueError, AttributeError, TypeError):
            raise ma.ValidationError(
                {
                    "documentRef": [
                        Problem("must be the documentRef of an uploaded document.", expected="UUID")
                    ]
                }
            ) from None


class CompareRequest(Body):
    """The body of POST /compare."""

    before = VersionField("The earlier version: its text (50 to 50,000 characters) or an uploaded document.")
    after = VersionField("The later version, likewise.")
    jurisdiction = Jurisdiction(
        load_default="ES",
        metadata={
            "description": "ISO country code; see GET /api/v1/jurisdictions. `auto` detects it.",
            "example": "ES",
        },
    )
    legal_branch = Choice(*BRANCHES, load_default="civil")
    language = Choice(*LANGUAGES, load_default="es", metadata={"description": "Language of the answer."})
    role = Choice(
        *ROLES,
        metadata={
            "description": "The side that you advise, as in POST /api/v1/analyze.",
            "example": "tenant",
        },
    )


class ReportQuery(Query):
    """Parameters of GET /compare/{comparisonId}/report."""

    format = Choice(
        "docx",
        "md",
        load_default="docx",
        metadata={"description": "docx: the text with its changes tracked. md: the analysis as Markdown."},
    )


class ClausePlace(ma.Schema):
    """Where a clause stands in one version."""

    number = fields.String(metadata={"description": "Its number in plain form, such as 7 or 4.2."})
    heading = fields.String()
    start = fields.Integer(required=True, metadata={"description": "Offset in the text, in code points."})
    end = fields.Integer(required=True, metadata={"description": "Where the next clause begins."})
    page = fields.Integer(metadata={"description": "Of an uploaded document that has pages."})


class WordRun(ma.Schema):
    """Words that are equal, inserted or deleted."""

    op = fields.String(required=True, metadata={"enum": ["equal", "insert", "delete"]})
    text = fields.String(required=True, metadata={"description": "Exactly as submitted."})


class ClauseChange(ma.Schema):
    """What became of one clause."""

    change = fields.String(
        required=True,
        metadata={
            "enum": list(CHANGES),
            "description": "moved: it stands elsewhere among the others, with the same words or not. Another "
            "number, or lines that wrap elsewhere, are no change.",
        },
    )
    before = fields.Nested(ClausePlace, required=True, allow_none=True)
    after = fields.Nested(ClausePlace, required=True, allow_none=True)
    similarity = fields.Float(
        required=True, metadata={"minimum": 0, "maximum": 1, "description": "The share of equal words."}
    )
    renumbered = fields.Boolean(required=True, metadata={"description": "Whether its number is another one."})
    joined = fields.String(
        metadata={"enum": list(JOINED), "description": "Split into several clauses, or merged from several."}
    )
    coarse = fields.Boolean(
        metadata={
            "description": "True where a part was too long to be compared word by word and is told whole."
        }
    )
    words = fields.List(
        fields.Nested(WordRun),
        required=True,
        metadata={
            "description": "Together, those that are not inserted are the clause before, those that are not "
            "deleted the clause after. All clauses in their order are the whole text."
        },
    )


class ClauseCounts(ma.Schema):
    """How many clauses have each change."""

    added = fields.Integer(required=True)
    removed = fields.Integer(required=True)
    changed = fields.Integer(required=True)
    moved = fields.Integer(required=True)
    unchanged = fields.Integer(required=True)
    renumbered = fields.Integer(required=True, metadata={"description": "Beside the others."})


class StatedValue(ma.Schema):
    """A value as one version states it."""

    text = fields.String(required=True, metadata={"description": "The words of the text."})
    value = fields.String(
        required=True,
        metadata={
            "description": "A plain form: a number, a date or duration of ISO 8601, days such as 1-5, a name."
        },
    )
    unit = fields.String(
        metadata={"description": "Currency and how often, such as EUR month; a party's part."}
    )


class ValueChange(ma.Schema):
    """A value that is another one, that came, or that went."""

    kind = fields.String(required=True, metadata={"enum": list(VALUE_KINDS)})
    role = fields.String(
        required=True,
        metadata={"description": "What it is for, such as rent, penalty or notice; else other."},
    )
    before = fields.Nested(StatedValue, required=True, allow_none=True)
    after = fields.Nested(StatedValue, required=True, allow_none=True)
    clause = fields.Integer(required=True, metadata={"description": "Index in `clauses`."})


class ComparedRisk(AnsweredStatement):
    """A statement about a risk, and the clause it stands in. Its offsets are those of its version."""

    clause = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Index in `clauses`; null where it quotes nothing, as of what is missing."},
    )


class StayedRisk(ma.Schema):
    """A risk of both versions."""

    before = fields.Nested(ComparedRisk, required=True)
    after = fields.Nested(ComparedRisk, required=True)
    severityChanged = fields.Boolean(required=True)  # noqa: N815 (a wire name)
    figuresChanged = fields.Boolean(  # noqa: N815
        required=True, metadata={"description": "Whether it is told with other figures or dates."}
    )


class RiskChanges(ma.Schema):
    """What became of the risks: matched by rule and clause, not by words."""

    appeared = fields.List(fields.Nested(ComparedRisk), required=True)
    went = fields.List(fields.Nested(ComparedRisk), required=True)
    stayed = fields.List(fields.Nested(StayedRisk), required=True)


class CompareResponse(ma.Schema):
    """The answer of POST /compare and GET /compare/{comparisonId}."""

    comparisonId = fields.UUID(required=True)  # noqa: N815
    requestId = fields.String(required=True)  # noqa: N815
    clauses = fields.List(
        fields.Nested(ClauseChange),
        required=True,
        metadata={
            "description": "In the order of the later version; a removed clause follows what it stood behind."
        },
    )
    counts = fields.Nested(ClauseCounts, required=True)
    values = fields.List(fields.Nested(ValueChange), required=True)
    risks = fields.Nested(RiskChanges, required=True)
    summary = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Plain sentences, written by code from what was read, not by a model."},
    )
    analysis = fields.String(
        required=True, metadata={"description": "All of it as Markdown that ends with the audit-trail block."}
    )
    creditsCharged = fields.Integer(required=True)  # noqa: N815
    processingMs = fields.Integer(required=True)  # noqa: N815
    model = fields.String(required=True, metadata={"description": "The engine that analysed both versions."})
    contentOrigin = fields.Dict(  # noqa: N815
        required=True, metadata={"description": "Machine-readable origin, as in POST /api/v1/analyze."}
    )
    jurisdiction = fields.String(required=True)
    legalBranch = fields.String(required=True)  # noqa: N815
    detectedJurisdiction = fields.Nested(DetectedJurisdiction, required=True)  # noqa: N815
    assessment = fields.String(required=True, metadata={"enum": ["full", "partial", "none"]})
    assessmentNote = fields.String(  # noqa: N815
        metadata={"description": "What of the later version could not be assessed, and why."}
    )
    reportUrl = fields.String(required=True, metadata={"format": "uri"})  # noqa: N815
    expiresAt = fields.String(required=True, metadata=_MOMENT)  # noqa: N815
