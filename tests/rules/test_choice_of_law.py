"""The law that a document chooses, what holds nonetheless, and the state of a federation that it names."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine
from app.rules.document import Document
from app.rules.render.choice_of_law import chosen_law, mandatory_law
from app.rules.rulebook.schema import Law
from app.rules.rulebook.states import stands_under, state_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("El presente contrato se regirá por las leyes de Colombia.", "CO"),
        ("Este contrato está sometido a la legislación mexicana.", "MX"),
        ("This agreement is governed by the laws of England and Wales.", "GB"),
        ("This agreement shall be construed in accordance with the laws of the State of New York.", "US"),
        ("O presente contrato é regido pela lei portuguesa e as partes aceitam-no.", "PT"),
        ("Le présent contrat est régi par le droit français et les parties en conviennent.", "FR"),
        ("Il presente contratto è regolato dalla legge italiana.", "IT"),
        ("Der Vertrag unterliegt deutschem Recht.", "DE"),
        ("El precio se paga en Colombia.", None),
    ],
)
def test_the_country_whose_law_is_chosen_is_named(text: str, code: str | None) -> None:
    found = chosen_law(Document(text))
    assert (found[0] if found else None) == code


EMPLOYMENT = """CONTRATO INDIVIDUAL DE TRABAJO

Entre Textiles del Valle, S.A. de C.V., el patrón, y Juan Pérez, el trabajador, a 3 de febrero de 2026.
PRIMERA. El trabajador prestará servicios subordinados, 48 horas a la semana, por $12,000.00 mensuales.
SEGUNDA. El presente contrato se regirá por las leyes del Estado de Nueva York.
"""


def test_a_chosen_law_is_told_with_what_holds_nonetheless() -> None:
    notes = " ".join(RulesEngine().analyse(Brief(EMPLOYMENT, "MX", "laboral", "es")).notes)
    assert "elige la ley de otro país (US)" in notes
    assert "arts. 1 y 5 LFT" in notes
    own = EMPLOYMENT.replace("del Estado de Nueva York", "de México")
    assert "otro país" not in " ".join(RulesEngine().analyse(Brief(own, "MX", "laboral", "es")).notes)


def test_what_is_mandatory_depends_on_the_country_and_on_the_case() -> None:
    employment = mandatory_law("PT", "employment", consumer=False)
    consumer = mandatory_law("PT", "services", consumer=True)
    general = mandatory_law("PT", "services", consumer=False)
    assert employment is not None
    assert consumer is not None
    assert general is not None
    assert ("art. 8.1" in employment.es, "art. 6.2" in consumer.es, "3.4" in general.en) == (True, True, True)
    assert mandatory_law("ZW", "employment", consumer=False) is None


def _state(code: str, name: str) -> Law:
    return Law.model_validate({"code": code, "above": ["US"], "names": [name]})


STATES = (_state("US-CA", "california"), _state("US-NY", "new york"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "Acme Inc., of Los Angeles, California. This agreement is governed by the laws of New York.",
            "US-NY",
        ),
        ("The employee works in San Diego, California. Notices go to Sacramento, California.", "US-CA"),
        ("A company of California and one of New York.", None),
        ("The parties agree.", None),
        (
            "The laws of Texas and the parties submit to the courts of California.",
            None,
        ),
        (
            "This agreement is governed by the laws of the State of New York, without regard to California "
            "conflict rules.",
            "US-NY",
        ),
        ("This agreement shall be governed by California law, not New York law.", "US-CA"),
    ],
)
def test_the_state_is_that_of_the_chosen_law_or_the_one_named_most(text: str, code: str | None) -> None:
    assert state_of(Document(text), STATES) == code


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("Governed by the laws of the State of Illinois. Notices: 5 California Avenue, Chicago.", ()),
        (
            "Acme, a California corporation, employs Bob, who works in Austin, Texas. This agreement is "
            "governed by the laws of the State of Texas.",
            ("texas",),
        ),
        ("Governed by the laws of Texas. The laws of California do not apply.", ("texas",)),
        ("This agreement shall not be governed by the laws of California.", ()),
        ("This agreement is governed by the laws of California.", ("california",)),
        ("It shall be construed in accordance with California law.", ("california",)),
        (
            "The employee works in San Jose, California. Governed by the laws of the State of Ohio.",
            ("california",),
        ),
        ("We offer you employment at our Oakland office. Governed by the laws of Ohio.", ("california",)),
        ("Ms. Ruiz\n12 Alder Street\nOakland, California 94607\n\nDear Ana: welcome.", ("california",)),
        ("Bob works in Reno, Nevada, for Acme, of San Jose, California.", ()),
        ("We may sell the data of California residents.", ("california",)),
        ("Bob works for Acme, 12 New York Avenue, Boise.", ()),
        ("Apartment 4B, 210 Grand Street, Brooklyn, New York 11211.", ("new york",)),
        ("New York law governs. The film is cut by Tessa.", ("new york",)),
        ("Texas law will not govern this agreement.", ()),
        ("The sales territory is in San Diego, California.", ("california",)),
        ("Bylaws of Acme, a Delaware corporation.", ("delaware company",)),
        ("Acme, a Delaware corporation. Governed by the laws of Nevada.", ()),
    ],
)
def test_the_law_of_a_state_applies_where_it_is_chosen_or_where_somebody_works_or_lives(
    text: str, states: tuple[str, ...]
) -> None:
    document = Document(text)
    asked = ("california", "new york", "texas", "delaware", "delaware company")
    assert tuple(one for one in asked if stands_under(document, one)) == states
