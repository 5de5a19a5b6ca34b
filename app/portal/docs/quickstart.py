"""A first request with curl that works when pasted into any shell. Pure."""

from __future__ import annotations

import json

from app.text.bilingual import Bilingual, Language

# Fictitious people. Each clause but that of the rent breaks the law of leases in a way that the rules tell: a
# first answer is worth reading (tests/portal/test_guide.py). On one line, without straight quotation marks,
# which belong to the shell and to the programs that carry it.
SAMPLE_TEXT = Bilingual(
    es=(
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. En Madrid, a 3 de marzo de 2026, doña Elena Vidal Ferrer, "
        "con DNI 12345678Z (la arrendadora), arrienda a don Marcos Ruiz Gil, con DNI 87654321X (el "
        "arrendatario), la vivienda de la calle del Olmo, 8, de Madrid, como vivienda habitual y permanente. "
        "PRIMERA. Duración: un año desde la firma; el arrendatario renuncia a toda prórroga. SEGUNDA. La "
        "renta es de 950,00 euros mensuales, pagaderos en los siete primeros días de cada mes. TERCERA. El "
        "arrendatario entrega cuatro mensualidades de fianza conforme al artículo 36 de la Ley 29/1994. "
        "CUARTA. La arrendadora podrá entrar en la vivienda sin previo aviso."
    ),
    en=(
        "RESIDENTIAL LEASE AGREEMENT. In Madrid, on 3 March 2026, Elena Vidal Ferrer, with DNI 12345678Z "
        "(the landlord), lets to Marcos Ruiz Gil, with DNI 87654321X (the tenant), the dwelling at calle del "
        "Olmo, 8, Madrid, as his permanent home. FIRST. Term: one year from signature; the tenant waives any "
        "extension. SECOND. The rent is 950.00 euros a month, payable in the first seven days of each month. "
        "THIRD. The tenant pays a deposit of four months’ rent under article 36 of Ley 29/1994. FOURTH. The "
        "landlord may enter the dwelling without notice."
    ),
)


def curl(address: str, key: str, language: Language) -> str:
    """Return the curl command that sends the sample text to `address` with `key`."""
    body = json.dumps(
        {
            "jurisdiction": "ES",
            "legalBranch": "civil",
            "language": language,
            "text": SAMPLE_TEXT.in_(language),
        },
        ensure_ascii=False,
    )
    assert "'" not in body
    return (
        f"curl -sS {address}/api/v1/analyze \\\n"
        f"  -H 'Authorization: Bearer {key}' \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d '{body}'"
    )
