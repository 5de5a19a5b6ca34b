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


# Letters and terms whose parties the head or a definition names, with line breaks as they came.
OFFER = """QUARRY LAMPS, INC.
11 Mill Road, Salem

March 3, 2026

Ms. Nadia Brook
Albany

Dear Ms. Brook:

We will pay you $27.40 per hour. You may carry over five days.
"""
ACCEPTANCE = """TELARES DEL ESLA, S.A.
Departamento de Personas

León, 4 de mayo de 2026

Sra. D.ª Irene Cubas Rey
Técnica de calidad

Estimada Irene:

Contestamos a su solicitud. La aceptamos con las condiciones siguientes, que sustituyen a las del acuerdo de
2 de marzo de 2023, hoy sin efecto.

1. Equipos. Le entregaremos una silla; el monitor lo aportará usted.
"""
TERMS = """TÉRMINOS DE VENTA

1. Estos términos se aplican a las compras que usted («el Cliente») haga en la tienda de
Faro Sur, S.A. («Faro Sur» o «nosotros»).
2. Si usted entrega su batería usada, descontaremos $900.
"""


def as_it_came(text: str, statement: str, quote: str) -> Discrepancy | None:
    start = text.index(quote)
    return discrepancy(statement, [QuotedSpan(start, start + len(quote))], Document(text))


@pytest.mark.parametrize(
    ("text", "statement", "quote"),
    [
        (OFFER, "Quarry Lamps will pay Nadia Brook $27.40 per hour.", "We will pay you $27.40 per hour."),
        (OFFER, "Nadia Brook may carry over five days.", "You may carry over five days."),
        (ACCEPTANCE, "Telares del Esla, S.A. entregará a Irene Cubas una silla.",
         "Le entregaremos una silla;"),
        (ACCEPTANCE, "Irene Cubas aportará el monitor.", "el monitor lo aportará usted."),
        (TERMS, "Faro Sur descontará $900 si el Cliente entrega su batería usada.",
         "Si usted entrega su batería usada, descontaremos $900."),
    ],
)  # fmt: skip
def test_those_who_write_and_are_written_to_have_the_names_at_the_head(
    text: str, statement: str, quote: str
) -> None:
    assert as_it_came(text, statement, quote) is None


@pytest.mark.parametrize(
    ("text", "statement", "quote"),
    [
        (OFFER, "Nadia Brook will pay Quarry Lamps $27.40 per hour.", "We will pay you $27.40 per hour."),
        (OFFER, "Quarry Lamps may carry over five days.", "You may carry over five days."),
        (ACCEPTANCE, "Telares del Esla aportará el monitor.", "el monitor lo aportará usted."),
        (TERMS, "El Cliente descontará $900 si Faro Sur entrega su batería usada.",
         "Si usted entrega su batería usada, descontaremos $900."),
    ],
)  # fmt: skip
def test_names_at_the_head_of_a_letter_are_not_exchanged(text: str, statement: str, quote: str) -> None:
    assert as_it_came(text, statement, quote) is not None


def test_a_letter_to_a_company_does_not_make_it_the_writer() -> None:
    text = (
        "Rosa Anta Gil\nCalle Sol, 4\n\nA la atención de Aguas del Tormes, S.A.\n\nMuy señores míos:\n\n"
        "Les reclamo 80 euros. Ustedes cobraron dos veces el recibo de abril.\n"
    )
    parties = Document(text).parties
    assert parties.key("aguas", ()) != parties.person("we")


@pytest.mark.parametrize("attention", ["", "A la atención de doña Eva Prats Gil\n"])
def test_an_address_that_stands_first_is_not_the_writers(attention: str) -> None:
    text = (
        f"Aguas del Tormes, S.A.\n{attention}Calle Sol, 4\n\nSalamanca, 3 de mayo de 2026\n\n"
        "Estimados señores:\n\nLes reclamamos 80 euros. Ustedes cobraron dos veces el recibo de abril.\n"
    )
    parties = Document(text).parties
    assert parties.key("tormes", ()) != parties.person("we")


def test_what_new_terms_replace_is_void_and_they_are_not() -> None:
    void = ACCEPTANCE.replace(
        ", que sustituyen a las del acuerdo de\n2 de marzo de 2023, hoy sin efecto", ", hoy sin efecto"
    )
    quote = "Le entregaremos una silla;"
    assert as_it_came(void, "Telares del Esla entregará una silla.", quote) is Discrepancy.GOVERNED
    assert as_it_came(ACCEPTANCE, "Telares del Esla entregará una silla.", quote) is None


@pytest.mark.parametrize(
    ("document", "right", "wrong"),
    [
        ("La piscina abrirá del 15 de junio al 10 de septiembre.",
         "The swimming pool will open from 15 June to 10 September.",
         "The garage will open from 15 June to 10 September."),
        ("Los menores de doce años no podrán bañarse sin un adulto.",
         "Children under twelve years may not bathe without an adult.",
         "Children under twelve years may not swim with an adult."),
        ("Se adjudica la reparación de la fachada norte a Revocos Luz, S.L.",
         "The repair of the north façade is awarded to Revocos Luz, S.L.",
         "The repair of the south façade is awarded to Revocos Luz, S.L."),
    ],
)  # fmt: skip
def test_an_english_statement_is_told_by_the_words_of_a_spanish_document(
    document: str, right: str, wrong: str
) -> None:
    assert as_it_came(document, right, document) is None
    assert as_it_came(document, wrong, document) is not None


TERMS_OF_WORK = """TIDEMARK SURVEYS LIMITED
2 Sutton Wharf

Ms Bethan Orme
Plymouth

Dear Ms Orme

You may be asked to work on a Saturday, but not more than twice in any month. We may extend it once, if you
have been absent for ten days. Buyer may cancel this order without charge until November 30, 2026.
"""


def test_a_sentence_of_a_letter_is_told_of_its_reader_by_name() -> None:
    quote = "You may be asked to work on a Saturday, but not more than twice in any month."
    right = "Ms Orme may be asked to work on a Saturday, but not more than twice in any month."
    assert as_it_came(TERMS_OF_WORK, right, quote) is None
    assert as_it_came(TERMS_OF_WORK, right.replace("not more", "more"), quote) is not None
    assert as_it_came(TERMS_OF_WORK, right.replace("Ms Orme", "Tidemark"), quote) is not None


def test_until_a_day_is_not_after_it() -> None:
    quote = "Buyer may cancel this order without charge until November 30, 2026."
    assert as_it_came(TERMS_OF_WORK, quote, quote) is None
    assert as_it_came(TERMS_OF_WORK, quote.replace("until", "after"), quote) is not None


def test_a_part_is_not_the_whole_of_which_it_is() -> None:
    text = "La medida afecta a seis de los cuarenta y dos trabajadores del centro."
    assert as_it_came(text, text, text) is None
    assert as_it_came(text, "La medida afecta a cuarenta y dos trabajadores del centro.", text) is not None
