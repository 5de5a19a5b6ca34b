"""Composition root: the one module that knows every package; assembles web application and worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

from flask import Flask, Response, g, request

from app import alerts, branding, cli, credits, idempotency, mail, purchases, tenancy, usage, webhooks
from app.platform import clock, confidential, log, settings
from app.platform.postgres import db, rls
from app.platform.processes import garbage, prefork, scheduler

_logger = log.logger("worker")

# What is not imported above takes a second and more to load; the functions import what they need, so that
# a command pays for its own part alone. The web server and the worker have all of it before they begin.


def tables() -> tuple[ModuleType, ...]:
    """Import every package's tables into the metadata that migrations compare with."""
    from app.alerts import models as alerts_tables
    from app.analysis.own_engines import models as engine_tables
    from app.branding import models as branding_tables
    from app.citator import models as citator_tables
    from app.comparison import models as comparison_tables
    from app.corpus import models as corpus_tables
    from app.credits import models as credits_tables
    from app.documents import models as documents_tables
    from app.governance import models as governance_tables
    from app.idempotency import models as idempotency_tables
    from app.jobs import models as jobs_tables
    from app.mail import models as mail_tables
    from app.oauth import models as oauth_tables
    from app.purchases import models as purchases_tables
    from app.redaction import models as redaction_tables
    from app.search import models as search_tables
    from app.sharing import models as sharing_tables
    from app.sso import models as sso_tables
    from app.tenancy import models as tenancy_tables
    from app.usage import models as usage_tables
    from app.webhooks import models as events_tables

    return (
        alerts_tables,
        branding_tables,
        citator_tables,
        comparison_tables,
        corpus_tables,
        credits_tables,
        documents_tables,
        engine_tables,
        events_tables,
        governance_tables,
        idempotency_tables,
        jobs_tables,
        mail_tables,
        oauth_tables,
        purchases_tables,
        redaction_tables,
        search_tables,
        sharing_tables,
        sso_tables,
        tenancy_tables,
        usage_tables,
    )


class _App(Flask):
    """An application whose functions are all called as they are: none is asynchronous."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return `func`, which Flask would otherwise look at to see whether it must be wrapped."""
        return func


