"""Settings, read once from the environment; the only module that reads it.

Precedence: environment, then `.env`, then `services.json` in `DATA_DIR` (written by `make run`, so that the
command line beside a running service finds its databases), then the default.
"""

from __future__ import annotations

import json
import re
import uuid
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

PROJECT = Path(__file__).resolve().parents[2]
SERVICES_FILE = "services.json"


class SettingsError(Exception):
    """A setting is missing or malformed; the message names it and says what was expected."""


@cache
def _accounts_of_hosts(entries: str) -> dict[str, uuid.UUID]:
    """Read `host=account id` pairs separated by commas.

    Raises:
        ValueError: an entry is no such pair.
    """
    found: dict[str, uuid.UUID] = {}
    for entry in filter(None, map(str.strip, entries.split(","))):
        host, _, account = map(str.strip, entry.partition("="))
        try:
            found[host.lower()] = uuid.UUID(account)
        except ValueError:
            raise ValueError(
                "needs host=account id, such as portal.firm.example=0d5f4c0a-…, by commas"
            ) from None
        if not host or "/" in host or ":" in host:
            raise ValueError("needs host names without scheme, port or path")
    return found


@cache
def _prices_of_packs(entries: str) -> tuple[tuple[int, int], ...]:
    """Read `credits=price` pairs separated by commas.

    Raises:
        ValueError: an entry is no such pair.
    """
    found = []
    for entry in filter(None, map(str.strip, entries.split(","))):
        numbers = [part.strip() for part in entry.split("=")]
        if len(numbers) != 2 or not all(re.fullmatch(r"[1-9][0-9]{0,8}", part) for part in numbers):
            raise ValueError("needs credits=price in the smallest unit, such as 500=4500,2000=16000")
        found.append((int(numbers[0]), int(numbers[1])))
    if len({credits for credits, _ in found}) < len(found):
        raise ValueError("names the same number of credits twice")
    return tuple(found)


