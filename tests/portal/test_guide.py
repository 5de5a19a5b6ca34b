"""Docs inside the portal: everybody reads them, in two languages, and what they say holds."""

from __future__ import annotations

import hashlib
import hmac
import re
import subprocess
import time
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import tenancy, webhooks
from app.documents.errors import REASONS
from app.platform import clock, errors, settings
from app.platform.web import http
from app.portal.docs import guide, recipes
from app.portal.docs.quickstart import SAMPLE_TEXT
from app.portal.web.display import status_labels
from app.text.bilingual import Language
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, colleague, tight
from tests.webhooks.forgeries import doubled

Make = Callable[[Player], PortalClient]

PAGE = "/portal/docs"
LANGUAGES: tuple[Language, ...] = ("en", "es")


def shown(visitor: PortalClient, language: str = "en", tongue: str = "curl") -> str:
    visitor.client.set_cookie("language", language)
    answer = visitor.get(f"{PAGE}?in={tongue}")
    assert answer.status_code == 200
    return answer.text


def recipe(task: recipes.Task, tongue: recipes.Tongue) -> str:
    return recipes.recipe(task, tongue, text=SAMPLE_TEXT.es, language="es", header="X-Service-Signature")


@pytest.mark.parametrize("role", ["admin", "developer", "compliance"])
def test_every_role_reads_it(member: Make, alice: Player, role: tenancy.Role) -> None:
    page = shown(member(colleague(alice, role)))
    sees_keys = role != "compliance"
    assert (alice.key[:12] in page) is sees_keys
    assert ("Your role has no access to keys." in page) is not sees_keys
    assert 'href="/docs"' in page


def test_the_code_carries_the_visitors_own_prefix_and_never_a_key(
    member: Make, alice: Player, mallory: Player
) -> None:
    page = shown(member(alice))
    prefix = alice.key[:12]
    assert f"export API_KEY={prefix}…" in page
    assert f"Authorization: Bearer {prefix}…" in unescape(page)
    assert alice.key not in page
    assert mallory.key[:12] not in page


def test_without_a_key_that_may_analyse_it_says_how_to_get_one(member: Make, cast: Cast) -> None:
    page = shown(member(cast.player("searcher", scopes=("query",))))
    assert "You have no key with permission to analyse yet." in page
    assert "export API_KEY=svc_…" in page


@pytest.mark.parametrize("tongue", recipes.TONGUES)
def test_recipes_come_in_three_languages(member: Make, alice: Player, tongue: recipes.Tongue) -> None:
    page = unescape(shown(member(alice), tongue=tongue))
    for task in recipes.TASKS:
        block = page.split(f'id="code-{task}"')[1].split("</pre>")[0]
        assert (
            recipes.recipe(task, tongue, text=SAMPLE_TEXT.en, language="en", header="X-Service-Signature")
            in block
        )
    assert "@TEXT@" not in page
    assert "@HEADER@" not in page


def test_an_unknown_language_of_recipes_is_curl(member: Make, alice: Player) -> None:
    page = shown(member(alice), tongue="cobol<b>")
    assert "cobol" not in page.split("<main")[1]
    assert "openssl dgst" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_says_what_to_do(member: Make, alice: Player, language: str) -> None:
    page = tight(shown(member(alice), language))
    table = page.split('aria-labelledby="errors"')[2].split("</table>")[0]
    rows = re.findall(
        r'<code class="mono">(\w+)</code></th><td[^>]*><span>(\d+)</span></td><td[^>]*><span>(.*?)</span>',
        table,
    )
    assert [(int(status), code) for code, status, _ in rows] == list(guide.ERRORS)
    assert all(len(words) > 10 for _, _, words in rows)


def test_the_errors_are_those_that_the_code_knows() -> None:
    code = "\n".join(
        path.read_text("utf-8")
        for path in (settings.PROJECT / "app").rglob("*.py")
        if "portal" not in path.relative_to(settings.PROJECT).parts
    )
    assert [name for _, name in guide.ERRORS if f'"{name}"' not in code] == []


# Codes that only the portal and the command line give, or that a period's document has as its end.
OF_NO_CALL = {
    "ATTEMPTS_EXHAUSTED", "DOCUMENTS_FULL", "DOMAIN_TAKEN", "EMAIL_TAKEN", "FOREIGN_ORIGIN", "FORM_EXPIRED",
    "LAST_OWNER", "LINK_LIMIT", "LINK_SPENT", "ROLE_REQUIRED", "SSO_UNTESTED", "TOO_MANY_RECORDS",
}  # fmt: skip


