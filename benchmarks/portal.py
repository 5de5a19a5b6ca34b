"""Every page of the portal over a large account: `python -m benchmarks.portal`.

Fills a throw-away PostgreSQL with one account of 10,000 keys, 1,000,000 audit records in a whole chain and a
year of calls with their roll-up (see portal_filling), signs in with the test client and asks for every page
that the map of addresses has, and for the filters and later pages that people ask for. Milliseconds are whole
requests, a socket not included; kilobytes are the page with its style sheets and scripts, each compressed
with gzip. Ratios are to the sign-in page of the same run. A page over 100 ms (p95) or over 100 kB is named
and makes the exit code 1.

Where other programs want the same cores, most of a page's time is waiting for one: the load average tells.
The milliseconds of work are what the kernel counted on a core for a page, by this process, its connections to
PostgreSQL and Redis, one after the other: what is left of its time on a machine of its own.

Prints a table and, on the last line, one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import math
import os
import re
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask.testing import FlaskClient

from app import jobs, mail, sharing
from app.platform import clock, settings
from app.platform.postgres import db, rls
from benchmarks.portal_filling import EMAIL, PASSWORD, Filled, fill
from tests.cast import Cast, Player
from tests.portal.pages import FILES, furnished
from tests.sharing.finished import finished_job
from tests.throwaway import Throwaway, new_database

MOST_MS, MOST_KB = 100, 100
FLOOR = "/portal/sign-in"
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
_ASSET = re.compile(r'(?:src|href)="/(static/[^"?#]+)')

# GET addresses that redirect, or change a preference: nobody looks at them as a page. Codes are allowed again
# only after ten wrong ones, on a page like that of a new password.
NO_PAGES = frozenset(
    {
        "front.entrance", "portal.choose_language", "portal.choose_theme", "portal.first_steps",
        "portal.mailbox", "portal.sign_on_start", "portal.sign_on_callback", "portal.allow_codes",
    }
)  # fmt: skip
# Only for who is not signed in; they are asked before signing in.
OUTSIDE = frozenset(
    {
        "portal.sign_in", "portal.second_step", "portal.sign_up", "portal.forgotten", "portal.join",
        "portal.reset_password", "portal.shared_result", "portal.sign_on",
    }
)  # fmt: skip


def _values(endpoint: str, filled: Filled, links: Mapping[str, str]) -> dict[str, Any]:
    """What stands for the arguments of a page's address, where what it shows is large or needs a link."""
    if endpoint in links:
        return {"token": links[endpoint]}
    return {
        # The first organization's first sub-key elsewhere; a key by itself where it stands alone.
        "key_id": filled.id_of(
            "key", 5 if "sub_key" in endpoint or endpoint.endswith("cut_off") else filled.keys - 2
        ),
        "organization_id": filled.id_of("organization", 0),
        "webhook_id": filled.id_of("webhook", 0),
        "member_id": filled.colleague_id,
        "seq": 1,
    }


def _links(cast: Cast, player: Player, filled: Filled) -> dict[str, str]:
    """A token for each page that is opened by one."""
    job_id, now = finished_job(cast, player), clock.now()
    with db.transaction() as session:
        link = sharing.make(
            session,
            jobs.find(session, player.account_id, job_id),
            member_id=filled.member_id,
            audience="password",
            hours=1,
            now=now,
        )
    return {
        "portal.join": filled.invitation,
        "portal.reset_password": filled.reset,
        "portal.shared_result": link.token,
        "front.unsubscribe": mail.unsubscribe_token(filled.colleague_id, "cap"),
    }


