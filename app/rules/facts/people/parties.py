"""Find the parties of a document and their roles, and who signs for them.

A name counts as a party only when the document gives it a role or presents it as one ("de una parte …",
"between …"); other people named in passing are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from app.rules.facts.keyword_index import vocabulary
from app.rules.facts.people import capacities
from app.rules.facts.people.foreign_parties import foreign_parties
from app.rules.facts.people.names import Mention, NameKind, find_names
from app.text.expressions import compiled, group_span
from app.text.sentences import FoldedText, fold

# Normal role -> folded words that name it; the order of the file decides between overlapping words.
ROLES: Final[dict[str, str]] = dict(vocabulary("roles.toml", "roles"))
_ROLE_KEYS: Final = [(key, compiled(rf"(?:parte )?(?:{words})")) for key, words in ROLES.items()]

_IDENTIFIER: Final = compiled(r"\[(?:[A-Z]{2,3}_)?[A-Z][A-Z_]{1,30}_\d+\]")
_NOT_IDENTIFIERS: Final = ("PERSON", "EMAIL", "PHONE", "IBAN", "ADDRESS", "CARD", "CCC", "URL")
_REACH: Final = 450
_LEAD: Final = 160
_OPENING_PART: Final = 12_000
_LETTERHEAD: Final = 120
_OFFICE_GAP: Final = 14  # between an office and the name that follows it
_MOST: Final = 60  # more names than any contract has parties
# "PRÓRROGA QUE CELEBRAN FRIGORÍFICOS DEL VALLE, S.A.C.": in capitals, the words before a name look like it.
_WHO_CELEBRATES: Final = compiled(r"^(?:.|\n)*\bQUE CELEBRAN?(?: (?:DE|POR) UNA PARTE)?,?\s+")


@dataclass(frozen=True, slots=True)
class Party:
    """One party: `text[start:end] == quote` is its name as written; `name` is that with its blanks tidied.

    `role` is the literal word for its part ("ARRENDADOR", "Tenant") or None, `role_key` its normal form in
    `ROLES`, "representative" for who signs on another's behalf, or None when the document gives no part.
    `identifier` is the placeholder of its identity number, where one follows the name.
    """

    quote: str
    start: int
    end: int
    name: str
    role: str | None
    role_key: str | None
    kind: NameKind
    identifier: str | None = None


@dataclass(frozen=True, slots=True)
class _Side:
    """Names that stand together, "D. A y D.ª B", or one name: what is said of one is said of all.

    `lead` holds the folded words before the first name, without its title, down to `floor`; `following` is
    where the next name begins, and `reach` where words cease to be about these names. `joint`: they take
    part for themselves as well as for the person named next.
    """

    mentions: tuple[Mention, ...]
    floor: int
    lead: str
    following: int
    acting: bool
    officer: bool
    joint: bool
    reach: int = 0

    @property
    def start(self) -> int:
        """Return the offset of the first name."""
        return self.mentions[0].start

    @property
    def end(self) -> int:
        """Return the offset at which the last name ends."""
        return self.mentions[-1].end


def extract_parties(source: FoldedText) -> tuple[Party, ...]:
    """Return the parties in order of appearance, each name once."""
    if source.foreign:
        return tuple(_foreign(source))
    mentions = find_names(source)
    found: dict[str, Party] = {}
    for party in _cast(source, _sides(source, mentions)):
        name = _same(party.name)
        known = found.get(name)
        if known is None or (known.role_key is None and party.role_key is not None):
            # Named once to be identified and again to be given its part: the first place is the one to quote.
            found[name] = party if known is None else replace(
                known, role=party.role, role_key=party.role_key,
                identifier=known.identifier or party.identifier,
            )  # fmt: skip
    parties = _shared(_addressees(list(found.values()), source, mentions), source)
    return _employer(_without_parts(_letter(parties, source, mentions)))


def _foreign(source: FoldedText) -> Iterator[Party]:
    for one in foreign_parties(source):
        quote = source.text[one.start : one.end]
        role = source.text[slice(*one.role_span)] if one.role_span is not None else None
        after = source.cased[one.end : one.end + 260]
        number = next((m.group() for m in _IDENTIFIER.finditer(after)), None)
        yield Party(quote, one.start, one.end, " ".join(quote.split()), role, one.role_key, one.kind, number)


def role_key(words: str) -> str | None:
    """Return the normal role that `words` name ("la parte ARRENDADORA" -> "landlord"), or None."""
    plain = fold(words).strip(" \"'*.,:()")
    for article in ("el ", "la ", "los ", "las ", "the "):
        plain = plain.removeprefix(article)
    return next((key for key, pattern in _ROLE_KEYS if pattern.fullmatch(plain)), None)


def _sides(source: FoldedText, mentions: Sequence[Mention]) -> list[_Side]:
    sides: list[_Side] = []
    at = 0
    while at < len(mentions):
        floor = mentions[at - 1].end if at else 0
        lead = _lead(source, mentions[at], floor)
        last = at
        # "Entre A y B" names two sides; "los vendedores, D. A y D. B" names one.
        while (
            last + 1 < len(mentions)
            and not mentions[last + 1].role_span
            and mentions[last + 1].kind == mentions[at].kind
            and not capacities.BETWEEN.search(lead)
            and capacities.JOINED.match(
                source.folded[mentions[last].end : min(mentions[last + 1].start, mentions[last].end + 30)]
            )
            and mentions[last + 1].start - mentions[last].end < 30
        ):
            last += 1
        following = mentions[last + 1].start if last + 1 < len(mentions) else len(source.text)
        after = source.folded[mentions[last].end : min(following, mentions[last].end + _REACH)]
        sides.append(
            _Side(
                tuple(mentions[at : last + 1]), floor, lead, following,
                _acts_for_another(mentions[at], lead, after, following - mentions[last].end <= _REACH),
                bool(
                    capacities.OFFICER.search(lead)
                    or capacities.PLACE.search(lead)
                    or capacities.EMPLOYED.search(lead)
                ),
                bool(capacities.OWN_NAME.search(after) and capacities.ON_BEHALF.search(after[-110:])),
            )
        )  # fmt: skip
        at = last + 1
    reaches = [min(side.following, side.end + _REACH) for side in sides]
    for index in range(len(sides) - 2, -1, -1):
        side, further = sides[index], sides[index + 1]
        # "A, representada por B (el «Prestador»)": the words after B still speak of A.
        if (further.acting or further.officer) and not (side.acting or side.officer):
            reaches[index] = min(side.end + 2 * _REACH, reaches[index + 1])
        elif (further.acting or further.officer) and (side.acting or side.officer):
            reaches[index] = max(reaches[index], reaches[index + 1])
        elif side.joint:
            reaches[index] = min(side.end + 2 * _REACH, reaches[index + 1])
    return [
        replace(side, reach=_turn(source, side, reach)) for side, reach in zip(sides, reaches, strict=True)
    ]


def _turn(source: FoldedText, side: _Side, reach: int) -> int:
    """Return `reach`, or where the text turns to the other side before it."""
    turn = capacities.OTHER_SIDE.search(source.folded[side.end : reach])
    return side.end + turn.start() if turn is not None else reach


def _lead(source: FoldedText, mention: Mention, floor: int) -> str:
    """Return the folded words right before a mention, without its title ("D.", "los cónyuges don")."""
    bare = source.folded[max(floor, mention.start - _LEAD) : mention.start]
    for _ in range(3):
        introduction = capacities.INTRODUCTION.search(bare)
        if introduction is None:
            break
        bare = bare[: introduction.start() + (introduction.start() > 0 or bare[:1] in " (,;:.\"'")]
    return bare.rstrip() + " "


def _acts_for_another(mention: Mention, lead: str, after: str, near: bool) -> bool:
    if capacities.ADDRESSED.search(lead):
        return False
    if mention.kind == "person" and (
        capacities.COUNSEL_BEFORE.search(lead) or capacities.COUNSEL_AFTER.match(after)
    ):
        return True
    if capacities.REPRESENTED.search(lead):
        return True
    words = after[-110:]
    behalf = capacities.ON_BEHALF.search(words) if near else None
    if behalf is None or capacities.OWN_NAME.search(after):
        return False
    if capacities.LETTER.search(words[: behalf.start()]):
        return False
    # "(en adelante, la Parte Compradora). El primero lo hace en representación": somebody else does.
    return capacities.TURNS.search(words[: behalf.start()]) is None


def _cast(source: FoldedText, sides: Sequence[_Side]) -> Iterator[Party]:
    """Yield the parties in order, a name as often as it occurs as one."""
    used = 0  # the end of the words that gave the last party its part: they give it to nobody else
    litigates = False
    for side in sides:
        if side.officer or capacities.OF_READER.match(source.folded[side.start : side.end]):
            continue
        role_at: tuple[int, int] | None = None
        key: str | None = None
        if side.acting:
            key = "representative"
            around = source.folded[max(side.floor, side.start - 60) : min(side.following, side.end + 60)]
            litigates = litigates or bool(capacities.LITIGATING.search(around))
        else:
            role_at = side.mentions[0].role_span or _stated(source, side, used)
            if role_at is not None:
                if _is_former(source, role_at):
                    continue
                used = max(used, role_at[1])
                key = role_key(source.text[role_at[0] : role_at[1]])
            elif capacities.AGAINST.search(side.lead) and capacities.PROCEEDINGS.search(
                source.folded[max(0, side.start - 2 * _REACH) : side.start]
            ):
                key = "defendant"
            elif capacities.ADDRESSED.search(side.lead):
                key = "addressee"
            elif litigates and capacities.ON_BEHALF_BEFORE.search(side.lead):
                claim = source.folded[side.end : min(len(source.text), side.end + 2 * _REACH)]
                key = "claimant" if capacities.CLAIM.search(claim) else None
                key = "appellant" if key is None and capacities.APPEAL.search(claim) else key
            elif capacities.TRADER.search(side.lead) and side.mentions[0].kind == "company":
                key = "trader"
            elif _called_company(source, side):
                key = "company"
                if _presented(source, side, source.folded[side.end : min(side.following, side.end + 120)]):
                    at = source.folded.rindex("empresa", side.floor, side.start)
                    role_at = (at, at + len("empresa"))
        after = source.folded[side.end : min(side.following, side.end + 120)]
        if key == "representative":
            role_at = _office(source, side)
        if key is None and not _presented(source, side, after):
            continue
        for mention in side.mentions:
            quote = source.text[mention.start : mention.end]
            opened = _WHO_CELEBRATES.match(quote)
            if opened is not None:
                quote = quote[opened.end() :]
                mention = replace(mention, start=mention.start + opened.end())
            if any(c.isalpha() for c in quote):
                yield Party(
                    quote, mention.start, mention.end, " ".join(quote.split()),
                    source.text[role_at[0] : role_at[1]] if role_at is not None else None, key, mention.kind,
                    # One list of numbers follows several names: whose is which is not for a pattern to say.
                    _identifier(source, side) if len(side.mentions) == 1 else None,
                )  # fmt: skip


def _office(source: FoldedText, side: _Side) -> tuple[int, int] | None:
    """Return the office in which somebody acts for another ("procuradora").

    It stands right after the name or before it.
    """
    base = max(side.floor, side.start - 60)
    lead = source.folded[base : side.start]
    directs = capacities.DIRECTS.search(lead)
    if directs is not None:
        first, last = group_span(directs, "office")
        return base + first, base + last
    beside = capacities.OFFICE_BESIDE.search(lead)
    if beside is not None:
        first, last = group_span(beside, "office")
        return base + first, base + last
    after = source.folded[side.end : min(side.following, side.end + 60, source.sentence(side.end)[1])]
    found = capacities.OFFICE_HELD.search(after)
    # "… Ekain Gorka, y de la procuradora D.ª Irene": that of the next name.
    if found is not None and not (
        side.following - (side.end + found.end()) < _OFFICE_GAP and capacities.LIST.match(after)
    ):
        return side.end + found.start(), side.end + found.end()
    found = capacities.OFFICE_HELD.search(lead)
    if found is None or "direccion" in lead[: found.start()]:
        return None  # "bajo la dirección letrada de D. …" says what is done, not by whom
    return base + found.start(), base + found.end()


def _is_former(source: FoldedText, role: tuple[int, int]) -> bool:
    """Tell whether the words for a part say that somebody had it once: "del anterior inquilino, D. …"."""
    before = source.folded[max(role[0] - 12, 0) : role[0]]
    after = source.folded[role[1] : role[1] + 14]
    return bool(capacities.FORMER.search(before) or capacities.FORMER_AFTER.search(after))


def _presented(source: FoldedText, side: _Side, after: str) -> bool:
    """Tell whether a name without a part is still presented as a party, with the particulars of one."""
    if not capacities.PRESENTED.search(after):
        return False
    if (
        side.mentions[0].opened
        or capacities.OPENED.search(side.lead)
        or capacities.ON_BEHALF_BEFORE.search(side.lead)
    ):
        return True
    person = all(mention.kind == "person" for mention in side.mentions)
    return person and side.start < _OPENING_PART and _IDENTIFIER.search(after.upper()) is not None


def _stated(source: FoldedText, side: _Side, used: int) -> tuple[int, int] | None:
    """Return where the word for the part of a side stands: defined after it, or stated before or after it."""
    after = source.folded[side.end : side.reach]
    own = capacities.OWN_ALIAS.search(after)
    if own is not None and len(side.mentions) == 1 and _turns_to_a_name(source, side.end + own.end()):
        after = after[: own.end()]
    marks = [mark.start() for mark in islice(capacities.ALIAS_MARK.finditer(after), 2)]
    # The first short name given after a name is its own; a second one is somebody else's.
    match = capacities.ALIAS.search(after[: marks[1]] if len(marks) > 1 else after)
    if match is not None:
        first, last = group_span(match, "role" if match["role"] is not None else "role2")
        return side.end + first, side.end + last
    stated = capacities.LEADING_ROLE.search(side.lead)
    if stated is not None and (
        capacities.TWO_ROLES.search(side.lead)
        or capacities.POSSESSED.search(side.lead[: group_span(stated, "role")[0]].rstrip())
    ):
        stated = None
    if stated is not None:
        first, last = group_span(stated, "role")
        offset = max(side.floor, side.mentions[0].start - _LEAD)
        if offset + first >= used:
            return offset + first, offset + last
    line = capacities.ROLE_LINE.match(source.cased[side.end : min(side.following, side.end + 80)].lower())
    if line is not None:
        first, last = group_span(line, "role")
        return side.end + first, side.end + last
    after = source.folded[side.end : min(side.reach, source.sentence(side.end)[1])]
    match = capacities.FOLLOWING_ROLE.search(after.partition(";")[0])
    if match is not None:
        first, last = group_span(match, "role")
        return side.end + first, side.end + last
    match = capacities.APPOSED_ROLE.search(after.partition(";")[0])
    if match is not None:
        first, last = group_span(match, "role")
        return side.end + first, side.end + last
    return None


def _turns_to_a_name(source: FoldedText, at: int) -> bool:
    """Tell whether another party is named right behind: "("la Familia") y Rosa Paz, DNI …"."""
    return capacities.NEXT_NAME.match(source.cased[at : at + 60]) is not None


def _identifier(source: FoldedText, side: _Side) -> str | None:
    for match in _IDENTIFIER.finditer(
        source.cased[side.end : min(side.following, side.end + 260, _turn(source, side, side.end + 260))]
    ):
        if not any(kind in match.group() for kind in _NOT_IDENTIFIERS):
            return str(match.group())
    return None


def _same(name: str) -> str:
    return " ".join("".join(c if c.isalnum() or c in "_[]" else " " for c in fold(name)).split())


def _addressees(parties: list[Party], source: FoldedText, mentions: Sequence[Mention]) -> list[Party]:
    """Join the addressee of a salutation with the letterhead's name.

    "Estimado Sr. Sáez" is the "D. Íñigo Sáez Pardo" of the letterhead.
    """
    whole: list[Party] = []
    for party in parties:
        if party.role_key == "addressee" and " " not in party.name:
            fuller = [
                mention
                for mention in mentions[:_MOST]
                if mention.kind == "person"
                and _same(party.name) in _same(source.text[mention.start : mention.end]).split()[1:]
            ]  # fmt: skip
            if fuller:
                quote = source.text[fuller[0].start : fuller[0].end]
                party = replace(
                    party, quote=quote, start=fuller[0].start, end=fuller[0].end, name=" ".join(quote.split())
                )
        whole.append(party)
    return whole


def _shared(parties: list[Party], source: FoldedText) -> list[Party]:
    """Give each of several joined parties the part that is stated in the plural.

    "D. A, con NIE …, y D.ª B, con DNI … (los Arrendatarios)": the part is A's too.
    """
    for at in range(len(parties) - 2, -1, -1):
        party, following = parties[at], parties[at + 1]
        between = source.folded[party.end : following.start]
        if (
            party.role_key is None
            and following.role_key not in (None, "representative")
            and following.role is not None
            and following.role.strip().lower().endswith("s")
            and len(between) <= _REACH
            and not capacities.OTHER_SIDE.search(between)
        ):
            parties[at] = replace(party, role=following.role, role_key=following.role_key)
    return parties


def _letter(parties: list[Party], source: FoldedText, mentions: Sequence[Mention]) -> list[Party]:
    """Name the parties of a letter of dismissal.

    The addressee is the employee, and the letterhead names the employer.
    """
    if not any(party.role_key == "addressee" for party in parties):
        return parties
    if not capacities.DISMISSAL.search(source.folded):
        return parties
    parties = [
        replace(party, role_key="employee") if party.role_key == "addressee" else party for party in parties
    ]
    head = mentions[0] if mentions else None
    known = any(party.role_key in ("employer", "company") for party in parties)
    if head is not None and head.kind == "company" and head.start < _LETTERHEAD and not known:
        quote = source.text[head.start : head.end]
        parties.insert(
            0, Party(quote, head.start, head.end, " ".join(quote.split()), None, "employer", "company")
        )
    return parties


def _without_parts(parties: list[Party]) -> tuple[Party, ...]:
    """Return parties without those whose name is only the beginning of another's.

    For instance "Acme" beside "Acme, S.L.".
    """
    names = [_same(party.name) for party in parties]
    return tuple(
        party
        for party, name in zip(parties[:_MOST], names[:_MOST], strict=True)
        if not any(other != name and other.startswith(name + " ") for other in names[:_MOST])
    )


def _called_company(source: FoldedText, side: _Side) -> bool:
    before = source.folded[max(side.floor, side.start - 10) : side.start].rstrip()
    return side.mentions[0].kind == "company" and before.endswith("empresa")


def _employer(parties: tuple[Party, ...]) -> tuple[Party, ...]:
    """Read "la Empresa" as the employer where the other side is an employee.

    Else "la empresa X" says nothing. "El empresario" is the principal where the other side is an agent
    (art. 1 of Ley 12/1992).
    """
    keys = {party.role_key for party in parties}
    if "agent" in keys and "employee" not in keys:
        parties = tuple(
            replace(party, role_key="principal") if party.role_key == "employer" else party
            for party in parties
        )
    if any(party.role_key == "employee" for party in parties):
        return tuple(
            replace(party, role_key="employer") if party.role_key == "company" else party for party in parties
        )
    return tuple(party for party in parties if party.role_key != "company" or party.role is not None)
