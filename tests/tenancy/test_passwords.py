"""Which passwords may be chosen: none that is among the first to be tried."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform.errors import Invalid
from app.tenancy import passwords

ABOUT = ("ana.garcia@ribera-abogados.es", "Ribera Abogados, S.L.P.")


@pytest.mark.parametrize(
    "password",
    [
        "password", "Password1", "PASSWORD!!", "P4ssw0rd", "p@$$w0rd2026", "passwordpassword", "drowssap1",
        "contraseña", "Contraseña1", "C0ntr4s3ñ4", "micontraseña", "iloveyou", "Il0v3y0u!", "teamo123",
        "TeQuiero2024", "t3qu1er0", "letmein123", "welcome1", "Bienvenido1", "admin123", "admin@2024",
        "monkeymonkey", "dragon12345", "Barcelona1", "RealMadrid", "sevilla2025!", "carlos1234",
        "maria1985", "football", "Princesa7", "abogado1", "trustno1", "superman!", "starwars1977",
        "Ｐａｓｓｗｏｒｄ", "pass word 1", "changeme", "p.a.s.s.w.o.r.d",
    ],
)  # fmt: skip
def test_the_commonest_are_refused_however_they_are_dressed_up(password: str) -> None:
    assert passwords.weakness(password, about=ABOUT) == "common"


@pytest.mark.parametrize(
    "password",
    [
        "12345678", "87654321", "1234567890", "00000000", "11223344", "12341234", "abcdefgh", "abcabcabc",
        "aaaaaaaa", "qwertyuiop", "qwerty123456", "QWERTY123", "asdfghjkl", "zxcvbnm123", "1q2w3e4r",
        "1qaz2wsx", "!!!!!!!!", "asdf1234", "147258369", "24121985", "1985-12-24", "01/01/2000",
        "poiuytrewq", "a1b2c3d4", "11111111a", "a12345678", "9876543210A!", "z24121985",
    ],
)  # fmt: skip
def test_rows_repetitions_and_dates_are_refused(password: str) -> None:
    assert passwords.weakness(password, about=ABOUT) == "pattern"


@pytest.mark.parametrize(
    "password",
    [
        "ana.garcia", "AnaGarcia1", "garciaana85", "ana.garcia@ribera-abogados.es", "Ribera2024",
        "riberaabogados", "R1b3r4!!!", "Candado2026!", "candado1", "c4nd4d0!",
    ],
)  # fmt: skip
def test_names_of_the_person_their_firm_and_the_service_are_refused(password: str) -> None:
    assert passwords.weakness(password, about=ABOUT) == "personal"


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery", "four words are better", "a long password", "lluvia mesa trece faro",
        "x9$kQm2v", "tea#8231947205", "Zurriaga-17-molinos", "garcía compra naranjas azules",
        "mdfa-hegq-tlop", "k4071829365", "é😀ñ漢字かな字", "T7!vq_Lz", "perro verde 1 tren",
    ],
)  # fmt: skip
def test_what_nobody_tries_first_may_be_chosen(password: str) -> None:
    passwords.check(password, about=ABOUT)


@pytest.mark.parametrize(("length", "taken"), [(7, False), (8, True), (200, True), (201, False)])
def test_a_password_has_8_to_200_characters(length: int, taken: bool) -> None:
    password = ("xK9#vq7LmZ!w" * 20)[:length]
    if taken:
        passwords.check(password)
        return
    with pytest.raises(Invalid) as refused:
        passwords.check(password)
    assert refused.value.details == {
        "field": "password", "reason": "length", "min": 8, "max": 200, "got": length,
    }  # fmt: skip


def test_a_refusal_says_why_and_what_to_do() -> None:
    with pytest.raises(Invalid) as refused:
        passwords.check("password123")
    assert refused.value.status == 400
    assert refused.value.message.startswith("password: is a very common password")
    assert "Choose another" in refused.value.message
    assert refused.value.details == {"field": "password", "reason": "common"}


def test_the_list_holds_thousands_of_plain_base_words() -> None:
    listed = passwords.common()
    assert len(listed) > 4000
    assert [word for word in listed if not (word.isascii() and word.isalnum() and word == word.lower())] == []


@given(st.text(min_size=8, max_size=200), st.text(max_size=80))
def test_any_text_is_judged(password: str, about: str) -> None:
    assert passwords.weakness(password, about=(about,)) in (None, "common", "personal", "pattern")


@pytest.mark.parametrize("piece", ["1", "a1", "!", "ab1!", "qwe", "0a"])
def test_no_text_takes_long_to_judge(piece: str) -> None:
    began = time.process_time()
    passwords.weakness((piece * 200)[:199] + "x", about=ABOUT)
    assert time.process_time() - began < 1


def test_a_generated_password_is_accepted_though_chance_draws_a_weak_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = iter(["269e99445431", "5fdd6d9111f7"])
    monkeypatch.setattr("app.tenancy.passwords.secrets.token_hex", lambda size: next(drawn))
    assert passwords.weakness("269e99445431") == "common"
    assert passwords.generate() == "5fdd6d9111f7"
