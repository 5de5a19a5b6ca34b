"""The pure parts of search: stems, weights, postings, fusion and questions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.search import bm25, highlights, postings, query, ranking, thesaurus
from app.search.analyzer import stems
from app.search.ranking import fuse


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("indemnización", "INDEMNIZACION"),
        ("indemnizaciones", "indemnización"),
        ("arrendador", "arrendadores"),
        ("prescripción", "prescripcion"),
    ],
)
def test_accents_case_and_number_do_not_part_words(one: str, other: str) -> None:
    assert stems(one) == stems(other) != []


def test_stop_words_are_left_out_and_numbers_stay() -> None:
    assert stems("el artículo 1902 de la ley") == ["1902", *stems("ley")]


def test_a_word_of_the_heading_outweighs_one_of_the_text() -> None:
    text = "palabra " * 5 + "usura"
    in_heading, _ = bm25.field_frequencies("article", "Ley", "", "Artículo 3. Usura.", "palabra " * 6, "es")
    in_text, _ = bm25.field_frequencies("article", "Ley", "", "Artículo 3. Otra cosa.", text, "es")
    stem = stems("usura")[0]
    assert in_heading[stem] > 1.5 * in_text[stem]


def test_dispositions_and_regulations_stand_behind_the_rule_itself() -> None:
    def standing(title: str, heading: str, text: str = "Texto de la norma.") -> float:
        return bm25.field_frequencies("article", title, "", heading, text, "es")[1]

    assert standing("Ley 1/2000", "Artículo 5") == 1
    assert standing("Ley 1/2000", "Disposición transitoria 2. Plazos") < 1
    assert standing("Real Decreto 939/2005, de 29 de julio", "Artículo 5") < 1
    assert standing("Real Decreto Legislativo 2/2015, de 23 de octubre", "Artículo 5") == 1
    assert standing("Ley 1/2000", "Artículo 5", "(Derogado)") < 1


# A machine that others use is slow now and then.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.integers(0, 200_000), st.integers(1, 255), st.booleans()),
        unique_by=lambda row: row[0],
        max_size=20,
    )
)
def test_postings_come_back_as_they_were_packed(made: list[tuple[int, int, bool]]) -> None:
    rows = [(ordinal, {"a" if is_a else "b": weight}) for ordinal, weight, is_a in sorted(made)]
    blocks: dict[str, list[tuple[int, bytes]]] = {}
    for (stem, block), raw in sorted(postings.pack(rows).items()):
        blocks.setdefault(stem, []).append((block, raw))
    for stem in "ab":
        found = postings.unpack(blocks.get(stem, []))
        expected = [(ordinal, weights[stem]) for ordinal, weights in rows if stem in weights]
        assert list(zip(found.ordinals.tolist(), found.weights.tolist(), strict=True)) == expected


def test_postings_of_many_passages_are_a_table_that_says_the_same() -> None:
    chance = np.random.default_rng(3)
    asked = np.arange(0, 2_000, 7, dtype=np.uint32)
    for count in (0, 1, 90, 400, 900):
        ordinals = np.sort(chance.choice(1_000, count, replace=False)).astype(np.uint32)
        plain = postings.Postings(ordinals, chance.integers(1, 256, count).astype(np.uint8))
        table = plain.compact()
        assert (table.table is not None) == (count >= 400)
        assert table.size <= plain.size
        assert (table.count, table.most) == (plain.count, plain.most)
        for one in (table, table.before(600), table.before(600).followed_by(table)):
            assert one.ordinals.dtype == np.uint32
        assert table.ordinals.tolist() == plain.ordinals.tolist()
        assert table.weights.tolist() == plain.weights.tolist()
        assert table.before(600).ordinals.tolist() == [one for one in ordinals.tolist() if one < 600]
        weights = dict(zip(plain.ordinals.tolist(), plain.weights.tolist(), strict=True))
        for one in (plain, table):
            assert one.weights_of(asked).tolist() == [weights.get(at, 0) for at in asked.tolist()]
        wanted = {"a": 0.7}
        assert (
            bm25.scores(wanted, {"a": plain}, 500).tolist() == bm25.scores(wanted, {"a": table}, 500).tolist()
        )


def test_bytes_appended_later_are_read_as_one() -> None:
    first = postings.pack([(1, {"a": 10})])["a", 0]
    second = postings.pack([(7, {"a": 20})])["a", 0]
    assert postings.unpack([(0, first + second)]).ordinals.tolist() == [1, 7]


def test_rare_words_count_more_and_what_does_not_stand_is_left_out() -> None:
    everywhere = postings.unpack([(0, b"".join(
        postings.pack([(place, {"a": 200})])["a", 0] for place in range(10)
    ))])  # fmt: skip
    once = postings.unpack([(0, postings.pack([(3, {"a": 200})])["a", 0])])
    scores = bm25.scores({"common": 1, "rare": 1}, {"common": everywhere, "rare": once}, 10)
    standing = np.ones(10, bool)
    assert bm25.top(scores, standing, 3)[0][0] == 3
    standing[3] = False
    assert 3 not in [ordinal for ordinal, _ in bm25.top(scores, standing, 10)]


def test_fusion_prefers_what_both_found() -> None:
    both = fuse((1.0, ["a", "b", "c"]), (0.2, ["c", "b", "d"]))
    assert both[0][0] == "b"
    assert {item for item, _ in both} == {"a", "b", "c", "d"}
    assert fuse((1.0, ["b", "a"]), (0.2, ["a"]))[0][1] <= 1
    assert fuse((1.0, ["a"]), (0.2, ["a"])) == [("a", 1.0)]
    assert fuse((1.0, ["a", "b"]))[0] == ("a", 1.0)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("what is the limitation period for tort", True),
        ("forced heirs", True),
        ("unfair dismissal compensation", True),
        ("quiénes son herederos forzosos", False),
        ("despido improcedente", False),
        ("responsabilidad civil", False),
        ("art. 1902 CC", False),
    ],
)
def test_the_language_of_a_question_is_told(text: str, english: bool) -> None:
    assert query.is_english(text) is english


def test_an_english_question_is_asked_in_the_words_of_the_law() -> None:
    wanted = query.parse("unfair dismissal of a worker", "ES", "es").stems
    assert {*stems("despido improcedente trabajador")} <= set(wanted)
    assert "unfair" not in wanted


def test_a_concept_brings_the_words_of_the_law_to_a_passage_at_a_lower_weight() -> None:
    wanted = query.clause_stems("vicios ocultos", "ES", "es")
    saneamiento = stems("saneamiento")[0]
    assert 0 < wanted[saneamiento] < wanted[stems("vicios")[0]]


def _phrases(text: str) -> set[tuple[str, ...]]:
    found = query.parse(text, "ES", "es").concepts
    return {phrase for concept in found for phrase in concept.phrases}


def _named(law: str) -> tuple[str, ...]:
    return tuple(stems(law))


def test_the_longest_concept_alone_is_meant() -> None:
    assert not {stem for phrase in _phrases("legítima defensa") for stem in phrase} & set(stems("viudo"))


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("me han echado a la calle sin motivo", "despido improcedente indemnización"),
        ("a mi hermano lo despidieron ayer", "despido del trabajador"),
        ("el inquilino lleva tres meses sin pagar el alquiler", "desahucio falta de pago"),
        ("my landlord kept the deposit", "fianza en metálico una mensualidad de renta"),
        ("exceptio non adimpleti contractus", "suspender el cumplimiento de la prestación"),
    ],
)
def test_what_people_and_jurists_say_is_asked_in_the_words_of_the_law(text: str, law: str) -> None:
    assert any(set(_named(law)) <= set(phrase) for phrase in _phrases(text))


def test_the_laws_of_the_branch_are_likelier() -> None:
    asked = query.parse("me han echado del trabajo", "ES", "es")
    assert asked.branches[thesaurus.mark("labour")] == 1
    assert thesaurus.marks("Ley del Estatuto de los Trabajadores", "es") == (thesaurus.mark("labour"),)
    assert thesaurus.mark("contracts") in thesaurus.marks("Código Civil Federal", "es")
    assert thesaurus.marks("Code civil", "fr") == ()
    assert thesaurus.mark("contracts") not in thesaurus.marks("Código Procesal Civil y Comercial", "es")


def test_a_person_is_told_from_a_jurist() -> None:
    assert thesaurus.understand("me deben tres sueldos", "es").personal
    assert not thesaurus.understand("mora del deudor", "es").personal


def test_words_that_say_nothing_weigh_little() -> None:
    wanted = query.parse("cuánto puedo pedir de herencia", "ES", "es").stems
    assert wanted[stems("puedo")[0]] < 0.5 * wanted[stems("herencia")[0]]


def test_every_phrase_of_the_thesaurus_says_something() -> None:
    for language in ("es", "en"):
        found, _ = thesaurus._phrases(language)
        assert len(found) > 1_200
        assert all(phrase and all(matter.law) for phrase, of_it in found.items() for matter in of_it)
    unused = [
        (branch, phrase)
        for branch, listed in thesaurus._branches().items()
        for one in (*listed.situations, *listed.doctrine)
        for language, phrases in (("es", one.es), ("en", one.en))
        for phrase in phrases
        if thesaurus._key(phrase, language) is None
    ]
    assert unused == []


@pytest.mark.parametrize("text", ["error judicial", "capital social", "nulidad total"])
def test_words_that_are_spelled_alike_are_spanish(text: str) -> None:
    assert not query.is_english(text)


def _concept(*wordings: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(wording.split()) for wording in wordings)


def test_a_judgment_answers_only_where_it_speaks_of_the_matter() -> None:
    rows = [(place, {"usur": 120} if place == 7 else {"dinero": 120, "interes": 120}) for place in range(40)]
    packed = sorted(postings.pack(rows).items())
    found = {stem: postings.unpack([(0, raw)]) for (stem, _), raw in packed}
    found |= dict.fromkeys(("tarjet", "normal"), postings.NONE)
    matter = query.Concept(_concept("usur", "interes normal dinero"), 1.0)

    def answers(kind: str, **words: float) -> bool:
        asked = query.ParsedQuery("ES", words, (), "semantic", "es", (matter,), sure=1.0)
        return ranking._answers(kind, asked, found, 40)

    assert bm25.most_said(matter.phrases, found, 40) < 0.1
    assert answers("judgment", usur=1.0)
    assert not answers("judgment", tarjet=1.0)
    assert answers("article", tarjet=1.0)


def test_what_is_told_at_length_is_understood() -> None:
    near = "me vendieron un coche de segunda mano averiado"
    far = (
        "el coche, que compré a un señor de mi pueblo el verano pasado con todos mis ahorros y que según él "
        "era de segunda mano pero como nuevo, se ha quedado averiado"
    )
    hidden = set(stems("saneamiento defectos ocultos vendedor"))
    named, likely = (
        {
            matter: share
            for matter, share in thesaurus.understand(text, "es").matters
            if hidden <= set(matter.law[0])
        }
        for text in (near, far)
    )
    assert named
    assert likely
    assert max(likely.values()) < max(named.values())
    assert thesaurus.understand("receta de paella valenciana", "es").matters == ()


def test_words_of_a_matter_that_no_law_treats_need_surer_signs() -> None:
    said = {
        "cómo se hace una tortilla jugosa": True,
        "how to bake sourdough bread": True,
        "me intoxiqué en un restaurante y quiero reclamar": False,
        "the landlord keeps my deposit": False,
    }
    assert {text: query.parse(text, "ES", "es").elsewhere for text in said} == said
    for text, answered in (
        ("cómo se hace una tortilla jugosa", False),
        ("mora creditoris del accipiens", True),
    ):
        parsed = query.parse(text, "ES", "es")
        stems_of = {stem: postings.unpack([]) for stem in parsed.terms}
        assert ranking._answers("article", parsed, stems_of, 4) is answered


def test_words_that_the_law_has_too_are_of_another_topic_only_in_a_phrase() -> None:
    of_law = {
        "es": (
            "cuál es el capital de una sociedad limitada",
            "me han hecho un abono en cuenta por error",
            "responsabilidad derivada del administrador",
            "puedo podar las ramas del árbol del vecino",
            "quién paga las manchas de humedad del piso",
            "etiquetado de ingredientes alérgenos",
            "hay que traducir un título con traductor jurado",
            "pantallazo de WhatsApp como prueba",
            "garantía de un iPhone de segunda mano",
            "la operadora me cobra el router al darme de baja",
            "mi jefe me obliga a llevar corbata",
            "baja por insomnio tras acoso laboral",
            "municipios con población de más de 5.000 habitantes",
            "tributa en España la renta mundial",
            "ayudas por el volcán de La Palma",
            "accidente con un tráiler",
            "Netflix me cobró tras cancelar",
            "mi vecino toca el piano de noche",
            "puedo sembrar en la finca arrendada",
            "han publicado mi poema sin permiso",
        ),
        "en": (
            "minimum share capital of a limited company",
            "can I quote lyrics in a book",
            "who owns the copyright in a poem",
            "the operator changed the itinerary of my package holiday",
        ),
    }
    wrong = [
        text for lang, texts in of_law.items() for text in texts if query.parse(text, "ES", lang).elsewhere
    ]
    assert wrong == []
    for text in ("cuál es la capital de Francia", "abono casero para plantas", "calcular la derivada de x"):
        assert query.parse(text, "ES", "es").elsewhere, text


def test_words_of_several_phrases_make_a_matter_likely() -> None:
    said = "el fontanero dejó sin terminar los trabajos, cobró y ahora no aparece; la reforma quedó a medias"
    law = set(_named("contrato de obra"))
    assert any(
        law <= set(phrase) for matter, _ in thesaurus.understand(said, "es").matters for phrase in matter.law
    )


def test_an_english_question_is_understood_by_its_words_in_spanish() -> None:
    asked, spanish = "party wall between two plots", ["medianería", "servidumbre", "predio"]
    alone = {matter for matter, _ in thesaurus.understand(asked, "en").matters}
    both = {matter for matter, _ in thesaurus.understand(asked, "en", spanish).matters}
    gained = {stem for matter in both - alone for phrase in matter.law for stem in phrase}
    assert alone < both
    assert set(stems("servidumbre predio")) <= gained


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("me han echado a la calle sin motivo", True),
        ("servidumbre de paso", True),
        ("how long is the notice of dismissal", True),
        ("cómo plantar tomates y pepinos", False),
        ("letra de la canción de cumpleaños", False),
        ("who won the world cup", False),
    ],
)
def test_it_is_told_how_sure_a_matter_of_law_is_meant(text: str, meant: bool) -> None:
    assert (query.parse(text, "ES", "es").sure >= ranking._SURE) is meant


def test_the_words_found_are_marked() -> None:
    text = "Artículo 5. La falta de pago de la renta permite resolver el contrato. Otra cosa no."
    asked = query.parse("no pago el alquiler", "ES", "es")
    found = [text[start:end] for start, end in highlights.spans(text, asked)]
    assert "falta de pago de la renta" in found
    assert not any("Otra" in one for one in found)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("subrenta casa renta", [(14, 19)]),
        ("renta casa rentable casa _renta casa renta", [(0, 5), (25, 31), (37, 42)]),
        ("subrenta", []),
    ],
)
def test_a_part_of_a_word_is_not_marked(text: str, places: list[tuple[int, int]]) -> None:
    asked = query.ParsedQuery("ES", dict.fromkeys(stems("renta"), 1.0), (), "semantic", "es")
    assert highlights.spans(text, asked) == places


@given(st.text("ab \u00e1,.", max_size=300), st.lists(st.tuples(st.integers(0, 90), st.integers(1, 9))))
def test_an_extract_is_a_part_of_the_text(text: str, made: list[tuple[int, int]]) -> None:
    marked, at = [], 0
    for start, length in sorted(made):
        if start >= at and start + length <= len(text):
            marked.append((start, start + length))
            at = start + length
    pieces = highlights.extract(text, marked, 40)
    plain = "".join(piece for piece, _ in pieces).removeprefix("… ").removesuffix(" …")
    assert plain in text
    assert len(plain) <= 40


@pytest.mark.parametrize(
    ("text", "intent"),
    [("STS 241/2013", "citation"), ("art. 1124 CC", "citation"), ("qué ley regula el seguro", "statute"),
     ("cláusula suelo", "semantic")],
)  # fmt: skip
def test_the_intent_is_told(text: str, intent: str) -> None:
    assert query.parse(text, "ES", "es").intent == intent
