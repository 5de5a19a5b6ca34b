"""A first request with curl that works when pasted into any shell. Pure."""

from __future__ import annotations

import json

from app.text.bilingual import Bilingual, Language

# Fictitious people; a lawyer would stop at the deposit's place and at the waiver. No apostrophe: the shell's
# quotation marks are apostrophes.
SAMPLE_TEXT = Bilingual(
    es=(
        "En Madrid, a 3 de marzo de 2026, doña Elena Vidal Ferrer, con DNI 12345678Z, arrienda a don "
        "Marcos Ruiz Gil la vivienda de la calle del Olmo, 8, por un año. La renta es de 950,00 euros "
        "mensuales, pagaderos en los siete primeros días de cada mes. El arrendatario entrega dos "
        "mensualidades de fianza conforme al artículo 36 de la Ley 29/1994 y renuncia a toda prórroga."
    ),
    en=(
        "In Madrid, on 3 March 2026, Elena Vidal Ferrer, with DNI 12345678Z, lets the dwelling at calle"
        " del Olmo, 8, to Marcos Ruiz Gil for one year. The rent is 950.00 euros a month, payable in "
        "the first seven days of each month. The tenant hands over two months of rent as a deposit "
        "under article 36 of Ley 29/1994 and waives any extension."
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
