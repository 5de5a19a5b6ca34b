"""An empty corpus before and after, and a small law of nowhere to fill it with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.corpus import coverage
from app.platform.postgres import db
from app.search.index_cache import INDEX_CACHE

TABLES = ("citator_edges", "corpus_judgments", "corpus_norms", "corpus_loads")


def clear() -> None:
    """Take everything out of the corpus."""
    with db.transaction() as session:
        for table in TABLES:
            session.execute(sa.text(f"DELETE FROM {table}"))
    coverage.forget()
    INDEX_CACHE.clear()


@pytest.fixture
def empty_corpus(app: object) -> Iterator[None]:
    """A corpus with nothing in it, and nothing left in it."""
    clear()
    yield
    clear()


LAW = """---
title: "Ley 1/2020, de 2 de enero, de Demostración"
identifier: "ZZ-A-2020-1"
country: "zz"
rank: "ley"
publication_date: "2020-01-03"
enactment_date: "2020-01-02"
last_updated: "{edition}"
status: "in_force"
source: "https://law.example.com/zz/2020/1"
---
# Ley 1/2020, de 2 de enero, de Demostración

PREÁMBULO

Una ley para pruebas.

## TÍTULO PRELIMINAR. Disposiciones generales

##### Artículo\u00a01. Objeto.

{first}

##### Art. 2.

El plazo es de diez días.

### CAPÍTULO I. Otros

##### Artículo tercero. Con números en palabras.

Tres.

### F = a + b

##### Artículo 4. Repetido.

Primero.

##### Artículo 4. Repetido otra vez.

Segundo.

##### Artículo 5.

**(Derogado)**

{more}

##### Disposición adicional única. Única.

Una sola.

##### Disposición derogatoria única. Derogación.

Queda derogada la Ley 30/1992, de 26 de noviembre.
"""


def write_law(
    folder: Path, *, edition: str = "2020-01-03", first: str = "Esta ley es una prueba.", more: str = ""
) -> Path:
    """A file with the law of nowhere; the same name each time."""
    path = folder / "ZZ-A-2020-1.md"
    path.write_text(LAW.format(edition=edition, first=first, more=more), encoding="utf-8")
    return path
