"""Law: search and read the corpus, check citations, use the citator.

Every tool is a GET form, so that each result has its own URL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from flask import Response, make_response, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form, StringField
from wtforms.validators import DataRequired, Length, Optional, ValidationError

from app import citator, corpus, search, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.law import coverage
from app.portal.web.blueprints import site
from app.portal.web.display import language, status_labels
from app.portal.web.display.view_models import flags, options
from app.portal.web.fields import Day, printable
from app.portal.web.session import access

QUERY_MAX, CITATION_MAX = 500, 300
# A question is an address, and servers refuse long ones.
QUOTATION_MAX = 1_000
_RESULTS, _LINKS = 10, 20
_EXTRACT = 420  # characters
_SHORTEST = {"statutes": 2, "judgments": 5}
# Questions that the fictional law of the demonstration answers, in its language: words, tool, what is asked.
_EXAMPLES: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("Buscar «devolución de la fianza»", "search", {"q": "devolución de la fianza"}),
    ("Leer el artículo 6, que tuvo dos redacciones", "article", {"norm": "DEMO-LA", "article": "6"}),
    ("Comprobar «art. 7 de la Ley de Arrendamientos de Demostralia»", "check",
     {"q": "art. 7 de la Ley de Arrendamientos de Demostralia"}),
    ("Ver quién cita el artículo 6", "citator", {"q": "art. 6 de la Ley de Arrendamientos de Demostralia"}),
)  # fmt: skip
WEAKENING = (
    "distinguishes", "overrules", "annuls", "declares_unconstitutional", "upholds_conditionally", "amends",
    "repeals",
)  # fmt: skip
VERDICT_TONES = {"verified": "ok", "not_found": "bad", "derogated": "bad", "mismatch": "warn"}


def _words(most: int) -> list[Any]:
    return [
        DataRequired(_("Enter a query.")),
        Length(max=most, message=_("Enter at most %(max)d characters.")),
        printable,
    ]


class SearchForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """A query in words, or a citation."""

    q = StringField(validators=_words(QUERY_MAX))
    on = Day(validators=[Optional()])

    def validate_q(self, field: Any) -> None:
        """Check the minimum length, which depends on what is searched."""
        least = _SHORTEST[_shelf()]
        if len(field.data.strip()) < least:
            raise ValidationError(gettext("Enter at least %(n)s characters.", n=least))


class ArticleForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """A law by any of its names, an article of it, and a day."""

    norm = StringField(validators=_words(200))
    article = StringField(validators=_words(80))
    on = Day(validators=[Optional()])


class CheckForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """A citation, and the words that it is claimed to contain."""

    q = StringField(validators=_words(CITATION_MAX))
    quotation = StringField(
        validators=[
            Optional(),
            Length(max=QUOTATION_MAX, message=_("Enter at most %(max)d characters.")),
        ]
    )
    on = Day(validators=[Optional()])

    def validate_quotation(self, field: Any) -> None:
        """Reject NUL characters, which PostgreSQL cannot store."""
        if "\x00" in field.data:
            raise ValidationError(gettext("This is not plain text. Copy the text from the document."))


class CitatorForm(Form):  # type: ignore[misc]  # wtforms ships no types
    """A judgment, a law or an article of it."""

    q = StringField(validators=_words(CITATION_MAX))
    on = Day(validators=[Optional()])


@dataclass(frozen=True, slots=True)
class ArticleResult:
    """The result of looking an article up; `state` says whether and why not it was found."""

    state: str
    title: str | None = None
    names: Sequence[str] = ()
    norm: Any = None
    found: corpus.ArticleAt | None = None
    # With a day on which each was in force, and whether it is the one that is shown.
    versions: Sequence[tuple[Any, date | None, bool]] = ()
    url: str | None = None

    @property
    def state_is(self) -> Mapping[str, bool]:
        """The state, by its name."""
        return flags(self.state)

    @property
    def heading(self) -> str:
        """The name of the article."""
        return article_name(self.found.article.number) if self.found else ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result of a search; `norm` and `number` where it is an article."""

    title: str
    source: str
    # Its best part, in pieces, each with whether it is marked.
    pieces: Sequence[tuple[str, bool]]
    url: str | None
    norm: str | None = None
    number: str | None = None
    named: str = ""

    @property
    def heading(self) -> str:
        """The name of the article."""
        return article_name(self.number or "")


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One edge of the citator as the list shows it; `url` is one that a browser can open."""

    item: Any
    url: str | None

    @property
    def is_worse(self) -> bool:
        """Whether it takes force away from what it cites."""
        return str(self.item.treatment) in WEAKENING

    @property
    def is_repeated(self) -> bool:
        """Whether it cites more than once."""
        return bool(self.item.times > 1)


@site.get("/law", endpoint="law")
@access.member_only()
def law_page() -> Response:
    """Show one tool with its result, and the coverage of the corpus."""
    tool = request.args.get("tool", "")
    if tool not in TOOLS:
        tool = "search"
    form_class, answering = TOOLS[tool]
    form = form_class(request.args)
    now, me = clock.now(), access.current_member()
    with db.reading() as session:
        addon = tenancy.get_account(session, me.account_id).citator
        counted, waiting = corpus.law(session), corpus.waiting(session)
    held = coverage.coverage_of(corpus.coverage_snapshot(now))
    codes = [one.code for one in corpus.jurisdictions()]
    codes += [coverage.FICTIONAL] if any(row.code == coverage.FICTIONAL for row in held.rows) else []
    country = coverage.FICTIONAL if held.is_fictional else "" if tool in ("check", "citator") else "ES"
    code = request.args.get("country", country)
    code = code if code in codes else ""
    answer = None
    asked = any(name in request.args for name in ("q", "norm")) and (tool != "citator" or addon)
    if asked and form.validate():
        answer = answering(form, code, form.on.data or clock.today())
    page = render_template(
        "portal/law/law.html",
        tool=tool,
        tool_is=flags(tool),
        tools=options(
            {
                "search": gettext("Search"),
                "article": gettext("Read an article"),
                "check": gettext("Check a citation"),
                "citator": gettext("Who cites it"),
            },
            tool,
        ),
        form=form,
        asked=asked,
        answer=answer,
        shelf_is=flags(_shelf()),
        tongue=_tongue(code),
        code=code,
        on=form.on.data or clock.today(),
        today=clock.today(),
        countries=options(
            sorted(((one, coverage.country(one)) for one in codes), key=lambda one: one[1]), code
        ),
        law=counted,
        waiting=waiting,
        held=held,
        examples=_examples() if held.has_fictional else (),
        addon=addon,
        quotation_max=QUOTATION_MAX,
        terms=status_labels,
    )
    return make_response(page, 422 if asked and form.errors else 200)


def _examples() -> list[tuple[str, str]]:
    """Return questions that the fictional law answers, with the addresses of their answers."""
    return [
        (words, url_for("portal.law", tool=tool, country=coverage.FICTIONAL, **asked))
        for words, tool, asked in _EXAMPLES
    ]


def _tongue(code: str) -> str:
    """Return the language of a jurisdiction's law; fictional law (ZZ) is in Spanish."""
    known = corpus.jurisdiction(code) if code else None
    return known.language if known else "es"


