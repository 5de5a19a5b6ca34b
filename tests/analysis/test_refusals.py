"""What a model is told about a statement refused for its wording, and what counts as its restatement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.analysis.checks import locks
from app.analysis.checks.locks import DowngradeReason
from app.analysis.checks.refusals import Refusal, accepted, is_restatement, refusals
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Lock, Section, Statement

DOCUMENT = """CONTRATO DE SUBCONTRATA

La empresa Bóveda Obras, S.L. (la «Contratista») y Fachadas del Esla, S.L. (la «Subcontratista») acuerdan:

1. Andamios. Los andamios los aporta la Contratista. La Subcontratista debe montarlos en julio.
2. Precio. El precio total es de 238.500 euros, IVA no incluido. Un contrato anterior costó 61.000 euros.
3. Garantía. La Subcontratista garantiza los paneles durante diez años y los anclajes durante seis.
4. Seguro. La Contratista no responderá de los daños por granizo, salvo culpa grave.
5. Anticipo. La Contratista pagará a la Subcontratista un anticipo de 9.100 euros.
6. Horario. La obra estará abierta de 7:00 a 15:00 horas.
7. Cubierta. La Subcontratista no podrá entrar en la cubierta.
8. Recargo. No llevarán recargo los pedidos sin montaje.
9. Agua. La Contratista dará el agua; la Subcontratista aportará las mangueras, que devolverá pronto."""
FINDER = QuoteFinder(DOCUMENT)
ADVANCE = "La Contratista pagará a la Subcontratista un anticipo de 9.100 euros."
HOURS = "La obra estará abierta de 7:00 a 15:00 horas."
ROOF = "La Subcontratista no podrá entrar en la cubierta."
PRICE = "El precio total es de 238.500 euros, IVA no incluido."


def _stated(text: str, *quotes: str, **changes: object) -> Statement:
    stated = Statement(Section.OBLIGATIONS, text, quotes, proposed=Lock.L1)
    return replace(stated, **changes)  # type: ignore[arg-type]


def _refused(text: str, *quotes: str) -> tuple[Statement, Refusal]:
    statement = _stated(text, *quotes)
    [refusal] = refusals(locks.judge([statement], FINDER), FINDER)
    return statement, refusal


def test_a_refusal_names_the_words_without_a_place_and_the_sentences_around() -> None:
    _, refusal = _refused("El contravalor total es de 238.500 euros.", PRICE)
    assert refusal.reason is DowngradeReason.BEYOND
    assert refusal.words == ("contravalor",)
    [passage] = refusal.passages
    told = DOCUMENT[passage.start : passage.end]
    assert PRICE in told
    assert "Un contrato anterior costó 61.000 euros." in told


def test_where_the_quotation_is_not_found_the_sentences_most_alike_are_told() -> None:
    _, refusal = _refused("La Contratista aporta los andamios.", "La Contratista aportará todos los andamios")
    assert refusal.reason is DowngradeReason.NOT_FOUND
    assert "Los andamios los aporta la Contratista." in DOCUMENT[refusal.passages[0].start :][:80]


def test_only_a_models_own_statements_that_wording_cost_their_lock_are_told() -> None:
    loose = _stated("El contravalor total es de 238.500 euros.", PRICE)
    others = [
        _stated(PRICE, PRICE),
        replace(loose, proposed=Lock.L4),
        replace(loose, origin="rules"),
        replace(loose, quotes=()),
        replace(loose, facts={"issue": "1.1", "part": "rule"}),
    ]
    judged = locks.judge([*others, loose], FINDER)
    assert [one.statement for one in refusals(judged, FINDER)] == [len(others)]


def test_a_document_of_many_statements_is_told_in_bounds() -> None:
    many = [_stated(f"El contravalor {number} es de 238.500 euros.", PRICE) for number in range(120)]
    assert len(refusals(locks.judge(many, FINDER), FINDER)) == 80


WATER = "La Contratista dará el agua; la Subcontratista aportará las mangueras, que devolverá pronto."
PROPOSED = [
    # Half of a sentence, up to a comma behind which nothing limits it.
    (
        "La Subcontratista aportará las mangueras hidráulicas.",
        WATER,
        "La Subcontratista aportará las mangueras.",
    ),
    ("La Subcontratista recibe un anticipo crematístico de 9.100 euros.", ADVANCE, ADVANCE),
    # What would be cut off ("IVA no incluido") limits the price.
    ("El precio completo es de 238.500 euros.", PRICE, PRICE),
    ("La obra estará permanentemente abierta de 7:00 a 15:00 horas.", HOURS, HOURS),
]


@pytest.mark.parametrize(("text", "quote", "proposed"), PROPOSED)
def test_the_shortest_literal_clause_that_says_as_much_is_proposed(
    text: str, quote: str, proposed: str
) -> None:
    _, refusal = _refused(text, quote)
    assert refusal.proposed == proposed
    assert proposed.rstrip(".").lower() in DOCUMENT.lower()


NOT_PROPOSED = [
    ("The total countervalue is 238,500 euros.", PRICE),  # its words would have to be translated
    ("El contravalor total es de 249.500 euros.", PRICE),  # another figure
    ("La Subcontratista retira los paneles sucios.", PRICE),  # nothing of it stands there
]


@pytest.mark.parametrize(("text", "quote"), NOT_PROPOSED)
def test_nothing_is_proposed_where_no_clause_holds_figures_and_words(text: str, quote: str) -> None:
    _, refusal = _refused(text, quote)
    assert refusal.proposed == ""


def test_nothing_of_the_document_is_proposed_for_what_cites_law() -> None:
    cited = _stated("El contravalor total es de 238.500 euros.", PRICE, citations=("art. 1544 CC",))
    [refusal] = refusals(locks.judge([cited], FINDER), FINDER)
    assert refusal.proposed == ""


SAME = [
    (
        "El contravalor total es de 238.500 euros sin IVA.", PRICE,
        "El precio total es de 238.500 euros, IVA no incluido.", PRICE,
    ),
    (
        "Los andamios corren a cargo de la Contratista.", "Los andamios los aporta la Contratista.",
        "Los andamios los aporta la Contratista.", "Los andamios los aporta la Contratista.",
    ),
    (
        "La Subcontratista recibe un anticipo crematístico de 9.100 euros.", ADVANCE, ADVANCE, ADVANCE,
    ),
    (
        "La obra se abre desde las siete de la mañana a las tres de la tarde.", HOURS, HOURS, HOURS,
    ),
    (
        "A la Subcontratista le está vedado el acceso pedestre a la cubierta.", ROOF, ROOF, ROOF,
    ),
]  # fmt: skip
OTHER = {
    "a figure for another": (
        "El precio total asciende a 283.500 euros.", PRICE, "El precio total es de 238.500 euros.", PRICE,
    ),
    "a party for another": (
        "La Subcontratista debe aportar los andamios.", "Los andamios los aporta la Contratista.",
        "Los andamios los aporta la Contratista.", "Los andamios los aporta la Contratista.",
    ),
    "what the clause says for its denial": (
        "La Contratista responderá de los daños por granizo.", "responderá de los daños por granizo",
        "La Contratista no responderá de los daños por granizo, salvo culpa grave.",
        "La Contratista no responderá de los daños por granizo, salvo culpa grave.",
    ),
    "another clause": (
        "El contravalor total es de 238.500 euros.", PRICE,
        "La Subcontratista garantiza los paneles durante diez años.",
        "La Subcontratista garantiza los paneles durante diez años",
    ),
    "another sentence beside the quotation": (
        "El contravalor total es de 238.500 euros.", PRICE,
        "Un contrato anterior costó 61.000 euros.", "Un contrato anterior costó 61.000 euros.",
    ),
    "a name left out": (
        "El precio total que paga Baldomero Riaño es de 238.500 euros.", PRICE, PRICE, PRICE,
    ),
    "words that stand nowhere": (
        "El contravalor total es de 238.500 euros.", PRICE, PRICE, "El precio total es de 238.500 dólares",
    ),
    "all for some": (
        "Todos los pedidos están libres de recargo.", "No llevarán recargo los pedidos sin montaje.",
        "No llevarán recargo los pedidos.", "No llevarán recargo los pedidos sin montaje.",
    ),
    "another time of day": (
        "La obra se abre desde las siete de la mañana a las cuatro de la tarde.", HOURS, HOURS, HOURS,
    ),
    "who pays for who is paid": (
        "La Subcontratista abonará un anticipo crematístico de 9.100 euros.", ADVANCE, ADVANCE, ADVANCE,
    ),
    "working days for calendar days": (
        "La Contratista paga un anticipo crematístico de 9.100 euros cada día hábil.", ADVANCE,
        "La Contratista paga un anticipo de 9.100 euros cada día natural.", ADVANCE,
    ),
    "a minimum for a maximum": (
        "La obra crematística tendrá 7 horas como mínimo.", HOURS,
        "La obra tendrá 7 horas como máximo.", HOURS,
    ),
    "the end for the beginning": (
        "La obra estará abierta de 15:00 a 7:00 horas cada jornada.", HOURS, HOURS, HOURS,
    ),
    "no quotation": ("El contravalor total es de 238.500 euros.", PRICE, PRICE),
}  # fmt: skip


@pytest.mark.parametrize(("text", "quote", "again", "quoted"), SAME)
def test_the_same_in_the_words_of_the_document_is_a_restatement(
    text: str, quote: str, again: str, quoted: str
) -> None:
    original, refusal = _refused(text, quote)
    [first] = locks.judge([original], FINDER)
    [second] = locks.judge([replace(original, text=again, quotes=(quoted,))], FINDER)
    assert second.lock is Lock.L1
    assert accepted(second, first, refusal, FINDER)


@pytest.mark.parametrize("name", OTHER)
def test_another_statement_or_a_correction_is_no_restatement(name: str) -> None:
    text, quote, again, *quoted = OTHER[name]
    original, refusal = _refused(text, quote)
    assert not is_restatement(replace(original, text=again, quotes=tuple(quoted)), original, refusal, FINDER)


def test_a_restatement_that_the_judge_refuses_is_not_accepted() -> None:
    original, refusal = _refused("El contravalor total es de 238.500 euros.", PRICE)
    again = replace(original, text="El contravalor total es de 238.500 euros, IVA no incluido.")
    first, second = locks.judge([original, again], FINDER)
    assert is_restatement(again, original, refusal, FINDER)
    assert second.lock is Lock.L4
    assert not accepted(second, first, refusal, FINDER)
