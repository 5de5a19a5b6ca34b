"""Institutions of law: which one a question in people's words is about, and the articles that govern it."""

from __future__ import annotations

import numpy as np
import pytest

from app.search import institutions, maxscore, postings, query, ranking, subject_index, thesaurus

_CIVIL_CODE = "Real Decreto de 24 de julio de 1889 por el que se publica el Código Civil"


def _name(place: int) -> str:
    return institutions._institutions()[place].name


def _best(text: str, language: thesaurus.Language = "es") -> list[str]:
    return [_name(place) for place, _ in institutions.ranked(text, language)[:2]]


def test_every_institution_names_laws_and_articles_that_can_be_read() -> None:
    names = [one.name for one in institutions._institutions()]
    assert len(names) == len(set(names)) > 250
    for country in institutions.COUNTRIES:
        for name, listed in zip(names, institutions._provisions(country), strict=True):
            marks = [one.mark for one in listed]
            assert len(marks) == len(set(marks)), (name, country)
            assert all(
                first <= subject_index._last(last) for one in listed for first, last in one.articles.ranges
            ), (name, country)


def test_an_unknown_law_is_refused() -> None:
    with pytest.raises(ValueError, match=r"laws\.toml"):
        list(institutions._read("ES", "XYZ 3"))


@pytest.mark.parametrize(
    ("text", "institution"),
    [
        (
            "un señor que trabajaba conmigo me pidió plata prestada y ahora no aparece",
            "préstamo entre particulares",
        ),
        ("el gato de la vecina arañó a mi nena", "daños causados por animales"),
        (
            "mi ex lleva un semestre sin depositar la cuota de los chicos que ordenó el juez",
            "impago de la pensión como delito",
        ),
        ("la lavadora nueva dejó de centrifugar y la tienda se desentiende", "garantía de productos"),
    ],
)
def test_words_of_any_country_tell_the_institution(text: str, institution: str) -> None:
    assert institution in _best(text)


def test_an_english_question_tells_the_institution() -> None:
    assert "daños causados por animales" in _best("my neighbour's dog attacked my son", "en")


def test_an_institution_is_named_in_each_country_by_its_own_law() -> None:
    said = "me corrieron sin ninguna razón, cuánto me toca de indemnización"
    for country, articles in (("MX", "LFT 48"), ("AR", "LCT 245"), ("CL", "CT 163"), ("CO", "CST 64")):
        meant = institutions.meant(said, country, "es", personal=True).weights
        assert max(meant, key=lambda mark: meant[mark]) == f"institution {country} {articles}"


def test_entries_of_every_country_are_words_of_an_institution() -> None:
    names = [one.name for one in institutions._institutions()]
    entries = institutions._entries_of()[names.index("prescripción de deudas")]
    shares = {subject.es: share for subject, share in entries}
    for country in institutions.COUNTRIES:
        assert any(entry.subject.es in shares for entry in subject_index.listed(country) if entry.subject.es)
    assert all(0 < share <= 1 for share in shares.values())


def test_the_principal_article_of_an_institution_comes_first() -> None:
    meant = institutions.meant("mi perro mordió a una niña", "ES", "es", personal=True).weights
    assert meant["institution ES CC 1905"] > meant["institution ES CC 1906"] > 0


def test_a_jurist_is_understood_less_by_what_people_say() -> None:
    person = institutions.meant("mordedura de perro", "CL", "es", personal=True)
    jurist = institutions.meant("mordedura de perro", "CL", "es", personal=False)
    assert person.best == jurist.best
    assert all(jurist.weights[mark] < weight for mark, weight in person.weights.items())


def test_a_country_without_articles_of_an_institution_takes_the_next() -> None:
    """Chile has no article about owners' meetings loaded: another institution is meant there."""
    spain = institutions.meant(
        "qué mayoría hace falta en la junta de vecinos para poner ascensor", "ES", "es", personal=True
    )
    chile = institutions.meant(
        "qué mayoría hace falta en la junta de vecinos para poner ascensor", "CL", "es", personal=True
    )
    assert max(spain.weights, key=lambda mark: spain.weights[mark]) == "institution ES LPH 17"
    assert chile.weights
    assert institutions.meant("divorcio", "FR", "es", personal=True) == institutions.Meant({}, 0.0)


def test_an_article_bears_the_marks_of_its_provisions() -> None:
    assert institutions.marks("ES", _CIVIL_CODE, "1905") == {"institution ES CC 1905"}
    assert institutions.marks("ES", _CIVIL_CODE, "1") == frozenset()
    assert institutions.marks("ES", _CIVIL_CODE, None) == frozenset()
    assert institutions.marks("FR", "Code civil", "1240") == frozenset()


def test_the_articles_of_an_institution_rise() -> None:
    asked = query.parse("mi perro mordió a una niña", "ES", "es")
    assert "institution ES CC 1905" in asked.terms
    raw = postings.pack([(0, {"institution ES CC 1905": 255}), (1, {"institution ES CC 1906": 255})])
    of = {mark: postings.unpack([(0, block)]) for (mark, _), block in raw.items()}
    of |= {mark: postings.NONE for mark in asked.terms if mark not in of}
    scores = maxscore.Query(asked, of, 3).scores(np.arange(3, dtype=np.uint32))
    assert scores[0] > scores[1] > scores[2]


@pytest.mark.parametrize(
    ("text", "personal"),
    [
        ("presté mi bici y no vuelve", True),
        ("perdí el juicio", True),
        ("qué pasa con el café de aquí", False),
        ("la obligación de dar alimentos", False),
    ],
)
def test_a_past_tense_in_the_first_person_speaks_of_a_case_of_ones_own(text: str, personal: bool) -> None:
    assert thesaurus.understand(text, "es").personal is personal


def test_weak_hints_together_pass_the_floor_and_alone_do_not() -> None:
    def asked(hints: float | None, sure: float = 0.0) -> query.ParsedQuery:
        return query.ParsedQuery(
            "ES", {"gato": 1.0, "pienso": 1.0}, (), "semantic", "es", sure=sure, hints=hints
        )

    of = {
        "gato": postings.unpack([(0, postings.pack([(0, {"gato": 255})])["gato", 0])]),
        "pienso": postings.unpack([(0, postings.pack([(1, {"pienso": 255})])["pienso", 0])]),
    }
    assert not ranking._answers("article", asked(2.0), of, 4)
    assert ranking._answers("article", asked(9.0), of, 4)
    assert ranking._answers("article", asked(2.0, sure=1.0), of, 4)


def test_a_word_that_names_a_matter_of_law_needs_nothing_beside_it() -> None:
    for text, language in (("me corrieron ayer", "es"), ("my landlord again", "en")):
        assert thesaurus.understand(text, language).sure >= ranking._SURE
    assert thesaurus.understand("me compré un pantalón ayer", "es").sure < ranking._SURE
