"""Compare a claimed quotation with a text: literal, stitched together or nearly literal. Pure, no tables.

Invariant: `verified` means that the claimed words stand in the text in their order, but for spacing, case,
accents, punctuation, marked omissions, and slips of the pen that change no meaning. A word more, a word less
or another word is never verified.
"""

from app.corpus.quote_match.comparison import Comparison, compare
from app.corpus.quote_match.indirect import contradiction
from app.corpus.quote_match.language import same_language
from app.corpus.quote_match.naming import misnamed

__all__ = ["Comparison", "compare", "contradiction", "misnamed", "same_language"]
