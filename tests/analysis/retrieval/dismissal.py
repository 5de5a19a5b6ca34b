"""A letter of dismissal that offers no indemnity with it, and the day on which it is read."""

from datetime import date

DISMISSAL = """CARTA DE DESPIDO

En Valladolid, a 3 de marzo de 2025.

Muy señor nuestro:

Por medio de la presente le comunicamos la extinción de su contrato de trabajo por causas objetivas, al amparo
del artículo 52.c) del Estatuto de los Trabajadores, con efectos del día de hoy.

La empresa [PERSON_1] no pone a su disposición la indemnización de veinte días por año de servicio, que se le
abonará cuando la tesorería de la empresa lo permita.

Atentamente,
La Dirección
"""
TODAY = date(2026, 11, 23)
