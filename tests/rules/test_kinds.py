"""What kind of document it is, and the honest answer when it is none that the rules know."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.rules import clause_types
from app.rules.clause_types import exemplars
from app.rules.document import Document
from app.rules.rulebook.kinds import recognise
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.risks import find_risks

RULES = rulebook()
TEXTS = Path(__file__).parent / "texts"
EXAM = Path(__file__).parents[2] / "benchmarks" / "data" / "exam"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("agency_es", "agency"),
        ("claim_es", "claim"),
        ("consumer_terms_es", "consumer_terms"),
        ("dismissal_letter_es", "objective_dismissal"),
        ("employment_es", "employment"),
        ("enforcement_order_es", "enforcement_order"),
        ("housing_lease_en", "housing_lease"),
        ("housing_lease_es", "housing_lease"),
        ("loan_es", "loan"),
        ("nda_en", "nda"),
        ("services_en", "services"),
    ],
)
def test_whole_documents_are_recognised(name: str, kind: str) -> None:
    assert recognise(Document((TEXTS / f"{name}.txt").read_text("utf-8")), RULES).id == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Querida Ana: te escribo para contarte las vacaciones en la playa con los niños y el perro.",
        "Receta de croquetas: se pica el jamón, se hace la bechamel y se deja enfriar toda la noche.",
        "lorem ipsum dolor sit amet " * 40,
    ],
)
def test_what_is_no_legal_document_is_called_unknown(text: str) -> None:
    found = recognise(Document(text), RULES)
    assert found.id == "unknown"
    assert found.family == "unknown"
    assert found.name.es == "documento de tipo no reconocido"


def test_rules_of_a_kind_that_it_may_be_instead_are_asked_about_clauses() -> None:
    text = (EXAM / "7" / "prestamo_entre_particulares.txt").read_text("utf-8")
    found = recognise(Document(text), RULES)
    assert (found.id, found.also and found.also.id) == ("payment_demand", "loan")
    sole = find_risks(Document(text), RULES, found.id, {}, frozenset())
    both = find_risks(Document(text), RULES, found.id, {}, frozenset(), also=("loan",))
    known = [one.risk.id for one in sole]
    added = [one.risk for one in both if one.risk.id not in known]
    assert added
    assert all(one.about_clauses for one in added)


def test_a_commercial_lease_is_not_taken_for_housing() -> None:
    text = (
        "CONTRATO DE ARRENDAMIENTO DE LOCAL DE NEGOCIO\nEl arrendador cede al arrendatario el local "
        "comercial para uso "
        "distinto del de vivienda, donde ejercerá su actividad comercial. La renta mensual será de 900 euros."
    )
    assert recognise(Document(text), RULES).id == "business_lease"


def test_a_labour_claim_is_not_taken_for_a_civil_one() -> None:
    text = (
        "AL JUZGADO DE LO SOCIAL DE GIJÓN\nDemanda por despido. HECHOS. La trabajadora tiene antigüedad "
        "de 2015. Se "
        "celebró acto de conciliación ante el SMAC. El despido es improcedente. SUPLICO AL JUZGADO"
    )
    assert recognise(Document(text), RULES).id == "labour_claim"


def test_liability_for_contributions_is_a_claim_of_social_security_and_for_tax_a_declaration() -> None:
    text = (
        "{office}\nRECLAMACIÓN DE DEUDA POR DERIVACIÓN DE RESPONSABILIDAD SOLIDARIA\nDeudor principal: "
        "Telares Bidasoa, S.L., sin actividad. Responsable solidario: Hilos Oria, S.L., por sucesión de "
        "empresa. Es sujeto responsable de {debt}, con su recargo. {remedy}."
    )
    social = text.format(
        office="TESORERÍA GENERAL DE LA SEGURIDAD SOCIAL",
        debt="un descubierto de cuotas del Régimen General (CCC 20 1)",
        remedy="Cabe recurso de alzada",
    )
    tax = text.format(
        office="AGENCIA TRIBUTARIA. Dependencia Regional de Recaudación",
        debt="deudas tributarias, según la Ley General Tributaria",
        remedy="Cabe recurso de reposición",
    )
    assert recognise(Document(social), RULES).id == "social_security_debt"
    assert recognise(Document(tax), RULES).id == "tax_liability"


def test_a_close_second_is_told() -> None:
    text = "Contrato de distribución y contrato de agencia entre el agente y el distribuidor."
    found = recognise(Document(text), RULES)
    assert found.kind is not None
    assert found.rival is not None
    assert {found.kind.id, found.rival.id} == {"agency", "distribution"}


LAY_SALE = """
La promotora levantará el edificio según el proyecto que han visto los compradores y les dará el piso de
tres dormitorios, con trastero y garaje, en el último trimestre del año que viene, cuando tenga la licencia
de primera ocupación. Hoy se pagan seis mil euros de reserva; luego, doce recibos iguales mientras dura la
obra, y el resto al firmar la escritura ante el notario con el préstamo del banco. Lo que se va pagando está
en una cuenta aparte y con un aval. Si el piso no se entrega, se devuelve todo.
"""
LAY_WILL = """
Quiero que cuando yo falte la casa del pueblo sea para mi hijo mayor y lo demás para los dos pequeños a
partes iguales. A mi mujer le dejo el usufructo de todo mientras viva. Si alguno de mis hijos muere antes
que yo, lo suyo pasa a sus hijos. A mi sobrina Consuelo le dejo el reloj de mi padre. Nombro albacea y
contador partidor a mi hermano Anselmo, con todas las facultades. Dejo sin efecto lo que dispuse en 1998
ante el notario de Lerma. Así lo otorgo y firmo, sabiendo lo que hago.
"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [(LAY_SALE, "real_estate_sale"), (LAY_WILL, "will")],
    ids=["sale", "will"],
)
def test_a_lay_drafter_who_names_nothing_is_understood(text: str, kind: str) -> None:
    assert recognise(Document(text), RULES).id == kind


