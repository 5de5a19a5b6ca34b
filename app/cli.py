"""The operator's command line: `flask --app wsgi account | key | credits | corpus | demo …`.

With `--json` the last line of standard output is one JSON object. A refused command prints one sentence to
standard error and exits with 1. Each command is one transaction, but for those of the corpus, which are many.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click
import sqlalchemy as sa
from flask.cli import AppGroup

from app import citator, corpus, credits, demo, organizations, search, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db, rls

P = ParamSpec("P")

account = AppGroup("account", help="Tenants: create one, switch its options.")
key = AppGroup("key", help="API keys: create, revoke.")
credit = AppGroup("credits", help="Credits: grant, show the balance.")
law = AppGroup("corpus", help="The corpus of law: load it, see what is in it.")
demonstration = AppGroup("demo", help="The demonstration account of `make run`.")

GROUPS: tuple[click.Group, ...] = (account, key, credit, law, demonstration)

as_json = click.option("--json", "json_output", is_flag=True, help="Answer one JSON object on the last line.")


of_account = click.option(
    "--account", "written", metavar="ACCOUNT", required=True, help="Its id, or its owner's e-mail address."
)


def plainly(command: Callable[P, dict[str, Any]]) -> Callable[P, None]:
    """Print a command's result as `name: value` lines or JSON; turn refusals into one sentence.

    The operator acts for every account: the command runs as the system.
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        json_output = bool(kwargs.pop("json_output"))
        try:
            with rls.as_system():
                found = command(*args, **kwargs)
        except errors.DomainError as error:
            raise click.ClickException(error.message) from None
        except sa.exc.OperationalError as error:
            if not db.is_unavailable(error):
                raise
            raise click.ClickException(
                "The database does not answer. Is the service running, and is DATA_DIR "
                "(or DATABASE_URL) its own?"
            ) from None
        if json_output:
            click.echo(json.dumps(found, ensure_ascii=False))
        else:
            for name, value in found.items():
                click.echo(f"{name}: {value}")

    return run


@account.command("create")
@click.option("--name", required=True, help="Name of the firm or team.")
@click.option("--email", required=True, help="Address of its owner, who signs in with it.")
@click.option("--password", required=True, help="Password of its owner, 8 to 200 characters.")
@click.option("--credits", "amount", type=int, default=0, show_default=True, help="Credits to start with.")
@as_json
@plainly
def account_create(name: str, email: str, password: str, amount: int) -> dict[str, Any]:
    """Create an account with its owner."""
    with db.transaction() as session:
        made, member = tenancy.create_account(session, name=name, email=email, password=password)
        credits.open_balance(session, made.id, low_threshold=settings.current().low_balance_default)
        if amount:
            credits.grant(session, made.id, amount, now=clock.now(), description="opening credits")
        return {"account_id": str(made.id), "member_id": str(member.id)}


@account.command("set")
@of_account
@click.option("--attestation/--no-attestation", default=None, help="Sign an attestation of each analysis.")
@click.option("--citator/--no-citator", default=None, help="The citator add-on.")
@click.option(
    "--mask-names/--no-mask-names",
    default=None,
    help="Mask names of persons and addresses always, or never; by default, towards models outside.",
)
@click.option("--low-balance", type=int, help="Balance below which credits.low is announced.")
@click.option("--plan", type=click.Choice(list(tenancy.TIERS)), help="Highest tier of new keys.")
@as_json
@plainly
def account_set(
    written: str,
    low_balance: int | None,
    plan: tenancy.Tier | None,
    **options: bool | None,
) -> dict[str, Any]:
    """Switch options of an account (decision 006)."""
    chosen = {name: value for name, value in options.items() if value is not None}
    with db.transaction() as session:
        account_id = _account_id(session, written)
        found = tenancy.set_options(session, account_id, **chosen)
        if low_balance is not None:
            credits.set_threshold(session, account_id, low_balance)
        if plan is not None:
            tenancy.set_plan(session, account_id, plan)
        return {
            "account_id": str(found.id),
            "attestation": found.attestation,
            "citator": found.citator,
            "mask_names": found.mask_names,
            "plan": found.plan,
            "low_balance": credits.balance(session, account_id).low_threshold,
        }


@account.command("allow-codes")
@click.option("--email", required=True, help="Address of the member whose codes were stopped.")
@as_json
@plainly
def account_allow_codes(email: str) -> dict[str, Any]:
    """Let a member enter codes of the second factor again, where no letter can be sent."""
    with db.transaction() as session:
        member = tenancy.find_member(session, email)
        if member is None:
            raise errors.NotFound("There is no member with this e-mail address.")
        tenancy.second_factor.allow_again(session, member)
        return {"member_id": str(member.id), "email": member.email}


