"""What governs a quotation from outside of its clause must be told (decision 109)."""

from __future__ import annotations

from app.analysis.support import Document, QuotedSpan, discrepancy
from tests.growth import assert_linear

_SPANISH = """CONTRATO DE SUMINISTRO

Bodegas Altura, S.A. (la «Compradora») y Vidrios Noa, S.L. (la «Vendedora») acuerdan:

"""
_ENGLISH = """SUPPLY AGREEMENT

Upland Cellars Ltd (the "Buyer") and Noa Glass Ltd (the "Seller") agree as follows:

"""
_KEEP = "la Vendedora podrá retener los envases"
_FREIGHT = "La Vendedora asumirá el transporte"
_ENGLISH_FREIGHT = "The Seller shall bear the freight"
_DEPOSIT = "La Compradora pagará un anticipo de 9.000 euros"

# The clause, and the words quoted of it that the statement repeats.
_TAKEN_BACK = (
    ("1. En caso de impago: la Vendedora podrá retener los envases.", _KEEP),
    ("1. Si la Compradora no paga:\na) el precio subirá;\nb) la Vendedora podrá retener los envases.", _KEEP),
    ("En caso de impago\n\nAdemás, la Vendedora podrá retener los envases.", _KEEP),
    ("1. No forma parte de esto la cláusula que decía: «La Vendedora asumirá el transporte.»", _FREIGHT),
    ("1. Se suprime lo que decía: «Habrá anticipo. La Vendedora asumirá el transporte.»", _FREIGHT),
    ("1. La redacción anterior era: «La Vendedora asumirá el transporte.»", _FREIGHT),
    ("1. Donde decía «La Vendedora asumirá el transporte», dirá «No hay transporte».", _FREIGHT),
    ("CLÁUSULAS DEROGADAS\n\n1. La Vendedora asumirá el transporte.", _FREIGHT),
    ("1. Quedan sin efecto las condiciones siguientes. Habrá palés. " + _DEPOSIT + ".", _DEPOSIT),
    ("1. Se suprimen las cláusulas siguientes.\n\na) Habrá palés.\nb) " + _DEPOSIT + ".", _DEPOSIT),
    ("1. No se aplicarán las reglas que siguen:\n- habrá palés;\n- " + _DEPOSIT + ".", _DEPOSIT),
    ("A excepción de lo siguiente:\n- " + _DEPOSIT + ".", _DEPOSIT),
    ("1. La Vendedora propuso lo siguiente, que se rechazó. " + _DEPOSIT + ".", _DEPOSIT),
    ("1. Por ejemplo: la Vendedora podrá retener los envases.", _KEEP),
    ("1. La Vendedora sostiene que la Vendedora podrá retener los envases.", _KEEP),
    ("1. La Vendedora alega lo siguiente:\n\na) Hubo palés.\nb) " + _DEPOSIT + ".", _DEPOSIT),
    ("1. La Vendedora asumirá el transporte. Este apartado regirá solo durante 2027.", _FREIGHT),
    ("1. La Vendedora asumirá el transporte. Lo anterior quedó sin efecto en mayo.", _FREIGHT),
)  # fmt: skip
_ENGLISH_TAKEN_BACK = (
    "1. The following terms of the earlier agreement no longer apply. {}.",
    "1. The following terms are void:\n(a) There shall be a deposit.\n(b) {}.",
    "1. If the Buyer fails to pay:\n(a) the price shall rise; and\n(b) {}.",
    '1. The clause that said: "{}" is no part of this contract.',
    "1. The Buyer claims that {}.",
    "1. It was suggested that {}.",
    "1. Except as follows: {}.",
    '1. Previous wording: "{}."',
    "1. {}. This clause shall not apply in August.",
    "DELETED CLAUSES\n\n1. {}.",
)
_PLAIN = (
    ("1. Retención: la Vendedora podrá retener los envases.", _KEEP),
    ("1. No hay anticipo: la Vendedora podrá retener los envases.", _KEEP),
    ("CONTRATO EN EXCLUSIVA\n\n1. La Vendedora asumirá el transporte.", _FREIGHT),
    ("1. No competencia: la Vendedora podrá retener los envases.", _KEEP),
    ("1. Se sustituye la cláusula tercera por la siguiente: «La Vendedora asumirá el transporte.»", _FREIGHT),
    ("1. Donde decía «Habrá transporte», dirá «La Vendedora asumirá el transporte».", _FREIGHT),
    ("1. No habiendo otros asuntos, acuerdan lo siguiente: la Vendedora podrá retener los envases.", _KEEP),
    ("1. No se pagará antes del día siguiente. La Vendedora asumirá el transporte.", _FREIGHT),
    ("1. La Vendedora asumirá el transporte. Esta obligación se aplicará desde mayo.", _FREIGHT),
    ("1. La Compradora podrá:\na) pedir palés.\n\n2. " + _DEPOSIT + ".", _DEPOSIT),
)


def _refused(text: str, statement: str, quoted: str) -> bool:
    start = text.rindex(quoted)
    return discrepancy(statement, [QuotedSpan(start, start + len(quoted))], Document(text)) is not None


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def test_what_is_governed_from_outside_of_its_clause_is_refused_without_it() -> None:
    for clause, words in _TAKEN_BACK:
        assert _refused(_SPANISH + clause, _sentence(words), words), clause
    for clause in _ENGLISH_TAKEN_BACK:
        text = _ENGLISH + clause.format(_ENGLISH_FREIGHT)
        assert _refused(text, _sentence(_ENGLISH_FREIGHT), _ENGLISH_FREIGHT), clause


def test_quoting_what_governs_does_not_help_a_statement_that_leaves_it_out() -> None:
    for clause, words in _TAKEN_BACK:
        quoted = clause.removeprefix("1. ").rstrip(".")
        assert _refused(_SPANISH + clause, _sentence(words), quoted), clause


def test_what_stands_before_and_governs_nothing_costs_no_lock() -> None:
    for clause, words in _PLAIN:
        assert not _refused(_SPANISH + clause, _sentence(words), words), clause


def test_a_statement_that_tells_what_governs_is_compared_like_any_other() -> None:
    for statement, quoted in (
        ("En caso de impago, la Vendedora podrá retener los envases.",
         "En caso de impago: la Vendedora podrá retener los envases"),
        ("No se admitirán las devoluciones parciales.", "No se admitirán:\na) las devoluciones parciales"),
        ("La Vendedora sostiene que la Compradora debe 9.000 euros.",
         "La Vendedora sostiene que la Compradora debe 9.000 euros"),
        ("Según la Vendedora, la Compradora debe 9.000 euros.",
         "La Vendedora sostiene que la Compradora debe 9.000 euros"),
    ):  # fmt: skip
        assert not _refused(f"{_SPANISH}1. {quoted}.", statement, quoted), statement


def test_reading_what_governs_takes_linear_time() -> None:
    def refuse(items: str) -> None:
        _refused(f"{_SPANISH}Las partes harán:\n{items}\nb) {_DEPOSIT}.", f"{_DEPOSIT}.", _DEPOSIT)

    assert_linear(refuse, "a) la Vendedora entregará botellas;\n")
