"""Judge whether an authority is still good law. The rule is pure: facts in, standing out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal
from uuid import UUID

from app import corpus
from app.citations import without_content
from app.citator import graph
from app.citator.authority_lookup import Authority
from app.citator.graph import Link
from app.platform.postgres import db

Standing = Literal["good", "caution", "overruled", "annulled", "repealed", "superseded", "unknown"]
STANDINGS: Final[tuple[Standing, ...]] = (
    "good", "caution", "overruled", "annulled", "repealed", "superseded", "unknown",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AuthorityFacts:
    """Facts about an authority, for `judge`.

    `status` is that of the loaded norm; `missing`: the norm is known not to have the article; `empty`: the
    article has a number and no words; `reworded`: the day from which its words differ from those asked about;
    `read`: some text that could have treated it was read.
    """

    known: bool
    status: str | None = None
    repealed: date | None = None
    empty: bool = False
    missing: bool = False
    ended: date | None = None
    reworded: date | None = None
    against: tuple[Link, ...] = ()
    read: bool = False


@dataclass(frozen=True, slots=True)
class Validity:
    """The result: standing, since when, and the treatments it rests on."""

    standing: Standing
    since: date | None = None
    because: tuple[Link, ...] = field(default=())


def judge(kind: str, article: str, facts: AuthorityFacts, on: date) -> Validity:
    """Return the standing of an authority on a day.

    Args:
        kind: `norm` or `judgment`.
        article: The article of a norm, or empty.
        facts: What is known of it.
        on: The day asked about.

    Returns:
        Of a norm: annulled, repealed, superseded (its words were others by that day), caution (struck down or
        repealed in part), else good. Of a judgment: annulled, overruled, caution (distinguished), else good,
        provided that some text was read that could have said otherwise. `unknown` where nothing is known of
        it.
    """
    done = tuple(link for link in facts.against if link.dated is None or link.dated <= on)
    if kind == "judgment":
        return _of_judgment(facts, done)
    return _of_norm(article, facts, done, on)


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
    if (facts.repealed and facts.repealed <= on) or facts.status in ("repealed", "expired"):
        return Validity(
            "repealed", facts.repealed, tuple(link for link in repeals if not link.article) or repeals
        )
    if facts.missing or not facts.known:
        return Validity("unknown", None, (*struck, *repeals))
    if facts.empty or (facts.ended and facts.ended <= on):
        # The day of the repealing norm is not the day on which it took effect: it is told with the reason
        # only.
        return Validity("repealed", facts.ended, repeals)
    own = [link for link in repeals if link.article == article and article and not link.partial]
    if own:
        return Validity("caution", _first(own), (*struck, *own))
    if facts.reworded:
        amended = tuple(
            link for link in facts.against if link.treatment == "amends" and link.article == article
        )
        return Validity("superseded", facts.reworded, amended)
    if struck:
        return Validity("caution", _first(struck), tuple(struck))
    return Validity("good")


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
        return AuthorityFacts(authority.known, against=against, read=read)
    known, row = corpus.norm(authority.form), corpus.loaded_norm(session, authority.form)
    repealed = (known.repealed if known else None) or (row.repealed if row else None)
    status = row.status if row else None
    found = corpus.article(session, row, authority.article, on) if row and authority.article else None
    number = authority.article
    missing = bool(
        number
        and found is None
        and ((known is not None and known.has(number) == "no") or (row and row.whole))
    )
    empty = bool(number and known and number in known.empty)
    ended = reworded = None
    if found is not None:
        if found.version is None:
            ended = found.until
        else:
            empty = without_content(found.version.text)
            began = found.version.in_force_from
            reworded = began if began and worded < began else None
    return AuthorityFacts(
        authority.known, status, repealed, empty, missing, ended, reworded, against, read=True
    )


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
