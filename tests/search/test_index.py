"""The index and the vectors in PostgreSQL: resumed, renewed, never mixed, and nothing personal sent out."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

from app import factory, search
from app.platform import clock, settings
from app.platform.postgres import db
from app.search import analyzer, indexing, ranking
from app.search.embeddings import build
from app.search.embeddings.provider import Provider, ProviderUnavailable
from app.search.index_cache import INDEX_CACHE, IndexCache
from tests.search.embedding_server import embedding_server, embedding_settings

CODE = "ZZ"
WORDS = [
    first + last
    for first in ("cánta", "molin", "puent", "barqu", "pasto")
    for last in ("ro", "ito", "al", "era")
]


def _text(place: int) -> str:
    return " ".join(WORDS[(place * step + step) % len(WORDS)] for step in range(1, 4)) + f" número{place}"


@pytest.fixture
def passages(app: object) -> Iterator[list[uuid.UUID]]:
    """Forty judgments of a passage each, of ZZ; gone when the test ends."""
    ids = [uuid.uuid4() for _ in range(40)]
    with db.transaction() as session:
        session.execute(sa.text("SELECT open_corpus_partition('ZZ')"))
        for place, one in enumerate(ids):
            values = {"id": one, "name": f"ZZ:{one}", "now": clock.now(), "text": _text(place)}
            for statement in (
                "INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, kind, title, source, "
                "text_known, facts, digest, loaded_at) VALUES (:id, 'ZZ', :name, 'Tribunal', 'sentencia', "
                ":name, 'test', true, '{}', '', :now)",
                "INSERT INTO corpus_passages (jurisdiction, id, kind, judgment_id, place, title, path, "
                "heading, text) VALUES ('ZZ', :id, 'judgment', :id, 0, 'Sentencia', '', '', :text)",
            ):
                session.execute(sa.text(statement), values)
    yield ids
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM corpus_judgments WHERE jurisdiction = 'ZZ'"))
        for table in ("search_postings", "search_shelves", "search_models"):
            session.execute(sa.text(f"DELETE FROM {table}"))
    INDEX_CACHE.clear()  # the epochs of the next test begin again


def _words(query: str) -> list[uuid.UUID]:
    asked = ranking.prepare(query, jurisdiction=CODE, kind="judgment", config=settings.current())
    with db.reading() as session:
        return list(ranking.by_words(session, asked, None))


def _postings() -> dict[str, bytes]:
    with db.reading() as session:
        rows = session.execute(
            sa.text("SELECT stem, postings FROM search_postings WHERE jurisdiction = 'ZZ'")
        )
        return {row.stem: bytes(row.postings) for row in rows}


def test_an_index_that_broke_off_goes_on_and_ends_the_same(
    passages: list[uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 7)

    class Killed(Exception):
        pass

    def kill(step: indexing.Step) -> None:
        if step.done >= 14:
            raise Killed

    with pytest.raises(Killed):
        indexing.index(now=clock.now, tell=kill)
    assert indexing.index(now=clock.now) == {"ZZ judgment": 26}
    broken = _postings()
    assert indexing.index(now=clock.now) == {}
    assert indexing.index(now=clock.now, again=True)["ZZ judgment"] == 40
    assert _postings() == broken
    assert _words("número17") == [passages[17]]


def test_passages_are_known_by_id_and_ordinal(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    with db.reading() as session:
        state = INDEX_CACHE.state(session, CODE, "judgment")
        assert state is not None
        table, _ = INDEX_CACHE.read(session, state, [])
    assert {table.passage_id(ordinal) for ordinal in range(table.size)} == set(passages)
    wanted = [*passages[:3], uuid.uuid4()]
    found = table.ordinals(wanted)
    assert sorted(found.values(), key=wanted.index) == passages[:3]
    assert all(table.passage_id(ordinal) == passage for ordinal, passage in found.items())
    assert table.ordinals([]) == {}


def test_the_commands_index_and_embed_say_what_they_did(app: Flask, passages: list[uuid.UUID]) -> None:
    for command, done in (("index", {"ZZ judgment": 40}), ("embed", {})):
        result = app.test_cli_runner().invoke(args=["corpus", command, "--json"])
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout.strip().splitlines()[-1]) == done
    assert "EMBEDDING_ENGINE is none" in result.stderr


def test_a_passage_that_changed_is_found_by_its_new_words_alone(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    assert _words("número3") == [passages[3]]
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE corpus_passages SET text = 'zafiro', indexed_at = NULL WHERE id = :id"),
            {"id": passages[3]},
        )
    indexing.index(now=clock.now)
    assert (_words("número3"), _words("zafiro")) == ([], [passages[3]])


def test_a_passage_that_was_deleted_is_answered_by_nobody(passages: list[uuid.UUID]) -> None:

    indexing.index(now=clock.now)
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM corpus_judgments WHERE id = :id"), {"id": passages[5]})
    asked = ranking.prepare("número5", jurisdiction=CODE, kind="judgment", config=settings.current())
    with db.reading() as session:
        chunks, note = search.judgment_search.search(session, asked, most=5)
    assert (chunks, note and note[1]) == ((), "NO_MATCHES")


def test_what_is_gone_makes_room_for_what_comes_next(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    asked = ranking.prepare(
        f"número5 número6 {WORDS[0]}", jurisdiction=CODE, kind="judgment", config=settings.current()
    )

    def found(most: int) -> list[uuid.UUID]:
        with db.reading() as session:
            chunks, _ = search.judgment_search.search(session, asked, most=most)
            # Where all postings are held, nothing but the rows is read, in a trip of its own.
            assert session.in_transaction() is (most == 40)
            return [one.passage_id for one in chunks]

    before = found(40)
    assert len(before) > 4
    assert found(2) == before[:2]
    with db.transaction() as session:
        session.execute(
            sa.text(
                "DELETE FROM corpus_judgments USING corpus_passages p "
                "WHERE p.judgment_id = corpus_judgments.id AND p.id = ANY(:ids)"
            ),
            {"ids": before[:3]},
        )
    assert found(2) == before[3:5]
    assert found(1) == before[3:4]


def test_without_an_engine_words_alone_are_searched(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    assert build.embed(settings.current(), now=clock.now) == {}
    # As the release before left it: vectors of a model that no setting chooses any more.
    with db.transaction() as session:
        session.execute(sa.text("UPDATE search_shelves SET model = 'lsa-256-000000000000'"))
    with embedding_server() as server:
        for config in (settings.current(), embedding_settings(server.url)):
            asked = ranking.prepare("número7", jurisdiction=CODE, kind="judgment", config=config)
            with db.reading() as session:
                hits = ranking.rank(session, asked, day=None)
            assert [(hit.passage_id, hit.similarity) for hit in hits] == [(passages[7], 0.999)]
        assert server.said == []


def test_vectors_are_of_one_model_and_the_old_serves_until_the_new_is_complete(
    passages: list[uuid.UUID],
) -> None:
    indexing.index(now=clock.now)
    with embedding_server() as server:
        config, longer = embedding_settings(server.url), embedding_settings(server.url, 128)
        assert build.embed(config, now=clock.now) == {"ZZ judgment": 40}
        assert build.embed(config, now=clock.now) == {"ZZ judgment": 0}
        first = _model()
        assert first == "openai-text-embedding-3-small-64"

        def kill(step: indexing.Step) -> None:
            raise KeyboardInterrupt

        server.broken_after = 0
        with pytest.raises(ProviderUnavailable):
            build.embed(longer, now=clock.now)
        assert _model() == first
        server.broken_after = None
        with pytest.raises(KeyboardInterrupt):
            build.embed(longer, now=clock.now, tell=kill)
        assert _model() == first
        build.embed(longer, now=clock.now)
        assert _model() == "openai-text-embedding-3-small-128"
        with db.reading() as session:
            assert set(session.scalars(sa.text("SELECT model FROM search_vectors"))) == {_model()}
            assert session.scalars(sa.text("SELECT model FROM search_models")).all() == [_model()]
        asked = ranking.prepare("pastor", jurisdiction=CODE, kind="judgment", config=longer)
        assert asked.vector is not None
        server.broken_after = 0
        assert ranking.prepare("pastor", jurisdiction=CODE, kind="judgment", config=longer).vector is None
        server.broken_after = None
        # With other settings than those of the vectors, words alone are searched.
        assert ranking.prepare("pastor", jurisdiction=CODE, kind="judgment", config=config).vector is None


def test_the_index_of_vectors_answers_and_finds_what_comparing_with_all_finds(
    passages: list[uuid.UUID],
) -> None:
    indexing.index(now=clock.now)
    with embedding_server() as server:
        config = embedding_settings(server.url)
        build.embed(config, now=clock.now)
        asked_of = [
            ranking.prepare(query, jurisdiction=CODE, kind="judgment", config=config) for query in WORDS
        ]
    for asked in asked_of:
        quick, quick_scans = _counted(asked, accurate=False)
        exact, exact_scans = _counted(asked, accurate=True)
        assert set(quick[:10]) == set(exact[:10]) != set()
        assert (quick_scans, exact_scans) == (1, 0)


def _counted(asked: ranking.PreparedQuery, *, accurate: bool) -> tuple[list[uuid.UUID], int]:
    """The ranking of vectors, and how often the HNSW index was read for it."""
    scans = sa.text(
        "SELECT sum(pg_stat_get_xact_numscans(indexrelid)) FROM pg_stat_user_indexes "
        "WHERE relname = 'search_vectors_zz' AND indexrelname LIKE 'hnsw%'"
    )
    with db.reading() as session:
        before = session.execute(scans).scalar_one()
        found = list(ranking.by_vectors(session, asked, accurate=accurate))
        read = int(session.execute(scans).scalar_one() - before)
        # What is asked next in the same transaction is planned as ever.
        assert session.execute(sa.text("SHOW enable_sort")).scalar_one() == "on"
    return found, read


def test_where_shared_memory_is_short_one_process_builds_the_index(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    with embedding_server() as server:
        config = embedding_settings(server.url)
        with _short_of_shared_memory():
            build.embed(config, now=clock.now)
        asked = ranking.prepare(WORDS[0], jurisdiction=CODE, kind="judgment", config=config)
    found, scans = _counted(asked, accurate=False)
    assert (bool(found), scans) == (True, 1)


@contextmanager
def _short_of_shared_memory() -> Iterator[None]:
    """PostgreSQL refuses to build an index in several processes, as where /dev/shm is small."""
    arguments = "text, text, text, integer"
    url = settings.current().database_url.get_secret_value()
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"ALTER FUNCTION index_search_vectors({arguments}) RENAME TO index_anyhow")
        try:
            owner.execute(
                f"""
                CREATE FUNCTION index_search_vectors({arguments}) RETURNS void LANGUAGE plpgsql
                SECURITY DEFINER SET search_path FROM CURRENT AS $$
                BEGIN
                    IF current_setting('max_parallel_maintenance_workers') <> '0' THEN
                        RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full';
                    END IF;
                    PERFORM index_anyhow($1, $2, $3, $4);
                END
                $$
                """
            )
            yield
        finally:
            owner.execute(f"DROP FUNCTION IF EXISTS index_search_vectors({arguments})")
            owner.execute(f"ALTER FUNCTION index_anyhow({arguments}) RENAME TO index_search_vectors")


CANARIES = ["12345678Z", "ES9121000418450200051332", "lucia.prado@example.com", "X1234567L"]


def test_no_identifier_ever_reaches_the_provider(passages: list[uuid.UUID]) -> None:
    text = (
        "Reclamación de Lucía con DNI 12345678Z y NIE X1234567L, cuenta ES91 2100 0418 4502 0005 1332, "
        "correo lucia.prado@example.com, según el art. 1902 CC"
    )
    with embedding_server() as server:
        config = embedding_settings(server.url)
        with db.transaction() as session:
            session.execute(
                sa.text("UPDATE corpus_passages SET text = :text WHERE id = :id"),
                {"text": text, "id": passages[0]},
            )
        indexing.index(now=clock.now)
        build.embed(config, now=clock.now)
        ranking.prepare(text, jurisdiction="ES", kind="judgment", config=config)
        Provider(config).vectors([text], jurisdiction="ES", timeout_s=5)
        sent = "".join(server.said).replace(" ", "")
    assert "ES_DNI" in sent
    assert [canary for canary in CANARIES if canary in sent] == []
    assert "art.1902CC" in sent


def test_no_name_of_a_question_reaches_the_provider(passages: list[uuid.UUID]) -> None:
    text = (
        "¿Responde doña Carmen Zurriaga Ibáñez, nacida el 3 de mayo de 1980, calle Mayor 5, 28013 Madrid? La "
        "señora Zur\u200briaga llamó al 6·1·2 34 56 78 desde 81.45.203.17; c\U000e0061armen arroba correo "
        "punto com. Art. 1902 CC"
    )
    with embedding_server() as server:
        Provider(embedding_settings(server.url)).vectors([text], jurisdiction="ES", timeout_s=5)
        sent = "".join(server.said)
    assert "1902 CC" in sent
    canaries = (
        "Carmen",
        "Zur",
        "1980",
        "Mayor 5",
        "28013",
        "34 56 78",
        "81.45",
        "armen",
        "\u200b",
        "\U000e0061",
    )
    assert [canary for canary in canaries if canary in sent] == []


def _model() -> str | None:
    with db.reading() as session:
        found: str | None = session.scalar(
            sa.text("SELECT model FROM search_shelves WHERE jurisdiction = 'ZZ' AND kind = 'judgment'")
        )
        return found


def _size() -> int:
    with db.reading() as session:
        return int(session.scalar(sa.text("SELECT size FROM search_shelves WHERE jurisdiction = 'ZZ'")))


def test_while_it_is_rebuilt_everything_is_found(
    passages: list[uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    indexing.index(now=clock.now)
    monkeypatch.setattr(indexing, "_BATCH", 15)
    found: list[bool] = []

    def look(_step: indexing.Step) -> None:
        found.append(all(_words(f"número{place}") == [passages[place]] for place in (0, 20, 39)))

    indexing.index(now=clock.now, again=True, tell=look)
    assert found == [True] * 3
    # Of eighty ordinals forty were dead: they are gone.
    assert _size() == 40
    assert all(_words(f"número{place}") == [one] for place, one in enumerate(passages))


def test_a_search_that_began_before_the_index_was_compacted_is_right(passages: list[uuid.UUID]) -> None:
    indexing.index(now=clock.now)
    asked = ranking.prepare("número7", jurisdiction=CODE, kind="judgment", config=settings.current())
    with db.transaction() as session:
        session.execute(
            sa.text("DELETE FROM corpus_judgments WHERE id = ANY(:ids)"),
            {"ids": [one for place, one in enumerate(passages) if place not in (7, 8)]},
        )
        session.execute(sa.text("UPDATE corpus_passages SET indexed_at = NULL WHERE jurisdiction = 'ZZ'"))
    indexing.index(now=clock.now)
    assert _size() == 2
    INDEX_CACHE.clear()
    with db.reading() as session:
        assert list(ranking.by_words(session, asked, None)) == [passages[7]]


def test_of_an_index_that_grew_only_later_blocks_are_read_again(
    passages: list[uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("postings", "index_cache"):
        monkeypatch.setattr(f"app.search.{module}.BLOCK", 8)
    monkeypatch.setattr(indexing, "_BATCH", 13)
    stems = list(
        dict.fromkeys(stem for word in ("número5", "número30", *WORDS) for stem in analyzer.stems(word))
    )
    late = {"late": passages[20:]}
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE corpus_passages SET indexed_at = now() WHERE jurisdiction = 'ZZ' AND id = ANY(:late)"
            ),
            late,
        )
    indexing.index(now=clock.now)
    firsts: list[int] = []

    def read(cache: IndexCache) -> dict[str, list[tuple[int, int]]]:
        with db.reading() as session:
            state = cache.state(session, CODE, "judgment")
            assert state is not None
            _, found = cache.read(session, state, stems)
        return {
            stem: list(zip(one.ordinals.tolist(), one.weights.tolist(), strict=True))
            for stem, one in found.items()
        }

    grown = IndexCache()
    read(grown)
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE corpus_passages SET indexed_at = NULL WHERE jurisdiction = 'ZZ' AND id = ANY(:late)"
            ),
            late,
        )
    indexing.index(now=clock.now, tell=lambda _step: firsts.append(len(read(grown))))
    assert len(firsts) == 2
    assert read(grown) == read(IndexCache())
    with db.transaction() as session:  # what is read again is what the blocks from the last on have
        session.execute(sa.text("DELETE FROM search_postings WHERE jurisdiction = 'ZZ' AND block < 5"))
        session.execute(sa.text("UPDATE search_shelves SET size = size + 1 WHERE jurisdiction = 'ZZ'"))
    assert read(grown) != read(IndexCache())


def test_the_worker_indexes_what_was_loaded(passages: list[uuid.UUID]) -> None:
    factory._index_law(lambda: True)
    assert _words("número17") == []
    factory._index_law(lambda: False)
    assert _words("número17") == [passages[17]]
    assert "search index" in {task.name for task in factory.create_scheduler(settings.current(), "w")._tasks}
