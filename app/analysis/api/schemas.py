"""Describe the wire shapes of analysis."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app import corpus
from app.analysis.answer.layout import PARTS
from app.analysis.audit import FINDINGS, OUTCOMES, SEVERITIES
from app.analysis.batch import CONCURRENCY_DEFAULT, CONCURRENCY_MAX, DOCUMENTS_MAX
from app.analysis.jurisdiction.assessment import LEVELS
from app.analysis.request import BRANCHES, LANGUAGES, LONG_TEXT_MAX, MODE_ALIASES, MODES, TEXT_MAX, TEXT_MIN
from app.analysis.sandbox import NAMES
from app.platform.web.openapi import Body, Choice, Integer, Length, Problem, Text
from app.platform.web.parameters import Id
from app.rules import ROLES, Section


def _has_words(text: str) -> None:
    """Raise `ValidationError` (422) for a text without a letter or digit."""
    if not any(character.isalnum() for character in text):
        raise ma.ValidationError(Problem("contains no words to analyse.", status=422))


class Jurisdiction(Text):
    """A code that GET /jurisdictions lists, judged with the other fields so that all are named at once.

    `auto` is no code, and passes: whether it may be asked for is decided where a request is made of the body.
    """

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        code = str(super()._deserialize(value, attr, data, **kwargs))
        if code.strip().lower() != "auto" and corpus.jurisdiction(code.strip().upper()) is None:
            raise ma.ValidationError(
                Problem(
                    f"unknown code {code[:10]!r}. See GET /api/v1/jurisdictions.",
                    expected="ISO country code",
                    got=code[:10],
                )
            )
        return code


_EITHER = ("text", "documentRef")


class TextOrDocument(Body):
    """A body that takes a text, or in its place the reference of an uploaded document (decision 078)."""

    document_ref = Id(
        metadata={
            "format": "uuid",
            "description": "The `documentRef` of a file that the same API key uploaded with POST "
            "/api/v1/documents. Give this or text, not both.",
        }
    )

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def _one_of_two(self, _: Any, original: Any, **__: Any) -> None:
        """Raise `ValidationError` naming both fields unless exactly one of them is given."""
        if not isinstance(original, dict):
            return
        given = [name for name in _EITHER if original.get(name) is not None]
        if len(given) == 1:
            return
        said = (
            "must not be given together with {}; send one of them."
            if given
            else "is required where {} is not given."
        )
        first, second = _EITHER
        raise ma.ValidationError(
            {first: [Problem(said.format(second))], second: [Problem(said.format(first))]}
        )


class AnalyzeRequest(TextOrDocument):
    """The body of POST /api/v1/analyze."""

    text = Text(
        validate=Length(min=TEXT_MIN, max=TEXT_MAX, status=422, then=_has_words),
        metadata={
            "description": "Plain text of the document, 50 to 50,000 characters (code points). Give this or "
            "documentRef, not both."
        },
    )
    jurisdiction = Jurisdiction(
        load_default="ES",
        metadata={
            "description": "ISO country code; see GET /api/v1/jurisdictions. `auto` detects it from the "
            "text of the document, or takes ES if nothing is detected; the answer says which was applied.",
            "example": "ES",
        },
    )
    legal_branch = Choice(*BRANCHES, load_default="civil")
    language = Choice(*LANGUAGES, load_default="es", metadata={"description": "Language of the answer."})
    mode = Choice(
        *MODES,
        aliases=MODE_ALIASES,
        load_default="standard",
        metadata={
            "description": "standard: node A, 1 credit. deep: node A and the audit by node B, 2 credits."
        },
    )
    role = Choice(
        *ROLES,
        metadata={
            "description": "The side in the document that you advise. A language model judges what matters "
            "and what to do from there; the built-in rules take no side. Without it the analysis is neutral.",
            "example": "tenant",
        },
    )


_OWN_ID = {"description": "Your own id of the document, repeated in its result."}


class BatchDocument(AnalyzeRequest):
    """One document of a batch: an AnalyzeRequest with an id of the caller's."""

    id = Text(metadata=_OWN_ID)


