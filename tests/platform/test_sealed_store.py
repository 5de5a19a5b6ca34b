"""Sealed storage: an item is read by its key in its slot alone, in the forms that are stored today."""

from __future__ import annotations

import base64
import json
import os
import uuid
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.governance.documents import file_store
from app.idempotency import answer_cache
from app.jobs import storage
from app.platform import crypto, redis_client, sealed_store, settings
from app.platform.sealed_store import ItemAddress, SealedStore

WORDS = b"Herrero Vidal lets the flat"
STORE = SealedStore("tests")


@pytest.fixture(autouse=True)
def redis(configured: settings.Settings) -> Any:
    return redis_client.client()


def slot(kind: str = "note") -> ItemAddress:
    name = uuid.uuid4()
    return ItemAddress(f"test:{name.hex}", name.bytes + kind.encode())


def test_an_item_is_read_with_its_key_and_nothing_of_it_shows(redis: Any) -> None:
    place, key = slot(), STORE.new_key(b"row 1")
    STORE.put(place, key.clear, WORDS, ttl_s=60)
    assert STORE.get(place, STORE.unwrap(key.wrapped, b"row 1")) == WORDS
    at_rest = redis.get(place.name)
    assert not [word for word in WORDS.split() if word in at_rest + key.wrapped]
    assert key.clear not in at_rest + key.wrapped
    assert 0 < redis.ttl(place.name) <= 60
    assert str(key.clear) not in repr(key) + str(key)


def test_another_key_slot_row_or_purpose_opens_nothing(redis: Any) -> None:
    place, key = slot(), STORE.new_key(b"row 1")
    STORE.put(place, key.clear, WORDS, ttl_s=60)
    assert STORE.get(place, STORE.new_key(b"row 1").clear) is None
    elsewhere = slot()
    redis.set(elsewhere.name, redis.get(place.name))
    assert STORE.get(elsewhere, key.clear) is None
    with pytest.raises(crypto.Unreadable):
        STORE.unwrap(key.wrapped, b"row 2")
    with pytest.raises(crypto.Unreadable):
        SealedStore("other tests").unwrap(key.wrapped, b"row 1")


@pytest.mark.parametrize("at", [0, 12, -1])
def test_an_altered_item_is_gone(redis: Any, at: int) -> None:
    place, key = slot(), STORE.new_key(b"row 1")
    STORE.put(place, key.clear, WORDS, ttl_s=60)
    altered = bytearray(redis.get(place.name))
    altered[at] ^= 1
    redis.set(place.name, bytes(altered))
    assert STORE.get(place, key.clear) is None


def test_parts_are_read_together_and_a_part_that_was_moved_is_left_out(redis: Any) -> None:
    place, key = slot(), STORE.new_key(b"row 1")
    for number in range(3):
        STORE.put_part(place, number, key.clear, b"part %d" % number, ttl_s=60)
    redis.hset(place.name, "3", redis.hget(place.name, "0"))
    assert STORE.get_parts(place, key.clear) == {0: b"part 0", 1: b"part 1", 2: b"part 2"}
    assert 0 < redis.ttl(place.name) <= 60
    assert STORE.get_parts(slot(), key.clear) == {}


def test_a_large_item_is_kept_in_pieces_and_gone_with_the_first_of_them(redis: Any) -> None:
    place, key = slot(), STORE.new_key(b"row 1")
    clear = os.urandom(2 * sealed_store.PIECE + 1)
    assert STORE.put_pieces(place, key.clear, clear, ttl_s=60) == 3
    assert STORE.get_pieces(place, key.clear, 3) == clear
    assert STORE.get_pieces(place, STORE.new_key(b"row 1").clear, 3) is None
    first, second, _third = place.pieces(3)
    redis.set(first.name, redis.get(second.name))
    assert STORE.get_pieces(place, key.clear, 3) is None, "a piece is read in its own place alone"
    redis.delete(first.name)
    assert STORE.get_pieces(place, key.clear, 3) is None


def test_items_are_kept_longer_and_never_shorter(redis: Any) -> None:
    places, key = [slot(), slot()], STORE.new_key(b"row 1")
    STORE.put(places[0], key.clear, WORDS, ttl_s=60)
    STORE.put(places[1], key.clear, WORDS, ttl_s=600)
    STORE.extend([*places, slot()], ttl_s=300)
    first, second = (redis.ttl(place.name) for place in places)
    assert 290 < first <= 300
    assert 590 < second <= 600


def test_what_was_deleted_is_gone() -> None:
    places, key = [slot(), slot()], STORE.new_key(b"row 1")
    for place in places:
        STORE.put(place, key.clear, WORDS, ttl_s=60)
    assert STORE.has_all(places)
    STORE.delete(places[0])
    assert not STORE.has_all(places)
    assert [STORE.get(place, key.clear) for place in places] == [None, WORDS]


def test_only_deleting_is_silent_about_a_redis_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> Any:
        raise redis_client.Unavailable("away")

    monkeypatch.setattr(redis_client, "client", away)
    STORE.delete(slot())
    with pytest.raises(redis_client.Unavailable):
        STORE.get(slot(), b"k" * 32)
    with pytest.raises(redis_client.Unavailable):
        STORE.put(slot(), b"k" * 32, WORDS, ttl_s=60)


