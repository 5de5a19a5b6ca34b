"""Wire shapes of POST /api/v1/plazos/calcular (decisions 7)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.deadlines.calculation import RULES, UNITS
from app.deadlines.regions import REGIONS
from app.platform.openapi import Body, Choice, Problem, Text, Whole
from app.platform.parameters import Day


class Yes(fields.Boolean):
    """`true` or `false`, and nothing that merely reads like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise ma.ValidationError(Problem("must be true or false.", expected="boolean"))
        return value


class Community(Text):
    """An autonomous community by its code, with or without the country: `MD`, `ES-MD`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        code = str(super()._deserialize(value, attr, data, **kwargs)).strip().upper().removeprefix("ES-")
        if code not in REGIONS:
            raise ma.ValidationError(Problem(f"must be one of {', '.join(REGIONS)}.", allowed=list(REGIONS)))
        return code


class PeriodBody(Body):
    """A period to compute."""

    jurisdiction = Choice("ES", required=True, metadata={"description": "Whose rules; no default."})
    fecha_base = Day(
        required=True,
        metadata={"format": "date", "description": "The day it runs from, which is not counted."},
    )
    cantidad = Whole(min=1, max=3660, required=True)
    tipo_computo = Choice(*UNITS, required=True)
    ccaa = Community(metadata={"description": "Code of ISO 3166-2:ES; its holidays are left out too."})
    agosto_inhabil = Yes(
        load_default=True, metadata={"description": "Whether August is off, of business days and months."}
    )
    regla = Choice(
        *RULES,
        metadata={"description": "The rule to count by; default: the usual one of the unit, see the answer."},
    )


class PeriodResponse(ma.Schema):
    """When it ends, and why then."""

    jurisdiction = fields.String(required=True)
    fecha_base = fields.String(required=True, metadata={"format": "date"})
    fecha_vencimiento = fields.String(
        required=True, metadata={"format": "date", "description": "The last day of the period."}
    )
    tipo_computo = fields.String(required=True, metadata={"enum": list(UNITS)})
    cantidad = fields.Integer(required=True)
    regla_aplicable = fields.String(required=True, metadata={"description": "With its article."})
    ajustes_aplicados = fields.List(
        fields.String(), required=True, metadata={"description": "What moved the day, and what to mind."}
    )
    ccaa = fields.String(required=True, allow_none=True)
