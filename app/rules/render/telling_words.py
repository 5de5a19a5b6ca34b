"""Know the words by which a party, a sum or a day is told otherwise than by its role alone. Pure."""

from __future__ import annotations

import re
from typing import Final

import re2

from app.rules.draft import Family
from app.rules.facts.people.parties import Party
from app.text.sentences import FoldedText, fold

_HEADS: Final = re2.compile(
    r"\b(?:condiciones|conditions|contrato|agreement|contract|poliza|policy|anexo|annex|schedule|terms"
    r"|clausulas"
    r"|estipulaciones|particulares|generales|acta|resolucion|propuesta|notificacion)\b"
)
_IS_NO_PARTY: Final = re2.compile(
    r"^[),. ]{0,4}(?:que )?(?:no|tampoco) (?:es|son|sera|forma|interviene|toma)\w* (?:en )?(?:como )?parte\b"
    r"|^[),. ]{0,4}(?:which )?is (?:not|no) (?:a )?party\b"
)
_MET: Final = re2.compile(r"\b(?:ante|al|con|dirija\w* a|before|to)(?: d\.| dona?| sra?\.| mrs?\.?)* ?$")
# "Quedará abierto el recurso", "desestimada la reclamación, podrá": from an act that is still to come.
NOT_YET: Final = re2.compile(
    r"\b(?:queda(?:ra|rá)? abiert|desestimad[oa]s? (?:la|el|su)"
    r"|una vez (?:desestimad|resuelt|firme)|contra su )"
)
TAKES_EFFECT: Final = re2.compile(r"\b(?:efectos?|efectiv\w+|vigor|effect\w*|in force)\b[^.;]{0,40}$")
STAMPED: Final = re2.compile(r"\b(?:escanead|scanned|impres|printed)\w*\b[^.;]{0,30}$")
PAY: Final = re2.compile(r"\b(?:retribuci\w+|remunera\w+)\b[^.;]{0,40}$")
# What a judgment awarded is not what was claimed.
AWARDED: Final = re2.compile(
    r"\b(?:sentencia|fallo|resolucion|judgment)\b[^.;]{0,110}\b(?:conden|estim|award|order)\w*"
)
# "La loi n° 89-462 du 6 juillet 1989", "publicada en el Diario Oficial el 5 de julio": the day of a law.
OF_LAW: Final = re2.compile(
    r"\b(?:ley|leyes|loi|lei|legge|d\. ?lgs\.?|decret\w*|dekret|gesetz\w*|verordnung|ordonnance|arrete"
    r"|act|codigo|reglamento|regulation|directive|directiva|estatuto)(?: (?:n\.?[°ºo]?|num\.?|no\.))?"
    r"[ a-z]{0,12}?[\d./ -]*,? ?"
    r"(?:de|du|del|of|vom|do)? ?$"
    r"|\b(?:ley|codigo|reglamento|decreto)\b[^.;]{0,120}\bpublicad[oa]s?\b[^.;]{0,60}$"
    r"|\b(?:diario oficial|boletin oficial|journal officiel)\b[^.;]{0,50}$"
)
# A sum beside the word for another one: a charge for lateness.
_OTHER_SUM: Final = re2.compile(
    r"\b(?:late|collection|returned|administration)[ -](?:charge|fee)[^.;#]{0,30}#|\brecargo\b[^.;#]{0,30}#"
)
REMEDY: Final = re2.compile(
    r"\b(?:recurs\w*|recurr\w*|impugn\w*|contencios\w*|reposicion|alzada|reclamacion\w*|demand\w*|appeals?"
    r"|apela\w*|interpon\w*)\b"
)

RECITALS: Final = re2.compile(
    r"\b(?:reunidos|intervienen|comparecen|exponen|expositivos|manifiestan|antecedentes|declaraciones"
    r"|considerandos|partes|objeto|recitals|whereas|background|parties|preamble|acuerd\w*|estipula\w*"
    r"|clausulas)\b"
)
# "Importe en euros / 2019": the heading of a column and the year of its first row.
YEAR_BEHIND: Final = re.compile(r"(?i)\A(?:euros?|eur|€)\s+(?:19|20)\d\d\Z")
VALUED: Final = re2.compile(
    r"\b(?:tasad[oa]s?|tasacion|valorad[oa]s?|valoracion|tipo (?:de|para la) subasta|apprais\w+|valued at"
    r"|valuation)\b"
)
PARAGRAPH: Final = re.compile(r"\n[ \t]*\n")
_RATE_EACH: Final = re2.compile(
    r"^[ ,]{0,2}(?:\([0-9., %]{1,12}\) ?)?(?:de interes )?(?:nominal )?"
    r"(semanal(?:es)?|a la semana|por semana|per week|a week|weekly|mensual(?:es)?|al mes|cada mes|por mes"
    r"|per month|a month|monthly|diari[oa]|al dia|por dia|per day|a day|daily|trimestral|per quarter"
    r"|quarterly"
    r"|anual(?:es)?|al ano|per annum|per year|a year|annually"
    r"|ao mes|mensais|par mois|mensuels?|al mese|mensile|im monat|monatlich|pro monat"
    r"|ao dia|par jour|al giorno|giornalier[oa]|am tag|taglich|pro tag"
    r"|ao ano|anuais|par an|l'an|annuels?|annu[oi]|all'anno|im jahr|jahrlich|pro jahr)\b"
)
_EACH: Final = (
    ("week", re2.compile("seman|week")),
    ("month", re2.compile("mes|mens|mois|monat|month")),
    ("quarter", re2.compile("trimestr|quarter")),
    ("year", re2.compile("an(?:o|ual|uai|n)|l'an|par an|jahr|year")),
    ("day", re2.compile("di[ao]|day|daily|jour|giorn|tag")),
)


def is_no_party(source: FoldedText, party: Party, family: Family) -> bool:
    """Tell whether a name is a heading, or of one whom the document says to be no party, or to be met."""
    if party.role is None and _HEADS.search(fold(party.name)) is not None:
        return True
    if party.role_key == "addressee" and party.kind == "company" and family == "contract":
        return True  # "indicated at Banco X"
    if _IS_NO_PARTY.match(source.after(party.end, 60)) is not None:
        return True
    return (
        family == "letter"
        and party.role_key == "representative"
        and _MET.search(source.before(party.start, 40)) is not None
    )


def beside_other_sum(source: FoldedText, start: int, end: int) -> bool:
    """Tell whether a sum stands beside the word for another one than its sentence is about."""
    first = max(source.sentence(start)[0], start - 60)
    return _OTHER_SUM.search(f"{source.folded[first:start]}#{source.after(end, 40)}") is not None


def rate_period(after: str) -> str | None:
    """Return how often a rate falls due by the words right behind it: "cinco por ciento semanal"."""
    found = _RATE_EACH.match(after)
    return next((name for name, words in _EACH if words.search(found[1])), None) if found else None
