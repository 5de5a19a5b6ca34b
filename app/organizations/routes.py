"""Operations on /api/v1/organizations."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import Response, request

from app import idempotency, organizations, tenancy
from app.organizations import examples, schemas
from app.platform import clock, settings
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy.guard import caller, require_key

routes = openapi.Routes(
    "organizations",
    __name__,
    url_prefix="/api/v1",
    description="Organizations: a master key and its child keys.",
)

_POSTED = {**openapi.RATE_HEADERS, **openapi.REPLAYED_HEADER}
_ONE = "/organizations/<uuid:organization_id>"
_KEYS = f"{_ONE}/keys"
_KEY = f"{_KEYS}/<uuid:key_id>"
_ONLY_MASTER = {403: examples.NOT_MASTER}


@routes.route("/organizations", methods=["POST"])
@require_key(manages="account")
@routes.arguments(schemas.OrganizationCreate, example=examples.CREATE)
@routes.response(201, schemas.OrganizationCreated, headers=_POSTED, example=examples.CREATED)
@openapi.fails(
    routes, 400, 401, 403, 409, 413, 415, 422, 429, 500, 503,
    examples={403: examples.A_CHILD, 409: examples.MASTER_ALREADY, 422: examples.FIVE},
)  # fmt: skip
@routes.doc(operationId="createOrganization", parameters=[openapi.IDEMPOTENCY_KEY])
def create(body: dict[str, Any]) -> Response:
    """Create an organization

    The calling solo key becomes its master key. An account can have at most 5 organizations, each with its
    own master key.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        made = organizations.create(
            session,
            caller(),
            name=body["name"],
            description=body.get("description") or None,
            now=clock.now(),
        )
        return 201, {"organization": _organization(made), "masterKeyId": str(caller().key_id)}

    return _once("", work)


@routes.route("/organizations", methods=["GET"])
@require_key()
@routes.response(200, schemas.OrganizationList, headers=openapi.RATE_HEADERS, example=examples.LIST)
@openapi.fails(routes, 401, 429, 500, 503)
@routes.doc(operationId="listOrganizations")
def index() -> Response:
    """List organizations

    Oldest first; a child key sees only its own organization.
    """
    with db.reading() as session:
        listed = tenancy.visible_organizations(session, caller())
        return http.answer(
            {"organizations": [{**_organization(found), "sub_keys": count} for found, count in listed]}
        )


@routes.route(_ONE, methods=["GET"])
@require_key()
@routes.response(200, schemas.OrganizationDetail, headers=openapi.RATE_HEADERS, example=examples.DETAIL)
@openapi.fails(routes, 401, 403, 404, 429, 500, 503, examples=_ONLY_MASTER)
@routes.doc(operationId="getOrganization")
def show(organization_id: uuid.UUID) -> Response:
    """Get an organization with its keys

    Master key first, then the child keys, newest first.
    """
    with db.reading() as session:
        found = tenancy.managed_organization(session, caller(), organization_id)
        owner = tenancy.owner_of(session, caller().account_id)
        return http.answer(
            {
                "organization": {**_organization(found), "owner_user_id": str(owner) if owner else None},
                "keys": _listed(session, found),
            }
        )


@routes.route(_ONE, methods=["PATCH"])
@require_key(manages="account")
@routes.arguments(schemas.OrganizationChange, example=examples.RENAME)
@routes.response(200, schemas.OrganizationChanged, headers=openapi.RATE_HEADERS, example=examples.CHANGED)
@openapi.fails(
    routes, 400, 401, 403, 404, 413, 415, 422, 429, 500, 503,
    examples={**_ONLY_MASTER, 422: examples.SHORT_NAME},
)  # fmt: skip
@routes.doc(operationId="updateOrganization")
def change(body: dict[str, Any], organization_id: uuid.UUID) -> Response:
    """Change the name or description of an organization

    Omitted fields keep their value; an empty description clears it.
    """
    with db.transaction() as session:
        row = tenancy.managed_organization(session, caller(), organization_id, lock=True)
        tenancy.change_organization(
            session,
            row,
            name=body.get("name", row.name),
            description=body.get("description", row.description) or None,
        )
        flat = _organization(row)
    return http.answer({"organization": flat, **flat})


