"""Labels of codes, translated when they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask_babel import lazy_gettext as _

from app import corpus
from app.platform.errors import Invalid
from app.portal.web.display import language

Words = Any  # a lazy string; flask_babel ships no types

SCOPES: Mapping[str, Words] = {
    "analyze": _("Analyse documents"),
    "query": _("Search the law"),
    "mcp": _("Tools for assistants"),
}
SCOPE_HINTS: Mapping[str, Words] = {
    "analyze": _("Submit texts for analysis. Each analysis costs credits."),
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
    "owner": _("Everything, also owners, own engines and closing the account."),
    "admin": _("Everything but owners, own engines and closing the account."),
    "developer": _(
        "Analyses, reviews, keys, organizations, webhooks, branding, usage and credits; reads the audit "
        "trail. Not the team or the settings; the activity log only by API."
    ),
    "compliance": _(
        "Reads the audit trail, the activity log and the policies, orders documents and looks up the law. "
        "No analyses, reviews, keys or usage."
    ),
}
DECISIONS: Mapping[str, Words] = {
    "accepted": _("Accepted"),
    "corrected": _("Corrected"),
    "rejected": _("Rejected"),
}
DECISION_ICONS: Mapping[str, str] = {"accepted": "ok", "corrected": "warn", "rejected": "bad"}
DECISION_TONES: Mapping[str, str] = {"accepted": "ok", "corrected": "warn", "rejected": "bad"}
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
    "PHONE": _("Phone number"),
    "IBAN": _("Bank account (IBAN)"),
    "PASSPORT": _("Passport number"),
    "PERSON": _("Name of a person"),
    "ADDRESS": _("Postal address"),
}
LOCKS: Mapping[str, Words] = {
    "L5-C": _("critical risk with its reason"),
    "L1": _("restates the words that it quotes"),
    "L2-J-V": _("a judgment supports it and is still good law"),
    "L2-J": _("a judgment supports it"),
    "L4": _("inference, needs review"),
}
LOCK_REASONS: Mapping[str, Words] = {
    "L5-C": _("A critical risk. The clause it quotes is in the text, and the cited article supports it."),
    "L1": _("The statement restates the words it quotes, which are in the text or in the law."),
    "L2-J-V": _("A passage of the judgment supports it, and the citator finds it still good law."),
    "L2-J": _("A passage of the cited judgment supports it."),
    "L4": _("An inference that has not been confirmed. Review it."),
}
FINDINGS: Mapping[str, Words] = {
    "hallucination": _("Unsupported"),
    "missing_clause": _("Missing clause"),
    "weak_reasoning": _("Weak reasoning"),
    "citation_error": _("Wrong citation"),
    "other": _("Other"),
}
_MEDIA_TYPES: Mapping[str, str] = {
    "application/pdf": "PDF",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "application/vnd.oasis.opendocument.text": "OpenDocument",
    "application/rtf": "RTF",
    "text/rtf": "RTF",
    "text/html": "HTML",
    "message/rfc822": "EML",
    "text/markdown": "Markdown",
    "text/plain": "TXT",
}
SEVERITIES: Mapping[str, Words] = {"low": _("low"), "medium": _("medium"), "high": _("high")}
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
    "full": _("The law of this jurisdiction is assessed."),
    "partial": _("The law of this jurisdiction is assessed, but not every authority can be checked."),
    "none": _(
        "The law of this jurisdiction is not assessed. You get an inventory of the document, with its "
        "citations checked."
    ),
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
    400: (_("Bad request"), _("Go back, check your input and try again.")),
    401: (_("Sign in first"), _("You need to sign in to see this page.")),
    403: (_("Access denied"), _("Ask the account owner for access.")),
    404: (_("Page not found"), _("There is nothing at this address.")),
    405: (_("Method not allowed"), _("This address does not accept this kind of request.")),
    409: (_("Conflict with a recent change"), _("Reload the page and try again.")),
    413: (_("Request too large"), _("Send less data at once.")),
    429: (_("Too many attempts"), _("Wait a minute and try again.")),
    500: (
        _("Internal error"),
        _(
            "If you submitted something, check whether it was saved before you try again. If the error "
            "persists, send the request id below to support."
        ),
    ),
    503: (
        _("Temporarily unavailable"),
        _(
            "The service is temporarily unavailable. Try again in a moment. If you submitted something, "
            "check first whether it was saved."
        ),
    ),
}

# Why a password may not be chosen (`tenancy.passwords`).
_PASSWORDS: Mapping[str, Words] = {
    "length": _("A password must have 8 to 200 characters."),
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
    _("This link does not open anything, or no longer."),
    _("There is nothing at this address."),
    _("There is no API key with this id."),
    _("There is no audit document with this id."),
    _("There is no analysis with this id."),
    _("Your role does not have access to this page."),
    _("This form was submitted from another site and was rejected."),
    _("This form has expired. Go back, reload the page and submit it again."),
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


def media_type(name: str) -> str:
    """Return what people call files of a media type."""
    return _MEDIA_TYPES.get(name, name.partition("/")[2].upper())
