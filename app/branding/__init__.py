"""Branding: the name, colour and logo under which a key's answers and documents are given.

Owns `branding_configs`, `branding_logos`. Invariants: a child has its master's branding and none of its own;
no document links to an external image, because a logo is fetched once, re-encoded and stored; text that a
client wrote is never changed.
"""

from app.branding.agreement import agreement, agreement_file_name
from app.branding.attribution import MODES, PLAIN, Attribution, Mode
from app.branding.configuration import (
    Branding,
    SaveResult,
    attribution_of,
    check_url,
    erase,
    get,
    holder,
    owned,
    remove_logo,
    save,
    upload_logo,
)
from app.branding.imprint import foot, name_at, name_for, of_account, of_key, reply_to
from app.branding.letterhead import LEAST_CONTRAST, Letterhead, contrast, letterhead, readable
from app.branding.logo import Logo, fetch_due, logo_of
from app.branding.models import BRAND_NAME_MAX, LEGAL_NAME_MAX
from app.branding.picture import NotALogo, redrawn
from app.branding.processing_record import processing_record, record_file_name
from app.branding.substitution import brand, own_words_of
from app.branding.values import EMAIL_MAX, is_absolute, is_color, is_email, is_one_line, trimmed

__all__ = [
    "BRAND_NAME_MAX",
    "EMAIL_MAX",
    "LEAST_CONTRAST",
    "LEGAL_NAME_MAX",
    "MODES",
    "PLAIN",
    "Attribution",
    "Branding",
    "Letterhead",
    "Logo",
    "Mode",
    "NotALogo",
    "SaveResult",
    "agreement",
    "agreement_file_name",
    "attribution_of",
    "brand",
    "check_url",
    "contrast",
    "erase",
    "fetch_due",
    "foot",
    "get",
    "holder",
    "is_absolute",
    "is_color",
    "is_email",
    "is_one_line",
    "letterhead",
    "logo_of",
    "name_at",
    "name_for",
    "of_account",
    "of_key",
    "own_words_of",
    "owned",
    "processing_record",
    "readable",
    "record_file_name",
    "redrawn",
    "remove_logo",
    "reply_to",
    "save",
    "trimmed",
    "upload_logo",
]
