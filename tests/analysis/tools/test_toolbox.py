"""The tools of a model: what they take, what they refuse, what goes back."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError

from app import redaction
from app.analysis.llm import Call, Result
from app.analysis.tools import Toolbox
from app.platform.errors import Invalid
from app.rules import Brief, Source
from app.search import operations as search
from tests.simulated_models import CARELESS, HOSTILE, blocks

ARTICLE = {
    "articulo_id": "a", "norma_id": "n", "boe_id": "BOE-A-1889-4763", "numero": "1902", "rubrica": "Daño.",
    "texto_literal": "El que causa daño a otro, como D. Tomás Herrero Vidal con DNI 12345678Z, lo repara.",
    "norma_titulo": "Código Civil",
}  # fmt: skip


def toolbox(mask: Any = lambda text: text, **options: Any) -> Toolbox:
    brief = Brief("x", options.pop("jurisdiction", "ES"), "civil", "es", days=options.pop("days", ()))
    options = {"on": date(2026, 11, 24), "rounds": 4, "calls": 16, "citator": True, **options}
    return Toolbox(brief, mask, **options)


def call(tool: str, **arguments: Any) -> Call:
    return Call("c1", tool, json.dumps(arguments))


def run(box: Toolbox, tool: str, **arguments: Any) -> Result:
    [result] = box.run([call(tool, **arguments)])
    assert result.id == "c1"
    return result


@pytest.fixture
def statutes(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A search of statutes that finds one article; the bodies that it was asked."""
    asked: list[dict[str, Any]] = []

    def found(body: dict[str, Any]) -> dict[str, Any]:
        asked.append(body)
        day = body["fecha"].isoformat()
        return {"data": [ARTICLE], "jurisdiccion": body["jurisdiction"], "fecha": day}

    monkeypatch.setattr(search, "search_statutes", found)
    return asked


def test_every_tool_has_a_schema_that_both_vendors_hold_a_model_to() -> None:
    tools = toolbox().tools
    assert [one.name for one in tools] == [
        "search_statutes", "get_article", "search_jurisprudence", "citation_validity", "compute_deadline",
        "compute_interest",
    ]  # fmt: skip
    for one in tools:
        assert one.schema["additionalProperties"] is False
        assert one.schema["required"] == list(one.schema["properties"])
        assert all(field["description"] for field in one.schema["properties"].values())


def test_the_citator_is_offered_to_who_has_it_and_spanish_reckoning_for_spain() -> None:
    names = {one.name for one in toolbox(citator=False, jurisdiction="CO").tools}
    assert names == {"search_statutes", "get_article", "search_jurisprudence"}


def test_what_is_found_becomes_a_source_that_a_statement_can_cite(statutes: list[dict[str, Any]]) -> None:
    box = toolbox(days=(date(2020, 5, 1), date(2026, 11, 24)))
    result = run(box, "search_statutes", query="daño", jurisdiction=None, fecha=None)
    assert (statutes[0]["jurisdiction"], statutes[0]["fecha"]) == ("ES", date(2020, 5, 1))
    [source] = box.sources
    assert (source.id, source.citation) == ("BOE-A-1889-4763:1902", "art. 1902 CC")
    assert f"[{source.id}] {source.text}" in blocks(result.text)["RESULT"]
    run(box, "search_statutes", query="daño", jurisdiction="es", fecha="2026-01-01")
    assert [one.id for one in box.sources] == [source.id, f"{source.id}@2026-01-01"]


def test_what_the_brief_has_is_no_new_source(statutes: list[dict[str, Any]]) -> None:
    known = Source("BOE-A-1889-4763:1902", "x", "art. 1902 CC")
    brief = Brief("x", "ES", "civil", "es", (known,))
    box = Toolbox(brief, lambda text: text, on=date(2026, 11, 24), rounds=1, calls=1, citator=False)
    assert not run(box, "search_statutes", query="daño", jurisdiction=None, fecha=None).failed
    assert box.sources == ()


def test_what_goes_back_is_anonymised_under_the_placeholders_of_the_document(
    statutes: list[dict[str, Any]],
) -> None:
    text = "Lucía Prado Sanz, con DNI 87654321X, reclama a D. Tomás Herrero Vidal, con DNI 12345678Z."
    document = redaction.redact(text, mask_names=True, outside=True)
    box = toolbox(lambda one: redaction.redact(one, mask_names=True, outside=True, beside=document).text)
    told = run(box, "search_statutes", query="daño", jurisdiction=None, fecha=None).text
    assert "[ES_DNI_2]" in told
    assert document.text.endswith("con DNI [ES_DNI_2].")
    for word in ("12345678Z", "Tomás", "Herrero"):
        assert word not in told + box.sources[0].text
    assert "con DNI 12345678Z" in document.restore(told)


@pytest.mark.parametrize("written", CARELESS)
def test_arguments_that_are_none_are_answered_with_what_is_wrong(
    statutes: list[dict[str, Any]], written: str
) -> None:
    [result] = toolbox().run([Call("c1", "search_statutes", written)])
    assert result.failed
    assert result.text.startswith("error: ")
    assert statutes == []


