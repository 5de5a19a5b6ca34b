"""Kinds whose rules a document of another kind meets as well, by what it treats of."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine
from app.rules.document import Document
from app.rules.draft import Section
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.risks import brought

RULES = rulebook()


def test_every_kind_that_is_brought_exists_and_is_another() -> None:
    known = {kind.id for kind in RULES.kinds}
    for kind in RULES.kinds:
        assert {one.kind for one in kind.brings} <= known - {kind.id}, kind.id


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("enforcement_order", "Se embarga la totalidad del saldo.", ("seizure_order",)),
        ("enforcement_order", "Se requiere el pago de la deuda.", ()),
        ("room_lease", "Este subarriendo de habitación se pacta por un año.", ("housing_lease",)),
        ("room_lease", "La habitación se alquila durante el curso.", ()),
    ],
)
def test_a_kind_is_brought_by_the_words_of_the_document(
    kind: str, text: str, expected: tuple[str, ...]
) -> None:
    assert brought(Document(text), RULES.kind(kind)) == expected


def test_a_document_of_no_known_kind_brings_none() -> None:
    assert brought(Document("Se embarga la nómina."), None) == ()


def test_an_enforcement_order_that_seizes_a_joint_account_is_told_of_it() -> None:
    text = (
        "AGENCIA TRIBUTARIA. PROVIDENCIA DE APREMIO Y DILIGENCIA DE EMBARGO. Se apremia la deuda con el "
        "recargo de apremio. Se embarga la totalidad del saldo de la cuenta de titularidad indistinta del "
        "obligado y de su hermana, sin dividirlo."
    )
    draft = RulesEngine().analyse(Brief(text, "ES", "contencioso", "es"))
    told = [one for one in draft.statements if one.section is Section.RISKS]
    assert any(one.facts.get("rule") == "seizure_joint_account" for one in told)