def create_app(config: settings.Settings | None = None) -> Flask:
    """Create the web application. Raises `SettingsError` when a required setting is missing."""
    from werkzeug.middleware.proxy_fix import ProxyFix

    from app import analysis, governance, mcp, portal
    from app.analysis.api.routes import routes as analysis_routes
    from app.analysis.own_engines.routes import routes as engine_routes
    from app.branding.routes import routes as branding_routes
    from app.citator.routes import routes as citator_routes
    from app.comparison.routes import routes as comparison_routes
    from app.corpus.routes import routes as corpus_routes
    from app.credits.routes import routes as credits_routes
    from app.deadlines.routes import routes as deadlines_routes
    from app.documents.routes import routes as documents_routes
    from app.governance.activity.routes import routes as activity_routes
    from app.governance.enforcement.routes import routes as enforcement_routes
    from app.governance.export.routes import routes as export_routes
    from app.governance.outputs.routes import routes as outputs_routes
    from app.governance.routes import routes as governance_routes
    from app.governance.transparency.routes import routes as transparency_routes
    from app.jobs.routes import PAYLOADS
    from app.jobs.routes import routes as jobs_routes
    from app.oauth import routes as oauth_routes
    from app.organizations.routes import routes as organizations_routes
    from app.platform.web import health, http, openapi
    from app.purchases.routes import routes as purchases_routes
    from app.reports.routes import routes as reports_routes
    from app.search.routes import routes as search_routes
    from app.tenancy import guard
    from app.tenancy.routes import routes as security_routes
    from app.usage.routes import routes as usage_routes
    from app.webhooks.routes import routes as webhooks_routes

    config = config or settings.current()
    config.require("database_url", "redis_url", "secret_key")
    analysis.check_settings(config)
    governance.check_settings(config)
    purchases.check_settings(config)
    log.configure(config.log_level)
    app = _App(
        "candado",
        root_path=str(settings.PROJECT),
        template_folder="templates",
        static_folder="static",
    )
    app.config.update(
        SECRET_KEY=config.secret_key.get_secret_value(),
        MAX_CONTENT_LENGTH=config.max_body_bytes,
        # Only the JSON parser of platform/web reads bodies; the portal's largest form holds a long document,
        # each of whose 500,000 characters may take nine bytes.
        MAX_FORM_MEMORY_SIZE=5_000_000,
        MAX_FORM_PARTS=100,
    )
    if config.trusted_proxies:
        hops = config.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]

    http.install(app)
    health.install(app, warm=analysis.warm_up)
    app.after_request(guard.rate_headers)
    app.after_request(_meter)
    app.after_request(_watch_refusals)
    api = openapi.create(app, config)
    for routes in (
        analysis_routes,
        branding_routes,
        citator_routes,
        comparison_routes,
        corpus_routes,
        credits_routes,
        deadlines_routes,
        documents_routes,
        engine_routes,
        activity_routes,
        enforcement_routes,
        export_routes,
        governance_routes,
        jobs_routes,
        organizations_routes,
        outputs_routes,
        reports_routes,
        search_routes,
        security_routes,
        usage_routes,
        webhooks_routes,
    ):
        api.register_blueprint(routes)
    for schema in PAYLOADS:
        api.spec.components.schema(schema.__name__, schema=schema)
    api.spec.options["webhooks"] = webhooks.as_openapi(config.wire_name)
    oauth_routes.install(app)
    mcp.install(app, config, (*mcp.ENDPOINTS, mcp.oauth_endpoint(oauth_routes.identify_caller)))
    app.register_blueprint(transparency_routes)
    app.register_blueprint(purchases_routes)
    portal.install(app, config, api.spec.to_dict, mcp.check_connection)
    api.name_by(portal.site_name)
    http.keep_uploads_in_memory(app)
    # The export of an account's data reads the tables of all packages.
    tables()
    cli.migrations(app)
    for group in cli.GROUPS:
        app.cli.add_command(group)
    return app


def create_worker(config: settings.Settings | None = None) -> prefork.ProcessPool:
    """Create the worker's process pool: scheduled tasks, audit documents, and several for jobs.

    Everything that the processes share is loaded here, in their parent. Raises `SettingsError` when a
    required setting is missing.
    """
    # The last three are for the scheduler: its process finds them loaded and shares their memory.
    from app import analysis, governance, jobs
    from app import portal as _portal  # noqa: F401
    from app.search import index as _index  # noqa: F401

    tables()
    config = config or settings.current()
    config.require("database_url", "redis_url", "secret_key")
    analysis.check_settings(config)
    governance.check_settings(config)
    log.configure(config.log_level)
    confidential.leave_no_core()
    job_slots = [
        prefork.ProcessSlot(f"job-{number}", jobs.work) for number in range(1, config.job_processes + 1)
    ]
    # The scheduler does not wait for what only analyses need.
    job_slots[0].prepare = _load_analysis
    scheduler_slot = prefork.ProcessSlot(
        "scheduler", lambda name, _previous: create_scheduler(config, name).run()
    )
    # Rendering PDFs takes a processor and memory: in a process of its own it delays no other task.
    documents_slot = prefork.ProcessSlot("documents", _make_documents)
    return prefork.ProcessPool(
        [scheduler_slot, documents_slot, *job_slots], grace_s=config.worker_grace_s + 10
    )


def _load_analysis() -> None:
    """Load the analysis once for all job processes, which share its memory."""
    from app import analysis

    analysis.warm_up()
    garbage.settle()


def _make_documents(name: str, previous: str | None) -> int:
    """Make the ordered audit documents until told to stop; return the exit code."""
    from app import governance

    if previous is not None:
        governance.release(previous)
    # A document that is being made when the process is told to stop is released for another process.
    task = scheduler.ScheduledTask(
        "documents",
        governance.EVERY_S,
        lambda: governance.make_due(name, stopping=lambda: runner.stopping),
        lambda: None,
    )
    runner = scheduler.Scheduler((task,))
    return runner.run()


