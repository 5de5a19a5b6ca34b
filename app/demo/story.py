"""Sample activity of the demonstration account: ten weeks of a firm, so that every page has data.

The documents are those of the sandbox, which are fictional. Each is analysed once by the engine `rules` and
recorded several times, with charge, audit record and events; jobs are accepted and run like any other.
Invented is what comes from outside: number, times and latencies of calls, and that a webhook receiver
answered. Audit records have `origin: demonstration` among their versions.
"""

from __future__ import annotations

import random
import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from app import analysis, branding, credits, jobs, organizations, tenancy, usage, webhooks
from app.analysis import AnalysisResult
from app.platform import clock, log, redis_client, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db

_logger = log.logger("demo")

_WEEKS = 10
# Days ago on which a document was sent as a job.
_JOBS_AGO = (16, 11, 8, 5, 3, 2)
_MARK = {"origin": "demonstration"}
_RECEIVER = "https://expedientes.candado.example/avisos"
_PEOPLE: tuple[tuple[str, tenancy.Role, timedelta], ...] = (
    ("lucia.ferrandis@candado.example", "admin", timedelta(hours=3)),
    ("ivan.quiroga@candado.example", "developer", timedelta(days=1, hours=2)),
    ("marta.olaizola@candado.example", "compliance", timedelta(days=4)),
)
# Of the calls that cost nothing: route, and how often among them.
_FREE = (
    ("/api/v1/jobs/{job_id}", 6),
    ("/api/v1/jurisprudencia/search", 4),
    ("/api/v1/normativa/search", 3),
    ("/api/v1/usage", 1),
)


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys that make the calls: two of the firm's own programs, and its clients' child keys."""

    files: uuid.UUID
    network: uuid.UUID
    clients: Sequence[uuid.UUID]


@dataclass(frozen=True, slots=True)
class _StoryAnalysis:
    """An analysis of the story: time, key and number of the document."""

    at: datetime
    key_id: uuid.UUID
    draft: int


def beginning(now: datetime) -> datetime:
    """Return when the account was opened in the story: ten weeks ago, in the morning (UTC)."""
    return (now - timedelta(weeks=_WEEKS)).replace(hour=8, minute=12, second=0, microsecond=0)


def tell(account_id: uuid.UUID, *, now: datetime) -> None:
    """Fill a new account with sample activity; without Redis its jobs are left out."""
    # The same story for everybody: figures in a talk or a picture can be found again.
    dice = random.Random(1889)  # noqa: S311 (nothing secret is drawn)
    with db.transaction() as session:
        keys = _found(session, account_id, now)
        _people(session, account_id, now)
    with db.transaction() as session:
        callers = {
            key: tenancy.as_key(session, account_id, key, now=now)
            for key in (keys.files, keys.network, *keys.clients)
        }
    drafts = _drafts(callers[keys.files], now)
    acts = list(_acts(dice, keys, now))
    # The chain is in the order of time: what the programs sent, and between it the jobs.
    done = 0
    for place, days in enumerate(_JOBS_AGO):
        at = (now - timedelta(days=days)).replace(hour=9, minute=7 * place + 3)
        earlier = [act for act in acts[done:] if act.at < at]
        done += len(earlier)
        _enter(callers, drafts, earlier)
        _job(account_id, keys, place, at)
    _enter(callers, drafts, acts[done:])
    with db.transaction() as session:
        usage.insert_calls(
            session, [*_paid(dice, account_id, acts, drafts), *_free(dice, account_id, keys, now)]
        )
        tenancy.record_key_use(session, {act.key_id: act.at for act in acts})
        _cut_off(session, callers[keys.network], keys.clients[-1], now)
        _answered(session, account_id)
    _waiting(account_id, keys, now)


def _found(session: db.Session, account_id: uuid.UUID, now: datetime) -> _Keys:
    """Create the keys, an organization with its child keys, the branding and a webhook."""
    start, prefix = beginning(now), settings.current().key_prefix

    def key(name: str, *scopes: str, born: datetime, ends: datetime | None = None) -> uuid.UUID:
        return tenancy.create_key(
            session,
            account_id,
            name=name,
            tier="premium",
            scopes=scopes,
            prefix=prefix,
            now=born,
            expires_at=ends,
        ).row.id

    old = key("Prueba de concepto", "analyze", born=start + timedelta(minutes=9))
    tenancy.revoke_key(session, old, now=start + timedelta(days=6, hours=2))
    network = key("Red de gestorías", "analyze", "query", born=start + timedelta(hours=1))
    files = key(
        "Gestor de expedientes", "analyze", "query", "mcp",
        born=start + timedelta(days=1), ends=now + timedelta(days=9, hours=5),
    )  # fmt: skip
    master = tenancy.as_key(session, account_id, network, now=now)
    tree = organizations.create(
        session, master, name="Red de gestorías", description="Gestorías asociadas (demostración)",
        now=start + timedelta(hours=2),
    )  # fmt: skip
    master = tenancy.as_key(session, account_id, network, now=now)
    clients = [
        organizations.create_sub_key(
            session, master, tree.id, label=label, scopes=scopes, expires_in_days=days,
            monthly_credit_cap=cap, prefix=prefix, now=start + timedelta(days=2, hours=place),
        ).row.id
        for place, (label, scopes, days, cap) in enumerate((
            ("Gestoría Llanes", ("analyze", "query"), None, 200),
            ("Asesoría Peñalver", ("analyze",), 365, 40),
            ("Gestoría Sotomayor", ("analyze",), None, None),
        ))
    ]  # fmt: skip
    branding.save(
        session,
        master,
        {
            "branding": "partner",
            "partner_brand_name": "Ribera Gestión Jurídica",
            "partner_legal_name": "Ribera Gestión Jurídica, S.L. (ficticia)",
            "partner_primary_color": "#7a2e4d",
            "partner_support_email": "ayuda@candado.example",
        },
        now=start + timedelta(days=3),
    )
    made = webhooks.register(
        session,
        account_id,
        files,
        url=_RECEIVER,
        events=("analysis.completed", "analysis.failed"),
        description="Receptor inventado, de demostración",
        now=start + timedelta(days=1, hours=3),
    )
    made.row.created_at = start + timedelta(days=1, hours=3)
    return _Keys(files, network, clients)


def _people(session: db.Session, account_id: uuid.UUID, now: datetime) -> None:
    """Add three members, with random passwords, and an open invitation."""
    for place, (email, role, ago) in enumerate(_PEOPLE):
        link, _token = tenancy.one_time_links.invite(session, account_id, email=email, role=role, now=now)
        member = tenancy.one_time_links.join(session, link, password=secrets.token_urlsafe(18))
        member.created_at, member.last_sign_in_at = beginning(now) + timedelta(days=1 + place), now - ago
    tenancy.one_time_links.invite(
        session,
        account_id,
        email="jon.arregui@candado.example",
        role="developer",
        now=now - timedelta(days=2),
    )


def _drafts(caller: tenancy.Caller, now: datetime) -> list[AnalysisResult]:
    """Analyse each document of the sandbox once, every second one in mode deep."""
    return [
        analysis.analyse(
            caller,
            analysis.AnalysisRequest(
                text=DocumentText(sample.document),
                jurisdiction=sample.jurisdiction,
                branch=sample.branch,
                language=sample.language,
                mode="deep" if place % 2 else "standard",
            ),
            request_id="demonstration",
            on=now,
        )
        for place, sample in enumerate(analysis.sandbox.samples())
    ]


def _acts(dice: random.Random, keys: _Keys, now: datetime) -> Iterator[_StoryAnalysis]:
    """Yield the analyses, oldest first: in office hours, more from week to week, none after `now`."""
    places = range(len(analysis.sandbox.NAMES))
    callers = [keys.files] * 4 + [keys.network] + [*keys.clients, keys.clients[0]]
    first = beginning(now) + timedelta(days=4)
    for day in range((now - first).days + 1):
        morning = (first + timedelta(days=day)).replace(hour=7)
        busy = 1 if morning.weekday() >= 5 else 2 + day // 18
        minutes = sorted(dice.randrange(600) for _ in range(dice.randint(busy // 3, busy + 1)))
        for minute in minutes:
            at = morning + timedelta(minutes=minute, seconds=dice.randrange(60))
            if at < now - timedelta(minutes=25):
                # Most documents cite law that holds; some do not, and are flagged.
                yield _StoryAnalysis(at, dice.choice(callers), dice.choices(places, (2, 5, 6, 1, 5, 5))[0])


def _enter(
    callers: Mapping[uuid.UUID, tenancy.Caller],
    drafts: Sequence[AnalysisResult],
    acts: Sequence[_StoryAnalysis],
) -> None:
    with db.transaction() as session:
        for act in acts:
            _charge(session, callers[act.key_id], drafts[act.draft], act)


def _charge(session: db.Session, caller: tenancy.Caller, draft: AnalysisResult, act: _StoryAnalysis) -> None:
    """Record one more analysis of a document: held, charged, recorded and announced as by the pipeline."""
    record = draft.record
    assert record is not None, "an order that was analysed has a record"
    entry = replace(
        record.entry,
        analysis_id=uuid.uuid4(),
        api_key_id=caller.key_id,
        request_id=f"req_{uuid.uuid4()}",
        started_at=act.at,
        finished_at=act.at + timedelta(milliseconds=90),
        versions={**record.entry.versions, **_MARK},
    )
    hold = credits.hold(
        session, caller.account_id, entry.credits, api_key_id=caller.key_id, now=act.at, ttl_s=600
    )
    analysis.charge(
        session,
        caller.account_id,
        [replace(draft, record=replace(record, entry=entry))],
        analysis.ChargeReference("analyze", "job", entry.analysis_id, f"analyze ({entry.mode})"),
        hold=hold,
        now=entry.finished_at,
    )


def _paid(
    dice: random.Random,
    account_id: uuid.UUID,
    acts: Sequence[_StoryAnalysis],
    drafts: Sequence[AnalysisResult],
) -> Iterator[usage.Call]:
    for act in acts:
        milliseconds = round(dice.lognormvariate(4.4, 0.35))
        yield usage.Call(
            act.at, account_id, act.key_id, "/api/v1/analyze", 200, milliseconds, drafts[act.draft].price
        )


def _free(dice: random.Random, account_id: uuid.UUID, keys: _Keys, now: datetime) -> Iterator[usage.Call]:
    """Yield the calls that cost nothing: searches, polling and refusals."""
    routes = [route for route, often in _FREE for _ in range(often)]
    first = beginning(now) + timedelta(days=4)
    for day in range((now - first).days + 1):
        morning = (first + timedelta(days=day)).replace(hour=7)
        busy = 8 if morning.weekday() >= 5 else 32 + day // 3
        for _ in range(dice.randint(busy // 2, busy)):
            at = morning + timedelta(minutes=dice.randrange(660), seconds=dice.randrange(60))
            status = dice.choices((200, 404, 422, 429), (975, 8, 13, 4))[0]
            route = "/api/v1/analyze" if status in (422, 429) else dice.choice(routes)
            if at < now - timedelta(minutes=2):
                key = dice.choice((keys.files, keys.files, keys.network, *keys.clients[:2]))
                yield usage.Call(at, account_id, key, route, status, round(dice.lognormvariate(2.6, 0.5)))


def _cut_off(session: db.Session, master: tenancy.Caller, client: uuid.UUID, now: datetime) -> None:
    """Revoke the child key of one client."""
    assert master.organization_id is not None, "the network's key is a master"
    organizations.revoke_sub_key(
        session, master, master.organization_id, client, now=now - timedelta(hours=20)
    )


def _job(account_id: uuid.UUID, keys: _Keys, place: int, at: datetime) -> None:
    """Accept a job at the time `at` and run it."""
    with _living_at(at):
        job = _accepted(account_id, keys, place, at)
    if job is not None:
        with _living_at(at + timedelta(seconds=1)):
            jobs.run(job.id, "demonstration")


def _waiting(account_id: uuid.UUID, keys: _Keys, now: datetime) -> None:
    """Add a cancelled job, and two for the worker, whose results can be read."""
    unwanted = _accepted(account_id, keys, 2, now - timedelta(hours=21))
    if unwanted is not None:
        with db.transaction() as session:
            jobs.cancel(session, account_id, unwanted.id, now=now - timedelta(hours=20, minutes=58))
        jobs.discard(unwanted.id)
    jobs.enqueue(job for place in (0, 1) if (job := _accepted(account_id, keys, place, now)))


def _accepted(account_id: uuid.UUID, keys: _Keys, place: int, at: datetime) -> jobs.Job | None:
    """Accept a document of the sandbox as a job; return `None` where Redis is unavailable."""
    sample = analysis.sandbox.samples()[place]
    request = analysis.AnalysisRequest(
        text=DocumentText(sample.document),
        jurisdiction=sample.jurisdiction,
        branch=sample.branch,
        language="es",
        mode="deep",
    )
    try:
        with db.transaction() as session:
            return jobs.accept(
                session,
                tenancy.as_key(session, account_id, keys.files, now=at),
                jobs.Payload.single(request),
                request_id=f"req_{uuid.uuid4()}",
                base_url=settings.current().public_url,
                now=at,
            )
    except redis_client.Unavailable:
        _logger.warning("a job is missing in the demonstration account: Redis is away")
        return None


@contextmanager
def _living_at(moment: datetime) -> Iterator[None]:
    """Set the clock to `moment` while the block runs."""
    clock.install(lambda: moment)
    try:
        yield
    finally:
        clock.install(None)


# As senders write it down (webhooks/claims.py): the receiver answered at once, and last failed to six times.
_ANSWERED = sa.text(
    """
    UPDATE webhook_deliveries SET
        status = CASE WHEN id = :lost THEN 'exhausted' ELSE 'success' END,
        attempts = CASE WHEN id = :lost THEN 6 ELSE 1 END,
        last_status_code = CASE WHEN id = :lost THEN 503 ELSE 204 END,
        last_error = CASE WHEN id = :lost THEN 'answered 503' END,
        delivered_at = CASE WHEN id <> :lost THEN created_at + interval '400 milliseconds' END,
        next_attempt_at = NULL, claim = NULL
    WHERE account_id = :account
    """
)
_NOTED = sa.text(
    """
    UPDATE webhook_endpoints e SET
        last_delivery_at = (SELECT max(delivered_at) FROM webhook_deliveries d WHERE d.endpoint_id = e.id),
        last_failure_at = (SELECT created_at + interval '14 hours 36 minutes' FROM webhook_deliveries
                           WHERE id = :lost)
    WHERE account_id = :account
    """
)


def _answered(session: db.Session, account_id: uuid.UUID) -> None:
    """Set the outcome of the deliveries, since the receiver is invented."""
    lost = session.scalar(
        sa.text(
            "SELECT id FROM webhook_deliveries WHERE account_id = :account "
            "ORDER BY created_at OFFSET 3 LIMIT 1"
        ),
        {"account": account_id},
    )
    if lost is not None:
        session.execute(_ANSWERED, {"lost": lost, "account": account_id})
        session.execute(_NOTED, {"lost": lost, "account": account_id})