# The forms at rest, in literal names, purposes and contexts: what a release stored, the next has to read.


def wrapping(purpose: str) -> AESGCM:
    secret = settings.current().secret_key.get_secret_value()
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=b"candado/" + purpose.encode()).derive(secret.encode()))


def sealed(cipher: AESGCM, clear: bytes, context: bytes) -> bytes:
    nonce = os.urandom(12)
    return nonce + cipher.encrypt(nonce, clear, context)


def opened(cipher: AESGCM, found: bytes, context: bytes) -> bytes:
    return cipher.decrypt(found[:12], found[12:], context)


def test_jobs_that_were_stored_before_are_read(redis: Any) -> None:
    job, key = uuid.uuid4(), AESGCM.generate_key(256)
    redis.set(f"job:{job.hex}:payload", sealed(AESGCM(key), b"what came in", job.bytes + b"payload"))
    redis.hset(f"job:{job.hex}:documents", "4", sealed(AESGCM(key), b"fifth", job.bytes + b"payload:4"))
    redis.set(f"job:{job.hex}:result:2", sealed(AESGCM(key), b"what came out", job.bytes + b"result:2"))
    wrapped = sealed(wrapping("jobs"), key, job.bytes + b"payload")
    assert storage.payload(job, storage.unwrap(job, "payload", wrapped)) == b"what came in"
    assert storage.documents(job, key) == {4: b"fifth"}
    wrapped = sealed(wrapping("jobs"), key, job.bytes + b"result")
    assert storage.result(job, 2, wrapped) == b"what came out"
    assert storage.result(job, 1, wrapped) is None
    assert storage.result(job, 2, sealed(wrapping("jobs"), key, job.bytes + b"payload")) is None


def test_jobs_are_stored_as_before(redis: Any) -> None:
    job = uuid.uuid4()
    key = storage.new_key(job, "payload")
    storage.keep_payload(job, key.clear, b"what came in", ttl_s=60)
    storage.keep_document(job, key.clear, 4, b"fifth", ttl_s=60)
    assert opened(wrapping("jobs"), key.wrapped, job.bytes + b"payload") == key.clear
    cipher = AESGCM(key.clear)
    assert opened(cipher, redis.get(f"job:{job.hex}:payload"), job.bytes + b"payload") == b"what came in"
    assert opened(cipher, redis.hget(f"job:{job.hex}:documents", "4"), job.bytes + b"payload:4") == b"fifth"
    key = storage.new_key(job, "result")
    storage.keep_result(job, 2, key.clear, b"what came out", ttl_s=60)
    assert opened(wrapping("jobs"), key.wrapped, job.bytes + b"result") == key.clear
    found = redis.get(f"job:{job.hex}:result:2")
    assert opened(AESGCM(key.clear), found, job.bytes + b"result:2") == b"what came out"


def test_files_of_documents_are_read_and_stored_as_before(redis: Any) -> None:
    document, key = uuid.uuid4(), AESGCM.generate_key(256)
    for part, clear in enumerate((b"%PDF", b"%%EOF")):
        context = document.bytes + b":1:%d" % part
        redis.set(f"audit:{document.hex}:1:{part}", sealed(AESGCM(key), clear, context))
    wrapped = sealed(wrapping("audit documents"), key, document.bytes)
    assert list(file_store.read(document, 1, file_store.StoredFile(wrapped, 2, 9))) == [b"%PDF", b"%%EOF"]
    with pytest.raises(file_store.FileMissing):
        file_store.read(document, 1, file_store.StoredFile(wrapped, 3, 9))

    kept = file_store.keep(document, 2, b"x" * (sealed_store.PIECE + 1), ttl_s=60)
    assert (kept.parts, kept.size) == (2, sealed_store.PIECE + 1)
    clear_key = opened(wrapping("audit documents"), kept.key, document.bytes)
    found = redis.get(f"audit:{document.hex}:2:1")
    assert opened(AESGCM(clear_key), found, document.bytes + b":2:1") == b"x"


def test_answers_for_replays_are_read_and_stored_as_before(redis: Any) -> None:
    token, key = uuid.uuid4(), AESGCM.generate_key(256)
    plain = {"status": 200, "headers": {"A": "b"}, "body": base64.b64encode(WORDS).decode()}
    redis.set(f"answer:{token.hex}", sealed(AESGCM(key), json.dumps(plain).encode(), token.bytes))
    assert answer_cache.recall(token, key) == answer_cache.StoredAnswer(200, {"A": "b"}, WORDS)
    wrapped = sealed(wrapping("idempotency"), key, token.bytes)
    assert answer_cache.STORE.unwrap(wrapped, token.bytes) == key

    other = uuid.uuid4()
    assert answer_cache.remember(other, key, answer_cache.StoredAnswer(201, {}, WORDS))
    found = json.loads(opened(AESGCM(key), redis.get(f"answer:{other.hex}"), other.bytes))
    assert base64.b64decode(found["body"]) == WORDS
