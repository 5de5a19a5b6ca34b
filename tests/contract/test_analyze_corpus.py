"""Analyses that have a loaded corpus behind them: quoted law, and judgments (decisions 013 to 016)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import citator, corpus, tenancy
from app.analysis.audit import Case
from app.analysis.audit.checks import find_objections
from app.analysis.checks import citation_checker
from app.analysis.checks.citation_findings import CitationFindings
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.draft import node_a
from app.analysis.pipeline import JudgedDraft, judge
from app.analysis.request import AnalysisRequest
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import Citation
from app.platform import clock
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.rules.brief import Brief
from app.rules.draft import Draft, Lock, Section, Statement
from tests.cast import LEASE, Cast, Player
from tests.contract.law import CODE
from tests.corpus.conftest import clear

RIGHT = "El pastor no responderá de las ovejas perdidas"
WRONG = "El pastor responderá de las ovejas perdidas"
DECISIONS = [
    ("Sentencia T-100 de 2001", "2001-02-03", "Se concede el amparo."),
    ("Sentencia T-200 de 2002", "2002-02-03", "Se reitera la sentencia T-100 de 2001."),
    (
        "Sentencia C-300 de 2003",
        "2003-02-03",
        "La Sala se aparta de la doctrina sentada en la sentencia T-100 de 2001.",
    ),
]


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


@pytest.fixture
def code(app: object, tmp_path: Path) -> Iterator[None]:
    clear()
    path = tmp_path / "BOE-A-1889-4763.md"
    path.write_text(CODE, encoding="utf-8")
    corpus.load("statutes", path, "markdown", now=clock.now())
    yield
    clear()


@pytest.fixture
def decisions(app: object, tmp_path: Path) -> Iterator[None]:
    clear()
    path = tmp_path / "decisions.jsonl"
    rows = [
        {"jurisdiction": "CO", "title": title, "court": "Corte Constitucional", "date": day, "text": text}
        for title, day, text in DECISIONS
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    corpus.load("judgments", path, "jsonl", now=clock.now())
    citator.read_waiting(clock.now)
    yield
    clear()


def _analyse(client: FlaskClient, player: Player, **body: Any) -> dict[str, Any]:
    response = client.post("/api/v1/analyze", json=body, headers=player.auth)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def _check(body: dict[str, Any], article: str) -> dict[str, Any]:
    (found,) = [one for one in body["citationChecks"]["checks"] if article in one["citation"]]
    return dict(found)


def test_words_that_an_article_says_are_verified_with_their_similarity(
    client: FlaskClient, alice: Player, code: None
) -> None:
    body = _analyse(client, alice, text=f"{LEASE} El artículo 1903 del Código Civil dispone que «{RIGHT}».")
    found = _check(body, "1903")
    assert (found["status"], found["similarity"], "mismatchKind" in found) == ("verified", 1.0, False)
    assert found["depth"] == "words"
    assert body["citationChecks"]["anyBroken"] is False


@pytest.mark.parametrize(
    ("cited", "status", "depth"),
    [
        ("el artículo 1903 del Código Civil", "verified", "article"),
        ("el artículo 1903 del Código Civil, párrafo noveno", "not_found", "paragraph"),
        ("la letra b) del artículo 1903 del Código Civil", "not_found", "paragraph"),
        ("el artículo 0 del Código Civil", "not_found", "norm"),
    ],
)
def test_each_citation_says_how_deep_it_was_checked(
    client: FlaskClient, alice: Player, code: None, cited: str, status: str, depth: str
) -> None:
    checks = _analyse(client, alice, text=f"{LEASE} Rige {cited}.")["citationChecks"]["checks"]
    assert [(one["status"], one["depth"]) for one in checks if "Código Civil" in one["citation"]] == [
        (status, depth)
    ]


def test_the_same_article_with_and_without_a_paragraph_are_two_checks(
    client: FlaskClient, alice: Player, code: None
) -> None:
    text = (
        f"{LEASE} Rige el artículo 1903 del Código Civil, y la letra b) del artículo 1903 del Código Civil."
    )
    checks = _analyse(client, alice, text=text)["citationChecks"]["checks"]
    assert [one["status"] for one in checks if "1903" in one["citation"]] == ["verified", "not_found"]


@pytest.mark.parametrize(
    "written",
    [
        'Según el artículo 1903 del Código Civil, "el mar es azul, hondo y no tiene dueño alguno".',
        "«El mar es azul, hondo y no tiene dueño alguno» (artículo 1903 del Código Civil).",
        "El artículo 1903 del Código Civil, relativo al pastor, señala que 'el mar es azul y sin dueño'.",
    ],
)
def test_words_wholly_unlike_an_article_are_a_mismatch_of_low_similarity(
    client: FlaskClient, alice: Player, code: None, written: str
) -> None:
    found = _check(_analyse(client, alice, text=f"{LEASE} {written}"), "1903")
    assert (found["status"], found["depth"]) == ("mismatch", "words")
    assert found["similarity"] < 0.5


def test_words_that_an_article_does_not_say_are_a_mismatch_and_a_finding(
    client: FlaskClient, alice: Player, code: None
) -> None:
    text = f"{LEASE} El artículo 1903 del Código Civil dispone que «{WRONG}»."
    body = _analyse(client, alice, text=text, mode="deep")
    found = _check(body, "1903")
    assert (found["status"], found["mismatchKind"]) == ("mismatch", "meaning")
    assert 0.8 < found["similarity"] < 1
    assert body["citationChecks"]["anyBroken"] is True
    findings = [one for one in body["audit"]["findings"] if "1903" in one["description"]]
    assert [one["type"] for one in findings] == ["citation_error"]
    assert "no dice las palabras que se le atribuyen" in findings[0]["description"]


def test_without_a_corpus_no_words_are_judged(client: FlaskClient, alice: Player) -> None:
    body = _analyse(client, alice, text=f"{LEASE} El artículo 1903 del Código Civil dispone que «{WRONG}».")
    assert _check(body, "1903")["similarity"] is None
    assert _check(body, "1903")["status"] == "verified"


ON = date(2026, 11, 21)
DOCUMENT = "El inquilino rompió un cántaro. Véase el artículo 1903 del Código Civil."


def _judged(*statements: Statement) -> tuple[JudgedDraft, CitationFindings, Draft]:
    request = AnalysisRequest(DocumentText(DOCUMENT), "ES", "civil", "es", "standard")
    draft = Draft("test", "test", "carta", "Una carta.", statements, len(DOCUMENT), len(DOCUMENT))
    finder = QuoteFinder(DOCUMENT)
    collected = citation_checker.collect_statements(
        citation_checker.collect_document(DOCUMENT, "ES"), statements, finder
    )
    findings = citation_checker.check(collected, citation_checker.look_up(collected, ON), ON, finder)
    return judge(request, draft, finder, findings, jurisdiction="ES"), findings, draft


def _stated(text: str, *quotes: str, lock: Lock = Lock.L1) -> Statement:
    return Statement(Section.REASONING, text, quotes, ("art. 1903 del Código Civil",), lock)


def test_l1_is_earned_by_the_literal_words_of_a_loaded_article(code: None) -> None:
    whole = f"{RIGHT}, salvo que durmiera"
    judged_draft, found, _ = _judged(
        _stated("El pastor no responde de las ovejas perdidas, salvo que durmiera.", whole)
    )
    assert (judged_draft.judged[0].lock, judged_draft.judged[0].lowered) == (Lock.L1, None)
    assert [(one.verdict.status, one.verdict.similarity) for one in found.checks] == [("verified", 1.0)]


def test_l1_is_refused_where_the_articles_exception_is_left_out(code: None) -> None:
    judged_draft, _, _ = _judged(_stated("El pastor no responde de las ovejas perdidas.", RIGHT))
    assert judged_draft.judged[0].lock is Lock.L4


def test_l1_is_refused_for_other_words_and_the_documents_own_citation_stays_right(code: None) -> None:
    judged_draft, found, _ = _judged(_stated("El pastor queda obligado.", WRONG))
    assert judged_draft.judged[0].lock is Lock.L4
    assert judged_draft.judged[0].lowered == "the article cited does not say the words quoted"
    shown = [(one.in_document, one.verdict.status, one.verdict.mismatch_kind) for one in found.checks]
    assert shown == [(True, "verified", None), (False, "mismatch", "meaning")]


def test_words_in_a_statements_own_sentence_are_held_against_the_article(code: None) -> None:
    made = _stated(f"El artículo 1903 del Código Civil dispone que «{WRONG}».", lock=Lock.L4)
    judged_draft, found, draft = _judged(made)
    assert judged_draft.judged[0].lowered == "the article cited does not say the words quoted"
    brief = Brief(DOCUMENT, "ES", "civil", "es")
    case = Case(
        document=DOCUMENT,
        jurisdiction="ES",
        branch="civil",
        language="es",
        draft=draft,
        judged=judged_draft.judged[:1],
        checks=judged_draft.checks,
        cited=found.authorities,
        reference=node_a.engine("rules").analyse(brief),
    )
    told = [one for one in find_objections(case) if "no dice las palabras" in one.description]
    assert [(one.type, one.severity, one.statement) for one in told] == [("citation_error", "high", 0)]


def test_words_that_are_like_no_article_are_no_law(code: None) -> None:
    judged_draft, found, _ = _judged(_stated("Consta.", "La luna sale cada noche sobre el mar"))
    assert judged_draft.judged[0].lowered == "quoted words not found in the document"
    assert [one.verdict.status for one in found.checks] == ["verified"]


def test_the_corpus_is_asked_once(code: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _counting(monkeypatch)
    more = Statement(Section.REASONING, "Más.", (), ("art. 1902 del Código Civil", "art. 6 LAU"))
    _judged(_stated("El pastor no responde de las ovejas perdidas.", RIGHT), more)
    assert len(asked) == 1


def test_what_was_looked_up_is_not_looked_up_again(code: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _counting(monkeypatch)
    text = f"{DOCUMENT} El artículo 1903 del Código Civil dispone que «{WRONG}»."
    document = citation_checker.collect_document(text, "ES")
    law = citation_checker.look_up(document, ON)
    assert citation_checker.look_up(document, ON, known=law).asked == law.asked
    assert len(asked) == 1
    more = Statement(Section.REASONING, "Más.", (), ("art. 1903 del Código Civil", "art. 6 LAU"))
    finder = QuoteFinder(text)
    collected = citation_checker.collect_statements(document, [more], finder)
    known = citation_checker.look_up(collected, ON, known=law)
    assert [[one.text for one in citations] for citations in asked[1:]] == [["art. 6 LAU"]]
    fresh = citation_checker.look_up(collected, ON)
    assert citation_checker.check(collected, known, ON, finder) == citation_checker.check(
        collected, fresh, ON, finder
    )


def test_nobody_computes_while_the_corpus_is_asked(
    client: FlaskClient, alice: Player, code: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _counting(monkeypatch)
    _analyse(client, alice, text=f"{LEASE} Rige el artículo 1903 del Código Civil.")
    assert len(asked) == 1


def _counting(monkeypatch: pytest.MonkeyPatch) -> list[list[Citation]]:
    """What the corpus is asked from now on, never while a thread of ours holds the CPU lock."""
    real, asked = corpus.look_up, []

    def look_up(
        citations: Sequence[Citation], on: date, quoted: Iterable[Citation] = ()
    ) -> corpus.LookupResult:
        assert not CPU_LOCK.locked()
        asked.append(list(citations))
        return real(citations, on, quoted)

    monkeypatch.setattr(corpus, "look_up", look_up)
    return asked


def _citations(body: dict[str, Any]) -> str:
    return "\n".join(
        line for line in body["analysis"].splitlines() if line.startswith("- ") and "[L2" in line
    )


def test_a_judgment_of_the_corpus_that_is_still_good_law_earns_its_lock_with_the_add_on(
    client: FlaskClient, alice: Player, decisions: None
) -> None:
    text = f"{LEASE} Se invocan la sentencia T-100 de 2001 y la sentencia T-200 de 2002."
    plain = _analyse(client, alice, text=text, jurisdiction="CO")
    assert _citations(plain).count("[L2-J]") == 2
    assert "L2-J-V" not in plain["certaintyLocks"]
    with db.transaction() as session:
        tenancy.set_options(session, alice.account_id, citator=True)
    vetted = _analyse(client, alice, text=text, jurisdiction="CO")
    # A later judgment departs from the first.
    assert [line.rpartition(" ")[2] for line in _citations(vetted).splitlines()] == ["[L2-J]", "[L2-J-V]"]


def test_a_judgment_outside_the_corpus_earns_none(
    client: FlaskClient, alice: Player, decisions: None
) -> None:
    body = _analyse(client, alice, text=f"{LEASE} Se invoca la sentencia T-900 de 2005.", jurisdiction="CO")
    assert not {"L2-J", "L2-J-V"} & set(body["certaintyLocks"])
