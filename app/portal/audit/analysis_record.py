"""Record page: everything that is known of one analysis, its proofs, and its reviews by people."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import FileField, HiddenField, RadioField, StringField, TextAreaField
from wtforms.validators import InputRequired, Length, ValidationError

from app import governance, tenancy
from app.platform import clock
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.portal.audit.record import Row, rows_of
from app.portal.web.blueprints import site
from app.portal.web.display import labels, language
from app.portal.web.display.view_models import options
from app.portal.web.session import access, form_once
from app.portal.web.uploads import read_text

# Longer than any text that can have been analysed, in characters.
_TEXT_MAX = 2_000_000
_HASH = re.compile("[0-9a-f]{64}")

DECISION_HINTS: Mapping[str, Any] = {
    "accepted": _("Used as it is."),
    "corrected": _("Used after changes by a person."),
    "rejected": _("Not used."),
}
# Why a record cannot be relied on.
PROBLEMS: Mapping[str, Any] = {
    "link": _("It does not contain the hash of the previous record."),
    "content": _("Its hash does not match its content: the content was changed."),
    "columns": _("It is listed with a time, key, account or request that differs from its content."),
}


class ReviewForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """A decision and, where it is known, the final text or its hash; the text itself is not kept."""

    decision = RadioField(
        choices=governance.DECISIONS,
        validators=[InputRequired(_("Choose what was decided."))],
        validate_choice=False,
    )
    final_text = TextAreaField(
        validators=[Length(max=_TEXT_MAX, message=_("This text is too long to be compared."))]
    )
    final_hash = StringField()
    once = HiddenField()

    def validate_decision(self, field: Any) -> None:
        """Accept only decisions that a review can have."""
        if field.data not in governance.DECISIONS:
            raise ValidationError(gettext("Choose what was decided."))

    def validate_final_hash(self, field: Any) -> None:
        """Accept a SHA-256 in hex, and not beside the text."""
        typed = (field.data or "").strip().lower()
        if typed and not _HASH.fullmatch(typed):
            raise ValidationError(gettext("A SHA-256 has 64 hexadecimal digits."))
        if typed and (self.final_text.data or "").strip():
            raise ValidationError(gettext("Give either the text or its hash."))

    @property
    def hash(self) -> str | None:
        """The SHA-256 of the final text, `None` where nothing was said of it."""
        text = (self.final_text.data or "").replace("\r\n", "\n")
        if text.strip():
            return governance.content_hash(text)
        return (self.final_hash.data or "").strip().lower() or None


class FindForm(FlaskForm):  # type: ignore[misc]
    """A document or an analysis whose record is looked for: pasted or as a file of text."""

    text = TextAreaField(
        validators=[Length(max=_TEXT_MAX, message=_("This text is too long to be compared."))]
    )
    file = FileField()

    document: str = ""

    def validate_text(self, field: Any) -> None:
        """Take the text from the file, or from the field without one."""
        self.document = read_text(self.file.data, 4 * _TEXT_MAX) or (field.data or "").replace("\r\n", "\n")
        if not self.document.strip():
            raise ValidationError(gettext("Paste a text or choose a file."))

    def hashes(self) -> list[str]:
        """Return the hashes under which the text may be known: as a document, then as an analysis.

        White space at the ends is easily lost on the way from one program to another.
        """
        same = (self.document, self.document.strip(), self.document.strip() + "\n")
        return [
            *dict.fromkeys(DocumentText(text).fingerprint() for text in same),
            governance.content_hash(self.document),
        ]


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One review with the name of the person or key behind it."""

    seq: int
    at: datetime
    decision: str
    who: str
    how: str
    final: str
    hash: str


@site.get("/analyses/<int:seq>")
@access.member_only()
def analysis_record(seq: int) -> AnyResponse:
    """Show everything that is known of the analysis at a position of the chain."""
    return _page(seq)


@site.post("/analyses/<int:seq>/review")
@access.member_only(access.KEY_ROLES)
def review_analysis(seq: int) -> AnyResponse:
    """Record what a person decided about the analysis; nobody can take it back."""
    form, me = ReviewForm(), access.current_member()
    if not form.validate():
        return _page(seq, form)
    turn = form_once.FormToken(me.account_id, form.once.data)
    if not turn.take():
        flash(gettext("This review has already been recorded."), "warn")
        return redirect(url_for("portal.analysis_record", seq=seq), 303)
    with turn.returned_on_failure(), db.transaction() as session:
        governance.review(
            session,
            governance.analysis_at(session, me.account_id, seq),
            form.decision.data,
            by=governance.Reviewer(member_id=me.member_id),
            final_hash=form.hash,
            now=clock.now(),
        )
    flash(gettext("The review has been recorded."), "ok")
    return redirect(url_for("portal.analysis_record", seq=seq, _anchor="reviews"), 303)


@site.get("/analyses/<int:seq>/attestation.<any(json, dsse):form>")
@access.member_only()
def analysis_attestation(seq: int, form: str) -> AnyResponse:
    """Download the attestation of an analysis: the signed object, or an in-toto statement in DSSE."""
    me = access.current_member()
    # A transaction, since the first attestation of all makes the key that signs it.
    with db.transaction() as session:
        record = governance.analysis_at(session, me.account_id, seq)
        governance.outputs.require_attestation(tenancy.get_account(session, me.account_id).attestation)
        made = governance.outputs.attestation_of(session, record, form="dsse" if form == "dsse" else "flat")
    return _file(
        json.dumps(made, ensure_ascii=False, indent=2) + "\n",
        "application/json",
        f"attestation_{seq}{'.dsse' if form == 'dsse' else ''}.json",
    )


