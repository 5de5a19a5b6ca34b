"""One way to have a text in Spanish and English (decision 064)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from app.platform.settings import PROJECT
from app.text.bilingual import LANGUAGES, Bilingual, pick

APP = PROJECT / "app"
# Modules about the languages themselves, which read or inflect them or list them for a choice.
OF_LANGUAGES = {
    "text/bilingual.py": "the one place that chooses",
    "text/numerals.py": "reads numerals",
    "text/sentences.py": "recognises the language of a document",
    "rules/facts/time/dates.py": "reads dates: 03/04 is ambiguous in English",
    "rules/consistency/hours.py": "leaves the law of Spain out of what is English in and out",
    "redaction/detectors/names.py": "reads words before a name",
    "search/query.py": "recognises the language of a query",
    "search/thesaurus.py": "understands questions in both languages",
    "search/ranking.py": "has a lower floor where law is in English",
    "documents/reading/docx_numbering.py": "writes the numbers of a document in its language",
    "branding/grammar.py": "inflects articles and adjectives",
    "branding/substitution.py": "inflects nouns",
    "portal/web/display/language.py": "lists the languages to choose from",
    "portal/analysis/options.py": "reads the choice of a form",
    "search/subject_index.py": "weighs questions in English otherwise",
    "analysis/support/edited_sentence.py": "reads an English statement against a Spanish sentence",
    "search/institutions.py": "weighs questions in English otherwise",
}


def choices(source: str) -> Iterator[int]:
    """Yield the lines that compare with a code of language or build a dictionary of both."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            if any(isinstance(one, ast.Constant) and one.value in LANGUAGES for one in operands):
                yield node.lineno
        elif isinstance(node, ast.Dict):
            keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            if keys == set(LANGUAGES):
                yield node.lineno


def test_a_text_in_two_languages_is_bilingual_or_picked() -> None:
    found = {
        path.relative_to(APP).as_posix(): list(choices(path.read_text("utf-8"))) for path in APP.rglob("*.py")
    }
    assert {name: lines for name, lines in found.items() if lines and name not in OF_LANGUAGES} == {}


def test_the_list_of_exceptions_is_in_use() -> None:
    assert [name for name in OF_LANGUAGES if not list(choices((APP / name).read_text("utf-8")))] == []


def test_the_catalogue_is_read_in_one_place() -> None:
    readers = [path for path in APP.rglob("*.py") if "import read_po" in path.read_text("utf-8")]
    assert [path.relative_to(APP).as_posix() for path in readers] == ["platform/catalogue.py"]


@pytest.mark.parametrize(
    "source",
    [
        "x = 'a' if language == 'es' else 'b'",
        "if brief.language != 'en': pass",
        "x = {'es': 'a', 'en': 'b'}[language]",
        "x = ('a', 'b')[language == 'en']",
    ],
)
def test_another_way_is_seen(source: str) -> None:
    assert list(choices(source)) == [1]


def test_a_text_is_picked_by_language() -> None:
    assert Bilingual(es="uno", en="one").in_("es") == pick("es", "uno", "one") == "uno"
    assert Bilingual(es="uno", en="one").in_("en") == pick("en", "uno", "one") == "one"
