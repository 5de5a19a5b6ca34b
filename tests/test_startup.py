"""What a process loads and when: a command its own part, web server and worker all of it at their start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from werkzeug.security import generate_password_hash

from app import cli
from app.platform import settings
from app.tenancy import members
from tests.throwaway import Addresses, new_database

HEAVY = {
    "PIL", "aiohttp", "anthropic", "httpx2", "lxml", "numpy", "openai", "pyhanko", "rq", "snowballstemmer",
    "weasyprint",
}  # fmt: skip
_SETTINGS = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")

# Runs `flask` with the words of the command line, then tells on the last line what is loaded.
_FLASK = """
import json, sys
from flask.cli import main
try:
    main()
except SystemExit as ended:
    code = ended.code
print(json.dumps({"code": code, "modules": sorted(sys.modules)}))
"""

# What is imported after the web server's start: the calls come over the whole application, with a key.
_FIRST_REQUESTS = """
import json, sys
from wsgi import serve
client = serve().test_client()
before = set(sys.modules)
auth = {"Authorization": "Bearer " + sys.argv[1]}
text = "CONTRATO DE ARRENDAMIENTO. La renta es de 900 euros al mes (art. 36 LAU). La fianza, 900 euros."
answers = [
    client.post("/api/v1/analyze", json={"text": text}, headers=auth).status_code,
    client.get("/api/v1/jurisdictions", headers=auth).status_code,
    client.post("/api/v1/normativa/search", json={"query": "fianza del arrendamiento", "jurisdiction": "ES"},
        headers=auth).status_code,
    client.get("/portal/sign-in").status_code,
    client.get("/docs").status_code,
]
# Codecs and the like of the standard library are found at once; what takes long is ours and the libraries'.
loaded = {name for name in set(sys.modules) - before if name.split(".")[0] not in sys.stdlib_module_names}
print(json.dumps({"answers": answers, "modules": sorted(loaded)}))
"""

# What a worker's children would import for themselves.
_SCHEDULER = """
import json, sys
from app import factory
from app.platform import settings
factory.create_worker()
before = set(sys.modules)
factory.create_scheduler(settings.current(), "test")
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def _python(code: str, *words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=settings.PROJECT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )


