"""Identifiers made by rule, with the check digits of python-stdnum, and their usual spellings."""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterator
from types import ModuleType

# `9` a digit, `A` a letter of the check; everything else stands as it is.
FORMS: dict[str, str] = {
    "es.dni": "99999999A",
    "es.nie": "X9999999A",
    "es.nif": "99999999A",
    "es.cif": "B99999999",
    "es.ccc": "9" * 20,
    "es.cups": "ES" + "9" * 16 + "AA",
    "es.referenciacatastral": "9999999AA9999A9999AA",
    "eu.vat": "ESB99999999",
    "eu.eic": "10X9999999999999",
    "co.nit": "9999999999",
    "cl.rut": "999999999",
    "mx.curp": "AAAA800101HDFAAA09",
    "ar.dni": "99999999",
    "ar.cuit": "20999999999",
    "ar.cbu": "9" * 22,
    "pe.cui": "999999999",
    "pe.ruc": "20999999999",
    "uy.rut": "219999990019",
    "py.ruc": "800999999",
    "ec.ci": "1799999999",
    "ec.ruc": "1799999999001",
    "ve.rif": "V999999999",
    "cr.cpf": "0199990999",
    "cr.cpj": "3101999999",
    "cr.cr": "155999999999",
    "gt.nit": "99999999",
    "sv.nit": "06149999991019",
    "do.cedula": "00199999999",
    "do.rnc": "199999999",
    "cu.ni": "80010199999",
    "br.cpf": "9" * 11,
    "br.cnpj": "99999999000199",
    "pt.nif": "299999999",
    "pt.cc": "999999999AA9",
    "fr.nir": "180019999999999",
    "fr.nif": "0999999999999",
    "fr.siren": "9" * 9,
    "fr.siret": "9" * 14,
    "fr.tva": "99999999999",
    "it.codicefiscale": "AAAAAA80A01H501A",
    "it.iva": "9" * 11,
    "de.idnr": "9" * 11,
    "de.stnr": "9999999999",
    "de.vat": "DE999999999",
    "gb.nhs": "9" * 10,
    "gb.utr": "9" * 10,
    "gb.vat": "GB999999999",
    "us.ssn": "999999999",
    "us.itin": "999709999",
    "us.ein": "129999999",
    "us.rtn": "9" * 9,
    "ad.nrt": "A999999A",
    "be.nn": "80010199999",
    "be.bis": "80410199999",
    "be.vat": "BE0999999999",
    "nl.bsn": "9" * 9,
    "nl.btw": "NL999999999B99",
    "ie.pps": "9999999A",
    "ie.vat": "IE9999999A",
    "at.tin": "9" * 9,
    "at.vnr": "9999010180",
    "at.uid": "ATU99999999",
    "lu.tva": "LU99999999",
    "ch.ssn": "7569999999999",
    "ch.uid": "CHE999999999",
    "li.peid": "99999999",
    "pl.pesel": "80010199999",
    "pl.nip": "9" * 10,
    "pl.regon": "9" * 9,
    "cz.rc": "8001019999",
    "cz.dic": "CZ99999999",
    "sk.rc": "8001019999",
    "sk.dph": "SK9999999999",
    "hu.anum": "99999999",
    "ro.cnp": "1800101409999",
    "ro.cui": "99999999",
    "bg.egn": "8001019999",
    "bg.vat": "BG999999999",
    "hr.oib": "9" * 11,
    "si.emso": "0101980509999",
    "si.ddv": "SI99999999",
    "gr.amka": "01018099999",
    "gr.vat": "EL999999999",
    "cy.vat": "CY99999999A",
    "mt.vat": "MT99999999",
    "dk.cpr": "0101809999",
    "dk.cvr": "99999999",
    "se.personnummer": "8001019999",
    "se.orgnr": "5599999999",
    "no.fodselsnummer": "01018099999",
    "no.orgnr": "999999999",
    "no.kontonr": "9" * 11,
    "fi.hetu": "010180-999A",
    "fi.ytunnus": "99999999",
    "is_.kennitala": "0101809999",
    "ee.ik": "38001019999",
    "ee.kmkr": "EE999999999",
    "lv.pvn": "LV99999999999",
    "lt.asmens": "38001019999",
    "lt.pvm": "LT999999999",
    "ma.ice": "9" * 15,
    "ca.sin": "9" * 9,
    "ca.bn": "999999999RC0001",
    "ua.edrpou": "99999999",
    "ua.rntrc": "9999999999",
    "tr.tckimlik": "9" * 11,
    "tr.vkn": "9" * 10,
}
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
# Countries and dates that look like placeholders of the form are letters and digits of it as they stand.
_PLAIN = re.compile(r"^(?:AT|BG|CH|CY|CZ|DE|EE|EL|ES|GB|IE|LT|LU|LV|MT|NL|SI|SK)")


def module(name: str) -> ModuleType:
    """`stdnum.{name}`."""
    return importlib.import_module(f"stdnum.{name}")


def valid(name: str, chance: random.Random) -> str:
    """A number of `stdnum.{name}` whose check digits agree, in its compact form."""
    form = FORMS[name]
    prefix = _PLAIN.match(form)
    fixed = len(prefix[0]) if prefix and name != "es.cif" else 0
    checker = module(name)
    for _ in range(100_000):
        drawn = form[:fixed] + "".join(
            chance.choice("0123456789") if mark == "9" else chance.choice(_LETTERS) if mark == "A" else mark
            for mark in form[fixed:]
        )
        if checker.is_valid(drawn):
            return str(checker.compact(drawn))
    raise AssertionError(f"no valid number of {name} was drawn")


def wrong(value: str) -> str:
    """`value` with its last digit changed."""
    at = max(index for index, sign in enumerate(value) if sign.isdigit())
    return value[:at] + str((int(value[at]) + 1) % 10) + value[at + 1 :]


def written(name: str, value: str) -> Iterator[str]:
    """`value` compact, as its authority writes it, and dotted, spaced and dashed."""
    yield value
    checker = module(name)
    if hasattr(checker, "format"):
        yield str(checker.format(value))
    if value.isdigit() and len(value) >= 8:
        threes = [value[max(0, at - 3) : at] for at in range(len(value), 0, -3)][::-1]
        fours = [value[at : at + 4] for at in range(0, len(value), 4)]
        yield from (" ".join(threes), ".".join(threes), " ".join(fours), "-".join(fours))
        yield f"{value[:-1]}-{value[-1]}"
