"""What a text is good for besides an analysis: masking it, listing what it cites, checking what it cites.

Nothing here asks a model, charges, or keeps anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from app import redaction
from app.analysis.checks import citation_checker
from app.analysis.checks.citation_findings import CheckedCitation
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.jurisdiction import assessment
from app.analysis.jurisdiction.detection import Detection, detect
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import Citation, extract, protected_spans
from app.platform import settings
from app.platform.confidential import DocumentText

# Citations that are listed, and citations that are checked, in one call.
LISTED_MAX, CHECKED_MAX = 500, 100


@dataclass(frozen=True, slots=True)
class MaskResult:
    """A text with placeholders in the places of identifiers; `counts` says how many of each type."""

    text: DocumentText
    counts: Mapping[str, int]
    jurisdiction: str


@dataclass(frozen=True, slots=True)
class CitationList:
    """The citations of a text in order of appearance, at most `LISTED_MAX` of `total`."""

    citations: Sequence[Citation]
    total: int
    jurisdiction: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The citations of a text with their verdicts, those among the first `CHECKED_MAX` of `total`.

    `covered` is how many of the citations, repetitions included, the checks speak of.
    """

    checks: Sequence[CheckedCitation]
    covered: int
    total: int
    jurisdiction: str
    detected: Detection


def mask(text: DocumentText, jurisdiction: str, *, names: bool) -> MaskResult:
    """Replace the identifiers in `text` by placeholders; with `names`, names and addresses of persons too.

    `jurisdiction` is a code or `AUTO`. The mapping back is kept nowhere.
    """
    config, original = settings.current(), text.reveal()
    with CPU_LOCK:
        code = _chosen(original, jurisdiction)[0]
        found = redaction.redact(
            original,
            jurisdiction=code,
            protected=protected_spans(original, code),
            mask_names=names,
            outside=True,
            recogniser=redaction.recogniser(config.name_recogniser) if names else None,
        )
    return MaskResult(DocumentText(found.text), found.counts, code)


def cited(text: DocumentText, jurisdiction: str) -> CitationList:
    """List the citations of law in `text`; whether what they name exists is not looked up."""
    original = text.reveal()
    with CPU_LOCK:
        code = _chosen(original, jurisdiction)[0]
        found = extract(original, code)
    return CitationList(found[:LISTED_MAX], len(found), code)


def check(text: DocumentText, jurisdiction: str, *, on: date, citator: bool) -> CheckedText:
    """Check the citations of law in `text`, and the words it attributes to them, as in an analysis.

    `citator` is whether the account has that add-on.
    """
    original = text.reveal()
    with CPU_LOCK:
        code, detected = _chosen(original, jurisdiction)
        written = extract(original, code)
        # Up to where the first citation stands that is one too many.
        taken = original[: written[CHECKED_MAX].start] if len(written) > CHECKED_MAX else original
        collected = citation_checker.collect_document(taken, code)
    law = citation_checker.look_up(collected, on, citator=citator)
    with CPU_LOCK:
        checks = citation_checker.check(collected, law, on, QuoteFinder(taken)).checks
    return CheckedText(checks, min(len(written), CHECKED_MAX), len(written), code, detected)


def _chosen(text: str, asked: str) -> tuple[str, Detection]:
    detected = detect(text)
    return assessment.choose_jurisdiction(asked, detected), detected
