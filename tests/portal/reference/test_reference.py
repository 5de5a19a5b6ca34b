"""The reference as visitors get it: every operation and every event of the real document."""

from __future__ import annotations

import ast
import gzip
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.platform import settings
from app.platform.web import http
from app.portal.docs import recipes, reference
from app.portal.docs.reference import Reference, read
from app.portal.docs.reference.fields import Field
from app.portal.docs.reference.operations import slug
from tests.portal.conftest import tight

METHODS = {"get", "post", "put", "patch", "delete"}
# One of the documents that it sends is too short, so that its answer has an item with an error.
ON_PURPOSE = {"analyzeBatch"}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> {{ 7*7 }} `</code><b>`"


@pytest.fixture(scope="module")
def document(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/api/v1/openapi.json").get_json()
    return found


@pytest.fixture(scope="module")
def book(document: dict[str, Any]) -> Reference:
    return read(document)


@pytest.fixture(scope="module")
def pages(app: Flask, book: Reference) -> Mapping[str, str]:
    client = app.test_client()
    client.set_cookie("language", "en")
    return {name: client.get(f"/docs/{name}").text for name in book.pages}


def operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS & item.keys():
            yield method.upper(), path, item[method]


def every(rows: tuple[Field, ...]) -> Iterator[Field]:
    for row in rows:
        yield row
        yield from every(row.inside)
        for variant in row.variants:
            yield from every(variant.fields)


def text_of(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page))


def test_every_operation_has_a_page_that_says_method_path_and_summary(
    client: FlaskClient, document: dict[str, Any], pages: Mapping[str, str]
) -> None:
    client.set_cookie("language", "en")
    front = client.get("/docs").text
    found = list(operations(document))
    assert len(found) > 40
    for method, path, operation in found:
        name = slug(operation["operationId"])
        page = pages[name]
        assert f'href="/docs/{name}"' in front
        assert f"<title>{operation['summary']} · API reference" in unescape(page)
        assert f"{method} {path}" in text_of(page)
    assert len(pages) == len(found) + len(document["webhooks"])


def test_every_page_shows_every_field_parameter_and_status(book: Reference, pages: Mapping[str, str]) -> None:
    for name, operation in book.pages.items():
        page = pages[name]
        rows = [*(row for place in operation.parameters.values() for row in every(place))]
        for content in (*operation.body, *(body for one in operation.responses for body in one.contents)):
            rows += every(content.fields)
            for example in content.examples:
                assert example.text in text_of(page), name
        for row in rows:
            if row.name:
                assert f'fields__name">{row.name}</code>' in page, f"{name}: {row.name}"
        for response in operation.responses:
            assert f'id="status-{response.status.lower()}"' in page, f"{name}: {response.status}"


def test_the_reader_leaves_out_no_field_of_a_body(document: dict[str, Any], book: Reference) -> None:
    schemas = document["components"]["schemas"]
    for _, _, operation in operations(document):
        page = book.pages[slug(operation["operationId"])]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            told = schemas[content["schema"]["$ref"].rpartition("/")[2]].get("properties", {})
            assert {row.name for body in page.body for row in body.fields} >= told.keys()
        declared = {one["name"] for one in operation.get("parameters", ())}
        assert {row.name for place in page.parameters.values() for row in place} >= declared


