"""Write notes on the limits of the analysis."""

from __future__ import annotations

from collections.abc import Iterator

from app.rules.brief import Brief
from app.rules.document import Document, compile_pattern
from app.rules.render import wording
from app.rules.render.choice_of_law import chosen_law, mandatory_law
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
_CONSUMER = compile_pattern("consumidor|consumer|consommateur|consumatore|verbraucher")
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
        consumer = document.find(_CONSUMER) is not None
        kept = mandatory_law(SPAIN, recognition.id, consumer=consumer)
        if kept is not None and kept != mandatory_law(SPAIN, "", consumer=False):
            yield kept.in_(language)
    elif brief.jurisdiction != SPAIN:
        yield from _chosen(brief, document, recognition)
    yield from _doubts(brief, recognition)
    if omitted:
        yield pick(
            language,
            f"Por brevedad no se listan {omitted} fechas, importes o plazos más.",
            f"For brevity {omitted} further dates, amounts or periods are not listed.",
        )


def _chosen(brief: Brief, document: Document, recognition: Recognition) -> Iterator[str]:
    """Say that another country's law is chosen, and what holds nonetheless."""
    found = chosen_law(document)
    if found is None or found[0] == brief.jurisdiction.partition("-")[0]:
        return
    code, language = found[0], brief.language
    kept = mandatory_law(brief.jurisdiction, recognition.id, consumer=document.find(_CONSUMER) is not None)
    told = pick(
        language,
        f"El documento elige la ley de otro país ({code}): las bases legales de {brief.jurisdiction} valen "
        "en la medida en que su Derecho sea aplicable.",
        f"The document chooses the law of another country ({code}): the legal bases of {brief.jurisdiction} "
        "hold to the extent that its law applies.",
    )
    yield told if kept is None else f"{told} {kept.in_(language)}"


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
