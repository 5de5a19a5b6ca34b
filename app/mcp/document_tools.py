"""The tools that take a text: analysis, audit, masking, and the citations in it.

Each takes its text in the argument `text` of `Document`, or in its place an uploaded document's reference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields

from app import analysis
from app.analysis.api import operations
from app.mcp import json_schema
from app.mcp.tool import Call, Tool, ToolResult, given
from app.platform.confidential import DocumentText
from app.platform.errors import Invalid
from app.platform.web import openapi
from app.platform.web.openapi import Boolean, Choice, Length, Text

_TEXT_MAX, _ANALYSIS_MAX = 50_000, 50_000
_LARGE = 500_000
_AUTO = (
    "ISO code of the country whose law applies, such as ES (the default); auto takes the one that the "
    "text's own words point to. list_jurisdictions has them all."
)
_LOCKS = (
    "Locks: L1 words that stand in the document or in a loaded article, L2-J a verified judgment, L2-J-V "
    "one still good law, L5-C a critical risk, L4 reasoned inference. Keep the locks when you report a "
    "statement; what is L4 is not proven."
)


class Document(operations.TextOrDocument):
    """A text or an uploaded document, and whose law it is under."""

    text = Text(
        validate=Length(min=1, max=_TEXT_MAX, status=422),
        metadata={
            "description": "The text, up to 50,000 characters, whole and unchanged. Give this or documentRef."
        },
    )
    jurisdiction = Text(load_default="ES", metadata={"description": _AUTO, "examples": ["ES", "auto"]})


class _MaskArguments(Document):
    mask_names = Boolean(
        load_default=True,
        metadata={
            "description": "Whether names and addresses of persons are masked too, beside identifiers; "
            "default true."
        },
    )


class _CheckArguments(Document):
    language = Choice(
        "es", "en", load_default="es", metadata={"description": "Language of the notes on each citation."}
    )


class _AuditArguments(operations.AnalyzeRequest):
    class Meta(operations.AnalyzeRequest.Meta):
        exclude = ("mode", "role")

    analysis = Text(
        required=True,
        validate=Length(min=1, max=_ANALYSIS_MAX, status=422),
        metadata={
            "description": "What was written about the document, up to 50,000 characters: yours or "
            "anybody's. Each sentence is judged by itself."
        },
    )


class _AnalyseArguments(operations.AnalyzeRequest):
    """One document, or several: what one of them lacks is taken from beside them."""

    text = Text(
        validate=operations.AnalyzeRequest._declared_fields["text"].validate,
        metadata={
            "description": "Plain text of the document, 50 to 50,000 characters, whole and unchanged. Give "
            "this, documentRef or documents."
        },
    )
    documents = operations.Documents(required=False)
    concurrency = operations.BatchRequest._declared_fields["concurrency"]

    def _one_of_two(self, *_: Any, **__: Any) -> None:
        """Leave to `payload` which of three things were given."""


def tools() -> tuple[Tool, ...]:
    """Return the five tools, in the order in which they are listed."""
    # Whatever the operator's engines are, an account may have brought its own.
    leaves = True
    return (
        Tool(
            name="analyze_document",
            title="Analyse a legal document",
            description=(
                "Analyse a contract, pleading, letter or ruling: risks, parties, dates, amounts, "
                "deadlines, missing clauses, every citation checked. Each statement carries a certainty "
                "lock that code assigned. Costs 1 credit, 2 at mode deep, where a second node audits the "
                "first; up to 50 documents at once, each charged by itself. The text is kept nowhere. "
                f"{_LOCKS} assessment says whether the law of the jurisdiction was assessed at all."
            ),
            arguments=_AnalyseArguments(),
            words={
                "jurisdiction": _AUTO,
                "documents": "1 to 50 documents, for a batch, each with text or documentRef and, if it "
                "differs, jurisdiction, legalBranch, language, mode, role and an id of yours. Give this, or "
                "text or documentRef.",
                "mode": "standard: 1 credit a document. deep: with an adversarial audit, 2 credits. Of a "
                "batch, it holds for every document.",
                "concurrency": "Of a batch, how many documents are analysed at a time.",
            },
            result=_analysed(),
            run=_analyse,
            scope="analyze",
            spends=True,
            leaves=leaves,
            # How long an uploaded document is, a job may find out.
            background=lambda call: (
                "documents" in call.raw or "documentRef" in call.raw or call.body.get("mode") == "deep"
            ),
            most_characters=_LARGE,
        ),
        Tool(
            name="audit_analysis",
            title="Audit an analysis",
            description=(
                "Have an analysis of a document audited: one that you or anybody wrote. Every sentence is "
                "held against the document and the law: invented quotations, wrong figures, citations "
                "that do not exist or do not say so, omissions. Costs 2 credits. statements says of each "
                "sentence which lock it earned and why not more. No findings do not prove an analysis "
                f"complete. {_LOCKS}"
            ),
            arguments=_AuditArguments(),
            words={
                "jurisdiction": _AUTO,
                "text": "Plain text of the document that was analysed, 50 to 50,000 characters, unchanged. "
                "Give this or documentRef.",
            },
            result=_audited(),
            run=_audit,
            scope="analyze",
            spends=True,
            leaves=leaves,
            most_characters=_LARGE,
        ),
        Tool(
            name="anonymise_text",
            title="Anonymise a text",
            description=(
                "Replace the personal identifiers in a text (ID numbers, bank accounts, e-mail addresses, "
                "telephone numbers and, unless told otherwise, names and addresses) by placeholders such "
                "as [ES_DNI_1]; the same value gets the same placeholder. Free. Recognition of names is "
                "partial: read the note."
            ),
            arguments=_MaskArguments(),
            result=json_schema.result(json_schema.of(_MaskedText())),
            run=_mask,
            scope="analyze",
            most_characters=_LARGE,
        ),
        Tool(
            name="extract_citations",
            title="List citations",
            description=(
                "List the citations of statutes and judgments in a text, with their normal forms and "
                "places. Free. Whether they exist is not checked: verify_document_citations does that. A "
                "citation that is not in the list was not recognised."
            ),
            arguments=Document(),
            result=json_schema.result(json_schema.of(_ListedCitations())),
            run=_list,
            most_characters=_LARGE,
        ),
        Tool(
            name="verify_document_citations",
            title="Verify the citations of a text",
            description=(
                "Check every citation of law in a text, and the words that the text attributes to them, "
                "against the registry and the loaded corpus; run it on your own draft before you give it "
                "to a user. Free. Read citationOutcome first: broken, incomplete (some could not be "
                "checked), verified, or nothing_to_check, which means that no citation was recognised and "
                "nothing was checked. The first 100 citations are checked; caps says when there are more."
            ),
            arguments=_CheckArguments(),
            result=json_schema.result(json_schema.of(_CheckedText()), citationOutcome=_OUTCOME, note=_NOTE),
            run=_check,
            most_characters=_LARGE,
        ),
    )


_OUTCOME: json_schema.Schema = {
    "type": "string",
    "enum": ["broken", "incomplete", "verified", "nothing_to_check"],
    "description": "broken: a citation is wrong. incomplete: none is known to be wrong, and some could not "
    "be checked. verified: each was found. nothing_to_check: none was recognised, which says nothing about "
    "the text.",
}
_NOTE: json_schema.Schema = {"type": "string", "description": "What to know about this answer."}
_REPLAYED: json_schema.Schema = {
    "type": "boolean",
    "description": "Whether this is the answer to an earlier call with the same idempotency key; nothing "
    "was charged again.",
}


class _Redactions(ma.Schema):
    type = fields.String(required=True, metadata={"description": "Type of identifier, such as ES_DNI."})
    count = fields.Integer(required=True, metadata={"description": "How many."})


class _MaskedText(ma.Schema):
    text = fields.String(required=True, metadata={"description": "The text with placeholders."})
    redactions = fields.List(
        fields.Nested(_Redactions), required=True, metadata={"description": "How many of each type."}
    )
    total = fields.Integer(required=True, metadata={"description": "How many values were masked."})
    namesMasked = fields.Boolean(  # noqa: N815 (a wire name)
        required=True, metadata={"description": "Whether names and addresses of persons were looked for."}
    )
    jurisdiction = fields.String(required=True)
    note = fields.String(required=True, metadata={"description": "What masking does not promise."})


class _ListedCitation(ma.Schema):
    citation = fields.String(required=True, metadata={"description": "As written."})
    kind = fields.String(
        required=True,
        metadata={"enum": ["L4-N", "L2-J"], "description": "L4-N: statute. L2-J: judgment."},
    )
    jurisdiction = fields.String(required=True)
    canonical = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Normal forms of what is cited; empty where it names no known norm."},
    )
    articles = fields.List(
        fields.String(), required=True, metadata={"description": "Numbers of the articles cited."}
    )
    start = fields.Integer(required=True, metadata={"description": "Offset in the text, in code points."})
    end = fields.Integer(required=True)


class _ListedCitations(ma.Schema):
    jurisdiction = fields.String(required=True)
    citations = fields.List(
        fields.Nested(_ListedCitation),
        required=True,
        metadata={"description": "In order of appearance, at most 500."},
    )
    total = fields.Integer(required=True)
    note = fields.String(required=True)


class _CheckedText(ma.Schema):
    jurisdiction = fields.String(required=True)
    detectedJurisdiction = fields.Nested(  # noqa: N815 (a wire name)
        operations.DetectedJurisdiction, required=True
    )
    citationChecks = fields.Nested(operations.CitationChecks, required=True)  # noqa: N815
    covered = fields.Integer(
        required=True,
        metadata={"description": "How many of the citations were checked, repetitions included."},
    )
    total = fields.Integer(
        required=True,
        metadata={"description": "How many citations the text has, repetitions included."},
    )


def _analysed() -> json_schema.Schema:
    one = json_schema.of(operations.AnalyzeResponse())
    several = json_schema.of(operations.BatchResponse())
    found = json_schema.result(
        json_schema.either(one, several), citationOutcome=_OUTCOME, replayed=_REPLAYED, note=_NOTE
    )
    # Of a batch, each document has its own.
    return {
        **json_schema.optional(found, "citationOutcome", "note"),
        "anyOf": [
            {"required": ["analysis", "statements", "citationChecks", "citationOutcome", "note"]},
            {"required": ["batchId", "results", "totals"]},
        ],
    }


def _audited() -> json_schema.Schema:
    found = json_schema.of(operations.AnalyzeResponse())
    return json_schema.result(
        {**found, "required": [*found["required"], "audit", "statements", "citationChecks"]},
        without=("analysis",),
        citationOutcome=_OUTCOME,
        replayed=_REPLAYED,
        note=_NOTE,
    )


def _analyse(call: Call) -> ToolResult:
    raw = payload(call)
    if "documents" in raw:
        body = _loaded(operations.BatchRequest(), raw)
        done = operations.analyze_batch(call.caller, body, raw=raw, key=call.key, request_id=call.request_id)
    else:
        body = _loaded(operations.AnalyzeRequest(), raw)
        done = operations.analyze(call.caller, body, raw=raw, key=call.key, request_id=call.request_id)
    return _answered(done)


def payload(call: Call) -> dict[str, Any]:
    """Return the body of the HTTP route that a call of analyze_document stands for.

    Raises:
        Invalid: none of a text, the reference of a document, and documents was given, or several.
    """
    raw = call.raw
    found = [name for name in ("text", "documentRef", "documents") if name in raw]
    if len(found) != 1:
        raise Invalid(
            f"{found[-1]}: give text, documentRef or documents, only one of them."
            if found
            else "text: is required; give the document's text, its documentRef, or documents for several.",
            details={"field": found[-1] if found else "text"},
        )
    if "documents" not in raw:
        return {name: value for name, value in raw.items() if name != "concurrency"}
    shared = {name: raw[name] for name in ("jurisdiction", "legalBranch", "language", "role") if name in raw}
    documents = [{**shared, **given(one)} if isinstance(one, Mapping) else one for one in raw["documents"]]
    return {**{name: raw[name] for name in ("mode", "concurrency") if name in raw}, "documents": documents}


def analysed(content: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of POST /analyze or /analyze/batch as the tool gives it."""
    if "totals" in content:
        return {**content, "creditsCharged": content["totals"]["creditsCharged"]}
    return {**_outcome(content["citationChecks"], covered=None), **content}