class JobAnalyzeRequest(AnalyzeRequest):
    """The `payload` of a job of one document, which may be longer (decision 069)."""

    text = Text(
        validate=Length(min=TEXT_MIN, max=LONG_TEXT_MAX, status=422, then=_has_words),
        metadata={
            "description": "Plain text of the document, 50 to 500,000 characters (code points). Every 50,000 "
            "characters begun cost what a document of POST /api/v1/analyze costs: 1 credit, 2 at mode deep. "
            "Give this or documentRef, not both."
        },
    )


class JobBatchDocument(JobAnalyzeRequest):
    """One document of the batch of a job: a JobAnalyzeRequest with an id of the caller's."""

    id = Text(metadata=_OWN_ID)


class Documents(fields.List[Any]):
    """1 to 50 documents. Each is checked by itself later: one bad document must not stop the others."""

    def __init__(self, document: type[AnalyzeRequest] = BatchDocument, *, required: bool = True) -> None:
        super().__init__(
            fields.Nested(document),
            required=required,
            validate=None,
            metadata={"minItems": 1, "maxItems": DOCUMENTS_MAX},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ma.ValidationError(Problem("must be an array of documents.", expected="array"))
        if not value:
            raise ma.ValidationError(
                Problem("must contain at least one document.", min=1, max=DOCUMENTS_MAX, got=0)
            )
        if len(value) > DOCUMENTS_MAX:
            raise ma.ValidationError(
                Problem(
                    f"must contain at most {DOCUMENTS_MAX} documents, contains {len(value)}. Send several "
                    "batches.",
                    status=422,
                    code="BATCH_TOO_LARGE",
                    min=1,
                    max=DOCUMENTS_MAX,
                    got=len(value),
                )
            )
        return value


class BatchRequest(Body):
    """The body of POST /api/v1/analyze/batch."""

    documents = Documents()
    mode = Choice(
        *MODES, aliases=MODE_ALIASES, metadata={"description": "Overrides the mode of every document."}
    )
    concurrency = Integer(
        min=1,
        max=CONCURRENCY_MAX,
        load_default=CONCURRENCY_DEFAULT,
        metadata={"description": "Number of documents analysed in parallel."},
    )


class JobBatchRequest(BatchRequest):
    """The `payload` of a job of several documents, which may be longer (decision 069)."""

    documents = Documents(JobBatchDocument)


class CitationCheck(ma.Schema):
    """The verdict on one citation."""

    citation = fields.String(required=True, metadata={"description": "The citation as written."})
    kind = fields.String(
        required=True,
        metadata={"enum": ["L4-N", "L2-J"], "description": "L4-N: statute. L2-J: judgment."},
    )
    status = fields.String(
        required=True,
        metadata={"enum": ["verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"]},
    )
    similarity = fields.Float(required=True, allow_none=True)
    semantic = fields.Float(required=True, allow_none=True)
    url = fields.String(required=True, allow_none=True, metadata={"format": "uri"})
    mismatchKind = fields.String()  # noqa: N815 (a wire name)
    depth = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["norm", "article", "paragraph", "words", None],
            "description": "How far the citation was checked. `norm`: the norm or judgment exists; "
            "`article`: it has the article; `paragraph`: the article has the paragraph or letter; "
            "`words`: the words attributed to it were compared with its text. Null if nothing could be "
            "checked.",
        },
    )
    note = fields.String(required=True)


class CitationChecks(ma.Schema):
    """Every citation of the document and of the analysis, checked by code."""

    checks = fields.List(fields.Nested(CitationCheck), required=True)
    counts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Number of citations by status."},
    )
    anyBroken = fields.Boolean(  # noqa: N815 (a wire name)
        required=True, metadata={"description": "Whether any citation is mismatch, not_found or derogated."}
    )
    total = fields.Integer(required=True)


