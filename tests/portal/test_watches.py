"""Watched law on screen: found, watched, told about, and removed after asking."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import sqlalchemy as sa

from app import corpus, mail, portal, search, tenancy, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import Player
from tests.corpus.conftest import clear, write_law
from tests.portal.conftest import PortalClient, colleague, tight

Make = Callable[[Player], PortalClient]
PAGE = "/portal/watches"
LAW = "ZZ-A-2020-1"


@pytest.fixture(autouse=True)
def nothing_watched(app: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No watch, and a service that can send mail."""
    config = settings.current().model_copy(
        update={"mail_inbox": True, "public_url": "https://candado.example/"}
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    _forget()
    yield
    _forget()


@pytest.fixture
def law(tmp_path: Path) -> Iterator[Path]:
    """A law of two articles, loaded and indexed."""
    clear()
    corpus.load("statutes", write_law(tmp_path), "markdown", now=clock.now())
    search.index(now=clock.now)
    yield tmp_path
    clear()


def _forget() -> None:
    with db.transaction() as session:
        for table in ("watches", "announcements", "outgoing_mails"):
            session.execute(sa.text(f"DELETE FROM {table}"))


def _watches(player: Player) -> list[tuple[str, bool]]:
    with db.reading() as session:
        return [(row.subject, row.mail) for row in webhooks.watches_of(session, player.account_id)]


def _forms(page: str) -> list[dict[str, str]]:
    """The hidden fields of each form that watches something."""
    found = re.findall(r'<form class="row" method="post" action="/portal/watches">(.*?)</form>', page, re.S)
    return [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in found]


def _change(folder: Path, **words: str) -> None:
    corpus.load("statutes", write_law(folder, **words), "markdown", now=clock.now())
    webhooks.spread(clock.now())


def test_what_is_cited_is_offered_with_its_law_and_watched(member: Make, alice: Player) -> None:
    visitor = member(alice)
    page = visitor.get(PAGE)
    assert "Nothing is watched yet" in page.text
    assert f'<a href="{PAGE}" aria-current="page">' in tight(page.text)
    found = visitor.get(f"{PAGE}?{urlencode({'q': 'art. 1902 CC', 'country': 'ES'})}").text
    article, whole = _forms(found)[:2]
    assert (article["q"], whole["q"]) == ("art. 1902 CC", "ES:CC")
    assert visitor.client.post(PAGE, data=article).status_code == 303
    assert visitor.client.post(PAGE, data={**whole, "mail": ""}).status_code == 303
    assert _watches(alice) == [("ES:CC", False), ("ES:CC:art1902", True)]
    shown = tight(visitor.get(PAGE).text)
    assert "Código Civil · Article 1902" in shown
    assert "2 of 500" in shown
    again = visitor.get(f"{PAGE}?{urlencode({'q': 'art. 1902 CC', 'country': 'ES'})}").text
    assert [one["q"] for one in _forms(again)] == [], "both are watched"


def test_a_search_in_words_offers_articles(member: Make, alice: Player, law: Path) -> None:
    visitor = member(alice)
    found = visitor.get(f"{PAGE}?{urlencode({'q': 'esta ley es una prueba', 'country': 'ZZ'})}").text
    forms = _forms(found)
    assert forms, found
    assert forms[0]["article"]
    assert visitor.client.post(PAGE, data=forms[0]).status_code == 303
    assert _watches(alice) == [(f"ZZ:{LAW}:art{forms[0]['article']}", True)]


def test_the_page_of_an_article_leads_to_its_watch(member: Make, alice: Player, law: Path) -> None:
    visitor = member(alice)
    page = visitor.get(
        "/portal/law?" + urlencode({"tool": "article", "norm": LAW, "article": "2", "country": "ZZ"})
    )
    (link,) = re.findall(r'href="(/portal/watches\?[^"]+)"', page.text)
    (form, *_) = _forms(visitor.get(link.replace("&amp;", "&")).text)
    assert visitor.client.post(PAGE, data=form).status_code == 303
    assert _watches(alice) == [(f"ZZ:{LAW}:art2", True)]


def test_news_of_what_is_watched_is_told_and_of_nothing_else(
    member: Make, alice: Player, mallory: Player, law: Path
) -> None:
    other = member(mallory)
    with db.transaction() as session:
        for player, number in ((alice, "1"), (mallory, "2")):
            subject = webhooks.Subject("article", (f"ZZ:{LAW}:art{number}",), "Ley", number, "ZZ", None)
            webhooks.watch(session, player.account_id, subject, mail=False, now=clock.now())
    visitor = member(alice)
    assert "Nothing in the last 90 days." in visitor.get(PAGE).text
    _change(law, edition="2024-05-06", first="Otra.")
    page = tight(visitor.get(PAGE).text)
    assert "<b>Ley · Article 1</b>" in page
    assert "New wording from 6 May 2024" in page
    assert "1 article changed" in page
    assert "Nothing in the last 90 days." in other.get(PAGE).text, "article 2 reads as before"


def test_a_cited_judgment_is_told_with_the_one_that_cites_it(member: Make, alice: Player) -> None:
    visitor = member(alice)
    with db.transaction() as session:
        subject = webhooks.Subject("judgment", ("CO:CC:T-025/04",), "T-025/04", None, "CO", None)
        webhooks.watch(session, alice.account_id, subject, mail=False, now=clock.now())
        payload = {
            "jurisdiction": "CO", "cited": "CO:CC:T-025/04", "by": "CO:CC:T-300/20", "treatment": "follows",
            "date": "2020-02-03",
        }  # fmt: skip
        webhooks.announce(
            session, "judgment.cited", [payload], scope="query", now=clock.now(),
            subjects=[("CO:CC:T-025/04",)], watchers=True,
        )  # fmt: skip
    webhooks.spread(clock.now())
    page = tight(visitor.get(PAGE).text)
    assert "Cited by T-300/20 · follows" in page


def test_of_many_changed_articles_an_unnamed_one_is_not_claimed(member: Make, alice: Player) -> None:
    visitor = member(alice)
    payload = {
        "jurisdiction": "ES", "normId": "BOE-A-1889-4763", "title": "Código Civil", "inForceFrom": None,
        "articles": 140, "changedArticles": [str(number) for number in range(1, 101)],
    }  # fmt: skip
    with db.transaction() as session:
        subject = webhooks.Subject("article", ("ES:CC:art1902",), "Código Civil", "1902", "ES", None)
        webhooks.watch(session, alice.account_id, subject, mail=False, now=clock.now())
        webhooks.publish(session, alice.account_id, "normativa.updated", payload, now=clock.now())
    page = tight(visitor.get(PAGE).text)
    assert "New wording · 140 articles changed · see whether this is one of them" in page


def test_mail_is_turned_off_and_removal_asks_first(member: Make, alice: Player) -> None:
    visitor = member(alice)
    visitor.send(PAGE, {"q": "art. 1902 CC", "country": "ES", "mail": "yes"})
    page = visitor.get(PAGE).text
    (watch_id,) = re.findall(r"/portal/watches/([0-9a-f-]{36})/remove", page)
    assert visitor.send(f"{PAGE}/{watch_id}/mail", {"to": "off"}, on=PAGE).status_code == 303
    assert _watches(alice) == [("ES:CC:art1902", False)]
    asked = visitor.get(f"{PAGE}/{watch_id}/remove").text
    assert "Stop watching this?" in asked
    assert _watches(alice), "asking removes nothing"
    assert visitor.send(f"{PAGE}/{watch_id}/remove", {}).status_code == 303
    assert _watches(alice) == []
    assert visitor.send(f"{PAGE}/{watch_id}/remove", {}, on=PAGE).status_code == 404


def test_a_compliance_officer_reads_and_changes_nothing(member: Make, alice: Player) -> None:
    visitor = member(colleague(alice, "compliance"))
    page = visitor.get(PAGE)
    assert page.status_code == 200
    assert "Owners, administrators and developers" in page.text
    assert 'name="q"' not in page.text
    answer = visitor.send(PAGE, {"q": "art. 1902 CC"}, on="/portal/profile")
    assert answer.status_code == 403
    assert _watches(alice) == []


def test_another_account_neither_sees_nor_removes_it(member: Make, alice: Player, mallory: Player) -> None:
    visitor, other = member(alice), member(mallory)
    visitor.send(PAGE, {"q": "art. 1902 CC", "country": "ES"})
    (watch_id,) = re.findall(r"/portal/watches/([0-9a-f-]{36})/remove", visitor.get(PAGE).text)
    assert "Nothing is watched yet" in other.get(PAGE).text
    assert other.get(f"{PAGE}/{watch_id}/remove").status_code == 404
    for action in ("remove", "mail"):
        assert other.send(f"{PAGE}/{watch_id}/{action}", {}, on=PAGE).status_code == 404
    assert len(_watches(alice)) == 1


@pytest.mark.parametrize(
    "form",
    [
        {"q": ""},
        {"q": "x" * 301},
        {"q": "la cláusula de siempre"},
        {"q": "art. 1902\x00 CC"},
        {"q": "ES:CC", "country": "ES", "article": "1902\x00"},
        {"q": "ES:CC", "country": "ES", "article": "9" * 81},
        {"q": "00000000-0000-0000-0000-000000000000"},
    ],
)
def test_what_names_nothing_is_refused(member: Make, alice: Player, form: dict[str, str]) -> None:
    visitor = member(alice)
    assert visitor.send(PAGE, dict(form)).status_code == 422
    assert _watches(alice) == []
    # Asked as a search it is a page, whatever it holds.
    assert visitor.get(f"{PAGE}?{urlencode(form)}").status_code in (200, 422)


def test_a_full_list_says_so(member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.webhooks.watches.MAX_PER_ACCOUNT", 0)
    visitor = member(alice)
    assert visitor.send(PAGE, {"q": "art. 1902 CC", "country": "ES"}).status_code == 303
    assert "the maximum. Remove one first." in visitor.get(PAGE).text


@pytest.mark.parametrize(
    ("language", "subject", "line", "way"),
    [
        ("en", "News about the law you watch", "new wording from 2024-05-06", "is changed here:"),
        ("es", "Novedades en lo que vigila", "nueva redacción desde el 2024-05-06", "se cambia aquí:"),
    ],
)
def test_each_owner_gets_the_mail_in_the_language_of_their_portal(
    member: Make, alice: Player, law: Path, monkeypatch: Any, language: str, subject: str, line: str, way: str
) -> None:
    visitor = member(alice)
    visitor.send(PAGE, {"q": LAW, "country": "ZZ", "mail": "yes"})
    other = "es" if language == "en" else "en"
    for code in (other, language):
        assert visitor.get(f"/portal/language/{code}").status_code == 303
    sent: list[mail.MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", sent.append)
    _change(law, edition="2024-05-06", first="Otra.")
    mail.send_due(portal.compose)
    (letter,) = sent
    assert (letter.to, letter.subject) == (alice.email, subject)
    for words in (line, way, "https://candado.example/portal/watches"):
        assert words in letter.text


def test_signing_in_notes_the_language(stranger: Make, alice: Player) -> None:
    for language in ("en", "es"):
        visitor = stranger(alice)
        visitor.client.set_cookie("language", language)
        visitor.sign_in()
        with db.reading() as session:
            found = tenancy.find_member(session, alice.email)
            assert found
            assert found.language == language


def test_an_account_without_a_key_is_told_of_what_it_watches(member: Make, alice: Player, law: Path) -> None:
    visitor = member(alice)
    visitor.send(PAGE, {"q": LAW, "country": "ZZ"})
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE api_keys SET revoked_at = now() WHERE account_id = :account"),
            {"account": alice.account_id},
        )
    _change(law, edition="2024-05-06", first="Otra.")
    assert "New wording from 6 May 2024" in tight(visitor.get(PAGE).text)
