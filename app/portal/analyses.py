"""Analyses: the audit trail as metadata, and whether its chain is whole."""

from __future__ import annotations

from flask import render_template

from app import governance, tenancy
from app.platform import db
from app.portal import access
from app.portal.record import rows_of
from app.portal.site import is_fragment, site

SHOWN = 50


@site.get("/analyses")
@access.member_only()
def analyses() -> str:
    """The newest analyses. Recomputing the chain takes a while on a long one: it is asked for on its own."""
    visitor = access.visitor()
    with db.reading() as session:
        records = governance.records(session, visitor.account_id, limit=SHOWN)
        rows = rows_of(records, tenancy.keys_of(session, visitor.account_id))
    return render_template("portal/analyses.html", rows=rows, shown=SHOWN)


@site.get("/analyses/chain")
@access.member_only()
def chain() -> str:
    """The verdict on the chain, recomputed now: a fragment for htmx, a page of its own without it."""
    verdict = _verify(access.visitor())
    if is_fragment():
        return render_template("portal/_chain.html", verdict=verdict)
    return render_template("portal/chain.html", verdict=verdict)


def _verify(visitor: access.Visitor) -> object:
    # A transaction, because the records are read through a cursor of the server's.
    with db.transaction() as session:
        return governance.verify_chain(session, visitor.account_id)