def _more(filled: Filled) -> list[str]:
    """The filters and later pages that people ask for."""
    today = clock.today()
    rare, busy = filled.id_of("key", filled.keys - 2), filled.id_of("key", 1)
    organization = filled.id_of("organization", 0)
    spring = f"from={today - timedelta(days=300)}&to={today - timedelta(days=270)}"
    return [
        *(f"/portal/analyses?{query}" for query in (
            "flagged=1", spring, f"{spring}&flagged=1", f"key={rare}", f"key={busy}", f"key={busy}&flagged=1",
            f"key={rare}&{spring}", "before=500000", "key=Ribera", f"from={today}&to={today}",
        )),
        *(f"/portal/usage?{query}" for query in (
            f"from={today - timedelta(days=7)}", f"from={today - timedelta(days=90)}",
            f"from={today - timedelta(days=365)}&granularity=week", f"api_key_id={busy}",
            f"api_key_id={rare}", f"organization_id={organization}", "endpoint=/api/v1/route-0",
            f"from={today - timedelta(days=365)}&granularity=month&api_key_id={busy}",
            f"from={today - timedelta(days=365)}&granularity=month&organization_id={organization}",
            f"from={today - timedelta(days=365)}&organization_id={organization}",
            f"from={today - timedelta(days=365)}&granularity=day",
        )),
        *(f"/portal/credits?{query}" for query in (
            "kind=consumption", "kind=purchase", f"api_key_id={rare}", spring, f"api_key_id={rare}&{spring}",
        )),
        *(f"/portal/keys?{query}" for query in (
            "q=999", "q=Ribera", "q=nobody", "state=revoked", "state=expired", "role=master",
            f"after={filled.id_of('key', filled.keys // 2)}",
        )),
        *(f"/portal/organizations/{organization}?{query}" for query in ("state=revoked", "q=Ribera")),
        "/portal/jobs?status=failed", "/portal/jobs?status=completed",
        *(f"/portal/law?tool={tool}" for tool in ("article", "check", "citator")),
        *(f"/portal/usage/{part}?{query}" for part, query in (
            ("keys", f"from={today - timedelta(days=365)}&organization_id={organization}"),
            ("periods", f"from={today - timedelta(days=365)}&organization_id={organization}"),
            ("keys", "endpoint=/api/v1/route-0"),
        )),
        f"/portal/webhooks/{filled.id_of('webhook', 0)}?status=exhausted",
        "/portal/find?q=Ribera", "/portal/find?q=svc_", "/portal/find?q=req_nothing-like-it",
        "/portal/requests?outcome=error", f"/portal/requests?key={rare}", f"/portal/requests?key={busy}",
        f"/portal/branding?key={filled.id_of('key', 9_000)}",
        "/portal/docs?in=python",
    ]  # fmt: skip


def _addresses(filled: Filled) -> tuple[list[str], list[str]]:
    """The addresses of pages by the map of addresses: for strangers, and for members.

    Of what the filled database has none, such as a comparison, the account gets one, as the tests of all
    pages make it.
    """
    from flask import current_app

    cast = Cast()
    player = Player("partner", filled.account_id, EMAIL, PASSWORD, *cast.key(filled.account_id))
    links = _links(cast, player, filled)
    adapter = current_app.url_map.bind("localhost")
    made: dict[str, str] = {}
    for address in furnished(cast, player):
        made.setdefault(adapter.match(address.partition("?")[0])[0], address)
    outside: list[str] = []
    inside: list[str] = []
    for rule in current_app.url_map.iter_rules():
        if rule.endpoint.partition(".")[0] not in ("portal", "front") or "GET" not in (rule.methods or ()):
            continue
        if rule.endpoint in NO_PAGES or rule.rule in FILES:
            continue
        given = _values(rule.endpoint, filled, links) | {"slug": "analyze", "name": "demand_co"}
        if rule.endpoint.endswith("try_operation") or rule.arguments - given.keys():
            if rule.endpoint not in made:
                raise SystemExit(f"benchmarks.portal: {rule.rule} needs values for {set(rule.arguments)}")
            address = made[rule.endpoint]
        elif rule.arguments or rule.endpoint not in made:
            address = adapter.build(rule.endpoint, {name: given[name] for name in rule.arguments})
        else:
            address = made[rule.endpoint]
        (outside if rule.endpoint in OUTSIDE else inside).append(address)
    return sorted(outside), [*sorted(inside), *_more(filled)]


@cache
def _asset_bytes(name: str) -> int:
    return len(gzip.compress((settings.PROJECT / name).read_bytes()))


def _weight(page: bytes) -> float:
    """Kilobytes of a page and of what it has its browser fetch."""
    named = set(_ASSET.findall(page.decode()))
    return (len(gzip.compress(page)) + sum(_asset_bytes(name) for name in named)) / 1000


