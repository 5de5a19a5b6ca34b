"""Every page of the portal for members, in one table: what holds for every page is tried on each of them."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from urllib.parse import urlencode

from app import analysis, comparison, governance, jobs, sso, tenancy, usage, webhooks
from app.analysis.own_engines.storage import keep as keep_engine
from app.comparison import examples, storage
from app.comparison.kept import KeptVersion
from app.oauth import clients as oauth_clients
from app.platform import clock
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import analysed

# Words in braces are what `furnished` makes.
PAGES = (
    "/portal/", "/portal/find", "/portal/find?q=nothing-has-this-name",
    "/portal/analyse", "/portal/analyse/{job}", "/portal/analyse/{job}/share",
    "/portal/analyse/samples/demand_co",
    "/portal/compare", "/portal/compare/{comparison}",
    "/portal/matters/new", "/portal/matters/{matter}",
    "/portal/jobs", "/portal/analyses", "/portal/analyses/chain", "/portal/analyses/{record}",
    "/portal/analyses?q={hash}", "/portal/analyses?q=nothing", "/portal/analyses/documents",
    "/portal/analyses/documents/{document}", "/portal/law", "/portal/law?tool=article",
    "/portal/law?tool=check&q=art.+1902+CC", "/portal/law?tool=citator",
    "/portal/watches", "/portal/watches?q=art.+1902+CC", "/portal/watches/{watch}/remove",
    "/portal/keys", "/portal/keys?q=nobody", "/portal/keys/new", "/portal/keys/{key}",
    "/portal/keys/{key}/rotate", "/portal/keys/{key}/revoke",
    "/portal/authorize?{authorize}", "/portal/assistants", "/portal/assistants?client=python",
    "/portal/organizations", "/portal/organizations/new", "/portal/organizations/client",
    "/portal/organizations/{organization}",
    "/portal/organizations/{organization}/edit", "/portal/organizations/{organization}/delete",
    "/portal/organizations/{organization}/keys/new", "/portal/organizations/{organization}/keys/{child}",
    "/portal/organizations/{organization}/keys/{child}/cut-off",
    "/portal/organizations/{organization}/keys/{child}/rotate",
    "/portal/team", "/portal/team/{member}", "/portal/team/{member}/remove",
    "/portal/docs", "/portal/try/sandbox-analyze",
    "/portal/webhooks", "/portal/webhooks/new", "/portal/webhooks/signature",
    "/portal/webhooks/{webhook}", "/portal/webhooks/{webhook}/edit", "/portal/webhooks/{webhook}/rotate",
    "/portal/webhooks/{webhook}/deliveries/{delivery}",
    "/portal/webhooks/{webhook}/delete", "/portal/branding", "/portal/usage", "/portal/usage/keys",
    "/portal/requests", "/portal/requests?q=req_nothing&outcome=error", "/portal/requests/{call}",
    "/portal/activity", "/portal/activity?group=data&from=2020-01-01", "/portal/policies",
    "/portal/policies/set?scope=user",
    "/portal/policies/set?scope=organization&target={organization}",
    "/portal/policies/set?scope=api_key&target={key}", "/portal/usage/periods", "/portal/credits",
    "/portal/account", "/portal/account/engines", "/portal/account/engines/A/remove",
    "/portal/account/close", "/portal/profile", "/portal/profile/second-factor",
    "/portal/profile/second-factor/off", "/portal/profile/recovery-codes", "/portal/profile/mails",
    "/portal/account/sign-on", "/portal/account/sign-on/remove",
)  # fmt: skip
# Addresses that answer with a file, or for the browser alone.
FILES = frozenset({
    "/portal/account/export", "/portal/profile/export", "/portal/analyses.csv",
    "/portal/activity.csv", "/portal/analyse/<uuid:job_id>/download.<form>",
    "/portal/analyses/<int:seq>.pdf", "/portal/analyses/<int:seq>/proof",
    "/portal/analyses/<int:seq>/attestation.<any(json, dsse):form>",
    "/portal/analyses/documents/<uuid:document_id>.pdf",
    "/portal/analyses/period.pdf", "/portal/branding/agreement.<tongue>",
    "/portal/branding/processing-record.<tongue>", "/portal/branding/logo",
    "/portal/compare/<uuid:comparison_id>/report.<form>",
    "/portal/analyse/<uuid:job_id>/pages/<int:page>.png", "/portal/matters/<uuid:matter_id>/results.zip",
    "/portal/credits.csv", "/portal/first-steps", "/portal/jobs/<uuid:job_id>/result.json",
    "/portal/jobs/<uuid:job_id>/report.<any(pdf, docx, md, 'docx-comments'):form>",
    "/portal/requests.csv", "/portal/usage.csv",
})  # fmt: skip


def furnished(cast: Cast, player: Player) -> list[str]:
    """The addresses of `PAGES`, for a player who now has one of everything."""
    entry = analysed(player, citations={"verified": 2, "not_found": 1})
    analysed(player)
    other, _ = cast.key(player.account_id)
    child = cast.child(player)
    today, now = clock.today(), clock.now()
    with db.transaction() as session:
        organization_id = tenancy.key_of(session, player.account_id, child.key_id).organization_id
        colleague = tenancy.members.add_member(
            session,
            player.account_id,
            email=f"dev-{uuid.uuid4().hex[:10]}@example.com",
            password=player.password,
            role="developer",
        )
        webhook = webhooks.register(
            session,
            player.account_id,
            player.key_id,
            url="https://192.0.2.7/in",
            events=webhooks.SUBSCRIBABLE,
            description=None,
            now=now,
        ).row
        _, delivery = webhooks.send_test(session, player.account_id, player.key_id, webhook.id, now=now)
        job = jobs.accept(
            session,
            cast.caller(player),
            jobs.Payload.single(analysis.AnalysisRequest(DocumentText(LEASE))),
            request_id=f"req_{uuid.uuid4()}",
            base_url="https://api.example",
            now=now,
            matter_id=uuid.uuid4(),
        )
        compared = kept_comparison(session, player)
        document = governance.order(
            session, player.account_id, today, today, key_id=None, flagged=False, language="es", now=now
        )
        article = webhooks.Subject("article", ("ES:CC:art1902",), "Código Civil", "1902", "ES", None)
        watch, _ = webhooks.watch(session, player.account_id, article, mail=True, now=now)
        # Not for a worker of another test to take.
        document.status, document.error_code, document.completed_at = "failed", "INTERNAL_ERROR", now
        record = governance.search(session, player.account_id, entry.request_id, limit=1)[0]
        governance.review(
            session,
            record,
            "corrected",
            by=governance.Reviewer(api_key_id=player.key_id),
            final_hash="ef" * 32,
            now=now,
        )
        chosen = analysis.own_engines.Chosen(
            "A", "openai", "gpt-own", "https://models.example/v1", "chat", "sk-000000000000"
        )
        keep_engine(session, player.account_id, chosen, tested_at=now)
        sso.save_connection(
            session,
            player.account_id,
            issuer="https://login.firm.example",
            client_id="desk",
            client_secret="s" * 20,
            role="developer",
            now=now,
        )
        scopes: tuple[tuple[tenancy.enforcement.PolicyScope, uuid.UUID | None], ...] = (
            ("user", None),
            ("api_key", other),
        )
        for scope, target in scopes:
            tenancy.enforcement.set_account_policy(
                session, player.account_id, enabled=scope == "user", scope=scope, target=target, now=now
            )
        made = {
            "record": record.seq,
            "hash": entry.document_hash,
            "organization": organization_id,
            "child": child.key_id,
            "key": other,
            "member": colleague.id,
            "webhook": webhook.id,
            "delivery": delivery,
            "watch": watch.id,
            "job": job.id,
            "matter": job.matter_id,
            "comparison": compared.id,
            "document": document.id,
            "authorize": authorization(session),
            "call": failed_call(session, player),
        }
    return [page.format_map(made) for page in PAGES]


def failed_call(session: db.Session, player: Player) -> uuid.UUID:
    """A call of the player's key that was refused."""
    call = usage.Call(
        clock.now(), player.account_id, player.key_id, "/api/v1/analyze", 422, 12,
        request_id=f"req_{uuid.uuid4()}", code="VALIDATION_ERROR",
    )  # fmt: skip
    usage.insert_calls(session, [call])
    return call.id


