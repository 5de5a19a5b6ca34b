"""The transparency log: what it proves to a record's holder, and what no owner of the tables can hide."""

from __future__ import annotations

import random
import uuid
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import governance
from app.governance import signing_keys
from app.governance.models import AuditRecord, LogPosition
from app.governance.transparency import log, merkle, notes, tiles
from app.platform import clock
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.portal.conftest import analysed


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def round_() -> log.AppendResult | None:
    with rls.as_system(), db.transaction() as session:
        return log.append_round(session, now=clock.now())


def test_every_record_proves_its_place(alice: Player) -> None:
    entries = [analysed(alice) for _ in range(9)]
    round_()
    with rls.acting_for(alice.account_id), db.reading() as session:
        keys = log.verifier_keys(session)
        for entry in entries:
            record = session.get_one(AuditRecord, entry.analysis_id)
            proof = log.proof_for(session, alice.account_id, record.seq)
            assert proof is not None
            again = notes.InclusionProof.parse(str(proof))
            head = notes.Checkpoint.parse(again.checkpoint.text)
            assert any(again.checkpoint.signed_by(key) is not None for key in keys)
            leaf = merkle.leaf_hash(log.entry_of(again.extra, record.hash))
            assert merkle.root_of_inclusion(leaf, again.index, head.size, again.hashes) == head.root


def test_heads_grow_into_each_other(alice: Player) -> None:
    analysed(alice)
    round_()
    with db.reading() as session:
        old = log.newest_checkpoint(session)
    for _ in range(300):
        analysed(alice)
    round_()
    with db.reading() as session:
        new = log.newest_checkpoint(session)
        assert old is not None
        assert new is not None
        assert new.size >= old.size + 300
        proof = log.consistency(session, old.size, new.size)
        merkle.check_consistency(old.size, old.root, new.size, new.root, proof)


def test_a_round_with_nothing_new_signs_nothing(alice: Player) -> None:
    analysed(alice)
    round_()
    assert round_() is None


def test_a_full_round_leaves_the_rest_to_the_next(alice: Player) -> None:
    round_()
    for _ in range(5):
        analysed(alice)
    with rls.as_system(), db.transaction() as session:
        done = log.append_round(session, now=clock.now(), batch=3)
    assert done is not None
    assert done.entries == 3
    assert round_() == log.AppendResult(2, done.size + 2)


def test_one_process_appends_at_a_time(alice: Player) -> None:
    analysed(alice)
    with rls.as_system(), db.transaction() as first:
        assert log.append_round(first, now=clock.now()) is not None
        assert round_() is None
    assert round_() is None


def test_tiles_and_entries_give_the_signed_root(alice: Player) -> None:
    for _ in range(260):
        analysed(alice)
    round_()
    with db.reading() as session:
        head = log.newest_checkpoint(session)
        assert head is not None
        leaves: list[bytes] = []
        for index in range(-(-head.size // 256)):
            tile = tiles.Tile(0, index, tiles.width_at(0, index, head.size))
            hashes, bundle = log.tile_bytes(session, tile), log.entry_bundle(session, tile)
            assert hashes is not None
            assert bundle is not None
            found = [bundle[at + 2 : at + 34] for at in range(0, len(bundle), 34)]
            assert [merkle.leaf_hash(one) for one in found] == tiles.split(hashes)
            leaves += found
        stored = tiles.extend(0, leaves, lambda level, index: b"")
        read = tiles.TileReader(lambda level, index: stored[level, index])
        assert merkle.root(read, head.size) == head.root
        partial = tiles.Tile(0, 0, 7)
        assert (
            log.tile_bytes(session, partial) == (log.tile_bytes(session, tiles.Tile(0, 0)) or b"")[: 7 * 32]
        )
        assert log.tile_bytes(session, tiles.Tile(0, 10_000)) is None
        assert log.tile_bytes(session, tiles.Tile(9, 0, 1)) is None


def test_leaves_say_nothing_of_accounts_and_their_order(alice: Player) -> None:
    for _ in range(40):
        analysed(alice)
    round_()
    with rls.acting_for(alice.account_id), db.reading() as session:
        query = sa.select(LogPosition.log_index).where(LogPosition.account_id == alice.account_id)
        places = list(session.scalars(query.order_by(LogPosition.seq)))
        nonces = set(session.scalars(sa.select(LogPosition.nonce)))
    assert places != sorted(places)
    assert len(nonces) == len(places)


def test_a_stranger_sees_no_places(alice: Player, cast: Cast) -> None:
    analysed(alice)
    round_()
    mallory = cast.player("mallory")
    with rls.acting_for(mallory.account_id), db.reading() as session:
        assert log.proof_for(session, alice.account_id, 1) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log_entries SET entry = entry",
        "DELETE FROM log_entries",
        "DELETE FROM log_positions",
        "UPDATE log_positions SET seq = seq + 1",
        "DELETE FROM log_checkpoints",
        "UPDATE log_checkpoints SET root = 'x'",
        "DELETE FROM log_tiles",
    ],
)
def test_no_role_of_the_application_rewrites_the_log(alice: Player, statement: str) -> None:
    analysed(alice)
    round_()
    with pytest.raises(sa.exc.DBAPIError), rls.as_system(), db.transaction() as session:
        session.execute(sa.text(statement))


