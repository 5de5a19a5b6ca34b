"""Computation of a period: parsed arguments in, the answer as a JSON object out (decision 035).

The HTTP route and the tools of a model call it, so both answer alike. Schemas stand here for both.
"""

from __future__ import annotations

from typing import Any

from app import deadlines
from app.deadlines.schemas import PeriodBody, PeriodResponse
from app.platform.errors import Invalid

__all__ = ["PeriodBody", "PeriodResponse", "compute_period"]


def compute_period(body: dict[str, Any]) -> dict[str, Any]:
    """Compute the last day of a period; `body` is a loaded `PeriodBody`.

    Raises:
        Invalid: the period is longer than is computed.
    """
    try:
        found = _calculated(body)
    except (ValueError, OverflowError):
        raise Invalid(
            "cantidad: the period is too long; the maximum is 3,660 days, 1,200 months or 100 years.",
            details={"field": "cantidad", "got": body.get("cantidad")},
        ) from None
    return {
        "jurisdiction": body["jurisdiction"],
        "fecha_base": body["fecha_base"].isoformat(),
        "fecha_vencimiento": found.due.isoformat(),
        "tipo_computo": body.get("tipo_computo"),
        "cantidad": body.get("cantidad"),
        "regime": found.regime,
        "regime_assumed": found.assumed,
        "regla_aplicable": found.rule,
        "ajustes_aplicados": list(found.adjustments),
        "pasos": [
            {"fecha": step.day.isoformat(), "texto": step.text, "norma": step.basis} for step in found.steps
        ],
        "ccaa": body.get("ccaa"),
    }


def _calculated(body: dict[str, Any]) -> deadlines.Calculation | deadlines.Counted:
    if body["jurisdiction"] != "ES":
        return deadlines.count_abroad(
            body["jurisdiction"],
            body["fecha_base"],
            body["cantidad"],
            body["tipo_computo"],
            regime=body.get("regime"),
            local=body.get("festivos_locales") or (),
        )
    region, seat = body.get("ccaa"), body.get("ccaa_sede")
    local, rule = body.get("festivos_locales") or (), body.get("regla", "")
    if rule in deadlines.PAYMENTS:
        return deadlines.calculate_payment(body["fecha_base"], rule, region=region, seat=seat, local=local)
    return deadlines.calculate(
        body["fecha_base"],
        body["cantidad"],
        body["tipo_computo"],
        august_off=body.get("agosto_inhabil"),
        region=region,
        rule=rule or None,
        regime=body.get("regime"),
        seat=seat,
        local=local,
    )
