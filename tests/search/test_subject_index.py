"""The index of subjects: which articles stand in an entry, and which entries a question means."""

from __future__ import annotations

import numpy as np
import pytest

from app.search import indexing, maxscore, postings, query, subject_index

_CIVIL_CODE = "Real Decreto de 24 de julio de 1889 por el que se publica el Código Civil"
_CRIMINAL_PROCEDURE = (
    "Real Decreto de 14 de septiembre de 1882 por el que se aprueba la Ley de Enjuiciamiento Criminal"
)
_REVISION = (
    "Real Decreto 520/2005, de 13 de mayo, por el que se aprueba el Reglamento general de desarrollo de la "
    "Ley 58/2003, de 17 de diciembre, General Tributaria"
)


def _ranges(title: str, number: str, jurisdiction: str = "ES") -> set[str]:
    return {mark.rsplit(" ", 1)[1] for mark in subject_index.marks(jurisdiction, title, number)}


@pytest.mark.parametrize(
    ("title", "number", "within", "outside"),
    [
        (_CIVIL_CODE, "1178", "1176-1181", "1182-1186"),
        (_CIVIL_CODE, "1902", "1902", "1903"),
        (_CIVIL_CODE, "241 bis", "239-248", "249-255"),
        (_CIVIL_CODE, "343 bis", "333-345", "348-349"),
        (_CRIMINAL_PROCEDURE, "588 ter a", "bis-588 octies", "545-578"),
    ],
)
def test_an_article_stands_in_the_entries_around_it(
    title: str, number: str, within: str, outside: str
) -> None:
    found = set(subject_index.marks("ES", title, number))
    assert any(mark.endswith(within) for mark in found)
    assert not any(mark.endswith(f" {outside}") for mark in found)


def test_a_letter_behind_a_number_is_ordered() -> None:
    assert "291A-291U" in _ranges("Ley Federal del Trabajo", "291C", "MX")
    assert "291A-291U" not in _ranges("Ley Federal del Trabajo", "291", "MX")


@pytest.mark.parametrize("number", [None, "", "final", "disposición adicional primera"])
def test_what_has_no_number_stands_in_no_entry(number: str | None) -> None:
    assert subject_index.marks("ES", _CIVIL_CODE, number) == frozenset()


def test_a_regulation_is_not_the_law_that_it_names() -> None:
    assert subject_index.marks("ES", _REVISION, "66") == {
        mark for mark in subject_index.marks("ES", _REVISION, "66") if "reglamento" in mark
    }
    assert subject_index.marks("ES", "Ley 58/2003, de 17 de diciembre, General Tributaria", "66")


def test_a_country_without_an_index_has_no_entries() -> None:
    assert subject_index.marks("FR", "Code civil", "1240") == frozenset()
    assert subject_index.subjects("mora creditoris", "FR", "es", personal=False).weights == {}


@pytest.mark.parametrize(
    ("text", "jurisdiction", "range_"),
    [
        ("exceptio non adimpleti contractus y facultad resolutoria tácita", "ES", "1124"),
        ("rescisión por lesión enorme", "CL", "1888-1896"),
        ("el casero no me devuelve la fianza", "ES", "36"),
        ("me corrieron sin motivo y quiero mi liquidación", "MX", "48"),
        ("teoría de la imprevisión y excesiva onerosidad", "CO", "868"),
        ("piercing the corporate veil of a company", "AR", "54"),
        ("who may bring the Paulian action", "MX", "2163-2179"),
    ],
)
def test_doctrine_and_english_mean_the_entry(text: str, jurisdiction: str, range_: str) -> None:
    asked = query.parse(text, jurisdiction, "es")
    best = max(asked.subjects, key=lambda mark: asked.subjects[mark])
    assert best.rsplit(" ", 1)[1] == range_
    assert best in asked.terms


def test_a_person_is_understood_less_by_the_words_of_jurists() -> None:
    jurist = subject_index.subjects("usucapión", "ES", "es", personal=False).weights
    person = subject_index.subjects("usucapión", "ES", "es", personal=True).weights
    assert jurist.keys() == person.keys()
    assert all(person[mark] < jurist[mark] for mark in jurist)


def test_a_term_of_doctrine_that_the_law_lacks_is_surely_meant() -> None:
    assert query.parse("mora creditoris del accipiens", "ES", "es").sure == 1


