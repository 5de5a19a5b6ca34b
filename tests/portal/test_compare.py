"""Two versions compared in the browser: charged once, read side by side, kept for a day."""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Callable

from app.platform import clock
from tests.cast import LEASE, Cast, Player
from tests.documents import docx_changes
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
BEFORE = f"{LEASE} CUARTA.- Penalización. El retraso en la entrega se sanciona con 1.000 euros."
AFTER = BEFORE.replace("1.000 euros", "5.000 euros") + " QUINTA.- Visitas. <b>Sin aviso</b> [L1]."


def _form(visitor: PortalClient, **changes: object) -> dict[str, object]:
    return {
        "before": BEFORE,
        "after": AFTER,
        "language": "es",
        "key": str(visitor.player.key_id),
        "once": clock.now().isoformat(),
        **changes,
    }


def _sent(visitor: PortalClient, **changes: object) -> str:
    answer = visitor.send("/portal/compare", _form(visitor, **changes))
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def test_the_price_is_told_before(member: Make, alice: Player) -> None:
    page = member(alice).get("/portal/compare").text
    assert "It costs 2 credits." in page


def test_what_changed_is_shown_side_by_side(member: Make, alice: Player, cast: Cast) -> None:
    visitor = member(alice)
    page = visitor.get(_sent(visitor)).text
    assert cast.balance(alice).balance == 98
    assert "<del>1.000</del>" in page
    assert "<ins>5.000</ins>" in page
    assert "La penalización pasa de 1.000 € a 5.000 € (cláusula 4)." in page
    assert "Risks that appeared" in page
    assert "&lt;b&gt;Sin aviso&lt;/b&gt;" in page
    assert "<b>Sin aviso" not in page


def test_a_file_is_taken_in_place_of_a_text(member: Make, alice: Player) -> None:
    visitor = member(alice)
    file = (io.BytesIO(AFTER.encode()), "later.txt")
    page = visitor.get(_sent(visitor, after="", after_file=file)).text
    assert "<ins>5.000</ins>" in page


def test_the_word_file_has_the_changes_tracked(member: Make, alice: Player) -> None:
    visitor = member(alice)
    address = _sent(visitor)
    answer = visitor.get(f"{address}/report.docx")
    assert docx_changes.read(answer.data, "accept") == AFTER
    assert docx_changes.read(answer.data, "reject") == BEFORE
    assert visitor.get(f"{address}/report.md").mimetype == "text/markdown"
    assert visitor.get(f"{address}/report.exe").status_code == 404


def test_what_is_wrong_is_said_at_its_field_and_costs_nothing(
    member: Make, alice: Player, cast: Cast
) -> None:
    visitor = member(alice)
    for changes, words in (
        ({"before": "corto"}, "A text must have 50 to"),
        ({"after": BEFORE}, "Both versions have the same words."),
        (
            {"after": "", "after_file": (io.BytesIO(b"\x00\x01" * 50), "x.bin")},
            "This kind of file cannot be read.",
        ),
        ({"language": "xx"}, "Choose one of the two."),
    ):
        answer = visitor.send("/portal/compare", _form(visitor, **changes))
        assert (answer.status_code, words in answer.text) == (422, True), words
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_form_that_is_sent_twice_compares_once(member: Make, alice: Player, cast: Cast) -> None:
    visitor = member(alice)
    once = uuid.uuid4().hex
    _sent(visitor, once=once)
    again = visitor.send("/portal/compare", _form(visitor, once=once))
    assert again.status_code == 303
    assert re.search(r"/portal/compare$", str(again.location))
    assert cast.balance(alice).balance == 98


def test_nobody_else_sees_it(member: Make, alice: Player, cast: Cast) -> None:
    address = _sent(member(alice))
    assert member(cast.player("mallory")).get(address).status_code == 404
    assert member(colleague(alice, "compliance")).get(address).status_code in (403, 404)
    assert member(colleague(alice, "developer")).get(address).status_code == 200
