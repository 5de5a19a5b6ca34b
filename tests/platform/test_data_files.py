"""Data files are read into types: a mistake names the file, the entry, the field and what was expected."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.analysis import sandbox
from app.analysis.audit import model_audit
from app.analysis.jurisdiction import signs
from app.analysis.llm.drafting import prompt, repair, restate
from app.analysis.support import equivalents, glosses, opposites, words
from app.citations import name_index
from app.citator import treatments
from app.corpus import registry
from app.corpus.jurisdictions import jurisdictions
from app.deadlines import abroad, calendars
from app.platform import data_files
from app.platform.data_files import DataFileError
from app.platform.settings import PROJECT
from app.redaction import formats
from app.redaction.detectors import names
from app.rules.facts import keyword_index
from app.search import institutions, query, subject_index, thesaurus

APP = PROJECT / "app"
# Each file or folder of data with what reads it past any cache.
READERS: dict[str, Callable[[], Any]] = {
    "analysis/audit/data/node_b.toml": model_audit._templates.__wrapped__,
    "analysis/data/jurisdiction_signs.toml": signs.signs_of_jurisdictions.__wrapped__,
    **{
        f"analysis/data/sandbox/{name}.toml": lambda name=name: sandbox.sample.__wrapped__(name)
        for name in sandbox.NAMES
    },
    "analysis/llm/drafting/data/node_a.toml": prompt._templates.__wrapped__,
    "analysis/llm/drafting/data/repair.toml": repair._instructions.__wrapped__,
    "analysis/llm/drafting/data/restate.toml": restate._templates.__wrapped__,
    "analysis/support/data/closed.toml": opposites._closed.__wrapped__,
    "analysis/support/data/equivalents.toml": equivalents._entries.__wrapped__,
    "analysis/support/data/everyday.toml": words._everyday.__wrapped__,
    "analysis/support/data/glosses.toml": lambda: glosses._lists.__wrapped__("it"),
    "analysis/support/data/grammar.toml": words._word_sets.__wrapped__,
    "analysis/support/data/lexicon.toml": words.lexicon.__wrapped__,
    "analysis/support/data/paraphrases.toml": words.lexicon.__wrapped__,
    "analysis/support/data/synonyms.toml": words._synonyms.__wrapped__,
    "analysis/support/data/translations.toml": words._everyday_translations.__wrapped__,
    "citations/data/names/": name_index.norm_names.__wrapped__,
    "citator/data/treatments.toml": treatments._words.__wrapped__,
    "corpus/data/jurisdictions.toml": jurisdictions.__wrapped__,
    "corpus/data/norms/": registry._files.__wrapped__,
    "deadlines/data/holidays_es.toml": calendars._holiday_rules.__wrapped__,
    "deadlines/data/official_es.toml": calendars._official.__wrapped__,
    "deadlines/data/countries/": abroad.countries.__wrapped__,
    "deadlines/data/regional_es.toml": calendars._read_regions,
    "redaction/formats/phones.toml": formats.tables.__wrapped__,
    "redaction/formats/context.toml": formats.tables.__wrapped__,
    "redaction/formats/names.toml": names._words.__wrapped__,
    "redaction/formats/": formats._rows.__wrapped__,
    "search/data/concepts_es.toml": lambda: query._concepts.__wrapped__("es"),
    "search/data/everyday_words.toml": thesaurus._everyday.__wrapped__,
    "search/data/glossary_en_es.toml": query._glossary_terms.__wrapped__,
    "search/data/institutions/": institutions._institutions.__wrapped__,
    "search/data/institutions/laws.toml": institutions._laws.__wrapped__,
    "search/data/other_topics.toml": lambda: query._other_topics.__wrapped__("es"),
    "search/data/subject_index/": lambda: [
        subject_index._laws.__wrapped__(code) for code in ("AR", "CL", "CO", "ES", "MX")
    ],
    "search/data/thesaurus/": thesaurus._branches.__wrapped__,
}
# Checked entry by entry in tests/rules/test_rule_files.py.
RULES = "rules/data/"
FILES = sorted(path for path in APP.rglob("*.toml"))


def reader(path: Path) -> Callable[[], Any]:
    name = path.relative_to(APP).as_posix()
    return READERS.get(name) or READERS[name.rpartition("/")[0] + "/"]


def relative(path: Path) -> str:
    return path.relative_to(APP).as_posix()


OURS = [path for path in FILES if not relative(path).startswith(RULES)]


def test_there_are_data_files() -> None:
    assert len(OURS) > 50
    assert {name for name in READERS if not name.endswith("/")} <= {relative(path) for path in OURS}


def broken(table: dict[str, Any]) -> bool:
    """Put a number where the first text of `table` is; return whether there was one."""
    for key, value in table.items():
        if isinstance(value, str):
            table[key] = 7
            return True
        if isinstance(value, list) and value:
            if isinstance(value[0], str):
                value[0] = 7
                return True
            if isinstance(value[0], dict) and broken(value[0]):
                return True
            if isinstance(value[0], int):
                value[0] = "seven"
                return True
        if isinstance(value, dict) and broken(value):
            return True
        if isinstance(value, int) and not isinstance(value, bool):
            table[key] = "seven"
            return True
    return False


def with_raw(monkeypatch: pytest.MonkeyPatch, path: Path, raw: dict[str, Any]) -> None:
    """Let every reader see `raw` where `path` stands, and the other files as they are."""

    def read(asked: Path) -> dict[str, Any]:
        return raw if asked == path else tomllib.loads(asked.read_text("utf-8"))

    for module in (data_files, sandbox, keyword_index):
        monkeypatch.setattr(module, "read_toml", read)
    formats._rows.cache_clear()
    registry._files.cache_clear()
    name_index.norm_names.cache_clear()


@pytest.mark.parametrize("path", OURS, ids=relative)
def test_a_wrong_value_is_told_with_file_and_field(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = tomllib.loads(path.read_text("utf-8"))
    assert broken(raw)
    with monkeypatch.context() as patch:
        with_raw(patch, path, raw)
        with pytest.raises(DataFileError, match=rf"^{path.name}: .*must ") as caught:
            reader(path)()
    assert "Input should" not in str(caught.value)
    formats._rows.cache_clear()


@pytest.mark.parametrize("path", OURS, ids=relative)
def test_a_table_that_nobody_knows_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = tomllib.loads(path.read_text("utf-8")) | {"no such table": {"x": {"y": [[]]}}}
    with monkeypatch.context() as patch:
        with_raw(patch, path, raw)
        with pytest.raises(DataFileError, match=f"^{path.name}: .*no such table"):
            reader(path)()
    formats._rows.cache_clear()


def _changed(name: str, *place: str | int, to: Any) -> dict[str, Any]:
    raw = tomllib.loads((APP / name).read_text("utf-8"))
    table: Any = raw
    for part in place[:-1]:
        table = table[part]
    table[place[-1]] = to
    return raw


@pytest.mark.parametrize(
    ("name", "place", "to", "told"),
    [
        (
            "redaction/formats/iberia.toml",
            ("type", 0, "check"),
            "luhm",
            "names the rule 'luhm', which does not",
        ),
        ("redaction/formats/phones.toml", ("country", 2, "lead"), "(", "is not a regular expression"),
        ("redaction/formats/phones.toml", ("country", 2, "digits"), [9], "digits"),
        (
            "citator/data/treatments.toml",
            ("cue", 0, "treatment"),
            "liked",
            "treatment must be cites, follows",
        ),
        (
            "deadlines/data/holidays_es.toml",
            ("fixed", 0, "month"),
            13,
            "fixed[0].month must be less than or equal to 12",
        ),
        ("deadlines/data/regional_es.toml", ("AN", "fixed"), ["2-28"], "AN.fixed[0]"),
        (
            "analysis/data/jurisdiction_signs.toml",
            ("pattern", 0, "expression"),
            "(",
            "is not a regular expression",
        ),
        (
            "analysis/data/jurisdiction_signs.toml",
            ("weights", "clouse"),
            1.0,
            "weights must have exactly clause",
        ),
        (
            "analysis/llm/drafting/data/node_a.toml",
            ("role",),
            {"es": "x"},
            "role must have exactly the languages es and en",
        ),
        ("corpus/data/norms/AR.toml", ("norms", "AR:CN", "dated"), "x", "unknown field 'norms.AR:CN.dated'"),
        (
            "corpus/data/jurisdictions.toml",
            ("jurisdiction", 0, "code"),
            "es",
            "jurisdiction[0 Spain].code must match",
        ),
    ],
)
def test_a_mistake_is_told_as_its_author_needs_it(
    name: str, place: tuple[str | int, ...], to: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        with_raw(patch, APP / name, _changed(name, *place, to=to))
        with pytest.raises(DataFileError) as caught:
            reader(APP / name)()
    formats._rows.cache_clear()
    assert str(caught.value).startswith(f"{(APP / name).name}: ")
    assert told in str(caught.value)


def test_every_module_reads_its_data_through_the_one_reader() -> None:
    readers = [relative(path) for path in APP.rglob("*.py") if "import tomllib" in path.read_text("utf-8")]
    assert readers == ["platform/data_files.py"]
