"""Operations of the OpenAPI document as view models of their pages. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from app.portal.docs.recipes import Tongue
from app.portal.docs.reference import samples
from app.portal.docs.reference.fields import Field, SchemaReader, unfolded
from app.portal.docs.reference.prose import Prose, prose

_UUID = "0b6f4b62-6f0b-4a35-9f0e-0d6a1c1d7b11"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_A_LETTER = re.compile(r"[^a-z0-9]")
IDEMPOTENCY = "Idempotency-Key"
# Its documents are fictional and it costs nothing.
SANDBOX = "sandboxAnalyze"
# What the portal shows to some roles only, which a form for all roles with keys must not show to the others.
_KEPT_APART = frozenset(("exportAccount", "listActivity", "listAllowedAddresses"))


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a body; `json_tokens` are its parts for highlighting, where it is JSON."""

    name: str
    text: str
    json_tokens: tuple[samples.JsonToken, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """A body in one media type."""

    media: str
    fields: tuple[Field, ...]
    examples: tuple[Example, ...]
    # The name of its schema among the document's components.
    schema: str | None

    @property
    def rows(self) -> int:
        """Number of fields, nested ones included."""
        return sum(1 for _ in unfolded(self.fields))


@dataclass(frozen=True, slots=True)
class Response:
    """A response by its status, which may be a class such as 2XX."""

    status: str
    # What HTTP calls it, where the document says no more than that.
    phrase: str
    about: Prose
    headers: tuple[Field, ...]
    contents: tuple[Content, ...]

    @property
    def is_error(self) -> bool:
        """Whether the status is 4XX or 5XX."""
        return self.status[:1] in "45"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API, or a webhook event, whose `path` is empty."""

    slug: str
    id: str
    tag: str
    method: str
    path: str
    summary: str
    about: Prose
    parameters: Mapping[str, tuple[Field, ...]]
    body: tuple[Content, ...]
    body_required: bool
    responses: tuple[Response, ...]
    # Empty: no key is needed. A key without a scope: `("",)`.
    scopes: tuple[str, ...]
    programs: Mapping[Tongue, str]

    @property
    def is_event(self) -> bool:
        """Whether it is a webhook event."""
        return not self.path

    @property
    def can_be_tried(self) -> bool:
        """Whether it costs and changes nothing and answers in JSON; then a form of the portal sends it."""
        media = [content.media for response in self.answers for content in response.contents]
        reads = self.method == "GET" and self.path.startswith("/api/v1/") and media == ["application/json"]
        return self.id == SANDBOX or (reads and self.id not in _KEPT_APART)

    @property
    def answers(self) -> tuple[Response, ...]:
        """The responses that are no errors."""
        return tuple(response for response in self.responses if not response.is_error)

    @property
    def errors(self) -> tuple[Response, ...]:
        """The error responses."""
        return tuple(response for response in self.responses if response.is_error)

    @property
    def error_shape(self) -> Content | None:
        """The body that most of its errors have."""
        bodies = [body for response in self.errors for body in response.contents[:1]]
        if not bodies:
            return None
        usual = Counter(body.schema for body in bodies).most_common(1)[0][0]
        return next(body for body in bodies if body.schema == usual)


def slug(operation_id: str) -> str:
    """Convert an operation id to a URL part: `analyzeBatch` becomes `analyze-batch`."""
    return _HUMP.sub("-", operation_id).lower()


def operation(
    reader: SchemaReader,
    found: Mapping[str, Any],
    *,
    method: str,
    path: str,
    tag: str,
    shared: Iterable[Mapping[str, Any]] = (),
    security: Iterable[Mapping[str, Iterable[str]]] = (),
) -> Operation:
    """Return the page of one operation.

    Args:
        reader: Reader of the document's schemas.
        found: The operation object.
        method: HTTP method.
        path: Path template; empty for an event.
        tag: Its first tag.
        shared: Parameters of its path item.
        security: Default security of the document.
    """
    parameters = [*shared, *found.get("parameters", ())]
    body = found.get("requestBody", {})
    needed = [need for way in found.get("security", security) for need in way.values()]
    contents = _contents(reader, body.get("content", {}))
    files = (content for content in contents if content.media == "multipart/form-data")
    upload = next((field.name for content in files for field in content.fields), "")
    responses = tuple(_responses(reader, found.get("responses", {})))
    return Operation(
        slug=slug(found["operationId"]),
        id=found["operationId"],
        tag=tag,
        method=method.upper(),
        path=path,
        summary=found.get("summary", found["operationId"]),
        about=prose(found.get("description"), reader.links),
        parameters={
            place: rows
            for place in ("path", "query", "header", "cookie")
            if (rows := tuple(_parameter(reader, one) for one in parameters if one["in"] == place))
        },
        # A body without a field needs none.
        body=tuple(content for content in contents if content.rows and _says_something(content)),
        body_required=bool(body.get("required")),
        responses=responses,
        scopes=tuple(scope for need in needed for scope in (tuple(need) or ("",))),
        programs=_programs(found, parameters, method.upper(), path, bool(needed), upload) if path else {},
    )


def _says_something(content: Content) -> bool:
    """Return whether the body has any field besides an object without known fields."""
    return any(field.name or field.inside or field.variants for field in content.fields)


def _parameter(reader: SchemaReader, one: Mapping[str, Any]) -> Field:
    said = {key: one[key] for key in ("description", "example") if key in one}
    required = bool(one.get("required"))
    return reader.field(one["name"], {**one.get("schema", {}), **said}, required=required)


def _responses(reader: SchemaReader, found: Mapping[str, Mapping[str, Any]]) -> Iterator[Response]:
    for status in sorted(found):
        response, about = found[status], found[status].get("description")
        phrase = HTTPStatus(int(status)).phrase if status.isdecimal() else ""
        yield Response(
            status,
            phrase if about == phrase else "",
            () if about == phrase else prose(about, reader.links),
            tuple(
                _parameter(reader, {**header, "name": name})
                for name, header in response.get("headers", {}).items()
            ),
            _contents(reader, response.get("content", {})),
        )


def _contents(reader: SchemaReader, found: Mapping[str, Mapping[str, Any]]) -> tuple[Content, ...]:
    return tuple(
        Content(
            media,
            reader.fields(one.get("schema", {})),
            tuple(_example(name, samples.pretty(value), media) for name, value in _examples(one)),
            one.get("schema", {}).get("$ref", "").rpartition("/")[2] or None,
        )
        for media, one in found.items()
    )


def _example(name: str, text: str, media: str) -> Example:
    return Example(name, text, samples.json_tokens(text) if media.endswith("json") else ())


def _examples(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, one in content.get("examples", {}).items():
        yield name, one.get("value") if isinstance(one, Mapping) and "value" in one else one
    if "example" in content:
        yield "", content["example"]


def _programs(
    found: Mapping[str, Any],
    parameters: list[Mapping[str, Any]],
    method: str,
    path: str,
    needs_key: bool,
    upload: str,
) -> Mapping[Tongue, str]:
    contents = found.get("requestBody", {}).get("content", {})
    body = next((value for content in contents.values() for _, value in _examples(content)), None)
    shown = [
        (media, value)
        for status, response in sorted(found.get("responses", {}).items())
        if status.startswith("2")
        for media, content in response.get("content", {}).items()
        for _, value in [*_examples(content), ("", None)]
    ]
    # What is shown of a query is what it needs, and what the document has an example of.
    query = {
        one["name"]: _value(one, shown)
        for one in parameters
        if one["in"] == "query" and (one.get("required") or _own_example(one) is not None)
    }
    values = {one["name"]: _value(one, shown) for one in parameters if one["in"] == "path"}
    return samples.programs(
        samples.Request(
            method,
            samples.address(path, values),
            query,
            body,
            upload=upload,
            needs_key=needs_key,
            once=any(one["in"] == "header" and one["name"] == IDEMPOTENCY for one in parameters),
            accept=shown[0][0] if shown else "application/json",
            answers=bool(shown),
        )
    )


def _own_example(one: Mapping[str, Any]) -> Any:
    return one.get("example", one.get("schema", {}).get("example"))


def _value(one: Mapping[str, Any], shown: Iterable[tuple[str, Any]]) -> str:
    """Return a value for a parameter: its example, that of the same name in a response, or a placeholder."""
    own = _own_example(one)
    if own is None:
        wanted = _NOT_A_LETTER.sub("", one["name"].lower())
        own = next((value for _, example in shown for value in _named(example, wanted)), None)
    if own is None:
        schema = one.get("schema", {})
        own = _UUID if schema.get("format") == "uuid" else schema.get("default", one["name"].upper())
    return str(own)


def _named(example: Any, wanted: str) -> Iterator[str]:
    """Yield the strings in `example` whose name is `wanted` in any spelling, or `id` at the top level."""
    if isinstance(example, Mapping):
        for name, value in example.items():
            if isinstance(value, str) and _NOT_A_LETTER.sub("", name.lower()) == wanted:
                yield value
        if wanted.endswith("id") and isinstance(example.get("id"), str):
            yield example["id"]
        for value in example.values():
            yield from _named(value, wanted)
    elif isinstance(example, list):
        for value in example:
            yield from _named(value, wanted)
