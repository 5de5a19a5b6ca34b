"""Wire shapes of POST /api/v1/plazos/calcular (decision 035)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.deadlines.calculation import REGIMES, RULES, UNITS, fits
from app.deadlines.calendars import REGIONS
from app.platform.web.openapi import Body, Choice, Problem, Text, Whole
from app.platform.web.parameters import Day


class Yes(fields.Boolean):
    """A boolean field that takes `true` or `false`, and no text or number that reads like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise ma.ValidationError(Problem("must be true or false.", expected="boolean"))
        return value


class Community(Text):
    """The code of an autonomous community, with or without the country: `MD`, `ES-MD`."""

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
    regime = Choice(
        *REGIMES,
        metadata={
            "description": "The law that the period is of. civil: art. 5 CC. procesal: arts. 130 to 133 "
            "LEC and 182 to 185 LOPJ. administrativo: art. 30 of Ley 39/2015. laboral: art. 43 LRJS. "
            "tributario: art. 30 of Ley 39/2015, to which art. 97 b) LGT refers. Without it the usual one "
            "of the unit is taken; the answer says which, and that it was assumed."
        },
    )
    agosto_inhabil = Yes(
        metadata={
            "description": "Whether August (and Christmas) is off in the courts. Without it: it is off, "
            "but in labour matters, where it counts for those of art. 43.4 LRJS (dismissal and others). "
            "false with procesal: urgent acts (art. 131.3 LEC). Nothing to civil, administrative and tax "
            "periods, in which it counts."
        }
    )
    regla = Choice(
        *RULES,
        metadata={"description": "The rule to count by; default: the usual one of the unit, see the answer."},
    )

    @ma.validates_schema
    def _of_one_law(self, data: dict[str, Any], **_: Any) -> None:
        rule, regime = data.get("regla"), data.get("regime")
        if rule and regime and not fits(rule, regime):
            raise ma.ValidationError(
                Problem(f"is no rule of the regime {regime}; leave one of them out."), "regla"
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
    regime = fields.String(
        required=True, metadata={"enum": list(REGIMES), "description": "The one that was applied."}
    )
    regime_assumed = fields.Boolean(
        required=True, metadata={"description": "True where the request named neither regime nor regla."}
    )
    regla_aplicable = fields.String(required=True, metadata={"description": "With its article."})
    ajustes_aplicados = fields.List(
        fields.String(), required=True, metadata={"description": "What moved the day, and what to mind."}
    )
    ccaa = fields.String(required=True, allow_none=True)
