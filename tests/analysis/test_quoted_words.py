"""Which quotations are an article's words, and which only stand near a citation."""

from __future__ import annotations

import pytest

from app import corpus
from app.analysis.support.quoted_words import (
    attributed_quotes,
    compare,
    indirect_speech,
    is_quotation_of,
    quotations,
    quotes_beside,
    telling,
)
from app.citations import extract

WORDS = "El pastor no responderá de las ovejas perdidas"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"El artículo 1903 del Código Civil dispone que «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil: «{WORDS}».", True),
        (f"Article 1903 CC provides: “{WORDS}”.", True),
        (f"«{WORDS}», según establece el artículo 1903 del Código Civil.", True),
        (f"«{WORDS}» (artículo 1903 del Código Civil).", True),
        (f"«{WORDS}» [artículo 1903 del Código Civil].", True),
        (f"«{WORDS}» (véase el artículo 1903 del Código Civil).", True),
        (f'"{WORDS}" —artículo 1903 del Código Civil—.', True),
        (f"«{WORDS}», dispone el artículo 1903 del Código Civil.", True),
        (f'El artículo 1903 del Código Civil dispone: "{WORDS}".', True),
        (f"El artículo 1903 del Código Civil señala que '{WORDS}'.", True),
        (f"El artículo 1903 del Código Civil reza: ‘{WORDS}’.", True),
        (f"El artículo 1903 del Código Civil dice: „{WORDS}“.", True),
        (f"Según el artículo 1903 del Código Civil, «{WORDS}».", True),
        (f'Conforme al artículo 1903 del Código Civil "{WORDS}".', True),
        (f"A tenor del artículo 1903 del Código Civil, «{WORDS}».", True),
        (f"En palabras del artículo 1903 del Código Civil, «{WORDS}».", True),
        (f"Dispone el artículo 1903 del Código Civil que «{WORDS}».", True),
        (f"Rige el artículo 1903 del Código Civil, a cuyo tenor «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil, relativo a la culpa ajena, dispone: «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil —sobre la culpa ajena— establece «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil no deja margen: «{WORDS}».", True),
        (f"El artículo 1903 del Código Civil prevé, en su apartado 1, que «{WORDS}».", True),
        (f"Artículo 1903 del Código Civil. «{WORDS}».", True),
        (f"Artículo 1903 del Código Civil:\n\n> {WORDS}\n\nPor tanto, procede.", True),
        (f"El artículo 1903 del Código Civil es del siguiente tenor literal:\n\n{WORDS}\n\nFin.", True),
        (f"Under article 1903 CC, “{WORDS}”.", True),
        (f"In the words of article 1903 CC: ‘{WORDS}’.", True),
        (f'"{WORDS}", as article 1903 CC puts it.', True),
        (f"«{WORDS}», dijo, y añadió el artículo 1903 del Código Civil.", None),
    ],
)
def test_words_are_an_articles_where_the_text_says_so(text: str, told: bool | None) -> None:
    if told is None:
        assert not any(claim.explicit for claim in quotes_beside(text, extract(text, "ES")))
        return
    (claim,) = quotes_beside(text, extract(text, "ES"))
    assert (claim.words, claim.explicit, claim.citations[0].articles) == (WORDS, told, ("1903",))


@pytest.mark.parametrize(
    "text",
    [
        f"Según el artículo 1903 del Código Civil procede indemnizar. La parte alegó «{WORDS}».",
        f"El arrendador, invocando el artículo 1903 del Código Civil, escribió al inquilino «{WORDS}».",
        f"«{WORDS}», dijo la demandada, que negó deber nada en virtud del artículo 1903 del Código Civil.",
        "El artículo 1903 del Código Civil dispone que «el pastor responde».",
        "El artículo 1903 del Código Civil dispone que «[ES_DNI_1] no responderá de las ovejas».",
        f"El artículo 1903 del Código Civil dispone que «{WORDS}.",
        f"«{WORDS}».",
        f"La cláusula «{WORDS}» infringe el artículo 1903 del Código Civil.",
        f"El contrato dispone que «{WORDS}», contra el artículo 1903 del Código Civil.",
        f"El artículo 1903 del Código Civil no rige, pues el contrato establece que «{WORDS}».",
        f"El inquilino, al amparo del artículo 1903 del Código Civil, contestó: «{WORDS}».",
        f"El artículo 1903 del Código Civil y la cláusula quinta, que dice «{WORDS}», se contradicen.",
        f"El artículo 1903 del Código Civil define la culpa; «{WORDS}», dijo el actor.",
        f"Véase el artículo 1903 del Código Civil. En otro orden, el perito escribió: «{WORDS}».",
        f"The tenant wrote, citing article 1903 CC, that “{WORDS}”.",
    ],
)
def test_words_of_somebody_else_are_nobodys_law(text: str) -> None:
    assert quotes_beside(text, extract(text, "ES")) == ()