class StatementQuote(ma.Schema):
    """Words of the submitted text that a statement quotes."""

    text = fields.String(
        required=True,
        metadata={
            "description": "The text from `start` to `end`. Links, tags and anything that only the "
            "service may write (locks, audit markers) are neutralised."
        },
    )
    start = fields.Integer(
        required=True, metadata={"description": "Offset in the submitted text, in code points."}
    )
    end = fields.Integer(required=True, metadata={"description": "End offset, exclusive."})
    page = fields.Integer(
        metadata={
            "minimum": 1,
            "description": "Page of the uploaded document on which the words begin; absent where its format "
            "has no pages, and for a text.",
        }
    )
    paragraph = fields.Integer(
        metadata={
            "minimum": 1,
            "description": "Paragraph of the uploaded document in which the words begin; absent for a text.",
        }
    )


class SourceWarning(ma.Schema):
    """What a reader of the analysis should know about how the uploaded document was read."""

    code = fields.String(
        required=True, metadata={"description": "A stable word, such as LOW_OCR_CONFIDENCE."}
    )
    message = fields.String(required=True, metadata={"description": "What it means, in one sentence."})
    page = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"minimum": 1, "description": "The page it is about; null if it is about the whole."},
    )


class StatementAuthority(ma.Schema):
    """A law or judgment that a statement relies on, and what code found of it."""

    citation = fields.String(
        required=True, metadata={"description": "The citation as the statement writes it."}
    )
    status = fields.String(
        required=True,
        metadata={"enum": ["verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"]},
    )
    depth = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["norm", "article", "paragraph", "words", None],
            "description": "How far the citation was checked; null if nothing could be.",
        },
    )
    support = fields.String(
        required=True,
        metadata={
            "enum": ["supported", "silent", "contradicted", "unchecked"],
            "description": "Whether the text of the authority supports the statement, compared by code; "
            "unchecked if no text is loaded. For statements of the built-in rules, supported means that "
            "the author of the rule read the law that way.",
        },
    )
    passage = fields.String(metadata={"description": "The passage of the authority that was compared."})


class AnsweredStatement(ma.Schema):
    """One statement of the analysis with what it earned."""

    id = fields.String(
        required=True, metadata={"description": "Position of the statement in the analysis: s1, s2, …"}
    )
    section = fields.String(required=True, metadata={"enum": [one.value for one in Section]})
    text = fields.String(required=True)
    lock = fields.String(required=True, metadata={"enum": ["L1", "L2-J", "L4", "L5-C", "L2-J-V"]})
    severity = fields.String(required=True, allow_none=True, metadata={"enum": [*SEVERITIES, None]})
    reason = fields.String(metadata={"description": "Why the risk is critical; only with [L5-C]."})
    disputed = fields.String(
        metadata={
            "description": "Only with mode deep: why node B disputes it, where code upheld the objection and "
            "node A did not resolve it. Such a statement has no lock above [L4]."
        }
    )
    quotes = fields.List(fields.Nested(StatementQuote), required=True)
    authorities = fields.List(fields.Nested(StatementAuthority), required=True)
    part = fields.String(
        metadata={
            "enum": [*PARTS],
            "description": "Only of what is said about another statement: what to do and, where a model "
            "argues it, the rule of law behind it, how it applies here, a fact that is missing.",
        }
    )
    about = fields.String(metadata={"description": "With part: the id of that other statement."})


_DOCUMENT_REF = {"description": "The uploaded document that was analysed; absent for a text."}
_DOCUMENT_WARNINGS = {
    "description": "How that document was read, as its upload told; absent for a text. What makes its text "
    "doubtful is also a review flag and a sentence of `analysis`."
}


class DetectedJurisdiction(ma.Schema):
    """The country whose law the document's words point to."""

    code = fields.String(
        required=True, allow_none=True, metadata={"description": "Null if the text does not say."}
    )
    confidence = fields.Float(required=True, metadata={"minimum": 0, "maximum": 1})
    evidence = fields.List(
        fields.String(), required=True, metadata={"description": "Up to five short extracts of the document."}
    )


class FindingPassage(ma.Schema):
    """The words that show a finding; code checked that they stand where they are said to."""

    source = fields.String(
        required=True,
        metadata={"enum": ["document", "law"], "description": "Where the words stand."},
    )
    words = fields.String(required=True, metadata={"description": "The words, as they stand there."})
    citation = fields.String(metadata={"description": "Only where `source` is `law`: which law."})


