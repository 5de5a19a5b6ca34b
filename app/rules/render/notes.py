"""Write notes on the limits of the analysis."""

from __future__ import annotations

from collections.abc import Iterator

from app.rules.brief import Brief
from app.rules.document import Document, compile_pattern
from app.rules.render import wording
from app.rules.rulebook.kinds import Recognition
from app.rules.rulebook.loader import SPAIN
from app.rules.rulebook.schema import Rulebook
from app.text.bilingual import pick

_FOREIGN = (
    "england|ireland|scotland|new york|delaware|california|france|germany|italy|portugal|mexico|colombia|"
    "chile|"
    "argentina|peru|united (kingdom|states)|inglaterra|irlanda|escocia|nueva york|francia|alemania|italia|"
    "estados unidos|reino unido|english|irish|french|german|inglesa?|irlandesa?|francesa?|alemana?|"
    "mexican[oa]|"
    "colombian[oa]|chilen[oa]|argentin[oa]|peruan[oa]|portuguesa?|italian[oa]"
)
_FOREIGN_LAW = compile_pattern(
    "(governed by|se regira|se rige|regid[oa] por|sometid[oa] a|construed)[^.;]{0,60}"
    f"(laws?|ley|leyes|legislacion|derecho)[^.;]{{0,40}}\\b({_FOREIGN})\\b"
)
_FOREIGN_LAW_BEFORE = compile_pattern("(english|irish|french|german|mexican|colombian|new york) law")


def write_notes(
    brief: Brief, document: Document, recognition: Recognition, rules: Rulebook, model: str, omitted: int
) -> Iterator[str]:
    """Write one sentence or two for each limit of the engine.

    They say what it is, where its law ends, what it is unsure of.
    """
    language = brief.language
    yield pick(
        language,
        f"Lo ha hecho un motor de reglas ({model}, {rules.size} reglas): señala lo que ellas describen; que "
        "no señale un riesgo no significa que no exista.",
        f"It was made by a rules engine ({model}, {rules.size} rules): it reports what they describe; "
        "silence on a risk does not mean there is none.",
    )
    if not rules.states_law:
        yield pick(
            language,
            f"Las reglas no tienen bases legales de {brief.jurisdiction}: se exponen hechos, obligaciones y "
            "cláusulas presentes o ausentes, sin citar Derecho.",
            f"The rules have no legal bases of {brief.jurisdiction}: facts, obligations and clauses present "
            "or missing are set out, and no law is cited.",
        )
    elif brief.jurisdiction == SPAIN and (
        document.find(_FOREIGN_LAW) is not None or document.find(_FOREIGN_LAW_BEFORE) is not None
    ):
        yield pick(
            language,
            "El documento parece someterse a una ley extranjera: las bases legales españolas valen en la "
            "medida en que "
            "el Derecho español sea aplicable.",
            "The document seems to choose a foreign law: the Spanish legal bases hold to the extent "
            "that Spanish "
            "law applies.",
        )
    yield from _doubts(brief, recognition)
    if omitted:
        yield pick(
            language,
            f"Por brevedad no se listan {omitted} fechas, importes o plazos más.",
            f"For brevity {omitted} further dates, amounts or periods are not listed.",
        )


def _doubts(brief: Brief, recognition: Recognition) -> Iterator[str]:
    language = brief.language
    if recognition.rival is not None:
        rival = recognition.rival.name.in_(language)
        yield pick(
            language,
            f"El documento comparte rasgos con otro tipo ({rival}): conviene confirmar la calificación.",
            f"The document shares features with another kind ({rival}): its classification should be "
            f"confirmed.",
        )
    kind = recognition.kind
    if kind is not None and brief.branch not in kind.branches:
        asked = wording.BRANCHES[brief.branch].in_(language)
        branches = [wording.BRANCHES[branch].in_(language) for branch in kind.branches]
        usual = pick(language, " o ", " or ").join(branches)
        yield pick(
            language,
            f"Se pidió la rama {asked}; un documento de este tipo suele corresponder a la rama {usual}.",
            f"The {asked} branch was asked for; a document of this kind usually belongs to the "
            f"{usual} branch.",
        )
