"""Credits are bought by invoice, or at a checkout: once, by signed messages alone, at the price."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from pydantic import SecretStr

from app import credits, purchases
from app.platform import clock, settings
from app.platform.postgres import db
from app.platform.settings import SettingsError
from tests.cast import Player
from tests.portal.conftest import PortalClient, colleague
from tests.purchases.stripe_server import API_KEY, SECRET, Checkout, selling, signed

Make = Callable[[Player], PortalClient]
HOOK = "/payments/stripe"


@pytest.fixture(scope="module")
def running() -> Iterator[Checkout]:
    with selling() as checkout:
        yield checkout


@pytest.fixture
def checkout(running: Checkout, app: Flask, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    running.sessions, running.status = {}, 200
    config = settings.current().model_copy(
        update={
            "credit_purchase": "stripe",
            "credit_packs": "500=4500,2000=16000",
            "stripe_base_url": running.url,
            "stripe_api_key": SecretStr(API_KEY),
            "stripe_webhook_secret": SecretStr(SECRET),
        }
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    return running


def _buy(visitor: PortalClient, checkout: Checkout, size: int = 500) -> str:
    """Buy a pack; return the session's name."""
    answer = visitor.send("/portal/credits/buy", {"pack": str(size)}, on="/portal/credits")
    assert answer.status_code == 200
    (name,) = [one for one in checkout.sessions if f"{checkout.url}/pay/{one}" in answer.text]
    return name


def _deliver(client: FlaskClient, message: Any, **how: Any) -> tuple[int, str]:
    raw, headers = signed(message, **how)
    answer = client.post(HOOK, data=raw, headers=headers)
    return answer.status_code, answer.text.strip()


def _balance(player: Player) -> int:
    with db.reading() as session:
        return credits.balance(session, player.account_id).balance


def _state(player: Player) -> list[tuple[str, int]]:
    with db.reading() as session:
        return [
            (one.state, one.refunded) for one in purchases.purchases_of(session, player.account_id, limit=9)
        ]


def test_by_default_credits_are_sold_by_invoice(
    member: Make, alice: Player, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings.current().model_copy(update={"purchase_contact": "sales@operator.example"})
    monkeypatch.setattr(settings, "current", lambda: config)
    page = member(alice).get("/portal/credits").text
    assert "by invoice" in page
    assert 'href="mailto:sales@operator.example"' in page
    assert client.post(HOOK, data=b"{}").status_code == 404


def test_a_pack_is_paid_at_the_checkout_and_credited_once(
    member: Make, alice: Player, client: FlaskClient, checkout: Checkout
) -> None:
    visitor, before = member(alice), _balance(alice)
    name = _buy(visitor, checkout)
    form = checkout.sessions[name]
    assert form["line_items[0][price_data][unit_amount]"] == "4500"
    assert form["line_items[0][price_data][currency]"] == "eur"
    assert form["customer_email"] == alice.email
    assert "Not paid yet" in visitor.get("/portal/credits?bought=yes").text
    assert _balance(alice) == before
    message = checkout.completed(name)
    assert _deliver(client, message) == (200, "credited")
    # The same message again, another of the same payment, and the later kind of it.
    assert _deliver(client, message) == (200, "repeated")
    assert _deliver(client, checkout.completed(name)) == (200, "repeated")
    later = {**checkout.completed(name), "type": "checkout.session.async_payment_succeeded"}
    assert _deliver(client, later) == (200, "repeated")
    assert _balance(alice) == before + 500
    kind = sa.text("SELECT kind FROM credit_ledger WHERE account_id = :a ORDER BY seq DESC LIMIT 1")
    with db.reading() as session:
        assert session.scalar(kind, {"a": alice.account_id}) == "purchase"
    assert "Paid" in visitor.get("/portal/credits").text


def test_many_deliveries_at_once_credit_once(
    app: Flask, member: Make, alice: Player, checkout: Checkout
) -> None:
    before, name = _balance(alice), _buy(member(alice), checkout)
    message = checkout.completed(name)
    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(lambda _: _deliver(app.test_client(), message), range(6)))
    assert sorted(said) == [(200, "credited")] + [(200, "repeated")] * 5
    assert _balance(alice) == before + 500


def test_what_the_checkout_did_not_sign_lately_credits_nothing(
    member: Make, alice: Player, client: FlaskClient, checkout: Checkout
) -> None:
    before, name = _balance(alice), _buy(member(alice), checkout)
    message, now = checkout.completed(name), clock.epoch()
    assert _deliver(client, message, secret="whsec_another")[0] == 400
    assert _deliver(client, message, at=now - 301)[0] == 400
    assert _deliver(client, message, at=now + 400)[0] == 400
    raw, headers = signed(message)
    header = headers["Stripe-Signature"]
    doubled, odd = header.replace("t=", "t=1,t="), "t=x," + header
    for wrong in ("", "t=", header.replace("v1", "v0"), doubled, odd, "v1=é"):
        assert client.post(HOOK, data=raw, headers={"Stripe-Signature": wrong}).status_code == 400, wrong
    assert client.post(HOOK, data=raw + b" ", headers=headers).status_code == 400
    assert client.post(HOOK, data=b"x" * 300_000, headers=headers).status_code == 413
    for text in (b"[]", b"nothing", b"\xff"):
        _, signature = signed("x")
        assert client.post(HOOK, data=text, headers=signature).status_code == 400
    assert _deliver(client, ["x"])[0] == 400
    assert _balance(alice) == before
    assert _state(alice) == [("open", 0)]


