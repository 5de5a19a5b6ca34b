"""What is asked of the law for a document, and what of the answer is told: pure parts."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date

import pytest

from app.analysis import retrieval
from app.analysis.retrieval import packing, plan, store
from app.analysis.retrieval.plan import ArticleKey
from app.citations import extract
from app.rules import Brief, Reading, RulesEngine
from app.search import Scored
from tests.analysis.retrieval.dismissal import DISMISSAL, TODAY

ET = "BOE-A-2015-11430"


def _plan(text: str = DISMISSAL, *, with_rules: bool = True) -> tuple[Reading, plan.Plan]:
    reading = Reading(text, "ES")
    statements = RulesEngine().analyse(Brief(text, "ES", "laboral", "es", reading=reading)).statements
    return reading, plan.make(
        reading, statements, extract(text, "ES"), "es", branch="laboral", with_rules=with_rules
    )


def _article(
    number: str, text: str = "Palabras de la ley.", *, place: int = 1, since: date | None = None,
    until: date | None = None, version: int = 1,
) -> store.Article:  # fmt: skip
    owner = uuid.uuid5(uuid.NAMESPACE_URL, number)
    return store.Article(
        uuid.uuid5(owner, str(version)), owner, uuid.NAMESPACE_URL, place, ArticleKey("ES", ET, number), "",
        ("TÍTULO I",), "Real Decreto Legislativo 2/2015, de 23 de octubre", text, since, until,
    )  # fmt: skip


def _bare(*required: str) -> plan.Plan:
    return plan.Plan(("ES", "EU"), tuple(ArticleKey("ES", ET, one) for one in required), (), (), (), ())


def _pack(
    asked: plan.Plan, by_number: list[store.Article], found: list[tuple[store.Article, float]] = [],  # noqa: B006
    **options: float,
) -> list[packing.Passage]:  # fmt: skip
    by_key: dict[ArticleKey, tuple[store.Article, ...]] = {}
    for one in by_number:
        by_key[one.key] = (*by_key.get(one.key, ()), one)
    held = store.Found(
        by_key,
        tuple(store.Hit(one.passage_id, score, score) for one, score in found),
        {one.passage_id: one for one, _ in found},
    )
    days = (date(2025, 3, 3), TODAY)
    return list(packing.pack(asked, held, days, "es", **options))  # type: ignore[arg-type]


def test_the_bases_of_what_the_rules_found_are_required_by_number() -> None:
    _, asked = _plan()
    assert ArticleKey("ES", ET, "53") in asked.required, "the indemnity must be at hand with the letter"
    assert ArticleKey("ES", ET, "52") in asked.required, "the letter cites it"
    assert asked.jurisdictions == ("ES", "EU")


def test_without_rules_only_what_is_cited_is_required_and_only_clauses_ask() -> None:
    _, asked = _plan(with_rules=False)
    assert {one.number for one in asked.required} == {"52"}
    assert {one.origin for one in asked.questions} == {"clause"}
    assert asked.likely == asked.subjects == asked.possible == ()


def test_a_rule_a_question_of_the_checklist_and_a_clause_ask() -> None:
    _, asked = _plan()
    assert {one.origin for one in asked.questions} == {"rule", "checklist", "clause"}
    assert any("veinte días por año" in one.question.text for one in asked.questions)


def test_a_document_asks_for_the_law_of_what_it_speaks_of_though_no_rule_is_met() -> None:
    lawful = (
        "CARTA. Se comunica a la trabajadora la extinción por causas objetivas, con preaviso de quince días "
        "y puesta a disposición simultánea de veinte días de salario por año de servicio, por transferencia."
    )
    _, asked = _plan(lawful)
    assert ArticleKey("ES", ET, "53") in asked.subjects[:10]
    assert len(asked.subjects) <= 60
    colombian = Reading(lawful, "CO")
    assert plan.make(colombian, (), (), "es").subjects == (), "the rules know the law of Spain"


def test_no_placeholder_is_searched_for() -> None:
    _, asked = _plan()
    assert not any("PERSON" in one.question.text for one in asked.questions)


def test_a_document_of_any_length_asks_a_bounded_number_of_questions() -> None:
    long = "\n\n".join(
        f"{n}. La parte arrendataria {n} pagará la renta el día {n % 28 + 1} de cada mes sin demora alguna."
        for n in range(1, 600)
    )
    _, asked = _plan(long)
    assert 1 < len(asked.questions) <= 96


@pytest.mark.parametrize("text", ["", " ", "\n", "a", "[PERSON_1]", "1.\n2.\n3."])
def test_a_document_that_says_nothing_asks_without_failing(text: str) -> None:
    assert not _plan(text)[1].required


def test_the_law_above_takes_no_more_than_its_share_and_competes_for_it() -> None:
    def hits(scores: list[float]) -> list[store.Hit]:
        return [store.Hit(uuid.uuid4(), score, score) for score in scores]

    own, above = hits([0.5 - place / 1000 for place in range(100)]), hits([0.9] * 50)
    for share in (0.1, 0.15, 0.5):
        mixed = store.mix(own, above, share=share)
        for place in range(1, 100):
            assert sum(one in above for one in mixed[:place]) <= share * place
        assert sum(one in above for one in mixed[:60]) >= int(share * 60) - 1, "the best have their places"
    weak = hits([0.001] * 50)
    assert not any(one in weak for one in store.mix(own, weak)[:60]), "worse ones take nobody's place"
    assert store.mix([], above) == above[:160], "where a country's own law is away, that above it is told"
    assert store.mix(own, []) == own


@pytest.mark.parametrize(
    ("celex", "title", "cited"),
    [
        ("32012R1215", "Regulation (EU) No 1215/2012", "art. 3 del Reglamento (UE) n.º 1215/2012"),
        ("32008R0593", "Regulation (EC) No 593/2008", "art. 3 del Reglamento (CE) n.º 593/2008"),
        ("32016R0679", "Reglamento (UE) 2016/679", "art. 3 del Reglamento (UE) 2016/679"),
        ("31993L0013", "Council Directive 93/13/EEC of 5 April 1993", "art. 3 de la Directiva 93/13/CEE"),
        ("32005L0029", "Directive 2005/29/EC", "art. 3 de la Directiva 2005/29/CE"),
        ("32011L0083", "Directive 2011/83/EU", "art. 3 de la Directiva 2011/83/UE"),
        ("32019L0770", "Directive (EU) 2019/770", "art. 3 de la Directiva (UE) 2019/770"),
        ("32022L2555", "Directive (EU) 2022/2555", "art. 3 de la Directiva (UE) 2022/2555"),
    ],
)  # fmt: skip
def test_an_act_of_the_union_is_cited_as_code_reads_it_in_every_member(
    celex: str, title: str, cited: str
) -> None:
    act = replace(_article("3"), key=ArticleKey("EU", celex, "3"), title=title)
    for own in ("ES", "FR", "DE", "IT", "PT", "EU"):
        assert packing.cite(act.key, act.title, own) == cited


def test_the_day_of_the_document_comes_before_that_of_the_request() -> None:
    reading, _ = _plan()
    assert retrieval.days_of(reading, TODAY) == (date(2025, 3, 3), TODAY)
    assert retrieval.days_of(reading, date(2024, 1, 1)) == (date(2024, 1, 1),)
    assert retrieval.days_of(Reading("Sin fecha.", "ES"), TODAY) == (TODAY,)


def test_what_answers_several_questions_comes_before_what_answers_one() -> None:
    one, two, three = (uuid.uuid4() for _ in range(3))
    ranked = [[Scored(one, 0.5), Scored(two, 0.4)], [Scored(two, 0.5)], [Scored(three, 0.5)]]
    assert [hit.passage_id for hit in store.fuse(ranked, [1.0, 1.0, 0.5])] == [two, one, three]


def test_law_of_the_documents_branch_comes_before_other_law_of_the_same_score() -> None:
    own, strange, better = (_article(number) for number in ("53", "54", "55"))
    strange, better = replace(strange, norm_id=uuid.uuid4()), replace(better, norm_id=uuid.uuid4())
    hits = [
        store.Hit(one.passage_id, 0.5, score) for one, score in ((strange, 0.5), (own, 0.4), (better, 0.9))
    ]
    articles = {one.passage_id: one for one in (own, strange, better)}
    ordered = store.of_branch(hits, articles, {own.norm_id})
    assert [hit.passage_id for hit in ordered] == [better.passage_id, own.passage_id, strange.passage_id]


def test_what_rules_and_what_search_bring_are_told_in_turns() -> None:
    subjects = [_article(str(number)) for number in range(1, 50)]
    found = [(_article(str(number)), 0.9) for number in range(100, 200)]
    asked = replace(_bare(), subjects=tuple(one.key for one in subjects))
    told = [one.why for one in _pack(asked, subjects, found)]
    assert told[:4] == ["subject", "found", "subject", "found"]
    assert (told.count("subject"), told.count("found")) == (30, 30)
    [once, *_] = _pack(asked, subjects, [(subjects[0], 0.9)])
    assert once.source.id == str(subjects[0].passage_id)


def test_the_version_of_the_documents_day_is_told_under_its_own_id() -> None:
    old = _article("53", "Antes.", until=date(2025, 6, 1))
    new = _article("53", "Ahora.", since=date(2025, 6, 1), version=2)
    (told,) = _pack(_bare("53"), [old, new])
    assert told.source.id == str(old.passage_id)
    assert "Antes." in told.source.text
    assert "dejó de regir el 01/06/2025" in told.source.text
    (told,) = _pack(_bare("53"), [new])
    assert told.source.id == str(new.passage_id)
    assert "posterior al documento" in told.source.text


def test_an_id_leads_to_a_citation_that_code_recognises() -> None:
    for number in ("53", "9 bis", "da1", "dt11"):
        (told,) = _pack(_bare(number), [_article(number)])
        assert [(one.norm, one.articles) for one in extract(told.source.citation, "ES")] == [
            ("ES:rdleg:2/2015", (number,))
        ]


def test_an_article_of_a_finding_is_told_whole_and_another_in_part() -> None:
    text = "palabra " * 800
    required, found = _article("53", text), _article("54", text)
    told = _pack(_bare("53"), [required], [(found, 0.9)])
    assert [text.strip() in one.source.text for one in told] == [True, False]
    assert [one.why for one in told] == ["required", "found"]


def test_an_article_is_told_once_and_chance_not_at_all() -> None:
    one, chance = _article("53"), _article("54")
    told = _pack(_bare("53"), [one], [(one, 0.9), (chance, packing.FLOOR / 2)])
    assert [passage.source.id for passage in told] == [str(one.passage_id)]


def test_the_budget_holds_and_what_is_shorter_is_tried() -> None:
    articles = [_article("1", "x " * 1_500), _article("2", "x " * 1_500), _article("3", "breve")]
    told = _pack(_bare("1", "2", "3"), articles, budget=1_200)
    assert [one.key.number for one in told if one.key] == ["1", "3"]
    assert sum(one.tokens for one in told) <= 1_200


def test_sixty_passages_are_the_most() -> None:
    articles = [(_article(str(n)), 0.9) for n in range(1, 90)]
    assert len(_pack(_bare(), [], articles)) == 60


def test_the_neighbour_under_another_heading_is_left_out() -> None:
    hit = _article("53", place=10)
    beside = [_article("54", place=11), replace(_article("52", place=9), path=("TÍTULO II",))]
    found = store.Found({hit.key: (hit,)}, beside=tuple(beside))
    told = packing.pack(_bare("53"), found, (TODAY,), "es")
    assert [(one.key.number, one.why) for one in told if one.key] == [("53", "required"), ("54", "beside")]