class AuditFinding(ma.Schema):
    """One thing node B objects to (decisions 020 and 072)."""

    type = fields.String(required=True, metadata={"enum": list(FINDINGS)})
    severity = fields.String(required=True, metadata={"enum": list(SEVERITIES)})
    description = fields.String(required=True, metadata={"maxLength": 1000})
    statement = fields.Integer(
        metadata={"description": "Place of the statement it attacks in node A's draft, from 1."}
    )
    passage = fields.Nested(
        FindingPassage, metadata={"description": "Where a model objects: the words that show it."}
    )
    outcome = fields.String(
        metadata={
            "enum": list(OUTCOMES),
            "description": "What node A did, where it was asked: `amended`, `lowered` or `withdrawn` (in "
            "`resolved`), `stood_by`; `disputed` where code upheld the objection and it is not resolved.",
        }
    )
    answer = fields.String(metadata={"description": "Why node A stands by its statement."})


class AuditResult(ma.Schema):
    """Node B's audit of node A's analysis (decision 020)."""

    auditor = fields.String(required=True, metadata={"description": "The auditor's model identifier."})
    text = fields.String(required=True)
    findings = fields.List(
        fields.Nested(AuditFinding), required=True, metadata={"description": "What stands."}
    )
    resolved = fields.List(
        fields.Nested(AuditFinding),
        metadata={
            "description": "What node A amended, lowered or withdrew; the statements are as it left them."
        },
    )
    overallSeverity = fields.String(  # noqa: N815
        required=True,
        metadata={
            "enum": list(SEVERITIES),
            "description": "At least the severity of the worst finding.",
        },
    )
    recommendations = fields.String(required=True)
    processingMs = fields.Integer(required=True)  # noqa: N815
    audited = fields.Boolean(metadata={"description": "Whether node B returned a verdict."})


class ContentOrigin(ma.Schema):
    """Machine-readable origin of an analysis (Regulation (EU) 2024/1689, article 50(2))."""

    generated = fields.Boolean(required=True, metadata={"description": "true: a program wrote the text."})
    by = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Under whose name it is given; null where branding names nobody."},
    )
    engine = fields.String(
        required=True, metadata={"description": "What wrote it: `rules`, or the models' identifiers."}
    )
    reviewed = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a person has reviewed it (POST /outputs/{requestId}/review): false in a "
            "first answer; the result of a job says it as of when it is read."
        },
    )


class AnalyzeResponse(ma.Schema):
    """The answer of POST /api/v1/analyze."""

    analysis = fields.String(
        required=True, metadata={"description": "Markdown with certainty locks, ending in the audit block."}
    )
    jurisdiction = fields.String(required=True)
    legalBranch = fields.String(required=True, metadata={"enum": list(BRANCHES)})  # noqa: N815
    model = fields.String(required=True)
    processingMs = fields.Integer(required=True, metadata={"description": "Total latency in ms."})  # noqa: N815
    mode = fields.String(required=True, metadata={"enum": list(MODES)})
    creditsCharged = fields.Integer()  # noqa: N815
    certaintyLocks = fields.List(  # noqa: N815
        fields.String(metadata={"enum": ["L1", "L2-J", "L4", "L5-C", "L2-J-V"]}),
        metadata={"description": "The locks used, in order of first occurrence."},
    )
    citationChecks = fields.Nested(CitationChecks)  # noqa: N815
    statements = fields.List(
        fields.Nested(AnsweredStatement),
        metadata={
            "description": "The statements of `analysis`, in order, with what code verified about each."
        },
    )
    language = fields.String(metadata={"enum": list(LANGUAGES), "description": "Language of the answer."})
    documentKind = fields.String(  # noqa: N815
        metadata={"description": "The kind of document that was recognised, in words."}
    )
    summary = fields.String(metadata={"description": "The first paragraph of `analysis`."})
    scope = fields.List(
        fields.String(), metadata={"description": "What the analysis could not see or do, in sentences."}
    )
    reviewFlags = fields.List(  # noqa: N815
        fields.String(),
        metadata={"description": "What a lawyer should review, as in the audit block of `analysis`."},
    )
    assessment = fields.String(
        metadata={
            "enum": list(LEVELS),
            "description": "How far the law of the jurisdiction was assessed: full, partial or none.",
        }
    )
    assessmentNote = fields.String(  # noqa: N815
        metadata={"description": "What was not assessed and why; absent if full."}
    )
    detectedJurisdiction = fields.Nested(DetectedJurisdiction)  # noqa: N815
    documentRef = fields.UUID(metadata=_DOCUMENT_REF)  # noqa: N815
    documentWarnings = fields.List(  # noqa: N815
        fields.Nested(SourceWarning), metadata=_DOCUMENT_WARNINGS
    )
    contentOrigin = fields.Nested(  # noqa: N815
        ContentOrigin,
        metadata={"description": "Where the text comes from, for machines (AI Act, article 50(2))."},
    )
    attestation = fields.Dict(
        metadata={
            "description": "With the account's option: the signed attestation, as GET "
            "/outputs/{requestId}/attestation gives it."
        }
    )
    audit = fields.Nested(AuditResult, metadata={"description": "Only with mode deep."})
    requestId = fields.String()  # noqa: N815


