"""Combine the verdict on a citation with the comparison of its words. Pure (decisions 015 and 016)."""

from __future__ import annotations

from dataclasses import replace

from app.citations import Citation
from app.corpus.articles import structure
from app.corpus.notes import claim_notes
from app.corpus.quote_match import Comparison, compare
from app.corpus.verdicts import Verdict

# Words of which less than this part stands in the paragraph cited are another paragraph's.
_OF_THE_PLACE = 0.5
_FEWEST_WORDS = 4


def compare_cited(citation: Citation, claim: str, text: str, heading: str = "") -> Comparison:
    """Compare `claim` with the article cited or, where a paragraph of it is cited, with that paragraph.

    Words that stand in the article, but in another paragraph than the one cited, are a mismatch of the
    `place`.
    """
    whole = compare(claim, text, heading)
    named = citation.divisions[0] if len(citation.divisions) == 1 else ()
    if not whole.right or not named or any(len(division.values) > 1 for division in named):
        return whole
    found = structure.look(text, named, citation.jurisdiction)
    if found.answer != "found" or not found.sure:
        return whole
    inside = [compare(claim, part.text) for part in found.parts]
    if any(one.right or one.similarity >= _OF_THE_PLACE for one in inside):
        return whole
    return Comparison("different", max(one.similarity for one in inside), "lexical", "place")


def lacks_place(citation: Citation, text: str) -> bool:
    """Tell whether an article lacks the paragraph or letter cited of it, or shows it abolished."""
    named = citation.divisions[0] if len(citation.divisions) == 1 else ()
    return bool(named) and structure.look(text, named, citation.jurisdiction).answer in (
        "missing",
        "abolished",
    )


def words_of_place(citation: Citation, text: str) -> str:
    """Return the words of the paragraph or letter cited, after those that introduce the list it stands in.

    The whole text where no paragraph is cited, several are, or where it is uncertain which one is meant;
    nothing where the words there are no sentence.
    """
    named = citation.divisions[0] if len(citation.divisions) == 1 else ()
    if not named or any(len(division.values) > 1 for division in named):
        return text
    found = structure.look(text, named, citation.jurisdiction)
    if found.answer != "found" or not found.sure or len(found.parts) != 1:
        return text
    place = found.parts[0].text.strip()
    if len(place.split()) < _FEWEST_WORDS:
        return ""  # a number or a note that stands where the paragraph would
    opening = structure.opening_of(text, found.parts[0])
    return f"{opening}\n{place}" if opening else place


def apply_comparison(verdict: Verdict, compared: Comparison) -> Verdict:
    """Return `verdict` with the result of comparing the words quoted.

    Only a verified article is changed: to `mismatch` with its kind where the words are not the article's;
    else it stays `verified`, with their similarity.
    """
    if verdict.status != "verified":
        return verdict
    if compared.right:
        note = claim_notes.says_so(compared, verdict.norm_title, verdict.place, verdict.caveat)
        return replace(verdict, note=note.es, note_en=note.en, similarity=compared.similarity, depth="words")
    note = claim_notes.says_otherwise(compared, verdict.place)
    return replace(
        verdict,
        status="mismatch",
        note=note.es,
        note_en=note.en,
        mismatch_kind=compared.kind,
        similarity=compared.similarity,
        depth="words",
    )
