"""Find citations of law in running text: grammars and normal forms per jurisdiction.

Owns no tables and knows no corpus: `extract` says what is cited and where, never whether it exists
(`app.corpus.verify` does). Invariant: `text[c.start:c.end] == c.text` for every citation, citations come in
order and never overlap, and the time taken grows linearly with the text.
"""

from app.citations.citation import Citation, Division, DivisionKind, range_ends
from app.citations.dates import written_date
from app.citations.extraction import extract
from app.citations.grammars.division_values import LAST, LAST_BUT_ONE, as_roman, roman
from app.citations.grammars.division_values import SOLE as SOLE_DIVISION
from app.citations.issuers import issuer_named
from app.citations.name_index import NormName, norm_names
from app.citations.protected import protected_spans
from app.citations.statute_headings import (
    SOLE,
    StatuteHeading,
    article_number,
    heading_without_content,
    provisions_opened,
    without_content,
)

__all__ = [
    "LAST",
    "LAST_BUT_ONE",
    "SOLE",
    "SOLE_DIVISION",
    "Citation",
    "Division",
    "DivisionKind",
    "NormName",
    "StatuteHeading",
    "article_number",
    "as_roman",
    "extract",
    "heading_without_content",
    "issuer_named",
    "norm_names",
    "protected_spans",
    "provisions_opened",
    "range_ends",
    "roman",
    "without_content",
    "written_date",
]
