"""Watches: the laws, articles and judgments about whose news the account is told.

The search is a GET form, so that its result has its own URL; watching and removing are POST forms.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse
from wtforms import Form, StringField
from wtforms.validators import DataRequired, Length

from app import citator, corpus, mail, search, webhooks
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.law import coverage
from app.portal.law.lookup import article_name
from app.portal.web.blueprints import site
from app.portal.web.display import status_labels
from app.portal.web.display.view_models import options
from app.portal.web.fields import printable
from app.portal.web.session import access

CITATION_MAX, _NUMBER_MAX = 300, 80
_NEWS = 20
# Of what is found by words, beside what the citation names.
_ARTICLES, _JUDGMENTS = 6, 3
_SHORTEST = {"article": 2, "judgment": 5}
_EXTRACT = 200  # characters
_FICTIONAL = "ZZ"
KINDS: Mapping[str, Any] = {"law": _("law"), "article": _("article"), "judgment": _("judgment")}


class FindForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """A law, an article or a judgment, by its name or in words."""

    q = StringField(
        validators=[
            DataRequired(_("Enter a law, an article or a judgment.")),
            Length(max=CITATION_MAX, message=_("Enter at most %(max)d characters.")),
            printable,
        ]
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """What can be watched: `q`, `country` and `article` say it to the form, `watched` is its watch."""

    subject: webhooks.Subject
    q: str
    country: str
    article: str
    extract: str
    watched: webhooks.Watch | None

    @property
    def name(self) -> str:
        """Its name on the page."""
        return _name(self.subject.title, self.subject.article)

    @property
    def kind(self) -> Any:
        """A law, an article or a judgment."""
        return KINDS[self.subject.kind]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something can be read: on a page of ours, or where it is published."""

    url: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class WatchRow:
    """A watch as the list shows it."""

    item: webhooks.Watch
    name: str
    kind: Any
    country: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class NewsRow:
    """Something that was announced; `names` are those of the watches it concerns."""

    item: citator.News
    names: str
    place: Place | None

    @property
    def is_cited(self) -> bool:
        """Whether a judgment was cited, and no law changed."""
        return self.item.by is not None


@site.get("/watches")
@access.member_only()
def watches() -> AnyResponse:
    """Show what the account watches, its news, and what a search finds to watch."""
    return _page(FindForm(request.args) if "q" in request.args else None, request.args.get("article", ""))


@site.post("/watches")
@access.member_only(access.KEY_ROLES)
def add_watch() -> AnyResponse:
    """Watch what was found; what is watched already takes the choice of mail."""
    form, article = FindForm(request.form), request.form.get("article", "")
    if not form.validate() or len(article) > _NUMBER_MAX or not article.isprintable():
        return _page(form, refused=True)
    account_id = access.current_member().account_id
    try:
        with db.transaction() as session:
            row, new = citator.watch(
                session,
                account_id,
                form.q.data,
                _country(request.form.get("country")) or None,
                article=article,
                mail=request.form.get("mail") == "yes",
                now=clock.now(),
            )
            name = _name(row.title, row.article)
    except errors.Invalid as refused:
        if refused.code == "WATCH_LIMIT":
            flash(
                gettext("The account watches %(n)s, the maximum. Remove one first.", n=webhooks.MAX_WATCHES),
                "warn",
            )
            return redirect(url_for("portal.watches"), 303)
        return _page(form, refused=True)
    flash(
        gettext("“%(what)s” is watched now.", what=name)
        if new
        else gettext("“%(what)s” was watched already.", what=name),
        "ok",
    )
    return redirect(url_for("portal.watches"), 303)


@site.post("/watches/<uuid:watch_id>/mail")
@access.member_only(access.KEY_ROLES)
def mail_watch(watch_id: uuid.UUID) -> AnyResponse:
    """Turn the mails about a watch on or off."""
    wanted = request.form.get("to") == "on"
    with db.transaction() as session:
        row = webhooks.change_watch(session, access.current_member().account_id, watch_id, mail=wanted)
        name = _name(row.title, row.article)
    flash(
        gettext("The owners get mail about “%(what)s”.", what=name)
        if wanted
        else gettext("The owners get no more mail about “%(what)s”.", what=name),
        "ok",
    )
    return redirect(url_for("portal.watches"), 303)


