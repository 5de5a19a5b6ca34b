"""Resolve what a caller writes to norms: abbreviation, name, number, official id or normal form."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable

from app.citations import Citation, extract
from app.corpus import permanent_ids, registry

_NUMBERED = re.compile(r"ES:([a-z]+\??):(\d+/\d{4})")
_MOST = 200


def norms_named(written: str, jurisdiction: str) -> tuple[str, ...]:
    """Return the normal forms of the norms that `written` may mean in `jurisdiction`.

    One, several where it is ambiguous, none where no known norm is named. "RDL 1/2007" is two, "Ley 4/1983"
    one for each region that has it.
    """
    written = " ".join(written.split())[:_MOST]
    for key in (written, f"{jurisdiction}:{written}"):
        known = registry.norm(key)
        if known:
            return (known.key,)
    citation = _named(written, jurisdiction)
    if citation is None:
        return ()
    if citation.norm is None:
        return tuple(citation.ids.get("candidates", "").split())
    numbered = _NUMBERED.fullmatch(citation.norm)
    if not numbered or "boe" in citation.ids:
        known = registry.norm(f"ES:{citation.ids['boe']}") if "boe" in citation.ids else None
        known = known or registry.norm(citation.norm)
        return (known.key if known else citation.norm,)
    return _numbered(citation, numbered[1], numbered[2])


def _named(written: str, jurisdiction: str) -> Citation | None:
    """Read `written` as the law of an article; `None` unless nothing is left over."""
    for text in (f"artículo 1 de la {written}", f"art. 1 {written}", written):
        for citation in extract(text, jurisdiction):
            if citation.kind == "L4-N" and citation.end >= len(text.rstrip(" .)")):
                return citation
    return None


def _numbered(citation: Citation, rank: str, number: str) -> tuple[str, ...]:
    ranks = ("rdl", "rdleg") if rank == "rdl?" else (rank,)
    date = citation.ids.get("date", "")
    found: dict[str, None] = {}
    for name in ranks:
        known = registry.norm(f"ES:{name}:{number}")
        if known and (not date or (known.dated and known.dated.isoformat().endswith(date.lstrip("-")))):
            found[known.key] = None
        for entry in registry.numbered(name, number):
            if not date or entry.dated.isoformat().endswith(date.lstrip("-")):
                named = registry.norm(f"ES:{entry.official_id}")
                found[named.key if named else f"ES:{entry.official_id}"] = None
    return tuple(found)


def official_ids(key: str, ids: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return (jurisdiction, official id) pairs under which a normal form may be loaded.

    Args:
        key: The normal form.
        ids: Further official ids that came with the citation.
    """
    jurisdiction, _, tail = key.partition(":")
    jurisdiction = jurisdiction.split("-")[0]
    known = registry.norm(key)
    named = [known.official_id] if known and known.official_id else []
    numbered = re.fullmatch(r"ES(?:-([A-Z]{2}))?:([a-z]+):(\d+/\d{4})", key)
    if numbered and not named:
        entries = registry.numbered(numbered[2], numbered[3])
        region = (numbered[1] or "").lower()
        entries = tuple(one for one in entries if not region or one.region == region)
        named = [entries[0].official_id] if len(entries) == 1 else []
    return tuple(dict.fromkeys((jurisdiction, one) for one in (*named, *ids, tail) if one))


def norm_ids(key: str, ids: Iterable[str] = ()) -> tuple[uuid.UUID, ...]:
    """Return the ids of the rows under which a normal form may be loaded, likeliest first."""
    return tuple(permanent_ids.norm_id(code, official) for code, official in official_ids(key, ids))


def key_of(jurisdiction: str, official_id: str) -> str:
    """Return the normal form of a loaded norm: the registry's, else its jurisdiction and official id."""
    known = registry.norm(f"{jurisdiction}:{official_id}")
    return known.key if known else f"{jurisdiction}:{official_id}"


def indexed_norm(key: str) -> registry.Entry | None:
    """Return the State's norm that the index lists under a normal form (`ES:ley:7/1985`)."""
    numbered = re.fullmatch(r"ES:([a-z]+):(\d+/\d{4})", key)
    if numbered is None:
        return None
    found = [one for one in registry.numbered(numbered[1], numbered[2]) if not one.region]
    return found[0] if len(found) == 1 else None
