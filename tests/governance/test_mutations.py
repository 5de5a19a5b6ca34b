"""1,000 random changes to a trail by somebody with all rights on the database: verification sees each.

Some leave the chain whole by itself, with heads and hashes written anew: those are for the log to see
(decision 056).
"""

from __future__ import annotations

import copy
import json
import random
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import governance
from app.governance import reviews
from app.governance.transparency import log
from app.platform import clock
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.portal.conftest import analysed

RECORDS = 6
Rows = list[dict[str, Any]]


def _trail(player: Player) -> None:
    """Five analyses and a review, all of them in the log."""
    for number in range(RECORDS - 1):
        analysed(player, citations={"verified": number, "not_found": number % 2})
    with rls.acting_for(player.account_id), db.transaction() as session:
        newest = governance.records(session, player.account_id, limit=1)[0]
        by = reviews.Reviewer(api_key_id=player.key_id)
        reviews.review(session, newest, "corrected", by=by, final_hash="ab" * 32, now=clock.now())
    with rls.as_system(), db.transaction() as session:
        log.append_round(session, now=clock.now())


def _changed_somewhere(value: Any, draw: random.Random) -> Any:
    """Return a value with one leaf of it changed, added or removed."""
    if isinstance(value, dict):
        found = dict(value)
        way = draw.random()
        if way < 0.15 or not found:
            found[f"x{draw.random()}"] = 1
        else:
            name = draw.choice(list(found))
            if way < 0.3:
                del found[name]
            else:
                found[name] = _changed_somewhere(found[name], draw)
        return found
    if isinstance(value, list):
        return [*value, "x"]
    if isinstance(value, bool) or value is None:
        return "x"
    if isinstance(value, int):
        return value + draw.choice((-1, 1, 1000))
    at = draw.randrange(len(value) + 1)
    return value[:at] + chr(draw.randrange(33, 126)) + value[at + 1 :] + "\u0301"


def _content(rows: Rows, draw: random.Random) -> Rows:
    row = draw.choice(rows)
    row["content"] = _changed_somewhere(row["content"], draw)
    return rows


def _column(rows: Rows, draw: random.Random) -> Rows:
    row, name = draw.choice(rows), draw.choice(("hash", "previous_hash", "request_id", "id", "api_key_id"))
    row[name] = {
        "hash": f"{draw.getrandbits(256):064x}",
        "previous_hash": f"{draw.getrandbits(256):064x}",
    }.get(name, f"req_{draw.random()}" if name == "request_id" else uuid.UUID(int=draw.getrandbits(128)))
    return rows


def _gap(rows: Rows, draw: random.Random) -> Rows:
    rows.remove(draw.choice(rows[:-1]))
    return rows


def _exchanged(rows: Rows, draw: random.Random) -> Rows:
    one, two = draw.sample(range(len(rows)), 2)
    rows[one]["content"], rows[two]["content"] = rows[two]["content"], rows[one]["content"]
    return rows


def _renumbered(rows: Rows, draw: random.Random) -> Rows:
    at, by = draw.randrange(len(rows)), draw.randint(1, 3)
    for row in rows[at:]:
        row["seq"] += by
    return rows


def _head_alone(rows: Rows, draw: random.Random) -> Rows:
    """Change nothing of the records; their head gets another hash."""
    return [*rows[:-1], {**rows[-1], "head": f"{draw.getrandbits(256):064x}"}]


def _cut_off(rows: Rows, draw: random.Random) -> Rows:
    return rows[: draw.randrange(len(rows))]


def _written_anew(rows: Rows, draw: random.Random) -> Rows:
    return _chained(_content(rows, draw))


def _removed_and_written_anew(rows: Rows, draw: random.Random) -> Rows:
    rows.pop(draw.randrange(len(rows)))
    return _chained(rows)


