"""Validation rules of branding values, shared by the API and the portal's forms. Pure."""

from __future__ import annotations

import re
import unicodedata

import idna

EMAIL_MAX = 254
# RFC 5321 and 5322 without what nobody writes: comments, quoted local parts, addresses for domains.
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_HEX_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def is_one_line(text: str) -> bool:
    """Return whether `text` has visible characters and spaces only."""
    return not any(unicodedata.category(character) in _UNSEEN for character in text)


def trimmed(text: str) -> str:
    """Remove surrounding blanks; text with line breaks or invisible characters stays, to be refused."""
    return text.strip() if is_one_line(text) else text


def is_color(text: str) -> bool:
    """Return whether `text` is `#` and six hexadecimal digits."""
    return _HEX_COLOR.fullmatch(text) is not None


def is_absolute(text: str) -> bool:
    """Return whether `text` has the form of an absolute URL; whether it may be called is another check."""
    return _ABSOLUTE.fullmatch(text) is not None


def is_email(text: str) -> bool:
    """Return whether `text` is a plausible e-mail address (a subset of RFC 5321 and 5322)."""
    local, _, domain = text.rpartition("@")
    return (
        len(text) <= EMAIL_MAX
        and len(local) <= 64
        and _LOCAL.fullmatch(local) is not None
        and _is_mail_domain(domain)
    )


def _is_mail_domain(domain: str) -> bool:
    try:
        labels = idna.encode(domain, uts46=True, transitional=False).decode().split(".")
    except (idna.IDNAError, UnicodeError):
        return False
    # A number at the end makes an address of it (RFC 5321, 4.1.3), and one label is no public domain.
    return len(labels) > 1 and all(labels) and not labels[-1].isdigit()
