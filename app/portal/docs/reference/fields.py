"""Fields of a JSON Schema (2020-12, as in OpenAPI 3.1) as table rows, with nested fields. Pure."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.portal.docs.reference.prose import Links, Prose, prose

Schema = Mapping[str, Any]
Unit = Literal["characters", "entries", "value"]

_COMBINED = ("allOf", "anyOf", "oneOf")
_BOUNDS: tuple[tuple[Unit, str, str], ...] = (
    ("characters", "minLength", "maxLength"),
    ("value", "minimum", "maximum"),
    ("entries", "minItems", "maxItems"),
)
# Nobody reads deeper, and no document of ours goes there.
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Limit:
    """Bounds of a length, a value or a number of entries. `each`: they apply to the entries of an array."""

    unit: Unit
    low: float | None
    high: float | None
    each: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the forms that a value may have."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a schema. `kind` is its JSON type, with `[]` for an array."""

    name: str
    kind: str
    format: str | None = None
    nullable: bool = False
    required: bool = False
    about: Prose = ()
    default: str | None = None
    example: str | None = None
    enum: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    pattern: str | None = None
    inside: tuple[Field, ...] = ()
    variants: tuple[Variant, ...] = ()
    # The fields of a map have names that the caller or the data choose.
    any_name: bool = False
    # The schema that this one is inside of already: unfolded there.
    again: str | None = None


@dataclass(frozen=True, slots=True)
class SchemaReader:
    """Read schemas whose references point into `components` of the same document."""

    components: Mapping[str, Schema]
    links: Links
    # Most bodies are one schema of a few, such as that of errors: read once.
    _bodies: dict[str, tuple[Field, ...]] = dataclasses.field(default_factory=dict)

    def field(
        self, name: str, schema: Schema, *, required: bool = False, inside: tuple[str, ...] = ()
    ) -> Field:
        """Return the field of `schema` with everything nested; `inside` names the schemas it is part of."""
        whole, path = self._resolved(schema, inside)
        if (path and path[-1] in path[:-1]) or len(path) > _DEEPEST:
            return Field(name, "object", required=required, about=self._about(whole), again=path[-1])
        made = self._value(name, whole, path)
        return replace(
            made,
            required=required,
            about=self._about(whole) or made.about,
            default=_word(whole["default"]) if "default" in whole else None,
            example=_word(whole["example"]) if "example" in whole else made.example,
        )

    def fields(self, schema: Schema) -> tuple[Field, ...]:
        """Return the fields of a body: those of an object, or the one field of any other type."""
        name = _name(schema) if len(schema) == 1 else None
        if name in self._bodies:
            return self._bodies[name]
        body = self.field("", schema)
        plain = body.inside and not body.variants and "[]" not in body.kind
        rows = body.inside if plain else (body,)
        if name:
            self._bodies[name] = rows
        return rows

    def _value(self, name: str, whole: Schema, path: tuple[str, ...]) -> Field:
        kinds = whole.get("type", ())
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        forms = [form for key in ("oneOf", "anyOf") for form in whole.get(key, ())]
        told = [form for form in forms if form.get("type") != "null"]
        nullable = "null" in kinds or len(told) < len(forms) or None in whole.get("enum", ())
        if len(told) == 1:
            only = self.field(name, told[0], inside=path)
            return replace(only, nullable=nullable or only.nullable)
        kinds = [kind for kind in kinds if kind != "null"]
        made = Field(
            name,
            " | ".join(kinds) or ("object" if "properties" in whole else "any"),
            format=whole.get("format"),
            nullable=nullable,
            enum=_enum(whole),
            limits=tuple(_limits(whole)),
            pattern=whole.get("pattern"),
            variants=tuple(self._variants(told, path)),
        )
        if kinds == ["array"]:
            return self._array(made, whole.get("items", {}), path)
        return replace(made, inside=tuple(self._inside(whole, path)))

    def _array(self, made: Field, items: Schema, path: tuple[str, ...]) -> Field:
        each = self.field("", items, inside=path)
        return replace(
            made,
            kind=("value" if each.kind == "any" else each.kind) + "[]",
            format=each.format,
            about=each.about,
            enum=each.enum,
            pattern=each.pattern,
            limits=(*made.limits, *(replace(limit, each=True) for limit in each.limits)),
            inside=each.inside,
            variants=each.variants,
            again=each.again,
            example=each.example,
        )

    def _inside(self, whole: Schema, path: tuple[str, ...]) -> Iterator[Field]:
        needed = whole.get("required", ())
        for name, schema in whole.get("properties", {}).items():
            yield self.field(name, schema, required=name in needed, inside=path)
        rest = whole.get("additionalProperties")
        # `{}` and `true` allow what they do not describe.
        if isinstance(rest, Mapping) and rest:
            yield replace(self.field("", rest, inside=path), any_name=True)

    def _variants(self, forms: Iterable[Schema], path: tuple[str, ...]) -> Iterator[Variant]:
        for form in forms:
            made = self.field("", form, inside=path)
            name = _name(form) or form.get("title") or made.kind
            yield Variant(str(name), made.inside or (() if made.kind == "object" else (made,)))

    def _resolved(self, schema: Schema, path: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return `schema` with references followed and `allOf` merged; its own keys take precedence."""
        whole, seen = dict(schema), path
        while (name := _name(whole)) is not None and len(seen) <= _DEEPEST:
            whole.pop("$ref")
            whole = {**self.components[name], **whole}
            seen = (*seen, name)
            if name in seen[:-1]:
                break
        for part in whole.pop("allOf", ()):
            resolved, seen = self._resolved(part, seen)
            whole = {
                **resolved,
                **whole,
                "properties": {**resolved.get("properties", {}), **whole.get("properties", {})},
                "required": [*resolved.get("required", ()), *whole.get("required", ())],
            }
        return whole, seen

    def _about(self, whole: Schema) -> Prose:
        return prose(whole.get("description"), self.links)


def unfolded(fields: Iterable[Field]) -> Iterator[Field]:
    """Yield every field, nested ones included, each before those nested in it."""
    for field in fields:
        yield field
        yield from unfolded(field.inside)
        for variant in field.variants:
            yield from unfolded(variant.fields)


def _name(schema: Schema) -> str | None:
    found = schema.get("$ref")
    return str(found).rpartition("/")[2] if found else None


def _enum(whole: Schema) -> tuple[str, ...]:
    words = [whole["const"]] if "const" in whole else whole.get("enum", ())
    return tuple(_word(word) for word in words if word is not None)


def _limits(whole: Schema) -> Iterator[Limit]:
    for unit, low, high in _BOUNDS:
        # That a text is not empty goes without saying.
        least, most = whole.get(low), whole.get(high)
        if unit == "characters" and least == 1:
            least = None
        if least is not None or most is not None:
            yield Limit(unit, least, most)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
