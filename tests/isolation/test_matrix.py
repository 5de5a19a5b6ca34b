"""Every role on every route with every kind of id: nothing of another tenant is seen, nor that it exists.

A route of the API without a row here fails the first test. The rows run twice: as the product is, and without
its own filters by account, with row-level security alone.
"""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import LEASE, Cast
from tests.isolation.first_wall import torn_down
from tests.isolation.world import House, Ids, Role, house, roles

API = "/api/v1"


@dataclass(frozen=True)
class Row:
    """A route: a body that it takes, and its query parameters that name things.

    `sibling` are statuses for the id of another key of the same account (`None`: as for a stranger's);
    `public` are ids and words that are everybody's, such as a law's; `own` what a master's own call may
    answer beside success; `form` are the files of a multipart body, by part.
    """

    body: Any = None
    query: tuple[str, ...] = ()
    sibling: frozenset[int] | None = None
    public: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[int] = frozenset({409})
    form: Mapping[str, str] = field(default_factory=dict)


_OTHER_MASTER = frozenset({403})
# A key that is no child's may collect what another such key of its account asked for.
_COLLECTS = frozenset({200, 404, 409})

# A key that is no child's may see every output of its account; attestation is off.
_OUTPUTS = frozenset({200, 202, 403, 404})
# Without the add-on the citator answers nobody.
_ADDON = frozenset({403})
_LAW = {"id": "CC", "citation": "art. 1902 CC"}

