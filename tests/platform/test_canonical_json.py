"""The canonical form is that of RFC 8785, whichever encoder writes it."""

from __future__ import annotations

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from app.platform import canonical_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_the_form_is_that_of_the_library(value: object) -> None:
    assert canonical_json.dumps(value) == rfc8785.dumps(value)


def test_every_character_that_may_be_escaped_is_written_as_the_library_writes_it() -> None:
    text = "".join(map(chr, range(0x250))) + "\u2028\u2029\ufeff\U0001f600"
    assert canonical_json.dumps({"a": text}) == rfc8785.dumps({"a": text})


def test_names_are_ordered_by_their_utf_16_form() -> None:
    value = {"\ue000": 1, "\U0001f600": 2, "b": 3, "a": 4}
    assert canonical_json.dumps(value) == rfc8785.dumps(value)
    assert canonical_json.dumps({"b": 1, "a": {"d": [], "c": {}}}) == b'{"a":{"c":{},"d":[]},"b":1}'


@pytest.mark.parametrize(
    "value", [2**53, -(2**53), float("nan"), "\ud800", {"a": "\udc00"}, {1: 2}, {"a": 2**60}]
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(canonical_json.CanonicalizationError):
        canonical_json.dumps(value)