class RiskSignal(ma.Schema):
    """One risk, as the variant envelope tells it."""

    level = fields.String(required=True, metadata={"enum": ["ALTO", "MEDIO", "BAJO"]})
    description = fields.String(required=True)


class NodeA(ma.Schema):
    """What node A found."""

    summary = fields.String(required=True)
    riskSignals = fields.List(fields.Nested(RiskSignal), required=True)  # noqa: N815
    recommendations = fields.List(fields.String(), required=True)


class NodeB(ma.Schema):
    """What node B holds of it."""

    verdict = fields.String(
        required=True, metadata={"enum": ["CONFORME", "CON_RESERVAS", "NO_CONFORME", "NO_AUDITADO"]}
    )
    certezaScore = fields.Integer(  # noqa: N815
        required=True,
        metadata={
            "minimum": 0,
            "maximum": 100,
            "description": "Share of statements that stand, in per cent.",
        },
    )
    observations = fields.List(fields.String(), required=True)


class NodesResponse(ma.Schema):
    """The variant envelope (decision 022), for clients that ask for it by Accept."""

    sessionId = fields.String(required=True)  # noqa: N815
    jurisdiction = fields.String(required=True)
    nodoA = fields.Nested(NodeA, required=True)  # noqa: N815
    nodoB = fields.Nested(NodeB, required=True)  # noqa: N815


class BatchResult(ma.Schema):
    """One document's end: a success or an error item (decision 026)."""

    id = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, metadata={"enum": ["success", "error"]})
    analysis = fields.String()
    jurisdiction = fields.String()
    legalBranch = fields.String(metadata={"enum": list(BRANCHES)})  # noqa: N815
    model = fields.String()
    processingMs = fields.Integer()  # noqa: N815
    mode = fields.String(metadata={"enum": list(MODES)})
    creditsCharged = fields.Integer()  # noqa: N815
    certaintyLocks = fields.List(fields.String())  # noqa: N815
    citationChecks = fields.Nested(CitationChecks)  # noqa: N815
    statements = fields.List(fields.Nested(AnsweredStatement))
    assessment = fields.String(metadata={"enum": list(LEVELS)})
    assessmentNote = fields.String()  # noqa: N815
    detectedJurisdiction = fields.Nested(DetectedJurisdiction)  # noqa: N815
    language = fields.String(metadata={"enum": list(LANGUAGES), "description": "Language of the answer."})
    documentKind = fields.String(  # noqa: N815
        metadata={"description": "The kind of document that was recognised, in words."}
    )
    summary = fields.String(metadata={"description": "The first paragraph of `analysis`."})
    scope = fields.List(
        fields.String(), metadata={"description": "What the analysis could not see or do, in sentences."}
    )
    reviewFlags = fields.List(  # noqa: N815
        fields.String(),
        metadata={"description": "What a lawyer should review, as in the audit block of `analysis`."},
    )
    documentRef = fields.UUID(metadata=_DOCUMENT_REF)  # noqa: N815
    documentWarnings = fields.List(  # noqa: N815
        fields.Nested(SourceWarning), metadata=_DOCUMENT_WARNINGS
    )
    contentOrigin = fields.Nested(  # noqa: N815
        ContentOrigin,
        metadata={"description": "Where the text comes from, for machines (AI Act, article 50(2))."},
    )
    attestation = fields.Dict(
        metadata={
            "description": "With the account's option: the signed attestation, as GET "
            "/outputs/{requestId}/attestation gives it."
        }
    )
    audit = fields.Nested(AuditResult, metadata={"description": "Only with mode deep."})
    error = fields.String()
    code = fields.String(
        metadata={"enum": ["VALIDATION_ERROR", "MODEL_ERROR", "UNKNOWN_ERROR", "OUTPUT_WITHHELD_BY_POLICY"]}
    )
    httpStatus = fields.Integer()  # noqa: N815