@key.command("create")
@of_account
@click.option("--name", required=True, help="What the key is for, 1 to 80 characters.")
@click.option("--tier", type=click.Choice(list(tenancy.TIERS)), default="standard", show_default=True)
@click.option("--scopes", default=",".join(tenancy.SCOPES), show_default=True, help="Separated by commas.")
@click.option("--expires-in-days", type=click.IntRange(1, 3650), help="Expiry, in days from now.")
@click.option("--monthly-credit-cap", type=int, help="Credits it may spend in a calendar month.")
@click.option("--expires-at", help="Expiry, ISO 8601, such as 2027-01-31T00:00:00Z; without a zone: UTC.")
@as_json
@plainly
def key_create(
    written: str,
    name: str,
    tier: str,
    scopes: str,
    expires_in_days: int | None,
    expires_at: str | None,
    monthly_credit_cap: int | None,
) -> dict[str, Any]:
    """Create an API key; its plaintext is shown this once."""
    now = clock.now()
    with db.transaction() as session:
        made = tenancy.create_key(
            session,
            _account_id(session, written),
            name=name,
            tier=tier,
            scopes=[scope.strip() for scope in scopes.split(",") if scope.strip()],
            prefix=settings.current().key_prefix,
            now=now,
            expires_at=_expiry(now, expires_in_days, expires_at),
            monthly_credit_cap=monthly_credit_cap,
        )
        organizations.announce(session, "created", made.row, now=now)
        return {"id": str(made.row.id), "key": made.plaintext, "key_prefix": made.row.key_prefix}


@key.command("revoke")
@click.argument("key_id", metavar="ID", type=click.UUID)
@as_json
@plainly
def key_revoke(key_id: uuid.UUID) -> dict[str, Any]:
    """Revoke an API key; it is refused from the next request on."""
    now = clock.now()
    with db.transaction() as session:
        row = tenancy.revoke_key(session, key_id, now=now)
        assert row.revoked_at is not None
        # Revoked once more it keeps its first moment, of which was told.
        if row.revoked_at == now:
            organizations.announce(session, "revoked", row, now=now)
        return {"id": str(row.id), "key_prefix": row.key_prefix, "revoked_at": clock.iso(row.revoked_at)}


@key.command("cap")
@click.argument("key_id", metavar="ID", type=click.UUID)
@click.option("--credits", "amount", type=int, help="Credits a calendar month; leave out for no cap.")
@as_json
@plainly
def key_cap(key_id: uuid.UUID, amount: int | None) -> dict[str, Any]:
    """Cap what an API key may spend in a month, or lift the cap."""
    with db.transaction() as session:
        before = session.get(tenancy.ApiKey, key_id)
        was = before.monthly_credit_cap if before else None
        row = tenancy.set_monthly_cap(session, key_id, amount)
        # A cap set once more tells nothing new.
        if row.monthly_credit_cap != was:
            organizations.announce(session, "updated", row, now=clock.now())
        return {"id": str(row.id), "monthly_credit_cap": row.monthly_credit_cap}


@credit.command("grant")
@of_account
@click.option("--amount", type=int, required=True, help="Credits to add.")
@as_json
@plainly
def credits_grant(written: str, amount: int) -> dict[str, Any]:
    """Add credits to an account."""
    with db.transaction() as session:
        account_id = _account_id(session, written)
        credits.grant(
            session,
            account_id,
            amount,
            now=clock.now(),
            kind="admin_gift",
            description="granted by the operator",
        )
        return _balance(session, account_id)


@credit.command("balance")
@of_account
@as_json
@plainly
def credits_balance(written: str) -> dict[str, Any]:
    """Show an account's credits."""
    with db.reading() as session:
        return _balance(session, _account_id(session, written))


@law.command("load")
@click.argument("kind", type=click.Choice(corpus.KINDS))
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "form", type=click.Choice(corpus.FORMS), required=True, help="How it is written.")
@click.option("--jurisdiction", help="ISO code, where the source does not say whose law it is.")
@click.option("--read/--no-read", "reading", default=True, help="Read it for the citator, too.")
@click.option("--again", is_flag=True, help="Read sources again that were loaded and have not changed.")
@as_json
@plainly
def corpus_load(
    kind: str, path: Path, form: str, jurisdiction: str | None, reading: bool, again: bool
) -> dict[str, Any]:
    """Load a file or a folder; go on where a load broke off. Loading twice changes nothing."""
    if jurisdiction and corpus.jurisdiction(jurisdiction) is None and jurisdiction.upper() != "ZZ":
        raise errors.Invalid(f"--jurisdiction: {jurisdiction} is not known; see GET /api/v1/jurisdictions.")
    began = time.monotonic()
    found = corpus.load(
        kind,
        path,
        form,
        now=clock.now(),
        jurisdiction=jurisdiction.upper() if jurisdiction else None,
        again=again,
        tell=_Meter(began),
    )
    edges = citator.read_waiting(clock.now).edges if reading else 0
    return {
        "sources": found.sources,
        "unchanged": found.unchanged,
        "records": found.records,
        "written": dict(found.written),
        "skipped": dict(found.skipped),
        "notes": dict(found.notes),
        "norms_updated": found.norms_updated,
        "citations": edges,
        "seconds": round(time.monotonic() - began, 2),
    }


