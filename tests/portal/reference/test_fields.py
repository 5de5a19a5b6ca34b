"""Schemas as rows."""

from __future__ import annotations

from typing import Any

from app.portal.docs.reference.fields import Field, Limit, SchemaReader, unfolded
from app.portal.docs.reference.prose import plain


def row(schema: dict[str, Any], **components: dict[str, Any]) -> Field:
    return SchemaReader(components, {}).field("it", schema)


def names(rows: tuple[Field, ...]) -> list[str]:
    return [one.name for one in rows]


def test_a_text_has_its_format_default_and_limits() -> None:
    found = row(
        {"type": "string", "format": "date", "minLength": 2, "maxLength": 9, "default": "ES", "example": "PT"}
    )
    assert (found.kind, found.format, found.default, found.example) == ("string", "date", "ES", "PT")
    assert found.limits == (Limit("characters", 2, 9),)


def test_that_a_text_is_not_empty_goes_without_saying() -> None:
    assert row({"type": "string", "minLength": 1}).limits == ()
    assert row({"type": "string", "minLength": 1, "maxLength": 9}).limits == (Limit("characters", None, 9),)
    assert row({"type": "integer", "minimum": 1}).limits == (Limit("value", 1, None),)


def test_nested_objects_are_unfolded_and_know_what_is_required() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "integer"}, "c": {}}, "required": ["c"]}
    found = row({"type": "object", "properties": {"a": {"$ref": "#/components/schemas/In"}}}, In=inner)
    (a,) = found.inside
    assert (a.name, a.kind, a.required) == ("a", "object", False)
    assert [(one.name, one.kind, one.required) for one in a.inside] == [
        ("b", "integer", False),
        ("c", "any", True),
    ]
    assert len(list(unfolded((found,)))) == 4


def test_an_array_is_that_of_its_entries() -> None:
    found = row(
        {
            "type": "array",
            "maxItems": 5,
            "description": "Many.",
            "items": {"type": "string", "maxLength": 3, "enum": ["x", "y"]},
        }
    )
    assert (found.kind, found.enum, plain(found.about)) == ("string[]", ("x", "y"), "Many.")
    assert found.limits == (Limit("entries", None, 5), Limit("characters", None, 3, each=True))
    deep = row({"type": "array", "items": {"type": "array", "items": {"properties": {"z": {}}}}})
    assert (deep.kind, names(deep.inside)) == ("object[][]", ["z"])
    assert row({"type": "array"}).kind == "value[]"


def test_null_is_said_apart_in_each_of_its_spellings() -> None:
    for schema in (
        {"type": ["string", "null"], "enum": ["a", None]},
        {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/S"}]},
    ):
        found = row(schema, S={"type": "string", "enum": ["a"]})
        assert (found.kind, found.nullable, found.enum, found.variants) == ("string", True, ("a",), ())


def test_several_forms_are_variants_by_their_names() -> None:
    found = row(
        {
            "description": "Either.",
            "oneOf": [
                {"$ref": "#/components/schemas/One"},
                {"type": "object", "title": "Two", "properties": {"b": {"type": "string"}}},
                {"type": "integer", "minimum": 0},
                {"type": "null"},
            ],
        },
        One={"type": "object", "properties": {"a": {"type": "string"}}},
    )
    assert found.nullable
    assert plain(found.about) == "Either."
    assert [(form.name, names(form.fields)) for form in found.variants] == [
        ("One", ["a"]),
        ("Two", ["b"]),
        ("integer", [""]),
    ]


def test_all_of_is_one_object_and_what_stands_beside_a_reference_wins() -> None:
    base = {
        "type": "object",
        "description": "Base.",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
    }
    found = row(
        {
            "description": "Own.",
            "allOf": [
                {"$ref": "#/components/schemas/Base"},
                {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
            ],
        },
        Base=base,
    )
    assert plain(found.about) == "Own."
    assert {(one.name, one.required) for one in found.inside} == {("a", True), ("b", True)}
    beside = row({"$ref": "#/components/schemas/Base", "description": "Here."}, Base=base)
    assert (plain(beside.about), names(beside.inside)) == ("Here.", ["a"])


def test_a_schema_inside_of_itself_is_named_and_not_unfolded_again() -> None:
    tree = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
    }
    found = row({"$ref": "#/components/schemas/Tree"}, Tree=tree)
    _, children = found.inside
    assert (children.kind, children.again, children.inside) == ("object[]", "Tree", ())
    left = {"type": "object", "properties": {"right": {"$ref": "#/components/schemas/Right"}}}
    right = {"type": "object", "properties": {"left": {"$ref": "#/components/schemas/Left"}}}
    around = row({"$ref": "#/components/schemas/Left"}, Left=left, Right=right)
    assert around.inside[0].inside[0].again == "Left"
    itself = {"$ref": "#/components/schemas/Loop"}
    assert row(itself, Loop=itself).again == "Loop"


def test_the_same_schema_twice_side_by_side_is_no_recursion() -> None:
    pair = {
        "type": "object",
        "properties": {"a": {"$ref": "#/components/schemas/P"}, "b": {"$ref": "#/components/schemas/P"}},
    }
    found = row(pair, P={"type": "object", "properties": {"x": {"type": "number"}}})
    assert [names(one.inside) for one in found.inside] == [["x"], ["x"]]


def test_a_map_has_one_row_for_whatever_names_it_has() -> None:
    (entry,) = row({"type": "object", "additionalProperties": {"type": "integer"}}).inside
    assert (entry.any_name, entry.kind) == (True, "integer")
    for free in ({}, True, False):
        assert row({"type": "object", "additionalProperties": free}).inside == ()


def test_constants_and_words_that_are_no_text_are_written_as_json() -> None:
    assert row({"const": "x"}).enum == ("x",)
    assert row({"type": "boolean", "enum": [True], "default": True}).enum == ("true",)
    assert row({"type": "boolean", "default": False}).default == "false"
    assert row({"type": ["integer", "string"]}).kind == "integer | string"


def test_a_body_is_its_fields_and_anything_else_one_row() -> None:
    reader = SchemaReader({}, {})
    assert names(reader.fields({"type": "object", "properties": {"a": {}, "b": {}}})) == ["a", "b"]
    (many,) = reader.fields({"type": "array", "items": {"type": "object", "properties": {"a": {}}}})
    assert (many.kind, names(many.inside)) == ("object[]", ["a"])
    (text,) = reader.fields({"type": "string", "format": "binary"})
    assert (text.kind, text.format) == ("string", "binary")
