"""POST /api/v1/plazos/calcular (decision 035)."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.deadlines import operations
from app.deadlines.operations import PeriodBody, PeriodResponse
from app.platform.web import http, openapi
from app.tenancy.guard import require_key

routes = openapi.Routes(
    "deadlines",
    __name__,
    url_prefix="/api/v1",
    description="Deadlines: when a period ends, and by which rule.",
)
_ASKED = {
    "jurisdiction": "ES",
    "fechaBase": "2024-07-25",
    "cantidad": 20,
    "tipoComputo": "habiles",
    "ccaa": "MD",
    "regime": "procesal",
}
_EXAMPLE = {
    "jurisdiction": "ES",
    "fecha_base": "2024-07-25",
    "fecha_vencimiento": "2024-09-23",
    "tipo_computo": "habiles",
    "cantidad": 20,
    "regime": "procesal",
    "regime_assumed": False,
    "regla_aplicable": "Días hábiles procesales: se excluyen sábados, domingos, festivos, agosto y del 24 de "
    "diciembre al 6 de enero (arts. 130.2 y 133.2 LEC)",
    "ajustes_aplicados": [
        "Festivos autonómicos del calendario oficial de 2024 (Comunidad de Madrid). No se incluyen los "
        "locales.",
        "Con la regla «administrativo» (art. 30.2 LPAC) vencería el 23/08/2024.",
    ],
    "pasos": [
        {
            "fecha": "2024-07-26",
            "texto": "El jueves 25/07/2024 no se cuenta: el cómputo empieza el viernes 26/07/2024.",
            "norma": "art. 133.1 LEC",
        },
        {
            "fecha": "2024-09-23",
            "texto": "Se cuentan 20 días hábiles, hasta el lunes 23/09/2024. No se cuentan: 8 sábados y "
            "domingos; del 01/08/2024 al 31/08/2024 (agosto).",
            "norma": "arts. 130.2 y 133.2 LEC",
        },
        {
            "fecha": "2024-09-24",
            "texto": "El escrito se admite hasta las 15:00 del día hábil siguiente, el martes 24/09/2024.",
            "norma": "art. 135.5 LEC",
        },
    ],
    "ccaa": "MD",
}


@routes.route("/plazos/calcular", methods=["POST"])
@require_key("query", window="work")
@routes.arguments(PeriodBody, example=_ASKED)
@routes.response(200, PeriodResponse, headers=openapi.RATE_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 400, 401, 413, 415, 429, 500, 503)
@routes.doc(operationId="computePeriod")
def compute(body: dict[str, Any]) -> Response:
    """Compute the last day of a period

    `regime` selects the rules: civil (calendar days, months from date to date, no extension), procesal
    (Saturdays, Sundays, holidays, August and 24 December to 6 January excluded), administrativo and
    tributario (business days; August counts), laboral (as for dismissal, where August counts;
    `agostoInhabil: true` for other matters; notice and limitation as in civil law), contencioso (August does
    not run: a period of months is longer by it). Except in civil law, a last day that is not a business day
    moves to the next business day. Without `regime`, business days and months are procesal (administrativo
    with `agostoInhabil: false`), calendar days and years are civil, and `regime_assumed` is true. `regla`
    selects a rule of a regime; if another rule would give a different date, the answer says so. `pasos`
    tells the computation step by step with its articles. `ajustes_aplicados` lists the regional holidays
    that moved the date and those that are unknown: all of them without `ccaa`, those of a year whose
    official calendar is not loaded, and local holidays that the request does not list.
    """
    return http.answer(operations.compute_period(body))