class _Meter:
    """Progress on standard error: a line each second, and one for each source that ends."""

    def __init__(self, began: float) -> None:
        self._began = self._last = began
        self._sources = 0

    def __call__(self, progress: corpus.Progress) -> None:
        now = time.monotonic()
        self._sources += progress.done
        if progress.done or now - self._last >= 1:
            self._last = now
            what = "unchanged" if progress.unchanged else "done" if progress.done else "…"
            passed = now - self._began
            click.echo(f"{passed:7.1f} s  {progress.source}: {progress.position} {what}", err=True)


@law.command("read")
@click.option("--most", type=click.IntRange(min=1), help="Judgments to read at most.")
@as_json
@plainly
def corpus_read(most: int | None) -> dict[str, Any]:
    """Read what was loaded for the citator; may be stopped and started again, in several processes."""
    began = last = time.monotonic()

    def tell(done: citator.Done) -> None:
        nonlocal last
        if time.monotonic() - last >= 1:
            last = time.monotonic()
            told = f"{done.judgments} judgments, {done.norms} norms, {done.edges} citations"
            click.echo(f"{last - began:7.1f} s  {told}", err=True)

    done = citator.read_waiting(clock.now, most=most, tell=tell)
    seconds = round(time.monotonic() - began, 2)
    return {"judgments": done.judgments, "norms": done.norms, "citations": done.edges, "seconds": seconds}


@law.command("status")
@as_json
@plainly
def corpus_status() -> dict[str, Any]:
    """Show what is in the corpus by jurisdiction, and how each load ended."""
    with db.reading() as session:
        return corpus.status(session)


@law.command("index")
@click.option("--again", is_flag=True, help="Make the index anew; searches find little until it is done.")
@as_json
@plainly
def corpus_index(again: bool) -> dict[str, Any]:
    """Take what was loaded into the search index; go on where it broke off."""
    return dict(search.index(now=clock.now, again=again, tell=_told))


@law.command("embed")
@click.option("--again", is_flag=True, help="Learn the embedded model anew.")
@as_json
@plainly
def corpus_embed(again: bool) -> dict[str, Any]:
    """Give every indexed passage its vector; go on where it broke off."""
    return dict(search.embed(settings.current(), now=clock.now, again=again, tell=_told))


def _told(step: search.Step) -> None:
    click.echo(f"{step.jurisdiction} {step.kind}: {step.done}", err=True)


@demonstration.command("seed")
@as_json
@plainly
def demo_seed() -> dict[str, Any]:
    """Create the demonstration account, or find it again; running it twice changes nothing."""
    return demo.seed()


def _account_id(session: db.Session, written: str) -> uuid.UUID:
    """The account that `written` is the id or the owner's e-mail address of (decision 006).

    Raises `Invalid` for what is neither and for the address of a member who is not an owner, `NotFound` for
    an address that nobody signs in with. An unknown id is the command's own affair.
    """
    try:
        return uuid.UUID(written.strip())
    except ValueError:
        pass
    if "@" not in written:
        raise errors.Invalid("--account: must be an account's id or the e-mail address of its owner.")
    member = tenancy.find_member(session, written)
    if member is None:
        raise errors.NotFound(f"--account: nobody signs in with {written.strip()}.")
    if member.role != "owner":
        raise errors.Invalid(
            f"--account: {member.email} is not an owner (role {member.role}) of account {member.account_id}. "
            "Give that id, or an owner's address."
        )
    return member.account_id


def _balance(session: db.Session, account_id: uuid.UUID) -> dict[str, Any]:
    found = credits.balance(session, account_id)
    return {"balance": found.balance, "held": found.held}


def _expiry(now: datetime, days: int | None, moment: str | None) -> datetime | None:
    if days is not None and moment is not None:
        raise errors.Invalid("Give --expires-in-days or --expires-at, not both.")
    if days is not None:
        return now + timedelta(days=days)
    if moment is None:
        return None
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        raise errors.Invalid("--expires-at: must be ISO 8601, such as 2027-01-31T00:00:00Z.") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
