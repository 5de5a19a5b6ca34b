"""Sign-in state and authorisation by role.

A session names the member and a fingerprint of their password hash: a new password ends every session made
with the old one.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, cast

from flask import Flask, Response, after_this_request, current_app, redirect, request, session, url_for
from flask_babel import get_locale
from flask_login import LoginManager, UserMixin, current_user, login_user
from werkzeug.wrappers import Response as AnyResponse

from app import branding, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db, rls
from app.platform.web import http
from app.portal.web.session import throttling
from app.portal.web.session.sessions import SIGNED_IN, ServerSession
from app.portal.web.theme import PageBranding, page_branding
from app.text.bilingual import language_of

P = ParamSpec("P")

KEY_ROLES: frozenset[tenancy.Role] = frozenset(("owner", "admin", "developer"))
EVERYONE: frozenset[tenancy.Role] = KEY_ROLES | {"compliance"}
# Who manages people and the account.
TEAM_ROLES: frozenset[tenancy.Role] = frozenset(("owner", "admin"))
OWNER: frozenset[tenancy.Role] = frozenset(("owner",))

# Between the password and the code of the second factor.
_PENDING, _PENDING_S = "halfway", 600
# By which single sign-on the session began.
_SIGN_ON = "sso"


@dataclass(frozen=True, slots=True, eq=False)
class CurrentMember(UserMixin):  # type: ignore[misc]  # flask_login ships no types
    """The signed-in member of this request and their account, as plain values."""

    member_id: uuid.UUID
    account_id: uuid.UUID
    email: str
    role: tenancy.Role
    account_name: str
    time_zone: str
    plan: tenancy.Tier
    seal: str
    page_branding: PageBranding
    # The account requires a second factor, and the member has none yet.
    lacks_second_factor: bool = False

    @property
    def is_branded(self) -> bool:
        """Whether the pages bear another name than the account's."""
        return self.page_branding.name != self.account_name

    @property
    def is_owner(self) -> bool:
        """Whether the member is an owner of the account."""
        return self.role == "owner"

    @property
    def may_manage_keys(self) -> bool:
        """Whether the role may manage keys, webhooks and usage."""
        return self.role in KEY_ROLES

    @property
    def is_demonstration(self) -> bool:
        """Whether this is the demonstration account, whose data are fictional (`.example`: RFC 2606)."""
        return self.email.endswith(".example")

    @property
    def may_manage_team(self) -> bool:
        """Whether the role may manage members and the account."""
        return self.role in TEAM_ROLES

    @property
    def tiers(self) -> tuple[tenancy.Tier, ...]:
        """The tiers that the account's plan includes."""
        return tenancy.TIERS[: tenancy.TIERS.index(self.plan) + 1]

    def get_id(self) -> str:
        """Return the value that Flask-Login stores in the session."""
        return f"{self.member_id.hex}.{self.seal}"


class _LoginManager(LoginManager):  # type: ignore[misc]  # flask_login ships no types
    """Flask-Login without its "remember me" cookie, which would read the session on every response."""

    def _update_remember_cookie(self, response: Response) -> Response:
        return response


def install(app: Flask) -> None:
    """Set Flask-Login up."""
    manager = _LoginManager()
    # Meant for sessions kept in the cookie; ours are on the server.
    manager.session_protection = None
    manager.user_loader(_load_member)
    manager.init_app(app, add_context_processor=False)


def enter(database: db.Session, member: tenancy.Member, *, sign_on: uuid.UUID | None = None) -> None:
    """Sign `member` in with a new session id, and mark this network and browser as familiar.

    `sign_on` is the single sign-on through which they came, whose business a second factor then is.
    """
    account = tenancy.get_account(database, member.account_id)
    spoken = language_of(getattr(get_locale(), "language", None))
    tenancy.signed_in(database, member, language=spoken, now=clock.now())
    tenancy.activity.record(
        database,
        account.id,
        "sign_in",
        details={"secondFactor": member.totp_secret is not None}
        if sign_on is None
        else {"singleSignOn": True},
        actor=tenancy.activity.by_member(member, request.remote_addr),
    )
    mine = _session()
    mine.renew()
    if sign_on is not None:
        mine[_SIGN_ON] = sign_on.hex
    login_user(_current_member(database, member, account))
    mine.describe(since=clock.now(), agent=request.user_agent.string, address=request.remote_addr)
    rls.enter(account.id)
    remember_origin(member.email)


