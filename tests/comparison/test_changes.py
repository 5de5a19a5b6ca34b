"""What became of each clause: changed, added, removed, moved, split, merged or only renumbered."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.comparison.changes import ClauseChange, compare_clauses, count_changes
from app.rules import extract_facts

OBJECT = "PRIMERA. Objeto. Se arrienda el local de la calle Mayor, 5, para destinarlo a panadería."
RENT = "SEGUNDA. Renta. La renta es de 900 euros al mes, que se pagará en los cinco primeros días."
TERM = "TERCERA. Duración. El contrato dura cinco años desde el día de su firma por ambas partes."
WORKS = "CUARTA. Obras. Las obras necesitan el consentimiento escrito de la parte arrendadora."
CLAUSES = (OBJECT, RENT, TERM, WORKS)


def compared(before: str, after: str) -> tuple[ClauseChange, ...]:
    return compare_clauses(extract_facts(before), extract_facts(after))


def told(before: tuple[str, ...], after: tuple[str, ...]) -> list[tuple[str, str]]:
    """How each clause changed, and its heading, those that are the same left out."""
    changes = compared("\n\n".join(before), "\n\n".join(after))
    return [(one.change, one.place.heading) for one in changes if one.change != "unchanged"]


def test_the_same_text_is_unchanged() -> None:
    changes = compared("\n\n".join(CLAUSES), "\n\n".join(CLAUSES))
    assert [one.change for one in changes] == ["unchanged"] * 4
    assert {one.similarity for one in changes} == {1}


def test_a_changed_figure_changes_its_clause_alone() -> None:
    assert told(CLAUSES, (OBJECT, RENT.replace("900", "950"), TERM, WORKS)) == [("changed", "Renta")]


def test_a_clause_is_added_and_those_behind_it_are_only_renumbered() -> None:
    new = "TERCERA. Fianza. La arrendataria entrega dos mensualidades de renta."
    after = (OBJECT, RENT, new, TERM.replace("TERCERA", "CUARTA"), WORKS.replace("CUARTA", "QUINTA"))
    changes = compared("\n\n".join(CLAUSES), "\n\n".join(after))
    assert [one.change for one in changes] == ["unchanged", "unchanged", "added", "unchanged", "unchanged"]
    assert [one.place.number for one in changes if one.renumbered] == ["4", "5"]
    assert count_changes(changes) == {
        "added": 1, "removed": 0, "changed": 0, "moved": 0, "unchanged": 4, "renumbered": 2,
    }  # fmt: skip


def test_a_removed_clause_follows_what_it_stood_behind() -> None:
    changes = compared("\n\n".join(CLAUSES), "\n\n".join((OBJECT, TERM, WORKS)))
    assert [(one.change, one.place.heading) for one in changes][:3] == [
        ("unchanged", "Objeto"),
        ("removed", "Renta"),
        ("unchanged", "Duración"),
    ]


def test_a_clause_that_stands_elsewhere_has_moved_changed_or_not() -> None:
    assert told(CLAUSES, (RENT, TERM, WORKS, OBJECT)) == [("moved", "Objeto")]
    moved = OBJECT.replace("panadería", "librería")
    assert told(CLAUSES, (RENT, TERM, WORKS, moved)) == [("moved", "Objeto")]
    change = next(
        one for one in compared("\n".join(CLAUSES), "\n".join((RENT, TERM, WORKS, moved))) if one.rewritten
    )
    assert [(run.op, run.text) for run in change.runs if run.op != "equal" and run.text.strip()] == [
        ("delete", "panadería"),
        ("insert", "librería"),
    ]


def test_a_clause_of_the_same_heading_is_the_same_though_its_words_are_others() -> None:
    anew = "SEGUNDA. Renta. Se fija un canon trimestral de tres mil euros, por domiciliación."
    assert told(CLAUSES, (OBJECT, anew, TERM, WORKS)) == [("changed", "Renta")]


def test_a_clause_of_the_same_number_is_the_same_if_it_has_no_heading() -> None:
    before = (
        "1. Pago. En mano.",
        "2. El vendedor cancelará la carga antes del otorgamiento.",
        "3. Fuero. Soria.",
    )
    after = ("1. Pago. En mano.", "2. Cancelará la carga quien compra, descontándola.", "3. Fuero. Soria.")
    assert [change for change, _ in told(before, after)] == ["changed"]


def test_a_clause_with_another_heading_is_another_clause() -> None:
    new = "SEGUNDA. Publicidad. El fabricante invertirá cada año en anuncios."
    assert told(CLAUSES, (OBJECT, new, TERM, WORKS)) == [("removed", "Renta"), ("added", "Publicidad")]


def test_a_clause_that_was_split_is_one_change() -> None:
    first = "SEGUNDA. Renta. La renta es de 900 euros al mes."
    second = "TERCERA. Pago. Que se pagará en los cinco primeros días."
    after = (OBJECT, first, second, TERM.replace("TERCERA", "CUARTA"), WORKS.replace("CUARTA", "QUINTA"))
    changes = compared("\n\n".join(CLAUSES), "\n\n".join(after))
    [split] = [one for one in changes if one.joined]
    assert (split.change, split.joined, split.place.number) == ("changed", "split", "2")
    assert split.after is not None
    assert "TERCERA. Pago" in "\n\n".join(after)[split.after.start : split.after.end]


def test_clauses_that_were_merged_are_one_change() -> None:
    both = f"{RENT} {TERM.removeprefix('TERCERA. Duración. ')}"
    changes = compared("\n\n".join(CLAUSES), "\n\n".join((OBJECT, both, WORKS.replace("CUARTA", "TERCERA"))))
    assert [(one.joined, one.place.number) for one in changes if one.joined] == [("merged", "2")]
    assert not [one for one in changes if one.change == "removed"]


def test_lines_that_wrap_elsewhere_are_no_change() -> None:
    wrapped = RENT.replace("que se pagará", "que se\npagará")
    changes = compared(f"{OBJECT}\n\n{RENT}", f"{OBJECT}\n\n{wrapped}")
    assert [one.change for one in changes] == ["unchanged", "unchanged"]
    assert "".join(run.text for run in changes[1].runs if run.op != "delete") == wrapped


@pytest.mark.parametrize(("before", "after"), [("", "1. Objeto. Una casa."), ("1. Objeto. Una casa.", "")])
def test_an_empty_version_has_all_its_clauses_added_or_removed(before: str, after: str) -> None:
    [change] = compared(before, after)
    assert change.change == ("added" if after else "removed")


PARTS = st.lists(
    st.sampled_from(
        [*CLAUSES, "QUINTA. Fuero. Los juzgados de Soria.", "REUNIDOS", "De una parte, Ana.", "5.1 Nada.",
         RENT.replace("900", "1.000"), "I. Que es dueña.", "", TERM[:40], TERM[40:]]
    ),
    max_size=9,
)  # fmt: skip


@given(PARTS, PARTS)
def test_the_words_of_all_changes_are_both_versions(one: list[str], other: list[str]) -> None:
    before, after = "\n\n".join(one), "\n\n".join(other)
    changes = compared(before, after)
    old = sorted(
        (one for one in changes if one.before), key=lambda one: one.before.start if one.before else 0
    )
    new = sorted((one for one in changes if one.after), key=lambda one: one.after.start if one.after else 0)
    assert "".join(run.text for one in old for run in one.runs if run.op != "insert") == before
    assert "".join(run.text for one in new for run in one.runs if run.op != "delete") == after


@given(PARTS, PARTS)
def test_changes_hold_every_clause_once_in_the_order_of_the_new_version(
    one: list[str], other: list[str]
) -> None:
    before, after = "\n\n".join(one), "\n\n".join(other)
    changes = compared(before, after)
    for text, places in (
        (before, sorted((c.before.start, c.before.end) for c in changes if c.before)),
        (after, [(c.after.start, c.after.end) for c in changes if c.after]),
    ):
        edges = [0, *(end for _, end in places)]
        assert [start for start, _ in places] == edges[: len(places)]
        assert edges[-1] == len(text)
    assert all(c.similarity < 1 or c.change in ("unchanged", "moved") for c in changes if not c.joined)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_texts_can_be_compared(before: str, after: str) -> None:
    changes = compared(before, after)
    kept = [change.after for change in changes if change.after]
    assert all(one.end == other.start for one, other in pairwise(kept))