def test_another_price_session_or_buyer_credits_nothing(
    member: Make, alice: Player, mallory: Player, client: FlaskClient, checkout: Checkout
) -> None:
    before, name = _balance(alice), _buy(member(alice), checkout)
    hers = _buy(member(mallory), checkout, 2000)
    for changes in (
        {"amount_total": 1},
        {"currency": "jpy"},
        {"payment_status": "unpaid"},
        {"id": "cs_another"},
        {"id": hers},
        {"client_reference_id": None},
        {"client_reference_id": checkout.sessions[hers]["client_reference_id"]},
        {"metadata": {}},
        {"metadata": {"purchase": "x"}},
        {"metadata": {"purchase": checkout.sessions[hers]["metadata[purchase]"]}},
        {"metadata": "x"},
    ):
        assert _deliver(client, checkout.completed(name, **changes)) == (200, "ignored"), changes
    for odd in ({"type": "checkout.session.completed"}, {"type": 7, "data": {"object": {}}}, {"data": []}):
        assert _deliver(client, odd) == (200, "ignored")
    assert _balance(alice) == before
    assert _deliver(client, checkout.completed(name)) == (200, "credited")


def test_a_purchase_that_ends_unpaid_is_told_and_a_late_payment_still_counts(
    member: Make, alice: Player, client: FlaskClient, checkout: Checkout
) -> None:
    before, name = _balance(alice), _buy(member(alice), checkout)
    paid = checkout.completed(name)
    expired = {**paid, "type": "checkout.session.expired"}
    assert _deliver(client, expired) == (200, "failed")
    assert _state(alice) == [("failed", 0)]
    assert _deliver(client, paid) == (200, "credited")
    assert _deliver(client, expired) == (200, "ignored")
    assert _balance(alice) == before + 500


def test_a_refund_is_noted_and_takes_no_credits(
    member: Make, alice: Player, client: FlaskClient, checkout: Checkout
) -> None:
    visitor, before = member(alice), _balance(alice)
    name = _buy(visitor, checkout)
    _deliver(client, checkout.completed(name))

    def refunded(amount: int, **about: Any) -> tuple[int, str]:
        found = {"amount_refunded": amount, "payment_intent": f"pi_{name}", **about}
        return _deliver(client, {"type": "charge.refunded", "data": {"object": found}})

    assert refunded(1000) == (200, "refunded")
    assert refunded(1000) == (200, "ignored")
    assert refunded(500) == (200, "ignored")
    assert refunded(9999) == (200, "ignored")
    assert refunded(4500, metadata={"purchase": checkout.sessions[name]["metadata[purchase]"]}) == (
        200,
        "refunded",
    )
    assert refunded(10, payment_intent="pi_unknown") == (200, "ignored")
    assert _balance(alice) == before + 500
    assert "€45.00 refunded" in visitor.get("/portal/credits").text
    actions = sa.text(
        "SELECT action FROM activities WHERE account_id = :a AND action LIKE 'purchase%' ORDER BY seq"
    )
    with db.reading() as session:
        found = list(session.scalars(actions, {"a": alice.account_id}))
    assert found == ["purchase.begun", "purchase.paid", "purchase.refunded", "purchase.refunded"]


def test_a_checkout_that_fails_sells_nothing(member: Make, alice: Player, checkout: Checkout) -> None:
    visitor, checkout.status = member(alice), 503
    answer = visitor.send("/portal/credits/buy", {"pack": "500"}, on="/portal/credits")
    assert answer.status_code == 303
    assert "did not answer" in visitor.get("/portal/credits").text
    assert _state(alice) == [("failed", 0)]
    for wrong in ("", "7", "x", "-500", "5" * 40):
        assert visitor.send("/portal/credits/buy", {"pack": wrong}, on="/portal/credits").status_code in (
            303,
            429,
        )
    assert len(_state(alice)) == 1


def test_only_owners_and_administrators_buy(member: Make, alice: Player, checkout: Checkout) -> None:
    visitor = member(colleague(alice, "developer"))
    page = visitor.get("/portal/credits").text
    assert 'name="pack"' not in page
    assert visitor.send("/portal/credits/buy", {"pack": "500"}, on="/portal/credits").status_code == 403


def test_settings_of_the_checkout_are_checked(checkout: Checkout) -> None:
    for packs in ("500", "500=0", "x=1", "500=1,500=2", "1=2=3"):
        with pytest.raises(SettingsError, match="CREDIT_PACKS"):
            settings.load(credit_packs=packs)
    assert settings.load(credit_packs=" 1=2 , 3=4,").credit_pack_prices == ((1, 2), (3, 4))
    with pytest.raises(SettingsError, match="STRIPE_API_KEY"):
        purchases.check_settings(settings.load(credit_purchase="stripe", stripe_api_key=""))
    with pytest.raises(SettingsError, match="PURCHASE_CONTACT"):
        settings.load(purchase_contact="javascript:alert(1)")


def test_what_the_buyer_sends_besides_the_pack_means_nothing(
    member: Make, alice: Player, checkout: Checkout
) -> None:
    visitor, before = member(alice), _balance(alice)
    forged = {
        "pack": "500", "amount": "1", "credits": "999999", "currency": "idr", "price": "1", "account_id": "x",
        "line_items[0][quantity]": "0", "back": "https://evil.example",
    }  # fmt: skip
    assert visitor.send("/portal/credits/buy", dict(forged), on="/portal/credits").status_code == 200
    (form,) = checkout.sessions.values()
    assert form["line_items[0][price_data][unit_amount]"] == "4500"
    assert form["line_items[0][quantity]"] == "1"
    assert "evil.example" not in str(form)
    for pack in ("-500", "499", "500.0", "٥٠٠", "9" * 40):
        assert visitor.send("/portal/credits/buy", {"pack": pack}, on="/portal/credits").status_code == 303
    assert len(checkout.sessions) == 1
    assert _balance(alice) == before
