"""JSON Schema 2020-12 of arguments and results, made from the schemas of the HTTP interface, without `$ref`.

Clients drop a schema with `$ref` silently, and one that names its dialect is refused by those that know an
older one only; so everything stands in its place and no `$schema` is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import marshmallow as ma
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

Schema = dict[str, Any]

# What a property means wherever it stands; a schema of its own words comes first.
_WORDS: Mapping[str, str] = {
    "analysis": "The analysis, in Markdown with certainty locks; it ends with the audit block.",
    "articulo": "The article.",
    "articulo_id": "Id of the article.",
    "assessment": "How far the law of the jurisdiction was assessed.",
    "assessmentNote": "What was not assessed and why.",
    "authorities": "Laws and judgments that it rests on, each with its verdict and whether it supports it.",
    "batchId": "Id of the batch.",
    "because": "The treatments that the standing rests on.",
    "cacheTtlSeconds": "For how many seconds these figures are kept.",
    "certaintyLocks": "The certainty locks that occur, in order of first use.",
    "checkedAt": "When it was judged.",
    "checks": "One verdict for each citation.",
    "chunks": "Passages, best first.",
    "citation": "The citation.",
    "citationChecks": "Every citation with its verdict, checked by code.",
    "code": "Stable code.",
    "concurrency": "How many documents were analysed at a time.",
    "confidence": "From 0 to 1.",
    "consultado_a_fecha": "The day on which the law was read.",
    "corpus": "How much of its law can be checked here.",
    "count": "How many.",
    "creditsCharged": "Credits charged.",
    "data": "What was found, best first.",
    "description": "What is objected to, and to what.",
    "detectedJurisdiction": "The country whose law the document's words point to.",
    "end": "Where it ends, exclusive.",
    "error": "What went wrong, in a sentence.",
    "failed": "Documents that could not be analysed.",
    "fecha": "The day on which the law was read.",
    "findings": "What the auditor objects to, worst first.",
    "generatedAt": "When these figures were counted.",
    "has_more": "Whether there is another page.",
    "httpStatus": "The status that the HTTP interface gives this error.",
    "id": "Id.",
    "intent": "How the query was understood.",
    "judgments": "Judgments loaded.",
    "jurisdiccion": "ISO code of the country whose law it is.",
    "jurisdiction": "ISO code of the country whose law it is.",
    "jurisdictions": "One entry for each jurisdiction.",
    "kind": "What it is.",
    "legalBranch": "Branch of law, which steers what is looked for.",
    "legalSystem": "Legal system.",
    "legalSystems": "The legal systems that occur.",
    "lock": "Certainty lock that code assigned.",
    "mismatchKind": "How the words differ from the law's.",
    "mismatch_kind": "How the words differ from the law's; null where they do not.",
    "mode": "standard: analysis alone. deep: with node B's audit.",
    "model": "What wrote the analysis and, at mode deep, what audited it.",
    "norma": "The norm; null where it is not loaded.",
    "norma_id": "Id of the norm, where it is loaded.",
    "norma_titulo": "Title of the norm.",
    "note": "What to know about this answer.",
    "noteCode": "Why nothing was found.",
    "numero": "Number of the article.",
    "processingMs": "Milliseconds taken.",
    "query": "The query.",
    "quotes": "Words of the submitted text that it stands on.",
    "recommendations": "What to do about the findings.",
    "requestId": "Identifies this call; quote it to support.",
    "resolved": "What is meant by the citation; null where it names nothing that is known.",
    "section": "Where it stands in the analysis.",
    "semantic": "Likeness in meaning, where it was measured.",
    "severity": "How severe it is.",
    "similarity": "Likeness of the words, from 0 to 1; null where none were compared.",
    "source": "Where it comes from.",
    "statements": "The statements of the analysis, each with its lock, quotations and authorities.",
    "status": "Verdict; not_verifiable means that it could not be checked here, not that it is right.",
    "statutes": "Statutes known.",
    "submitted": "Documents sent.",
    "succeeded": "Documents analysed.",
    "tables": "One entry for each table, or its part for one jurisdiction.",
    "text": "The words.",
    "text_match": "How the words claimed stand to those of the law.",
    "texto_literal": "The words of the article.",
    "title": "Title.",
    "titulo": "Title.",
    "topSources": "Where most documents come from.",
    "top_k": "At most so many results.",
    "total": "How many in all.",
    "totalDocs": "How many documents.",
    "totalTables": "How many tables.",
    "totals": "Sums over the batch.",
    "treatment": "How it was treated.",
    "type": "What kind it is.",
    "url": "Permanent address.",
    "validity": "Whether it is still good law; unknown means that nothing was read which could tell.",
    "version": "The version in force on the day; null where there was none.",
    "vigencia_status": "Whether it was in force on that day.",
}


def of(schema: ma.Schema, words: Mapping[str, str] | None = None) -> Schema:
    """Return the JSON Schema of a marshmallow schema, every property with a description.

    `words` are descriptions that fit a tool better than those of the HTTP interface, by name.
    """
    found: Schema = _plain(_converter().schema2jsonschema(schema))
    for name, description in (words or {}).items():
        found["properties"][name]["description"] = description
    _describe(found)
    return found


@cache
def _converter() -> Any:
    # A schema without a name stands where it is used.
    plugin = MarshmallowPlugin(schema_name_resolver=lambda _: None)  # type: ignore[arg-type, return-value]
    APISpec("", "", "3.1.0", plugins=[plugin])
    return plugin.converter


def arguments(schema: ma.Schema, words: Mapping[str, str] | None = None) -> Schema:
    """Return the JSON Schema of a tool's arguments, which has no room for others."""
    return {**of(schema, words), "additionalProperties": False}