@site.route("/watches/<uuid:watch_id>/remove", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def remove_watch(watch_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation; then stop watching."""
    account_id = access.current_member().account_id
    if request.method == "POST":
        with db.transaction() as session:
            webhooks.unwatch(session, account_id, watch_id)
        flash(gettext("It is no longer watched."), "ok")
        return redirect(url_for("portal.watches"), 303)
    with db.reading() as session:
        row = webhooks.watch_of(session, account_id, watch_id)
        name = _name(row.title, row.article)
    return render_template("portal/law/remove_watch.html", name=name)


def _page(form: FindForm | None, article: str = "", *, refused: bool = False) -> AnyResponse:
    me, code = access.current_member(), _country(request.values.get("country"))
    valid = form is not None and form.validate() and article.isprintable()
    found = _found(form.q.data.strip(), code, article, me.account_id) if form and valid else None
    with db.reading() as session:
        rows = webhooks.watches_of(session, me.account_id)
        news = citator.news(session, me.account_id, rows, limit=_NEWS)
        session.expunge_all()
    page = render_template(
        "portal/law/watches.html",
        form=form or FindForm(),
        found=found,
        countries=options(_countries(), code),
        rows=[
            WatchRow(
                row,
                _name(row.title, row.article),
                KINDS[row.kind],
                coverage.country(row.jurisdiction),
                _place(row),
            )
            for row in rows
        ],
        news=[_told(one) for one in news],
        most=webhooks.MAX_WATCHES,
        may_change=me.may_manage_keys,
        has_mail=mail.can_send(),
        terms=status_labels,
    )
    return make_response(page, 422 if refused or (form and form.errors) else 200)


def _found(written: str, code: str, article: str, account_id: uuid.UUID) -> list[Candidate]:
    """Return what the words name, the law of an article that they name, and what a search finds.

    With `article` the words name its law, and there is nothing to search.
    """
    country = code or "ES"
    asked = {
        kind: search.prepare(written, jurisdiction=country, kind=kind, config=settings.current())
        for kind, least in _SHORTEST.items()
        if len(written) >= least and not article
    }  # outside any transaction: it may ask a provider of embeddings
    with db.reading() as session:
        held = {name: row for row in webhooks.watches_of(session, account_id) for name in row.names}
        candidates: list[Candidate] = []

        def offer(found: citator.Authority, q: str, where: str, article: str = "", extract: str = "") -> None:
            subject = citator.subject(session, found)
            row = next((held[name] for name in subject.names if name in held), None)
            if all(subject.names[0] != one.subject.names[0] for one in candidates):
                candidates.append(Candidate(subject, q, where, article, extract, row))

        named = citator.resolve(session, written, code or None)
        if named is not None and article and named.kind == "norm":
            named = citator.authority(session, named.form, article)
        if named is not None and (named.known or named.kind == "judgment"):
            offer(named, written, code, article)
            if named.article:
                law = citator.authority(session, named.form)
                offer(law, str(law.id or law.form), law.jurisdiction)
        if "article" in asked:
            answer = search.statute_search.search(
                session, asked["article"], day=clock.today(), most=_ARTICLES
            )
            for one in answer.found:
                law = citator.authority(session, corpus.key_of(country, one.official_id), one.number)
                offer(law, str(one.norm_id), country, one.number, _extract(one.text))
        if "judgment" in asked:
            passages, _note = search.judgment_search.search(session, asked["judgment"], most=_JUDGMENTS)
            for passage in passages:
                judgment = citator.resolve(session, str(passage.judgment_id), country)
                if judgment is not None:
                    offer(judgment, str(passage.judgment_id), country, extract=_extract(passage.text))
        session.expunge_all()
    return candidates


def _told(one: citator.News) -> NewsRow:
    return NewsRow(
        one,
        _listed(_name(row.title, row.article) for row in one.what),
        _link(one.by.url) if one.by else _place(one.what[0]),
    )


def _listed(names: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(names))


def _name(title: str, article: str | None) -> str:
    return f"{title} · {article_name(article)}" if article else title


def _extract(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _EXTRACT else words[:_EXTRACT].rsplit(" ", 1)[0] + " …"


def _country(asked: str | None) -> str:
    return asked if asked in dict(_countries()) else ""


def _countries() -> Sequence[tuple[str, str]]:
    codes = [one.code for one in corpus.jurisdictions()]
    if any(table.jurisdiction == _FICTIONAL for table in corpus.coverage_snapshot(clock.now()).tables):
        codes.append(_FICTIONAL)
    return sorted(((one, coverage.country(one)) for one in codes), key=lambda one: one[1])


def _place(row: webhooks.Watch) -> Place | None:
    """Return where it can be read: an article on our own page, anything else where it is published."""
    if row.article is None:
        return _link(row.url)
    norm = row.subject.removesuffix(f":art{row.article}").partition(":")[2]
    return Place(
        url_for("portal.law", tool="article", norm=norm, article=row.article, country=row.jurisdiction), True
    )


def _link(url: str | None) -> Place | None:
    """Return a URL that a browser can open; `None` for a URN."""
    return Place(url) if url and url.startswith(("https://", "http://")) else None
