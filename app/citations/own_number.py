"""Tell the number of the case that a paper is filed in from a decision that it cites. Pure.

"An das Landgericht Köln – 5 O 211/26 –", "Reclamación 50/00981/2026" under the name of a tribunal: the
heading says where the paper belongs, and nobody's decision.
"""

from __future__ import annotations

import re

from app.citations.citation import Finding

# A heading is within so many characters, before the first sentence.
_HEADING = 260
_PAPER = 300
_OF_A_CASE = (
    "ES:TEAR", "ES:TEAC", "ES:AEPD:", "CL:RIT:", "CL:CS:", "CO:CE:", "AR:SRT:", "FR:TJ:", "FR:CPH:", "FR:CA:",
    "DE:ArbG:", "DE:AG:", "DE:LG:", "DE:VG:", "DE:SG:", "DE:FG:", "DE:OLG:", "DE:LAG:",
)  # fmt: skip
_WORD = re.compile(
    r"^(?:reclamacion|expedientes?|expte\.|exp\.|rad\.|radicado|rol|RIT|RUC|RG|Az\.|N\.|\d)|\bRG\b|\bAz\.|"
    r"(?:gericht|judiciaire)\b|^PS/",
    re.IGNORECASE,
)
# Words of a sentence, or of somebody who quotes.
_PROSE = re.compile(
    r"\b(?:que|segun|conforme|vid|cfr?|vgl|nach|urteil|beschluss|sentencia|auto|fallo|dictamen|selon|arret|"
    r"jugement|doctrina|criterio|resolvio|declaro|art|arts|articulo|ley)\b",
    re.IGNORECASE,
)


def is_own_number(folded: str, finding: Finding) -> bool:
    """Tell whether a finding is the number of the paper's own case, in its heading.

    Args:
        folded: The text without accents.
        finding: A finding in it.
    """
    if finding.kind != "L2-J" or finding.start > _HEADING or "date" in finding.ids:
        return False
    if len(folded) - finding.end < _PAPER:
        return False  # a reference alone, and no paper
    form = next(iter(finding.canonical), "")
    written = folded[finding.start : finding.end]
    before = folded[: finding.start]
    return (
        form.startswith(_OF_A_CASE)
        and bool(_WORD.search(written) or _WORD.search(before[-24:].strip()))
        and not _PROSE.search(before)
    )
