"""Every form of the portal leaves an activity or has a reason not to; and the page that shows them."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable
from typing import Any

import pyotp
import pytest
from flask import Flask

from app import tenancy
from app.platform import clock
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.portal.activities import done
from tests.portal.conftest import PortalClient, analysed, colleague, tight
from tests.portal.pages import furnished

Make = Callable[[Player], PortalClient]
Form = dict[str, Any]

# Forms that leave no activity, and why.
SILENT = {
    "start_analysis": "the analysis has its own record in the audit trail",
    "hide_first_steps": "a box on the member's own overview",
    "start_comparison": "its two analyses have their own records in the audit trail",
    "start_matter": "each analysis has its own record in the audit trail",
    "read_matter_file": "a file that expires within the hour, like one that is sent by API",
    "cancel_analysis": "an analysis that was not made; the job says so",
    "cancel_job": "an analysis that was not made; the job says so",
    "law_of_text": "looks at a text and keeps nothing",
    "find_analysis": "a search; keeps nothing",
    "check_chain": "verification changes nothing",
    "check_connection": "asks the tool server whether it answers; changes nothing",
    "check_signature": "looks at a signature and keeps nothing",
    "test_webhook": "the event webhook.test and its delivery are in the webhook's log",
    "redrive": "the delivery is in the webhook's log",
    "forgotten": "anybody can ask for a letter; setting the password is noted",
    "sign_up": "there is no account yet; its opening is noted",
    "ask_for_codes": "anybody with the password can ask for a letter; what its link does is noted",
    "sign_on": "looks for a provider and keeps nothing; the sign-in is noted",
    "add_sign_on_domain": "a claim that allows nothing; its proof is noted",
    "document_again": "an order like the first, which is noted by the same function (order)",
}


def path_of(endpoint: str, made: dict[str, str]) -> str:
    return PATHS[endpoint].format_map(made)


# Path, form and what it leaves. `{…}` is what `furnished` makes, and what `things` adds.
PATHS = {
    "create_key": "/portal/keys", "rename_key": "/portal/keys/{key}",
    "rotate_key": "/portal/keys/{key}/rotate",
    "revoke_key": "/portal/keys/{key}/revoke", "create_organization": "/portal/organizations",
    "edit_organization": "/portal/organizations/{organization}/edit",
    "delete_organization": "/portal/organizations/{organization}/delete",
    "create_sub_key": "/portal/organizations/{organization}/keys",
    "change_sub_key": "/portal/organizations/{organization}/keys/{child}",
    "cut_off": "/portal/organizations/{organization}/keys/{child}/cut-off",
    "rotate_sub_key": "/portal/organizations/{organization}/keys/{child}/rotate",
    "invite": "/portal/team/invitations", "withdraw": "/portal/team/invitations/{invitation}/withdraw",
    "member": "/portal/team/{member}", "remove_member": "/portal/team/{member}/remove",
    "create_webhook": "/portal/webhooks", "edit_webhook": "/portal/webhooks/{webhook}/edit",
    "switch_webhook": "/portal/webhooks/{webhook}/switch",
    "rotate_webhook": "/portal/webhooks/{webhook}/rotate",
    "delete_webhook": "/portal/webhooks/{webhook}/delete", "add_watch": "/portal/watches",
    "mail_watch": "/portal/watches/{watch}/mail", "remove_watch": "/portal/watches/{watch}/remove",
    "save_branding": "/portal/branding",
    "set_policy": "/portal/policies/set?scope=user", "review_analysis": "/portal/analyses/1/review",
    "describe_account": "/portal/account", "set_options": "/portal/account/options",
    "allow_network": "/portal/account/networks",
    "require_second_factor": "/portal/account/second-factor",
    "disallow_network": "/portal/account/networks/{network}/remove",
    "set_threshold": "/portal/credits/threshold", "order_document": "/portal/analyses/documents",
    "delete_document": "/portal/analyses/documents/{document}/delete",
    "change_password": "/portal/profile/password", "end_session": "/portal/profile/sessions/end",
    "mails": "/portal/profile/mails",
}  # fmt: skip
WRITES: dict[str, tuple[Form, str]] = {
    "create_key": ({"name": "New", "tier": "standard", "scopes": "query"}, "key.created"),
    "rename_key": ({"name": "Other name"}, "key.renamed"),
    "rotate_key": ({"overlap": "24"}, "key.rotated"),
    "revoke_key": ({}, "key.revoked"),
    "create_organization": ({"name": "Second firm", "key": "{key}"}, "organization.created"),
    "edit_organization": ({"name": "Renamed firm"}, "organization.changed"),
    "delete_organization": ({}, "organization.deleted"),
    "create_sub_key": ({"label": "Another", "scopes": "query"}, "key.created"),
    "change_sub_key": ({"label": "Junior", "scopes": "query", "cap": "77"}, "key.cap_changed"),
    "cut_off": ({}, "key.revoked"),
    "rotate_sub_key": ({"overlap": "24"}, "key.rotated"),
    "invite": ({"email": "carol@example.com", "role": "developer"}, "member.invited"),
    "withdraw": ({}, "member.invitation_withdrawn"),
    "member": ({"role": "compliance"}, "member.role_changed"),
    "remove_member": ({}, "member.removed"),
    "create_webhook": (
        {"url": "https://hooks.example.com/z", "events": "credits.low", "key": "{own}"},
        "webhook.created",
    ),
    "edit_webhook": ({"events": "credits.low", "description": "x"}, "webhook.changed"),
    "switch_webhook": ({}, "webhook.changed"),
    "rotate_webhook": ({}, "webhook.rotated"),
    "delete_webhook": ({}, "webhook.deleted"),
    "add_watch": ({"q": "art. 1903 CC", "country": "ES"}, "watch.added"),
    "mail_watch": ({"to": "off"}, "watch.changed"),
    "remove_watch": ({}, "watch.removed"),
    "save_branding": ({"branding": "none"}, "branding.changed"),
    "set_policy": ({"state": "on"}, "policy.changed"),
    "review_analysis": ({"decision": "accepted"}, "review.recorded"),
    "describe_account": ({"name": "Bufete", "time_zone": "Europe/Madrid"}, "account.changed"),
    "set_options": ({"citator": "y"}, "account.options_changed"),
    "require_second_factor": ({}, "account.options_changed"),
    "allow_network": ({"cidr": "198.51.100.0/24", "confirmed": "y"}, "network.allowed"),
    "disallow_network": ({}, "network.removed"),
    "set_threshold": ({"threshold": "7"}, "account.threshold_changed"),
    "order_document": ({"from": "2026-01-01", "to": "2026-01-31"}, "document.ordered"),
    "delete_document": ({}, "document.deleted"),
    "change_password": (
        {"current": "correct horse battery", "password": "four unrelated words"},
        "password.changed",
    ),
    "end_session": ({}, "session.ended"),
    "mails": ({"kinds": "cap"}, "member.mails_changed"),
}
# Tried in tests of their own below.
APART = {
    "sign_in", "second_step", "sign_out", "join", "reset_password", "allow_codes", "close_account",
    "add_second_factor", "remove_second_factor", "renew_recovery_codes", "let_in", "authorize",
    "set_engine", "remove_engine",  # in test_engines.py
    "upload_logo", "remove_logo",  # in test_logo_upload.py
    "buy_credits",  # in test_purchase.py
    # in test_single_sign_on.py
    "save_sign_on", "require_sign_on", "remove_sign_on", "check_sign_on_domain", "remove_sign_on_domain",
    "front.unsubscribe",  # in test_notices.py
    "share_result", "end_link", "shared_result",  # in test_share.py
    "create_client",  # several at once: in test_new_client.py
    "try_operation",  # creates the test key at the first call: in test_try_it.py
}  # fmt: skip


def test_every_form_writes_an_activity_or_has_a_reason_not_to(app: Flask) -> None:
    forms = {
        rule.endpoint.removeprefix("portal.")
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and rule.endpoint.startswith(("portal.", "front."))
    }
    assert forms - SILENT.keys() - WRITES.keys() - APART == set(), "note an activity, or say why not"
    assert (SILENT.keys() | WRITES.keys() | APART) - forms == set()
    assert PATHS.keys() == WRITES.keys()


def test_every_action_has_its_words() -> None:
    from app.portal.governance import activity

    assert set(tenancy.activity.ACTIONS) == set(activity.ACTIONS)
    grouped = {word for _, words in activity.GROUPS.values() for word in words}
    assert {one.partition(".")[0] for one in tenancy.activity.ACTIONS} == grouped


def newest(player: Player) -> tenancy.Activity:
    return done(player)[0]


def things(cast: Cast, player: Player) -> dict[str, str]:
    """Ids of what `furnished` makes, and of what the other forms need."""
    names = ("organization", "child", "key", "member", "webhook", "document", "watch")
    found: dict[str, str] = {}
    for page in furnished(cast, player):
        parts = page.split("/")
        if page.startswith("/portal/organizations/") and len(parts) == 7 and parts[-1] == "rotate":
            found |= {"organization": parts[3], "child": parts[5]}
        for name, start in (("key", "keys"), ("webhook", "webhooks")):
            if len(parts) == 5 and parts[2] == start and parts[4] == "rotate":
                found[name] = parts[3]
        if len(parts) == 5 and parts[2] == "team":
            found["member"] = parts[3]
        if page.startswith("/portal/analyses/documents/"):
            found["document"] = parts[4]
        if page.startswith("/portal/watches/"):
            found["watch"] = parts[3]
    assert set(names) == found.keys()
    with db.transaction() as session:
        link, _ = tenancy.one_time_links.invite(
            session, player.account_id, email="dan@example.com", role="developer", now=clock.now()
        )
        entry = tenancy.allow_address(
            session, player.account_id, cidr="203.0.113.0/24", label=None, now=clock.now()
        )
        found |= {"invitation": str(link.id), "network": str(entry.id), "own": str(player.key_id)}
    return found


@pytest.mark.parametrize("endpoint", WRITES)
def test_a_form_leaves_its_activity(member: Make, cast: Cast, alice: Player, endpoint: str) -> None:
    made = things(cast, alice)
    visitor = member(alice)
    form, action = WRITES[endpoint]
    before = done(alice)
    filled = {name: value.format_map(made) for name, value in form.items()}
    answer = visitor.send(path_of(endpoint, made), filled, on="/portal/profile")
    assert answer.status_code in (200, 201, 303), answer.text
    (row, *rest) = [one for one in done(alice) if one.seq > before[0].seq]
    assert (row.action, rest) == (action, [])
    with db.reading() as session:
        me = tenancy.find_member(session, alice.email)
        assert me
        assert (row.actor_kind, row.actor_id, row.actor_name) == ("member", me.id, alice.email)
    assert row.network == "127.0.0.0/24"


def test_signing_in_and_out_and_failing_to(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    visitor.sign_in(password="wrong password")
    failed = newest(alice)
    assert (failed.action, failed.details, failed.actor_kind) == (
        "sign_in.failed", {"step": "password"}, "visitor",
    )  # fmt: skip
    assert (failed.actor_id, failed.target_name) == (None, alice.email)
    visitor.sign_in()
    assert (newest(alice).action, newest(alice).actor_name) == ("sign_in", alice.email)
    visitor.sign_out()
    assert newest(alice).action == "sign_out"
    count = len(done(alice))
    # Of an address that nobody has, there is no account to note it in.
    visitor.sign_in(email="nobody@example.com")
    assert len(done(alice)) == count


def test_the_second_factor_is_noted(member: Make, stranger: Make, alice: Player) -> None:
    visitor = member(alice)
    path = "/portal/profile/second-factor"
    token = visitor.token(path)
    answer = visitor.client.post(path, data={"csrf_token": token, "code": "000000"})
    with visitor.client.session_transaction() as kept:
        secret = kept["totp_pending"]
    assert answer.status_code == 422
    visitor.client.post(path, data={"csrf_token": token, "code": pyotp.TOTP(secret).now()})
    assert newest(alice).action == "second_factor.enabled"
    other = stranger(alice)
    other.sign_in()
    other.send("/portal/sign-in/code", {"code": "000000"})
    assert (newest(alice).action, newest(alice).details) == ("sign_in.failed", {"step": "code"})
    proof = {"current": alice.password}
    visitor.send("/portal/profile/recovery-codes", proof)
    assert newest(alice).action == "second_factor.recovery_codes_renewed"
    visitor.send("/portal/profile/second-factor/off", proof)
    assert newest(alice).action == "second_factor.disabled"


def test_who_follows_a_letter_is_a_visitor(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    with rls.as_system(), db.transaction() as session:
        _, joining = tenancy.one_time_links.invite(
            session, alice.account_id, email="dora@example.com", role="developer", now=clock.now()
        )
        reset = tenancy.one_time_links.begin_reset(session, alice.email, now=clock.now())
        assert reset
        owner = tenancy.find_member(session, alice.email)
        assert owner
        owner.totp_failures = tenancy.second_factor.FAILURES_MAX
        codes = tenancy.one_time_links.begin_allowing_codes(session, alice.email, now=clock.now())
        assert codes
    visitor.send(f"/portal/reset/{reset[1]}", {"password": "four unrelated words"})
    assert (newest(alice).action, newest(alice).actor_kind) == ("password.changed", "visitor")
    visitor.send(f"/portal/codes/{codes[1]}", {})
    assert (newest(alice).action, newest(alice).actor_kind) == ("second_factor.unlocked", "visitor")
    visitor.send(f"/portal/join/{joining}", {"password": "four unrelated words"})
    joined = next(one for one in done(alice) if one.action == "member.joined")
    assert (joined.target_name, joined.details) == ("dora@example.com", {"role": "developer"})


def test_a_child_that_is_let_in_again(member: Make, alice: Player, cast: Cast) -> None:
    made = things(cast, alice)
    visitor = member(alice)
    base = "/portal/organizations/{organization}/keys/{child}".format_map(made)
    visitor.send(f"{base}/cut-off", {}, on="/portal/profile")
    visitor.send(f"{base}/let-in", {}, on="/portal/profile")
    assert [one.action for one in done(alice)[:2]] == ["key.reactivated", "key.revoked"]


def test_downloads_and_exports_are_noted(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor, today = member(alice), clock.today()
    for path, action in (
        ("/portal/analyses/1.pdf", "document.downloaded"),
        (f"/portal/analyses/period.pdf?from={today}&to={today}", "document.downloaded"),
        ("/portal/usage.csv", "export.downloaded"),
        ("/portal/credits.csv", "export.downloaded"),
        ("/portal/activity.csv", "export.downloaded"),
        ("/portal/account/export", "export.downloaded"),
    ):
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert answer.data
        assert (newest(alice).action, newest(alice).actor_name) == (action, alice.email), path


def test_the_page_names_who_what_and_when(member: Make, alice: Player) -> None:
    ann = colleague(alice, "admin")
    visitor = member(alice)
    with db.reading() as session:
        found = tenancy.find_member(session, ann.email)
        assert found
        member_id = found.id
    visitor.send(f"/portal/team/{member_id}", {"role": "developer"})
    page = tight(visitor.get("/portal/activity").text)
    for words in ("Changed a role", "now Developer", ann.email, alice.email, "127.0.0.0/24", "Signed in"):
        assert words in page, words
    visitor.send(f"/portal/team/{member_id}/remove", {})
    page = tight(visitor.get("/portal/activity").text)
    # Somebody who is gone keeps the name of that moment.
    assert page.count(ann.email) >= 2


def test_the_page_is_filtered_paged_and_downloaded(member: Make, alice: Player, mallory: Player) -> None:
    visitor = member(alice)
    for number in range(60):
        with db.transaction() as session:
            tenancy.describe(session, alice.account_id, name=f"=Firm {number}", time_zone="UTC")
    page = visitor.get("/portal/activity").text
    assert page.count("Changed the account") == 50
    older = visitor.get(
        "/portal/activity?before=" + page.split("before=")[1].split('"')[0].split("&")[0]
    ).text
    assert older.count("Changed the account") == 10
    keys = tight(visitor.get("/portal/activity?group=keys").text)
    assert ("Created a key" in keys, "Changed the account" in keys) == (True, False)
    assert "No matches" in visitor.get("/portal/activity?from=2020-01-01&to=2020-01-02").text
    sheet = visitor.get("/portal/activity.csv?group=account").data.decode()
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert len(rows) == 60
    assert {row["action"] for row in rows} == {"account.changed"}
    seqs = [int(row["seq"]) for row in rows]
    assert seqs == sorted(seqs, reverse=True)
    other = member(mallory).get("/portal/activity").text
    assert alice.email not in other
    assert "Changed the account" not in other


@pytest.mark.parametrize(
    "query", ["before=x", "before=٣", "actor=x", "group=x", "from=x&to=y", f"actor={uuid.UUID(int=7)}"]
)
def test_a_filter_that_means_nothing_is_no_error(member: Make, alice: Player, query: str) -> None:
    assert member(alice).get(f"/portal/activity?{query}").status_code == 200


@pytest.mark.parametrize(("role", "status"), [("admin", 200), ("compliance", 200), ("developer", 403)])
def test_who_may_read_the_activity(member: Make, alice: Player, role: tenancy.Role, status: int) -> None:
    visitor = member(colleague(alice, role))
    assert visitor.get("/portal/activity").status_code == status
    assert visitor.get("/portal/activity.csv").status_code == status


def test_closing_takes_the_names_out_and_keeps_the_acts(member: Make, alice: Player) -> None:
    from app import portal

    visitor = member(alice)
    visitor.send("/portal/account/close", {"current": alice.password, "name": "alice"})
    before = [row.action for row in done(alice)]
    assert before[0] == "account.closed"
    while portal.erase_closed():
        pass
    rows = done(alice)
    assert [row.action for row in rows] == before
    assert {(row.actor_name, row.target_name, row.network, str(row.details)) for row in rows} == {
        (None, None, None, "{}")
    }
