"""Watches of laws, articles and judgments: reading what is to be watched, and the news of what is.

`app.webhooks` stores watches and delivers; which authority a citation names is known here.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from app import corpus, webhooks
from app.citator import authority_lookup
from app.citator.authority_lookup import Authority
from app.platform.errors import Invalid
from app.platform.postgres import db


@dataclass(frozen=True, slots=True)
class News:
    """A law that changed or a judgment that was cited.

    `what` are the watches it concerns. `articles` counts the articles that changed; of more than a hundred
    the event names only some, and then `is_certain` is false for an article that it does not name.
    """

    at: datetime
    what: Sequence[webhooks.Watch]
    since: str | None = None
    articles: int = 0
    is_certain: bool = True
    by: Authority | None = None
    treatment: str | None = None


def subject(session: db.Session, found: Authority) -> webhooks.Subject:
    """Return an authority as what is watched, with every name by which an announcement may call it."""
    tail = f":art{found.article}" if found.article else ""
    names = [found.form]
    if found.kind == "norm":
        names += [corpus.key_of(*one) for one in corpus.norm_official_ids(found.form)]
    return webhooks.Subject(
        kind="judgment" if found.kind == "judgment" else "article" if found.article else "law",
        names=tuple(dict.fromkeys(f"{name}{tail}" for name in names)),
        title=found.title,
        article=found.article or None,
        jurisdiction=found.jurisdiction,
        url=found.url,
    )


def watch(
    session: db.Session,
    account_id: uuid.UUID,
    written: str,
    jurisdiction: str | None,
    *,
    article: str = "",
    mail: bool,
    now: datetime,
) -> tuple[webhooks.Watch, bool]:
    """Watch what `written` names; return the watch and whether it is new.

    Args:
        session: An open transaction.
        account_id: The account that watches.
        written: A citation, an identifier or a normal form (`resolve`).
        jurisdiction: Whose law is meant; without it the countries are tried in turn.
        article: An article of the law that `written` names, by its number in the corpus.
        mail: Whether the owners of the account are told by mail.
        now: The current time.

    Raises:
        Invalid: 400, nothing known can be read in the citation; 422 `WATCH_LIMIT`.
    """
    found = authority_lookup.resolve(session, written, jurisdiction)
    if found is not None and article and found.kind == "norm":
        found = authority_lookup.of_norm(session, found.form, article)
    # A judgment may be cited before it is loaded; of a law there must be one.
    if found is None or (found.kind == "norm" and not found.known):
        raise Invalid(
            "citation: no law, article or judgment that is known can be read in it.",
            details={"field": "citation", "got": written},
        )
    return webhooks.watch(session, account_id, subject(session, found), mail=mail, now=now)


def news(
    session: db.Session, account_id: uuid.UUID, watches: Sequence[webhooks.Watch], *, limit: int
) -> list[News]:
    """Return what was announced about watches of an account, newest first, as long as events are kept."""
    if not watches:
        return []
    laws = [row for row in watches if row.kind != "judgment"]
    # Of a law's events those about other articles are passed over: so many are read in vain at most.
    events = webhooks.announced(
        session,
        account_id,
        laws={official for row in laws for _, official in corpus.norm_official_ids(_law(row))},
        judgments={row.subject for row in watches if row.kind == "judgment"},
        limit=10 * limit,
    )
    found = [one for event in events if (one := _news(session, event, watches)) is not None]
    return found[:limit]


def _law(row: webhooks.Watch) -> str:
    return row.subject.removesuffix(f":art{row.article}") if row.article else row.subject


def _news(session: db.Session, event: webhooks.Event, watches: Sequence[webhooks.Watch]) -> News | None:
    facts = event.payload
    if event.type == "judgment.cited":
        what = _named(watches, {facts["cited"]})
        by = authority_lookup.name_all(session, "judgment", [facts["by"]])[facts["by"]]
        return News(event.created_at, what, by=by, treatment=facts["treatment"]) if what else None
    key = corpus.key_of(facts["jurisdiction"], facts["normId"])
    numbers = facts["changedArticles"]
    what = _named(watches, {key, *(f"{key}:art{number}" for number in numbers)})
    perhaps: list[webhooks.Watch] = []
    if not what and facts["articles"] > len(numbers):
        perhaps = [row for row in watches if row.article and any(_is_of(name, key) for name in row.names)]
    if not what and not perhaps:
        return None
    return News(
        event.created_at, what or perhaps, facts["inForceFrom"], facts["articles"], is_certain=bool(what)
    )


def _named(watches: Sequence[webhooks.Watch], names: Collection[str]) -> list[webhooks.Watch]:
    return [row for row in watches if any(name in names for name in row.names)]


def _is_of(name: str, key: str) -> bool:
    return name.startswith(f"{key}:art")
