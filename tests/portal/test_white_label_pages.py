"""A partner's people meet neither the house's name nor its address on the partner's host name."""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Iterator

import pypdfium2
import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from app import branding, jobs
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.web.display import labels
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import PortalClient
from tests.portal.pages import furnished

HOST = "desk.soler.example"
OPERATOR = "operator.example"
# "candado" is Spanish for the lock of a statement, and so is the word at the head of a column.
HOUSE = re.compile(r"\bCandado\b(?!\s*<)|CANDADO|operator\.example")
HOUSE_IN_ENGLISH = re.compile(r"candado|operator\.example", re.IGNORECASE)
# What strangers open, and what no member's page leads to.
PUBLIC = (
    "/", "/example", "/status", "/portal/sign-in", "/portal/forgotten", "/portal/sign-up", "/portal/sso",
    "/docs", "/docs?q=analyze", "/docs/errors", "/nowhere", "/portal/nowhere", "/portal/join/stale",
    "/portal/reset/stale", "/portal/codes/stale", "/unsubscribe/wrong", "/docs/nowhere",
    "/api/v1/openapi.json",
    "/.well-known/oauth-protected-resource/api/mcp/connect", "/.well-known/oauth-authorization-server/oauth",
    "/healthz", "/readyz", "/api/v1/nowhere", "/api/v1/usage", "/portal/mail",
)  # fmt: skip
# Where the house is named to those who deal with it, and why.
NAMED = {
    "/portal/branding": "owners choose between the house's name and theirs, and see both",
    "/portal/branding/agreement.<tongue>": "a contract names its parties",
    "/portal/branding/processing-record.<tongue>": "the record names the processor (article 30 GDPR)",
}
# Rules that the walk leaves out, and why.
LEFT_OUT = {
    "static": "files of the design, the same for all",
    "metrics": "for the operator's monitoring",
    "transparency": "one log for all accounts: its name is part of what is signed (decision 106)",
}


