"""Collect the facts of a document: parties, dates, amounts, deadlines and sections.

Invariant: every fact quotes the document literally, `text[fact.start:fact.end] == fact.quote`; reading never
raises, whatever the text, and takes time proportional to its length.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from app.rules.draft import Family
from app.rules.facts.evidence import LIMIT, passage
from app.rules.facts.money.amounts import Amount, extract_amounts
from app.rules.facts.people.parties import Party, extract_parties
from app.rules.facts.sections import Block, split_sections
from app.rules.facts.time.dates import DateMention, extract_dates
from app.rules.facts.time.deadlines import Deadline, extract_deadlines
from app.text.bilingual import Language
from app.text.sentences import FoldedText


@dataclass(frozen=True, slots=True)
class Facts:
    """What a document states, each list in order of appearance. `document_language` is its main language."""

    parties: tuple[Party, ...]
    dates: tuple[DateMention, ...]
    amounts: tuple[Amount, ...]
    deadlines: tuple[Deadline, ...]
    sections: tuple[Block, ...]
    document_language: Language
    source: FoldedText = field(repr=False, compare=False)

    def dated(self, family: Family) -> str | None:
        """Return the day of the document itself (YYYY-MM-DD), as far as it is stated.

        A contract opens with its date. A pleading, a letter or an act tells of earlier ones: its own is the
        last.
        """
        signatures = [item.iso for item in self.dates if item.role == "signature" and item.iso]
        if not signatures:
            return None
        return max(signatures) if family in ("pleading", "letter", "act") else signatures[0]

    def governed(self, family: Family, asked_on: date | None = None) -> str | None:
        """Return the day (YYYY-MM-DD) from which the document is carried out, as far as it is stated.

        It is its own day or, of an agreement that begins later, the first day of that. A document that states
        no day has that of the request, `asked_on`, where it is known.
        """
        dated = self.dated(family) or (asked_on.isoformat() if asked_on is not None else None)
        if dated is None or family != "contract":
            return dated
        begins = [item.iso for item in self.dates if item.role == "start" and item.iso]
        return max([dated, *begins[:1]])

    def passage(self, fact: Party | DateMention | Amount | Deadline, limit: int = LIMIT) -> str:
        """Return the words that carry `fact`, to be quoted.

        They are of its sentence, some `limit` characters at most.
        """
        start, end = passage(self.source, fact.start, fact.end, limit)
        return self.source.text[start:end]


def extract_facts(text: str, jurisdiction: str = "ES") -> Facts:
    """Read `text` (anonymised: identifiers are placeholders such as `[ES_DNI_1]`) under `jurisdiction`.

    `jurisdiction` (ISO 3166-1 alpha-2) settles what "$" and "pesos" mean, and whether a last day may be
    computed under Spanish law. Never raises.
    """
    source = FoldedText(text, jurisdiction)
    dates = extract_dates(source)
    sections = split_sections(source)
    return Facts(
        parties=extract_parties(source),
        dates=dates,
        amounts=extract_amounts(source, sections),
        deadlines=extract_deadlines(source, dates, sections),
        sections=sections,
        document_language=source.language,
        source=source,
    )
