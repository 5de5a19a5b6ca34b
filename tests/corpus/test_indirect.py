"""What a sentence in indirect speech makes an article say, beside what the article says."""

from __future__ import annotations

import pytest

from app.corpus import contradiction, same_language

DEPOSIT = """1. Se prestará fianza de una mensualidad de renta en las viviendas y de dos en los locales.

2. Pasados cinco años, o siete años si el arrendador es una sociedad, la fianza podrá revisarse.

3. El saldo se devolverá en el plazo de treinta días naturales, con un interés del 3 por ciento."""
RESIGN = "El trabajador podrá desistir del contrato con un preaviso de quince días."
BAN = "Queda prohibido al arrendador exigir al arrendatario garantías adicionales de ninguna clase."


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("exige una fianza de tres mensualidades", "tres mensualidades"),
        ("exige 4 mensualidades de fianza", "4 mensualidades"),
        ("ordena devolver el saldo de la fianza en sesenta días", "sesenta dias"),
        ("ordena devolver el saldo en treinta (30) días hábiles", "treinta 30 dias habiles"),
        ("fija un interés del 10 % sobre el saldo", "10 %"),
        ("permite revisar la fianza pasados diez años", "diez anos"),
    ],
)
def test_another_figure_of_the_same_thing_is_a_contradiction(sentence: str, claimed: str) -> None:
    found = contradiction(sentence, DEPOSIT)
    assert found is not None
    assert (found.kind, found.reason) == ("meaning", "number")
    assert claimed.startswith(found.claimed)


@pytest.mark.parametrize(
    "sentence",
    [
        "exige una fianza de una mensualidad en las viviendas",
        "exige en los locales una fianza de dos mensualidades",
        "obliga a devolver el saldo dentro de los treinta días siguientes",
        "fija un interés del 3 %",
        "permite revisar la fianza a los siete años si arrienda una sociedad",
        "exige que el inquilino garantice sus obligaciones",
        "impone al arrendador doce horas de espera",
    ],
)
def test_a_paraphrase_and_what_the_article_is_silent_about_are_left_alone(sentence: str) -> None:
    assert contradiction(sentence, DEPOSIT) is None


def test_a_figure_that_is_attributed_as_a_noun_contradicts_the_only_one_of_its_unit() -> None:
    assert contradiction("El aviso de sesenta días previsto en el ", RESIGN) is not None
    assert contradiction("El preaviso de quince días previsto en el ", RESIGN) is None


def test_leave_where_the_article_bans_and_a_ban_where_it_gives_leave_are_contradictions() -> None:
    leave = contradiction("permite al arrendador exigir al arrendatario garantías adicionales", BAN)
    ban = contradiction("prohíbe al trabajador desistir del contrato de trabajo", RESIGN)
    assert leave is not None
    assert ban is not None
    assert (leave.reason, ban.reason) == ("modality", "modality")
    assert contradiction("prohíbe al arrendador exigir al arrendatario garantías adicionales", BAN) is None


def test_words_in_another_language_than_the_text_are_told_apart() -> None:
    spanish, english = (
        "El responsable del tratamiento lo notificará sin dilación a los interesados",
        ("The controller shall notify the data subject of that without undue delay and in any event"),
    )
    assert same_language(spanish, DEPOSIT)
    assert not same_language(spanish, english)
    assert same_language("vivienda habitual", english)


COSTS = "Cuando el deudor incurra en mora, el acreedor tendrá derecho a una cantidad fija de 40 euros."
SECRET = "Los pactos que se mantengan reservados entre los socios no serán oponibles a la sociedad."


def test_what_an_article_is_said_to_fix_is_its_one_figure_of_that_unit() -> None:
    found = contradiction(
        "fija en 400,00 euros por factura la indemnización por gastos de reclamación", COSTS
    )
    assert found is not None
    assert found.reason == "number"
    assert contradiction("fija en 40,00 euros por factura la indemnización por gastos", COSTS) is None
    assert contradiction("se aplica a la factura de 400,00 euros por gastos de reclamación", COSTS) is None


def test_a_quality_that_the_article_denies_is_a_contradiction() -> None:
    found = contradiction(", que declara oponibles a la sociedad los pactos reservados", SECRET)
    assert found is not None
    assert found.reason == "modality"
    assert contradiction(", que declara no oponibles a la sociedad los pactos reservados", SECRET) is None
    assert contradiction(", que declara reservados los pactos entre socios", SECRET) is None