@pytest.mark.parametrize(
    "text",
    [
        "Hay que pagar la luz antes del lunes.",
        "Querida Ana: te escribo para contarte las vacaciones en la playa con los niños y el perro. " * 4,
        "Manual de la caldera. Antes de encender compruebe la presión. Si el manómetro marca menos de un "
        "bar, abra la "
        "llave de llenado. No tape la rejilla. Llame al servicio técnico si aparece el código F4 en la "
        "pantalla.",
    ],
)
def test_what_only_resembles_a_kind_is_called_unknown(text: str) -> None:
    assert recognise(Document(text), RULES).id == "unknown"


LETTER_HOME = """Chère maman, la nouvelle maison est jolie et le jardin plein de roses. Les enfants jouent
dehors avec le chien et Paul fait la cuisine pour tout le monde. Dimanche nous irons à la mer si le temps est
beau, et je te raconterai le reste de vive voix. Les voisins sont gentils, la rue est calme, et la chatte dort
au soleil."""
WITHOUT_TITLE = """La société Brasserie du Pont engage Madame Lise Moreau comme serveuse à partir du 4 janvier
2027. Elle travaille trente-cinq heures par semaine, du mardi au samedi, et perçoit un salaire brut de 1 900
euros par mois. Les deux premiers mois sont un essai pendant lequel chacun peut mettre fin à la relation avec
un court préavis. Elle prend cinq semaines de congés payés par an. L'employeur rembourse la moitié de
l'abonnement de bus de la salariée."""


def test_a_document_in_french_is_known_by_all_its_words() -> None:
    rules = rulebook("FR")
    assert recognise(Document(WITHOUT_TITLE), rules).id == "employment"
    assert recognise(Document(LETTER_HOME), rules).id == "unknown"


def test_excerpts_in_other_languages_are_of_kinds_that_the_rules_know() -> None:
    known = {kind.id for kind in rulebook("").kinds} | {clause_types.NONE}
    for tongue in ("fr", "it", "de"):
        subject = exemplars.kinds_of(tongue)
        assert subject is not None
        found = exemplars.read_of_language(subject.folder)
        assert {one.type for one in found} <= known
        assert len({one.text for one in found}) == len(found) > 100
        assert {one.language for one in found} == {tongue}
        classifier = clause_types.kind_classifier(tongue)
        assert classifier is not None
        assert set(classifier.kinds) >= {one.type for one in found}
    assert clause_types.kind_classifier("es") is not None


_RULES_OF_A_HOUSE = """
Aprobada por el consejo de administración de Calderería Ebro, S.A. el 4 de mayo de 2026.

1. La presente política se dirige a toda la plantilla. Su incumplimiento se considerará incumplimiento
contractual grave y culpable y podrá dar lugar al despido conforme al artículo 54 del Estatuto.
2. Quien reciba regalos de un proveedor lo comunicará a su superior en tres días. La empresa podrá extinguir
la relación laboral de quien los oculte, con efectos desde ese momento, y no abonará indemnización.
3. La dirección investigará los hechos y dará audiencia a la persona afectada.

Zaragoza, a 5 de mayo de 2026. La dirección."""


def test_rules_for_everybody_in_a_house_are_no_letter_to_one_worker() -> None:
    for title in ("POLÍTICA DE REGALOS", "CÓDIGO DE CONDUCTA", "PROTOCOLO DE REGALOS"):
        found = recognise(Document(title + _RULES_OF_A_HOUSE), RULES)
        assert found.id == "unknown", title
    # Where words call it a letter, it is one.
    letter = (
        "CARTA DE DESPIDO\nMuy señor nuestro: por la presente le comunicamos su despido, con efectos de hoy."
    )
    assert recognise(Document(f"{letter}\nAnexo: política de regalos."), RULES).id == "dismissal_letter"


def test_a_letter_headed_by_the_code_that_was_broken_is_a_letter() -> None:
    text = (
        "CÓDIGO DE CONDUCTA. Departamento de Cumplimiento. Madrid, 16 de noviembre de 2026\n\n"
        "Estimado Sr. Pérez:\n\nPor infracción del Código de Conducta le comunicamos "
        "que procedemos a su despido disciplinario con efectos del 16 de noviembre de 2026.\n\n"
        "La Dirección de Recursos Humanos"
    )
    assert recognise(Document(text), RULES).id == "dismissal_letter"