# What somebody with all rights may do to an account's trail, head included, so that its chain stays whole.
def _cut_off_the_end(session: Session, account_id: uuid.UUID) -> None:
    session.execute(sa.text("DELETE FROM audit_records WHERE account_id = :a AND seq > 5"), {"a": account_id})
    session.execute(
        sa.text(
            "UPDATE audit_heads SET (seq, previous_hash, hash) = (SELECT seq, previous_hash, hash "
            "FROM audit_records WHERE account_id = :a AND seq = 5) WHERE account_id = :a"
        ),
        {"a": account_id},
    )


def _delete_the_trail(session: Session, account_id: uuid.UUID) -> None:
    session.execute(sa.text("DELETE FROM audit_records WHERE account_id = :a"), {"a": account_id})
    session.execute(sa.text("DELETE FROM audit_heads WHERE account_id = :a"), {"a": account_id})


def _write_it_anew(session: Session, account_id: uuid.UUID) -> None:
    rows = session.scalars(
        sa.select(AuditRecord).where(AuditRecord.account_id == account_id).order_by(AuditRecord.seq)
    ).all()
    previous = governance.chain.GENESIS
    for row in rows:
        if row.seq == 3:
            row.content = {**row.content, "citations": {"verified": 99}}
        row.previous_hash = previous
        row.hash = previous = governance.chain.digest(previous, row.seq, row.content) or ""
    session.flush()
    session.execute(
        sa.text("UPDATE audit_heads SET hash = :h, previous_hash = :p WHERE account_id = :a"),
        {"h": rows[-1].hash, "p": rows[-1].previous_hash, "a": account_id},
    )


@pytest.mark.parametrize(
    ("harm", "missing", "changed", "first"),
    [(_cut_off_the_end, 4, 0, 6), (_delete_the_trail, 9, 0, 1), (_write_it_anew, 0, 7, 3)],
)
def test_the_log_sees_what_the_chain_cannot(
    alice: Player,
    superuser: Session,
    harm: object,
    missing: int,
    changed: int,
    first: int,
) -> None:
    for _ in range(9):
        analysed(alice)
    round_()
    assert log.check_account(superuser, alice.account_id) == log.AnchorVerdict(9, 0, 0, 0, None)
    assert callable(harm)
    harm(superuser, alice.account_id)
    whole = governance.verify_chain(superuser, alice.account_id)
    assert (whole.valid, whole.problem, whole.first_broken_seq) == (False, "log", first)
    assert whole.broken == missing + changed
    verdict = log.check_account(superuser, alice.account_id)
    assert verdict == log.AnchorVerdict(9, missing, changed, 0, first)
    assert not verdict.intact


def test_whoever_deletes_the_places_too_meets_the_signed_head(alice: Player, superuser: Session) -> None:
    for _ in range(3):
        analysed(alice)
    round_()
    assert log.check_log(superuser).problem is None
    superuser.execute(sa.text("DELETE FROM log_positions WHERE account_id = :a"), {"a": alice.account_id})
    assert log.check_log(superuser).problem == "3 entries belong to no account's record"


def test_any_changed_byte_of_the_log_is_seen(alice: Player, superuser: Session) -> None:
    for _ in range(20):
        analysed(alice)
    round_()
    size = log.size_of(superuser)
    draw = random.Random(7)
    for _ in range(40):
        index, byte = draw.randrange(size), draw.randrange(32)
        nested = superuser.begin_nested()
        change = "set_byte(entry, :byte, get_byte(entry, :byte) # 1)"
        superuser.execute(
            sa.text(f"UPDATE log_entries SET entry = {change} WHERE index = :index"),
            {"byte": byte, "index": index},
        )
        assert log.check_log(superuser).problem is not None
        nested.rollback()
    assert log.check_log(superuser).problem is None


def test_a_new_key_is_published_before_it_signs() -> None:
    now = clock.now()
    with rls.as_system(), db.transaction() as session:
        before = signing_keys.signer(session, "attestation", at=now)
        kid, since = signing_keys.rotate(session, "attestation", now=now, overlap=timedelta(hours=1))
    with db.reading() as session:
        published = {key.kid for key in signing_keys.published(session, "attestation")}
        assert {before.kid, kid} <= published
        assert signing_keys.signer(session, "attestation", at=now).kid == before.kid
        after = signing_keys.signer(session, "attestation", at=since + timedelta(seconds=1))
        assert after.kid == kid
        public = signing_keys.public_key(session, "attestation", kid)
        assert public == after.key.public_key().public_bytes_raw()
        assert signing_keys.thumbprint(public) == kid
    with rls.as_system(), db.transaction() as session:
        session.execute(sa.text("DELETE FROM signing_keys WHERE kid = :k"), {"k": kid})


def test_the_thumbprint_of_rfc_8037() -> None:
    public = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    assert signing_keys.thumbprint(public) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
