"""A judgment supports what it decides, and not what a party, a lower court or its facts say."""

from __future__ import annotations

import pytest

from app.analysis.support import support

# Made up, in the form in which CENDOJ prints: lines end where the page did.
JUDGMENT = """Roj: STS 9001/2024 - ECLI:ES:TS:2024:9001
Nº de Resolución: 801/2024
ANTECEDENTES DE HECHO
PRIMERO.- Consta en autos que la actora trabaja como pinche de cocina y que el 4 de mayo de 2021 causó baja
por síndrome del túnel carpiano, calificada de enfermedad común.
FUNDAMENTOS DE DERECHO
PRIMERO.- La cuestión que se plantea en este recurso se ciñe a determinar si la incapacidad temporal de una
pinche de cocina por síndrome del túnel carpiano ha de considerarse derivada de enfermedad profesional.
SEGUNDO.- La recurrente alega que la mutua debe abonar una mejora voluntaria.
TERCERO.- La exclusión de las pinches de cocina del cuadro de enfermedades supone una discriminación
indirecta. El plazo para pedir la revisión de la contingencia no puede ser inferior a treinta días.
FALLO
Por todo lo expuesto, esta Sala ha decidido
Estimar el recurso de casación interpuesto por la representación de la recurrente.
Casar y anular la sentencia recurrida, declarando que la incapacidad temporal de la actora deriva de
enfermedad profesional.
"""
CITED = ("STS 801/2024, de 3 de junio",)
OWN = "La mutua califica la baja de enfermedad común."


def verdict(claim: str) -> str:
    return support(claim, OWN, JUDGMENT, citations=CITED, is_judgment=True).verdict


@pytest.mark.parametrize(
    "claim",
    [
        "La STS 801/2024, de 3 de junio, declaró que la incapacidad temporal de la actora deriva de "
        "enfermedad profesional.",
        "La sentencia del Tribunal Supremo 801/2024, de 3 de junio, que invocó la delegada, declaró que "
        "la incapacidad temporal "
        "de una pinche de cocina por síndrome del túnel carpiano derivaba de enfermedad profesional.",
        "Según la STS 801/2024, de 3 de junio, la exclusión de las pinches de cocina del cuadro supone "
        "una discriminación indirecta.",
        "La mutua califica la baja de enfermedad común, pero el Tribunal Supremo, en la sentencia "
        "801/2024, de 3 de junio, "
        "declaró que la incapacidad temporal de la actora deriva de enfermedad profesional.",
        "La STS 801/2024, de 3 de junio, estimó el recurso de casación interpuesto por la recurrente.",
    ],
)
def test_what_a_judgment_decides_is_supported(claim: str) -> None:
    assert verdict(claim) == "supported"


@pytest.mark.parametrize(
    "claim",
    [
        "La STS 801/2024 declaró que la incapacidad temporal de la actora deriva de enfermedad común.",
        "La STS 801/2024 declaró que la incapacidad temporal de la actora deriva de accidente de trabajo.",
        "La STS 801/2024 declaró que la incapacidad temporal de un camarero por síndrome del túnel "
        "carpiano deriva de enfermedad "
        "profesional.",
        "Según la STS 801/2024, la exclusión de las pinches de cocina del cuadro no supone una "
        "discriminación indirecta.",
        "Según la STS 801/2024, la exclusión de todas las cocineras del cuadro supone una discriminación "
        "indirecta.",
        "La STS 801/2024 declaró que la mutua debe abonar una mejora voluntaria.",
        "La STS 801/2024 desestimó el recurso de casación interpuesto por la recurrente.",
        "Según la STS 801/2024, el plazo para pedir la revisión de la contingencia no puede ser superior "
        "a treinta días.",
    ],
)
def test_the_contrary_and_what_others_say_is_not(claim: str) -> None:
    assert verdict(claim) == "silent"
