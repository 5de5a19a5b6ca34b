"""Who the parties of a document are, whatever a statement calls them (decision 085)."""

from __future__ import annotations

import pytest

from app.analysis.support import Discrepancy, Document, QuotedSpan, discrepancy

LEASE = """ARRENDAMIENTO DE NAVE

De una parte, don Íñigo Barea Luz, en nombre y representación de la mercantil SUELOS DEL NERVIÓN, S.L. (en lo
sucesivo, «la Propiedad»). De otra, doña Alba Rejón Soto (en adelante, «la Usuaria»).

1. Renta. La Usuaria pagará 900 euros al mes. La Propiedad podrá inspeccionar la nave una vez al año.
2. Obras. La Usuaria podrá pintar la nave sin pedir permiso.
3. Reparaciones. El tejado será reparado por la Propiedad; la Usuaria arreglará las puertas.
"""
LETTER = """Talleres Urbión, S.L.
Dirección de Personas

A la atención de don Bruno Salas Oria

Le comunicamos que su contrato se extingue el 30 de junio de 2026. Recibirá usted 4.200 euros como
indemnización. Puede quedarse con el teléfono. No le reclamaremos el anticipo.
"""
AGENCY = """AGENCY AGREEMENT

Between Northgate Looms, S.L., a Spanish company ("Northgate", "we" or "us"); and Ewan Tull, self-employed
("the Agent" or "you").

1. You will not act for another weaver without our written consent.
2. We pay you 6% of each order. You are not responsible for a customer's failure to pay.
"""


def judged(text: str, statement: str, quote: str) -> Discrepancy | None:
    """Judge a statement on a quotation of `text`, in which white space may differ."""
    flat = " ".join(text.split())
    start = flat.index(" ".join(quote.split()))
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], Document(flat))


@pytest.mark.parametrize(
    ("text", "term", "concept"),
    [
        (LEASE, "usuaria", "party:lessee"),
        (LEASE, "propiedad", "party:lessor"),
        (LETTER, "usted", "party:employee"),
        (AGENCY, "northgate", "party:principal_party"),
        (AGENCY, "you", "party:agent"),
    ],
)
def test_a_term_of_the_document_and_a_role_mean_one_party(text: str, term: str, concept: str) -> None:
    parties = Document(text).parties
    assert parties.key(term, ()) == parties.key("", (concept,)) != ""


def test_the_two_parties_of_a_contract_stay_apart() -> None:
    parties = Document(LEASE).parties
    assert parties.key("", ("party:lessor",)) != parties.key("", ("party:lessee",))
    assert parties.key("nervion", ()) == parties.key("propiedad", ())
    assert parties.key("barea", ()) == "", "who represents a party is not the party"


def test_a_thing_that_the_document_defines_is_no_party() -> None:
    document = Document(
        "Entre Ana Gil Roda (en adelante, la Vendedora) y otro. El coche (en adelante, el Coche)."
    )
    assert document.party_terms == {"vendedora"}


@pytest.mark.parametrize(
    ("text", "quote", "right", "false"),
    [
        (LEASE, "La Usuaria pagará 900 euros al mes.",
         "La arrendataria paga 900 euros al mes.", "La arrendadora paga 900 euros al mes."),
        (LEASE, "La Usuaria podrá pintar la nave sin pedir permiso.",
         "The tenant may paint the unit without permission.",
         "The landlord may paint the unit without permission."),
        (LEASE, "El tejado será reparado por la Propiedad; la Usuaria arreglará las puertas.",
         "El tejado lo repara la arrendadora.", "El tejado lo repara la arrendataria."),
        (LETTER, "Recibirá usted 4.200 euros como indemnización.",
         "La empresa pagará al trabajador 4.200 euros como indemnización.",
         "El trabajador pagará a la empresa 4.200 euros como indemnización."),
        (AGENCY, "You will not act for another weaver without our written consent.",
         "The Agent may not act for another weaver without Northgate's written consent.",
         "Northgate may not act for another weaver without the Agent's written consent."),
        (AGENCY, "You are not responsible for a customer's failure to pay.",
         "If a customer does not pay, the agent is not responsible.",
         "If a customer does not pay, Northgate is not responsible."),
    ],
)  # fmt: skip
def test_whoever_the_statement_names_must_be_who_acts(text: str, quote: str, right: str, false: str) -> None:
    assert judged(text, right, quote) is None
    assert judged(text, false, quote) is not None
