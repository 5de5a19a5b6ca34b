"""The law on screen: what is loaded, searched, read at a date, checked, and who cites it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from app import citator, corpus, search, tenancy
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.corpus.conftest import clear, write_law
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
PAGE = "/portal/law"
ARTICLE = {"tool": "article", "norm": "ZZ-A-2020-1", "country": "ZZ"}


@pytest.fixture
def empty(cast: Cast) -> Iterator[None]:
    """A corpus with nothing in it, and nothing left in it."""
    clear()
    yield
    clear()


@pytest.fixture
def loaded(empty: None, tmp_path: Path) -> None:
    """The small law of nowhere, read by the citator and indexed."""
    path = write_law(tmp_path)
    corpus.load("statutes", path, "markdown", now=clock.now())
    citator.read_waiting(clock.now)
    search.index(now=clock.now)


def _addon(player: Player) -> None:
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, citator=True)


def _ask(visitor: PortalClient, **question: str) -> str:
    answer = visitor.get(f"{PAGE}?{urlencode(question)}")
    assert answer.status_code == 200, answer.text
    return str(answer.text)


@pytest.mark.parametrize("role", ["developer", "compliance", "admin"])
def test_everyone_may_look_things_up(member: Make, alice: Player, empty: None, role: tenancy.Role) -> None:
    visitor = member(colleague(alice, role))
    assert visitor.get(PAGE).status_code == 200
    assert f'href="{PAGE}"' in visitor.get("/portal/analyses").text


@pytest.mark.parametrize(
    ("language", "heading", "advice", "country"),
    [
        ("en", "No texts of law are loaded", "Ask the operator of the service to load the texts.", "Spain"),
        ("es", "No hay textos legales cargados", "Pida al operador del servicio que cargue", "España"),
    ],
)
def test_an_empty_corpus_says_so_and_whom_to_ask(
    member: Make, alice: Player, empty: None, language: str, heading: str, advice: str, country: str
) -> None:
    visitor = member(alice)
    visitor.client.set_cookie("language", language)
    page = visitor.get(PAGE).text
    assert heading in page
    assert advice in page
    assert f'<th scope="row">{country}' in page, "the registry can be checked all the same"
    page = _ask(visitor, q="plazo para contestar", country="ES")
    assert advice in page


def test_a_search_finds_the_article_and_leads_to_it(member: Make, alice: Player, loaded: None) -> None:
    visitor = member(alice)
    page = visitor.get(PAGE).text
    assert "Fictional law (ZZ)" in page
    assert "No texts of law are loaded" not in page
    page = _ask(visitor, q="plazo de diez días", country="ZZ")
    assert "El <mark>plazo es de diez días</mark>." in page
    assert "tool=article" in page
    assert "Nothing found" in _ask(visitor, q="ornitorrinco", country="ZZ")


def test_what_waits_for_the_index_is_told(member: Make, alice: Player, loaded: None) -> None:
    visitor = member(alice)
    assert "being added to the search" not in visitor.get(PAGE).text
    with db.transaction() as session:
        session.execute(sa.text("UPDATE corpus_passages SET indexed_at = NULL"))
    assert "being added to the search" in visitor.get(PAGE).text


def test_a_search_of_judgments_that_are_not_there_says_so(member: Make, alice: Player, loaded: None) -> None:
    page = _ask(member(alice), q="cláusula suelo", shelf="judgments", country="AD")
    assert "No judgments of this jurisdiction" in page


@pytest.mark.parametrize("question", [{"q": "x"}, {"q": ""}, {"q": "ley", "on": "ayer"}, {"q": "a\x00b"}])
def test_a_question_that_is_none_is_sent_back(
    member: Make, alice: Player, empty: None, question: dict[str, str]
) -> None:
    answer = member(alice).get(f"{PAGE}?{urlencode(question)}")
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text


def test_an_article_is_read_as_it_stood_with_its_versions(
    member: Make, alice: Player, empty: None, tmp_path: Path
) -> None:
    for edition, first in (("2020-01-03", "Antes decía esto."), ("2022-05-01", "Ahora dice esto otro.")):
        path = write_law(tmp_path, edition=edition, first=first)
        corpus.load("statutes", path, "markdown", now=clock.now())
    visitor = member(alice)
    page = _ask(visitor, **ARTICLE, article="1")
    assert "Ahora dice esto otro." in page
    assert "Versions" in page
    assert "In force on" in page
    before = _ask(visitor, **ARTICLE, article="1", on="2021-01-01")
    assert "Antes decía esto." in before
    assert "on=2022-04-30" in before, "the earlier words can be opened from the list"


@pytest.mark.parametrize(
    ("norm", "article", "said"),
    [
        ("ZZ-A-2020-1", "5", "only its number remains"),
        ("ZZ-A-2020-1", "4", "occurs more than once"),
        ("ZZ-A-2020-1", "99", "no such article|not among those loaded"),
        ("Ley de Nada", "1", "No law with this name"),
    ],
)
def test_what_cannot_be_read_is_told(
    member: Make, alice: Player, loaded: None, norm: str, article: str, said: str
) -> None:
    page = _ask(member(alice), **{**ARTICLE, "norm": norm, "article": article})
    assert any(words in page for words in said.split("|"))


def test_a_law_of_the_registry_without_its_text_is_named(member: Make, alice: Player, empty: None) -> None:
    page = _ask(member(alice), tool="article", norm="Código Civil", article="1902", country="ES")
    assert "The text of this law is not loaded" in page


@pytest.mark.parametrize(
    ("citation", "country", "verdict"),
    [
        ("art. 1902 CC", "ES", "Verified"),
        ("art. 9999 CC", "ES", "Not found"),
        ("artículo 62 de la Ley 30/1992", "ES", "No longer in force"),
        ("STC 76/2019", "", "Not verifiable"),
    ],
)
def test_a_citation_is_checked(
    member: Make, alice: Player, empty: None, citation: str, country: str, verdict: str
) -> None:
    page = _ask(member(alice), tool="check", q=citation, country=country)
    assert f"{verdict}</span>" in page


def test_words_that_a_law_does_not_say_are_shown(
    member: Make, alice: Player, empty: None, tmp_path: Path
) -> None:
    # The made-up words under the number of a real law: citations of nowhere's law have no grammar.
    path = write_law(tmp_path)
    words = path.read_text("utf-8").replace("ZZ-A-2020-1", "BOE-A-1889-4763").replace('"zz"', '"es"')
    path.write_text(words, "utf-8")
    corpus.load("statutes", path, "markdown", now=clock.now())
    visitor = member(alice)
    question = {"tool": "check", "q": "art. 2 CC", "country": "ES"}
    page = _ask(visitor, **question, quotation="El plazo es de veinte días.")
    assert "Does not match</span>" in page
    assert "<del>veinte</del>" in page
    page = _ask(visitor, **question, quotation="El plazo es de diez días.")
    assert "Verified</span>" in page
    assert "<del>" not in page


def test_what_is_no_citation_is_told(member: Make, alice: Player, empty: None) -> None:
    assert "No citation was recognised" in _ask(member(alice), tool="check", q="buenos días")


def test_a_quotation_that_is_too_long_for_an_address_is_refused(
    member: Make, alice: Player, empty: None
) -> None:
    question = {"tool": "check", "q": "art. 1902 CC", "quotation": "a" * 1001}
    answer = member(alice).get(f"{PAGE}?{urlencode(question)}")
    assert answer.status_code == 422
    assert "at most 1000 characters" in answer.text


def test_without_the_add_on_the_citator_says_so_and_answers_nothing(
    member: Make, alice: Player, loaded: None
) -> None:
    page = _ask(member(alice), tool="citator", q="Ley 30/1992", country="ES")
    assert "The citator is an add-on" in page
    assert 'href="/portal/account#options"' in page
    page = _ask(member(colleague(alice, "developer")), tool="citator")
    assert "An owner or administrator" in page
    assert "/portal/account#options" not in page
    assert "Cited by" not in page


def test_the_citator_tells_standing_and_who_cites(member: Make, alice: Player, loaded: None) -> None:
    _addon(alice)
    visitor = member(alice)
    page = _ask(visitor, tool="citator", q="Ley 30/1992", country="ES")
    assert "No longer in force" in page
    assert "Cited by" in page
    assert "Ley 22/2003, de 9 de julio" in _ask(visitor, tool="citator", q="Ley 22/2003", country="ES")
    kept = _ask(visitor, tool="citator", q="disposición final primera de la Ley 22/2003", country="ES")
    assert "subsisten algunas de sus disposiciones finales" in kept
    page = _ask(visitor, tool="citator", q="nada de nada")
    assert "No judgment or law with this name" in page
