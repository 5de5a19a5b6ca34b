"""Read dates as legal texts write them, in folded text."""

import re

from app.text.normalize import CITATIONS

_MONTHS = (
    ("enero", "january", "janvier", "januar", "gennaio", "janeiro", "januari", "stycznia"),
    ("febrero", "february", "fevrier", "februar", "febbraio", "fevereiro", "februari", "lutego"),
    ("marzo", "march", "mars", "marz", "marco", "maart", "marca"),
    ("abril", "april", "avril", "aprile", "kwietnia"),
    ("mayo", "may", "mai", "maggio", "maio", "mei", "maja"),
    ("junio", "june", "juin", "juni", "giugno", "junho", "czerwca"),
    ("julio", "july", "juillet", "juli", "luglio", "julho", "lipca"),
    ("agosto", "august", "aout", "augustus", "sierpnia"),
    ("septiembre", "setiembre", "september", "septembre", "settembre", "setembro", "wrzesnia"),
    ("octubre", "october", "octobre", "oktober", "ottobre", "outubro", "pazdziernika"),
    ("noviembre", "november", "novembre", "novembro", "listopada"),
    ("diciembre", "december", "decembre", "dezember", "dicembre", "dezembro", "grudnia"),
)
_NUMBER_OF = {name: index + 1 for index, names in enumerate(_MONTHS) for name in names}
# Abbreviations of several languages; they are dates only with a year behind them.
_SHORT = (
    ("jan", "janv", "gen", "ene"),
    ("feb", "fev", "fevr"),
    ("mar",),
    ("avr", "apr", "abr"),
    ("mag",),
    ("jun", "giu"),
    ("jul", "juil", "juill", "lug"),
    ("aug", "ago"),
    ("sep", "sept", "set"),
    ("oct", "okt", "ott", "out"),
    ("nov",),
    ("dec", "dez", "dic"),
)
_NUMBER_OF |= {name: index + 1 for index, names in enumerate(_SHORT) for name in names}

MONTH = "(?:" + "|".join(sorted({name for names in _MONTHS for name in names}, key=len, reverse=True)) + ")"
SHORT_MONTH = (
    "(?:" + "|".join(sorted({name for names in _SHORT for name in names}, key=len, reverse=True)) + r")\b\.?"
)
DAY = r"(?:\d{1,2}(?:\.?[ºo]|er|st|nd|rd|th)?|primero|uno)"
LONG = (
    rf"{DAY}\s{{1,3}}(?:(?:de|of|do)\s{{1,3}})?{MONTH}(?:,?\s{{1,3}}(?:(?:de|del|do)\s{{1,3}})?(?:1[5-9]|"
    rf"20)\d\d\b)?"
)
NUMERIC = r"\d{1,2}[./-]\d{1,2}[./-](?:1[5-9]|20)\d\d\b"

_LONG = re.compile(
    rf"(?P<day>\d{{1,2}}|primero|uno)(?:\.?[ºo]|\.|er|st|nd|rd|th)?\s{{1,3}}(?:(?:de|of|do)\s{{1,3}})"
    rf"?(?P<month>{MONTH}|{SHORT_MONTH}(?=,?\s{{1,3}}(?:del?\s{{1,3}})?(?:1[5-9]|20)\d\d))"
    r"(?:,?\s{1,3}(?:(?:de|del|do)\s{1,3})?(?P<year>(?:1[5-9]|20)\d\d))?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:[./-]|\.\s)(?P<month>\d{1,2})(?:[./-]|\.\s)(?P<year>(?:1[5-9]|20)\d\d)"
)


def read(folded: str) -> str | None:
    """Return the first date in `folded` as `YYYY-MM-DD`, or `--MM-DD` without a year, or `None`."""
    match = _LONG.search(folded)
    if match:
        word = match["day"].lower()
        day = 1 if word in ("primero", "uno") else int(word)
        month = _NUMBER_OF[match["month"].lower().rstrip(".")]
        return f"{match['year'] or '-'}-{month:02d}-{day:02d}"
    match = _NUMERIC.search(folded)
    if match:
        return f"{match['year']}-{int(match['month']):02d}-{int(match['day']):02d}"
    return None


def written_date(text: str) -> str | None:
    """Return the first date in `text`, as `read` gives it; the day may be one that no calendar has."""
    return read(CITATIONS.fold(text))