@routes.route(_ONE, methods=["DELETE"])
@require_key(manages="account")
@routes.response(200, schemas.OrganizationDeleted, headers=openapi.RATE_HEADERS, example=examples.DELETED)
@openapi.fails(routes, 401, 403, 404, 429, 500, 503, examples=_ONLY_MASTER)
@routes.doc(operationId="deleteOrganization")
def remove(organization_id: uuid.UUID) -> Response:
    """Delete an organization

    All child keys are revoked and the master key becomes a solo key again. Usage and audit records are kept.
    """
    with db.transaction() as session:
        cut = organizations.delete(session, caller(), organization_id, now=clock.now())
    return http.answer({"deleted_organization_id": str(organization_id), "revoked_sub_keys": cut})


@routes.route(_KEYS, methods=["POST"])
@require_key(manages="account")
@routes.arguments(schemas.SubKeyCreate, example=examples.ISSUE)
@routes.response(201, schemas.SubKeyCreated, headers=_POSTED, example=examples.ISSUED)
@openapi.fails(
    routes, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    examples={**_ONLY_MASTER, 422: examples.WRONG_SCOPES},
)  # fmt: skip
@routes.doc(operationId="createSubKey", parameters=[openapi.IDEMPOTENCY_KEY])
def create_key(body: dict[str, Any], organization_id: uuid.UUID) -> Response:
    """Create a child key

    The answer is the only place where the key appears in plaintext. An organization can have at most 200
    active child keys. A child key has the tier of its master key, never more than its scopes, and stops
    working with it.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        made = organizations.create_sub_key(
            session,
            caller(),
            organization_id,
            label=body["child_label"],
            scopes=body.get("scopes"),
            expires_in_days=body.get("expires_in_days"),
            monthly_credit_cap=body.get("monthly_credit_cap"),
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
        return 201, _with_secret(made)

    return _once(f"/{organization_id}/keys", work)


@routes.route(_KEYS, methods=["GET"])
@require_key()
@routes.response(200, schemas.OrgKeyList, headers=openapi.RATE_HEADERS, example=examples.KEYS)
@openapi.fails(routes, 401, 403, 404, 429, 500, 503, examples=_ONLY_MASTER)
@routes.doc(operationId="listSubKeys")
def keys(organization_id: uuid.UUID) -> Response:
    """List the keys of an organization

    Master key first, then the child keys, newest first, including revoked ones.
    """
    with db.reading() as session:
        found = tenancy.managed_organization(session, caller(), organization_id)
        return http.answer({"keys": _listed(session, found)})


@routes.route(_KEY, methods=["PATCH"])
@require_key(manages="account")
@routes.arguments(schemas.SubKeyChange, example=examples.CHANGE)
@routes.response(200, schemas.SubKeyChanged, headers=openapi.RATE_HEADERS, example=examples.ALTERED)
@openapi.fails(
    routes, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    examples={**_ONLY_MASTER, 409: examples.IMMUTABLE, 422: examples.WRONG_SCOPES},
)  # fmt: skip
@routes.doc(operationId="updateSubKey")
def change_key(body: dict[str, Any], organization_id: uuid.UUID, key_id: uuid.UUID) -> Response:
    """Change a child key

    `active: false` revokes it, `active: true` reactivates it with its counters and usage. Both take effect
    on the next request.
    """
    with db.transaction() as session:
        row = organizations.change_sub_key(
            session,
            caller(),
            organization_id,
            key_id,
            now=clock.now(),
            active=body.get("active"),
            scopes=body.get("scopes"),
            label=body.get("child_label"),
            monthly_credit_cap=body.get("monthly_credit_cap", tenancy.UNSET),
        )
        flat = _key(row, caller().scopes)
    return http.answer({"api_key": flat, **flat})


@routes.route(_KEY, methods=["DELETE"])
@require_key(manages="account")
@routes.response(200, schemas.SubKeyRevoked, headers=openapi.RATE_HEADERS, example=examples.REVOKED)
@openapi.fails(routes, 401, 403, 404, 409, 429, 500, 503, examples={**_ONLY_MASTER, 409: examples.IMMUTABLE})
@routes.doc(operationId="revokeSubKey")
def remove_key(organization_id: uuid.UUID, key_id: uuid.UUID) -> Response:
    """Revoke a child key

    Its next request gets 401 `KEY_REVOKED`. Its usage is kept, and PATCH can reactivate it.
    """
    with db.transaction() as session:
        row = organizations.revoke_sub_key(session, caller(), organization_id, key_id, now=clock.now())
        prefix = row.key_prefix
    return http.answer({"revoked_key_id": str(key_id), "ok": True, "revokedKeyPrefix": prefix})


@routes.route(f"{_KEY}/rotate", methods=["POST"])
@require_key(manages="account")
@routes.arguments(schemas.Rotation, example=examples.ROTATE, required=False)
@routes.response(200, schemas.SubKeyRotated, headers=_POSTED, example=examples.ROTATED)
@openapi.fails(
    routes, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503,
    examples={**_ONLY_MASTER, 409: examples.IMMUTABLE},
)  # fmt: skip
@routes.doc(operationId="rotateSubKey", parameters=[openapi.IDEMPOTENCY_KEY])
def rotate_key(body: dict[str, Any], organization_id: uuid.UUID, key_id: uuid.UUID) -> Response:
    """Rotate the secret of a child key

    The key keeps its id, counters and cap. The old secret stays valid for `overlapHours`, at most 168.
    """
    overlap = timedelta(hours=body["overlap_hours"])

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        made = organizations.rotate_sub_key(
            session,
            caller(),
            organization_id,
            key_id,
            overlap=overlap,
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
        return 200, {**_with_secret(made), "previous_key_expires_at": _iso(made.row.previous_until)}

    return _once(f"/{organization_id}/keys/{key_id}/rotate", work)


def _once(path: str, work: Callable[[db.Session], tuple[int, dict[str, Any]]]) -> Response:
    """Run `work` in one transaction, or replay the answer under the same Idempotency-Key."""

    def made(session: db.Session) -> idempotency.StoredAnswer:
        status, answer = work(session)
        return idempotency.StoredAnswer(status, {}, http.encode(answer))

    stored, replayed = idempotency.created_once(
        caller(),
        f"POST /api/v1/organizations{path}",
        idempotency.key_of(request.headers.get("Idempotency-Key")),
        http.json_body(optional=True),
        made,
    )
    return http.replayable(stored.status, stored.headers, stored.body, replayed=replayed)


def _organization(row: tenancy.Organization) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "name": row.name,
        "description": row.description,
        "created_at": clock.iso(row.created_at),
    }


def _listed(session: db.Session, organization: tenancy.Organization) -> list[dict[str, Any]]:
    return [_key(row, caller().scopes) for row in tenancy.keys_in(session, organization)]


def _with_secret(made: tenancy.NewKey) -> dict[str, Any]:
    flat = _key(made.row, caller().scopes)
    return {"key": made.plaintext, "api_key": flat, **flat, "warning": examples.WARNING}


def _key(row: tenancy.ApiKey, master_scopes: frozenset[str]) -> dict[str, Any]:
    tier = caller().tier
    return {
        "id": str(row.id),
        "name": row.name,
        "key_prefix": row.key_prefix,
        "role": row.role,
        "child_label": row.child_label,
        "scopes": [scope for scope in row.scopes if scope in master_scopes],
        "tier": tier,
        "rate_limit_rpm": settings.current().tier_rates[tier],
        "active": row.active,
        "created_at": clock.iso(row.created_at),
        "last_used_at": _iso(row.last_used_at),
        "expires_at": _iso(row.expires_at),
        "organization_id": str(row.organization_id) if row.organization_id else None,
        "parent_key_id": str(row.parent_key_id) if row.parent_key_id else None,
        "monthly_credit_cap": row.monthly_credit_cap,
    }


def _iso(moment: Any) -> str | None:
    return clock.iso(moment) if moment else None
