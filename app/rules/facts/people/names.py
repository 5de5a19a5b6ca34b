"""Find names of people and companies: after titles, before legal forms, behind labels.

Partial by design: a name that nothing marks as one is not found, and capitals alone make no name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.rules.facts.keyword_index import table, vocabulary
from app.text.expressions import compiled
from app.text.sentences import FoldedText, fold

NameKind = Literal["person", "company"]

_WORDS: Final[dict[str, Any]] = table("roles.toml")["names"]
_ROLES: Final = vocabulary("roles.toml", "roles")
# A part in the contract, as a pattern over folded text: "parte compradora", "tenant".
ROLE_WORDS: Final = "(?:parte )?(?:" + "|".join(words for _, words in _ROLES) + ")"

_CAPITAL: Final = r"[A-Z][A-Za-z'.-]*"
_PARTICLE: Final = r"(?:de|del|la|las|los|y|i|e|da|do|dos|van|von|der|DE|DEL|LA|LAS|LOS|Y|I|E|San|MC)"
_NAME: Final = rf"{_CAPITAL}(?:\s{{1,2}}(?:{_PARTICLE}\s{{1,2}}){{0,3}}{_CAPITAL}){{0,5}}"
_PLACEHOLDER: Final = r"\[PERSON_\d+\]"
TITLE: Final = "(?:" + "|".join(_WORDS["titles"]) + ")"
_HONORIFIC: Final = compiled(rf"(?:^|[^A-Za-z0-9.])(?:{TITLE}[ \n]{{1,3}}){{1,2}}")
_TITLE_HERE: Final = compiled(rf"^(?:{TITLE}[ \n]{{1,3}}){{1,2}}")
_NAME_HERE: Final = compiled(rf"^({_PLACEHOLDER}|{_NAME})")
_MASKED: Final = compiled(_PLACEHOLDER)
_SUFFIX: Final = compiled(r"(?:[\s,]|\*\*)(?:" + "|".join(_WORDS["legal_forms"]) + r")(?:[^A-Za-z0-9]|$)")
_BODY: Final = compiled(
    r"(?:^|[^A-Za-z])((?:"
    + "|".join(_WORDS["bodies"])
    + rf")(?:\s(?:{_PARTICLE}\s){{0,3}}{_CAPITAL}){{1,6}})"
)
_LABEL: Final = compiled(
    rf"(?:^|\n|[.;|] )[ *#|_-]{{0,6}}(?:el |la |the |datos del? |nombre del? )?({ROLE_WORDS})(?:\(a\)|/a)?"
    r"(?:[ *_]{0,3}[:|][ *_|]{0,4}| {1,4}-{1,2} {1,4})"
)
_OPENERS: Final = compiled(
    r"(?:de (?:una|(?:la )?otra) parte(?: y)? ?[,:]?|de (?:una|(?:la )?otra)(?: y)? ?[,:]|\by de (?:la )?otra"
    r"|por una parte,?|por la otra(?: parte)?,?|\breunidos:?"
    r"|\bentre(?: los suscritos)?(?:,? a saber)?:?|\bbetween:?|\band:?|\(\d\)) {1,4}"
    r"(?:(?:como|en (?:su )?calidad de) (?:la )?(?:parte )?[a-z]{4,20},? )?"
)
_ENDING: Final = frozenset(_WORDS["ending"])
_LEADING: Final = frozenset(_WORDS["leading"])
_TITLES: Final = frozenset(
    [
        "d",
        "dª",
        "dna",
        "don",
        "dona",
        "dn",
        "sr",
        "sra",
        "srta",
        "mr",
        "mrs",
        "ms",
        "miss",
        "dr",
        "dra",
        "c",
        "lic",
        "ing",
    ]
)
_LINKS: Final = frozenset(("y", "e", "de", "del", "la", "las", "los", "and", "of", "&", "i"))
_REACH_OF_NAME: Final = 110
_WRAP: Final = 55  # a line shorter than this was ended on purpose
_OPENING_PART: Final = 12_000  # parties are presented on the first pages


@dataclass(frozen=True, slots=True)
class Mention:
    """One name at `start:end`. `role_span` is its label, if any; `opened` says it is presented as a party."""

    start: int
    end: int
    kind: NameKind
    role_span: tuple[int, int] | None = None
    opened: bool = False


def find_names(source: FoldedText) -> list[Mention]:
    """Return every name that stands where a document names people and companies.

    They come in order and do not overlap.
    """
    found = [*_labelled(source), *_companies(source), *_people(source), *_opened(source)]
    found.sort(key=lambda item: (item.start, -item.end))
    kept: list[Mention] = []
    for item in found:
        if kept and item.start < kept[-1].end:
            last = kept[-1]
            if item.role_span or item.opened or (item.kind == "company" and last.kind == "person"):
                kept[-1] = Mention(
                    last.start if last.kind == item.kind else item.start,
                    # A legal form ends a name: "Lakeside Care Ltd. Employee" is a name and the next label.
                    max(last.end, item.end) if last.kind == item.kind
                    else item.end if item.kind == "company" else last.end,
                    "company" if "company" in {item.kind, last.kind} else "person",
                    last.role_span or item.role_span, last.opened or item.opened,
                )  # fmt: skip
            continue
        kept.append(item)
    return kept


def _people(source: FoldedText) -> Iterator[Mention]:
    for match in _HONORIFIC.finditer(source.cased):
        mention = _name_at(source, match.end())
        if mention is not None:
            yield mention
    for match in _MASKED.finditer(source.cased):
        yield Mention(match.start(), match.end(), "person")


def _name_at(source: FoldedText, offset: int) -> Mention | None:
    """Return the name that begins at `offset`, or None."""
    name = _NAME_HERE.match(source.cased[offset : offset + _REACH_OF_NAME])
    if name is None:
        return None
    start, end = _trim(source.cased, offset, offset + name.end(1))
    return Mention(start, end, "person") if end - start >= 3 else None


def _wrapped(text: str, at: int) -> bool:
    """Tell whether the line break at `at` only wraps a long line, so that a name may run over it."""
    return at - (text.rfind("\n", max(0, at - 200), at) + 1) >= _WRAP


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return `start:end` cut before the first word that cannot belong to a name.

    Trailing marks are cut too.
    """
    at = start
    for word in text[start:end].split():
        last, at = at, text.index(word, at, end)
        line_break = text.find("\n", last, at)
        if line_break >= 0 and not _wrapped(text, line_break):
            end = line_break
            break
        joined = text[max(start, last - 2) : at].split()[-1:] in (["y"], ["e"], ["Y"], ["E"])
        if at > start and (fold(word).strip(".") in _ENDING or (joined and fold(word).strip(".") in _TITLES)):
            end = at
            break
        at += len(word)
        if word.endswith((".-", "..")) or (word.endswith(".") and len(word) > 4):
            end = at
            break
    name = text[start:end].rstrip(" \n,;:.-'")
    words = name.split()
    while words and fold(words[-1]) in {"de", "del", "la", "las", "los", "y", "e", "i"}:
        name = name[: name.rindex(words.pop())].rstrip()
    return start, start + len(name)


