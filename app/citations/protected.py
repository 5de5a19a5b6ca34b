"""Find what redaction must leave alone: citations, dockets, identifiers of norms, amounts and dates."""

from app.citations import dates, prefilter
from app.citations.extraction import find_all
from app.text.normalize import CITATIONS

_CURRENCY = r"(?:€|\$|US\$|£|EUR|USD|GBP|MXN|COP|CLP|ARS|PEN|BRL|S/\.?|R\$|CHF)"
_FIGURE = r"\d{1,3}(?:[.,' ]\d{3})*(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_PATTERNS = tuple(
    prefilter.compile(pattern)
    for pattern in (
        # amounts
        rf"(?i){_CURRENCY}\s{{0,2}}(?:{_FIGURE})(?:\s(?:millones|mil|million|billion))?",
        rf"(?i)\b(?:{_FIGURE})\s{{0,2}}(?:€|£|\$|euros?\b|eur\b|pesos?\b|dolares\b|dollars\b|usd\b|"
        rf"gbp\b|pounds?\b|libras\b|soles\b|reais\b|pesetas\b|ptas?\b|centimos\b|"
        r"(?:mil|millones)(?:\s{1,2}de)?\s{1,2}(?:euros|pesos|dolares|soles|pesetas))",
        r"\b\d{1,3}(?:[.,]\d{1,4})?\s{0,2}%",
        # dates
        rf"(?i)\b{dates.LONG}",
        rf"(?i)\b{dates.MONTH}\s{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?,?\s{{1,2}}(?:19|20)\d\d\b",
        r"\b(?:19|20)\d\d-\d{2}-\d{2}(?:T\d{2}:\d{2})?\b",
        # identifiers of decisions and norms that no grammar has as a citation of its own
        r"(?i)\bECLI\s?:[A-Z0-9:.\s]{4,40}[A-Z0-9]",
        r"(?i)\b(?:id\s{1,2}cendoj|cendoj)\s?:?\s{0,2}\d{15,20}\b",
        r"(?i)\bRoj\s?:\s{0,2}[A-Z]{2,8}\s\d{1,6}/\d{4}",
        r"\b(?:BO[A-Z]{1,4}|DOG[CV]?|DOCM|DOE)-[A-Za-z]-\d{4}-\d{1,6}\b",
        r"(?i)\bhttps?://(?:www\.)?(?:boe\.es|data\.europa\.eu|eur-lex\.europa\.eu|poderjudicial\.es)"
        r"/[^\s<>]{1,200}",
        # dockets by other labels, and by their form
        r"(?i)\b(?:exp(?:edien)?te\.?|autos|expediente)\s{0,2}n\.?\s?[ºo]\.?\s{0,2}\d{1,7}\b",
        r"\b(?:RUC|RIT|ROL|Rol)\s{0,2}(?:N\.?\s?[ºo]\.?\s{0,2})?(?:[A-Z]-)?\d{1,5}(?:\.\d{3})"
        r"?-(?:\d-\d{5,8}-[\dkK]|(?:19|20)\d\d)\b",
        r"\b[DT]-\d{3,8}\b",
        r"\b\d{5}-?\d{2}-?\d{2}-?\d{3}-?(?:19|20)\d{2}-?\d{5}-?\d{2}\b",
        r"\b\d{7}-\d{2}\.(?:19|20)\d{2}\.\d\.\d{2}\.\d{4}\b",
        r"\b\d{2}\.\d{3}\.\d{2}\.\d-(?:19|20)\d{2}/\d{7}\b",
        r"\b\d{1,2}/\d{5,7}/\d{2,4}\b",
        r"(?i)\b(?:sentencias?|auto|resolucion|providencia|decreto|ley|real\s{1,2}decreto|orden|"
        r"reglamento|directiva)\s{1,2}(?:n\.?\s?[ºo]?\.?\s{0,2}|num\.\s{0,2})?(?:[A-Z]{2,4}/)"
        r"?\d{1,5}/\d{2,4}",
        r"(?i)\b(?:ley|lei|decreto|law)\s{1,2}(?:n\.?\s?[ºo]?\.?\s{0,2})?\d{1,3}(?:\.\d{3})"
        r"?(?:\s{1,2}de\s{1,2}(?:19|20)\d\d)?\b",
        r"(?i)\b(?:SU|T|C|A)-\s?\d{1,4}[A-Z]?(?:\s{1,2}de\s{1,2}|/)(?:(?:19|20)\d\d|\d\d)\b",
        r"(?i)\bart(?:iculos?|s)?\.?\s{0,2}\d{1,4}(?:\.\d{1,3})*\b",
        r"(?i)\b(?:BOE|DOUE|DO|JORF|G\.U\.|D\.O\.)\s{0,2}(?:L|C|n\.?\s?[ºo]?\.?|num\.?)\s{0,2}\d{1,5}\b",
    )
)
# Dockets by label.
_DOCKET = prefilter.compile(
    r"(?i)\b(?:autos?|procedimientos?|juicios?|recursos?|rec\.|rcud\.?|rollos?|expedientes?|"
    r"expte\.?|exp\.|diligencias?(?:\s{1,2}previas)?|ejecutoria|ejecucion|pieza|"
    r"causas?|proceso|processo|radicad[oa]|rad\.|sumario|concurso|apelacion|casacion|amparo|"
    r"demanda|asuntos?|case|docket|claim|appeal|cuestion|NIG|turno)\b"
    r"(?:[a-z\s./ºª,-]{0,40}?)(?:n\.?\s?[ºo]\.?\s{0,2}|num\.?\s{0,2}|no\.\s{0,2})?:?\s{0,2}"
    r"(?:[A-Z]{1,4}-)?\d{1,7}(?:[./-]\d{1,7}){1,5}(?:\s{0,2}(?:,|y|e)\s{0,2}\d{1,6}/\d{2,4})*",
    wide=True,
)
# A date in figures, unless it opens a national number ("80.01.01-656.31", the Belgian one) or a telephone
# number ("06.12.34.56.78").
_FIGURES = prefilter.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-](?:(?:19|20)\d\d|\d\d)\b(-\d{3}[. ]?\d{2}\b|\.\d\d\.\d\d\b)?"
)
_TABLE = prefilter.GrammarTable((one, one) for one in (*_PATTERNS, _DOCKET))


def protected_spans(text: str, jurisdiction: str = "ES") -> tuple[tuple[int, int], ...]:
    """Return spans of `text` that must never be masked, in order, merged where they touch.

    Recall comes first: everything any grammar finds counts, before overlaps are settled, and dockets,
    amounts and dates besides. The spans hold no personal identifier by their own form; where a detector
    with a check digit disagrees, the longer reading should win.
    """
    plain = CITATIONS.normalize(text)
    folded = plain.text
    with prefilter.prefiltered(folded):
        spans = [(finding.start, finding.end) for finding in find_all(folded, jurisdiction.upper())]
        for pattern in _TABLE.of(folded):
            spans += [match.span() for match in pattern.finditer(folded)]
        spans += [match.span() for match in _FIGURES.finditer(folded) if not match[1]]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return tuple(plain.span(start, end) for start, end in merged)