ROWS: dict[tuple[str, str], Row] = {
    ("POST", "/analyze"): Row({"text": LEASE}),
    ("POST", "/analyze/batch"): Row({"documents": [{"text": LEASE}]}),
    ("POST", "/sandbox/analyze"): Row({}),
    ("GET", "/branding"): Row(),
    ("PUT", "/branding"): Row({"branding": "none"}),
    ("GET", "/branding/dpa"): Row(),
    ("GET", "/branding/processing-record"): Row(),
    ("GET", "/credits/ledger"): Row(query=("api_key_id",), sibling=frozenset({200, 404})),
    ("GET", "/usage"): Row(query=("api_key_id", "organization_id"), sibling=frozenset({200, 404})),
    ("POST", "/normativa/search"): Row({"query": "plazo"}),
    ("POST", "/normativa/verify-cita"): Row({"citation": "art. 1902 CC", "jurisdiccion": "ES"}),
    ("POST", "/jurisprudencia/search"): Row({"query": "buena fe"}),
    ("POST", "/jurisprudencia/verify-cita"): Row({"citation": "STC 76/2019"}),
    ("POST", "/jobs"): Row({"kind": "analyze", "payload": {"text": LEASE}}),
    ("GET", "/jobs"): Row(),
    ("GET", "/jobs/<job_id>"): Row(sibling=_COLLECTS),
    ("GET", "/jobs/<job_id>/report"): Row(sibling=_COLLECTS),
    ("DELETE", "/jobs/<job_id>"): Row(sibling=_COLLECTS),
    ("POST", "/documents"): Row(form={"file": LEASE}),
    ("GET", "/documents/<document_ref>"): Row(),
    ("DELETE", "/documents/<document_ref>"): Row(),
    ("POST", "/compare"): Row({"before": LEASE, "after": f"{LEASE} CUARTA.- Fuero. Madrid."}),
    ("GET", "/compare/<comparison_id>"): Row(),
    ("GET", "/compare/<comparison_id>/report"): Row(public={"format": "md"}),
    ("GET", "/events"): Row(),
    ("GET", "/account/dsr/export"): Row(),
    ("GET", "/account/engine"): Row(),
    # An address inside asks nobody; a child is refused before, and a whole key's engine is not kept.
    ("PUT", "/account/engine"): Row(
        {
            "node": "A",
            "engine": "openai",
            "model": "m",
            "baseUrl": "https://10.0.0.1/v1",
            "apiKey": "sk-000000000000",
        },
        own=frozenset({422}),
    ),
    ("DELETE", "/account/engine"): Row(),
    ("GET", "/audit/verify"): Row(),
    ("GET", "/audit/export"): Row(),
    ("GET", "/outputs/<request_id>/attestation"): Row(sibling=_OUTPUTS, own=_ADDON),
    ("POST", "/outputs/<request_id>/attestation"): Row(sibling=_OUTPUTS, own=_ADDON),
    ("GET", "/outputs/<request_id>/proof"): Row(sibling=_OUTPUTS),
    ("GET", "/outputs/<request_id>/review"): Row(sibling=_OUTPUTS),
    ("POST", "/outputs/<request_id>/review"): Row({"decision": "accepted"}, sibling=_OUTPUTS | {201}),
    ("GET", "/audit/activity"): Row(),
    ("GET", "/governance/enforcement"): Row(),
    ("PUT", "/governance/enforcement"): Row({"enabled": False}),
    ("POST", "/attestations/verify"): Row({"attestation": {}}),
    ("GET", "/organizations"): Row(),
    ("POST", "/organizations"): Row({"name": "New firm"}),
    ("GET", "/organizations/<organization_id>"): Row(sibling=_OTHER_MASTER),
    ("PATCH", "/organizations/<organization_id>"): Row({"name": "Changed"}, sibling=_OTHER_MASTER),
    ("DELETE", "/organizations/<organization_id>"): Row(sibling=_OTHER_MASTER),
    ("GET", "/organizations/<organization_id>/keys"): Row(sibling=_OTHER_MASTER),
    ("POST", "/organizations/<organization_id>/keys"): Row({"childLabel": "New"}, sibling=_OTHER_MASTER),
    ("PATCH", "/organizations/<organization_id>/keys/<key_id>"): Row(
        {"childLabel": "Changed"}, sibling=_OTHER_MASTER | {404}
    ),
    ("DELETE", "/organizations/<organization_id>/keys/<key_id>"): Row(sibling=_OTHER_MASTER | {404}),
    ("POST", "/organizations/<organization_id>/keys/<key_id>/rotate"): Row(
        {}, sibling=_OTHER_MASTER | {404}
    ),
    ("GET", "/security/ip-allowlist"): Row(),
    ("POST", "/security/ip-allowlist"): Row({"cidr": "198.51.100.0/24"}),
    ("DELETE", "/security/ip-allowlist"): Row(query=("id",), sibling=frozenset({204, 403, 404})),
    ("POST", "/webhooks"): Row({"url": "https://93.184.215.14/new"}),
    ("GET", "/webhooks"): Row(),
    ("GET", "/webhooks/<webhook_id>"): Row(),
    ("PATCH", "/webhooks/<webhook_id>"): Row({"description": "Changed"}),
    ("DELETE", "/webhooks/<webhook_id>"): Row(),
    ("GET", "/webhooks/<webhook_id>/deliveries"): Row(),
    ("POST", "/webhooks/<webhook_id>/deliveries/redrive"): Row({"redrive_all_failed": True}),
    ("POST", "/webhooks/<webhook_id>/rotate-secret"): Row({}),
    ("POST", "/webhooks/<webhook_id>/test"): Row({}),
    ("POST", "/watches"): Row({"citation": "art. 1902 CC", "jurisdiction": "ES"}),
    ("GET", "/watches"): Row(),
    ("DELETE", "/watches/<watch_id>"): Row(sibling=_COLLECTS | {403}),
    ("GET", "/corpus/coverage"): Row(),
    ("GET", "/normativa/articulo"): Row(public={"norma": "CC", "articulo": "1902"}),
    ("GET", "/normativa/norma/<norm_id>/versiones"): Row(public={"norm_id": "BOE-A-1889-4763"}),
    ("GET", "/citator/validity"): Row(public=_LAW, own=_ADDON),
    ("GET", "/citator/citations"): Row(public=_LAW, own=_ADDON),
    ("GET", "/citator/cited-by"): Row(public=_LAW, own=_ADDON),
    ("GET", "/citator/timeline"): Row(public=_LAW, own=_ADDON),
    ("GET", "/citator/coverage"): Row(own=_ADDON),
    ("GET", "/cruce/sentencias-de-articulo"): Row(public={"articulo": "1902", "norma_alias": "CC"}),
    ("GET", "/cruce/articulos-de-sentencia"): Row(
        public={"jurisprudencia_id": "STC 31/2010"}, own=frozenset({404})
    ),
    ("POST", "/plazos/calcular"): Row(
        {"jurisdiction": "ES", "fechaBase": "2024-07-25", "cantidad": 20, "tipoComputo": "habiles"}
    ),
}  # fmt: skip


