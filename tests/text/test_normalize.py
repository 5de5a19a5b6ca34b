"""Folding is total and stable, and every offset leads back to the characters that were read."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.text.normalize import (
    CITATIONS,
    FACTS,
    LAW,
    READER,
    REDACTION,
    RULES,
    WORDS,
    Profile,
)
from tests.growth import assert_linear

PROFILES = {
    "facts": FACTS,
    "rules": RULES,
    "citations": CITATIONS,
    "law": LAW,
    "redaction": REDACTION,
    "words": WORDS,
    "reader": READER,
}
IN_PLACE = {"facts", "rules", "law"}
ASCII = {"rules", "redaction"}
every_profile = pytest.mark.parametrize("name", PROFILES)

# Any code point, lone surrogates too, with those that folding is about far oftener than chance would have it.
LIKELY = (
    "aZ9 \n\t-.,|`'ñÑé\u0301\u0327\u00ad\u200b\u202e\ufeffºª°€½¹ⅧﬁßœĿΣςŸАаοІ"
    "“”«»–…№•·①７٣\u2028\ud800𝐀🇪【İ\u3000"
)
texts = st.text(st.one_of(st.sampled_from(LIKELY), st.characters(codec=None, categories=None)), max_size=60)


def every_character() -> str:
    """The two planes that text is written in, and samples of the others."""
    return "".join(map(chr, (*range(0x20000), *range(0x20000, 0x110000, 997))))


def again(name: str, folded: str) -> str:
    """What folding a folded text must give: the same, but for the two signs that stand for others.

    Nobody can type the sign of the detectors, and the euro sign of the rules is a capital.
    """
    standing = {"redaction": (REDACTION.symbol, ""), "rules": ("E", "e")}
    return folded.replace(*standing[name]) if name in standing else folded


@every_profile
def test_every_character_has_a_reading_and_keeps_it(name: str) -> None:
    profile = PROFILES[name]
    for character in every_character():
        read = profile.fold(character)
        assert profile.fold(read) == again(name, read), f"U+{ord(character):04X}"
        assert not any(0xD800 <= ord(one) <= 0xDFFF for one in read), f"U+{ord(character):04X}"
        if name in IN_PLACE:
            assert len(read) == 1, f"U+{ord(character):04X}"
        if name in ASCII:
            assert read.isascii(), f"U+{ord(character):04X}"


@every_profile
@given(text=texts)
@example("")
@example("\u200b\u0301")
@example("a\u0301\u0302\u200bb")
@example("ΑΣ Σ")
def test_a_folded_text_folds_to_itself(name: str, text: str) -> None:
    folded = PROFILES[name].fold(text)
    assert PROFILES[name].fold(folded) == again(name, folded)
    assert PROFILES[name].normalize(text).text == folded


@every_profile
@given(text=texts, data=st.data())
@example("\u200bﬁ\u0301…\u200b\u200b", None)
def test_every_offset_leads_to_the_characters_that_were_read(
    name: str, text: str, data: st.DataObject | None
) -> None:
    profile = PROFILES[name]
    plain = profile.normalize(text)
    origins = plain.origins()
    assert origins == [plain.origin(place) for place in range(len(plain.text))]
    assert plain.origin(len(plain.text)) <= len(text)
    # Each character of the original, read by itself, stands where the offsets say that it stands.
    at = 0
    for place, character in enumerate(text):
        read = profile.fold(character)
        assert plain.text[at : at + len(read)] == read
        assert origins[at : at + len(read)] == [place] * len(read)
        at += len(read)
    assert at == len(plain.text)
    if name in IN_PLACE:
        assert plain.in_place
    if plain.text and data is not None:
        start = data.draw(st.integers(0, len(plain.text) - 1))
        end = data.draw(st.integers(start + 1, len(plain.text)))
        first, last = plain.span(start, end)
        assert 0 <= first < last <= len(text)
        assert plain.text[start:end] in profile.fold(text[first:last])
        # What is cut out is read as what was found, but for the rest of a character that was found in part.
        assert profile.fold(text[origins[start] : origins[end - 1] + 1]) == profile.fold(text[first:last])


@given(texts)
def test_profiles_that_keep_offsets_keep_every_white_space(text: str) -> None:
    for profile in (FACTS, RULES, LAW):
        folded = profile.fold(text)
        assert len(folded) == len(text)
        for character, read in zip(text, folded, strict=True):
            if character.isspace():
                assert read in " \n"


@given(texts)
def test_letters_of_a_citation_stay_the_same_in_either_case(text: str) -> None:
    folded = CITATIONS.fold(text)
    assert len(folded.lower()) == len(folded)


@pytest.mark.parametrize(
    ("profile", "text", "folded"),
    [
        (FACTS, "«Cláusula 1.ª» – 4½ % de 1.000 €", '"Clausula 1.ª" - 4½ % de 1.000 €'),
        (RULES, "«Cláusula 1.ª» – 4½ % de 1.000 €", '"clausula 1.a" - 4? % de 1.000 E'),
        (CITATIONS, "arti\u0301culo\u00a05¹ §\u200b 7 N.° 3", "articulo 5¹ § 7 N.º 3"),
        (CITATIONS, "аrt. Ⅷ, deﬁnitiva", "art. VIII, definitiva"),
        (LAW, "Größe, ﬁn, art. Ⅷ", "Grose, fn, art. Ⅷ"),
        (REDACTION, "DNI １２\u200b³④٥–Ⅷ. €", "DNI 12345-VIII. \x01"),
        (REDACTION, "N.º 5·6•7 Ж ж", "N.. 5.6.7 X x"),
        (WORDS, "Cœur DE Straße, İzmir, Łódź, Ωmega", "coeur de strasse, izmir, lodz, ωmega"),
        (READER, "[ⅼ１] ｜ ᎪＢ \u202e【L2】", "[l1] l AB [L2]"),
    ],
)
def test_profiles_read_as_their_users_need(profile: Profile, text: str, folded: str) -> None:
    assert profile.fold(text) == folded


@pytest.mark.parametrize(
    ("text", "found", "original"),
    [
        ("do\u200bn Jose\u0301\u200b", "Jose", "Jose\u0301"),
        ("la deﬁnitiva", "definitiva", "deﬁnitiva"),
        ("la deﬁnitiva", "def", "deﬁ"),
        ("la deﬁnitiva", "initiva", "ﬁnitiva"),
        ("\u200b\u200bart. 5", "art. 5", "art. 5"),
        ("1\u200b2", "12", "1\u200b2"),
    ],
)
def test_what_is_found_is_cut_out_of_the_original(text: str, found: str, original: str) -> None:
    plain = REDACTION.normalize(text)
    at = plain.text.index(found)
    assert text[slice(*plain.span(at, at + len(found)))] == original


def test_an_accent_that_nobody_writes_is_left_outside() -> None:
    text = "e" + "\u0301" * 50
    assert CITATIONS.normalize(text).span(0, 1) == (0, 9)


@every_profile
@pytest.mark.parametrize("unit", ["é", "e\u0301", "\u200b", "\U0001d400", "ﷺ", "\ud800", "|", "漢"])
def test_time_is_linear_whatever_the_text_is_made_of(name: str, unit: str) -> None:
    def read(text: str) -> None:
        plain = PROFILES[name].normalize(text)
        plain.span(0, max(1, len(plain.text)))
        plain.origins()

    assert_linear(read, unit, short=20_000, long=100_000)


def test_what_python_calls_invisible_or_a_mark_is_deleted_for_detectors() -> None:
    for character in every_character():
        if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cs"):
            assert REDACTION.fold(character) == "", f"U+{ord(character):04X}"