def _companies(source: FoldedText) -> Iterator[Mention]:
    readable = source.cased
    for match in _SUFFIX.finditer(readable):
        end = match.end()
        while end > match.start() and not (readable[end - 1].isalnum() or readable[end - 1] == "."):
            end -= 1
        start = _company_start(readable, match.start())
        if start is not None:
            yield Mention(start, end, "company")
    for match in _BODY.finditer(readable):
        start, end = _trim(readable, *match.span(1))
        yield Mention(start, end, "company")


def _company_start(text: str, end: int) -> int | None:
    """Return where the name that stops at `end` begins: capitalised words and their links, eight at most."""
    floor = max(0, end - 110)
    words: list[tuple[int, str]] = []
    at = floor
    for word in text[floor:end].split():
        last, at = at, text.index(word, at)
        line_break = text.rfind("\n", last, at)
        if line_break >= 0 and not _wrapped(text, line_break):
            words.clear()
        words.append((at, word))
        at += len(word)
    start: int | None = None
    for taken, (offset, word) in enumerate(reversed(words)):
        bare = word.strip('"“”«»*(')
        abbreviation = all("." in later.strip(",") for _, later in words[len(words) - taken :])
        if (
            taken
            and word.endswith((",", ":", ";", ")", "."))
            and not (word.endswith(".") and len(bare) <= 3)
            # "Factor Plus, E.F.C., S.A.": letters before the legal form are part of it.
            and not (word.endswith(",") and abbreviation)
        ):
            break
        if taken >= 8 or (offset == floor and floor):
            break
        if bare[:1].isupper() or bare[:1].isdigit() or bare in {"&", "+"}:
            start = offset + (len(word) - len(word.lstrip('"“”«»*(')))
        elif fold(bare) not in _LINKS:
            break
        if word.startswith(('"', "“", "«", "(")):
            break
    while start is not None:
        word = text[start:end].split()[0] if text[start:end].split() else ""
        if fold(word).strip(",.:") not in _LEADING:
            break
        rest = text[start + len(word) : end]
        start = start + len(word) + len(rest) - len(rest.lstrip()) if rest.strip() else None
    return start


def _labelled(source: FoldedText) -> Iterator[Mention]:
    """Yield names behind a role and a colon on one line: "ARRENDADOR: Juan Pérez"."""
    for match in _LABEL.finditer(source.cased.lower()):
        offset = match.end()
        if (title := _TITLE_HERE.match(source.cased[offset : offset + 20])) is not None:
            offset += title.end()
        mention = _name_at(source, offset)
        if mention is not None:
            yield Mention(mention.start, mention.end, mention.kind, match.span(1), True)


def _opened(source: FoldedText) -> Iterator[Mention]:
    """Yield names presented as a party without a title.

    For instance "De una parte, JUAN PÉREZ …", "between John Smith …".
    """
    for match in _OPENERS.finditer(source.folded[:_OPENING_PART]):
        mention = _name_at(source, match.end())
        if mention is None:
            continue
        first = fold(source.text[mention.start : mention.end].split()[0]).strip(".,")
        words = len(source.text[mention.start : mention.end].split())
        if words >= 2 and first not in _LEADING and first not in _TITLES:
            yield Mention(mention.start, mention.end, "person", None, True)
