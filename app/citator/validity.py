"""Judge whether an authority is still good law. The rule is pure: facts in, standing out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Literal
from uuid import UUID

from app import corpus
from app.citations import without_content
from app.citator import authority_lookup, graph
from app.citator.authority_lookup import Authority
from app.citator.graph import Link
from app.platform.postgres import db

Standing = Literal["good", "caution", "overruled", "annulled", "repealed", "superseded", "unknown"]
_STATUS: Final = {"r": "repealed", "x": "expired", "a": "annulled"}
_DISPOSITIONS = ("da", "dt", "df", "dd")
_MOST_REASONS = 50
STANDINGS: Final[tuple[Standing, ...]] = (
    "good", "caution", "overruled", "annulled", "repealed", "superseded", "unknown",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """The version of an article on a day: since when, until when (exclusive), and what introduced it."""

    since: date | None
    until: date | None
    amended_by: str | None


@dataclass(frozen=True, slots=True)
class AuthorityFacts:
    """Facts about an authority, for `judge`.

    `status` is that of the loaded norm; `remains`: some provisions of a repealed norm are still in force, in
    words; `began`: the first day on which there was such a norm or judgment; `missing`: the norm is known not
    to have the article; `empty`: the article has a number and no words; `reworded`: the day from which its
    words differ from those asked about; `unheld`: the day of the oldest loaded edition, where the words asked
    about are older and the norm was amended since; `read`: some text that could have treated it was read;
    `loaded`: the norm's own text is, and `edition` its newest day; without it, the day of the index.
    """

    known: bool
    status: str | None = None
    repealed: date | None = None
    remains: str = ""
    began: date | None = None
    empty: bool = False
    missing: bool = False
    ended: date | None = None
    reworded: date | None = None
    unheld: date | None = None
    worded: date | None = None
    wording: Wording | None = None
    against: tuple[Link, ...] = ()
    read: bool = False
    loaded: bool = True
    edition: date | None = None


@dataclass(frozen=True, slots=True)
class Validity:
    """The result: standing, since when, the treatments it rests on, and why it is unknown or not whole.

    `wording` is the version of the article that the answer is about, where it is known.
    """

    standing: Standing
    since: date | None = None
    because: tuple[Link, ...] = field(default=())
    note: str | None = None
    wording: Wording | None = None


def judge(kind: str, article: str, facts: AuthorityFacts, on: date) -> Validity:
    """Return the standing of an authority on a day.

    Args:
        kind: `norm` or `judgment`.
        article: The article of a norm, or empty.
        facts: What is known of it.
        on: The day asked about.

    Returns:
        Of a norm: annulled, repealed, superseded (its words were others by that day), caution (struck down or
        repealed in part, or upheld on a condition), else good. Of a judgment: annulled, overruled, caution
        (distinguished), else good, provided that some text was read that could have said otherwise. `unknown`
        where nothing is known of it, on a day before there was such an authority, and where the words asked
        about are older than any that are loaded.
    """
    done = tuple(link for link in facts.against if link.dated is None or link.dated <= on)
    if facts.began is not None and on < facts.began:
        return Validity("unknown", note=f"El {_day(on)} aún no existía: es del {_day(facts.began)}.")
    found = _of_judgment(facts, done) if kind == "judgment" else _of_norm(article, facts, done, on)
    return replace(found, wording=facts.wording) if found.standing != "unknown" else found


def _day(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def _of_judgment(facts: AuthorityFacts, done: Sequence[Link]) -> Validity:
    for treatment, standing in (
        ("annuls", "annulled"),
        ("overrules", "overruled"),
        ("distinguishes", "caution"),
    ):
        found = [link for link in done if link.treatment == treatment]
        if found:
            whole = [link for link in found if not link.partial]
            reached: Standing = "caution" if not whole else standing  # type: ignore[assignment]
            return Validity(reached, _first(whole or found), tuple(found))
    if facts.known and facts.read:
        return Validity("good")
    return Validity("unknown")


def _of_norm(article: str, facts: AuthorityFacts, done: Sequence[Link], on: date) -> Validity:
    struck = [link for link in done if link.treatment == "declares_unconstitutional"]
    whole = [link for link in struck if not link.partial and link.article == article]
    if whole:
        return Validity("annulled", _first(whole), tuple(struck))
    repeals = tuple(link for link in done if link.treatment == "repeals" and link.article in ("", article))
    if facts.status == "annulled":
        return Validity("annulled", facts.repealed, tuple(struck))
    # A status is of the day of the index: where the day of repeal is known, that day decides.
    over = facts.repealed <= on if facts.repealed else facts.status in ("repealed", "expired")
    if over and facts.repealed is None and facts.edition is not None and on < facts.edition:
        return Validity("unknown", None, repeals, "Está derogada, y no consta desde qué día.")
    own = [link for link in repeals if link.article == article and article]
    entire = [link for link in own if not link.partial]
    if over:
        because = tuple(link for link in repeals if not link.article) or repeals
        if facts.remains and article[:2] in _DISPOSITIONS and not entire:
            note: str | None = f"La norma está derogada, pero {facts.remains}."
            return Validity("caution", facts.repealed, because, note)
        note = f"Derogada, pero {facts.remains}." if facts.remains else None
        return Validity("repealed", facts.repealed, because, note)
    if not facts.loaded and entire:
        return Validity("repealed", None, tuple(entire))
    if not facts.loaded and own:
        return Validity("caution", _first(own), tuple(own))
    if facts.missing or not facts.known:
        return Validity("unknown", None, (*struck, *repeals))
    if facts.empty or (facts.ended and facts.ended <= on):
        # The day of the repealing norm is not the day on which it took effect: it is told with the reason
        # only.
        return Validity("repealed", facts.ended, repeals)
    if entire and facts.edition and all(link.dated and link.dated >= facts.edition for link in entire):
        return Validity("repealed", _first(entire), tuple(own))  # the text is older than its repeal
    if entire:
        note = "Una ley lo deroga y el texto consolidado lo conserva."
        return Validity("caution", _first(entire), (*struck, *own), note)
    if facts.reworded:
        return Validity("superseded", facts.reworded, _rewording(article, facts))
    later = _rewording(article, facts)
    if facts.unheld and later:
        return Validity("superseded", _first(later), later)
    if facts.unheld:
        note = f"No consta su redacción anterior: el texto más antiguo cargado es del {_day(facts.unheld)}."
        return Validity("unknown", None, (*struck, *own), note)
    conditions = [link for link in done if link.treatment == "upholds_conditionally"]
    cautions = [*struck, *conditions, *own]
    if not article and not facts.loaded:
        # Of the norm as such what was repealed of it is told, where no text shows what is left.
        cautions += [link for link in done if link.treatment == "repeals" and link.partial]
        cautions += [link for link in done if link.treatment == "repeals" and link.article]
    if cautions:
        told = tuple(dict.fromkeys(replace(one, partial=True) if not article else one for one in cautions))
        return Validity("caution", _first(told), told[:_MOST_REASONS])
    return Validity("good")


def _rewording(article: str, facts: AuthorityFacts) -> tuple[Link, ...]:
    """Return the amendments of the article after the words asked about, oldest first."""
    found = [
        link
        for link in facts.against
        if link.treatment == "amends"
        and link.article == article
        and article
        and (facts.worded is None or link.dated is None or link.dated > facts.worded)
    ]
    return tuple(sorted(found, key=lambda link: link.dated or date.max))


def _first(links: Sequence[Link]) -> date | None:
    return min((link.dated for link in links if link.dated), default=None)


def facts(session: db.Session, authority: Authority, *, on: date, worded: date) -> AuthorityFacts:
    """Read the facts on an authority on a day.

    Args:
        session: An open transaction.
        authority: The authority.
        on: The day asked about.
        worded: The day of the version that the caller has.
    """
    against = graph.adverse_treatments(session, authority)
    if authority.kind == "judgment":
        read = graph.judgments_read(session, authority.jurisdiction, authority.id)
        return AuthorityFacts(authority.known, began=authority.dated, against=against, read=read)
    known, row = corpus.norm(authority.form), corpus.loaded_norm(session, authority.form)
    repealed = (known.repealed if known else None) or (row.repealed if row else None)
    text = row is not None and row.source != "index"
    found = corpus.article(session, row, authority.article, on) if row and authority.article else None
    number = authority.article
    missing = bool(
        number
        and found is None
        and ((known is not None and known.has(number) == "no") or (row and row.whole))
    )
    empty = bool(number and known and number in known.empty)
    ended = reworded = unheld = None
    wording = None
    if row is not None and found is not None:
        if found.version is None:
            ended = found.until
        else:
            empty = without_content(found.version.text)
            began = found.version.in_force_from
            reworded = began if began and worded < began else None
            held = corpus.article_versions(session, row, number)
            first = held[0].in_force_from
            oldest = _oldest_edition(row)
            published = row.published or row.in_force or row.dated
            amended = oldest is not None and (published is None or published < oldest)
            if not reworded and first is None and amended and oldest and worded < oldest:
                unheld = oldest
            wording = _wording(held, worded) if not unheld else None
    listed = corpus.indexed_norm(authority.form) if row is None and known is None else None
    if known is not None and repealed and not any(link.source == "registry" for link in against):
        against = (*against, *_by_successors(session, known, repealed))
    return AuthorityFacts(
        authority.known,
        row.status if row else _STATUS.get(listed.status) if listed else None,
        repealed,
        known.repeal_note if known else "",
        _began(row, known),
        empty,
        missing,
        ended,
        reworded,
        unheld,
        worded,
        wording,
        against,
        read=True,
        loaded=text,
        edition=row.edition if row else None,
    )


def _by_successors(session: db.Session, known: corpus.Norm, repealed: date) -> tuple[Link, ...]:
    """Return what replaced a norm that is registered and not loaded, as the registry says."""
    keys = [key for one in known.successors for key in corpus.norms_named(one, known.jurisdiction)[:1]]
    named = authority_lookup.name_all(session, "norm", keys)
    part = bool(known.repeal_note)
    return tuple(Link(named[key], "", "repeals", part, 1, repealed, "registry") for key in keys)


def _oldest_edition(row: corpus.CorpusNorm) -> date | None:
    days = [row.edition.isoformat()] if row.edition else []
    days += [str(one["edition"]) for one in row.editions or () if one.get("edition")]
    return date.fromisoformat(min(days)) if days else None


def _began(row: corpus.CorpusNorm | None, known: corpus.Norm | None) -> date | None:
    """Return the first day on which there was such a norm: of its date, or of its publication."""
    days = [row.dated, row.published] if row else []
    days += [known.dated] if known else []
    return min((day for day in days if day), default=None)


def _wording(held: Sequence[corpus.CorpusVersion], on: date) -> Wording | None:
    for one in held:
        if (one.in_force_from is None or one.in_force_from <= on) and (
            one.in_force_to is None or on < one.in_force_to
        ):
            return Wording(one.in_force_from, one.in_force_to, one.amended_by)
    return None


def of(session: db.Session, authority: Authority, *, on: date, worded: date | None = None) -> Validity:
    """Return whether an authority is good law on a day.

    Args:
        session: An open transaction.
        authority: The authority.
        on: The day asked about.
        worded: The day of the version that the caller has; without it `on`.
    """
    found = facts(session, authority, on=on, worded=worded or on)
    return judge(authority.kind, authority.article, found, on)


def good_judgments(session: db.Session, judgments: Sequence[Authority], on: date) -> frozenset[UUID]:
    """Return the ids of those judgments against which nothing is known (lock `[L2-J-V]`, decision 013).

    The standing is the same as that of `of`, in a number of statements that does not depend on how many.
    """
    if not judgments:
        return frozenset()
    against = graph.adverse_treatments_of_each(session, {one.form for one in judgments})
    readers = graph.readers(session, {one.jurisdiction for one in judgments})
    return frozenset(
        one.id
        for one in judgments
        if one.id is not None
        and judge(
            "judgment",
            "",
            AuthorityFacts(
                one.known,
                against=against.get(one.form, ()),
                read=bool(readers.get(one.jurisdiction, frozenset()) - {one.id}),
            ),
            on,
        ).standing
        == "good"
    )
