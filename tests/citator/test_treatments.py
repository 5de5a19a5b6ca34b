"""What a decision is read to say of what it cites: one sentence at a time, and where it stands."""

from __future__ import annotations

import pytest

from app.citator import citing_passages
from app.citator.citing_passages import Mention


def read(text: str, jurisdiction: str = "CO") -> list[Mention]:
    return list(citing_passages.judgment(text, jurisdiction, "CO:CC:C-999/24"))


@pytest.mark.parametrize(
    ("text", "jurisdiction", "treatment"),
    [
        ("Véase la sentencia T-025 de 2004.", "CO", "cites"),
        ("Esta Sala reitera lo dicho en la sentencia T-025 de 2004.", "CO", "follows"),
        ("Reiteraci\ufffdn de jurisprudencia: sentencia T-025 de 2004.", "CO", "follows"),
        ("Como lo sostuvo la Corte en la sentencia T-025 de 2004, hay un deber.", "CO", "follows"),
        ("Conforme a la doctrina de la sentencia T-025 de 2004, procede.", "CO", "follows"),
        (
            "A diferencia de lo resuelto en la sentencia T-801 de 1998, aquí hay un menor.",
            "CO",
            "distinguishes",
        ),
        ("La doctrina de la STC 31/2010 no es aplicable al caso.", "ES", "distinguishes"),
        ("Es un supuesto distinto del resuelto en la STC 31/2010.", "ES", "distinguishes"),
        ("La Sala se aparta de la doctrina sentada en la sentencia SU-049 de 2017.", "CO", "overrules"),
        ("Procede apartarse del criterio de la STS 241/2013.", "ES", "overrules"),
        ("Este Tribunal rectifica la doctrina de la STC 31/2010.", "ES", "overrules"),
        ("Como dijimos en la STC 31/2010, el precepto es válido.", "ES", "follows"),
        ("This court overrules STC 31/2010.", "ES", "overrules"),
        ("STC 31/2010 is distinguishable.", "ES", "distinguishes"),
        ("We follow STC 31/2010.", "ES", "follows"),
        ("In line with STC 31/2010 the appeal fails.", "ES", "follows"),
    ],
)
def test_the_words_beside_a_decision(text: str, jurisdiction: str, treatment: str) -> None:
    (mention,) = read(text, jurisdiction)
    assert mention.treatment == treatment


@pytest.mark.parametrize(
    "text",
    [
        "La Sala no reitera lo dicho en la sentencia T-025 de 2004.",
        "No procede anular la sentencia T-025 de 2004.",
        "Se reitera la petición. La sentencia T-025 de 2004 es de otra cosa.",
        "La sentencia T-025 de 2004 revocó el fallo del juzgado.",
    ],
)
def test_what_is_denied_or_said_of_another_is_no_treatment(text: str) -> None:
    assert [mention.treatment for mention in read(text)] == ["cites"]


RULING = """La demandante solicita que se declare la inexequibilidad del artículo 122 de la Ley 599 de 2000.
RESUELVE
Primero. Declarar EXEQUIBLE el artículo 122 de la Ley 599 de 2000.
Segundo. Declarar INEXEQUIBLE la expresión «menor» contenida en el artículo 123 de la Ley 599 de 2000.
Tercero. Declarar INEXEQUIBLE el artículo 124 de la Ley 599 de 2000.
Notifíquese y cúmplase.
SALVAMENTO DE VOTO DEL MAGISTRADO
Se debió declarar inexequible el artículo 125 de la Ley 599 de 2000. Me aparto de la sentencia T-025 de 2004.
"""


def test_only_the_court_strikes_a_norm_down_and_only_where_it_decides() -> None:
    found = [(one.article, one.treatment, one.partial) for one in read(RULING) if one.kind == "norm"]
    assert found == [
        ("122", "cites", False),
        ("122", "cites", False),
        ("123", "declares_unconstitutional", True),
        ("124", "declares_unconstitutional", False),
        ("125", "cites", False),
    ]
    assert [one.treatment for one in read(RULING) if one.kind == "judgment"] == ["cites"]


def test_a_ruling_of_spain() -> None:
    text = (
        "FALLO\nDeclarar la inconstitucionalidad y nulidad del art. 5 de la Ley 39/2015, de 1 de octubre.\n"
    )
    (mention,) = read(text, "ES")
    assert (mention.cited, mention.article, mention.treatment) == (
        "ES:ley:39/2015", "5", "declares_unconstitutional",
    )  # fmt: skip
    (mention,) = read("FALLO\nAnular la STS 241/2013, de 9 de mayo.\n", "ES")
    assert mention.treatment == "annuls"


def test_what_another_decision_did_is_told_of_that_one() -> None:
    text = "Mediante sentencia C-647 de 2001 se declaró inexequible el artículo 5 de la Ley 58 de 1982."
    agent, struck = read(text)
    assert (agent.treatment, struck.treatment, struck.by) == (
        "cites", "declares_unconstitutional", "CO:CC:C-647/01",
    )  # fmt: skip
    text = "El Auto A-100 de 2009 declaró la nulidad de la sentencia T-300 de 2008."
    assert [(one.cited, one.treatment, one.by) for one in read(text)] == [
        ("CO:CC:A-100/09", "cites", None),
        ("CO:CC:T-300/08", "annuls", "CO:CC:A-100/09"),
    ]


def test_no_decision_ends_one_that_came_after_it() -> None:
    text = "La sentencia T-100 de 2001 anuló la sentencia T-300 de 2008."
    assert {one.treatment for one in read(text)} == {"cites"}


def test_a_decision_does_not_cite_itself_and_ranges_are_written_out() -> None:
    found = read("Sentencia C-999 de 2024. Los artículos 3 a 5 de la Ley 599 de 2000.")
    assert [(one.kind, one.article) for one in found] == [("norm", "3"), ("norm", "4"), ("norm", "5")]


def test_a_repealing_provision_repeals_what_it_lists() -> None:
    text = (
        "Quedan derogadas expresamente las siguientes disposiciones:\n\n"
        "a) Ley 30/1992, de 26 de noviembre.\n\nb) Los artículos 4 y 5 de la Ley 2/2011, de 4 de marzo.\n\n"
        "Lo dispuesto en la Ley 7/1996, de 15 de enero, continuará en vigor.\n\n"
        "Quedan derogadas las normas de la Ley 58/2003, de 17 de diciembre, en lo que se opongan a esta."
    )
    found = [(one.cited, one.article, one.partial) for one in citing_passages.repealing(text, "ES", "ES:x")]
    assert found == [
        ("ES:ley:30/1992", "", False),
        ("ES:ley:2/2011", "4", False),
        ("ES:ley:2/2011", "5", False),
        ("ES:ley:58/2003", "", True),
    ]


def test_a_final_provision_amends_what_its_heading_says() -> None:
    heading = "Modificación de la Ley 7/1996, de 15 de enero, de Ordenación del Comercio Minorista"
    assert [one.cited for one in citing_passages.amending(heading, "Uno.", "ES", "ES:x")] == ["ES:ley:7/1996"]
    assert list(citing_passages.amending("Entrada en vigor", "Ver la Ley 7/1996.", "ES", "ES:x")) == []
    opening = "Se modifica el artículo 3 de la Ley 7/1996, de 15 de enero."
    assert [(one.cited, one.article) for one in citing_passages.amending("", opening, "ES", "ES:x")] == [
        ("ES:ley:7/1996", "3")
    ]
