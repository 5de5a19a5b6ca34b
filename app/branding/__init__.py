"""Branding: under whose name, colour and logo a key's answers and documents are given.

Owns `branding_configs`, `branding_logos`. Invariants: a child has its master's branding and none of its own;
no document links to an outside image, because a logo is fetched once, redrawn and kept; words that a client
wrote are never changed.
"""

from app.branding.agreement import agreement
from app.branding.configuration import Branding, Saved, check_url, get, holder, owned, save, voice_of
from app.branding.letterhead import Letterhead, letterhead
from app.branding.logo import Logo, fetch_due, logo_of
from app.branding.substitution import brand, own_words_of
from app.branding.voice import PLAIN, Mode, Voice

__all__ = [
    "PLAIN",
    "Branding",
    "Letterhead",
    "Logo",
    "Mode",
    "Saved",
    "Voice",
    "agreement",
    "brand",
    "check_url",
    "fetch_due",
    "get",
    "holder",
    "letterhead",
    "logo_of",
    "own_words_of",
    "owned",
    "save",
    "voice_of",
]
