"""Recognise words that change a meaning when added, missing or exchanged. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Reason = Literal["negation", "modality", "number", "exception", "subject", "place"]

_NEGATION = """no ni sin nunca jamas tampoco ningun ninguna ninguno nadie nada nulo nula nulos nulas not never
    neither nor without none nobody cannot"""
_MODALITY = """podra podran puede pueden pudiendo podria podrian pudiera pudieran poder debera deberan debe
deben
    debiendo deberia deberian deber habra habran obligatorio obligatoria obligatoriamente obligado obligada
    obligados obligadas facultad facultativo potestativo potestativa voluntario voluntaria prohibido prohibida
    permitido permitida procede procedera exigible exigira exigiran requerira requiere may shall must can
    should might could would required permitted prohibited"""
_NUMBER = """uno una un primero primera primer dos segundo segunda tres tercero tercera tercer cuatro
cuarto cuarta
    cinco quinto quinta seis sexto sexta siete septimo septima ocho octavo octava nueve noveno novena diez
    decimo
    decima once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos
    veintitres veinticuatro veinticinco treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento
    doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos mil millon
    millones mitad tercio tercera cuarta doble triple ambos dia dias semana semanas mes meses ano anos hora
    horas
    habil habiles inhabil inhabiles natural naturales euros pesetas pesos mayor mayores menor menores superior
    superiores inferior inferiores maximo maxima minimo minima mas menos antes despues todo toda todos todas
    algun alguna algunos algunas cada
    one two three four five six seven eight nine ten twenty thirty forty fifty sixty hundred thousand days
    months years more less before after all any some every"""
_EXCEPTION = """salvo excepto excepcion excepciones exceptuando exceptua exceptuan menos sino siempre solo
solamente
    unicamente exclusivamente aun aunque incluso inclusive si cuando excluido excluida excluidos excluyendo
    unless except only provided if even"""
_SUBJECT = """acreedor acreedores acreedora deudor deudores deudora arrendador arrendadores arrendadora
arrendatario
    arrendatarios arrendataria comprador compradores compradora vendedor vendedores vendedora trabajador
    trabajadores trabajadora empresario empresarios empresaria empleador empleadores demandante demandantes
    demandado demandados demandada actor actora autor autores juez jueces tribunal tribunales letrado fiscal
    administracion administraciones estado gobierno consumidor consumidores usuario usuarios asegurado
    asegurados
    asegurador aseguradores tomador beneficiario socio socios administrador administradores sociedad padre
    padres
    madre madres hijo hijos hija hijas conyuge conyuges marido mujer heredero herederos testador legatario
    legatarios propietario propietarios poseedor usufructuario donante donatario mandante mandatario fiador
    fiadores tercero terceros contratista contribuyente contribuyentes obligado interesado interesados
    procesado
    acusado victima perjudicado culpable inocente menor persona personas parte partes ciudadanos espanoles
    extranjeros ministro ministerio secretario notario registrador perito testigo testigos abogado procurador
    debtor creditor landlord tenant buyer seller employer employee worker court judge plaintiff defendant
    state consumer insurer insured shareholder director spouse owner"""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# In the order in which a reason is given when several fit.
_CLASSES: tuple[tuple[Reason, frozenset[str]], ...] = (
    ("negation", _set(_NEGATION)),
    ("exception", _set(_EXCEPTION)),
    ("modality", _set(_MODALITY)),
    ("number", _set(_NUMBER)),
    ("subject", _set(_SUBJECT)),
)
_OPPOSITES = ("in", "im", "i", "ir", "des", "dis", "a", "anti", "un", "non")


def reason(words: Sequence[str]) -> Reason | None:
    """Return why a difference of these words (added, missing, exchanged) matters; `None` if it does not."""
    for name, members in _CLASSES:
        if any(word in members or (name == "number" and word[:1].isdigit()) for word in words):
            return name
    return None


def opposite(first: str, second: str) -> bool:
    """Tell whether two words differ by a prefix of negation: `válido`, `inválido`."""
    short, long = sorted((first, second), key=len)
    return any(long == prefix + short for prefix in _OPPOSITES)
