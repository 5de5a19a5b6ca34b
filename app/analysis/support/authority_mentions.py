"""Find where a claim names its authorities, however it writes them. Pure.

A model lists "Cal. Com. Code § 2718(2)" and writes "section 2718(2) of the California Commercial Code", or
"(LPCDIA 1998 s. 8(2))". What is left of such a name would be read as words that the law must explain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

NAMED: Final = " lexcit "
_WORD: Final = r"(?:art(?:[íi]culos?|icles?|icoli|icolo|s?\.)|sections?|secci[óo]n|ss?\.|§{1,2})"
_PLACES: Final = (
    r"(?:(?:\s?,)?\s?(?:\([a-z0-9]{1,4}\)|[a-z]\)|\.\d{1,3}|\.[a-z]\)?(?![a-z])|[Aa]bs(?:atz|\.)\s?\d{1,2}))*"
)
_MENTION: Final = re.compile(
    rf"(?:\b|(?<=§)|(?=§)){_WORD}\s?(?P<number>\d{{1,5}}[a-z]?)(?![\d%/])"
    rf"(?:\s(?:bis|ter|qu[áa]ter|quinquies)\b)?{_PLACES}",
    re.IGNORECASE,
)
# "Of the California Commercial Code", "del Código Civil", "BGB": the law, behind the number.
_LAW: Final = re.compile(
    r"(?:\s(?:del?|de la|de los|of|of the|della|dello|des|der))?"
    r"(?:\s(?:the|la|el)\b)?"
    r"(?:\s(?:(?:de|del|de la|de los|of|of the|and|y|e)\s)?[A-ZÁÉÍÓÚ][\w.'’áéíóúñ-]*(?:\s\d{4}\b"
    r"|\s\d{1,3}/\d{4}\b)?)+"
)
_BRACKETS: Final = re.compile(r"\((?:[^()]|\([^()]{0,8}\)){3,110}\)")
# "La sentencia del Tribunal Supremo 747/2022, de 20 de septiembre": of several in a row, each its own.
_DECISION: Final = re.compile(
    r"\b(?:sentencias?|autos?|judgments?|orders?|STS|ATS|STC"
    r"|SSTS)\b[^.;,()\d]{0,60}?(?P<number>\d{1,5}/\d{4})"
    r"(?:,? (?:de|of) \d{1,2} (?:de |of )?[a-z]{3,10}(?:,? (?:de |of )?\d{4})?)?",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"\d{1,5}/\d{4}")
_PAPERS: Final = re.compile(
    r"\s(?:del?|of)\s(?:(?:este|esta|the|this|that|presente|propio)\s)?"
    r"(?:contrat\w*|convenio|acuerdo|pliego|estatutos|reglamento|contract|agreement|lease|articles)\b"
)
_DIGITS: Final = re.compile(r"\d{1,5}[a-z]?(?![\d/])")


def with_authorities(text: str, citations: Sequence[str]) -> str:
    """Return a text in which each mention of one of its authorities is written `lexcit`.

    Args:
        text: what a statement says.
        citations: how it lists its authorities.
    """
    for written in sorted(citations, key=len, reverse=True):
        text = text.replace(written, NAMED)
    decisions = {found for written in citations for found in _NUMBERED.findall(written)}
    if decisions:
        text = _DECISION.sub(lambda one: NAMED if one["number"] in decisions else one[0], text)
    numbers = {found.lower() for written in citations for found in _DIGITS.findall(written)}
    if not numbers:
        return text
    text = _BRACKETS.sub(lambda found: f"({NAMED})" if _names(found[0], numbers) else found[0], text)
    at, parts = 0, []
    for found in _MENTION.finditer(text):
        if found.start() < at or found["number"].lower() not in numbers:
            continue
        if _PAPERS.match(text, found.end()):
            continue  # "article 9 of this contract"
        law = _LAW.match(text, found.end())
        parts += [text[at : found.start()], NAMED]
        at = law.end() if law else found.end()
    return "".join((*parts, text[at:]))


def _names(bracket: str, numbers: set[str]) -> bool:
    """Tell whether what stands in brackets names an authority and says nothing else."""
    inner = bracket[1:-1]
    found = next((one for one in _MENTION.finditer(inner) if one["number"].lower() in numbers), None)
    if found is None:
        return False
    rest = inner[: found.start()] + inner[found.end() :]
    return not re.search(r"\b[a-záéíóúñ]{5,}", rest)