class BatchTotals(ma.Schema):
    """Sums over the batch."""

    submitted = fields.Integer(required=True)
    succeeded = fields.Integer(required=True)
    failed = fields.Integer(required=True)
    creditsCharged = fields.Integer(required=True)  # noqa: N815
    processingMs = fields.Integer(required=True)  # noqa: N815
    concurrency = fields.Integer(required=True)


class BatchResponse(ma.Schema):
    """The batch envelope (decision 026)."""

    batchId = fields.UUID(required=True)  # noqa: N815
    results = fields.List(
        fields.Nested(BatchResult), required=True, metadata={"description": "In the order of the request."}
    )
    totals = fields.Nested(BatchTotals, required=True)
    requestId = fields.String()  # noqa: N815


class SandboxRequest(Body):
    """Which canned answer, and what to say in it (POST /api/v1/sandbox/analyze)."""

    may_be_empty = True

    sample = Choice(*NAMES, load_default="contract_es")
    text = Text(metadata={"description": "Ignored."})
    jurisdiction = Jurisdiction(
        metadata={
            "description": "Replaces the jurisdiction of the sample in the answer; its text and citations "
            "stay the same.",
            "example": "ES",
        }
    )
    legal_branch = Choice(
        *BRANCHES, metadata={"description": "Replaces the branch of the sample in the answer."}
    )
    language = Choice(*LANGUAGES, load_default="es", metadata={"description": "Language of the answer."})
    mode = Choice(
        *MODES,
        aliases=MODE_ALIASES,
        load_default="standard",
        metadata={"description": "deep: the answer has an audit. Both are free."},
    )


class SandboxResponse(AnalyzeResponse):
    """AnalyzeResponse plus what makes it a canned one (decision 023)."""

    creditsCharged = fields.Integer(required=True, metadata={"enum": [0]})  # noqa: N815
    sandbox = fields.Boolean(required=True, metadata={"enum": [True]})
    sample = fields.String(required=True, metadata={"enum": list(NAMES)})
    available_samples = fields.List(fields.String(), required=True)
    notes = fields.String(required=True)


class SandboxSample(ma.Schema):
    """One canned analysis, as listed."""

    sample = fields.String(required=True, metadata={"enum": list(NAMES)})
    title = fields.String(required=True)
    jurisdiction = fields.String(required=True)
    legalBranch = fields.String(required=True, metadata={"enum": list(BRANCHES)})  # noqa: N815
    language = fields.String(
        required=True,
        metadata={"description": "Language of the fictional document; answers are available in es and en."},
    )


class SandboxExample(ma.Schema):
    """A request that works as soon as the key is filled in."""

    sample = fields.String(required=True)
    method = fields.String(required=True)
    path = fields.String(required=True)
    headers = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    body = fields.Dict(keys=fields.String(), required=True)


class SandboxSamples(ma.Schema):
    """The answer of GET /api/v1/sandbox/analyze (decision 023)."""

    sandbox = fields.Boolean(required=True, metadata={"enum": [True]})
    available_samples = fields.List(fields.String(), required=True)
    samples = fields.List(fields.Nested(SandboxSample), required=True)
    example_request = fields.Nested(SandboxExample, required=True)
    description = fields.String(required=True)
