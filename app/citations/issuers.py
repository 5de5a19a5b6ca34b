"""Tell which agency of Spain issued a circular, an instruction or a resolution, from the words beside it."""

import re
from typing import Final

# Agencies whose series of circulars and instructions each start at 1 every year.
_ISSUERS: Final = (
    ("bde", r"Banco\s+de\s+Espa(?:ñ|n)a|BdE\b|a\s+(?:las\s+)?entidades\s+de\s+cr[eé]dito"),
    ("cnmv", r"Comisi[oó]n\s+Nacional\s+del\s+Mercado\s+de\s+Valores|CNMV\b"),
    ("cnmc", r"Comisi[oó]n\s+Nacional\s+de\s+los\s+Mercados|CNMC\b"),
    ("cne", r"Comisi[oó]n\s+Nacional\s+de\s+(?:la\s+)?Energ[ií]a|CNE\b"),
    ("cmt", r"Comisi[oó]n\s+del\s+Mercado\s+de\s+las\s+Telecomunicaciones|CMT\b"),
    ("aepd", r"Agencia\s+(?:Espa(?:ñ|n)ola\s+)?de\s+Protecci[oó]n\s+de\s+Datos|AEPD\b"),
    ("dgrn", r"Direcci[oó]n\s+General\s+de\s+(?:los\s+Registros|Seguridad\s+Jur)|DGRN\b|DGSJFP\b"),
    ("jec", r"Junta\s+Electoral\s+Central|JEC\b"),
    ("fge", r"Fiscal[ií]a\s+General|FGE\b"),
    ("dgt", r"Direcci[oó]n\s+General\s+de\s+Tr[aá]fico|DGT\b"),
    ("aeat", r"Agencia\s+(?:Estatal\s+de\s+(?:la\s+)?Administraci[oó]n\s+)?Tributaria|AEAT\b"),
    ("igae", r"Intervenci[oó]n\s+General|IGAE\b"),
    ("csn", r"Consejo\s+de\s+Seguridad\s+Nuclear|CSN\b"),
    ("tgss", r"Tesorer[ií]a\s+General|TGSS\b"),
    ("inss", r"Instituto\s+Nacional\s+de\s+la\s+Seguridad\s+Social|INSS\b"),
    ("icac", r"Instituto\s+de\s+Contabilidad|ICAC\b"),
    ("sepe", r"Servicio\s+P[uú]blico\s+de\s+Empleo|SEPE\b"),
    ("tc", r"Tribunal\s+Constitucional"),
    ("cgpj", r"Consejo\s+General\s+del\s+Poder\s+Judicial|CGPJ\b"),
)
_PATTERN: Final = re.compile("|".join(f"(?P<{code}>{words})" for code, words in _ISSUERS))


def issuer_named(words: str) -> str:
    """Return the code of the agency that words name first ("bde"), or nothing."""
    found = _PATTERN.search(words)
    return found.lastgroup or "" if found else ""
