"""A paper of no known kind meets the rules of what it is about, in the law of any country."""

from __future__ import annotations

from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Section
from app.rules.rulebook.loader import rulebook

DOOR = """HOJA DE PEDIDO NÚMERO 118

Puebla, a 4 de mayo de 2026. El vendedor visitó a la consumidora en su domicilio y le entrega una aspiradora.
La consumidora no podrá revocar su consentimiento ni devolver el producto una vez firmada la hoja.
El vendedor no responde de defecto alguno del producto.
"""


def _rules(text: str, jurisdiction: str, branch: str = "civil") -> set[str]:
    draft = RulesEngine().analyse(Brief(text=text, jurisdiction=jurisdiction, branch=branch, language="es"))
    return {
        one.facts["rule"] for one in draft.statements if one.section is Section.RISKS and "rule" in one.facts
    }


def test_a_paper_without_a_known_kind_meets_the_rules_of_its_matter() -> None:
    assert _rules(DOOR, "MX")


def test_what_only_resembles_a_rule_of_another_kind_is_not_told() -> None:
    text = DOOR.replace(
        "no podrá revocar su consentimiento ni devolver", "podrá revocar su consentimiento y devolver"
    )
    text = text.replace("no responde de defecto alguno", "responde de los defectos")
    assert not _rules(text, "MX")


def test_natures_of_any_document_are_of_the_law_of_other_countries_alone() -> None:
    names = {one.id for one in rulebook("ES").natures}
    assert not [one for one in names if one.startswith("any_")]
    assert "any_labour_paper" in {one.id for one in rulebook("MX").natures}
