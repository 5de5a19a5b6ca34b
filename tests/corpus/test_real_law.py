"""The law itself: everything beside this checkout is loaded, and every name of every code finds its
articles.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import corpus
from app.citations import extract, norm_names
from app.corpus import registry
from app.platform import clock
from app.platform.postgres import db
from tests.corpus.conftest import clear

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TODAY = date(2026, 4, 30)
SOURCES = (
    ("statutes", "es_statutes", "markdown"),
    ("statutes", "eu", "markdown"),
    ("norms", "es_index", "csv"),
    ("statutes", "co_articles.jsonl.gz", "jsonl"),
    ("judgments", "co_index", "csv"),
    ("judgments", "co_judgments", "markdown"),
    ("judgments", "es_judgments", "markdown"),
)
pytestmark = [
    pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data"),
    pytest.mark.slow,
    pytest.mark.xdist_group("real law"),
]


@pytest.fixture(scope="module")
def law(app: object) -> Iterator[dict[str, corpus.Report]]:
    clear()
    yield {
        f"{kind} {name}": corpus.load(kind, DATA / name, form, now=clock.now())
        for kind, name, form in SOURCES
    }
    clear()


def verdict(text: str, jurisdiction: str = "ES", on: date = TODAY) -> corpus.Verdict:
    (citation,) = extract(text, jurisdiction)
    return corpus.verify(citation, on, corpus.look_up([citation], on))


def test_everything_is_loaded_and_nothing_is_skipped(law: dict[str, corpus.Report]) -> None:
    assert {name: dict(report.skipped) for name, report in law.items()} == {name: {} for name in law}
    with db.reading() as session:
        held = corpus.status(session)["jurisdictions"]
    assert (held["ES"]["norms"], held["CO"]["articles"], held["CO"]["judgments"]) == (12_242, 8_117, 29_210)
    assert (held["CO"]["texts"], held["ES"]["texts"], held["EU"]["articles"]) == (2, 1, 23)


def test_the_articles_loaded_are_those_the_registry_knows(law: dict[str, corpus.Report]) -> None:
    wrong: list[str] = []
    with db.reading() as session:
        for norm in registry.norms().values():
            if not norm.exact or norm.jurisdiction != "ES":
                continue
            row = corpus.loaded_norm(session, norm.key)
            assert row is not None, norm.key
            numbers = session.scalars(
                sa.text("SELECT number FROM corpus_articles WHERE norm_id = :norm"), {"norm": row.id}
            )
            loaded = {number for number in numbers if not number.startswith(("anexo", "único"))}
            wrong += [
                f"{norm.key} {number}"
                for number in loaded
                if norm.has(number) != "yes" and not (norm.dispositions_open and number.startswith("d"))
            ]
    assert wrong == []


RESOLVED = ("verified", "derogated")
CODES = [
    norm.key
    for norm in registry.norms().values()
    if (norm.jurisdiction == "ES" and norm.exact) or (norm.jurisdiction == "CO" and norm.official_id)
]


@pytest.mark.parametrize("key", CODES)
def test_every_article_of_a_loaded_code_resolves_by_every_name(
    law: dict[str, corpus.Report], key: str
) -> None:
    jurisdiction = key[:2]
    norm = registry.norms()[key]
    names = next((entry for entry in norm_names() if entry.norm == key), None)
    aliases = (
        [*names.short, *names.names] if names and (names.short or names.names) else [norm.official_id or ""]
    )
    with db.reading() as session:
        row = corpus.loaded_norm(session, key)
        assert row is not None
        numbers = session.scalars(
            sa.text("SELECT DISTINCT number FROM corpus_articles WHERE norm_id = :norm"), {"norm": row.id}
        ).all()
        found = {alias: corpus.find(session, alias, jurisdiction) for alias in aliases}
    assert {alias: called.key for alias, called in found.items()} == dict.fromkeys(aliases, key)
    plain = sorted(int(number) for number in numbers if number.isdigit())
    for alias in aliases:
        text = ".\n".join(f"artículo {number} {_of(alias, names)}{alias}" for number in plain)
        citations = extract(text, jurisdiction)
        assert [citation.articles for citation in citations] == [(str(number),) for number in plain], alias
        loaded = corpus.look_up(citations, TODAY)
        verdicts = {one.articles[0]: corpus.verify(one, TODAY, loaded).status for one in citations}
        assert {number for number, status in verdicts.items() if status not in RESOLVED} == set(), alias
    last = max(norm.articles.last, norm.articles_max, plain[-1])
    for alias in aliases:
        status = verdict(f"artículo {last + 1} {_of(alias, names)}{alias}", jurisdiction).status
        # Of a law that is loaded in part, and whose end the registry does not know, no absence is claimed.
        assert status == ("not_found" if norm.articles_max or norm.exact else "not_verifiable"), alias


def _of(alias: str, names: object) -> str:
    return "" if names is not None and alias in names.short else "de la "  # type: ignore[attr-defined]


def test_decisions_resolve_against_the_index(law: dict[str, corpus.Report]) -> None:
    known: dict[str, bool] = {}
    for path in (DATA / "co_judgments").glob("*.txt"):
        cited = [
            citation
            for citation in extract(path.read_text("utf-8"), "CO")
            if any(form.startswith("CO:CC:") for form in citation.canonical)
        ]
        loaded = corpus.look_up(cited, TODAY)
        for citation in cited:
            for form in citation.canonical:
                known[form] = loaded.judgment(form, {}) is not None
    assert len(known) >= 692
    assert sum(known.values()) / len(known) >= 0.96


@pytest.mark.parametrize(
    ("text", "jurisdiction", "status", "words"),
    [
        ("Sentencia T-760 de 2008", "CO", "verified", "T-760"),
        ("sentencia C-133/04", "CO", "not_found", "T-133 de 2004"),
        ("T-1950 de 2008", "CO", "not_found", "serie completa"),
        ("T-5000 de 2008", "CO", "not_found", "inverosímil"),
        ("T-001 de 2031", "CO", "not_found", "posterior a la fecha consultada"),
        ("Auto 027 de 2006", "CO", "not_verifiable", ""),
        ("ECLI:ES:TS:2026:3898A", "ES", "verified", "ATS 3898/2026"),
        ("ATS 3898/2026", "ES", "verified", ""),
        ("ATS 3898/2026, de 21 de abril", "ES", "mismatch", "20 de abril"),
        ("STS 3898/2025", "ES", "not_verifiable", ""),
        ("art. 17 RGPD", "ES", "verified", "texto cargado"),
        ("art. 88 RGPD", "ES", "verified", ""),
        ("art. 100 RGPD", "ES", "not_found", ""),
        ("Ley 30/1992, de 26 de noviembre", "ES", "derogated", "Ley 39/2015"),
        ("RDL 2/2015", "ES", "not_verifiable", "Real Decreto Legislativo 2/2015"),
        ("Ley 4/1983", "ES", "not_verifiable", "Andalucía"),
        ("art. 2 LRU", "ES", "derogated", "sin contenido"),
        ("artículo 1.124 CC", "ES", "verified", ""),
        ("artículo 36.9 LAU", "ES", "not_found", "Tiene los apartados 1 a 6"),
        ("artículo 36 LAU, en su apartado 5", "ES", "verified", "el apartado 5 del artículo 36"),
        ("la letra c) del apartado 2 del artículo 36 de la LAU", "ES", "not_found", "la letra c)"),
        ("apartados 4 a 8 del artículo 36 LAU", "ES", "not_found", "el apartado 7"),
        ("artículo 52 d) del Estatuto de los Trabajadores", "ES", "not_found", "sin contenido"),
        ("artículo 54.2.g) ET", "ES", "verified", "la letra g) del apartado 2"),
        ("artículo 1902 del Código Civil, párrafo tercero", "ES", "not_found", "un solo párrafo"),
        ("artículo 6, apartado 1, letra g), del RGPD", "ES", "not_found", "Tiene las letras a) a f)"),
        (
            "artículo 62, literal A, numeral 16, del Código Sustantivo del Trabajo",
            "CO",
            "not_found",
            "1 a 15",
        ),
        (
            "numeral 15 del literal A) del artículo 62 del Código Sustantivo del Trabajo",
            "CO",
            "verified",
            "15",
        ),
        (
            "parágrafo 3 del artículo 62 del Código Sustantivo del Trabajo",
            "CO",
            "not_found",
            "el parágrafo 3",
        ),
        ("inciso segundo del artículo 2341 del Código Civil", "CO", "not_found", "un solo párrafo"),
    ],
)
def test_verdicts_with_the_corpus_behind_them(
    law: dict[str, corpus.Report], text: str, jurisdiction: str, status: str, words: str
) -> None:
    found = verdict(text, jurisdiction)
    assert (found.status, words in found.note) == (status, True), found.note


# Of the statutes' own references to each other nearly all find their paragraph; those that do not point at
# laws that the one loaded has replaced.
def test_paragraphs_that_statutes_cite_of_each_other_are_there(law: dict[str, corpus.Report]) -> None:
    depths: dict[str, int] = {}
    for path in sorted((DATA / "es_statutes").glob("*.md")):
        cited = [
            one
            for one in extract(path.read_text("utf-8"), "ES")
            if any(one.divisions) and "elided" not in one.ids
        ]
        loaded = corpus.look_up(cited, TODAY)
        for one in cited:
            found = corpus.verify(one, TODAY, loaded)
            key = f"{found.status} {found.depth}"
            depths[key] = depths.get(key, 0) + 1
    assert depths["verified paragraph"] > 700, depths
    assert depths["not_found paragraph"] < 0.06 * depths["verified paragraph"], depths


def test_law_of_other_countries_is_reached_by_its_citations(app: object) -> None:
    clear()
    for code in ("de", "fr", "it", "pt", "mx", "gb"):
        corpus.load("statutes", DATA / f"{code}_articles.jsonl.gz", "jsonl", now=clock.now())
    cases = (
        ("§ 276 Abs. 3 BGB", "DE", "verified paragraph"),
        ("§ 276 Abs. 4 BGB", "DE", "not_found paragraph"),
        ("§ 433 Abs. 2 Satz 5 BGB", "DE", "not_found paragraph"),
        ("article 1195, alinéa 2, du Code civil", "FR", "verified paragraph"),
        ("article 1240, alinéa 3, du Code civil", "FR", "not_found paragraph"),
        ("art. 2043, comma 2, c.c.", "IT", "not_found paragraph"),
        ("art. 1341, comma 2, c.c.", "IT", "verified article"),
        ("alínea d) do n.º 2 do artigo 186.º do Código de Processo Civil", "PT", "not_found paragraph"),
        ("artículo 47, fracción XV, de la Ley Federal del Trabajo", "MX", "verified paragraph"),
        ("fracción XX del artículo 47 LFT", "MX", "not_found paragraph"),
        ("section 11(1A)(b)(ii) of the Landlord and Tenant Act 1985", "GB", "verified paragraph"),
        ("subsection (1)(d) of section 11 of the Landlord and Tenant Act 1985", "GB", "not_found paragraph"),
    )
    found = {text: verdict(text, code) for text, code, _ in cases}
    clear()
    assert {text: f"{one.status} {one.depth}" for text, one in found.items()} == {
        text: wanted for text, _, wanted in cases
    }
