"""POST /api/v1/plazos/calcular (decision 035)."""

from __future__ import annotations

from typing import Any

from flask import Response

from app import deadlines
from app.deadlines.schemas import PeriodBody, PeriodResponse
from app.platform.errors import Invalid
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
        "El calendario oficial de 2024 (Comunidad de Madrid) no consta: solo los festivos autonómicos que se "
        "repiten cada año. No se incluyen los demás ni los locales.",
        "Con la regla «administrativo» (art. 30.2 LPAC) vencería el 23/08/2024.",
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
    `agostoInhabil: true` for other matters). Except in civil law, a last day that is not a business day
    moves to the next business day. Without `regime`, business days and months are procesal (administrativo
    with `agostoInhabil: false`), calendar days and years are civil, and `regime_assumed` is true. `regla`
    selects a rule of a regime; if another rule would give a different date, the answer says so.
    `ajustes_aplicados` lists the regional holidays that moved the date and those that are unknown: all of
    them without `ccaa`, those that a community sets each year, and local holidays.
    """
    try:
        found = deadlines.calculate(
            body["fecha_base"],
            body["cantidad"],
            body["tipo_computo"],
            august_off=body.get("agosto_inhabil"),
            region=body.get("ccaa"),
            rule=body.get("regla"),
            regime=body.get("regime"),
        )
    except ValueError:
        raise Invalid(
            "cantidad: the period is too long; the maximum is 3,660 days, 1,200 months or 100 years.",
            details={"field": "cantidad", "got": body["cantidad"]},
        ) from None
    return http.answer(
        {
            "jurisdiction": body["jurisdiction"],
            "fecha_base": body["fecha_base"].isoformat(),
            "fecha_vencimiento": found.due.isoformat(),
            "tipo_computo": body["tipo_computo"],
            "cantidad": body["cantidad"],
            "regime": found.regime,
            "regime_assumed": found.assumed,
            "regla_aplicable": found.rule,
            "ajustes_aplicados": list(found.adjustments),
            "ccaa": body.get("ccaa"),
        }
    )