def create_scheduler(config: settings.Settings, name: str) -> scheduler.Scheduler:
    """Create the scheduler of all recurring tasks; any number of processes may run it.

    The thread of a task sees no tenant's rows by default: each task asks for all rows (`rls.as_system`) where
    it opens a transaction. `name` identifies the process as a consumer of the usage stream.
    """
    from app import governance, jobs, portal, search

    sender, reaper = webhooks.Sender(), jobs.Reaper()
    runner = scheduler.Scheduler(
        (
            scheduler.ScheduledTask("usage", 1.0, lambda: usage.drain(name)),
            scheduler.ScheduledTask("old calls", 600.0, lambda: _forget_calls(config.usage_raw_days)),
            scheduler.ScheduledTask("roll-ups of calls", 600.0, _repair_roll_ups),
            scheduler.ScheduledTask("holds", 15.0, _release_expired),
            scheduler.ScheduledTask("idempotency", 600.0, _sweep_idempotency),
            scheduler.ScheduledTask("mail", 1.0, lambda: mail.send_due(portal.compose)),
            scheduler.ScheduledTask("alerts", 30.0, lambda: alerts.tell_due(clock.now()), lambda: None),
            scheduler.ScheduledTask("old alerts", 3600.0, _forget_alerts),
            scheduler.ScheduledTask("old links", 600.0, _forget_links),
            scheduler.ScheduledTask("old grants", 600.0, _forget_grants),
            scheduler.ScheduledTask("jobs", jobs.EVERY_S, reaper.round),
            scheduler.ScheduledTask("old jobs", 600.0, lambda: _forget_jobs(config.job_days)),
            scheduler.ScheduledTask("old documents", 30.0, _sweep_documents),
            scheduler.ScheduledTask("old uploads", 30.0, _sweep_uploads),
            scheduler.ScheduledTask("old comparisons", 30.0, _sweep_comparisons),
            scheduler.ScheduledTask("old links to results", 300.0, _sweep_result_links),
            scheduler.ScheduledTask("chains", 1.0, governance.chain_check.verify_due),
            scheduler.ScheduledTask("transparency log", 60.0, _append_log),
            scheduler.ScheduledTask("logos", 2.0, branding.fetch_due),
            scheduler.ScheduledTask("announcements", 2.0, lambda: webhooks.spread(clock.now())),
            scheduler.ScheduledTask("webhooks", 0.5, sender.round, sender.finish),
            scheduler.ScheduledTask(
                "old deliveries", 600.0, lambda: _forget_deliveries(config.webhook_delivery_days)
            ),
            scheduler.ScheduledTask("old events", 600.0, lambda: _forget_events(config.events_days)),
            scheduler.ScheduledTask("closed accounts", 30.0, portal.erase_closed),
            # A batch that has begun is finished, the next one is another worker's.
            scheduler.ScheduledTask(
                "search index", search.EVERY_S, lambda: _index_law(lambda: runner.stopping), lambda: None
            ),
        )
    )
    return runner


@rls.as_system()
def _release_expired() -> int:
    return db.atomically(lambda session: credits.release_expired(session, now=clock.now()))


@rls.as_system()
def _forget_calls(keep_days: int) -> None:
    """Delete old calls in up to 20 batches, each its own transaction; the next round takes the rest.

    Months that begin soon are opened, and those that are over dropped.
    """
    before = clock.now() - timedelta(days=keep_days)
    db.atomically(lambda session: usage.open_months(session, today=clock.today()))
    with db.transaction() as session:
        usage.drop_old(session, before=before.date())
    for _ in range(20):
        if not db.atomically(lambda session: usage.forget(session, before=before)):
            return


@rls.as_system()
def _repair_roll_ups() -> None:
    while db.atomically(lambda session: usage.repair(session, today=clock.today())):
        pass


