"""The official client in every era: it raises where a result does not conform to its schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp.client import Client

from tests.cast import LEASE, Player
from tests.mcp.assistant import ERAS, TOOLS, talk

WITH_LAW = f"{LEASE} Rige el artículo 1903 del Código Civil y la STC 76/2019."
ANALYSIS = "La renta es de 900 euros. El artículo 1903 del Código Civil trata de la custodia."
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("analyze_document", {"text": WITH_LAW}),
    ("analyze_document", {"text": LEASE, "mode": "deep", "language": "en", "jurisdiction": "auto"}),
    ("analyze_document", {"documents": [{"id": "one", "text": LEASE}, {"text": "short"}], "language": "en"}),
    ("audit_analysis", {"text": WITH_LAW, "analysis": ANALYSIS}),
    ("anonymise_text", {"text": LEASE}),
    ("anonymise_text", {"text": "nothing here", "maskNames": False}),
    ("extract_citations", {"text": WITH_LAW}),
    ("extract_citations", {"text": "none"}),
    ("verify_citation", {"citation": "art. 1903 CC", "jurisdiction": "ES"}),
    ("verify_citation", {"citation": "art. 1903 CC", "jurisdiction": "ES", "claim_text": "el mar es azul"}),
    ("verify_citation", {"citation": "STC 76/2019"}),
    ("verify_citation", {"citation": "nothing that can be read"}),
    ("verify_document_citations", {"text": WITH_LAW, "jurisdiction": "auto", "language": "en"}),
    ("verify_document_citations", {"text": "none"}),
    ("search_jurisprudence", {"query": "STC 76/2019"}),
    ("search_jurisprudence", {"query": "nothing of the kind", "jurisdiction": "DE"}),
    ("search_statutes", {"query": "cántaro", "top_k": 1}),
    ("search_statutes", {"query": "cántaro", "jurisdiction": "FR"}),
    ("get_article", {"norma": "CC", "articulo": "1903"}),
    ("get_article", {"norma": "CC", "articulo": "9999"}),
    ("citation_validity", {"citation": "art. 1903 CC"}),
    ("citation_validity", {"citation": "nothing"}),
    ("cited_by", {"id": "art. 1903 CC", "limit": 1}),
    ("citation_timeline", {"id": "art. 1903 CC"}),
    ("corpus_coverage", {}),
    ("list_jurisdictions", {}),
]


def test_every_tool_is_called() -> None:
    assert {name for name, _ in CALLS} == set(TOOLS)


@pytest.mark.parametrize("version", ERAS)
def test_every_result_conforms_and_is_repeated_as_text(
    law: None, url: str, alice: Player, version: str
) -> None:
    async def work(client: Client) -> list[tuple[str, Any]]:
        await client.list_tools()
        return [(name, await client.call_tool(name, arguments)) for name, arguments in CALLS]

    for name, result in talk(f"{url}/api/mcp", alice, version, work):
        assert result.is_error is False, (name, result.content)
        [block] = result.content
        said = json.loads(block.text)
        # The oldest revision knows no structured result: then the text is all there is.
        assert result.structured_content in (said, None), name
        assert isinstance(said["creditsCharged"], int)
        assert said["requestId"].startswith("req_")
        assert isinstance(said["caps"], list)


@pytest.mark.parametrize("version", ERAS)
def test_search_and_fetch_answer_one_text_block_of_the_decided_json(
    law: None, url: str, alice: Player, version: str
) -> None:
    async def work(client: Client) -> list[Any]:
        found = await client.call_tool("search", {"query": "artículo 1903 del Código Civil"})
        results = json.loads(found.content[0].text)["results"]
        return [found, *[await client.call_tool("fetch", {"id": one["id"]}) for one in results]]

    found, *fetched = talk(f"{url}/api/mcp/search", alice, version, work)
    [block] = found.content
    results = json.loads(block.text)
    assert set(results) == {"results"}
    assert all(set(one) == {"id", "title", "url"} for one in results["results"])
    kinds = {one["id"].partition(":")[0] for one in results["results"]}
    assert kinds == {"article", "judgment"}
    for one, asked in zip(fetched, results["results"], strict=True):
        [block] = one.content
        document = json.loads(block.text)
        assert set(document) == {"id", "title", "text", "url", "metadata"}
        assert document["id"] == asked["id"]
        assert document["text"]
        assert document["url"]


def test_what_a_schema_promises_binds_even_where_the_client_does_not_look(
    law: None, url: str, alice: Player
) -> None:
    """The client checks what it was told last; here every result is held against the schema by hand."""

    async def work(client: Client) -> list[tuple[Any, Any]]:
        schemas = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        return [(schemas[name], await client.call_tool(name, arguments)) for name, arguments in CALLS]

    for schema, result in talk(f"{url}/api/mcp", alice, ERAS[0], work):
        Draft202012Validator(schema).validate(result.structured_content)