@pytest.fixture
def branded(app: Flask, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Player:
    """An account of a partner with a host name of its own, at an operator with another."""
    alice = cast.player("alice")
    worn = {
        "branding": "partner", "partner_brand_name": "Soler", "partner_legal_name": "Soler, S.L.P.",
        "partner_support_email": "help@soler.example", "partner_website": "https://www.soler.example/",
    }  # fmt: skip
    with db.transaction() as session:
        branding.save(session, cast.caller(alice), worn, now=clock.now())
    config = settings.current().model_copy(
        update={
            "brand_hosts": f"{HOST}={alice.account_id}",
            "mail_inbox": True,
            "signup_open": True,
            "public_url": f"https://{OPERATOR}",
        }
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    return alice


class _Host(PortalClient):
    """A browser that opens the partner's host name."""

    def get(self, path: str, **options: object) -> TestResponse:
        return self.client.get(path, base_url=f"https://{HOST}", **options)  # type: ignore[arg-type]

    def send(self, path: str, form: dict[str, object], *, on: str | None = None) -> TestResponse:
        data = {"csrf_token": self.token(on or path), **form}
        return self.client.post(path, base_url=f"https://{HOST}", data=data)


@pytest.mark.parametrize(("language", "house"), [("en", HOUSE_IN_ENGLISH), ("es", HOUSE)])
def test_nothing_on_a_partners_host_name_names_the_house(
    app: Flask, branded: Player, cast: Cast, language: str, house: re.Pattern[str]
) -> None:
    client = app.test_client()
    client.set_cookie("language", language, domain=HOST)
    visitor = _Host(client, branded)
    seen: dict[str, list[str]] = {}
    walked: set[str] = set()
    known: dict[str, object] = {
        "code": language,
        "name": "dark",
        "tongue": language,
        "page": 1,
        "slug": "analyze",
    }
    routes = app.url_map.bind(HOST)

    def look(path: str) -> None:
        answer = visitor.get(path)
        assert answer.status_code < 500, path
        found = [*_mentions(house, "".join(_texts(answer)) + str(answer.headers))]
        try:
            rule, values = routes.match(path.partition("?")[0], return_rule=True)
        except HTTPException:
            rule, values = None, {}
        walked.add(str(rule))
        if found and str(rule) not in NAMED:
            seen[path] = found
        if answer.status_code == 200:
            known.update(values)

    for path in PUBLIC:
        look(path)
    assert visitor.send("/portal/sign-in", {"email": branded.email, "password": "wrong"}).status_code == 401
    assert visitor.sign_in().status_code == 303
    pages = furnished(cast, branded)
    for path in pages:
        look(path)
    # The job of these pages, now with a result: by the rules, since the engine of its own does not answer.
    assert visitor.send("/portal/account/engines/A/remove", {}).status_code == 303
    jobs.run(uuid.UUID(str(known["job_id"])), "white-label")
    look(f"/portal/analyse/{known['job_id']}")
    for rule in app.url_map.iter_rules():
        if str(rule) in walked or not _is_for_people(rule):
            continue
        look(_address(rule, known))
    assert seen == {}, json.dumps(seen, indent=1)
    missed = {str(rule) for rule in app.url_map.iter_rules() if _is_for_people(rule)} - walked
    assert missed == set()


def test_no_error_on_a_partners_host_name_names_the_house(app: Flask, branded: Player) -> None:
    for status in labels.ERRORS:
        for path in ("/portal/x", "/api/v1/x"):
            with app.test_request_context(path, base_url=f"https://{HOST}"):
                refused = errors.DomainError("This did not work.", code="X", status=status)
                answer = app.make_response(app.handle_user_exception(refused))
            said = answer.get_data(as_text=True) + str(answer.headers)
            assert answer.status_code == status
            assert [*_mentions(HOUSE_IN_ENGLISH, said)] == [], (path, status)
            assert "Soler" in said or f"https://{HOST}/docs/errors" in said


def test_programs_of_a_partner_are_told_its_name_and_address(app: Flask, branded: Player) -> None:
    client = app.test_client()
    document = client.get("/api/v1/openapi.json", base_url=f"https://{HOST}").get_json()
    assert document["info"]["title"] == "Soler API"
    assert document["servers"] == [{"url": f"https://{HOST}"}]
    asked = {"kind": "analyze", "payload": {"text": LEASE}}
    job = client.post("/api/v1/jobs", json=asked, headers=branded.auth, base_url=f"https://{HOST}")
    assert job.get_json()["pollUrl"].startswith(f"https://{HOST}/api/v1/jobs/")
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}
        },
    }  # fmt: skip
    headers = {**branded.auth, "Accept": "application/json, text/event-stream"}
    server = client.post("/api/mcp", json=hello, headers=headers, base_url=f"https://{HOST}").get_json()
    told = server["result"]["serverInfo"]
    assert (told["title"], told["websiteUrl"], "icons" in told) == ("Soler", f"https://{HOST}", False)
    resource = client.get("/.well-known/oauth-protected-resource/api/mcp/connect", base_url=f"https://{HOST}")
    assert resource.get_json()["resource"] == f"https://{HOST}/api/mcp/connect"
    assert resource.get_json()["resource_name"] == "Soler"
    # By the service's own name a visitor is told the service's; a port is no way to another host.
    own = client.get("/api/v1/openapi.json", base_url=f"https://{OPERATOR}").get_json()
    assert own["info"]["title"] == f"{settings.current().service_name} API"
    strange = client.get("/api/v1/openapi.json", headers={"Host": f"{HOST}:1@evil.example"}).get_json()
    assert "evil" not in strange["servers"][0]["url"]


def _is_for_people(rule: Rule) -> bool:
    is_api = str(rule).startswith("/api/") and not str(rule).endswith("openapi.json")
    left_out = rule.endpoint.partition(".")[0] in LEFT_OUT or rule.endpoint.rpartition(".")[2] in LEFT_OUT
    return "GET" in (rule.methods or ()) and not is_api and not left_out


def _address(rule: Rule, known: dict[str, object]) -> str:
    """An address of the rule, with ids of what the walk has opened."""
    choices = {name: one for one, name in re.findall(r"<any\('?(\w[\w-]*)'?[^)]*\):(\w+)>", str(rule))}
    values = {"form": "pdf", "token": "stale", "connection_id": uuid.uuid4(), **known, **choices}
    return re.sub(r"<(?:[^:>]+:)?(\w+)>", lambda found: str(values[found[1]]), str(rule))


def _texts(answer: TestResponse) -> Iterator[str]:
    """What a person reads of an answer, whatever file it is."""
    if answer.data[:5] == b"%PDF-":
        document = pypdfium2.PdfDocument(io.BytesIO(answer.data))
        yield from (page.get_textpage().get_text_range() for page in document)
        yield str(document.get_metadata_dict())
    elif answer.data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
            yield from (archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    else:
        yield answer.data.decode("utf-8", "replace")


def _mentions(house: re.Pattern[str], text: str) -> Iterator[str]:
    for one in house.finditer(text):
        yield text[max(0, one.start() - 60) : one.end() + 40].replace("\n", " ")