def test_an_entry_of_many_articles_adds_less_to_each() -> None:
    raw = postings.pack([(0, {"one": 255, "all": 255}), (1, {"all": 255}), (2, {"all": 255})])
    of = {mark: postings.unpack([(0, raw[mark, 0])]) for mark in ("one", "all")}
    asked = query.ParsedQuery("ES", {}, (), "semantic", "es", subjects={"one": 2.0, "all": 2.0})
    scores = maxscore.Query(asked, of, 4).scores(np.arange(4, dtype=np.uint32))
    assert scores[0] == 2.0 > scores[1] == scores[2] > scores[3] == 0


def test_every_entry_names_articles_in_order() -> None:
    for jurisdiction in ("ES", "AR", "CL", "CO", "MX"):
        for name, law in subject_index._laws(jurisdiction):
            for key, subject in law.subjects.items():
                articles = subject_index.articles(name, key)
                assert subject.es or subject.en, f"{name} {key} says nothing"
                assert all(first <= subject_index._last(last) for first, last in articles.ranges), (name, key)


def test_what_clients_of_a_country_say_means_the_article_of_its_law() -> None:
    said = {
        ("CO", "ya entregué el puesto y siguen sin pagarme prestaciones finales"): "65",
        ("CO", "avalista de una letra que firmé"): "633-636",
        ("MX", "el patrón no me dio de alta en el IMSS"): "12,15",
        ("MX", "quiero dejar mis bienes con testamento escrito a mano, de puño y letra"): "1550-1553,1559",
        ("AR", "el consorcio me reclama expensas extraordinarias"): "2048-2050",
        ("AR", "el padre no pasa la cuota de alimentos"): "658-660,662",
        ("CL", "emito boletas y cumplo horario con jefe"): "7-8",
        ("CL", "pagué y sigo en el boletín comercial"): "17-19",
        ("ES", "me inscribieron en ASNEF por una deuda discutida"): "20",
    }
    for (jurisdiction, text), wanted in said.items():
        asked = query.parse(text, jurisdiction, "es")
        best = sorted(asked.subjects, key=lambda mark: -asked.subjects[mark])[:5]
        assert any(mark.endswith(f" {wanted}") for mark in best), (text, best)


def test_a_law_is_known_by_its_short_title_and_by_the_one_it_was_loaded_with() -> None:
    loaded = {
        ("AR", "Ley de Contrato de Trabajo", "245"): "Ley de Contrato de Trabajo 20.744 (t.o. 1976)",
        ("AR", "Constitución de la Nación Argentina", "43"): "Constitución Nacional",
        ("CO", "Estatuto del Consumidor", "7"): "Ley 1480 de 2011",
        (
            "MX",
            "Ley de Amparo",
            "79",
        ): "Ley de Amparo, Reglamentaria de los artículos 103 y 107 de la Constitución",
    }
    for (jurisdiction, title, number), law in loaded.items():
        names = indexing.names_of(title, law)
        assert subject_index.marks(jurisdiction, names, number), (title, law)
    assert indexing.names_of("Código Civil", "Código Civil") == indexing.names_of("Código Civil", None)


def test_an_english_entry_that_says_a_whole_phrase_counts_more() -> None:
    entries = ["boundary stones, right of way", "right of passage along rivers, way of payment and more"]
    rarity = dict.fromkeys(subject_index.thesaurus.roots(" ".join(entries), "en"), 1.0)
    asked = subject_index.thesaurus.roots("right of way", "en")
    whole, parts = subject_index._phrases(entries, rarity).best(asked, len(entries))
    assert whole == len(asked) > parts > 0


def test_the_country_asked_of_says_nothing_about_the_matter() -> None:
    plain = subject_index.subjects("branches of a neighbour's tree", "MX", "en", personal=False)
    named = subject_index.subjects("branches of a neighbour's tree, Mexican", "MX", "en", personal=False)
    assert plain == named
    assert subject_index.thesaurus.roots("Chilean", "en")[0] in subject_index.thesaurus.empty_roots("en")


@pytest.mark.parametrize(
    ("text", "jurisdiction", "language", "range_"),
    [
        ("ius transmissionis", "ES", "es", "1006"),
        ("nemo subrogat contra se", "ES", "es", "1213"),
        ("perpetuatio iurisdictionis", "ES", "es", "411"),
        ("how an easement is extinguished", "CO", "en", "942"),
        ("executor's term where the will sets none", "CL", "en", "1304"),
        ("share of the finder of lost property", "MX", "en", "781"),
        ("hidden defects: notice within sixty days", "AR", "en", "1054"),
    ],
)
def test_a_doctrine_and_an_institute_in_english_have_the_article_that_states_the_rule(
    text: str, jurisdiction: str, language: subject_index.Language, range_: str
) -> None:
    found = subject_index.subjects(text, jurisdiction, language, personal=False).weights
    assert max(found, key=lambda mark: found[mark]).endswith(f" {range_}")
