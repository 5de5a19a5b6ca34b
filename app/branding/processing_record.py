"""Record of processing activities that the operator keeps as processor (Article 30(2) GDPR).

It is the part of the operator's record that concerns one customer: what the code and the settings of this
installation do stands in it, what only the operator knows is in brackets.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import urlsplit

from babel.dates import format_date

from app.branding.configuration import Branding
from app.branding.letterhead import letterhead
from app.branding.logo import Logo
from app.platform import pdf, settings
from app.platform.errors import Conflict
from app.tenancy import OwnEngine
from app.text.bilingual import Bilingual, Language

_LOCALES = Bilingual("es", "en_GB")
_FILE_NAME = Bilingual("registro-de-actividades-de-tratamiento.pdf", "record-of-processing-activities.pdf")
_VENDORS = {"anthropic": "Anthropic", "openai": "OpenAI"}
_HOSTS = {"anthropic": "api.anthropic.com", "openai": "api.openai.com"}


# At node A and at node B; `None` where the operator's engine works.
OwnEngines = tuple[OwnEngine | None, OwnEngine | None]
NO_OWN_ENGINES: OwnEngines = (None, None)


@dataclass(frozen=True, slots=True)
class Recipient:
    """A processor to whom text is given, as the settings name it.

    `name` is the vendor's, `None` for a compatible server of somebody else; `tasks` are of `analysis`,
    `audit`, `fallback` and `search`.
    """

    name: str | None
    tasks: tuple[str, ...]

    @property
    def sees_only_questions(self) -> bool:
        """Whether it gets questions to search with, and no text of a document."""
        return self.tasks == ("search",)


def recipients(config: settings.Settings, own: OwnEngines = NO_OWN_ENGINES) -> tuple[Recipient, ...]:
    """Return the vendors of language models and embeddings that settings choose, none for `rules` alone.

    At a node where the account has its own engine, its vendor is the controller's and not named here.
    """
    chosen = {
        "analysis": "" if own[0] else config.node_a_engine,
        "audit": "" if own[1] else config.node_b_engine,
        "fallback": "" if own[0] else config.node_a_fallback,
        "search": config.embedding_engine,
    }
    return tuple(
        Recipient(_name(vendor, config), tasks)
        for vendor in _VENDORS
        if (tasks := tuple(task for task, engine in chosen.items() if engine == vendor))
    )


def own_recipients(own: OwnEngines) -> tuple[Recipient, ...]:
    """Return whom the account's own engines give text to: the controller's processors, not the operator's."""
    given = {"analysis": own[0], "audit": own[1]}
    named = {task: _VENDORS[one.vendor] if one.official else None for task, one in given.items() if one}
    return tuple(
        Recipient(name, tuple(task for task, known in named.items() if known == name))
        for name in dict.fromkeys(named.values())
    )


def _name(vendor: str, config: settings.Settings) -> str | None:
    url = config.anthropic_base_url if vendor == "anthropic" else config.openai_base_url
    return _VENDORS[vendor] if urlsplit(url).hostname == _HOSTS[vendor] else None


def record_file_name(language: Language) -> str:
    """Return the name under which the record is downloaded."""
    return _FILE_NAME.in_(language)


def processing_record(
    found: Branding,
    logo: Logo | None,
    *,
    language: Language,
    mask_names: bool,
    on: date,
    own_engines: OwnEngines = NO_OWN_ENGINES,
) -> bytes:
    """Render the record as PDF with the partner's letterhead; the same values give the same bytes.

    It computes for about a second: call it outside a transaction.

    Args:
        found: The branding; its legal name and contact are the controller's.
        logo: Its logo.
        language: Of the text.
        mask_names: Whether the account has names and addresses of persons masked.
        on: The day of which the record speaks.
        own_engines: The account's own engines at node A and B.

    Raises:
        Conflict: 409 `LEGAL_NAME_MISSING`, without `partner_legal_name`.
        Upstream: 503, where no PDF can be made.
    """
    if not found.partner_legal_name:
        raise Conflict(
            "partner_legal_name: is not set. Save it first; the record names it as the controller.",
            code="LEGAL_NAME_MISSING",
            details={"field": "partner_legal_name"},
        )
    return _drawn(found, logo, language, mask_names, on, settings.current(), own_engines)


@lru_cache(maxsize=32)
def _drawn(
    found: Branding,
    logo: Logo | None,
    language: Language,
    mask_names: bool,
    on: date,
    config: settings.Settings,
    own_engines: OwnEngines,
) -> bytes:
    given, own = recipients(config, own_engines), own_recipients(own_engines)
    values = {
        "letterhead": letterhead(found, logo),
        "legal_name": found.partner_legal_name,
        "contact": [one for one in (found.partner_support_email, found.partner_website) if one],
        "service": config.service_name,
        "on": format_date(on, "long", locale=_LOCALES.in_(language)),
        "recipients": given,
        "own": own,
        "model": bool(own) or any(set(one.tasks) - {"search"} for one in given),
        "mask_names": mask_names,
        "https": config.public_url.startswith("https://"),
        "waiting_h": f"{config.job_lifetime_hours:g}",
        "result_h": f"{config.job_result_hours:g}",
        "document_h": f"{config.audit_document_hours:g}",
        "delivery_days": config.webhook_delivery_days,
        "event_days": config.events_days,
    }
    return pdf.render(f"processing_record.{language}.html", values, origin="digitalCreation")
