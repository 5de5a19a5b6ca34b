"""A body that is loaded the short way is what the library loads, and what is wrong is told as it tells it."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.api.schemas import AnalyzeRequest, BatchRequest, SandboxRequest
from app.platform.web import openapi

_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 60), st.text(max_size=8), st.just("palabra " * 12),
    st.sampled_from(("ES", "auto", "xx", "es", "en", "deep", "standard", "civil", "full", "tenant", "lease")),
    st.just([{"text": "palabra " * 12}]), st.just({}),
)  # fmt: skip
_NAMES = st.sampled_from(
    ("text", "documentRef", "jurisdiction", "legalBranch", "language", "mode", "role", "documents",
     "concurrency", "sample", "legal_branch", "unknown")
)  # fmt: skip


@pytest.mark.parametrize("schema", [AnalyzeRequest, BatchRequest, SandboxRequest])
@given(body=st.dictionaries(_NAMES, _VALUES, max_size=6))
def test_the_short_way_loads_and_refuses_as_the_library_does(
    schema: type[openapi.Body], body: dict[str, Any]
) -> None:
    def loaded(load: Any) -> Any:
        try:
            return load(body)
        except ma.ValidationError as error:
            return error.messages

    made = schema()
    assert loaded(made.load_plain) == loaded(made.load)


@pytest.mark.parametrize("body", [[], "text", None, 3])
def test_what_is_no_object_is_refused_alike(body: Any) -> None:
    with pytest.raises(ma.ValidationError) as told:
        AnalyzeRequest().load_plain(body)
    with pytest.raises(ma.ValidationError) as known:
        AnalyzeRequest().load(body)
    assert told.value.messages == known.value.messages


def test_a_valid_body_does_not_go_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    made = AnalyzeRequest()
    monkeypatch.setattr(ma.Schema, "load", lambda *_, **__: pytest.fail("loaded by the library"))
    assert made.load_plain({"text": "palabra " * 12, "role": None})["jurisdiction"] == "ES"


def test_a_body_with_hooks_of_its_own_goes_the_long_way() -> None:
    class Doubled(openapi.Body):
        name = openapi.Text()

        @ma.post_load
        def _double(self, data: Any, **_: Any) -> Any:
            return {"name": data["name"] * 2}

    assert Doubled().load_plain({"name": "a"}) == {"name": "aa"}