def test_every_webhook_event_has_its_page(
    client: FlaskClient, document: dict[str, Any], pages: Mapping[str, str]
) -> None:
    client.set_cookie("language", "en")
    front = client.get("/docs").text
    for event, item in document["webhooks"].items():
        name = slug(item["post"]["operationId"])
        assert f'href="/docs/{name}"' in front
        assert event in pages[name]
        assert "webhook-signature" in pages[name]
        data = item["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]["data"]
        assert all(f">{field}</code>" in pages[name] for field in data["properties"])


def test_examples_are_what_their_schemas_say(document: dict[str, Any]) -> None:
    root, seen = {"components": document["components"]}, 0
    for method, path, operation in operations(document):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        if operation["operationId"] in ON_PURPOSE:
            del bodies[0]
        for media, content in ((m, c) for body in bodies for m, c in body.get("content", {}).items()):
            if media.endswith("json"):
                validator = jsonschema.Draft202012Validator({**root, **content["schema"]})
                shown = [content["example"]] if "example" in content else []
                for example in [*shown, *(one["value"] for one in content.get("examples", {}).values())]:
                    seen += 1
                    assert [wrong.message for wrong in validator.iter_errors(example)] == [], (
                        f"{method} {path}"
                    )
    assert seen > 300


@pytest.mark.parametrize("tongue", recipes.TONGUES)
def test_every_sample_is_a_program_for_its_operation(
    client: FlaskClient, book: Reference, tongue: recipes.Tongue
) -> None:
    for group in book.groups:
        for operation in group.operations:
            page = client.get(f"/docs/{operation.slug}?in={tongue}").text
            program = text_of(page.split('<pre id="sample"')[1].split("</pre>")[0].partition(">")[2])
            assert "http://localhost/api/v1/" in program
            assert "@BASE@" not in program
            assert "{" not in program.split("/api/v1/")[1].splitlines()[0].partition("${query}")[0].rstrip(
                "{ "
            )
            assert ("API_KEY" in program) is bool(operation.scopes)
            if tongue == "python":
                ast.parse(program)
            if tongue == "curl":
                checked = subprocess.run(["bash", "-n"], input=program, capture_output=True, text=True)
                assert checked.stderr == "", operation.slug


def test_what_the_samples_leave_open_is_filled_in(book: Reference) -> None:
    for group in book.groups:
        for operation in group.operations:
            program = operation.programs["curl"]
            for row in (*operation.parameters.get("path", ()), *operation.parameters.get("query", ())):
                assert row.name.upper() not in program.replace("$API_KEY", ""), operation.slug
                if row.required and row in operation.parameters.get("query", ()):
                    assert f"{row.name}=" in program


def test_the_scope_is_that_which_the_guard_asks_for(app: Flask, book: Reference) -> None:
    asked = {}
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        public = getattr(view, "required", ("", None))[0] == "public"
        scopes = tuple(getattr(view, "scopes", ())) or ("",)
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule))
        for method in rule.methods or ():
            asked[method, path] = () if public else scopes
    for group in book.groups:
        for operation in group.operations:
            assert operation.scopes == asked[operation.method, operation.path], operation.slug


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/analyse/more", "/docs/%3Cb%3E"])
def test_an_unknown_operation_is_a_page_that_says_so(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert 'href="/docs"' in answer.text


def test_pages_and_all_they_load_weigh_less_than_a_hundred_kilobytes(
    app: Flask, client: FlaskClient, pages: Mapping[str, str]
) -> None:
    for path in ("/docs", *(f"/docs/{name}" for name in pages)):
        page = client.get(path).text
        files = set(re.findall(r'(?:href|src)="/static/([^"?#]+)', page))
        assert {"css/reference.css", "js/portal.js", "img/icons.svg"} <= files
        weight = sum(len(gzip.compress((settings.PROJECT / "static" / name).read_bytes())) for name in files)
        font = settings.PROJECT / "static/vendor/inter-latin-wght-normal.woff2"
        weight += font.stat().st_size if font.is_file() else 50_000
        assert weight + len(gzip.compress(page.encode())) < 100_000, path


def test_the_policy_is_as_strict_as_everywhere(client: FlaskClient) -> None:
    for path in ("/docs", "/docs/analyze"):
        answer = client.get(path)
        assert answer.headers["Content-Security-Policy"] == http.CSP
        assert "unsafe" not in http.CSP
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Query parameters"), ("es", "Parámetros de consulta")]
)
def test_the_frame_speaks_both_languages_and_descriptions_say_theirs(
    client: FlaskClient, language: str, words: str
) -> None:
    client.set_cookie("language", language)
    page = client.get("/docs/usage").text
    assert f'<html lang="{language}"' in page
    assert words in page
    assert '<h1 lang="en">Get the usage of the account</h1>' in page
    assert re.search(r'<p lang="en">Totals over UTC days', page)


def test_pages_lead_to_the_next_and_the_one_before(client: FlaskClient, book: Reference) -> None:
    first, second, *_ = book.pages
    last = list(book.pages)[-1]
    page = tight(client.get(f"/docs/{first}?in=python").text)
    assert 'rel="prev"' not in page
    assert f'rel="next" href="/docs/{second}?in=python"' in page
    assert re.search(rf'href="/docs/{first}\?in=python" aria-current="page"', page)
    end = client.get(f"/docs/{last}").text
    assert 'rel="next"' not in end
    assert 'rel="prev"' in end


def test_an_unknown_language_of_samples_is_curl(client: FlaskClient) -> None:
    page = client.get("/docs/analyze?in=cobol<b>").text
    assert "curl -sS" in page
    assert "cobol" not in page.split("<main")[1]


def hostile() -> dict[str, Any]:
    body = {
        "type": "object",
        "description": HOSTILE,
        "properties": {
            HOSTILE: {"type": "string", "description": HOSTILE, "enum": [HOSTILE], "pattern": HOSTILE}
        },
    }
    content = {"application/json": {"schema": body, "example": {"a": HOSTILE}}}
    operation = {
        "operationId": "evil",
        "summary": HOSTILE,
        "description": f"{HOSTILE}\n\n- {HOSTILE}",
        "tags": [HOSTILE],
        "parameters": [{"name": HOSTILE, "in": "query", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"content": content},
        "responses": {"200": {"description": HOSTILE, "content": content}, "400": {"description": HOSTILE}},
    }
    return {
        "info": {"title": HOSTILE, "version": "1", "description": HOSTILE},
        "tags": [{"name": HOSTILE, "description": HOSTILE}],
        "paths": {"/a": {"post": operation}},
    }


def test_nothing_that_the_document_says_becomes_markup(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "reference", lambda _: read(hostile()))
    client = app.test_client()
    for path in ("/docs", "/docs/evil", "/docs/evil?in=python", "/docs/evil?in=typescript"):
        page = client.get(path).text
        assert "alert(1)" in page
        assert "<script>" not in page
        assert "<img" not in page
        assert "<b>`" not in page
        assert "{{ 7*7 }}" in page


def test_two_operations_of_one_name_are_refused() -> None:
    document = hostile()
    document["paths"]["/b"] = document["paths"]["/a"]
    with pytest.raises(ValueError, match="same name"):
        read(document)


def test_a_new_route_shows_by_itself_and_the_document_is_read_once(app: Flask, client: FlaskClient) -> None:
    asked = []

    def told() -> dict[str, Any]:
        asked.append(1)
        operation = {"operationId": "brandNew", "summary": "Do a new thing", "responses": {}}
        return {"info": {"title": "x", "version": "1"}, "paths": {"/new": {"get": operation}}}

    kept = app.extensions["reference"]
    try:
        reference.register(app, told)
        assert "Do a new thing" in client.get("/docs").text
        assert client.get("/docs/brand-new").status_code == 200
    finally:
        app.extensions["reference"] = kept
    assert asked == [1]
    assert json.dumps(client.get("/docs/brand-new").status_code) == "404"