def _answered(done: operations.OperationResult) -> ToolResult:
    content = {**analysed(json.loads(done.stored.body)), "replayed": done.replayed}
    return ToolResult(content, credits_charged=done.credits_charged)


def _audit(call: Call) -> ToolResult:
    written = DocumentText(call.body["analysis"])
    body = {**call.body, "mode": "deep"}
    done = operations.audit(
        call.caller, body, written, raw=call.raw, key=call.key, request_id=call.request_id
    )
    found = _answered(done)
    del found.content["analysis"]
    sentences, most = len(analysis.given_analysis.sentences(written.reveal())), analysis.STATEMENTS_MAX
    caps = (f"judged the first {most} of {sentences} sentences",) if sentences > most else ()
    return ToolResult(found.content, caps, found.credits_charged)


def _mask(call: Call) -> ToolResult:
    body = call.body
    text = _text(call)
    return ToolResult(operations.mask_text(text, body["jurisdiction"], names=body["mask_names"]))


def _list(call: Call) -> ToolResult:
    found = operations.list_citations(_text(call), call.body["jurisdiction"])
    listed, total = len(found["citations"]), found["total"]
    caps = (f"listed {listed} of {total} citations",) if listed < total else ()
    note = (
        "None of these was checked; verify_document_citations does that."
        if total
        else "No citation of law was recognised. That says nothing about whether the text is right."
    )
    return ToolResult({**found, "note": note}, caps)


