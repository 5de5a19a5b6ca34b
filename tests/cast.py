"""Who plays in the tests: alice owns an account, mallory another one. Made anew for each test."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from app import credits, tenancy
from app.platform import clock, settings
from app.platform.postgres import db

LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. En Madrid, a 1 de septiembre de 2026. REUNIDOS: de una parte, "
    "D. Tomás Herrero Vidal, con DNI 12345678Z, en adelante el ARRENDADOR; de otra, Dña. Lucía Prado Sanz, "
    "con NIE X1234567L, en adelante la ARRENDATARIA. PRIMERA.- Duración. El contrato tendrá una duración de "
    "un año. SEGUNDA.- Renta. La renta será de 900 euros mensuales, pagaderos en la cuenta "
    "ES91 2100 0418 4502 0005 1332. TERCERA.- Fianza. La arrendataria entrega 1.800 euros en concepto de "
    "fianza (art. 36 LAU). Notificaciones: lucia.prado@example.com."
)


@dataclass(frozen=True)
class Player:
    """A tenant with one API key."""

    name: str
    account_id: uuid.UUID
    email: str
    password: str
    key_id: uuid.UUID
    key: str

    @property
    def auth(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


class Cast:
    """Makes players on demand."""

    def player(
        self,
        name: str = "alice",
        *,
        credit: int = 100,
        tier: str = "enterprise",
        scopes: tuple[str, ...] = ("analyze", "query", "mcp"),
        expires_at: datetime | None = None,
    ) -> Player:
        email, password = f"{name}-{uuid.uuid4().hex[:10]}@example.com", "correct horse battery"
        with db.transaction() as session:
            account, _ = tenancy.create_account(session, name=name, email=email, password=password)
            credits.open_balance(session, account.id, low_threshold=20)
            if credit:
                credits.grant(session, account.id, credit, now=clock.now())
        return Player(name, account.id, email, password, *self.key(account.id, tier, scopes, expires_at))

    def key(
        self,
        account_id: uuid.UUID,
        tier: str = "enterprise",
        scopes: tuple[str, ...] = ("analyze", "query", "mcp"),
        expires_at: datetime | None = None,
    ) -> tuple[uuid.UUID, str]:
        # A key that is to be expired is born before its expiry.
        now = min(clock.now(), expires_at - timedelta(hours=1)) if expires_at else clock.now()
        with db.transaction() as session:
            made = tenancy.create_key(
                session,
                account_id,
                name="test key",
                tier=tier,
                scopes=scopes,
                prefix=settings.current().key_prefix,
                now=now,
                expires_at=expires_at,
            )
            return made.row.id, made.plaintext

    def organization(self, master: Player, name: str = "Firm") -> uuid.UUID:
        """An organization of which `master`'s key becomes the master."""
        with db.transaction() as session:
            return tenancy.create_organization(
                session, self.caller(master), name=name, description=None, now=clock.now()
            ).id

    def child(
        self,
        master: Player,
        organization_id: uuid.UUID | None = None,
        *,
        scopes: tuple[str, ...] | None = None,
    ) -> Player:
        """A player who holds a child key of `master`, in a new organization where none is given."""
        organization_id = organization_id or self.organization(master)
        with db.transaction() as session:
            caller = self.caller(master)
            made = tenancy.create_sub_key(
                session,
                caller,
                tenancy.managed_organization(session, caller, organization_id, lock=True),
                label="Junior",
                scopes=scopes,
                expires_in_days=None,
                monthly_credit_cap=None,
                prefix=settings.current().key_prefix,
                now=clock.now(),
            )
            return Player(f"{master.name}'s child", master.account_id, "", "", made.row.id, made.plaintext)

    @staticmethod
    def caller(player: Player) -> tenancy.Caller:
        with db.statements() as session:
            return tenancy.identify(
                session,
                player.key,
                prefix=settings.current().key_prefix,
                now=clock.now(),
                address="127.0.0.1",
            )

    @staticmethod
    def balance(player: Player) -> credits.Balance:
        with db.reading() as session:
            return credits.balance(session, player.account_id)
