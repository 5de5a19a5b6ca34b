"""The officer's desk: analyses by month and as CSV, own data, a second factor that the account requires."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import timedelta

import pyotp

from app import tenancy
from app.platform import clock
from app.platform.postgres import db
from app.portal.auth.sign_in import totp_key
from tests.cast import Player
from tests.portal.conftest import PortalClient, analysed, colleague

Make = Callable[[Player], PortalClient]


def _protect(player: Player) -> None:
    secret = tenancy.second_factor.new_secret()
    with db.transaction() as session:
        (member,) = [
            row for row in tenancy.members_of(session, player.account_id) if row.email == player.email
        ]
        code = pyotp.TOTP(secret).at(clock.now())
        tenancy.second_factor.enable(session, member, secret, code, key=totp_key(), now=clock.now())


def test_analyses_stand_under_their_months(member: Make, alice: Player) -> None:
    analysed(alice, ago=timedelta(days=70))
    analysed(alice)
    page = member(alice).get("/portal/analyses").text
    first, second = page.split('scope="rowgroup">')[1:]
    assert "Record 2" in first
    assert "Record 1" in second
    assert first.split("<")[0] != second.split("<")[0]


def test_the_sheet_has_a_line_for_each_analysis_of_the_filter_and_of_nobody_else(
    member: Make, alice: Player, mallory: Player
) -> None:
    analysed(alice, ago=timedelta(days=70))
    entry = analysed(alice, citations={"verified": 1, "not_found": 2})
    analysed(mallory)
    visitor = member(alice)
    answer = visitor.get("/portal/analyses.csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["record"] for row in rows] == ["2", "1"]
    assert rows[0]["analysisId"] == str(entry.analysis_id)
    assert (rows[0]["citations_not_found"], rows[0]["lock_L1"], rows[0]["masked"]) == ("2", "7", "3")
    today = clock.today().isoformat()
    lately = visitor.get(f"/portal/analyses.csv?from={today}").text
    assert [row["record"] for row in csv.DictReader(io.StringIO(lately))] == ["2"]


def test_every_member_takes_their_own_data_along_and_nobody_elses(member: Make, alice: Player) -> None:
    analysed(alice)
    officer = colleague(alice, "developer")
    visitor = member(officer)
    review = {"decision": "accepted"}
    assert visitor.send("/portal/analyses/1/review", review, on="/portal/analyses/1").status_code == 303
    answer = visitor.get("/portal/profile/export")
    found = json.loads(answer.text)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert found["member"]["email"] == officer.email
    assert {row["action"] for row in found["activity"]} == {"sign_in", "review.recorded", "export.downloaded"}
    assert len(found["reviews"]) == len(found["sessions"]) == 1
    assert found["__counts"]["api_keys_created"] == 0
    for secret in ("password_hash", "totp_secret", "key_hash", alice.email):
        assert secret not in answer.text


def test_own_data_name_no_other_member_and_say_what_is_left_out(member: Make, alice: Player) -> None:
    invited = {"email": "guest-of-alice@example.com", "role": "developer"}
    visitor = member(alice)
    assert visitor.send("/portal/team/invitations", invited, on="/portal/team").status_code in (200, 303)
    answer = visitor.get("/portal/profile/export")
    found = json.loads(answer.text)
    assert invited["email"] not in answer.text
    names = {row["action"]: row["target_name"] for row in found["activity"]}
    assert names["member.invited"] is None
    assert any("other members" in line for line in found["__meta"]["left_out"])


def test_an_account_may_require_a_second_factor_and_it_holds_on_the_next_click(
    member: Make, alice: Player
) -> None:
    officer = member(colleague(alice, "compliance"))
    assert officer.get("/portal/analyses").status_code == 200
    owner = member(alice)
    path, on = "/portal/account/second-factor", "/portal/account"
    # Nobody shuts themselves out.
    assert owner.send(path, {"required": "y"}, on=on).headers["Location"] == "/portal/profile"
    assert officer.get("/portal/analyses").status_code == 200
    _protect(alice)
    assert owner.send(path, {"required": "y"}, on=on).headers["Location"] == "/portal/account"
    assert owner.get("/portal/account").status_code == 200
    for page in ("/portal/analyses", "/portal/law", "/portal/analyses.csv", "/portal/profile/export"):
        assert officer.get(page).headers["Location"] == "/portal/profile/second-factor", page
    part = officer.get("/portal/analyses/chain", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (401, "/portal/profile/second-factor")
    assert (
        "Your account requires two-factor authentication."
        in officer.get("/portal/profile/second-factor").text
    )
    # Who has it keeps it.
    off = owner.get("/portal/profile/second-factor/off")
    assert off.headers["Location"] == "/portal/profile"
    owner.send(path, {}, on=on)
    assert officer.get("/portal/analyses").status_code == 200


def test_only_an_owner_requires_a_second_factor(member: Make, alice: Player) -> None:
    admin = member(colleague(alice, "admin"))
    assert (
        admin.send("/portal/account/second-factor", {"required": "y"}, on="/portal/account").status_code
        == 403
    )
    assert "Require it for all members" not in admin.get("/portal/account").text