def _check(call: Call) -> ToolResult:
    body = call.body
    found = operations.check_citations(call.caller, _text(call), body["jurisdiction"], body["language"])
    covered, total = found["covered"], found["total"]
    caps = (
        (f"checked {covered} of {total} citations; send the rest of the text by itself",)
        if covered < total
        else ()
    )
    return ToolResult({**_outcome(found["citationChecks"], covered=covered == total), **found}, caps)


def _text(call: Call) -> DocumentText:
    """Return the text of a call, sent or uploaded."""
    text, _source = operations.text_of(call.caller, call.body, least=1, most=_TEXT_MAX)
    return text


def _outcome(checks: dict[str, Any], *, covered: bool | None) -> dict[str, str]:
    """Return `citationOutcome` and `note` of the verdicts on the citations of a text."""
    counts, total = checks["counts"], checks["total"]
    if not total:
        return {
            "citationOutcome": "nothing_to_check",
            "note": "No citation of law was recognised, so none was checked. That says nothing about "
            "whether the text is right.",
        }
    unknown = counts["not_verifiable"] + counts["pending"]
    if checks["anyBroken"]:
        wrong = total - counts["verified"] - unknown
        return {
            "citationOutcome": "broken",
            "note": f"{wrong} of {total} citations checked are wrong: a mismatch, not found or repealed.",
        }
    if unknown or covered is False:
        return {
            "citationOutcome": "incomplete",
            "note": f"{counts['verified']} of {total} citations checked were verified, {unknown} could not "
            "be checked here. What could not be checked is not confirmed.",
        }
    return {
        "citationOutcome": "verified",
        "note": f"Each of the {total} citations was found. depth says how deep each was checked.",
    }


def _loaded(schema: ma.Schema, raw: Mapping[str, Any]) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(raw)
    except ma.ValidationError as error:
        raise openapi.first_problem(error.messages) from None
    return loaded
