"""Wire shapes of POST /api/v1/plazos/calcular (decision 035)."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.deadlines import abroad
from app.deadlines.calculation import PAYMENTS, REGIMES, RULES, UNITS, fits
from app.deadlines.calendars import REGIONS
from app.platform.web.openapi import Body, Choice, Integer, Problem, Text, got
from app.platform.web.parameters import Day


class StrictBoolean(fields.Boolean):
    """A boolean field that takes `true` or `false`, and no text or number that reads like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise ma.ValidationError(Problem(f"must be true or false; {got(value)}.", expected="boolean"))
        return value


class Community(Text):
    """The code of an autonomous community, with or without the country: `MD`, `ES-MD`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        code = str(super()._deserialize(value, attr, data, **kwargs)).strip().upper().removeprefix("ES-")
        if code not in REGIONS:
            raise ma.ValidationError(
                Problem(f"must be one of {', '.join(REGIONS)}; {got(code)}.", allowed=list(REGIONS))
            )
        return code


class PeriodBody(Body):
    """A period to compute."""

    jurisdiction = Choice(
        "ES",
        *abroad.countries(),
        required=True,
        metadata={
            "description": "Whose rules apply. No default. For countries other than ES: regime, cantidad, "
            "tipoComputo and festivosLocales; calendars of 2026 and 2027."
        },
    )
    fecha_base = Day(
        required=True,
        metadata={"format": "date", "description": "The start date; it is not counted."},
    )
    cantidad = Integer(
        min=1, max=3660, metadata={"description": "Required unless regla is a window of art. 62 LGT."}
    )
    tipo_computo = Choice(
        *UNITS, metadata={"description": "Required unless regla is a window of art. 62 LGT."}
    )
    ccaa = Community(
        metadata={
            "description": "Autonomous community, a code of ISO 3166-2:ES; its holidays are excluded too."
        }
    )
    regime = Choice(
        *REGIMES,
        metadata={
            "description": "The regime that governs the period. civil: art. 5 CC. procesal: arts. 130 to "
            "133 LEC and 182 to 185 LOPJ. contencioso: art. 128 LJCA and 182 to 185 LOPJ. "
            "administrativo: art. 30 of Ley 39/2015. laboral: art. 43 LRJS for business days and months, "
            "art. 5 CC for calendar days and years (notice, limitation). tributario: art. 30 of Ley "
            "39/2015, to which art. 97 b) LGT refers. Default: the usual regime for the unit; the answer "
            "names it and sets regime_assumed."
        },
    )
    agosto_inhabil = StrictBoolean(
        metadata={
            "description": "Whether August (and Christmas) are excluded, as in the courts. Default: "
            "excluded, except with laboral, where they count as for the matters of art. 43.4 LRJS (such "
            "as dismissal). false with procesal: urgent acts (art. 131.3 LEC); with contencioso: protection "
            "of fundamental rights (art. 128.2 LJCA). No effect on civil, "
            "administrative and tax periods, where they count."
        }
    )
    regla = Choice(
        *RULES,
        *PAYMENTS,
        metadata={
            "description": "The rule to count by. Default: the usual one for the unit; see the answer. "
            "pago_voluntario and pago_apremio are the windows to pay a tax debt (arts. 62.2 and 62.5 LGT); "
            "they take neither cantidad nor tipoComputo."
        },
    )
    ccaa_sede = Community(
        metadata={
            "description": "Autonomous community of the authority's seat, where it is not that of the person "
            "concerned: a holiday of either is excluded (art. 30.6 of Ley 39/2015)."
        }
    )
    festivos_locales = fields.List(
        Day(),
        validate=ma.validate.Length(max=40),
        metadata={"description": "Municipal holidays to exclude too, at most 40 dates."},
    )

    @ma.validates_schema
    def _of_one_law(self, data: dict[str, Any], **_: Any) -> None:
        rule, regime = data.get("regla"), data.get("regime")
        code = data.get("jurisdiction", "ES")
        if code != "ES":
            _of_another_country(code, data, {name: one.data_key or name for name, one in self.fields.items()})
        if rule and regime and not fits(rule, regime):
            raise ma.ValidationError(
                Problem(f"is not a rule of the regime {regime}. Omit one of the two."), "regla"
            )

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def _how_much(self, data: dict[str, Any], given: Any, **_: Any) -> None:
        """Require an amount and its unit, also where other fields are wrong: all are named at once."""
        if data.get("regla") in PAYMENTS or not isinstance(given, dict):
            return
        keys = [self.fields[name].data_key or name for name in ("cantidad", "tipo_computo")]
        missing = [key for key in keys if given.get(key) is None]
        if missing:
            raise ma.ValidationError({key: [Problem("is required.")] for key in missing})


def _of_another_country(code: str, given: dict[str, Any], keys: dict[str, str]) -> None:
    """Refuse what only Spanish law knows, and a regime that is not known of the country.

    `given` are the fields by their names, `keys` their names on the wire.
    """
    for name in ("regla", "ccaa", "ccaa_sede", "agosto_inhabil"):
        if given.get(name) is not None:
            told = f"applies to ES only; jurisdiction is {code}. Omit it."
            raise ma.ValidationError({keys[name]: [Problem(told)]})
    known, regime = abroad.regimes(code), given.get("regime")
    if regime is not None and regime not in known:
        told = f"must be one of {', '.join(known)} for {code}; {got(regime)}."
        raise ma.ValidationError(Problem(told, allowed=list(known)), "regime")


class StepResponse(ma.Schema):
    """A step of the computation."""

    fecha = fields.String(
        required=True, metadata={"format": "date", "description": "The day this step arrives at."}
    )
    texto = fields.String(required=True)
    norma = fields.String(required=True, metadata={"description": "The article it rests on."})


class PeriodResponse(ma.Schema):
    """When it ends, and why then."""

    jurisdiction = fields.String(required=True)
    fecha_base = fields.String(required=True, metadata={"format": "date"})
    fecha_vencimiento = fields.String(
        required=True, metadata={"format": "date", "description": "The last day of the period."}
    )
    tipo_computo = fields.String(required=True, allow_none=True, metadata={"enum": list(UNITS)})
    cantidad = fields.Integer(required=True, allow_none=True)
    regime = fields.String(
        required=True, metadata={"enum": list(REGIMES), "description": "The regime applied."}
    )
    regime_assumed = fields.Boolean(
        required=True, metadata={"description": "True if the request named neither regime nor regla."}
    )
    regla_aplicable = fields.String(
        required=True, metadata={"description": "The rule applied, with its article of law."}
    )
    ajustes_aplicados = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "What moved the date, and what was not taken into account."},
    )
    pasos = fields.List(
        fields.Nested(StepResponse),
        required=True,
        metadata={"description": "The computation step by step, in order, each with its article."},
    )
    ccaa = fields.String(required=True, allow_none=True)
