"""The services of the test run itself."""

import socket
from urllib.parse import urlsplit

import psycopg
import redis

from tests.throwaway import Addresses


def test_postgres_has_pgvector_and_knows_spanish_letters(services: Addresses) -> None:
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        row = connection.execute("SELECT '[1,2]'::vector <-> '[1,4]'::vector, lower('ÁÑÜ')").fetchone()
    assert row == (2.0, "áñü")


def test_each_worker_has_a_migrated_database_of_its_own(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert tables is not None
    assert tables[0] > 1


def test_redis_never_evicts(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_nothing_listens_on_the_network(services: Addresses) -> None:
    with psycopg.connect(services.postgres) as connection:
        row = connection.execute("SHOW listen_addresses").fetchone()
    assert row == ("",)
    with redis.Redis.from_url(services.redis_url(0)) as client:
        assert client.config_get("port") == {"port": "0"}
    with socket.socket(socket.AF_UNIX) as connection_to_redis:
        connection_to_redis.connect(urlsplit(services.redis_url(0)).path)
