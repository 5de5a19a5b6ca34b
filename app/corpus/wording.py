"""The verdict on a citation together with the words it is said to say. Pure (decisions, sections 6 and 7)."""

from __future__ import annotations

from dataclasses import replace

from app.corpus.quotation import Comparison
from app.corpus.search import claim_notes
from app.corpus.verdicts import Note, Verdict


def worded(verdict: Verdict, compared: Comparison) -> Verdict:
    """`verdict` with what the comparison of the words quoted found.

    Only of an article that is verified, words say something: `mismatch` with its kind where they are not the
    article's, else `verified` with their similarity.
    """
    if verdict.status != "verified":
        return verdict
    if compared.right:
        note = claim_notes.says_so(compared, Note(verdict.note, verdict.note_en))
        return replace(verdict, note=note.es, note_en=note.en, similarity=compared.similarity)
    note = claim_notes.says_otherwise(compared)
    return replace(
        verdict,
        status="mismatch",
        note=note.es,
        note_en=note.en,
        mismatch_kind=compared.kind,
        similarity=compared.similarity,
    )