@site.get("/analyses/<int:seq>/proof")
@access.member_only()
def analysis_proof(seq: int) -> AnyResponse:
    """Download the proof that the record of an analysis is in the transparency log."""
    me = access.current_member()
    with db.reading() as session:
        record = governance.analysis_at(session, me.account_id, seq)
        proof = governance.outputs.proof_of(session, record)
    if proof is None:
        flash(gettext("The record is not in a signed head of the log yet. Try again in a minute."), "warn")
        return redirect(url_for("portal.analysis_record", seq=seq), 303)
    return _file(str(proof), "text/plain", f"record_{seq}.tlog-proof")


@site.post("/analyses/find")
@access.member_only()
def find_analysis() -> AnyResponse:
    """Look for the analyses of a text by its hash; the text is hashed in memory and not kept."""
    form = FindForm()
    if not form.validate():
        for complaints in form.errors.values():
            flash(str(complaints[0]), "warn")
        return redirect(url_for("portal.analyses"), 303)
    hashes = form.hashes()
    with db.reading() as session:
        known = governance.known_hash(session, access.current_member().account_id, hashes)
    return redirect(url_for("portal.analyses", q=known or hashes[0]), 303)


def _file(body: str, mimetype: str, name: str) -> Response:
    return Response(
        body, mimetype=mimetype, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _page(seq: int, form: ReviewForm | None = None) -> AnyResponse:
    me = access.current_member()
    with db.reading() as session:
        found = governance.analysis_record(session, me.account_id, seq)
        record = found.record
        keys = tenancy.keys_by_id(
            session,
            me.account_id,
            [one for one in (record.api_key_id, *(made.api_key_id for made in found.reviews)) if one],
        )
        account = tenancy.get_account(session, me.account_id)
        policy = tenancy.enforcement.of_key(session, me.account_id, record.api_key_id)
        (row,) = rows_of([record], keys)
        names = {member.id: member.email for member in tenancy.members_of(session, me.account_id)}
        page = render_template(
            "portal/audit/analysis_record.html",
            found=found,
            row=row,
            content=record.content,
            started=_moment(record.content["startedAt"]),
            took=_milliseconds(record.content),
            problem=PROBLEMS.get(found.problem or ""),
            masked=_masked(record.content["redactions"]),
            findings=_findings(record.content.get("findings", {})),
            reviews=[_review(one, names, keys, record.content["analysisHash"]) for one in found.reviews],
            key_id=record.api_key_id if record.api_key_id in keys else None,
            attests=account.attestation,
            policy=policy,
            policy_words=_policy_words(policy, row),
            form=form or ReviewForm(formdata=None),
            decisions=options(labels.DECISIONS, form.decision.data if form else None),
            no_findings=gettext("none") if row.mode == "deep" else gettext("not in this mode"),
            tongue=language.NAMES.get(record.content["language"], record.content["language"]),
            hints=DECISION_HINTS,
            once=form_once.number(),
        )
    return make_response(page, 422 if form else 200)


def _moment(iso: str) -> datetime:
    return datetime.fromisoformat(iso)


def _milliseconds(content: Mapping[str, Any]) -> int:
    return round((_moment(content["finishedAt"]) - _moment(content["startedAt"])).total_seconds() * 1000)


def _masked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return [(labels.masked(kind), count) for kind, count in sorted(counts.items()) if count]


def _findings(counts: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """Return node B's findings as type, severity and number, the severest first."""
    order = ("high", "medium", "low")
    found = []
    for code, count in counts.items():
        kind, _mark, severity = code.partition(" ")
        if count:
            found.append((kind, severity, count))
    found.sort(key=lambda one: (order.index(one[1]) if one[1] in order else len(order), one[0]))
    return [
        (str(labels.FINDINGS.get(kind, kind)), str(labels.SEVERITIES.get(severity, severity)), count)
        for kind, severity, count in found
    ]


def _policy_words(policy: tenancy.EnforcementPolicy | None, row: Row) -> str:
    """Say which policy applies to the key of this analysis, and since when."""
    if policy is None:
        return str(gettext("No policy has been set for its key."))
    said: str = {
        "api_key": gettext("The policy of its key"),
        "organization": gettext("The policy of its organization"),
        "user": gettext("The policy of the account"),
    }[policy.scope]
    state = (
        gettext("withholds analyses with a broken citation")
        if policy.enabled
        else gettext("withholds nothing")
    )
    when = (
        gettext("already when this analysis was made")
        if policy.updated_at <= row.at
        else gettext("but was changed after this analysis")
    )
    return f"{said} {state}, {when}."


def _review(
    one: governance.Review,
    names: Mapping[uuid.UUID, str],
    keys: Mapping[uuid.UUID, tenancy.ApiKey],
    analysis_hash: str,
) -> ReviewRow:
    if one.member_id is not None:
        who, how = names.get(one.member_id) or gettext("a former member"), gettext("in the portal")
    else:
        key = keys.get(one.api_key_id) if one.api_key_id else None
        who, how = key.name if key else "–", gettext("over the API")
    final = ""
    if one.final_hash is not None:
        final = (
            gettext("The final text is the analysis, unchanged.")
            if one.final_hash == analysis_hash
            else gettext("The final text differs from the analysis.")
        )
    return ReviewRow(one.seq, one.at, one.decision, who, how, final, one.final_hash or "")
