"""The service's name in prose: what becomes of it in each mode, and what is never touched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.branding import Attribution, brand, own_words_of

NONE = Attribution("none")
BLOCK = "SERVICE-AUDIT-TRAIL-BEGIN\nmodules_active:\n  - Candado\nSERVICE-AUDIT-TRAIL-END"
NAMES = ("Candado", "Lex Nexus", "Service", "Ñandú", "C-3", "servicio", "a")
BRANDS = (
    "Ibáñez & Soler",
    "Candado Partners",
    "Partners of Candado",
    "Olmos",
    "CANDADO",
    "a.b*c",
    "Lex Lex Nexus",
)


def _brand(
    text: str, attribution: Attribution, language: str = "es", name: str = "Candado", **more: object
) -> str:
    return brand(text, attribution, service_name=name, wire_name="Service", language=language, **more)  # type: ignore[arg-type]


def _partner(name: str = "Olmos") -> Attribution:
    return Attribution("partner", name)


@pytest.mark.parametrize(
    ("language", "text", "nobody", "partner"),
    [
        ("es", "Candado lo dice.", "El servicio lo dice.", "Olmos lo dice."),
        ("es", "Según Candado, procede.", "Según el servicio, procede.", "Según Olmos, procede."),
        ("es", "El motor de Candado lee.", "El motor del servicio lee.", "El motor de Olmos lee."),
        ("es", "De Candado a Candado.", "Del servicio al servicio.", "De Olmos a Olmos."),
        ("es", "la Candado y el Candado", "el servicio y el servicio", "la Olmos y el Olmos"),
        ("es", "de la Candado", "del servicio", "de la Olmos"),
        ("es", "los Candados", "los servicios", "los Olmos"),
        ("es", "La plataforma Candado lee.", "La plataforma lee.", "La plataforma Olmos lee."),
        ("es", "Informe Candado", "Informe del servicio", "Informe Olmos"),
        ("es", "uno o Candado", "uno o el servicio", "uno u Olmos"),
        ("es", "Fin. Candado sigue.", "Fin. El servicio sigue.", "Fin. Olmos sigue."),
        ("es", "- Candado lee\n- otro", "- El servicio lee\n- otro", "- Olmos lee\n- otro"),
        ("es", "de **Candado** y", "del **servicio** y", "de **Olmos** y"),
        ("es", "Texto. Powered by Candado.", "Texto. ", "Texto. Powered by Olmos."),
        ("es", "Fue elaborado por Candado.", "Fue elaborado por el servicio.", "Fue elaborado por Olmos."),
        ("es", "CANDADO LEE TODO", "EL SERVICIO LEE TODO", "Olmos LEE TODO"),
        ("es", "con cAnDaDo", "con el servicio", "con Olmos"),
        ("es", "por Candado, S.L. Luego", "por el servicio. Luego", "por Olmos. Luego"),
        ("es", "motor candado-rules-1", "motor rules-1", "motor rules-1"),
        ("es", "en https://candado.example/x.", "en el servicio.", "en Olmos."),
        ("es", "a info@candado.example hoy", "al servicio hoy", "a Olmos hoy"),
        ("en", "Candado says so.", "The service says so.", "Olmos says so."),
        ("en", "Candado's engine", "The service's engine", "Olmos's engine"),
        ("en", "the Candado engine", "the service engine", "the Olmos engine"),
        ("en", "a Candado report", "a service report", "an Olmos report"),
        ("en", "made by Candado and us", "made by the service and us", "made by Olmos and us"),
        ("en", "Powered by Candado", "", "Powered by Olmos"),
        ("en", "using Candado, we", "using the service, we", "using Olmos, we"),
        ("en", "our Candado reads", "our service reads", "our Olmos reads"),
        ("en", "the platform Candado reads", "the platform reads", "the platform Olmos reads"),
        ("en", "a non-Candado tool", "a non-service tool", "a non-Olmos tool"),
        ("en", "ask “Candado”", "ask “the service”", "ask “Olmos”"),
        ("en", "_Candado_ reads", "_The service_ reads", "_Olmos_ reads"),
        ("en", "CANDADO REPORT", "THE SERVICE REPORT", "Olmos REPORT"),
    ],
)  # fmt: skip
def test_the_sentence_stays_one(language: str, text: str, nobody: str, partner: str) -> None:
    assert _brand(text, NONE, language) == nobody
    assert _brand(text, _partner(), language) == partner
    assert _brand(text, Attribution(), language) == text


@pytest.mark.parametrize(
    ("language", "text", "nobody"),
    [
        ("en", "This is an improved Candado.", "This is an improved service."),
        ("en", "an AI-driven Candado report", "an AI-driven service report"),
        ("en", "a trusted and independent Candado", "a trusted and independent service"),
        ("en", "a highly reliable, modern Candado", "a highly reliable, modern service"),
        ("en", "the best Candado's engine", "the best service's engine"),
        ("en", "our so-called **Candado** reads", "our so-called **service** reads"),
        ("en", "The honest Candado answer", "The honest service answer"),
        ("en", "any other Candado user", "any other service user"),
        ("en", "AN IMPROVED CANDADO", "AN IMPROVED SERVICE"),
        # What stands before the name there is a noun, and the name begins another clause.
        ("en", "a report Candado wrote", "a report the service wrote"),
        ("en", "the agreement Candado drew up", "the agreement the service drew up"),
        ("en", "the deed Candado read", "the deed the service read"),
        ("en", "the proposal Candado made", "the proposal the service made"),
        ("en", "the judge asked Candado", "the judge asked the service"),
        ("es", "la nueva Candado lee", "el nuevo servicio lee"),
        ("es", "de la antigua Candado", "del antiguo servicio"),
        ("es", "una excelente Candado", "un excelente servicio"),
        ("es", "El actual Candado", "El actual servicio"),
        ("es", "LA CITADA CANDADO", "EL CITADO SERVICIO"),
        ("es", "el juzgado Candado", "el juzgado el servicio"),
    ],
)
def test_an_adjective_keeps_its_article_and_gets_no_second(language: str, text: str, nobody: str) -> None:
    assert _brand(text, NONE, language) == nobody


def test_spanish_conjunctions_follow_the_partners_first_sound() -> None:
    assert _brand("Bufete y Candado", _partner("Ibáñez")) == "Bufete e Ibáñez"
    assert _brand("Bufete y Candado", _partner("Hielo")) == "Bufete y Hielo"
    assert _brand("Bufete o Candado", _partner("Hogar")) == "Bufete u Hogar"


@pytest.mark.parametrize("text", ["Candadote", "encandado", "Candadò", "descandado y candadería"])
def test_a_part_of_a_word_is_no_mention(text: str) -> None:
    assert _brand(text, NONE) == text


def test_the_audit_block_stays_as_it_is() -> None:
    text = f"# Candado\n\nDe Candado.\n{BLOCK}\nCandado\n"
    assert _brand(text, NONE) == f"# El servicio\n\nDel servicio.\n{BLOCK}\nEl servicio\n"
    assert _brand(text, _partner()) == f"# Olmos\n\nDe Olmos.\n{BLOCK}\nOlmos\n"


def test_a_block_that_does_not_end_is_none() -> None:
    assert "Candado" not in _brand("SERVICE-AUDIT-TRAIL-BEGIN\nCandado", NONE)


@pytest.mark.parametrize("attribution", [NONE, _partner()])
def test_words_of_the_clients_text_are_the_clients(attribution: Attribution) -> None:
    document = "Candado Seguridad, S.L. (la CANDADO) vende un candado con el lema «powered by Candado»."
    own = own_words_of(document, "Candado")
    for text in (
        "Interviene Candado Seguridad, S.L. (vendedora).",
        "Vende un candado. «Candado Seguridad, S.L.»",
        "El lema es «powered by Candado».",
    ):
        assert _brand(text, attribution, own_words=own) == text


def test_an_attribution_that_the_client_did_not_write_is_not_the_clients() -> None:
    own = own_words_of("Candado Seguridad, S.L. vende.", "Candado")
    said = _brand("Candado Seguridad vende. Análisis elaborado por Candado.", NONE, own_words=own)
    assert said == "Candado Seguridad vende. Análisis elaborado por el servicio."


def test_a_quotation_is_kept_though_an_attribution_stands_before_it() -> None:
    own = own_words_of("Candado Seguridad, S.L. vende.", "Candado")
    text = "Un contrato redactado por «Candado Seguridad, S.L.»"
    assert _brand(text, NONE, own_words=own) == text


def test_a_document_without_the_name_protects_nothing() -> None:
    assert own_words_of("Contrato de arrendamiento.", "Candado") == frozenset()


def test_the_common_noun_is_never_the_name_of_the_service() -> None:
    assert "servicio" not in _brand("Según Servicio, procede.", NONE, name="Servicio").casefold()


pieces = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "Candado", "CANDADO", "candado", "Candados", "Candado's", "Candado, S.L.", "Lex Nexus", "Service",
            "services", "servicio", "C-3", "Ñandú", " ", "\n", "\n\n", "- ", "# ", "de ", "del ", "a ", "an ",
            "the ", "The ", "el ", "la ", "y ", "o ", "powered by ", "elaborado por ", ". ", ", ", "**", "_",
            "«", "»", "“", "”", "(", ")", "-", "/", "@", ".com", "https://", "rules-1", "plataforma ",
            "engine ", "improved ", "trusted and ", "nueva ", "citado ", "Ibáñez & Soler", "Partners", "of ",
            "SERVICE-AUDIT-TRAIL-BEGIN", "SERVICE-AUDIT-TRAIL-END",
        ]
    ),
)  # fmt: skip
texts = st.lists(pieces, max_size=25).map("".join)


def _outside_the_block(text: str) -> str:
    return re.sub("SERVICE-AUDIT-TRAIL-BEGIN.*?SERVICE-AUDIT-TRAIL-END", "\n\n", text, flags=re.DOTALL)


def _mentions(text: str, name: str) -> list[str]:
    words = r"\s+".join(map(re.escape, name.split()))
    return re.findall(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)


@settings(max_examples=600)
@given(text=texts, language=st.sampled_from(["es", "en"]), name=st.sampled_from(NAMES))
def test_nobody_leaves_no_mention_outside_the_block(text: str, language: str, name: str) -> None:
    said = _brand(text, NONE, language, name)
    assert _mentions(_outside_the_block(said), name) == []
    assert _brand(said, NONE, language, name) == said


@settings(max_examples=400)
@given(text=texts, document=texts, language=st.sampled_from(["es", "en"]))
def test_nobody_leaves_no_mention_but_in_the_clients_words(text: str, document: str, language: str) -> None:
    own = own_words_of(document, "Candado")
    said = _outside_the_block(_brand(text, NONE, language, own_words=own))
    for phrase in sorted(own, key=len, reverse=True):
        said = re.sub(r"\s+".join(map(re.escape, phrase.split())), " ", said, flags=re.IGNORECASE)
    assert _mentions(said, "Candado") == []


@settings(max_examples=600)
@given(
    text=texts,
    document=texts,
    language=st.sampled_from(["es", "en"]),
    name=st.sampled_from(NAMES),
    author=st.sampled_from(BRANDS) | st.text(min_size=1, max_size=12).map(str.strip).filter(bool),
)
def test_a_partner_twice_is_a_partner_once(
    text: str, document: str, language: str, name: str, author: str
) -> None:
    own = own_words_of(document, name)
    once = _brand(text, _partner(author), language, name, own_words=own)
    assert _brand(once, _partner(author), language, name, own_words=own) == once


@settings(max_examples=300)
@given(
    text=texts,
    quoted=st.lists(pieces, min_size=1, max_size=6).map("".join),
    attribution=st.sampled_from([NONE, _partner(), _partner("Candado Partners")]),
)
def test_a_text_of_the_client_comes_out_as_it_went_in(
    text: str, quoted: str, attribution: Attribution
) -> None:
    # The whole quotation is given as the client's: no letter of it changes, whatever stands around it.
    quotation = f"Candado {quoted} Candado"
    if "AUDIT-TRAIL" in quoted + text:
        return
    said = _brand(f"{text}\n«{quotation}»\n{text}", attribution, own_words=[quotation])
    assert quotation in said


def test_a_long_hostile_text_is_read_in_one_go() -> None:
    # Quadratic behaviour would take minutes here; nothing is timed, the test simply ends.
    for text in ("Candado " * 6_000, "SERVICE-AUDIT-TRAIL-BEGIN\n" * 2_000, "powered by " * 5_000 + "Candado",
                 " " * 50_000 + "Candado", "«" * 20_000 + "Candado", "a" * 50_000 + "/Candado"):  # fmt: skip
        assert _mentions(_brand(text, NONE), "Candado") == []