def _inserted_and_written_anew(rows: Rows, draw: random.Random) -> Rows:
    at = draw.randrange(len(rows) + 1)
    new = json.loads(json.dumps(rows[0], default=str))
    new["id"] = str(uuid.UUID(int=draw.getrandbits(128)))
    new["content"]["analysisId"] = new["id"]
    # At the end it would be a further record, which waits for the log like any other.
    rows.insert(min(at, len(rows) - 1), new)
    return _chained(rows)


def _chained(rows: Rows) -> Rows:
    """Write positions and hashes anew, so that the chain by itself is whole."""
    previous = governance.chain.GENESIS
    for seq, row in enumerate(rows, 1):
        row["seq"], row["previous_hash"] = seq, previous
        row["hash"] = previous = governance.chain.digest(previous, seq, row["content"]) or "0" * 64
    return rows


# How, how often, and whether the head is made to fit.
WAYS: list[tuple[Callable[[Rows, random.Random], Rows], int, bool]] = [
    (_content, 8, False),
    (_column, 5, False),
    (_gap, 3, False),
    (_exchanged, 3, False),
    (_renumbered, 2, False),
    (_head_alone, 2, True),
    (_cut_off, 3, False),
    (_cut_off, 3, True),
    (_written_anew, 5, True),
    (_removed_and_written_anew, 3, True),
    (_inserted_and_written_anew, 3, True),
]
_NAMES = (
    "id",
    "account_id",
    "seq",
    "at",
    "api_key_id",
    "member_id",
    "kind",
    "request_id",
    "previous_hash",
    "hash",
)


def _store(session: Session, account_id: uuid.UUID, rows: Rows, *, head: bool) -> None:
    session.execute(sa.text("DELETE FROM audit_records WHERE account_id = :a"), {"a": account_id})
    if rows:
        session.execute(
            sa.text(
                f"INSERT INTO audit_records ({', '.join(_NAMES)}, content) "
                f"VALUES ({', '.join(':' + name for name in _NAMES)}, CAST(:content AS jsonb))"
            ),
            [{**row, "content": json.dumps(row["content"])} for row in rows],
        )
    if head and not rows:
        session.execute(sa.text("DELETE FROM audit_heads WHERE account_id = :a"), {"a": account_id})
    elif head:
        session.execute(
            sa.text(
                "UPDATE audit_heads SET seq = :seq, hash = :hash, previous_hash = :p WHERE account_id = :a"
            ),
            {
                "seq": rows[-1]["seq"],
                "hash": rows[-1].get("head", rows[-1]["hash"]),
                "p": rows[-1]["previous_hash"],
                "a": account_id,
            },
        )


def test_1000_random_changes_are_all_detected(cast: Cast, superuser: Session) -> None:
    alice = cast.player("alice")
    _trail(alice)
    assert governance.verify_chain(superuser, alice.account_id).valid
    draw = random.Random(2026)
    query = sa.text(
        f"SELECT {', '.join(_NAMES)}, content FROM audit_records WHERE account_id = :a ORDER BY seq"
    )
    stored = [dict(row._mapping) for row in superuser.execute(query, {"a": alice.account_id})]
    assert len(stored) == RECORDS
    problems: Counter[str] = Counter()
    for number in range(1000):
        nested = superuser.begin_nested()
        rows = copy.deepcopy(stored)
        ((change, _, head),) = draw.choices(WAYS, [weight for _, weight, _ in WAYS])
        _store(superuser, alice.account_id, change(rows, draw), head=head)
        verdict = governance.verify_chain(superuser, alice.account_id)
        assert not verdict.valid, (number, change)
        assert verdict.problem is not None
        # What does not make the chain whole again is seen without the log.
        assert head or verdict.problem != "log", (number, change, verdict)
        problems[verdict.problem] += 1
        nested.rollback()
        superuser.expire_all()
    assert set(problems) == {"missing", "link", "content", "columns", "head", "log"}, problems
    assert governance.verify_chain(superuser, alice.account_id).valid
