"""What `make run` prints when all is ready: where everything is, and a request that works as pasted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

# Fictitious people; the identity numbers and the account have valid check digits, the address ends in
# example.com (RFC 2606). A lawyer would stop at clauses 2, 4, 5, 6, 7 and 8.
SPECIMEN = """\
CONTRATO DE ARRENDAMIENTO DE VIVIENDA
En Valencia, a 15 de septiembre de 2026.
REUNIDOS. De una parte, como arrendadora, doña Carmen Ibáñez Soler, con DNI 12345678Z y domicilio en la \
calle de la Reina, 14, 46011 Valencia. De otra, como arrendatario, don Javier Molina Prieto, con DNI \
87654321X y correo electrónico javier.molina@example.com. Ambas partes se reconocen capacidad para \
contratar y ACUERDAN:
PRIMERA. Objeto. La arrendadora cede en arrendamiento al arrendatario, para su uso como vivienda \
habitual, el piso sito en la calle de la Barraca, 27, 3.º B, de Valencia.
SEGUNDA. Duración. El contrato durará un año, del 1 de octubre de 2026 al 30 de septiembre de 2027. El \
arrendatario renuncia expresamente a toda prórroga.
TERCERA. Renta. La renta será de 1.150,00 euros mensuales, pagaderos en los siete primeros días de cada \
mes en la cuenta ES91 2100 0418 4502 0005 1332.
CUARTA. Fianza. El arrendatario entrega en este acto 2.300,00 euros, equivalentes a dos mensualidades de \
renta, en concepto de fianza, conforme al artículo 36 de la Ley 29/1994, de 24 de noviembre, de \
Arrendamientos Urbanos.
QUINTA. Gastos. Serán de cargo del arrendatario los suministros y los honorarios de la agencia \
inmobiliaria.
SEXTA. Acceso. La arrendadora podrá entrar en la vivienda en cualquier momento y sin previo aviso.
SÉPTIMA. Obras. El arrendatario asume todas las reparaciones, incluidas las necesarias para conservar la \
vivienda en condiciones de habitabilidad.
OCTAVA. Mora. El retraso en el pago devengará una penalización de 100 euros por cada día.
NOVENA. Fuero. Las partes se someten a los juzgados y tribunales de Valencia.
Y en prueba de conformidad, firman el presente contrato por duplicado."""

LINE_WIDTH = 100


def greeting(address: str, demo: Mapping[str, str], *, logs: str, seconds: float, mails: bool = True) -> str:
    """The whole block, from the portal's address to the request; with `mails`, where letters are read."""
    rows = {
        "Portal": address + "/",
        "Sign in": f"{demo['email']}   password: {demo['password']}",
        "API key": demo["key"],
        "API docs": address + "/docs",
        **({"Mails": address + "/portal/mail"} if mails else {}),
        "Logs": logs,
    }
    table = "\n".join(f"  {name:<9} {value}" for name, value in rows.items())
    return (
        f"\nCandado is ready ({seconds:.1f} s). Ctrl-C stops it.\n\n{table}\n\n"
        f"Analyse a housing lease; paste this into another terminal:\n\n{curl(address, demo['key'])}\n\n"
    )


def curl(address: str, key: str) -> str:
    """A request for any POSIX shell, in short lines, so that no terminal breaks one when it is copied.

    The body is one argument made of single-quoted pieces, joined by a backslash at the end of each line;
    hence every line starts in the first column.
    """
    body = json.dumps(
        {"jurisdiction": "ES", "legalBranch": "civil", "language": "es", "text": SPECIMEN},
        ensure_ascii=False,
    )
    assert "'" not in body
    pieces = [""]
    for word in re.split(r"(?<= )|(?<=\\n)", body):
        if len(pieces[-1]) + len(word) > LINE_WIDTH or pieces[-1].endswith("\\n"):
            pieces.append("")
        pieces[-1] += word
    quoted = "\\\n".join(f"'{piece}'" for piece in pieces)
    return (
        f"curl -sS {address}/api/v1/analyze \\\n"
        f"  -H 'Authorization: Bearer {key}' \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d \\\n{quoted}"
    )
