"""Keys: their form, their checksum, and what is stored of them."""

from __future__ import annotations

import string

import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from app.platform.postgres import db
from app.tenancy import key_format
from tests.cast import Cast


def test_a_new_key_is_well_formed_and_unlike_the_last() -> None:
    first, second = key_format.mint("svc"), key_format.mint("svc")
    assert first != second
    assert first.startswith("svc_")
    assert key_format.is_well_formed(first, "svc")
    assert not key_format.is_well_formed(first, "abc")
    assert key_format.public_prefix(first) == first[:12]


@given(position=st.integers(4, 41), character=st.sampled_from(string.ascii_letters + string.digits))
def test_one_mistyped_character_is_noticed(position: int, character: str) -> None:
    token = key_format.mint("svc")
    typed = token[:position] + character + token[position + 1 :]
    assert key_format.is_well_formed(typed, "svc") == (typed == token)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: "svc_" + raw.decode("latin-1")))
def test_no_text_whatever_raises(text: str) -> None:
    key_format.is_well_formed(text, "svc")


def test_the_database_holds_no_plaintext(cast: Cast) -> None:
    alice = cast.player()
    with db.reading() as session:
        row = session.execute(sa.text("SELECT k::text FROM api_keys k WHERE id = :i"), {"i": alice.key_id})
        stored = row.scalar_one()
    assert alice.key[12:] not in stored
    assert alice.key[:12] in stored
