"""A DOCX with tracked changes holds both texts, and other programs open it."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import documents
from app.documents.writing import tracked_changes
from tests.documents import docx_changes

ABOUT = {"author": "Bufete Ejemplo", "date": "2026-11-28T10:00:00Z", "title": "Cambios", "language": "es"}
RUNS = st.lists(
    st.tuples(st.sampled_from(["equal", "insert", "delete"]), st.text(alphabet="ab \n\t€", min_size=1)),
    max_size=12,
)
SOFFICE = shutil.which("soffice")


def written(runs: list[tuple[str, str]]) -> bytes:
    return tracked_changes.write(json.dumps(runs).encode(), ABOUT)


@given(RUNS)
def test_accepting_all_gives_the_later_text_and_rejecting_all_the_earlier(
    runs: list[tuple[str, str]],
) -> None:
    data = written(runs)
    assert docx_changes.read(data, "accept") == "".join(text for op, text in runs if op != "delete")
    assert docx_changes.read(data, "reject") == "".join(text for op, text in runs if op != "insert")


def test_changes_bear_author_and_date_and_equal_words_are_none() -> None:
    data = written([("equal", "Son "), ("delete", "mil"), ("insert", "dos mil\n"), ("equal", "euros.")])
    # That of the paragraph's mark stands before its words.
    assert docx_changes.changes(data) == [
        ("ins", "Bufete Ejemplo", "2026-11-28T10:00:00Z"),
        ("del", "Bufete Ejemplo", "2026-11-28T10:00:00Z"),
        ("ins", "Bufete Ejemplo", "2026-11-28T10:00:00Z"),
    ]
    assert [one.text for one in docx.Document(io.BytesIO(data)).paragraphs] == ["Son ", "euros."]


def test_what_xml_cannot_say_is_replaced_and_line_ends_are_one() -> None:
    data = written([("equal", "uno\r\ndos\x0b\x00 <tres> & \ud83d\ude00")])
    assert docx_changes.read(data, "accept") == "uno\ndos\ufffd\ufffd <tres> & \U0001f600"


def test_it_is_made_in_a_process_of_its_own() -> None:
    runs = [("equal", "La renta es de "), ("delete", "900"), ("insert", "950"), ("equal", " euros.\nFin.")]
    data = documents.run("tracked_changes", json.dumps(runs).encode(), ABOUT)
    assert docx_changes.read(data, "accept") == "La renta es de 950 euros.\nFin."


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_it_and_shows_both_texts(tmp_path: Path) -> None:
    assert SOFFICE is not None
    runs = [("equal", "Primera. Renta de "), ("delete", "900"), ("insert", "950"), ("equal", " euros.\n"),
            ("insert", "Segunda. Fianza.\n"), ("equal", "Fin.")]  # fmt: skip
    source = tmp_path / "changes.docx"
    source.write_bytes(written(runs))
    subprocess.run(
        [SOFFICE, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "odt",
         "--outdir", str(tmp_path), str(source)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    content = zipfile.ZipFile(tmp_path / "changes.odt").read("content.xml").decode()
    assert content.count("<text:insertion>") == 2
    assert content.count("<text:deletion>") == 1
    assert "Bufete Ejemplo" in content
