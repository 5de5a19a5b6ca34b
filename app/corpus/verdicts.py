"""The verdict on a citation, and the two ways in which it is usually built."""

from dataclasses import dataclass
from typing import Literal

from app.corpus.registry import Norm
from app.text.bilingual import Bilingual

Status = Literal["verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"]
# How deep a citation was checked: that the norm (or decision) is there, that it has the article, that the
# article has the paragraph or letter, that the words are those of the text (decision 016).
Depth = Literal["norm", "article", "paragraph", "words"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one citation. `note` gives the reason in Spanish, `note_en` in English.

    `mismatch_kind` is `date`, `number` or `type`, of words `meaning`, `stitched` or `lexical`, where the
    status is `mismatch` and `None` otherwise; `similarity` and `semantic` (0 to 1) are for comparisons of
    text, which the registry cannot make. `depth` is how deep the citation was checked, `None` where nothing
    could be; `place` is the part of the norm that the verdict is about ("el apartado 2 del artículo 36"),
    where that is known, and `caveat` what could not be checked although the words could.
    """

    status: Status
    note: str
    note_en: str
    url: str | None = None
    mismatch_kind: str | None = None
    norm_title: str | None = None
    similarity: float | None = None
    semantic: float | None = None
    depth: Depth | None = None
    place: Bilingual | None = None
    caveat: Bilingual | None = None


def of_norm(
    status: Status,
    norm: Norm,
    note: Bilingual,
    mismatch_kind: str | None = None,
    depth: Depth = "norm",
    place: Bilingual | None = None,
    caveat: Bilingual | None = None,
) -> Verdict:
    """Return a verdict that names a norm of the registry and links to it."""
    return Verdict(
        status, note.es, note.en, norm.url, mismatch_kind, norm.title, depth=depth, place=place, caveat=caveat
    )


def unverifiable(note: Bilingual, norm: Norm | None = None) -> Verdict:
    """Return the verdict outside coverage; of a norm that is known, its existence was checked."""
    return Verdict(
        "not_verifiable",
        note.es,
        note.en,
        norm.url if norm else None,
        None,
        norm.title if norm else None,
        depth="norm" if norm else None,
    )