def _processes(redis: int) -> list[int]:
    """This process, its connections to PostgreSQL, and Redis."""
    with db.reading() as session:
        named = sa.text("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
        return [os.getpid(), redis, *session.scalars(named)]


def _on_core(processes: Sequence[int]) -> float:
    """Milliseconds that the main threads of these processes have run on a core (Linux)."""
    spent = 0
    for process in processes:
        # A connection may have been replaced by another.
        with contextlib.suppress(FileNotFoundError):
            spent += int(Path(f"/proc/{process}/schedstat").read_text().split()[0])
    return spent / 1e6


def _measure(client: FlaskClient, address: str, rounds: int, processes: Sequence[int]) -> dict[str, float]:
    """p50 and p95 in ms after two rounds to warm up, and kB. Fails on anything but a page."""
    taken: list[float] = []
    worked: list[float] = []
    for number in range(rounds + 2):
        began, before = time.perf_counter(), _on_core(processes)
        answer = client.get(address)
        spent, work = (time.perf_counter() - began) * 1000, _on_core(processes) - before
        # Without workers the page of the state of the service says so, with the status of it.
        if answer.status_code != 200 and address != "/status":
            raise SystemExit(f"benchmarks.portal: {address} answered {answer.status_code}")
        if number > 1:
            taken.append(spent)
            worked.append(work)
    taken.sort()
    worked.sort()
    return {
        "p50_ms": round(statistics.median(taken), 1),
        "p95_ms": round(taken[math.ceil(0.95 * len(taken)) - 1], 1),
        "work_p50_ms": round(statistics.median(worked), 1),
        "work_p95_ms": round(worked[math.ceil(0.95 * len(worked)) - 1], 1),
        "kb": round(_weight(answer.data), 1),
    }


def _sign_in(client: FlaskClient) -> None:
    token = _TOKEN.search(client.get(FLOOR).text)
    assert token
    done = client.post(FLOOR, data={"email": EMAIL, "password": PASSWORD, "csrf_token": token[1]})
    assert done.status_code == 303, done.text


def _pages(filled: Filled, rounds: int, only: str | None, redis: int) -> dict[str, dict[str, float]]:
    # What each process of the web server has when it takes its first request.
    from wsgi import serve

    app = serve()
    stranger, member = app.test_client(), app.test_client()
    for client in (stranger, member):
        client.set_cookie("language", "es")
    with app.test_request_context("/"):
        outside, inside = _addresses(filled)
    stranger.get(FLOOR)
    found = {FLOOR: _measure(stranger, FLOOR, rounds, _processes(redis))}
    _sign_in(member)
    for client, addresses in ((stranger, outside), (member, inside)):
        for address in addresses:
            # Halfway between password and code there is nobody to measure with.
            if address in (FLOOR, "/portal/sign-in/code") or (only and not re.search(only, address)):
                continue
            found[address] = _measure(client, address, rounds, _processes(redis))
            print(".", end="", file=sys.stderr, flush=True)
    return found


def _over(row: dict[str, float]) -> bool:
    return row["p95_ms"] > MOST_MS or row["kb"] > MOST_KB


def run(keys: int, records: int, calls: int, rounds: int, only: str | None, redis: int) -> dict[str, Any]:
    """Fill, measure, print the table; the keys of the result are those of the last line."""
    filled = fill(keys, records, calls)
    print(
        f"{keys} keys, {records} audit records, {calls} calls in a year; filled in "
        f"{sum(filled.seconds.values()):.0f} s: "
        + ", ".join(f"{step} {seconds:.0f} s" for step, seconds in filled.seconds.items())
    )
    load = [os.getloadavg()[0]]
    pages = _pages(filled, rounds, only, redis)
    load.append(os.getloadavg()[0])
    floor = pages[FLOOR]["p50_ms"]
    print(f"load average {load[0]:.1f} before, {load[1]:.1f} after, on {os.cpu_count()} cores")
    print(f"\n{'page':96}{'p50 ms':>9}{'p95 ms':>9}{'work p50':>10}{'work p95':>10}{'kB':>8}{'of empty':>10}")
    for address, row in pages.items():
        print(
            f"{address[:95]:96}{row['p50_ms']:>9}{row['p95_ms']:>9}{row['work_p50_ms']:>10}{row['work_p95_ms']:>10}{row['kb']:>8}"
            f"{row['p50_ms'] / floor:>9.1f}×{'  OVER' if _over(row) else ''}"
        )
    over = [address for address, row in pages.items() if _over(row)]
    return {
        "keys": keys,
        "audit_records": records,
        "calls": calls,
        "fill_s": {step: round(seconds, 1) for step, seconds in filled.seconds.items()},
        "pages": len(pages),
        "load": [round(one, 1) for one in load],
        "worst_p95_ms": max(row["p95_ms"] for row in pages.values()),
        "worst_work_p95_ms": max(row["work_p95_ms"] for row in pages.values()),
        "worst_kb": max(row["kb"] for row in pages.values()),
        "over": over,
        "by_page": pages,
    }


@rls.as_system()
def main() -> int:
    """Start both stores, measure, print the JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--records", type=int, default=1_000_000, help="audit records, and as many charges")
    parser.add_argument("--calls", type=int, default=2_000_000, help="calls in the year")
    parser.add_argument("--rounds", type=int, default=20, help="how often each page is asked for")
    parser.add_argument("--only", help="a regular expression of addresses")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        stores = Throwaway()
        stack.callback(stores.stop)
        os.environ.update(
            DATABASE_URL=new_database(stores.addresses, "candado_benchmark"),
            REDIS_URL=stores.addresses.redis_url(0),
            SECRET_KEY="k" * 40,
            LOG_LEVEL="error",
            SIGNUP_OPEN="true",
            # Pages about letters are there where letters can leave; none is sent.
            SMTP_URL="smtp://localhost:25",
            PUBLIC_URL="http://localhost",
        )
        settings.current.cache_clear()
        stack.callback(db.dispose)
        _postgres, redis = stores.processes()
        found = run(
            arguments.keys, arguments.records, arguments.calls, arguments.rounds, arguments.only, redis
        )
    print(json.dumps(found))
    return 1 if found["over"] else 0


if __name__ == "__main__":
    sys.exit(main())
