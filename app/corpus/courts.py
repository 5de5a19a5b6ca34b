"""Read the court and the year off the form of a citation of a judgment, without loaded data. Pure.

Courts have the name they use for themselves, in their own language. What the form does not say is `None`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.citations import Citation


@dataclass(frozen=True, slots=True)
class CourtAndYear:
    """The court and the year of the decision, as the form of a citation tells them."""

    court: str | None
    year: int | None


# The second part of a normal form (`ES:TS:77/2018`), by jurisdiction.
_COURTS: Mapping[str, Mapping[str, str]] = {
    "ES": {
        "TC": "Tribunal Constitucional",
        "TS": "Tribunal Supremo",
        "AN": "Audiencia Nacional",
        "TSJ": "Tribunal Superior de Justicia",
        "AP": "Audiencia Provincial",
        "JPI": "Juzgado de Primera Instancia",
        "JM": "Juzgado de lo Mercantil",
        "JMER": "Juzgado de lo Mercantil",
        "JS": "Juzgado de lo Social",
        "JSO": "Juzgado de lo Social",
        "JCA": "Juzgado de lo Contencioso-Administrativo",
        "JP": "Juzgado de lo Penal",
    },
    "CO": {"CC": "Corte Constitucional", "CSJ": "Corte Suprema de Justicia", "CE": "Consejo de Estado"},
    "AR": {"CSJN": "Corte Suprema de Justicia de la Nación"},
    "CL": {"CS": "Corte Suprema", "TC": "Tribunal Constitucional"},
    "PE": {"TC": "Tribunal Constitucional", "CS": "Corte Suprema"},
    "FR": {"Cass": "Cour de cassation", "CE": "Conseil d'État", "CC": "Conseil constitutionnel"},
    "IT": {"Cass": "Corte di cassazione", "CCost": "Corte costituzionale"},
    "DE": {
        "BGH": "Bundesgerichtshof", "BVerfG": "Bundesverfassungsgericht",
        "BVerfGE": "Bundesverfassungsgericht", "BGHZ": "Bundesgerichtshof", "BGHSt": "Bundesgerichtshof",
        "BAG": "Bundesarbeitsgericht", "BVerwG": "Bundesverwaltungsgericht",
    },
    "BR": {
        "STF": "Supremo Tribunal Federal", "STJ": "Superior Tribunal de Justiça",
        "TST": "Tribunal Superior do Trabalho",
    },
    "PT": {"STJ": "Supremo Tribunal de Justiça", "TC": "Tribunal Constitucional"},
    "COE": {"STEDH": "Tribunal Europeo de Derechos Humanos"},
}  # fmt: skip
# What an ECLI of Spain has behind TSJ and AP.
_REGIONS: Mapping[str, str] = {
    "AND": "Andalucía", "AR": "Aragón", "AS": "Asturias", "BAL": "Illes Balears", "CAN": "Cantabria",
    "CANT": "Cantabria", "ICAN": "Canarias", "CL": "Castilla y León", "CLM": "Castilla-La Mancha",
    "CAT": "Cataluña", "CV": "Comunitat Valenciana", "EXT": "Extremadura", "GAL": "Galicia", "M": "Madrid",
    "MU": "Murcia", "NA": "Navarra", "PV": "País Vasco", "LR": "La Rioja",
}  # fmt: skip
_PROVINCES: Mapping[str, str] = {
    "A": "Alicante", "AB": "Albacete", "AL": "Almería", "AV": "Ávila", "B": "Barcelona", "BA": "Badajoz",
    "BI": "Bizkaia", "BU": "Burgos", "C": "A Coruña", "CA": "Cádiz", "CC": "Cáceres", "CE": "Ceuta",
    "CO": "Córdoba", "CR": "Ciudad Real", "CS": "Castellón", "CU": "Cuenca", "GC": "Las Palmas",
    "GI": "Girona", "GR": "Granada", "GU": "Guadalajara", "H": "Huelva", "HU": "Huesca",
    "IB": "Illes Balears", "J": "Jaén", "L": "Lleida", "LE": "León", "LO": "La Rioja", "LU": "Lugo",
    "M": "Madrid", "MA": "Málaga", "ML": "Melilla", "MU": "Murcia", "NA": "Navarra", "O": "Asturias",
    "OU": "Ourense", "P": "Palencia", "PO": "Pontevedra", "S": "Cantabria", "SA": "Salamanca",
    "SE": "Sevilla", "SG": "Segovia", "SO": "Soria", "SS": "Gipuzkoa", "T": "Tarragona", "TE": "Teruel",
    "TF": "Santa Cruz de Tenerife", "TO": "Toledo", "V": "Valencia", "VA": "Valladolid", "VI": "Álava",
    "Z": "Zaragoza", "ZA": "Zamora",
}  # fmt: skip
_SEATS: Mapping[str, Mapping[str, str]] = {"TSJ": _REGIONS, "AP": _PROVINCES}
_UNION: Mapping[str, str] = {
    "C": "Tribunal de Justicia de la Unión Europea",
    "T": "Tribunal General de la Unión Europea",
    "F": "Tribunal de la Función Pública de la Unión Europea",
}
_NEUTRAL: Mapping[str, str] = {
    "UKSC": "Supreme Court of the United Kingdom",
    "UKHL": "House of Lords",
    "UKPC": "Judicial Committee of the Privy Council",
    "EWCA": "Court of Appeal of England and Wales",
    "EWHC": "High Court of England and Wales",
}
_REPORTERS: Mapping[str, str] = {
    "U.S.": "Supreme Court of the United States",
    "S. Ct.": "Supreme Court of the United States",
    "L. Ed.": "Supreme Court of the United States",
    "L. Ed. 2d": "Supreme Court of the United States",
    "F.": "United States Court of Appeals",
    "F.2d": "United States Court of Appeals",
    "F.3d": "United States Court of Appeals",
    "F.4th": "United States Court of Appeals",
    "F. Supp.": "United States District Court",
    "F. Supp. 2d": "United States District Court",
    "F. Supp. 3d": "United States District Court",
}
# The abbreviation or name at the beginning of a citation without a number ("SAN de 3 de mayo de 2019").
_WRITTEN = re.compile(
    r"\s*[SA]?(?:entencia|uto)?\s*(?:de la |del |de )?(?P<court>TC|TSJ|TS|AN|AP|Tribunal Constitucional|"
    r"Tribunal Supremo|Audiencia Nacional|Tribunal Superior de Justicia|Audiencia Provincial)\b",
    re.IGNORECASE | re.ASCII,
)
_YEAR_AFTER = re.compile(r"[/-](?P<year>(?:1[89]|20)[0-9]{2})\Z")
_SHORT_YEAR = re.compile(r":(?:C|T|SU|A)-[0-9]+/(?P<year>[0-9]{2})\Z")
_NEUTRAL_FORM = re.compile(r"GB:\[(?P<year>[0-9]{4})\](?P<court>[A-Z]+)")
_DATED = re.compile(r"(?P<year>(?:1[89]|20)[0-9]{2})-[0-9]{2}-[0-9]{2}")


def court_and_year(citation: Citation) -> CourtAndYear:
    """Return the court and year that the form of a citation of a judgment tells."""
    single = citation.canonical[0] if citation.canonical else ""
    return CourtAndYear(_court(citation, single), _year(citation, single))


def _court(citation: Citation, single: str) -> str | None:
    ecli = citation.ids.get("ecli", "").split(":")
    if len(ecli) == 5 and ecli[1] in ("ES", "EU"):
        return _UNION.get(ecli[2]) if ecli[1] == "EU" else _spanish(ecli[2], "")
    neutral = _NEUTRAL_FORM.match(single)
    if neutral:
        return next((name for code, name in _NEUTRAL.items() if neutral["court"].startswith(code)), None)
    if "reporter" in citation.ids:
        return _REPORTERS.get(citation.ids["reporter"])
    country, _, rest = single.partition(":")
    code, _, rest = rest.partition(":")
    if country == "EU":
        return _UNION.get(code[:1]) if code[1:2] in ("-", "") else None
    if country == "ES":
        return _spanish(code, rest.partition(":")[0] if rest.count(":") else "", citation.text)
    if country:
        return _COURTS.get(country, {}).get(code)
    written = _WRITTEN.match(citation.text) if citation.jurisdiction == "ES" else None
    if not written:
        return None
    return _COURTS["ES"].get(written["court"].upper(), written["court"])


def _spanish(code: str, seat: str, text: str = "") -> str | None:
    """Return the name of a Spanish court: `TSJCAT`, `APM` have the seat in the code, others beside it."""
    named = _COURTS["ES"].get(code)
    for kind, seats in _SEATS.items():
        place = seats.get(code.removeprefix(kind)) if code.startswith(kind) and code != kind else None
        if place:
            return f"{_COURTS['ES'][kind]} de {place}"
    if named is None or not seat or seat == "ROJ" or code in ("TS", "TC", "AN"):
        return named
    # A normal form is without accents; what was written has them.
    plain = seat.translate(str.maketrans("áéíóúüñç", "aeiouunc"))
    whole = re.search(_accented(plain), text, re.IGNORECASE)
    return f"{named} de {whole[0] if whole else seat}"


def _accented(word: str) -> str:
    classes = {"a": "[aáà]", "e": "[eéè]", "i": "[iíï]", "o": "[oóò]", "u": "[uúü]", "n": "[nñ]", "c": "[cç]"}
    return "".join(classes.get(letter, re.escape(letter)) for letter in word.lower())


def _year(citation: Citation, single: str) -> int | None:
    """Return the year of the decision, from its identifier or date; the year of a case number is another."""
    ecli = citation.ids.get("ecli", "").split(":")
    if len(ecli) == 5 and ecli[3].isdigit():
        return int(ecli[3])
    for text in (citation.ids.get("date", ""), single):
        dated = _DATED.search(text)
        if dated:
            return int(dated["year"])
    if "year" in citation.ids:
        return int(citation.ids["year"])
    neutral = _NEUTRAL_FORM.match(single)
    if neutral:
        return int(neutral["year"])
    if "rec" in citation.ids or single.startswith(("EU:C-", "EU:T-", "EU:F-", "CL:")):
        return None
    short = _SHORT_YEAR.search(single) if single.startswith("CO:") else None
    if short:
        # The Constitutional Court of Colombia has decided since 1992.
        year = int(short["year"])
        return 1900 + year if year >= 92 else 2000 + year
    after = _YEAR_AFTER.search(single)
    return int(after["year"]) if after else None