def test_every_code_of_the_interface_is_explained() -> None:
    given = {*REASONS, *http._HTTP_CODES.values()}
    for path in (settings.PROJECT / "app").rglob("*.py"):
        given.update(re.findall(r'\bcode(?:: \w+)? ?= ?"([A-Z][A-Z_]+)"', path.read_text("utf-8")))
    waiting = [errors.DomainError]
    while waiting:
        kind = waiting.pop()
        given.add(kind.code)
        waiting += kind.__subclasses__()
    assert len(given) > 60
    assert sorted(given - OF_NO_CALL - {name for _, name in guide.ERRORS}) == []
    for language in LANGUAGES:
        words = (settings.PROJECT / f"templates/portal/docs/_errors.{language}.html").read_text("utf-8")
        assert [name for _, name in guide.ERRORS if words.count(f"  '{name}':") != 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_have_the_same_parts_and_rows(member: Make, alice: Player, language: str) -> None:
    page = tight(shown(member(alice), language))
    assert re.findall(r'<h2 id="(\w+)"', page) == [
        "start", "recipes", "errors", "limits", "webhooks", "kept", "changes",
    ]  # fmt: skip
    assert re.findall(r'href="#(\w+)"', page.split('class="toc"')[1].split("</nav>")[0]) == re.findall(
        r'<h2 id="(\w+)"', page
    )
    assert page.count('<tr><th scope="row">') == len(guide.ERRORS) + 11 + 12


def test_limits_and_times_come_from_the_settings(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = member(alice)
    changed = settings.current().model_copy(
        update={"rate_standard": 4321, "job_result_hours": 17.0, "webhook_delivery_days": 19}
    )
    monkeypatch.setattr(settings, "current", lambda: changed)
    page = shown(visitor)
    assert "4,321" in page
    assert "encrypted for 17 hours" in page
    assert "19 days after it ended" in page


def test_the_python_recipes_are_python() -> None:
    for task in recipes.TASKS:
        compile(recipe(task, "python"), task, "exec")


def test_the_recipes_verify_a_genuine_signature_and_no_other() -> None:
    body, secret, now = b'{"id": "1"}', "whsec_c2VjcmV0", str(int(clock.epoch()))
    digits = hmac.new(secret.encode(), now.encode() + b"." + body, hashlib.sha256).hexdigest()
    space: dict[str, object] = {}
    exec(recipe("webhook", "python"), space)
    is_genuine = space["is_genuine"]
    assert callable(is_genuine)
    stamp = str(int(time.time()))
    fresh = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert is_genuine(secret, f"t={stamp},v1={'0' * 64},v1={fresh}", body)
    assert not is_genuine(secret, f"t={stamp},v1={fresh}", body + b" ")
    assert not is_genuine(secret, "t=1,v1=" + digits, body)
    for wrong in doubled(f"t={stamp},v1={fresh}", int(stamp)):
        assert not is_genuine(secret, wrong, body), wrong


def test_the_recipes_are_those_of_the_page_about_webhooks() -> None:
    """They are tested there as they are printed; TypeScript too."""
    page = (settings.PROJECT / "docs" / "webhooks.md").read_text("utf-8")
    for tongue, begin in (("python", "    found = FORM"), ("typescript", "  // One time")):
        program = recipe("webhook", tongue)
        assert program[program.index(begin) :].strip() in page


def test_the_curl_recipes_are_shell() -> None:
    for task in recipes.TASKS:
        done = subprocess.run(["bash", "-n", "-c", recipe(task, "curl")], capture_output=True, text=True)
        assert done.stderr == "", task


def test_what_the_recipes_send_is_accepted(app: Flask, alice: Player) -> None:
    client = app.test_client()
    one = {"text": SAMPLE_TEXT.es, "language": "es"}
    answer = client.post("/api/v1/analyze", json=one, headers=alice.auth)
    assert answer.status_code == 200
    assert {"certaintyLocks", "citationChecks", "analysis"} <= answer.get_json().keys()
    documents = [{"id": "lease-17", **one}, {"id": "lease-18", "mode": "deep", **one}]
    batch = client.post(
        "/api/v1/analyze/batch", json={"documents": documents, "concurrency": 2}, headers=alice.auth
    )
    assert [item["id"] for item in batch.get_json()["results"]] == ["lease-17", "lease-18"]
    job = client.post("/api/v1/jobs", json={"kind": "analyze", "payload": one}, headers=alice.auth)
    assert job.status_code == 202
    # The curl recipe reads the address with sed.
    found = re.search(r'"pollUrl": *"([^"]*)"', job.text)
    assert found
    state = client.get(found[1], headers=alice.auth)
    assert re.search(r'"status": *"(pending|running)"', state.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_answer_is_worth_reading(client: FlaskClient, alice: Player, language: Language) -> None:
    text = SAMPLE_TEXT.in_(language)
    sent = {"text": text, "language": language, "jurisdiction": "ES", "legalBranch": "civil"}
    found = client.post("/api/v1/analyze", json=sent, headers=alice.auth).get_json()
    assert found["assessment"] == "full"
    risks = [one["text"] for one in found["statements"] if one["lock"] == "L5-C"]
    told = {
        "es": ("prórroga", "fianza", "entrar en la vivienda"),
        "en": ("extension", "deposit", "enter the dwelling"),
    }
    for words in told[language]:
        assert any(words in risk for risk in risks), (words, risks)


def test_every_event_for_webhooks_is_named_and_explained(member: Make, alice: Player) -> None:
    page = member(alice).get("/portal/docs").text
    for name in webhooks.SUBSCRIBABLE:
        assert status_labels.EVENTS[name]
        assert str(status_labels.EVENT_HINTS[name]) in unescape(page), name