def kept_comparison(session: db.Session, player: Player) -> comparison.Comparison:
    """A comparison that the player's key made, as its page shows it."""
    comparison_id, now = uuid.uuid4(), clock.now()
    key = storage.new_key(comparison_id)
    version = KeptVersion(LEASE)
    sealed = comparison.KeptComparison(examples.ANSWER, version, version).as_bytes()
    storage.put(comparison_id, key.clear, sealed, ttl_s=3600)
    row = comparison.Comparison(
        id=comparison_id,
        account_id=player.account_id,
        api_key_id=player.key_id,
        request_id=f"req_{comparison_id}",
        added=0,
        removed=0,
        changed=1,
        moved=0,
        unchanged=2,
        risks_appeared=1,
        risks_went=0,
        risks_stayed=0,
        credits_charged=2,
        created_at=now,
        expires_at=now + timedelta(hours=1),
        data_key=key.wrapped,
    )
    session.add(row)
    session.flush()
    return row


def authorization(session: db.Session) -> str:
    """The query of an authorization request of a registered client."""
    asked = {"client_name": "Assistant", "redirect_uris": ["https://assistant.example/callback"]}
    client = oauth_clients.register(session, asked, now=clock.now())
    query = {
        "response_type": "code",
        "client_id": client.client_id,
        "redirect_uri": client.redirect_uris[0],
        "code_challenge": "c" * 43,
        "code_challenge_method": "S256",
        "scope": "mcp",
        "state": "s",
    }
    return urlencode(query)


def example(page: str) -> str:
    """The page's path with a made-up id for what is in braces."""
    page = page.replace("{record}", "1")
    return re.sub(r"\{\w+\}", str(uuid.uuid4()), page).partition("?")[0]
