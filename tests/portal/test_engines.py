"""Own engines in the portal: who may set one, what its page shows, and what a refused one leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from app import analysis, tenancy
from app.analysis.own_engines import connection
from app.platform import settings
from app.platform.postgres import db
from app.tenancy.members import Role
from tests.cast import Player
from tests.portal.conftest import PortalClient, colleague, tight
from tests.vendors_server import Vendors, vendors

Make = Callable[[Player], PortalClient]
PAGE = "/portal/account/engines"
KEY = "sk-canary-0e5b7d913c2f-Pq4s"


@pytest.fixture
def server(configured: settings.Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendors]:
    connection._MODELS.clear()
    with vendors() as running:
        monkeypatch.setenv("ENGINE_ALLOW_HOSTS", running.url.removeprefix("http://"))
        settings.current.cache_clear()
        yield running
    monkeypatch.undo()
    settings.current.cache_clear()


def form(server: Vendors, **changes: object) -> dict[str, object]:
    chosen = {"node": "A", "spoken": "chat", "model": "own-1", "base_url": f"{server.url}/v1", "api_key": KEY}
    return chosen | changes


def kept(player: Player) -> list[tuple[str, str]]:
    with db.reading() as session:
        return [(one.node, one.model) for one in analysis.own_engines.engines_of(session, player.account_id)]


def actions(player: Player) -> list[str]:
    with db.reading() as session:
        found = tenancy.activity.activities(session, player.account_id, tenancy.activity.Filter(), limit=9)
        return [one.action for one in found if one.action.startswith("engine.")]


def test_an_owner_sets_one_and_nobody_sees_its_key_again(
    member: Make, alice: Player, server: Vendors
) -> None:
    visitor = member(alice)
    assert "Our engine works here: built-in engine." in visitor.get(PAGE).text
    answer = visitor.send(PAGE, form(server))
    assert answer.status_code == 303, answer.text
    page = tight(visitor.get(PAGE).text)
    assert "The engine answered" in page
    for shown in ("own-1", f"{server.url}/v1", f"…{KEY[-4:]}", alice.email):
        assert shown in page
    assert KEY not in page
    assert kept(alice) == [("A", "own-1")]
    assert server.keys == [KEY]
    assert actions(alice) == ["engine.set"]


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("401", "The key was refused."),
        ("429", "over its limit"),
        ("drop", "No answer came within 20 seconds"),
        ("garbage", "did not answer in this protocol"),
    ],
)
def test_one_that_does_not_answer_is_not_kept(
    member: Make, alice: Player, server: Vendors, deed: str, words: str
) -> None:
    visitor = member(alice)
    server.script.append(deed)
    answer = visitor.send(PAGE, form(server))
    assert answer.status_code == 422
    assert words in answer.text
    assert "No engine was kept." in answer.text
    assert "own-1" in answer.text, "what was typed stays"
    assert KEY not in answer.text, "but for the key"
    assert kept(alice) == []
    assert actions(alice) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"node": "C"}, "Choose one of the two."),
        ({"spoken": "soap"}, "Choose one of the three."),
        ({"model": ""}, "Enter the name of the model."),
        ({"model": "rules"}, "Use the name of a model"),
        ({"base_url": "models"}, "Enter an address"),
        ({"base_url": "https://10.0.0.1/v1"}, "must not be called"),
        ({"api_key": ""}, "Enter the API key."),
        ({"api_key": "a b"}, "no blanks"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    member: Make, alice: Player, server: Vendors, changes: dict[str, object], words: str
) -> None:
    answer = member(alice).send(PAGE, form(server, **changes))
    assert answer.status_code == 422
    assert words in answer.text
    assert server.asked == 0
    assert kept(alice) == []


def test_removing_asks_first(member: Make, alice: Player, server: Vendors) -> None:
    visitor = member(alice)
    visitor.send(PAGE, form(server))
    asked = visitor.get(f"{PAGE}/A/remove")
    assert "Remove this engine?" in asked.text
    assert kept(alice) == [("A", "own-1")]
    assert visitor.send(f"{PAGE}/A/remove", {}).status_code == 303
    assert kept(alice) == []
    assert actions(alice) == ["engine.removed", "engine.set"]
    assert visitor.get(f"{PAGE}/A/remove").status_code == 404
    assert visitor.get(f"{PAGE}/C/remove").status_code == 404


@pytest.mark.parametrize("role", ["admin", "developer", "compliance"])
def test_only_an_owner_may(member: Make, alice: Player, server: Vendors, role: Role) -> None:
    visitor = member(colleague(alice, role))
    assert visitor.get(PAGE).status_code == 403
    assert visitor.get(f"{PAGE}/A/remove").status_code == 403
    assert server.asked == 0


def test_the_page_before_an_analysis_tells_what_the_own_engine_assesses(
    member: Make, alice: Player, server: Vendors
) -> None:
    visitor = member(alice)
    assert "inventory only" in visitor.get("/portal/analyse").text
    visitor.send(PAGE, form(server))
    assert "inventory only" not in visitor.get("/portal/analyse").text