def begin_second_step(member: tenancy.Member) -> None:
    """Record that the password was right and the code of the second factor is missing."""
    mine = _session()
    mine.renew()
    mine[_PENDING] = [member.id.hex, _seal(member), clock.epoch()]


def pending_second_step() -> tuple[uuid.UUID, str] | None:
    """Return the member who gave their password within ten minutes, and its fingerprint; else `None`."""
    found = _session().get(_PENDING)
    if not found or clock.epoch() - found[2] > _PENDING_S:
        return None
    return uuid.UUID(found[0]), str(found[1])


def seal_of(member: tenancy.Member) -> str:
    """Return the fingerprint of the member's password hash, which changes with the password."""
    return _seal(member)


def session_name() -> str | None:
    """Return the name of this request's session among the member's."""
    return _session().name


def keep_signed_in(member: tenancy.Member) -> None:
    """Continue in a new session after the member's password was changed."""
    mine, seen, sign_on = _session(), _session().seen, _session().get(_SIGN_ON)
    mine.renew()
    if sign_on is not None:
        mine[_SIGN_ON] = sign_on
    mine[SIGNED_IN] = f"{member.id.hex}.{_seal(member)}"
    mine["_fresh"] = True
    if seen is not None:
        mine.describe(since=seen.since, agent=seen.agent, address=seen.address)


def leave() -> None:
    """End the session in the browser and on the server; a copy of its cookie is useless."""
    _session().renew()


def is_signed_in() -> bool:
    """Return whether a member is signed in."""
    return bool(current_user.is_authenticated)


def current_member() -> CurrentMember:
    """Return the signed-in member; only behind `member_only`."""
    return cast(CurrentMember, current_user._get_current_object())


def member_only(
    roles: frozenset[tenancy.Role] = EVERYONE, *, sets_up_second_factor: bool = False
) -> Callable[[Callable[P, Any]], Callable[P, Any]]:
    """Require a signed-in member with one of `roles`: others are redirected to sign in, or get 403.

    Where the account requires a second factor, a member without one is redirected to its set-up from all
    pages but those that `sets_up_second_factor` marks.
    """

    def decorate(view: Callable[P, Any]) -> Callable[P, Any]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            if not is_signed_in():
                return _redirect_to_sign_in()
            if current_member().lacks_second_factor and not sets_up_second_factor:
                return _redirect(url_for("portal.add_second_factor"))
            if current_member().role not in roles:
                raise errors.Denied(
                    "Your role does not have access to this page.", code="ROLE_REQUIRED", status=403
                )
            with tenancy.activity.acting(actor()):
                return view(*args, **kwargs)

        guarded.required = ("member", roles)  # type: ignore[attr-defined]  # read by the test of all routes
        return guarded

    return decorate


def public(view: Callable[P, Any]) -> Callable[P, Any]:
    """Mark a page as public; who acts there is a visitor, signed in or not."""

    @wraps(view)
    def opened(*args: P.args, **kwargs: P.kwargs) -> Any:
        with tenancy.activity.acting(
            tenancy.activity.Actor("visitor", network=tenancy.activity.network(request.remote_addr))
        ):
            return view(*args, **kwargs)

    opened.required = ("public", None)  # type: ignore[attr-defined]
    return opened


def actor() -> tenancy.activity.Actor:
    """Return the signed-in member as the one who acts."""
    me = current_member()
    return tenancy.activity.Actor(
        "member", me.member_id, me.email, tenancy.activity.network(request.remote_addr)
    )