def _shelf() -> str:
    return "judgments" if request.args.get("shelf") == "judgments" else "statutes"


def _search(form: SearchForm, code: str, on: date) -> dict[str, Any]:
    judgments, code = _shelf() == "judgments", code or "ES"
    kind = "judgment" if judgments else "article"
    asked = search.prepare(
        form.q.data.strip(), jurisdiction=code, kind=kind, config=settings.current()
    )  # outside any transaction: it may ask a provider of embeddings
    with db.reading() as session:
        if judgments:
            chunks, note = search.judgment_search.search(session, asked, most=_RESULTS)
            found = [
                SearchResult(
                    one.title,
                    one.source,
                    _pieces(one.text, asked),
                    _link(one.url),
                    named=str(one.judgment_id),
                )
                for one in chunks
            ]
            return {"found": found, "ready": note is None or note[1] != "CORPUS_NOT_INGESTED"}
        answer = search.statute_search.search(session, asked, day=on, most=_RESULTS)
    found = [
        SearchResult(
            one.heading or "",
            one.alias or one.norm_title,
            _pieces(one.text, asked),
            _link(one.url),
            norm=str(one.norm_id),
            number=one.number,
        )
        for one in answer.found
    ]
    return {"found": found, "ready": answer.note_code != "CORPUS_NOT_INGESTED"}


def _pieces(text: str, asked: search.PreparedQuery) -> list[tuple[str, bool]]:
    return search.highlights.extract(text, search.highlights.spans(text, asked.parsed), _EXTRACT)


