"""Two tenants with one of everything, and keys of every kind that may call."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations

from app import analysis, branding, documents, governance, jobs, redaction, tenancy, webhooks
from app.comparison import Comparison, KeptComparison, storage
from app.comparison.kept import KeptVersion
from app.platform import clock
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.tenancy import SCOPES
from tests.cast import LEASE, Cast, Player

Ids = dict[str, str]


@dataclass
class House:
    """A tenant: its master key, a second master in the same account, and the ids of what each has.

    `own` and `sibling` map the name of a parameter to an id; `marks` are words that no other tenant may see.
    """

    master: Player
    own: Ids = field(default_factory=dict)
    sibling: Ids = field(default_factory=dict)
    marks: list[str] = field(default_factory=list)


@dataclass
class Role:
    """Somebody who calls: `refusal` is the code that meets them everywhere, if one does."""

    name: str
    headers: dict[str, str]
    scopes: frozenset[str] = frozenset(SCOPES)
    refusal: str | None = None


def house(cast: Cast, name: str) -> House:
    """A tenant whose every name and address holds a word of its own."""
    mark = f"mark{uuid.uuid4().hex}"
    first = cast.player(f"{name}-{mark}")
    second = Player(name, first.account_id, first.email, first.password, *cast.key(first.account_id))
    made = House(first, marks=[mark, str(first.account_id)])
    for player, ids in ((first, made.own), (second, made.sibling)):
        organization = cast.organization(player, f"Firm {mark}")
        child = cast.child(player, organization)
        with db.transaction() as session:
            endpoint = webhooks.register(
                session,
                player.account_id,
                player.key_id,
                url=f"https://192.0.2.7/{mark}",
                events=["credits.low"],
                description=mark,
                now=clock.now(),
            ).row.id
            entry = tenancy.allow_address(
                session,
                player.account_id,
                cidr="127.0.0.0/16" if player is first else "127.1.0.0/16",
                label=mark,
                now=clock.now(),
            ).id
            subject = webhooks.Subject("law", (f"ZZ:{uuid.uuid4()}",), mark, None, "ZZ", None)
            watch, _new = webhooks.watch(session, player.account_id, subject, mail=False, now=clock.now())
            job = jobs.accept(
                session,
                cast.caller(player),
                jobs.Payload.single(analysis.AnalysisRequest(DocumentText(f"{LEASE} {mark}"))),
                request_id=f"req_{mark}",
                base_url=f"https://{mark}.example",
                now=clock.now(),
            )
            file = f"{LEASE} {mark}".encode()
            read = documents.read(file, media_type="text/plain")
            upload = documents.keep(session, cast.caller(player), read, file, now=clock.now())
            compared = comparison_of(session, player, mark)
            branding.save(
                session,
                cast.caller(player),
                {"partner_brand_name": mark, "partner_logo_url": f"https://192.0.2.7/{mark}.png"},
                now=clock.now(),
            )
            audited = _analysis(player)
            session.take(governance.appending(audited))
            session.take(
                redaction.logging_redactions(
                    player.account_id, audited.analysis_id, {"ES_DNI": 1}, at=clock.now()
                )
            )
        with db.transaction() as session:
            today = clock.today()
            document = governance.order(
                session,
                player.account_id,
                today,
                today,
                key_id=player.key_id,
                flagged=False,
                language="es",
                now=clock.now(),
            )
            # Not for a worker of another test to take.
            document.status, document.error_code = "failed", "INTERNAL_ERROR"
            document.completed_at = clock.now()
        ids |= {
            "document_id": str(document.id),
            "document_ref": str(upload.id),
            "comparison_id": str(compared),
            "organization_id": str(organization),
            "key_id": str(child.key_id),
            "api_key_id": str(player.key_id),
            "webhook_id": str(endpoint),
            "watch_id": str(watch.id),
            "id": str(entry),
            "analysis_id": str(audited.analysis_id),
            "job_id": str(job.id),
            "request_id": audited.request_id,
        }
        made.marks += ids.values()
    return made


def comparison_of(session: db.Session, player: Player, mark: str) -> uuid.UUID:
    """A comparison that the player's key made, with a mark in its texts."""
    comparison_id, now = uuid.uuid4(), clock.now()
    key = storage.new_key(comparison_id)
    answer = {
        "clauses": [],
        "comparisonId": str(comparison_id),
        "requestId": f"req_{mark}",
        "analysis": mark,
        "summary": [mark],
    }
    version = KeptVersion(f"{LEASE} {mark}")
    sealed = KeptComparison(answer, version, version).as_bytes()
    storage.put(comparison_id, key.clear, sealed, ttl_s=3600)
    names = (
        "added",
        "removed",
        "changed",
        "moved",
        "unchanged",
        "risks_appeared",
        "risks_went",
        "risks_stayed",
    )
    row = Comparison(
        id=comparison_id,
        account_id=player.account_id,
        api_key_id=player.key_id,
        request_id=f"req_{mark}",
        **dict.fromkeys(names, 0),
        credits_charged=2,
        created_at=now,
        expires_at=now + timedelta(hours=1),
        data_key=key.wrapped,
    )
    session.add(row)
    session.flush()
    return comparison_id


def roles(cast: Cast, alice: House) -> Iterator[Role]:
    """Everybody who calls: no key, bad ones, and each kind that opens."""
    account = alice.master.account_id
    yield Role("anonymous", {}, refusal="UNAUTHENTICATED")
    yield Role("malformed", {"Authorization": "Bearer svc_nothing"}, refusal="UNAUTHENTICATED")
    expired = cast.key(account, expires_at=clock.now() - timedelta(days=1))[1]
    yield Role("expired", _bearer(expired), refusal="KEY_EXPIRED")
    revoked_id, revoked = cast.key(account)
    with db.transaction() as session:
        tenancy.revoke_key(session, revoked_id, now=clock.now())
    yield Role("revoked", _bearer(revoked), refusal="KEY_REVOKED")
    yield Role("solo", _bearer(cast.key(account)[1]))
    yield Role("master", alice.master.auth)
    organization = uuid.UUID(alice.own["organization_id"])
    for size in range(1, len(SCOPES) + 1):
        for chosen in combinations(SCOPES, size):
            child = cast.child(alice.master, organization, scopes=chosen)
            yield Role(f"child with {', '.join(chosen)}", child.auth, frozenset(chosen))


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _analysis(player: Player) -> governance.Entry:
    return governance.Entry(
        analysis_id=uuid.uuid4(),
        account_id=player.account_id,
        api_key_id=player.key_id,
        request_id=f"req_{uuid.uuid4()}",
        started_at=clock.now(),
        finished_at=clock.now(),
        jurisdiction="ES",
        branch="civil",
        language="es",
        mode="standard",
        models=("rules",),
        versions={"engine": "rules"},
        redactions={"ES_DNI": 1},
        citations={"verified": 1},
        locks={"L1": 1},
        credits=1,
        document_hash="ab" * 32,
        document_characters=500,
        analysis_hash="cd" * 32,
    )
