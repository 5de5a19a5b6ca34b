"""A tool is its HTTP route in other words: the same answer, price, limits, repeats, records and refusals."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import usage
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.mcp.assistant import TOOLS, content, rpc, tool

WITH_LAW = f"{LEASE} Rige el artículo 1903 del Código Civil y la STC 76/2019."
OWN = {"creditsCharged", "requestId", "caps", "citationOutcome", "note", "replayed", "kind"}
SAME: list[tuple[str, dict[str, Any], str, str, dict[str, Any]]] = [
    ("search_statutes", {"query": "cántaro"}, "POST", "/normativa/search", {"query": "cántaro"}),
    ("search_jurisprudence", {"query": "pastor"}, "POST", "/jurisprudencia/search", {"query": "pastor"}),
    (
        "verify_citation", {"citation": "art. 1903 CC", "jurisdiction": "ES"},
        "POST", "/normativa/verify-cita", {"citation": "art. 1903 CC", "jurisdiccion": "ES"},
    ),
    (
        "verify_citation", {"citation": "STC 76/2019"},
        "POST", "/jurisprudencia/verify-cita", {"citation": "STC 76/2019"},
    ),
    (
        "get_article", {"norma": "CC", "articulo": "1903"},
        "GET", "/normativa/articulo?norma=CC&articulo=1903", {},
    ),
    ("citation_validity", {"citation": "STC 76/2019"}, "GET", "/citator/validity?citation=STC 76/2019", {}),
    ("cited_by", {"id": "art. 1903 CC"}, "GET", "/citator/cited-by?id=art. 1903 CC", {}),
    ("citation_timeline", {"id": "art. 1903 CC"}, "GET", "/citator/timeline?id=art. 1903 CC", {}),
    ("corpus_coverage", {}, "GET", "/corpus/coverage", {}),
    ("list_jurisdictions", {}, "GET", "/jurisdictions", {}),
    ("analyze_document", {"text": WITH_LAW}, "POST", "/analyze", {"text": WITH_LAW}),
]  # fmt: skip


def _without_times(answer: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in answer.items()
        if name not in OWN | {"processingMs", "checkedAt", "generatedAt"}
    }


@pytest.mark.parametrize(("name", "arguments", "method", "path", "body"), SAME)
def test_a_tool_answers_as_its_route(
    law: None,
    client: FlaskClient,
    alice: Player,
    name: str,
    arguments: dict[str, Any],
    method: str,
    path: str,
    body: dict[str, Any],
) -> None:
    by_tool = content(client, alice, name, **arguments)
    response = client.open(f"/api/v1{path}", method=method, json=body or None, headers=alice.auth)
    assert response.status_code == 200
    assert _without_times(by_tool) == _without_times(response.get_json())


@pytest.mark.parametrize(
    ("name", "arguments", "field", "code"),
    [
        ("analyze_document", {}, "text", "VALIDATION_ERROR"),
        ("analyze_document", {"text": "short"}, "text", "VALIDATION_ERROR"),
        ("analyze_document", {"text": LEASE, "documents": []}, "documents", "VALIDATION_ERROR"),
        ("analyze_document", {"documents": [{}] * 51}, "documents", "BATCH_TOO_LARGE"),
        ("analyze_document", {"text": LEASE, "mode": "fast"}, "mode", "VALIDATION_ERROR"),
        ("analyze_document", {"text": LEASE, "txt": ""}, "txt", "VALIDATION_ERROR"),
        ("audit_analysis", {"text": LEASE}, "analysis", "VALIDATION_ERROR"),
        ("anonymise_text", {"text": "x" * 50_001}, "text", "VALIDATION_ERROR"),
        ("extract_citations", {"text": 5}, "text", "VALIDATION_ERROR"),
        ("verify_citation", {"citation": "art. 5", "fecha": "soon"}, "fecha", "VALIDATION_ERROR"),
        (
            "verify_document_citations", {"text": "x", "jurisdiction": "XX"},
            "jurisdiction", "VALIDATION_ERROR",
        ),
        ("search_statutes", {"query": "plazo", "top_k": 51}, "top_k", "VALIDATION_ERROR"),
        ("search_jurisprudence", {"query": "x"}, "query", "VALIDATION_ERROR"),
        ("get_article", {"norma": "CC"}, "articulo", "VALIDATION_ERROR"),
        ("cited_by", {"id": "art. 1903 CC", "cursor": "!"}, "cursor", "VALIDATION_ERROR"),
        ("citation_timeline", {"id": "nothing at all"}, "id", "NOT_FOUND"),
        ("corpus_coverage", {"x": 1}, "x", "VALIDATION_ERROR"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_a_result_that_names_it(
    client: FlaskClient, alice: Player, name: str, arguments: dict[str, Any], field: str, code: str
) -> None:
    found = tool(client, alice, name, **arguments)
    assert found["isError"] is True
    assert "structuredContent" not in found
    [block] = found["content"]
    said = json.loads(block["text"])
    assert (said["code"], said["details"]["field"]) == (code, field)
    assert said["error"]
    assert "jurisdiccion" not in block["text"]


def test_every_wrong_argument_is_named_at_once(client: FlaskClient, alice: Player) -> None:
    found = tool(client, alice, "analyze_document", text="short", mode="fast", language="fr")
    said = json.loads(found["content"][0]["text"])
    assert {one["field"] for one in said["details"]["errors"]} == {"text", "mode", "language"}


def test_null_is_as_good_as_not_given(client: FlaskClient, alice: Player) -> None:
    assert content(client, alice, "get_article", norma="CC", articulo="1", fecha=None)["norma"] is None


def test_analyses_are_charged_and_the_rest_is_free(
    law: None, client: FlaskClient, cast: Cast, alice: Player
) -> None:
    prices = {
        "analyze_document": ({"text": WITH_LAW}, 1),
        "audit_analysis": ({"text": WITH_LAW, "analysis": "La renta es de 900 euros."}, 2),
        "verify_document_citations": ({"text": WITH_LAW}, 0),
        "anonymise_text": ({"text": WITH_LAW}, 0),
    }
    for name, (arguments, price) in prices.items():
        before = cast.balance(alice).available
        assert content(client, alice, name, **arguments)["creditsCharged"] == price
        assert before - cast.balance(alice).available == price
    before = cast.balance(alice).available
    several = {"documents": [{"text": LEASE}, {"text": "short"}, {"text": LEASE}], "mode": "deep"}
    assert content(client, alice, "analyze_document", **several)["creditsCharged"] == 4
    assert before - cast.balance(alice).available == 4


def test_without_credits_the_result_says_what_is_missing(client: FlaskClient, cast: Cast) -> None:
    poor = cast.player("poor", credit=1)
    found = tool(client, poor, "analyze_document", text=LEASE, mode="deep")
    said = json.loads(found["content"][0]["text"])
    assert found["isError"] is True
    assert (said["error"], said["balance"], said["required"]) == ("INSUFFICIENT_CREDITS", 1, 2)
    assert cast.balance(poor).available == 1


def test_a_repeat_under_a_key_is_charged_once_whatever_its_json_rpc_id(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    key = f"again-{uuid.uuid4()}"
    call = {"name": "analyze_document", "arguments": {"text": LEASE}}
    before = cast.balance(alice).available
    first, second = (
        rpc(client, alice, "tools/call", call, meta={"idempotencyKey": key}).get_json()["result"]
        for _ in range(2)
    )
    assert before - cast.balance(alice).available == 1
    assert (first["structuredContent"]["replayed"], second["structuredContent"]["replayed"]) == (False, True)
    assert first["structuredContent"]["analysis"] == second["structuredContent"]["analysis"]
    # The route knows the key too: a call that went through one endpoint is not repeated through the other.
    over_http = client.post(
        "/api/v1/analyze", json={"text": LEASE}, headers={**alice.auth, "Idempotency-Key": key}
    )
    assert over_http.headers["Idempotency-Replayed"] == "true"
    assert before - cast.balance(alice).available == 1
    other = rpc(
        client,
        alice,
        "tools/call",
        {"name": "analyze_document", "arguments": {"text": f"{LEASE} Otra cosa."}},
        headers={"Idempotency-Key": key},
    ).get_json()["result"]
    assert json.loads(other["content"][0]["text"])["code"] == "IDEMPOTENCY_CONFLICT"


@pytest.mark.parametrize("key", ["short", 5, {"a": 1}])
def test_a_malformed_key_is_named(client: FlaskClient, alice: Player, key: object) -> None:
    call = {"name": "analyze_document", "arguments": {"text": LEASE}}
    found = rpc(client, alice, "tools/call", call, meta={"idempotencyKey": key}).get_json()["result"]
    assert json.loads(found["content"][0]["text"])["code"] == "IDEMPOTENCY_KEY_INVALID"


def test_calls_are_metered_by_tool_with_their_status_and_credits(client: FlaskClient, alice: Player) -> None:
    tool(client, alice, "analyze_document", text=LEASE)
    tool(client, alice, "analyze_document", text="short")
    tool(client, alice, "list_jurisdictions")
    rpc(client, alice, "tools/list")
    rpc(client, alice, "tools/call", {"name": "fetch", "arguments": {"id": "x"}}, path="/api/mcp/search")
    usage.drain("test")
    with db.reading() as session:
        rows = session.execute(
            sa.text(
                "SELECT endpoint, status, credits, code FROM usage_calls WHERE account_id = :account "
                "ORDER BY 1, 2"
            ),
            {"account": alice.account_id},
        )
        assert [tuple(row) for row in rows] == [
            ("/api/mcp", 200, 0, None),
            ("/api/mcp/search:fetch", 404, 0, "NOT_FOUND"),
            ("/api/mcp:analyze_document", 200, 1, None),
            ("/api/mcp:analyze_document", 422, 0, "VALIDATION_ERROR"),
            ("/api/mcp:list_jurisdictions", 200, 0, None),
        ]
    report = client.get("/api/v1/usage?endpoint=/api/mcp:analyze_document", headers=alice.auth).get_json()
    assert (report["totals"]["calls"], report["totals"]["errors"]) == (2, 1)


def test_an_analysis_leaves_its_record_under_the_request_id_of_the_result(
    client: FlaskClient, alice: Player
) -> None:
    found = content(client, alice, "analyze_document", text=LEASE, mode="deep")
    audited = content(client, alice, "audit_analysis", text=LEASE, analysis="La renta es de 9.000 euros.")
    with db.reading() as session:
        rows = session.execute(
            sa.text(
                "SELECT request_id, content->>'mode', content->>'credits' FROM audit_records"
                " WHERE account_id = :account ORDER BY seq"
            ),
            {"account": alice.account_id},
        )
        assert [tuple(row) for row in rows] == [
            (found["requestId"], "deep", "2"),
            (audited["requestId"], "deep", "2"),
        ]


def test_tool_calls_count_as_work_and_lists_do_not(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = cast.player("slow", tier="standard")
    limit = settings.current().rate_standard
    for _ in range(limit):
        assert not tool(client, slow, "list_jurisdictions").get("isError")
    response = rpc(client, slow, "tools/call", {"name": "list_jurisdictions", "arguments": {}})
    found = response.get_json()["result"]
    assert (response.status_code, found["isError"]) == (200, True)
    assert json.loads(found["content"][0]["text"])["code"] == "RATE_LIMITED"
    assert int(response.headers["Retry-After"]) >= 1
    assert response.headers["X-RateLimit-Remaining"] == "0"
    assert rpc(client, slow, "tools/list").headers["X-RateLimit-Limit"] == "600"
    usage.drain("test")
    report = client.get("/api/v1/usage", headers=slow.auth).get_json()
    assert report["totals"]["rate_limited"] == 1


ASKS_FOR = {
    **dict.fromkeys(TOOLS, "query"),
    "analyze_document": "analyze",
    "audit_analysis": "analyze",
    "anonymise_text": "analyze",
    "corpus_coverage": None,
    "list_jurisdictions": None,
}


@pytest.mark.parametrize("scopes", [("mcp",), ("mcp", "query"), ("mcp", "analyze")])
def test_a_key_needs_the_scope_of_the_route_beside_its_own(
    law: None, client: FlaskClient, cast: Cast, scopes: tuple[str, ...]
) -> None:
    narrowed = cast.player("narrowed", scopes=scopes)
    for name, scope in ASKS_FOR.items():
        found = tool(client, narrowed, name)
        refused = found.get("isError") and "SCOPE_REQUIRED" in found["content"][0]["text"]
        assert bool(refused) == (scope is not None and scope not in scopes), name


def test_without_the_citator_its_tools_say_so(law: None, client: FlaskClient, cast: Cast) -> None:
    plain = cast.player("plain")
    for name, arguments in (
        ("citation_validity", {"citation": "art. 1 CC"}),
        ("cited_by", {"id": "art. 1 CC"}),
        ("citation_timeline", {"id": "art. 1 CC"}),
    ):
        found = tool(client, plain, name, **arguments)
        assert json.loads(found["content"][0]["text"])["code"] == "ADDON_REQUIRED"


def test_what_was_not_found_never_reads_as_clean(law: None, client: FlaskClient, alice: Player) -> None:
    for name in ("verify_document_citations", "analyze_document"):
        # No document of any kind: of a sale the analysis itself would cite law.
        text = "La bicicleta roja de Lucía está en el patio, junto a la valla, y mañana lloverá."
        found = content(client, alice, name, text=text)
        assert (found["citationOutcome"], found["citationChecks"]["total"]) == ("nothing_to_check", 0), name
        assert "none was checked" in found["note"]
    outcomes = {
        "Rige el artículo 1903 del Código Civil.": "verified",
        "Rige el artículo 1903 del Código Civil, como dice la STS 104/2019, de 19 de febrero.": "incomplete",
        "Rige el artículo 5000 del Código Civil.": "broken",
    }
    for text, outcome in outcomes.items():
        found = content(client, alice, "verify_document_citations", text=text)
        assert found["citationOutcome"] == outcome, found


def test_more_than_a_hundred_citations_are_said_to_be_more(client: FlaskClient, alice: Player) -> None:
    text = " ".join(f"Artículo {number} del Código Civil." for number in range(1, 141))
    found = content(client, alice, "verify_document_citations", text=text)
    assert (found["covered"], found["total"], found["citationChecks"]["total"]) == (100, 140, 100)
    assert found["caps"] == ["checked 100 of 140 citations; send the rest of the text by itself"]
    # Of what was not checked nothing is claimed, and of the code some articles are repealed.
    assert found["citationOutcome"] == "broken"
    many = " ".join(f"Artículo {number} del Código Civil." for number in range(1, 601))
    listed = content(client, alice, "extract_citations", text=many)
    assert (len(listed["citations"]), listed["total"]) == (500, 600)
    assert listed["caps"] == ["listed 500 of 600 citations"]


def test_one_citation_of_several_is_said_to_be_one(client: FlaskClient, alice: Player) -> None:
    found = content(
        client, alice, "verify_citation", citation="art. 1902 CC y art. 1903 CC", jurisdiction="ES"
    )
    assert found["caps"] == [
        "checked the first of 2 citations; verify_document_citations checks all of a text"
    ]


def test_an_audit_finds_what_an_analysis_invents(law: None, client: FlaskClient, alice: Player) -> None:
    lies = (
        "# Análisis\n- [L1] La renta es de 9.000 euros mensuales.\n- El contrato dice que «la arrendataria "
        "podrá subarrendar la vivienda sin permiso».\n- Lo impone el artículo 5000 del Código Civil."
    )
    found = content(client, alice, "audit_analysis", text=LEASE, analysis=lies)
    assert found["audit"]["overallSeverity"] == "high"
    kinds = {one["type"] for one in found["audit"]["findings"]}
    assert {"hallucination", "citation_error"} <= kinds
    said = " ".join(one["description"] for one in found["audit"]["findings"])
    assert "9000" in said
    assert "subarrendar" in said
    assert "5000" in said
    # What it claimed of itself counts for nothing.
    assert {one["lock"] for one in found["statements"] if one["section"] == "reasoning"} == {"L4"}
    assert found["citationOutcome"] == "broken"


def test_a_right_quotation_in_an_analysis_earns_its_lock(client: FlaskClient, alice: Player) -> None:
    right = "El contrato dice: «La renta será de 900 euros mensuales»."
    found = content(client, alice, "audit_analysis", text=LEASE, analysis=right)
    [statement] = [one for one in found["statements"] if one["section"] == "reasoning"]
    [quote] = statement["quotes"]
    assert LEASE[quote["start"] : quote["end"]].casefold() == "la renta será de 900 euros mensuales"
    assert statement["lock"] == "L1"


def test_values_of_the_document_are_masked_alike_in_the_analysis(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.analysis.draft import given_analysis

    drafted: list[str] = []
    whole = given_analysis.draft
    monkeypatch.setattr(
        given_analysis, "draft", lambda text, brief: drafted.append(text) or whole(text, brief)
    )
    found = content(
        client, alice, "audit_analysis", text=LEASE, analysis="El arrendador tiene el DNI 12345678Z."
    )
    [masked] = drafted
    assert "12345678Z" not in masked
    assert "[ES_DNI_1]" in masked
    assert any("12345678Z" in one["text"] for one in found["statements"])


def test_anonymised_text_has_no_identifier_and_says_what_it_masked(
    client: FlaskClient, alice: Player
) -> None:
    found = content(client, alice, "anonymise_text", text=LEASE)
    for value in ("12345678Z", "X1234567L", "2100 0418", "lucia.prado@example.com", "Herrero"):
        assert value not in found["text"]
    assert found["total"] == sum(one["count"] for one in found["redactions"]) > 3
    assert found["note"]
    kept = content(client, alice, "anonymise_text", text=LEASE, maskNames=False)
    assert "Herrero" in kept["text"]


def test_nothing_of_a_call_is_logged(
    law: None, client: FlaskClient, alice: Player, capfd: pytest.CaptureFixture[str]
) -> None:
    canary = "xilófono-canario"
    for name, arguments in (
        ("analyze_document", {"text": f"{LEASE} {canary}"}),
        ("analyze_document", {"text": canary}),
        ("verify_document_citations", {"text": canary}),
        ("search_statutes", {"query": canary}),
        (canary, {}),
    ):
        rpc(client, alice, "tools/call", {"name": name, "arguments": arguments})
        rpc(client, alice, "tools/call", {"name": name, "arguments": arguments}, version="2025-06-18")
    written = capfd.readouterr()
    assert canary not in written.out + written.err
    assert clock.now()
