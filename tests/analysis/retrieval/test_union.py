"""The law above a country's own: found in its own language, in its share, and named where it is not there."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from app import corpus, search
from app.analysis import retrieval
from app.citations import extract
from app.platform import clock, settings
from app.platform.postgres import db
from app.rules import Reading
from app.search.index_cache import INDEX_CACHE
from tests.analysis.retrieval.dismissal import TODAY
from tests.corpus.conftest import clear

_SPAIN = (
    "ES", "BOE-A-1889-4763", "Real Decreto de 24 de julio de 1889, del Código Civil", "1255",
    "Artículo 1255", "Los contratantes pueden establecer los pactos, cláusulas y condiciones que tengan por "
    "conveniente.",
)  # fmt: skip
# Articles of the Union in English, as they are published, beside one of no concern.
_UNION = (
    ("32016R0679", "Regulation (EU) 2016/679 (General Data Protection Regulation)", "28", "Processor",
     "Processing by a processor shall be governed by a contract that is binding on the processor with regard "
     "to the controller; the processor processes the personal data only on documented instructions from "
     "the controller and shall not engage another processor without prior written authorisation."),
    ("32012R1215", "Regulation (EU) No 1215/2012 on jurisdiction and judgments", "25", None,
     "If the parties have agreed that a court or the courts of a Member State are to have jurisdiction to "
     "settle any disputes in connection with a particular legal relationship, such jurisdiction shall be "
     "exclusive unless the parties have agreed otherwise."),
    ("32008R0593", "Regulation (EC) No 593/2008 on the law applicable to contracts (Rome I)", "3",
     "Freedom of choice", "A contract shall be governed by the law chosen by the parties."),
    ("31993L0013", "Council Directive 93/13/EEC on unfair terms in consumer contracts", "3", None,
     "A contractual term which has not been individually negotiated shall be regarded as unfair if it causes "
     "a significant imbalance in the parties' rights and obligations, to the detriment of the consumer."),
    ("32014R0910", "Regulation (EU) No 910/2014 on electronic identification", "45", "Requirements",
     "Qualified certificates for website authentication shall meet the requirements of Annex IV."),
)  # fmt: skip
_ABOUT = {
    "32016R0679": "Los datos personales se tratan por cuenta del responsable del tratamiento y el encargado "
    "del tratamiento podrá recurrir a otro encargado sin autorización previa por escrito del responsable.",
    "32012R1215": "Para cualquier litigio sobre esta relación jurídica las partes acuerdan la competencia "
    "exclusiva de los tribunales de París, en otro Estado miembro, y renuncian a su fuero.",
    "32008R0593": "El presente contrato se regirá por la ley francesa, que es la ley elegida por las partes "
    "en uso de su libertad de elección, también para los servicios prestados en España.",
    "31993L0013": "Las cláusulas que no hayan sido negociadas individualmente con el consumidor le vinculan "
    "aunque causen un desequilibrio importante en sus derechos y obligaciones.",
}


def _forget() -> None:
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models"):
            session.execute(sa.text(f"DELETE FROM {table}"))
    INDEX_CACHE.clear()


@pytest.fixture(scope="module")
def union(app: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One article of Spain's law, and above it five of the Union's in English."""
    _forget()
    rows = [
        {
            "jurisdiction": code, "norm_id": norm, "law": title, "num": number, "heading": heading,
            "path": "", "text": text, "url": None, "id": f"{norm}#{number}",
        }
        for code, norm, title, number, heading, text in (_SPAIN, *(("EU", *one) for one in _UNION))
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("law") / "law.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    corpus.load("statutes", path, "jsonl", now=clock.now())
    search.index(now=clock.now)
    yield
    _forget()


def _grounds(text: str, code: str = "ES") -> retrieval.Grounds:
    return retrieval.ground(Reading(text, code), (), extract(text, code), "es", TODAY, with_rules=False)


@pytest.mark.parametrize("celex", _ABOUT)
def test_a_spanish_clause_finds_the_law_of_the_union_in_english(union: None, celex: str) -> None:
    text = f"CONTRATO\n\nPrimera. Objeto. {_ABOUT[celex]}\n"
    found = [one.key.official_id for one in _grounds(text).passages if one.key]
    above = [one for one in found if one != "BOE-A-1889-4763"]
    # The questions of the branch are searched too, and one of them is about unfair terms.
    assert celex in above[:2]
    assert "32014R0910" not in found, "certificates of websites have nothing to do with it"


def test_a_document_of_a_country_that_is_not_loaded_gets_the_law_above_it_and_two_truths(union: None) -> None:
    text = f"CONTRATO\n\nPrimera. Objeto. {_ABOUT['32016R0679']}\n"
    grounds = _grounds(text, "PT")
    assert [one.key.official_id for one in grounds.passages if one.key][:1] == ["32016R0679"]
    assert len(grounds.notes) == 1
    assert grounds.notes[0].startswith("La ley de PT no está indexada")


def test_law_above_that_is_not_loaded_is_named(union: None) -> None:
    with db.transaction() as session:
        session.execute(sa.text("UPDATE search_shelves SET size = 0 WHERE jurisdiction = 'EU'"))
    INDEX_CACHE.clear()
    try:
        (note,) = _grounds(_ABOUT["32016R0679"]).notes
    finally:
        with db.transaction() as session:
            session.execute(
                sa.text("UPDATE search_shelves SET size = :size WHERE jurisdiction = 'EU'"),
                {"size": len(_UNION)},
            )
        INDEX_CACHE.clear()
    assert note.startswith("La ley de EU, que está por encima de la de ES, no está indexada")


def test_no_provider_of_embeddings_is_asked(union: None, monkeypatch: pytest.MonkeyPatch) -> None:
    config = settings.current().model_copy(
        update={"embedding_engine": "openai", "openai_base_url": "http://127.0.0.1:9/v1"}
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    monkeypatch.setattr(socket, "create_connection", _refused)
    grounds = _grounds(_ABOUT["31993L0013"])
    assert "31993L0013" in {one.key.official_id for one in grounds.passages if one.key}
    assert grounds.notes == ()


def _refused(*_: object, **__: object) -> None:
    raise AssertionError("retrieval opened a connection")
