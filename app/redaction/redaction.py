"""From a text to its anonymised form and back."""

import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from app.redaction.detectors import accounts, announced, emails, phones, unannounced
from app.redaction.detectors.names import NameRecogniser, StructuralNames
from app.redaction.finding import Certainty, Finding
from app.redaction.placeholders import Issuer, restored
from app.redaction.view import View, view_of


@dataclass(frozen=True, slots=True)
class Masked:
    """One masked span; `start` and `end` are offsets of the original text. Holds no value."""

    type: str
    placeholder: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, repr=False)
class Redaction:
    """An anonymised text and the way back. Nothing of the document appears in its repr.

    `masked` is in order of position; `counts` is the number of masked spans by type.
    """

    text: str
    masked: tuple[Masked, ...]
    counts: Mapping[str, int]
    _values: Mapping[str, str] = field(compare=False)
    _placed: tuple[int, ...] = field(compare=False)

    def __repr__(self) -> str:
        return f"Redaction({len(self.text)} characters, counts={dict(self.counts)})"

    def restore(self, text: str) -> str:
        """`text` (the anonymised document, or an answer about it) with the values back in their places.

        A placeholder is recognised whatever its case, with blanks or Markdown escapes inside; one that this
        redaction did not issue is left alone. `restore(self.text)` is the original document.
        """
        return restored(text, self._values)

    def remap(self, offset: int) -> int:
        """The offset in the original for an offset in `self.text`; inside a placeholder, its value's start.

        Raises:
            ValueError: when the offset lies outside the text.
        """
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"offset {offset} outside 0 to {len(self.text)}")
        index = bisect.bisect_right(self._placed, offset) - 1
        if index < 0:
            return offset
        span = self.masked[index]
        beyond = offset - self._placed[index] - len(span.placeholder)
        return span.start if beyond < 0 else span.end + beyond


def _findings(view: View, jurisdiction: str) -> list[Finding]:
    found = [*announced(view, jurisdiction), *accounts(view), *emails(view), *phones(view)]
    settled = bytearray(len(view.text))
    for finding in found:
        if finding.certainty is Certainty.PROVEN:
            settled[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
    found.extend(unannounced(view, jurisdiction, settled))
    return found


def _named(text: str, recogniser: NameRecogniser) -> Iterator[Finding]:
    for start, end, kind in recogniser.spans(text):
        if 0 <= start < end <= len(text):
            key = " ".join(view_of(text[start:end]).text.casefold().split())
            yield Finding(start, end, kind, Certainty.STRUCTURE, key)


def _disjoint(
    findings: Iterable[Finding], length: int, protected: Sequence[tuple[int, int]]
) -> list[Finding]:
    """The surest findings that overlap neither one another nor a protected span, in order of position."""
    taken = bytearray(length)
    for start, end in protected:
        start, end = max(0, start), min(length, end)
        if start < end:
            taken[start:end] = b"\1" * (end - start)
    kept = []
    for finding in sorted(
        findings, key=lambda one: (-one.certainty, one.start - one.end, one.start, one.type)
    ):
        if taken.find(1, finding.start, finding.end) == -1:
            taken[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
            kept.append(finding)
    return sorted(kept)


def redact(
    text: str,
    *,
    jurisdiction: str = "ES",
    protected: Sequence[tuple[int, int]] = (),
    mask_names: bool = False,
    recogniser: NameRecogniser | None = None,
) -> Redaction:
    """Replace every identifier in `text` by a placeholder. Time is linear in the length of the text.

    `jurisdiction` (ISO 3166-1 alpha-2) decides between identifiers that look alike, and which national
    spellings need no label. `protected` are half-open spans of `text` (citations, amounts, dates, dockets)
    that are never masked, whatever a label says. `mask_names` masks names of persons and addresses too, found
    by `recogniser` (by default the embedded one, which is partial: see `NAMES_ARE_PARTIAL`).
    """
    view = view_of(text)
    findings = _findings(view, jurisdiction.upper())
    if view.origins is not None:
        findings = [
            Finding(*view.original(one.start, one.end), one.type, one.certainty, one.key) for one in findings
        ]
    if mask_names:
        findings.extend(_named(text, recogniser or StructuralNames()))
    issuer = Issuer(text)
    pieces: list[str] = []
    masked: list[Masked] = []
    placed: list[int] = []
    done = length = 0
    for finding in _disjoint(findings, len(text), protected):
        placeholder = issuer.issue(finding.type, finding.key, text[finding.start : finding.end])
        pieces += (text[done : finding.start], placeholder)
        length += finding.start - done
        placed.append(length)
        length += len(placeholder)
        masked.append(Masked(finding.type, placeholder, finding.start, finding.end))
        done = finding.end
    pieces.append(text[done:])
    return Redaction(
        "".join(pieces),
        tuple(masked),
        MappingProxyType(dict(Counter(span.type for span in masked))),
        MappingProxyType(issuer.values),
        tuple(placed),
    )
