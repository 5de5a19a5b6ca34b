"""Read decisions of other countries: court, kind, chamber, date and number in the order that lawyers choose.

What differs between countries is vocabulary, not structure: `Judiciary` names the courts, the words for a
decision and the form of its number. Works on folded text (`normalize.CITATIONS`); a citation begins at a
court or at a word for a decision and takes what follows, part by part, up to a fixed number of parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from app.citations import dates, prefilter
from app.citations.citation import Finding

_PARTS = 12
# A word for decisions of more than one court ("Súmula 331 do TST"); a court behind it says which.
ANY_COURT = "~"
_MOST_NUMBERS = 12
_LINKING = (
    r"(?:(?:du|de\s?la|de\sl'|del|della|dell'|dello|dei|do|da|dos|das|d'|des|der|dem|de|vom|v\.|"
    r"van\sde|van|von|of\sthe|"
    r"of|dated|in\sdata|data(?:da|do|ta)?|rendue?\spar|proferid[oa]\spel[oa]|emitid[ao]\spor|dictad[ao]\spor|"
    r"por|em|on|il|la|le|el|z\sdnia|z|r\.)(?:\s{1,2}|(?<=[.'])))"
)
_GAP = re.compile(rf"[\s,(\[:-]{{0,4}}(?:{_LINKING}{{1,2}}[\s,(:]{{0,3}})?", re.IGNORECASE)
_CHAMBER = re.compile(
    r"(?:(?:\d{1,2}(?:re|e|eme|er|de|a|o|[ºª])\s(?:et\s\d{1,2}(?:re|e|eme)\s)?)?(?:ch(?:ambre)?s?"
    r"\.?(?:\sreunies|"
    r"\s(?:soc|civ|com|crim)\.|\s\d{1,2}(?=,))?(?:\s[A-H](?=,))?|"
    r"civ(?:ile)?\.?|soc(?:iale)?\.?|com(?:merciale)?\.?|"
    r"crim(?:inelle)?\.?|ass(?:emblee)?\.?|sect(?:ion)?\.?|chambres?\sreunies|plen(?:iere)?\.?|mixte|"
    r"formation|"
    r"pole\s\d{1,2}|req(?:uetes)?\.?|sous-sections?\sreunies|QPC)\b\.?"
    r"|(?:sez(?:ione)?|sezioni)\.?\s?(?:[IVX]{1,4}|un(?:ite)?\.?|lav(?:oro)?\.?|trib(?:utaria)?\.?|"
    r"civ(?:ile)?\.?|"
    r"pen(?:ale)?\.?|fall\.?|\d(?:[ºª])?)(?:[\s-]?(?:civ|pen|bis|ter|quater)\.?)?|S\.?\s?U\.?(?!\w)|"
    r"SS\.?\s?UU\.?(?!\w)|(?:civ|"
    r"pen|lav|trib|ord)\.|"
    r"(?:civile|penale|lavoro)\b"
    r"|(?:\d{1,2}[.ºª]{1,2}\s?)?(?:seccao|secao|turma|juizo|camara)\b(?:\s(?:civel|criminal|social|"
    r"[IVX]{1,4}))?"
    r"|(?:\d{1,2}\.|[IVX]{1,5}\.?|Gro[sS]er)\s?(?:Zivil|Straf)?senat(?:s)?"
    r"|Sala\s(?:(?:de\slo\s|de\s|de\sla\s)?(?:Civil|Penal|Laboral|Social|Constitucional|"
    r"Politico\W?Administrativa|"
    r"Plena|Contencios[oa][\w-]{0,16}|Casacion\s[A-Z][a-z]+|Electoral)(?:\sy\s[A-Z][a-z]+)?|Primera|"
    r"Segunda|Tercera|"
    r"Cuarta|[A-Z]\b|[IVX]{1,4}\b)|(?:Primera|Segunda|Tercera)\sSala|Secc(?:ion|\.)?\s(?:Primera|Segunda|"
    r"Tercera|Cuarta|"
    r"Quinta|[IVX]{1,4})(?:,?\sSubseccion\s[A-Z]\b)?|(?-i:S[CLP])(?=,)|sent(?:encia)?\.?\s?def\.?|Pleno\b|"
    r"en\sbanc)",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"(?:\d{{1,2}}(?:\.?[ºo]|er|\.)?\s{{1,2}}(?:(?:de|of)\s{{1,2}})?(?:{dates.MONTH}|"
    rf"{dates.SHORT_MONTH}),?\s{{1,2}}"
    rf"(?:(?:de|del)\s{{1,2}})?(?:1[6-9]|20)\d\d|{dates.NUMERIC}|\d{{1,2}}\.\s\d{{1,2}}\.\s(?:19|20)\d\d|"
    rf"(?:19|20)\d\d-\d{{2}}-\d{{2}}|(?:{dates.MONTH})\s\d{{1,2}},\s(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CASE_NAME = re.compile(r"\s?[,-]\s{1,2}[A-Z][^,;()\n]{1,60}[,-]\s{1,2}")
NO = r"n(?:ros?|rs?|os?|um|umeros?)?\.?\s?[ºo°]?s?\.?\s?"
_AND = r"\s{0,2}(?:,|;|/|&|\bet\b|\be\b|\bund\b|\band\b|\by\b)\s{0,2}"


@dataclass(frozen=True)
class Judiciary:
    """The courts of one country and how they are cited.

    `courts` pairs expressions with the codes of normal forms; `kinds` are words for a decision that may open
    a citation, `labels` what stands before a number, `numbers` its form. A number without a label counts
    where `bare` matches it, and needs no court where `strong` does. `where` limits the country's forms to
    documents of those jurisdictions; courts of `own` are read in documents of `country` alone, since
    elsewhere their letters mean something else.
    """

    country: str
    courts: tuple[tuple[str, str], ...]
    kinds: str
    labels: str
    numbers: str
    bare: str
    own: tuple[tuple[str, str], ...] = ()
    where: tuple[str, ...] | None = None
    strong: str = "a^"
    narrow: bool = False  # the citation is the number with its label, as the country's lawyers write it
    priority: int = 50
    number: Callable[[str, str], str] = field(default=lambda written, date: plain_number(written))

    @cached_property
    def anchor(self) -> prefilter.Grammar:
        """Where a citation may begin in a document of the country."""
        return self._anchored(self.courts + self.own)

    @cached_property
    def anchor_abroad(self) -> prefilter.Grammar:
        """Where a citation may begin in a document of another country."""
        return self._anchored(self.courts)

    def _anchored(self, courts: tuple[tuple[str, str], ...]) -> prefilter.Grammar:
        heads = "|".join((*(pattern for pattern, _ in courts), self.kinds))
        return prefilter.compile(rf"(?:^|[^A-Za-z0-9])({heads})(?:$|[^A-Za-z0-9])")

    @cached_property
    def _expressions(self) -> dict[str, Any]:
        return {
            "kind": re.compile(rf"(?:{self.kinds})(?![A-Za-z])"),
            "label": re.compile(rf"(?:{self.labels})\s{{0,2}}", re.IGNORECASE),
            "number": re.compile(rf"(?:{self.numbers})(?![A-Za-z0-9/])"),
            "bare": re.compile(rf"(?:{self.bare})(?![A-Za-z0-9/])"),
            "strong": re.compile(rf"(?:{self.strong})(?![A-Za-z0-9/])"),
        }

    @cached_property
    def _courts(self) -> tuple[tuple[Any, str, bool], ...]:
        return tuple(
            (re.compile(rf"(?:{pattern})(?![A-Za-z])"), code, code_pair in self.own)
            for code_pair in self.own + self.courts
            for pattern, code in (code_pair,)
        )

    def read(self, folded: str, start: int, at_home: bool) -> Finding | None:
        """Return the decision cited at `start`, if one is."""
        pos, end, court, dated = start, start, "", ""
        numbers: list[str] = []
        by_strong, narrowed = False, (start, start)
        for part in range(_PARTS):
            gap = _GAP.match(folded, pos) if part else None
            tries = sorted(
                {pos, *((gap.end(), pos + len(gap[0]) - len(gap[0].lstrip(" ,(:[-"))) if gap else ())}
            )
            step = next(
                filter(None, (self._part(folded, at, court, at_home) for at in reversed(tries))), None
            )
            if step is None and dated and not numbers:
                step = self._named(folded, pos)
            if step is None:
                break
            what, after, value = step
            if what == "court":
                court, end = value, after
            elif what == "date" and not dated:
                dated, end = value, after
            elif what == "number" and not numbers:
                numbers, after = self._numbers(folded, after, value)
                narrowed = (self._label_start(folded, pos, after - len(value)), after)
                by_strong = bool(self._expressions["strong"].fullmatch(value))
                end = after
            elif what in ("date", "number"):
                break
            pos = after
        if not (court or by_strong) or not (numbers or dated):
            return None
        if folded[end : end + 1] == ")" and folded.count("(", start, end) > folded.count(")", start, end):
            end += 1
        date = dates.read(dated) or "" if dated else ""
        court = "" if court == ANY_COURT else court
        forms = tuple(
            f"{self.country}:{court + ':' if court else ''}{self.number(one, date)}" for one in numbers
        )
        ids = ({"date": date} if date else {}) | ({} if numbers else {"unnumbered": "1"})
        if self.narrow and numbers:
            start, end = narrowed
        # "Cass. civ., n. 13533" is of the document's country; "Cass. com., n° 93-18.632" tells its own.
        priority = self.priority + (0 if at_home else 1 if by_strong else -1)
        return Finding(start, end, "L2-J", self.country, forms, ids=ids, priority=priority if numbers else 42)

    def _part(self, folded: str, pos: int, court: str, at_home: bool) -> tuple[str, int, str] | None:
        if not court or court == ANY_COURT:
            for pattern, code, own in self._courts:
                match = None if own and not at_home else pattern.match(folded, pos)
                if match and code != court:
                    return "court", match.end(), code
        date = _DATE.match(folded, pos)
        if date:
            return "date", date.end(), date[0]
        label = self._expressions["label"].match(folded, pos)
        number = self._expressions["number"].match(folded, label.end()) if label else None
        number = number or self._expressions["bare"].match(folded, pos)
        if number:
            return "number", number.end(), number[0]
        for name, pattern in (("kind", self._expressions["kind"]), ("chamber", _CHAMBER)):
            match = pattern.match(folded, pos)
            if match and match.end() > pos:
                return name, match.end(), match[0]
        return None

    def _label_start(self, folded: str, pos: int, number: int) -> int:
        """Return where the number with its label begins."""
        return next((at for at in range(pos, number) if folded[at].isalpha()), number)

    def _named(self, folded: str, pos: int) -> tuple[str, int, str] | None:
        """Return the number behind the name of a case ("CE, 19 mai 1933, Benjamin, n° 17413")."""
        name = _CASE_NAME.match(folded, pos)
        label = self._expressions["label"].match(folded, name.end()) if name else None
        number = self._expressions["number"].match(folded, label.end()) if label else None
        return ("number", number.end(), number[0]) if number else None

    def _numbers(self, folded: str, pos: int, first: str) -> tuple[list[str], int]:
        """Return a list of numbers whose first one ended at `pos`."""
        found = [first]
        while len(found) < _MOST_NUMBERS:
            joined = re.compile(_AND).match(folded, pos)
            if not joined or joined[0].strip() == ";":
                break
            label = self._expressions["label"].match(folded, joined.end())
            at = label.end() if label else joined.end()
            more = self._expressions["number" if label else "bare"].match(folded, at)
            if not more:
                break
            found.append(more[0])
            pos = more.end()
        return found, pos

    def decisions(self, folded: str, jurisdiction: str) -> Iterator[Finding]:
        """Yield the decisions of the country's courts that a document of `jurisdiction` cites."""
        if self.where is not None and jurisdiction not in self.where:
            return
        at_home = jurisdiction == self.country
        last = 0
        for match in (self.anchor if at_home else self.anchor_abroad).finditer(folded):
            start = match.start(1)
            if start < last:
                continue
            found = self.read(folded, start, at_home)
            if found:
                last = found.end
                yield found


def plain_number(written: str) -> str:
    """Return a number with single spaces."""
    return re.sub(r"\s+", " ", written).strip()


# A place of a court: "Frankfurt a. M.", "Reggio Emilia".
PLACE = (
    r"[A-Z][A-Za-z'-]{1,20}(?:\sa\.\s?M\.|\sam\sMain|[\s/-](?:sur\s|en\s|ed\s)?[A-Z][a-z]{2,20}|"
    r",\s(?:Roma|Milano|"
    r"Napoli|Torino|Bari))?"
)
