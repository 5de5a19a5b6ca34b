"""Charge one account as fast as it goes, beside many: `python -m benchmarks.hot_account`.

Every charge of an account takes the lock of its balance and of the head of its audit chain until its commit
is on disk. Two processes of sixteen threads hold a credit and charge it with an audit record, as a request
does (two trips), by turns on one account and on sixty-four: with both commits on disk before they are
answered; with the charge alone; as the product does it, where besides charges that wait in a process share a
commit; and with nothing on disk (`synchronous_commit = off`). Prints charges a second, the processor time of
a charge and how long one took, with the range over the rounds, and one JSON object. The balances are compared
with the ledger at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final

import psycopg

from app.platform.postgres import rls
from app.platform.postgres.group_commit import GroupCommit
from benchmarks.peer import _processor_ms
from tests.throwaway import Throwaway, new_database

PROCESSES: Final = 2
THREADS: Final = 16
MANY: Final = 64
CREDIT: Final = 10_000_000
_CHARGES: Final = GroupCommit()
ROUNDS: Final = 5
# What is on disk before it is answered, which processes charge so, whether their holds are, and whether
# charges of an account that wait in a process share a commit.
_WAYS: Final = (
    ("hold and charge on disk", "on disk", True, False),
    ("charge on disk", "on disk", False, False),
    ("charges on disk together", "on disk", False, True),
    ("nothing on disk", "in memory", True, False),
)


class Charger:
    """A process that charges accounts of one database when it is told to."""

    def __init__(self, url: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.hot_account", "--charge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "DATABASE_URL": url, "DATABASE_POOL_SIZE": str(THREADS)},
        )

    def begin(
        self, accounts: Sequence[tuple[str, str]], seconds: float, *, held_on_disk: bool, together: bool
    ) -> None:
        """Let it charge accounts, given with a key of each, for some seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([accounts, seconds, held_on_disk, together]) + "\n")
        self._process.stdin.flush()

    def end(self) -> dict[str, Any]:
        """Wait until it is done; return the milliseconds of each charge and the processor time of all."""
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def stop(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


def _charge() -> None:
    """Charge as each line of the input says."""
    for line in sys.stdin:
        accounts, seconds, held_on_disk, together = json.loads(line)
        taken: list[float] = []
        began, until = time.process_time(), time.monotonic() + seconds
        threads = [
            threading.Thread(target=_go_on, args=(accounts, number, until, taken, held_on_disk, together))
            for number in range(THREADS)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        print(json.dumps({"ms": taken, "processor_ms": (time.process_time() - began) * 1000}), flush=True)


@rls.as_system()
def _go_on(
    accounts: Sequence[Sequence[str]],
    first: int,
    until: float,
    taken: list[float],
    held_on_disk: bool,
    together: bool,
) -> None:
    at = first + os.getpid()
    while time.monotonic() < until:
        account, key = accounts[at % len(accounts)]
        at += 1
        began = time.perf_counter()
        charge_once(uuid.UUID(account), uuid.UUID(key), held_on_disk=held_on_disk, together=together)
        taken.append((time.perf_counter() - began) * 1000)


def charge_once(account: uuid.UUID, key: uuid.UUID, *, held_on_disk: bool, together: bool) -> None:
    """Hold one credit and charge it with an audit record, in two trips; `together` with those that wait."""
    from app import credits, governance
    from app.platform import clock
    from app.platform.postgres import db

    now = clock.now()
    analysis = uuid.uuid4()
    with db.statements(durable=held_on_disk) as session:
        hold = credits.hold(session, account, 1, api_key_id=key, now=now, ttl_s=60)
    entry = governance.Entry(
        analysis_id=analysis, account_id=account, api_key_id=key, request_id="benchmark", started_at=now,
        finished_at=now, jurisdiction="ES", branch="civil", language="es", mode="standard", models=("x",),
        versions={}, redactions={}, citations={}, locks={}, credits=1, document_hash="0" * 64,
        document_characters=1, analysis_hash="0" * 64,
    )  # fmt: skip
    appending: db.Step[Any] = governance.appending(entry)
    capturing: db.Step[Any] = credits.capturing_at_once(
        account, hold, 1, now=now, operation="analyze", reference_type="analysis",
        reference_id=str(analysis),
    )  # fmt: skip
    if together:
        _CHARGES.run(account, ((appending,), (capturing,)))
    else:
        db.at_once(appending, capturing)


def _accounts(count: int) -> Iterator[tuple[str, str]]:
    from app import credits, tenancy
    from app.platform import clock
    from app.platform.postgres import db

    for _ in range(count):
        with db.transaction() as session:
            account, _ = tenancy.create_account(
                session, name="hot", email=f"{uuid.uuid4()}@example.com", password="not a secret"
            )
            credits.open_balance(session, account.id, low_threshold=0)
            credits.grant(session, account.id, CREDIT, now=clock.now())
            made = tenancy.create_key(
                session, account.id, name="hot", tier="enterprise", scopes=tenancy.SCOPES, prefix="svc",
                now=clock.now(),
            )  # fmt: skip
            yield str(account.id), str(made.row.id)


def _round(
    chargers: Sequence[Charger],
    accounts: Sequence[tuple[str, str]],
    seconds: float,
    postgres: int,
    *,
    held_on_disk: bool,
    together: bool,
) -> dict[str, float]:
    before = _processor_ms(postgres)
    for one in chargers:
        one.begin(accounts, seconds, held_on_disk=held_on_disk, together=together)
    ended = [one.end() for one in chargers]
    taken = sorted(ms for one in ended for ms in one["ms"])
    return {
        "charges_a_second": len(taken) / seconds,
        "postgres_ms": (_processor_ms(postgres) - before) / len(taken),
        "client_ms": sum(one["processor_ms"] for one in ended) / len(taken),
        "p50_ms": taken[len(taken) // 2],
        "p99_ms": taken[len(taken) * 99 // 100],
        "charges": float(len(taken)),
    }


@rls.as_system()
def main() -> int:
    """Charge in turns and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=4, help="length of each round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--charge", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.charge:
        _charge()
        return 0
    services = Throwaway(durable=True)
    chargers: dict[str, list[Charger]] = {}
    try:
        os.environ |= {"SECRET_KEY": "b" * 40, "REDIS_URL": services.addresses.redis_url(0)}
        url = new_database(services.addresses, "hot")
        os.environ["DATABASE_URL"] = url
        accounts = list(_accounts(MANY))
        chargers["on disk"] = [Charger(url) for _ in range(PROCESSES)]
        # To whom the same server answers a commit before it is on disk.
        with psycopg.connect(services.addresses.postgres, autocommit=True) as connection:
            connection.execute("CREATE ROLE hurried LOGIN SUPERUSER")
            connection.execute("ALTER ROLE hurried SET synchronous_commit = off")
        chargers["in memory"] = [Charger(_as("hurried", url)) for _ in range(PROCESSES)]
        postgres = services.processes()[0]
        found: dict[str, list[dict[str, float]]] = {}
        for turn in range(arguments.rounds + 1):
            for name, where, held_on_disk, together in _WAYS:
                for many in (False, True):
                    some = accounts if many else accounts[:1]
                    taken = _round(
                        chargers[where],
                        some,
                        arguments.seconds,
                        postgres,
                        held_on_disk=held_on_disk,
                        together=together,
                    )
                    if turn:
                        label = f"{MANY} accounts, {name}" if many else f"1 account, {name}"
                        found.setdefault(label, []).append(taken)
        amiss = _amiss()
    finally:
        for processes in chargers.values():
            for one in processes:
                one.stop()
        services.stop()
    _print(found, amiss)
    return 1 if amiss else 0


def _as(role: str, url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{role}@{rest.rpartition('@')[2] if '@' in rest.partition('/')[0] else rest}"


def _amiss() -> int:
    """Return how many accounts have another balance than what was granted less what the ledger says."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        return int(
            session.scalar(
                sa.text(
                    "SELECT count(*) FROM credit_balances b WHERE b.balance <> (SELECT sum(amount) FROM "
                    "credit_ledger l WHERE l.account_id = b.account_id) OR b.held <> 0"
                )
            )
            or 0
        )


def _print(found: dict[str, list[dict[str, float]]], amiss: int) -> None:
    names = ("charges_a_second", "postgres_ms", "client_ms", "p50_ms", "p99_ms")
    print(f"{'':<38}" + "".join(f"{name:>26}" for name in names))
    for label, rounds in found.items():
        shown = []
        for name in names:
            values = [one[name] for one in rounds]
            shown.append(f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})")
        print(f"{label:<38}" + "".join(f"{one:>26}" for one in shown))
    print(
        json.dumps(
            {
                "accounts_amiss": amiss,
                **{
                    label: {name: round(statistics.median(one[name] for one in rounds), 2) for name in names}
                    for label, rounds in found.items()
                },
            }
        )
    )


if __name__ == "__main__":
    sys.exit(main())
