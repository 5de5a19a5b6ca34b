"""Tables of usage."""

from __future__ import annotations

import uuid
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.postgres.db import Base
from app.usage.histogram import SIZE

# What stands in `usage_days` and `usage_months` where a row sums over all keys, or over all endpoints.
ALL_KEYS = uuid.UUID(int=0)
ALL_ENDPOINTS = ""

# A list of hundreds of keys reads these from an index, and no row.
_COUNTS = ("calls", "errors", "rate_limited", "credits")
_GRAIN_FITS = (
    "grain = (endpoint = '')::int + 2 * (api_key_id = '00000000-0000-0000-0000-000000000000')::int "
    "OR grain = 4 + (endpoint = '')::int"
)

BUCKETS: tuple[str, ...] = tuple(f"ms_{i:02}" for i in range(SIZE))


class UsageCall(Base):
    """One authenticated call: key, route, status, latency in ms, credits, request id, code of an error.

    A partition holds a month (`app.usage.partitions`). Ids sort by time, so that they say which month, and
    are unique over all of them.

    No content: the message of an error may repeat what was sent, so it is not kept.
    """

    __tablename__ = "usage_calls"

    # Version 7: ids sort by time, so the oldest rows are found by primary key.
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    account_id: Mapped[uuid.UUID]
    api_key_id: Mapped[uuid.UUID]
    endpoint: Mapped[str]
    status: Mapped[int] = mapped_column(sa.SmallInteger)
    latency_ms: Mapped[int]
    credits: Mapped[int] = mapped_column(default=0)
    request_id: Mapped[str | None]
    code: Mapped[str | None]

    __table_args__ = (
        sa.Index("ix_usage_calls_account_id_at", "account_id", "at"),
        sa.Index(
            "ix_usage_calls_account_id_request_id",
            "account_id",
            "request_id",
            postgresql_ops={"request_id": "text_pattern_ops"},
            postgresql_where=sa.text("request_id IS NOT NULL"),
        ),
        sa.Index(
            "ix_usage_calls_account_id_errors",
            "account_id",
            "at",
            postgresql_where=sa.text("status >= 400"),
        ),
        {"postgresql_partition_by": "RANGE (id)"},
    )


class UsageDay(Base):
    """The totals of one UTC day for one key, organization or endpoint, at one of six grains.

    The grains are: each key and endpoint, each key, each endpoint, the account; and the child keys of each
    organization together, by endpoint and over all endpoints. `grain` is PostgreSQL's `GROUPING(api_key_id,
    endpoint)`: 0 both, 1 all endpoints, 2 all keys, 3 all of both. At 4 (each endpoint) and 5 (all endpoints)
    `api_key_id` holds the id of an organization without its master's calls: a child key belongs to one
    organization for good, a master while it exists. Each report reads the coarsest rows that answer it, and
    they are adjacent in the primary key.
    """

    __tablename__ = "usage_days"

    account_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    grain: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    day: Mapped[date] = mapped_column(primary_key=True)
    api_key_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    endpoint: Mapped[str] = mapped_column(primary_key=True)
    calls: Mapped[int]
    errors: Mapped[int]
    rate_limited: Mapped[int]
    credits: Mapped[int]

    __table_args__ = (
        sa.CheckConstraint(_GRAIN_FITS, name="grain_fits"),
        # The days of one key, or of an organization's, without those of all the others.
        sa.Index("ix_usage_days_of_key", "account_id", "grain", "api_key_id", "day"),
        # The sums of all keys of some days, and of hundreds of them, from the index alone.
        sa.Index(
            "ix_usage_days_sums_by_day",
            "account_id",
            "day",
            "api_key_id",
            postgresql_include=_COUNTS,
            postgresql_where=sa.text("grain = 1"),
        ),
        sa.CheckConstraint("0 <= rate_limited AND rate_limited <= errors AND errors <= calls", name="parts"),
    )


class UsageMonth(Base):
    """The totals of one calendar month (UTC), at the same grains: always the sum of its days.

    A report reads the whole months of its range from this table.
    """

    __tablename__ = "usage_months"

    account_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    grain: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    # Its first day.
    month: Mapped[date] = mapped_column(primary_key=True)
    api_key_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    endpoint: Mapped[str] = mapped_column(primary_key=True)
    calls: Mapped[int]
    errors: Mapped[int]
    rate_limited: Mapped[int]
    credits: Mapped[int]

    __table_args__ = (
        sa.CheckConstraint(_GRAIN_FITS, name="grain_fits"),
        sa.CheckConstraint("extract(day FROM month) = 1", name="first_day"),
        sa.Index("ix_usage_months_of_key", "account_id", "grain", "api_key_id", "month"),
        sa.Index(
            "ix_usage_months_sums_of_key",
            "account_id",
            "api_key_id",
            "month",
            postgresql_include=_COUNTS,
            postgresql_where=sa.text("grain = 1"),
        ),
        sa.CheckConstraint("0 <= rate_limited AND rate_limited <= errors AND errors <= calls", name="parts"),
    )


class UsageTokens(Base):
    """The tokens that models of one name cost in one UTC day, by key and stage of the analyses.

    `own` tells an engine that the account brought from the operator's. Cached tokens are part of the input.
    """

    __tablename__ = "usage_tokens"

    account_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    api_key_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(primary_key=True)
    own: Mapped[bool] = mapped_column(primary_key=True)
    input: Mapped[int] = mapped_column(sa.BigInteger)
    cached: Mapped[int] = mapped_column(sa.BigInteger)
    output: Mapped[int] = mapped_column(sa.BigInteger)

    __table_args__ = (
        sa.CheckConstraint(
            "stage IN ('draft', 'tools', 'restatement', 'audit', 'repair')", name="stage_known"
        ),
        sa.CheckConstraint("0 <= cached AND 0 <= input AND 0 <= output", name="not_negative"),
    )


# The histogram of app/usage/histogram.py, one column a bucket: PostgreSQL sums columns several times faster
# than elements of an array, and a bucket without calls is NULL, which takes no room.
for _name in BUCKETS:
    for _table in (UsageDay, UsageMonth):
        setattr(_table, _name, mapped_column(_name, sa.Integer, nullable=True))
