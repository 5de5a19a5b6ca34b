"""Anonymise a text and restore it."""

import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from app.redaction.detectors import (
    accounts,
    announced,
    birth_dates,
    emails,
    forms,
    ip_addresses,
    loose_phones,
    phones,
    postcodes,
    unannounced,
)
from app.redaction.detectors.names import NameRecogniser, StructuralNames
from app.redaction.finding import Certainty, Finding
from app.redaction.placeholders import Issuer, Unless, restored
from app.redaction.view import View, view_of
from app.text.invisible import INVISIBLE, visible


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """One masked span; `start` and `end` are offsets of the original text. Holds no value."""

    type: str
    placeholder: str
    start: int
    end: int


class _Edit(NamedTuple):
    """A masked span: `start` to `end` of the original, replaced by `length` characters, 0 if invisible."""

    start: int
    end: int
    length: int


@dataclass(frozen=True, slots=True, repr=False)
class Redaction:
    """An anonymised text and the way back. Nothing of the document appears in its repr.

    `text` has no character that a reader does not see. `masked` is in order of position; `counts` is the
    number of masked spans by type.
    """

    text: str
    masked: tuple[MaskedSpan, ...]
    counts: Mapping[str, int]
    _issuer: Issuer = field(compare=False)
    _edits: tuple[_Edit, ...] = field(compare=False)
    _placed: tuple[int, ...] = field(compare=False)

    def __repr__(self) -> str:
        return f"Redaction({len(self.text)} characters, counts={dict(self.counts)})"

    def restore(self, text: str, *, unless: Unless | None = None) -> str:
        """Put the values back into the anonymised document, or into an answer about it.

        A placeholder is recognised whatever its case, with blanks or Markdown escapes inside; one that this
        redaction did not issue is left alone, and so is one of which `unless(before, after)` says that its
        value must not stand between these words. `restore(self.text)` is the original document but for the
        characters that nobody sees.
        """
        return restored(text, self._issuer.values, unless)

    def remap(self, offset: int) -> int:
        """Return the offset in the original for an offset in `self.text`.

        For one inside a placeholder it is the start of the value.

        Raises:
            ValueError: when the offset lies outside the text.
        """
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"offset {offset} outside 0 to {len(self.text)}")
        index = bisect.bisect_right(self._placed, offset) - 1
        if index < 0:
            return offset
        edit = self._edits[index]
        beyond = offset - self._placed[index] - edit.length
        return edit.start if beyond < 0 else edit.end + beyond

    def placed(self, offset: int) -> int:
        """Return where an offset of the original stands in `self.text`; inside a masked value, after it."""
        index = bisect.bisect_left(self._edits, offset, key=lambda edit: edit.start) - 1
        if index < 0:
            return offset
        edit = self._edits[index]
        return self._placed[index] + edit.length + max(0, offset - edit.end)

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original for a non-empty span of `self.text`; a placeholder counts whole.

        Raises:
            ValueError: when the span is empty or lies outside the text.
        """
        if start >= end:
            raise ValueError(f"empty span {start} to {end}")
        first, last = self.remap(start), self.remap(end - 1)
        index = bisect.bisect_right(self._placed, end - 1) - 1
        if index >= 0 and end - 1 < self._placed[index] + self._edits[index].length:
            return first, self._edits[index].end
        return first, last + 1


def _findings(view: View, jurisdiction: str) -> list[Finding]:
    found = [*announced(view, jurisdiction), *accounts(view), *emails(view), *phones(view)]
    found += [*loose_phones(view, jurisdiction), *ip_addresses(view)]
    settled = bytearray(len(view.text))
    for finding in found:
        if finding.certainty >= Certainty.PROVEN:
            settled[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
    found.extend(unannounced(view, jurisdiction, settled))
    return found


def _named(text: str, view: View, recogniser: NameRecogniser) -> Iterator[Finding]:
    """Yield names of persons with every form of them, and addresses; offsets are those of `text`."""
    spans = [
        (start, end, kind) for start, end, kind in recogniser.spans(text) if 0 <= start < end <= len(text)
    ]
    for start, end, kind in spans:
        if kind != "PERSON":
            key = " ".join(view_of(text[start:end]).text.casefold().split())
            yield Finding(start, end, kind, Certainty.STRUCTURE, key)
    persons = [(start, end) for start, end, kind in spans if kind == "PERSON"]
    for start, end, key in forms(text, view, persons):
        yield Finding(start, end, "PERSON", Certainty.STRUCTURE, key)


def _disjoint(
    findings: Iterable[Finding], length: int, protected: Callable[[], Sequence[tuple[int, int]]]
) -> list[Finding]:
    """Return the surest findings that overlap neither one another nor a protected span.

    They come in order of position.
    """
    taken = bytearray(length)
    kept = []
    guarded = False
    for finding in sorted(
        findings, key=lambda one: (-one.certainty, one.start - one.end, one.start, one.type)
    ):
        if finding.certainty < Certainty.PERSONAL and not guarded:
            _guard(taken, protected())
            guarded = True
        if taken.find(1, finding.start, finding.end) == -1:
            taken[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
            kept.append(finding)
    return sorted(kept)


def _guard(taken: bytearray, protected: Sequence[tuple[int, int]]) -> None:
    for start, end in protected:
        start, end = max(0, start), min(len(taken), end)
        if start < end:
            taken[start:end] = b"\1" * (end - start)


def redact(
    text: str,
    *,
    jurisdiction: str = "ES",
    protected: Sequence[tuple[int, int]] | Callable[[], Sequence[tuple[int, int]]] = (),
    mask_names: bool = False,
    outside: bool = False,
    recogniser: NameRecogniser | None = None,
    beside: Redaction | None = None,
) -> Redaction:
    """Replace every identifier in `text` by a placeholder. Time is linear in the length of the text.

    `jurisdiction` (ISO 3166-1 alpha-2) decides between identifiers that look alike, and which national
    spellings need no label. `protected` are half-open spans of `text` (citations, amounts, dates, dockets)
    that are not masked, whatever a label says, but for what is a person's all the same: a date said to be one
    of birth, a telephone number said or spelled to be one, an IP address. A function that returns them is
    called only where something was found that they may keep from being masked. `mask_names` masks names of
    persons in every form, addresses, postcodes and dates of birth too; names are found by `recogniser` (by
    default the embedded one, which is partial: see `NAMES_ARE_PARTIAL`). `outside` says that the text leaves
    this process: dates of birth are then masked whatever happens to names. `beside` is the redaction of
    another text that goes to the same reader: a value of both has one placeholder, and either restores both.
    """
    view = view_of(text)
    findings = _findings(view, jurisdiction.upper())
    if mask_names or outside:
        findings.extend(birth_dates(view))
    if mask_names:
        findings.extend(postcodes(view))
    if not view.in_place:
        findings = [
            Finding(*view.original(one.start, one.end), one.type, one.certainty, one.key) for one in findings
        ]
    if mask_names:
        findings.extend(_named(text, view, recogniser or StructuralNames()))
    issuer = beside._issuer if beside is not None else Issuer()
    issuer.reserve(visible(text))
    pieces: list[str] = []
    masked: list[MaskedSpan] = []
    edits: list[_Edit] = []
    placed: list[int] = []
    done = length = 0
    spans = protected if callable(protected) else lambda: protected
    for start, end, finding in _spans(text, _disjoint(findings, len(text), spans)):
        placeholder = ""
        if finding is not None:
            placeholder = issuer.issue(finding.type, finding.key, visible(text[start:end]))
            masked.append(MaskedSpan(finding.type, placeholder, start, end))
        pieces += (text[done:start], placeholder)
        length += start - done
        placed.append(length)
        length += len(placeholder)
        edits.append(_Edit(start, end, len(placeholder)))
        done = end
    pieces.append(text[done:])
    return Redaction(
        "".join(pieces),
        tuple(masked),
        MappingProxyType(dict(Counter(span.type for span in masked))),
        issuer,
        tuple(edits),
        tuple(placed),
    )


def _spans(text: str, findings: Sequence[Finding]) -> Iterator[tuple[int, int, Finding | None]]:
    """Yield what is replaced, in order: each finding, and each invisible run between them (`None`)."""
    done = 0
    for finding in findings:
        for run in INVISIBLE.finditer(text, done, finding.start):
            yield *run.span(), None
        yield finding.start, finding.end, finding
        done = finding.end
    for run in INVISIBLE.finditer(text, done):
        yield *run.span(), None