def _flask(*words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flask", "--app", "wsgi", *words],
        cwd=settings.PROJECT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def nothing_set(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine on which no service was set up."""
    kept = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
    return {**kept, "DATA_DIR": str(tmp_path)}


def test_the_factory_loads_nothing_heavy(nothing_set: dict[str, str]) -> None:
    code = "import json, sys; import app.factory; print(json.dumps(list(sys.modules)))"
    loaded = set(json.loads(_python(code, env=nothing_set).stdout))
    assert "app.factory" in loaded
    assert not loaded & HEAVY


def _modules(*words: str, env: Mapping[str, str]) -> set[str]:
    """Run a command that ends well; return the top-level names of all that it has loaded."""
    *shown, last = _python(_FLASK, "--app", "wsgi", *words, env=env).stdout.splitlines()
    told = json.loads(last)
    assert told["code"] == 0
    assert shown
    return {name.split(".")[0] for name in told["modules"]}


@pytest.mark.parametrize("group", ["account", "corpus", "credits", "demo", "key"])
def test_help_of_a_group_loads_flask_and_little_else(group: str, nothing_set: dict[str, str]) -> None:
    assert not _modules(group, "--help", env=nothing_set) & {*HEAVY, "pydantic", "redis", "sqlalchemy"}


@pytest.mark.parametrize(
    "words",
    [
        ["account", "set"],
        ["corpus", "load"],
        ["corpus", "index"],
        ["credits", "grant"],
        ["db"],
        ["demo", "seed"],
        ["key", "create"],
    ],
)
def test_help_needs_no_setting_and_loads_nothing_heavy(words: list[str], nothing_set: dict[str, str]) -> None:
    assert not _modules(*words, "--help", env=nothing_set) & HEAVY


def test_help_names_the_values_that_are_imported_for_it(nothing_set: dict[str, str]) -> None:
    assert "{statutes|judgments|norms}" in _flask("corpus", "load", "--help", env=nothing_set).stdout
    refused = _flask("key", "create", "--account", "x", "--name", "x", "--tier", "gold", env=nothing_set)
    assert refused.returncode == 2
    assert "'gold' is not one of 'standard', 'premium', 'enterprise'" in refused.stderr


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["corpus", "status"], HEAVY),
        (["account", "create", "--name", "B", "--password", "a long password", "--email"], HEAVY),
        # Migrations see the tables of all packages, of which jobs compute with these.
        (["db", "current"], HEAVY - {"rq", "snowballstemmer"}),
    ],
)
def test_commands_do_not_load_what_they_do_not_compute_with(
    words: list[str], unneeded: set[str], configured: settings.Settings
) -> None:
    if words[-1] == "--email":
        words = [*words, f"{uuid.uuid4().hex}@example.com"]
    assert not _modules(*words, env=os.environ) & unneeded


def test_a_list_of_the_commands_imports_none_of_them(nothing_set: dict[str, str]) -> None:
    *shown, last = _python(_FLASK, "--app", "wsgi", "--help", env=nothing_set).stdout.splitlines()
    listed = dict(line.strip().split(maxsplit=1) for line in shown[shown.index("Commands:") + 1 :])
    assert {group.name: group.help for group in cli.GROUPS}.items() <= listed.items()
    assert {"db", "routes", "run", "shell"} <= listed.keys()
    ours = {name for name in json.loads(last)["modules"] if name.split(".")[0] == "app"}
    assert ours == {"app", "app.cli", "app.cli.lazy_group"}


def test_a_groups_own_help_is_that_of_the_list() -> None:
    for group in cli.GROUPS:
        loaded = group.make_context("flask", [next(iter(group.list_commands(click.Context(group))))]).command
        assert (loaded.name, loaded.help) == (group.name, group.help)


@pytest.mark.parametrize(
    "words",
    [
        ["key", "revoke", str(uuid.UUID(int=1))],
        ["corpus", "status"],
        ["db", "current"],
        ["routes"],
    ],
)
def test_a_command_without_its_settings_names_the_first(
    words: list[str], nothing_set: dict[str, str]
) -> None:
    found = _flask(*words, env=nothing_set)
    assert found.returncode == 1
    assert found.stderr.startswith("candado: DATABASE_URL is not set and no running service was found in ")
    assert len(found.stderr.splitlines()) == 1


def _key(env: Mapping[str, str]) -> str:
    made = _flask(
        "account", "create", "--name", "Bufete", "--email", f"{uuid.uuid4().hex}@example.com",
        "--password", "a long password", "--credits", "100", "--json", env=env,
    )  # fmt: skip
    account = json.loads(made.stdout.splitlines()[-1])["account_id"]
    balance = _flask("credits", "balance", "--account", account, "--json", env=env)
    assert json.loads(balance.stdout.splitlines()[-1]) == {"balance": 100, "held": 0}
    key = _flask("key", "create", "--account", account, "--name", "first", "--json", env=env)
    return str(json.loads(key.stdout.splitlines()[-1])["key"])


def test_commands_do_their_work_and_the_web_server_has_loaded_all_before_its_first_request(
    configured: settings.Settings,
) -> None:
    found = json.loads(_python(_FIRST_REQUESTS, _key(os.environ), env=os.environ).stdout.splitlines()[-1])
    assert found["answers"] == [200] * 5
    assert not found["modules"], found["modules"]


def test_a_worker_loads_what_its_tasks_need_before_it_forks(configured: settings.Settings) -> None:
    assert json.loads(_python(_SCHEDULER, env=os.environ).stdout.splitlines()[-1]) == []


def test_migrations_and_routes_see_the_whole(configured: settings.Settings, services: Addresses) -> None:
    # A database of its own: the partitions that other tests leave in theirs are in no migration.
    whole = new_database(services, f"candado_migrated_{os.getpid()}")
    checked = _flask("db", "check", env={**os.environ, "DATABASE_URL": whole})
    assert checked.returncode == 0, checked.stderr
    shown = _flask("routes", env=os.environ)
    assert "/api/v1/analyze" in shown.stdout
    assert "/portal/keys" in shown.stdout


def test_the_hash_of_nobody_takes_as_long_to_check_as_a_members() -> None:
    assert members._NOBODY.split("$")[0] == generate_password_hash("any").split("$")[0]
