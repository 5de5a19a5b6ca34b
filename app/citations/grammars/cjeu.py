"""Find case numbers of the Court of Justice of the European Union."""

import re
from collections.abc import Iterator

from app.citations import dates, prefilter
from app.citations.citation import Finding

_LUXEMBOURG = re.compile(
    r"asuntos?\b|\bcases?\b|joined|TJ[UC]E|STJ|ATJ|TGUE|tribunal de justicia|tribunal general|court "
    r"of justice|general court|CJEU|ECJ|"
    r"affaires?\b|\baff\.|rechtssache|\bRs\.|\bcausas?\b|processos?\b|EU:[CT]:|abogad[oa] general|"
    r"EuGH?\b|CJ[UC]E|CG[UC]E|Corte di giustizia|Tribunal de Justica",
    re.IGNORECASE,
)
# A judgment of the General Court or one against an institution: "sentencia T-553/23, Latombe/Comisión".
_INSTITUTION = re.compile(
    r",?\s\(?[A-Z][^.;()\n/]{1,60}/(?:Comision|Consejo|Parlamento|BCE|EUIPO|OAMI|Commission|Council|"
    r"Kommission|Rat|Conseil)\b"
)
# In Bogotá "C-355/06" is of the Constitutional Court, and "causa" or "asunto" stand beside any case.
_LUXEMBOURG_ALONE = re.compile(
    r"TJ[UC]E|TGUE|tribunal (?:general|de justicia) (?:de la union|de las comunidades|europe)|court "
    r"of justice of the|CJEU|"
    r"Luxemburgo|EU:[CT]:",
    re.IGNORECASE,
)
_NOT_CASE = re.compile(
    r"(?:contrato|expediente|lote?s?|lotto|lots?|factura|facture|fattura|fatura|Rechnung|pedido|referencia|reference|"
    r"ref\.|modelo|model|parcela|finca|plano|anexo|contract|invoice|batch|order|item|unit|plot|room|drawing|annex|"
    r"commande|Bestellung|Posten|Charge|ordine|bolla|encomenda)"
    r"\s{0,3}(?:n\.?º?\s{0,2})?$",
    re.IGNORECASE,
)
_SET_OFF = re.compile(r"[,:;(]\s?$")
_CASE_NUMBER = r"[CTF]-\d{1,4}/\d{2}(?:\s?(?:P|PPU|R|RX|REV|P-R))?(?:\s\([A-Z]{1,3}\))?"
CJEU = prefilter.compile(
    rf"\b({_CASE_NUMBER}(?:(?:\s{{0,2}},\s{{0,2}}|\s{{1,2}}(?:y|a|and|to|et|und|e)\s{{1,2}}){_CASE_NUMBER})*)"
)


def court_of_justice(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield case numbers of the Court of Justice; outside Union documents only beside words that speak of it.

    "C-131/12" is a case in "asunto C-131/12", a lot in "Contrato C-131/12", a Colombian judgment in Bogotá.
    """
    heard: list[re.Match[str]] = []
    alone: list[re.Match[str]] = []
    for match in CJEU.finditer(folded):
        start, end = match.span(1)
        before = folded[max(0, start - 120) : start]
        if _NOT_CASE.search(before) or (start and folded[start - 1] in "-/"):
            continue
        context = _LUXEMBOURG_ALONE if jurisdiction == "CO" else _LUXEMBOURG
        near = context.search(before) or context.search(folded, end, end + 60)
        if near or jurisdiction == "EU" or _INSTITUTION.match(folded, end):
            heard.append(match)
        elif jurisdiction != "CO" and _SET_OFF.search(folded, max(0, start - 2), start):
            alone.append(match)
    # Who cites one case of the Court cites the next by its number alone: "(C-203/02)".
    for match in heard + (alone if heard else []):
        start, end = match.span(1)
        cases = re.findall(r"([CTF])-(\d{1,4})/(\d{2})", folded[start:end])
        canonical = tuple(f"EU:{court}-{number}/{year}" for court, number, year in cases)
        court, number, year = cases[0]
        century = "19" if int(year) > 50 else "20"
        letters = {"C": "CJ", "T": "TJ", "F": "FJ"}[court]
        yield Finding(
            start,
            end,
            "L2-J",
            "EU",
            canonical,
            ids={"celex": f"6{century}{year}{letters}{int(number):04d}", "case": folded[start:end]},
            priority=55,
        )


# "stjue c-13/05 y la de ca na negreta c-631/22": who writes the court in small letters writes the case so.
_SMALL_CASE = prefilter.compile(
    r"(?:^|[^A-Za-z0-9/-])((?:stj[uc]e|stgue|atjue)?(?:^|\s)?((?:asunto\s)?([ct])-(\d{1,4})/(\d{2})))(?:$|"
    r"[^\w/])"
)
_SMALL_COURT = re.compile(r"\b(?:stj[uc]e|tj[uc]e|stgue)\b")


def small_cases(folded: str) -> Iterator[Finding]:
    """Yield cases in small letters, in a text that names the court so."""
    court = _SMALL_COURT.search(folded) if "tju" in folded or "tjc" in folded or "stg" in folded else None
    if not court:
        return
    for match in _SMALL_CASE.finditer(folded, court.start()):
        start, end = match.span(1)
        start = max(start, 0)
        written = folded[start:end]
        start += len(written) - len(written.lstrip())
        letter, number, year = match[3].upper(), match[4], match[5]
        century = "19" if int(year) > 50 else "20"
        celex = f"6{century}{year}{letter}J{int(number):04d}"
        ids = {"celex": celex, "case": f"{letter}-{number}/{year}"}
        yield Finding(start, end, "L2-J", "EU", (f"EU:{letter}-{number}/{year}",), ids=ids, priority=55)


_OPINION = prefilter.compile(
    r"\b((?:Opinion|Dictamen|Avis|Parere|Gutachten|Parecer)\s(\d{1,2}/\d{2})(?:\s\([^()]{2,20}\))?)\b"
)
# A judgment by court and date alone, with no case number behind it.
_DATED = prefilter.compile(
    rf"\b(S?(?:TJ[UC]E|TGUE)(?:\s\([^()]{{1,30}}\))?,?\s(?:de\s(?:fecha\s)?)?(?:(?i:{dates.LONG})|"
    rf"{dates.NUMERIC}))"
)
_CASE_BEHIND = re.compile(r"[^;.\n]{0,120}?(?:\b[CTF]-\d{1,4}/\d{2}|EU:[CT]:\d{4})")
_COURT_NEAR = re.compile(
    r"TJ[UC]E|Court of Justice|CJEU|ECJ|Tribunal de Justicia|EuGH|CJUE|Union law|Derecho de la Union",
    re.IGNORECASE,
)


def opinions(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield opinions of the Court beside words that speak of it, and judgments named by their date alone."""
    for match in _OPINION.finditer(folded):
        start, end = match.span(1)
        if jurisdiction == "EU" or _COURT_NEAR.search(folded, max(0, start - 120), end + 60):
            yield Finding(start, end, "L2-J", "EU", (f"EU:Opinion:{match[2]}",), priority=40)
    for match in _DATED.finditer(folded):
        start, end = match.span(1)
        if not _CASE_BEHIND.match(folded, end):
            read = dates.read(match[1]) or ""
            yield Finding(start, end, "L2-J", "EU", (), ids={"date": read, "unnumbered": "1"}, priority=40)
