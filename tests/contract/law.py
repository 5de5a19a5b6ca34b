"""A law to load, for analyses that are checked against it."""

from __future__ import annotations

# A fictional code under the number of a real one, so that the real grammar of citations finds it.
CODE = """---
title: "Código de los cántaros"
identifier: "BOE-A-1889-4763"
country: "es"
rank: "real decreto"
publication_date: "1889-07-25"
enactment_date: "1889-07-24"
last_updated: "1889-07-25"
status: "in_force"
source: "https://law.example.com/code"
---
# Código de los cántaros

##### Artículo 1902. Daño.

El que por descuido rompe un cántaro ajeno lo repondrá en tres días.

##### Artículo 1903. Custodia.

El pastor no responderá de las ovejas perdidas, salvo que durmiera.
"""
