"""How much a stem counts in a passage: BM25 over fields. Pure.

    weight(stem) = tf / (k1 + tf),  tf = sum over fields of  w_f * tf_f / (1 - b_f + b_f * length_f / usual_f)

(Robertson, Zaragoza and Taylor 2004, "Simple BM25 Extension to Multiple Weighted Fields".) `usual_f` is a
constant instead of the corpus' average, so that a posting once written stays right whatever is loaded later.

What is ours, and why it holds for law in general:
- the law's title and the headings above an article count, since an article seldom repeats what its chapter is
  about;
- an article without a rubric, as in codes of the nineteenth century, is announced by its first sentence,
which   then counts as a weak rubric;
- dispositions that amend, repeal or bridge (`Disposición transitoria…`) repeat the words of what they
amend and
  are seldom the rule looked for; regulations develop an Act and repeat it (hierarchy of norms, art. 9.3 CE).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from app.search.analyzer import stems

K1 = 1.2
_DISPOSITION, _REGULATION, _EMPTY = 0.85, 0.9, 0.5
_LEAD_STEMS = 25
_LABEL = re.compile(
    r"(?:Art[íi]culos?|Arts?\.|Article|Disposici(?:ó|o)n(?:es)? \w+|Anexo)\s*"
    r"(?:\w+(?:[ºª.]| bis| ter| quater)?(?=[\s.]|$))?"
    r"(?:\s(?:bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies))?[\s.:)-]*",
    re.IGNORECASE,
)
_IS_DISPOSITION = re.compile(r"disposici[óo]n|anexo", re.IGNORECASE)
_IS_REGULATION = re.compile(r"Real Decreto [\d.]+/|Decreto [\d.]+ de |Orden ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.:;])\s")
_NOTHING = re.compile(
    r"\W*\(?(?:derogad|suprimid|sin contenido|anulad|sin efecto)[oa]?s?\)?\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Field:
    """Weight, strength of the correction for length, and usual length in stems."""

    weight: float
    length: float
    usual: float


BODY, HEADING, PATH = Field(1.0, 0.6, 90.0), Field(3.0, 0.3, 5.0), Field(1.5, 0.3, 12.0)
TITLE, LEAD = Field(1.0, 0.3, 14.0), Field(1.0, 0.3, 14.0)


def rubric(heading: str) -> str:
    """What a heading says beyond its number: `Artículo 4. Cláusula general.` is `Cláusula general.`."""
    match = _LABEL.match(heading)
    return heading[match.end() :] if match else heading


def counted(
    kind: str, title: str, path: str, heading: str, text: str, language: str
) -> tuple[dict[str, float], float]:
    """(weighted term frequency by stem, standing of the passage from 0 to 1)."""
    named = rubric(heading)
    fields = [
        (BODY, stems(text, language)),
        (HEADING, stems(named, language)),
        (PATH, stems(path, language)),
        (TITLE, stems(title, language)),
    ]
    if kind == "article" and not fields[1][1]:
        fields.append((LEAD, stems(_SENTENCE.split(text[:1_000], maxsplit=1)[0], language)[:_LEAD_STEMS]))
    frequencies: dict[str, float] = {}
    for field, found in fields:
        scale = field.weight / (1 - field.length + field.length * len(found) / field.usual)
        for stem, count in Counter(found).items():
            frequencies[stem] = frequencies.get(stem, 0.0) + scale * count
    standing = 1.0
    if kind == "article":
        standing *= _DISPOSITION if _IS_DISPOSITION.match(heading) else 1.0
        standing *= _REGULATION if _IS_REGULATION.match(title) else 1.0
        standing *= _EMPTY if _NOTHING.fullmatch(text) else 1.0
    return frequencies, standing


def weights(frequencies: dict[str, float], standing: float) -> dict[str, int]:
    """Weight of each stem from 1 to 255."""
    return {stem: max(1, round(255 * standing * value / (K1 + value))) for stem, value in frequencies.items()}
