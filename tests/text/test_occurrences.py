"""Words of a document are found again without an expression that would outlive it."""

from __future__ import annotations

import re

import pytest

from app.rules import Brief, RulesEngine, find_inconsistencies
from app.text.occurrences import occurrences


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("Ana Gil y Ana\n Gil", "Ana Gil", [(0, 7), (10, 18)]),
        ("Susana Gil, Ana Gilda, AnaGil", "Ana Gil", []),
        ("a.b a+b", "a+b", [(4, 7)]),
        ("anana", "ana", []),
        ("Ana", "", []),
        ("Ana", "Ana Gil", []),
    ],
)
def test_whole_words_are_found(text: str, words: str, found: list[tuple[int, int]]) -> None:
    assert list(occurrences(text, words)) == found


def test_no_name_of_a_document_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """An expression made of a name would stay in the cache of `re` when the analysis is over."""
    act = (
        "RESOLUCIÓN SANCIONADORA. Instructora del expediente: Doña Zenobia Quirante Albor. "
        "Se impone multa de 600 euros. La Directora General, Zenobia Quirante Albor. Juzgados de Quirantalia."
    )
    will = (
        "TESTAMENTO. Tengo una hija, Zenobia, y mi esposa tiene una hija suya de su matrimonio anterior, "
        "Quirantea. Lego a Quirantea el tercio de mejora. Los juzgados de Quirantalia serán competentes."
    )
    compiled: list[str] = []
    own = re.compile

    def compile_(pattern: str | bytes, flags: int = 0) -> object:
        compiled.append(repr(pattern))
        return own(pattern, flags)

    engine = RulesEngine()
    monkeypatch.setattr(re, "compile", compile_)
    for text in (act, will):
        brief = Brief(text, "ES", "civil", "es")
        engine.analyse(brief)
        find_inconsistencies(brief)
    assert not [one for one in compiled if "quirant" in one.lower() or "zenobia" in one.lower()]
