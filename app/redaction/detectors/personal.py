"""Find dates of birth and postcodes by the words or the address that they stand in."""

import re
from collections.abc import Iterator

from app.redaction.finding import Certainty, Finding
from app.redaction.formats import tables
from app.redaction.view import View
from app.text import linear

_MONTH = (
    "ene(?:ro)?|feb(?:rero|ruary|braio)?|mar(?:zo|ch|co|s)?|abr(?:il)?|apr(?:il|ile)?|may(?:o)?|mai(?:o)?|maggio"
    "|jun(?:io|e|ho|i)?|jul(?:io|y|ho|i)?|ago(?:sto)?|aug(?:ust)?|sep(?:tiembre|tember|t)?|setiembre|set(?:embro|tembre)?"
    "|oct(?:ubre|ober|obre)?|out(?:ubro)?|ott(?:obre)?|okt(?:ober)?|nov(?:iembre|ember|embro|embre)?"
    "|dic(?:iembre|embre)?|dec(?:ember|embre)?|dez(?:ember|embro)?|jan(?:uary|eiro|vier|uar)?|gen(?:naio)?"
    "|fev(?:ereiro|rier)?|februar|marz|giugno|luglio|juin|juillet|aout|janner"
)
_NUMERAL = (
    "un[oa]?|primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci[a-z]{3,5}"
    "|veint[a-z]{1,8}|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|[a-z]{3,6}cientos"
    "|quinientos|mil|y"
)
_OF = "(?:de|del|di|do|of)"
_DATE = (
    r"[0-9]{4}\s?[-./]\s?[0-3]?[0-9]\s?[-./]\s?[0-3]?[0-9]\b"
    r"|[0-3]?[0-9]\s?[-./]\s?[0-3]?[0-9]\s?[-./]\s?(?:[0-9]{4}|[0-9]{2})\b"
    r"|[0-3]?[0-9]\s?[-./]\s?(?:I{1,3}|IV|VI{0,3}|IX|XI{0,2})\s?[-./]\s?(?:[0-9]{4}|[0-9]{2})\b"
    rf"|[0-3]?[0-9](?:[.]?[.]?o?|\x01|st|nd|rd|th|er)\s?[-/]?(?:{_OF}\s)?(?:{_MONTH})[.]?[,]?\s?[-/]?"
    rf"(?:{_OF}\s)?(?:(?:ano|the year)\s)?[0-9]{{2,4}}\b"
    rf"|(?:{_MONTH})[.]?\s[0-3]?[0-9](?:st|nd|rd|th)?[,]?\s[0-9]{{4}}\b"
    rf"|(?:(?:{_NUMERAL})\s){{1,4}}{_OF}\s(?:{_MONTH})\s{_OF}(?:\sano)?(?:\s(?:{_NUMERAL})){{1,8}}\b"
    rf"|[0-3]?[0-9]\s{_OF}\s(?:{_MONTH})\s{_OF}(?:\sano)?(?:\s(?:{_NUMERAL})){{1,8}}\b"
    rf"|(?:(?:{_NUMERAL})\s){{1,4}}{_OF}\s(?:{_MONTH})\s{_OF}(?:\sano)?\s[0-9]{{4}}\b"
    rf"|(?:{_MONTH})\s{_OF}\s[0-9]{{4}}\b"
)
_BORN = (
    r"nacid[oa]s?|nacio|nacieron|nacimiento|nac[.]|f(?:ec(?:ha)?)?[.]?\s?(?:de\s)?nac[a-z]*|born|birth(?:date|day)?|d[.]?o[.]?b"
    r"|nee?s?\sl[ea]|nee?\sa|naissance|geboren|geb[.]|geburtsdatum|nat[oa]\s(?:a|il|in)|nascita|nascid[oa]s?|nascimento"
    r"|cumpleanos"
)
# Other things are born too: an obligation, a claim. And what is said of a birth may end with the sentence.
_BIRTH = linear.compile(rf"(?i)\b(?:{_BORN})([^0-9;]{{0,60}}?[^0-9A-Za-z;])({_DATE})".encode())
_UNBORN = re.compile(
    r"obligaci|derecho|credito|deuda|devengo|relacion|contrato|sociedad|empresa|compan|accion\b|pretension|causa\b"
    r"|[.]\s+[A-Z][a-z]+\s|\b(?:contratad|firmad|suscrit|employed|hired)",
    re.IGNORECASE,
)
_UNBORN_BEFORE = re.compile(
    r"(?:obligaci\w*|derechos?|creditos?|deudas?|relacion(?:es)?|contratos?|sociedad|empresa|accion|pretension)"
    r"(?:\s[a-z]+){0,3}\s\Z",
    re.IGNORECASE,
)


