"""Recognise numbers and dates of citations that are impossible, each with its reason (decision 016). Pure.

What no year and no court ever came near is not a matter of coverage: it is `not_found`, and the note says
why. The ceilings are far above the highest number known, so that a busy year never reaches them.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.citations import Citation, written_date
from app.corpus.notes.verdict_notes import day
from app.text import linear
from app.text.bilingual import Bilingual


@dataclass(frozen=True, slots=True)
class Series:
    """A series: its normal form, the year it began, and a number that none of its years came near."""

    form: str
    es: str
    en: str
    first: int
    ceiling: int


# Highest numbers known, of which the ceilings are a multiple: Supreme Court 6,000 judgments and 14,000 orders
# a year in the CENDOJ; Constitutional Court 420 and 1,500; Audiencia Nacional 6,500; Court of Justice 1,300
# cases; Colombian Constitutional Court 1,400; European acts 2,900; Royal Decrees 4,200. First years: of the
# courts' founding laws.
_SERIES = (
    Series(r"ES:TS(?::\d)?:(?:ROJ:)?(?P<number>\d+)/(?P<year>\d{4})",
           "el Tribunal Supremo", "the Supreme Court of Spain", 1812, 12_000),
    Series(r"ES:TS(?::\d)?:(?:ROJ:)?A(?P<number>\d+)/(?P<year>\d{4})",
           "el Tribunal Supremo (autos)", "the Supreme Court of Spain (orders)", 1812, 30_000),
    Series(r"ES:TC:(?P<number>\d+)/(?P<year>\d{4})",
           "el Tribunal Constitucional", "the Constitutional Court of Spain", 1981, 900),
    Series(r"ES:TC:A(?P<number>\d+)/(?P<year>\d{4})",
           "el Tribunal Constitucional (autos)", "the Constitutional Court of Spain (orders)", 1980, 3_000),
    Series(r"ES:AN(?::\d)?:(?:ROJ:)?A?(?P<number>\d+)/(?P<year>\d{4})",
           "la Audiencia Nacional", "the Audiencia Nacional", 1977, 20_000),
    Series(r"ES:(?:TSJ|AP|J)[A-Z]*(?::[^:]*)?:A?(?P<number>\d+)/(?P<year>\d{4})",
           "ese tribunal", "that court", 1834, 60_000),
    # The Court had fewer than 1,000 new cases in every year, the General Court fewer than 1,300.
    Series(r"EU:[CTF]-(?P<number>\d+)/(?P<year>\d{2,4})",
           "el Tribunal de Justicia de la Unión Europea",
           "the Court of Justice of the European Union", 1953, 1_500),
    Series(r"EU:[CTF]:(?P<year>\d{4}):(?P<number>\d+)",
           "el Tribunal de Justicia de la Unión Europea",
           "the Court of Justice of the European Union", 1953, 3_000),
    Series(r"CO:CC:(?:T|C|SU|A)-?(?P<number>\d+)[A-Z]?/(?P<year>\d{2,4})",
           "la Corte Constitucional de Colombia", "the Constitutional Court of Colombia", 1992, 3_000),
    Series(r"GB:\[(?P<year>\d{4})\]UKSC(?P<number>\d+)",
           "el Tribunal Supremo del Reino Unido", "the Supreme Court of the United Kingdom", 2009, 300),
    Series(r"GB:\[(?P<year>\d{4})\]EW(?:CA|HC)(?:Civ|Crim)?(?P<number>\d+)",
           "los tribunales de Inglaterra y Gales", "the courts of England and Wales", 2001, 12_000),
    Series(r"ES:DGT:V(?P<number>\d{4})-(?P<year>\d{2})",
           "la Dirección General de Tributos", "the Directorate General for Taxation", 1997, 10_000),
    Series(r"ES:TEA[CR]\d*:\d+/(?P<number>\d{5})/(?P<year>\d{4}).*",
           "los tribunales económico-administrativos",
           "the economic-administrative tribunals", 1924, 100_000),
    Series(r"ES:AEPD:\w+/(?P<number>\d{1,5})/(?P<year>\d{4})",
           "la Agencia Española de Protección de Datos", "the Spanish data protection agency", 1993, 100_000),
    Series(r"ES:AEPD:[ID](?P<number>\d+)/(?P<year>\d{4})",
           "la Agencia Española de Protección de Datos (informes)",
           "the Spanish data protection agency (reports)", 1993, 5_000),
    Series(r"ES:CE:[DI](?P<number>\d+)/(?P<year>\d{4})",
           "el Consejo de Estado", "the Council of State of Spain", 1845, 20_000),
    Series(r"ES:(?P<rank>ley|lo):(?P<number>\d+)/(?P<year>\d{4})",
           "esa serie de leyes", "that series of acts", 1808, 1_000),
    # Before 1990 legislative decrees bore the numbers of royal decrees: 1564/1989.
    Series(r"ES:(?P<rank>rdl|rdl\?):(?P<number>\d+)/(?P<year>\d{4})",
           "esa serie de normas con rango de ley",
           "that series of decrees with the force of law", 1900, 1_000),
    Series(r"ES:rdleg:(?P<number>\d+)/(?P<year>(?:199|2\d\d)\d)",
           "esa serie de normas con rango de ley",
           "that series of decrees with the force of law", 1900, 1_000),
    Series(r"ES:rd:(?P<number>\d+)/(?P<year>\d{4})",
           "la serie de reales decretos", "the series of royal decrees", 1808, 9_000),
    Series(r"EU:(?:reg|dir|dec):(?P<year>\d{4})/(?P<number>\d+)",
           "la serie de actos de la Unión", "the series of acts of the Union", 1952, 9_000),
    Series(r"CO:ley:(?P<number>\d+)/(?P<year>\d{4})",
           "la serie de leyes de Colombia", "the series of Colombian acts", 1821, 9_000),
)  # fmt: skip
_FORMS = tuple((linear.compile(one.form), one) for one in _SERIES)
# By the letters of their country: a form is asked those of its own alone.
_BY_COUNTRY = {
    country: tuple((form, one) for form, one in _FORMS if one.form.startswith(country))
    for country in {one.form[:3] for one in _SERIES}
}
_FIGURE = re.compile(r"\d")
# "CO:decreto:2591/1991" is of 1991: the year stands behind the number, in an ECLI or BOE number before it.
_YEAR_OF_FORM = linear.compile(
    r"(?:/|\[|:BOE-[A-Z]-)((?:1[5-9]|2[01])\d\d)(?:$|\]|-\d+$)|^[A-Z]{2}:[A-Z]+:((?:19|2[01])\d\d):\d+|"
    # "Rol 1.450-2031" of a court of Chile.
    r"^CL:[A-Z]+:[\d.]+-((?:19|2[01])\d\d)$"
)
_DATE_OF_FORM = linear.compile(r":(\d{4})-(\d{2})-(\d{2})(?:$|:)")
_YEAR_BEHIND = linear.compile(r":A?\d+/((?:1[89]|20)\d\d)$")
_CENTURY = 60


def impossible(citation: Citation, on: date) -> Bilingual | None:
    """Return why `citation` is impossible on the day asked about; `None` where nothing speaks against it."""
    dates = _dates(citation)
    return (
        _date(citation, dates)
        or _article(citation)
        or _number(citation)
        or _volume(citation)
        or _future(citation, dates, on)
    )


def _dates(citation: Citation) -> list[str]:
    """Return the dates of a citation, `YYYY-MM-DD` or `--MM-DD`."""
    found = [citation.ids.get("date", ""), written_date(citation.text) or ""]
    found += [
        "-".join(match.groups()) for form in citation.canonical for match in _DATE_OF_FORM.finditer(form)
    ]
    return [one for one in dict.fromkeys(found) if one]


def _date(citation: Citation, dates: Sequence[str]) -> Bilingual | None:
    """Return a note for a day that no calendar has."""
    for written in dates:
        year, month, of_month = written.rsplit("-", 2)
        number, wanted = int(month), int(of_month)
        # A date without its year is of the year that stands behind the number: 2207/2022, de 29 de febrero.
        of_year = year.strip("-") or _year_of_number(citation)
        common = of_year.isdigit() and not calendar.isleap(int(of_year))
        last = calendar.monthrange(2001 if common else 2000, number)[1] if 1 <= number <= 12 else 0
        if not 1 <= wanted <= last:
            shown = f"{wanted}/{number}" + (f"/{of_year}" if of_year else "")
            return Bilingual(
                f"Fecha imposible: el {shown} (día/mes) no existe en el calendario; ninguna norma o "
                f"resolución puede "
                f"llevarla.",
                f"Impossible date: {shown} (day/month) does not exist.",
            )
    return None


def _year_of_number(citation: Citation) -> str:
    """Return the year behind the number of one decision; "" of a norm: the registry knows its date."""
    one = citation.kind == "L2-J" and len(citation.canonical) == 1
    found = _YEAR_BEHIND.search(citation.canonical[0]) if one else None
    return found[1] if found else ""


def _article(citation: Citation) -> Bilingual | None:
    """Return a note for an article, paragraph or section numbered zero."""
    if "0" in citation.articles:
        return Bilingual(
            "Número inverosímil: los artículos se numeran desde el 1; no existe un artículo 0.",
            "Implausible number: articles are numbered from 1; there is no article 0.",
        )
    if any("0" in division.values for named in citation.divisions for division in named):
        return Bilingual(
            "Número inverosímil: los apartados se numeran desde el 1; no existe un apartado 0.",
            "Implausible number: paragraphs are numbered from 1; there is no paragraph 0.",
        )
    return None


def _full(year: str, on: date) -> int:
    if len(year) == 4:
        return int(year)
    return int(year) + (1900 if int(year) >= _CENTURY else 2000)


def _in_series(form: str) -> Iterator[tuple[Any, Series]]:
    """Yield the series that a normal form is of, with the match that tells its number and year."""
    # Each has figures in its form, which the key of a code ("ES:CC") has not.
    for expression, series in _BY_COUNTRY.get(form[:3], ()) if _FIGURE.search(form) else ():
        match = expression.fullmatch(form)
        if match:
            yield match, series


def _number(citation: Citation) -> Bilingual | None:
    """Return a note for a number that the series never came near, or a year before it began."""
    for form in (citation.norm,) if citation.norm else citation.canonical:
        for match, series in _in_series(form):
            number, year = int(match["number"]), _full(match["year"], date.max)
            if number == 0:
                return Bilingual(
                    f"Número inverosímil: {series.es} numera desde el 1; no existe el número 0.",
                    f"Implausible number: {series.en} counts from 1; there is no number 0.",
                )
            if number > series.ceiling:
                return Bilingual(
                    f"Número inverosímil: {series.es} no ha llegado ningún año ni de lejos al número "
                    f"{number}.",
                    f"Implausible number: no year of {series.en} came close to number {number}.",
                )
            if year < series.first:
                return Bilingual(
                    f"Año inverosímil: {series.es} no existía en {year} (su primer año es {series.first}).",
                    f"Implausible year: {series.en} did not exist in {year} (its first year is "
                    f"{series.first}).",
                )
    return None


# Reporters that ended, with their last volume: a later one was never printed (Bluebook, table T1).
_LAST_VOLUMES = {
    "F.": 300, "F.2d": 999, "F.3d": 999, "F. Supp.": 999, "F. Supp. 2d": 999, "L. Ed.": 100, "Cal. 2d": 71,
    "Cal. 3d": 54, "Cal. App. 2d": 276, "Cal. App. 3d": 235, "N.Y.2d": 100, "A.D.2d": 309, "A.2d": 999,
    "N.E.2d": 999, "N.W.2d": 999, "P.2d": 999, "S.E.2d": 999, "S.W.2d": 999, "So. 2d": 999,
}  # fmt: skip


def _volume(citation: Citation) -> Bilingual | None:
    """Return a note for a volume beyond the last of a reporter that ended."""
    reporter, volume = citation.ids.get("reporter", ""), citation.ids.get("volume", "")
    last = _LAST_VOLUMES.get(reporter)
    if last is None or not volume.isdigit() or int(volume) <= last:
        return None
    return Bilingual(
        f"Volumen inverosímil: la colección {reporter} terminó en el volumen {last}; no existe el {volume}.",
        f"Implausible volume: {reporter} ended with volume {last}; there is no volume {volume}.",
    )


def _future(citation: Citation, dates: Sequence[str], on: date) -> Bilingual | None:
    """Return a note for a year or day in the future."""
    for written in dates:
        if written[:4].isdigit() and date.fromisoformat(written) > on:
            return _later(citation, day(date.fromisoformat(written)), written, on)
    years = [int(citation.ids["year"])] if citation.ids.get("year", "").isdigit() else []
    for form in (citation.norm,) if citation.norm else citation.canonical:
        matched = next(_in_series(form), None)
        if matched:
            years.append(_full(matched[0]["year"], on))
        elif found := _YEAR_OF_FORM.search(form):
            years.append(int(found[1] or found[2] or found[3]))
    late = next((year for year in years if year > on.year), None)
    return _later(citation, str(late), str(late), on) if late else None


def _later(citation: Citation, es: str, en: str, on: date) -> Bilingual:
    judgment = citation.kind == "L2-J"
    what, what_en = ("La resolución", "The decision") if judgment else ("La norma", "The norm")
    return Bilingual(
        f"Fecha inverosímil: {what[0].lower()}{what[1:]} sería de {es}, posterior a la fecha consultada "
        f"({day(on)}).",
        f"Implausible date: {what_en[0].lower()}{what_en[1:]} would be of {en}, later than the date asked "
        f"about "
        f"({on.isoformat()}).",
    )
