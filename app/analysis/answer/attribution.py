"""Give an analysis under a name: the line that says who made it, and the names in its prose. Pure.

Our own code writes a name in one place, the line that says who made the analysis; elsewhere only a language
model may. So that line is written with the name to give, and everything else goes through `branding.brand`.
"""

from __future__ import annotations

from dataclasses import replace

from app import branding
from app.analysis.answer.report import Report
from app.analysis.audit import Audit
from app.analysis.sanitize import prose
from app.branding import Attribution
from app.rules import Draft
from app.text.bilingual import Language, pick


def attribution_line(draft: Draft, language: Language, author: str | None) -> str:
    """Return the line at the end of an analysis that says who made it.

    Args:
        draft: node A's draft, whose engine and model are named.
        language: of the answer.
        author: the name to give; `None` where no name may stand.
    """
    made_es = f"{author} elaboró este análisis" if author else "Este análisis se elaboró"
    made_en = f"{author} made this analysis" if author else "This analysis was made"
    return pick(
        language,
        f"{made_es} con el motor «{draft.engine}» ({draft.model}). El grado de certeza de cada afirmación lo "
        "asigna código que lo ha comprobado. Es una ayuda de trabajo y no sustituye el criterio de un "
        "profesional del Derecho.",
        f"{made_en} with the engine “{draft.engine}” ({draft.model}). Certainty locks are assigned by code "
        "that checked them. It supports a lawyer's work and does not replace their judgement.",
    )


def attribute(
    report: Report,
    audit: Audit | None,
    attribution: Attribution,
    *,
    document: str,
    language: Language,
    service_name: str,
    wire_name: str,
) -> tuple[Report, Audit | None]:
    """Return a finished report and its audit under the name that `attribution` gives.

    Words of `document` stay the client's (decision 039).

    The audit block stays as it is, the summary and the review flags in it included.
    """
    if attribution.author(service_name) == service_name:
        return report, audit
    # The report shows names made harmless, and the document's words too.
    shown = (
        replace(attribution, brand_name=prose(attribution.brand_name))
        if attribution.brand_name
        else attribution
    )
    own_words = branding.own_words_of(prose(document), service_name)

    def say(text: str) -> str:
        return branding.brand(
            text,
            shown,
            service_name=service_name,
            wire_name=wire_name,
            language=language,
            own_words=own_words,
        )

    return replace(
        report,
        markdown=say(report.markdown),
        summary=say(report.summary),
        statements=tuple(
            replace(one, text=say(one.text), reason=say(one.reason) if one.reason else None)
            for one in report.statements
        ),
        risks=tuple((severity, say(text)) for severity, text in report.risks),
        advice=tuple(map(say, report.advice)),
        kind=say(report.kind),
        scope=tuple(map(say, report.scope)),
        review_flags=tuple(map(say, report.review_flags)),
    ), audit.with_texts(say) if audit else None