class Settings(BaseSettings):
    """All settings, immutable. Each has a help line and a default that suits `make run` on a laptop."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True)

    # Where state lives
    data_dir: Path = Field(Path(".data"), description="Folder of the embedded services and their logs.")
    database_url: SecretStr = Field(
        SecretStr(""), description="PostgreSQL with pgvector, postgresql://user:password@host/name."
    )
    database_replica_url: SecretStr = Field(
        SecretStr(""),
        description="Streaming replica that answers searches and usage reports; empty: the primary does.",
    )
    database_replica_lag_s: float = Field(
        10.0,
        ge=0,
        le=3600,
        description="Seconds the replica may be behind; beyond, the primary answers in its place.",
    )
    redis_url: SecretStr = Field(
        SecretStr(""),
        description="Redis 6.2 or newer, redis://host:6379/0, unix:///path or, behind Redis Sentinel, "
        "redis+sentinel://host:26379,host:26379/NAME/0.",
    )
    secret_key: SecretStr = Field(
        SecretStr(""), description="At least 32 characters; signs portal sessions and wraps data keys."
    )
    database_pool_size: int = Field(12, ge=1, le=200, description="Database connections per process.")
    database_pool_timeout_s: float = Field(
        5.0, gt=0, le=60, description="Seconds to wait for a free connection before answering 503."
    )
    statement_timeout_ms: int = Field(
        15_000, ge=100, description="Longest a single SQL statement may run, in milliseconds."
    )
    database_connect_s: float = Field(
        5.0, ge=1, le=60, description="Seconds to wait for a new database connection (whole seconds)."
    )
    database_answer_s: float = Field(
        20.0,
        gt=0,
        le=600,
        description="Seconds to wait for an answer of PostgreSQL, whatever became of it; then 503.",
    )
    redis_timeout_s: float = Field(
        0.5, gt=0, le=30, description="Seconds to wait for a connection to, or an answer of, Redis."
    )

    # Names
    service_name: str = Field(
        "Candado", min_length=1, max_length=60, description="Product name in the portal, answers and PDFs."
    )
    wire_name: str = Field(
        "Service",
        pattern=r"^[A-Za-z][A-Za-z0-9]{0,29}$",
        description="Neutral word on the wire: X-<WIRE_NAME>-… headers and the audit-trail block.",
    )
    key_prefix: str = Field(
        "svc", pattern=r"^[a-z][a-z0-9]{1,7}$", description="First characters of every API key."
    )
    public_url: str = Field(
        "",
        description="Public base address; https:// makes cookies Secure and sends HSTS. Empty: as requested.",
    )

    # The transparency log
    log_witnesses: str = Field(
        "", description="Witnesses that cosign the log's head: 'verifier-key url', separated by commas."
    )
    time_stamp_url: str = Field(
        "",
        description="RFC 3161 authority that stamps the log's head once an hour, and signed documents; "
        "empty: none.",
    )

    # Mail of the portal
    smtp_url: SecretStr = Field(
        SecretStr(""),
        description="Mail server, smtp://user:password@host:587 or smtps://…; empty: no mail is sent.",
    )
    mail_from: str = Field("candado@localhost", description="Sender of the portal's mails.")
    mail_inbox: bool = Field(
        False,
        description="Show mails in the log and at /portal/mail (make run sets it; never in production).",
    )
    signup_open: bool = Field(False, description="Whether strangers may open an account in the portal.")
    signup_credits: int = Field(20, ge=0, le=100_000, description="Credits of an account opened by sign-up.")

    # The web edge
    host: str = Field("127.0.0.1", description="Address the web server listens on.")
    port: int = Field(8000, ge=1, le=65535, description="Port the web server listens on.")
    web_workers: int = Field(2, ge=1, le=64, description="Web processes; one that dies is replaced.")
    web_grace_s: float = Field(
        30.0, ge=1, le=600, description="Seconds that requests may go on when the web server is told to stop."
    )
    web_max_mb: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="Resident memory at which a web process is replaced, in MB; 0 means never.",
    )
    web_threads: int = Field(64, ge=1, le=1024, description="Blocking threads per web process.")
    worker_processes: int = Field(1, ge=1, le=64, description="Worker processes (make run).")
    trusted_proxies: int = Field(
        0, ge=0, le=5, description="Reverse proxies in front whose X-Forwarded-For is believed."
    )
    max_body_bytes: int = Field(
        12_000_000,
        ge=1024,
        description="Largest request body in bytes; 50 documents of 50,000 characters fit.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level logged.")

    metrics_token: SecretStr = Field(
        SecretStr(""), description="Bearer token that /metrics asks for; empty: open to whoever can reach it."
    )

    prometheus_multiproc_dir: str = Field(
        "",
        description="Empty folder in which several web processes add up their metrics (environment only).",
    )

    # Limits (decision 010)
    rate_standard: int = Field(10, ge=1, description="Requests per minute of a standard key.")
    rate_premium: int = Field(200, ge=1, description="Requests per minute of a premium key.")
    rate_enterprise: int = Field(1000, ge=1, description="Requests per minute of an enterprise key.")
    rate_management: int = Field(600, ge=1, description="Management and polling requests per minute per key.")
    rate_sandbox: int = Field(60, ge=1, description="Sandbox requests per minute per key.")
    rate_public: int = Field(120, ge=1, description="Requests per minute per address on paths without a key.")

    # Analysis
    node_a_engine: Literal["rules", "anthropic", "openai"] = Field(
        "rules", description="Engine of node A, which analyses; `rules` needs no key and no network."
    )
    node_b_engine: Literal["rules", "anthropic", "openai"] = Field(
        "rules", description="Engine of node B, which audits at mode deep; best another vendor than node A."
    )
    node_a_model: str = Field("", description="Model of node A; empty: the vendor's default here.")
    name_recogniser: str = Field(
        "",
        description="Recogniser of names, package.module:name, for accounts that mask them; empty: embedded.",
    )
    node_b_model: str = Field("", description="Model of node B; empty: the vendor's default here.")
    node_a_fallback: Literal["", "rules", "anthropic", "openai"] = Field(
        "", description="Engine of node A when the first is away; the answer names it. Empty: answer 503."
    )
    anthropic_api_key: SecretStr = Field(SecretStr(""), description="Key for engine `anthropic`.")
    anthropic_base_url: str = Field("https://api.anthropic.com", description="Address of engine `anthropic`.")
    openai_api_key: SecretStr = Field(SecretStr(""), description="Key for engine `openai`.")
    openai_base_url: str = Field(
        "https://api.openai.com/v1", description="Address of engine `openai` or of a compatible server."
    )
    openai_protocol: Literal["responses", "chat"] = Field(
        "responses", description="`chat` for compatible servers that know chat completions only."
    )
    engine_allow_hosts: str = Field(
        "",
        description="Hosts (host or host:port, by commas) of accounts' own engines, exempt from https, "
        "public addresses and ports: every account may then have an engine there.",
    )
    model_attempt_s: float = Field(
        180.0,
        gt=0,
        le=600,
        description="Longest wait for one answer of a model, in seconds, within the analysis's limit.",
    )
    analysis_tokens: int = Field(
        600_000,
        ge=0,
        description="Most tokens of models that 50,000 characters of an analysis may cost; 0: no limit.",
    )
    model_tool_rounds: int = Field(
        4, ge=0, le=10, description="How often node A's model may look up law before it answers; 0: never."
    )
    model_tool_calls: int = Field(
        16,
        ge=1,
        le=100,
        description="Most look-ups of a model for each 50,000 characters of a document begun.",
    )
    restatement_round: bool = Field(
        True,
        description="Whether node A's model may say again, once, what was refused a lock for its wording.",
    )
    part_characters: int = Field(
        200_000,
        ge=2_000,
        le=500_000,
        description="Longer documents go to a model in parts; its window has to hold 50,000 tokens more.",
    )
    analysis_deadline_s: float = Field(
        90.0, gt=0, le=600, description="Longest an analysis may take before it is given up, uncharged."
    )
    hold_ttl_s: int = Field(
        300, ge=30, description="Seconds after which credits held by a dead process are free again."
    )
    idempotency_wait_s: float = Field(
        100.0, ge=0, le=600, description="Seconds a repeat waits for the first request under its key."
    )
    low_balance_default: int = Field(20, ge=0, description="Balance below which credits.low is announced.")

    # Buying credits
    credit_purchase: Literal["invoice", "stripe"] = Field(
        "invoice",
        description="How credits are bought: by your invoice, or at a checkout with Stripe's protocol.",
    )
    purchase_contact: str = Field(
        "", description="Address or https:// page where accounts order credits by invoice; empty: none shown."
    )
    credit_packs: str = Field(
        "",
        description="What the checkout sells, by commas: credits=price in the smallest unit, 500=4500.",
    )
    purchase_currency: str = Field(
        "eur",
        pattern=r"^[a-z]{3}$",
        description="Currency of CREDIT_PACKS, as ISO 4217 has it, small letters.",
    )
    stripe_base_url: str = Field("https://api.stripe.com", description="Address of the checkout's interface.")
    stripe_api_key: SecretStr = Field(SecretStr(""), description="Secret key of the checkout.")
    stripe_webhook_secret: SecretStr = Field(
        SecretStr(""),
        description="Secret that signs the checkout's messages to <PUBLIC_URL>/payments/stripe.",
    )

    # Jobs (decision 027)
    job_processes: int = Field(
        2, ge=1, le=64, description="Jobs a worker process does at once, each in a process of its own."
    )
    job_max_mb: int = Field(
        800,
        ge=0,
        le=1_000_000,
        description="Resident memory at which a job's process is replaced between jobs, in MB; 0: never.",
    )
    job_lifetime_hours: float = Field(
        24.0, gt=0, le=168, description="Hours a job may wait, its documents sealed, before it fails."
    )
    job_result_hours: float = Field(
        24.0, gt=0, le=168, description="Hours a job's result can be read, sealed; then its key is destroyed."
    )
    comparison_hours: float = Field(
        24.0, gt=0, le=168, description="Hours a comparison can be read, sealed; then its key is destroyed."
    )
    job_days: int = Field(
        90, ge=2, le=3660, description="Days the row of a job that ended is kept: state and figures only."
    )
    worker_grace_s: float = Field(
        20.0, ge=0, le=600, description="Seconds a job may go on when its worker is told to stop."
    )

    # Uploaded documents (decision 078)
    document_ttl_minutes: float = Field(
        60.0,
        gt=0,
        le=1440,
        description="Minutes an uploaded document is kept, sealed; jobs that use it keep it longer.",
    )
    document_account_mb: int = Field(
        1_000,
        ge=50,
        le=1_000_000,
        description="Megabytes that the uploaded documents of one account may take up in Redis.",
    )

    # Documents of the audit trail
    audit_document_hours: float = Field(
        24.0,
        gt=0,
        le=168,
        description="Hours a period's audit document can be downloaded; then its key is destroyed.",
    )

    document_certificate: str = Field(
        "",
        description="Certificate that signs documents of periods (PAdES): a PKCS#12 file, or a PEM file, the "
        "signer's first; empty: not signed.",
    )
    document_certificate_key: str = Field(
        "", description="PEM file of its private key, where the certificate is PEM and the key not beside it."
    )
    document_certificate_passphrase: SecretStr = Field(
        SecretStr(""), description="Passphrase of the PKCS#12 file or of the private key."
    )

    # Search
    embedding_engine: Literal["none", "openai"] = Field(
        "none", description="What makes the vectors of search; `none`: words alone are searched."
    )
    embedding_model: str = Field(
        "text-embedding-3-small",
        pattern=r"^[A-Za-z0-9._-]{1,80}$",
        description="Model of engine `openai`; after a change run `flask corpus embed`.",
    )
    embedding_dimensions: int = Field(
        512, ge=64, le=3072, description="Length of the vectors that engine `openai` is asked for."
    )
    embedding_timeout_s: float = Field(
        2.0, gt=0, le=60, description="Longest wait for a question's vector; then words alone are searched."
    )

    embedding_index_mb: int = Field(
        512,
        ge=16,
        le=65_536,
        description="Memory PostgreSQL may take to build an index of vectors; 1.5 KB a passage are quick.",
    )
    search_cache_mb: int = Field(
        128,
        ge=16,
        le=65_536,
        description="Memory of each process for postings that were read; 3 million passages want 768.",
    )

    # Usage
    usage_raw_days: int = Field(
        90, ge=1, le=3660, description="Days a single call is kept; the daily figures made of it stay."
    )

    # Webhooks (decisions 030 and 031)
    webhook_allow_hosts: str = Field(
        "",
        description="Hosts (host or host:port, by commas) exempt from https, public addresses and ports.",
    )
    outgoing_ports: str = Field(
        "443,8443",
        pattern=r"^ *[0-9]{1,5} *(, *[0-9]{1,5} *)*$",
        description="Ports that addresses given by clients may name: webhooks, logos, websites, engines.",
    )
    webhook_threads: int = Field(
        32, ge=1, le=512, description="Deliveries a worker process sends at once to receivers that are quick."
    )
    webhook_delivery_days: int = Field(
        30, ge=1, le=3660, description="Days the log of a delivery that ended is kept; the event stays."
    )

    events_days: int = Field(
        90, ge=1, le=3660, description="Days an event can be read at GET /api/v1/events."
    )

    # Tool server (decision 052)
    mcp_hosts: str = Field(
        "",
        description="Host names (by commas) that the tool server answers to beside PUBLIC_URL's; "
        "neither: localhost.",
    )
    mcp_origins: str = Field(
        "",
        description="Origins (by commas, https://host) of web pages that may call the tool server beside "
        "PUBLIC_URL's.",
    )

    # Portal
    session_hours: int = Field(12, ge=1, le=720, description="Hours a portal session lives without use.")
    sso_allow_hosts: str = Field(
        "",
        description="Hosts (host or host:port, by commas) of accounts' sign-on providers, exempt from https, "
        "public addresses and ports.",
    )
    brand_hosts: str = Field(
        "",
        description="Host names (by commas, host=account id) that serve everything under its branding.",
    )

    @field_validator("secret_key")
    @classmethod
    def _long_enough(cls, value: SecretStr) -> SecretStr:
        if value.get_secret_value() and len(value.get_secret_value()) < 32:
            raise ValueError("needs at least 32 characters; make one with: openssl rand -hex 32")
        return value

    @field_validator("database_replica_url")
    @classmethod
    def _of_postgresql(cls, value: SecretStr) -> SecretStr:
        schemes = ("postgresql://", "postgres://", "postgresql+psycopg://")
        if value.get_secret_value() and not value.get_secret_value().startswith(schemes):
            raise ValueError("must start with postgresql://")
        return value

    @field_validator("public_url")
    @classmethod
    def _no_trailing_slash(cls, value: str) -> str:
        if value and not value.startswith(("https://", "http://")):
            raise ValueError("must start with https:// or http://")
        return value.rstrip("/")

    @field_validator("brand_hosts")
    @classmethod
    def _hosts_of_accounts(cls, value: str) -> str:
        _accounts_of_hosts(value)
        return value

    @property
    def accounts_of_hosts(self) -> dict[str, uuid.UUID]:
        """The entries of `BRAND_HOSTS`: the account of each host name, in lower case."""
        return _accounts_of_hosts(self.brand_hosts)

    @property
    def tier_rates(self) -> dict[str, int]:
        """Requests per minute by tier."""
        return {
            "standard": self.rate_standard,
            "premium": self.rate_premium,
            "enterprise": self.rate_enterprise,
        }

    @field_validator("outgoing_ports")
    @classmethod
    def _ports_exist(cls, value: str) -> str:
        if not all(1 <= int(port) <= 65535 for port in value.split(",")):
            raise ValueError("must be ports from 1 to 65535, by commas")
        return value

    @property
    def outgoing_port_numbers(self) -> frozenset[int]:
        """The ports of `OUTGOING_PORTS` as numbers."""
        return frozenset(int(port) for port in self.outgoing_ports.split(","))

    @property
    def allowed_hosts(self) -> tuple[str, ...]:
        """The entries of `WEBHOOK_ALLOW_HOSTS`, `host` or `host:port`."""
        return tuple(entry.strip() for entry in self.webhook_allow_hosts.split(",") if entry.strip())

    @property
    def allowed_engine_hosts(self) -> tuple[str, ...]:
        """The entries of `ENGINE_ALLOW_HOSTS`, `host` or `host:port`."""
        return tuple(entry.strip() for entry in self.engine_allow_hosts.split(",") if entry.strip())

    @field_validator("credit_packs")
    @classmethod
    def _packs_have_prices(cls, value: str) -> str:
        _prices_of_packs(value)
        return value

    @field_validator("purchase_contact")
    @classmethod
    def _reachable(cls, value: str) -> str:
        if value and "@" not in value and not value.startswith("https://"):
            raise ValueError("must be a mail address or start with https://")
        return value

    @property
    def credit_pack_prices(self) -> tuple[tuple[int, int], ...]:
        """The entries of `CREDIT_PACKS`: credits, and their price in the currency's smallest unit."""
        return _prices_of_packs(self.credit_packs)

    @property
    def allowed_sso_hosts(self) -> tuple[str, ...]:
        """The entries of `SSO_ALLOW_HOSTS`, `host` or `host:port`."""
        return tuple(entry.strip() for entry in self.sso_allow_hosts.split(",") if entry.strip())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Add `services.json` as the source of lowest precedence (a hook of pydantic-settings)."""
        return (
            init_settings,
            env_settings,
            dotenv_settings,
            _RunningServices(settings_cls, (init_settings, env_settings, dotenv_settings)),
        )

    def require(self, *names: str) -> None:
        """Raise `SettingsError` for the first of `names` that is empty, with how to set it."""
        for name in names:
            value = getattr(self, name)
            if not (value.get_secret_value() if isinstance(value, SecretStr) else value):
                raise SettingsError(
                    f"{name.upper()} is not set and no running service was found in {self.data_dir}. "
                    f"Start one with `make run`, point DATA_DIR at a running one, or set {name.upper()}."
                )


class _RunningServices(PydanticBaseSettingsSource):
    """Settings source: the addresses that a running supervisor wrote to `DATA_DIR/services.json`."""

    FIELDS = ("database_url", "redis_url", "secret_key")

    def __init__(
        self, settings_cls: type[BaseSettings], before: tuple[PydanticBaseSettingsSource, ...]
    ) -> None:
        super().__init__(settings_cls)
        self._before = before

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        raise KeyError(field_name)  # values come all at once, from __call__

    def __call__(self) -> dict[str, Any]:
        data_dir = next(
            (found["data_dir"] for source in self._before if (found := source()).get("data_dir")), ".data"
        )
        try:
            found = json.loads((Path(data_dir) / SERVICES_FILE).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return {name: found[name] for name in self.FIELDS if isinstance(found.get(name), str)}


def load(**overrides: Any) -> Settings:
    """Read the settings now. Raises `SettingsError` with one plain sentence per wrong setting."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        wrong = (f"{str(e['loc'][0]).upper()}: {e['msg']}" for e in error.errors())
        raise SettingsError("; ".join(wrong)) from None


@cache
def current() -> Settings:
    """Return the settings of this process, read at first use."""
    return load()


def as_env_example() -> str:
    """Return the text of `.env.example`: every setting with its help line and default, commented out."""
    lines = [
        "# Every setting with its default. Copy to .env and uncomment what you change.",
        "# Written by `make env-example` from app/platform/settings.py.",
    ]
    for name, field in Settings.model_fields.items():
        default = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
        lines += ["", f"# {field.description}", f"#{name.upper()}={default}"]
    return "\n".join(lines) + "\n"
