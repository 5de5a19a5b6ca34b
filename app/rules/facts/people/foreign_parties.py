"""Find the parties of Portuguese, French, Italian and German documents by the short names they are given.

Such documents present each party and then say what it is called: "adiante designado por «Senhorio»",
"ci-après dénommée « l'Employeur »", "di seguito «Locatore»", "nachfolgend „Vermieter“ genannt"; or they put
the part before a colon. The first name since the last party is the one that is called so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final

from app.rules.facts.keyword_index import table, vocabulary
from app.rules.facts.people.names import NameKind
from app.text.expressions import compiled, group_span
from app.text.sentences import FoldedText
from app.text.tongues import Tongue

_OPENING_PART: Final = 12_000
_REACH: Final = 700  # characters from the name of a party to what it is called
_MOST: Final = 12
_PREAMBLE: Final = 1500  # characters in which parties are presented
_CAPITAL: Final = r"[A-Z][A-Za-z'.-]*"
_PARTICLE: Final = r"(?:de|da|do|dos|das|del|della|di|du|des|von|van|der|zu|e|et|und|&|la|le)"
_NAME: Final = rf"{_CAPITAL}(?: (?:{_PARTICLE} ){{0,2}}{_CAPITAL}){{1,5}}"
# Words in capitals before a name that are none of it.
_LEADING: Final = frozenset(
    [
        *["o", "a", "os", "as", "la", "le", "les", "il", "lo", "der", "die", "das", "dem", "den"],
        *[
            "entre",
            "tra",
            "fra",
            "zwischen",
            "firma",
            "societa",
            "societe",
            "sociedade",
            "empresa",
            "entreprise",
        ],
        *[
            "azienda",
            "ditta",
            "gesellschaft",
            "herrn",
            "herr",
            "frau",
            "monsieur",
            "madame",
            "senhor",
            "senhora",
        ],
        *["signor", "signora", "dott", "avv", "sig", "gerente", "administrador", "administradora", "gerant"],
        *["presidente", "president", "direttore", "geschaftsfuhrer", "geschaftsfuhrerin"],
    ]
)


# "Zeit. Der Mieter", "Dieses Formular": the end of a sentence and the next one, or words of no name.
_NO_NAME: Final = compiled(
    r"[A-Za-z]{4,}\. |^[A-Z]{4,}\.|\b(?:Der|Die|Das|Dem|Den|Diese[rsmn]?|Bei|Zur|Zum"
    r"|Beendigung|Formular|Rua|Via|Rue|Piazza)\b"
)
# Where somebody lives and whom they married are told beside a party, and are none.
_OF_PARTY: Final = compiled(
    r"\b(?:residentes?|morador[ae]?|domiciliad[oa]|com sede|con sede|demeurant|wohnhaft"
    r"|casad[oa]|coniugat[oa]|epou[sx]e?"
    r"|irmao|irma|padre|madre|fratello|sorella)\b[^.;,:]{0,50}$"
)
# "Désignée par le bailleur": what somebody does with a name calls nobody so.
_BY: Final = compiled(r"^[a-z]+ (?:par|pelo|pela|por|dal|dalla|dai|vom|von|durch)\b")
# "Wird als Verkäuferin eingestellt": what somebody works as is no part in the contract.
_WORKS_AS: Final = compiled(r"^[^.;]{0,50}\b(?:eingestellt|beschaftigt|tatig|angestellt)")


@dataclass(frozen=True, slots=True)
class Found:
    """A party at `start:end`, the place of the word for its part (none for who represents), and its part."""

    start: int
    end: int
    role_span: tuple[int, int] | None
    role_key: str
    kind: NameKind


@dataclass(frozen=True, slots=True)
class _Words:
    """The expressions of one language; `called` and `labelled` over folded text, the others keep capitals."""

    roles: Mapping[str, Any]
    called: Any
    bracketed: Any
    labelled: Any
    opener: Any
    company: Any
    person: Any
    title: Any
    represented: Any


@cache
def _words(tongue: Tongue) -> _Words:
    file = f"languages/{tongue}/facts.toml"
    told = table(file)["parties"]
    roles = dict(vocabulary(file, "roles"))
    role = "|".join(roles.values())
    titles = "|".join(told["titles"])
    article = r"(?:(?:o|a|os|as|le|la|les|il|lo|der|die|das|den) |l'|l' )?"
    return _Words(
        roles={key: compiled(rf"(?:{words})") for key, words in roles.items()},
        called=compiled(
            rf"(?:{'|'.join(told['called'])})\b[^.;\n\"']{{0,60}}?"
            rf"[\"'(]{{0,2}} ?{article}\b(?P<role>{role})\b"
        ),
        bracketed=compiled(rf"\([\"']? ?{article}\b(?P<role>{role})[\"']?[,)]"),
        labelled=compiled(
            rf"(?:^|\n)[ *-]{{0,4}}{article}(?P<role>{role})(?: ?\([a-z/]{{1,3}}\))? ?: {{0,3}}"
        ),
        opener=compiled(rf"\b(?:{'|'.join(told['openers'][:2])})\b"),
        company=compiled(
            rf"({_CAPITAL}(?: (?:{_PARTICLE} )?{_CAPITAL}| [0-9]{{1,4}}| & {_CAPITAL}){{0,6}},? "
            rf"(?:{'|'.join(told['legal_forms'])}))(?:[^A-Za-z0-9]|$)"
        ),
        person=compiled(rf"(?:^|[^A-Za-z])(?P<title>(?:{titles}) )?(?P<name>{_NAME})"),
        title=compiled(rf"(?:^|[^A-Za-z])(?:{titles}) [A-Z]"),
        represented=compiled(rf"\b(?:{'|'.join(told['represented'])})\b"),
    )


def foreign_parties(source: FoldedText) -> tuple[Found, ...]:
    """Return the parties in order of appearance."""
    words = _words(source.tongue)
    folded, cased = source.folded[:_OPENING_PART], source.cased[:_OPENING_PART].replace("\n", " ")
    found: list[Found] = []
    floor = 0
    opener = words.opener.search(folded)
    if opener is not None and opener.end() < _OPENING_PART // 4:
        floor = opener.end()
    presented = [*islice(words.called.finditer(folded[: 2 * _PREAMBLE]), _MOST)]
    presented += islice(words.bracketed.finditer(folded[:_PREAMBLE]), _MOST)
    for match in sorted(presented, key=lambda one: one.start()):
        span = group_span(match, "role")
        key = _key(words, folded[span[0] : span[1]])
        if _BY.match(folded[match.start() : span[0]]):
            continue
        if folded.startswith("als ", match.start()) and _WORKS_AS.match(folded[span[1] : span[1] + 70]):
            continue
        named = _first(words, cased, folded, max(floor, match.start() - _REACH), match.start())
        if key is None or named is None or any(one.role_key == key for one in found):
            continue
        found.append(Found(*named[:2], span, key, named[2]))
        found += _representative(words, folded, cased, named[1], match.start())
        floor = span[1]
    for match in islice(words.labelled.finditer(source.cased[:_OPENING_PART].lower()), _MOST):
        span = group_span(match, "role")
        key = _key(words, folded[span[0] : span[1]])
        line = source.text.find("\n", match.end())
        named = _first(
            words, cased, folded, match.end(), min(line if line >= 0 else len(cased), match.end() + 110)
        )
        if key is None or named is None or any(one.role_key == key for one in found):
            continue
        if named[0] - match.end() <= 12:
            found.append(Found(*named[:2], span, key, named[2]))
    return tuple(sorted(found, key=lambda one: one.start))


def _key(words: _Words, written: str) -> str | None:
    return next((key for key, pattern in words.roles.items() if pattern.fullmatch(written)), None)


def _first(words: _Words, cased: str, folded: str, start: int, end: int) -> tuple[int, int, NameKind] | None:
    """Return the first name in a part of the text: of a company, or of a person before it.

    None where it is doubtful: a name that is told of a party, or two persons with their titles who do not
    stand on one side.
    """
    part = cased[start:end]
    company = words.company.search(part)
    stop = company.start(1) if company is not None else len(part)
    titled = [match for match in words.person.finditer(part) if match["title"]]
    if titled:
        # What precedes a title may look like a part of the name: "Et Madame Inès Roy".
        last = titled[0].end()
        following = words.title.search(part[last:])
        if following is not None and _apart(part[last : last + following.start()]):
            return None
    for match in words.person.finditer(part[:stop]):
        first, last = group_span(match, "name")
        first += _leading(part[first:last])
        before = folded[max(start - 60, start + first - 60, 0) : start + first]
        if _NO_NAME.search(part[first:last]) or _OF_PARTY.search(before) or words.represented.search(before):
            continue
        if not match["title"] and first > 0 and " und " in part[first:last]:
            continue  # nouns have capitals in German
        if match["title"] or (" " in part[first:last] and not part[first:last].isupper()):
            return start + first, start + last, "person"
    if company is not None:
        first, last = company.span(1)
        if _NO_NAME.search(part[first:last]):
            return None
        return start + first + _leading(part[first:last]), start + last, "company"
    capitals = next(iter(words.person.finditer(part)), None)
    if capitals is None:
        return None
    first, last = group_span(capitals, "name")
    if _NO_NAME.search(part[first:last]) or _OF_PARTY.search(
        folded[max(start + first - 60, 0) : start + first]
    ):
        return None
    return start + first + _leading(part[first:last]), start + last, "person"


def _apart(between: str) -> bool:
    """Tell whether more stands between two persons than what joins those of one side: "M. A et Mme B"."""
    return len(between.strip(" ,.")) > len(" et Mme ") + 4


def _leading(name: str) -> int:
    """Return how many characters at the beginning of a name are no part of it."""
    at = 0
    for word in name.split(" ")[:-1]:
        if word.lower().strip(".,") not in _LEADING:
            break
        at += len(word) + 1
    return at


def _representative(words: _Words, folded: str, cased: str, start: int, end: int) -> Iterator[Found]:
    """Yield who represents a party, named between its name and what it is called."""
    acts = words.represented.search(folded[start:end])
    if acts is None:
        return
    part = cased[start + acts.end() : end]
    match = words.person.search(part)
    if match is not None:
        first, last = group_span(match, "name")
        first += _leading(part[first:last])
        begin = start + acts.end()
        yield Found(begin + first, begin + last, None, "representative", "person")