def note(
    action: tenancy.activity.Action,
    target: tenancy.activity.Target | None = None,
    *,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Note in a transaction of its own what the signed-in member did, where the act itself writes nothing."""
    with db.transaction() as database:
        tenancy.activity.record(
            database, current_member().account_id, action, target, details=details, actor=actor()
        )


def sign_in_origin(email: str) -> throttling.Origin:
    """Return the origin of this request for throttling sign-ins with `email`."""
    return throttling.origin(email, request.remote_addr, request.cookies.get(_browser_cookie()))


def remember_origin(email: str) -> None:
    """Remember the network and browser of a successful sign-in.

    A browser token that this account does not know is replaced, because somebody else may have chosen it.
    """
    here, mark = sign_in_origin(email), request.cookies.get(_browser_cookie(), "")
    if not here.knows_browser():
        mark = secrets.token_urlsafe(32)
        here = throttling.origin(email, request.remote_addr, mark)
    here.remember()

    @after_this_request
    def keep(response: Response) -> Response:
        response.set_cookie(
            _browser_cookie(),
            mark,
            max_age=throttling.FAMILIAR_DAYS * 86400,
            path="/",
            secure=http.is_secure(),
            httponly=True,
            samesite="Lax",
        )
        return response


def _browser_cookie() -> str:
    return "__Host-browser" if http.is_secure() else "browser"


def page_of_form() -> str | None:
    """Return the page for members of the form that was sent, where it has the form's address, else `None`.

    Who has signed in again finds the text there that the browser kept.
    """
    adapter = current_app.create_url_adapter(request)
    view: Any = current_app.view_functions.get(request.endpoint or "")
    is_for_members = getattr(view, "required", ("", None))[0] == "member"
    if adapter is None or not is_for_members or not adapter.test(request.path, "GET"):
        return None
    return request.path


def _redirect_to_sign_in() -> AnyResponse:
    if request.headers.get("HX-Request"):
        return _redirect(url_for("portal.sign_in"))
    wanted = request.full_path.rstrip("?") if request.method == "GET" else page_of_form()
    if wanted == url_for("portal.overview"):
        wanted = None  # where everybody lands anyway
    return redirect(url_for("portal.sign_in", next=wanted), 303)


def _redirect(address: str) -> AnyResponse:
    if request.headers.get("HX-Request"):
        # A redirect would be followed inside the page and put the form into a corner of it.
        return Response(status=401, headers={"HX-Redirect": address})
    return redirect(address, 303)


def _session() -> ServerSession:
    return cast(ServerSession, cast(Any, session)._get_current_object())


def _load_member(identifier: str) -> CurrentMember | None:
    member_hex, _, seal = identifier.partition(".")
    try:
        with rls.as_system(), db.reading() as reading:
            member = tenancy.get_member(reading, uuid.UUID(member_hex))
            account = tenancy.get_account(reading, member.account_id)
            found = _current_member(reading, member, account)
    except (errors.NotFound, ValueError):
        return None
    if found.seal != seal or not may_stay(member, account, _session().get(_SIGN_ON)):
        return None
    rls.enter(found.account_id)
    return found


def may_stay(member: tenancy.Member, account: tenancy.Account, sign_on: str | None) -> bool:
    """Return whether a session that began through `sign_on` (`None`: by password) is valid in an account.

    Where a single sign-on is required, owners may use their passwords still, so that a provider that fails
    locks nobody out for good.
    """
    required = account.required_connection
    return required is None or member.role == "owner" or sign_on == required.hex


def _current_member(database: db.Session, member: tenancy.Member, account: tenancy.Account) -> CurrentMember:
    return CurrentMember(
        member_id=member.id,
        account_id=account.id,
        email=member.email,
        role=cast(tenancy.Role, member.role),
        account_name=account.name,
        time_zone=account.time_zone,
        plan=cast(tenancy.Tier, account.plan),
        seal=_seal(member),
        page_branding=page_branding(
            branding.of_account(database, account.id),
            account_name=account.name,
            service_name=settings.current().service_name,
        ),
        lacks_second_factor=account.second_factor_required
        and member.totp_secret is None
        and _SIGN_ON not in _session(),
    )


def _seal(member: tenancy.Member) -> str:
    return hashlib.sha256(member.password_hash.encode()).hexdigest()[:24]