def _article(form: ArticleForm, code: str, on: date) -> ArticleResult:
    with db.reading() as session:
        called = corpus.find(session, form.norm.data, code or "ES")
        norm = called.norm
        if norm is None:
            if called.candidates:
                return ArticleResult("several", names=[corpus.norm_title(key) for key in called.candidates])
            title = corpus.norm_title(called.key) if called.key else None
            return ArticleResult("not_loaded" if title else "unknown", title)
        found = corpus.article(session, norm, form.article.data, on)
        held = corpus.wordings(session, found.article.id) if found else ()
        session.expunge_all()
    title = norm.short_title or norm.title
    shown = found.version.id if found and found.version else None
    versions = [(one, _day_of(one), one.id == shown) for one in held]
    if found is None:
        state = "no_text" if norm.source == "index" else "no_article" if norm.whole else "not_held"
        return ArticleResult(state, title, norm=norm, url=_link(corpus.permanent(norm)))
    state = "not_then" if found.version is None else "read"
    if found.version and corpus.says_nothing(found.version):
        state = "empty"
    elif norm.repealed is not None and on >= norm.repealed:
        state = "repealed"
    elif norm.status != "in_force" and norm.repealed is None:
        state = "out_of_force"
    url = _link(corpus.permanent(norm, found.article.number))
    return ArticleResult(state, title, norm=norm, found=found, versions=versions, url=url)


def _day_of(version: Any) -> date | None:
    """Return a day on which a version was in force; `None` for the current one of unknown beginning."""
    began: date | None = version.in_force_from
    ended: date | None = version.in_force_to
    return began or (ended - timedelta(days=1) if ended else None)


def _check(form: CheckForm, code: str, on: date) -> dict[str, Any]:
    """Check a citation as one of legislation, else of a judgment."""
    written, claim = form.q.data.strip(), (form.quotation.data or "").strip() or None
    several: Sequence[str] = ()
    for kind in ("L4-N", "L2-J"):
        try:
            citation = corpus.claim_check.read_citation(written, code or None, kind)
        except errors.Invalid as unread:
            several = several or (unread.details or {}).get("candidates", ())
            continue
        with db.reading() as session:
            if kind == "L4-N":
                found = corpus.claim_check.check_statute(
                    session, citation, day=on, written=written, claim=claim
                )
            else:
                found = corpus.claim_check.check_judgment(session, citation, day=on, claim=claim)
        note = found.note.in_(language.current())
        could_not = found.status in ("verified", "derogated", "not_verifiable") and not found.compared
        return {
            "checked": found,
            "tone": VERDICT_TONES.get(found.status, ""),
            "note": note,
            "url": _link(found.url),
            "is_claimed": claim is not None,
            "is_uncompared": claim is not None and could_not,
        }
    return {"checked": None, "several": [coverage.country(one) for one in several]}


def _citator(form: CitatorForm, code: str, on: date) -> dict[str, Any]:
    with db.reading() as session:
        found = citator.resolve(session, form.q.data, code or None)
        if found is None:
            return {"authority": None}
        stands = citator.standing_of(session, found, on=on)
        citing = citator.citing(session, found, treatment=None, after=0, limit=_LINKS)
        cited = citator.cited_by(session, found, treatment=None, after=0, limit=_LINKS)
        return {
            "authority": found,
            "stands": stands,
            "because": _rows(stands.because),
            "sides": [
                (title, page, page.total > len(page.links), _rows(page.links))
                for title, page in ((_("Cited by"), citing), (_("It cites"), cited))
            ],
            "url": _link(found.url),
        }


def _rows(links: Iterable[Any]) -> list[LinkRow]:
    return [LinkRow(one, _link(one.authority.url)) for one in links]


def article_name(number: str) -> str:
    """Name an article: its number with the word, or what stands in place of a number."""
    return str(gettext("Article %(n)s", n=number)) if number[:1] in set("0123456789") else number


def _link(url: str | None) -> str | None:
    """Return a URL that a browser can open; `None` for a URN."""
    return url if url and url.startswith(("https://", "http://")) else None


TOOLS: Mapping[str, tuple[type[Form], Callable[[Any, str, date], Any]]] = {
    "search": (SearchForm, _search),
    "article": (ArticleForm, _article),
    "check": (CheckForm, _check),
    "citator": (CitatorForm, _citator),
}
