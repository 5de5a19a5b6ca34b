"""Labels of codes, translated when they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask_babel import lazy_gettext as _

from app import corpus
from app.platform.errors import Invalid
from app.portal.web import language

Words = Any  # a lazy string; flask_babel ships no types

SCOPES: Mapping[str, Words] = {
    "analyze": _("Analyse documents"),
    "query": _("Search the law"),
    "mcp": _("Tools for assistants"),
}
SCOPE_HINTS: Mapping[str, Words] = {
    "analyze": _("Send texts for analysis. Each analysis costs credits."),
    "query": _("Look up statutes and judgments and check citations."),
    "mcp": _("Let an AI assistant use this service through its tool server."),
}
TIERS: Mapping[str, Words] = {
    "standard": _("Standard"),
    "premium": _("Premium"),
    "enterprise": _("Enterprise"),
}
ROLES: Mapping[str, Words] = {
    "owner": _("Owner"),
    "admin": _("Administrator"),
    "developer": _("Developer"),
    "compliance": _("Compliance"),
}
ROLE_HINTS: Mapping[str, Words] = {
    "owner": _("Everything, closing the account included."),
    "admin": _("Everything but owners and closing the account."),
    "developer": _("Keys, webhooks and usage."),
    "compliance": _("Reads the audit trail and downloads its documents; nothing else."),
}
MODES: Mapping[str, Words] = {"standard": _("Standard"), "deep": _("Deep")}
BRANCHES: Mapping[str, Words] = {
    "civil": _("Civil law"),
    "penal": _("Criminal law"),
    "laboral": _("Employment law"),
    "mercantil": _("Commercial law"),
    "contencioso": _("Administrative litigation"),
    "constitucional": _("Constitutional law"),
    "familia": _("Family law"),
    "internacional": _("International law"),
}
_MASKED: Mapping[str, Words] = {
    "EMAIL": _("E-mail address"),
    "PHONE": _("Telephone number"),
    "IBAN": _("Bank account (IBAN)"),
    "PASSPORT": _("Passport number"),
    "PERSON": _("Name of a person"),
    "ADDRESS": _("Postal address"),
}
LOCKS: Mapping[str, Words] = {
    "L5-C": _("critical risk"),
    "L1": _("stands word for word in the text"),
    "L2-J-V": _("judgment found and still good law"),
    "L2-J": _("judgment found"),
    "L4": _("inference, to be reviewed"),
}
LOCK_REASONS: Mapping[str, Words] = {
    "L5-C": _("A critical risk. The reason is in the statement; the code found what it rests on."),
    "L1": _("The quoted words stand in the text or in the law exactly so. Code compared them."),
    "L2-J-V": _("The judgment exists in the corpus, and the citator finds it still good law."),
    "L2-J": _("The judgment exists in the corpus."),
    "L4": _("An inference. It may be right; nobody has proved it: review it."),
}
FINDINGS: Mapping[str, Words] = {
    "hallucination": _("Unsupported"),
    "missing_clause": _("Something is missing"),
    "weak_reasoning": _("Weak reasoning"),
    "citation_error": _("Wrong citation"),
    "other": _("Other"),
}
SEVERITIES: Mapping[str, Words] = {"low": _("minor"), "medium": _("serious"), "high": _("grave")}
SAMPLES: Mapping[str, Words] = {
    "contract_es": _("Services contract between companies"),
    "providencia_aeat": _("Enforcement order of the tax agency"),
    "dictamen_teac": _("Ruling of the central tax court"),
    "demanda_concursal_es": _("Insolvency petition"),
    "demand_co": _("Claim to terminate a works contract"),
    "laboral_cl": _("Dismissal letter for business needs"),
}


def _verdict(status: corpus.Status, count: int) -> str:
    return corpus.verdict_name(status, language.current(), count)


LOCK_CLASSES: Mapping[str, str] = {"L5-C": "l5c", "L1": "l1", "L2-J-V": "l2jv", "L2-J": "l2j", "L4": "l4"}


def country(name: str, level: str) -> str:
    """Return the name of a country with how far its law is assessed, for a list."""
    return name if level == "full" else f"{name} · {ASSESSMENT_SHORT[level]}"


ASSESSMENT_SHORT = {
    "full": _("law assessed"),
    "partial": _("authorities partly checked"),
    "none": _("inventory only"),
}
ASSESSMENT = {
    "full": _("Its law is assessed."),
    "partial": _("Its law is assessed; not every authority can be checked here."),
    "none": _("Its law is not assessed: you get an inventory of the document, with citations checked."),
}
# As the audit document names them (`corpus.verdict_name`); what needs a lawyer's eye comes first.
VERDICTS: Mapping[str, Callable[[int], str]] = {
    status: partial(_verdict, status) for status in corpus.VERDICTS
}
VERDICT_ICONS: Mapping[str, str] = {
    "not_found": "bad",
    "derogated": "bad",
    "mismatch": "warn",
    "pending": "clock",
    "not_verifiable": "unknown",
    "verified": "ok",
}
BROKEN = ("not_found", "derogated", "mismatch")

ERRORS: Mapping[int, tuple[Words, Words]] = {
    400: (_("That request was not understood"), _("Go back, check what was sent and try again.")),
    401: (_("Sign in first"), _("This page is for people who are signed in.")),
    403: (_("This is not open to you"), _("Ask the owner of the account if you need it.")),
    404: (_("Nothing here"), _("There is nothing at this address.")),
    405: (_("That cannot be done here"), _("This address does not accept that kind of request.")),
    409: (_("Something changed meanwhile"), _("Reload the page and try again.")),
    413: (_("That is too large"), _("Send less at once.")),
    429: (_("Too many tries"), _("Wait a minute and try again.")),
    500: (
        _("Something failed on our side"),
        _(
            "If you had just sent something, look first whether it is there. If it happens again, quote the "
            "request id below to support."
        ),
    ),
    503: (
        _("Briefly unavailable"),
        _(
            "The service is briefly unavailable. Try again in a moment; if you had just sent something, look "
            "first whether it is there."
        ),
    ),
}

# Why a password may not be chosen (`tenancy.passwords`).
_PASSWORDS: Mapping[str, Words] = {
    "length": _("A password has 8 to 200 characters."),
    "common": _(
        "This is a very common password, or one with a small change. Choose another, such as four unrelated "
        "words."
    ),
    "personal": _(
        "This is based on your e-mail address, your firm’s name or the name of this service. Choose another, "
        "such as four unrelated words."
    ),
    "pattern": _(
        "This is a keyboard sequence, a repetition or a date. Choose another, such as four unrelated words."
    ),
}

# Said elsewhere in the code and shown on an error page.
SAID_ELSEWHERE = (
    _("This link has expired or was already used. Request a new one."),
    _("There is nothing at this address."),
    _("There is no API key with this id."),
    _("There is no audit document with this id."),
    _("There is no analysis with this id."),
    _("Your role does not include this page."),
    _("This form was sent from another site and was not accepted."),
    _("This form was open for too long. Go back, reload the page and send it again."),
)


def password_complaint(refused: Invalid) -> str:
    """Describe why a password was refused, and what to do."""
    reason = str((refused.details or {}).get("reason"))
    return str(_PASSWORDS[reason]) if reason in _PASSWORDS else refused.message


def masked(kind: str) -> str:
    """Return the label of a type of masked value: Telephone number; DNI (ES)."""
    country, mark, name = kind.partition("_")
    if mark and len(country) == 2:
        return f"{name.replace('_', ' ')} ({country})"
    return str(_MASKED.get(kind, kind))
