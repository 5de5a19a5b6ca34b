"""The check of a signature: genuine, or why not."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.webhooks import Outcome, signing, verify
from tests.webhooks.forgeries import doubled

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
# The same in every process: tests are named after what they are given.
SECRET, OTHER = (f"whsec_{base64.b64encode(bytes([n]) * 24).decode()}" for n in (1, 2))
BODY = json.dumps({"id": "e1", "data": {"año": 2026}}, ensure_ascii=False, separators=(",", ":"))


def sent(*keys: str, at: datetime = NOW, body: str = BODY) -> dict[str, str]:
    return signing.headers(
        "Candado", keys or (SECRET,), event_id="e1", event="webhook.test", delivery_id="d1",
        at=int(at.timestamp()), body=body.encode(),
    )  # fmt: skip


def ours(**more: object) -> str:
    return sent(**more)["X-Candado-Signature"]  # type: ignore[arg-type]


def copied(*names: str) -> str:
    found = sent()
    return "\n".join(f"{name}: {found[name]}" for name in names)


STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")


@pytest.mark.parametrize(
    "headers",
    [
        ours(),
        copied("X-Candado-Signature"),
        copied("X-Candado-Signature-256").lower(),
        copied(*STANDARD),
        copied(*sent()),
        f"  {ours()}  \r\n",
    ],
)
def test_what_we_send_is_genuine_however_it_is_copied(headers: str) -> None:
    assert verify(SECRET, headers, BODY, now=NOW).outcome is Outcome.VALID
    assert verify(OTHER, headers, BODY, now=NOW).outcome is Outcome.MISMATCH
    assert verify(SECRET, headers, BODY + "x", now=NOW).outcome is Outcome.MISMATCH


def test_both_secrets_of_a_rotation_are_genuine() -> None:
    both = sent(OTHER, SECRET)["X-Candado-Signature"]
    for secret in (OTHER, SECRET):
        verdict = verify(secret, both, BODY, now=NOW)
        assert (verdict.outcome, verdict.signatures) == (Outcome.VALID, 2)


@pytest.mark.parametrize("body", [BODY + "\n", BODY + "\r\n", f"\n{BODY}\n"])
def test_line_breaks_of_a_text_field_are_overlooked(body: str) -> None:
    assert verify(SECRET, ours(), body, now=NOW).outcome is Outcome.VALID


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_or_future_signature_is_genuine_but_refused(minutes: int) -> None:
    at = NOW + timedelta(minutes=minutes)
    verdict = verify(SECRET, ours(at=at), BODY, now=NOW)
    assert (verdict.outcome, verdict.at) == (Outcome.STALE, at)


def test_a_body_that_was_parsed_first_is_told_apart() -> None:
    printed = json.dumps(json.loads(BODY), indent=2)
    assert verify(SECRET, ours(), printed, now=NOW).outcome is Outcome.REWRITTEN


@pytest.mark.parametrize(
    ("headers", "outcome"),
    [
        ("", Outcome.NO_SIGNATURE),
        ("t=1", Outcome.NO_SIGNATURE),
        ("v1=ab", Outcome.NO_TIME),
        ("t=soon,v1=ab", Outcome.NO_TIME),
        ("t=²,v1=ab", Outcome.NO_TIME),
        ("t=9999999999999,v1=ab", Outcome.NO_TIME),
        (f"t=99999999999,v1={'ab' * 32}", Outcome.MISMATCH),
        ("t=1,v1=ab", Outcome.MALFORMED),
        ("t=1,v1=ñ", Outcome.MALFORMED),
        (copied("webhook-signature"), Outcome.NO_TIME),
        (copied("webhook-timestamp", "webhook-signature"), Outcome.NO_ID),
        ("webhook-signature: v2,abc", Outcome.NO_SIGNATURE),
    ],
)
def test_a_header_that_cannot_be_read_says_what_is_missing(headers: str, outcome: Outcome) -> None:
    assert verify(SECRET, headers, BODY, now=NOW).outcome is outcome


@pytest.mark.parametrize("wrong", [w for w in doubled(ours(), int(NOW.timestamp())) if w.strip() != ours()])
def test_what_can_be_read_in_two_ways_is_not_genuine(wrong: str) -> None:
    assert verify(SECRET, ours(), BODY, now=NOW).outcome is Outcome.VALID
    verdict = verify(SECRET, wrong, BODY, now=NOW)
    # A space behind a sign is what copying does; the time in it is still one.
    assert verdict.outcome not in (Outcome.VALID, Outcome.STALE, Outcome.REWRITTEN)


def test_headers_that_contradict_each_other_are_not_genuine() -> None:
    found, late = sent(), sent(at=NOW - timedelta(hours=1))
    for name in ("X-Candado-Signature", "webhook-signature", "webhook-timestamp", "webhook-id"):
        other = "e2" if name == "webhook-id" else late[name]
        lines = copied(*STANDARD) if name.startswith("webhook") else copied("X-Candado-Signature-256")
        for pasted in (f"{name}: {other}\n{lines}", f"{lines}\n{name}: {other}"):
            assert verify(SECRET, pasted, BODY, now=NOW).outcome is not Outcome.VALID, (name, pasted)
    twice = f"{found['webhook-signature']} {found['webhook-signature']}"
    pasted = copied("webhook-id", "webhook-timestamp") + f"\nwebhook-signature: {twice}"
    assert verify(SECRET, pasted, BODY, now=NOW).outcome is Outcome.MALFORMED


@pytest.mark.parametrize("secret", ["whsec_é", "whsec_", "whsec_AQEBAQE"])
def test_a_secret_that_is_none_is_said(secret: str) -> None:
    assert verify(secret, copied(*STANDARD), BODY, now=NOW).outcome is Outcome.NO_KEY


def test_a_secret_without_its_last_sign_is_not_the_secret() -> None:
    """The library would add it; what a receiver uses may not."""
    padded = f"whsec_{base64.b64encode(bytes([1]) * 32).decode()}"
    pasted = "\n".join(f"{name}: {value}" for name, value in sent(padded).items() if name in STANDARD)
    assert verify(padded, pasted, BODY, now=NOW).outcome is Outcome.VALID
    assert verify(padded.removesuffix("="), pasted, BODY, now=NOW).outcome is Outcome.NO_KEY


@given(st.text(), st.text(), st.text())
def test_nothing_that_is_pasted_raises_or_is_genuine(secret: str, headers: str, body: str) -> None:
    assert verify(secret, headers, body, now=NOW).outcome is not Outcome.VALID