def birth_dates(view: View) -> Iterator[Finding]:
    """Yield dates after "nacido el", "date of birth" and the like, in six languages.

    The date may be written in figures or in words.
    """
    for match in _BIRTH.finditer(view.data):
        before = view.text[max(0, match.start() - 40) : match.start()]
        if _UNBORN.search(match[1].decode()) or _UNBORN_BEFORE.search(before):
            continue
        start, end = match.span(2)
        key = " ".join(view.text[start:end].casefold().split())
        yield Finding(start, end, "BIRTH_DATE", Certainty.PERSONAL, key)


_BRITISH = r"[A-Z]{1,2}[0-9][A-Z0-9]?\s[0-9][ABD-HJLNP-UW-Z]{2}"
_LABELLED = linear.compile(
    r"(?:\b(?i:c[.]?\s?p[.]?|cod(?:igo|[.])?\s?postal|postal\scode|post\s?code|zip(?:\scode)?"
    r"|cep|plz|postleitzahl|code\spostal)"
    r"|\bCAP)(?:[^0-9A-Za-z\n;][^0-9\n;.]{0,24})?[\s:.#-]{0,3}"
    rf"([0-9]{{5,6}}(?:-[0-9]{{3,4}})?|[0-9]{{4}}-[0-9]{{3}}|{_BRITISH}"
    rf"|[A-Z][0-9]{{4}}[A-Z]{{3}}|[A-Z][0-9][A-Z]\s[0-9][A-Z][0-9])\b".encode()
)
_STATES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]"
    "|W[AIVY]"
)
_CHARACTERISTIC = linear.compile(
    rf"(?:^|[^A-Za-z0-9])({_BRITISH}|(?:{_STATES})\s[0-9]{{5}}(?:-[0-9]{{4}})?|[A-Z][0-9]{{4}}[A-Z]{{3}})\b".encode()
)
# Five figures, or the Portuguese seven, before a town and after a comma, a line or a bracket.
_BEFORE_TOWN = linear.compile(
    rb"(?:^|[,;(\n]|-\s|\b[0-9]\s)[ ]?((?:[A-Z]-)?(?:[0-9]{5}|[0-9]{4}-[0-9]{3}))[ ,]{1,2}([A-Z][A-Za-z]{2,})"
)


def postcodes(view: View) -> Iterator[Finding]:
    """Yield postcodes after their name, of a form that is theirs alone, or between an address and a town."""
    for pattern in (_LABELLED, _CHARACTERISTIC):
        for match in pattern.finditer(view.data):
            start, end = match.span(1)
            yield Finding(start, end, "POSTCODE", Certainty.STRUCTURE, view.text[start:end].casefold())
    money = _currencies()
    for match in _BEFORE_TOWN.finditer(view.data):
        start, end = match.span(1)
        if match[2].decode().casefold() not in money:
            yield Finding(start, end, "POSTCODE", Certainty.STRUCTURE, view.text[start:end].casefold())


def _currencies() -> frozenset[str]:
    return frozenset(tables().currencies)
