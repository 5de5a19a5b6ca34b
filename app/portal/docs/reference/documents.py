"""The whole OpenAPI document as a reference: introduction, groups, pages. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.portal.docs.reference.fields import Field, SchemaReader
from app.portal.docs.reference.operations import IDEMPOTENCY, Content, Operation, operation, slug
from app.portal.docs.reference.prose import Prose, prose
from app.portal.docs.reference.search import Entry, index

_RETRY = "Retry-After"
_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Group:
    """Operations with the same tag."""

    name: str
    about: Prose
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The content of `/docs`."""

    title: str
    version: str
    about: Prose
    groups: tuple[Group, ...]
    events: tuple[Operation, ...]
    pages: Mapping[str, Operation]
    # How a key is sent and where it comes from, as the document's security schemes say.
    keys: tuple[Prose, ...]
    # The shape of most errors, with an example.
    error: Content | None
    # Headers that answers carry, each once, as the document describes them.
    headers: Mapping[str, Field]
    # Those among them that tell of the rate.
    rates: tuple[Field, ...]
    idempotency: Field | None
    # The pages as they are searched.
    entries: tuple[Entry, ...]

    def neighbours(self, page: Operation) -> tuple[Operation | None, Operation | None]:
        """Return the pages before and after `page`."""
        order = list(self.pages.values())
        at = order.index(page)
        return (order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None)


def read(document: Mapping[str, Any]) -> Reference:
    """Parse an OpenAPI 3.1 document. Raises `ValueError` when two of its pages have the same URL."""
    reader = SchemaReader(document.get("components", {}).get("schemas", {}), _links(document))
    found = [*_operations(reader, document)]
    events = tuple(
        operation(reader, one, method=method, path="", tag="")
        for item in document.get("webhooks", {}).values()
        for method, one in item.items()
        if method in _METHODS
    )
    described = {tag["name"]: tag.get("description") for tag in document.get("tags", ())}
    names = list(dict.fromkeys([*described, *(one.tag for one in found)]))
    groups = tuple(
        Group(name, prose(described.get(name), reader.links), members)
        for name in names
        if (members := tuple(one for one in found if one.tag == name))
    )
    order = [*(one for group in groups for one in group.operations), *events]
    pages = {one.slug: one for one in order}
    if len(pages) < len(order):
        raise ValueError("two operations have the same name")
    headers = {
        header.name: header for one in found for response in one.responses for header in response.headers
    }
    schemes = document.get("components", {}).get("securitySchemes", {}).values()
    return Reference(
        title=document["info"]["title"],
        version=document["info"]["version"],
        about=prose(document["info"].get("description"), reader.links),
        groups=groups,
        events=events,
        pages=pages,
        keys=tuple(prose(scheme.get("description"), reader.links) for scheme in schemes),
        error=next((one.error_shape for one in found if one.error_shape), None),
        headers=headers,
        rates=tuple(
            header for name, header in headers.items() if name.startswith("X-RateLimit-") or name == _RETRY
        ),
        idempotency=next(
            (
                field
                for one in found
                for field in one.parameters.get("header", ())
                if field.name == IDEMPOTENCY
            ),
            None,
        ),
        entries=index(order),
    )


def _operations(reader: SchemaReader, document: Mapping[str, Any]) -> list[Operation]:
    return [
        operation(
            reader,
            one,
            method=method,
            path=path,
            tag=next(iter(one.get("tags", ())), ""),
            shared=item.get("parameters", ()),
            security=document.get("security", ()),
        )
        for path, item in document["paths"].items()
        for method, one in item.items()
        if method in _METHODS
    ]


def _links(document: Mapping[str, Any]) -> Mapping[str, str]:
    return {
        f"{method.upper()} {path}": slug(one["operationId"])
        for path, item in document["paths"].items()
        for method, one in item.items()
        if method in _METHODS
    }