def test_a_term_is_not_telling() -> None:
    assert (telling(WORDS), telling("vivienda habitual"), telling("a b c [ES_DNI_1] d")) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "El artículo 36 LAU exige una fianza de tres mensualidades.",
            "exige una fianza de tres mensualidades",
        ),
        (
            "La LAU ordena, y el artículo 36 LAU, relativo a la fianza, dispone que sean dos.",
            "dispone que sean dos",
        ),
        (
            "Según el artículo 36 LAU, la fianza es de tres mensualidades.",
            ", la fianza es de tres mensualidades",
        ),
        ("Under article 36 LAU, the deposit is of three months.", ", the deposit is of three months"),
        ("El plazo de diez días previsto en el artículo 36 LAU.", "El plazo de diez días previsto en el "),
        (
            "Rige aquí, sin duda, el de quince años del artículo 36 LAU.",
            "Rige aquí, sin duda, el de quince años del",
        ),
        (
            "Cabe recurso en el plazo de dos meses desde la notificación, con arreglo al artículo 36 LAU.",
            "Cabe recurso en el plazo de dos meses desde la notificación, con arreglo al",
        ),
        (
            "Conforme al artículo 36 LAU, el importe se reducirá en un 25 por ciento si se ingresa en el "
            "plazo de la "
            "notificación y no se interpone recurso.",
            ", el importe se reducirá en un 25 por ciento si se ingresa en el plazo de la notificación y "
            "no se "
            "interpone recurso",
        ),
    ],
)
def test_indirect_speech_is_heard_up_to_the_end_of_the_sentence(text: str, said: str) -> None:
    (claim,) = indirect_speech(text, extract(text, "ES"))
    assert (claim.words.strip(" ."), claim.explicit, claim.indirect) == (said.strip(), True, True)


@pytest.mark.parametrize(
    "text",
    [
        "De conformidad con el artículo 36 LAU, el arrendatario entrega en este acto tres mensualidades.",
        "El artículo 36 LAU dispone que «la fianza será de tres mensualidades».",
        "Se aplica el artículo 36 LAU. El contrato exige tres mensualidades.",
        "El artículo 36 LAU, según el contrato, exige a [ES_DNI_1] tres mensualidades.",
    ],
)
def test_what_parties_do_and_what_is_quoted_is_no_indirect_speech(text: str) -> None:
    assert indirect_speech(text, extract(text, "ES")) == ()


def test_a_contradiction_in_indirect_speech_is_a_mismatch_and_a_paraphrase_nothing() -> None:
    article = "La fianza será de una mensualidad de renta."
    for text, kind in (
        ("El artículo 36 LAU exige una fianza de tres mensualidades.", "meaning"),
        ("El artículo 36 LAU exige prestar como fianza una mensualidad.", None),
    ):
        cited = extract(text, "ES")
        (claim,) = attributed_quotes(text, cited)
        found = compare(claim, cited[0], article, "")
        assert (found and found.kind) == kind
        if found:
            verdict = corpus.Verdict("verified", "", "")
            assert is_quotation_of(claim, cited[0], verdict, found)
            assert corpus.apply_comparison(verdict, found).status == "mismatch"


def test_words_wholly_unlike_an_article_count_where_they_are_attributed_to_it() -> None:
    text = f"«{WORDS}» (artículo 1903 del Código Civil)."
    cited = extract(text, "ES")
    (claim,) = quotes_beside(text, cited)
    found = compare(claim, cited[0], "Quien causa daño lo repara.", "")
    assert found is not None
    assert found.similarity < 0.5
    assert is_quotation_of(claim, cited[0], corpus.Verdict("verified", "", ""), found)


def test_words_in_another_language_than_the_loaded_text_are_not_compared() -> None:
    text = "El artículo 6 RGPD dispone que «el tratamiento solo será lícito si se cumple una condición»."
    cited = extract(text, "ES")
    (claim,) = quotes_beside(text, cited)
    english = "Processing shall be lawful only if and to the extent that one of the following applies to it."
    assert compare(claim, cited[0], english, "") is None


def test_every_kind_of_quotation_marks_is_read() -> None:
    marks = ("«{}»", "“{}”", '"{}"', "'{}'", "‘{}’", "„{}“", "‹{}›", "»{}«")
    assert [quotations(f"Dijo: {mark.format(WORDS)}.") for mark in marks] == [(WORDS,)] * len(marks)
    assert quotations("The tenant's duty and the landlord's duty are the tenants' own affair.") == ()


@pytest.mark.parametrize(
    ("text", "words", "figure"),
    [
        ("Puede recurrir en el plazo de diez días (artículo 12 LAU).", "recurrir en el plazo", "diez dias"),
        (
            "Dispone usted de cinco días, según el artículo 12 LAU, y puede venir.",
            "Dispone usted",
            "cinco dias",
        ),
        ("En el plazo de ocho días, conforme al artículo 12 LAU, cabe recurso.", "cabe recurso", "ocho dias"),
        ("La cuantía excede de mil euros, que es la del artículo 12 LAU.", "excede de", "mil euros"),
        ("por ser de seis años el plazo del artículo 12 LAU", "seis años", "seis anos"),
        ("El contrato se prorroga solo, como permite el artículo 12 LAU.", "permite El contrato", ""),
        ("Nadie avisa. El artículo 12 LAU y el artículo 13 LAU así lo autorizan.", "Nadie avisa", ""),
        ("Pagan a 120 días. El artículo 12 LAU permite dicho plazo.", "permite dicho plazo", "120 dias"),
        ("Conforme al artículo 12 LAU la duración debe ser de cuatro años.", "la duración debe", ""),
    ],
)
def test_forms_in_which_a_text_says_what_an_article_provides(text: str, words: str, figure: str) -> None:
    found = [one for one in indirect_speech(text, extract(text, "ES")) if words in one.words]
    assert found, [one.words for one in indirect_speech(text, extract(text, "ES"))]
    assert found[0].figure.endswith(figure)


@pytest.mark.parametrize(
    "text",
    [
        "El inquilino paga 900 euros de fianza (artículo 36 LAU).",
        "Avisará con cuarenta días (artículo 11 LAU) por burofax.",
        "Como permite la cláusula quinta y el artículo 36 LAU, paga hoy.",
    ],
)
def test_facts_of_a_contract_are_no_claims_about_its_law(text: str) -> None:
    assert indirect_speech(text, extract(text, "ES")) == ()
