"""Tell each part of a long document of the whole: its outline, its parties, the terms it defines. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.rules import Reading, defined_terms, meanings
from app.text.bilingual import Language, pick

# In characters: of all lines of a kind together, and of one of them.
_OUTLINE, _PARTIES, _TERMS = 8_000, 2_000, 6_000
_HEADING, _MEANING = 80, 240


def overview(reading: Reading, language: Language) -> str:
    """Return what a reader of one part must know of the whole, in the words of the document.

    `reading` is of the whole document, anonymised. What is too long for its share is cut at its end; of an
    outline, the inner levels are left out first.
    """
    shares = (
        (pick(language, "Esquema", "Outline"), _outline(reading), _OUTLINE),
        (pick(language, "Partes", "Parties"), _parties(reading), _PARTIES),
        (pick(language, "Términos definidos", "Defined terms"), _terms(reading), _TERMS),
    )
    return "\n\n".join(
        "\n".join([f"{label}:", *kept]) for label, lines, most in shares if (kept := _within(lines, most))
    )


def _outline(reading: Reading) -> list[str]:
    blocks = [(one, _one_line(one.quote, _HEADING)) for one in reading.facts.sections]
    for deepest in sorted({block.level for block, _ in blocks}, reverse=True):
        lines = [f"- {heading}" for block, heading in blocks if block.level <= deepest]
        if sum(len(line) + 1 for line in lines) <= _OUTLINE:
            return lines
    return [f"- {heading}" for block, heading in blocks if block.level == 1]


def _parties(reading: Reading) -> Iterator[str]:
    for party in reading.facts.parties:
        about = ", ".join(word for word in (party.role, party.identifier) if word)
        yield f"- {party.name}" + (f" ({about})" if about else "")


def _terms(reading: Reading) -> Iterator[str]:
    told: set[str] = set()
    source = reading.facts.source
    for term, span in (*meanings(source.text), *defined_terms(source.text)):
        if term.casefold() not in told:
            told.add(term.casefold())
            start, end = source.sentence(span.start)
            # A long sentence is told from a little before the term.
            start = max(start, span.start - _MEANING // 2)
            yield f"- {term}: {_one_line(source.text[start:end], _MEANING)}"


def _one_line(text: str, most: int) -> str:
    line = " ".join(text[: 2 * most].split("\n\n")[0].split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _within(lines: Iterable[str], most: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            kept.append("- …")
            break
        kept.append(line)
    return kept