TERMS = """1. Las leves prescriben a los dos meses, las graves a los cuatro meses, otras a los nueve meses.

2. El recurso se presentará en el plazo de ocho días, salvo que se trate de una sanción.

3. Caducará a los seis meses desde que el órgano conoció los hechos y a los dos años de haberse cometido."""
VOID = "El depositario no puede apropiarse de las cosas depositadas, ni venderlas a un tercero."
WAIVER = """No es renunciable el derecho al descanso del arrendatario de obra.

Podrán renunciarse, en cambio, las cantidades devengadas y no cobradas."""
LIMITED = "El plazo se fijará en las bases. Este plazo no podrá exceder de tres meses salvo que una ley "
"disponga otra cosa."
CHOICE = "El depositante podrá optar entre exigir la entrega o dar por terminado el depósito, con abono "
"de los daños."
SHARED = "Los gastos del depósito serán de cuenta del depositante, salvo pacto en contrario."
OTHERS_ONLY = """Se prohíben las cláusulas que dificulten la salida del consumidor.

El consumidor podrá dejar el servicio sin coste alguno."""
MINORS = """1. Los socios podrán disolver la cooperativa ante notario.

2. No será de aplicación lo anterior cuando existan acreedores."""
LESSEES = "La prórroga será de cuatro años, o de seis años si el propietario fuese una fundación."


@pytest.mark.parametrize(
    ("sentence", "text", "claimed"),
    [
        ("dispone que las graves prescriben a los nueve meses", TERMS, "nueve meses"),
        ("da dos años desde que el órgano conoce los hechos", TERMS, "dos anos"),
        ("que permite una prórroga de nueve años", LESSEES, "nueve anos"),
        ("la prórroga de cualquier propietario es de cuatro años", LESSEES, "cuatro anos"),
    ],
)
def test_a_figure_that_the_article_gives_to_another_is_a_contradiction(
    sentence: str, text: str, claimed: str
) -> None:
    found = contradiction(sentence, text)
    assert found is not None
    assert found.claimed == claimed


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("dispone que las graves prescriben a los cuatro meses", TERMS),
        ("da seis meses desde que el órgano conoce los hechos", TERMS),
        ("fija dos años desde que los hechos se cometieron", TERMS),
        ("la prórroga es de cuatro años, o de seis si el propietario es una fundación", LESSEES),
        ("que permite al depositante oponerse a la venta", VOID),
        ("permite exigir la nulidad de la apropiación", VOID),
        ("permite renunciar a las cantidades ya devengadas", WAIVER),
        ("autoriza a fijar el plazo en las bases, con un máximo de tres meses", LIMITED),
        ("permite optar entre la entrega y la terminación", CHOICE),
        ("a falta de pacto, los gastos del depósito son siempre del depositante", SHARED),
        ("permite al consumidor dejar el servicio", OTHERS_ONLY),
        ("permite disolver la cooperativa ante notario aunque los socios vivan fuera", MINORS),
    ],
)
def test_right_paraphrases_of_permissions_and_enumerations_are_left_alone(sentence: str, text: str) -> None:
    assert contradiction(sentence, text) is None


@pytest.mark.parametrize(
    ("sentence", "text", "written"),
    [
        ("consiente que el acreedor se quede con los muebles", VOID, "no puede"),
        ("según el cual el derecho al descanso puede renunciarse", WAIVER, "no es renunciable"),
        ("autoriza a cada ayuntamiento a fijar el plazo que considere oportuno", LIMITED, "no podra exceder"),
        ("faculta para reclamar conjuntamente la entrega y la terminación", CHOICE, "optar"),
        ("los gastos del depósito son siempre del depositante", SHARED, "salvo pacto"),
        ("autoriza a la empresa a cobrar la temporada entera", OTHERS_ONLY, "se prohiben"),
        ("permite disolver ante notario aunque haya acreedores", MINORS, "no sera de aplicacion"),
    ],
)
def test_leave_that_the_article_refuses_limits_or_leaves_to_a_choice(
    sentence: str, text: str, written: str
) -> None:
    found = contradiction(sentence, text)
    assert found is not None
    assert (found.kind, found.written) == ("meaning", written)


def test_leave_to_exclude_what_an_article_does_not_leave_to_agreement() -> None:
    presumed = "Se presume laboral el servicio que se presta dentro de la organización de otro."
    assert contradiction("permite a las partes excluir la relación laboral", presumed) is not None
    open_to_pact = "Lo anterior rige si las partes no acuerdan otra cosa."
    assert contradiction("permite a las partes excluir la relación laboral", open_to_pact) is None


