"""The words of all clauses in one sequence of changes, whatever moved."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.comparison import linear_runs
from app.comparison.answer import clauses_on_the_wire
from app.comparison.versions import compare_versions

LINES = [
    "PRIMERA. Objeto. Se arrienda el local de la calle Mayor.",
    "SEGUNDA. Renta. La renta es de 900 euros al mes.",
    "SEGUNDA. Renta. La renta es de 1.000 euros al mes.",
    "TERCERA. Duración. El contrato dura cinco años desde hoy.",
    "TERCERA. Duración. El contrato dura",
    "CUARTA. Desde hoy y por cinco años.",
    "REUNIDOS",
    "",
]
TEXTS = st.lists(st.sampled_from(LINES), max_size=8).map("\n\n".join)


def wire(before: str, after: str) -> list[dict[str, Any]]:
    return clauses_on_the_wire(compare_versions(before, after).changes, {})


@given(TEXTS, TEXTS)
def test_both_texts_can_be_made_of_the_sequence(before: str, after: str) -> None:
    runs = linear_runs(wire(before, after))
    assert "".join(text for op, text in runs if op != "insert") == before
    assert "".join(text for op, text in runs if op != "delete") == after


def test_a_clause_that_moved_is_deleted_there_and_inserted_here() -> None:
    before, after = "\n\n".join(LINES[:2]), "\n\n".join((LINES[1], LINES[0]))
    ops = [op for op, _ in linear_runs(wire(before, after))]
    assert set(ops) == {"delete", "equal", "insert"}