def _keyed(app: Flask) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Method, rule and scopes of every route of the API that asks for a key."""
    for rule in app.url_map.iter_rules():
        view: Any = app.view_functions[rule.endpoint]
        required = getattr(view, "required", (None, None))
        assert rule.rule.startswith("/portal") or required[0] != "member"
        if rule.rule.startswith(API) and required[0] == "key":
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, re.sub(r"<\w+:(\w+)>", r"<\1>", rule.rule.removeprefix(API)), _scopes(view)


def _scopes(view: Any) -> frozenset[str]:
    # Those that are narrowed here are children: of what is the account's they are told that no child may.
    return frozenset() if view.manages == "account" else frozenset(view.scopes)


OPEN = ("/attestations/keys", "/jurisdictions", "/normativa/coverage", "/openapi.json", "/sandbox/analyze")


def test_every_route_has_a_row_and_says_who_may_enter(app: Flask) -> None:
    assert sorted(ROWS) == sorted((method, rule) for method, rule, _ in _keyed(app))
    open_routes = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(API)
        and getattr(app.view_functions[rule.endpoint], "required", (None,))[0] in (None, "public")
    }
    assert open_routes == {f"{API}{path}" for path in OPEN}


@pytest.fixture
def alice(cast: Cast) -> House:
    return house(cast, "alice")


@pytest.fixture
def mallory(cast: Cast) -> House:
    return house(cast, "mallory")


@pytest.mark.parametrize("walls", ["both walls", "the second alone"])
@pytest.mark.parametrize(("method", "rule"), ROWS, ids=[" ".join(row) for row in ROWS])
def test_nothing_leaks(
    app: Flask,
    client: FlaskClient,
    cast: Cast,
    alice: House,
    mallory: House,
    method: str,
    rule: str,
    walls: str,
) -> None:
    row = ROWS[method, rule]
    needed = {(m, r): s for m, r, s in _keyed(app)}[method, rule]
    everybody = list(roles(cast, alice))
    names = [*(name for name in re.findall(r"<(\w+)>", rule) if name not in row.public), *row.query]
    with torn_down() if walls == "the second alone" else nullcontext():
        for role in everybody:
            foreign = _ask(client, role, method, rule, row, _only(mallory.own, names))
            assert not [mark for mark in mallory.marks if mark in foreign.text], (role, foreign.text)
            if role.refusal is not None:
                assert (foreign.status_code, foreign.json and foreign.json["code"]) == (401, role.refusal)
                continue
            if not needed <= role.scopes:
                assert (foreign.status_code, foreign.json and foreign.json["code"]) == (401, "SCOPE_REQUIRED")
                continue
            assert foreign.status_code < 500
            if not names:
                continue
            assert foreign.status_code == (403 if _for_masters(rule, role) else 404), (role, foreign.text)
            chance = _ask(client, role, method, rule, row, {name: str(uuid.uuid4()) for name in names})
            assert _told(foreign) == _told(chance), role
            for name in names:
                # One stranger's id among the caller's own is as strange as all of them.
                mixed = {**_only(alice.own, names), name: mallory.own[name]}
                if len(names) > 1:
                    answer = _ask(client, role, method, rule, row, mixed)
                    assert answer.status_code in (403, 404), (role, name, answer.text)
            sibling = _ask(client, role, method, rule, row, _only(alice.sibling, names))
            assert sibling.status_code in (row.sibling or {404}), (role, sibling.text)
        own = _ask(client, everybody[5], method, rule, row, _only(alice.own, names))
        assert everybody[5].name == "master"
        assert own.status_code < 300 or own.status_code in row.own, own.text
        assert not [mark for mark in mallory.marks if mark in own.text]


def _for_masters(rule: str, role: Role) -> bool:
    """The allow-list and what is watched are not for children, whatever they name."""
    return rule in ("/security/ip-allowlist", "/watches/<watch_id>") and role.name.startswith("child")


def _only(ids: Ids, names: list[str]) -> Ids:
    return {name: ids[name] for name in names}


def _ask(client: FlaskClient, role: Role, method: str, rule: str, row: Row, ids: Ids) -> TestResponse:
    path = re.sub(r"<(\w+)>", lambda found: {**ids, **row.public}[found[1]], rule)
    query = {name: ids[name] for name in row.query if name in ids}
    query |= {name: word for name, word in row.public.items() if f"<{name}>" not in rule}
    body = (
        {"data": {part: _file(text) for part, text in row.form.items()}} if row.form else {"json": row.body}
    )
    return client.open(API + path, method=method, query_string=query, headers=role.headers, **body)


def _file(text: str) -> tuple[io.BytesIO, str]:
    return io.BytesIO(text.encode()), "document.txt"


def _told(response: TestResponse) -> tuple[int, dict[str, Any], list[str]]:
    """What an answer tells, without what differs between any two."""
    body = {key: value for key, value in (response.json or {}).items() if key != "requestId"}
    return response.status_code, body, sorted(response.headers.keys())