def result(found: Schema, *, without: tuple[str, ...] = (), **more: Schema) -> Schema:
    """Return the schema of a tool's structured result: `found` and `more`, with what every result has."""
    kept = {name: one for name, one in found["properties"].items() if name not in without}
    properties = {**more, **kept, **_EVERYWHERE}
    optional = set(kept) - set(found.get("required", ())) - set(_EVERYWHERE)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


_EVERYWHERE: Schema = {
    "caps": {
        "type": "array",
        "items": {"type": "string"},
        "description": "What was left out because of a limit, such as 'checked 100 of 140 citations'; "
        "empty where nothing was.",
    },
    "creditsCharged": {"type": "integer", "minimum": 0, "description": "Credits charged for this call."},
    "requestId": {"type": "string", "description": "Identifies this call; quote it to support."},
}


def optional(found: Schema, *names: str) -> Schema:
    """Return `found` with the properties `names` not required."""
    return {**found, "required": [name for name in found.get("required", ()) if name not in names]}


def either(first: Schema, second: Schema) -> Schema:
    """Return a schema of objects that are like one or the other: what both require is required."""
    required = [name for name in first.get("required", ()) if name in second.get("required", ())]
    properties = dict(first["properties"])
    for name, one in second["properties"].items():
        before = properties.get(name, {})
        both = before.get("type") == one.get("type") == "object"
        properties[name] = {**one, **before, **(either(before, one) if both else {})}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _plain(node: Any) -> Any:
    """Return a schema in words of JSON Schema alone: OpenAPI's `example` becomes `examples`."""
    if isinstance(node, Mapping):
        found = {name: _plain(one) for name, one in node.items()}
        if "example" in found and "properties" not in found:
            found["examples"] = [found.pop("example")]
        return found
    return [_plain(one) for one in node] if isinstance(node, list) else node


def _describe(schema: Schema) -> None:
    for name, one in schema.get("properties", {}).items():
        if not one.get("description"):
            one["description"] = _WORDS[name]
        _describe(one)
    if "items" in schema:
        _describe(schema["items"])
