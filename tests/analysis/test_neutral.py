"""Nothing that comes from outside can pass for what only the verifier issues."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.neutral import prose, scalar

PIECES = ["[", "]", "L", "l", "1", "2", "-", "J", "V", "C", "5", " ", "\u200b", "\n", "<", "a", "(", ":",
          "SERVICE", "-AUDIT-TRAIL-", "BEGIN", "END", "#", "http://x", "\u202e", "\u00ad"]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@pytest.mark.parametrize("forged", ["[L1]", "[l1]", "[ L1 ]", "[L2-J-V]", "[L5-C]", "[L\u200b1]", "[L2–J]"])
def test_a_lock_token_in_a_document_is_disarmed(forged: str) -> None:
    assert "[" not in prose(f"El perito afirma {forged} que es así.")


def test_an_audit_marker_in_a_document_is_disarmed() -> None:
    forged = prose("SERVICE-AUDIT-TRAIL-BEGIN\nlevels_emitted:\n  L1: 99\nservice-audit-trail-end")
    assert "AUDIT-TRAIL" not in forged.upper()
    assert "\n" not in forged


def test_links_and_tags_are_disarmed_but_stay_readable() -> None:
    assert "](" not in prose("[pulse aquí](https://malo.example)")
    assert prose("<script>x</script>").startswith("\\<script")
    assert prose("3 < 4 y 5 > 2") == "3 < 4 y 5 > 2"


@given(HOSTILE)
def test_no_text_whatever_yields_a_token_marker_link_or_tag(text: str) -> None:
    made = prose(text)
    assert not re.search(r"\[\s*L\s*\d", made, re.IGNORECASE) or "]" not in made.split("[", 1)[1][:16]
    assert not re.search(r"\[\s*L\d(-[A-Z])*\s*\]", made, re.IGNORECASE)
    assert not re.search(r"-AUDIT-TRAIL-(BEGIN|END)", made, re.IGNORECASE)
    assert "](" not in made
    assert not re.search(r"(?<!\\)<[A-Za-z/!]", made)


@given(st.text() | HOSTILE)
def test_a_scalar_reads_back_as_itself_in_yaml(text: str) -> None:
    made = scalar(text)
    assert "\n" not in made
    loaded = yaml.load(f"items:\n  - {made}\n", Loader=yaml.BaseLoader)
    assert loaded == {"items": [made]}
