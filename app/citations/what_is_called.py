"""Tell what a text may call a statute or a recast text, and which articles are of a ruling itself."""

import re
from collections.abc import Sequence
from functools import cache

from app.citations.citation import Mention
from app.citations.name_index import by_norm
from app.text.normalize import CITATIONS

# "Del citado TUO", "del medesimo testo unico": the recast text that was named before.
RECAST_TEXT = re.compile(
    r"(?:TUO\b|T\.\s?U\.\s?O\.|[Tt]exto\s[Uu]nico(?:\s[Oo]rdenado)?\b|[Tt]esto\s[Uu]nico\b|"
    r"T\.\s?U\.(?!\s?[A-Z])|TU\b)"
)
_NAMED_SO = re.compile(
    rf"{RECAST_TEXT.pattern}[^.;:\n]{{0,60}}?\s(?:de\s(?:la\s)?|del\s|per\s(?:il|la|gli)\s|di\scui\sal\s|"
    r"por\s(?:el\s)?)?$"
)
# How far before a law the words stand that call it a recast text.
_NAMED_WITHIN = 110
_CODE_NAME = re.compile(r"C[oó]d(?:igo|ice)\b|Code\b", re.IGNORECASE)
_STATUTE_NAME = re.compile(r"(?:Ley|Lei|Loi|Legge)\b", re.IGNORECASE)
CONSTITUTION = re.compile(r":(?:CE|CN|CPR|CPEUM|CPol|CF|CRP|Const|GG|Cost)$")
_NUMBERED = re.compile(r"[A-Z]{2}(?:-[A-Z]{2})?:[a-z?]+:")
# "Artículo 1.- Declarar fundado el recurso": of the ruling itself, at the beginning of its line.
_OPERATIVE = re.compile(
    r"\s?[º°]?\s?\.?\s?-\s{0,2}(?:[A-Z][a-z]{0,14}[aei]r(?:se|lo|la)?|[A-Z][a-z]{2,14}[aei]se|"
    r"[A-Z]{1,14}[AEI]R(?:SE)?|[A-Z]{3,14}[AEI]SE)\b"
)


def is_named_code(noun: str) -> bool:
    """Tell whether a noun is that of a code ("Código", "Codice")."""
    return bool(_CODE_NAME.match(noun))


@cache
def is_called_code(norm: str) -> bool:
    """Tell whether a law with a number is named a code as well ("Código de … del Consumidor")."""
    entry = by_norm().get(norm)
    return entry is not None and any(_CODE_NAME.match(name) for name in entry.names)


@cache
def is_no_statute(norm: str) -> bool:
    """Tell whether no text calls a norm "the said Ley": a constitution, or a code without a number."""
    entry = by_norm().get(norm)
    names = [CITATIONS.fold(name) for name in entry.names] if entry and not _NUMBERED.match(norm) else []
    code = any(_CODE_NAME.match(name) for name in names)
    return bool(CONSTITUTION.search(norm)) or (code and not any(map(_STATUTE_NAME.match, names)))


@cache
def _is_italian_recast(norm: str) -> bool:
    entry = by_norm().get(norm) if norm.startswith("IT:") else None
    return entry is not None and any(RECAST_TEXT.search(CITATIONS.fold(name)) for name in entry.names)


def is_recast_text(folded: str, law: Mention) -> bool:
    """Tell whether a text names a law as a recast text: "TUO de la Ley N.° 27444", "testo unico bancario"."""
    if not law.norms:
        return False
    before = _NAMED_SO.search(folded, max(0, law.start - _NAMED_WITHIN), law.start)
    return bool(before or RECAST_TEXT.match(folded, law.start)) or _is_italian_recast(law.norms[0])


def is_operative(folded: str, start: int, end: int) -> bool:
    """Tell whether an article is one of the ruling that the text makes: "Artículo 1.- Declarar fundado"."""
    opens = start == 0 or folded[start - 1] == "\n"
    return opens and _OPERATIVE.match(folded, end) is not None


_SECTIONED = re.compile(r"GB:act:(?!.*-(?:regulations|order)-)")


def with_articles(antecedent: Mention, heard: Sequence[Mention]) -> Mention:
    """Return the law of an "Article" behind a British act, which has sections: the last that has articles."""
    if not antecedent.norms or not _SECTIONED.match(antecedent.norms[0]):
        return antecedent
    others = (one for one in reversed(heard) if one.norms and not _SECTIONED.match(one.norms[0]))
    return next(others, antecedent)


def up_to_name(words: str) -> str:
    """Return the name of a law up to its last word in capitals ("Ley de Puertos del"); "" where none is."""
    while words and not re.search(r"(?:^|\s)[A-Z][A-Za-z'-]*$", words):
        words = words[: words.rstrip().rfind(" ")].rstrip() if " " in words.strip() else ""
    return words if " " in words else ""