def test_one_figure_and_one_paragraph_are_compared_where_they_are_named() -> None:
    paragraph = TERMS.split("\n\n")[1]
    found = contradiction(
        "recurso en quince días tras los nueve meses", TERMS, figure="quince días", place=paragraph
    )
    assert found is not None
    assert (found.claimed, found.written) == ("quince dias", "ocho dias")
    assert contradiction("recurso en ocho días", TERMS, figure="ocho días", place=paragraph) is None


def test_of_another_language_only_figures_and_bans_are_compared() -> None:
    assert contradiction("gives the depositor two years to appeal", LIMITED, across=True) is not None
    assert contradiction("allows the keeper to sell the goods", VOID, across=True) is not None
    assert contradiction("requires the goods to be kept with care", VOID, across=True) is None


def test_days_of_the_calendar_are_no_figures_of_a_law() -> None:
    assert contradiction("fija el plazo hasta el 31 de mayo de 2030, día en que acaba", TERMS) is None


def test_a_denial_belongs_to_what_is_denied() -> None:
    assert contradiction("no permite que el depositario se apropie de las cosas depositadas", VOID) is None
    assert contradiction("no consiente renunciar al derecho al descanso", WAIVER) is None
    duty = "El depositario deberá entregar un recibo numerado al depositante."
    assert contradiction("no exige entregar al depositante un recibo numerado", duty) is not None
    assert contradiction("no exige entregar otro recibo distinto del numerado", duty) is None
    assert contradiction("dispensa al depositario de entregar un recibo numerado", duty) is not None


def test_a_term_of_the_parties_within_the_limit_of_the_article_is_right() -> None:
    trial = "La duración de la prueba no podrá exceder de seis meses para los titulados."
    assert contradiction("la prueba de los titulados será de dos meses", trial, own_term=True) is None
    assert contradiction("la prueba de los titulados será de nueve meses", trial, own_term=True) is not None


ALIMONY = """No es renunciable ni transmisible a un tercero el derecho a los alimentos.

Pero podrán compensarse y renunciarse las pensiones alimenticias atrasadas."""
MAJORITY = """Los estatutos podrán exigir un porcentaje superior de votos, sin llegar a la unanimidad."""
WAIVER = "La renuncia previa a los derechos que esta norma reconoce al consumidor es nula."
ONLY = """1. Solo serán válidas las cláusulas que prohíban la transmisión de participaciones si se reconoce el
derecho a separarse."""
EXEMPT = """2. Las acciones no darán lugar a responsabilidad en los siguientes supuestos:
a) Cuando se realicen por quienes carezcan de capacidad.
b) Cuando concurra fuerza mayor.
c) Cuando se haya puesto la diligencia necesaria."""
CHALLENGE = "La acción de impugnación de los acuerdos sociales caducará en el plazo de un año."


@pytest.mark.parametrize(
    ("sentence", "article"),
    [
        ("hace oponibles a la sociedad los pactos reservados", SECRET),
        ("permite renunciar a los alimentos futuros", ALIMONY),
        ("según el cual el derecho a alimentos puede renunciarse", ALIMONY),
        ("permite la unanimidad", MAJORITY),
        ("Esa renuncia del consumidor es plenamente válida", WAIVER),
        ("declara válida cualquier prohibición de transmitir participaciones", ONLY),
        ("exime de responsabilidad solo en caso de fuerza mayor", EXEMPT),
        ("fija para la impugnación un plazo de cuarenta días", CHALLENGE),
    ],
)
def test_what_the_words_of_an_article_deny_is_a_contradiction(sentence: str, article: str) -> None:
    found = contradiction(sentence, article)
    assert found is not None
    assert found.match == "different"


@pytest.mark.parametrize(
    ("sentence", "article"),
    [
        ("niega que los pactos reservados sean oponibles a la sociedad", SECRET),
        ("permite renunciar a las pensiones alimenticias atrasadas", ALIMONY),
        ("permite al acreedor demandar los alimentos", ALIMONY),
        ("permite una mayoría superior", MAJORITY),
        ("declara nula la renuncia previa del consumidor", WAIVER),
        ("declara válidas las cláusulas que prohíban transmitir si cabe separarse", ONLY),
        ("exime de responsabilidad en caso de fuerza mayor", EXEMPT),
        ("fija para la impugnación un plazo de doce meses", CHALLENGE),
    ],
)
def test_what_an_article_says_or_leaves_open_is_none(sentence: str, article: str) -> None:
    assert contradiction(sentence, article) is None
