"""Read dates as legal texts write them, in folded text."""

import re

from app.text.normalize import CITATIONS

_MONTHS = (
    ("enero", "january", "janvier", "januar", "gennaio", "janeiro"),
    ("febrero", "february", "fevrier", "februar", "febbraio", "fevereiro"),
    ("marzo", "march", "mars", "marz", "marco"),
    ("abril", "april", "avril", "aprile"),
    ("mayo", "may", "mai", "maggio", "maio"),
    ("junio", "june", "juin", "juni", "giugno", "junho"),
    ("julio", "july", "juillet", "juli", "luglio", "julho"),
    ("agosto", "august", "aout"),
    ("septiembre", "setiembre", "september", "septembre", "settembre", "setembro"),
    ("octubre", "october", "octobre", "oktober", "ottobre", "outubro"),
    ("noviembre", "november", "novembre", "novembro"),
    ("diciembre", "december", "decembre", "dezember", "dicembre", "dezembro"),
)
_NUMBER_OF = {name: index + 1 for index, names in enumerate(_MONTHS) for name in names}

MONTH = "(?:" + "|".join(sorted(_NUMBER_OF, key=len, reverse=True)) + ")"
DAY = r"(?:\d{1,2}(?:\.?[ºo]|er|st|nd|rd|th)?|primero|uno)"
LONG = (
    rf"{DAY}\s{{1,3}}(?:(?:de|of|do)\s{{1,3}})?{MONTH}(?:,?\s{{1,3}}(?:(?:de|del|do)\s{{1,3}})?(?:1[5-9]|"
    rf"20)\d\d\b)?"
)
NUMERIC = r"\d{1,2}[./-]\d{1,2}[./-](?:1[5-9]|20)\d\d\b"

_LONG = re.compile(
    rf"(?P<day>\d{{1,2}}|primero|uno)(?:\.?[ºo]|\.|er|st|nd|rd|th)?\s{{1,3}}(?:(?:de|of|do)\s{{1,3}})"
    rf"?(?P<month>{MONTH})"
    r"(?:,?\s{1,3}(?:(?:de|del|do)\s{1,3})?(?P<year>(?:1[5-9]|20)\d\d))?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(r"(?P<day>\d{1,2})[./-](?P<month>\d{1,2})[./-](?P<year>(?:1[5-9]|20)\d\d)")


def read(folded: str) -> str | None:
    """Return the first date in `folded` as `YYYY-MM-DD`, or `--MM-DD` without a year, or `None`."""
    match = _LONG.search(folded)
    if match:
        word = match["day"].lower()
        day = 1 if word in ("primero", "uno") else int(word)
        month = _NUMBER_OF[match["month"].lower()]
        return f"{match['year'] or '-'}-{month:02d}-{day:02d}"
    match = _NUMERIC.search(folded)
    if match:
        return f"{match['year']}-{int(match['month']):02d}-{int(match['day']):02d}"
    return None


def written_date(text: str) -> str | None:
    """Return the first date in `text`, as `read` gives it; the day may be one that no calendar has."""
    return read(CITATIONS.fold(text))