@rls.as_system()
def _forget_jobs(keep_days: int) -> None:
    from app import jobs

    before = clock.now() - timedelta(days=keep_days)
    for _ in range(20):
        if not db.atomically(lambda session: jobs.forget(session, before=before)):
            return


@rls.as_system()
def _sweep_documents() -> None:
    from app import governance

    db.atomically(lambda session: governance.sweep(session, now=clock.now()))


@rls.as_system()
def _sweep_uploads() -> None:
    """Delete expired uploads in up to 20 batches, each its own transaction; the next round takes the rest."""
    from app import documents

    for _ in range(20):
        with db.transaction() as session:
            gone = documents.sweep(session, now=clock.now())
        documents.discard(gone)
        if not gone:
            return


@rls.as_system()
def _sweep_comparisons() -> None:
    """Delete expired comparisons in up to 20 batches, as `_sweep_uploads` does uploads."""
    from app import comparison

    for _ in range(20):
        with db.transaction() as session:
            gone = comparison.sweep(session, now=clock.now())
        comparison.discard(gone)
        if not gone:
            return


@rls.as_system()
def _sweep_result_links() -> None:
    """Delete expired links to results in up to 20 batches."""
    from app import sharing

    for _ in range(20):
        with db.transaction() as session:
            if not sharing.sweep(session, now=clock.now()):
                return


@rls.as_system()
def _append_log() -> None:
    from app import governance

    with db.transaction() as session:
        governance.append_round(session, now=clock.now())
    governance.anchor_head(now=clock.now())


@rls.as_system()
def _forget_deliveries(keep_days: int) -> None:
    """Delete old deliveries in batches, and webhook secrets whose overlap after a rotation is over."""
    now = clock.now()
    with db.transaction() as session:
        webhooks.forget_old_secrets(session, now=now)
    for _ in range(20):
        with db.transaction() as session:
            if not webhooks.forget(session, before=now - timedelta(days=keep_days)):
                return


@rls.as_system()
def _forget_events(keep_days: int) -> None:
    """Delete old events in up to 20 batches, each its own transaction; the next round takes the rest."""
    before = clock.now() - timedelta(days=keep_days)
    for _ in range(20):
        if not db.atomically(lambda session: webhooks.forget_events(session, before=before)):
            return


@rls.as_system()
def _forget_alerts() -> int:
    return db.atomically(lambda session: alerts.forget(session, now=clock.now()))


@rls.as_system()
def _forget_links() -> None:
    with db.transaction() as session:
        tenancy.one_time_links.forget_links(session, now=clock.now())


@rls.as_system()
def _index_law(stopping: Callable[[], bool]) -> None:
    from app import search

    if done := search.index(now=clock.now, stopping=stopping):
        _logger.info("law indexed", passages=done)


@rls.as_system()
def _forget_grants() -> int:
    from app import oauth

    return db.atomically(lambda session: oauth.forget(session, now=clock.now()))


@rls.as_system()
def _sweep_idempotency() -> int:
    return db.atomically(lambda session: idempotency.sweep(session, now=clock.now()))


def _meter(response: Response) -> Response:
    """Record every call made with a key: 429 included, 401 not.

    A view that serves several things names the one it served in `g.metered`, with the status that it had.
    """
    caller = g.get("caller")
    if caller is not None:
        endpoint, status = g.get("metered") or (
            usage.path_template(str(request.url_rule)),
            response.status_code,
        )
        usage.record(
            usage.Call(
                at=clock.now(),
                account_id=caller.account_id,
                api_key_id=caller.key_id,
                endpoint=endpoint,
                status=status,
                latency_ms=round((time.monotonic() - g.started) * 1000),
                credits=g.get("credits_charged", 0),
                request_id=g.get("request_id"),
                code=g.get("error_code"),
            )
        )
    return response


def _watch_refusals(response: Response) -> Response:
    """Report a call that was refused by its key's rate limit."""
    caller, rate = g.get("caller"), g.get("rate")
    if caller is not None and rate is not None and not rate.allowed:
        webhooks.refused(caller.account_id, caller.key_id, now=clock.now())
    return response