@given(
    st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps)
)
def test_no_arguments_raise(written: str) -> None:
    box = toolbox()
    for tool in ("compute_deadline", "compute_interest", "get_article", "nonsense"):
        [result] = box.run([Call("c1", tool, written)])
        assert result.failed


def test_an_unknown_tool_is_answered_with_those_there_are() -> None:
    box = toolbox(citator=False, jurisdiction="CO")
    assert "there are search_statutes, get_article, search_jurisprudence" in run(box, "rm").text


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search_statutes", {"query": "x", "jurisdiction": None, "fecha": None}, "query: must have 2 to"),
        ("search_statutes", {"query": "daño", "jurisdiction": "XX", "fecha": None}, "unknown code 'XX'"),
        ("search_statutes", {"query": "daño", "jurisdiction": None, "fecha": "ayer"}, "fecha: must be"),
        ("search_statutes", {"query": "a\x00b", "jurisdiction": None, "fecha": None}, "NUL"),
        (
            "compute_deadline",
            {
                "fechaBase": "2024-07-25", "cantidad": 10**6, "tipoComputo": "habiles", "regime": "civil",
                "ccaa": None,
            },
            "cantidad: must be a whole number from 1 to 3660",
        ),
        (
            "compute_interest",
            {"principal": 10, "desde": "2025-13-01", "hasta": "2025-12-01", "tipo": "legal"},
            "desde: must be a date",
        ),
        (
            "compute_interest",
            {"principal": 10, "desde": "2025-12-01", "hasta": "2025-12-01", "tipo": "legal"},
            "hasta: must be later",
        ),
        (
            "compute_interest",
            {"principal": -1, "desde": "2025-11-01", "hasta": "2025-12-01", "tipo": "legal"},
            "principal: must be above 0",
        ),
        (
            "compute_interest",
            {"principal": 1, "desde": "2025-11-01", "hasta": "2025-12-01", "tipo": "usury"},
            "'usury' is not one of",
        ),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_named(tool: str, arguments: dict[str, Any], told: str) -> None:
    result = run(toolbox(), tool, **arguments)
    assert result.failed
    assert told in result.text


def test_an_infinite_debt_is_refused() -> None:
    written = '{"principal": 1e999, "desde": "2025-11-01", "hasta": "2025-12-01", "tipo": "legal"}'
    [result] = toolbox().run([Call("c1", "compute_interest", written)])
    assert "principal: must be above 0" in result.text


def test_a_deadline_is_computed_with_its_articles() -> None:
    box = toolbox()
    result = run(
        box, "compute_deadline", fechaBase="2024-07-25", cantidad=20, tipoComputo="habiles",
        regime="procesal", ccaa="MD",
    )  # fmt: skip
    assert "Vence el 2024-09-23." in result.text
    [source] = box.sources
    assert source.computed
    assert source.citation == "art. 133.1 LEC; arts. 130.2 y 133.2 LEC; art. 135.5 LEC"


def test_interest_is_computed_by_the_official_rates_and_their_lack_is_said() -> None:
    box = toolbox()
    asked = {"principal": 10_000.5, "desde": "2024-01-01", "hasta": "2024-12-31", "tipo": "legal"}
    result = run(box, "compute_interest", **asked)
    # 365 days of the 366 of 2024, at 3.25 %
    assert "del 2024-01-02 al 2024-12-31: 325,02 euros" in result.text
    assert [(one.citation, one.computed) for one in box.sources] == [("art. 1108 CC", True)]
    far = run(box, "compute_interest", **{**asked, "desde": "2050-01-01", "hasta": "2051-01-01"})
    assert "Falta el tipo oficial desde el 2050-01-02." in far.text
    assert len(box.sources) == 1


def test_calls_are_counted_over_all_rounds(statutes: list[dict[str, Any]]) -> None:
    box = toolbox(calls=2)
    asked = [call("search_statutes", query="daño", jurisdiction=None, fecha=None)] * 3
    assert [one.failed for one in box.run(asked)] == [False, False, True]
    assert (box.tools, box.made) == ((), 2)
    assert "no calls are left" in box.run(asked)[0].text


@pytest.mark.parametrize(
    "error", [OperationalError("SELECT secret", {}, Exception("away")), KeyError("secret")]
)
def test_a_tool_that_fails_says_so_to_the_model_alone(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def away(_: Any) -> Any:
        raise error

    monkeypatch.setattr(search, "search_statutes", away)
    with structlog.testing.capture_logs() as lines:
        result = run(toolbox(), "search_statutes", query="secret", jurisdiction=None, fecha=None)
    assert result.failed
    assert "secret" not in f"{result.text}{lines}"
    assert [line["tool"] for line in lines] == ["search_statutes"]


def test_nothing_of_an_argument_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Any) -> Any:
        raise Invalid("tipos: no such rank.")

    monkeypatch.setattr(search, "search_statutes", refused)
    box = toolbox()
    with structlog.testing.capture_logs() as lines:
        for words in HOSTILE:
            run(box, "search_statutes", query=words, jurisdiction=None, fecha=None)
            run(box, words, query=words)
    assert lines == []
    assert not any(words[:20] in repr(box) for words in HOSTILE)
