"""The options of an analysis in forms, what it costs, and its submission as jobs."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from flask_babel import gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import HiddenField, RadioField, SelectField, StringField
from wtforms.validators import ValidationError

from app import analysis, corpus, credits, documents, jobs, tenancy
from app.platform import clock, errors, redis_client, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.platform.web import http
from app.portal.web.api_address import address
from app.portal.web.display import labels, language
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.session import access

PAYERS = tenancy.KeyFilter(state="in_use", scope="analyze", roles=("solo", "master"))
SHORTEST, LONGEST = analysis.TEXT_MIN, analysis.LONG_TEXT_MAX


class OptionsForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Law, branch, language, mode and the key to charge."""

    jurisdiction = SelectField(default=analysis.AUTO)
    branch = SelectField(default="civil")
    language = RadioField(choices=analysis.LANGUAGES, default="es", validate_choice=False)
    mode = RadioField(choices=analysis.MODES, default="standard", validate_choice=False)
    key = StringField()
    once = HiddenField()

    def validate_language(self, field: Any) -> None:
        """Accept only the languages of analyses."""
        if field.data not in analysis.LANGUAGES:
            raise ValidationError(gettext("Choose one of the two."))

    def validate_mode(self, field: Any) -> None:
        """Accept only the modes of analyses."""
        if field.data not in analysis.MODES:
            raise ValidationError(gettext("Choose one of the two."))


Form = TypeVar("Form", bound=OptionsForm)


@dataclass(frozen=True, slots=True)
class Submission:
    """One document to analyse: a text, or a file with what was read of it, or a document kept before."""

    text: DocumentText
    file: http.UploadedFile | None = None
    reading: documents.Reading | None = None
    ref: uuid.UUID | None = None

    @classmethod
    def of(cls, text: str, file: http.UploadedFile | None, reading: documents.Reading | None) -> Submission:
        """Return the submission of a form with a text or a file."""
        return cls(reading.text if reading else DocumentText(text), file if reading else None, reading)


def judge_length(size: int) -> None:
    """Refuse a text that is too short or too long. Raises `ValidationError`."""
    if not SHORTEST <= size <= LONGEST:
        raise ValidationError(
            gettext(
                "A text must have %(least)s to %(most)s characters; this one has %(n)s.",
                least=SHORTEST,
                most=f"{LONGEST:,}".replace(",", "\u202f"),
                n=size,
            )
        )


def choices(form: Form) -> Form:
    """Fill in the laws and branches to choose from; return the form."""
    engine = engine_of_account()
    countries = sorted(
        (language.territory(one.code), one.code, corpus.assessment(one.code, engine))
        for one in corpus.jurisdictions()
    )
    form.jurisdiction.choices = [
        (analysis.AUTO, gettext("Detect from the text")),
        *((code, labels.country(name, level)) for name, code, level in countries),
    ]
    form.branch.choices = [(name, labels.BRANCHES[name]) for name in analysis.BRANCHES]
    return form


def engine_of_account() -> str:
    """Return the engine of node A that works for the account: its own, or the operator's."""
    with db.reading() as session:
        own = analysis.own_engines.engines_of(session, access.current_member().account_id)
        found = next((one.engine for one in own if one.node == "A"), None)
    return found or settings.current().node_a_engine


def payer_of(form: OptionsForm) -> Choice:
    """Return the key that the analysis is charged to."""
    with db.reading() as session:
        found = choice(session, form.key.data, PAYERS)
        session.expunge_all()
    return found


def prices(mode: analysis.Mode) -> list[str]:
    """Return what an analysis costs, in words, by how often `TEXT_MAX` characters are begun, from 1."""
    costs = (analysis.price(mode, size) for size in range(analysis.TEXT_MAX, LONGEST + 1, analysis.TEXT_MAX))
    return [ngettext("%(num)s credit", "%(num)s credits", cost) for cost in costs]


def page_values(form: OptionsForm) -> dict[str, Any]:
    """Return what `portal/analysis/_options.html` shows: keys, prices, the balance, whether Redis is away."""
    with db.reading() as session:
        balance = credits.balance(session, access.current_member().account_id)
    try:
        redis_client.client().ping()
        away = False
    except redis_client.Unavailable:
        away = True
    return {
        "payer": payer_of(form),
        "balance": balance.balance - balance.held,
        "unit": analysis.TEXT_MAX,
        "prices": {mode: prices(mode) for mode in analysis.MODES},
        "away": away,
        "is_deep": form.mode.data == "deep",
        "is_english": form.language.data == "en",
        "complaint": form.key.errors[0] if form.key.errors else None,
    }


def keep(key_id: uuid.UUID, file: http.UploadedFile, found: documents.Reading) -> uuid.UUID:
    """Keep a file that was read for the key that is to be charged; return its reference.

    Raises:
        TooManyDocuments: 429.
        redis_client.Unavailable: Nothing can be stored now.
    """
    with db.transaction() as session:
        caller = tenancy.as_key(session, access.current_member().account_id, key_id, now=clock.now())
        return documents.keep(session, caller, found, file.data).id


def price_of(units: int, mode: str) -> str:
    """Return what documents that begin so many `TEXT_MAX` characters cost in a mode, in words."""
    cost = units * analysis.price("deep" if mode == "deep" else "standard")
    return str(ngettext("%(num)s credit", "%(num)s credits", cost))


def submit(
    form: OptionsForm,
    key_id: uuid.UUID,
    submissions: Sequence[Submission],
    matter_id: uuid.UUID | None = None,
) -> list[jobs.Job]:
    """Accept every submission as a job, or none; return the jobs, none where the form says what is wrong.

    Files are kept for the key that is charged, so that pages can be shown while the result is kept.

    Raises:
        TooManyDocuments: 429.
        Exhausted: 429, the key has too many pending jobs.
        redis_client.Unavailable: Nothing can be stored now.
    """
    me, now = access.current_member(), clock.now()
    try:
        with db.transaction() as session:
            caller = tenancy.as_key(session, me.account_id, key_id, now=now)
            accepted = [
                jobs.accept(
                    session,
                    caller,
                    jobs.Payload.single(_request(session, caller, form, one)),
                    # Each has an audit record of its own, which is found by this.
                    request_id=http.request_id() if matter_id is None else f"req_{uuid.uuid4()}",
                    base_url=address(),
                    # Their order is that in which they were chosen.
                    now=now + timedelta(microseconds=place),
                    matter_id=matter_id,
                )
                for place, one in enumerate(submissions)
            ]
    except credits.SpendCapReached:
        form.key.errors = [gettext("This key has reached its monthly cap. Choose another or raise the cap.")]
        return []
    except errors.Exhausted as exhausted:
        if exhausted.status != 402:
            raise
        form.mode.errors = [gettext("You do not have enough credits for this analysis.")]
        return []
    jobs.enqueue(accepted)
    return accepted


def _request(
    session: db.Session, caller: tenancy.Caller, form: OptionsForm, one: Submission
) -> analysis.AnalysisRequest:
    ref = one.ref
    if ref is None and one.file is not None and one.reading is not None:
        ref = documents.keep(session, caller, one.reading, one.file.data).id
    return analysis.AnalysisRequest(
        text=one.text,
        jurisdiction=form.jurisdiction.data,
        branch=form.branch.data,
        language=form.language.data,
        mode=form.mode.data,
        source=analysis.Source(ref, one.reading) if ref and one.reading else None,
    )
